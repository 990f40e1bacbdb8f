# label: values
# A fit to repeated measurements at equal times against scipy's curve_fit, of a quantity with the name of another system's record;
# times that fall and names that indicators look for are refused; intervals beyond the range of a number are marked.
. "$SOURCE/tests/check.sh"
need_python

cat >decay.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 0.2, b: 0.006, c: 0.01}, state: {u: 0}, rates: {u: 1}}
quantities: {y: exp(-a*u)/(b + c*u)}
time: {step: 0.125, end: 6}
sample: {method: sobol, count: 8, over: [{set: system.a, from: 0.01, to: 1}, {set: system.b, from: 0.001, to: 0.05, scale: log}, {set: system.c, from: 0.001, to: 0.05, scale: log}]}
fit: {to: decay.csv, columns: {y: y}}
END
"$PYTHON" - "$MANYLINK" <<'END'
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import curve_fit


def model(t, a, b, c):
    return np.exp(-a * t) / (b + c * t)


rng = np.random.default_rng(2)
t = np.repeat([0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.75, 2.25, 3, 4, 5, 6], [4, 3, 3, 1, 5, 2, 3, 4, 1, 3, 3, 2])
y = model(t, 0.19, 0.0061, 0.0105) + rng.normal(size=len(t))
np.savetxt("decay.csv", np.array([t, y]).T, delimiter=",", header="time,y", comments="", fmt="%.17g")
done = subprocess.run([sys.argv[1], "fit", "decay.yaml"], capture_output=True, text=True, check=False)
assert done.returncode == 0 and "34 numbers of 1 column" in done.stdout, done
known, covariance = curve_fit(model, t, y, [0.2, 0.006, 0.01], xtol=1e-14, ftol=1e-14)
with h5py.File("decay_fit.h5") as f:
    found, error = f["study/fit/estimate"][:], f["study/fit/standard_error"][:]
off = abs(found - known) / np.sqrt(np.diag(covariance))
assert off.max() < 1e-6, off
assert abs(error / np.sqrt(np.diag(covariance)) - 1).max() < 1e-5, error
END
printf 'time,y\n0,1\n1,1\n0.5,1\n1,2\n2,3\n' >decay.csv
expect 2 "$MANYLINK" fit decay.yaml -o wrong.h5
says err "decay.csv:4:1: time is 0.5 but must be no less than in the line before, 1"
for name in angle u; do
    sed "s/y: exp/$name: u, y: exp/" decay.yaml >wrong.yaml
    expect 2 "$MANYLINK" plan wrong.yaml
done
says err "\`u\` cannot be a name in formulas: it is a number or record of system"

# An interval by the covariance that reaches beyond the range is marked; one of the profile does not.
printf 'time,x\n0,1\n0.5,0.6\n0.5,0.5\n1,0.4\n' >few.csv
cat >few.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {x: 1}, rates: {x: -k*x}}
time: {step: 0.01, end: 1}
sample: {method: sobol, count: 4, over: [{set: system.k, from: 1, to: 1.2}]}
fit: {to: few.csv, columns: {x: x}}
END
expect 0 "$MANYLINK" fit few.yaml
says out '0.7187451 .. 1.4308868  beyond the range: `--profile` keeps within'
expect 0 "$MANYLINK" fit few.yaml -o wide.h5 --set sample.over.0.from=0.1 --set sample.over.0.to=3
! grep -q "beyond the range" out || fail "the interval is in the range: $(cat out)"

# Criteria for the choice of a model: distances of cars by their speed (M. Ezekiel, Methods of Correlation
# Analysis, 1930), of which R's logLik, AIC and BIC of a line are printed in its manuals, and the same with known noise.
speed=4,4,7,7,8,9,10,10,10,11,11,12,12,12,12,13,13,13,13,14,14,14,14,15,15,15,16,16,17,17,17,18,18,18,18,19,19,19,20,20,20,20,20,22,23,24,24,24,24,25
distance=2,10,4,22,16,10,18,26,34,17,28,14,20,24,28,26,34,34,46,26,36,60,80,20,26,54,32,40,32,40,50,42,56,76,84,36,46,68,32,48,52,56,64,66,54,70,92,93,120,85
{ echo time,y && echo $speed | tr , '\n' >speed && echo $distance | tr , '\n' | paste -d , speed -; } >cars.csv
cat >cars.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 0, b: 4}, state: {u: 0}, rates: {u: 1}}
quantities: {y: a + b*u}
time: {step: 0.5, end: 25}
sample: {method: sobol, count: 4, over: [{set: system.a, from: -50, to: 50}, {set: system.b, from: 1, to: 8}]}
fit: {to: cars.csv, columns: {y: y}}
END
expect 0 "$MANYLINK" fit cars.yaml
says out 'log-likelihood -206.5784, AIC 419.1569, BIC 424.8929'
expect 0 "$MANYLINK" fit cars.yaml -o known.h5 --set fit.sd=15
"$PYTHON" - <<'END'
import h5py
import numpy as np
from scipy.stats import norm

with h5py.File("known.h5") as f:
    fit = f["study/fit"]
    likelihood = norm.logpdf(fit["residual"][:], scale=15).sum()
    found = [fit.attrs[name] for name in ("log_likelihood", "aic", "bic")]
known = [likelihood, 4 - 2 * likelihood, 2 * np.log(50) - 2 * likelihood]
assert np.allclose(found, known, rtol=1e-13, atol=0), (found, known)
END
expect 0 "$MANYLINK" fit cars.yaml -o loss.h5 --set fit.loss=huber
! grep -q "log-likelihood" out || fail "a loss has no likelihood"
