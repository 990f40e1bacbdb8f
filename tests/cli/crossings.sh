# label: values
# Located events on 20 orbits of a double pendulum are where Taylor series in 40 digits have them, and as many as
# SciPy's, at a tolerance of 1e-12.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 9.81, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, mass: 1}]}
integrator: {type: tp86, tolerance: 1e-12}
time: {end: 18, tick: 18}
events:
  - {name: cross, when: angle.lower, crosses: 0, direction: up, max: 64, keep: [state]}
  - {name: turn, when: rate.upper, crosses: 0, max: 64}
  - {name: peak, of: angle.lower, kind: maximum, max: 64}
sweep:
  - {set: initial.angle.upper, from: 0.1, to: 0.8, count: 4}
  - {set: initial.angle.lower, from: -0.6, to: 0.7, count: 5}
END
expect 0 "$MANYLINK" run study.yaml
"$PYTHON" - "$SOURCE/tests/reference/crossings.json" <<'END' || exit $?
import json
import sys

import h5py
import numpy
from scipy.integrate import solve_ivp

with open(sys.argv[1], encoding="utf-8") as file:
    rows = json.load(file)["rows"]
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
worst = {"time": 0.0, "time of DOP853": 0.0, "state": 0.0}
for run, row in enumerate(rows):
    i, j = divmod(run, 5)
    orbit = solve_ivp(rates, (0, 18), [row["upper"], row["lower"], 0, 0], method="DOP853", rtol=1e-13, atol=1e-13,
                      events=list(events.values()))
    for k, name in enumerate(events):
        times = numpy.array(row[name])
        by_scipy = orbit.t_events[k][orbit.t_events[k] > 0]  # at rest at the start: no event
        n = len(times)
        assert summary[f"{name}_count"][i, j] == n == len(by_scipy), (name, row["upper"], row["lower"])
        worst["time"] = max(worst["time"], numpy.abs(summary[f"{name}_times"][i, j, :n] - times).max())
        worst["time of DOP853"] = max(worst["time of DOP853"], numpy.abs(by_scipy - times).max())
        found[name] += n
    state = numpy.hstack([summary["cross_angle"][i, j], summary["cross_rate"][i, j]])
    states = numpy.array(row["cross_state"])
    worst["state"] = max(worst["state"], numpy.abs(state[:len(states)] - states).max())
print(found, worst)
assert sum(found.values()) >= 1000 and min(found.values()) > 200, found
assert worst["time"] < 5e-11 and worst["state"] < 3e-12 and worst["time of DOP853"] < 1e-10, worst
END
