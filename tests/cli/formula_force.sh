# Forces that a study gives as formulas: against the built-in forces of the same law and SciPy; their derivatives against
# differences; beside tolerances, implicit steps, events, delays, samples; the same bits from kernels and shards.
. "$SOURCE/tests/check.sh"
need_python

cat >pid.yaml <<'END'
manylink: 1
system: {type: chain, angles: joint, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 0.5, lower: -0.3}}
forces:
  - {name: hold, type: pid, joint: lower, target: 0.3, kp: 8, ki: 3, kd: 1}
  - {name: brake, type: friction, joint: upper, coulomb: 0, viscous: 0.3}
time: {step: 2e-3, end: 3}
sweep: [{set: forces.hold.kp, from: 2, to: 20, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [forces.hold.kp, forces.hold.kd, forces.hold.ki, initial.angle.upper]}}
events: [{name: up, when: angle.lower, crosses: 0.1}, {name: most, of: angle.lower, kind: either, max: 9, keep: [joint_torque.lower, power]}]
save: {trajectory: {quantities: [angle, joint_torque, joint_power], every: 50, runs: all}}
END
sed -e 's/type: pid.*/type: formula, joint: lower, torque: kp*(target - angle.lower) - kd*rate.lower + ki*z, parameters: {kp: 8, ki: 3, kd: {value: 1, unit: N m s}, target: 0.3}, state: {z: 0}, rates: {z: target - angle.lower}}/' \
    -e 's/type: friction.*/type: formula, perturbation: true, joint: upper, torque: -b*rate.upper, parameters: {b: 0.3}}/' pid.yaml >formula.yaml

# The same with steps by tolerance, implicit steps, a delay, samples; the last two without tangent vectors.
end=3
[ -z "$SANITIZE" ] || end=0.5
for name in pid formula; do
    sed 's/joint: lower,/joint: lower, limit: [-2, 1.5],/; s/ki: 3/ki: 0/; s/lyapunov: {exponents: all}, //; s/forces.hold.ki, //' $name.yaml >$name-limited.yaml
    sed 's/^time.*/time: {end: 3, tick: 0.05}\nintegrator: {type: dopri54, tolerance: 1e-10}/; /^save/d' $name.yaml >$name-free.yaml
    sed 's/^time.*/time: {end: '$end', tick: 0.05}\nintegrator: {type: rodas4, tolerance: 1e-8}/; /^save/d' $name.yaml >$name-stiff.yaml
    sed 's/joint: lower,/joint: lower, delay: 0.0217,/; /^analyse/d' $name.yaml >$name-late.yaml
    sed 's/joint: lower,/joint: lower, delay: 0.0217,/; /^analyse/d' $name-free.yaml >$name-late-free.yaml
    sed 's/joint: lower,/joint: lower, sample_time: 0.013, delay: 0.004, angle_noise: 0.001, seed: 3,/; /^analyse/d' $name.yaml >$name-sampled.yaml
    for variant in "" -limited -free -stiff -late -late-free -sampled; do
        expect 0 "$MANYLINK" run $name$variant.yaml --kernel general --no-accuracy -o $name$variant.h5
    done
done
for k in 0 1; do
    expect 0 "$MANYLINK" run formula.yaml --kernel general --no-accuracy --threads 1 --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same formula.h5 merged.h5
if makes_kernels; then
    for variant in "" -limited -free -stiff -late -sampled; do
        expect 0 "$MANYLINK" run formula$variant.yaml --kernel made --no-accuracy -o made.h5
        says out "kernel made for it"
        same formula$variant.h5 made.h5
        rm made.h5
    done
fi

