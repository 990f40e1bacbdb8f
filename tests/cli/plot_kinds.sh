# `plot`: every kind of picture, its numbers against h5py and NumPy, and that gnuplot draws them.
. "$SOURCE/tests/check.sh"
need gnuplot ffprobe
need_python PIL

cat >grid.yaml <<'END'
manylink: 1
title: An arm
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: initial.rate.upper, values: [0, 1, 3, 1e14]}
  - {set: initial.angle.upper, from: 2, to: -2, count: 9}
analyse: {sensitivity: {of: end_state, to: [system.gravity, initial.rate.upper, system.segments.lower.mass,
  system.segments.upper.mass, system.segments.lower.length]}}
save: {trajectory: {every: 5, quantities: [angle, rate, energy, end_position], runs: {every: 2}}}
END
cat >torques.yaml <<'END'
manylink: 1
title: A reach
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
forces: [{name: brake, type: damper, joint: lower, coefficient: 0.05}]
motion: {type: minimum_jerk, start: {angle: {upper: 0, lower: 0}}, end: {angle: {upper: 1, lower: 2}}, duration: 0.4}
time: {step: 1e-2, end: 0.5}
sweep: [{set: system.segments.lower.mass, values: [1, 2, 5]}]
END
expect 3 "$MANYLINK" run --quiet grid.yaml
expect 0 "$MANYLINK" inverse torques.yaml

export PYTHONPATH="$SOURCE/tests/results" PYTHONDONTWRITEBYTECODE=1
cat >check.py <<'END'
"""check.py FOLDER KIND: data of a picture against the result."""
import re
import subprocess
import sys

import h5py
import numpy as np
from plot_tables import images, table, tables

ANGLE, RATE = "initial.angle.upper", "initial.rate.upper"
kind = sys.argv[1]
text = open(f"{kind}/plot.gp").read()
grid, torques = h5py.File("grid.h5")["study"], h5py.File("torques_inverse.h5")["study"]
kept, summary, inverse = grid["trajectories"], grid["summary"], torques["inverse"]
blocks = tables(kind)
outcome = grid["runs/outcome"][()].reshape(4, 9)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape, (a.shape, b.shape)
    assert ((a == b) | (np.isnan(a) & np.isnan(b))).all(), (a, b)


time = kept["time"][()]
if kind in ("phase", "phases"):
    runs = [1] if kind == "phase" else [0, 3]
    assert len(blocks) == len(runs)
    for block, run in zip(blocks, runs):
        same(block, np.array([time, kept["angle"][run, 1], kept["rate"][run, 0]]).T)
    assert '\nset xlabel "angle.lower (rad)"\n' in text and '\nset ylabel "rate.upper (rad/s)"\n' in text
elif kind == "several":
    same(blocks[0], np.array([time, *(kept["angle"][run, 1] for run in (3, 0, 2))]).T)
    assert re.findall(r'title "(\d+)"', text) == ["6", "0", "4"]
elif kind == "by":
    values = np.where(outcome[..., None] == 0, summary["max_rate"][()], np.nan)[:, ::-1, 1]
    same(blocks[0], np.vstack([summary["initial.angle.upper"][()][::-1], values]).T)
elif kind == "pairs":
    assert re.findall(r'title "([^"]*)"', text)[1:] == ["initial.x", "1", "5", "2"]
elif kind == "histogram":
    values = summary["max_rate"][()][outcome == 0]
    block = blocks[0]
    for k in (0, 1):
        counts, _ = np.histogram(values[:, k], block[:, 0])
        assert abs(counts - block[:-1, k + 1]).sum() <= 2  # at an edge, rounded
        assert block[:, k + 1].sum() == len(values) and block[-1, k + 1] == 0
