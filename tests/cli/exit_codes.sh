# 0 done, 1 failed, 2 bad input, 3 finished but some runs did not; and what is written when.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-3, end: 0.02}
sweep: [{set: initial.rate.1, values: [0, 1]}]
END

# The result has the study's name, in the current directory, wherever the study is.
mkdir elsewhere
expect 0 "$MANYLINK" run "$PWD/study.yaml"
says out "2 finished"
[ -f study.h5 ] || fail "no study.h5"
[ ! -e study.h5.parts ] || fail "parts are left"
cp study.h5 before.h5

# Finished already: left alone. Another study's: refused.
expect 0 "$MANYLINK" run study.yaml
says out "finished already"
expect 2 "$MANYLINK" run study.yaml --set time.end=0.03
says err "another study"
cmp study.h5 before.h5 || fail "a finished result was changed"
(cd elsewhere && expect 0 "$MANYLINK" run ../study.yaml && [ -f study.h5 ]) || fail "not in elsewhere/"

expect 0 "$MANYLINK" run --quiet study.yaml --output quiet.h5
{ [ ! -s out ] && [ ! -s err ]; } || fail "--quiet printed something"
expect 0 "$MANYLINK" info quiet.h5
says out "initial.rate.1"

expect 2 "$MANYLINK" run no_such_study.yaml
says err "no_such_study.yaml"
expect 1 "$MANYLINK" run study.yaml -o no/such/folder/out.h5
expect 2 "$MANYLINK" info no_such_result.h5
expect 2 "$MANYLINK" info study.yaml

sed 's/mass: 1}/mas: 1}/' study.yaml >bad.yaml
expect 2 "$MANYLINK" run bad.yaml
says err "bad.yaml:2:"
says err "mass"
expect 2 "$MANYLINK" plan bad.yaml
cat >fit.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {x: 1}, rates: {x: -k*x}}
time: {step: 0.1, end: 1}
fit: {to: missing.csv, columns: {x: x}}
sample: {method: sobol, count: 4, over: [{set: system.k, from: 0.1, to: 3}]}
END
expect 2 "$MANYLINK" fit fit.yaml
says err "missing.csv: No such file or directory"
expect 2 "$MANYLINK" evaluate bad.yaml
expect 2 "$MANYLINK" run study.yaml -o set.h5 --set time.ned=1
expect 2 env MANYLINK_ISA=z80 "$MANYLINK" run study.yaml -o isa.h5
says err "z80"
{ [ ! -e bad.h5 ] && [ ! -e set.h5 ] && [ ! -e isa.h5 ]; } || fail "bad input left a file"
[ -z "$(find . -name '*.parts')" ] || fail "bad input left parts"

# One run that diverges does not stop the other.
expect 3 "$MANYLINK" run study.yaml -o lost.h5 --set 'sweep.0.values=[1e14]'
expect 0 "$MANYLINK" info lost.h5
says out "(no finite number)"
expect 3 "$MANYLINK" run study.yaml -o diverged.h5 --set 'sweep.0.values=[0, 1e14]'
says out "1 finished, 1 diverged"
expect 3 "$MANYLINK" run study.yaml -o diverged.h5 --set 'sweep.0.values=[0, 1e14]'
says out "finished already"

# One that cannot start, because no rates give it that energy, ends in its own way.
expect 3 "$MANYLINK" run study.yaml -o shell.h5 --set initial.rate.2=1 \
    --set 'sweep=[{set: initial.energy, values: [20, -20]}]'
says out "1 finished, 1 impossible_start"
expect 2 "$MANYLINK" evaluate study.yaml --set 'sweep=[]' --set initial.energy=-20
says err "run 0 cannot start: no rates have the energy"

# `plan` writes nothing and agrees on the number of runs.
expect 0 "$MANYLINK" plan study.yaml
says out "runs      2 "

# What cannot be printed is not done.
if [ -e /dev/full ]; then
    code=0
    "$MANYLINK" list >/dev/full 2>err || code=$?
    [ $code = 1 ] || fail "list to a full device: exit code $code, not 1"
    says err "cannot write output"
fi

# q'' of a singular mass matrix is an answer nobody should get.
expect 2 "$MANYLINK" evaluate --json "$SOURCE/studies/double_pendulum.yaml" \
    --set system.segments.lower.com=0 --set system.segments.lower.inertia=0
says err "not positive definite"

# Every command that takes a file: one that is missing, a folder, empty, or of another kind is bad input, as is an
# unknown option.
mkdir sweep sweep/dir.yaml sweep/dir.h5
cp study.yaml sweep/text.h5
cp study.h5 sweep/result.yaml
: >sweep/empty.yaml
: >sweep/empty.h5
for command in run plan "slurm --tasks 2 --time 1h" compile show-code show-equations evaluate compare inverse fit; do
    for name in none dir result empty; do
        # shellcheck disable=SC2086 # words
        expect 2 "$MANYLINK" $command sweep/$name.yaml
    done
    # shellcheck disable=SC2086
    expect 2 "$MANYLINK" $command study.yaml --nonsense
done
for command in "merge -o sweep/out.h5" status verify info plot report "best max_rate" "worst max_rate" table \
    "export -o sweep/out.csv" sensitivity motion "extend --set time.end=1"; do
    name=${command%% *}
    rest=${command#"$name"}
    for file in none dir text empty; do
        # shellcheck disable=SC2086
        expect 2 "$MANYLINK" $name sweep/$file.h5 $rest
    done
    # shellcheck disable=SC2086
    expect 2 "$MANYLINK" $name study.h5 $rest --nonsense
done