# Forces at points: a spring, and a brake of the medium, whose parts are two formulas.
cat >spring.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 0.5, lower: -0.3}, rate: {upper: 0.4}}
forces: [{name: pull, type: spring, segment: lower, at: 0.4, anchor: [0.6, -1.1], stiffness: 30}]
time: {step: 2e-3, end: 2}
sweep: [{set: forces.pull.at, from: 0.1, to: 0.5, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [forces.pull.at, forces.pull.stiffness, system.segments.upper.length]}}
END
sed 's/type: spring.*/type: point_formula, segment: lower, at: 0.4, force: ["-stiffness*(point.x - 0.6)", "-stiffness*(point.y + 1.1)"], parameters: {stiffness: 30}}]/' spring.yaml >point.yaml
cat >drag.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 0.5, lower: -0.3}, rate: {upper: 2}}
forces:
  - {type: point_formula, segment: lower, at: 0.4, parameters: {c: 0.7}, state: {s: 0.2},
     define: {speed: "hypot(velocity.x, velocity.y)"}, rates: {s: (speed - s)/0.1}, force: [-c*s*velocity.x, -c*s*velocity.y]}
time: {end: 1, tick: 1}
integrator: {type: dop853, tolerance: 1e-11}
END
expect 0 "$MANYLINK" run spring.yaml --no-accuracy
expect 0 "$MANYLINK" run point.yaml --no-accuracy --kernel general
expect 0 "$MANYLINK" run drag.yaml --no-accuracy
if makes_kernels; then
    expect 0 "$MANYLINK" run point.yaml --kernel made --no-accuracy -o made.h5
    same point.h5 made.h5
fi
expect 0 "$MANYLINK" verify point.h5 --runs 3

# A cubic spring, and a muscle of first order, that no built-in force is; a start value that is swept.
cat >muscle.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 3}]}  # 1 kg m^2
initial: {angle: 0.4, rate: -0.2}
forces:
  - {type: formula, name: cubic, joint: rod, torque: -k*(angle.rod - target)^3, parameters: {k: 5, target: 0.2}}
  - type: formula
    name: muscle
    joint: rod
    parameters: {strength: 3, tau: 0.05}
    state: {a: 0.1}
    define: {drive: (1 + angle.rod)*sin(4*t)^2}
    torque: strength*a*exp(-rate.rod^2)
    rates: {a: (tanh(drive) - a)/tau}
time: {end: 2, tick: 2}
integrator: {type: dop853, tolerance: 1e-10}
sweep: [{set: forces.muscle.a, values: [0.1, 0.6]}, {set: forces.cubic.k, values: [5, 20]}]
END
sed '$a analyse: {sensitivity: {of: end_state, to: [forces.cubic.k, forces.cubic.target, forces.muscle.tau, forces.muscle.a, forces.muscle.strength]}}' muscle.yaml >moved.yaml
expect 0 "$MANYLINK" run muscle.yaml --no-accuracy
expect 0 "$MANYLINK" run moved.yaml --no-accuracy

"$PYTHON" - <<'END' || fail "forces by formula"
import h5py, numpy as np
from scipy.integrate import solve_ivp

def same(a, b, most):
    worst = [0.0, ""]
    with h5py.File(a) as x, h5py.File(b) as y:
        def look(name, one):
            if not isinstance(one, h5py.Dataset) or one.dtype.kind != "f" or "error" in name or "plots" in name or "stick" in name:
                return
            one, other = one[...], y["study"][name][...]
            assert (np.isnan(one) == np.isnan(other)).all(), (a, name)
            if not np.isnan(one).all():
                size = max(1, np.nanmax(abs(one)))
                if "most_" in name:
                    size *= 1e5  # at turns, which are flat, times are known to less
                error = np.nanmax(abs(one - other)) / size
                worst[:] = max(worst, [error, name])
        for group in ("summary", "trajectories", "events"):
            if group in x["study"]:
                x["study"][group].visititems(lambda name, one: look(group + "/" + name, one))
    print(a, worst)
    assert worst[0] < most, (a, worst)
for variant, most in (("", 2e-13), ("-limited", 3e-14), ("-late", 1e-13), ("-sampled", 1e-13), ("-free", 1e-12), ("-late-free", 2e-13), ("-stiff", 5e-12)):
    same(f"pid{variant}.h5", f"formula{variant}.h5", most)

with h5py.File("spring.h5") as f, h5py.File("point.h5") as g:
    f, g = f["study/summary"], g["study/summary"]
    error = max(abs(f[k][...] - g[k][...]).max() for k in ("end_angle", "end_rate", "lyapunov_spectrum", "sensitivity"))
    print("spring", error)
    assert error < 1e-12, error

