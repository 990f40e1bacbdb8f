# label: values
# The page of `report`, in headless Chromium: what the mouse reads and chooses is what the file has, for
# a result of each kind; texts of a study are texts, whatever is in them; the console stays empty.
. "$SOURCE/tests/check.sh"
need node
need_python
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"

# study NAME [OPTION...] <REST: runs a double pendulum with hostile texts, and makes its page.
study()
{
    name=$1
    shift
    cat >"$name.yaml" <<'STUDY'
manylink: 1
title: "</script><!--<script>alert(1)// \"quotes\" & 'apostrophes' \u00fc\u65e5\u672c"
system:
  type: chain
  segments:
    - {name: a, length: 1, mass: 1}
    - {name: b, length: 0.5, mass: 1}
time: {step: 0.01, end: 1}
STUDY
    cat >>"$name.yaml"
    code=0
    "$MANYLINK" run "$name.yaml" -q "$@" || code=$?
    [ "$code" = 0 ] || [ "$code" = 3 ] || fail "$name: exit code $code"
    expect 0 "$MANYLINK" report "$name.h5"
    says out "$name.html"
}

study line <<'REST'
sweep: [{set: initial.angle.a, from: 0.1, to: 3, count: 9}]
analyse: {lyapunov: {}}
REST
study map <<'REST'
sweep:
  - {set: initial.angle.a, from: 0.1, to: 3, count: 7}
  - {set: initial.rate.a, from: 0.2, to: 2, count: 5}
save: {trajectory: {every: 2, runs: {every: 4}, quantities: [angle, rate, end_position]}}
REST
study cube <<'REST'
sweep:
  - {set: initial.angle.a, values: [0.1, 1, 3]}
  - {set: system.segments.a.mass, from: 0.5, to: 2, count: 4}
  - {set: initial.rate.a, from: 0, to: 2, count: 6}
REST
study four <<'REST'
sweep:
  - {set: system.segments.a.mass, from: 0.5, to: 2, count: 3}
  - {set: system.segments.b.length, from: 0.5, to: 2, count: 3}
  - {set: initial.angle.a, from: -1.9, to: 1.9, count: 4}
  - {set: initial.rate.a, from: 0, to: 2, count: 5}
REST
study outlier <<REST
sweep: [{set: initial.angle.b, values: [1000$(seq -f ', %g' 0.01 0.01 1.2 | tr -d '\n')]}]
show: end_angle
REST
study hysteresis --set time.end=6 <<'REST'
events: [{name: beat, period: 1, from: 1, max: 5, keep: [energy]}]
initial: {rate: {a: 1}}
sweep: [{set: system.segments.a.mass, from: 1, to: 2, count: 9, continue: both}]
REST
sed /^show/d "$SOURCE/studies/basins.yaml" >basins.yaml
expect 0 "$MANYLINK" run basins.yaml -q -o basins.h5 --set sweep.0.count=12 --set sweep.1.count=12
expect 0 "$MANYLINK" report basins.h5
study log <<'REST'
sweep:
  - {set: initial.angle.a, from: 0.1, to: 3, count: 4}
  - {set: system.segments.a.mass, from: 0.1, to: 100, count: 7, scale: log}
REST
study uneven <<'REST'
sweep:
  - {set: initial.angle.a, values: [0.1, 0.2, 0.5, 2.5]}
  - {set: system.segments.a.mass, values: [3, 1, 2]}
REST
study zipped <<'REST'
sweep:
  - name: start
    set: [initial.angle.a, initial.rate.a]
    values: [[0.1, 1], [0.2, 3], [0.5, 2], [1, 1], [2, 0]]
