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
