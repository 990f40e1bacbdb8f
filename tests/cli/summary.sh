# label: values
# A study says what its summary has: what is left has the same bits as with everything else, also what is
# asked for below `analyse` or differentiated; results of little can be read, checked and drawn.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
time: {step: 5e-3, end: 3}
sweep:
  - {set: initial.angle.upper, from: -3, to: 3, count: 12}
  - {set: initial.angle.lower, from: -3, to: 3, count: 10}
analyse: {sensitivity: {of: [energy_drift], to: [system.segments.lower.mass]}}
events: [{name: flip, when: angle.lower, crosses: pi, every: 2*pi}]
END
expect 0 "$MANYLINK" plan study.yaml --set save.summary=none --set 'analyse={}'
says out "summary   flip_time, flip_count"
expect 0 "$MANYLINK" run study.yaml -o all.h5
expect 0 "$MANYLINK" run study.yaml --set save.summary=end_state -o end.h5
expect 0 "$MANYLINK" run study.yaml --set 'save.summary=none' --set 'analyse={}' -o flips.h5
expect 0 "$MANYLINK" run study.yaml --set 'save.summary=none' --set 'analyse={}' --set 'events=[]' -o none.h5
for result in end flips none; do
    expect 0 "$MANYLINK" verify $result.h5
    expect 0 "$MANYLINK" info $result.h5
    expect 0 "$MANYLINK" table $result.h5
done
"$PYTHON" - <<'END' || exit $?
import sys

import h5py


def summary(name):
    study = h5py.File(f"{name}.h5")["study"]
    return {key: item[...].tobytes() for key, item in study.get("summary", {}).items()
            if isinstance(item, h5py.Dataset) and "CLASS" not in item.attrs and key != "outcome"}


resolved = h5py.File("end.h5")["study/resolved"][()].decode()
assert "summary: [end_state]" in resolved, resolved
everything = summary("all")
sensitivity = {name for name in everything if "sensitivity" in name}
assert sensitivity and {"max_rate", "end_angle", "energy_drift", "flip_time"} <= set(everything)
for name, wanted in (("end", sensitivity | {"end_angle", "end_rate", "energy_drift", "flip_time", "flip_count"}),
                     ("flips", {"flip_time", "flip_count"}), ("none", set())):
    kept = summary(name)
    assert {key for key in kept if "wrapped" not in key} == wanted, (name, set(kept) ^ wanted)
    for key in kept:
        assert kept[key] == everything[key], (name, key)
END
