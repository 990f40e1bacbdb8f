# label: values
# Attractors: labels of runs whose events come back to the same points, against a plain loop; symmetric
# where the system is; the same for threads, shards and runs that are resumed; what is said of them.
. "$SOURCE/tests/check.sh"
need awk
need_python

# Two wells with friction: starts that are turned about the origin end in the other well.
cat >wells.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.3, gamma: 0}
time: {step: 0.05, end: 200}
events:
  - {name: beat, period: 5, from: 150, max: 8, keep: [state], attractors: 1e-3}
sweep:
  - {set: initial.v, from: -2, to: 2, count: 40}
  - {set: initial.x, from: -2, to: 2, count: 40}
YAML
expect 0 "$MANYLINK" run wells.yaml
expect 0 "$MANYLINK" table wells.h5 --columns beat_attractor
awk 'NR > 1 { label[NR - 1] = $1; sum += $1 } END {
    for (i = 1; i <= 800; i++)
        if (label[i] == label[1601 - i]) exit 1
    exit NR != 1601 || sum != 2400 }' out || fail "wells are not symmetric"
expect 0 "$MANYLINK" info wells.h5
says out "    1       1  0.5000 +- 0.0125         0"
says out "    2       1  0.5000 +- 0.0125"
expect 0 "$MANYLINK" verify wells.h5

# 20 attractors fill the list, and what has not settled is told below: a spring's motion of a period of 1 s comes
# back to where it began, each of 20 to its own point; one of another period does not.
cat >own.yaml <<'YAML'
manylink: 1
system: {type: mass_spring_damper, mass: [1], stiffness: [4*pi*pi]}
time: {step: 0.01, end: 20}
events: [{name: beat, period: 1, from: 10, max: 8, keep: [state], attractors: 1e-3}]
sweep:
  - {set: initial.position.1, from: 1, to: 2, count: 20}
  - {set: system.stiffness.1.1, values: [4*pi*pi, 6*pi*pi]}
YAML
expect 0 "$MANYLINK" run own.yaml -q
expect 0 "$MANYLINK" info own.h5
says out "   20       1  0.0250"
says out "    -          0.5000 of the runs have no period"
! grep "those of fewer runs" out || fail "20 attractors are not all"
expect 0 "$MANYLINK" run own.yaml -q -o more.h5 --set sweep.0.count=21
expect 0 "$MANYLINK" info more.h5
says out "  ... those of fewer runs are in /study/attractors"
! grep "^ *21 *1 " out || fail "21 attractors are listed"

# One attractor of a damped spring, whatever its tolerance and wherever runs are on their way to it: seen twice in a
# period each run goes from side to side, and looks like a cycle of two. Too early there is none, which is told.
cat >spring.yaml <<'YAML'
manylink: 1
system: {type: duffing, alpha: 1, beta: 0, delta: 0.05, gamma: 0}
time: {step: pi/50, end: 120*pi}
sweep: [{set: initial.x, from: 10, to: 0.01, count: 100, scale: log}]
events: [{name: beat, period: pi, from: 99.5*pi, max: 20, keep: [state], attractors: 1e-3}]
YAML
for tolerance in 1e-2 1e-3 1e-4; do
    expect 0 "$MANYLINK" run spring.yaml -o spring.h5 --restart --no-accuracy --set events.beat.attractors=$tolerance
    expect 0 "$MANYLINK" info spring.h5
    grep -q "^ *1  *1  [01]\." out || fail "a spring has no attractor: $(cat out)"
    ! grep -q "^ *2  *[0-9]*  0\." out || fail "a spring has two attractors: $(cat out)"
done
expect 0 "$MANYLINK" run spring.yaml -o soon.h5 --no-accuracy --set events.beat.from=10*pi
says err "events.beat begins too early: 1.0000 of the runs still come nearer to something"

# Runs that fail, of a soft spring that is left, are not on their way to anything.
expect 3 "$MANYLINK" run spring.yaml -o soft.h5 --no-accuracy --set system.beta=-1 --set system.delta=0.5
! grep "too early" err || fail "failed runs are taken for slow ones"
expect 0 "$MANYLINK" info soft.h5
says out "of the runs have failed, or have fewer than two events"
! grep "have not settled" out || fail "failed runs are on their way"

