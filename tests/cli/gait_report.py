"""Trials of a leg that steps, and reports of their gait against numpy on the cycles in their results.

usage: gait_report.py write               writes TRIAL.csv of six trials
       gait_report.py check NAME...       NAME.json, NAME.csv: reports of the results that they name, the left ones named left
       gait_report.py norm A.csv SCRIPT   the picture's data have the band of the norm and the curves of the report
"""

import json
import sys

import numpy as np

STEPS = {"right1": (1.0, [1.02, 1.1, 1.05]), "right2": (1.07, [1.08, 1.12]), "right3": (0.95, [1.04]),
         "left1": (0.9, [1.0, 1.11, 1.07, 1.03]), "left2": (1.1, [1.06, 1.09]), "slow": (1.0, [1.4, 1.45])}  # size, s of the cycles


def write():
    for name, (size, durations) in STEPS.items():
        strikes = 0.4 + np.concatenate([[0], np.cumsum(durations)])
        t = np.arange(0, strikes[-1] + 0.5, 0.01)
        phase = np.interp(t, np.concatenate([[strikes[0] - 1], strikes, [strikes[-1] + 1]]), np.arange(-1.0, len(strikes) + 1))
        turn = 2 * np.pi * phase
        thigh = size * 0.4 * np.cos(turn)
        knee = -size * (0.35 - 0.3 * np.cos(turn + 1.2) + 0.1 * np.sin(2 * turn))
        foot = 1.5 + 0.2 * size * np.sin(turn + 0.3) + 0.1 * np.cos(2 * turn)
        fy = np.where(phase % 1 < 0.6 + 0.05 * size, 700.0, 0.0) * (phase > -0.5)
        np.savetxt(f"{name}.csv", np.stack([t, thigh, knee, foot, 0 * t, fy], -1), fmt="%.17g", delimiter=",",
                   header="time,angle/thigh,angle/shank,angle/foot,fx,fy", comments="")


def trials_of(names):
    """By side, the cycles of all runs of every trial: {name: [run, joint, cycle, percent] or [run, joint, cycle]}."""
    import h5py

    sides = {"right": [], "left": []}
    for name in names:
        with h5py.File(name) as file:
            group = file["study/inverse"]
            n_run = group["cycle_torque"].shape[0] if group["cycle_torque"].ndim == 4 else 1
            values = {}
            for key, own in (("cycle_angle", 3), ("cycle_torque", 3), ("cycle_power", 3), ("cycle_duration", 1), ("toe_off", 1),
                             ("cycle_max_torque", 2), ("cycle_max_torque_at", 2), ("cycle_min_torque", 2),
                             ("cycle_min_torque_at", 2), ("cycle_positive_work", 2), ("cycle_negative_work", 2), ("burst_work", 2)):
                array = group[key][()]
                values[key] = np.broadcast_to(array, (n_run,) + array.shape[array.ndim - own:])
            for part in ("max", "min"):
                angle = values["cycle_angle"]
                at = getattr(angle, f"arg{part}")(-1)
                values[f"cycle_{part}_angle"] = np.take_along_axis(angle, at[..., None], -1)[..., 0]
                values[f"cycle_{part}_angle_at"] = at.astype(float)
            values["bursts"] = [burst.decode() for burst in group["burst"]]
            values["joints"] = [joint.decode() for joint in group["joint"]]
            sides["left" if name.startswith("left") else "right"].append(values)
    return {side: values for side, values in sides.items() if values}


def pooled(arrays, axis):
    """Mean, standard deviations over cycles, trials and runs; cycles along `axis` of each trial, runs first."""
    all_cycles = np.concatenate(arrays, axis)
    mean = all_cycles.mean(axis)
    trials = np.stack([array.mean(axis) for array in arrays])
    n_run = mean.shape[0]
    return {"mean": mean.mean(0), "sd": all_cycles.std(axis, ddof=1).mean(0),
            "sd_trials": trials.std(0, ddof=1).mean(0) if len(arrays) > 1 else None,
            "sd_runs": mean.std(0, ddof=1) if n_run > 1 else None, "by_run": mean}


def near(name, found, true):
    if true is None:
        assert found is None, (name, found)
        return
    error = np.abs(np.asarray(found) - true).max() / max(1.0, np.abs(true).max())
    assert error < 1e-12, (name, error, found, true)


