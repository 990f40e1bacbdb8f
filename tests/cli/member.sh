# One run of a study alone: `run --run K` and `run --pick` give the bits that it has in the study, and
# its motion at every step.
. "$SOURCE/tests/check.sh"
need_python

# alone STUDY RUN OPTION...: as in WHOLE.h5, which is there
alone()
{
    study=$1 run=$2
    shift 2
    rm -f alone.h5
    expect 0 "$MANYLINK" run "$study" "$@" --run "$run" -o alone.h5
    says err "run $run of "
    "$PYTHON" "$SOURCE/tests/results/compare_member.py" whole.h5 alone.h5 "$run" >differences ||
        fail "$study, run $run: $(cat differences)"
}

cat >grid.yaml <<'END_OF_STUDY'
manylink: 1
system:
  type: chain
  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 2}]
forces:
  - {name: hold, type: pid, joint: b, target: {type: ramp, from: 0, to: 1, duration: 0.5}, kp: 8, ki: 1}
initial: {angle: {a: 2}}
time: {step: 1e-2, end: 4}
sweep:
  - {name: gains, set: [forces.hold.kp, forces.hold.kd], values: [[1, 0.1], [5, 0.2], [20, 1]]}
  - {set: system.segments.b.mass, from: 0.1, to: 10, count: 5, scale: log}
  - {set: initial.angle.b, from: -1, to: 1/3, count: 4}
analyse: {lyapunov: {exponents: all, transient: 1}, tracking: {}, sensitivity: {to: [forces.hold.ki]}}
save: {trajectory: {every: 20, quantities: [angle, rate, energy], runs: {every: 3}}}
END_OF_STUDY
expect 0 "$MANYLINK" run grid.yaml -o whole.h5
for run in 0 17 30 59; do
    alone grid.yaml $run
done

cat >sample.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 2}]}
initial: {rate: {a: 1, b: 2}}
time: {step: 1e-2, end: 4}
sample:
  method: latin_hypercube
  count: 50
  seed: 3
  over:
    - {set: initial.energy, from: 0, to: 60}
    - {set: initial.angle.b, from: -0.5, to: 0.5}
analyse: {lyapunov: {exponents: all}, gali: {}}
END_OF_STUDY
rm whole.h5
expect 0 "$MANYLINK" run sample.yaml -o whole.h5
alone sample.yaml 41

# By tolerance: of a study of end states alone the only tick that is met is the last, wherever ticks are.
cat >end.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 2}]}
initial: {rate: {a: 1}}
time: {tick: 1/32, end: 4}
integrator: {type: dopri54, tolerance: 1e-5}
sweep: [{set: initial.angle.b, from: -1, to: 3, count: 37}]
save: {summary: [end_state]}
END_OF_STUDY
rm whole.h5
expect 0 "$MANYLINK" run end.yaml -o whole.h5 --no-accuracy
expect 0 "$MANYLINK" run end.yaml -o once.h5 --no-accuracy --set time.tick=4
expect 0 "$MANYLINK" run end.yaml -o looks.h5 --no-accuracy --set 'save.summary=[end_state, max_rate]'
expect 0 "$MANYLINK" run end.yaml -o saves.h5 --no-accuracy --set save.trajectory.every=1
alone end.yaml 23 --set save.trajectory.every=128
"$PYTHON" - <<'END_OF_PYTHON' || fail "ticks"
import h5py

steps, rate = ({name: h5py.File(name + ".h5")["study/" + what][()] for name in ("whole", "once", "looks", "saves")}
               for what in ("runs/steps", "summary/end_rate"))
assert (rate["whole"] == rate["once"]).all() and (steps["whole"] == steps["once"]).all()
assert (rate["looks"] == rate["saves"]).all() and (steps["looks"] > steps["whole"]).all(), steps
END_OF_PYTHON
rm whole.h5
expect 0 "$MANYLINK" run sample.yaml -o whole.h5

# The name of the result; a second time it is finished; it verifies.
expect 0 "$MANYLINK" run grid.yaml --run 17
[ -e grid.run-17.h5 ] || fail "no grid.run-17.h5: $(ls)"
expect 0 "$MANYLINK" run grid.yaml --run 17
says out "finished already"
expect 0 "$MANYLINK" verify grid.run-17.h5
expect 2 "$MANYLINK" run grid.yaml --run 18 -o grid.run-17.h5
says err "belongs to another study"

