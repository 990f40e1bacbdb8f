# label: values
# A step too large for what is stiff is told, with what it is and the largest that is stable; one
# that is not too large is not.
. "$SOURCE/tests/check.sh"
need_python

# A rod whose inertia about its joint is 1, so that sqrt(k) and c are what its eigenvalues are.
rod()
{
    cat >rod.yaml <<YAML
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
initial: {angle: ${2:-0}}
forces: [{name: it, $1}]
time: {step: 3e-3, end: 3}
YAML
}

# too_large WHAT LIMIT LARGEST: the last command called so the step 3e-3.
too_large()
{
    says err "rod.yaml:5:14: note: a step of 0.003 s is too large for force \`it\` ($1)"
    says err "step x |eigenvalue| is $2, and rk4 is stable up to $3"
    says err "the largest stable step is about $4 s"
}

quiet()
{
    [ ! -s err ] || {
        cat err >&2
        fail "$* is no reason to say anything"
    }
}

# On the imaginary axis rk4 is stable to sqrt(8), on the real one to 2.785.
while read -r kind angle rest; do
    rod "$rest" "$angle"
    type=$(echo "$rest" | sed 's/.*type: \([a-z_]*\).*/\1/')
    expect 0 "$MANYLINK" plan rod.yaml
    if [ "$kind" = spring ]; then
        too_large "$type" 3 2.83 0.0028
        expect 0 "$MANYLINK" plan rod.yaml --set time.step=2.8e-3 --set time.end=2.8
    else
        too_large "$type" 3 2.79 0.0027
        expect 0 "$MANYLINK" plan rod.yaml --set time.step=2.75e-3 --set time.end=2.75
    fi
    quiet "$rest with a smaller step"
    # `plan` names it whether the step is too large or not, and by tolerance too, where nothing is.
    says out 'stiffest  force `it`: |eigenvalue| 1e+03 1/s at most; rk4 is stable with steps up to 0.0028 s'
    sed 's/time: .*/time: {end: 3, tick: 1}\nintegrator: {type: bs32, tolerance: 1e-6}/' rod.yaml >chosen.yaml
    expect 0 "$MANYLINK" plan chosen.yaml
    quiet "$rest with steps by tolerance"
    largest=0.0017
    [ "$kind" = spring ] || largest=0.0025
    says out "1e+03 1/s at most; bs32 is stable with steps up to $largest s"
done <<'LIST'
spring 0 type: spring, segment: rod, at: 1, anchor: [0, -1], axis: [1, 0], stiffness: 1e6
spring 0 type: joint_limit, joint: rod, lower: -1, upper: 1, stiffness: 1e6
spring 0 type: joint_limit, joint: rod, lower: -1, stiffness: 1e6
spring pi/2 type: ground, segment: rod, level: -5, stiffness: 1e6, exponent: 1
damper 0 type: damper, joint: rod, coefficient: 1e3
spring 0 type: pid, joint: rod, target: 0, kp: 1e6
damper 0 type: pid, joint: rod, target: 0, kp: 0, kd: 1e3
spring 0 type: impedance, stiffness: [1e6], equilibrium: 0
damper 0 type: impedance, stiffness: [0], damping: [1e3], equilibrium: 0
spring 0 type: computed_torque, kp: 1e6, kd: 0, target: 0
LIST

# Beyond one of two limits only that one acts: sqrt(5e6) x 1e-3 is 2.24.
rod "type: joint_limit, joint: rod, lower: 0, upper: 1, stiffness: 5e6" -0.01
expect 0 "$MANYLINK" plan rod.yaml --set time.step=1e-3
quiet "a limit that the rod is beyond"

# Matrices, and what the runs do: below the largest stable step they decay, above it they grow.
cat >matrices.yaml <<'YAML'
manylink: 1
system: {type: mass_spring_damper, mass: [[1, 0], [0, 2]], stiffness: [[1e4, 0], [0, 3]]}
initial: {position: [1, 1]}
time: {step: 0.029, end: 29}
sweep: [{set: system.stiffness.2.2, values: [3, 4]}]
YAML
expect 0 "$MANYLINK" run matrices.yaml -o grows.h5
says err "too large in run 0 for the fastest motion of system \`mass_spring_damper\`"
says err "is 2.9, and rk4 is stable up to 2.83; the largest stable step is about 0.028 s"
expect 0 "$MANYLINK" run matrices.yaml -o decays.h5 --set time.step=0.028 --set time.end=28 --no-accuracy
quiet "a step of 0.028"
expect 0 "$MANYLINK" plan matrices.yaml --set integrator=euler --set system.damping=[[100,0],[0,1]]
says err "is 2.9, and euler is stable up to 1"
expect 0 "$MANYLINK" run matrices.yaml -o quiet.h5 -q
quiet "--quiet"

# The first run that diverged, when, and why.
rod "type: damper, joint: rod, coefficient: 1"
echo "sweep: [{set: forces.it.coefficient, values: [1, 10, 2e3, 3e3]}]" >>rod.yaml
expect 3 "$MANYLINK" run rod.yaml --set initial.rate=1
says out "2 finished, 2 diverged"
says out "diverged: first run 2 at t = "
says out "step too large? it is for force \`it\` (damper): step x |eigenvalue| is 6, and rk4 is stable"
says err "too large in run 3 for force \`it\` (damper)"
says err "largest stable step is about 0.00092 s"

says out 'or let the steps follow a tolerance: `integrator: {type: tp86, tolerance: 1e-9}`'

