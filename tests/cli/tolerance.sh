# label: values
# Steps chosen by tolerance: derivatives and exponents are those of short fixed steps, shards and a time
# limit change nothing, and what ends a run early is said.
. "$SOURCE/tests/check.sh"
need_python

cat >study.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]
forces:
  - {name: friction, type: damper, joint: b, coefficient: 0.1}
  - {name: brace, type: pid, joint: a, target: 0.3, kp: 20, kd: 1, ki: 2}
initial: {angle: {a: 1, b: 0.5}}
time: {end: 2, tick: 0.25}
integrator: {type: tp86, tolerance: 1e-12}
sweep: [{set: initial.angle.a, from: -1, to: 1, count: 40}]
analyse:
  lyapunov: {renormalise: 0.5}
  sensitivity:
    of: [end_state]
    to: [system.segments.b.mass, initial.angle.b, forces.friction.coefficient]
save: {trajectory: {every: 2, runs: {every: 3}}}
END
sed 's/tick: 0.25/step: 2.5e-4/; s/^integrator.*/integrator: rk4/; s/every: 2,/every: 2000,/' study.yaml >fixed.yaml
expect 0 "$MANYLINK" plan study.yaml
says out "8 ticks of 0.25 s"
says out "relative tolerance 1e-12, absolute 1e-12"
says out "chosen by each run, so that they meet ticks exactly"
expect 0 "$MANYLINK" run study.yaml -o tolerance.h5
expect 0 "$MANYLINK" run fixed.yaml -o fixed.h5
for kernel in general made; do
    expect 0 "$MANYLINK" run study.yaml --kernel $kernel --threads 1 -o other.h5
    same tolerance.h5 other.h5
    rm other.h5
done
for shard in 0 1; do
    expect 0 "$MANYLINK" run study.yaml --shard $shard/2
done
expect 0 "$MANYLINK" merge study.shard-* -o merged.h5
same merged.h5 tolerance.h5
"$PYTHON" - <<'END' || exit $?
import sys

import h5py
import numpy

tolerance, fixed = (h5py.File(f"{name}.h5")["study"] for name in ("tolerance", "fixed"))
for name, bound in (("end_angle", 5e-11), ("end_rate", 1e-10), ("sensitivity", 1e-9),
                    ("lyapunov_spectrum", 1e-10)):
    a, b = (study["summary"][name][...] for study in (tolerance, fixed))
    error = numpy.nanmax(numpy.abs(a - b)) / max(1.0, numpy.nanmax(numpy.abs(b)))
    print(f"{name}: {error:.1e}")
    assert a.shape == b.shape and numpy.isfinite(b).any() and error < bound, name
steps = tolerance["runs/steps"][...]
assert (steps >= 8).all() and (steps < 800).all(), steps
assert (tolerance["summary/rejected_steps"][...] >= 0).all()
a, b = (study["trajectories/angle"][...] for study in (tolerance, fixed))
assert a.shape == b.shape and numpy.abs(a - b).max() < 5e-11
END

expect 3 "$MANYLINK" run study.yaml --set integrator.max_steps=20 -o few.h5
says out "40 too_many_steps"
says out "too_many_steps: first run 0 at t = "
