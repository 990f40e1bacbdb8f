# label: values
# Forces that follow signals, by components: a point force, gravity over time, a drive of masses and springs.
# States against SciPy's DOP853 from jump to jump with equations of their own, and against closed forms;
# derivatives against differences; kernels, shards and single runs change no bit.
. "$SOURCE/tests/check.sh"
need_python

printf '%s\n' time,a 0,0 0.213,2.4 0.5,-1 0.77,1.7 1,1.2 >table.csv
cat >push.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: upper, length: 0.9, mass: 1.3}, {name: lower, length: 0.6, mass: 0.7, com: 0.25, inertia: 0.03}]
forces:
  - name: push
    type: point_force
    segment: lower
    at: 0.45
    force: [{type: sine, mean: 1, amplitude: 3, frequency: 1.7, phase: 0.2}, {type: pulse, amplitude: 5, onset: 0.3, duration: 0.21}]
  - {name: pull, type: point_force, segment: upper, at: 0.7, force: [-1, {type: table, file: table.csv, scale: 2}]}
  - {name: damp, type: damper, joint: lower, coefficient: 0.1}
initial: {angle: {upper: 0.4, lower: -0.7}}
time: {step: 5e-3, end: 1}
integrator: dop853
sweep:
  - {set: forces.push.force.x.amplitude, values: [3, 0, -2]}
  - {set: forces.push.force.y.onset, values: [0.3, 0.1234]}
END
sed '/^  - {name: push/,/^    force/d; /^  - name: push/,/^    force/d
     s/^  - {name: pull.*/  - {name: field, type: gravity, acceleration: [{type: table, file: table.csv, scale: 3}, {type: sine, amplitude: 40, frequency: 9}]}/
     s/forces.push.force.x.amplitude/forces.field.acceleration.y.amplitude/; s/values: \[3, 0, -2\]/values: [40, 0, -20]/
     s/forces.push.force.y.onset, values: .*\]/forces.field.acceleration.x.scale, values: [3, 1]/' push.yaml >field.yaml
cat >road.yaml <<'END'
manylink: 1
system:
  type: mass_spring_damper
  names: [wheel, body]
  mass: [[40, 3], [3, 300]]
  damping: {wheel: {wheel: 1400, body: -1300}, body: {wheel: -1300, body: 1350}}
  stiffness: {wheel: {wheel: 170000, body: -16000}, body: {wheel: -16000, body: 16000}}
  force: [0, -10]
forces:
  - {name: bump, type: drive, dof: wheel, force: {type: pulse, amplitude: 5000, onset: 0.2, duration: 0.0777}}
  - {name: motor, type: drive, dof: body, force: {type: sine, amplitude: 100, frequency: 3}}
  - {name: load, type: drive, dof: body, force: {type: table, file: table.csv, scale: 50}}
time: {step: 2e-3, end: 1}
integrator: dop853
sweep:
  - {set: forces.bump.force.amplitude, values: [5000, 0, 1000]}
  - {set: forces.bump.force.duration, values: [0.0777, 0.3]}
END
derive()
{
    sed "/^sweep/,\$d" "$1.yaml"
    echo "analyse: {sensitivity: {of: end_state, to: [$2]}}"
}
derive push "forces.push.force.x.amplitude, forces.push.force.x.frequency, forces.push.force.y.amplitude, forces.pull.force.y.scale, forces.pull.force.x, forces.push.at, system.segments.upper.mass" >push-derived.yaml
derive field "forces.field.acceleration.y.amplitude, forces.field.acceleration.y.phase, forces.field.acceleration.x.scale, system.segments.lower.com, system.gravity" >field-derived.yaml
derive road "forces.bump.force.amplitude, forces.motor.force.frequency, forces.load.force.scale, system.mass.wheel.body, system.stiffness.body.wheel" >road-derived.yaml

for name in push field road; do
    sed 's/^time: .*/time: {end: 1, tick: 0.25}/; s/^integrator: .*/integrator: {type: tp86, tolerance: 1e-11}/' $name.yaml >$name-free.yaml
    for study in $name $name-free $name-derived; do
        expect 0 "$MANYLINK" run $study.yaml --kernel general --no-accuracy
        expect 0 "$MANYLINK" verify $study.h5
        expect 0 "$MANYLINK" run $study.yaml --kernel made --no-accuracy -o made.h5
        same $study.h5 made.h5
        rm made.h5
    done
    expect 0 "$MANYLINK" run $name.yaml --run 4 --no-accuracy -o $name-alone.h5
    expect 0 "$MANYLINK" run $name.yaml --shard 0/2 --no-accuracy -o 1.h5
    expect 0 "$MANYLINK" run $name.yaml --shard 1/2 --no-accuracy -o 2.h5
    expect 0 "$MANYLINK" merge 1.h5 2.h5 -o merged.h5
    same $name.h5 merged.h5
    rm 1.h5 2.h5 merged.h5
