# Sobol' indices of groups of inputs: against the estimators of SALib on its sample with groups, and closed forms, also of
# inputs that are correlated within a group; rows of a file, fixed keys, extensions, and what has no groups.
. "$SOURCE/tests/check.sh"
need_python

cat >ishigami.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {x: 0, y: 0, z: 0}, state: {f: 0}, next: {f: sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x)}}
time: {steps: 1}
sample:
  method: sobol
  count: 1024
  design: saltelli
  second_order: true
  over:
    - {set: system.x, from: -pi, to: pi, group: outer}
    - {set: system.y, from: -pi, to: pi}
    - {set: system.z, from: -pi, to: pi, group: outer}
  seed: 0
END
for second in true false; do
    expect 0 "$MANYLINK" run ishigami.yaml --set sample.second_order=$second -o $second.h5
    expect 0 "$MANYLINK" sensitivity $second.h5 --csv
    cp out $second.csv
done
cat >salib.py <<'END'
import csv

import h5py
import numpy as np
from scipy.stats import qmc

GROUPS = ["outer", "system.y", "outer"]
NAMES = list(dict.fromkeys(GROUPS))


def sample(second):  # SALib.sample.sobol without scrambling
    rows = []
    for point in qmc.Sobol(d=6, scramble=False).random(1024):
        a, b = point[:3], point[3:]
        is_in = [[group == name for group in GROUPS] for name in NAMES]
        rows += [a, *(np.where(own, b, a) for own in is_in), *(np.where(own, a, b) for own in is_in if second), b]
    return np.pi*(2*np.array(rows) - 1)


def analyze(y, second):  # SALib.analyze.sobol
    y, n = (y - y.mean())/y.std(), len(NAMES)
    step = 2 + n*(1 + second)
    a, b, a_b = y[::step], y[step-1::step], [y[k+1::step] for k in range(n)]
    variance = np.var(np.r_[a, b])
    found = {(name, "first_order"): np.mean(b*(a_b[k] - a))/variance for k, name in enumerate(NAMES)}
    found |= {(name, "total"): np.mean((a - a_b[k])**2)/2/variance for k, name in enumerate(NAMES)}
    if second:
        first = [found[name, "first_order"] for name in NAMES]
        found["outer * system.y", "second_order"] = np.mean(y[n+1::step]*a_b[1] - a*b)/variance - sum(first)
    return found


for second in True, False:
    name = str(second).lower()
    study = h5py.File(f"{name}.h5")["study"]
    x, y, z = points = sample(second).T
    assert all(abs(study[f"runs/system.{key}"][:] - points[i]).max() < 1e-15 for i, key in enumerate("xyz"))
    known = analyze(np.sin(x) + 7*np.sin(y)**2 + 0.1*z**4*np.sin(x), second)
    rows = {row["input"]: row for row in csv.DictReader(open(f"{name}.csv"))}
    assert len(rows) == 2 + second
    for (own, kind), value in known.items():
        assert abs(float(rows[own][kind]) - value) < 2e-14, (own, kind, value)
    table = study["sensitivity/global"]
    assert list(table["input"].asstr()) == NAMES and list(study["runs"].attrs["groups"]) == GROUPS
    assert list(study["runs"].attrs["inputs"]) == ["system.x", "system.y", "system.z"]
    assert [float(rows[own]["total"]) for own in NAMES] == list(table["total"][0])
    if second:
        assert table["second_order"][0, 0, 1] == float(rows["outer * system.y"]["second_order"])
END
/usr/bin/python3 salib.py || fail "other numbers than those of SALib"

# Closed forms: 1 + 0.1 z^4 with x explains 0.55759 of the variance, y 0.44241. Of x + 2 y + 3 z with a correlation of 0.5 of x
# and z the group of these has 13/17 of the variance.
expect 0 "$MANYLINK" run ishigami.yaml --set sample.method=scrambled_sobol --set sample.count=4096 --set sample.second_order=false -o scrambled.h5
says out "16384 runs"
sed '/second_order/d; s/next: .*/next: {f: x + 2*y + 3*z}}/; s/from: -pi, to: pi/distribution: normal, mean: 0, sd: 1/
    s/method: sobol/method: scrambled_sobol/; s/count: 1024/count: 4096/' ishigami.yaml >linear.yaml
