# label: values
# Results do not depend on the number of threads or the instruction set; nor, where a test that reads
# this one names the command of another build as REFERENCE, on compiler and processor.
. "$SOURCE/tests/check.sh"
need_python
isas=$(instruction_sets)
fastest=$(echo "$isas" | awk '{ print $NF }')
[ -z "${REFERENCE:-}" ] || isas=$fastest # this build's others are compared with it by the test itself
several=${REFERENCE:+2}
several=${several:-1 2 3}
REFERENCE=${REFERENCE:-$MANYLINK}

# same_bits THREADS STUDY [options of run]: the reference's result on every instruction set; with several
# numbers of threads on the fastest one, for who takes which block has nothing to do with kernels
same_bits()
{
    counts=$1
    shift
    expect 0 "$REFERENCE" run "$@" -o reference.h5
    for isa in $isas; do
        for threads in $([ "$isa" = "$fastest" ] && echo "$counts" || echo 2); do
            expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run "$@" --threads "$threads" -o other.h5
            says out "($isa" # or with a kernel made for it, where the machine is slow
            same reference.h5 other.h5
            rm other.h5
        done
    done
    rm reference.h5
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
same_bits "$several" tolerance.yaml
same_bits 2 "$SOURCE/studies/poised_rods.yaml" --set sweep.0.count=9 --set sweep.1.count=7

# Longer chains: kernels for any number of segments.
for solver in interleaved auto; do
    same_bits 2 "$SOURCE/studies/chain8.yaml" --set solver=$solver --set time.end=0.1 --set sweep.0.count=20
done

# Systems without segments; the drive's angle leaves the range of the fast cosine on the way.
cat >duffing.yaml <<'END'
manylink: 1
system: {type: duffing}
initial: {x: 0.1}
time: {start: 9.9e4, step: 0.01, end: 9.902e4}
sweep:
  - {set: system.omega, from: 0.98, to: 1.03, count: 21}
  - {set: system.gamma, from: 0, to: 1, count: 3}
save: {trajectory: {every: 50, quantities: [x, v, energy]}}
END
sed 's/^time: .*/time: {step: 2e-3, end: 4}/; s/transient: 50/transient: 1/; s/count: 500/count: 40/' \
    "$SOURCE/studies/lorenz_rho.yaml" >lorenz.yaml
same_bits 2 duffing.yaml
same_bits 2 lorenz.yaml

# Derivatives of the state, of indicators and along trajectories.
cat >derivatives.yaml <<'END'
manylink: 1
system:
  type: chain
  segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.7, mass: 2}]
forces: [{name: friction, type: damper, joint: b, coefficient: 0.1}]
initial: {angle: {a: 2, b: 1}}
time: {step: 1e-3, end: 0.5}
sweep: [{set: initial.angle.a, from: -3, to: 3, count: 333}]
analyse:
  sensitivity:
    of: [end_state, trajectory, max_rate, energy_drift]
    to: [system.segments.b.mass, initial.angle.b, forces.friction.coefficient]
save: {trajectory: {every: 50, runs: {every: 7}}}
END
same_bits "$several" derivatives.yaml
