# label: values
# Located events are those of scipy: as many on 20 orbits of a double pendulum, at the same times and states.
. "$SOURCE/tests/check.sh"

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 9.81, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
integrator: {type: tp86, tolerance: 1e-13}
time: {end: 12, tick: 12}
events:
  - {name: cross, when: angle.lower, crosses: 0, direction: up, max: 64, keep: [state]}
  - {name: turn, when: rate.upper, crosses: 0, max: 64}
  - {name: peak, of: angle.lower, kind: maximum, max: 64}
sweep:
  - {set: initial.angle.upper, from: 0.1, to: 0.8, count: 4}
  - {set: initial.angle.lower, from: -0.6, to: 0.7, count: 5}
END
expect 0 "$MANYLINK" run study.yaml
"$PYTHON" - <<'END' || exit $?
import sys

try:
    import h5py
    import numpy
    from scipy.integrate import solve_ivp
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

summary = h5py.File("study.h5")["study/summary"]
inertia, own, half, gravity = 1 / 12 + 1 / 4 + 1, 1 / 12 + 1 / 4, 1 / 2, 9.81


def rates(_, y):  # two uniform rods
    cosine, sine = numpy.cos(y[0] - y[1]), numpy.sin(y[0] - y[1])
    upper = -half * sine * y[3] ** 2 - 1.5 * gravity * numpy.sin(y[0])
    lower = half * sine * y[2] ** 2 - half * gravity * numpy.sin(y[1])
    determinant = inertia * own - (half * cosine) ** 2
    return [y[2], y[3], (upper * own - half * cosine * lower) / determinant,
            (inertia * lower - half * cosine * upper) / determinant]


def event(value, direction):
    value.direction = direction
    return value


events = {"cross": event(lambda t, y: y[1], 1), "turn": event(lambda t, y: y[2], 0),
          "peak": event(lambda t, y: y[3], -1)}
found = dict.fromkeys(events, 0)
for i, upper in enumerate(numpy.linspace(0.1, 0.8, 4)):
    for j, lower in enumerate(numpy.linspace(-0.6, 0.7, 5)):
        orbit = solve_ivp(rates, (0, 12), [upper, lower, 0, 0], method="DOP853", rtol=1e-13, atol=1e-13,
                          events=list(events.values()))
        for k, name in enumerate(events):
            times, states = orbit.t_events[k], orbit.y_events[k]
            kept = times > 0  # at rest at the start: no event
            times, states = times[kept], states[kept]
            n = len(times)
            assert summary[f"{name}_count"][i, j] == n, (name, i, j, n, summary[f"{name}_count"][i, j])
            off = numpy.abs(summary[f"{name}_times"][i, j, :n] - times).max()
            assert off < 2e-10, (name, i, j, off)
            found[name] += n
        state = numpy.hstack([summary["cross_angle"][i, j], summary["cross_rate"][i, j]])
        n = int(summary["cross_count"][i, j])
        assert numpy.abs(state[:n] - orbit.y_events[0][:n]).max() < 2e-9
print(found)
assert min(found.values()) > 150, found
END
