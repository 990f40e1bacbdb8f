# label: values
# What viewers show first of results: the number that the study asks for, over axes that they draw
# right. The structure is held against h5py, xarray and ncdump; no viewer is needed.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

# check PROGRAM NAME [WORD]...
check()
{
    program=$1 name=$2
    shift 2
    "$PYTHON" "$SOURCE/tests/results/$program" "$name.h5" "$@" || fail "$name.h5: $program $*"
}
# first NAME SIGNAL [AXIS]...: the study's default picture.
first() { check check_viewers.py "$@"; }
runs()
{
    cat >"$1.yaml"
    expect 0 "$MANYLINK" run --quiet "$1.yaml"
}
rods='{type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}'

# Uneven values: positions along the axis, that tell them; true values stay for programs.
runs uneven <"$SOURCE/tests/viewers/uneven.yaml"
first uneven lyapunov_max axis.system.rho axis.system.beta
check view_result.py uneven
expect 0 "$MANYLINK" info uneven.h5
says out "system.rho"
[ "$(grep -c '^  system.rho' out)" = 1 ] || fail "info tells of copies for viewers"

# Each of two values is a signal: curves beside one other axis, a menu of maps beside two.
expect 0 "$MANYLINK" run --quiet uneven.yaml -o two.h5 --set 'sweep.0.values=[1, 28]'
first two system.rho=1.exponent_1 axis.system.beta
check view_result.py two
expect 0 "$MANYLINK" run --quiet uneven.yaml -o menu.h5 --set 'analyse.megno={}' --set show=megno \
    --set 'sweep=[{set: system.sigma, values: [9, 10, 12]}, {set: system.rho, values: [1, 28]}, {set: system.beta, from: 2, to: 3, count: 4}]'
first menu system.rho=1 axis.system.sigma axis.system.beta
check view_result.py menu

# Two axes of numbers without unit, of different ranges: one tells its unit, the other none. The same
# of two in one unit; ranges that are alike are drawn to one scale.
runs numbers <<END
manylink: 1
title: Numbers
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 1e-2, end: 2}
sweep:
  - {set: system.rho, from: 1, to: 200, count: 5}
  - {set: system.sigma, from: 1, to: 10, count: 3, scale: log}
analyse: {lyapunov: {exponents: 1}}
END
first numbers lyapunov_max axis.system.rho axis.system.sigma
runs masses <<END
manylink: 1
title: Masses
system: $rods
time: {step: 1e-2, end: 0.1}
sweep:
  - {set: system.segments.upper.mass, from: 1, to: 100, count: 5}
  - {set: system.segments.lower.mass, from: 1, to: 2, count: 3}
END
first masses end_angle_wrapped.lower axis.system.segments.upper.mass axis.system.segments.lower.mass
check view_result.py masses
runs angles <<END
manylink: 1
title: Angles
system: $rods
time: {step: 1e-2, end: 0.1}
sweep:
  - {set: initial.angle.upper, from: -3, to: 3, count: 5}
  - {set: initial.angle.lower, from: 0, to: 3, count: 4}
END
first angles end_angle_wrapped.lower axis.initial.angle.upper axis.initial.angle.lower

# Quantities that move together: the first one's values if they are even, else positions.
runs together <<END
manylink: 1
title: A study whose title is longer than what a viewer has room for above its picture
system: $rods
time: {step: 1e-2, end: 0.1}
sweep:
  - {name: masses, set: [system.segments.upper.mass, system.segments.lower.mass], values: [[1, 3], [2, 5], [3, 9]]}
  - {name: push, set: [initial.rate.upper, initial.rate.lower], values: [[1, 3], [2, 5], [9, 9]]}
END
first together end_angle_wrapped.lower axis.masses axis.push
check view_result.py together

runs factors <<END
manylink: 1
title: Factors
system: $rods
time: {step: 1e-2, end: 0.1}
initial: {rate: 1}
sweep:
  - {name: pace, set: [initial.rate.upper, initial.rate.lower], scale_by: {from: 1, to: 100, count: 3, scale: log}}
  - {name: heavy, set: [system.segments.upper.mass, system.segments.lower.mass], from: 1, to: 20, count: 4}
END
first factors end_angle_wrapped.lower axis.pace axis.heavy

# A curve needs its values in order only; a number and its error are one curve, whatever else is
# measured.
runs curve <<END
manylink: 1
title: Curve
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 1e-2, end: 20}
sweep: [{name: rho, set: system.rho, values: [1, 10, 24, 28, 100]}]
analyse: {lyapunov: {exponents: all}, megno: {}}
END
first curve exponent_1 axis.rho
check view_result.py curve
runs unordered <<END
manylink: 1
title: Unordered
system: {type: lorenz}
time: {step: 1e-2, end: 1}
sweep: [{set: system.rho, values: [1, 100, 24]}]
END
first unordered end_x axis.system.rho

