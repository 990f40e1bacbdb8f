# What python/manylink declares of the library is what the headers declare, to the compiler: types of
# functions, size of every struct, place, size and type of every member. Versions are the same.
. "$SOURCE/tests/check.sh"
use_package

"$PYTHON" - >layout.c <<'END'
import ctypes
import re

from manylink import _library

print("#include <stddef.h>")
print("#include <manylink/manylink.h>")
print(re.sub(r"^struct (\w+) \{", r"struct there_\1 {", _library.DECLARATIONS, flags=re.MULTILINE))
for name, struct in _library.STRUCTS.items():
    print(f"_Static_assert(sizeof(struct {name}) == {ctypes.sizeof(struct)}, \"size of {name}\");")
    for member, kind in struct._fields_:
        place, there = getattr(struct, member), f"((struct {name} *)0)->{member}"
        print(f"_Static_assert(offsetof(struct {name}, {member}) == {place.offset}"
              f" && sizeof({there}) == {place.size}, \"place of {name}.{member}\");")
        if member not in ("stop", "progress", "notice", "observe", "finding"):  # functions
            print(f"_Static_assert(__builtin_types_compatible_p(__typeof__({there}), "
                  f"__typeof__(((struct there_{name} *)0)->{member})), \"type of {name}.{member}\");")
for name, value in (("ML_OK", _library.OK), ("ML_STOPPED", _library.STOPPED),
                    ("ML_ARRAY_DOUBLE", _library.DOUBLE), ("ML_ARRAY_INTEGER", _library.INTEGER),
                    ("ML_ARRAY_TEXT", _library.TEXT)):
    print(f"_Static_assert((int){name} == {value}, \"{name}\");")
print(f"int main(void) {{ return __builtin_strcmp(ML_VERSION, \"{_library.VERSION}\") != 0; }}")
END
[ "$(grep -c '^enum ml_status ml_' layout.c)" -ge 10 ] || fail "few functions are declared"
grep -oh '\blib\.ml_[a-z0-9_]*' "$SOURCE"/python/manylink/*.py | sort -u | sed 's/^lib\.//' >called
"$PYTHON" -c 'from manylink import _library; print(*sorted(vars(_library.lib)), sep="\n")' >declared
[ -s called ] && [ -z "$(comm -23 called declared)" ] || fail "called, and not declared: $(comm -23 called declared)"
[ "$(grep -c '^_Static_assert(offsetof' layout.c)" -ge 80 ] || fail "few members are declared"
"$CC" -std=gnu17 -Wall -Werror -I "$SOURCE/include" -o layout layout.c ||
    fail "DECLARATIONS in python/manylink/_library.py are not what include/manylink declares"
expect 0 ./layout

# A library of another version, or that is none, is refused in words.
cat >other.c <<END
const char *ml_version(void);
const char *ml_version(void) { return "7.1.0"; }
END
"$CC" -shared -fPIC -o other.so other.c
expect 1 env MANYLINK_LIBRARY="$work/other.so" "$PYTHON" -c 'import manylink'
says err "other.so is manylink 7.1.0, this Python package is of"
echo 'int x;' | "$CC" -shared -fPIC -o none.so -x c -
expect 1 env MANYLINK_LIBRARY="$work/none.so" "$PYTHON" -c 'import manylink'
says err "none.so is no library of manylink"
expect 1 env MANYLINK_LIBRARY="$work/not_there.so" "$PYTHON" -c 'import manylink'
says err "cannot be loaded"
says err "set MANYLINK_LIBRARY"
