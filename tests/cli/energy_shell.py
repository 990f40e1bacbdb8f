"""Points on energy shells against quadratures of Liouville's measure: the density of the coordinates is (E - V)^(n/2 - 1) det(M)^(1/2),
momenta are uniform on the sphere of the kinetic energy. Mass matrices and potentials are written here again."""
import h5py
import numpy as np

LIMIT = 1.63  # Kolmogorov-Smirnov, 1 % for one test: sqrt(N) times the distance
g = 9.81


def read(name, coordinates, rates):
    with h5py.File(name + ".h5") as f:
        runs, end = f["study/runs"], f["study/summary"]
        start = [np.array([runs["initial." + key][...] for key in keys]) for keys in (coordinates, rates)]
        if "end_angle" in end:
            return start + [end["end_angle"][...].T, end["end_rate"][...].T]
        last = [end[name][...] if name in end else None for name in ("end_" + key for key in coordinates + rates)]
        return start + [np.array(last[: len(coordinates)]), np.array(last[len(coordinates) :])]


def distance(name, sample, x, density):
    """sqrt(N) times the largest difference of the distribution of a sample and that of a density at the middles x of equal cells."""
    edges = np.append(x, 2 * x[-1] - x[-2]) - (x[1] - x[0]) / 2
    known = np.interp(np.sort(sample), edges, np.append(0, np.cumsum(density)) / np.sum(density))
    n = len(sample)
    d = max(np.max(np.arange(1, n + 1) / n - known), np.max(known - np.arange(n) / n)) * np.sqrt(n)
    print(f"{name}: {d:.2f}")
    assert d < LIMIT, name


def chain_of(lengths, masses, spring):
    """Uniform rods with absolute angles from hanging down: M and V; a spring of stiffness 4 from the end of the first."""

    def mass(q):
        n = len(lengths)
        m = np.zeros((n, n) + q.shape[1:])
        for i in range(n):
            for j in range(n):
                far = max(i, j)
                reach = masses[far] * (lengths[far] / 2) + sum(masses[far + 1 :]) * lengths[far]
                m[i, j] = lengths[min(i, j)] * reach * np.cos(q[i] - q[j])
            m[i, i] = (masses[i] / 3 + sum(masses[i + 1 :])) * lengths[i] ** 2
        return m

    def potential(q):
        v = 0.0
        for i in range(len(lengths)):
            v = v - g * (masses[i] / 2 + sum(masses[i + 1 :])) * lengths[i] * np.cos(q[i])
        return v + (spring(q) if spring else 0)

    return mass, potential


def spring(q):  # from the anchor to the end of the upper segment
    return 2 * ((np.sin(q[0]) - 0.3) ** 2 + (-np.cos(q[0]) + 0.4) ** 2)


def check(name, energy, mass, potential, ranges, coordinates, rates, wraps, cells, has_end=True, angles=np.array):
    q, v, q_end, v_end = read(name, coordinates, rates)
    q, v = angles(q), angles(v)
    n, left = len(q), energy - potential(q)
    m = np.moveaxis(mass(q), (0, 1), (-2, -1))
    kinetic = np.einsum("ik,kij,jk->k", v, m, v) / 2
    error = np.max(abs(kinetic - left)) / np.max(kinetic)
    print(f"{name}: energy within {error:.1e}")
    assert error < 2e-14, name
    # the direction of the momentum, in the coordinates of the factor: the first component of a uniform unit vector
    u = np.einsum("kji,jk->ik", np.linalg.cholesky(m), v) / np.sqrt(2 * left)
    z = (np.arange(4000) + 0.5) / 2000 - 1
    for i in range(n):
        distance(f"{name} direction {i}", u[i], z, np.diff(np.arcsin(np.linspace(-1, 1, 4001))) if n == 2 else np.ones(4000))
    distance(f"{name} half of directions", np.arctan2(u[1], u[0]), z * np.pi, np.ones(4000))
    grids = [low + (high - low) * (np.arange(cells) + 0.5) / cells for low, high in ranges]
    mesh = np.array(np.meshgrid(*grids, indexing="ij"))
    room = np.maximum(energy - potential(mesh), 0)
    root = np.sqrt(np.linalg.det(np.moveaxis(mass(mesh), (0, 1), (-2, -1))))
    density = (room > 0) * room ** (n / 2 - 1) * root
    for when, sample in [("start", q)] + ([("end", angles(q_end))] if has_end else []):
        for i in range(n):
            of = (sample[i] + np.pi) % (2 * np.pi) - np.pi if wraps[i] else sample[i]
            distance(f"{name} {when} {coordinates[i]}", of, grids[i], density.sum(axis=tuple(k for k in range(n) if k != i)))
    if name in ("chain", "joint"):  # the angle between the segments, whose density is that of det M
        for when, sample in ("start", q), ("end", angles(q_end)):
            between = (sample[1] - sample[0] + np.pi) % (2 * np.pi) - np.pi
            index = (np.arange(cells)[None, :] - np.arange(cells)[:, None]) % cells
            of = np.bincount(index.ravel(), density.ravel(), cells)
            distance(f"{name} {when} between", between, (np.arange(cells) / cells * 2 - 1) * np.pi, np.roll(of, cells // 2))


turn = (-np.pi, np.pi)
two = [*chain_of([1, 0.5], [1, 2], spring), [turn, turn], ["angle.upper", "angle.lower"], ["rate.upper", "rate.lower"], [True, True], 600]
check("chain", 6, *two)
check("joint", 6, *two, angles=lambda x: np.cumsum(x, axis=0))
check("three", -2, *chain_of([1, 0.5, 0.7], [1, 2, 1], spring), [turn, turn, (-np.pi, 2)], ["angle.upper", "angle.lower", "angle.end"],
      ["rate.upper", "rate.lower", "rate.end"], [True, True, False], 100, has_end=False)
one = lambda q: np.array([[np.ones_like(q[0]), 0 * q[0]], [0 * q[0], np.ones_like(q[0])]])
heiles = lambda q: (q[0] ** 2 + q[1] ** 2) / 2 + q[0] ** 2 * q[1] - q[1] ** 3 / 3
check("heiles", 0.125, one, heiles, [(-0.8, 0.8), (-0.5, 0.8)], ["x", "y"], ["px", "py"], [False, False], 1000)
cart = lambda q: np.array([[2 * np.ones_like(q[0]), 0.5 * np.cos(q[1])], [0.5 * np.cos(q[1]), 0.25 * np.ones_like(q[0])]])
check("bead", 1, cart, lambda q: q[0] ** 2 - g * 0.5 * np.cos(q[1]), [(-3, 3), turn], ["x", "phi"], ["x_rate", "phi_rate"], [False, True], 1000)
