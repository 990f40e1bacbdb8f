# label: values
# As many events as there are: free motion and an oscillator, 10^5 runs from starts on levels and beside them, with
# steps and tolerances from fine to so coarse that a step passes many levels and two turning points, against exact
# counts; and first times. Strobes from K periods on begin with that of K.
. "$SOURCE/tests/check.sh"

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import os
import subprocess
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HEAD = "manylink: 1\nsystem: {type: mass_spring_damper, mass: [1], stiffness: [%d]}\nsave: {summary: [end_state]}\n"


def run(text):
    with open("study.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([sys.argv[1], "run", "study.yaml", "--no-accuracy", "--restart"], check=True, capture_output=True)
    with h5py.File("study.h5") as result:
        found = {}
        for group in ("summary", "runs"):
            found |= {name: data[()].ravel() for name, data in result[f"study/{group}"].items()
                      if isinstance(data, h5py.Dataset) and data.dtype == float}
    os.remove("study.h5")
    return found


def grid(*axes):
    return "sweep:\n" + "".join("  - {set: %s, values: %s}\n" % (name, list(values)) for name, values in axes)


n_run = 0

# Free motion, all numbers multiples of 1/1000: exact in integers. Levels at the end may have been passed or not.
starts = [round(-1.5 + 0.1 * i, 1) for i in range(31)] + [0.123, -0.456]
axes = (("initial.position.1", starts), ("initial.velocity.1", [-1, -0.7, -0.1, 0.1, 0.3, 1]),
        ("events.many.crosses", [0, 0.05, 0.1, -0.3]), ("events.many.every", [0.05, 0.1, 0.2, 0.5]))
for clock in ("{step: 0.1, end: 10}", "{step: 0.25, end: 10}", "{step: 1, end: 10}", "{step: 10, end: 10}",
              "{tick: 0.1, end: 10}", "{tick: 10, end: 10}"):
    adaptive = "integrator: {type: tp86, tolerance: 1e-9}\n" if "tick" in clock else ""
    found = run(HEAD % 0 + f"time: {clock}\n{adaptive}" + "events: [{name: many, when: position.1, crosses: 0, every: 1},"
                " {name: one, when: position.1, crosses: 0}]\n" + grid(*axes))
    start, speed, level, every = (numpy.round(1000 * x).astype(int).ravel()
                                  for x in numpy.meshgrid(*(a[1] for a in axes), indexing="ij"))
    end = start + 10 * speed
    low, high = numpy.minimum(start, end), numpy.maximum(start, end)
    between = -((level - high) // every) - 1 - (low - level) // every  # strictly
    at_end = (end - level) % every == 0
    count = found["many_count"]
    wrong = (count != between) & ~(at_end & (count == between + 1))
    assert not wrong.any(), (clock, wrong.sum(), start[wrong][:5], speed[wrong][:5], level[wrong][:5], every[wrong][:5],
                             count[wrong][:5], between[wrong][:5])
    ahead = numpy.where(speed > 0, every - (start - level) % every, (start - level) % every)
    ahead = numpy.where(ahead == 0, every, ahead)
    error = numpy.abs(found["many_time"] - ahead / numpy.abs(speed))[between > 0].max()
    one = (low < 0) & (high > 0)
    either = (end == 0) & (start != 0)
    assert ((found["one_count"] == one) | either).all(), clock
    print(f"free, {clock}: {len(count)} runs, {int(count.sum())} crossings, first times within {error:.1e} s")
    assert error < 2e-14, error
    n_run += len(count)


def crossings(position, velocity, level, every, end, delta):
    """Crossings of x'' = -x in (0, end), the first of them, and whether rounding or the integrator may add some."""
    size, phase = numpy.maximum(numpy.hypot(position, velocity), 1e-300), numpy.arctan2(-velocity, position)
    count, doubtful = numpy.zeros(len(position)), numpy.zeros(len(position), bool)
    first = numpy.full(len(position), numpy.inf)
    lowest = numpy.floor((-size - level) / every)
    for i in range(int((2 * size / every).max()) + 3):
        at = level + (lowest + i) * every
        doubtful |= numpy.abs(numpy.abs(at) - size) < 2 * delta + 1e-12
        inside = numpy.abs(at) < size
        angle = numpy.arccos(numpy.clip(at / size, -1, 1))
        for sign in (1, -1):
            time = (sign * angle - phase) % (2 * numpy.pi)
            near = 2 * delta / numpy.maximum(size * numpy.abs(numpy.sin(angle)), 1e-300) + 1e-9
            of_start = (time < 1e-9) | (time > 2 * numpy.pi - 1e-9)
            time = numpy.where(time < 1e-9, time + 2 * numpy.pi, time)
            last = (end - time) % (2 * numpy.pi)
            doubtful |= inside & ((last < near) | (last > 2 * numpy.pi - near))
            doubtful |= inside & ~of_start & ((time < near) | (time > 2 * numpy.pi - near))
            count += numpy.where(inside & (time < end), numpy.floor((end - time) / (2 * numpy.pi)) + 1, 0)
            first = numpy.where(inside & (time < end), numpy.minimum(first, time), first)
    return count, first, doubtful


ways = [("{step: 0.02, end: 9.7}", "rk4", None), ("{step: 0.97, end: 9.7}", "dop853", None),
        ("{step: 1.94, end: 9.7}", "baker109", None), ("{tick: 9.7, end: 9.7}", "dopri54", 1e-3),
        ("{tick: 9.7, end: 9.7}", "tp86", 1e-3), ("{tick: 9.7, end: 9.7}", "dop853", 1e-4),
        ("{tick: 9.7, end: 9.7}", "verner98", 1e-4), ("{tick: 9.7, end: 9.7}", "baker109", 1e-4),
        ("{tick: 9.7, end: 9.7}", "baker109", 1e-2), ("{tick: 9.7, end: 9.7}", "tp86", 1e-8)]
sample = ("sample:\n  method: sobol\n  count: 8192\n  over:\n    - {set: initial.position.1, from: -1.5, to: 1.5}\n"
          "    - {set: initial.velocity.1, from: -1.5, to: 1.5}\n    - {set: events.it.crosses, from: -0.5, to: 0.5}\n"
          "    - {set: events.it.every, from: 0.05, to: 2}\n")
on_level = grid(("initial.position.1", [round(-1 + 0.1 * i, 1) for i in range(21)]),
                ("initial.velocity.1", [-1.2, -0.5, -1e-3, 0, 0.25, 0.9]),
                ("events.it.crosses", [0, 0.1]), ("events.it.every", [0.1, 0.2, 0.7]))
for clock, method, tolerance in ways:
    chosen = f"integrator: {{type: {method}" + (f", tolerance: {tolerance}" if tolerance else "") + "}\n"
    for name, runs in (("sample", sample), ("on levels", on_level)):
        found = run(HEAD % 1 + f"time: {clock}\n{chosen}"
                    "events: [{name: it, when: position.1, crosses: 0, every: 1}]\n" + runs)
        position, velocity = found["initial.position.1"], found["initial.velocity.1"]
        exact = position * numpy.cos(9.7) + velocity * numpy.sin(9.7)
        delta = 3 * numpy.abs(found["end_position"] - exact).max() + 1e-13
        count, first, doubtful = crossings(position, velocity, found["events.it.crosses"], found["events.it.every"], 9.7,
                                           delta)
        sure = ~doubtful
        wrong = sure & (found["it_count"] != count)
        print(f"{method}, {clock}, {tolerance}, {name}: {len(count)} runs, {int(count[sure].sum())} crossings, "
              f"{sure.mean():.3f} of the runs beyond doubt, error {delta:.1e}, {wrong.sum()} wrong")
        late = sure & (count > 0) & ~(numpy.abs(found["it_time"] - first) < 3 * numpy.sqrt(delta))
        assert not late.any(), (position[late][:5], velocity[late][:5], found["it_time"][late][:5], first[late][:5])
        assert not wrong.any(), (position[wrong][:5], velocity[wrong][:5], found["events.it.crosses"][wrong][:5],
                                 found["events.it.every"][wrong][:5], found["it_count"][wrong][:5], count[wrong][:5])
        n_run += len(count)
print(n_run, "runs")

# Three crossings of one level in one step, (t - 2)(t - 6)(t - 10), and a run that ends with the first of them.
CUBIC = """manylink: 1
system: {type: mass_spring_damper, mass: [1, 1], stiffness: [[0, -1], [0, 0]]}
initial: {position: [-120, -36], velocity: [92, 6]}
events: [{name: zero, when: position.1, crosses: 0, max: 9%s}]
"""
for clock in ("time: {step: 12, end: 12}\n", "time: {step: 6, end: 12}\n",
              "time: {tick: 12, end: 12}\nintegrator: {type: tp86, tolerance: 1e-9, first_step: 12}\n",
              "time: {tick: 12, end: 12}\nintegrator: {type: verner98, tolerance: 1e-9, first_step: 12}\n"):
    times = run(CUBIC % "" + clock)["zero_times"]
    assert len(times) == 9 and numpy.abs(times[:3] - [2, 6, 10]).max() < 1e-12 and numpy.isnan(times[3:]).all(), times
    first = run(CUBIC.replace("max: 9%s", "max: 1, stop: true") + clock)
    assert abs(first["zero_time"][0] - 2) < 1e-12 and first["end_time"][0] == first["zero_time"][0], first

# A rod turned by 10 degrees a step from a mark on: every mark but that one and the one at the end.
ROD = """manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rotor, length: 1, mass: 1}]}
initial: {rate: {rotor: 10deg}}
events:
"""
for clock in ("time: {step: 1, end: 720}\n", "time: {tick: 10, end: 720}\nintegrator: {type: tp86, tolerance: 1e-9}\n"):
    marks = "".join(f"  - {{name: m{i}, when: angle.rotor, crosses: 0, every: {i}deg}}\n" for i in (5, 10, 20, 30))
    found = run(ROD + marks + clock)
    counts = [int(found[f"m{i}_count"][0]) for i in (5, 10, 20, 30)]
    assert counts == [1439, 719, 359, 239], counts
assert n_run >= 100000

# A run that begins where another crossed a section, or had an extreme, is not counted there once more.
LORENZ = "manylink: 1\nsystem: {type: lorenz}\n%sevents: [{name: cross, when: y, crosses: 0, from: %s, max: 60, keep: [state]}, "
LORENZ += "{name: top, of: z, kind: either, from: %s, max: 60, keep: [state]}]\n"
FINE = "integrator: {type: tp86, tolerance: 1e-10}\n"
found = run(LORENZ % ("initial: {x: 1, y: 1, z: 20}\ntime: {tick: 1, end: 100}\n" + FINE, 20, 20))
points = [numpy.array([found[f"{event}_{q}"][:50] for q in "xyz"]).T for event in ("cross", "top")]
residual = numpy.abs(points[0][:, 1]).max()
print(f"kept crossings of y = 0 are within {residual:.1e} of it")
assert 1e-14 < residual < 1e-11
for clock in ("time: {tick: 1.5, end: 1.5}\n" + FINE, "time: {step: 1e-2, end: 1.5}\n"):
    values = [[float(number) for number in row] for row in numpy.vstack(points)]
    found = run(LORENZ % (clock, 0, 0) + f"sweep: [{{set: [initial.x, initial.y, initial.z], name: start, values: {values}}}]\n")
    assert numpy.nanmin(found["cross_time"][:50]) > 0.01 and numpy.nanmin(found["top_time"][50:]) > 0.01

# Of coarse steps slopes and values may tell of an extreme at different steps: which of them counts does not depend on
# the runs beside.
starts = [-10 + 1.25 * i for i in range(17)]
LORENZ = "manylink: 1\nsystem: {type: lorenz}\ninitial: {y: 1, z: 20}\nintegrator: {type: heun, summation: compensated}\n"
LORENZ += "time: {step: 0.025, end: 10}\nevents: [{name: low, of: x, kind: minimum}]\nsweep: [{set: initial.x, values: %s}]\n"
together = run(LORENZ % starts)
for i, x in enumerate(starts):
    alone = run(LORENZ % [x])
    for name in ("low_time", "low_count"):
        assert alone[name][0] == together[name][i], (name, x, alone[name][0], together[name][i])

# Nor does it depend on where samples are taken.
COARSE = "manylink: 1\nsystem: {type: lorenz}\ninitial: {y: 1, z: 20}\ntime: {step: %g, steps: 500}\nintegrator: {type: %s}\n"
COARSE += "events: [{name: x, of: x, kind: either, max: 40}, {name: y, of: y, kind: either, max: 40}]\n%s"
COARSE += "sweep: [{set: initial.x, values: %s}]\n"
for step, method in ((0.06, "heun"), (0.08, "rk4"), (0.1, "rk4")):
    free, saved, often = (run(COARSE % (step, method, save, starts)) for save in
                          ("", "save: {trajectory: {every: 5}}\n", "save: {trajectory: {every: 1}}\n"))
    for name in ("x_times", "y_times"):
        for other in (saved, often):
            assert numpy.array_equal(free[name], other[name], equal_nan=True), (step, method, name)

# Strobes from K periods on, K * period being computed in three ways; the last is at the end of the run.
for omega in (0.7, 1.0, 1.4, 1.5):
    period = 2 * numpy.pi / omega
    begins = [way(k) for k in range(40) for way in (lambda k: k * period, lambda k: k * 2 * numpy.pi / omega,
                                                    lambda k: k / omega * 2 * numpy.pi)]
    for clock in ("{steps: 2560, end: 40*2*pi/%r}\n" % omega,
                  "{tick: 40*2*pi/%r, end: 40*2*pi/%r}\n" % (omega, omega) + FINE):
        found = run(HEAD % 1 + "time: " + clock + f"events: [{{name: beat, period: 2*pi/{omega!r}, from: 0}}]\n"
                    + grid(("events.beat.from", [float(begin) for begin in begins])))
        assert (found["beat_count"] == numpy.repeat(41 - numpy.arange(40), 3)).all(), (omega, found["beat_count"])
        assert numpy.abs(found["beat_time"] - begins).max() < 1e-12

# Derivatives of crossing times of x0 cos t + v0 sin t from a start on a level and in long steps, and where the first
# one ends the run.
for clock in ("time: {step: 0.1, end: 6}\nintegrator: {type: dop853}\n",
              "time: {tick: 6, end: 6}\nintegrator: {type: verner98, tolerance: 1e-9}\n"):
    study = HEAD % 1 + clock + "initial: {position: 0.5, velocity: 0.8}\n"
    study += "analyse: {sensitivity: {of: end_state, to: [initial.position.1, initial.velocity.1]}}\n"
    found = run(study + "events: [{name: it, when: position.1, crosses: 0, every: 0.1, max: 64}]\n")
    size, phase = numpy.hypot(0.5, 0.8), numpy.arctan2(-0.8, 0.5)
    exact = [(sign * numpy.arccos(level / size) - phase) % (2 * numpy.pi) for sign in (1, -1)
             for level in 0.1 * numpy.arange(-9, 10)]
    exact = numpy.sort([time for time in exact if 1e-9 < time < 6])
    speed = 0.8 * numpy.cos(exact) - 0.5 * numpy.sin(exact)
    derivs = -numpy.array([numpy.cos(exact), numpy.sin(exact)]).T / speed[:, None]
    times = found["it_times"][:len(exact)]
    own = found["it_times_sensitivity"].reshape(64, 2)[:len(exact)]
    error = numpy.abs(times - exact).max(), numpy.abs((own - derivs) / (1 + numpy.abs(derivs))).max()
    print(f"{len(exact)} crossings, errors of times {error[0]:.1e}, of their derivatives {error[1]:.1e}")
    assert found["it_count"][0] == len(exact) and max(error) < 3e-10, error
    found = run(study + "events: [{name: it, when: position.1, crosses: 0, every: 0.1, max: 1, stop: true}]\n")
    assert found["it_count"][0] == 1 and found["end_time"][0] == found["it_time"][0] == times[0]

# Levels a hair's breadth apart: those that nobody asks for are counted, not walked.
found = run(HEAD % 1 + "time: {step: 1e-2, end: 0.5}\ninitial: {velocity: 1}\nevents:\n"
            "  - {name: hair, when: position.1, crosses: 0, every: 1e-12, max: 5}\n"
            "  - {name: rest, when: position.1, crosses: 0, every: 1e-12, from: 0.255, least: 0.1, max: 5}\n")
assert abs(found["hair_count"][0] - 1e12 * numpy.sin(0.5)) < 100, found["hair_count"]
assert numpy.abs(found["hair_times"][:5] - 1e-12 * numpy.arange(1, 6)).max() < 1e-20
assert numpy.abs(found["rest_times"][:3] - [0.255, 0.355, 0.455]).max() < 1e-11 and found["rest_count"][0] == 3
END
