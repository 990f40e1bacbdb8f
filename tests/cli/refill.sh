# label: values
# Lanes that take the next run when theirs has ended change no run: every run of a study of long blocks is
# the same bits as computed again in blocks of one batch, where none is taken. Some fail, some keep their
# trajectory, some advance derivatives.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
time: {end: 8, tick: 0.5}
integrator: {type: tp86, tolerance: 1e-8, max_steps: 105}
sweep:
  - {set: initial.angle.a, from: -3, to: 3, count: 41}
  - {set: initial.angle.b, from: -3, to: 3, count: 33}
analyse: {every: 3}
save: {trajectory: {every: 4, runs: {every: 7}}}
END
sed 's/tp86, tolerance: 1e-8/rodas4, tolerance: 1e-5/' study.yaml >implicit.yaml
sed 's/^analyse.*/analyse: {sensitivity: {of: [end_state], to: [system.segments.b.mass]}}/; s/^save.*//' \
    study.yaml >columns.yaml
sed 's/^integrator.*/integrator: {type: dopri54, tolerance: 1e-7, summation: compensated}/; s/tick: 0.5/tick: 8/
    s/^analyse.*//; s/^save.*//' study.yaml >compensated.yaml
sed 's/tp86, tolerance: 1e-8/rodas4, tolerance: 1e-5/' columns.yaml >implicit_columns.yaml
for study in study implicit columns implicit_columns compensated; do
    echo "$study"
    code=3
    [ $study != compensated ] || code=0
    expect $code "$MANYLINK" run $study.yaml
    [ $code = 0 ] || says out "too_many_steps"
    expect 0 "$MANYLINK" verify $study.h5 --runs 1353
    says out "1353 runs computed again"
done
expect 3 "$MANYLINK" run study.yaml --kernel general --threads 1 -o other.h5
same study.h5 other.h5
