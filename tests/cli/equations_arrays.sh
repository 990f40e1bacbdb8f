# Arrays, sums and functions in formulas: Lorenz's model of 1996 and Kuramoto's beside numpy, and the same bits of made
# kernels, threads and shards.
. "$SOURCE/tests/check.sh"
need_python

cat >ring.yaml <<'EOF'
manylink: 1
system:
  type: equations
  parameters: {F: 8}
  state: {x: {count: 40, value: "mod(7*i, 11) - where(i > 20, 2, 1)"}}
  rates:
    x[i]: (x[i + 1] - x[i - 2])*x[i - 1] - x[i] + F
time: {step: 0.01, end: 2}
sweep: [{set: initial.x.3, from: 1, to: 2, count: 20}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [system.F, initial.x.3]}}
EOF
# 100 oscillators, whose mean field is computed once for all; a chain with ends that do not go around; a product.
cat >field.yaml <<'EOF'
manylink: 1
system:
  type: equations
  parameters:
    K: 2
    w: {count: 100, value: (2*i - 101)/100, unit: rad/s}
  state:
    phase: {count: 100, value: 0.01*i, unit: rad}
    product: 0
    plain: {count: 100, value: 0}
  functions:
    pull(a, b): sin(a - b)
    after(j): where(j == 100, plain[j], plain[j + 1])
    before(j): where(j == 1, 0, plain[j - 1])
  define:
    c: sum(j, 1, 100, cos(phase[j]))/100
    s: sum(j, 1, 100, sin(phase[j]))/100
  rates:
    phase[i]: w[i] + K*(s*cos(phase[i]) - c*sin(phase[i]))
    plain[i]: after(i) - 2*plain[i] + before(i)
    plain[50]: w[100] + pull(K, 1) - plain[50]
    product: prod(j, 2, 4, phase[j] + j) - sum(j, 3, 2, j)
integrator: {type: dopri54, tolerance: 1e-10}
time: {end: 60}
sweep: [{set: system.K, values: [1.5, 2, 4]}]
EOF
sed 's/phase\[i\]: .*/phase[i]: w[i] + K\/100*sum(j, 1, 100, pull(phase[j], phase[i]))/; s/end: 60/end: 0.5/' field.yaml >pairs.yaml
for study in ring field pairs; do
    expect 0 "$MANYLINK" run $study.yaml --kernel general -o $study.h5
done
expect 0 "$MANYLINK" run field.yaml --set time.end=0.5 --kernel general -o start.h5
for k in 0 1; do
    expect 0 "$MANYLINK" run ring.yaml --threads 2 --shard $k/2 -o ring$k.h5
done
expect 0 "$MANYLINK" merge ring0.h5 ring1.h5 -o merged.h5
same ring.h5 merged.h5
if makes_kernels; then
    expect 0 "$MANYLINK" run ring.yaml --kernel made -o made.h5
    says out "kernel made for it"
    same ring.h5 made.h5
    # More operations than a compiler takes in a moment are interpreted.
    expect 0 "$MANYLINK" run pairs.yaml --set time.end=0.01 --kernel auto -o auto.h5
    expect 2 "$MANYLINK" run pairs.yaml --kernel made -o made2.h5
    says err "operations"
fi
"$PYTHON" - <<'END' || fail "runs of arrays"
import h5py, numpy as np
def summary(name, *keys):
    with h5py.File(name) as f:
        return [f["study/summary/" + key][...] for key in keys]

def f(x, F):
    return (np.roll(x, -1, 0) - np.roll(x, 2, 0)) * np.roll(x, 1, 0) - x + F
def run(x3, F=8.0, n=200, h=0.01):
    i = np.arange(1, 41); x = np.mod(7 * i, 11) - np.where(i > 20, 2.0, 1.0); x[2] = x3
    for _ in range(n):
        a = f(x, F); b = f(x + h / 2 * a, F); c = f(x + h / 2 * b, F); d = f(x + h * c, F)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
    return x
