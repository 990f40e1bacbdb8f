"""Runs the YAML of a page: whole studies as they stand, parts of one beside the keys that they leave out.

usage: blocks.py MANYLINK PAGE...

Parts that show several ways in one block are cut into these. A block fails if the program refuses it, or prints a
warning whose first words the page does not have.
"""
import math
import pathlib
import re
import subprocess
import sys

import yaml

CHAIN = """
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
initial: {angle: {upper: 1, lower: 0}}
time: {step: 1e-3, end: 1}
"""
ARM = CHAIN.replace("upper", "shoulder").replace("lower", "elbow")
MOTION = """
motion: {type: minimum_jerk, start: {angle: [0, 0]}, end: {angle: [1, 1]}, duration: 2}
"""
STEPS = """
motion: {file: swings.csv}
forces: [{name: plate, type: load, segment: lower, at: 0, file: steps.csv, force: [fx, fy]}]
"""
BALL = """
system: {type: equations, parameters: {g: 9.8, e: 0.5}, state: {y: 8, v: 0}, rates: {y: v, v: lift(t) - g}}
tables: {lift: {file: lift.csv, x: t, y: lift}}
integrator: {type: dop853, tolerance: 1e-10}
time: {end: 8}
"""
LEG = """
system: {type: chain, angles: joint, segments: [{name: thigh, length: 0.41, mass: 8.6}, {name: shank, length: 0.40, mass: 3.4}]}
"""
HELD = CHAIN + """
forces: [{name: hold, type: pid, joint: lower, target: 0.5, kp: 20, kd: 2}]
analyse: {tracking: {}, margins: {}}
"""
# The keys that the parts of a page leave out, in their order. A list of texts: one for each top-level line or list
# entry, which are then studies of their own; None: the text stands for a file that the page says is the reader's.
BASES = {
    "body": [
        CHAIN.replace("angle: {upper: 1, lower: 0}", "angle: [1, 0, 0]"),
        "system: {type: chain, body: {mass: 70, height: 1.70, table: winter, segments: [thigh, shank]}}\n"
        "time: {step: 1e-3, end: 0.1}\n",
    ],
    "equations": ["time: {step: 0.01, end: 1}"],
    "events": [
        CHAIN.replace("end: 1}", "end: 30}"),
        [ARM, "system: {type: four_mass_runner}\ntime: {step: 1e-4, end: 0.1}"],
        ["system: {type: equations, parameters: {e: 0.9, g: 9.8}, state: {height: 1, rate: 0}, rates: {height: rate, rate: -g}}\n"
         "time: {step: 1e-3, end: 1}",
         "system: {type: equations, parameters: {k: 1}, state: {p: 0.1, theta: 1}, rates: {p: 0, theta: p}}\n"
         "time: {step: 1e-2, end: 5}"],
        ARM.replace("shoulder", "arm"),
        BALL,
        BALL.replace(BALL.split("\n")[1], "system:\n  type: equations\n  parameters: {g: 9.8, e: 0.5}\n%s"),
        "system: {type: duffing}\ntime: {step: pi/100, end: 500*pi}\nsweep: [{set: initial.x, from: -1, to: 1, count: 8}]",
    ],
    "fit": [
        CHAIN + "forces: [{name: hinge, type: damper, joint: upper, coefficient: 0.05}]\n",
        CHAIN,
        CHAIN.replace("1e-3", "5e-3") + "sample: {method: sobol, count: 1, over: [{set: system.segments.lower.mass, from: 0.1, to: 9}]}\n",
        CHAIN,
        CHAIN.replace("1e-3", "0.05") + "sample: {method: sobol, count: 1, over: [{set: system.segments.lower.mass, from: 0.1, to: 9}]}\n",
        CHAIN + "forces: [{name: bearing, type: damper, joint: upper, coefficient: 0.05}, "
        "{name: hinge, type: damper, joint: lower, coefficient: 0.05}]\n",
        "system: {type: chain, segments: [{name: shoulder, length: 1, mass: 1}, {name: elbow, length: 0.5, mass: 1}]}\n"
        "sample: {method: sobol, count: 16, over: [{set: system.segments.elbow.mass, from: 0.5, to: 2}]}\n",
    ],
    "forces": [
        [ARM + "forces: [{name: hold, type: pid, joint: elbow, kp: 20, kd: 2, %s}]\n",
         ARM + "forces: [{type: torque, joint: elbow, %s}]\n",
         ARM + "forces: [{type: torque, joint: elbow, %s}]\n",
         ARM + "forces: [{type: load, segment: elbow, at: 0.2, %s}]\n"],
        "system: {type: chain, segments: [{name: heel, length: 1, mass: 1}, {name: foot, length: 0.4, mass: 3}, "
        "{name: hand, length: 0.2, mass: 1}]}\ntime: {step: 1e-3, end: 0.5}\n",
    ],
    "indicators": [
        CHAIN.replace("step: 1e-3, end: 1}", "end: 20}") + "integrator: {type: tp86, tolerance: 1e-9}\n",
        CHAIN.replace("initial: {angle: {upper: 1, lower: 0}}\n", ""),
        CHAIN.replace("initial: {angle: {upper: 1, lower: 0}}\n", ""),
    ],
    "inverse": [[LEG.replace("angles: joint, ", ""), LEG.replace("angles: joint, ", "")], "", CHAIN + MOTION, CHAIN + MOTION,
                CHAIN + MOTION, CHAIN + STEPS],
    "mass_spring_damper": ["time: {step: 1e-3, end: 1}"],
    "mechanisms": [
        "system:\n  type: equations\n%s\ntime: {step: 1e-2, end: 5}",
        "system:\n  type: equations\n  parameters: {m1: 1, m2: 1, l1: 1, l2: 0.5, g: 9.81}\n%s\ntime: {step: 1e-3, end: 1}",
    ],
    "plugins": [None],
    "sampling": [
        HELD.replace("end: 1}", "end: 10}") + "sample: {method: sobol, count: 16, over: [{set: forces.hold.kp, from: 10, to: 30}]}\n",
        CHAIN, CHAIN, CHAIN, HELD,
    ],
    "tune": [(pathlib.Path(__file__).parents[2] / "studies/tune_pid.yaml").read_text().replace("manylink: 1\n", "")],
    "study": [CHAIN, "", "system: {type: duffing}\ntime: {steps: 2000, end: 200}\n"],
}


