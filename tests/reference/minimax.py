"""Coefficients of the polynomials of src/simd: minimax (Remez) in 40 digits, each coefficient rounded to double and
those after it fitted again. `python3 minimax.py [NAME...]` prints them, lowest power first, and the largest error
relative to the value of the function. About a minute each (mpmath)."""
import sys

from mpmath import asin, atan, atanh, cbrt, cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, sinh, sqrt, tan, tanh

mp.dps = 40
TINY = mpf(10) ** -12


def largest_of_runs(e):
    """Where the largest error is of each run of errors of one sign."""
    best, run = [], [0]
    for i in range(1, len(e)):
        if e[i] * e[run[-1]] <= 0:
            best.append(max(run, key=lambda j: abs(e[j])))
            run = []
        run.append(i)
    return best + [max(run, key=lambda j: abs(e[j]))]


def remez(target, weight, powers, low, high):
    """Coefficients c of the powers with the least maximum of |weight (target - sum of c x^power)|."""
    n, n_grid = len(powers), 40 * len(powers) + 100
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / n_grid) for i in range(n_grid + 1)]
    w, f = [weight(x) for x in grid], [target(x) for x in grid]
    at = [round((i + 0.5) * n_grid / (n + 1)) for i in range(n + 1)]
    for _ in range(30):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for row, i in enumerate(at):
            for column, k in enumerate(powers):
                a[row, column] = w[i] * grid[i] ** k
            a[row, n], b[row] = (-1) ** row, w[i] * f[i]
        c = list(lu_solve(a, b))[:n]
        e = [w[i] * (f[i] - sum(ck * grid[i] ** k for k, ck in zip(powers, c))) for i in range(n_grid + 1)]
        best = largest_of_runs(e)
        while len(best) > n + 1:
            best.pop(0 if abs(e[best[0]]) < abs(e[best[-1]]) else -1)
        if len(best) < n + 1 or best == at:
            break
        at = best
    return c


def fit(target, weight, n, low, high):
    """n coefficients as doubles, and the largest error with them."""
    done = []
    for k in range(n):
        rest = lambda x: target(x) - sum(c * x**i for i, c in enumerate(done))
        done.append(mpf(float(remez(rest, weight, list(range(k, n)), low, high)[0])))
    points = [low + (high - low) * i / 3000 for i in range(3001)]
    return done, max(abs(weight(x) * (target(x) - sum(c * x**i for i, c in enumerate(done)))) for x in points)


def odd(function, n, high):
    """f(s) = s + s z (c0 + c1 z + ...), z = s^2 <= high"""
    return fit(lambda z: (function(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / function(sqrt(z)), n, TINY, high)


def artanh(n):
    """artanh s = s + s^3/3 + s^5 (c0 + c1 z + ...), between sqrt(1/2) and sqrt(2) of (1 + s)/(1 - s)"""
    high = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * (1 + TINY)
    return fit(lambda z: (atanh(sqrt(z)) / sqrt(z) - 1 - z / 3) / z**2, lambda z: z * z, n, mpf(10) ** -8, high)


def erf_near(n):
    """erf x = x + x (c0 + c1 z + ...)"""
    return fit(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: sqrt(z) / erf(sqrt(z)), n, TINY, mpf(1))


def erf_far(n):
    """e^x^2 (1 - erf x) = c0 + c1 u + ..., u = (x - 2)/(x + 2), 1 <= x <= 6"""
    x = lambda u: 2 * (1 + u) / (1 - u)
    f = lambda u: exp(x(u) ** 2) * erfc(x(u))
    return fit(f, lambda u: exp(-(x(u) ** 2)) / erf(x(u)), n, mpf(-1) / 3, mpf(1) / 2)


FITS = {
    "atan": lambda: odd(atan, 11, tan(pi / 8) ** 2 * (1 + TINY)),
    "asin": lambda: odd(asin, 13, mpf(1) / 4),
    "sinh": lambda: odd(sinh, 7, mpf(1)),
    "tanh": lambda: odd(tanh, 10, mpf(1) / 4),
    "artanh": lambda: artanh(8),
    "erf_near": lambda: erf_near(12),
    "erf_far": lambda: erf_far(14),
    "cbrt": lambda: fit(cbrt, lambda x: 1 / cbrt(x), 5, mpf(1), mpf(2)),
}
for name in sys.argv[1:] or FITS:
    coefficients, error = FITS[name]()
    print(name, "2^%.1f" % float(log(error, 2)))
    for c in coefficients:
        print("   ", float(c).hex())
