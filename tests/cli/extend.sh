# A finished result that is extended - by samples, another grid, a later end, indicators, events, trajectories - is the
# file of a study that was asked for all of it at once, to the bit; only new runs are integrated, and a result that
# cannot be extended stays as it is.
. "$SOURCE/tests/check.sh"
need_python

# extends STUDY TAKEN "OLD SETS" "NEW SETS" [OPTION...]: so many runs are taken.
extends()
{
    study=$1 taken=$2 old=$3 new=$4
    shift 4
    rm -rf old.h5* new.h5* once.h5*
    "$MANYLINK" run "$study" -q --failed-runs-ok -o old.h5 $old
    [ -n "$SANITIZE" ] || "$MANYLINK" run "$study" -q --failed-runs-ok -o once.h5 $old $new
    expect 0 "$MANYLINK" extend old.h5 --failed-runs-ok -o new.h5 $new "$@"
    says out "$taken runs are taken of old.h5"
    same new.h5 once.h5
}

cat >grid.yaml <<'END_OF_STUDY'
manylink: 1 # as given
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
initial: {angle: {1: 2, 2: 1}}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 65}
  - {set: initial.rate.1, values: [0, 1, 1e9]}
END_OF_STUDY
cat >sample.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
time: {step: 1e-2, end: 0.5}
sample: {method: sobol, count: 100, seed: 7, over: [{set: initial.angle.1, from: -3, to: 3}, {set: system.segments.2.mass, from: 1, to: 2}]}
END_OF_STUDY
{ cat sample.yaml; echo 'integrator: {type: dopri54, tolerance: 1e-8}'; } | sed 's/step: 1e-2/tick: 1e-2/' >tolerance.yaml
printf '%s\n' 'events: [{name: low, when: angle.1, crosses: 0, max: 3, keep: [rate, energy]}]' >events
printf '%s\n' 'analyse: {sensitivity: {to: [system.segments.1.mass]}, lyapunov: {exponents: 2, renormalise: 0.1}}' >tangents
printf '%s\n' 'save: {trajectory: {every: 5, quantities: [angle, energy], runs: {every: 2}}}' >kept

# Samples: a shorter design is the beginning of a longer one.
for method in random sobol scrambled_sobol halton; do
    extends sample.yaml "100 of 321" "--set sample.method=$method" "--set sample.count=321"
done
extends sample.yaml "96 of 132" "--set sample.method=sobol --set sample.count=24 --set sample.design=saltelli" \
    "--set sample.count=33"
{ cat sample.yaml; echo 'sweep: [{set: initial.rate.1, from: 0, to: 4, count: 3}]'; } >both.yaml
# A swept number that is fixed at one of its values, and a number that is swept from its value on.
extends both.yaml "100 of 100" "" "--set initial.rate.1=2"
{ cat sample.yaml; echo 'initial: {rate: {1: 2}}'; } >rate.yaml
expect 0 "$MANYLINK" run rate.yaml -q -o old.h5 --restart
expect 0 "$MANYLINK" run rate.yaml -q -o once.h5 --restart --set 'sweep=[{set: initial.rate.1, from: 0, to: 4, count: 3}]'
rm -f new.h5
expect 0 "$MANYLINK" extend old.h5 -o new.h5 --set 'sweep=[{set: initial.rate.1, from: 0, to: 4, count: 3}]'
says out "100 of 300 runs are taken of old.h5"
same new.h5 once.h5
extends both.yaml "300 of 855" "" "--set sample.count=171 --set sweep.initial.rate.1.count=5"
extends sample.yaml "33 of 33" "" "--set sample.count=33"
# Formulas of a sampled name: the ends of their values in all runs are others.
{ echo 'define: {l: 1}'; sed 's/{length: 1, mass: 1}/{length: 2*l, mass: l^2}/; s/set: initial.angle.1, from: -3/set: define.l, from: 1/' sample.yaml; } >formulas.yaml
extends formulas.yaml "100 of 321" "" "--set sample.count=321"

# Designs and files share the runs with the same values, wherever they are.
sed 's/method: sobol, count: 100, seed: 7/design: oat, count: 9/' sample.yaml >oat.yaml
extends oat.yaml "19 of 35" "" "--set sample.count=17"
sed 's/method: sobol, count: 100, seed: 7/design: morris, count: 9/' sample.yaml >morris.yaml
extends morris.yaml "57 of 60" "" "--set sample.count=20"
printf 'initial.angle.1,system.segments.2.mass\n0.5,1\n1,1.5\n1.5,2\n' >few.csv
printf 'initial.angle.1,system.segments.2.mass\n1.5,2\n0.7,1\n0.5,1\n1,1.5\n' >many.csv
sed 's/^sample: .*/sample: {file: few.csv}/' sample.yaml >file.yaml
extends file.yaml "3 of 4" "" "--set sample.file=many.csv"
cp new.h5 points.h5

