# label: values
# What silx says that it draws of each kind of result: the picture, its title, signals and axes. It is
# Debian's python3-silx.
. "$SOURCE/tests/check.sh"
need_python

# made NAME STUDY [SET]...: a short result of a shipped study.
made()
{
    name=$1 study=$2
    shift 2
    expect 0 "$MANYLINK" run --quiet "$SOURCE/studies/$study.yaml" -o "$name.h5" "$@"
}
# draws NAME[:PATH]: what follows is what silx makes of it.
draws()
{
    cat >wanted
    result=${1%%:*}.h5
    [ "$1" = "${1%%:*}" ] || result=$result:${1#*:}
    "$PYTHON" "$SOURCE/tests/viewers/silx_default.py" "$result" >found 2>err || fail "$1: $(cat found err)"
    diff wanted found || fail "$1: silx draws something else"
}

made curve lorenz_rho --set time.end=2 --set analyse.lyapunov.transient=0 --set save.trajectory.every=500
draws curve <<WANTED
curve: lyapunov_spectrum (1/s), Lyapunov exponents of the Lorenz ..
  lyapunov_spectrum (1/s): exponent_1, exponent_2, exponent_3 with errors
  over system.rho
WANTED
draws curve:/study/runs <<WANTED
curve: 
  outcome
  over run
WANTED
made map lyapunov_map --set time.end=0.1 --set analyse.lyapunov.transient=0 --set sweep.0.count=8 --set sweep.1.count=8
draws map <<WANTED
image: lyapunov_max (1/s), Double pendulum let go at rest
  lyapunov_max
  over initial.angle.upper (rad); initial.angle.lower (rad)
WANTED
draws map:/study/summary/plots/energy_drift <<WANTED
image: energy_drift, Double pendulum let go at rest
  energy_drift
  over initial.angle.upper (rad); initial.angle.lower (rad)
  as log
WANTED
made stack pid_gains --set time.end=0.1 --set analyse.lyapunov.transient=0
draws stack <<WANTED
stack: lyapunov_max (1/s), Lower rod held by a PID torque
  lyapunov_max
  over forces.brace.ki: 0, 1, 3 N m/(rad s); forces.brace.kp (N m/rad); forces.brace.kd (N m s/rad)
WANTED
# A logarithmic axis, and one that moves several quantities.
made log runner --set time.end=0.05
draws log <<WANTED
image: max_ground_force (N), Ground force of a landing runner
  max_ground_force
  over log10 of ..contact.stiffness in N/m^(2+b); speed: initial.v3 (m/s)
WANTED
draws log:/study/summary/plots/relative_sensitivity_of_max_ground_force <<WANTED
image: relative_sensitivity_of_max_ground_force, Ground force of ..
  by.speed, by.system.contact.stiffness, system.m2, system.c2
  over log10 of ..contact.stiffness in N/m^(2+b); speed: initial.v3 (m/s)
WANTED
made sample lyapunov_energy --set time.end=0.1 --set analyse.lyapunov.transient=0
draws sample <<WANTED
scatter: lyapunov_max (1/s), Lyapunov exponents of the double ..
  lyapunov_max
  over initial.energy (J); lyapunov_max
WANTED
made section poincare --set time.end=20
draws section <<WANTED
scatter: section, Section through a double pendulum of energy -9 J
  run
  over section_angle.lower modulo 2 pi (rad); section_rate.lower (rad/s)
WANTED
made orbit roessler_maxima --set time.end=606
draws orbit <<WANTED
scatter: peak_x, Maxima of x of the Roessler system
  peak_x
  over system.c; peak_x
WANTED
made single double_pendulum --set time.end=1
draws single <<WANTED
curve: angle (rad), Double pendulum of the lecture
  angle (rad): upper, lower
  over time (s)
  as spectrum
WANTED
expect 0 "$MANYLINK" inverse "$SOURCE/studies/reach_inverse.yaml" -o inverse.h5
draws inverse <<WANTED
curve: torque (N m), Torques of a lift, by body-segment parameters
  torque (N m): upper_arm, forearm, hand
  over system.segments.hand.mass (kg); system.segments.forearm.com (m); time (s)
  as spectrum
WANTED

uneven=$SOURCE/tests/viewers/uneven.yaml
expect 0 "$MANYLINK" run --quiet "$uneven"
draws uneven <<WANTED
image: lyapunov_max (1/s), Uneven
  lyapunov_max
  over system.rho: 1, 10, 24, 28, 100; system.beta
WANTED
expect 0 "$MANYLINK" run --quiet "$uneven" -o decades.h5 --set 'sweep=[{set: system.rho, from: 1, to: 100, count: 5, scale: log}]'
draws decades <<WANTED
curve: lyapunov_spectrum (1/s), Uneven
  lyapunov_spectrum (1/s) with errors
  over system.rho*
WANTED

# A sample over decades, of what is over decades.
cat >sampled.yaml <<END
manylink: 1
title: Sampled
show: energy_drift
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 2}}
time: {step: 1e-2, end: 1}
sample: {method: sobol, count: 20, seed: 1, over: [{set: system.segments.lower.mass, from: 0.01, to: 100, scale: log}]}
END
expect 0 "$MANYLINK" run --quiet sampled.yaml
draws sampled <<WANTED
scatter: energy_drift, Sampled
  energy_drift
  over system.segments.lower.mass (kg)*; energy_drift*
  as log
