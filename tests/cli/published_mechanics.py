"""Mechanisms that studies give as formulas against published conditions and closed forms.

usage: published_mechanics.py MANYLINK
"""

from math import pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from published_run import evaluate, near, run, sweep

EXACT = {"integrator": {"type": "dop853", "tolerance": 1e-12}}
STEPS = {"integrator": "dop853"}  # given ones, where tangent vectors move and the state does not


def multiplier(half, product):
    """ln of the larger modulus of two multipliers, of half their sum and their product."""
    root = np.sqrt(half**2 - product + 0j)
    return np.log(np.maximum(np.abs(half + root), np.abs(half - root)))


def ball_on_table():
    """Bounces of a ball on a table that moves as A sin(w t) (P. J. Holmes, J. Sound Vib. 84 (1982) 173; J. Guckenheimer,
    P. Holmes, Nonlinear Oscillations (1983), section 2.4), here with the table's height. With G = A w^2/g an orbit with an impact
    in each period begins at G = pi (1 - e)/(1 + e) =: G0, where cos(phase) G = G0. Its multipliers have the product e^2 and the
    sum 1 + e^2 - (1 + e)^2 sqrt(G^2 - G0^2): it doubles at G^2 = G0^2 + (2 (1 + e^2)/(1 + e)^2)^2."""
    e, g, w = 0.5, 9.81, 2 * pi
    born = pi * (1 - e) / (1 + e)
    doubled = sqrt(born**2 + (2 * (1 + e**2) / (1 + e) ** 2) ** 2)
    strengths = np.concatenate([[0.98 * born], np.linspace(1.02, 1.1, 8) * born, [0.98 * doubled, 0.99 * doubled, 1.002 * doubled]])
    phase = np.arccos(np.minimum(born / strengths, 1))
    found = run("ball", {
        "system": {"type": "equations", "parameters": {"g": g, "e": e, "w": w, "G": 1.2, "phase": 0},
                   "state": {"height": 0, "rate": 0}, "rates": {"height": "rate", "rate": "-g"}},
        "quantities": {"table": "G*g/w^2*sin(w*t + phase)", "table_rate": "G*g/w*cos(w*t + phase)"},
        **EXACT,
        "time": {"end": 399.5, "tick": 0.05},
        "sweep": [{"name": "start", "set": ["system.G", "system.phase", "initial.height", "initial.rate"],
                   "values": np.transpose([strengths, phase, strengths * g / w**2 * np.sin(phase),
                                           0 * phase + pi * g / w + 1e-3]).tolist()}],
        "events": [{"name": "impact", "when": "height - table", "crosses": 0, "direction": "down",
                    "set": {"rate": "table_rate - e*(rate - table_rate)"}, "max": 1000, "keep": ["rate"]}],
        "analyse": {"lyapunov": {"exponents": "all", "transient": 200}},
    }, code=3)  # the first comes to rest on the table
    steady = (strengths > born) & (strengths < doubled)
    regular = np.array([np.ptp(row[300:399] - np.arange(300, 399)) < 0.01 for row in found["impact_times"]])
    assert (regular == steady).all() and (found["outcome"] == 8 * (strengths < born)).all(), regular
    near("ball: phase", found["impact_times"][steady, 398], 399, 5e-13)
    near("ball: rate before impact", found["impact_rate"][steady, 398], -pi * g / w, 3e-12)
    half = (1 + e**2 - (1 + e) ** 2 * np.sqrt(np.abs(strengths**2 - born**2))) / 2
    near("ball: exponents", found["lyapunov_spectrum"][steady, 0], multiplier(half, e**2)[steady], 0.01)

    # Without the table's height: doubled at gamma = 2 sqrt(pi^2 (1 - a)^2 + (1 + a)^2), Holmes (1982).
    a = 0.5
    born, doubled = 2 * pi * (1 - a), 2 * sqrt(pi**2 * (1 - a) ** 2 + (1 + a) ** 2)
    strengths = np.append(np.linspace(1.001 * born, 0.999 * doubled, 12), 1.001 * doubled)
    phi = 2 * pi - np.arccos(-born / strengths)
    found = run("holmes", {
        "system": {"type": "equations", "kind": "map", "parameters": {"a": a, "gamma": 4}, "state": {"phi": 0, "v": 2 * pi + 1e-4},
                   "next": {"phi": "mod(phi + v, 2*pi)", "v": "a*v - gamma*cos(phi + v)"}},
        "time": {"steps": 8000},
        "sweep": [{"name": "start", "set": ["system.gamma", "initial.phi"], "values": np.transpose([strengths, phi]).tolist()}],
        "analyse": {"lyapunov": {"exponents": "all", "transient": 4000}},
    })
    sine = np.sqrt(strengths**2 - born**2)
    near("holmes: fixed point", found["end_v"][:-1], 2 * pi, 6e-13)
    near("holmes: exponents", found["lyapunov_spectrum"][:-1, 0], multiplier((1 + a - sine) / 2, a)[:-1], 2e-3)
    assert abs(found["end_v"][-1] - 2 * pi) > 0.01


