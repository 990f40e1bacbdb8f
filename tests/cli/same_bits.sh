# label: values
# Results do not depend on the number of threads or the instruction set; nor, where a test that reads
# this one names the command of another build as REFERENCE, on compiler and processor.
. "$SOURCE/tests/check.sh"
need_python
isas=$(instruction_sets)
fastest=$(echo "$isas" | awk '{ print $NF }')
[ -z "${REFERENCE:-}" ] || isas=$fastest # this build's others are compared with it by the test itself
one=${REFERENCE:+$(MANYLINK=$REFERENCE instruction_sets | grep -wo one || true)}
several=${REFERENCE:+2}
several=${several:-1 2 3}
fewer=${REFERENCE:+9}
fewer=${fewer:-33}
REFERENCE=${REFERENCE:-$MANYLINK}

# same_bits THREADS STUDY [options of run]: the reference's result on every instruction set, and by its lanes one
# wide where it has them; with several numbers of threads on the fastest one, for who takes which block has nothing
# to do with kernels
same_bits()
{
    counts=$1
    shift
    expect 0 "$REFERENCE" run "$@" -o reference.h5
    [ -z "$one" ] || expect 0 env MANYLINK_ISA="$one" "$REFERENCE" run "$@" -o other-one.h5
    for isa in $isas; do
        for threads in $([ "$isa" = "$fastest" ] && echo "$counts" || echo 2); do
            expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run "$@" --threads "$threads" -o "other-$isa-$threads.h5"
            says out "($isa" # or with a kernel made for it, where the machine is slow
        done
    done
    same reference.h5 other-*.h5
    rm reference.h5 other-*.h5
}

cat >study.yaml <<'END'
manylink: 1
system:
  type: chain
  angles: joint
  gravity: [1, -9.81]
  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}, {name: c, length: 0.4, mass: 0.5}]
forces:
  - {name: friction, type: damper, joint: b, coefficient: 0.1}
  - {name: motor, type: torque, joint: c, value: 0.3}
initial: {angle: {a: 2, b: 1, c: -1}, rate: {c: 5}}
time: {step: 1e-3, end: 0.5}
sweep:
  - {set: initial.angle.a, from: -3, to: 3, count: 33}
  - {set: system.segments.b.mass, from: 0.1, to: 10, count: 21, scale: log}
save: {trajectory: {every: 50, runs: {every: 7}}}
END
same_bits "$several" study.yaml

# Steps chosen by tolerance; one run is beyond the fast path.
sed 's/^time: .*/time: {end: 3, tick: 0.1}\nintegrator: {type: tp86, tolerance: 1e-9}/; s/save: .*/save: {trajectory: {every: 3, runs: {every: 7}}}/' \
    study.yaml >tolerance.yaml
same_bits "$several" tolerance.yaml --set sweep.0.count=$fewer # emulated, 693 runs take half a minute
same_bits 2 "$SOURCE/studies/poised_rods.yaml" --set sweep.0.count=9 --set sweep.1.count=7

# Longer chains: kernels for any number of segments.
for solver in interleaved auto; do
    same_bits 2 "$SOURCE/studies/chain8.yaml" --set solver=$solver --set time.end=0.02 --set sweep.0.count=20
done

# Systems without segments; the drive's angle leaves the range of the fast cosine on the way.
cat >duffing.yaml <<'END'
manylink: 1
system: {type: duffing}
initial: {x: 0.1}
time: {start: 9.9e4, step: 0.01, end: 9.902e4}
sweep: [{set: system.omega, from: 0.98, to: 1.03, count: 9}, {set: system.gamma, from: 0, to: 1, count: 4}]
save: {trajectory: {every: 50, quantities: [x, v, energy]}}
END
same_bits 2 duffing.yaml
set -- --no-accuracy --set time.step=1e-3 --set time.end=0.1
same_bits 2 "$SOURCE/studies/lorenz_rho.yaml" "$@" --set analyse.lyapunov.transient=0 --set sweep.0.count=33
same_bits 2 "$SOURCE/studies/roessler_maxima.yaml" "$@" --set events.peak.from=0 --set sweep.0.count=33
same_bits 2 "$SOURCE/studies/runner.yaml" "$@"
same_bits 2 "$SOURCE/studies/quarter_car.yaml" "$@" --set analyse.lyapunov.transient=0

