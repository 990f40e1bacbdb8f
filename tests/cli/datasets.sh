# label: values
# docs/datasets.md describes what results have: every dataset of results of all kinds has a row there, with its dimensions, unit
# and description, and every row has been met.
. "$SOURCE/tests/check.sh"
need_python

chain='system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}'
draw='over: [{set: initial.angle.upper, from: -1, to: 1}, {set: initial.rate.lower, from: 0, to: 2}]'
grid='sweep: [{set: initial.angle.upper, from: -1, to: 1, count: 3}, {set: initial.angle.lower, from: -1, to: 1, count: 3}]'
cat >sample.yaml <<END
manylink: 1
$chain
time: {step: 1e-2, end: 0.5}
forces: [{name: hand, type: contact, segment: lower, point: [0, -1.45], normal: [0, 1], stiffness: 1000}, {name: hold, type: pid, joint: upper, target: 0.1, kp: 9, kd: 3}]
sweep: [{set: system.gravity, values: [1, 9.81]}]
sample: {method: random, count: 30, $draw}
analyse: {tracking: {}, lyapunov: {exponents: 2}, poles: {}, frequency_response: {from: 0.1, to: 10, count: 4}}
events: [{name: up, when: angle.upper, crosses: 0, max: 3, keep: [rate.lower]}]
require: {max_rate.lower: {below: 8}}
save: {trajectory: {every: 10, quantities: [angle, end_position, contact_force]}}
END
cat >map.yaml <<END
manylink: 1
$chain
$grid
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 0.5}
analyse: {sensitivity: {of: [end_state, trajectory], to: [system.gravity]}}
save: {trajectory: {every: 10, quantities: [angle]}}
END
for design in 'method: sobol, design: saltelli, second_order: true, count: 8' 'design: oat, count: 5' 'method: random, count: 40'; do
    name=$(echo "$design" | sed 's/.*design: \([a-z]*\).*/\1/; s/method.*/points/')
    printf 'manylink: 1\n%s\ntime: {step: 1e-2, end: 0.5}\nsample: {%s, %s}\n' "$chain" "$design" "$draw" >"$name.yaml"
done
cat >basins.yaml <<'END'
manylink: 1
system: {type: duffing, delta: 0.3, gamma: 0}
time: {step: 0.05, end: 200}
events: [{name: beat, period: 5, from: 150, max: 8, keep: [state], attractors: 1e-3}]
sweep: [{set: initial.v, from: -2, to: 2, count: 20}, {set: initial.x, from: -2, to: 2, count: 20}]
END
sed 's/sweep.*/sweep: [{set: system.alpha, values: [-1, -1.2]}]\nsample: {method: random, count: 20, over: [{set: initial.x, from: -2, to: 2}]}/' basins.yaml >wells.yaml
sed 's/time.*/analyse: {lyapunov: {}}\n&/; s/sweep.*/sweep: [{set: initial.x, from: -2, to: 2, count: 10}, {set: system.alpha, values: [-1, -1.2]}]/' basins.yaml >exponents.yaml
printf 'manylink: 1\nsystem: {type: mass_spring_damper, mass: [1, 1], stiffness: [[2, -1], [-1, 2]]}\ntime: {step: 0.01, end: 1}\n' >arrays.yaml
printf 'manylink: 1\nsystem: {type: equations, state: {x: {count: 3, value: 1}}, rates: {"x[i]": "-x[i]"}}\ntime: {step: 0.01, end: 1}\n' >entries.yaml
grep -v 'sweep\|analyse\|save' map.yaml >runs.yaml
for name in sample map saltelli oat points basins wells exponents arrays entries; do
    expect 0 "$MANYLINK" run "$name.yaml" --quiet --threads 1