echo '  correlation: [{between: [system.x, system.z], r: 0.5}]' >>linear.yaml
expect 0 "$MANYLINK" run linear.yaml
for result in scrambled=0.55759 linear=0.76471; do
    expect 0 "$MANYLINK" sensitivity ${result%=*}.h5
    awk -v known=${result#*=} '/^  (outer|system.y) / { n++; own = n == 1 ? known : 1 - known
        if (($2 - own)^2 > 0.004^2 || ($5 - own)^2 > 0.004^2) exit 1 } END { exit n != 2 }' out || fail "$result: $(cat out)"
done

# Measures by derivatives are of inputs, not of groups.
sed 's/kind: map, //; s/next: .*/rates: {f: x + 2*y + 3*z}}/; s/steps: 1/step: 0.5, end: 1/' ishigami.yaml >rates.yaml
echo 'analyse: {sensitivity: {to: [system.x, system.y, system.z]}}' >>rates.yaml
expect 0 "$MANYLINK" run rates.yaml --set sample.count=64
expect 0 "$MANYLINK" sensitivity rates.h5 end_f --estimator derivatives
test "$(grep -c '^  system.[xyz]  ' out)" = 3 || fail "$(cat out)"

# Rows of a file in the order of the groups have the same indices, in another none; fixed keys leave their group.
expect 0 "$MANYLINK" sensitivity true.h5
cp out whole
sed '/^sample/,$d' ishigami.yaml >file.yaml
cat >>file.yaml <<'END'
sample:
  file: true.h5
  design: saltelli
  second_order: true
  over:
    - {set: system.x, column: /study/runs/system.x, group: outer}
    - {set: system.y, column: /study/runs/system.y}
    - {set: system.z, column: /study/runs/system.z, group: outer}
END
expect 0 "$MANYLINK" run file.yaml
expect 0 "$MANYLINK" sensitivity file.h5
cmp out whole || fail "the file has other indices"
sed 's/, group: outer//' file.yaml >apart.yaml
expect 2 "$MANYLINK" plan apart.yaml
says err "row 2 of the file is not in the order of design \`saltelli\`"
expect 0 "$MANYLINK" plan file.yaml --set system.z=1
says out "6144"
expect 0 "$MANYLINK" run file.yaml --set system.z=1 -o points.h5
expect 0 "$MANYLINK" sensitivity points.h5
says out "6144 of 6144 runs are complete; first order by bins"
expect 0 "$MANYLINK" run ishigami.yaml --set system.z=1 --set sample.count=64 -o fixed.h5
says out "384 runs"
expect 0 "$MANYLINK" sensitivity fixed.h5
says out "  outer, system.y:"
expect 0 "$MANYLINK" run ishigami.yaml --set system.x=1 --set system.z=1 --set sample.count=64 -o alone.h5
says out "256 runs"

# Other groups are other points, of which those with the same numbers are taken: of each input alone A, B, A with y of B, B with y of A.
over='sample.over=[{set: system.x, from: -pi, to: pi}, {set: system.y, from: -pi, to: pi}, {set: system.z, from: -pi, to: pi}]'
expect 0 "$MANYLINK" run ishigami.yaml --set sample.count=33 --set sample.seed=3 -o old.h5
expect 0 "$MANYLINK" run ishigami.yaml --set sample.count=33 --set sample.seed=3 --set "$over" -o once.h5
expect 0 "$MANYLINK" extend old.h5 -o new.h5 --set "$over"
says out "132 of 264 runs are taken of old.h5"
same new.h5 once.h5

# What has no groups.
refused()
{
    sed "$2" linear.yaml >bad.yaml
    expect 2 "$MANYLINK" plan bad.yaml
    says err "$1"
}
refused "bad.yaml:8:68: key \`group\` belongs to \`design: saltelli\`" '/design/d'
refused "key \`group\` belongs to \`design: saltelli\`" '/method/d; s/saltelli/morris/; s/4096/16/; /correlation/d'
refused 'cannot name the group `system.y`: a key of another range has that name' 's/group: outer/group: system.y/'
refused "the name of the group is empty" 's/group: outer/group: ""/'
refused "group must be text, not a list" 's/group: outer/group: [a, b]/'
refused "correlated ranges, \`system.x\` and \`system.y\`: its indices need independent inputs or groups of inputs; give both the same \`group\`" \
    's/x, system.z/x, system.y/'
