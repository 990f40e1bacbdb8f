# Pictures and files of cycles of a gait: the mean with its band over 0 to 100 %, the bands of many bodies, and tables of
# each cycle have the numbers of the result.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cp "$SOURCE/tests/cli/gait_cycles.py" .
"$PYTHON" gait_cycles.py write
cat >leg.yaml <<'YAML'
manylink: 1
system: {type: chain, segments: [{name: shank, length: 0.4, mass: 3, com: 0.2, inertia: 0.05}]}
motion: {file: swing.csv}
forces: [{name: plate, type: load, segment: shank, at: 0, file: plate_good.csv, force: [fx, fy]}]
inverse: {keep: [cycle_torque], cycles: {of: plate, threshold: 475}}
YAML
expect 0 "$MANYLINK" inverse leg.yaml -o leg.h5
bodies='sample={method: sobol, count: 16, over: [{set: system.segments.shank.mass, from: 2, to: 4}]}'
expect 0 "$MANYLINK" inverse leg.yaml --set "$bodies" -o bodies.h5
for shard in 0 1; do
    expect 0 "$MANYLINK" inverse leg.yaml --set "$bodies" -o "part$shard.h5" --shard $shard/2
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
same bodies.h5 merged.h5
expect 0 "$MANYLINK" verify merged.h5
# The same threshold in weights of a body.
sed 's/segments: .*/body: {mass: 70, height: 1.75, segments: [shank]}, segments: [{name: shank}]}/; s/threshold: 475/share: 475 \/ 70 \/ 9.81/' \
    leg.yaml >body.yaml
expect 0 "$MANYLINK" inverse body.yaml -o body.h5

expect 0 "$MANYLINK" plot leg.h5 cycle_torque_mean --script mean
expect 0 "$MANYLINK" plot leg.h5 cycle_torque_mean -o mean.png
expect 0 "$MANYLINK" plot bodies.h5 cycle_torque_mean --bands --script bodies
expect 0 "$MANYLINK" export leg.h5 --cycles -o leg.csv
expect 0 "$MANYLINK" export bodies.h5 --cycles --run 3 --columns cycle_torque_sd,cycle_torque/shank/2 -o body.csv
expect 0 "$MANYLINK" export leg.h5 --cycles -o leg.sto
says leg.sto "nRows=101"
expect 0 "$MANYLINK" sensitivity bodies.h5 cycle_torque_mean.shank --over-time
cp out indices.csv
expect 2 "$MANYLINK" sensitivity bodies.h5 cycle_torque_mean.shank torque.shank --over-time
says err "their rows are by time (s) and by cycle (%)"
"$PYTHON" - <<'PY'
import re

import h5py
import numpy as np

leg, bodies = (h5py.File(f"{name}.h5")["study/inverse"] for name in ("leg", "bodies"))
mean, sd = leg["cycle_torque_mean"][0], leg["cycle_torque_sd"][0]
assert leg["cycle_torque_mean"].attrs["uncertainties"] == "cycle_torque_sd"
script = open("mean/plot.gp").read()
assert (np.fromfile("mean/data.bin").reshape(101, 4).T == [np.arange(101.0), mean, mean - sd, mean + sd]).all()
assert "using 1:3:4 with filledcurves" in script and "using 1:2 with lines" in script and "set xzeroaxis" in script
arrow = re.search(r"set arrow from first (\S+), graph 0 to first (\S+), graph 1 nohead", script)
assert abs(float(arrow[1]) - leg["toe_off"][()].mean()) < 1e-3 and arrow[1] == arrow[2]
assert 'set xlabel "cycle (' in script

body = h5py.File("body.h5")["study/inverse"]
assert np.abs(body["cycle_start"][()] - leg["cycle_start"][()]).max() < 1e-14

drawn = np.fromfile("bodies/data.bin").reshape(101, 6).T
for row, quantile in zip(drawn[1:], (0.05, 0.25, 0.5, 0.75, 0.95)):
    error = np.abs(row - np.quantile(bodies["cycle_torque_mean"][:, 0], quantile, axis=0)).max()
    assert error < 1e-12, error

table = np.genfromtxt("leg.csv", delimiter=",", names=True, deletechars="")
names = [f"{name}/shank" for name in ("cycle_torque_mean", "cycle_torque_sd", "cycle_power_mean", "cycle_power_sd",
                                      "cycle_angle_mean", "cycle_angle_sd")]
names += [f"{name}/shank/{cycle}" for name in ("cycle_torque", "cycle_angle") for cycle in range(1, 5)]
assert sorted(table.dtype.names) == sorted(["percent"] + names), table.dtype.names
assert (table["percent"] == np.arange(101)).all() and (table["cycle_torque_sd/shank"] == sd).all()
assert (table["cycle_torque/shank/3"] == leg["cycle_torque"][0, 2]).all()
# The mass, of which the torque is linear, has all of its variance at all percents.
indices = [line.split(",") for line in open("indices.csv").read().split("\n")[:-1]]
assert indices[0][0] == "percent" and [float(row[0]) for row in indices[1:]] == list(range(101)), indices[:2]
assert all(abs(float(row[4]) - 1) < 1e-12 for row in indices[1:])
table = np.genfromtxt("body.csv", delimiter=",", names=True, deletechars="")
assert table.dtype.names == ("percent", "cycle_torque/shank/2", "cycle_torque_sd/shank"), table.dtype.names
assert (table["cycle_torque/shank/2"] == bodies["cycle_torque"][3, 0, 1]).all()
PY

expect 2 "$MANYLINK" export leg.h5 --cycles --columns torque -o no.csv
says err "no such column; there are: percent, cycle_torque, cycle_torque_mean, cycle_torque_sd, cycle_power_mean"
expect 2 "$MANYLINK" export leg.h5 --cycles --summary -o no.mat
says err "--summary is of all runs: no --run and no --cycles"
expect 0 "$MANYLINK" inverse leg.yaml --set 'inverse={}' -o none.h5
expect 2 "$MANYLINK" export none.h5 --cycles -o no.csv
says err "none.h5: cannot export cycles: the result has none; give the study"