done
sed 's/step: 1e-2, end: 0.5/step: 1e-2, end: 0.2/' "$SOURCE/studies/reach_inverse.yaml" >inverse.yaml
expect 0 "$MANYLINK" inverse inverse.yaml --quiet -o inverse.h5
expect 0 "$MANYLINK" inverse runs.yaml --motion map.h5 --quiet -o runs.h5
cat >swing.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.4, mass: 8}, {name: shank, length: 0.4, mass: 4}]}
initial: {angle: {thigh: 0.5, shank: 0.7}}
time: {step: 1e-2, end: 6}
save: {trajectory: {every: 1, quantities: [angle]}}
END
sed 's/^time.*/inverse: {cycles: {of: shank}}/; /^save/d; /^initial/d' swing.yaml >cycles.yaml
expect 0 "$MANYLINK" run swing.yaml --quiet
expect 0 "$MANYLINK" inverse cycles.yaml --motion swing.h5 --quiet -o cycles.h5
expect 0 "$MANYLINK" fit "$SOURCE/studies/fit_pendulum.yaml" --set sample.count=2 --profile --quiet -o fit.h5
awk -v OFS=, 'BEGIN { print "time,x"; for (k = 0; k <= 10; k++) print k / 10, exp(-k / 10) + 0.01 * (k % 3 - 1) }' >decay.csv
cat >decay.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {x: 1}, rates: {x: -k*x}}
time: {step: 0.1, end: 1}
sample: {method: sobol, count: 2, over: [{set: system.k, distribution: normal, mean: 1, sd: 0.2}, {set: initial.x, from: 0.5, to: 2}]}
fit: {to: decay.csv, columns: {x: x}, sd: 0.01, posterior: {walkers: 8, steps: 20, burn_in: 10}}
END
expect 0 "$MANYLINK" fit decay.yaml --quiet -o posterior.h5
expect 0 "$MANYLINK" compare arrays.yaml --integrators rk4,tp86 -o compare.h5

cat >check.py <<'END'
import glob
import re
import sys

import h5py

LINE = re.compile(r"\| `([^ `]*)( \[(.*)\])?` \| ([^|]*) \| (.*) \|$")
OWN = "that of NAME"


class Row:
    def __init__(self, path, dims, unit, doc):
        self.text, self.unit, self.doc, self.is_met = f"{path} [{dims}] {unit} {doc}", unit, doc, False
        self.is_scale = path.split("/")[-1] == dims
        in_any_group = "/" not in path or (self.is_scale and "attractors" not in path)
        words = re.sub("NAME|EVENT|AXIS", "[^/]+", dims if self.is_scale and in_any_group else path)
        words = words.replace("PATH", r"[^/]+[.][^/]+")
        self.path = re.compile("(.*/)?" + words if in_any_group else words)
        parts = ["(.*, )?" if dim == ".." else re.sub("NAME|AXIS", "[^,]*", re.escape(dim)) + ", " for dim in (dims or "").split(", ") if dim]
        self.dims = re.compile("".join(parts))
        self.order = ("PATH" not in path, in_any_group, len(re.findall("NAME|AXIS", path)), doc == OWN, unit == OWN)

    def describes(self, path, dims, unit, doc):
        own = path.split("/")[-1]
        is_shape = dims == [own] if self.is_scale else own not in dims and self.dims.fullmatch("".join(dim + ", " for dim in dims))
        is_doc = doc == self.doc or self.doc == OWN or (self.doc == "how the run ended" and doc.startswith(self.doc))
        return is_shape and is_doc and self.unit in (OWN, unit) and self.path.fullmatch(path)


with open(sys.argv[1], encoding="utf-8") as page:
    rows = [Row(*LINE.match(line).group(1, 3, 4, 5)) for line in page if line.startswith("| `")]
rows.sort(key=lambda row: row.order)
unknown = set()


def look(path, dataset):
    is_of_motion = path.startswith("inverse/") and not h5py.h5ds.is_scale(dataset.id)  # docs/inverse.md
    if is_of_motion or (h5py.check_string_dtype(dataset.dtype) and not dataset.shape):
        return
    own = path.split("/")[-1]
    dims = [dim[0].name.split("/")[-1] if len(dim) else own for dim in dataset.dims]
    about = (path, dims, dataset.attrs.get("units", ""), dataset.attrs.get("description", ""))
    row = next((row for row in rows if row.describes(*about)), None)
    if row:
        row.is_met = True
    else:
        unknown.add(str(about))


def walk(path, group):
    for name, item in group.items():
        if isinstance(item, h5py.Dataset):
            look(path + name, item)
        elif name not in ("plots", "provenance"):
            walk(path + name + "/", item)


files = glob.glob("*.h5")
for name in files:
    with h5py.File(name) as file:
        walk("", file["study"])
lacking = sorted(unknown) + [row.text for row in rows if not row.is_met]
print("\n".join(lacking))
sys.exit(len(files) < 14 or bool(lacking))
END
expect 0 "$PYTHON" check.py "$SOURCE/docs/datasets.md"