def drag(t, s):
    p, w, a = s[:2], s[2:4], s[4]
    l, m, g = np.array([1, 0.4]), np.array([1, 0.5]), 9.81
    along, across = np.array([np.sin(p), -np.cos(p)]), np.array([np.cos(p), np.sin(p)])
    v = across @ (l * w)
    push = -0.7 * a * v
    mass = np.array([[1 / 3 + 1, 0.25 * np.cos(p[0] - p[1])], [0.25 * np.cos(p[0] - p[1]), 0.25 / 3]])
    turn = 0.25 * np.sin(p[0] - p[1])
    q = np.array([-turn * w[1] ** 2 - 1.5 * g * np.sin(p[0]), turn * w[0] ** 2 - 0.25 * g * np.sin(p[1])])
    return [*w, *np.linalg.solve(mass, q + l * (push @ across)), (np.hypot(*v) - a) / 0.1]
own = solve_ivp(drag, (0, 1), [0.5, -0.3, 2, 0, 0.2], method="DOP853", rtol=1e-13, atol=1e-13).y[:4, -1]
with h5py.File("drag.h5") as f:
    error = abs(np.concatenate([f["study/summary/end_angle"][...].ravel(), f["study/summary/end_rate"][...].ravel()]) - own).max()
print("drag", error)
assert error < 1e-10, error

def end(a0, k, target=0.2, tau=0.05, strength=3.0):
    def rates(t, s):
        q, w, a = s
        torque = -k * (q - target) ** 3 + strength * a * np.exp(-w * w)
        return [w, torque - 9.81 * 1.5 * np.sin(q), (np.tanh((1 + q) * np.sin(4 * t) ** 2) - a) / tau]
    s = solve_ivp(rates, (0, 2), [0.4, -0.2, a0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return s[:2]
d = 1e-4
with h5py.File("muscle.h5") as f, h5py.File("moved.h5") as g:
    found = np.concatenate([f["study/summary/end_angle"][...], f["study/summary/end_rate"][...]], -1)
    sens = g["study/summary/sensitivity"][...]
worst = error = 0
for i, a in enumerate((0.1, 0.6)):
    for j, k in enumerate((5, 20)):
        worst = max(worst, abs(end(a, k) - found[i, j]).max())
        moves = ([end(a, k + s * d) for s in (1, -1)], [end(a, k, 0.2 + s * d) for s in (1, -1)],
                 [end(a, k, 0.2, 0.05 + s * d) for s in (1, -1)], [end(a + s * d, k) for s in (1, -1)],
                 [end(a, k, 0.2, 0.05, 3 + s * d) for s in (1, -1)])
        own = np.array([(p - m) / (2 * d) for p, m in moves])
        at = sens[i, j].T if sens[i, j].shape == (2, 5) else sens[i, j]
        assert at.shape == own.shape, at.shape
        error = max(error, abs(at - own).max())
print("end state", worst, "derivatives", error)
assert worst < 1e-9 and error < 1e-6, (worst, error)
END

# Inverse dynamics takes them as the built-in forces, unless they have states; margins as a controller without a target.
cat >friction.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
forces:
  - {type: friction, joint: lower, coulomb: 0, viscous: 0.3}
  - {type: spring, segment: lower, at: 0.4, anchor: [0.6, -1.1], stiffness: 30}
motion: {type: minimum_jerk, onset: 0.1, duration: 0.6, start: {angle: [0, 0]}, end: {angle: [0.5, 1]}}
time: {step: 1e-2, end: 0.8}
END
sed 's/type: friction.*/type: formula, perturbation: true, joint: lower, torque: -b*(rate.lower - rate.upper), parameters: {b: 0.3}}/
    s/type: spring.*/type: point_formula, segment: lower, at: 0.4, force: ["-k*(point.x - 0.6)", "-k*(point.y + 1.1)"], parameters: {k: 30}}/' \
    friction.yaml >outside.yaml
expect 0 "$MANYLINK" inverse friction.yaml -o friction.h5
expect 0 "$MANYLINK" inverse outside.yaml -o outside.h5
for force in 'formula, perturbation: true, joint: lower, torque: a' 'point_formula, segment: lower, at: 0.1, force: [a, 0]'; do
    sed "s/type: friction.*/type: $force, state: {a: 0}, rates: {a: 1}}/" friction.yaml >state.yaml
    expect 2 "$MANYLINK" inverse state.yaml -o state.h5
    says err "depends on the past of a run"
done
cat >loop.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 3}]}
forces: [{type: pid, joint: rod, target: 0, kp: 40, ki: 3, kd: 5, delay: 0.02}]
time: {step: 1e-2, end: 1}
analyse: {margins: {}}
END
sed 's/type: pid.*/type: formula, joint: rod, torque: -40*angle.rod - 5*rate.rod + 3*z, state: {z: 0}, rates: {z: -angle.rod}, delay: 0.02}]/' loop.yaml >own.yaml
expect 0 "$MANYLINK" run loop.yaml --no-accuracy
expect 0 "$MANYLINK" run own.yaml --no-accuracy
"$PYTHON" - <<'END' || fail "inverse dynamics and margins"
import h5py, numpy as np
with h5py.File("friction.h5") as f, h5py.File("outside.h5") as g:
    for name in ("torque_external", "torque_passive"):
        f_, g_ = f["study/inverse"][name][...], g["study/inverse"][name][...]
        assert abs(f_).max() > 0.1 and abs(f_ - g_).max() < 1e-14, name