# A sample is a scatter plot; a shard lists its runs as a sample does.
runs sample <<END
manylink: 1
title: Sample
system: $rods
time: {step: 1e-2, end: 1}
sample: {method: sobol, count: 20, seed: 1, over: [{set: initial.angle.upper, from: -1, to: 1}, {set: system.segments.lower.mass, from: 1, to: 2}]}
analyse: {megno: {}}
END
first sample megno axis.system.segments.lower.mass megno
check view_result.py sample

# Drifts that are all 0 have no decades to be drawn over.
expect 0 "$MANYLINK" run --quiet sample.yaml --set show=energy_drift -o rest.h5 \
    --set 'sample.over=[{set: system.segments.lower.mass, from: 1, to: 2}]'
first rest energy_drift axis.system.segments.lower.mass energy_drift
check view_result.py rest

# What events keep: two numbers over each other, all events of all runs in one picture; over a single
# axis each number. What the study names comes first all the same, and where there are no events what
# else there is.
whirling="manylink: 1
system: $rods
time: {step: 1e-2, end: 20}
initial: {rate: {upper: 6}}"
runs section <<END
$whirling
title: Section
sample: {method: sobol, count: 40, seed: 1, over: [{set: initial.angle.lower, from: -1, to: 1}, {set: initial.rate.lower, from: -3, to: 3}]}
events: [{name: section, when: angle.upper, crosses: 0, every: 2*pi, direction: up, max: 9, keep: [angle, rate]}]
END
first section run section_angle.lower section_rate.lower
check view_result.py section
expect 0 "$MANYLINK" run --quiet section.yaml --set show=section_time -o named.h5
first named section_time axis.initial.rate.lower section_time
expect 0 "$MANYLINK" run --quiet section.yaml --set time.end=0.01 -o none.h5
first none section_time axis.initial.angle.lower section_time
for shard in 0 1; do
    expect 0 "$MANYLINK" run --quiet section.yaml --shard $shard/2 -o "shard$shard.h5"
    first "shard$shard" run section_angle.lower section_rate.lower