# Kinds of kernels: forces with tangent vectors, by given and by chosen steps, compensated and implicit; splitting;
# delays; formulas.
kind()
{
    same_bits 2 kind.yaml --no-accuracy --kernel general "$@"
}
cat >kind.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, mass: 2}, {name: c, length: 0.5, mass: 1}]}
forces:
  - {type: torque, joint: a, value: {type: sine, amplitude: 0.5, frequency: 2}}
  - {type: torque, joint: b, value: {type: pulse, amplitude: 1, onset: 0.013, duration: 0.05}}
  - {name: hold, type: pid, joint: b, target: {type: minimum_jerk, from: 0, to: 1, onset: 0, duration: 0.2}, kp: 10, ki: 2, kd: 1, limit: 2}
  - {type: spring, segment: c, at: 0.5, anchor: [1, -1], stiffness: 20, rest_length: 0.4}
  - {type: joint_limit, joint: c, upper: 1, lower: -1, stiffness: 50, damping: 0.1}
  - {type: ground, segment: c, level: -1, stiffness: 1e3, damping: 0.1, friction: 0.5}
  - {type: friction, joint: b, coulomb: 0.1, static: 0.2, viscous: 0.01}
  - {type: contact, segment: c, at: 0.2, point: [0, 0], radius: -1.2, stiffness: 1e3, exponent: 1, damping: 0.1, friction: 0.5}
  - {type: impedance, equilibrium: 0.2, stiffness: {a: {a: 9}, b: {c: 4}}}
  - {type: formula, joint: a, torque: -k*tanh(angle.a)*exp(-rate.a^2), parameters: {k: 0.7}}
initial: {rate: {b: 2}}
time: {step: 1e-3, end: 0.1}
sweep: [{set: initial.angle.a, from: -3, to: 3, count: 33}]
analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.angle.a, forces.hold.kp, system.segments.b.mass]}}
END
kind
few="--set analyse.lyapunov.exponents=1 --set analyse.sensitivity.to=initial.angle.a"
# shellcheck disable=SC2086 # words of no user
kind --set 'integrator={type: dop853, summation: compensated}' --set time.end=0.03
kind --set 'integrator={type: tsit54, tolerance: 1e-4, summation: compensated}' --set 'time={end: 0.02}' $few
kind --set 'integrator={type: rodas4, tolerance: 1e-2}' --set 'time={end: 0.02}' $few
kind --set forces.hold.delay=0.0117 --set 'analyse={}'
cat >kind.yaml <<'END'
manylink: 1
system: {type: henon_heiles}
initial: {y: -0.1, px: 0.5, py: 0.1}
time: {step: 0.01, end: 1}
sweep: [{set: initial.x, from: 0, to: 0.1, count: 33}]
analyse: {lyapunov: {exponents: 4}}
END
kind
kind --set 'integrator={type: yoshida4, summation: compensated}' --set analyse.sensitivity.to=initial.x
cat >kind.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {k: 1}, state: {x: 0.3, v: 0}, rates: {x: v, v: "sin(x) - k*atan2(v, 1 + x^2) + log(2 + cos(t))*cosh(v/3)"}}
time: {step: 0.01, end: 1}
sweep: [{set: system.k, from: 0.1, to: 2, count: 33}]
events: [{name: cross, when: x, crosses: 0.35, max: 3, keep: [v]}]
analyse: {lyapunov: {exponents: all}, observe: {swing: {rms: x}}, sensitivity: {to: system.k}}
END
kind

# Derivatives of the state, of indicators and along trajectories.
cat >derivatives.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]
forces: [{name: friction, type: damper, joint: b, coefficient: 0.1}]
initial: {angle: {a: 2, b: 1}}
time: {step: 1e-3, end: 0.5}
sweep: [{set: initial.angle.a, from: -3, to: 3, count: 161}]
analyse:
  sensitivity:
    of: [end_state, trajectory, max_rate, energy_drift]
    to: [system.segments.b.mass, initial.angle.b, forces.friction.coefficient]
save: {trajectory: {every: 50, runs: {every: 7}}}
END
same_bits "$several" derivatives.yaml

# Datasets of many chunks, which several threads filter: the same bytes at the same places of the file.
cat >chunks.yaml <<'END'
manylink: 1
system: {type: lorenz}
time: {step: 1e-3, steps: 3}
sweep: [{set: initial.x, from: -9, to: 9, count: 350}, {set: initial.z, from: 0, to: 9, count: 280}]
accuracy: off
END
for threads in 1 2 7; do
    expect 0 "$MANYLINK" run chunks.yaml --threads $threads -o chunks-$threads.h5
done
[ -n "$SANITIZE" ] || "$PYTHON" - chunks-*.h5 <<'END'
import sys

import h5py


def chunks(name):
    found = {}

    def visit(path, data):
        if isinstance(data, h5py.Dataset) and data.chunks:
            for i in range(data.id.get_num_chunks()):
                info = data.id.get_chunk_info(i)
                found[path, i] = info, data.id.read_direct_chunk(info.chunk_offset)

    with h5py.File(name) as file:
        file.visititems(visit)
    return found


first, *others = map(chunks, sys.argv[1:])
assert sum(i > 0 for _, i in first) > 10
assert all(other == first for other in others)
END
