# Maps: exponents against published numbers, the bits of plain loops, derivatives, cycles, kernels and shards.
. "$SOURCE/tests/check.sh"
need_python

# Enough runs for exponents within their standard errors; more of them take no other paths.
runs=512
[ -z "$SANITIZE" ] || runs=64

# sample NAME: the map of standard input, from random starts near its attractor.
sample()
{
    {
        echo "manylink: 1"
        cat
        cat <<END
time: {steps: 20000}
sample: {method: random, count: $runs, over: [{set: initial.x, from: 0.1, to: 0.12}]}
analyse: {lyapunov: {exponents: all, transient: 500}}
END
    } >"$1.yaml"
    expect 0 "$MANYLINK" run "$1.yaml" -q --kernel general
}
sample henon <<'END'
system:
  {type: equations, kind: map, parameters: {a: 1.4, b: 0.3}, state: {x: 0, y: 0}, next: {x: 1 - a*x^2 + y, y: b*x}}
END
sample lozi <<'END'
system:
  {type: equations, kind: map, parameters: {a: 1.7, b: 0.5}, state: {x: 0, y: 0}, next: {x: 1 - a*abs(x) + y, y: b*x}}
END
sample ikeda <<'END'
system:
  type: equations
  kind: map
  parameters: {u: 0.9}
  state: {x: 0, y: 0}
  define: {phi: 0.4 - 6/(1 + x^2 + y^2)}
  next: {x: 1 + u*(x*cos(phi) - y*sin(phi)), y: u*(x*sin(phi) + y*cos(phi))}
END
sample standard <<'END'
system:
  type: equations
  kind: map
  parameters: {K: 10}
  state: {x: 0, p: 0.3}
  define: {kick: p + K*sin(x)}
  next: {x: "mod(x + kick, 2*pi)", p: "mod(kick, 2*pi)"}
END
sample logistic <<'END'
system: {type: equations, kind: map, parameters: {r: 4}, state: {x: 0}, next: {x: r*x*(1 - x)}}
END

# The exponents: of the Henon, Lozi and Ikeda maps by J. C. Sprott, Chaos and Time-Series Analysis (2003), appendix A;
# of the standard map about ln(K/2), for large K (Chirikov, Physics Reports 52 (1979) 263); of the logistic map ln 2.
# Their sum is ln |det DF|, exactly where that is constant, and its mean in any map.
"$PYTHON" - <<'END' || fail "exponents of maps"
import h5py, numpy as np
from math import log
known = {"henon": ([0.41922, -1.62319], log(0.3)), "lozi": ([0.47023, -1.16338], log(0.5)),
         "ikeda": ([0.50760, -0.71832], 2 * log(0.9)), "standard": ([log(5), -log(5)], 0.0), "logistic": ([log(2)], None)}
for name, (published, total) in known.items():
    with h5py.File(name + ".h5") as f:
        s = f["study/summary"]
        own, own_sum, trace = s["lyapunov_spectrum"][...], s["lyapunov_sum"][...], s["mean_trace"][...]
    away = np.abs(own.mean(0) - published)
    error = own.std(0) / len(own) ** 0.5
    print(name, own.mean(0), "away", away, "standard error", error)
    assert (away < 3 * error + (0.015 if name == "standard" else 1e-5)).all()
    assert np.abs(own_sum - trace).max() < 1e-12 and (total is None or np.abs(own_sum - total).max() < 1e-13)
END

# What is measured and kept along the way, and its derivatives, by kernels of both kinds and in shards.
cat >cycles.yaml <<'END'
manylink: 1
system: {type: equations, kind: map, parameters: {r: 3.2}, state: {x: 0.3}, next: {x: r*x*(1 - x)}}
time: {steps: 3000}
sweep: [{set: system.r, values: [2.8, 3.2, 3.5, 3.83, 4]}, {set: initial.x, values: [0.3, 0.4, 0.55, 0.61]}]
events: [{name: late, period: 2, phase: 1, from: 2900, max: 16, keep: [state], attractors: 1e-9}]
analyse: {lyapunov: {exponents: all, transient: 2000}, megno: {}, sensitivity: {of: end_state, to: [system.r, initial.x]}}
save: {trajectory: {every: 1}}
END
cat >short.yaml <<'END'
manylink: 1
system:
  type: equations
  kind: map
  parameters: {u: 0.9, w: 0.1}
  state: {x: 0.3, y: 0.2}
  define: {phi: 0.4 - 6/(1 + x^2 + y^2)}
  next: {x: 1 + u*(x*cos(phi) - y*sin(phi)) + w*t, y: u*(x*sin(phi) + y*cos(phi))}
