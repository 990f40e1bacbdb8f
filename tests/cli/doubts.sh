# label: values
# Numbers that are possible but seldom meant are told with what may have been meant, where they are
# given or swept; what is usual is not.
. "$SOURCE/tests/check.sh"

cat >arm.yaml <<'YAML'
manylink: 1
system:
  type: chain
  gravity: -9.81
  segments:
    - {name: upper, length: 1, mass: 1, com: 100}
    - {name: lower, length: 1, mass: 2, inertia: 40}
initial: {angle: {upper: 90, lower: 2}, rate: [0, 700]}
time: {step: 1e-3, end: 0.1}
sweep:
  - {set: initial.angle.lower, from: -270, to: 180, count: 3}
YAML
cat >expected <<'LINES'
arm.yaml:4:12: note: `system.gravity` is -9.81 m/s^2: a negative one acts upwards
arm.yaml:6:46: note: `system.segments.upper.com` is 100 m, which is outside of the segment, of 1 m: in cm
arm.yaml:7:50: note: `system.segments.lower.inertia` is 40 kg m^2, more than mass x length^2 = 2 kg m^2
arm.yaml:8:26: note: `initial.angle.upper` is 90 rad, more than a whole turn: in degrees? then write 90*pi/180
arm.yaml:8:51: note: `initial.rate.lower` is 700 rad/s, 0.7 rad in one step of 0.001 s: in degrees?
arm.yaml:11:11: note: `initial.angle.lower` goes to -270 rad, more than a whole turn: in degrees?
LINES
for command in plan run; do
    expect 0 "$MANYLINK" $command arm.yaml
    while read -r line; do
        says err "$line"
    done <expected
    [ "$(grep -c ' note: ' err)" = "$(grep -c ' note: ' expected)" ] || {
        cat err >&2
        fail "$command says more or less than it should"
    }
done

cat >body.yaml <<'YAML'
manylink: 1
system: {type: chain, body: {mass: 70000, height: 175, segments: [upper_arm, forearm]}}
time: {step: 1e-3, end: 0.1}
motion: {type: minimum_jerk, start: {angle: 0}, end: {angle: [45, 0.3]}, duration: 0.1}
sample:
  method: sobol
  count: 64
  over:
    - {set: system.gravity.y, from: -9.81, to: 1}
    - {set: system.segments.forearm.com, from: 0.1, to: 200}
YAML
expect 0 "$MANYLINK" plan body.yaml
says err "body.yaml:2:36: note: \`system.body.mass\` is 70000 kg: in g?"
says err "body.yaml:2:51: note: \`system.body.height\` is 175 m: in cm?"
says err "body.yaml:9:13: note: \`system.gravity.y\` goes to 1 m/s^2: it acts upwards"
says err "body.yaml:10:13: note: \`system.segments.forearm.com\` goes to 1"
says err "body.yaml:4:1: note: the motion has an angle of 45 rad"

# One place is told once, beside an energy rates are directions, and an option is named as such.
cat >usual.yaml <<'YAML'
manylink: 1
system: {type: chain, gravity: [0, -9.81], segments: {repeat: 3, length: 1, mass: 1, com: 1}}
initial: {angle: -2*pi, rate: 1e4, energy: 20}
time: {step: 1e-3, end: 0.1}
YAML
expect 0 "$MANYLINK" plan usual.yaml
[ ! -s err ] || fail "something is said of what is usual: $(cat err)"
expect 0 "$MANYLINK" plan usual.yaml --set initial.angle=100
[ "$(grep -c ' note: ' err)" = 1 ] || fail "one place is told $(grep -c note err) times"
says err "--set initial.angle=100: note: \`initial.angle.1\` is 100 rad"
expect 0 "$MANYLINK" plan usual.yaml --set 'sweep=[{set: initial.angle.2, values: [0, 100, 1]}]'
says err "\`initial.angle.2\` goes to 100 rad, more than a whole turn"

# A motion in degrees.
cat >motion.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 0.3, mass: 2}, {name: lower, length: 0.3, mass: 1}]}
time: {step: 1e-3, end: 0.1}
YAML
awk 'BEGIN { print "time,angle/upper,angle/lower"
    for (k = 0; k <= 50; k++)
        print k / 50 "," 60 * (1 - cos(6 * k / 50)) "," 30 * sin(3 * k / 50) }' >degrees.csv
