"""Statistics over time of samples against numpy, of the runs that count, and the numbers of their pictures."""
import warnings

import h5py
import numpy as np
from plot_tables import tables

P = [0.05, 0.25, 0.5, 0.75, 0.95]
SOUND = 0, 7  # finished, ended by an event
warnings.simplefilter("ignore", RuntimeWarning)  # of times at which no run is


def near(found, known, tolerance, scale=1.0):
    same = (found == known) | (np.isnan(found) & np.isnan(known))
    worst = np.max(np.where(same, 0, abs(found - known))) / scale
    assert worst <= tolerance, (found, known, worst)


def check(name, counts=None):
    with h5py.File(name + ".h5") as f:
        study = f["study"]
        kept, group = study["trajectories"], study["statistics/over_time"]
        *axes, _ = study["summary"].attrs["run_dims"]
        cells = [len(study["summary"][axis]) for axis in axes]
        run, outcome = kept["run"][:], study["runs/outcome"][:]
        n = len(outcome) // int(np.prod(cells))
        used = np.isin(outcome[run], SOUND)
        if counts:
            used &= counts(run % n)
        records = [key for key in kept if key in ("x", "y", "angle", "energy")]
        assert records and set(records) == set(group["runs"]) - {"time", "segment", *axes}, list(group["runs"])
        for record in records:
            values = kept[record]
            tables_ = {table: group[table][record] for table in ("quantiles", "moments", "runs")}
            assert group["quantiles"][record].attrs["units"] == values.attrs["units"] if "units" in values.attrs else True
            assert list(group["moments/statistic"].asstr()) == ["mean", "sd"]
            near(group["quantiles/quantile"][:], P, 0)
            near(group["quantiles/time"][:], kept["time"][:], 0)
            for d in tables_.values():
                assert all(len(dim) == 1 for dim in d.dims)
            for cell in np.ndindex(*cells):
                at = int(np.ravel_multi_index(cell, cells)) if cells else 0
                v = values[:][used & (run // n == at)]
                assert tables_["runs"][cell].tolist() == np.isfinite(v).sum(0).tolist()
                power = 2.0 ** np.floor(np.log2(np.nanmax(abs(v), axis=0) + 1e-300))  # numpy's squares overflow
                near(tables_["quantiles"][cell] / power[..., None], np.moveaxis(np.nanquantile(v / power, P, axis=0), 0, -1), 4e-16)
                near(tables_["moments"][cell][..., 0] / power, np.nanmean(v / power, 0), 5e-15)
                near(tables_["moments"][cell][..., 1] / power, np.nanstd(v / power, 0, ddof=1), 5e-15)
        return dict(group.attrs), outcome[run]


attrs, outcome = check("ends")
bad = (outcome == 1).sum()
assert bad > 0 and (outcome == 7).sum() > 0
assert attrs["counts"] == "all 1000 runs of the sample" and attrs["left_out"] == f"{bad} of 1000 runs: {bad} diverged", attrs
assert "missing" not in attrs
attrs, outcome = check("partial")
assert attrs["missing"] == "shards missing of 4: 2", attrs
assert attrs["left_out"].endswith(f" diverged, {(outcome == 3).sum()} missing"), attrs
attrs, _ = check("chain")
assert attrs["counts"] == "68 runs of the sample, whose trajectories are saved", attrs
attrs, _ = check("saltelli", lambda k: (k % 4 == 0) | (k % 4 == 3))
assert "the first and the last of each point of the design" in attrs["counts"], attrs
attrs, _ = check("grid")
check("kept")
for name in "few", "plain", "part0":
    with h5py.File(name + ".h5") as f:
        assert "over_time" not in f["study"].get("statistics", {}), name

with h5py.File("partial.h5") as f, h5py.File("chain.h5") as g, h5py.File("grid.h5") as h:
    for folder, file, record, at in ("partial", f, "x", ()), ("lower", g, "angle", (1,)), ("cell", h, "angle", (2, 0, 0)):
        group = file["study/statistics/over_time/quantiles"]
        block = tables(folder)[0]
        near(block[:, 0], group["time"][:], 1e-15)
        near(block[:, 1:], group[record][at], 1e-15, np.max(abs(group[record][at])))
left = open("partial/plot.gp").read()
assert "diverged, 280 missing;" in left and "shards missing of 4: 2): median" in left, left
