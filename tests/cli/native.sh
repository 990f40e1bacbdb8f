# Native code is run only if the user named it: not for the word of a result, which may come from
# anybody, and never if it is not the file than the result was made with, or is cut off.
. "$SOURCE/tests/check.sh"

# build FILE FLAGS...: a plugin whose constructor leaves the file `ran`
cat >plugin.c <<END
#include <stdio.h>
#include "$SOURCE/tests/cli/plugins/lorenz.c"
__attribute__((constructor)) static void leave_a_trace(void)
{
    FILE *file = fopen("ran", "w");
    if (file)
        (void)fclose(file);
}
END
build()
{
    to=$1
    shift
    "$CC" -std=c17 -O2 -ffp-contract=off -shared -fPIC -I"$SOURCE/include" "$@" -o "$to" plugin.c -lm
}
mkdir theirs mine
build theirs/lorenz.so
cat >theirs/study.yaml <<'END'
manylink: 1
system: {type: plugin, file: lorenz.so}
initial: {x: 1, y: 1, z: 20}
time: {step: 2e-3, end: 0.1}
sweep: [{set: system.rho, from: 0.5, to: 60, count: 64}]
END
expect 0 "$MANYLINK" run theirs/study.yaml -o theirs.h5
[ -e ran ] || fail "the constructor leaves no trace"
for i in 0 1; do
    expect 0 "$MANYLINK" run theirs/study.yaml -o theirs.h5 --shard $i/2 --restart
    mv theirs.h5 shard$i.h5
done
expect 0 "$MANYLINK" run theirs/study.yaml -o theirs.h5

# refused TEXT COMMAND...
refused()
{
    text=$1
    shift
    rm -f ran
    expect 2 "$@"
    says err "$text"
    [ ! -e ran ] || fail "it ran native code: $*"
}
# runs COMMAND...
runs()
{
    rm -f ran
    expect 0 "$@"
    [ -e ran ] || fail "it ran no native code: $*"
}

refused "a result cannot be trusted to name native code" "$MANYLINK" verify theirs.h5
refused "name the study with --study FILE" "$MANYLINK" merge shard0.h5 shard1.h5 -o merged.h5
runs "$MANYLINK" verify theirs.h5 --study theirs/study.yaml
runs "$MANYLINK" verify theirs.h5 --plugin theirs/lorenz.so
cp theirs/lorenz.so here.so
runs "$MANYLINK" verify theirs.h5 --plugin here.so
runs "$MANYLINK" merge shard0.h5 shard1.h5 -o merged.h5 --plugin here.so
runs "$MANYLINK" run theirs/study.yaml -o theirs.h5
# a study of mine that names other code, or none
sed 's/lorenz.so/other.so/' theirs/study.yaml >mine/other.yaml
print_chain 1 1 >mine/chain.yaml
refused "name the study" "$MANYLINK" verify theirs.h5 --study mine/other.yaml
refused "name the study" "$MANYLINK" verify theirs.h5 --study mine/chain.yaml
refused "name the study" "$MANYLINK" extend theirs.h5 --study mine/other.yaml -o more.h5 --set time.end=2
refused "name the study" "$MANYLINK" extend theirs.h5 -o more.h5 --set time.end=2
runs "$MANYLINK" extend theirs.h5 --study theirs/study.yaml -o more.h5 --set time.end=2
runs "$MANYLINK" extend theirs.h5 --plugin here.so -o more2.h5 --set time.end=2
same more.h5 more2.h5

# Another file than it was made with.
build theirs/lorenz.so -DTANGENT=NULL
refused "it is not the file that the result was made with" \
    "$MANYLINK" verify theirs.h5 --study theirs/study.yaml
refused "it is not the file" "$MANYLINK" extend theirs.h5 --study theirs/study.yaml -o most.h5 --set time.end=3
refused "it is not the file" "$MANYLINK" verify theirs.h5 --plugin theirs/lorenz.so
refused "it is not the file" "$MANYLINK" extend theirs.h5 --plugin theirs/lorenz.so -o most.h5 --set time.end=3
refused "it is not the file" "$MANYLINK" merge shard0.h5 -o merged2.h5 --partial --plugin theirs/lorenz.so
cp here.so theirs/lorenz.so

# None at all.
slurm="slurm theirs/study.yaml --tasks 2 --time 1h"
[ "$TOOLS" = 1 ] || slurm=
for command in "run theirs/study.yaml -o none.h5" "plan theirs/study.yaml" "evaluate theirs/study.yaml" \
    "inverse theirs/study.yaml" ${slurm:+"$slurm"} "list theirs/lorenz.so" \
    "verify theirs.h5 --plugin here.so" "merge shard0.h5 shard1.h5 -o none.h5 --plugin here.so"; do
    # shellcheck disable=SC2086 # words
    refused "native code is refused (--no-native)" "$MANYLINK" $command --no-native
    # shellcheck disable=SC2086 # words
    refused "native code is refused (--no-native)" "$MANYLINK" --no-native $command
done
expect 0 "$MANYLINK" run mine/chain.yaml --no-native
expect 0 "$MANYLINK" --no-native verify chain.h5

# A file that is cut off, as by a compiler at work, is refused; touching it would be fatal.
size=$(wc -c <here.so)
for part in 1 10 63 64 100 500 $((size / 2)) $((size - 4096)) $((size - 1)); do
    head -c "$part" here.so >theirs/cut.so
    refused "" "$MANYLINK" plan theirs/study.yaml --set system.file=cut.so
done
says err "it is cut off: it has $((size - 1)) of $size bytes"
mkfifo theirs/fifo.so
refused "it cannot be loaded" "$MANYLINK" plan theirs/study.yaml --set system.file=fifo.so