awk -F, 'NR == 1 { print; next } { print $1 "," $2 / 57.3 "," $3 / 57.3 }' degrees.csv >radians.csv
expect 0 "$MANYLINK" inverse motion.yaml --motion degrees.csv -o degrees.h5
says err "degrees.csv: \`upper\` goes to 120 rad, more than a whole turn: in degrees? angles are in rad"
[ "$(wc -l <err)" = 1 ] || fail "one cause is told more than once: $(cat err)"
expect 0 "$MANYLINK" inverse motion.yaml --motion radians.csv -o radians.h5
[ ! -s err ] || fail "something is said of radians: $(cat err)"

# An event that ends runs may do so before another one counts.
cat >cut.yaml <<'YAML'
manylink: 1
system: {type: duffing}
time: {step: 1e-2, end: 30}
events:
  - {name: away, when: x, crosses: 3, stop: true}
  - {name: section, when: x, crosses: 0, from: 20, max: 9, keep: [v]}
YAML
expect 0 "$MANYLINK" plan cut.yaml
says err 'cut.yaml:6:48: note: `away` can end a run before 20 s, and such a run has no `section`; to let all runs last that long, give `away` `from: 20` too'
expect 0 "$MANYLINK" plan cut.yaml --set events.away.from=20
! grep -q "can end a run" err || fail "there is nothing to be told"

# Two controllers of one angle, of which errors are those of the last; gains that push away.
cat >two.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: up, length: 0.4, mass: 2}]}
forces:
  - {name: c, type: pid, joint: up, target: 1, kp: 40, kd: 4}
  - {name: d, type: impedance, equilibrium: 0.5, stiffness: [40], damping: [4]}
time: {step: 1e-3, end: 0.1}
analyse: {tracking: {}}
YAML
expect 0 "$MANYLINK" plan two.yaml
says err 'two.yaml:5:5: note: `c` and `d` follow targets of the same angle: `tracking` and `control_error` are of the target of `d`, the last'
expect 0 "$MANYLINK" plan two.yaml --set 'analyse={}'
! grep -q "note" err || fail "there is nothing to be told: $(cat err)"
expect 0 "$MANYLINK" plan two.yaml --set forces.c.kp=-40
says err 'note: `forces.c.kp` is -40 N m/rad: a negative gain pushes away from the target'

# Controllers that see the start alone, delays far below the step, and tracking of nothing.
expect 0 "$MANYLINK" plan two.yaml --set forces.c.delay=5 --set 'analyse={}'
says err 'two.yaml:4:5: note: `c` sees the start alone: its delay of 5 s is no shorter than the run, of 0.1 s'
expect 0 "$MANYLINK" plan two.yaml --set forces.c.sample_time=0.3 --set 'analyse={}'
says err 'note: `c` sees the start alone: its sample_time of 0.3 s'
expect 0 "$MANYLINK" plan two.yaml --set forces.c.delay=1e-6 --set 'analyse={}'
says err 'note: the delay of `c`, 1e-06 s, is far below the step'
expect 0 "$MANYLINK" plan two.yaml --set forces.c.delay=1e-5 --set forces.d.sample_time=0.05 --set 'analyse={}'
! grep -q "note" err || fail "there is nothing to be told: $(cat err)"
sed '/^forces/,/impedance/d' two.yaml >free.yaml
expect 0 "$MANYLINK" plan free.yaml
says err 'free.yaml:4:11: note: `tracking` measures nothing: no force of the study brings an angle to a target'

# A controller that begins at its target has no step to measure; after a push it has.
sed '/impedance/d' two.yaml >rest.yaml
expect 0 "$MANYLINK" plan rest.yaml --set initial.angle=1
says err 'rest.yaml:6:11: note: `c` begins at its target: rise_time, overshoot and settling_time have no value; begin elsewhere, or measure a push by `tracking: {from: TIME}`'
for change in initial.angle=0.9 analyse.tracking.from=0.01 'sweep=[{set: forces.c.target, from: 1, to: 2, count: 3}]' \
    'forces.c.target={type: sine, mean: 1, amplitude: 1, frequency: 1}'; do
    expect 0 "$MANYLINK" plan rest.yaml --set initial.angle=1 --set "$change"
    ! grep -q "note" err || fail "there is nothing to be told of $change: $(cat err)"
done
