"""Values of elementary functions in 60 digits: `python3 functions.py > functions.txt` (mpmath).

Each line is a function, its one or two arguments, the nearest double of the value, and by how much the value
exceeds this, in units of its last place. mod, min, max, floor and sign are exact, or rounded once: those of Python."""
import math
import random

from mpmath import mp, mpf, inf

mp.prec = 1500  # of angles of 1e15, and of 1 +- 1e-16 to huge powers
N = 90
TINY, HUGE = 5e-324, 1.7976931348623157e308
dice = random.Random(35)


def sizes(low, high, n=N, signs=(-1, 1)):
    """Numbers of all magnitudes between 2^low and 2^high."""
    return [math.ldexp(dice.choice(signs) * dice.uniform(1, 2), round(dice.uniform(low, high))) for _ in range(n)]


def between(low, high, n=N):
    return [dice.uniform(low, high) for _ in range(n)]


def beside(*values):
    return [y for x in values for y in (math.nextafter(x, -math.inf), x, math.nextafter(x, math.inf))]


def pairs(a, b):
    return list(zip(a, b))


def nearest(v):
    """The nearest double of v, and the rest in units of its last place."""
    if v == 0:
        return "0x0p+0", 0.0
    ulp = mpf(2) ** max(mp.mag(v) - 53, -1074)
    rounded = mp.nint(v / ulp) * ulp
    if abs(rounded) >= mpf(2) ** 1024:
        return "inf" if v > 0 else "-inf", 0.0
    return math.copysign(float(rounded), v).hex(), float((v - rounded) / ulp)


def lesser(a, b):
    return math.nan if a != a or b != b else min(b, a)


def greater(a, b):
    return math.nan if a != a or b != b else max(b, a)


def power(x, y):
    return abs(x) ** y * (-1 if x < 0 and y % 2 == 1 else 1)


REAL = sizes(-1074, 1023)
RIGHT = [abs(x) for x in REAL]
HALF_PI = [float(n * mp.pi / 2) for n in (1, 2, 3, 7, 22, 1001, 65537, 10**6 + 1, 10**9 + 7, 6 * 10**14)]
ANGLES = sizes(-1074, 49) + between(-10, 10) + between(-1e5, 1e5) + HALF_PI + [-x for x in HALF_PI]
ONE = sizes(-1074, -1) + between(-1, 1) + [s * (1 - 2.0**-k) for k in range(1, 54, 4) for s in (-1, 1)]
MIXED = sizes(-1074, 1023) + sizes(-30, 30)
OTHER = sizes(-1074, 1023) + sizes(-30, 30)
POWERS = (pairs(sizes(-1022, 1023, signs=(1,)), between(-1, 1)) + pairs(sizes(-3, 3, signs=(1,)), between(-300, 300)) +
          pairs(sizes(-1074, -1022, signs=(1,)), between(-1, 0.05)) +
          pairs([1 + x for x in sizes(-52, -2)], [x for x in sizes(1, 50)]) +
          pairs([-x for x in between(0, 30)], [float(dice.randrange(-200, 200)) for _ in range(N)]) +
          pairs(between(0.1, 1), between(200, 1100)))
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, TINY, -TINY, HUGE, -HUGE, math.inf, -math.inf, math.nan]
SPECIALS = [(a, b) for a in SPECIAL for b in SPECIAL]


def mod(a, b):
    return math.nan if b == 0 or math.isinf(a) else a % b


EXACT = {
    "floor": (math.floor, [(x,) for x in sizes(-5, 60) + beside(1.0, -1.0, 2.0**52, -(2.0**52), 0.5, -0.5)]),
    "mod": (mod, pairs(sizes(-5, 60), sizes(-5, 5)) + pairs(MIXED, OTHER) + pairs(sizes(-1074, -1060), sizes(-1074, -1060)) +
            [(x, 0.1) for x in beside(0.3, 0.7, 1.0, -0.3)] + SPECIALS),
    "min": (lesser, SPECIALS),
    "max": (greater, SPECIALS),
}
INEXACT = {
    "sqrt": (mp.sqrt, RIGHT),
    "cbrt": (lambda x: mp.cbrt(abs(x)) * mp.sign(x), REAL + sizes(-9, 9) + beside(1.0, 8.0, 27.0, -0.125)),
    "hypot": (mp.hypot, pairs(MIXED, OTHER) + pairs(sizes(-1074, -1060), sizes(-1074, -1060)) +
              [(x, dice.uniform(-2, 2) * x) for x in REAL] + [(3.0, 4.0), (HUGE, HUGE)]),
    "exp": (mp.exp, sizes(-60, 9) + between(-746, 710) + between(-745.2, -708) + beside(-708.3964185322641)),
    "log": (mp.log, RIGHT + sizes(-1074, -1022, signs=(1,)) + [1 + x for x in sizes(-53, -1)]),
    "pow": (power, POWERS),
    "sin": (mp.sin, ANGLES),
    "cos": (mp.cos, ANGLES),
    "tan": (mp.tan, ANGLES),
    "asin": (mp.asin, ONE),
    "acos": (mp.acos, ONE),
    "atan": (mp.atan, REAL + sizes(-5, 5) + beside(0.41421356237309503, 1.0, 2.414213562373095)),
    "atan2": (mp.atan2, pairs(MIXED, OTHER) + [(x * dice.uniform(-3, 3) / 3, x) for x in REAL]),
    "sinh": (mp.sinh, sizes(-1074, 9) + between(-3, 3) + between(-710.4, 710.4) + beside(1.0, 710.4758600739439)),
    "cosh": (mp.cosh, sizes(-1074, 9) + between(-3, 3) + between(-710.4, 710.4) + beside(710.4758600739439)),
    "tanh": (mp.tanh, sizes(-1074, 5) + between(-3, 3) + beside(0.5)),
    "erf": (mp.erf, sizes(-1074, 3) + between(-6.5, 6.5) + beside(1.0, 6.0)),
}


def line(name, arguments, value, rest):
    print(name, *(x.hex() for x in arguments), value, "%.4f" % rest)


for name, (function, cases) in EXACT.items():
    for case in cases:
        line(name, case, float(function(*case)).hex(), 0.0)
for name, (function, cases) in INEXACT.items():
    for case in cases:
        arguments = case if isinstance(case, tuple) else (case,)
        if not any(math.isinf(x) for x in arguments):
            line(name, arguments, *nearest(function(*(mpf(x) for x in arguments))))