with h5py.File("loop.h5") as f, h5py.File("own.h5") as g:
    for name in ("gain_margin", "phase_margin", "delay_margin"):
        f_, g_ = f["study/summary"][name][...], g["study/summary"][name][...]
        assert np.isfinite(f_).all() and abs(f_ / g_ - 1).max() < 1e-12, name
    assert np.isnan(g["study/summary/bandwidth"][...]).all()
END

# The study of the page.
awk '/^```yaml$/ { text = ""; on = 1; next } /^```$/ { if (on && text ~ /name: reflex/) printf "%s", text; on = 0 } on { text = text $0 "\n" }' "$SOURCE/docs/forces.md" >reflex.yaml
expect 0 "$MANYLINK" run reflex.yaml --no-accuracy

# Own states over time, of a force behind others.
cat >states.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 0.3, mass: 2}, {name: elbow, length: 0.3, mass: 1.5}]}
forces:
  - {name: push, type: torque, joint: upper, value: 0.2}
  - {name: hold, type: pid, joint: upper, kp: 3, ki: 1, kd: 0, target: 1}
  - {name: own, type: formula, joint: elbow, state: {clock: 0.5, fade: 1}, torque: fade, rates: {clock: 2, fade: -fade/tau},
     parameters: {tau: 0.5}}
quantities: {clock: own.clock, faded: 1 - own.fade}
time: {end: 1, step: 0.01}
integrator: dop853
sweep: [{set: forces.own.tau, values: [0.5, 0.2]}]
events: [{name: late, when: own.clock, crosses: 1.5, max: 1, keep: [own.fade]}]
save: {trajectory: {every: 20, quantities: [clock, faded]}}
YAML
expect 0 "$MANYLINK" run states.yaml -o states.h5
"$PYTHON" - <<'END' || fail "own states of a force"
import h5py
import numpy as np

with h5py.File("states.h5") as f:
    tau = f["study/runs/forces.own.tau"][...]
    t = f["study/trajectories/time"][...]
    assert np.abs(f["study/trajectories/clock"][...] - 0.5 - 2 * t).max() < 1e-14
    assert np.abs(f["study/trajectories/faded"][...] - 1 + np.exp(-t / tau[:, None])).max() < 1e-13
    late = f["study/summary"]
    assert np.abs(late["late_time"][...] - 0.5).max() < 1e-13
    assert np.abs(late["late_own.fade"][...].ravel() - np.exp(-0.5 / tau)).max() < 1e-13
END
