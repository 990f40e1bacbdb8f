# A finished result that is extended to a later end is the file of a study that was asked for that end at once, to the
# bit: its runs are continued from their ends where the result has all that this takes, and else the command names the
# number or the key that is in the way.
. "$SOURCE/tests/check.sh"
need_python
isas=$(instruction_sets) # of the first studies; then only of the fastest

# prolongs|again TEXT STUDY END "SETS" [OPTION...]: extended to END, with the steps or the reason
prolongs()
{
    use="runs that finished are continued from step"
    extended "$@"
}
again()
{
    use="all runs are computed again: "
    extended "$@"
}
extended()
{
    text=$1 study=$2 end=$3 sets=$4
    shift 4
    rm -rf old.h5* new.h5* once.h5*
    "$MANYLINK" run "$study" -q --failed-runs-ok -o old.h5 --threads 2 $sets
    [ -n "$SANITIZE" ] || "$MANYLINK" run "$study" -q --failed-runs-ok -o once.h5 --kernel general $sets --set time.end="$end"
    for isa in $isas; do
        rm -rf new.h5*
        expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" extend old.h5 --failed-runs-ok -o new.h5 --end "$end" "$@"
        says err "$use"
        says err "$text"
        same new.h5 once.h5
    done
}

# Runs that diverge before the old end, between both, and not; trajectories whose last sample is before the old end.
cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}
forces: [{name: motor, type: torque, joint: 1, value: {type: sine, amplitude: 1, frequency: 2}}, {name: brake, type: damper, joint: 2, coefficient: 0.1}]
initial: {angle: {1: 2, 2: 1}}
time: {start: 0.5, step: 1e-2, end: 1}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 33}
  - {set: initial.rate.2, values: [0, 90, 120, 1e9]}
