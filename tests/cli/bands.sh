# label: values
# Quantiles, means and standard deviations over time against numpy: of runs that diverge or are ended by an event, of a subset, of
# a design, of grids; the same bits from threads and shards; a lost shard is named; and their pictures.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

cat >ends.yaml <<'END_OF_STUDY'
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1}, state: {x: 1, y: 0}, rates: {x: x^2*a, y: b}}
time: {step: 0.01, end: 1}
sample:
  method: random
  count: 1000
  seed: 5
  over: [{set: system.a, from: 0, to: 1.2}, {set: system.b, distribution: normal, mean: 1, sd: 0.1}]
events: [{name: late, when: y - 1.05, stop: true}]
save: {trajectory: {every: 10}}
END_OF_STUDY
expect 3 "$MANYLINK" run ends.yaml --threads 1 -o ends.h5
expect 3 "$MANYLINK" run ends.yaml --threads 3 -o threads.h5
same ends.h5 threads.h5
for k in 0 1 2 3; do
    expect 3 "$MANYLINK" run ends.yaml --shard $k/4 -o part$k.h5
done
expect 3 "$MANYLINK" merge part0.h5 part1.h5 part3.h5 --partial -o merged.h5
cp merged.h5 partial.h5
expect 3 "$MANYLINK" merge part?.h5 -o merged.h5
same ends.h5 merged.h5

cat >chain.yaml <<'END_OF_STUDY'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-2, end: 1}
sample: {method: latin_hypercube, count: 203, over: [{set: initial.angle.upper, from: -3, to: 3}, {set: system.segments.lower.mass, from: 1, to: 2}]}
save: {trajectory: {every: 5, quantities: [angle, energy], runs: {every: 3}}}
END_OF_STUDY
expect 0 "$MANYLINK" run chain.yaml
expect 0 "$MANYLINK" run chain.yaml -o saltelli.h5 --set sample.method=sobol --set sample.count=32 --set sample.design=saltelli
expect 0 "$MANYLINK" run chain.yaml -o grid.h5 --set sample.count=50 --set 'sweep=[{set: system.gravity, values: [1, 5, 9.81]}, {set: initial.rate.upper, from: 1, to: 9, count: 2}]'
expect 0 "$MANYLINK" run chain.yaml -o few.h5 --set sample.count=3
expect 0 "$MANYLINK" run chain.yaml -o kept.h5 --set save.trajectory.runs.first=2 --set save.trajectory.runs.every=1
expect 0 "$MANYLINK" run chain.yaml -o plain.h5 --set 'sample={method: random, count: 3, over: [{set: initial.angle.upper, from: 1, to: 2}]}' --set 'save={}'

# Names of scales are refused before the first run, of quantities that have no such scale beside them they are taken.
sed 's/x: 1, y: 0/quantile: 1, segment: 0/; s/x: x^2\*a, y: b/quantile: a, segment: b/; s/y - 1.05/segment - 1.05/' ends.yaml >names.yaml
expect 2 "$MANYLINK" run names.yaml
says err '"quantile" cannot name a dataset of /study/statistics/over_time/quantiles: the name is taken by another dataset there; take another name'
[ ! -e names.h5.parts ] || fail "a store of refused names"
sed 's/quantile/run/g' names.yaml >run.yaml
expect 2 "$MANYLINK" run run.yaml
says err '"run" cannot name a dataset of /study/trajectories'
sed 's/quantile/sample/g' names.yaml >sample.yaml
expect 0 "$MANYLINK" run sample.yaml
expect 2 "$MANYLINK" run chain.yaml -o named.h5 --set accuracy=2 --set 'sweep=[{set: system.gravity, values: [1, 5]}]' --set 'analyse={observe: {run: {max: angle.upper}}}'
says err 'chain.yaml: "run" cannot name a dataset of /study/accuracy/difference'
[ ! -e named.h5.parts ] || fail "a store of refused names"

# Pictures have the numbers of the file.
expect 0 "$MANYLINK" plot partial.h5 x --bands --script partial
expect 0 "$MANYLINK" plot chain.h5 angle.lower --bands --script lower
expect 0 "$MANYLINK" plot grid.h5 angle --bands --at system.gravity=9 --at initial.rate.upper=1 --script cell
expect 0 "$MANYLINK" plot grid.h5 angle.upper --bands --panels system.gravity -o panels.png
expect 2 "$MANYLINK" plot grid.h5 angle.lowr --bands
says err 'angle has no component `lowr`; did you mean `lower`?'
expect 2 "$MANYLINK" plot grid.h5 energy.lower --bands
says err 'energy has no components'
expect 2 "$MANYLINK" plot grid.h5 energy --bands --at time=0.5
says err 'bands are of all times and quantiles'
expect 2 "$MANYLINK" plot grid.h5 energy --bands --from 2
says err 'no run that counts has a number at these times'
expect 0 "$MANYLINK" plot grid.h5 energy --bands --from 0.25 --to 0.5 --range -9:1 --script part
grep -qxF 'set yrange [-9:1]' part/plot.gp || fail "no range"
grep -q 'record=6 ' part/plot.gp || fail "no part: $(cat part/plot.gp)"
expect 0 "$MANYLINK" plot grid.h5 energy --bands --by system.gravity --script by
[ "$(grep -c 'using 1:4' by/plot.gp)" = 3 ] || fail "no part for each value: $(cat by/plot.gp)"
for wrong in '--by sample/by swept axes' '--by time/by swept axes' '--x angle/cannot take x, y or colour' '--run 3,6/of two at least'; do
    expect 2 "$MANYLINK" plot grid.h5 energy --bands ${wrong%/*}
    says err "${wrong##*/}"
done
expect 2 "$MANYLINK" plot grid.h5 angle.upper.lower --bands
says err 'angle has no component `upper.lower`; there are: upper, lower'
PYTHONPATH="$SOURCE/tests/results" PYTHONDONTWRITEBYTECODE=1 "$PYTHON" "$SOURCE/tests/cli/bands.py"