def check(*names):
    for name in names:
        check_report(json.load(open(f"{name}.json")), f"{name}.csv")


def check_report(report, curves):
    sides = trials_of([trial["file"] for trial in report["trials"]])
    first = next(iter(sides.values()))[0]
    assert all(trial["file"].startswith(trial["side"]) for trial in report["trials"]), report["trials"]
    rows = {(row["name"], row["joint"]): row for row in report["numbers"]}
    seen = 0
    for (name, joint), row in rows.items():
        found = {}
        for side, trials in sides.items():
            if name in first["bursts"]:
                arrays = [values["burst_work"][:, first["bursts"].index(name)] for values in trials]
            elif joint is None:
                arrays = [values[name] for values in trials]
            else:
                arrays = [values[name][:, first["joints"].index(joint)] for values in trials]
            found[side] = pooled(arrays, 1)
            for key in ("mean", "sd", "sd_trials", "sd_runs"):
                near((name, joint, side, key), row[side][key], found[side][key])
            seen += 1
        if len(found) == 2:
            differences = found["right"]["by_run"] - found["left"]["by_run"]
            near((name, "difference"), row["difference"], differences.mean())
            near((name, "of runs"), row["difference_sd_runs"], differences.std(ddof=1) if len(differences) > 1 else None)
            right, left = found["right"]["mean"], found["left"]["mean"]
            has_index = "angle" not in name and not name.endswith("_at") and right * left > 0
            near((name, "index"), row["index"], 200 * (right - left) / abs(right + left) if has_index else None)
    joints = {name: rows[name, joint]["joint"] for name, joint in rows if name in first["bursts"]}
    legs = {"H": "thigh", "K": "shank", "A": "foot"}
    assert all(joint == legs[burst[0]] for burst, joint in joints.items()) and len(joints) == 9, joints
    assert seen == len(sides) * (2 + 3 * 10 + 9), seen
    table = np.genfromtxt(curves, delimiter=",", names=True, deletechars="")
    assert (table["percent"] == np.arange(101)).all()
    n_part = 4 if first["cycle_torque"].shape[0] > 1 else 3
    assert len(table.dtype.names) == 1 + len(sides) * 3 * 3 * n_part, table.dtype.names
    for side, trials in sides.items():
        for curve in ("angle", "torque", "power"):
            found = pooled([values[f"cycle_{curve}"] for values in trials], 2)
            for j, joint in enumerate(first["joints"]):
                for key in ("mean", "sd", "sd_trials", "sd_runs")[:n_part]:
                    column = table[f"{side}/{curve}/{joint}/{key}"]
                    if found[key] is None:
                        assert np.isnan(column).all()
                    else:
                        near((side, curve, joint, key), column, found[key][j])


def norm(curves, script):
    """Rows of the picture's data are x, then of right, left and norm the mean and the ends of its band."""
    table = np.genfromtxt(curves, delimiter=",", names=True, deletechars="")
    data = np.fromfile(f"{script}/data.bin").reshape(9, 101, 10)
    for i in range(9):
        curve, joint = ("angle", "torque", "power")[i // 3], ("thigh", "shank", "foot")[i % 3]
        unit = np.pi / 180 if curve == "angle" else 1.0
        for k, side in enumerate(("right", "left")):
            mean, sd = (table[f"{side}/{curve}/{joint}/{part}"] / unit for part in ("mean", "sd"))
            for j, true in enumerate((mean, mean - sd, mean + sd)):
                assert np.abs(data[i, :, 1 + 3 * k + j] - true).max() < 1e-11 * max(1, np.abs(true).max())
        # The norm has rows at 0, 50 and 100 %, of the moment of the knee only.
        true = np.interp(np.arange(101), [0, 50, 100], [1, -2, 4]) if (curve, joint) == ("torque", "shank") else np.full(101, np.nan)
        assert np.array_equal(np.isnan(data[i, :, 7]), np.isnan(true))
        assert not np.nanmax(np.abs(data[i, :, 7] - true), initial=0) > 1e-14
        assert not np.nanmax(np.abs(data[i, :, 9] - true - 0.5), initial=0) > 1e-14
    text = open(f"{script}/plot.gp").read()
    assert text.count("set xzeroaxis") == 9 and "layout 3,3" in text and text.count("set arrow from first") == 18


mode, *rest = sys.argv[1:]
{"write": write, "check": check, "norm": norm}[mode](*rest)