elif kind == "matrix":
    from scipy.stats import spearmanr
    sound = outcome.ravel() == 0
    columns = [grid["runs"][name][()][sound] for name in (RATE, ANGLE)] + [summary["max_rate"][()][..., 0].ravel()[sound]]
    same(blocks[0], np.stack(columns, axis=1))
    assert text.count("set label 2 ") == text.count("set label 3 ") == 3 and "label '" not in text.replace("label ''", "")  # names at one distance
    told = [float(rho) for rho in re.findall(r"set label 1 '([-+0-9.]+)'", text)]
    assert np.allclose(told, [spearmanr(columns[i], columns[k])[0] for i, k in ((0, 1), (0, 2), (1, 2))], atol=0.0051), told
    for block, values in zip(blocks[1:], columns):
        assert block[:, 1].sum() == len(values) and np.isclose(block[0, 0], values.min()) and np.isclose(block[-1, 0], values.max())
elif kind == "bands":
    values = kept["angle"][:, 1]
    for i, row in enumerate(blocks[0]):
        wanted = np.quantile(values[np.isfinite(values[:, i]), i], [0.05, 0.25, 0.5, 0.75, 0.95])
        assert row[0] == time[i] and np.allclose(row[1:], wanted, rtol=1e-14, atol=1e-15)
elif kind == "outcome":
    (image,) = images(kind)
    same(np.unique(image), [0, 1])
    assert '"finished" . "\\n27" 0' in text and '"diverged" . "\\n9" 1' in text
elif kind == "bars":
    values = summary["sensitivity"][2, 4, 1]
    order = np.argsort(-abs(values), kind="stable")
    same(blocks[0], np.array([np.arange(5), values[order]]).T)
    names = [name.decode() for name in summary["parameter"][()][order]]
    assert re.findall(r'"([^"]*)" \d', text[text.index("set ytics"):].split("\n")[0]) == names
elif kind == "table":
    values = summary["sensitivity"][2, 4]
    block = blocks[0]
    same(block[:, 2].reshape(5, 4), values.T)
elif kind in ("torque", "parts"):
    torque = inverse["torque"][1]
    if kind == "torque":
        same(blocks[0], np.vstack([inverse["time"][()], torque]).T)
    for joint, block in enumerate(blocks if kind == "parts" else []):
        same(block[:, :2], np.array([inverse["time"][()], torque[joint]]).T)
        assert block.shape[1] == 2 + 2 * 4, "inertia, velocity, gravity, damping"
        assert np.allclose(np.diff(block[:, 2:].reshape(len(block), 4, 2))[..., 0].sum(1), block[:, 1], atol=1e-12)
elif kind == "range":
    assert "\nset cbrange [-0.5:0.25]\n" in text
    values = summary["end_angle"][()][outcome == 0][:, 1]
    n = ((values < -0.5) | (values > 0.25)).sum()
    assert n > 0 and f"{n} of 36 values are beyond the colours" in text
elif kind in ("contours", "levels"):
    rate, angle = summary[RATE][()], summary[ANGLE][()][::-1]
    values = np.where(outcome == 0, summary["end_angle"][..., 1], np.nan)[:, ::-1]
    levels = [float(level) for level in re.findall(r"^set label \d+ '([^']*)'", text, re.M)]
    skip, n, m = map(int, re.search(r"skip=(\d+) record=\((\d+),(\d+)\)", text).groups())
    same(table(kind, skip, (m, n, 3)), np.stack([*np.meshgrid(angle, rate), values], -1))
    # What gnuplot finds there: a table of its own, in place of the picture.
    find = re.search(r"^set contour.*?^unset table$", text, re.M | re.S).group()
    found = subprocess.run(["gnuplot"], text=True, check=True, capture_output=True, input=
                           f"data = '{kind}/data.bin'\n" + find.replace("set table $contours", "set table 'lines'"))
    assert not found.stderr, found.stderr
    points = [[float(cell) for cell in line.split()] for line in open("lines") if re.match(r" *[-0-9]", line)]
    drawn = {level: {(x, y) for x, y, z in points if abs(z - level) < 1e-9} for level in levels}
    assert sum(map(len, drawn.values())) == len({tuple(point) for point in points})
    if kind == "levels":
        assert set(levels) == {0, -0.25}, levels
    else:
        step = np.diff(sorted(levels))
        assert len(levels) > 3 and np.allclose(step, step[0]) and 0 in levels, levels
    for level in levels: # every crossing of two neighbours in a square of four values is on a line
        wanted = set()
        for j, i in np.ndindex(3, 8):
            square = [(j, i), (j, i + 1), (j + 1, i + 1), (j + 1, i)]
            if np.isnan([values[at] for at in square]).any():
                continue
            for a, b in zip(square, square[1:] + square[:1]):
                if (values[a] - level) * (values[b] - level) < 0:
                    part = (level - values[a]) / (values[b] - values[a])
                    wanted.add((angle[a[1]] + part * (angle[b[1]] - angle[a[1]]),
                                rate[a[0]] + part * (rate[b[0]] - rate[a[0]])))
        near = [min(abs(x - p) + abs(y - q) for p, q in drawn[level]) for x, y in wanted]
        assert wanted and max(near) < 1e-4, (level, max(near)) # gnuplot writes six digits
