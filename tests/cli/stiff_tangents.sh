# label: values
# Tangent vectors of the linearly implicit method: derivatives of whole runs by differences, those of an
# explicit method where a joint is at its limit, and exponents whose sum is known.
. "$SOURCE/tests/check.sh"
need python3

# A damper that decays in fractions of a step. With this tolerance all steps are of 0.01 s, whatever the
# parameter, so that differences of runs are those of one map.
cat >damped.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
initial: {angle: {a: 1, b: -0.5}, rate: {a: 0.3}}
forces: [{name: damp, type: damper, joint: b, coefficient: 3000}]
time: {end: 2, tick: 2}
integrator: {type: rodas4, tolerance: 1, first_step: 0.01, step_max: 0.01}
analyse: {sensitivity: {of: [end_state], to: [forces.damp.coefficient, system.segments.b.mass, initial.angle.a]}}
END
cat >limited.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]}
initial: {angle: {a: 1, b: -0.5}, rate: {a: 0.3}}
forces:
  - {name: stop, type: joint_limit, joint: b, lower: -0.2, upper: 0.2, stiffness: 5000, damping: 3}
  - {name: damp, type: damper, joint: b, coefficient: 300}
  - {name: drive, type: torque, joint: a, value: {type: sine, amplitude: 2, frequency: 0.7}}
time: {end: 2, tick: 2}
integrator: {type: rodas4, tolerance: 1e-9}
analyse:
  sensitivity:
    of: [end_state]
    to: [forces.stop.stiffness, system.segments.b.mass, initial.angle.a, forces.drive.value.amplitude,
      forces.drive.value.frequency]
END
cat >lorenz.yaml <<'END'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 2, z: 20}
time: {end: 200, tick: 0.1}
integrator: {type: rodas4, tolerance: 1e-8}
analyse: {lyapunov: {exponents: all, transient: 20}}
END
cat >derivatives.py <<'END'
import csv
import subprocess
import sys

manylink = sys.argv[1]


def run(study, *sets):
    options = [word for one in sets for word in ("--set", one)]
    subprocess.run([manylink, "run", study, "-o", "one.h5", "--restart", "--quiet", *options], check=True, stderr=subprocess.DEVNULL)
    text = subprocess.run([manylink, "table", "one.h5"], check=True, capture_output=True, text=True).stdout
    (row,) = csv.DictReader(text.splitlines())
    return {key.split(" ")[0]: value for key, value in row.items()}


def main():
    own = run("damped.yaml")
    assert own["steps"] == "200" and own["rejected_steps"] == "0", own
    for path, value in (("forces.damp.coefficient", 3000.0), ("system.segments.b.mass", 2.0), ("initial.angle.a", 1.0)):
        h = 1e-3 * value
        far = {k: run("damped.yaml", f"{path}={value + k * h!r}") for k in (-2, -1, 1, 2)}
        for state in ("angle.a", "angle.b", "rate.a", "rate.b"):
            x = {k: float(far[k][f"end_{state}"]) for k in far}
            difference = value * (8 * (x[1] - x[-1]) - (x[2] - x[-2])) / (12 * h) # of the relative change
            error = abs(value * float(own[f"sensitivity.{state}.{path}"]) - difference)
            print(f"{state} by {path}: {difference:.6e}, error {error:.1e}")
            assert error < 1e-8, (state, path)

    implicit, explicit = run("limited.yaml"), run("limited.yaml", "integrator.type=tp86")
    assert float(implicit["end_angle.b"]) - float(implicit["end_angle.a"]) < -0.2, "not at its limit"
    names = [key for key in implicit if key.startswith("sensitivity.")]
    assert len(names) == 20, names
    for name in names:
        error = abs(float(implicit[name]) - float(explicit[name]))
        print(f"{name}: {explicit[name]}, error {error:.1e}")
        assert error < 2e-8, name

    # The trace of Lorenz' Jacobian is -(sigma + 1 + beta); the largest exponent is that of Sprott, Chaos and
    # Time-Series Analysis, 2003.
    exponents = run("lorenz.yaml")
    spectrum = [float(exponents[f"lyapunov_spectrum.{k}"]) for k in (1, 2, 3)]
    print(spectrum)
    assert abs(sum(spectrum) + 10 + 1 + 8 / 3) < 1e-6, sum(spectrum)
    assert abs(spectrum[0] - 0.9056) < float(exponents["lyapunov_error.1"]), spectrum


if __name__ == "__main__":
    main()
END
python3 derivatives.py "$MANYLINK"

# Within the distance of the differences from where a force bends, the derivatives are those of the side that
# the motion is on: free of the limit, or with a spring that pulls on both sides.
for case in 'free 0.499997 -0.1 []' \
    'near 0.499997 -0.1 [{name: stop, type: joint_limit, joint: a, lower: -1, upper: 0.5, stiffness: 5000, damping: 0}]' \
    'held 0.500003 0.1 [{name: stop, type: joint_limit, joint: a, lower: -1, upper: 0.5, stiffness: 5000, damping: 0}]' \
    'sprung 0.500003 0.1 [{name: stop, type: pid, joint: a, kp: 5000, target: 0.5}]'; do
    IFS=' ' read -r name angle rate forces <<CASE
$case
CASE
    cat >"$name.yaml" <<END
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
initial: {angle: {a: $angle}, rate: {a: $rate}}
forces: $forces
time: {end: 0.01, tick: 0.01}
integrator: {type: rodas4, tolerance: 1, first_step: 0.01, step_max: 0.01}
analyse: {sensitivity: {of: [end_state], to: [initial.angle.a, initial.rate.a, system.segments.a.mass]}}
END
done
python3 - "$MANYLINK" <<'END'
import sys
from derivatives import run

for name, other in (("near", "free"), ("held", "sprung")):
    own, wanted = run(f"{name}.yaml"), run(f"{other}.yaml")
    names = [key for key in own if key.startswith("sensitivity.")]
    assert len(names) == 6, names
    for key in names:
        error = abs(float(own[key]) - float(wanted[key]))
        print(f"{name}, {key}: {wanted[key]}, error {error:.1e}")
        assert error < 1e-9 * (1 + abs(float(wanted[key]))), (name, key)
END

first=
for isa in $(instruction_sets); do
    expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run limited.yaml -o isa.h5 --restart
    expect 0 "$MANYLINK" table isa.h5
    mv out "$isa.csv"
    first=${first:-$isa}
    cmp "$isa.csv" "$first.csv"
done
