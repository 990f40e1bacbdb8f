# label: values
# Poles of loops in continuous time against the roots of their polynomial, and the response of a loop with a delay against its
# closed form; the same bits from shards and one thread; a notice where there is no equilibrium.
. "$SOURCE/tests/check.sh"
need_python

cat >loop.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 1, mass: 1.5}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 0.7, kp: 30, ki: 12, kd: 4}
  - {name: loss, type: damper, joint: rod, coefficient: 0.3}
time: {step: 1e-2, end: 0.1}
sweep: [{set: forces.hold.kp, from: 3, to: 60, count: 20}, {set: forces.hold.ki, values: [0, 2, 200]}]
analyse: {poles: {}, frequency_response: {from: 0.5, to: 200, count: 30}}
END
sed 's/kd: 4}/kd: 4, delay: 0.3}/; s/poles: {}, //' loop.yaml >late.yaml
for name in loop late; do
    expect 0 "$MANYLINK" run $name.yaml --kernel general
    for index in 0 1; do
        expect 0 "$MANYLINK" run $name.yaml --threads 1 --shard $index/2 -o shard$index.h5
    done
    expect 0 "$MANYLINK" merge -o merged.h5 shard1.h5 shard0.h5
    same $name.h5 merged.h5
    rm merged.h5 shard?.h5
done
"$PYTHON" - <<'END' || fail "poles and responses"
import h5py
import numpy

worst = {}


def note(name, error, bound):
    worst[name] = max(worst.get(name, 0), error)
    assert error < bound, (name, error)


for name, delay in (("loop", 0.0), ("late", 0.3)):
    with h5py.File(f"{name}.h5") as file:
        values = {key: value[()] for key, value in file["study/summary"].items() if isinstance(value, h5py.Dataset)}
        assert name == "late" or file["study/summary/pole_real"].attrs["units"] == "1/s"
    weight = 1.5 * 9.81 / 2 * numpy.cos(0.7)
    for i, kp in enumerate(values["forces.hold.kp"]):
        for j, ki in enumerate(values["forces.hold.ki"]):
            if ki == 0:            # the rod rests elsewhere, and the integral is no pole
                if name == "loop":
                    assert numpy.isnan(values["pole_real"][i, j, 2]) and numpy.isfinite(values["pole_real"][i, j, :2]).all()
                continue
            s = 1j * values["loop_frequency"]
            known = (4 * s + kp + ki / s) / (0.5 * s**2 + 0.3 * s + weight)
            note("magnitude", abs(values["loop_magnitude"][i, j, 0] / abs(known) - 1).max(), 1e-13)
            turned = values["loop_phase"][i, j, 0] - (numpy.unwrap(numpy.angle(known)) - s.imag * delay)
            note("phase", abs(turned - 2 * numpy.pi * numpy.round(turned[0] / (2 * numpy.pi))).max(), 1e-13)
            assert -numpy.pi < values["loop_phase"][i, j, 0, 0] <= numpy.pi
            if name == "late":
                continue
            roots = numpy.roots([0.5, 4.3, weight + kp, ki])
            roots = roots[numpy.lexsort((-roots.imag, -numpy.round(roots.real, 9)))]
            own = values["pole_real"][i, j] + 1j * values["pole_imaginary"][i, j]
            note("poles", abs(own - roots).max() / abs(roots).max(), 1e-12)
            note("frequency", abs(values["natural_frequency"][i, j] / abs(own) - 1).max(), 1e-15)
            note("damping", abs(values["damping_ratio"][i, j] + own.real / abs(own)).max(), 1e-15)
print(worst)
assert abs(values["loop_frequency"] / numpy.geomspace(0.5, 200, 30) - 1).max() < 1e-15
END

# A spring that the torque cannot hold: no equilibrium.
cat >nowhere.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 1, mass: 1.5}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 1, kp: 1, limit: 1}
  - {name: load, type: torque, joint: rod, value: 20}
time: {step: 1e-2, end: 0.1}
analyse: {poles: {}, frequency_response: {}}
END
expect 0 "$MANYLINK" run nowhere.yaml
says err "poles: 1 of 1 runs have no numbers (NaN): no equilibrium was found"
says err "frequency_response: 1 of 1 runs have no numbers (NaN)"

# A frequency that is a pole of the closed loop has no response there, and the others keep theirs; a delay by a formula that is long
# in one run has poles in all but that run; a sampled loop beside a brace that acts always: poles by scipy.linalg.expm.
cat >undamped.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
forces:
  - {name: hold, type: pid, joint: rod, target: 0.7, kp: 4}
time: {step: 1e-2, end: 0.1}
analyse: {frequency_response: {from: 2, to: 20, count: 8}}
END
sed 's/^forces/define: {i: 1}\n&/; s/kp: 4/&, ki: 0.1, kd: 1, sample_time: 0.01, delay: "0.005 + max(0, 1 - abs(i - 30001))*0.5"/; s/end: 0.1/end: 0.01/
    s/^analyse.*/sweep: [{set: define.i, from: 0, to: 131073, count: 131074}]\nanalyse: {poles: {}}/' undamped.yaml >far.yaml
sed 's/kp: 4/&, kd: 1, sample_time: 0.01/; s/^time/  - {name: brace, type: pid, joint: rod, target: 0.7, kp: 30, kd: 8, perturbation: true}\n&/
    s/^analyse.*/analyse: {poles: {}}/' undamped.yaml >braced.yaml
# A loop that is slow beside its samples, whose delay margin is 1e10 of them; frequencies up to half of the sampling frequency,
# which is pi/sample_time rounded up.
sed 's/, gravity: 0//; s/target: 0.7, kp: 4/target: 0, kp: 0, ki: 1e-6, sample_time: 1e-3/; s/^time/  - {name: loss, type: damper, joint: rod, coefficient: 0.3}\n&/
    s/^analyse.*/analyse: {margins: {}}/' undamped.yaml >slow.yaml
sed 's/kp: 4/&, kd: 1, sample_time: 0.041/; s/^analyse.*/analyse: {frequency_response: {from: 2, to: pi\/0.041, count: 8}}/' undamped.yaml >whole.yaml
for study in undamped far braced slow whole; do
    expect 0 "$MANYLINK" run $study.yaml -q -o $study.h5
done
"$PYTHON" - <<'END'
import h5py
import numpy as np

undamped, late, braced, slow, whole = (h5py.File(f"{name}.h5")["study/summary"] for name in ("undamped", "far", "braced", "slow", "whole"))
size = undamped["loop_magnitude"][0]
w = undamped["loop_frequency"][()]
assert np.isnan(size[0]) and abs(size[1:] * w[1:] ** 2 / 4 - 1).max() < 1e-13, size
gone = np.flatnonzero(np.isnan(late["pole_real"][:, 0]))
assert list(gone) == [30001], gone
pole = braced["pole_real"][0] + 1j * braced["pole_imaginary"][0]
assert abs(pole - complex(0.95521678, 0.0355134)) < 1e-8, pole
weight = 3 * 9.81 / 2           # the loop is ki/s/(s^2 + 0.3 s + weight) exp(-s delay): slow, ki/(s weight)
assert abs(slow["delay_margin"][0] * 1e-6 * 2 / np.pi / weight - 1) < 1e-6, slow["delay_margin"][0]
last = whole["loop_phase"][0, -1] / np.pi
assert abs(last - round(last)) < 1e-15, last
END
