# Factors of numbers that follow from the table of a body multiply the table's value: of runs, and of the torques of a
# measured walk against the balance of momenta in numpy.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/reference/laboratory/walk_excerpt.c3d" .
cat >walk.yaml <<'YAML'
manylink: 1
system:
  type: chain
  body: {mass: 82, height: 1.74, segments: [thigh, shank, foot]}
  segments: [{name: thigh, length: 0.42}, {name: shank, length: 0.43}, {name: foot, length: 0.2}]
motion: {file: walk_excerpt.c3d, markers: {thigh: [RASI, RKNE_2], shank: [RKNE_2, RANK], foot: [RANK, RTOE]}, plane: [-x, z], base: RASI}
inverse: {filter: {type: butterworth, order: 2, cutoff: 6}}
forces: [{name: plate, type: load, segment: foot, file: walk_excerpt.c3d, force: [-plate2_fx, plate2_fz], point: [-plate2_px, plate2_pz], threshold: 20}]
sweep:
  - {set: [system.segments.shank.mass, system.segments.shank.inertia], name: mass, scale_by: {values: [1, 1.1]}}
  - {set: system.segments.thigh.com, name: com, scale_by: {from: 0.9, to: 1.1, count: 3}}
YAML
expect 0 "$MANYLINK" inverse walk.yaml -o walk.h5
! grep factors err || fail "a word about factors of numbers that no other number leads"
expect 0 "$MANYLINK" inverse walk.yaml -o given.h5 --set system.segments.shank.mass=4.1943 \
    --set sweep=[] --set system.segments.thigh.com=0.200046
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse walk.yaml -o part-$shard.h5 --shard $shard/2
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 -o merged.h5
same walk.h5 merged.h5
cat >swing.yaml <<'YAML'
manylink: 1
system: {type: chain, body: {mass: 82, height: 1.74, segments: [thigh, shank]}}
time: {step: 0.01, end: 0.1}
sample:
  method: sobol
  count: 64
  over:
    - {set: system.segments.shank.mass, scale_by: {distribution: normal, mean: 1, cv: 0.1}}
    - {set: system.segments.shank.inertia, scale_by: {from: 0.9, to: 1.1}}
    - {set: system.segments.thigh.com, from: 0.15, to: 0.2}
YAML
expect 0 "$MANYLINK" run swing.yaml -o swing.h5 --no-accuracy
! grep factors err || fail "a word about factors of numbers that no other number leads"
expect 0 "$MANYLINK" run swing.yaml -o other.h5 --no-accuracy --set system.body.mass=41
PYTHONPATH="$SOURCE/tests/reference" "$PYTHON" - <<'PY'
import h5py
import newton_euler
import numpy as np

# Winter's fractions: mass of 82 kg; centre of mass and radius of gyration of the length
table = {"thigh": (0.42, 0.1, 0.433, 0.323), "shank": (0.43, 0.0465, 0.433, 0.302), "foot": (0.2, 0.0145, 0.5, 0.475)}
segments = [(l, 82 * m, l * c, 82 * m * (l * r) ** 2) for l, m, c, r in table.values()]

def torque(mass, com, way):
    changed = list(segments)
    changed[0] = (*segments[0][:2], com * segments[0][2], segments[0][3])
    length, m, c, inertia = segments[1]
    changed[1] = (length, mass * m, c, mass * inertia)
    absolute, _ = newton_euler.Chain(changed, *way).inverse(np.array([0, -9.81]))
    return absolute

with h5py.File("walk.h5") as file:
    found = file["study/inverse/torque"][()]
    angle, rate, acceleration, x = (file[f"study/inverse/{name}"][()] for name in ("angle", "rate", "acceleration", "base"))
    way = angle - np.pi / 2, rate, acceleration, np.stack([x.T, file["study/inverse/base_rate"][()].T,
                                                           file["study/inverse/base_acceleration"][()].T])
    peak = np.abs(found[0, 1]).max(-1)
# The load is the same in all runs: differences are those of masses alone
for i, mass in enumerate((1, 1.1)):
    for k, com in enumerate((0.9, 1, 1.1)):
        difference = found[i, k] - found[0, 1]
        right = torque(mass, com, way) - torque(1, 1, way)
        error = np.abs(difference - right).max()
        print(f"mass x {mass}, com x {com}: torques change by up to", np.abs(right).max(-1), "of", peak, "N m; error", error)
        assert error < 1e-11
with h5py.File("given.h5") as file:  # 4.1943 kg is 1.1 x 3.813 kg; inertia follows
    difference = np.abs(file["study/inverse/torque"][()] - found[1, 2]).max()
    print("against the numbers themselves:", difference)
    assert difference < 1e-10
for name, body in (("swing", 82), ("other", 41)):
    with h5py.File(f"{name}.h5") as file:
        runs = file["study/runs"]
        mass, inertia = (runs[f"system.segments.shank.{key}"] for key in ("mass", "inertia"))
        m = 0.0465 * body
        j = m * (0.246 * 1.74 * 0.302) ** 2
        assert abs(mass.attrs["distribution_multiplies"] / m - 1) < 1e-15
        assert abs(inertia.attrs["distribution_multiplies"] / j - 1) < 1e-15
        assert abs(mass[()].mean() / m - 1) < 0.01 and abs(mass[()].std() / (0.1 * m) - 1) < 0.1
        assert 0.9 * j <= inertia[()].min() < 0.91 * j < 1.09 * j < inertia[()].max() <= 1.1 * j
PY

# A factor multiplies the value of the study, whatever a run has in its place; that is noticed once.
expect 0 "$MANYLINK" run swing.yaml -o both.h5 --no-accuracy --set 'sample.over[2]={set: system.body.mass, from: 60, to: 90}'
says err "swing.yaml:8:13: note: factors of \`system.segments.shank.mass\` multiply 3.813 kg, which follows from \`system.body.mass\`"
[ "$(grep -c factors err)" = 1 ] || fail "not one word: $(cat err)"
expect 2 "$MANYLINK" run swing.yaml -o no.h5 --set 'sample.over[0].scale_by={from: -1, to: 1}'
says err "--set sample.over[0].scale_by={from: -1, to: 1}: mass is -3.813 but must be > 0"
expect 2 "$MANYLINK" run swing.yaml -o no.h5 --set 'sample.over[0].set=system.segments.shin.mass'
says err "\`system.segments.shin.mass\` is not a number of this study; the nearest number is \`system.segments.shank.mass\`"
expect 2 "$MANYLINK" run swing.yaml -o no.h5 --set 'forces=[{name: hold, type: torque, joint: shank}]' \
    --set 'sample.over[0].set=forces.hold.slope'
