# label: values
# Loops of equations that are cut at a name: margins and responses of a mass with a PID and a delay against those of the chain that
# has the same equation, by Routh's criterion, and by the product's own runs at 0.98 and 1.02 of them; a cart with a pole from its
# energies against its linear equations; tracking of a quantity.
. "$SOURCE/tests/check.sh"
need_python

cat >mass.yaml <<'END'
manylink: 1
accuracy: off
system:
  type: equations
  parameters: {J: 0.5, c: 0.3, kp: 30, ki: 12, kd: 4, late: 0.01, target: 0.7, factor: 1}
  state: {x: 0, v: 0, z: 0}
  define: {e: target - x(t - late), u: factor*(kp*e - kd*v(t - late) + ki*z)}
  rates: {x: v, v: (u - c*v)/J, z: e}
time: {step: 1e-2, end: 0.1}
sweep: [{set: system.kp, values: [5, 30]}, {set: system.ki, values: [0, 12]}, {set: system.late, values: [0.001, 0.02]}]
analyse: {cut: u, margins: {}, frequency_response: {from: 0.5, to: 200, count: 30}}
END
cat >chain.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 1.5}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 0.7, kp: 30, ki: 12, kd: 4, delay: 0.01}
  - {name: loss, type: damper, joint: rod, coefficient: 0.3}
time: {step: 1e-2, end: 0.1}
sweep: [{set: forces.hold.kp, values: [5, 30]}, {set: forces.hold.ki, values: [0, 12]}, {set: forces.hold.delay, values: [0.001, 0.02]}]
analyse: {margins: {}, frequency_response: {from: 0.5, to: 200, count: 30}}
END
cat >prompt.yaml <<'END'
manylink: 1
accuracy: off
system:
  type: equations
  parameters: {J: 0.5, c: 0.3, kp: 30, ki: 40, kd: 4, target: 0.7}
  state: {x: 0, v: 0, z: 0, way: 0}
  define: {e: target - x, u: kp*e - kd*v + ki*z}
  rates: {x: v, v: (u - c*v)/J, z: e, way: v^2}
time: {step: 1e-2, end: 0.1}
sweep: [{set: system.ki, values: [0, 40, 2000]}]
analyse: {cut: u, margins: {}, poles: {}}
quantities: {drive: u*v}
END
cat >cart.yaml <<'END'
manylink: 1
accuracy: off
system:
  type: equations
  parameters: {M: 1, m: 0.2, l: 0.5, g: 9.81, factor: 1}
  coordinates: {x: 0.1, q: 0.2}
  kinetic: M*x'^2/2 + m*((x' + l*q'*cos(q))^2 + (l*q'*sin(q))^2)/2
  potential: m*g*l*cos(q)
  forces: {x: u - 0.1*x'}
  define: {u: factor*(4*x + 6*x' + 60*q + 12*q')}
time: {step: 1e-2, end: 0.1}
analyse: {cut: u, margins: {}, poles: {}, frequency_response: {from: 0.5, to: 200, count: 30}}
END
for study in mass chain prompt cart; do
    expect 0 "$MANYLINK" run $study.yaml -q --kernel general -o $study.h5
done
expect 0 "$MANYLINK" run mass.yaml -q --threads 1 -o general.h5
same mass.h5 general.h5
"$PYTHON" -c 'import h5py; print(h5py.File("mass.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" run resolved.yaml -q --kernel general -o resolved.h5
"$PYTHON" -c 'import h5py; a, b = (h5py.File(f"{name}.h5")["study/summary/delay_margin"][()] for name in ("mass", "resolved"))
assert (a == b).all()' || fail "margins of the resolved text"
"$PYTHON" - <<'END' || fail "loops of formulas"
import h5py
import numpy as np

worst = {}


def note(name, error, bound):
    worst[name] = max(worst.get(name, 0), error)
    assert error < bound, (name, error)


def read(name):
    with h5py.File(f"{name}.h5") as file:
        return {key: value[()] for key, value in file["study/summary"].items() if isinstance(value, h5py.Dataset)}


own, chain = read("mass"), read("chain")
for key in own:
    if key.startswith(("gain", "phase", "delay", "unstable", "loop")):
        known = chain[key].reshape(own[key].shape)
        assert (np.isfinite(own[key]) == np.isfinite(known)).all(), key
        there = np.isfinite(known) & (known != 0)
        note("chain", abs(own[key][there] / known[there] - 1).max(initial=0), 1e-13)
assert np.isnan(own["bandwidth"]).all()
note("input", abs(own["equilibrium_input"]).max(), 1e-13)
open("mass.txt", "w").write(f"{own['delay_margin'][1, 1, 1]:.17g} {own['gain_margin'][1, 1, 1]:.17g}")

# (J s^2 + c s) + g (kd s + kp + ki/s): stable while (c + g kd) kp > J ki.
own = read("prompt")
roots = [np.roots([0.5, 4.3, 30, ki]) for ki in (0, 40, 2000)]
assert own["unstable_roots"].tolist() == [0, 0, 2] and np.isnan(own["gain_margin"][2])
note("Routh", abs(own["gain_reduction_margin"][1] / ((0.5 * 40 / 30 - 0.3) / 4) - 1), 1e-13)
for i, known in enumerate(roots):
    poles = (own["pole_real"] + 1j * own["pole_imaginary"])[i]
    assert np.isnan(poles).sum() == (2 if i == 0 else 1), poles  # the way acts on nothing, nor does z without ki
    for pole in poles[np.isfinite(poles)]:
        note("poles", abs(known - pole).min() / abs(known).max(), 1e-13)

own = read("cart")
mass = np.array([[1.2, 0.1], [0.1, 0.05]])
a, b = np.zeros((4, 4)), np.zeros(4)
a[:2, 2:] = np.eye(2)
a[2:, :2] = np.linalg.solve(mass, np.diag([0, 0.2 * 9.81 * 0.5]))
a[2:, 2:] = np.linalg.solve(mass, np.diag([-0.1, 0]))
b[2:] = np.linalg.solve(mass, [1, 0])
gain = np.array([4, 60, 6, 12])


def loop(w):
    return -gain @ np.linalg.solve(1j * w * np.eye(4) - a, b)


known = np.linalg.eigvals(a + np.outer(b, gain))
for pole in own["pole_real"] + 1j * own["pole_imaginary"]:
    note("cart", abs(known - pole).min() / abs(known).max(), 1e-13)
for w, size, phase in zip(own["loop_frequency"], own["loop_magnitude"], own["loop_phase"]):
    note("response", abs(size * np.exp(1j * phase) / loop(w) - 1), 1e-12)
note("reduction", abs(1 + own["gain_reduction_margin"] * loop(own["gain_reduction_margin_frequency"])), 1e-12)
w = own["phase_margin_frequency"]
note("phase", abs(1 + loop(w) * np.exp(-1j * own["phase_margin"])), 1e-12)
note("delay", abs(1 + loop(w) * np.exp(-1j * w * own["delay_margin"])), 1e-12)
assert np.isinf(own["gain_margin"]) and own["gain_margin"] > 0
print(worst)
open("cart.txt", "w").write(f"{own['gain_reduction_margin']:.17g}")
END

# Tracking of a quantity: a step against its closed form and the chain that has the same equation, by steps and by a tolerance.
for integrator in "" "integrator: {type: dop853, tolerance: 1e-10}"; do
    time=$([ -n "$integrator" ] && echo "time: {end: 6}" || echo "time: {step: 5e-3, end: 6}")
    cat >step.yaml <<END
manylink: 1
accuracy: off
system:
  type: equations
  parameters: {J: 0.5, kp: 30, kd: 2, target: 0.7}
  state: {x: 0, v: 0}
  define: {e: target - x}
  rates: {x: v, v: (kp*e - kd*v)/J}
quantities: {control_error: {formula: e, unit: m}}
$time
$integrator
analyse: {tracking: {}}
END
    cat >rod.yaml <<END
manylink: 1
accuracy: off
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 1.5}]}
forces: [{name: hold, type: pid, joint: rod, target: 0.7, kp: 30, kd: 2}]
$time
$integrator
analyse: {tracking: {}}
END
    rm -f step.h5 rod.h5
    for study in step rod; do
        expect 0 "$MANYLINK" run $study.yaml -q --kernel general -o $study.h5
        ! grep -q "measures nothing" err || fail "a false alarm: $(cat err)"
    done
    "$PYTHON" - "$integrator" <<'END' || fail "tracking of a quantity ($integrator)"
