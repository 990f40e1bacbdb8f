# label: values
# The linearly implicit method: a mode that decays a million times faster than the motion, the driven
# oscillator, and what it says where it cannot be taken.
. "$SOURCE/tests/check.sh"

cat >damped.yaml <<'END'
manylink: 1
system: {type: mass_spring_damper, mass: [1], damping: [1e6], stiffness: [1e6]}
initial: {position: 1}
time: {end: 2, tick: 2}
integrator: {type: rodas4, tolerance: 1e-9}
END
cat >driven.yaml <<'END'
manylink: 1
system: {type: duffing}
initial: {x: 0.1}
time: {end: 20, tick: 20}
integrator: {type: rodas4, tolerance: 1e-11}
sweep: [{set: system.gamma, from: 0.1, to: 0.3, count: 20}]
END
expect 0 "$MANYLINK" run damped.yaml
expect 0 "$MANYLINK" run driven.yaml
expect 0 "$MANYLINK" run driven.yaml --set integrator.type=tp86 --set integrator.tolerance=1e-13 -o explicit.h5
"$PYTHON" - <<'END' || exit $?
import math
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

# x'' + c x' + c x = 0 from rest at 1: rates of decay from the quadratic equation, without cancellation
c = 1e6
fast = (c + math.sqrt(c * c - 4 * c)) / 2
slow = c / fast
exact = (fast * math.exp(-2 * slow) - slow * math.exp(-2 * fast)) / (fast - slow)
study = h5py.File("damped.h5")["study"]
error = abs(study["summary/end_position"][...].item() - exact)
steps = study["runs/steps"][...].item() + study["summary/rejected_steps"][...].item()
print(f"damped: error {error:.1e} in {steps:.0f} steps")
assert error < 1e-8 and steps < 1000
implicit, explicit = (h5py.File(f"{name}.h5")["study/summary"] for name in ("driven", "explicit"))
for name in ("end_x", "end_v"):
    error = numpy.abs(implicit[name][...] - explicit[name][...]).max()
    print(f"driven: {name} {error:.1e}")
    assert error < 1e-8
END

expect 2 "$MANYLINK" run driven.yaml --set integrator=rodas4
says err "takes no given steps"
expect 2 "$MANYLINK" run driven.yaml --kernel made
says err "linearly implicit"
