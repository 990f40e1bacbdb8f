# label: values
# Exponents of runs whose steps follow a tolerance: those of runs at rest are the real parts of the eigenvalues
# there, whatever the method, and ticks have no part in them.
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
cat >origin.yaml <<'END'
manylink: 1
system: {type: lorenz}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 100}
analyse: {lyapunov: {exponents: 2}}
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
    near(method, row["mean_trace"], -3, 1e-12)
(row,) = run("hanging.yaml")
near("hanging", row["lyapunov_max"], -0.05, 2e-4)
(row,) = run("chain.yaml")  # a rod that turns about its end: c / (2 m l^2 / 3)
near("chain", row["lyapunov_max"], -0.15, 2e-3)
(row,) = run("origin.yaml")  # of the three eigenvalues, with (-11 +- sqrt(1201))/2, the two largest
near("origin", row["lyapunov_spectrum.1"], (-11 + 1201**0.5) / 2, 0.01)
near("origin", row["lyapunov_spectrum.2"], -8 / 3, 0.03)
(row,) = run("hanging.yaml", "integrator.error_of=state")
assert row["lyapunov_max"] > 0, row  # the map of long steps
END
python3 rest.py "$MANYLINK" || fail "exponents of runs at rest"
expect 0 "$MANYLINK" plan hanging.yaml --set integrator.error_of=state
says err 'note: tangent vectors have no say in the steps'

# However far apart ticks are. Lorenz' system at fixed points: eigenvalues from the characteristic polynomial by SciPy;
# its chaos: Sprott, Chaos and Time-Series Analysis, 2003, table 5.1; Van der Pol's equation: the divergence integrated
# over a cycle by SciPy's DOP853 at 1e-12; MEGNO of Kepler orbits by gauss6 at 0.02 s.
cat >lorenz.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {sigma: 10, rho: 28, beta: 8/3}
  state: {x: 1, y: 1, z: 20}
  rates: {x: sigma*(y - x), y: x*(rho - z) - y, z: x*y - beta*z}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 600}
sweep: [{set: system.rho, values: [0.5, 2.5, 5.5, 12, 28]}]
analyse: {lyapunov: {exponents: all}, ftle: {}}
END
cat >cycle.yaml <<'END'
manylink: 1
system: {type: equations, state: {x: 2, y: 0}, parameters: {mu: 1}, rates: {x: y, y: mu*(1 - x^2)*y - x}}
integrator: {type: dop853, tolerance: 1e-10}
time: {end: 3000}
sweep: [{set: system.mu, values: [0.5, 1, 3]}]
analyse: {lyapunov: {exponents: all}}
END
cat >kepler.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {x: 1, y: 0}, hamiltonian: (p_x^2 + p_y^2)/2 - 1/sqrt(x^2 + y^2)}
integrator: {type: dop853, tolerance: 1e-11}
time: {end: 2000}
sweep: [{set: initial.p_y, values: [0.5, 0.8, 1, 1.2]}]
analyse: {megno: {}}
END
sed '/^  [prs]/d; s/^system:/system: {type: lorenz}\ninitial: {x: 1, y: 1, z: 20}/; /^  type/d' lorenz.yaml >built_in.yaml
cat >ticks.py <<'END'
from values import near, run

right = {
    0.5: (-0.4750622, -2.6666667, -10.5249378),
    2.5: (-1.1578522, -1.1578522, -11.3509623),
    5.5: (-0.8893384, -0.8893384, -11.8879899),
    12: (-0.4897055, -0.4897055, -12.6872556),
}
# Behind a transient, real eigenvalues to the last digits, and complex ones, which turn vectors, by their mean.
for method in "tp86", "rodas4":
    for row in run("lorenz.yaml", "analyse.lyapunov.transient=200", f"integrator.type={method}", "sweep.0.values=[0.5, 2.5, 5.5, 12]"):
        rho, real = row["system.rho"], -12.0
        for _ in range(60 if rho > 1 else 0):
            value = ((real + 41 / 3) * real + 8 / 3 * (10 + rho)) * real + 160 / 3 * (rho - 1)
            real -= value / ((3 * real + 82 / 3) * real + 8 / 3 * (10 + rho))
        pair = (-41 / 3 - real) / 2
        root = (121 + 40 * (rho - 1)) ** 0.5
        wanted = (pair, pair, real) if rho > 1 else ((root - 11) / 2, -8 / 3, (-11 - root) / 2)
        own = [row[f"lyapunov_spectrum.{i + 1}"] for i in range(3)]
        mean = (own[0] + own[1]) / 2
        for i, value in enumerate((mean, mean, own[2]) if rho > 1 else own):
            near((method, rho, i), value, wanted[i], 1e-8)

