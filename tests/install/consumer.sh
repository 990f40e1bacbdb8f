# An installed copy can be used by find_package(manylink) and by pkg-config, and its command runs.
. "$SOURCE/tests/check.sh"
need cmake pkg-config
[ -z "$SANITIZE" ] || skip "a user's program is built without sanitizers"

cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
# The copy must do without the place it was made for, so it is used from another.
mv installed moved
prefix=$work/moved

cmake -S "$SOURCE/tests/install/consumer" -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$CC" >/dev/null
cmake --build by_cmake >/dev/null
expect 0 by_cmake/consumer
says out ": 12 of 12 runs finished"
rm consumer.h5

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name manylink.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # flags are words
"$CC" -o by_pkg_config "$SOURCE/tests/install/consumer/consumer.c" \
    $(pkg-config --static --cflags --libs manylink)
expect 0 env LD_LIBRARY_PATH="$(pkg-config --variable=libdir manylink)" ./by_pkg_config
says out ": 12 of 12 runs finished"
rm consumer.h5

expect 0 "$prefix/bin/manylink" --version
says out "manylink $(pkg-config --modversion manylink)"

[ ! -e "$BUILD/pages" ] || for page in man/man1/manylink.1 man/man1/manylink-run.1 bash-completion/completions/manylink; do
    [ -s "$prefix/share/$page" ] || fail "no $page is installed"
done