analyse: {observe: {up: {max: sin(angle.1)}, down: {min: rate.2}, last: {at_end: energy}}}
save: {trajectory: {every: 7, runs: {every: 3}}}
accuracy: off
END
prolongs "50 of 90" chain.yaml 1.4 "" --threads 1
isas=${isas##* }
prolongs "50 of 300" chain.yaml 3.5 "--set save.trajectory.every=1" --threads 3
# Every integrator of a fixed step, and systems of formulas: energies, a map, rates; a bare one, whose kernel keeps no state.
for method in euler cash_karp54 dop853 baker109 gauss4 gauss6; do
    prolongs "50 of 90" chain.yaml 1.4 "--set integrator=$method --set sweep.initial.angle.1.count=5"
done
# formulas TYPE SYSTEM TIME SWEPT MORE
formulas()
{
    printf '%s\n' "manylink: 1" "system: {type: $1$2}" "time: {$3}" "sweep: [{set: $4, from: -2, to: 2, count: 21}]" \
        "accuracy: off" "$5" >formulas.yaml
}
formulas duffing ", gamma: 0.3, omega: 1.2" "step: 1e-2, end: 0.5" initial.x ""
for method in rk4 verlet yoshida4 yoshida8; do
    delta=$([ $method = rk4 ] && echo 0.1 || echo 0)
    prolongs "50 of 125" formulas.yaml 1.25 "--set integrator=$method --set system.delta=$delta"
done
formulas equations ", coordinates: {a: 0.3, b: 0.1}, kinetic: \"a'^2/2 + b'^2 + a'*b'*cos(a - b)/2\", potential: -cos(a) - cos(b)" \
    "step: 1e-2, end: 0.5" initial.a "save: {trajectory: {every: 4}}"
prolongs "50 of 125" formulas.yaml 1.25 ""
formulas equations ", kind: map, state: {x: 0, y: 0}, next: {x: 1 - 1.4*x^2 + y, y: 0.3*x}" "end: 10" initial.x ""
prolongs "10 of 37" formulas.yaml 37 ""
formulas equations ", state: {x: 0, v: 1}, rates: {x: v, v: -sin(x) + cos(t)}" "step: 1e-2, end: 0.5" initial.x "save: {summary: [end_state]}"
prolongs "50 of 51" formulas.yaml 0.51 ""
prolongs "50 of 60" chain.yaml 1.1 "--set save.summary=[end_state] --set save.trajectory.runs.every=1"

# Another number of runs at once: new ones are computed from their start; and a part of the old ones.
rm -rf new.h5* once.h5*
"$MANYLINK" run chain.yaml -q --failed-runs-ok -o old.h5 --restart
"$MANYLINK" run chain.yaml -q --failed-runs-ok -o once.h5 --set time.end=1.4 --set sweep.initial.angle.1.count=65
expect 0 "$MANYLINK" extend old.h5 --failed-runs-ok -o new.h5 --end 1.4 --set sweep.initial.angle.1.count=65
says out "110 of 260 runs are taken of old.h5"
says err "continued from step 50 of 90"
same new.h5 once.h5
# Again, in place, in shards of all and of one shard.
expect 0 "$MANYLINK" extend new.h5 --failed-runs-ok --end 2
says err "continued from step 90 of 150"
"$MANYLINK" run chain.yaml -q --failed-runs-ok -o once.h5 --restart --set time.end=2 --set sweep.initial.angle.1.count=65
same new.h5 once.h5
for k in 0 1; do
    expect 0 "$MANYLINK" extend old.h5 --failed-runs-ok --end 2 --set sweep.initial.angle.1.count=65 --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge --failed-runs-ok part?.h5 -o merged.h5
same merged.h5 once.h5
rm -rf lost.h5
expect 3 "$MANYLINK" merge part1.h5 -o lost.h5 --partial
expect 0 "$MANYLINK" extend lost.h5 --failed-runs-ok --end 2.5
"$MANYLINK" run chain.yaml -q --failed-runs-ok -o once.h5 --restart --set time.end=2.5 --set sweep.initial.angle.1.count=65
same lost.h5 once.h5
expect 0 "$MANYLINK" verify lost.h5 --runs 20

# Killed after a block, in place.
print_chain 100 3000 >long.yaml
expect 0 "$MANYLINK" run long.yaml -q
hold long.h5 "$MANYLINK" extend long.h5 --end 0.5 --threads 1
kill_held
expect 0 "$MANYLINK" extend long.h5 --end 0.5
says out "continued from"
says err "continued from step 100 of 500"
expect 0 "$MANYLINK" run long.yaml -q -o once.h5 --restart --set time.end=0.5
same long.h5 once.h5

# Forces that change at times between steps, and contacts.
sed 's/^forces: .*/forces:/; /^forces:/a\
  - {name: push, type: torque, joint: 1, value: {type: pulse, amplitude: 2, onset: 0.805, duration: 0.4}}\
  - {name: floor, type: ground, segment: 2, level: -1.2, stiffness: 1000}\
  - {name: stop, type: joint_limit, joint: 2, lower: -1, upper: 1, stiffness: 100}\
  - {name: servo, type: computed_torque, kp: 50, kd: 5, target: 1}' chain.yaml >forces.yaml
prolongs "50 of 150" forces.yaml 2 ""

# The reasons why runs are computed again.
sed "s/step: 1e-2/tick: 1e-2/; s/^accuracy.*/integrator: {type: dopri54, tolerance: 1e-6}/; s/, 90, 120, 1e9//" chain.yaml >tolerance.yaml
again "steps are chosen by a tolerance" tolerance.yaml 1.4 ""
again "low parts of compensated sums" chain.yaml 1.4 "--set integrator.type=rk4 --set integrator.summation=compensated"
again "other numbers than the state in a result" chain.yaml 1.4 "--set system.angles=joint"
again "the tangent vectors of \`lyapunov\`" chain.yaml 1.4 "--set analyse.lyapunov.renormalise=0.1"
again "the tangent vectors of \`sensitivity\`" chain.yaml 1.4 "--set analyse.sensitivity.to=initial.angle.2"
again "\`mean_rate\` does not follow from its value" chain.yaml 1.4 "--set analyse.observe.mean_rate.mean=rate.1"
again "\`up\` does not follow from its value" chain.yaml 1.4 "--set analyse.observe.up.from=0.1"
again "the old end is no multiple of \`analyse.every\`" chain.yaml 1.4 "--set analyse.every=4"
again "the result lacks \`end_state\`" chain.yaml 1.4 "--set save.summary=[max_rate]"
again "the new end is earlier" chain.yaml 0.9 ""
expect 2 "$MANYLINK" extend old.h5 --failed-runs-ok --end 0.9
says err "old.h5: cannot replace this result: its end is later, at 1 s"
{ cat chain.yaml; echo 'events: [{name: low, when: angle.1, crosses: 0}]'; } >events.yaml
again "the progress of the event \`low\`" events.yaml 1.4 ""