REST
study sample <<'REST'
sample: {method: sobol, count: 32, over: [{set: initial.angle.a, from: 0, to: 3}, {set: initial.rate.a, from: 0, to: 9}]}
REST
study shares <<'REST'
accuracy: off
sweep: [{set: initial.angle.a, values: [0.5, 1, 3]}, {set: system.segments.a.mass, values: [1, 2]}]
sample: {method: random, count: 20, over: [{set: initial.rate.a, from: 0, to: 9}]}
require: {max_rate.a: {below: 6}, end_angle.b: {above: 0}}
REST
study reach --set time.end=3 <<'REST'
accuracy: off
forces: [{name: brace, type: pid, joint: a, target: 1, kp: 100, kd: 20}]
sweep: [{set: forces.brace.kp, from: 60, to: 100, count: 3}]
analyse: {tracking: {band: 0.3}}
REST
study section --set time.end=20 <<'REST'
events: [{name: cut, when: angle.a, crosses: 0, direction: up, max: 40, keep: [state]}]
sample: {method: sobol, count: 12, over: [{set: initial.angle.a, from: 1, to: 2}, {set: initial.rate.a, from: 0, to: 2}]}
REST
study orbit <<'REST'
events: [{name: beat, period: 0.1, from: 0.4, max: 50, keep: [angle, rate]}]
sweep: [{set: initial.angle.a, from: 0.5, to: 3, count: 11}]
show: beat_rate
REST
study walk <<'REST'
events: [{name: swing, of: angle.a, kind: either, max: 1, keep: [energy]}]
sweep:
  - {set: initial.rate.a, from: 0.5, to: 2, count: 3}
  - {set: system.segments.a.mass, from: 1, to: 2, count: 4, continue: both}
show: swing_energy
REST
study single <<'REST'
save: {trajectory: {every: 1, quantities: [angle, rate, end_position]}}
REST
study accuracy --accuracy 8 <<'REST'
sweep: [{set: initial.angle.a, from: 0.1, to: 1, count: 20}]
REST
expect 0 "$MANYLINK" info accuracy.h5
mv out accuracy.info
study again --set time.end=120 <<'REST'
sweep:
  - {set: initial.angle.a, from: 0.1, to: 3, count: 4}
  - {set: initial.rate.a, from: 0.2, to: 2, count: 6}
REST
expect 0 "$MANYLINK" report again.h5 --motions 6
says err "motions of 6 runs, computed again"
expect 0 "$MANYLINK" run again.yaml --set time.end=120 -o full.h5 \
    --set save.trajectory.every=1 --set 'save.trajectory.quantities=[angle,rate,end_position]'
expect 0 "$MANYLINK" inverse "$SOURCE/studies/reach_inverse.yaml" -o inverse.h5
expect 0 "$MANYLINK" report inverse.h5 -o inverse.html
expect 0 "$MANYLINK" inverse single.yaml --motion single.h5 --run 0 -o torques.h5 --set 'title=two words' --set system.gravity=0
expect 0 "$MANYLINK" report torques.h5 -o torques.html
expect 0 "$MANYLINK" inverse map.yaml --motion map.h5 -o several.h5
expect 0 "$MANYLINK" report several.h5
expect 0 "$MANYLINK" report several.h5 --motions 3 -o few_of_several.html
expect 0 "$MANYLINK" report map.h5 --paths -o map_paths.html
expect 0 "$MANYLINK" report torques.h5 --paths -o torques_paths.html

expect 0 "$MANYLINK" run map.yaml -q -o other.h5 --set time.step=0.005
expect 0 "$MANYLINK" report map.h5 other.h5 -o compared.html

PYTHONDONTWRITEBYTECODE=1 "$PYTHON" "$SOURCE/tests/report/check_page.py" "$chromium" line reach map cube log uneven zipped sample section orbit walk again single inverse several

# Refusals, and what is left as it was.
cp map.html before
expect 2 "$MANYLINK" report map.h5 -o map.h5
says err "is the result itself"
expect 2 "$MANYLINK" report map.h5 -o .
expect 2 "$MANYLINK" report map.h5 other.h5 -o other.h5
says err "is the result itself"
# Two results of other runs, of other numbers and of single runs.
expect 0 "$MANYLINK" run map.yaml -q -o moved.h5 --set sweep.1.to=2.5
expect 0 "$MANYLINK" run map.yaml -q -o more.h5 --set 'analyse={lyapunov: {}}'
for pair in "line:runs/run" "moved:initial.rate.a" "more:summary/lyapunov_max" "torques:a single run"; do
    pages_before=$(wc -c <map.html)
    expect 2 "$MANYLINK" report "$([ "${pair%%:*}" = torques ] && echo torques.h5 || echo map.h5)" "${pair%%:*}.h5" -o map.html
    says err "${pair%%:*}.h5: cannot compare with"
    says err "${pair#*:}"
    [ "$(wc -c <map.html)" = "$pages_before" ] || fail "a refused comparison changed a page"
done
head -c 3000 map.h5 >cut.h5
expect 1 "$MANYLINK" report cut.h5 -o map.html
cmp before map.html || fail "a page was changed by a report that failed"
expect 0 "$MANYLINK" report map.h5 --motions 3 -o few.html
says err "motions of 3 of the 9 runs"
