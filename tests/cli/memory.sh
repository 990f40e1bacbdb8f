# label: slow
# A million runs need no more memory than a few: it is bounded by the blocks being computed. Nor does an
# axis that is a range, before its runs are there.
. "$SOURCE/tests/check.sh"
need_python

# within MB COMMAND...: it succeeds without more memory.
within()
{
    "$PYTHON" - "$@" <<'END'
import resource
import subprocess
import sys

limit = float(sys.argv[1])
code = subprocess.run(sys.argv[2:], check=False).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"peak memory {peak:.0f} MB, limit {limit:.0f} MB")
sys.exit(code if code else peak > limit)
END
}

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}
time: {step: 1e-3, end: 0.1}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 1000}
  - {set: initial.angle.2, from: -3, to: 3, count: 1000}
END
within 300 "$MANYLINK" run study.yaml --threads 2
within 100 "$MANYLINK" plan study.yaml \
    --set 'sweep=[{set: initial.angle.1, from: 1, to: 3, count: 16777216, scale: log}]'
