"""What the tests of published values share: a study from a dict, and the summary of its result."""

import json
import subprocess
import sys

import h5py
import numpy as np
import yaml


def run(name, study, code=0):
    """The datasets of the summary of a study, and the numbers that it sweeps, by name."""
    with open(f"{name}.yaml", "w") as to:
        yaml.safe_dump({"manylink": 1, "accuracy": "off", **study}, to, sort_keys=False, width=500)
    done = subprocess.run([sys.argv[1], "run", f"{name}.yaml"], capture_output=True, text=True)
    assert done.returncode == code, (name, done.stdout, done.stderr)
    with h5py.File(f"{name}.h5") as f:
        groups = [f["study/runs"], f["study/summary"]]
        return {key: value[...] for group in groups for key, value in group.items() if isinstance(value, h5py.Dataset)}


def evaluate(name):
    """What is computed where the first run starts."""
    return json.loads(subprocess.run([sys.argv[1], "evaluate", f"{name}.yaml", "--json"], capture_output=True, check=True).stdout)


def near(what, found, known, tolerance):
    worst = np.max(np.abs(np.asarray(found) - known))
    print(f"{what}: {worst:.1e} of {tolerance:.1e}")
    assert worst <= tolerance, (what, found, known)


def sweep(key, values):
    return {"set": key, "values": [float(value) for value in values]}