import sys

import h5py
import numpy as np

own, chain = (h5py.File(f"{name}.h5")["study/summary"] for name in ("step", "rod"))
keys = ["rise_time", "overshoot", "settling_time", "steady_state_error", "iae", "ise"]
errors = [abs(own[key][()] - chain[key][0]) / abs(chain["iae"][0]) for key in keys]
print(dict(zip(keys, errors)))
assert max(errors) < 1e-12
assert own["iae"].attrs["units"] == "m s" and own["ise"].attrs["units"] == "m^2 s" and own["iae"].shape == ()
share = 2 / 2 / np.sqrt(30 * 0.5)
print(own["overshoot"][()] - np.exp(-np.pi * share / np.sqrt(1 - share**2)))
assert abs(own["overshoot"][()] - np.exp(-np.pi * share / np.sqrt(1 - share**2))) < (1e-12 if sys.argv[1] else 5e-6)
END
done

# Runs at 0.98 and 1.02 of a margin come to rest and do not: the largest rate behind 30 s against that behind 10 s.
"$PYTHON" - <<'END' >settings || fail "settings"
delay, gain, low = (float(number) for name in ("mass", "cart") for number in open(f"{name}.txt").read().split())
for share in (0.98, 1.02):
    print("mass", share, f"--set system.late={0.02 + share * delay!r}")
    print("mass", share, f"--set system.late=0.02 --set system.factor={share * gain!r}")
    print("cart", 2 - share, f"--set system.factor={low * share!r} --set initial.x=1e-4 --set initial.q=1e-4")
END
while read -r study share set; do
    rate=$([ $study = mass ] && echo v || echo x_rate)
    sed "/^sweep/d; s/^time.*/time: {step: 5e-3, end: 40}/
        s/^analyse.*/analyse: {observe: {all: {max: abs($rate), from: 10}, late: {max: abs($rate), from: 30}}}/" $study.yaml >at.yaml
    rm -f at.h5
    # shellcheck disable=SC2086 # the settings are words
    expect 0 "$MANYLINK" run at.yaml -q --kernel general -o at.h5 --failed-runs-ok $set
    "$PYTHON" - "$share" <<'END' || fail "$study at $share: $set"
import sys

import h5py

with h5py.File("at.h5") as file:
    late, all = (float(file[f"study/summary/{key}"][()]) for key in ("late", "all"))
print(late / all)
assert (late < 0.95 * all) == (float(sys.argv[1]) < 1), (late, all)
END
done <settings
