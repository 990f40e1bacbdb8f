# Every shipped study runs: all its runs, for a short time; the torques of those that describe a motion
# are found. The results open in every reader there is (written by a sanitizer build, they are no others,
# and an eighth of the runs takes the same paths).
. "$SOURCE/tests/check.sh"
need_python

# What viewers draw first: the number, and its axes. Of a single run, a motion.
first()
{
    case $1 in
    arm_sensitivity) echo end_angle_wrapped.hand axis.initial.angle.upper_arm axis.initial.angle.forearm ;;
    arm_spring) echo end_angle_wrapped.hand axis.forces.rope.stiffness axis.forces.rope.rest_length ;;
    arm_uncertainty) echo hand_height axis.define.upper_arm_length hand_height ;;
    basins) echo beat_attractor axis.initial.v axis.initial.x ;;
    chain8) echo 8 axis.initial.angle.8 ;;
    delay_stability) echo body axis.forces.ankles.delay axis.forces.ankles.kp ;;
    double_pendulum) echo upper axis.time ;;
    double_pendulum_map) echo end_angle_wrapped.lower axis.system.segments.lower.mass axis.initial.angle.upper axis.initial.angle.lower ;;
    driven_pendulum) echo beat_rate forces.drive.value.amplitude beat_rate ;;
    duffing_hysteresis) echo direction=1 axis.system.delta axis.system.gamma ;;
    fit_pendulum) echo end_angle.lower axis.initial.angle.upper end_angle.lower ;;
    flip_map) echo flip_time axis.initial.angle.upper axis.initial.angle.lower ;;
    furuta) echo catch_time axis.initial.a axis.system.limit ;;
    integrators) echo end_angle_wrapped.lower axis.initial.angle.upper axis.initial.angle.lower ;;
    ishigami) echo end_f axis.system.x end_f ;;
    lorenz_96) echo lyapunov_spectrum axis.system.F axis.exponent ;;
    lorenz_rho) echo exponent_1 axis.system.rho ;;
    lyapunov_energy) echo lyapunov_max axis.initial.energy lyapunov_max ;;
    magnets) echo rest_attractor axis.initial.y axis.initial.x ;;
    lyapunov_map) echo lyapunov_max axis.initial.angle.upper axis.initial.angle.lower ;;
    pid_gains) echo lyapunov_max axis.forces.brace.ki axis.forces.brace.kp axis.forces.brace.kd ;;
    pid_robustness) echo lower axis.gains axis.sample ;;
    poincare) echo run section_angle.lower section_rate.lower ;;
    poised_rods) echo fli axis.initial.angle.upper axis.initial.angle.lower ;;
    quarter_car) echo lyapunov_max axis.system.damping.suspension.suspension axis.system.stiffness.wheel.wheel ;;
    reach_equilibrium_point) echo end_angle_wrapped.hand axis.stiffness axis.duration ;;
    reach_inverse) echo end_angle_wrapped.hand axis.system.segments.hand.mass axis.system.segments.forearm.com ;;
    roessler_maxima) echo peak_x system.c peak_x ;;
    runner) echo max_ground_force axis.system.contact.stiffness axis.speed ;;
    spring_wall) echo peak_contact_force.handle.x axis.forces.handle.stiffness axis.muscles ;;
    stick_slip) echo rod axis.speed axis.forces.pull.kp ;;
    step) echo end_angle_wrapped.foot axis.system.segments.foot.mass axis.forces.plate.scale ;;
    swing_up) echo catch_time axis.system.pump axis.system.limit ;;
    three_link_arm) echo end_angle_wrapped.hand axis.system.segments.hand.mass axis.initial.angle.forearm ;;
    tune_pid) echo itae axis.define.load itae ;;
    two_link_reach) echo upper_arm axis.time ;;
    *) fail "$1: what is shown first?" ;;
    esac
}

results=
for study in "$SOURCE"/studies/*.yaml; do
    name=$(basename "$study" .yaml)
    echo "$name"
    expect 0 "$MANYLINK" plan "$study"
    case $name in
    basins | duffing_hysteresis | ishigami | lorenz_96 | lorenz_rho | magnets | roessler_maxima | runner) # have no M, and `evaluate` says so
        expect 2 "$MANYLINK" evaluate "$study"
        says err "is not of the form M q'' = f"
        ;;
    *) expect 0 "$MANYLINK" evaluate "$study" ;;
    esac
    whole= # nothing is left out of so short a time
    ! grep -q transient "$study" || whole='--set analyse.lyapunov.transient=0'
    case $name in
    basins | driven_pendulum) whole='--set events.beat.from=0 --set events.beat.period=2e-3' ;;
    magnets) whole='--set events.rest.from=0 --set events.rest.period=2e-3 --set sweep.0.count=40' ;; # none is at rest: as many attractors
    duffing_hysteresis | roessler_maxima) whole='--set events.peak.from=0' ;;
    esac
    some=
    [ -z "$SANITIZE" ] || some='--shard 0/8'
    cut=step end=0.01
    case $name in poincare | roessler_maxima) end=6 ;; esac # a few events
    ! grep -q tolerance: "$study" || cut=tick
    short="--set time.$cut=1e-3 --set time.end=$end --set save.trajectory.every=5"
    [ "$name" != ishigami ] || short= # one step
    # shellcheck disable=SC2086
    expect 0 "$MANYLINK" run "$study" $short $whole $some -o "$name.h5"
    expect 0 "$MANYLINK" info "$name.h5"
    results="$results $name.h5"
    if [ -z "$SANITIZE" ]; then
        # shellcheck disable=SC2046 # words of no user
        "$PYTHON" "$SOURCE/tests/results/check_viewers.py" --first "$name.h5" $(first "$name") ||
            fail "$name.h5: viewers show something else first"
    fi
    grep -q '^motion:' "$study" || continue
    expect 0 "$MANYLINK" inverse "$study"
    results="$results ${name}_inverse.h5"
done
[ -z "$SANITIZE" ] || exit 0

# All programs open on the same view.
firsts=
for result in $results; do
    name=${result%.h5}
    expect 0 "$MANYLINK" info "$result"
    cp out "$name.info"
    expect 0 "$MANYLINK" report "$result"
    "$MANYLINK" plot "$result" --script "$name.gp" 2>err || says err "finite" # of so short a time nothing may be known
    firsts="$firsts $name"
done
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) && command -v node >/dev/null || browser=
# shellcheck disable=SC2086 # words of no user
"$PYTHON" "$SOURCE/tests/results/check_first_view.py" ${browser:+--browser "$browser"} $firsts || fail "programs open on different views"

# shellcheck disable=SC2086 # words of no user
"$PYTHON" "$SOURCE/tests/results/check_documented.py" "$SOURCE/docs" $results || fail "docs name not every dataset"

# shellcheck disable=SC2086 # words of no user
"$PYTHON" "$SOURCE/tests/results/view_result.py" $results || fail "results do not open everywhere"
