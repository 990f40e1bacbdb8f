# label: values
# Statistics of samples against numpy and scipy; runs that diverge, are ended by an event or lie in a lost shard; designs whose
# runs share coordinates; the same bits from threads, shards and a completed partial merge; grids and shards have none.
. "$SOURCE/tests/check.sh"
need_python

cat >ends.yaml <<'END'
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1}, state: {x: 1, y: 0}, rates: {x: x^2*a, y: b}}
time: {step: 0.01, end: 1}
sample:
  method: random
  count: 3000
  seed: 5
  over: [{set: system.a, from: 0, to: 1.2}, {set: system.b, distribution: normal, mean: 1, sd: 0.1}]
events: [{name: high, when: x - 3, max: 1}, {name: late, when: y - 1.2, stop: true}]
END
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

cat >chain.yaml <<'END'
manylink: 1
accuracy: off
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-2, end: 1}
sample: {method: latin_hypercube, count: 1024, over: [{set: initial.angle.upper, from: -3, to: 3}, {set: system.segments.lower.mass, distribution: lognormal, mean: 1, sd: 0.2}, {set: initial.rate.lower, distribution: discrete, values: [0, 1, 2]}]}
analyse: {lyapunov: {exponents: 2}}
END
expect 0 "$MANYLINK" run chain.yaml -o chain.h5
sed 's/method.*count: 1024/method: sobol, design: saltelli, count: 256/' chain.yaml >saltelli.yaml
expect 0 "$MANYLINK" run saltelli.yaml -o saltelli.h5
expect 0 "$MANYLINK" run chain.yaml --set sample.count=1 -o one.h5
sed 's/^analyse.*/sweep: [{set: system.gravity, values: [1, 5, 9.81]}, {set: initial.rate.upper, from: 1, to: 9, count: 2}]/; s/1024/200/' chain.yaml >both.yaml
expect 0 "$MANYLINK" run both.yaml -o both.h5
sed 's/method.*count: 1024/design: morris, count: 8/; s/, {set: initial.rate.lower[^}]*}//' chain.yaml >morris.yaml
expect 0 "$MANYLINK" run morris.yaml -o morris.h5
sed 's/^sample.*/sweep: [{set: initial.angle.upper, from: -3, to: 3, count: 4}]/' chain.yaml >grid.yaml
expect 0 "$MANYLINK" run grid.yaml -o grid.h5
cat >wells.yaml <<'END'
manylink: 1
accuracy: off
system: {type: duffing, delta: 0.3, gamma: 0}
time: {step: 0.05, end: 150}
events:
  - {name: beat, period: 5, from: 100, max: 8, keep: [state], attractors: 1e-3}
  - {name: slow, period: 10, from: 50, max: 8, keep: [state], attractors: 1e-3}
sweep: [{set: system.delta, values: [0.05, 0.3]}]
sample: {method: random, count: 300, seed: 2, over: [{set: initial.v, from: -2, to: 2}, {set: initial.x, distribution: discrete, values: [1e9, -1, 0, 1]}]}
END
expect 3 "$MANYLINK" run wells.yaml -q
expect 3 "$MANYLINK" run wells.yaml -q --shard 0/2 -o wells0.h5
expect 3 "$MANYLINK" run wells.yaml -q --shard 1/2 -o wells1.h5
expect 3 "$MANYLINK" merge wells0.h5 wells1.h5 -o wells_merged.h5
same wells.h5 wells_merged.h5
"$PYTHON" "$SOURCE/tests/cli/statistics.py"

cat >missing.py <<'END'
import h5py
for name, missing in (("partial", "shards missing of 4: 2"), ("merged", None)):
    assert h5py.File(name + ".h5")["study/sensitivity/global"].attrs.get("missing") == missing, name
END
"$PYTHON" missing.py
# `info` has the numbers of the tables.
expect 0 "$MANYLINK" info partial.h5
says out "statistics of the sample; left out: 1033 of 3000 runs: 329 diverged, 704 missing; shards missing of 4: 2"
grep -q '^  end_y  .* +1.00 with system.b$' out || fail "$(cat out)"
expect 0 "$MANYLINK" info both.h5
says out "statistics of the sample at each point of the grid"

expect 0 "$MANYLINK" run chain.yaml --no-accuracy --set sample.count=1 -o single.h5
expect 0 "$MANYLINK" info single.h5
grep -q '^  end_angle.*rad in the only run that has this number$' out || fail "$(cat out)"
! grep '+- *nan' out || fail "NaN of one run"

# `plan` has their memory where it is most.
expect 0 "$MANYLINK" plan chain.yaml --set sample.count=1000000
grep -q '^  *[0-9.]* MB in the end, for statistics and indices of the sample$' out || fail "$(cat out)"
expect 0 "$MANYLINK" plan chain.yaml
! grep 'in the end' out || fail "memory of few runs"
