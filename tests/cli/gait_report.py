"""Trials of a leg that steps, and reports of their gait against numpy on the cycles in their results.

usage: gait_report.py write               writes TRIAL.csv of six trials, walk.csv of both legs
       gait_report.py check NAME...       NAME.json, NAME.csv: reports of the results that they name, the left ones named left
       gait_report.py steps WALK.json     times of support of walk.csv
       gait_report.py norm A.csv SCRIPT   the picture's data have the band of the norm and the curves of the report
       gait_report.py published NORM SCRIPT  the shipped norm
"""

import json
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore", RuntimeWarning)  # means of numbers that no cycle has
STEPS = {"right1": (1.0, [1.02, 1.1, 1.05]), "right2": (1.07, [1.08, 1.12]), "right3": (0.95, [1.04]),
         "left1": (0.9, [1.0, 1.11, 1.07, 1.03]), "left2": (1.1, [1.06, 1.09]), "slow": (1.0, [1.4, 1.45])}  # size, s of the cycles


def write():
    write_walk()
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


# s, foot strikes and toe-offs of both legs on one clock: a walk whose third right cycle is a run's, with both feet in the air.
INSTANTS = {"right": ([0.31, 1.33, 2.4, 3.42, 4.5], [0.95, 1.97, 2.68, 4.06]), "left": ([0.82, 1.88, 2.93, 3.95], [0.42, 1.47, 2.5, 3.1])}


def write_walk():
    t = np.arange(0, 4.8, 0.01)
    columns = [t]
    for side, (strikes, offs) in INSTANTS.items():
        force = np.zeros(len(t))
        for strike in strikes:  # 20 N at the strike and at the toe-off, on a line between two samples
            end = min([off for off in offs if off > strike], default=9)
            force = np.maximum(force, np.clip(20 + 2000 * np.minimum(t - strike, end - t), 0, 700))
        first = np.clip(20 + 2000 * (offs[0] - t), 0, 700) if offs[0] < strikes[0] else 0
        turn = 2 * np.pi * np.interp(t, strikes, np.arange(len(strikes)))
        columns += [0.4 * np.cos(turn), -0.35 + 0.3 * np.cos(turn + 1.2), 1.5 + 0.2 * np.sin(turn), 0 * t, np.maximum(force, first)]
    names = [f"{side}_{name}" for side in INSTANTS for name in ("thigh", "shank", "foot", "fx", "fy")]
    np.savetxt("walk.csv", np.stack(columns, -1), fmt="%.17g", delimiter=",", header=",".join(["time", *names]), comments="")


def steps(path):
    """By side, every number of the cycles that have it."""
    rows = {row["name"]: row for row in json.load(open(path))["numbers"] if row["joint"] is None}
    for side, other in (("right", "left"), ("left", "right")):
        strikes, offs = (np.array(each) for each in INSTANTS[side])
        found = {}
        inside = np.array(INSTANTS[other][0])
        outside = np.array(INSTANTS[other][1])  # the left at 0.42 s ends a stance of no cycle
        for start, end in zip(strikes[:-1], strikes[1:]):
            off = offs[(offs > start) & (offs < end)][0]
            strike, opposite = inside[(inside > start) & (inside < end)][0], outside[(outside > start) & (outside < off)]
            times = {"stance_time": off - start, "swing_time": end - off, "step_time": end - strike}
            if strike < off:
                times["second_double_support_time"] = off - strike
                if len(opposite) and opposite[0] < strike:
                    times.update(first_double_support_time=opposite[0] - start, single_support_time=strike - opposite[0])
            shares = {name[:-5]: 100 * value / (end - start) for name, value in times.items() if name[:-5] not in ("stance", "step")}
            for name, value in {**times, **shares, "cadence": 120 / (end - start)}.items():
                found.setdefault(name, []).append(value)
        print(side, {name: len(values) for name, values in found.items()})
        assert len(found["first_double_support"]) == 2 and len(found["step_time"]) == len(strikes) - 1, found
        assert len(found) == 11 and 1 <= len(found["first_double_support"]) <= len(found["second_double_support"]) < len(found["swing"]), found
        for name, values in found.items():
            error = abs(rows[name][side]["mean"] - np.mean(values)) / np.mean(values)
            assert error < 1e-11, (side, name, error)
            assert len(values) == 1 or abs(rows[name][side]["sd"] - np.std(values, ddof=1)) < 1e-11 * np.mean(values), (side, name)
    right, left = (rows["step_time"][side]["mean"] for side in INSTANTS)
    assert abs(rows["step_time"]["index"] - 200 * (right - left) / (right + left)) < 1e-11


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
                             ("cycle_min_torque_at", 2), ("cycle_positive_work", 2), ("cycle_negative_work", 2), ("burst_work", 2), ("burst_power", 2), ("burst_power_at", 2)):
                array = group[key][()]
                values[key] = np.broadcast_to(array, (n_run,) + array.shape[array.ndim - own:])
            for part in ("max", "min"):
                angle = values["cycle_angle"]
                at = getattr(angle, f"arg{part}")(-1)
                values[f"cycle_{part}_angle"] = np.take_along_axis(angle, at[..., None], -1)[..., 0]
                values[f"cycle_{part}_angle_at"] = at.astype(float)
            values["stance_time"] = values["cycle_duration"] * values["toe_off"] / 100
            values["swing_time"] = values["cycle_duration"] - values["stance_time"]
            values["swing"], values["cadence"] = 100 - values["toe_off"], 120 / values["cycle_duration"]
            values["bursts"] = [burst.decode() for burst in group["burst"]]
            values["joints"] = [joint.decode() for joint in group["joint"]]
            sides["left" if name.startswith("left") else "right"].append(values)
    return {side: values for side, values in sides.items() if values}