# Grids: points with the same values, by count or by a list.
extends grid.yaml "195 of 387" "" "--set sweep.initial.angle.1.count=129"
extends grid.yaml "130 of 260" "" "--set sweep.initial.rate.1.values=[1e9,0.5,0,2]"
extends grid.yaml "9 of 9" "" "--set sweep.initial.angle.1.values=[3,0,-3]"
extends grid.yaml "195 of 390" "" "--set sweep.initial.rate.1.values=[0,1,1e9,2,3,4]" --threads 1

# With events, tangent vectors and kept trajectories, in pairs: a run that is kept in the new result alone is integrated.
pairs()
{
    kind=$1 features=$2
    shift 2
    (cat $kind.yaml; cat $features) >paired.yaml
    extends paired.yaml "$@"
}
pairs grid "events tangents" "195 of 387" "" "--set sweep.initial.angle.1.count=129"
pairs grid "tangents kept" "131 of 387" "" "--set sweep.initial.angle.1.count=129" --threads 3
pairs sample "events kept" "100 of 171" "" "--set sample.count=171" --threads 1
pairs sample "events tangents kept" "100 of 171" "" "--set sample.count=171"
pairs tolerance "events kept" "100 of 171" "" "--set sample.count=171" --threads 3
pairs tolerance "events tangents" "100 of 171" "" "--set sample.count=171"

# Fewer or other runs keep trajectories; other samples of them are computed again.
cat grid.yaml kept >saved.yaml
extends saved.yaml "195 of 195" "" "--set save.trajectory.quantities=[energy]"
extends saved.yaml "163 of 195" "" "--set save.trajectory.runs.every=3"
extends saved.yaml "0 of 195" "" "--set save.trajectory.every=10"
says err "all runs are computed again"

# Indicators, events: all runs are computed again, and numbers of before have the same bits; a later end: cli.prolong.
extends saved.yaml "0 of 195" "" "--set analyse.sensitivity.to=initial.angle.1"
says err "all numbers that old.h5 has are the same, bit for bit"
cat saved.yaml events >more.yaml
extends more.yaml "0 of 387" "" "--set analyse.lyapunov.exponents=1 --set sweep.initial.angle.1.count=129"
says err "all numbers that old.h5 has are the same, bit for bit"
# A number of the summary that OUT.h5 lacks; keys of a fit, which no run depends on.
extends sample.yaml "0 of 100" "--set save.summary=[max_rate]" "--set save.summary=[end_state]"
says err "lacks trajectories or numbers that are wanted"
{ cat sample.yaml; echo 'fit: {to: few.csv, columns: {angle.1: a}}'; } >fitted.yaml
extends fitted.yaml "100 of 100" "" "--set fit.sd=0.1"
# An event at another level is another number of the same runs: named, with the bits of a result asked for at once.
extends more.yaml "0 of 195" "" "--set events.low.crosses=0.5"
says err "warning: computed again, other bits than in old.h5 have low_time in"

# The interval at which tangent vectors are made orthonormal, which depends on the runs, stays that of the result.
gains=sweep.forces.brace
expect 0 "$MANYLINK" run "$SOURCE/studies/pid_gains.yaml" -q -o gains.h5 --set $gains.ki.values=[0] \
    --set $gains.kp.count=1 --set $gains.kd.count=1 --set accuracy=off --set time.end=30
expect 0 "$MANYLINK" extend gains.h5 -o finer.h5 --set $gains.kp.count=2
says out "1 of 2 runs are taken of gains.h5"
says err "tangent vectors are made orthonormal every 0.1 s, as in gains.h5; alone this study would choose 0.04 s"

# In place: the file is replaced when all is there, and extended again; the same command then has nothing to do.
cp sample.yaml place.yaml
expect 0 "$MANYLINK" run place.yaml --set title=first
expect 0 "$MANYLINK" extend place.h5 --samples 171
expect 0 "$MANYLINK" extend place.h5 --samples 300 --end 0.6 --set analyse.sensitivity.to=initial.angle.1
says out "0 of 300 runs are taken of place.h5"
expect 0 "$MANYLINK" extend place.h5 --set analyse.sensitivity.to=initial.angle.1
says out "place.h5 is finished already"
expect 0 "$MANYLINK" run place.yaml -o once.h5 --restart --set title=first --set sample.count=300 --set time.end=0.6 \
    --set analyse.sensitivity.to=initial.angle.1
same place.h5 once.h5
[ ! -e place.h5.parts ] || fail "parts are left"

# Interrupted, it continues; until then the result of before is there.
print_chain 300 1600 >long.yaml
expect 0 "$MANYLINK" run long.yaml --set sweep.initial.angle.1.count=2 -q
cp long.h5 before.h5
stops long.h5 "$MANYLINK" extend long.h5 --set sweep.initial.angle.1.count=1600 --threads 1
says err "continues from there: manylink extend"
cmp long.h5 before.h5 || fail "the result changed before the end"
expect 0 "$MANYLINK" status long.h5
grep -qE "long.h5: finished; of the result that will replace it [1-9][0-9]* of [0-9]+ blocks are done, nobody is at work" out ||
    fail "$(cat out)"
