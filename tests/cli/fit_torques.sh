# label: values
# Fits of measured joint torques and forces at a given motion against linear regression by numpy, between samples too, and what
# cannot be fitted.
. "$SOURCE/tests/check.sh"
need_python

cat >torques.yaml <<'END'
manylink: 1
system:
  type: chain
  segments:
    - {name: upper, length: 0.5, mass: 1, com: 0.25, inertia: 0.03}
    - {name: lower, length: 0.4, mass: 1, com: 0.22, inertia: 0.03}
forces:
  - {name: bearing, type: damper, joint: upper, coefficient: 0.01}
  - {name: hinge, type: damper, joint: lower, coefficient: 0.01}
motion: {file: motion.csv}
sample:
  method: sobol
  count: 8
  over:
    - {set: system.segments.lower.mass, from: 0.3, to: 3, scale: log}
    - {set: system.segments.upper.inertia, from: 0.003, to: 0.06}
    - {set: system.segments.lower.inertia, from: 0.003, to: 0.06}
    - {set: forces.bearing.coefficient, from: 0.001, to: 0.2}
    - {set: forces.hinge.coefficient, from: 0.001, to: 0.1}
fit:
  of: inverse
  to: torques.csv
  columns: {torque.upper: m1, torque.lower: m2, joint_force.upper.y: f}
  sd: {torque.upper: 0.02, torque.lower: 0.01, joint_force.upper.y: 0.1}
END
"$PYTHON" "$SOURCE/tests/cli/fit_torques.py" "$MANYLINK"
expect 0 "$MANYLINK" fit torques.yaml
says out "8 of 8 met the best minimum"
says out "residuals of joint_force.upper.y: rms 0."
expect 0 "$MANYLINK" plot torques_fit.h5

# refused TEXT SED...
refused()
{
    text=$1
    shift
    sed "$@" torques.yaml >wrong.yaml
    expect 2 "$MANYLINK" fit wrong.yaml -o wrong.h5
    says err "$text"
    [ ! -e wrong.h5 ] || fail "a result of what was refused"
}
# `run` needs `time`, which such a fit does not; the legend of bars with long labels has a line for each below the axis' label.
expect 2 "$MANYLINK" run torques.yaml
says err "key \`time\` is missing"
expect 0 "$MANYLINK" plot torques_fit.h5 correlation --script bars
says bars/plot.gp "set bmargin 11"
refused "the study has no key \`motion\`" '/^motion:/d'
refused "wrong.yaml: line 18, column 13: cannot fit \`initial.angle.upper\`: the measured numbers do not depend on it" \
    's/forces.hinge.coefficient, from: 0.001, to: 0.1}/initial.angle.upper, from: 0, to: 1}/; /bearing.coefficient, from/d'
refused "s, but the motion is from 0 s to 2.498480903 s; leave such lines out" 's/file: motion.csv/file: motion.csv, to: 2.5/'