# What is stiff later only, in a system of more rows than are looked at before: fifty rods that are let go level
# crack like a whip.
cat >whip.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: {repeat: 50, length: 0.1, mass: 0.1}}
initial: {angle: pi/2}
time: {step: 1e-3, end: 10}
YAML
expect 3 "$MANYLINK" run whip.yaml
says out 's; step too large? it is for the fastest motion of system `chain`: step x |eigenvalue| is '
says out ', at t = 8.77 s; or let the steps follow a tolerance'
# What goes to infinity by itself has no step to blame.
cat >away.yaml <<'YAML'
manylink: 1
system: {type: henon_heiles}
initial: {y: 1.5, px: 0.1}
time: {step: 0.01, end: 100}
YAML
expect 3 "$MANYLINK" run away.yaml
! grep -q 'step too large' out || fail "an escape is blamed on the step: $(cat out)"

# Alone it has the number that it has in the study.
expect 3 "$MANYLINK" run rod.yaml --set initial.rate=1 --run 3
says out "diverged: run 3 at t = "
head -1 err | grep -q "^run 3 of 4: " || fail "notes of the whole study come first: $(cat err)"
says err "too large in run 3 for force"

# The second key of a list of values is looked at too.
rod "type: pid, joint: rod, target: 0, kp: 1"
echo "sweep: [{set: initial.rate.rod, values: [1, 2]}, {set: [forces.it.kp, forces.it.kd]," >>rod.yaml
echo "  values: [[1, 1], [2, 1e3], [3, 2]]}]" >>rod.yaml
expect 0 "$MANYLINK" plan rod.yaml
says err "a step of 0.003 s is too large in run 1 for force \`it\` (pid)"
says err "step x |eigenvalue| is 3, and rk4 is stable up to 2.79"

# A limit far from where the arm starts, and three controllers.
cat >arm.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
initial: {angle: {upper: 2, lower: 2}}
forces:
  - {name: stop, type: joint_limit, joint: lower, lower: -0.2, upper: 0.2, stiffness: 1e6}
  - {name: shoulder, type: damper, joint: upper, coefficient: 1}
time: {step: 1e-3, end: 10}
YAML
expect 0 "$MANYLINK" plan arm.yaml
says err "for force \`stop\` (joint_limit) where it acts"
says err "largest stable step is about 0.00076 s"
expect 0 "$MANYLINK" plan arm.yaml --set time.step=5e-4
quiet "a step that the limit is stable with"
cat >pid.yaml <<'YAML'
manylink: 1
system: {type: chain, body: {mass: 70, height: 1.75, segments: [upper_arm, forearm, hand]}}
forces:
  - {name: shoulder, type: pid, joint: upper_arm, target: 0.5, kp: 200, kd: 20, ki: 50}
  - {name: elbow, type: pid, joint: forearm, target: 0.8, kp: 100, kd: 10, ki: 30}
  - {name: wrist, type: pid, joint: hand, target: 0.2, kp: 20, kd: 0.5, ki: 5}
time: {step: 0.02, end: 2}
YAML
expect 0 "$MANYLINK" plan pid.yaml
says err "a step of 0.02 s is too large for force"
expect 0 "$MANYLINK" plan pid.yaml --set time.step=1e-3
quiet "a step that the controllers are stable with"

for study in "$SOURCE"/studies/*.yaml; do
    expect 0 "$MANYLINK" plan "$study"
    quiet "$study"
done

"$PYTHON" - <<'END_PYTHON'
import sys

import h5py

energy = {}
for name in ("decays", "grows"):
    with h5py.File(f"{name}.h5") as file:
        energy[name] = file["study/summary/energy_drift"][0]
assert energy["decays"] < 1 and energy["grows"] > 1e70, energy
END_PYTHON

# The largest stable step that is told does not depend on the step by which it is looked for: it is that of
# the worst state on the way, not of the first, and a step that is just below gets no notice.
cat >stop.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
initial: {angle: {a: 2, b: 2}}
forces: [{name: stop, type: joint_limit, joint: b, lower: -0.2, upper: 0.2, stiffness: 1e6, damping: 1}]
time: {step: 1e-3, end: 8}
END
for step in 0.02 0.005 0.001 0.0005 0.0004; do
    expect 0 "$MANYLINK" plan stop.yaml --set time.step=$step
    told=$(sed -n 's/.*largest stable step is about \([0-9.]*\) s.*/\1/p' err)
    case $step,$told in
    0.0004, | *,0.00041 | *,0.00042) ;;
    *) fail "step $step: told \`$told\`" ;;
    esac
done

# An error estimate that does not look into the last ninth of a step is told where something may set in there:
# tp75 has stages at 8/9 and 1, of which the estimate takes the former.
stop='type: joint_limit, joint: rod, lower: -1, stiffness: 1e6'
chosen() # METHOD FORCE
{
    rod "$2"
    sed "s/time: .*/time: {end: 3, tick: 1}\nintegrator: {type: $1, tolerance: 1e-6}/" rod.yaml >chosen.yaml
    expect 0 "$MANYLINK" plan chosen.yaml
}
chosen tp75 "$stop"
says err 'chosen.yaml:6:13: note: tp75 does not see a contact that sets in within the last 11 % of a step, whatever the tolerance'
chosen tp75 'type: damper, joint: rod, coefficient: 1e3'
quiet "tp75 without contacts"
chosen tp86 "$stop"
quiet "tp86 with contacts"
