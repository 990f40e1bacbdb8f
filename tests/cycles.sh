# label: source
# Modules of a folder that need each other can only be understood together: scripts/cycles counts
# them, and there are none.
. "$SOURCE/tests/check.sh"
need python3

# Two modules that include each other, two by a declaration alone, and two that are in order.
mkdir -p fake/src/a fake/src/b
echo '#include "a/two.h"' >fake/src/a/one.h
echo '#include "a/one.h"' >fake/src/a/two.h
printf 'struct four;\nvoid four_go(void);\n' >fake/src/a/three.h
printf '#include "a/three.h"\nstruct four {\n    int x;\n};\nvoid four_go(void)\n{\n}\n' >fake/src/a/four.c
printf 'void four_go(void);\n' >fake/src/a/four.h
echo '#include "b/six.h"' >fake/src/b/five.c
printf 'void six(void);\nstruct seven;\n' >fake/src/b/six.h
printf '#include "b/six.h"\nvoid six(void)\n{\n}\n' >fake/src/b/six.c
python3 "$SOURCE/scripts/cycles" fake >found
grep -qx 'cycle of 2: a/one a/two' found || fail "an include that closes a cycle is not seen"
grep -qx 'cycle of 2: a/four a/three' found || fail "a declaration that closes a cycle is not seen"
grep -qx '4 modules in 2 cycles' found || fail "not the two cycles: $(cat found)"
if python3 "$SOURCE/scripts/cycles" --limit 3 fake >/dev/null; then
    fail "more than the limit is no failure"
fi
echo 'struct four;' >fake/src/b/six.h
echo 'struct five { int x; };' >fake/src/b/five.h
echo 'struct five;' >>fake/src/a/one.h
[ "$(python3 "$SOURCE/scripts/cycles" --upward a,b fake)" = 'src/a/one declares struct five of b/five' ] ||
    fail "a declaration of what a later folder defines is not seen"

python3 "$SOURCE/scripts/cycles" --limit 0 "$SOURCE" || fail "modules in cycles"
