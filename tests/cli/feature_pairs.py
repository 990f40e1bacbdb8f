"""Runs small studies whose features are on and off in every combination of three, and compares each with studies
that measure one thing alone.

usage: feature_pairs.py MANYLINK
"""

import itertools
import json
import os
import random
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

STRENGTH = 3
# What is looked at: events, and what the analysis adds. None of it changes the motion; steps by tolerance have the
# error of the state alone, as tangent vectors would have a say.
EVENTS = {
    "strobe": {"name": "beat", "period": "2*pi", "phase": 1},
    "section": {"name": "crossed", "when": "v", "crosses": 0.1},
    "extremes": {"name": "turn", "of": "x", "kind": "either"},
    "attractors": {"name": "settled", "period": "2*pi", "from": "20*pi", "attractors": 1e-2},
}
ANALYSES = {
    "sensitivity": {"sensitivity": {"to": ["system.alpha", "initial.x"]}},
    "tangents": {"lyapunov": {"exponents": 2}},
}
LOOKING = [*EVENTS, *ANALYSES]
# What decides on the motion and on which runs there are.
DECIDING = ["align", "stop", "tolerance", "sample", "zip", "single", "continue", "shards"]
FEATURES = LOOKING + DECIDING
# Those that a study refuses together.
APART = [{"align", "tolerance"}, {"single", "shards"}, {"continue", "sample"}, {"continue", "single"},
         {"continue", "sensitivity"}, *map(set, itertools.combinations(["sample", "zip", "single"], 2))]  # fmt: skip


def is_allowed(row):
    return not any(pair <= row for pair in APART)


def combinations(row):
    """What a row covers: whether each of three features is in it."""
    states = [(feature, feature in row) for feature in FEATURES]
    return set(itertools.combinations(states, STRENGTH))


def covering_rows():
    """Few sets of features that have every combination of three that is allowed, by a greedy choice."""
    rng = random.Random(1)
    pool, missing = [], set()
    for density in (0.3, 0.5, 0.7) * 200:
        row = set()
        for feature in rng.sample(FEATURES, len(FEATURES)):
            if rng.random() < density and is_allowed(row | {feature}):
                row.add(feature)
        pool.append((row, combinations(row)))
        missing |= pool[-1][1]
    rows = []
    while missing:
        row, covered = max(pool, key=lambda candidate: len(candidate[1] & missing))
        rows.append(row)
        missing -= covered
    return rows


def study(row):
    is_continued = "continue" in row
    events = [EVENTS[name] | {"max": 8, "keep": ["state"]} for name in EVENTS if name in row]
    if "align" in row:
        events.append({"name": "wall", "when": "x", "crosses": 0.5, "align": True})
    if "stop" in row:
        events.append({"name": "far", "when": "x", "crosses": 1.3, "direction": "up", "stop": True})
    out = {
        "manylink": 1,
        "system": {"type": "duffing", "delta": 0.3, "gamma": 0.2, "omega": 1},
        "initial": {"x": 1},
        "time": {"step": "pi/32", "end": "40*pi"},
        "accuracy": "off",
        "analyse": {"every": 1},
        "events": events,
    }
    for name in ANALYSES:
        if name in row:
            out["analyse"] |= ANALYSES[name]
    if "tolerance" in row:
        out["integrator"] = {"type": "tsit54", "tolerance": 1e-7, "error_of": "state"}
        out["time"] = {"tick": "pi/8", "end": "40*pi"}
    x = {"set": "initial.x", "from": -2, "to": 2, "count": 17}
    alpha = {"set": "system.alpha", "from": -1.1, "to": -0.9, "count": 4}
    if "sample" in row:
        out["sample"] = {"method": "sobol", "count": 40, "over": [x, alpha]}
        for axis in (x, alpha):
            del axis["count"]
    elif "zip" in row:
        both = {"set": ["system.alpha", "system.delta"], "values": [[-1.1, 0.3], [-1, 0.25], [-0.9, 0.2]]}
        out["sweep"] = [x, both]
    elif "single" not in row:
        out["sweep"] = [x, alpha]
    if is_continued:
        out["sweep"][-1]["continue"] = "both"
    return out


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
    return done


def run(row):
    """The path of the result of a study with these features."""
    name = "-".join(feature for feature in FEATURES if feature in row) or "plain"
    if os.path.exists(f"{name}.h5"):
        return f"{name}.h5"
    with open(f"{name}.yaml", "w") as file:
        json.dump(study(row), file)
    manylink = [sys.argv[1], "run", f"{name}.yaml", "--threads", "1", "-q"]
    if "shards" in row:
        parts = [f"{name}.{i}.h5" for i in range(2)]
        for i, part in enumerate(parts):
            call(*manylink, "--shard", f"{i}/2", "-o", part)
        call(sys.argv[1], "merge", *parts, "-o", f"{name}.h5", "-q")
    else:
        call(*manylink, "-o", f"{name}.h5")
    return f"{name}.h5"


def numbers(path):
    """All numbers of the summary, of the runs and of the attractors, by their place."""
    out = {}

    def visit(place, item):
        if isinstance(item, h5py.Group):
            for name, child in item.items():
                if name != "plots":
                    visit(f"{place}/{name}", child)
        elif item.dtype.kind in "fiu":
            out[place] = item[()]

    with h5py.File(path) as file:
        for group in ("summary", "runs", "attractors"):
            if group in file["study"]:
                visit(group, file[f"study/{group}"])
    return out


def others(row, rng):
    """Two studies that measure half of it each, as one computation."""
    # Of a sensitivity events have derivatives too; with tangent vectors steps are short around an event that aligns,
    # and labels tell chaos by their exponents.
    has_exponents = row & {"align", "attractors"}
    together = row & {*DECIDING, *(ANALYSES if has_exponents else ["sensitivity"])} - {"shards"}
    apart = [name for name in LOOKING if name in row - together]
    rng.shuffle(apart)
    return [together | set(apart[i::2]) for i in range(2)]


rows = covering_rows()
rng = random.Random(1)
n_compared = 0
for row in rows:
    path = run(row)
    call(sys.argv[1], "verify", path, "--runs", "1000", "--threads", "1")
    whole = numbers(path)
    for other in others(row, rng):
        for name, values in numbers(run(other)).items():
            n_compared += 1
            assert name in whole, (row, name)
            assert np.array_equal(values, whole[name], equal_nan=True), (row, other, name)
    if "attractors" in row:
        labels = whole["summary/settled_attractor"]
        assert np.isfinite(labels).all() and (labels >= 0).all(), (row, labels)
print(f"{len(rows)} studies, {n_compared} datasets compared")