elif kind == "size":
    assert re.search(r"^set terminal pngcairo size 500,300 ", text, re.M)
elif kind == "dpi":
    assert re.search(r"^set terminal pngcairo size 1500,900 .* fontscale 3 linewidth 3 pointscale 3$", text, re.M)
elif kind == "texts":
    assert 'set title "50 \\0045 of \\0044x" . ' in text and "An arm" not in text
    assert 'set xlabel "x \u2192"\n' in text and "set ylabel ''\n" in text and 'set cblabel "how far"\n' in text
    assert re.search(r'^set terminal .* font "Serif,18"', text, re.M)
    assert "set palette defined (0 '#000004'" in text and "'#fcfdbf')" in text
    assert text.count("set palette") == 1 and "set size ratio 0.5\n" in text
elif kind in ("units", "free", "numbers"):  # axes of rad and rad, the same, and of rad/s and rad
    assert ("set size ratio -1\n" in text) == (kind == "units")
elif kind == "robust":
    values = h5py.File("spread.h5")["study/summary/end_x"][()]
    low, high = map(float, re.search(r"set cbrange \[(.*):(.*)\]", text).groups())
    assert values.max() > 4 and np.isclose(low, np.sort(values.ravel())[values.size // 100], atol=1e-12)
    assert high < 1.2 and "colours for 98 \\0045 of the values" in text
elif kind == "signed":
    low, high = map(float, re.search(r"set cbrange \[(.*):(.*)\]", text).groups())
    values = summary["end_angle"][()][outcome == 0][:, 1]
    assert -low == high == abs(values).max() and "'#f4f4f2'" in text
else:
    raise AssertionError(kind)
END
# draws KIND ARGUMENTS...: checks data and script, and has gnuplot draw them.
draws()
{
    kind=$1
    shift
    expect 0 "$MANYLINK" plot "$@" --script "$kind"
    "$PYTHON" check.py "$kind" || fail "check.py $kind"
    gnuplot -c "$kind/plot.gp" "$kind.png" >messages 2>&1 || fail "$kind: $(cat messages)"
    [ ! -s messages ] || fail "$kind: $(cat messages)"
    [ -s "$kind.png" ] || fail "$kind: no picture"
}
angle=initial.angle.upper rate=initial.rate.upper
# Of labels, such as those of attractors: runs that failed are grey, and no label is a command.
"$PYTHON" - <<'END'
import shutil

import h5py
shutil.copy("grid.h5", "labels.h5")
with h5py.File("labels.h5", "r+") as file:
    rate = file["study/summary/max_rate"]
    rate[:], rate[0] = 0, 1
    rate.attrs["flag_meanings"] = 'one_`touch\towned`%" two'
END
expect 0 "$MANYLINK" plot labels.h5 max_rate --changed -o labels.png --script labels
gnuplot -c labels/plot.gp from_script.png >messages 2>&1 && [ ! -s messages ] || fail "labels: $(cat messages)"
[ ! -e owned ] || fail "a label was run as a command"
"$PYTHON" - <<'END' || fail "runs without a label are not grey"
from PIL import Image
picture = Image.open("labels.png").convert("RGB")
hues = {hue: n for n, hue in picture.getcolors(1 << 20) if n > 1000}
assert hues[0xC0, 0xC0, 0xC0] > picture.width * picture.height / 5, hues
assert (0xCF, 0xE3, 0xF1) in hues and (0xD5, 0x5E, 0x00) in hues, hues
END
expect 2 "$MANYLINK" plot labels.h5 max_rate --changed --at $rate=1e14 --at segment=upper
says err "cannot draw max_rate: no finished run has a finite value of it here"
draws phase grid.h5 --x angle.lower --y rate.upper --run 2
draws phases grid.h5 --x angle.lower --y rate.upper --run 0,6
draws several grid.h5 angle --run 6,0,4 --at segment=lower
draws by grid.h5 max_rate --by $rate
cat >pairs.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 2e-3, end: 0.1}
sweep:
  - {set: system.rho, values: [1, 2, 30]}
  - {name: pair, set: [initial.x, initial.y], values: [[1, 2], [5, 3], [2, 7]]}
END
expect 0 "$MANYLINK" run --quiet pairs.yaml
draws pairs pairs.h5 end_z --by pair
# Of an axis of two values there are two curves where nothing else is asked for, not a map of two rows.
expect 0 "$MANYLINK" run --quiet pairs.yaml -o two.h5 --set 'sweep.0.values=[1, 30]'
expect 0 "$MANYLINK" plot two.h5 end_z --script two
expect 0 "$MANYLINK" plot two.h5 end_z --by system.rho --script two-by
cmp two/data.bin two-by/data.bin && cmp two/plot.gp two-by/plot.gp || fail "two rows are not two curves"
expect 0 "$MANYLINK" plot two.h5 end_z --x pair --y system.rho --script two-map
grep -q "with image" two-map/plot.gp || fail "--y makes no map of two rows"
# Events of runs forward and back: every point of either direction, in two colours, not lines through the first.
cat >both.yaml <<'END'
manylink: 1
title: Both
system: {type: duffing, alpha: 1, beta: 0.1, delta: 0.1, omega: 1.5}
time: {step: 2*pi/1.5/64, end: 30*2*pi/1.5}
events: [{name: peak, of: x, kind: maximum, from: 20, max: 4, keep: [x]}]
sweep: [{set: system.gamma, from: 0.1, to: 2.5, count: 12, continue: both}]
END
expect 0 "$MANYLINK" run --quiet both.yaml
expect 0 "$MANYLINK" plot both.h5 --script both
expect 0 "$MANYLINK" plot both.h5 --by direction --script both-by
cmp both/data.bin both-by/data.bin && cmp both/plot.gp both-by/plot.gp || fail "directions are not a family"
grep -q "== 0 .*title \"1\"" both/plot.gp && grep -q "== 1 .*title \"-1\"" both/plot.gp || fail "no colour for either direction"
"$PYTHON" - <<'END' || fail "points of both directions"
import h5py
import numpy as np
from plot_tables import tables
with h5py.File("both.h5") as file:
    summary = file["study/summary"]
    peaks = summary["peak_x"][()]
    gamma = np.broadcast_to(summary["system.gamma"][()][None, :, None], peaks.shape)
    family = np.broadcast_to(np.arange(2)[:, None, None], peaks.shape)
wanted = sorted(row for row in zip(gamma.ravel(), peaks.ravel(), family.ravel()) if np.isfinite(row[1]))
found = sorted(map(tuple, tables("both")[0]))
assert found == wanted and len(found) > 60, (len(found), len(wanted))
END
# Points of a sample in the colour of another of its quantities; an axis of several quantities has its own name too.
expect 0 "$MANYLINK" run --quiet pairs.yaml -o rising.h5 --set 'sweep.1.values=[[1, 2], [2, 7], [5, 3]]' --set 'sweep.0.values=[3]'
expect 0 "$MANYLINK" plot rising.h5 end_z --script rising
grep -q 'set xlabel "pair: initial.x' rising/plot.gp || fail "$(grep xlabel rising/plot.gp)"
expect 0 "$MANYLINK" run --quiet pairs.yaml -o drawn.h5 --set sweep=[] \
    --set 'sample={method: sobol, count: 32, over: [{set: system.rho, from: 1, to: 30}, {set: initial.x, from: 1, to: 2}]}'
expect 0 "$MANYLINK" plot drawn.h5 end_z --x system.rho --colour initial.x --script drawn -o drawn.png
"$PYTHON" - <<'END' || fail "points in colour"
import h5py
import numpy as np
from plot_tables import tables
with h5py.File("drawn.h5") as file:
    study = file["study"]
    wanted = np.stack([study["runs/system.rho"][()], study["summary/end_z"][()], study["runs/initial.x"][()]], axis=1)
assert np.array_equal(tables("drawn")[0], wanted)
END
grep -q 'set cblabel "initial.x' drawn/plot.gp || fail "$(grep cblabel drawn/plot.gp)"
# A value far from all others is left beyond the axis of points and of a histogram, and counted.
cat >far.yaml <<END
manylink: 1
title: Far
system: {type: duffing, alpha: 0, beta: 0, delta: 0, omega: 1}
time: {step: 0.1, end: 0.2}
sweep: [{set: initial.x, values: [-1000$(seq -f ', %g' 0.01 0.01 5.11 | tr -d '\n')]}]
show: end_x
END
expect 0 "$MANYLINK" run --quiet far.yaml --shard 0/2 -o far.h5
for kind in '' --histogram; do
    expect 0 "$MANYLINK" plot far.h5 end_x $kind --script far$kind
    grep -q '1 value is beyond the range' far$kind/plot.gp || fail "far $kind: $(cat far$kind/plot.gp)"
    expect 0 "$MANYLINK" plot far.h5 end_x $kind --range=-1001:6 --script all$kind
    ! grep -q 'beyond' all$kind/plot.gp || fail "all $kind: $(cat all$kind/plot.gp)"
done
draws histogram grid.h5 max_rate --histogram
draws matrix grid.h5 max_rate --matrix --at segment=upper
draws bands grid.h5 angle --bands --at segment=lower
draws outcome grid.h5 outcome
draws bars grid.h5 sensitivity --x parameter --at $rate=3 --at $angle=0 --at output=angle.lower
draws table grid.h5 sensitivity --x output --y parameter --at $rate=3 --at $angle=0
draws torque torques_inverse.h5 torque
draws parts torques_inverse.h5 parts
draws range grid.h5 end_angle --range -0.5:0.25
draws contours grid.h5 end_angle --contours auto
draws levels grid.h5 end_angle --contours=-0.25,0
draws size grid.h5 end_angle --size 500x300
draws dpi grid.h5 end_angle --size 500x300 --dpi 300
draws signed grid.h5 end_angle
draws texts grid.h5 end_angle --title '50 % of $x' --label 'x=x →' --label y= --label 'colour=how far' \
    --font Serif,18 --palette magma --aspect 0.5
draws units grid.h5 --x angle.upper --y angle.lower --run 2
draws free grid.h5 --x angle.upper --y angle.lower --run 2 --aspect free
draws numbers grid.h5 end_angle
# A column of values far from all others leaves the colours to them.
cat >spread.yaml <<END
manylink: 1
title: Spread
system: {type: duffing, alpha: 0, beta: 0, delta: 0, omega: 1}
time: {step: 0.1, end: 0.1}
sweep:
  - {set: initial.v, values: [0, 0.01, 0.02]}
  - {set: initial.x, values: [5$(seq -f ', %g' 0 0.008 1 | tr -d '\n')]}
show: end_x
END
expect 0 "$MANYLINK" run --quiet spread.yaml
draws robust spread.h5 end_x
# Contours over 20 decades of both signs: no more levels than there is room for.
cat >decades.yaml <<'END'
manylink: 1
title: Decades
system: {type: duffing, alpha: 0, beta: 0, delta: 0, omega: 1, gamma: 0}
time: {step: 0.1, end: 0.1}
sweep:
  - {set: initial.v, values: [0, 1e-12, 2e-12]}
  - {set: initial.x, values: [-5e9, -1e3, -1e-3, -3e-10, -2e-10, -1.5e-10, -1.2e-10, 1.2e-10, 1.5e-10, 2e-10, 3e-10, 1e-3, 1e3, 5e9]}
show: end_x
END
expect 0 "$MANYLINK" run --quiet decades.yaml
expect 0 "$MANYLINK" plot decades.h5 end_x --contours auto --script decades
labels=$(sed -n "s/^set label [0-9]* '\([^']*\)' at .*/\1/p" decades/plot.gp | sort -g | tr '\n' ' ')
powers="1e-10 1e-09 1e-08 1e-07 1e-06 1e-05 0.0001 0.001 0.01 0.1 1 10 100 1000 10000 100000 1e+06 1e+07 1e+08"
wanted=$(for power in 0 $powers; do echo "$power"; [ "$power" = 0 ] || echo "-$power"; done | sort -g | tr '\n' ' ')
[ "$labels" = "$wanted" ] || fail "contours at $labels"
# For papers: EPS, and TikZ, of which LaTeX reads texts.
expect 0 "$MANYLINK" plot grid.h5 end_angle -o map.eps
[ "$(head -c 11 map.eps)" = '%!PS-Adobe-' ] && [ "$(tail -n 1 map.eps)" = '%%EOF' ] || fail "map.eps is none"
if echo 'set terminal tikz; set output "lua.tex"; plot 0' | timeout 20 gnuplot >messages 2>&1 && [ ! -s messages ]; then
    expect 0 "$MANYLINK" plot grid.h5 max_rate --by $rate --title 'a_b \input{c} 5 %' -o curves.tex
    grep -qF '{a\_b \textbackslash{}input\{c\} 5 \%}' curves.tex || fail "LaTeX would read: $(grep input curves.tex)"
    [ "$(grep -c '^.draw\[gp path\]' curves.tex)" -gt 3 ] || fail "curves.tex has no curves"
fi

# What moves is a stick figure, every frame another.
expect 0 "$MANYLINK" plot grid.h5 stick --run 2 -o motion.gif
[ "$(head -c 6 motion.gif)" = GIF89a ] || fail "motion.gif is none"
"$PYTHON" -c 'from PIL import Image; assert Image.open("motion.gif").n_frames == 11'
# ffmpeg makes a film of it, of as many frames; without it there is none, and nothing is left.
mkdir bare
ln -s "$(command -v gnuplot)" bare/gnuplot
expect 1 env PATH="$PWD/bare" "$MANYLINK" plot grid.h5 stick --run 2 -o motion.mp4
says err 'films are made by ffmpeg, which is not installed'
[ -z "$(find . -name '*motion.mp4*')" ] || fail "a film that failed left: $(find . -name '*motion.mp4*')"
expect 0 "$MANYLINK" plot grid.h5 stick --run 2 --size 401x303 -o motion.mp4
ffprobe -v error -count_frames -show_entries stream=nb_read_frames,width,height -of csv=p=0 motion.mp4 >frames
grep -qx '400,302,11' frames || fail "motion.mp4 has $(cat frames)"
[ "$(find . -name '*motion.mp4*')" = ./motion.mp4 ] || fail "more than the film is left"

refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" plot "$@"
    says err "$text"
}
refuses '--run 3,x: a whole number from 0 on, or several' grid.h5 --run 3,x
refuses '--run 3,: a whole number' grid.h5 --run 3,
refuses 'several runs are for what is kept over time' grid.h5 max_rate --run 0,2
refuses 'the trajectory of run 1 is not in it' grid.h5 angle --run 0,1
refuses 'by mass: max_rate has no such axis' grid.h5 max_rate --by mass
refuses 'it is the axis of x' grid.h5 max_rate --by $rate --x $rate
refuses 'it makes curves, which have no y' grid.h5 max_rate --by $rate --x $angle --y segment
refuses '--range 3: two numbers, A:B' grid.h5 --range 3
refuses '--range 3:1: two numbers, A:B with A < B' grid.h5 --range 3:1
refuses '--contours 0,x: numbers, 0,0.5,2, or auto' grid.h5 end_angle --contours 0,x
refuses 'cannot draw contours: no value is crossed' grid.h5 end_angle --contours 1e9
refuses 'contours are for a map over two axes' grid.h5 max_rate --histogram --contours 1
refuses 'contours are for a map over two axes' grid.h5 stick --contours auto
refuses 'contours are for numbers over two axes of numbers' grid.h5 outcome --contours 1
refuses 'map.svg: dpi is for .png: a drawing has no dots' grid.h5 end_angle --dpi 300 -o map.svg
refuses 'dpi 1200: 24000 dots are more than 20000' grid.h5 end_angle --dpi 1200 --size 2000x200
refuses 'only `stick` moves' grid.h5 -o grid.mp4
refuses '--size 10x10: width and height in pixels' grid.h5 --size 10x10
refuses '--size 800: width' grid.h5 --size 800
refuses 'one of --return-map and --histogram and --matrix and --bands, only once' grid.h5 --histogram --bands
refuses 'a scatter matrix has all runs over all' grid.h5 max_rate --matrix --x $rate
refuses 'cannot fix initial.angle.upper: a scatter matrix has all runs' grid.h5 max_rate --matrix --at $angle=0
refuses 'cannot draw a scatter matrix of angle' grid.h5 angle --matrix
refuses 'cannot draw a scatter matrix of peak_torque' torques_inverse.h5 peak_torque --matrix
refuses 'colour initial.y: end_z has no such axis' drawn.h5 end_z --colour initial.y
refuses 'cannot colour end_z by system.rho' two.h5 end_z --colour system.rho
refuses 'bands are for what is kept over time' grid.h5 max_rate --bands
refuses 'a histogram is for numbers of the summary' grid.h5 angle --histogram
refuses 'angle.segment is wanted; of segment there are: upper, lower' grid.h5 --x angle --y rate.upper
refuses 'did you mean `upper`?' grid.h5 --x angle.uper --y rate.upper
refuses 'there is nothing more of energy to choose' grid.h5 --x energy.total --y rate.upper
expect 0 "$MANYLINK" run --quiet grid.yaml -o rod.h5 --set 'system.segments=[{name: upper, length: 1, mass: 1}]' \
    --set 'analyse={}'