def bead_on_hoop():
    """A bead on a hoop of radius R that is turned with omega about its vertical diameter (H. Goldstein, Classical Mechanics;
    S. H. Strogatz, Nonlinear Dynamics and Chaos, section 3.5): beyond omega^2 = g/R it leaves the bottom for cos(a) = g/(omega^2 R),
    about which it swings with omega sin(a); below it swings with sqrt(g/R - omega^2)."""
    g, R, d = 9.81, 0.5, 0.2
    omega = sqrt(g / R) * np.linspace(0.5, 2, 15)
    system = {
        "type": "equations",
        "parameters": {"m": 0.3, "g": g, "R": R, "omega": 1, "d": d},
        "coordinates": {"a": 0.1},
        "kinetic": "m/2*R^2*(a'^2 + omega^2*sin(a)^2)",
        "potential": "-m*g*R*cos(a)",
        "dissipation": "d*m*R^2*a'^2",
    }
    found = run("hoop", {"system": system, **EXACT, "time": {"end": 250}, "sweep": [sweep("system.omega", omega)]})
    rest = np.arccos(np.minimum(g / (omega**2 * R), 1))
    near("hoop: rest", found["end_a"], rest, 6e-13)
    # The exponents of the rest: of a'' + 2 d a' + k a = 0.
    k = np.where(rest > 0, omega**2 * np.sin(rest) ** 2, g / R - omega**2)
    found = run("hoop_rest", {
        "system": system, **STEPS, "time": {"step": 0.02, "end": 400}, "analyse": {"lyapunov": {"exponents": "all"}},
        "sweep": [{"name": "rest", "set": ["system.omega", "initial.a"], "values": np.transpose([omega, rest]).tolist()}],
    })
    near("hoop: exponents", found["lyapunov_spectrum"][:, 0], np.real(-d + np.sqrt(d**2 - k + 0j)), 0.01)
    # Without damping: the time between passages of the rest upwards.
    swing = run("hoop_swing", {
        "system": {**system, "parameters": {**system["parameters"], "d": 0, "rest": 0}}, **EXACT, "time": {"end": 60},
        "sweep": [{"name": "start", "set": ["system.omega", "initial.a", "system.rest"],
                   "values": np.transpose([omega, rest + 1e-4, rest]).tolist()}],
        "events": [{"name": "pass", "when": "a - rest", "direction": "up", "max": 3}],
    })
    period = swing["pass_times"][:, 2] - swing["pass_times"][:, 1]
    near("hoop: swing", period * np.sqrt(k) / (2 * pi), 1, 5e-7)


