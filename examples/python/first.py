"""How chaotic is a double pendulum that is let go at rest, and what does it do there?

Run it, or open it as a notebook (cells begin with # %%): PYTHONPATH=python python3 examples/python/first.py
"""
# %% A study: the same keys as in a study file
import numpy as np

import manylink

study = {
    "manylink": 1,
    "title": "Double pendulum let go at rest",
    "system": {"type": "chain", "segments": [{"name": "upper", "length": 1.0, "mass": 1.0},
                                             {"name": "lower", "length": 1.0, "mass": 1.0}]},
    "time": {"step": 5e-3, "end": 50},  # s
    "sweep": [{"set": f"initial.angle.{name}", "values": np.linspace(-3.1, 3.1, 96)}  # rad
              for name in ("upper", "lower")],
    "analyse": {"lyapunov": {"exponents": 1, "transient": 10}},
}
plan = manylink.plan(study)
print(f"{plan.runs} runs of {plan.time.steps} steps: about {plan.speed.seconds:.1f} s on {plan.room.n_thread} threads")

# %% Run it: everything that was measured, over the two angles
summary = manylink.run(study)  # with output="first.h5" it is kept, and Ctrl-C can be gone on from
print(summary.lyapunov_max)

# %% One run of it again, with its motion: the same bits
upper, lower = "initial.angle.upper", "initial.angle.lower"
places = [{upper: 1.0, lower: 1.0}, {upper: 2.5, lower: 0.5}]
runs = [summary.sel(place, method="nearest") for place in places]
motions = [manylink.trajectory(summary, run.run, every=2, quantities=["end_position"])
           for run in runs]

# %% Its first moments: M q'' = C + G, and how gravity changes the rates
start = manylink.evaluate(study, run=int(runs[1].run), params=["system.gravity"])
print("M =", start.M, start.mass_unit, "\nq'' =", start.qdd, "rad/s^2")
print("d q'' / d gravity =", start.rates_by_param[2:, 0])

# %% The picture
try:
    import matplotlib.pyplot as plt
except ImportError:
    raise SystemExit("there is no matplotlib to draw it with")
plt.rc("axes", titlesize="medium")
figure, (left, *right) = plt.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
summary.lyapunov_max.plot(ax=left, x=upper, y=lower, vmin=0, cmap="inferno",
                          extend="neither", cbar_kwargs={"label": "largest Lyapunov exponent (1/s)"})
left.set(title=study["title"], aspect="equal", xlabel="upper angle (rad)", ylabel="lower angle (rad)")
for axes, run, motion, mark in zip(right, runs, motions, "os"):
    tip = motion.end_position.sel(segment="lower", time=slice(0, 15))
    axes.plot(tip.sel(coordinate="x"), tip.sel(coordinate="y"), lw=0.6)
    axes.set(title=f"its tip for 15 s from {run[upper]:.2f}, {run[lower]:.2f} rad: "
                   f"{run.lyapunov_max:.2f} 1/s", aspect="equal", xlim=(-2.1, 2.1), ylim=(-2.1, 2.1),
             xlabel="x (m)", ylabel="y (m)")
    left.plot(run[upper], run[lower], mark, mfc="none", mec="cyan")
    axes.plot(0, 0, mark, mfc="none", mec="black")
figure.savefig("first.png", dpi=110)
print("first.png")
