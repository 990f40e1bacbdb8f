"""units.py make|check: numbers with units, against exact fractions rounded once."""
import math
import random
import sys
from fractions import Fraction

import h5py

PREFIXES = {"G": 9, "M": 6, "k": 3, "c": -2, "m": -3, "u": -6, "n": -9, "p": -12}
SECONDS = {"min": 60, "h": 3600}
r = random.Random(7)


def unit():
    """A unit and how many SI units that is; beside it the power of degrees."""
    text, factor, degrees = "", Fraction(1), 0
    for k in range(r.choice([1, 1, 1, 2, 3])):
        name = r.choice(["m", "cm", "km", "mm", "um", "g", "kg", "mg", "s", "ms", "us", "min", "h", "N", "kN", "J", "kJ", "W", "Pa",
                         "MPa", "kHz", "Hz", "rad", "mrad", "deg", "V", "mA", "ohm", "uF", "nF", "mH", "C", "K"])
        power, divided = r.choice([1, 1, 2, -1, 3]), k > 0 and r.random() < 0.6 or "/" in text
        text += (("/" if divided else " ") if text else "") + name + (f"^{power}" if power != 1 else "")
        power *= -1 if divided else 1
        if name == "deg":
            degrees += power
            continue
        base = Fraction(SECONDS[name]) if name in SECONDS else Fraction(1)
        if len(name) > 1 and name not in ("min", "rad", "Pa", "Hz", "ohm"):
            base *= Fraction(10) ** PREFIXES[name[0]]
        base *= Fraction(1, 1000) if name in ("g", "kg", "mg") else 1
        factor *= base**power
    return text, factor, degrees


cases = []
while len(cases) < 3000:
    digits = r.choice(["%.1f", "%.3f", "%.17g", "%.6e"]) % r.uniform(0, 1000)
    text, factor, degrees = unit()
    exact = float(Fraction(digits) * factor)
    for _ in range(abs(degrees)):
        exact = exact * (math.pi / 180) if degrees > 0 else exact / (math.pi / 180)
    if 1e-290 < exact < 1e4:  # the largest angle is 1e5
        cases.append((f"{digits} {text}", exact))
if sys.argv[1] == "make":
    print("manylink: 1\nsystem:\n  type: equations\n  state: {x: 0}\n  rates: {x: 0*p0}\n  parameters:")
    for i, (text, _) in enumerate(cases):
        print(f"    p{i}: {text}")
    print("time: {end: 1, step: 1}")
    sys.exit()
with h5py.File("units.h5") as f:
    lines = f["study/resolved"].asstr()[()].splitlines()
found = {}
for line in lines:
    name, _, rest = line.strip().partition(": {value: ")
    if rest and name.startswith("p"):
        found[int(name[1:])] = float(rest.split(",")[0])
wrong = [(text, found[i], exact) for i, (text, exact) in enumerate(cases) if found[i] != exact]
assert len(found) == len(cases) and not wrong, wrong[:5]
