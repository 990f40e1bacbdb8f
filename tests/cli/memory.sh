# label: slow
# A million runs need no more memory than a few: it is bounded by the blocks in flight.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}
time: {step: 1e-3, end: 0.1}
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 1000}
  - {set: initial.angle.2, from: -3, to: 3, count: 1000}
END
"$PYTHON" - "$MANYLINK" run study.yaml --threads 2 <<'END'
import resource
import subprocess
import sys

LIMIT = 300  # MB
code = subprocess.run(sys.argv[1:], check=False).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"peak memory {peak:.0f} MB, limit {LIMIT} MB")
sys.exit(code if code else peak > LIMIT)
END