def spring_pendulum():
    """A bob on a spring that hangs with the length l: where the spring is twice as fast as the pendulum, a vertical
    motion with the amplitude A grows into a swing by exp(3/4 A/l sqrt(g/l) t) (A. Vitt, G. Gorelik, Zh. Tekh. Fiz. 3 (1933) 294;
    P. Lynch, Int. J. Non-Linear Mech. 37 (2002) 345). Large motions against Newton's law in the plane by scipy."""
    g, m, l = 9.81, 0.8, 1.0
    system = {
        "type": "equations",
        "parameters": {"m": m, "g": g, "k": 4 * m * g / l, "rest": 0.75 * l},
        "coordinates": {"r": l, "a": 0},
        "kinetic": "m/2*(r'^2 + r^2*a'^2)",
        "potential": "k/2*(r - rest)^2 - m*g*r*cos(a)",
    }
    amplitudes = np.array([0.01, 0.02, 0.03])
    found = run("spring", {
        "system": system, **EXACT, "time": {"end": 3000}, "analyse": {"lyapunov": {"exponents": 1, "transient": 1000}},
        "sweep": [sweep("initial.r", l + amplitudes)],
    })
    known = 0.75 * amplitudes / l * sqrt(g / l)
    near("spring: resonance", found["lyapunov_max"] / known, 1, 5e-3)

    starts = [0.3, 1.2, 2.5]
    found = run("swing", {"system": system, **EXACT, "time": {"end": 10}, "sweep": [sweep("initial.a", starts)]})

    def newton(_, s):
        pull = 4 * g / l * (np.hypot(s[0], s[1]) - 0.75 * l) / np.hypot(s[0], s[1])
        return [s[2], s[3], -pull * s[0], -pull * s[1] - g]

    for i, start in enumerate(starts):
        x, y, *_ = solve_ivp(newton, (0, 10), [l * np.sin(start), -l * np.cos(start), 0, 0], "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        r, a = found["end_r"][i], found["end_a"][i]
        near("spring: place", [r * np.sin(a), -r * np.cos(a)], [x, y], 8e-10)


def pendulum_on_cart():
    """A bob of mass m, hung by a rod of length l from a cart of mass M (L. D. Landau, E. M. Lifshitz, Mechanics, section 5, problem 2):
    small swings have the frequency sqrt(g/l (M + m)/M), and that is the rate of growth of a rod that stands."""
    g, M, m, l = 9.81, 2.0, 0.7, 0.6
    known = sqrt(g / l * (M + m) / M)
    found = run("cart", {
        "system": {"type": "equations", "parameters": {"g": g, "M": M, "m": m, "l": l}, "coordinates": {"x": 0, "a": 0.001},
                   "define": {"px": "x + l*sin(a)", "py": "-l*cos(a)"},
                   "kinetic": "M/2*x'^2 + m/2*(px'^2 + py'^2)", "potential": "m*g*py"},
        **STEPS, "time": {"step": 0.005, "end": 6}, "sweep": [sweep("initial.a", [1e-3, 0, pi])],
        "events": [{"name": "pass", "when": "a", "crosses": 0, "direction": "up", "max": 4}],
        "analyse": {"lyapunov": {"exponents": "all", "transient": 2}},
    })
    passes = found["pass_times"][0]
    near("cart: frequency", 2 * pi / (passes[3] - passes[2]), known, 7e-6)
    near("cart: standing", found["lyapunov_spectrum"][2][[0, 3]], [known, -known], 1e-8)
    near("cart: sum of exponents", found["lyapunov_sum"], 0, 5e-9)


def reaching_arm():
    """The equations of a two-link arm in a horizontal plane by joint angles (J. M. Hollerbach, T. Flash, Biol. Cybern. 44 (1982)
    67), with both torques, against the same two segments of the system `chain`."""
    segments = [{"name": "upper", "mass": 1.93, "length": 0.31, "com": 0.165, "inertia": 0.0141},
                {"name": "fore", "mass": 1.52, "length": 0.34, "com": 0.19, "inertia": 0.0188}]
    torques = {"shoulder": [1.5, 0.9], "elbow": [-1.1, 1.3]}  # N m, Hz
    over = [[-1.2, 0.4, 2.2], [0.3, 1.4, 2.6], [-3, 2], [-4, 5]]
    time = {**STEPS, "time": {"step": 2e-3, "end": 1}}
    arm = run("arm", {
        "system": {
            "type": "equations",
            "parameters": {"m1": 1.93, "m2": 1.52, "l1": 0.31, "c1": 0.165, "c2": 0.19, "I1": 0.0141, "I2": 0.0188},
            "coordinates": {"shoulder": {"value": 0, "unit": "rad"}, "elbow": {"value": 0, "unit": "rad"}},
            "define": {"h": "m2*l1*c2*sin(elbow)", "b": "I2 + m2*(c2^2 + l1*c2*cos(elbow))"},
            "mass": [["I1 + I2 + m1*c1^2 + m2*(l1^2 + c2^2 + 2*l1*c2*cos(elbow))"], ["b", "I2 + m2*c2^2"]],
            "C": ["h*(elbow'^2 + 2*shoulder'*elbow')", "-h*shoulder'^2"],
            "Q": [f"{a}*sin(2*pi*{f}*t)" for a, f in torques.values()],
        },
        **time,
        "sweep": [sweep("initial." + key, values) for key, values in zip(["shoulder", "elbow", "shoulder_rate", "elbow_rate"], over)],
    })
    starts = np.stack(np.meshgrid(*over, indexing="ij"), -1).reshape(-1, 4)
    starts[:, 1] += starts[:, 0]
    starts[:, 3] += starts[:, 2]
    keys = ["initial.angle.upper", "initial.angle.fore", "initial.rate.upper", "initial.rate.fore"]
    chain = run("chain", {
        "system": {"type": "chain", "gravity": 0, "segments": segments},
        "forces": [{"name": j, "type": "torque", "joint": s["name"], "value": {"type": "sine", "amplitude": a, "frequency": f}}
                   for s, (j, (a, f)) in zip(segments, torques.items())],
        **time,
        "sweep": [{"name": "start", "set": keys, "values": starts.tolist()}],
    })
    shoulder, elbow = arm["end_shoulder"].ravel(), arm["end_elbow"].ravel()
    near("arm: shoulder", shoulder, chain["end_angle"][:, 0], 2e-13)
    near("arm: elbow", elbow + shoulder, chain["end_angle"][:, 1], 2e-13)


def hinged_bars():
    """Two equal uniform bars, hinged end to end (A. Ruina, R. Pratap, Introduction to Mechanics for Engineers, chapter 19): from
    energies and as matrices. Let go at rest with the upper one hanging and the lower one level, the accelerations are 0 and
    -3/2 g/l."""
    g, l = 9.81, 0.8
    head = {"type": "equations", "parameters": {"m": 1.4, "l": l, "g": g}, "coordinates": {"a": 0, "b": pi / 2}}
    systems = {
        "energies": {
            **head,
            "define": {"x": "l*sin(a) + l/2*sin(b)", "y": "-l*cos(a) - l/2*cos(b)"},
            "kinetic": "m/6*l^2*a'^2 + m/2*(x'^2 + y'^2) + m*l^2/24*b'^2",
            "potential": "m*g*(y - l/2*cos(a))",
        },
        "matrices": {
            **head,
            "mass": [["4/3*m*l^2"], ["m*l^2/2*cos(a - b)", "m*l^2/3"]],
            "C": ["-m*l^2/2*sin(a - b)*b'^2", "m*l^2/2*sin(a - b)*a'^2"],
            "G": ["-3/2*m*g*l*sin(a)", "-m/2*g*l*sin(b)"],
        },
    }
    ends = []
    for name, system in systems.items():
        found = run(name, {"system": system, **STEPS, "time": {"step": 2e-3, "end": 1.5}, "sweep": [sweep("initial.b", [pi / 2, 1, -2])]})
        ends.append([found["end_" + key] for key in ["a", "b", "a_rate", "b_rate"]])
        near("bars: accelerations", evaluate(name)["qdd"], [0, -1.5 * g / l], 3e-14)
    near("bars: both forms", ends[0], ends[1], 5e-14)


for test in [ball_on_table, bead_on_hoop, spring_pendulum, pendulum_on_cart, reaching_arm, hinged_bars]:
    test()
