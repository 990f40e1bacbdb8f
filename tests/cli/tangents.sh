# label: values
# Exponents of runs whose steps follow a tolerance: those of runs at rest are the real parts of the eigenvalues
# there, whatever the method.
. "$SOURCE/tests/check.sh"
need python3

cat >values.py <<'END'
import csv
import subprocess
import sys

manylink = sys.argv[1]


def run(study, *sets):
    options = [word for one in sets for word in ("--set", one)]
    subprocess.run([manylink, "run", study, "-o", "one.h5", "--restart", "--quiet", *options], check=True, stderr=subprocess.DEVNULL)
    text = subprocess.run([manylink, "table", "one.h5"], check=True, capture_output=True, text=True).stdout
    return [{key.split(" ")[0]: float(value or "nan") for key, value in row.items() if key != "outcome"} for row in csv.DictReader(text.splitlines())]


def near(what, value, right, most):
    assert abs(value - right) <= most, (what, value, right)
END
cat >pendulum.yaml <<'END'
manylink: 1
system: {type: equations, state: {a: 1, w: 0}, parameters: {c: 0.5}, rates: {a: w, w: -sin(a) - c*w}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 200}
sweep: [{set: system.c, from: 0.1, to: 1.9, count: 10}]
analyse: {lyapunov: {exponents: 1, transient: 50}}
END
cat >decay.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 1, y: 1}, rates: {x: -x, y: -2*y}}
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 1000}
analyse: {lyapunov: {exponents: all}}
END
cat >hanging.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 0, v: 0}, rates: {x: v, v: -sin(x) - 0.1*v}}
integrator: {type: dop853, tolerance: 1e-8}
time: {end: 2000}
analyse: {lyapunov: {exponents: 1}}
END
cat >chain.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
forces: [{name: damp, type: damper, joint: a, coefficient: 0.1}]
integrator: {type: tp86, tolerance: 1e-9}
time: {end: 1000}
analyse: {lyapunov: {exponents: 1}}
END
cat >rest.py <<'END'
from values import near, run

# Complex eigenvalues -c/2 +- i w turn a vector on an ellipse, which moves its mean growth by 1/T or so.
for end in 200, 5000:
    for row in run("pendulum.yaml", f"time.end={end}"):
        near(("pendulum", end), row["lyapunov_max"], -row["system.c"] / 2, 2 / (end - 50))
for method in "tsit54", "tp86", "dop853", "rodas4":
    (row,) = run("decay.yaml", f"integrator.type={method}")
    near(method, row["lyapunov_spectrum.1"], -1, 1e-9)
    near(method, row["lyapunov_spectrum.2"], -2, 1e-9)
(row,) = run("hanging.yaml")
near("hanging", row["lyapunov_max"], -0.05, 2e-5)
(row,) = run("chain.yaml")  # a rod that turns about its end: c / (2 m l^2 / 3)
near("chain", row["lyapunov_max"], -0.15, 2e-3)
(row,) = run("hanging.yaml", "integrator.error_of=state")
assert row["lyapunov_max"] > 0, row  # the map of long steps
END
python3 rest.py "$MANYLINK" || fail "exponents of runs at rest"

# Without a say of tangent vectors, steps have the bits that they have without tangent vectors.
sed '/analyse/d' pendulum.yaml >bare.yaml
expect 0 "$MANYLINK" run bare.yaml --set time.tick=200 -o bare.h5
expect 0 "$MANYLINK" run pendulum.yaml --set integrator.error_of=state --set time.tick=200 \
    --set analyse.lyapunov.transient=0 -o state.h5
for one in bare state; do
    "$MANYLINK" table $one.h5 >$one.csv
done
python3 - <<'END' || fail "steps of the state alone depend on tangent vectors"
import csv

rows = [[{k: r[k] for k in ("steps", "end_a", "end_w")} for r in csv.DictReader(open(name))] for name in ("bare.csv", "state.csv")]
assert rows[0] == rows[1], rows
END