for tick in (), ("time.tick=600",), ("time.tick=0.5",):
    rows = run("lorenz.yaml", *tick)
    for row in rows[:-1]:
        for i, exponent in enumerate(right[row["system.rho"]]):
            near((tick, row["system.rho"], i), row[f"lyapunov_spectrum.{i + 1}"], exponent, 0.03)
        near((tick, row["system.rho"], "ftle"), row["ftle"], row["lyapunov_max"], 0.03)
    for row in rows:
        near((tick, row["system.rho"], "trace"), row["mean_trace"], -41 / 3, 1e-9)
        near((tick, row["system.rho"], "sum"), row["lyapunov_sum"], -41 / 3, 1e-7)
    for i, exponent in enumerate((0.9056, 0, -14.5723)):
        near((tick, i), rows[-1][f"lyapunov_spectrum.{i + 1}"], exponent, 3 * rows[-1][f"lyapunov_error.{i + 1}"])
    if tick != ("time.tick=0.5",):  # a long run has all exponents too
        for study in "lorenz.yaml", "built_in.yaml":
            (row,) = run(study, *(one.replace("600", "2000") for one in tick), "time.end=2000", "sweep.0.values=[28]")
            for i, exponent in enumerate((0.9056, 0, -14.5723)):
                near((tick, study, i), row[f"lyapunov_spectrum.{i + 1}"], exponent, 3 * row[f"lyapunov_error.{i + 1}"])
            near((tick, study, "sum"), row["lyapunov_sum"], -41 / 3, 1e-7)
    for row, trace in zip(run("cycle.yaml", *(one.replace("600", "3000") for one in tick)), (-0.50773, -1.05938, -3.93911)):
        near((tick, row["system.mu"]), row["mean_trace"], trace, 2e-3)
        near((tick, row["system.mu"]), row["lyapunov_spectrum.1"], 0, 2e-3)
        near((tick, row["system.mu"]), row["lyapunov_spectrum.2"], trace, 3e-3)
    for row, megno in zip(run("kepler.yaml", *(one.replace("600", "2000") for one in tick)), (1.982, 1.986, 1.988, 1.994)):
        near((tick, row["initial.p_y"]), row["megno"], megno, 1e-3)
END
python3 ticks.py "$MANYLINK" || fail "exponents by ticks"

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

# The same bits in a run alone, without neighbours that reach ticks and events later, on one thread and two.
cat >alone.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
initial: {angle: {a: 2, b: -0.5}, rate: {a: 0.3}}
sweep: [{set: initial.angle.a, from: 0.5, to: 3, count: 37}]
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 20}
events: [{name: up, when: angle.b, crosses: 3, stop: true}]
analyse: {lyapunov: {exponents: all}, megno: {}, ftle: {from: 1}, gali: {vectors: 3}, fli: {}}
END
expect 0 "$MANYLINK" run alone.yaml --threads 1 -o one.h5 --restart
expect 0 "$MANYLINK" run alone.yaml --threads 2 --no-native -o two.h5
"$MANYLINK" table one.h5 >one.csv
"$MANYLINK" table two.h5 >two.csv
cmp one.csv two.csv || fail "exponents depend on threads"
for run in 5 36; do
    expect 0 "$MANYLINK" run alone.yaml --run $run -o alone.h5 --restart
    "$MANYLINK" table alone.h5 | tail -1 | cut -d, -f3- >alone.csv
    sed -n $((run + 2))p one.csv | cut -d, -f3- | cmp - alone.csv || fail "run $run depends on its neighbours"
done

# Where the Jacobian jumps, as at a stiff contact, no step is short enough for vectors, and runs continue.
cat >contact.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1e5, c: 3}, state: {x: 1, v: 0}, rates: {x: v, v: "where(x < 0, -k*x - c*v, 0) - 9.8"}}
integrator: {type: tp86, tolerance: 1e-10}
time: {end: 3}
sweep: [{set: system.k, values: [1e5, 1e8]}]
analyse: {sensitivity: {of: [end_state], to: [system.k, system.c, initial.x]}}
END
for method in tp86 dop853 rodas4; do
    expect 0 "$MANYLINK" run contact.yaml --set integrator.type=$method -o contact.h5 --restart
done
