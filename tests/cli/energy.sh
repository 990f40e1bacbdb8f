# label: values
# Starts of a given energy: of every system that has one, as it is recorded, with its derivatives.
. "$SOURCE/tests/check.sh"
need_python

"$CC" -std=c17 -O2 -ffp-contract=off -shared -fPIC -I"$SOURCE/include" \
    -o cart_pole.so "$SOURCE/examples/cart_pole/cart_pole.c" -lm

# study NAME SYSTEM INITIAL ENERGIES PARAMETERS STATE [MORE]
study()
{
    cat >"$1.yaml" <<YAML
manylink: 1
system: {$2}
initial: {$3}
time: {step: 1e-4, end: 1e-3}
sweep: [{set: initial.energy, values: [$4]}]
analyse: {sensitivity: {of: trajectory, to: [initial.energy, $5]}}
save: {trajectory: {every: 10, quantities: [$6, energy]}}
${7-}
YAML
}

study henon_heiles "type: henon_heiles" "x: 0.1, y: 0.2, px: 0.5, py: 0.15" "1/12, 1/8, 0.001" \
    "initial.x, initial.y, initial.px, initial.py" "x, y, px, py"
study negative "type: henon_heiles" "x: 0.1, y: 0.2, px: -7, py: 0.15" "1/12, 1/8, 0.001" "initial.x" \
    "x, y, px, py"
study duffing "type: duffing, alpha: -0.8" "x: 0.7, v: -1" "1, 2, -9" \
    "initial.x, system.alpha, system.beta" "x, v"
study runner "type: four_mass_runner" "x1: 0.01, x2: 0.02, x3: 0.03, v1: 0.96, v2: 1, v3: 2" \
    "40, 70, -200" "initial.v1, system.m1, system.k1" "x1, x2, x3, x4, v1, v2, v3, v4"
study springs "type: mass_spring_damper, mass: [[2, 0.1], [0.1, 1]], stiffness: [[30, -10], [-10, 20]],
  force: [1, 0]" "position: [0.2, -0.1], velocity: [1, 2]" "4, 9, -3" \
    "initial.position.1, initial.velocity.2, system.mass.1.1, system.stiffness.1.2" \
    "position, velocity"
study chain "type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]" \
    "angle: [0.3, 0.9], rate: [1, -0.5]" "15, 30, -40" \
    "initial.rate.a, system.segments.a.length, forces.rope.stiffness" \
    "angle, rate" "forces: [{name: rope, type: spring, segment: b, at: 0.5, anchor: [1, 1], stiffness: 20, rest_length: 0.3}]"
study plugin "type: plugin, file: cart_pole.so" "angle: 0.3, x_rate: 1, angle_rate: 2" \
    "5, 9, -99" "initial.angle, initial.angle_rate, system.cart_mass" "angle, x, angle_rate, x_rate"

for name in henon_heiles negative duffing runner springs chain plugin; do
    expect 3 "$MANYLINK" run $name.yaml
    says out "2 finished, 1 impossible_start"
done
# The number that an energy finds, not given: only its sign counts.
for type in henon_heiles duffing; do
    cat >sign.yaml <<YAML
manylink: 1
system: {type: $type}
initial: {x: 0.7, energy: 1}
time: {step: 0.01, end: 1}
YAML
    expect 0 "$MANYLINK" evaluate sign.yaml --check-derivatives
done
expect 2 "$MANYLINK" plan henon_heiles.yaml --set system.type=lorenz
says err "unknown key"

"$PYTHON" - <<'END'
import os
import subprocess
import sys

import h5py
import numpy

