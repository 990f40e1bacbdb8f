"""random_formulas.py SEED any|smooth: a study with random rates, of all functions, or of those with derivatives everywhere."""
import math
import random
import sys

r, is_any = random.Random(int(sys.argv[1])), sys.argv[2] == "any"
SMOOTH = "sqrt cbrt exp log sin cos tan asin acos atan sinh cosh tanh erf".split()
ONE = SMOOTH + (["abs", "sign", "floor"] if is_any else [])
TWO = ["hypot", "atan2"] + (["min", "max", "mod"] if is_any else [])
STATES = 16 if is_any else 12
values = {"a": 0.7, "b": 1.3, "c": -0.4, "d": 2.1}
state = {f"x{i}": round(r.uniform(0.1, 1.4), 3) for i in range(STATES)}
names = [*values, *state, "t"]


def comparison(depth):
    return f"{formula(depth - 1)} {r.choice(['<', '<=', '>', '>=', '=='])} {formula(depth - 1)}"


def truth(depth):
    if depth > 0 and r.random() < 0.4:
        word = r.choice(["and", "or"])
        return r.choice([f"not {comparison(depth)}", f"({truth(depth - 1)} {word} {comparison(depth)})"])
    return comparison(depth)


def formula(depth):
    p = r.random()
    if depth <= 0 or p < 0.08:
        return r.choice(names) if r.random() < 0.8 else r.choice(["2", "0.5", "1e-3", "pi", "30deg", "7.25"])
    if p < 0.5:
        return f"({formula(depth - 1)} {r.choice('+-*/')} {formula(depth - 1)})"
    if p < 0.6:
        return f"({formula(depth - 1)})^{r.choice(['2', '3', '-1', '0.5', '-2', '1.5', '0', '5', 'b'])}"
    if p < 0.65:
        return f"(-{formula(depth - 1)})"
    if p < 0.72 and is_any:
        return f"where({truth(depth - 1)}, {formula(depth - 1)}, {formula(depth - 1)})"
    f = r.choice(TWO if p < 0.8 else ONE)
    return f"{f}({', '.join(formula(depth - 1) for _ in range(2 if f in TWO else 1))})"


def value(text, **moved):
    scope = {f: getattr(math, f) for f in SMOOTH + ["hypot", "atan2", "pi"] if f != "cbrt"}
    scope["cbrt"] = lambda x: math.copysign(abs(x) ** (1 / 3), x)
    try:
        found = eval(text.replace("^", "**").replace("30deg", "(pi/6)"), scope, {"t": 0.0, **values, **state, **moved})
    except (ArithmeticError, TypeError, ValueError):
        return math.nan
    return math.nan if isinstance(found, complex) else found


def is_tame(text):
    """Whether differences tell its derivatives."""
    for name in [*values, *state]:
        here = {**values, **state}[name]
        slopes = [(value(text, **{name: here + h}) - value(text, **{name: here - h})) / (2 * h) for h in (1e-4, 2e-4)]
        if not (abs(value(text)) < 30 and abs(slopes[0]) < 100 and abs(slopes[1] - slopes[0]) < 1e-4):
            return False
    return True


def rate(name):
    f = formula(5)
    while not is_any and not is_tame(f):
        f = formula(5)
    return f"where(abs({f}) < 30, {f}, 0.1*{name})" if is_any else f


print("manylink: 1\nsystem:\n  type: equations\n  parameters:", str(values).replace("'", ""))
print("  state:", str(state).replace("'", ""))
print("  define:" if is_any else "  define: {}")
for i in range(6 if is_any else 0):
    print(f"    f{i}: \"{formula(4)}\"")
    names.append(f"f{i}")
print("  rates:")
for x in state:
    print(f"    {x}: \"{rate(x)}\"")
print("""time: {step: 1e-2, end: 0.2}
sweep: [{set: system.a, from: 0.2, to: 1.7, count: 40}]
analyse: {lyapunov: {exponents: 2}, sensitivity: {of: end_state, to: [system.a, system.c, initial.x0]}}
save: {trajectory: {every: 5}}""")