done

# What a run does takes no torque but its own: `inverse` knows the forces at every time.
for name in push field; do
    expect 0 "$MANYLINK" run $name.yaml --no-accuracy -o $name-way.h5 \
        --set 'save={trajectory: {every: 7, quantities: [angle, rate, acceleration]}}'
    expect 0 "$MANYLINK" inverse $name.yaml --motion $name-way.h5 -o $name-torque.h5
done
printf '%s\n' time,angle/upper,angle/lower 0,0,0 0.3,1,1 0.6,0,1 0.9,0,2 1.2,1,1 1.5,0,0 >long.csv
expect 2 "$MANYLINK" inverse field.yaml --motion long.csv -o long.h5 --set sweep=[]
says err "force \`field\`: the times of table.csv are 0 to 1 s but must cover those of the motion, 0 to 1.5 s"

"$PYTHON" - "$MANYLINK" <<'END' || exit $?
import subprocess
import sys

import h5py
import numpy
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator

time, value = numpy.loadtxt("table.csv", delimiter=",", skiprows=1).T
table = PchipInterpolator(time, value)


def read(name):
    with h5py.File(name) as result:
        return {key: data[...] for key, data in result["study/summary"].items() if isinstance(data, h5py.Dataset)}


def run(study, *sets):
    words = [word for text in sets for word in ("--set", text)]
    subprocess.run([sys.argv[1], "run", study, "-o", "run.h5", "--no-accuracy", "--restart"] + words, check=True,
                   capture_output=True)
    return read("run.h5")


def integrate(rate, x, jumps):
    jumps = sorted({0.0, 1.0, *time, *(t for t in jumps if 0 < t < 1)})
    for begin, end in zip(jumps, jumps[1:]):
        middle = (begin + end) / 2
        knot = numpy.searchsorted(time, middle) - 1
        curve = lambda t: numpy.polyval(table.c[:, knot], t - time[knot])
        x = solve_ivp(rate, (begin, end), x, "DOP853", rtol=1e-13, atol=1e-14, args=(middle, curve)).y[:, -1]
    return x


# Two rods by Jacobians: M = sum J' m J + I, forces J' F.
length, mass, com, inertia = [0.9, 0.6], [1.3, 0.7], [0.45, 0.25], [1.3 * 0.81 / 12, 0.03]


def along(angle):
    return numpy.array([numpy.sin(angle), -numpy.cos(angle)])


def across(angle):
    return numpy.array([numpy.cos(angle), numpy.sin(angle)])


def arms(i, d):
    return [(length[k] if k < i else d) if k <= i else 0.0 for k in range(2)]


def acceleration(phi, omega, gravity, forces, damping):
    m, f = numpy.diag(inertia).astype(float), numpy.zeros(2)
    for i in range(2):
        r = arms(i, com[i])
        jacobian = numpy.array([r[k] * across(phi[k]) for k in range(2)]).T
        bias = sum(-r[k] * along(phi[k]) * omega[k]**2 for k in range(2))
        m += mass[i] * jacobian.T @ jacobian
        f += jacobian.T @ (mass[i] * (gravity - bias))
    for i, d, force in forces:
        r = arms(i, d)
        f += numpy.array([r[k] * across(phi[k]) @ force for k in range(2)])
    torque = -damping * (omega[1] - omega[0])
    return numpy.linalg.solve(m, f + [-torque, torque])


def push(amplitude, onset):
    def rate(t, x, middle, curve):
        force = [1 + amplitude * numpy.sin(2 * numpy.pi * 1.7 * t + 0.2), 5.0 * (onset < middle < onset + 0.21)]
        forces = [(1, 0.45, numpy.array(force)), (0, 0.7, numpy.array([-1, 2 * curve(t)]))]
        return [*x[2:], *acceleration(x[:2], x[2:], numpy.array([0, -9.81]), forces, 0.1)]

    return integrate(rate, [0.4, -0.7, 0, 0], [onset, onset + 0.21])


def field(amplitude, scale):
    def rate(t, x, middle, curve):
        gravity = numpy.array([scale * curve(t), -9.81 + amplitude * numpy.sin(2 * numpy.pi * 9 * t)])
        return [*x[2:], *acceleration(x[:2], x[2:], gravity, [], 0.1)]

    return integrate(rate, [0.4, -0.7, 0, 0], [])


