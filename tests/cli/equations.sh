# Systems that a study gives as formulas: the bits of a system that is built in, own integration, derivatives.
. "$SOURCE/tests/check.sh"
need_python

cat >formula.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {sigma: 10, rho: 28, beta: 8/3}
  state: {x: 1, y: 1, z: 20}
  rates:
    x: sigma*(y - x)
    y: x*(rho - z) - y
    z: x*y - beta*z
time: {step: 2e-3, end: 5}
sweep: [{set: system.rho, from: 0.5, to: 60, count: 40}]
END
cat >built_in.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 20}
time: {step: 2e-3, end: 5}
sweep: [{set: system.rho, from: 0.5, to: 60, count: 40}]
END
cat >mixed.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {a: 0.3, k: {value: 2, unit: 1/m, doc: wave number}}
  state: {x: 1, v: {value: 0, unit: m/s}, w: 0.2}
  define:
    r: sqrt(x^2 + v^2 + 1)
    soft: where(x < 0 and not v > 2, exp(-r), log(r + 1))
  rates:
    x: v
    v: -sin(k*x)*cos(k*x)/r + a*abs(w) - max(v, -1)*min(x, 0.5)^3
    w: soft*cos(t) - (w^2 + 1)^-2*0.1 + cos(x) + tanh(v)*atan2(v, x + 3)/10 - abs(x + 2)^1.3*erf(v)/100
time: {step: 1e-2, end: 2}
sweep: [{set: initial.w, from: 0.5, to: 2, count: 4}, {set: system.k, values: [1, 2]}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.x, system.a, system.k]}}
END
for study in formula built_in mixed; do
    expect 0 "$MANYLINK" run $study.yaml --kernel general -o $study.h5
done
if makes_kernels; then
    for study in formula mixed; do
        expect 0 "$MANYLINK" run $study.yaml --kernel made -o made.h5
        says out "kernel made for it"
        same $study.h5 made.h5
        rm made.h5
    done
fi
"$PYTHON" - <<'END' || fail "runs of formulas"
import h5py, math, numpy as np
def ends(name, *keys):
    with h5py.File(name) as f:
        return [f["study/summary/" + key][...] for key in keys]
for a, b in zip(ends("formula.h5", "end_x", "end_y", "end_z"), ends("built_in.h5", "end_x", "end_y", "end_z")):
    assert (a == b).all(), "a formula has other bits than the system that is built in"

def rates(t, s, a, k):
    x, v, w = s
    r = math.sqrt(x * x + v * v + 1)
    soft = math.exp(-r) if x < 0 and not v > 2 else math.log(r + 1)
    return np.array([v, -math.sin(k * x) * math.cos(k * x) / r + a * abs(w) - max(v, -1) * min(x, 0.5) ** 3,
                     soft * math.cos(t) - 0.1 / (w ** 2 + 1) ** 2 + math.cos(x) + math.tanh(v) * math.atan2(v, x + 3) / 10
                     - abs(x + 2) ** 1.3 * math.erf(v) / 100])
def run(w, k, x=1.0, a=0.3, h=0.01, n=200):
    s = np.array([x, 0.0, w])
    for i in range(n):
        t = i * h
        k1 = rates(t, s, a, k)
        k2 = rates(t + h / 2, s + h / 2 * k1, a, k)
        k3 = rates(t + h / 2, s + h / 2 * k2, a, k)
        k4 = rates(t + h, s + h * k3, a, k)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return s
found = np.stack(ends("mixed.h5", "end_x", "end_v", "end_w"), -1)
sens, = ends("mixed.h5", "sensitivity")
worst = error = 0
d = 1e-5
for i, w in enumerate(np.linspace(0.5, 2, 4)):
    for j, k in enumerate([1, 2]):
        worst = max(worst, abs(run(w, k) - found[i, j]).max())
        for p, (low, high) in enumerate([(run(w, k, x=1 - d), run(w, k, x=1 + d)), (run(w, k, a=0.3 - d), run(w, k, a=0.3 + d)),
                                         (run(w, k - d), run(w, k + d))]):
            own = (high - low) / (2 * d)
            error = max(error, abs(np.moveaxis(sens[i, j], -1, 0)[p] - own).max() if sens[i, j].shape[-1] == 3 and sens[i, j].shape[0] == 3 else 9)
print("end state", worst, "derivatives", error)
assert worst < 2e-14 and error < 2e-9, (worst, error)
END

# Blanks and the way a number is given make no other study; a changed formula does.
sed 's/sigma\*(y - x)/sigma * ( y-x )/; s/rho: 28/rho: {value: 28}/' formula.yaml >again.yaml
expect 0 "$MANYLINK" run again.yaml -o formula.h5
says out "finished already"
expect 2 "$MANYLINK" run formula.yaml --set "system.rates.z=x*y - beta*z*1.5" -o formula.h5
expect 0 "$MANYLINK" run formula.yaml --set system.sigma=12 --set initial.z=3 -o other.h5
sed 's/sigma: 10/sigma: 12/; s/z: 20/z: 3/' formula.yaml >same.yaml
expect 0 "$MANYLINK" run same.yaml -o other.h5
says out "finished already"
expect 0 "$MANYLINK" verify formula.h5 --runs 4

# A parameter that nothing depends on is told.
sed 's/beta: 8\/3/beta: 8\/3, gamma: 1/' formula.yaml >unused.yaml
expect 0 "$MANYLINK" plan unused.yaml
says err "no formula in \`rates\` depends on \`gamma\`"

