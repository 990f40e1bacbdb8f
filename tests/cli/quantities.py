"""Values, events and derivatives of records by formula against what is saved beside them, and closed forms; merged shards,
by a kernel that was made, against the whole."""
import glob

import h5py
import numpy as np

from compare_results import Contents, differences

merged = glob.glob("*.merged.h5")
assert len(merged) == 14, merged
for name in merged:
    with h5py.File(name) as a, h5py.File(name.replace(".merged", "")) as b:
        found = list(differences(Contents(a), Contents(b)))
        assert not found, (name, found)


def read(name):
    with h5py.File(name) as f:
        out = {key: d[...] for key, d in f["study/trajectories"].items() if isinstance(d, h5py.Dataset)}
        out.update({key: d[...] for key, d in f["study/summary"].items() if isinstance(d, h5py.Dataset)})
        if name.startswith("chain"):
            own = dict(f["study/trajectories/margin"].attrs)
            assert own["units"] == "rad" and own["description"] == "how far from level", own
    return out


def near(a, b, tolerance, what):
    worst, tolerance = np.nanmax(abs(a - b)), np.max(tolerance)
    print(f"{what}: {worst:.1e}")
    assert np.isfinite(a).any() and worst <= tolerance, (what, worst, tolerance)


for steps in "given", "chosen":
    r = read(f"chain.{steps}.h5")
    masses = np.linspace(0.5, 2, 40)[:, None]
    upper, lower = r["angle"][:, 0], r["angle"][:, 1]
    tip = np.hypot(*np.moveaxis(r["end_position"][:, 1], 1, 0))
    near(r["tip"], tip, 1e-15, "tip")
    near(r["margin"], np.maximum(abs(upper), 0.1) - np.pi / 2, 0, "margin")
    near(r["lift"], -9.81 * masses * r["com_position"][:, 1, 1] + 0.1 * tip + r["time"] / 10, 3e-14, "lift")
    angle = r["level_angle"]
    assert (r["level_count"] >= 1).sum() > 20
    near(np.cos(angle[..., 0]) - 0.9, np.sin(angle[..., 1]) / 2, 1e-14, "crossing of a formula")
    near(r["level_cos(angle.lower)"], np.cos(angle[..., 1]), 1e-15, "kept formula")
    near(r["level_tip|2"] * 2, np.hypot(np.sin(angle[..., 0]) + np.sin(angle[..., 1]) / 2,
                                        np.cos(angle[..., 0]) + np.cos(angle[..., 1]) / 2), 2e-15, "kept quotient")
    # Derivatives of what is kept, by those of the angles kept beside it, which are measured for themselves.
    d = r["level_angle_sensitivity"]
    near(r["level_cos(angle.lower)_sensitivity"], -np.sin(angle[..., 1, None]) * d[:, :, 1], 4e-11, "its derivative")
    assert (r["far_tip"][:, 0] >= r["tip"].max(1) - 1e-3).any()

    # x'' = -alpha x from (1, 0): x = cos(w t), v = -w sin(w t).
    alpha = np.linspace(0.5, 2, 33)[:, None]
    w = np.sqrt(alpha)
    for name, x, v in ("duffing", "x", "v"), ("equations", "x", "v"), ("masses", "position", "velocity"):
        r = read(f"{name}.{steps}.h5")
        own = {key: r[key].reshape(33, -1) for key in (x, v)}
        near(r["level"], own[v] ** 2 / 2 + alpha * own[x] ** 2 / 2, 1e-15, "level")
        near(r["drift"], 2 * r["level"] - 1, 1e-15, "a quantity of a quantity")
        near(r["phase"], 1.5 * r["time"][None, :] + 0 * alpha, 2e-15, "time")
        known = (np.pi - np.arctan(1 / w) + np.pi * np.arange(6)) / w
        known[known > 10] = np.nan
        assert (np.isnan(known) == np.isnan(r["meet_times"])).all()
        near(r["meet_times"], known, 4e-11, "x = v")
        by = (1 / (1 + alpha) - known) / (2 * alpha)  # dt/dw = (1/(1 + w^2) - t)/w, dw/d alpha = 1/(2 w)
        near(r["meet_times_sensitivity"][..., 0], by, 4e-11, "its derivative")
        quotient = [key for key in r if key.startswith("meet_") and "|" in key and "sens" not in key]
        near(r[quotient[0]], 1 + 0 * known, 2e-14, "their quotient")
        near(r["meet_t"], r["meet_times"], 0, "the time itself")
        near(r["meet_t_sensitivity"], r["meet_times_sensitivity"], 1e-11, "its derivative")
        # x v = -w sin(2 w t)/2 = 0.1, upwards
        known = (np.pi + np.arcsin(0.2 / w) + 2 * np.pi * np.arange(6)) / (2 * w)
        known[known > 10] = np.nan
        near(r["up_times"], known, 4e-11, "a product at a level")

    r = read(f"plugin.{steps}.h5")
    rho = np.linspace(20, 40, 33)[:, None]
    ball = rho * r["x"] ** 2 + 10 * r["y"] ** 2 + 10 * (r["z"] - 2 * rho) ** 2
    near(r["ball"] / ball, 1 + 0 * ball, 1e-15, "plugin")
    # Where the ball's size is largest its rate is 0: rho x x' + sigma y y' + sigma (z - 2 rho) z' = 0, whence the state.
    assert (r["peak_count"] > 0).all() and (r["side_count"] > 0).all()

    r = read(f"late.{steps}.h5")
    mass, gain = np.repeat(np.linspace(1, 2, 17), 2)[:, None], np.tile([10.0, 30.0], 17)[:, None]
    near(r["m"], mass * r["angle"][:, 0] + gain, 2e-14, "numbers of the run")
    near(r["gain"].ravel(), gain.ravel(), 0, "a number alone")

    # x = cos(w t) from 0 to 7: statistics and their derivatives by w, events where comparisons hold.
    w, end, dt = np.linspace(1, 2, 17), 7, 1e-3
    r = read(f"observe.{steps}.h5")
    turns = np.floor(w * end / np.pi)
    swing = np.sqrt((end / 2 + np.sin(2 * w * end) / (4 * w)) / end)
    smooth = 3e-11  # given steps: fourth order in the time between looks; chosen ones are looked into
    late = np.arange(round(5.5 / dt), round(7 / dt) + 1) * dt
    if steps == "chosen":
        top = 2 * np.pi / w
        late = np.stack([0 * w + 5.5, 0 * w + 7, np.where((top > 5.5) & (top < 7), top, 7), np.where((2 * top > 5.5) & (2 * top < 7), 2 * top, 7)], 1)
    near(r["peak"], w, w**3 * dt**2 / 8 if steps == "given" else smooth, "peak")
    near(r["low"], -1 + 0 * w, w**2 * dt**2 / 8 if steps == "given" else smooth, "low")
    near(r["late"], np.cos(w[:, None] * late).max(1), smooth, "late")
    near(r["swing"], swing, smooth, "rms")
    near(r["area"], np.sin(w * end) / w, smooth, "integral")
    near(r["flown"], w**2 * (np.sin(w * end) ** 2 - np.sin(w) ** 2) / 2, smooth, "integral from 1 s")
    near(r["mean_flow"], w**2 * np.sin(w * end) ** 2 / 2 / end, smooth, "mean")
    near(r["last"], -w * np.sin(2 * w * end) / 2 + end, 2e-11, "at the end")
    near(r["way"], 2 * turns + 1 - np.cos(w * end - turns * np.pi), 2 * dt**2 * w**2 * turns if steps == "given" else smooth,
         "integral of a corner")
    assert np.isnan(r["none"]).all(), "the root of a negative number"
    d = dict(zip("peak low late mean_flow swing way area last flown none".split(), r["sensitivity"][..., 0].T))
    near(d["peak"], 1 + 0 * w, 10 * dt if steps == "given" else 3e-4, "derivative of the peak")
    near(d["area"], (w * end * np.cos(w * end) - np.sin(w * end)) / w**2, 3e-10, "of an integral")
    near(d["swing"], (2 * w * end * np.cos(2 * w * end) - np.sin(2 * w * end)) / (8 * w**2 * end * swing),
         3e-10, "of an rms")
    near(d["last"], -np.sin(2 * w * end) / 2 - w * end * np.cos(2 * w * end), 4e-8, "of the value at the end")
    known = (1.5 * np.pi + 2 * np.pi * np.arange(8)) / w[:, None]
    known = np.sort(np.where((known > end) | (known < 3), np.nan, known), axis=1)
    assert (np.isnan(known) == np.isnan(r["rise_times"])).all()
    near(r["rise_times"], known, 4e-11, "crossings upwards behind 3 s")
    known = 2 * np.pi * np.arange(1, 4) / w[:, None]
    known = np.sort(np.where((known > end) | (known < 4), np.nan, known), axis=1)
    near(r["turn_times"][:, :3], known, 2e-10, "maxima behind 4 s")
    beats = np.arange(8)
    for i, own in enumerate(r["beat_times"]):
        assert (own[np.isfinite(own)] == beats[np.cos(w[i] * beats) > 0]).all(), own
    phase = w * end % (2 * np.pi)
    known = 200 * np.floor(w * end / (2 * np.pi)) + np.where(phase > np.pi, np.floor((np.cos(phase) + 1) * 100 + 0.5), 0)
    assert (r["many_count"] == known).all(), (r["many_count"], known)

# An event that counts only behind 4 s ends the run at the first maximum of x there.
with h5py.File("stopped.h5") as f:
    s, stop = f["study/summary"], f["study/runs/end_time"][...]
    w = np.linspace(1, 2, 17)
    known = 2 * np.pi / w * np.ceil(4 * w / (2 * np.pi))
    near(stop, np.minimum(known, 7), 2e-10, "end")
    near(s["area"][...], np.sin(w * stop) / w, 3e-11, "integral up to there")
    near(s["last"][...], stop - w * np.sin(2 * w * stop) / 2, 2e-11, "value there")