# What the derivatives are by, and its value.
BASE = {
    "henon_heiles": {"initial.x": 0.1, "initial.y": 0.2, "initial.px": 0.5, "initial.py": 0.15},
    "negative": {"initial.x": 0.1},
    "duffing": {"initial.x": 0.7, "system.alpha": -0.8, "system.beta": 1.0},
    "runner": {"initial.v1": 0.96, "system.m1": 6.15, "system.k1": 6e3},
    "springs": {
        "initial.position.1": 0.2,
        "initial.velocity.2": 2.0,
        "system.mass.1.1": 2.0,
        "system.stiffness.1.2": -10.0,
    },
    "chain": {
        "initial.rate.a": 1.0,
        "system.segments.a.length": 1.0,
        "forces.rope.stiffness": 20.0,
    },
    "plugin": {"initial.angle": 0.3, "initial.angle_rate": 2.0, "system.cart_mass": 1.0},
}
ENERGY = {
    "henon_heiles": (1 / 12, 1 / 8),
    "negative": (1 / 12, 1 / 8),
    "duffing": (1, 2),
    "runner": (40, 70),
    "springs": (4, 9),
    "chain": (15, 30),
    "plugin": (5, 9),
}


def state_of(group):
    """State at the start, [run, number], in the order of the derivatives."""
    columns = []
    for label in group["sensitivity"].dims[1]["output"].asstr()[:]:
        name, _, part = label.partition(".")
        if part:
            scale = group[name].dims[1][0].asstr()[:].tolist()
            columns.append(group[name][:, scale.index(part), 0])
        else:
            columns.append(group[name][:, 0])
    return numpy.array(columns).T


def start(name, *settings):
    """State, its derivatives [run, number, parameter] and energy at the start, of two energies."""
    command = [os.environ["MANYLINK"], "run", f"{name}.yaml", "-o", "moved.h5", "--restart", "-q"]
    for setting in settings:
        command += ["--set", setting]
    code = subprocess.run(command).returncode
    assert code == 3, (name, settings, code)
    with h5py.File("moved.h5") as file:
        group = file["study/trajectories"]
        slopes = group["sensitivity"][:2, :, :, 0]
        return state_of(group)[:2], slopes, group["energy"][:2, 0]


def moved(name, path, value, change):
    if path == "initial.energy":
        energies = ", ".join(repr(e + change) for e in ENERGY[name])
        return start(name, f"sweep=[{{set: initial.energy, values: [{energies}, -1e4]}}]")[0]
    if path.startswith("system.mass.") or path.startswith("system.stiffness."):
        array = path.split(".")[1]
        matrix = [[2, 0.1], [0.1, 1]] if array == "mass" else [[30, -10], [-10, 20]]
        row, column = (int(i) - 1 for i in path.split(".")[2:])
        matrix[row][column] = value + change
        return start(name, f"system.{array}={matrix}")[0]
    return start(name, f"{path}={value + change!r}")[0]


worst_energy = worst_slope = 0.0
for name, energies in ENERGY.items():
    state, slopes, energy = start(name)
    worst_energy = max(worst_energy, numpy.abs(energy / energies - 1).max())
    paths = ["initial.energy", *BASE[name]]
    for p, path in enumerate(paths):
        value = BASE[name].get(path, 1.0)
        h = 1e-5 * max(abs(value), 0.1)
        found = (moved(name, path, value, h) - moved(name, path, value, -h)) / (2 * h)
        scale = max(numpy.abs(found).max(), 1e-3 * numpy.abs(state).max())
        error = numpy.abs(found - slopes[:, :, p]).max() / scale
        worst_slope = max(worst_slope, error)
        assert error < 1e-8, (name, path, found, slopes[:, :, p])
print("energies err by", worst_energy, "and derivatives by", worst_slope)
assert worst_energy < 4e-15

# In numbers: px of x, y, py and H; only its sign is given, and v of a duffing too.
for name, sign in (("henon_heiles", 1), ("negative", -1)):
    x, y, py = 0.1, 0.2, 0.15
    rest = py**2 + x**2 + y**2 + 2 * x**2 * y - 2 * y**3 / 3
    for e, px in zip(ENERGY[name], start(name)[0][:, 2]):
        assert abs(px - sign * (2 * e - rest) ** 0.5) < 1e-15, (name, px)
for e, v in zip(ENERGY["duffing"], start("duffing")[0][:, 1]):
    assert abs(v + (2 * e + 0.8 * 0.49 - 0.49**2 / 2) ** 0.5) < 1e-15, v
END