# Its trajectory in full, unless an option sets what is saved.
samples()
{
    "$PYTHON" -c "import h5py, sys; f = h5py.File(sys.argv[1]); print(len(f['study/trajectories/time']))" "$1"
}
[ "$(samples grid.run-17.h5)" = 401 ] || fail "not every step is kept"
expect 0 "$MANYLINK" run grid.yaml --run 17 --set save.trajectory.every=100 -o few.h5
[ "$(samples few.h5)" = 5 ] || fail "--set save.trajectory.every has no effect"

# The nearest run: 3.1 is nearest to 10^(1/2) in the logarithm; axis `gains` by either of its keys.
expect 0 "$MANYLINK" run grid.yaml --pick system.segments.b.mass=3.1,forces.hold.kd=0.9,initial.angle.b=-1/10
says err "run 54 of 60: forces.hold.kp = 20 N m/rad, forces.hold.kd = 1 N m s/rad, system.segments.b.mass = 3.16"
[ -e grid.run-54.h5 ] || fail "no grid.run-54.h5: $(ls)"
expect 0 "$MANYLINK" run sample.yaml --pick initial.energy=30 -o picked.h5
says err " of 50: initial.energy = "

# Refusals.
refuses() # WORDS OPTION...
{
    words=$1
    shift
    expect 2 "$MANYLINK" run grid.yaml -o no.h5 "$@"
    says err "$words"
    [ ! -e no.h5 ] || fail "$* leaves a file"
}
refuses "--run 60: the study has runs 0 to 59" --run 60
refuses "--run -1" --run -1
refuses "--run x" --run x
refuses "a value of \`initial.angle.b\` is missing" --pick forces.hold.kp=1,system.segments.b.mass=1
refuses "\`initial.angle.a\` is not swept in this study; the nearest swept key is \`initial.angle.b\`" --pick initial.angle.a=1
refuses "log scale" --pick forces.hold.kp=1,system.segments.b.mass=0,initial.angle.b=0
refuses "\`initial.angle.b\` is not PATH=VALUE" --pick initial.angle.b
refuses "--pick initial.angle.b=one" --pick initial.angle.b=one
refuses "no PATH=VALUE" --pick ""
refuses "one of --run and --pick" --run 1 --pick initial.angle.b=1

[ -z "$SANITIZE" ] || exit 0 # what follows is long
# shipped NAME OPTION...: two of its runs; chaos shows a wrong bit long before the end
shipped()
{
    name=$1
    shift
    rm -f whole.h5
    expect 0 "$MANYLINK" run "$SOURCE/studies/$name.yaml" "$@" -o whole.h5
    alone "$SOURCE/studies/$name.yaml" 32 "$@"
    alone "$SOURCE/studies/$name.yaml" 101 "$@"
}
shipped arm_sensitivity --set time.end=0.2
shipped chain8
shipped lorenz_rho --set time.end=60
shipped quarter_car --set time.end=10
shipped runner

# The result of one run knows its number and the swept values, whatever its name is.
cat >named.yaml <<'END_OF_STUDY'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 2}]}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: system.segments.b.mass, values: [0.1, 0.25, 4]}
  - {set: initial.angle.b, from: -1, to: 0.5, count: 4}
END_OF_STUDY
for which in "--run 7" "--pick system.segments.b.mass=0.25,initial.angle.b=0.5"; do
    rm -f member.h5
    expect 0 "$MANYLINK" run named.yaml $which -o member.h5
    expect 0 "$MANYLINK" info member.h5
    says out "run 7 of its study: system.segments.b.mass = 0.25 kg, initial.angle.b = 0.5 rad"
    expect 0 "$MANYLINK" table member.h5 --columns run,system.segments.b.mass,initial.angle.b
    says out "7,0.25,0.5"
    expect 0 "$MANYLINK" plot member.h5 --script title
    grep -q 'run = 7".*"system.segments.b.mass = 0.25 kg; initial.angle.b = 0.5 rad"' title/plot.gp ||
        fail "title: $(grep title title/plot.gp)"
    expect 0 "$MANYLINK" export member.h5 --run 7 -o motion.csv
    expect 0 "$MANYLINK" plot member.h5 angle --run 7 -o motion.svg
    expect 0 "$MANYLINK" verify member.h5
done
expect 2 "$MANYLINK" export member.h5 --run 0 -o motion.csv