expect 0 "$MANYLINK" plot rod.h5 --x angle --y rate.upper --script rod
refuses 'there is nothing more of angle to choose' rod.h5 --x angle.lower --y rate.upper
refuses 'only `stick` moves' grid.h5 -o grid.gif
refuses 'a map is an image, which TikZ has not' grid.h5 end_angle -o grid.tex
refuses 'palette jet: there are viridis, cividis' grid.h5 --palette jet
refuses 'label z: there are x, y and colour' grid.h5 --label z=1
refuses '--label x: it must read AXIS=TEXT' grid.h5 --label x
refuses '--aspect 0: a number above 0, equal or free' grid.h5 --aspect 0
refuses 'There are: ' torques_inverse.h5 torqe
# The first view is a motion, whose name a number of the summary has too.
cat >same_name.yaml <<'END'
manylink: 1
system: {type: equations, state: {end_x: 2, x: 1}, rates: {x: -x, end_x: x}}
time: {step: 1e-2, end: 1}
save: {trajectory: {every: 10}}
END
expect 0 "$MANYLINK" run --quiet same_name.yaml
expect 0 "$MANYLINK" plot same_name.h5 --script same_name
grep -q 'end_x' same_name/plot.gp || fail "same_name.h5: $(cat same_name/plot.gp)"
[ -z "$(find . -maxdepth 1 -name 'grid*.png' -o -name '*.tmp')" ] || fail "a refusal left a picture"

