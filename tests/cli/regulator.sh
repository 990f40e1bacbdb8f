# label: values
# Gains of linear quadratic regulators against SciPy's Riccati equations: a rod, an arm, an acrobot, by samples, three rods, weights by joint; the
# gains as an `impedance` have the poles of the closed loop, and hold the arm; notices where there is no regulator.
. "$SOURCE/tests/check.sh"
need_python

cat >rod.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: rod, length: 1, mass: 1.5}]}
initial: {angle: 3.0}
time: {step: 1e-2, end: 0.1}
analyse: {lqr: {q: {angle: 100, rate: 1}, r: 0.1}}
END
cat >arm.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 3.0, lower: 3.2}}
time: {step: 1e-2, end: 0.1}
analyse: {lqr: {q: {angle: 50, rate: 2}, r: 0.5}}
END
sed 's/^analyse.*/forces: [{name: elbow, type: formula, joint: lower, torque: 0}]\nanalyse: {lqr: {q: {angle: 10, rate: 5}}}/' arm.yaml >acrobot.yaml
sed 's/type: chain/&, angles: joint/; s/lower: 3.2/lower: 0.1/; s/r: 0.5/&, sample_time: 0.02/' arm.yaml >sampled.yaml
sed 's/mass: 1}\]/mass: 1}, {name: hand, length: 0.4, mass: 0.7}]/; s/upper: 3.0/upper: 0.1/; s/lower: 3.2/&, hand: 3.1/
    s/^analyse.*/analyse: {lqr: {q: {angle: 20, rate: 0.5}, r: 0.2}}/' arm.yaml >mixed.yaml
sed 's/angle: 50, rate: 2}, r: 0.5/angle: {upper: 50, lower: 5}, rate: [2, 0.1]}, r: {upper: 0.5, lower: 0.02}/' arm.yaml >uneven.yaml
sed 's/angle: 50, rate/angle: {lower: 300}, rate/; s/r: 0.5/r: [4, 0.1]/' sampled.yaml >uneven_sampled.yaml
for study in rod arm acrobot sampled mixed uneven uneven_sampled; do
    expect 0 "$MANYLINK" run $study.yaml -q -o $study.h5
done
resolved() {
    "$PYTHON" -c 'import h5py, sys; print(h5py.File(sys.argv[1])["study/resolved"].asstr()[()])' "$1"
}
for study in arm uneven uneven_sampled; do
    resolved $study.h5 >resolved.yaml
    expect 0 "$MANYLINK" run resolved.yaml -q -o resolved.h5
    resolved resolved.h5 | cmp resolved.yaml - || fail "resolved text of $study"
    "$PYTHON" -c 'import h5py, sys; a, b = (h5py.File(name)["study/summary/lqr_stiffness"][()] for name in sys.argv[1:])
assert (a == b).all()' $study.h5 resolved.h5 || fail "gains of the resolved text of $study"
    rm resolved.h5
done
"$PYTHON" - "$SOURCE/tests/reference/regulators.json" <<'END' || fail "regulators"
import json
import sys

import h5py
import numpy as np

worst = 0
for name, known in json.load(open(sys.argv[1])).items():
    own = h5py.File(f"{name}.h5")["study/summary"]
    gains = {}
    for key in ("stiffness", "damping"):
        expected = np.array(known[key])
        gains[key] = own[f"lqr_{key}"][()]
        worst = max(worst, abs(gains[key] - expected).max() / abs(expected).max())
    # The acrobot's poles are 1e5 times as sensitive as its gains: its torque moves what it holds up only in passing.
    assert abs(own["lqr_slowest_pole"][()] / known["slowest"] - 1) < (3e-10 if name == "acrobot" else 1e-13), name
    pose = np.array(own["lqr_equilibrium"][()])
    at = {"rod": [np.pi], "sampled": [np.pi, 0], "uneven_sampled": [np.pi, 0], "mixed": [0, np.pi, np.pi]}.get(name, [np.pi, np.pi])
    assert abs(pose - at).max() < 1e-12, pose
    held = [f"{{name: hold, type: impedance, equilibrium: {pose.tolist()}, stiffness: {gains['stiffness'].tolist()}, "
            f"damping: {gains['damping'].tolist()}{', sample_time: 0.02' if 'sampled' in name else ''}}}"]
    text = [line for line in open(f"{name}.yaml") if not line.startswith(("forces", "analyse", "initial"))]
    text += [f"initial: {{angle: {(pose + 0.001).tolist()}}}\n", f"forces: [{held[0]}]\n", "analyse: {poles: {}}\n"]
    text = [line.replace("end: 0.1", "end: 8") for line in text]
    open(f"{name}_held.yaml", "w").writelines(text)
print(worst)
assert worst < 2e-12
END
for study in rod arm acrobot sampled mixed uneven uneven_sampled; do
    expect 0 "$MANYLINK" run ${study}_held.yaml -q -o ${study}_held.h5
done
"$PYTHON" - "$SOURCE/tests/reference/regulators.json" <<'END' || fail "poles of regulators"
import json
import sys

import h5py
import numpy as np

worst = 0
for name, known in json.load(open(sys.argv[1])).items():
    own = h5py.File(f"{name}_held.h5")["study/summary"]
    poles = (own["pole_real"][()] + 1j * own["pole_imaginary"][()])
    expected = np.array(known["poles"]) @ [1, 1j]
    worst = max(worst, max(abs(poles - p).min() for p in expected) / abs(expected).max())
    # The chain comes to rest: the slowest pole says how far.
    rest = np.exp(8 * known["slowest"]) if "sampled" not in name else known["slowest"] ** 400
    assert abs(own["end_rate"][()]).max() < rest + 1e-10, (name, own["end_rate"][()], rest)
print(worst)
assert worst < 1e-11
END

# Without gravity torques at the elbow leave the arm turning; a cost without angles lets a rod drift; an arm in a horizontal plane.
sed 's/type: chain/&, gravity: 0/' acrobot.yaml >turns.yaml
sed 's/type: chain/&, gravity: 0/; s/angle: 100/angle: 0/' rod.yaml >drifts.yaml
sed 's/type: chain/&, gravity: 0/' rod.yaml >flat.yaml
for study in turns drifts; do
    expect 0 "$MANYLINK" run $study.yaml
    says err "lqr: 1 of 1 runs have no gains (NaN): no equilibrium was found"
done
expect 0 "$MANYLINK" run flat.yaml
says out "1 finished"
! grep -q 'no gains' err || fail "an arm without gravity is in equilibrium"
