# label: fault
# A compiler runs in a folder and an environment of its own, and does not outlive what it works for: no
# file of the folder where manylink is started, and none that a variable names, gets into a kernel.
. "$SOURCE/tests/check.sh"

[ "$(instruction_sets)" != baseline ] || skip "none is made for this machine"
cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: {repeat: 2, length: 1, mass: 1}}
initial: {angle: {1: 2}}
forces: [{type: damper, joint: 2, coefficient: 0.1}]
time: {step: 1e-3, end: 0.2}
END
export MANYLINK_CACHE="$work/cache"

# A header of this folder's, should the compiler look for headers here, is code that runs.
mkdir place
cat >place/math.h <<'END'
#include_next <math.h>
#ifndef PLANTED
#define PLANTED
static void __attribute__((constructor)) planted(void)
{
    extern int system(const char *);
    (void)system("touch \"$PLANTED\"");
}
#endif
END
export PLANTED="$work/planted"
# made VARIABLE=VALUE: a kernel is made in this environment, of this manylink's sources alone
made()
{
    rm -rf cache
    (cd place && expect 0 env "$@" "$MANYLINK" compile ../study.yaml)
    (cd place && expect 0 env "$@" "$MANYLINK" run ../study.yaml --kernel made -o ../made.h5 --restart)
    [ ! -e planted ] || fail "a header of the folder is in the kernel: $*"
}
for folders in :/nonexistent /nonexistent: . "$work/place"; do
    made "CPATH=$folders" "C_INCLUDE_PATH=$folders"
done
made "DEPENDENCIES_OUTPUT=$work/dependencies" "SUNPRO_DEPENDENCIES=$work/dependencies"
[ ! -e dependencies ] || fail "a variable makes the compiler write"
ls place >left
[ "$(cat left)" = "$(printf 'err\nmath.h\nout')" ] || fail "files are left: $(cat left)"

# What it is given, by list; and a command that is named from here is found from there.
cat >shows <<END
#!/bin/sh
{ pwd; env; } >"$work/shown.\$1"
exec "$CC" "\$@"
END
chmod +x shows
rm -rf cache
expect 0 env MANYLINK_CC=./shows SECRET=1 LD_LIBRARY_PATH=/nonexistent "$MANYLINK" compile study.yaml
for shown in shown.*; do
    ! grep -q 'SECRET\|MANYLINK' "$shown" || fail "not by list: $(cat "$shown")"
    grep -qx 'LC_ALL=C' "$shown" || fail "not in English: $(cat "$shown")"
    grep -qx 'LD_LIBRARY_PATH=/nonexistent' "$shown" || fail "libraries of compilers: $(cat "$shown")"
    [ "$(head -n 1 "$shown")" != "$work" ] || fail "runs in this folder"
done
[ "$(ls shown.* | wc -l)" = 2 ] || fail "not called twice: $(ls)"

# Which compiler a name means is part of a kernel's name.
mkdir one two
for folder in one two; do
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$CC" >$folder/compiler
    chmod +x $folder/compiler
done
rm -rf cache
for folder in one two; do
    expect 0 env MANYLINK_CC=compiler PATH="$work/$folder:$PATH" "$MANYLINK" compile study.yaml
done
[ "$(ls cache | wc -l)" = 2 ] || fail "two compilers make one kernel: $(ls cache)"

# A compiler starts others, as gcc its cc1. Whoever kills manylink leaves none of them, and no folder.
cat >starting <<END
#!/bin/sh
[ "\$1" != --version ] || exec "$CC" --version
sleep 1000 &
echo \$! >"$work/part.new"
mv "$work/part.new" "$work/part"
wait
END
chmod +x starting
rm -rf cache
MANYLINK_CC=./starting "$MANYLINK" compile study.yaml >out 2>err &
process=$!
while [ ! -e part ]; do
    kill -0 $process || fail "it has ended: $(cat err)"
    sleep 0.05
done
[ "$(ls -d cache/make-*)" ] || fail "it does not work in the cache: $(ls cache)"
kill -KILL $process
wait $process 2>/dev/null || true
tries=0
while kill -0 "$(cat part)" 2>/dev/null || [ -e "$(echo cache/make-*)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || fail "left behind: $(ls cache; ps -o pid,args -p "$(cat part)")"
    sleep 0.05
done

# A compiler that does not tell its version is asked once.
cat >silent <<END
#!/bin/sh
echo asked >>"$work/asked"
exit 1
END
chmod +x silent
expect 1 env MANYLINK_CC=./silent "$MANYLINK" compile study.yaml
expect 1 env MANYLINK_CC=./silent "$MANYLINK" run study.yaml --kernel made -o silent.h5
[ "$(wc -l <asked)" = 2 ] || fail "asked $(wc -l <asked) times"