WANTED

# What the window of `silx view` itself shows when a result is opened.
expect 0 "$MANYLINK" run --quiet "$uneven" -o zipped.h5 \
    --set 'sweep=[{name: both, set: [system.rho, system.beta], values: [[1, 2], [10, 2.5], [28, 3]]}]'
expect 0 "$MANYLINK" run --quiet "$SOURCE/studies/arm_sensitivity.yaml" -o sensitivity.h5 \
    --set time.end=0.1 --set sweep.0.count=6 --set sweep.1.count=6
code=0
"$PYTHON" "$SOURCE/tests/viewers/silx_window.py" curve.h5 map.h5 stack.h5 log.h5 uneven.h5 decades.h5 sample.h5 \
    zipped.h5 single.h5 inverse.h5 section.h5 orbit.h5 sensitivity.h5 >found 2>err || code=$?
[ $code = 0 ] || fail "silx_window.py: $(cat found err)"
cat >wanted <<WANTED
curve: Curve+Curve+Curve: lyapunov_spectrum (1/s), Lyapunov exponents of the Lorenz ..
  system.rho; lyapunov_spectrum (1/s): exponent_1
map: ImageData: lyapunov_max (1/s), Double pendulum let go at rest
  initial.angle.lower (rad); initial.angle.upper (rad)
stack: ImageStack: Image z=0
  forces.brace.kd (N m s/rad); forces.brace.kp (N m/rad)
log: ImageData: max_ground_force (N), Ground force of a landing runner
  speed: initial.v3 (m/s); log10 of ..contact.stiffness in N/m^(2+b)
uneven: ImageData: lyapunov_max (1/s), Uneven
  system.beta; system.rho: 1, 10, 24, 28, 100
decades: Curve: lyapunov_spectrum (1/s), Uneven
  system.rho; lyapunov_spectrum (1/s)
sample: Scatter: lyapunov_max (1/s), Lyapunov exponents of the double ..
  initial.energy (J); lyapunov_max
zipped: Curve: lyapunov_spectrum (1/s), Uneven
  both: system.rho; lyapunov_spectrum (1/s)
single: Curve+Curve: angle (rad), Double pendulum of the lecture
  time (s); angle (rad): upper
inverse: Curve+Curve+Curve: torque (N m), Torques of a lift, by body-segment parameters
  time (s); torque (N m): upper_arm
section: Scatter: section, Section through a double pendulum of energy -9 J
  section_angle.lower modulo 2 pi (rad); section_rate.lower (rad/s)
orbit: Scatter: peak_x, Maxima of x of the Roessler system
  system.c; peak_x
sensitivity: ImageData: end_angle_wrapped.hand (rad), Sensitivity of a falling arm
  initial.angle.forearm (rad); initial.angle.upper_arm (rad)
WANTED
diff wanted found || fail "the window of silx view shows something else"