def road(amplitude, duration):
    m = numpy.array([[40, 3], [3, 300]])
    c = numpy.array([[1400, -1300], [-1300, 1350]])
    k = numpy.array([[170000, -16000], [-16000, 16000]])

    def rate(t, x, middle, curve):
        force = [amplitude * (0.2 < middle < 0.2 + duration), -10 + 100 * numpy.sin(2 * numpy.pi * 3 * t) + 50 * curve(t)]
        return [*x[2:], *numpy.linalg.solve(m, force - c @ x[2:] - k @ x[:2])]

    return integrate(rate, [0.0, 0, 0, 0], [0.2, 0.2 + duration])


def states(result):
    names = ("end_angle", "end_rate") if "end_angle" in result else ("end_position", "end_velocity")
    return numpy.concatenate([result[name] for name in names], -1)


cases = {"push": (push, [3, 0, -2], [0.3, 0.1234], 5e-12, 5e-12), "field": (field, [40, 0, -20], [3, 1], 2e-11, 5e-12),
         "road": (road, [5000, 0, 1000], [0.0777, 0.3], 2e-13, 2e-13)}
for name, (reference, first, second, given, free) in cases.items():
    right = numpy.array([[reference(a, b) for b in second] for a in first])
    for study, most in ((name, given), (f"{name}-free", free)):
        error = abs(states(read(f"{study}.h5")) - right).max()
        print(study, f"{error:.1e}")
        assert error < most, study
    assert states(read(f"{name}-alone.h5")).tobytes() == states(read(f"{name}.h5"))[2, 0].tobytes(), name

numbers = {"push": (("push.force.x.amplitude", 3), ("push.force.x.frequency", 1.7), ("push.force.y.amplitude", 5),
                    ("pull.force.y.scale", 2), ("pull.force.x", -1), ("push.at", 0.45), ("system.segments.upper.mass", 1.3)),
           "field": (("field.acceleration.y.amplitude", 40), ("field.acceleration.y.phase", 0),
                     ("field.acceleration.x.scale", 3), ("system.segments.lower.com", 0.25), ("system.gravity", 9.81)),
           "road": (("bump.force.amplitude", 5000), ("motor.force.frequency", 3), ("load.force.scale", 50),
                    ("system.mass.wheel.body", 3), ("system.stiffness.body.wheel", -16000))}
for name, paths in numbers.items():
    found = read(f"{name}-derived.h5")["sensitivity"]
    for p, (path, value) in enumerate(paths):
        path = path if path.startswith("system") else f"forces.{path}"
        d = 1e-3 * max(abs(value), 1)
        near = [states(run(f"{name}.yaml", "sweep=[]", f"{path}={value + s * d!r}")) for s in (1, -1, 2, -2)]
        slope = (8 * (near[0] - near[1]) - near[2] + near[3]) / (12 * d)
        error = abs(found[:, p] - slope).max() / abs(slope).max()
        print(name, path, f"{error:.1e}")
        assert error < 2e-8, (name, path, found[:, p], slope)

for name in ("push", "field"):
    with h5py.File(f"{name}-torque.h5") as result:
        error = abs(result["study/inverse/torque"][...]).max()
        size = abs(result["study/inverse/torque_gravity"][...]).max()
    print(name, "inverse", f"{error / size:.1e}")
    assert error < 1e-13 * size, name

# A pulse on a free mass, to the last digit, with any step.
study = """manylink: 1
system: {type: mass_spring_damper, names: [cart], mass: [2], stiffness: [0], damping: [0], force: [0]}
forces: [{name: push, type: drive, dof: cart, force: {type: pulse, amplitude: 3, onset: 0.3, duration: 0.25}}]
time: {step: 0.125, end: 1}
"""
with open("cart.yaml", "w") as file:
    file.write(study)
for method in ("heun", "rk4", "dopri54", "gauss4"):
    end = run("cart.yaml", f"integrator.type={method}")
    assert abs(end["end_velocity"][0] - 0.375) < 1e-15, (method, end["end_velocity"])
    assert abs(end["end_position"][0] - (0.375 * 0.125 + 0.375 * 0.45)) < 1e-15, (method, end["end_position"])

# A constant field is gravity, and has its energy.
same = run("push.yaml", "sweep=[]", "forces=[]"), run(
    "push.yaml", "sweep=[]", "system.gravity=0", "forces=[{type: gravity, acceleration: [0, -9.81]}]")
assert abs(states(same[0]) - states(same[1])).max() < 1e-13
assert max(result["energy_drift"] for result in same) < 1e-13, [result["energy_drift"] for result in same]
END
