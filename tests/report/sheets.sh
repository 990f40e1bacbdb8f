# label: values
# Pages of a fit, of a comparison of integrators and of cycles of a gait, in headless Chromium: curves, residuals, estimates,
# correlations, errors, means with bands and peaks are those of the file, by the mouse and by the keys too; titles and names are texts, whatever is in them; the console stays empty.
. "$SOURCE/tests/check.sh"
need node
need_python
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"

cat >fit.yaml <<'END'
manylink: 1
title: "</script><!--<script>alert(1)// \"quotes\""
system: {type: equations, parameters: {k: 22 1/s^2, c: 1 1/s, f: 25 m/s^2}, state: {x: 0 m, v: 0 m/s}, rates: {x: v, v: f - k*x - c*v}}
time: {step: 0.0125, end: 4}
sample:
  method: sobol
  count: 4
  over:
    - {set: system.k, distribution: lognormal, mean: 25, sd: 1, from: 5, to: 60}
    - {set: initial.x, from: -1, to: 2}
    - {set: system.c, from: 0.05, to: 4}
fit:
  experiments:
    - {name: rest, to: rest.csv}
    - {name: push, to: push.csv, set: {system.f: 40, initial.x: 0.4}, leave_out: [v]}
  own: [initial.x]
  columns: {x: x, v: v}
  sd: {x: 0.01, v: 0.05}
  posterior: {walkers: 8, steps: 20, burn_in: 2}
END
"$PYTHON" - <<'END'
import numpy as np

rng, t = np.random.default_rng(3), np.arange(0, 161) * 0.025
for name, times, x, columns in (("rest", t, 1 - np.exp(-t / 2) * np.cos(5 * t), 2), ("push", t[:100:3], 1.6 - np.exp(-t[:100:3] / 2) * np.cos(5 * t[:100:3]), 1)):
    v = np.gradient(x, times)
    table = np.column_stack([times, x + 0.01 * rng.normal(size=len(x)), v + 0.05 * rng.normal(size=len(x))])
    np.savetxt(name + ".csv", table[:, :1 + columns], delimiter=",", header="time,x,v"[:4 + 2 * columns], comments="", fmt="%.9g")
END
expect 0 "$MANYLINK" fit fit.yaml -o fit.h5 --profile
expect 0 "$MANYLINK" report fit.h5
says out fit.html
expect 0 "$MANYLINK" fit fit.yaml -o one.h5 --set 'fit={to: rest.csv, columns: {x: x}}' --set 'sample.over=[{set: system.k, from: 5, to: 60}]' \
    --set system.c=1.0
expect 0 "$MANYLINK" report one.h5

cat >oscillator.yaml <<'END'
manylink: 1
system: {type: mass_spring_damper, mass: [[1]], stiffness: [[4]]}
initial: {position: [1]}
time: {step: 0.01, end: 2}
sweep: [{set: initial.position.1, from: -0.5, to: 1, count: 3}]
END
expect 0 "$MANYLINK" compare oscillator.yaml --integrators rk4,dop853 --levels 4 -o compare.h5
expect 0 "$MANYLINK" report compare.h5

"$PYTHON" "$SOURCE/tests/cli/gait_cycles.py" write
cat >leg.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: shank, length: 0.4, mass: 3, com: 0.2, inertia: 0.05}]}
motion: {file: swing.csv}
forces: [{name: plate, type: load, segment: shank, at: 0, file: plate_good.csv, force: [fx, fy]}]
inverse: {cycles: {of: plate, threshold: 475}}
sweep: [{set: system.segments.shank.mass, values: [3, 4]}]
END
expect 0 "$MANYLINK" inverse leg.yaml -o leg.h5
expect 0 "$MANYLINK" report leg.h5
expect 0 "$MANYLINK" inverse leg.yaml -o kept.h5 --set 'inverse={keep: torque, cycles: {of: plate, threshold: 475}, report: {from: 1, to: 2.5}}'
expect 0 "$MANYLINK" report kept.h5

PYTHONDONTWRITEBYTECODE=1 "$PYTHON" "$SOURCE/tests/report/check_sheets.py" "$chromium"

# Two results in a page are of runs.
for pair in "fit.h5 one.h5" "compare.h5 fit.h5"; do
    expect 2 "$MANYLINK" report $pair -o two.html
    says err "${pair%% *}: has neither runs nor torques"
    [ ! -e two.html ] || fail "a page of $pair"
done
