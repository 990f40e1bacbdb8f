#!/usr/bin/env python3
"""Writes crossings.json: events of 20 orbits of a double pendulum of uniform rods by Taylor series in 40 digits.

    tests/reference/crossings.py >tests/reference/crossings.json     (about a minute)

Shares nothing with the engine: the equations are those of Lagrange for two rods, solved for the accelerations
coefficient by coefficient, and each event is a root of the polynomial of its step.
"""

import json
import sys
from decimal import Decimal, getcontext
from operator import mul

getcontext().prec = 40
ORDER = 36
SMALL = Decimal("1e-28")  # what the last two terms of a step may be
PARTS = 24  # of each step, searched for changes of sign
END, GRAVITY = Decimal(18), Decimal("9.81")
UPPER = [0.1, 0.1 + (0.8 - 0.1) / 3, 0.1 + 2 * (0.8 - 0.1) / 3, 0.8]
LOWER = [-0.6, -0.6 + 1.3 / 4, -0.6 + 2 * 1.3 / 4, -0.6 + 3 * 1.3 / 4, 0.7]
EVENTS = {"cross": (1, 1), "turn": (2, 0), "peak": (3, -1)}  # row of the state that is 0, direction


def sine(x):
    """sin x by its series."""
    term = total = x
    k = 1
    while abs(term) > Decimal("1e-45"):
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    return total


def cosine(x):
    term = total = Decimal(1)
    k = 0
    while abs(term) > Decimal("1e-45"):
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    return total


def product(a, b, k):
    """Coefficient k of the product of two series."""
    return sum(map(mul, a[:k + 1], b[k::-1]))


class SineCosine:
    """The series of sin and cos of one whose derivative is known."""

    def __init__(self, x):
        self.s, self.c, self.weighted = [sine(x)], [cosine(x)], []

    def append(self, k, x_k):
        self.weighted.append(k * x_k)  # j x_j, j = 1 .. k
        self.s.append(sum(map(mul, self.weighted, self.c[k - 1::-1])) / k)
        self.c.append(-sum(map(mul, self.weighted, self.s[k - 1::-1])) / k)


def taylor(state):
    """Series of upper and lower angle and of their rates, from a state on."""
    third, half = Decimal(1) / 3, Decimal(1) / 2
    angle, rate = [[state[0]], [state[1]]], [[state[2]], [state[3]]]
    trig = [SineCosine(state[0]), SineCosine(state[1]), SineCosine(state[0] - state[1])]
    square, force, coupling = [[], []], [[], []], []
    acceleration, determinant = [[], []], []
    for k in range(ORDER):
        sines, cosines = trig[2].s, trig[2].c
        for i in range(2):
            square[i].append(product(rate[i], rate[i], k))
        coupling.append(half * cosines[k])
        force[0].append(-half * product(sines, square[1], k) - 3 * half * GRAVITY * trig[0].s[k])
        force[1].append(half * product(sines, square[0], k) - half * GRAVITY * trig[1].s[k])
        determinant.append((4 * third * third if k == 0 else 0) - product(coupling, coupling, k))
        solved = (third * force[0][k] - product(coupling, force[1], k),
                  4 * third * force[1][k] - product(coupling, force[0], k))
        for i in range(2):
            known = sum(map(mul, determinant[1:], acceleration[i][::-1]))
            acceleration[i].append((solved[i] - known) / determinant[0])
        for i in range(2):
            angle[i].append(rate[i][k] / (k + 1))
            rate[i].append(acceleration[i][k] / (k + 1))
            trig[i].append(k + 1, angle[i][k + 1])
        trig[2].append(k + 1, angle[0][k + 1] - angle[1][k + 1])
    return angle + rate


def value(series, t):
    total = Decimal(0)
    for coefficient in reversed(series):
        total = total * t + coefficient
    return total


def root(series, low, high):
    """Where the series is 0 between two times of different sign: bisection, then Newton's method."""
    slope = [k * c for k, c in enumerate(series)][1:]
    at_low = value(series, low)
    for _ in range(20):
        middle = (low + high) / 2
        if (value(series, middle) > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    t = (low + high) / 2
    for _ in range(3):
        t -= value(series, t) / value(slope, t)
    assert low <= t <= high
    return t


def step_length(series, left):
    length = left
    for k in (ORDER - 1, ORDER):
        largest = max(abs(row[k]) for row in series)
        length = min(length, (SMALL / largest) ** (Decimal(1) / k))
    return length


def energy(state):
    upper, lower = cosine(state[0]), cosine(state[1])
    kinetic = (state[2] ** 2 * 2 / 3 + state[3] ** 2 / 6 + cosine(state[0] - state[1]) * state[2] * state[3] / 2)
    return kinetic - GRAVITY * (Decimal("1.5") * upper + lower / 2)


def orbit(upper, lower):
    """Times of each event, and the states at crossings; none at the start."""
    state, time = [Decimal(upper), Decimal(lower), Decimal(0), Decimal(0)], Decimal(0)
    start = energy(state)
    found = {name: [] for name in EVENTS}
    states = []
    while time < END:
        series = taylor(state)
        length = step_length(series, END - time)
        times = [length * i / PARTS for i in range(PARTS + 1)]
        for name, (row, direction) in EVENTS.items():
            values = [value(series[row], t) for t in times]
            for i in range(PARTS):
                sign = (values[i + 1] > 0) - (values[i] > 0)
                if sign == 0 or direction not in (0, sign) or (time == 0 and i == 0):
                    continue
                t = root(series[row], times[i], times[i + 1])
                found[name].append(time + t)
                if name == "cross":
                    states.append([value(s, t) for s in series])
        state, time = [value(s, length) for s in series], time + length
    drift = abs(energy(state) - start)
    assert drift < Decimal("1e-25"), drift
    print(f"{upper:.3f} {lower:.3f}: {[len(times) for times in found.values()]}, energy {drift:.0e}", file=sys.stderr)
    return {"upper": upper, "lower": lower} | {name: [float(t) for t in times] for name, times in found.items()} | {
        "cross_state": [[float(x) for x in state] for state in states]}


def main():
    rows = [orbit(upper, lower) for upper in UPPER for lower in LOWER]
    head = {"kind": "events of double pendulums", "end": 18,
            "system": "two uniform rods of 1 kg and 1 m, gravity 9.81 m/s^2, released at rest at the angles upper and "
                      "lower from the downward vertical, rad",
            "events": "times, s: cross: the lower angle passes 0 upwards; turn: the upper rate passes 0; peak: the "
                      "lower angle is largest. cross_state: angles and rates, upper and lower, at each cross. None "
                      "at the start.",
            "method": "Taylor series of order 36 in 40 digits, tests/reference/crossings.py"}
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    print(json.dumps(head)[:-1] + ', "rows": [\n' + lines + "\n]}")


if __name__ == "__main__":
    main()