starts = np.linspace(1, 2, 20)
end, spectrum, sens = summary("ring.h5", "end_x", "lyapunov_spectrum", "sensitivity")
error = max(abs(run(x3) - row).max() for x3, row in zip(starts, end))
total = abs(spectrum.sum(-1) + 40).max()
d = 1e-5
by_F = (run(starts[0], 8 + d) - run(starts[0], 8 - d)) / (2 * d)
by_x = (run(starts[0] + d) - run(starts[0] - d)) / (2 * d)
own = np.stack([by_F, by_x])
found = sens[0] if sens[0].shape == own.shape else sens[0].T
slope = abs(found - own).max() / abs(own).max()
print("ring: end", error, "sum of exponents", total, "derivatives", slope)
assert error < 1e-11 and total < 3e-4 and slope < 1e-7, (error, total, slope)

# The order parameter r = mean of sqrt(1 - (w/(K r))^2) of oscillators that are all locked.
w = (2 * np.arange(1, 101) - 101) / 100
phase, plain, product = summary("field.h5", "end_phase", "end_plain", "end_product")
for K, p, row in zip([1.5, 2, 4], phase, plain):
    r = 1.0
    for _ in range(2000):
        r = np.mean(np.sqrt(np.maximum(0, 1 - (w / (K * r)) ** 2)))
    own = abs(np.exp(1j * p).mean())
    print("field: K", K, "r", own, "self-consistent", r)
    assert K * r > 1 and abs(own - r) < 1e-8
one, = summary("start.h5", "end_phase"); two, = summary("pairs.h5", "end_phase")
assert abs(one - two).max() < 1e-9
END

# Single entries are numbers of the study; what is written again is the same study.
expect 0 "$MANYLINK" run field.yaml --set time.end=0.1 --set system.w.7=3 --set initial.phase.2=1 -o one.h5
sed 's/w: {.*/w: {count: 100, value: "where(i == 7, 3, (2*i-101)\/100)", unit: rad\/s}/' field.yaml >again.yaml
expect 0 "$MANYLINK" run again.yaml --set time.end=0.1 --set initial.phase.2=1 -o one.h5
says out "finished already"
expect 2 "$MANYLINK" plan field.yaml --set system.w.101=3
expect 2 "$MANYLINK" plan field.yaml --set initial.phase.101=3

# As many states as there may be; a function that is not called is told.
sed 's/count: 40/count: 4096/; s/sweep: .*//; s/^analyse: .*//; s/  rates:/  functions: {"g(a)": a}\n  rates:/' ring.yaml >large.yaml
expect 0 "$MANYLINK" run large.yaml --set time.end=0.2 --set initial.x.3=7 -o large.h5
says err "no formula calls \`g\`"
expect 2 "$MANYLINK" plan large.yaml --set system.state.y=1
says err "more than 4096 numbers"

# Values of entries by functions: those of libm to 1e-15.
cat >values.yaml <<'YAML'
manylink: 1
system: {type: equations, state: {u: {count: 5, value: sin(pi*i/6) + exp(-i)}}, rates: {"u[i]": "0*u[i]"}}
time: {step: 1, end: 1}
YAML
expect 0 "$MANYLINK" run values.yaml -q
expect 0 "$MANYLINK" table values.h5
awk -F, 'NR > 1 { for (i = 1; i <= 5; i++) { d = $(4 + i) - sin(3.141592653589793*i/6) - exp(-i); if (d * d > 1e-30) exit 1 } } END { exit NR != 2 }' out || fail "$(cat out)"
expect 2 "$MANYLINK" plan values.yaml --set 'sweep=[{set: system.state, from: 0, to: 1, count: 2}]'
expect 2 "$MANYLINK" plan values.yaml --set 'sweep=[{set: initial.u, from: 0, to: 1, count: 2}]'
says err 'sweep one of these, such as `initial.u.1`'