expect 0 "$MANYLINK" status --json long.h5
says out '"state": "underway"'
says out '"has_result": true'
expect 2 "$MANYLINK" extend long.h5 --set sweep.initial.angle.1.count=3
says err "long.h5.parts: belongs to another study"
expect 0 "$MANYLINK" extend long.h5 --set sweep.initial.angle.1.count=1600
says out "2 of 1600 runs are taken of long.h5"
says out "continued from"
expect 0 "$MANYLINK" run long.yaml -q -o once.h5 --restart
same long.h5 once.h5
# Runs that are taken need no time, whatever a block of new ones takes.
"$MANYLINK" extend long.h5 -o brief.h5 --time-limit 0.01 >out 2>err || [ $? = 130 ] || fail "$(cat err)"
! grep "a block of" err || fail "a false alarm"

# Shards: the extended result is made in shards, of a result or of one of its shards; missing runs are computed.
"$MANYLINK" run sample.yaml -q
for k in 0 1 2; do
    expect 0 "$MANYLINK" run sample.yaml -q --shard $k/3
    expect 0 "$MANYLINK" extend sample.h5 --samples 171 --shard $k/3 -o part$k.h5
done
expect 0 "$MANYLINK" merge part?.h5 -o merged.h5
expect 0 "$MANYLINK" run sample.yaml -q -o once.h5 --restart --set sample.count=171
same merged.h5 once.h5
expect 2 "$MANYLINK" extend sample.shard-1-of-3.h5 --samples 171
says err "cannot replace the result of a shard"
expect 0 "$MANYLINK" extend sample.shard-1-of-3.h5 --samples 171 -o of_shard.h5
says out "32 of 171 runs are taken"
same of_shard.h5 once.h5
expect 3 "$MANYLINK" merge sample.shard-[01]* -o partial.h5 --partial
expect 0 "$MANYLINK" extend partial.h5
says out "64 of 100 runs are taken"
same partial.h5 sample.h5
expect 2 "$MANYLINK" extend sample.h5 --samples 171 --shard 0/3
says err "cannot replace this result with a shard"

# Refused: other motions, lost runs, a design without a beginning, numbers that changed, results of other kinds.
refuses()
{
    text=$1
    shift
    cp sample.h5 kept.h5
    expect "$refusal" "$MANYLINK" extend "$@"
    says err "$text"
    cmp sample.h5 kept.h5 || fail "the result is changed"
}
refusal=2
refuses "all motions differ, by the line" sample.h5 --set system.gravity=1.6
refuses "all motions differ, by the line" sample.h5 --set time.step=0.02
refuses "90 of its runs are none of the new runs and would be lost" sample.h5 --samples 10
refuses "no run of this result is a run of the new study" sample.h5 --set sample.seed=8
refuses "no run of this result is a run of the new study" sample.h5 --set system.segments.2.mass=1.9
chmod a-w sample.h5
refuses "cannot replace this result: the file is read-only" sample.h5 --end 1
chmod u+w sample.h5
echo "0.6,1.2" >>many.csv
refuses "new ones need another name, given with --set" points.h5 --end 1
refuses "all points of a Latin hypercube move with their number" sample.h5 --set sample.method=latin_hypercube
refuses "key \`over\` is missing" long.h5 --samples 3000
refuses "unknown key" sample.h5 --set sample.cuont=200
refuses "other bits have" sample.h5 --set 'events=[{name: low, when: angle.1, crosses: 0, align: true, max: 2}]'
mv sample.h5.parts apart.h5.parts
expect 0 "$MANYLINK" extend sample.h5 -o apart.h5 --set 'events=[{name: low, when: angle.1, crosses: 0, align: true, max: 2}]'
says out "continued from 100 finished runs"
says err "warning: computed again, other bits than in sample.h5 have energy_drift in"
expect 0 "$MANYLINK" run sample.yaml --run 3 -q
refuses "The result is of a single run" sample.run-3.h5 --end 2
refuses "is not a manylink result" sample.yaml --end 2
refuses "No such file" nothing.h5 --end 2
refuses "nothing.yaml: No such file" sample.h5 --study nothing.yaml --samples 171
cp sample.h5 damaged.h5
printf x | dd of=damaged.h5 bs=1 seek=9000 conv=notrunc 2>dd.out
refusal=1
refuses "its checksum does not match" damaged.h5 --samples 171

# A tick that follows from `time.end` stays that of the result.
cat >tick.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: lorenz}
integrator: {type: tsit54, tolerance: 1e-6}
time: {end: 2}
save: {trajectory: {every: 1, quantities: [x]}}
sweep: [{set: system.rho, from: 20, to: 30, count: 4}]
END_OF_STUDY
"$MANYLINK" run tick.yaml -q
expect 0 "$MANYLINK" extend tick.h5 --end 4 -o longer.h5
says err "note: a tick is 0.02 s, as in tick.h5; alone this study would choose 0.04 s"
"$MANYLINK" run tick.yaml -q --set time.end=4 --set time.tick=0.02 -o asked.h5
same longer.h5 asked.h5
expect 2 "$MANYLINK" extend tick.h5 --end 4 --set time.tick=0.04 -o longer.h5
says err "all motions differ, by the line"