# A sample at every point of a grid: its grid, of the first point; over a sampled quantity points of all
# runs; as a family the points of the sample are told apart by their number.
cat >grid_sample.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 1e-2, end: 0.1}
sweep: [{set: system.rho, from: 10, to: 20, count: 3}]
sample: {method: random, count: 40, over: [{set: system.sigma, from: 5, to: 15}]}
END
expect 0 "$MANYLINK" run -q grid_sample.yaml
expect 0 "$MANYLINK" info grid_sample.h5
says out "curves of end_x, x: system.rho"
expect 0 "$MANYLINK" plot grid_sample.h5 end_x --script first
! grep -q "with image" first/*.gp || fail "a sample beside an axis is no map"
expect 0 "$MANYLINK" plot grid_sample.h5 end_x --x system.sigma --by system.rho --script over
grep -q "with points" over/*.gp || fail "runs in no order are points"
! grep -q "with lines" over/*.gp || fail "runs in no order are joined"
expect 0 "$MANYLINK" plot grid_sample.h5 end_x --x system.rho --by sample --script family
grep -q '^set cbtics (.0. 0, .39. 39)' family/*.gp || fail "points of a sample are told apart by their number"

# A number that is the same in all runs has an axis with room around it.
cat >same.yaml <<'END'
manylink: 1
system: {type: lorenz}
time: {end: 0.2, step: 0.01}
analyse: {observe: {w: {max: 1 + 0*x}}}
sample: {method: random, count: 16, over: [{set: system.rho, from: 20, to: 30}, {set: initial.x, from: 1, to: 2}]}
END
expect 0 "$MANYLINK" run same.yaml
expect 0 "$MANYLINK" plot same.h5 w --matrix -o matrix.svg
expect 0 "$MANYLINK" plot same.h5 w --x system.rho --colour initial.x -o colour.svg

# A contour on logarithmic axes: b = 2 - a from end to end of both.
cat >line.py <<'PY'
import re, subprocess, sys
import numpy as np
name, log_x, log_y = sys.argv[1], "x" in sys.argv[2], "y" in sys.argv[2]
text = open(f"{name}/plot.gp").read()
text = text[:text.index("unset table")].replace("ARG0[1:strlen(ARG0) - strlen('plot.gp')]", f"'{name}/'")
text = re.sub(r"set (terminal|output).*\n", "", text.replace("set table $contours", "set table 'lines'"))
subprocess.run(["gnuplot"], text=True, check=True, input=text)
x, y, z = np.array([line.split() for line in open("lines") if re.match(r" *[-0-9]", line)], float).T
b, a = 10**x if log_y else x, 10**y if log_x else y # the last axis is across
line = abs(z - 2) < 1e-9
assert np.abs(a + b - 2)[line].max() < 0.02, np.abs(a + b - 2)[line].max()
for values in (a[line], b[line]):
    assert values.min() < 0.15 and values.max() > 1.85, (values.min(), values.max())
PY
for axes in x y xy; do
    scale() { case $axes in *$1*) echo ', scale: log' ;; esac; }
    cat >contour.yaml <<END
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1}, state: {x: 0}, rates: {x: a + b}}
time: {step: 0.5, end: 1}
sweep: [{set: system.a, from: 0.1, to: 10, count: 40$(scale x)}, {set: system.b, from: 0.1, to: 10, count: 40$(scale y)}]
END
    expect 0 "$MANYLINK" run -q contour.yaml -o contour_$axes.h5
    expect 0 "$MANYLINK" plot contour_$axes.h5 end_x --contours 2 --script contour_$axes
    "$PYTHON" line.py contour_$axes $axes || fail "$axes: $(cat contour_$axes/plot.gp)"
done
