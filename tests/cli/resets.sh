# label: values
# Events that set the state: a ball on a table against the closed form, its derivatives and its end where it comes to
# rest; a kicked pendulum against its map; exponents of an impact oscillator against its own exact solution.
. "$SOURCE/tests/check.sh"
need_python

# A ball falls onto a table, with given steps and by tolerance.
cat >ball.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {g: 9.81, e: 0.8}
  state: {height: 1, rate: 0.3}
  rates: {height: rate, rate: -g}
integrator: rk4
time: {step: 0.01, end: 2.3}
sweep: [{set: system.e, from: 0.72, to: 1, count: 20}]
events:
  - {name: impact, when: height, crosses: 0, direction: down, set: {rate: -e*rate}, max: 9, keep: [rate]}
  - {name: floor, when: height, crosses: 0, direction: down, max: 9}
analyse: {sensitivity: {of: end_state, to: [initial.height, system.e, system.g]}}
save: {trajectory: {every: 10}}
END
sed 's/step:/tick:/; s/^integrator.*/integrator: {type: dopri54, tolerance: 1e-11}/' ball.yaml >tolerant.yaml
sed 's/step:/tick:/; s/^integrator.*/integrator: {type: rodas4, tolerance: 1e-9}/' ball.yaml >implicit.yaml
sed 's/^sweep.*/sweep: [{set: system.e, from: 0.3, to: 0.6, count: 8}]/; s/end: 2.3/end: 6/; /^analyse/d' ball.yaml >rest.yaml

# The run ends at an impact, before the state is set.
for study in ball tolerant; do
    sed '/^analyse/d; /name: floor/a\
  - {name: last, when: height, crosses: 0, direction: down, from: 1.2, stop: true}' $study.yaml >stopped_$study.yaml
done

# A table that is taken away.
sed '/^analyse/d; s/direction: down/& , and: t < 1.2/' ball.yaml >away.yaml

# A rod between two walls, without friction: each impact turns its rate around.
cat >rod.yaml <<'END'
manylink: 1
system: {type: chain, gravity: 0, segments: [{name: rod, length: 1, mass: 3}]}
initial: {angle: 0.1, rate: 2}
integrator: {type: rk4, summation: compensated}
time: {step: 0.01, end: 2}
events:
  - {name: upper, when: angle.rod, crosses: 0.5, direction: up, set: {rate.rod: -rate.rod}}
  - {name: lower, when: angle.rod + 0.4, direction: down, set: {rate.rod: -rate.rod}}
sweep: [{set: initial.rate.rod, from: 1.3, to: 2.9, count: 19}]
analyse: {sensitivity: {of: end_state, to: [initial.rate.rod]}}
END

# A pendulum that is kicked: the standard map, from the start on.
cat >kicked.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {k: 1.2}
  state: {theta: 0.5, p: 0.2}
  rates: {theta: p, p: 0}
time: {step: 0.032, end: 40}
sweep: [{set: system.k, from: 0.2, to: 6, count: 30}]
events: [{name: kick, period: 1, set: {p: p + k*sin(theta)}, max: 3}]
analyse: {lyapunov: {exponents: all}}
END

# x'' + 2 d x' + x = cos(w t) beside a stop (S. W. Shaw, P. J. Holmes, J. Sound Vib. 90 (1983) 129-155).
cat >oscillator.yaml <<'END'
manylink: 1
system:
  type: equations
  parameters: {d: 0.05, w: 2.8, stop: 0, r: 0.8}
  state: {x: -0.2, v: 0.1}
  rates: {x: v, v: cos(w*t) - 2*d*v - x}
integrator: {type: dop853, tolerance: 1e-11}
time: {tick: 0.5, end: 100}
sweep: [{set: system.w, values: [2.5, 2.55, 2.63, 2.7, 3.01]}]
events: [{name: impact, when: x - stop, direction: up, set: {v: -r*v}, max: 900}]
analyse: {lyapunov: {exponents: all}}
END
for study in ball tolerant implicit stopped_ball stopped_tolerant away rod kicked oscillator; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy
done
expect 3 "$MANYLINK" run rest.yaml --no-accuracy
says out "8 zeno"

