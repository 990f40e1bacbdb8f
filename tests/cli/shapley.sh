# Shapley effects of manylink sensitivity: a linear function of three inputs, two of them correlated, against the closed form of
# Owen and Prieur (SIAM/ASA J. Uncertain. Quantif. 5, 2017), and refusals.
. "$SOURCE/tests/check.sh"

cat >linear.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {a: 0, b: 0, c: 0}, state: {f: 0}, next: {f: a + b + c}}
time: {steps: 1}
sample:
  method: random
  count: 8192
  seed: 0
  over:
    - {set: system.a, distribution: normal, mean: 0, sd: 1}
    - {set: system.b, distribution: normal, mean: 0, sd: 1}
    - {set: system.c, distribution: normal, mean: 5, sd: 2}
  correlation: [{between: [system.b, system.c], r: 0.9}]
END
expect 0 "$MANYLINK" run linear.yaml
expect 0 "$MANYLINK" sensitivity linear.h5 end_f --estimator shapley
says out "end_f: 8192 of 8192 runs are complete; effects by shapley"
says out "all inputs together leave 0.0000"
expect 0 "$MANYLINK" sensitivity linear.h5 end_f --estimator shapley --csv
cat >effects.py <<'END'
import csv
rows = list(csv.DictReader(open("out")))
a, c, d, r = 1, 1, 2, 0.9
variance = a + c**2 + d**2 + 2 * r * c * d
shared = r * c * d + r**2 * (d**2 - c**2) / 2
expected = {
    "shapley": [a, c**2 + shared, d**2 + 2 * r * c * d - shared],
    "first_order": [a, (c + r * d) ** 2, (d + r * c) ** 2],
    "total": [a, c**2 * (1 - r**2), d**2 * (1 - r**2)],
}
for kind, values in expected.items():
    for row, value in zip(rows, values, strict=True):
        assert abs(float(row[kind]) - value / variance) < 1.5 * float(row[kind + "_half"]), (kind, row)
assert abs(sum(float(row["shapley"]) for row in rows) - 1) < 1e-14
END
/usr/bin/python3 effects.py || fail "$(cat out)"
expect 0 "$MANYLINK" run linear.yaml --set sample.count=20000 -o long.h5
expect 0 "$MANYLINK" sensitivity long.h5 end_f --estimator shapley
says out "the first 15811 runs are used, which resolve Shapley"
expect 2 "$MANYLINK" sensitivity linear.h5 --estimator chaos
says err 'cannot use estimator `chaos` of correlated inputs, such as `system.b`'
expect 0 "$MANYLINK" run linear.yaml --set sample.method=sobol --set sample.count=64 -o even.h5
expect 2 "$MANYLINK" sensitivity even.h5 --estimator shapley
says err 'cannot use estimator `shapley` of a sequence of low discrepancy'
/usr/bin/python3 - <<'END' >many.yaml
names = [f"p{i}" for i in range(13)]
print("manylink: 1\nsystem: {type: equations, kind: map, parameters: {" + ", ".join(f"{n}: 0" for n in names) + "}, state: {f: 0}, next: {f: p0}}")
print("time: {steps: 1}\nsample: {method: random, count: 20, seed: 0, over: [" + ", ".join(f"{{set: system.{n}, from: 0, to: 1}}" for n in names) + "]}")
END
expect 0 "$MANYLINK" run many.yaml
expect 2 "$MANYLINK" sensitivity many.h5 --estimator shapley
says err 'cannot use estimator `shapley` of 13 inputs'