def pooled(arrays, axis):
    """Mean, standard deviations over cycles, trials and runs; cycles along `axis` of each trial, runs first."""
    all_cycles = np.concatenate(arrays, axis)
    mean = np.nanmean(all_cycles, axis)  # NaN: instants of bursts that a cycle has not
    trials = np.stack([np.nanmean(array, axis) for array in arrays])
    n_run = mean.shape[0]
    return {"mean": np.nanmean(mean, 0), "sd": np.nanmean(np.nanstd(all_cycles, axis, ddof=1), 0),
            "sd_trials": np.nanmean(np.nanstd(trials, 0, ddof=1), 0) if len(arrays) > 1 else None,
            "sd_runs": np.nanstd(mean, 0, ddof=1) if n_run > 1 else None, "by_run": mean}


def near(name, found, true):
    if true is None or np.ndim(true) == 0 and np.isnan(true):
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
            burst, _, part = name.partition("_")
            if burst in first["bursts"]:
                dataset = f"burst_{part or 'work'}"
                arrays = [values[dataset][:, first["bursts"].index(burst)] for values in trials]
            elif name.startswith(("step", "single", "first", "second")):
                arrays = [np.full_like(values["toe_off"], np.nan) for values in trials]  # no motion is that of both legs
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
            near((name, "difference"), row["difference"], np.nanmean(differences))
            near((name, "of runs"), row["difference_sd_runs"], np.nanstd(differences, ddof=1) if len(differences) > 1 else None)
            right, left = found["right"]["mean"], found["left"]["mean"]
            has_index = "angle" not in name and not name.endswith("_at") and right * left > 0
            near((name, "index"), row["index"], 200 * (right - left) / abs(right + left) if has_index else None)
    joints = {name[:2]: rows[name, joint]["joint"] for name, joint in rows if name[:2] in first["bursts"]}
    legs = {"H": "thigh", "K": "shank", "A": "foot"}
    assert all(joint == legs[burst[0]] for burst, joint in joints.items()) and len(joints) == 9, joints
    assert seen == len(sides) * (2 + (11 if len(sides) == 2 else 4) + 3 * 10 + 3 * 9), seen
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


# Peaks of the second of two laboratories, M. Pinzone, M. H. Schwartz, P. Thomason, R. Baker, Gait & Posture 40 (2014) 286-290, the
# supplementary workbook, in its signs: deg, N m/kg and W/kg, and the % of the cycle.
PEAKS = {"angle/shank": [(-1, 62.685, 70)], "angle/foot": [(1, 13.341, 44), (-1, 16.101, 62)], "torque/thigh": [(-1, 0.647, 2)],
         "torque/shank": [(1, 0.496, 12)], "torque/foot": [(-1, 1.262, 46)], "power/thigh": [(1, 1.060, 62), (-1, 0.713, 44)],
         "power/shank": [(1, 0.723, 2), (-1, 1.413, 90)], "power/foot": [(1, 3.947, 52), (-1, 0.565, 40)]}


def published(path, script):
    """The shipped norm is drawn; power is moment times angular velocity, which ties signs and units; its peaks are another laboratory's."""
    lines = open(path).read().splitlines()
    names = [name.split(" [")[0] for name in lines[3].split(",")]
    table = dict(zip(names, np.array([line.split(",") for line in lines[4:]], float).T))
    percent = table["percent"]
    assert (percent == np.arange(0, 101, 2)).all()
    data = np.fromfile(f"{script}/data.bin").reshape(9, 101, 7)  # x, one leg, the norm
    for i in range(9):
        name = f"{('angle', 'torque', 'power')[i // 3]}/{('thigh', 'shank', 'foot')[i % 3]}"
        mean, sd = (np.interp(np.arange(101), percent, table[f"{name}/{part}"]) for part in ("mean", "sd"))
        for k, true in ((4, mean), (5, mean - sd), (6, mean + sd)):
            assert np.abs(data[i, :, k] - true).max() < 1e-12 * max(1, np.abs(true).max()), name
        for sign, peak, at in PEAKS.get(name, []):
            curve = sign * (table[f"{name}/mean"] - 90 * (name == "angle/foot"))
            off = (curve.max() - peak) / table[f"{name}/sd"][curve.argmax()]
            print(f"{name}: peak {curve.max():.3f} and {peak}, {off:.2f} sd, at {percent[curve.argmax()]:.0f} and {at} %")
            assert abs(off) < 1.6 and abs(percent[curve.argmax()] - at) <= 4, name
    for joint, least in (("thigh", 0.93), ("shank", 0.99), ("foot", 0.99)):
        product = table[f"torque/{joint}/mean"] * np.gradient(np.radians(table[f"angle/{joint}/mean"]), percent / 100)
        power = table[f"power/{joint}/mean"]
        r, duration = np.corrcoef(product, power)[0, 1], product @ power / (power @ power)
        print(f"{joint}: power is moment times rate of a cycle of {duration:.2f} s, r = {r:.4f}")
        assert r > least and 0.85 < duration < 1.25, joint


mode, *rest = sys.argv[1:]
{"write": write, "check": check, "steps": steps, "norm": norm, "published": published}[mode](*rest)