time: {start: 3, steps: 7}
sweep: [{set: system.u, from: 0.1, to: 0.9, count: 40}]
analyse: {sensitivity: {of: end_state, to: [system.u, system.w, initial.x]}}
END
for study in cycles short; do
    expect 0 "$MANYLINK" run $study.yaml --kernel general -o $study.h5
    for k in 0 1; do
        expect 0 "$MANYLINK" run $study.yaml --kernel general --threads 2 --shard $k/2 -o part$k.h5
    done
    expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
    same $study.h5 merged.h5
    expect 0 "$MANYLINK" verify $study.h5
    if makes_kernels; then
        expect 0 "$MANYLINK" run $study.yaml --kernel made -o made.h5
        says out "kernel made for it"
        same $study.h5 made.h5
    fi
    rm -f merged.h5 part?.h5 made.h5
done
"$PYTHON" - <<'END' || fail "states of maps"
import h5py, numpy as np
from math import log
with h5py.File("cycles.h5") as f:
    s, t = f["study/summary"], f["study/trajectories"]
    x = np.broadcast_to([0.3, 0.4, 0.55, 0.61], (5, 4)).copy()
    r = s["system.r"][...][:, None]
    saved, time, late = t["x"][...].reshape(5, 4, -1), t["time"][...], s["late_x"][...]
    assert (time == np.arange(3001)).all()
    deriv = np.zeros((5, 4, 2)) + [0, 1]
    for k in range(3000):
        assert (saved[:, :, k] == x).all(), k
        deriv = (r * (1 - 2 * x))[:, :, None] * deriv + np.stack([x * (1 - x), 0 * x], -1)
        if k >= 2900 and k % 2 == 1 and k < 2932:
            assert (late[:, :, (k - 2901) // 2] == x).all(), k
        x = r * x * (1 - x)
    assert (saved[:, :, -1] == x).all() and (s["end_x"][...] == x).all()
    found = s["sensitivity"][...].reshape(5, 4, 2)[:4]
    error = np.abs(found - deriv[:4]).max()
    print("derivatives of cycles", error)
    assert error < 1e-11
    # r = 3.2: a cycle of two, whose multiplier is 4 + 2 r - r^2; 3.83: of three (Strogatz, Nonlinear Dynamics, 10.4).
    error = np.abs(s["lyapunov_max"][1] - 0.5 * log(0.16)).max()
    print("exponent of the cycle", error, s["late_attractor"][...])
    assert error < 1e-12
    period = [len(set(np.round(row[-12:], 9))) for row in saved[:4, 0]]
    assert period == [1, 2, 4, 3], period

def run(u, w, x):
    y = 0.2
    for t in range(3, 10):
        phi = 0.4 - 6 / (1 + x * x + y * y)
        x, y = 1 + u * (x * np.cos(phi) - y * np.sin(phi)) + w * t, u * (x * np.sin(phi) + y * np.cos(phi))
    return np.array([x, y])
with h5py.File("short.h5") as f:
    s = f["study/summary"]
    u = s["system.u"][...]
    d = 1e-30
    exact = run(u, 0.1, 0.3)
    derivs = [run(*a).imag / d for a in ((u + 1j * d, 0.1, 0.3), (u, 0.1 + 1j * d, 0.3), (u, 0.1, 0.3 + 1j * d))]
    found = s["sensitivity"][...]
    state = max(np.abs(s["end_x"][...] - exact[0]).max(), np.abs(s["end_y"][...] - exact[1]).max())
    error = max((np.abs(found[:, :, p].T - derivs[p]) / (1 + np.abs(derivs[p]))).max() for p in range(3))
    print("end state", state, "derivatives", error)
    assert state < 1e-11 and error < 1e-11
END

# Regular motion: 2 (Cincotta, Simo 2000).
expect 0 "$MANYLINK" run standard.yaml -q --set system.parameters.K=0.5 --set initial.p=0.1 \
    --set 'sample.over=[{set: initial.x, from: 1, to: 1.6}]' --set sample.count=4 --set 'analyse={megno: {}}' -o regular.h5
"$PYTHON" - <<'END' || fail "megno of a regular orbit"
import h5py
with h5py.File("regular.h5") as f:
    megno = f["study/summary/megno"][...]
print("megno", megno)
assert (abs(megno - 2) < 0.05).all()
END

# A map has no integrators to compare, and nothing to be stable with.
expect 2 "$MANYLINK" compare henon.yaml
says err "a map is iterated"
expect 0 "$MANYLINK" plan henon.yaml
! grep -e stiffest -e eigenvalue out || fail "a map is stiff"

# The study of the page.
awk '/^```$/ && on { exit } on { print } /^## Maps/ { maps = 1 } maps && $0 == "```yaml" { on = 1 }' \
    "$SOURCE/docs/equations.md" >page.yaml
expect 0 "$MANYLINK" run page.yaml --set time.steps=600 --set events.late.from=500
