# label: values
# A fit to repeated measurements at equal times, NIST's Chwirut2 with its certified values (Statistical Reference Datasets; D. Chwirut, Ultrasonic
# Reference Block Study, 197?), of a quantity with the name of another system's record;
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
tr ' ' '\n' >decay.csv <<'END'
time,y
0.5,92.9 0.5,81.5 0.5,75.8 0.5,81 0.5,81.7 0.5,81.3 0.625,67.3 0.75,63.8 0.75,59.9 0.75,59.5 0.75,62 0.75,54.7 0.75,61.3 0.75,59.2
0.875,63.6 1,57.1 1.25,41 1.5,32.9 1.5,32 1.75,31.05 1.75,26.8 1.75,28.9 2,20 2,21.67 2.25,21.4 2.25,21.15 2.25,20.2 2.5,23.7
2.5,17.7 2.5,16.3 2.75,16.4625 2.75,17.17 3,13.12 3,14.62 3,12.56 3,13.95 3,11.81 3,14.62 3.25,14.25 3.75,11.5875 3.75,7.76
4,10.42 4,11.55 4,8.74 4,8.62 4.25,8.175 4.75,7.125 5,8.55 5.25,8.475 5.75,8.025 5.75,3.75 6,5.44 6,5.44 6,4.87
END
expect 0 "$MANYLINK" fit decay.yaml
says out '54 numbers of 1 column'
"$PYTHON" - <<'END'
import h5py
import numpy as np

certified = np.array([1.6657666537e-01, 5.1653291286e-03, 1.2150007096e-02])
deviation = np.array([3.8303286810e-02, 6.6621605126e-04, 1.5304234767e-03])
with h5py.File("decay_fit.h5") as f:
    found, error = f["study/fit/estimate"][:], f["study/fit/standard_error"][:]
    squares = np.nansum(f["study/fit/residual"][:] ** 2)
off = abs(found / certified - 1)
assert off.max() < 4e-9, off
off = abs(error / deviation - 1)
assert off.max() < 3e-9, off
assert abs(squares / 5.1304802941e02 - 1) < 6e-11, squares
END

# Each row twice: the same numbers, half of the covariance; the last two rows are equal, too.
expect 0 "$MANYLINK" fit decay.yaml -o once.h5 --set fit.sd=3
awk 'NR > 1 { print } { print }' decay.csv >twice.csv
expect 0 "$MANYLINK" fit decay.yaml -o twice.h5 --set fit.sd=3 --set fit.to=twice.csv
says out '108 numbers of 1 column'
"$PYTHON" - <<'END'
import h5py

fits = [h5py.File(name)["study/fit"] for name in ("once.h5", "twice.h5")]
once, twice = [(f["estimate"][:], f["covariance"][:]) for f in fits]
assert abs(twice[0] / once[0] - 1).max() < 1e-7, twice[0] / once[0]
assert abs(2 * twice[1] / once[1] - 1).max() < 1e-7, twice[1] / once[1]
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
