"""Statistics of samples against numpy and scipy, of the runs that count."""
import h5py
import numpy as np
from scipy import stats

P = [0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975]
SOUND = 0, 7  # finished, ended by an event


def near(found, known, tolerance, scale=1.0):
    same = (found == known) | (np.isnan(found) & np.isnan(known))
    worst = np.max(np.where(same, 0, abs(found - known))) / scale
    assert worst <= tolerance, (found, known, worst)


def text(scale):
    return list(scale.asstr()[:])


def check_number(tables, at, y, inputs, used, never_counts):
    """One number: y of all runs, of which `used` count; whether those without it are the largest in quantiles."""
    kept = used & np.isfinite(y)
    v, n = y[kept], kept.sum()
    assert tables["runs"][at] == n
    moments, quantiles, correlations = (tables[k][at] for k in ("moments", "quantiles", "correlations"))
    if n < 2:
        return
    size = max(abs(v))
    power = 2.0 ** np.floor(np.log2(size)) if size > 0 else 1.0  # numpy's squares of the largest numbers overflow
    u = v / power
    near(moments / power, [u.mean(), u.std(ddof=1), stats.sem(u), u.min(), u.max()], 2e-15)
    all_of = np.where(np.isnan(y), np.inf, y)[used] if never_counts else v
    with np.errstate(invalid="ignore"):
        known = np.quantile(all_of, P)
    near(quantiles[:, 0], np.where(np.isfinite(known), known, np.nan), 5e-16, size)
    ordered = np.concatenate([[np.nan], np.sort(all_of), [np.nan]])  # by rank; 0 and n + 1 are not there
    ordered[np.isinf(ordered)] = np.nan
    n = len(all_of)
    low = [int(stats.binom.ppf(0.025, n, p)) for p in P]  # of rank l are P(B < l) <= 0.025
    high = [int(stats.binom.ppf(0.975, n, p)) + 1 for p in P]
    near(quantiles[:, 1], ordered[low], 0)
    near(quantiles[:, 2], ordered[high], 0)
    edges = tables["edges"][at]
    assert len(edges) - 1 == np.ceil(2 * len(y) ** (1 / 3) - 1e-9)
    if v.min() < v.max():
        near(edges, np.linspace(v.min(), v.max(), len(edges)), 1e-15, size)
    assert (tables["histogram"][at] == np.histogram(v, edges)[0]).all()
    for i, x in enumerate(inputs):
        if v.min() < v.max():
            near(correlations[i], [stats.pearsonr(x[kept], u)[0], stats.spearmanr(x[kept], v)[0]], 2e-14)
        else:
            assert np.isnan(correlations[i]).all()


def check(name, counts=slice(None)):
    with h5py.File(name + ".h5") as f:
        summary, group, runs = f["study/summary"], f["study/statistics"], f["study/runs"]
        *axes, _ = summary.attrs["run_dims"]
        cells = [summary[axis].shape[0] for axis in axes]
        outcome = runs["outcome"][:].reshape(*cells, -1)
        used = np.zeros(outcome.shape, bool)
        used[..., counts] = True
        used &= np.isin(outcome, SOUND)
        labels = text(group["correlations/input"])
        inputs = [runs[key][:] for key in labels]
        assert text(group["moments/statistic"]) == ["mean", "sd", "standard_error", "min", "max"]
        near(group["quantiles/quantile"][:], P, 0)
        outputs = [o for o in summary.attrs["outputs"] if not o.endswith("_times") and not o.endswith("_attractor")]
        assert set(outputs) == set(group["runs"]) - {"segment", "exponent", *axes}, list(group["runs"])
        for output in outputs:
            y = summary[output]
            own = y.shape[len(cells) + 1:]
            rows = int(np.prod(own))
            tables = {}
            for table in ("moments", "quantiles", "runs", "histogram", "edges", "correlations"):
                d = group[table][output]
                assert d.shape[:y.ndim - 1] == (*cells, *own)
                assert all(len(dim) == 1 for dim in d.dims), (table, output)
                tables[table] = d[()].reshape(-1, *d.shape[y.ndim - 1:])
                if table in ("moments", "quantiles", "edges"):
                    assert d.attrs.get("units") == y.attrs.get("units")
            for cell in np.ndindex(*cells):
                at = int(np.ravel_multi_index(cell, cells)) if cells else 0
                here = [x.reshape(*cells, -1)[cell] for x in inputs]
                for r in range(rows):
                    check_number(tables, at * rows + r, y[:][cell].reshape(-1, rows)[:, r], here, used[cell], y.attrs.get("better") == "smaller")
        for cell in np.ndindex(*cells):
            chosen = outcome[cell][counts]
            for k, word in enumerate(text(group["outcome"])):
                n, missing = (chosen == k).sum(), (chosen == 3).sum()
                assert group["outcome_runs"][(*cell, k)] == n
                known = [np.nan] * 3
                if word != "missing":
                    ends = stats.binomtest(int(n), len(chosen) - missing).proportion_ci(0.95, "wilson")
                    known = [n / (len(chosen) - missing), *ends]
                near(group["outcome_fraction"][(*cell, k)], known, 3e-16)
        return dict(group.attrs), outcome


attrs, outcome = check("ends")
assert attrs["left_out"] == f"{(outcome == 1).sum()} of 3000 runs: {(outcome == 1).sum()} diverged", attrs
assert "missing" not in attrs
attrs, outcome = check("partial")
assert attrs["missing"] == "shards missing of 4: 2", attrs
assert attrs["left_out"].endswith(f" diverged, {(outcome == 3).sum()} missing"), attrs
check("chain")
rows = np.arange(256 * 5)
attrs, _ = check("saltelli", (rows % 5 == 0) | (rows % 5 == 4))
assert attrs["counts"].startswith("the first and the last run of each point"), attrs
check("one")
check("both")
with h5py.File("both.h5") as f:
    assert f["study/statistics/moments/end_angle"].shape == (3, 2, 2, 5)
    near(f["study/statistics/moments/system.gravity"][:], [1, 5, 9.81], 0)
for name in "grid", "part0", "morris":
    with h5py.File(name + ".h5") as f:
        assert "statistics" not in f["study"], name

# Parts of runs with each label of an attractor, of those that ended as asked.
with h5py.File("wells.h5") as f:
    group, outcome = f["study/statistics"], f["study/summary/outcome"][:]
    assert (outcome == 1).any() and set(group["label_runs"]) >= {"beat_attractor", "slow_attractor"}
    for name in "beat_attractor", "slow_attractor":
        label = f["study/summary"][name][:]
        runs, part = group["label_runs"][name], group["label_fraction"][name]
        assert part.dims[1][0].name == f"/study/statistics/label_fraction/{name}_label"
        assert text(part.dims[2][0]) == ["value", "low", "high"]
        for cell in range(2):
            used = label[cell][np.isin(outcome[cell], SOUND)]
            assert runs[cell].tolist() == [(used == k).sum() for k in range(int(label.max()) + 1)]
            for k, n in enumerate(runs[cell]):
                ends = stats.binomtest(int(n), len(used)).proportion_ci(0.95, "wilson")
                near(part[cell, k], [n / len(used), *ends], 3e-16)
    assert len(set(group["label_runs/beat_attractor"][0])) > 1