done
expect 0 "$MANYLINK" merge shard0.h5 shard1.h5 -o merged.h5
first merged run section_angle.lower section_rate.lower
check compare_results.py section merged.h5
expect 0 "$MANYLINK" plot section.h5 --script points -o section.png
grep -q section_rate.lower points/* || fail "plot draws something else than viewers"
runs orbit <<END
$whirling
title: Orbit
sweep: [{set: initial.angle.lower, from: -1, to: 1, count: 12}]
events: [{name: swing, of: angle.lower, kind: maximum, max: 9, keep: [angle]}]
END
first orbit swing_angle.upper initial.angle.lower swing_angle.upper
check view_result.py orbit

# Forward and back over the parameter, in two colours; labels of attractors before what nobody asked for.
runs both <<END
manylink: 1
title: Both
system: {type: duffing, alpha: 1, beta: 0.1, delta: 0.1, omega: 1.5}
time: {step: 2*pi/1.5/64, end: 30*2*pi/1.5}
events: [{name: peak, of: x, kind: maximum, from: 20, max: 4, keep: [x]}]
sweep: [{set: system.gamma, from: 0.1, to: 2.5, count: 12, continue: both}]
END
first both direction system.gamma peak_x
check view_result.py both
sed '/^show/d' "$SOURCE/studies/basins.yaml" >basins.yaml
expect 0 "$MANYLINK" run --quiet basins.yaml --set 'time.end=140*pi' --set sweep.0.count=4 --set sweep.1.count=5
first basins beat_attractor axis.initial.v axis.initial.x
# A sample opens on the input that the number depends on most, whatever the others are.
runs inputs <<END
manylink: 1
title: Inputs
system: {type: duffing, alpha: 1, beta: 0.1, delta: 0.1, omega: 1.5}
time: {step: 0.02, end: 3}
sample: {method: sobol, count: 64, over: [{set: system.beta, from: 0.1, to: 0.2}, {set: system.delta, from: 0.1, to: 0.2},
    {set: initial.v, from: -1, to: 1}, {set: initial.x, from: -3, to: 3}]}
show: end_v
END
first inputs end_v axis.initial.x end_v
check view_result.py inputs
"$PYTHON" - <<'END' || fail "the first input is not that of the largest rank correlation"
import sys
import h5py
from scipy.stats import spearmanr
with h5py.File("inputs.h5") as file:
    study = file["study"]
    number, over = study["summary/end_v"][()], study[study.attrs["default"]].attrs["x"]
    sizes = {name: abs(spearmanr(number, study[f"runs/{name}"][()])[0]) for name in
             ("system.beta", "system.delta", "initial.v", "initial.x")}
sys.exit(over != max(sizes, key=sizes.get))
END
expect 0 "$MANYLINK" plot inputs.h5 --script inputs -o inputs.png
grep -q 'set xlabel "initial.x' inputs/plot.gp || fail "plot draws something else than viewers"
# A stack opens in the middle.
expect 0 "$MANYLINK" run --quiet both.yaml -o stack.h5 --set show=end_x --set events=[] --set 'sweep=[{set: initial.x, from: 0,
    to: 1, count: 5}, {set: system.gamma, from: 0, to: 1, count: 4}, {set: system.delta, from: 0, to: 1, count: 3}]'
first stack end_x axis.initial.x axis.system.gamma axis.system.delta

# Of a single run, a motion that is kept, also where axes have one value each.
runs single <<END
manylink: 1
title: Single
system: $rods
time: {step: 1e-2, end: 1}
sweep: [{set: initial.angle.upper, from: 1, to: 2, count: 1}]
save: {trajectory: {every: 10, quantities: [angle]}}
END
first single upper axis.time

# A study says what comes first, be it a map or a motion; `plot` draws the same.
runs chosen <<END
manylink: 1
title: Chosen
show: end_rate
system: $rods
time: {step: 1e-2, end: 1}
sweep:
  - {set: initial.angle.upper, from: -3, to: 3, count: 5}
  - {set: initial.angle.lower, from: 0, to: 3, count: 4}
analyse: {lyapunov: {exponents: 1}}
save: {trajectory: {every: 10, quantities: [angle]}}
END
first chosen lower axis.initial.angle.upper axis.initial.angle.lower
check view_result.py chosen
expect 0 "$MANYLINK" run --quiet chosen.yaml --set show=angle -o motion.h5
first motion upper axis.run axis.time
check view_result.py motion
expect 0 "$MANYLINK" plot chosen.h5 --at segment=lower --script kept -o chosen.png
grep -q end_rate kept/* || fail "plot draws something else than the study says"
# A title that has no room for the study's has all of the name, however long.
expect 0 "$MANYLINK" run --quiet "$SOURCE/studies/arm_sensitivity.yaml" --shard 0/16 --set time.step=1e-3 \
    --set time.end=0.01 -o shard.h5
check view_result.py shard
expect 0 "$MANYLINK" plan chosen.yaml --set show=end_angle_wrapped
! grep -q note: err || fail "$(cat err)"
sed '/initial.angle.lower, from/d' chosen.yaml >one_axis.yaml # no map, in which alone it is drawn
expect 0 "$MANYLINK" plan one_axis.yaml --set show=end_angle_wrapped
says err "--set show=end_angle_wrapped: note: \`end_angle_wrapped\` is drawn only in maps"
expect 2 "$MANYLINK" plan chosen.yaml --set show=end_ratee
says err "did you mean"

# A program that had the file open to write and was killed leaves a flag: the file is as it was made.
"$PYTHON" - <<'END' || :
import os, shutil, sys
import h5py
shutil.copy("chosen.h5", "killed.h5")
file = h5py.File("killed.h5", "r+")
file.flush()
sys.stdout.flush()
os.kill(os.getpid(), 9)
END
! cmp -s chosen.h5 killed.h5 || echo "HDF5 leaves no flag here"
expect 0 "$MANYLINK" info killed.h5
says out "as it was made"
"$PYTHON" -c 'file = open("killed.h5", "r+b"); file.seek(12); file.write(b"\1")'
expect 1 "$MANYLINK" info killed.h5

# Programs take values by the path, in every engine.
"$PYTHON" - <<'END' || fail "xarray"
import xarray
for engine in ("netcdf4", "h5netcdf"):
    with xarray.open_dataset("uneven.h5", group="study/summary", engine=engine) as data:
        picked = data.lyapunov_max.sel({"system.rho": 24, "system.beta": 2})
        assert float(picked) == float(data.lyapunov_max[2, 0])
        assert list(data["system.rho"].values) == [1, 10, 24, 28, 100]
    with xarray.open_dataset("uneven.h5", group="study/summary/plots/lyapunov_max",
                             engine=engine) as data:
        axis = data["axis.system.rho"]
        assert axis.attrs["long_name"] == "system.rho: 1, 10, 24, 28, 100", axis
        assert list(axis.values) == [0, 1, 2, 3, 4], axis
    with xarray.open_dataset("together.h5", group="study/summary", engine=engine) as data:
        assert data["push"].attrs["long_name"] == "push: 1, 2, 9 rad/s"
        swapped = data.swap_dims(push="initial.rate.upper")
        assert float(swapped.end_angle.sel({"masses": 1, "initial.rate.upper": 9})[1]) \
            == float(data.end_angle[1, 2, 1])
        assert "initial.rate.lower" in data.end_angle.coords, data.end_angle
    with xarray.open_dataset("sample.h5", group="study/summary", engine=engine) as data:
        assert {"initial.angle.upper", "system.segments.lower.mass"} <= set(data.megno.coords)
    with xarray.open_dataset("uneven.h5", group="study/summary", engine=engine) as data:
        assert data.outcome.dims == data.lyapunov_max.dims, data.outcome
        assert "finished" in data.outcome.attrs["flag_meanings"], data.outcome
END
