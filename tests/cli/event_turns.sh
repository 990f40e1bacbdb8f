# label: values
# Formulas that turn many times within a step have as many events as there are: an angle that turns evenly, at 0.4 to 300
# rad/s, with steps of 0.02 to 7.3 s, against closed forms, and a beat against its values at 4 x 10^5 instants.
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import subprocess
import sys

import h5py
import numpy

START, END = 0.1, 7.3
STUDY = """manylink: 1
system: {type: equations, parameters: {w: 1}, state: {a: 0.1, b: 0}, rates: {a: w, b: cos(t)}}
events:
  - {name: up, when: sin(a), crosses: 0, direction: up, max: 400}
  - {name: turn, when: a, crosses: 0, every: 2*pi}
  - {name: high, when: sin(a), crosses: 0.99, max: 800}
  - {name: low, when: sin(a), crosses: -0.7, direction: down, max: 400}
  - {name: many, when: sin(a), crosses: 0, every: 0.23}
  - {name: top, of: sin(a), kind: maximum, max: 400}
  - {name: both, of: sin(a), kind: either, from: 3}
  - {name: beat, when: b*sin(a), crosses: 0.3}
%s
sweep: [{set: system.w, values: %s}]
save: {summary: [end_state]}
"""
speeds = [0.4, 1.7, 6.28, 13.6, 18.39, 32.56, 46.17, 50, 72.02, 127.54, 138.0764223594659, 208.63155974839617, 300.58]


def run(text):
    with open("study.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([sys.argv[1], "run", "study.yaml", "--no-accuracy", "--restart"], check=True, capture_output=True)
    with h5py.File("study.h5") as result:
        found = {name: data[()] for name, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}
        return found | {"end": result["study/runs/end_time"][()]}


def times(w, *angles):
    turns = numpy.arange(-1, w * END / (2 * numpy.pi) + 2)
    at = numpy.sort(numpy.concatenate([angle + 2 * numpy.pi * turns for angle in angles]) - START) / w
    return at[(at > 0) & (at < END)]


half = numpy.pi / 2
clocks = ("time: {end: 7.3, tick: 7.3}\nintegrator: {type: tp86, tolerance: 1e-8}",
          "time: {end: 7.3}\nintegrator: {type: dopri54, tolerance: 1e-6}",
          "time: {step: 0.02, end: 7.3}", "time: {step: 0.1, end: 7.3}", "time: {step: 0.73, end: 7.3}\nintegrator: dop853")
for clock in clocks:
    found = run(STUDY % (clock, speeds))
    error = 0.0
    for i, w in enumerate(speeds):
        high, low, t = numpy.arcsin(0.99), numpy.arcsin(0.7), numpy.linspace(0, END, 400001)
        exact = {"up": times(w, 0), "high": times(w, high, numpy.pi - high), "low": times(w, numpy.pi + low),
                 "top": times(w, half)}
        above = numpy.sin(t) * numpy.sin(START + w * t) > 0.3
        counts = {name: len(own) for name, own in exact.items()}
        counts["turn"] = counts["up"]
        counts["both"] = (times(w, half, -half) >= 3).sum()
        counts["many"] = sum(len(times(w, a, numpy.pi - a)) for a in numpy.arcsin(0.23 * numpy.arange(-4, 5)))
        counts["beat"] = (above[1:] != above[:-1]).sum()
        for name, n in counts.items():
            assert found[f"{name}_count"][i] == n, (clock, w, name, found[f"{name}_count"][i], n)
        for name, own in exact.items():
            if len(own):
                error = max(error, numpy.abs(found[f"{name}_times"][i, :len(own)] - own).max())
    print(clock.replace("\n", " "), f"times within {error:.1e} s")
    assert error < 5e-11, error

# A run that ends with the first: levels, and extremes.
for event, exact in (("when: sin(a), crosses: 0.99", lambda w: times(w, numpy.arcsin(0.99))),
                     ("of: sin(a), kind: minimum", lambda w: times(w, -half))):
    found = run("%s\nevents: [{name: it, %s, stop: true}]\n%s\nsweep: [{set: system.w, values: %s}]\n" %
                ("\n".join(STUDY.split("\n")[:2]), event, clocks[0], speeds[2:]))
    error = max(abs(end - exact(w)[0]) for w, end in zip(speeds[2:], found["end"]))
    print(f"{event}: ends within {error:.1e} s")
    assert error < 5e-11 and (found["it_count"] == 1).all(), error
END

# A number that turns too often within a step to be followed has no count, and a warning.
cat >often.yaml <<'YAML'
manylink: 1
system: {type: equations, parameters: {w: 50}, state: {a: 0.1}, rates: {a: w}}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 7.3, tick: 7.3}
events: [{name: high, when: sin(a), crosses: 0.99}]
sweep: [{set: system.w, values: [50, 5e4]}]
YAML
expect 0 "$MANYLINK" run often.yaml --no-accuracy
says err "warning: events.high: in 1 of 2 runs the number turns thousands of times within a step"
expect 0 "$MANYLINK" table often.h5
says out "high_count"
grep -q '^0,50,.*,116$' out && grep -q '^1,50000,.*,$' out || fail "counts of numbers that turn often"
