# label: values
# `then: rest`: motions rest on the surface of an event until their forces lift them: a ball on the ground, on a table that
# accelerates away, on another body that moves, and on the ground or the ceiling; other events strike what rests; against
# closed forms.
. "$SOURCE/tests/check.sh"
need_python

cat >ball.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.5}
  state: {y: 8, v: 0, far: 0}
  rates: {y: v, v: -g, far: y}
integrator: {type: tp86, tolerance: 1e-10}
time: {tick: 5, end: 40}
sweep: [{set: system.e, from: 0, to: 0.9, count: 10}]
analyse: {sensitivity: {of: end_state, to: [system.e]}}
events: [{name: hit, when: y, crosses: 0, direction: down, set: {v: -e*v}, then: rest, max: 1}]
END
cat >table.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.2, a: 15}
  state: {y: 0.01, v: 0, hits: 0}
  define: {weight: -g}
  rates: {y: v, v: weight, hits: 0}
quantities: {gap: y - a*(1 - cos(t))}
integrator: {type: tp86, tolerance: 1e-12}
time: {tick: 0.25, end: 3}
sweep: [{set: system.e, values: [0, 1e-12, 1e-8, 0.2, 0.4]}]
events:
  - {name: hit, when: -gap, direction: up, set: {v: "(1 + e)*a*sin(t) - e*v", hits: hits + 1}, then: rest}
END
cat >bodies.yaml <<'END'
manylink: 1
define: {m1: 2, m2: 1, k: 50, g: 9.8, e: 0}
system:
  type: equations
  state: {y1: -m1*g/k, v1: 0, y2: 3, v2: 0}
  rates: {y1: v1, v1: -k/m1*y1 - g, y2: v2, v2: -g}
integrator: {type: tp86, tolerance: 1e-12}
time: {tick: 0.3, end: 2.1}
events:
  - name: hit
    when: y2 - y1
    crosses: 0
    direction: down
    set: {v1: v1 + m2*(1 + e)/(m1 + m2)*(v2 - v1), v2: v2 - m1*(1 + e)/(m1 + m2)*(v2 - v1)}
    then: rest
END
cat >lifted.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {e: 0, up: 20}
  state: {y: 1, v: -1}
  rates: {y: v, v: "where(t > 3, up*(t - 3), 0)"}
integrator: {type: tp86, tolerance: 1e-10}
time: {tick: 1, end: 8}
sweep: [{set: system.up, values: [20, -20]}]
events: [{name: hit, when: y, crosses: 0, direction: down, set: {v: -e*v}, then: rest}]
END
cat >stops.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {e: 0.5, w: 3}
  state: {y: 0.1, v: 0}
  rates: {y: v, v: 9.8*sin(w*t)}
integrator: {type: tp86, tolerance: 1e-10}
time: {tick: 1, end: 8}
sweep: [{set: system.w, values: [0.5, 1]}]
events:
  - {name: low, when: y, crosses: 0, direction: down, set: {v: -e*v}, then: rest}
  - {name: high, when: y, crosses: 0.2, direction: up, set: {v: -e*v}, then: rest}
END
# At rest until another event sets the rate, to both sides, or to the same.
cat >struck.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.5, up: 2}
  state: {y: 1, v: 0, far: 0}
  rates: {y: v, v: -g, far: y}
integrator: {type: tp86, tolerance: 1e-12}
time: {tick: 0.1, end: 3}
sweep: [{set: system.up, values: [-2, 0, 2]}]
analyse: {sensitivity: {of: end_state, to: [system.up, system.e]}}
events:
  - {name: hit, when: y, crosses: 0, direction: down, set: {v: -e*v}, then: rest, max: 60}
  - {name: strike, at: 2, set: {v: v + up}}
END
# Two balls, the lower at rest: the ground holds what the upper one strikes.
cat >dropped.yaml <<'END'
manylink: 1
define: {m1: 2, m2: 1, g: 9.8, e: 0.8}
system:
  type: equations
  state: {y1: 0.5, v1: 0, y2: 6, v2: 0}
  rates: {y1: v1, v1: -g, y2: v2, v2: -g}
integrator: {type: tp86, tolerance: 1e-12}
time: {tick: 0.1, end: 1.5}
events:
  - {name: ground, when: y1, crosses: 0, direction: down, set: {v1: 0}, then: rest, max: 9}
  - name: hit
    when: y2 - y1
    crosses: 0
    direction: down
    set: {v1: v1 + m2*(1 + e)/(m1 + m2)*(v2 - v1), v2: v2 - m1*(1 + e)/(m1 + m2)*(v2 - v1)}
END
# A ball in a groove is held by one side when it hits the other, and falls through neither.
cat >groove.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {g: 9.8, e: 0.3, c: 0.6, s: 0.8}
  state: {x: 0.3, y: 2, u: 0, v: 0}
  rates: {x: u, y: v, u: 0, v: -g}
