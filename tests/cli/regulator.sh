# label: values
# Gains of linear quadratic regulators against SciPy's Riccati equations: a rod, an arm, an acrobot, by samples, three rods, weights by joint; of
# chosen poles against SciPy's place_poles, a rod, an acrobot, an arm with a torque at its shoulder, by samples; the
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
sed 's/^analyse.*/analyse: {place: {poles: [[-4, 3], [-4, -3]]}}/' rod.yaml >rod_placed.yaml
sed 's/^analyse.*/analyse: {place: {poles: [[-2, 3], -4, [-2, -3], -5]}}/' acrobot.yaml >acrobot_placed.yaml
sed 's/joint: lower, torque/joint: upper, torque/; s/type: chain/&, angles: joint/; s/lower: 3.2/lower: 0.1/
    s/^analyse.*/analyse: {place: {poles: [[-3, 1], [-6, 2], [-3, -1], [-6, -2]]}}/' acrobot.yaml >pendubot_placed.yaml
sed 's/^analyse.*/analyse: {place: {poles: [[0.9, 0.05], 0.8, 0.7, [0.9, -0.05]], sample_time: 0.02}}/' acrobot.yaml >sampled_placed.yaml
studies='rod arm acrobot sampled mixed uneven uneven_sampled rod_placed acrobot_placed pendubot_placed sampled_placed'
for study in $studies; do
    expect 0 "$MANYLINK" run $study.yaml -q -o $study.h5
done
resolved() {
    "$PYTHON" -c 'import h5py, sys; print(h5py.File(sys.argv[1])["study/resolved"].asstr()[()])' "$1"
}
for study in arm uneven uneven_sampled pendubot_placed sampled_placed; do
    resolved $study.h5 >resolved.yaml
    expect 0 "$MANYLINK" run resolved.yaml -q -o resolved.h5
    resolved resolved.h5 | cmp resolved.yaml - || fail "resolved text of $study"
    "$PYTHON" -c 'import h5py, sys; key = "place_stiffness" if "placed" in sys.argv[1] else "lqr_stiffness"
a, b = (h5py.File(name)["study/summary"][key][()] for name in sys.argv[1:])
assert (a == b).all()' $study.h5 resolved.h5 || fail "gains of the resolved text of $study"
    rm resolved.h5
done
"$PYTHON" - "$SOURCE/tests/reference/regulators.json" <<'END' || fail "regulators"
import json
import sys

import h5py
import numpy as np

worst, worst_placed = 0, 0
for name, known in json.load(open(sys.argv[1])).items():
    own = h5py.File(f"{name}.h5")["study/summary"]
    gains, is_placed = {}, "placed" in name
    kind = "place" if is_placed else "lqr"
    for key in ("stiffness", "damping"):
        expected = np.array(known[key])
        gains[key] = own[f"{kind}_{key}"][()]
        error = abs(gains[key] - expected).max() / abs(expected).max()
        worst, worst_placed = max(worst, 0 if is_placed else error), max(worst_placed, error if is_placed else 0)
    # The acrobot's poles are 1e5 times as sensitive as its gains: its torque moves what it holds up only in passing.
    assert is_placed or abs(own["lqr_slowest_pole"][()] / known["slowest"] - 1) < (3e-10 if name == "acrobot" else 1e-13), name
    assert not is_placed or own["place_error"][()] < 1e-11, own["place_error"][()]
    pose = np.array(own[f"{kind}_equilibrium"][()])
    at = {"rod": [np.pi], "sampled": [np.pi, 0], "uneven_sampled": [np.pi, 0], "rod_placed": [np.pi],
          "pendubot_placed": [np.pi, 0], "mixed": [0, np.pi, np.pi]}.get(name, [np.pi, np.pi])
    assert abs(pose - at).max() < 1e-12, pose
    held = [f"{{name: hold, type: impedance, equilibrium: {pose.tolist()}, stiffness: {gains['stiffness'].tolist()}, "
            f"damping: {gains['damping'].tolist()}{', sample_time: 0.02' if 'sampled' in name else ''}}}"]
    text = [line for line in open(f"{name}.yaml") if not line.startswith(("forces", "analyse", "initial"))]
    text += [f"initial: {{angle: {(pose + 0.001).tolist()}}}\n", f"forces: [{held[0]}]\n", "analyse: {poles: {}}\n"]
    text = [line.replace("end: 0.1", "end: 8") for line in text]
    open(f"{name}_held.yaml", "w").writelines(text)
print(worst, worst_placed)
assert worst < 2e-12 and worst_placed < 1e-12
END
for study in $studies; do
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
    slowest = known["slowest"] or (abs(expected) if "sampled" in name else expected.real).max()
    rest = np.exp(8 * slowest) if "sampled" not in name else slowest ** 400
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
# No torque at the elbow turns the arm where gravity does not; a hanging rod swings for pi sqrt(2/(3 g)) s from side to side: held torques
# do not control its swing between such samples, and do between others. Twelve equal poles of six rods with one torque.
sed 's/type: chain/&, gravity: 0/' acrobot_placed.yaml >falls.yaml
sed 's/end: 0.1/end: 2/; s/angle: 3.0/angle: 0.1/; s/^analyse.*/analyse: {place: {poles: [0.5, 0.4], sample_time: 0.81897329295663794}}/' rod.yaml >sides.yaml
sed 's/0.81897329295663794/0.8/' sides.yaml >controlled.yaml
for study in falls sides; do
    expect 0 "$MANYLINK" run $study.yaml
    says err "place: 1 of 1 runs have no gains (NaN): no equilibrium was found"
done
expect 0 "$MANYLINK" run controlled.yaml
! grep -q 'no gains' err || fail "a rod that samples do not match is controlled"
sed 's/segments.*/segments: {repeat: 6, length: 1, mass: 1}}/; s/angle: 3.0/angle: 3.14/
    s/^analyse.*/forces: [{name: motor, type: formula, joint: "1", torque: 0}]\
analyse: {place: {poles: [-20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20, -20]}}/' rod.yaml >equal.yaml
expect 0 "$MANYLINK" run equal.yaml
says err "warning: place: the poles of 1 of 1 runs are off by more than 1 %"
expect 0 "$MANYLINK" run flat.yaml
says out "1 finished"
! grep -q 'no gains' err || fail "an arm without gravity is in equilibrium"
