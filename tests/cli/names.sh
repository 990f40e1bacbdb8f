# Names that something else would interpret: a shell that runs a job script, a terminal that shows a
# message.
. "$SOURCE/tests/check.sh"

print_chain 20 64 >study.yaml
escape=$(printf '\033')
newline='
'

# A line break would end the here-document of a job script.
bad="x${newline}MERGE${newline}touch owned${newline}#"
mkdir "$bad"
cp study.yaml "$bad"
slurm()
{
    wanted=$1
    shift
    expect "$wanted" "$MANYLINK" slurm --tasks 2 --time 1h "$@"
}
for place in "$bad/study.yaml" "-o $bad/x.h5" "-o${newline}.h5"; do
    case $place in
    -o*) slurm 2 study.yaml -o "${place#-o}" ;;
    *) slurm 2 "$place" ;;
    esac
    says err "cannot put the name into a job script"
    [ ! -s out ] || fail "there is a job script: $(cat out)"
done
cd "$bad"
slurm 2 study.yaml
says err "cannot put the name into a job script"
cd ..

# Other names are quoted, in the script for the job and in the one that merges.
odd="a 'b' \$(touch owned) \`touch owned\` ~ # *"
mkdir "$odd"
cp study.yaml "$odd"
slurm 0 "$odd/study.yaml" -o "$odd/out.h5"
mv out job
mkdir bin
printf '#!/bin/sh\ncat >submitted\n' >bin/sbatch
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH SLURM_ARRAY_JOB_ID=1 SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=2 \
    SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=1 SLURM_ARRAY_TASK_STEP=1 sh job >out 2>err || fail "the job fails: $(cat err)"
PATH=$PWD/bin:$PATH SLURM_ARRAY_JOB_ID=1 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 \
    SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=1 SLURM_ARRAY_TASK_STEP=1 sh job >out 2>err || fail "the job fails: $(cat err)"
sh submitted >out 2>err || fail "merging fails: $(cat err)"
[ -s "$odd/out.h5" ] || fail "there is no result"
[ ! -e owned ] && [ ! -e "$bad/owned" ] || fail "a name was run as a command"

# A folder that was removed has no name.
mkdir gone
cd gone
rmdir ../gone
code=0
"$MANYLINK" slurm ../study.yaml --tasks 2 --time 1h -o x.h5 >../out 2>../err || code=$?
cd "$work"
[ $code != 0 ] || fail "a job script names a folder that was removed: $(cat out)"

# What would steer a terminal is shown.
shown()
{
    if grep -q "$escape\|$(printf '\342\200\256')" out err; then
        fail "it reaches the terminal: $(cat -v out err)"
    fi
    says "$1" "$2"
}
right_to_left=$(printf '\342\200\256')
expect 2 "$MANYLINK" run "./${escape}[31mx.yaml"
shown err './\x1B[31mx.yaml: '
expect 2 "$MANYLINK" run "./${right_to_left}x.yaml"
shown err './\u202Ex.yaml: '
expect 2 "$MANYLINK" run "$(printf './\377x.yaml')"
shown err './\xFFx.yaml: '
expect 0 "$MANYLINK" run study.yaml -o "${escape}[31m.h5"
shown out 'result: \x1B[31m.h5 ('
expect 0 "$MANYLINK" run study.yaml -o "${escape}[31m.h5"
shown out '\x1B[31m.h5 is finished already'
expect 0 "$MANYLINK" verify "${escape}[31m.h5"
shown out '\x1B[31m.h5: sound'
expect 2 env MANYLINK_ISA="${escape}[31m" "$MANYLINK" plan study.yaml
shown err '\x1B[31m'
expect 2 "$MANYLINK" "${escape}[31m"
shown err '\x1B[31m'
expect 2 "$MANYLINK" run study.yaml --threads "${escape}[31m"
shown err '\x1B[31m'
expect 0 "$MANYLINK" status "${escape}[31m.h5"
shown out '\x1B[31m.h5: finished'
print_chain 100 6400 >long.yaml
hold owned.h5 env SLURM_JOB_ID="7${escape}[31m" "$MANYLINK" run long.yaml -o owned.h5 --threads 1
expect 0 "$MANYLINK" status owned.h5
shown out 'Slurm job 7\x1B[31m'
kill_held
stops "${escape}~.h5" "$MANYLINK" run long.yaml -o "${escape}~.h5" --time-limit 1h --threads 1
shown err "-o \$'\\033~.h5' --time-limit"
stops "a${newline}b.h5" "$MANYLINK" run long.yaml -o "a${newline}b.h5" --time-limit 1h --threads 1
told=$(sed '1,/continues from there/ s/.*continues from there: manylink/ /; /^$/d; /^stopped/d; /^finishing/d' err)
sh -c "'$MANYLINK' ${told%--time-limit*} long.yaml" >out 2>err || fail "the shell reads '$told': $(cat err)"
[ -s "a${newline}b.h5" ] || fail "no result: $told"
# letters of other scripts are none of these
expect 2 "$MANYLINK" run "./été μ.yaml"
says err './été μ.yaml: '
