"""Numbers of classical systems: as published, and of five the law that its source names."""
import csv
import math
import sys

import h5py


def end(name, *states):
    with h5py.File(name + ".h5") as f:
        return [float(f["study/summary/end_" + s][()]) for s in states]


def law(name):
    """The law's number at the end less that at the start."""
    if name == "sir":
        (s,) = end(name, "s")
        return math.log(s / 0.99) + 2.5 * (1 - s)
    if name == "lotka_volterra":
        def constant(x, y):
            return 1.1 * math.log(y) - 0.4 * y + 0.4 * math.log(x) - 0.1 * x
        return constant(*end(name, "x", "y")) - constant(10, 5)
    if name == "cart_pole":
        x, a = end(name, "x", "a")
        return x + 0.1 * (x + 0.5 * math.sin(a)) - 0.1 * 0.5
    if name == "acrobot":
        def energy(a, b, u, w):
            return (u**2 / 6 + (u**2 + (u + w) ** 2 / 3 + math.cos(b) * u * (u + w)) / 2
                    - 9.81 * (1.5 * math.cos(a) + math.cos(a + b) / 2))
        return energy(*end(name, "a", "b", "a_rate", "b_rate")) - energy(math.pi / 3, math.pi / 4, 0, 0)
    if name == "furuta":
        _, b, u, w = end(name, "a", "b", "a_rate", "b_rate")
        return 0.05 * u + 0.2 * (0.09 * u + 0.075 * math.cos(b) * w + 0.0625 * math.sin(b) ** 2 * u)
    raise SystemExit(f"{name}: no number")


def main():
    wrong = 0
    with open(sys.argv[1], encoding="ascii") as table:
        for row in csv.DictReader(table):
            name = row["system"]
            if row["dataset"] == "":
                differences, allowed = [law(name)], 1e-10
            else:
                found = []
                with h5py.File(name + ".h5") as f:
                    for dataset in row["dataset"].split():
                        found += list(f["study/summary"][dataset][...].ravel())
                differences = [a - float(b) for a, b in zip(found, row["published"].split(), strict=True)]
                allowed = float(row["allowed"])
            worst = max(abs(d) for d in differences)
            print(f"{name}: {worst:.2e} of {allowed:.0e} allowed")
            wrong += not worst <= allowed
    return wrong > 0


sys.exit(main())
