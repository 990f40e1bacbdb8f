# label: values
# What events keep of a run settled on a cycle is as many values as the cycle has, where published ones double:
# maxima of the Roessler system, a = b = 0.1 (Peitgen, Juergens, Saupe, Chaos and Fractals, 1992, section
# 12.3), and a driven pendulum once per period, damping 1/2, drive 2/3 (Baker, Gollub, Chaotic Dynamics,
# 1990, chapter 3). A picture shows them.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

expect 0 "$MANYLINK" run "$SOURCE/studies/roessler_maxima.yaml" --no-accuracy -o maxima.h5 \
    --set 'sweep.0.values=[4, 6, 8.5, 8.7, 9, 12, 12.6, 13]' --set events.peak.max=64
expect 0 "$MANYLINK" run "$SOURCE/studies/driven_pendulum.yaml" --no-accuracy -o beats.h5 \
    --set 'sweep.0.values=[0.9, 1.07, 1.15, 1.35, 1.45, 1.47, 1.5]' --set events.beat.max=64
sed 's/count: 60/count: 12/; s/end: 1000, tick: 10/end: 100, tick: 10/' "$SOURCE/studies/poincare.yaml" >poincare.yaml
expect 0 "$MANYLINK" run poincare.yaml --no-accuracy
"$PYTHON" - <<'END' || exit $?
import sys

import h5py
import numpy


def periods(values):
    values = numpy.sort(values[numpy.isfinite(values)])
    assert len(values) == 64
    return 1 + (numpy.diff(values) > 1e-3 * numpy.abs(values).max()).sum()


maxima = h5py.File("maxima.h5")["study/summary/peak_x"][...]
found = [periods(row) for row in maxima]
assert found[:4] == [1, 2, 4, 8] and found[4] > 12 and found[5:7] == [3, 6] and found[7] > 16, found
beats = h5py.File("beats.h5")["study/summary/beat_rate"][..., 0]
found = [periods(row) for row in beats]
assert found[:2] == [1, 2] and found[2] > 32 and found[3:6] == [1, 2, 4] and found[6] > 32, found

# On a section the energy is the one that was given, and the angle is at the level.
summary = h5py.File("poincare.h5")["study/summary"]
assert numpy.nanmax(numpy.abs(summary["section_energy"][...] + 9)) < 1e-9
turns = summary["section_angle"][..., 0] / (2 * numpy.pi)
assert numpy.nanmax(numpy.abs(turns - numpy.round(turns))) < 5e-14 and (summary["section_rate"][..., 0] > 0).any()
assert (summary["section_count"][...] > 20).all()
END

# An orbit diagram is a point for each event; of very many a cell for each pixel that has some, with their number.
cat >dense.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 0.01, end: 201}
sweep: [{set: system.rho, from: 24, to: 30, count: 52}]
events: [{name: beat, period: 0.05, from: 1, max: 4000, keep: [z]}]
END
expect 0 "$MANYLINK" run dense.yaml --no-accuracy
expect 0 "$MANYLINK" plot maxima.h5 peak_x --script orbit
expect 0 "$MANYLINK" plot dense.h5 beat_z --script dense --size 400x300
export PYTHONPATH="$SOURCE/tests/results" PYTHONDONTWRITEBYTECODE=1
"$PYTHON" - <<'END' || exit $?
import h5py
import numpy
from plot_tables import tables

maxima = h5py.File("maxima.h5")["study/summary"]
points = [(c, x) for c, row in zip(maxima["system.c"], maxima["peak_x"]) for x in row if numpy.isfinite(x)]
assert numpy.array_equal(tables("orbit")[0][:, :2], points)
beats = h5py.File("dense.h5")["study/summary"]
cells, z = tables("dense")[0], beats["beat_z"][...]
low, high = z.min(), z.max()
assert z.size == 208000 == cells[:, 2].sum() and len(cells) < 52 * 300
for rho, own in zip(beats["system.rho"], z):
    mine = cells[cells[:, 0] == rho]
    count = numpy.zeros(300)
    at = (mine[:, 1] - low) / (high - low) * 300 - 0.5
    assert numpy.abs(at - numpy.round(at)).max() < 1e-4
    count[numpy.round(at).astype(int)] = mine[:, 2]
    assert numpy.abs(count - numpy.histogram(own, 300, (low, high))[0]).sum() <= 4
END

# A return map is a line for each event with one behind it: what they kept, and the row of the run.
expect 0 "$MANYLINK" plot maxima.h5 --return-map peak_x --script maxima
expect 0 "$MANYLINK" plot poincare.h5 --return-map section_rate.lower --script rates --range=-5:5
"$PYTHON" - <<'END' || exit $?
import h5py
import numpy
from plot_tables import tables

for folder, result, name, row in (("maxima", "maxima.h5", "peak_x", ...),
                                  ("rates", "poincare.h5", "section_rate", (..., 1))):
    kept = h5py.File(result)[f"study/summary/{name}"][row]
    pairs = [(a, b, run) for run, values in enumerate(kept) for a, b in zip(values, values[1:])
             if numpy.isfinite(b)]
    assert len(pairs) > 100 and numpy.array_equal(tables(folder)[0], pairs), name
END
grep -q 'xrange \[-5:5\]' rates/plot.gp || fail "--range is not that of the axes"
expect 2 "$MANYLINK" plot maxima.h5 --return-map peak_y --script none
says err "no event keeps it; did you mean \`peak_x\`?"
expect 2 "$MANYLINK" plot maxima.h5 peak_x --return-map peak_x --script none
says err "it is a picture by itself"
expect 2 "$MANYLINK" plot maxima.h5 --return-map peak_x --panels system.c --script none
says err "panels are for a dataset over an axis of it"
for most in 1 8; do
    expect 0 "$MANYLINK" run "$SOURCE/studies/roessler_maxima.yaml" --no-accuracy -o single$most.h5 \
        --set 'sweep.0.values=[4, 5]' --set time.end=605 --set events.peak.max=$most
    expect 2 "$MANYLINK" plot single$most.h5 --return-map peak_x --script none
done
says err "no run here has two events of it"
expect 2 "$MANYLINK" plot single1.h5 --return-map peak_x --script none
says err 'give it a larger `max`'
expect 0 "$MANYLINK" plot maxima.h5 peak_x
expect 0 "$MANYLINK" plot poincare.h5 --x section_angle.lower --y section_rate.lower
expect 2 "$MANYLINK" plot poincare.h5 --x section_angle.hand --y section_rate.lower
says err "of segment there are: upper, lower"
expect 2 "$MANYLINK" plot poincare.h5 --x section_angle --y section_rate.lower
says err "section_angle.segment is wanted"
expect 0 "$MANYLINK" plot maxima.h5 --return-map peak_x -o return.png