# Two wells that runs spiral into, two attractors of half of the runs each, and a smooth boundary.
cat >spiral.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.2, gamma: 0}
time: {step: 0.05, end: 60}
sweep: [{set: initial.x, from: -1.5, to: 1.5, count: 64}, {set: initial.v, from: -1, to: 1, count: 64}]
events: [{name: b, period: 1, from: 40.5, max: 16, keep: [state], attractors: 1e-2}]
YAML
expect 0 "$MANYLINK" run spiral.yaml --no-accuracy
expect 0 "$MANYLINK" info spiral.h5
says out "    1       1  0.5000 +- 0.0078"
says out "    2       1  0.5000 +- 0.0078"
says out "came in late"
! grep -q "^ *3  " out || fail "two wells have three attractors"

# The pendulum theta'' + 0.1 theta' + sin theta = 2.1 cos t has two, which turn either way, once per period
# (Grebogi, Ott, Yorke, Science 238 (1987) 632), and a boundary of dimension 1.94.
cat >turning.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: 1, segments: [{name: bob, length: 1, mass: 1, com: 1, inertia: 0}]}
forces:
  - {name: friction, type: damper, joint: bob, coefficient: 0.1}
  - {name: drive, type: torque, joint: bob, value: {type: sine, amplitude: 2.1, frequency: 1/(2*pi), phase: pi/2}}
time: {step: 2*pi/80, end: 120*2*pi}
events: [{name: beat, period: 2*pi, from: 100*2*pi-1e-3, max: 20, keep: [state], attractors: 1e-3}]
sweep:
  - {set: initial.rate.bob, from: -4, to: 4, count: 80}
  - {set: initial.angle.bob, from: -pi, to: pi, count: 80}
YAML
expect 0 "$MANYLINK" run turning.yaml --no-accuracy

# A start on the saddle stays there, and no other; with exponents the saddle is known by its own.
expect 0 "$MANYLINK" run wells.yaml -o odd.h5 --set sweep.0.count=21 --set sweep.1.count=21 --no-accuracy
expect 0 "$MANYLINK" info odd.h5
says out "    3       1  0.0023 +- 0.0023       220  reached by exact starts only"
expect 0 "$MANYLINK" run wells.yaml -o left.h5 --set sweep.0.count=1 --set sweep.0.from=0 --set sweep.1.count=21 \
    --no-accuracy --set analyse.lyapunov.exponents=1
expect 0 "$MANYLINK" info left.h5
says out "    3       1  0.0476 +- 0.0465        10  reached by exact starts only"

# What moves about without a period has a label behind the attractors: on a limit cycle that nothing drives through
# a strobe, which is told with the remedy, and in chaos, which is known by exponents.
cat >cycle.yaml <<'YAML'
manylink: 1
system: {type: roessler, c: 2.5}
initial: {y: 1}
time: {step: 0.02, end: 400}
sweep: [{set: initial.x, from: 1, to: 3, count: 16}]
events:
  - {name: beat, period: 1, from: 300, max: 32, keep: [state], attractors: 1e-2}
  - {name: section, when: y, crosses: 0, direction: up, from: 300, max: 8, keep: [state], attractors: 1e-2}
YAML
expect 0 "$MANYLINK" run cycle.yaml --no-accuracy
says err "of the runs come back to no point of the strobe. If nothing drives the system, they may be on a limit cycle"
expect 0 "$MANYLINK" info cycle.h5
says out "    1       1  1.0000 +- 0.0000"
cat >chaos.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.15, gamma: 0.3, omega: 1}
time: {steps: 20000, end: 200*2*pi}
events: [{name: beat, period: 2*pi, from: 160*2*pi-1e-3, max: 40, keep: [state], attractors: 1e-3}]
sweep: [{set: initial.x, from: -1, to: 1, count: 6}, {set: initial.v, from: -1, to: 1, count: 6}]
analyse: {lyapunov: {exponents: 1}}
YAML
expect 0 "$MANYLINK" run chaos.yaml --no-accuracy
! grep "begins too early" err || fail "chaos is taken for runs under way"

