# Keys that --set overrode are told by `info` and the file, of one run and of merged shards.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
time: {step: 1e-2, end: 0.1}
sweep: [{set: initial.angle.a, from: 0, to: 1, count: 9}]
END
# made: what `info` tells below "made" of ./out, without times.
made()
{
    sed -n '/^made$/,$p' out | grep -E '^  (study|overrides) |^   '
}
cat >wanted <<END
  study       $(pwd -P)/study.yaml
  overrides   time.end=0.2
              initial.rate.a=3
END
expect 0 "$MANYLINK" run study.yaml -q
expect 0 "$MANYLINK" info study.h5
made | grep -q overrides && fail "none was given: $(made)"
expect 0 "$MANYLINK" run study.yaml -q -o set.h5 --set time.end=0.2 --set initial.rate.a=3
expect 0 "$MANYLINK" info set.h5
made >there
cmp there wanted || fail "info: $(cat there)"
for shard in 0 1; do
    expect 0 "$MANYLINK" run study.yaml -q --shard $shard/2 --set time.end=0.2 --set initial.rate.a=3
done
expect 0 "$MANYLINK" merge study.shard-* -o merged.h5
expect 0 "$MANYLINK" info merged.h5
made >there
cmp there wanted || fail "info of what was merged: $(cat there)"
if "$PYTHON" -c 'import h5py' 2>no_h5py; then
    "$PYTHON" - <<'END'
import h5py
for name in ("set.h5", "merged.h5"):
    assert h5py.File(name)["study/provenance/overrides"][()] == b"time.end=0.2\ninitial.rate.a=3", name
assert "overrides" not in h5py.File("study.h5")["study/provenance"]
END
fi
