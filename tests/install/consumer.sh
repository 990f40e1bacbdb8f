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

# A project in C++ alone finds it too; without a library of OpenMP or pkg-config it is not found, without more.
if "$CC" -x c++ -fsyntax-only /dev/null 2>/dev/null && command -v c++ >/dev/null; then
    mkdir of_cpp
    block cpp docs/library.md >of_cpp/first.cpp
    sed 's/consumer\.c/first.cpp/; s/LANGUAGES C/LANGUAGES CXX/' "$SOURCE/tests/install/consumer/CMakeLists.txt" >of_cpp/CMakeLists.txt
    cmake -S of_cpp -B by_cpp -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 || fail "$(cat log)"
    cmake --build by_cpp >log 2>&1 || fail "$(cat log)"
    expect 0 by_cpp/consumer "$SOURCE/studies/reach_inverse.yaml"
    says out "45 runs"
fi
sed 's/REQUIRED)/QUIET)\nmessage(STATUS "found ${manylink_FOUND}")/; /consumer)/d; /consumer /d' "$SOURCE/tests/install/consumer/CMakeLists.txt" >CMakeLists.txt
PKG_CONFIG=/bin/false expect 0 cmake -S . -B without -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC"
says out "found 0"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name manylink.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # flags are words
"$CC" -o by_pkg_config "$SOURCE/tests/install/consumer/consumer.c" \
    $(pkg-config --cflags --libs manylink)
expect 0 env LD_LIBRARY_PATH="$(pkg-config --variable=libdir manylink)" ./by_pkg_config
says out ": 12 of 12 runs finished"
rm consumer.h5

expect 0 "$prefix/bin/manylink" --version
says out "manylink $(pkg-config --modversion manylink)"

[ ! -e "$BUILD/pages" ] || for page in man/man1/manylink.1 man/man1/manylink-run.1 bash-completion/completions/manylink \
    zsh/site-functions/_manylink fish/vendor_completions.d/manylink.fish; do
    [ -s "$prefix/share/$page" ] || fail "no $page is installed"
done
