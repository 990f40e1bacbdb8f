"""Tables that tests/cli/splitting.sh has made, against 40 digits and against differences."""

import csv
import decimal
import math

decimal.getcontext().prec = 40
D = decimal.Decimal
CUBE_ROOT = D(2) ** (D(1) / 3)
OUTER = 1 / (2 - CUBE_ROOT)
HALF = [D(w) for w in (
    "0.74167036435061295344822780", "-0.40910082580003159399730010", "0.19075471029623837995387626",
    "-0.57386247111608226665638773", "0.29906418130365592384446354", "0.33462491824529818378495798",
    "0.31529309239676659663205666")]
WEIGHTS = {
    "verlet": [D(1)],
    "yoshida4": [OUTER, 1 - 2 * OUTER, OUTER],
    "yoshida8": HALF + [D("-0.79688793935291635401978884")] + HALF[::-1],
}
ORDERS = {"verlet": 2, "yoshida4": 4, "yoshida8": 8}


def rows_of(name):
    with open(name) as file:
        return list(csv.DictReader(file))


def verlet(q, p, h):
    q = [a + h / 2 * b for a, b in zip(q, p)]
    x, y = q
    p = [p[0] + h * (-x - 2 * x * y), p[1] + h * (-y - x * x + y * y)]
    return [a + h / 2 * b for a, b in zip(q, p)], p


def end_of(y, method):
    q, p = [D(0), D(y)], [D("0.3"), D("0.1")]
    for _ in range(200):
        for weight in WEIGHTS[method]:
            q, p = verlet(q, p, weight * D("0.1"))
    return [*q, *p]


for method in WEIGHTS:
    table = rows_of(f"stars-{method}.csv")
    assert len(table) == 17
    for i in 0, 7, 16:
        for key, value in zip(("x", "y", "px", "py"), end_of(D("-0.1") + i * D("0.025"), method)):
            error = abs(float(table[i][f"end_{key}"]) - float(value))
            assert error < 3e-14, (method, i, key, error)

    exact, coarse, fine = (rows_of(name)[0] for name in (
        "exact.csv", f"order-{method}-0.125.csv", f"order-{method}-0.0625.csv"))
    distance = [math.hypot(*(float(row[k]) - float(exact[k]) for k in ("end_x", "end_v")))
                for row in (coarse, fine)]
    order = math.log2(distance[0] / distance[1])
    assert abs(order - ORDERS[method]) < 0.3, (method, order, distance)

    before, here, after = rows_of(f"driven-{method}.csv")
    for row in "x", "v":
        slope = float(here[f"sensitivity.{row}.system.gamma (SI)"])
        difference = (float(after[f"end_{row}"]) - float(before[f"end_{row}"])) / 2e-6
        assert slope and abs(slope - difference) < 1e-7 * (1 + abs(slope)), (method, row, slope)