# Impacts take energy: a smaller step is not asked for.
cat >energies.yaml <<'END'
manylink: 1
system: {type: equations, coordinates: {y: 1}, kinetic: y'^2/2, potential: 9.81*y}
time: {step: 1e-2, end: 1.2}
events: [{name: impact, when: y, crosses: 0, direction: down, set: {y_rate: -0.5*y_rate}}]
END
expect 0 "$MANYLINK" run energies.yaml --no-accuracy
! grep "energy" err || fail "energy of impacts"

# The bits do not depend on kernel, threads and shards.
for study in ball tolerant kicked; do
    expect 0 "$MANYLINK" run $study.yaml --no-accuracy --kernel general --threads 1 -o other.h5
    same $study.h5 other.h5
    rm other.h5
    for shard in 0 1; do
        expect 0 "$MANYLINK" run $study.yaml --no-accuracy --shard $shard/2
    done
    expect 0 "$MANYLINK" merge $study.shard-* -o merged.h5
    same $study.h5 merged.h5
    rm merged.h5 $study.shard-*
done

"$PYTHON" - <<'END' || fail "events that set the state"
import decimal
import math

import h5py
import numpy as np

decimal.getcontext().prec = 50
D = decimal.Decimal


def ball(h, v, g, e, end):
    """State at the end, and times of the impacts."""
    t, times = D(0), []
    while True:
        flight = (v + (v * v + 2 * g * h).sqrt()) / g
        if t + flight > end:
            s = end - t
            return (h + v * s - g * s * s / 2, v - g * s), times
        t, h, v = t + flight, D(0), e * (g * flight - v)
        times.append(t)


def ball_derivs(e):
    """Of the end state by height, e and g."""
    at, small, columns = [D(1), D("0.3"), D("9.81"), e], D("1e-20"), []
    for i in 0, 3, 2:
        above, below = list(at), list(at)
        above[i] += small
        below[i] -= small
        a, b = ball(*above, D("2.3"))[0], ball(*below, D("2.3"))[0]
        columns.append([float((x - y) / (2 * small)) for x, y in zip(a, b)])
    return np.array(columns).T


for name in "stopped_ball", "stopped_tolerant":
    with h5py.File(name + ".h5") as f:
        own = f["study/summary"]
        for run, e in enumerate(f["study/runs/system.e"][...]):
            times = ball(D(1), D("0.3"), D("9.81"), D(float(e)), D("2.3"))[1]
            before = [t for t in times if t < D("1.2")]
            last = times[len(before)]
            assert own["impact_count"][run] == len(before) and own["last_count"][run] == 1, (name, e)
            assert abs(f["study/runs/end_time"][run] - float(last)) < 1e-13, (name, e)
            assert abs(own["end_height"][run]) < 1e-13 and own["end_rate"][run] < 0, (name, e)

for name in "ball", "tolerant", "implicit":
    with h5py.File(name + ".h5") as f:
        own, worst = f["study/summary"], np.zeros(3)
        for run, e in enumerate(f["study/runs/system.e"][...]):
            state, times = ball(D(1), D("0.3"), D("9.81"), D(float(e)), D("2.3"))
            assert own["impact_count"][run] == len(times), (name, e, own["impact_count"][run], len(times))
            kept = own["impact_times"][run][: len(times)]
            beside = np.abs(own["floor_times"][run] - own["impact_times"][run])[: len(times)]
            assert own["floor_count"][run] == len(times) and (beside < 1e-14).all(), (name, e, beside)
            found = [own["end_height"][run], own["end_rate"][run]]
            derivs = ball_derivs(D(float(e)))
            worst = np.maximum(worst, [np.abs(kept - [float(t) for t in times][: len(kept)]).max(),
                                       np.abs(np.subtract(found, [float(x) for x in state])).max(),
                                       np.abs(own["sensitivity"][run] - derivs).max() / np.abs(derivs).max()])
        print(name, worst)
        assert (worst < [2e-14, 2e-13, 1e-12]).all(), (name, worst)

with h5py.File("rest.h5") as f:
    outcome, end = f["study/runs/outcome"][...], f["study/runs/end_time"][...]
    e = f["study/runs/system.e"][...]
    first = (0.3 + math.sqrt(0.09 + 2 * 9.81)) / 9.81
    rest = first + 2 * e / (1 - e) * math.sqrt(0.09 + 2 * 9.81) / 9.81
    assert (outcome == 8).all() and (np.abs(end - rest) < 1e-12).all(), (outcome, end - rest)

with h5py.File("away.h5") as f:
    own = f["study/summary"]
    for run, e in enumerate(f["study/runs/system.e"][...]):
        times = [t for t in ball(D(1), D("0.3"), D("9.81"), D(float(e)), D("2.3"))[1] if t < D("1.2")]
        rate, since = ball(D(1), D("0.3"), D("9.81"), D(float(e)), times[-1] + D("1e-30"))[0][1], D("2.3") - times[-1]
        assert own["impact_count"][run] == len(times)
        assert abs(own["end_height"][run] - float(rate * since - D("9.81") * since**2 / 2)) < 1e-13, e

with h5py.File("rod.h5") as f:
    own = f["study/summary"]
    for run, rate in enumerate(f["study/runs/initial.rate.rod"][...]):
        way = 0.1 + 2 * rate + 0.4  # from the lower wall, as if there were no walls
        turns, rest = divmod(way, 0.9)
        sign = 1 if turns % 2 == 0 else -1
        angle = -0.4 + (rest if sign > 0 else 0.9 - rest)
        found = [own["end_angle"][run, 0], own["end_rate"][run, 0], *own["sensitivity"][run].ravel()]
        errors = np.abs(np.subtract(found, [angle, sign * rate, sign * 2, sign]))
        assert errors.max() < 5e-12, (rate, errors)

with h5py.File("kicked.h5") as f:
    own = f["study/summary"]
    for run, k in enumerate(f["study/runs/system.k"][...]):
        theta, p = 0.5, 0.2
        for i in range(40):
            p += k * math.sin(theta)
            theta += p
        p += k * math.sin(theta)
        assert own["kick_count"][run] == 41 and abs(own["lyapunov_sum"][run]) < 1e-10, own["lyapunov_sum"][run]
        # The map is chaotic for larger k, where rounding grows.
        error = max(abs(own["end_theta"][run] - theta), abs(own["end_p"][run] - p))
        assert k > 0.5 or error < 5e-12, (k, error)



class Oscillator:
    """Its motion between impacts in closed form, and the tangent vectors' along."""

    def __init__(self, w, d=0.05, r=0.8):
        self.w, self.d, self.r, self.free = w, d, r, math.sqrt(1 - d * d)
        size = 1 / ((1 - w * w) ** 2 + (2 * d * w) ** 2)
        self.c, self.s = (1 - w * w) * size, 2 * d * w * size

    def forced(self, t):
        cos, sin = math.cos(self.w * t), math.sin(self.w * t)
        return np.array([self.c * cos + self.s * sin, self.w * (self.s * cos - self.c * sin)])

    def matrix(self, s):
        cos, sin, d, free = math.cos(self.free * s), math.sin(self.free * s), self.d, self.free
        return math.exp(-d * s) * np.array([[cos + d / free * sin, sin / free],
                                            [-(free + d * d / free) * sin, cos - d / free * sin]])

    def go(self, t, x, s):
        return self.matrix(s) @ (x - self.forced(t)) + self.forced(t + s)

    def impact(self, t, x, end):
        """Seconds until x passes 0 upwards."""
        s, h = 0.0, 0.004
        while t + s < end:
            if self.go(t, x, s + h)[0] > 0:
                low, high = max(s, 1e-12), s + h
                for _ in range(60):
                    middle = (low + high) / 2
                    low, high = (low, middle) if self.go(t, x, middle)[0] > 0 else (middle, high)
                return high
            s += h
        return None

    def run(self, end):
        t, x, y, logs, times = 0.0, np.array([-0.2, 0.1]), np.eye(2), np.zeros(2), []
        while (s := self.impact(t, x, end)) and t + s < end:
            x, y, t = self.go(t, x, s), self.matrix(s) @ y, t + s
            before = math.cos(self.w * t) - 2 * self.d * x[1] - x[0]
            behind = math.cos(self.w * t) + 2 * self.d * self.r * x[1] - x[0]
            y, r = np.linalg.qr(np.array([[-self.r, 0], [(behind + self.r * before) / x[1], -self.r]]) @ y)
            logs += np.log(np.abs(np.diag(r)))
            x = np.array([0, -self.r * x[1]])
            times.append(t)
        logs += np.log(np.abs(np.diag(np.linalg.qr(self.matrix(end - t) @ y)[1])))
        return times, logs / end


with h5py.File("oscillator.h5") as f:
    own = f["study/summary"]
    for run, w in enumerate(f["study/runs/system.w"][...]):
        times, exponents = Oscillator(float(w)).run(100)
        n = int(own["impact_count"][run])
        errors = (np.abs(own["impact_times"][run][: len(times)] - times).max(),
                  abs(own["lyapunov_sum"][run] - (-0.1 + 2 * math.log(0.8) * n / 100)),
                  np.abs(own["lyapunov_spectrum"][run] - exponents).max())
        assert (np.array(errors) < [5e-11, 1e-13, 5e-11]).all(), (w, errors)
END
