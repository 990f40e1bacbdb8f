# The programs of docs/library.md compile with an installed copy, as C17 and C++17, and run.
. "$SOURCE/tests/check.sh"
need cmake pkg-config
[ -z "$SANITIZE" ] || skip "a user's program is built without sanitizers"

cmake --install "$BUILD" --prefix "$work/installed" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/installed" -name manylink.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs manylink)
block c docs/library.md >first.c
block cpp docs/library.md >first.cpp
# shellcheck disable=SC2086 # flags are words
"$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -o first_c first.c $flags
expect 0 env LD_LIBRARY_PATH="$(pkg-config --variable=libdir manylink)" ./first_c
[ "$(wc -l <out)" -eq 7 ] || fail "the C program prints no seven lines"
says out "   0.000 rad    0.000e+00"
: >empty.cpp
"$CC" -x c++ -fsyntax-only empty.cpp 2>/dev/null || skip "$CC does not compile C++ here"
# shellcheck disable=SC2086
"$CC" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Werror \
    -o first_cpp first.cpp -x none $flags -lstdc++
expect 0 env LD_LIBRARY_PATH="$(pkg-config --variable=libdir manylink)" \
    ./first_cpp "$SOURCE/studies/reach_inverse.yaml"
says out "45 runs"
