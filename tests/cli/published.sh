# label: values
# Systems of formulas against published numbers: exponents, a threshold of synchronisation, basins.
. "$SOURCE/tests/check.sh"
need_python

# attractor NAME STEP OVER: exponents of the system of standard input, of 64 runs from starts in a range.
attractor()
{
    {
        printf 'manylink: 1\nsystem:\n  type: equations\n'
        cat
        cat <<END
time: {step: $2, end: 1500}
sample: {method: random, count: 64, over: [$3]}
analyse: {lyapunov: {exponents: all, transient: 200}}
accuracy: off
END
    } >"$1.yaml"
    expect 0 "$MANYLINK" run "$1.yaml" -q
}
attractor chua 0.01 '{set: initial.z, from: 0.55, to: 0.65}' <<'END'
  parameters: {alpha: 9, beta: 100/7, a: -8/7, b: -5/7}
  state: {x: 0, y: 0, z: 0.6}
  define: {f: b*x + (a - b)/2*(abs(x + 1) - abs(x - 1))}
  rates: {x: alpha*(y - x - f), y: x - y + z, z: -beta*y}
END
attractor roessler 0.02 '{set: initial.x, from: -9, to: -8}' <<'END'
  parameters: {a: 0.2, b: 0.2, c: 5.7}
  state: {x: -9, y: 0, z: 0}
  rates: {x: -y - z, y: x + a*y, z: b + z*(x - c)}
END
attractor ueda 0.03 '{set: initial.x, from: 2.4, to: 2.6}' <<'END'
  parameters: {b: 0.05, A: 7.5}
  state: {x: 2.5, v: 0}
  rates: {x: v, v: -x^3 - b*v + A*sin(t)}
END
attractor duffing 0.03 '{set: initial.x, from: 0.15, to: 0.25}' <<'END'
  parameters: {b: 0.25, A: 0.4}
  state: {x: 0.2, v: 0}
  rates: {x: v, v: x - x^3 - b*v + A*sin(t)}
END
attractor thomas 0.05 '{set: initial.x, from: 0, to: 0.2}' <<'END'
  parameters: {b: 0.18}
  state: {x: 0.1, y: 0, z: 0}
  rates: {x: -b*x + sin(y), y: -b*y + sin(z), z: -b*z + sin(x)}
END

# A Roessler system and its small difference from a second one, coupled by x: the difference grows with a rate that is 0
# at the strength 0.186.
cat >coupled.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {a: 0.2, b: 0.2, c: 9, strength: 0.186}
  state: {x: 1, y: 1, z: 0, u: 1, v: 0, w: 0}
  rates:
    x: -y - z
    y: x + a*y
    z: b + z*(x - c)
    u: -v - w - strength*u
    v: u + a*v
    w: z*u + (x - c)*w
time: {step: 0.02, end: 1500}
sweep: [{set: system.strength, from: 0.16, to: 0.21, count: 6}, {set: initial.x, from: 0, to: 8, count: 64}]
accuracy: off
END
expect 0 "$MANYLINK" run coupled.yaml -q

# A pendulum above three magnets (Peitgen, Juergens, Saupe, Chaos and Fractals, section 12.1): the picture of its basins is turned
# into itself by a third of a turn, but for starts on their boundaries, where rounding decides.
"$PYTHON" - >magnets.yaml <<'END'
from math import cos, pi, sin
print("""manylink: 1
system:
  type: equations
  parameters: {R: 0.2, C: 0.5, d: 0.25}
  state: {x: 0, y: 0, vx: 0, vy: 0}
  define:""")
for k in range(3):
    print(f"    p{k}: cos({k}*2*pi/3) - x\n    q{k}: sin({k}*2*pi/3) - y\n    c{k}: (p{k}^2 + q{k}^2 + d^2)^-1.5")
print("""  rates:
    x: vx
    y: vy
    vx: -R*vx - C*x + c0*p0 + c1*p1 + c2*p2
    vy: -R*vy - C*y + c0*q0 + c1*q1 + c2*q2
integrator: {type: tp86, tolerance: 1e-11}
time: {end: 100}
accuracy: off
sweep:""")
starts = [[r * f(a + k * 2 * pi / 3) for f in (cos, sin)]
          for r in (0.3, 0.8, 1.4, 2) for a in [0.02 + 2 * pi * i / 300 for i in range(100)] for k in range(3)]
print("  - {name: start, set: [initial.x, initial.y], values:", starts, "}")
END
expect 0 "$MANYLINK" run magnets.yaml -q

# Means of 64 runs. Exponents: J. C. Sprott, Chaos and Time-Series Analysis (2003), appendix A; their sum is the trace, which is constant
# in three of the systems. Threshold: L. Huang, Q. Chen, Y.-C. Lai, L. M. Pecora, Phys. Rev. E 80 (2009) 036204, of the
# Roessler system with a = b = 0.2, c = 9, by x: 0.186.
"$PYTHON" - <<'END' || fail "published values"
import h5py, numpy as np
known = {"chua": [0.3271, 0, -2.5197], "roessler": [0.0714, 0, -5.3943], "ueda": [0.1034, -0.1534],
         "duffing": [0.1571, -0.4071], "thomas": [0.0349, 0, -0.5749]}
total = {"ueda": -0.05, "duffing": -0.25, "thomas": -0.54}
for name, published in known.items():
    with h5py.File(name + ".h5") as f:
        own, own_sum = f["study/summary/lyapunov_spectrum"][...], f["study/summary/lyapunov_sum"][...]
    error = own.std(0) / len(own) ** 0.5
    away = np.abs(own.mean(0) - published)
    print(name, own.mean(0), "away", away, "standard error", error, "sum", own_sum.min(), own_sum.max())
    assert (away < 3 * error + 2e-4).all(), name
    assert name not in total or np.abs(own_sum - total[name]).max() < 1e-6
with h5py.File("coupled.h5") as f:
    s = f["study/summary"]
    grown = np.log(s["end_u"][...] ** 2 + s["end_v"][...] ** 2 + s["end_w"][...] ** 2).mean(1) / 2 / 1500
    strength = s["system.strength"][...]
slope, rest = np.polyfit(strength, grown, 1)
print("coupled", grown, "threshold", -rest / slope)
assert abs(-rest / slope - 0.186) < 0.005
with h5py.File("magnets.h5") as f:
    s = f["study/summary"]
    angle = np.arctan2(s["end_y"][...], s["end_x"][...]).reshape(-1, 3)
    speed = np.hypot(s["end_vx"][...], s["end_vy"][...]).max()
magnet = np.rint(angle / (2 * np.pi / 3)).astype(int) % 3
turned = (magnet - np.arange(3)) % 3
share = (turned == turned[:, :1]).all(1).mean()
print("magnets", np.bincount(magnet[:, 0]), "as it is turned", share, "speed", speed)
assert share > 0.98 and speed < 1e-2 and (np.bincount(magnet[:, 0]) > 30).all()
END
