# Every public header compiles alone, as C17 and as C++17.
. "$SOURCE/tests/check.sh"
: >empty
"$CC" -x c++ -fsyntax-only empty 2>/dev/null || skip "$CC does not compile C++ here"

for header in "$SOURCE"/include/manylink/*.h; do
    name=manylink/${header##*/}
    for language in c:c17 c++:c++17; do
        printf '#include <%s>\nextern int a_unit_has_a_declaration;\n' "$name" >one
        "$CC" -x "${language%:*}" "-std=${language#*:}" -fsyntax-only -Wall -Wextra -Wpedantic \
            -Werror -I "$SOURCE/include" one || fail "$name does not compile as ${language#*:}"
    done
done
