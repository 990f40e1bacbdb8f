# `inverse: {keep, per_mass}`: the datasets over time of a result, and the mass that divides them; power, and the torque
# due to the other joints.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cat >reach.yaml <<'YAML'
manylink: 1
system:
  type: chain
  angles: joint
  zero: right
  segments: [{name: upper, length: 0.31, mass: 1.93}, {name: fore, length: 0.34, mass: 1.52}]
time: {step: 0.01, end: 0.6}
motion: {type: minimum_jerk, start: {angle: [0, 1]}, end: {angle: [0.8, 0.3]}, duration: 0.6}
sweep: [{set: system.segments.fore.mass, from: 1, to: 2, count: 5}]
YAML

# inverts NAME KEYS: NAME.h5 with `inverse: KEYS`
inverts()
{
    expect 0 "$MANYLINK" inverse reach.yaml --set "inverse={$2}" -o "$1.h5"
}

expect 0 "$MANYLINK" inverse reach.yaml -o usual.h5
inverts some 'keep: [power, torque_interaction], per_mass: 70'
inverts all 'keep: [torque, torque_inertia, torque_inertia_own, torque_velocity, torque_gravity, torque_interaction, power]'
inverts alone 'keep: torque'
"$PYTHON" - <<'PY'
import h5py
import numpy as np

motion = {"angle", "rate", "acceleration"}
scales = {"time", "joint", "coordinate", "segment", "system.segments.fore.mass", "plots"}
usual, some, all_, alone = (h5py.File(f"{name}.h5") for name in ("usual", "some", "all", "alone"))


def sets(file):
    return set(file["study/inverse"]) - scales - motion


assert sets(alone) == {"torque"} and sets(some) == {"torque", "power", "torque_interaction"}
assert sets(usual).isdisjoint({"power", "torque_interaction"}) and "torque_inertia_coupling" in sets(usual)
has = {name: data[()] for name, data in all_["study/inverse"].items() if name in sets(all_)}
assert np.array_equal(has["torque"], usual["study/inverse/torque"])
interaction = usual["study/inverse/torque_inertia_coupling"][()].sum(2) + has["torque_velocity"]
assert np.abs(has["torque_interaction"] - interaction).max() < 1e-14 * np.abs(has["torque"]).max()
rate = usual["study/inverse/rate"][()]
assert np.array_equal(has["power"], has["torque"] * rate)
time = usual["study/inverse/time"][()]
for name, sign in ("positive_work", 1), ("negative_work", -1):
    work = np.trapz(np.maximum(sign * has["power"], 0) * sign, time)
    assert np.abs(work - usual[f"study/summary/{name}"]).max() < 1e-13, name
for group in "inverse", "summary":
    for name, data in some[f"study/{group}"].items():
        unit = data.attrs.get("units")
        if unit in ("N m/kg", "W/kg", "J/kg"):
            same = (all_ if name in has else usual)[f"study/{group}/{name}"]
            assert unit == same.attrs["units"] + "/kg" and np.array_equal(data, same[()] / 70), name
        assert unit not in ("N m", "N", "W", "J"), name
assert some["study/summary/peak_torque"].attrs["units"] == "N m/kg"
PY
expect 0 "$MANYLINK" verify some.h5
expect 0 "$MANYLINK" plot some.h5 power --bands -o power.png
expect 0 "$MANYLINK" plot all.h5 parts -o parts.png
expect 0 "$MANYLINK" plot alone.h5 parts -o alone.png
expect 0 "$MANYLINK" report alone.h5 -o alone.html
expect 0 "$MANYLINK" export some.h5 --run 2 -o some.csv
expect 0 "$MANYLINK" table alone.h5
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse reach.yaml --set 'inverse={keep: [power, torque_interaction], per_mass: 70}' \
        --shard $shard/2 -o part-$shard.h5
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 -o merged.h5
"$PYTHON" - <<'PY' || fail "shards have other numbers"
import h5py
import numpy as np
one, two = h5py.File("some.h5"), h5py.File("merged.h5")
assert all(np.array_equal(one["study/inverse"][k], two["study/inverse"][k]) for k in ("torque", "power"))
PY