# The study of the page about formulas.
block yaml docs/equations.md >chua.yaml
expect 0 "$MANYLINK" run chua.yaml --set time.end=5 --set analyse.lyapunov.transient=1

# Formulas with steps chosen by tolerance, implicit steps and compensated sums; with events, exponents, derivatives and
# trajectories: made kernels and merged shards give the same results.
cat >driven.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {mu: 5, w: 1.1}
  state: {x: 1, v: 0}
  rates:
    x: v
    v: mu*(1 - x^2)*v - x + 0.3*cos(w*t)
time: {end: 5}
integrator: {type: dopri54, tolerance: 1e-9}
sweep: [{set: system.mu, from: 0.5, to: 6, count: 40}]
events: [{name: up, when: x, crosses: 0, direction: up}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [system.mu, system.w]}}
save: {trajectory: {every: 1}}
END
expect 0 "$MANYLINK" run driven.yaml --kernel general -o driven.h5
for k in 0 1; do
    expect 0 "$MANYLINK" run driven.yaml --kernel general --shard $k/2 -o driven$k.h5
done
expect 0 "$MANYLINK" merge driven0.h5 driven1.h5 -o merged.h5
same driven.h5 merged.h5
if makes_kernels; then
    for method in '{type: dopri54, tolerance: 1e-9}' '{type: rodas4, tolerance: 1e-7}' \
        '{type: rk4, summation: compensated}'; do
        step=
        case $method in *rk4*) step="--set time.step=2e-3" ;; esac
        for kernel in general made; do
            # shellcheck disable=SC2086 # no argument, or two
            expect 0 "$MANYLINK" run driven.yaml --set "integrator=$method" $step --kernel $kernel -o $kernel.h5
        done
        same general.h5 made.h5
        rm general.h5 made.h5
    done
fi

# Signs of word processors, a comparison for an equation, formulas that YAML cuts: each with the remedy.
while IFS='|' read -r formula told; do
    printf 'manylink: 1\nsystem: {type: equations, state: {x: 1}, rates: {x: "%s"}}\ntime: {step: 0.01, end: 1}\n' "$formula" >sign.yaml
    expect 2 "$MANYLINK" plan sign.yaml
    says err "$told"
done <<'END'
x − 1|this minus is not the sign -
− x|this minus is not the sign -
sin(x – 1)|this dash is not the sign -
2·x|a product is a*b
x²|a square is x^2
π*x|write pi in place of the Greek letter
x ≤ 1|write <= in place of this sign
END
cat >circle.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {x: 1, y: 0}, kinetic: "(x'^2 + y'^2)/2", constraints: ["x^2 + y^2 == 1"]}
time: {step: 0.01, end: 1}
END
expect 2 "$MANYLINK" plan circle.yaml
says err "circle.yaml:2:96: a constraint is a = b with a single sign"
printf 'manylink: 1\nsystem: {type: equations, define: {s: 2*y[6]*y[8]}}\n' >brackets.yaml
expect 2 "$MANYLINK" plan brackets.yaml
says err "inside of {...} a formula with [ ] needs quotation marks"

# A single run whose rates are no numbers at the start is refused, one of several is named.
printf 'manylink: 1\nsystem: {type: equations, state: {x: 0}, rates: {x: 1/x}}\ntime: {step: 0.01, end: 1}\n' >start.yaml
expect 2 "$MANYLINK" run start.yaml
says err 'start.yaml:2:53: the rate of `x`, `1/x`, is not a finite number at the start'
expect 3 "$MANYLINK" run start.yaml --set 'sweep=[{set: initial.x, from: 0, to: 1, count: 3}]'
says err 'is not a finite number at the start of run 0, which will fail'

# Names that formulas cannot have, each with the reason.
for name in 'potential:it is a key of a system with coordinates' 'sin:it is a function' 't:it is the time' 'a-b:names are letters'; do
    printf 'manylink: 1\nsystem: {type: equations, parameters: {%s: 1}, coordinates: {x: 1}, kinetic: "%s"}\n' "${name%%:*}" "x'^2/2" >name.yaml
    expect 2 "$MANYLINK" plan name.yaml
    says err "cannot be a name in formulas: ${name#*:}"
done
# Names of terms are free without a mass matrix, as a parameter that is swept and written out: x is cos(sqrt(G) t).
printf 'manylink: 1\nsystem: {type: equations, parameters: {G: 2, C: 3}, coordinates: {x: 1}, kinetic: "%s", potential: C*G*x^2/2}
time: {step: 0.01, end: 1}\nsweep: [{set: system.G, values: [1, 4]}]\n' "C*x'^2/2" >terms.yaml
expect 0 "$MANYLINK" run terms.yaml -q
expect 0 "$MANYLINK" verify terms.h5
expect 0 "$MANYLINK" table terms.h5
awk -F, 'NR > 1 { d = $7 - cos(sqrt($2)); if (d * d > 1e-18) exit 1 } END { exit NR != 3 }' out || fail "$(cat out)"
expect 2 "$MANYLINK" plan terms.yaml --set 'system.E=[1]'
says err 'E excludes `kinetic`'
sed "s/kinetic.*/mass: [[C]], force: [-C*G*x]}/" terms.yaml >matrix.yaml
expect 2 "$MANYLINK" plan matrix.yaml
says err '`G` cannot be a name in formulas: it is a term of the equations beside `mass`'
