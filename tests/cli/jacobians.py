"""Derivatives of the rates of five systems by their state and parameters, against those that sympy derives."""

import manylink
import numpy as np
import sympy

FLOWS = {
    "roessler_thomas": ({"a": 0.2, "b": 0.3, "c": 5.7}, {"x": 1.1, "y": -0.4, "z": 0.7},
                        {"x": "-y - z + sin(b*y)", "y": "x + a*y", "z": "b + z*(x - c)"}),
    "functions": ({"a": 1.3, "k": 0.6, "n": 2.5}, {"x": 0.8, "y": 0.45, "z": 1.7},
                  {"x": "exp(-a*x)*atan2(y, z) + hypot(x, k*z) - tan(y)*k", "y": "log(z + a)*tanh(x) - erf(k*y)*cosh(y)",
                   "z": "z^n/(1 + z^n) - x^-2*sqrt(y + k) + cbrt(z)*acos(y) + min(x, a)*abs(y - z)"}),
}  # fmt: skip
MECHANISMS = {
    "spring_pendulum": ({"m": 1.3, "k": 40, "L": 0.8, "g": 9.81}, {"r": 0.9, "a": 0.7}, {"r": 0.3, "a": -1.1},
                        "m/2*(r'^2 + r^2*a'^2)", "k/2*(r - L)^2 - m*g*r*cos(a)", "0.1*k*r'^2"),
    "pendulum_on_cart": ({"M": 2, "m": 0.7, "l": 0.9, "k": 5, "g": 9.81}, {"s": 0.2, "a": 1.1}, {"s": -0.4, "a": 2.3},
                         "M/2*s'^2 + m/2*((s' + l*cos(a)*a')^2 + (l*sin(a)*a')^2)", "k/2*s^2 - m*g*l*cos(a)", "0"),
    "three_masses": ({"m": 1.1, "k": 3}, {"x": 0.4, "y": -0.8, "z": 1.2}, {"x": 0.7, "y": 0.5, "z": -0.9},
                     "m/2*(x'^2 + y'^2*exp(x) + z'^2*(2 + sin(x*y))) + x'*z'/10",
                     "k/2*(x^2 + (y - x)^2 + (z - y)^2) + x^4/4", "m/3*(x' - y')^2"),
}  # fmt: skip
FUNCTIONS = {"atan2": sympy.atan2, "hypot": lambda a, b: sympy.sqrt(a**2 + b**2), "cbrt": lambda a: a ** sympy.Rational(1, 3),
             "min": sympy.Min, "abs": sympy.Abs, "erf": sympy.erf}  # fmt: skip


def expression(text, symbols):
    return sympy.sympify(text.replace("'", "_rate").replace("^", "**"), locals={**FUNCTIONS, **symbols})


def check(name, system, state, rates, symbols):
    """The rates and their derivatives by all symbols, at numbers that are rounded once: 40 digits of sympy."""
    params = system["parameters"]
    found = manylink.evaluate({"manylink": 1, "system": system, "initial": state, "time": {"step": 0.01, "end": 1}},
                              params=["system." + p for p in params])  # fmt: skip
    at = {symbols[key]: sympy.Rational(value) for key, value in {**state, **params}.items()}
    jacobian = sympy.Matrix(rates).jacobian([symbols[key] for key in [*state, *params]])
    wanted = np.array(jacobian.subs(at).evalf(40).tolist(), dtype=float)
    own = np.hstack([found.rates_by_state, found.rates_by_param])
    values = np.array(sympy.Matrix(rates).subs(at).evalf(40).tolist(), dtype=float).ravel()
    for what, a, b in [("rates", found.rates, values), ("derivatives", own, wanted)]:
        error = np.abs(a - b).max() / np.abs(b).max()
        print(f"{name} {what}: {error:.1e}")
        assert error < 2e-15, (name, what, a - b)


for name, (params, state, texts) in FLOWS.items():
    symbols = {s: sympy.Symbol(s, real=True) for s in [*params, *state]}
    system = {"type": "equations", "parameters": params, "state": state, "rates": texts}
    check(name, system, state, [expression(texts[s], symbols) for s in state], symbols)

for name, (params, q, v, *energies) in MECHANISMS.items():
    state = {**q, **{s + "_rate": rate for s, rate in v.items()}}
    symbols = {s: sympy.Symbol(s, real=True) for s in [*params, *state]}
    T, V, R = [expression(text, symbols) for text in energies]
    qs, vs = [symbols[s] for s in q], [symbols[s + "_rate"] for s in q]
    momenta = sympy.Matrix([T]).jacobian(vs).T
    forces = sympy.Matrix([T - V]).jacobian(qs).T - sympy.Matrix([R]).jacobian(vs).T - momenta.jacobian(qs) * sympy.Matrix(vs)
    system = {"type": "equations", "parameters": params, "coordinates": q,
              "kinetic": energies[0], "potential": energies[1], "dissipation": energies[2]}  # fmt: skip
    check(name, system, state, [*vs, *momenta.jacobian(vs).LUsolve(forces)], symbols)