def rows(name, columns, of, header=","):
    """A table of 201 rows: `of` gives the numbers at the time t."""
    lines = [header.join(columns)] + [header.join(f"{x:.9g}" for x in of(i / 100)) for i in range(201)]
    pathlib.Path(name).write_text("\n".join(lines) + "\n")


def make_files():
    """Files that the pages call the reader's own."""
    rows("wing.csv", ["alpha (deg)", "cl"], lambda t: (90 * t - 90, math.sin(2 * math.radians(90 * t - 90))))
    rows("lift.csv", ["t", "lift"], lambda t: (5 * t, 3 * t))
    rows("measured.csv", ["time", "theta_1", "theta_2"], lambda t: (t / 2, math.cos(t), math.sin(t)))
    rows("measured_2.csv", ["time", "theta_1"], lambda t: (t / 2, 0.5 * math.cos(t)))
    rows("torques.csv", ["time", "elbow", "m1", "m2", "plate_fy"], lambda t: (t, math.sin(t), 20 + t, 5 + t, 20))
    rows("angles.csv", ["time", "angle/shoulder", "angle/elbow"], lambda t: (t, 0.3 * math.sin(2 * t), 0.2 * math.sin(3 * t)))
    rows("plate.csv", ["time", "fx", "fy", "px", "py", "mz"], lambda t: (t, 10 * math.sin(t), 700 + 50 * math.sin(t), 0.1, 0, 0))
    rows("swings.csv", ["time", "angle/upper", "angle/lower"], lambda t: (t, 0.3 * math.sin(12 * t), 0.2 * math.sin(12 * t)))
    rows("steps.csv", ["time", "fx", "fy"], lambda t: (t, 0, max(0, 700 * math.sin(12 * t))))
    rows("plate_2.csv", ["time", "fx", "fy", "cop_x"], lambda t: (t, 0.01, 1, 100 + t))
    pathlib.Path("points.csv").write_text("initial.angle.upper (deg),forces.hold.kp\n10,20\n20,30\n")
    names = ["time", "pelvis_tilt", "hip_flexion_r", "knee_angle_r", "ankle_angle_r", "pelvis_tx", "pelvis_ty"]
    for name in ("walk.mot", "ik.mot"):
        rows("body", names, lambda t: (t, 2 * math.sin(t), 5 * math.sin(3 * t), -5 - 5 * math.sin(3 * t), 2 * math.sin(3 * t), 0, 0.9), "\t")
        pathlib.Path(name).write_text("Coordinates\nversion=1\nnRows=201\nnColumns=7\ninDegrees=yes\nendheader\n" + pathlib.Path("body").read_text())
    plate = ["time"] + ["R_ground_force_" + c for c in ("vx", "vy", "vz", "px", "py", "pz")]
    rows("body", plate, lambda t: (t, 20 * math.sin(t), 600, 0, 0.1, 0, 0), "\t")
    pathlib.Path("grf.mot").write_text("grf\nversion=1\nnRows=201\nnColumns=7\ninDegrees=yes\nendheader\n" + pathlib.Path("body").read_text())
    markers = ["R.GTR", "R.Knee", "R.Ankle"]
    head = ["PathFileType\t4\t(X/Y/Z)\twalk.trc", "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
            "100\t100\t201\t3\tmm\t100\t1\t201", "Frame#\tTime\t" + "\t\t\t".join(markers), "\t\t" + "\t".join(f"{c}{i}" for i in (1, 2, 3) for c in "XYZ"), ""]
    for i in range(201):
        hip, knee = 0.3 * math.sin(i / 30), 0.2 + 0.2 * math.sin(i / 20)
        at = [(0, 900), (410 * math.sin(hip), 900 - 410 * math.cos(hip))]
        at.append((at[1][0] - 400 * math.sin(knee), at[1][1] - 400 * math.cos(knee)))
        head.append(f"{i + 1}\t{i / 100:g}\t" + "\t".join(f"{x:.4f}\t{y:.4f}\t0" for x, y in at))
    pathlib.Path("walk.trc").write_text("\n".join(head) + "\n")


