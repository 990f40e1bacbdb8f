# The force `load` beside other keys of a study: steps by tolerance, events, derivatives, tangent vectors, sweeps in
# shards and interrupted, kernels made for it; and a study that has been resolved.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" - <<'PY'
import math

with open("plate.csv", "w") as file:
    print("time,fx,fy,mz,px,py", file=file)
    for k in range(41):
        t = k * 0.05
        is_on = 0.3 < t < 1.4
        print(t, 20 * math.sin(4 * t), 60 * is_on * math.sin(3 * (t - 0.3)) ** 2 + 3, math.cos(t),
              0.1 * t if is_on else -7, -0.8 if is_on else 9, sep=",", file=file)
PY
cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: thigh, length: 0.43, mass: 7}, {name: shank, length: 0.42, mass: 3}]}
forces:
  - {name: plate, type: load, segment: shank, file: plate.csv, force: [fx, fy], moment: mz, point: [px, py],
     threshold: 30}
  - {name: hand, type: load, segment: thigh, at: 0.2, force: [5, {type: pulse, amplitude: 9, onset: 0.21, duration: 0.4}]}
  - {type: damper, joint: shank, coefficient: 0.5}
initial: {angle: [0.3, 0.1]}
time: {step: 1e-3, end: 1.9}
integrator: dopri54
events: [{name: back, when: angle.shank, crosses: 0}]
sweep: [{set: forces.plate.scale, from: 0.5, to: 1.5, count: 24}]
analyse:
  lyapunov: {exponents: 2}
  sensitivity: {of: end_state, to: [forces.plate.scale, forces.plate.force.y.scale, forces.hand.at, system.segments.thigh.length]}
YAML
expect 0 "$MANYLINK" run leg.yaml --kernel general --no-accuracy -o leg.h5
expect 0 "$MANYLINK" run leg.yaml --kernel made --no-accuracy -o made.h5
same leg.h5 made.h5
expect 0 "$MANYLINK" verify leg.h5
for shard in 0 1 2; do
    expect 0 "$MANYLINK" run leg.yaml --no-accuracy --shard $shard/3 -o part-$shard.h5
done
expect 0 "$MANYLINK" merge part-0.h5 part-1.h5 part-2.h5 -o merged.h5
same leg.h5 merged.h5
expect 0 "$MANYLINK" run leg.yaml --no-accuracy -o exact.h5 --set 'time={end: 1.9}' \
    --set 'integrator={type: dop853, tolerance: 1e-13}' --set 'analyse={}'

# differs PARAMETER VALUE NAME: NAME.h5, runs with it a little below and above.
differs()
{
    values=$(awk -v v="$2" 'BEGIN { printf "%.9f, %.9f", v * (1 - 1e-4), v * (1 + 1e-4) }')
    expect 0 "$MANYLINK" run leg.yaml --no-accuracy -o "$3.h5" --set 'analyse={}' \
        --set "sweep=[{set: forces.plate.scale, values: [1]}, {set: $1, values: [$values]}]"
}
differs forces.plate.force.y.scale 1 column
differs forces.hand.at 0.2 at
differs system.segments.thigh.length 0.43 length
expect 0 "$MANYLINK" run leg.yaml --no-accuracy -o scale.h5 --set 'analyse={}' \
    --set 'sweep=[{set: forces.plate.scale, values: [0.9999, 1.0001]}]'
expect 0 "$MANYLINK" run leg.yaml --no-accuracy -o one.h5 --set 'sweep=[{set: forces.plate.scale, values: [1]}]'
"$PYTHON" - <<'PY'
import h5py
import numpy as np

leg, exact = h5py.File("leg.h5")["study/summary"], h5py.File("exact.h5")["study/summary"]
for name in ("end_angle", "end_rate", "back_time"):
    error = np.nanmax(np.abs(leg[name][()] - exact[name][()]))
    assert error < 2e-8, (name, error) # of dopri54, of order 5 through all samples
one = h5py.File("one.h5")["study/summary/sensitivity"]
found = one[()].reshape(one.shape[-2:])[:4]
for p, (name, value) in enumerate([("scale", 1), ("column", 1), ("at", 0.2), ("length", 0.43)]):
    ends = h5py.File(f"{name}.h5")["study/summary"]
    state = np.concatenate([ends["end_angle"][()].reshape(2, 2), ends["end_rate"][()].reshape(2, 2)], 1)
    wanted = (state[1] - state[0]) / (2e-4 * value)
    error = np.abs(found[:, p] - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (name, found[:, p], wanted)
PY

# A study as it was resolved is the same study; one with other samples is not.
expect 0 "$MANYLINK" run leg.yaml --no-accuracy -o leg.h5
says out "leg.h5"
sed -i 's/^0.5,/0.5,1/' plate.csv
expect 2 "$MANYLINK" run leg.yaml --no-accuracy -o leg.h5
