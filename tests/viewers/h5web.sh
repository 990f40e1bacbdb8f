# label: values
# What h5web writes of results in headless Chromium: titles, labels and ticks. Needs Chromium and the packages
# of tests/viewers/package-lock.json, which `scripts/setup --tests` installs.
. "$SOURCE/tests/check.sh"
need node
packages=$SOURCE/build/viewers

# made NAME STUDY [SET]...: a short result of a shipped study.
made()
{
    name=$1 study=$2
    shift 2
    expect 0 "$MANYLINK" run --quiet "$SOURCE/studies/$study.yaml" -o "$name.h5" "$@"
}
made curve lorenz_rho --set time.end=2 --set analyse.lyapunov.transient=0 --set save.trajectory.every=500
made map lyapunov_map --set time.end=1 --set analyse.lyapunov.transient=0
made stack pid_gains --set time.end=0.1 --set analyse.lyapunov.transient=0
made log runner --set time.end=0.05
made sample lyapunov_energy --set time.end=2 --set analyse.lyapunov.transient=0
made rest double_pendulum --set time.end=1 --set 'initial={rate: 0}' --set show=energy_drift \
    --set 'sample={method: sobol, count: 16, over: [{set: system.segments.lower.mass, from: 1, to: 2}]}'
made section poincare --set time.end=100
made orbit roessler_maxima --set time.end=650
made both duffing_hysteresis
made single double_pendulum --set time.end=1
expect 0 "$MANYLINK" inverse "$SOURCE/studies/two_link_reach.yaml" -o inverse.h5
uneven=$SOURCE/tests/viewers/uneven.yaml
expect 0 "$MANYLINK" run --quiet "$uneven"
expect 0 "$MANYLINK" run --quiet "$uneven" -o decades.h5 --set 'sweep=[{set: system.rho, from: 1, to: 100, count: 5, scale: log}]'
expect 0 "$MANYLINK" run --quiet "$uneven" -o zipped.h5 \
    --set 'sweep=[{name: both, set: [system.rho, system.beta], values: [[1, 2], [10, 2.5], [28, 3]]}]'

code=0
node "$SOURCE/tests/viewers/h5web.mjs" "$packages" . curve.h5 map.h5 stack.h5 log.h5 sample.h5 \
    rest.h5 section.h5 orbit.h5 both.h5 single.h5 inverse.h5 uneven.h5 decades.h5 zipped.h5 \
    log.h5:/study/summary/plots/relative_sensitivity_of_max_ground_force || code=$?
[ $code != 77 ] || skip "Chromium, or the packages of h5web in $packages: scripts/setup --tests"
[ $code = 0 ] || fail "h5web.mjs"

# shows NAME TEXT...: the page of a result has these lines.
shows()
{
    name=$1
    shift
    ! grep ERROR "$name.txt" || fail "$name: h5web has errors"
    for text in "$@"; do
        grep -qxF "$text" "$name.txt" || fail "$name: h5web does not write: $text
$(cat "$name.txt")"
    done
}
shows curve 'NX Line' 'lyapunov_spectrum (1/s), Lyapunov exponents of the Lorenz ..' system.rho 'lyapunov_spectrum (1/s): exponent_1'
shows map 'NX Heatmap' 'lyapunov_max (1/s), Double pendulum let go at rest' 'initial.angle.upper (rad)' 'initial.angle.lower (rad)'
shows stack 'NX Heatmap' 'forces.brace.kp (N m/rad)' 'forces.brace.kd (N m s/rad)'
shows log 'NX Heatmap' 'max_ground_force (N), Ground force of a landing runner' 'speed: initial.v3 (m/s)'
shows sample 'NX Scatter' 'initial.energy (J)' 'lyapunov_max (1/s)'
shows rest 'NX Scatter' 'system.segments.lower.mass (kg)' energy_drift
shows section 'NX Scatter' 'section, Section through a double pendulum of energy -9 J' \
    'section_angle.lower modulo 2 pi (rad)' 'section_rate.lower (rad/s)'
shows orbit 'NX Scatter' 'peak_x, Maxima of x of the Roessler system' system.c
shows both 'NX Line' 'peak_x, A Duffing oscillator whose drive grows and shrinks' system.gamma 'peak_x: direction=1' 7
shows single 'NX Line' 'angle (rad), Double pendulum of the lecture' 'time (s)' 'angle (rad): upper'
shows inverse 'NX Line' 'torque (N m), Straight reach of a two-link arm' 'time (s)'
shows log_plots_relative_sensitivity_of_max_ground_force 'NX Heatmap' 'speed: initial.v3 (m/s)' Signals
shows uneven 'NX Heatmap' 'lyapunov_max (1/s), Uneven' 'system.rho: 1, 10, 24, 28, 100' system.beta
shows decades 'NX Line' 'lyapunov_spectrum (1/s), Uneven' system.rho
shows zipped 'NX Line' 'lyapunov_spectrum (1/s), Uneven' 'both: system.rho'
