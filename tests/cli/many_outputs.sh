# A study may have more outputs than any array once had room for, with names as long as HDF5's.
. "$SOURCE/tests/check.sh"
need_python

event=an_event_whose_name_is_long_enough_that_what_was_cut_off_behind_it_made_two_of_its_datasets_the_same
"$PYTHON" - $event >many.yaml <<'END'
import sys

names = [f"segment_{i}" for i in range(16)]
print(f"""manylink: 1
system:
  type: chain
  segments: [{", ".join(f"{{name: {name}, length: 0.1, mass: 1}}" for name in names)}]
time: {{step: 1e-3, end: 0.5}}
initial: {{angle: 1}}
sweep: [{{set: initial.angle.segment_0, from: 0, to: 1, count: 5}}]
accuracy: off
events:""")
keep = ", ".join(f"angle.{name}" for name in names)
for i in range(16):
    print(f"  - {{name: {sys.argv[1] if i == 0 else f'beat_{i}'}, period: 0.1, max: 2, keep: [{keep}]}}")
END
expect 0 "$MANYLINK" run --quiet many.yaml -o many.h5
expect 0 "$MANYLINK" verify many.h5
expect 0 "$MANYLINK" table many.h5
"$PYTHON" - $event out <<'END'
import csv
import sys

import h5py
import numpy as np

event, out = sys.argv[1:]
rows = [{name.partition(" (")[0]: value for name, value in row.items()} for row in csv.DictReader(open(out))]
with h5py.File("many.h5") as file:
    summary = file["study/summary"]
    outputs = list(summary.attrs["outputs"])
    assert len(outputs) == len(set(outputs)) > 16 * 19, len(outputs)
    for i in range(16):
        values = summary[f"{event}_angle.segment_{i}"][()]
        assert np.array_equal(values, summary[f"beat_15_angle.segment_{i}"][()])
        assert values[4, 1] == float(rows[4][f"{event}_angle.segment_{i}.2"]), rows[4]
    assert len(set(summary[f"{event}_angle.segment_{i}"][4, 1] for i in range(16))) == 16
END
expect 0 "$MANYLINK" plot many.h5 "${event}_angle.segment_15" --script picture
expect 0 "$MANYLINK" merge many.h5 -o merged.h5
same many.h5 merged.h5