# Over a parameter attractors are followed: two swings, then four, and two again. There is no boundary of basins.
cat >bands.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.15, omega: 1}
time: {steps: 12000, end: 120*pi}
events: [{name: beat, period: 2*pi, from: 87*pi-1e-3, max: 16, keep: [state], attractors: 1e-3}]
sweep:
  - {set: system.gamma, from: 0.05, to: 0.15, count: 11}
  - {set: initial.v, from: -2, to: 2, count: 12}
  - {set: initial.x, from: -2, to: 2, count: 12}
YAML
expect 0 "$MANYLINK" run bands.yaml --no-accuracy
expect 0 "$MANYLINK" verify bands.h5

# What no one has changed by how it was computed.
expect 0 "$MANYLINK" run wells.yaml -o one.h5 --threads 1
same one.h5 wells.h5
for i in 0 1 2; do
    expect 0 "$MANYLINK" run wells.yaml --shard $i/3 -o shard$i.h5
done
expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 shard2.h5 -o merged.h5
same merged.h5 wells.h5
expect 0 "$MANYLINK" verify merged.h5

# Driven, with basins in one another: SciPy's DOP853 at 1e-12 finds the same.
cat >driven.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.15, gamma: 0.1, omega: 1}
time: {steps: 16000, end: 160*pi}
events:
  - {name: beat, period: 2*pi, from: 127*pi, max: 16, keep: [state], attractors: 1e-3}
sweep:
  - {set: initial.v, from: -2, to: 2, count: 20}
  - {set: initial.x, from: -2, to: 2, count: 20}
YAML
expect 0 "$MANYLINK" run driven.yaml
"$PYTHON" "$SOURCE/tests/cli/attractors.py" driven.h5 || exit $?
"$PYTHON" "$SOURCE/tests/cli/attractors_kinds.py" turning.h5 chaos.h5 cycle.h5 bands.h5 || exit $?

# Turned about the origin with the drive half a period later, which is its amplitude with the other sign: the
# partner of an attractor is always the same one, and crossings are at the same bits.
cat >turned.yaml <<'YAML'
manylink: 1
system: {type: duffing, delta: 0.15, omega: 1}
time: {steps: 16000, end: 160*pi}
events:
  - {name: beat, period: 2*pi, from: 127*pi, max: 16, keep: [state], attractors: 1e-3}
  - {name: middle, when: x, crosses: 0}
sweep:
  - {set: system.gamma, values: [-0.1, 0.1]}
  - {set: initial.v, from: -2, to: 2, count: 16}
  - {set: initial.x, from: -2, to: 2, count: 16}
YAML
expect 0 "$MANYLINK" run turned.yaml
expect 0 "$MANYLINK" table turned.h5 --tsv --columns beat_attractor,middle_time,middle_count
awk 'NR > 1 { label[NR - 1] = $1; crossing[NR - 1] = $2 " " $3; largest = $1 > largest ? $1 : largest } END {
    for (i = 1; i <= 512; i++) {
        if (crossing[i] != crossing[513 - i]) exit 1
        if (label[i] in partner && partner[label[i]] != label[513 - i]) exit 1
        partner[label[i]] = label[513 - i]
    }
    exit NR != 513 || largest < 6 || partner[0] != 0 }' out || fail "the driven map is not symmetric"

# A cycle of two: the same points, whichever comes first.
expect 0 "$MANYLINK" run driven.yaml -o two.h5 --set system.delta=0.1 --set sweep.0.count=3 --set sweep.1.count=40
expect 0 "$MANYLINK" info two.h5
grep -q '^ *[0-9]  *2  *0\.' out || fail "no cycle of two: $(cat out)"

# Too early nothing has settled.
expect 0 "$MANYLINK" run wells.yaml -o early.h5 --set events.beat.from=0 --set time.end=40
expect 0 "$MANYLINK" info early.h5
says out "of the runs have not settled: they still come nearer to something"

for wrong in 's/max: 8/max: 1/' 's/, keep: .state.//'; do
    sed "$wrong" wells.yaml >wrong.yaml
    expect 2 "$MANYLINK" plan wrong.yaml
    says err "attractors needs \`keep: [state]\` and a \`max\` of at least twice the longest period"
done
expect 2 "$MANYLINK" plan wells.yaml --set events.beat.attractors=0
