"""Values, events and derivatives of records by formula against what is saved beside them, and closed forms."""
import h5py
import numpy as np


def read(name):
    with h5py.File(name) as f:
        out = {key: d[...] for key, d in f["study/trajectories"].items() if isinstance(d, h5py.Dataset)}
        out.update({key: d[...] for key, d in f["study/summary"].items() if isinstance(d, h5py.Dataset)})
        if name.startswith("chain"):
            own = dict(f["study/trajectories/margin"].attrs)
            assert own["units"] == "rad" and own["description"] == "how far from level", own
    return out


def near(a, b, tolerance, what):
    worst = np.nanmax(abs(a - b))
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