integrator: {type: tsit54, tolerance: 1e-10}
time: {end: 20}
sweep: [{set: system.e, values: [0, 0.3, 0.5, 0.8]}, {set: initial.x, values: [-0.3, 0, 0.1, 0.3]}]
events:
  - {name: right, when: c*y - s*x, direction: down, then: rest,
     set: {u: u + (1 + e)*s*(c*v - s*u), v: v - (1 + e)*c*(c*v - s*u)}}
  - {name: left, when: c*y + s*x, direction: down, then: rest,
     set: {u: u - (1 + e)*s*(c*v + s*u), v: v - (1 + e)*c*(c*v + s*u)}}
END
expect 3 "$MANYLINK" run groove.yaml --no-accuracy
says out "16 diverged"
# Small restitutions: neighbours meet on the ground, and a tangent vector may be left without length there.
sed 's/^sweep.*/sweep: [{set: system.e, from: 0.005, to: 0.1, count: 96}]/; s/tp86/tsit54/' ball.yaml >small.yaml
sed 's/^analyse.*/analyse: {lyapunov: {exponents: 3, transient: 10}}/; s/far: y}/far: y - 0.1*far}/' small.yaml >exponents.yaml
for study in ball small exponents table bodies lifted stops struck dropped; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy
done
expect 0 "$MANYLINK" verify bodies.h5

"$PYTHON" - <<'END' || fail "motions that rest"
import h5py
import numpy as np

g = 9.8


def summary(name):
    with h5py.File(name + ".h5") as f:
        assert (f["study/runs/outcome"][...] == 0).all(), name
        return {k: v[...] for k, v in f["study/summary"].items() if isinstance(v, h5py.Dataset)}, f["study/runs"].get(
            "system.e", [0.0])[:]


def near(value, exact, error):
    assert np.abs(value - exact).max() <= error, (value, exact, np.abs(value - exact).max())


own, e = summary("ball")
fall = np.sqrt(16 / g)
near(own["end_y"], 0, 1e-14)
near(own["end_v"], 0, 0)
near(own["end_far"], 8 * fall * 2 / 3 + 2 / 3 * g * fall**3 * e**3 / (1 - e**3), 1e-9)
near(own["sensitivity"][..., 0].T[2], 2 / 3 * g * fall**3 * 3 * e**2 / (1 - e**3) ** 2, 1e-7)

own, e = summary("small")
near(own["end_y"], 0, 1e-14)
near(own["sensitivity"][..., :2, 0], 0, 0)
near(own["sensitivity"][..., 2, 0], 2 / 3 * g * fall**3 * 3 * e**2 / (1 - e**3) ** 2, 1e-9)
own, e = summary("exponents")
near(own["lyapunov_spectrum"][:, 0], -0.1, 1e-12)
assert (own["lyapunov_spectrum"][:, 1:] == -np.inf).all()

own, e = summary("table")
leaves = np.arccos(-g / 15)
flight = 3 - leaves
near(own["hit_leaves_time"], leaves, 1e-14)
near(own["end_y"], 15 * (1 - np.cos(leaves)) + 15 * np.sin(leaves) * flight - g / 2 * flight**2, 1e-9)

own, _ = summary("bodies")
low, rest = -2 * g / 50, -3 * g / 50  # where body 1 hangs alone, and with body 2
meet = np.sqrt(2 * (3 - low) / g)
w, speed = np.sqrt(50 / 3), -g * meet / 3
a, b = low - rest, speed / w
up = (np.arctan2(b, a) - np.arccos(-rest / np.hypot(a, b))) % (2 * np.pi) / w
speed = -a * w * np.sin(w * up) + b * w * np.cos(w * up)
near(rest + a * np.cos(w * up) + b * np.sin(w * up), 0, 1e-14)
flight = 2.1 - meet - up
near(own["hit_leaves_time"], meet + up, 1e-11)
near(own["end_y2"], speed * flight - g / 2 * flight**2, 1e-10)
near(own["end_y1"], low * (1 - np.cos(5 * flight)) + speed / 5 * np.sin(5 * flight), 1e-10)

own, _ = summary("lifted")  # from a force of 0
near(own["end_y"], np.array([20 * 5**3 / 6, 0]), 1e-11)
near(own["hit_leaves_time"][0], 3, 1e-15)

own, _ = summary("stops")
near(own["high_leaves_time"], np.array([2 * np.pi, np.pi]), 1e-14)
near(own["low_leaves_time"][1], 2 * np.pi, 1e-14)
near(own["end_y"], np.array([0, 0.2]), 1e-15)

own, _ = summary("struck")
hop = 2 / 3 / g**2  # the area below a hop of 1 m/s
near(own["end_y"], 0, 1e-15)
near(own["end_far"] - own["end_far"][1], 8 * hop * np.array([1 / 7, 0, 8 / 7]), 1e-12)
near(own["sensitivity"][[0, 2], 2, 0], 12 * hop * np.array([-1 / 7, 8 / 7]), 1e-12)
own, _ = summary("dropped")
fall = np.sqrt(12 / g)
flight = 1.5 - fall
near(own["ground_times"][..., :2], [np.sqrt(1 / g), fall], 1e-14)
near(own["end_y1"], 0, 1e-15)
near(own["end_y2"], 0.2 * g * fall * flight - g / 2 * flight**2, 1e-12)
END