def beside(base, part):
    """The part in the place that the base has for it, or with the keys of the base that it lacks."""
    if "%s" in base:
        return base % (part if part.startswith(" ") else part.split(" #")[0].rstrip())
    own = set(yaml.safe_load(part))
    return part + "".join(block for block in re.split(r"^(?=\w)", base.lstrip(), flags=re.M) if block.split(":")[0] not in own)


def ways(block):
    """The ways of doing a thing that a block lists, as parts of their own."""
    lines = re.split(r"^(?=  - |\w)", block, flags=re.M)[1:]
    return ["events:\n" + line for line in lines[1:]] if lines[0] == "events:\n" else lines


def studies(page, text):
    """(name, study) of all blocks, but those that need what the reader has made."""
    parts = 0
    for n, block in enumerate(re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S), 1):
        if re.search(r"^manylink: 1", block, re.M):
            yield f"{page}-{n}", block
            continue
        base = BASES[page][parts]
        parts += 1
        for i, (under, part) in enumerate(zip(base, ways(block), strict=True) if isinstance(base, list) else [(base, block)], 1):
            if under is not None:
                yield f"{page}-{n}-{i}", "manylink: 1\n" + beside(under, part)
    if parts != len(BASES.get(page, [])):
        sys.exit(f"{page} has {parts} parts of studies, and blocks.py knows of {len(BASES.get(page, []))}")


def main():
    make_files()
    command, bad = sys.argv[1], 0
    pendulum = pathlib.Path(__file__).parents[2] / "studies/fit_pendulum.yaml"
    subprocess.run([command, "fit", pendulum, "--set", "sample.count=1", "-o", "pendulum_fit.h5"], check=True, stdout=subprocess.DEVNULL)
    for path in map(pathlib.Path, sys.argv[2:]):
        text = path.read_text()
        for name, study in studies(path.stem, text):
            pathlib.Path(name + ".yaml").write_text(study)
            verb = next((verb for key, verb in (("fit", "fit"), ("motion", "inverse"), ("tune", "tune")) if re.search(f"^{key}:", study, re.M)), "run")
            more = ["--set", "tune.points=80", "--set", "tune.starts=1"] if verb == "tune" else ["-o", name + ".h5"]
            done = subprocess.run([command, verb, name + ".yaml", *more], capture_output=True, text=True)
            warnings = [line for line in done.stderr.split("\n") if "warning:" in line
                        and " ".join(line.split("warning: ")[1].split()[:3]).rstrip(":") not in text]
            if done.returncode not in (0,) or warnings:
                bad += 1
                print(f"{path} {name}.yaml: exit code {done.returncode}: {done.stderr}", file=sys.stderr)
    sys.exit(1 if bad else 0)


main()
