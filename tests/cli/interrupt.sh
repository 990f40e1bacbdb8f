# Interrupted by SIGINT, `run` leaves with 130; the same command continues from there, and the result
# is that of an undisturbed run, to the bit.
. "$SOURCE/tests/check.sh"
need_python

# print_plain STEPS
print_plain()
{
    print_chain "$1" 40000
    echo 'save: {trajectory: {every: 100, runs: {every: 500}}}'
}

# Derivatives are kept like everything else.
print_derivatives()
{
    print_plain "$1"
    cat <<END
analyse:
  sensitivity:
    of: [end_state, trajectory, max_rate]
    to: [system.segments.2.mass, initial.angle.2]
END
}

# Each run has a step of its own.
print_clocks()
{
    print_chain "$1" 1 | sed 's/^time.*/time: {step: 1e-3, steps: '"$1"'}/; /^sweep/d'
    cat <<END
sweep:
  - {set: initial.angle.1, from: -3, to: 3, count: 200}
  - {set: time.step, from: 5e-4, to: 1e-3, count: 200}
END
}

# Each run has an end of its own, and lanes whose run has ended take the next one.
print_ends()
{
    print_clocks "$1" | sed 's/^time.*/time: {end: '"$1"'e-3}/; /set: time.step/d'
    cat <<END
  - {set: time.end, from: ${1}e-4, to: ${1}e-3, count: 200}
integrator: {type: dopri54, tolerance: 1e-7}
END
}

for study in plain derivatives clocks ends; do
    rm -rf study.h5 undisturbed.h5
    print_$study 300 >study.yaml
    expect 0 "$MANYLINK" plan study.yaml
    blocks=$(sed -n 's/^blocks  *\([0-9]*\) of .*/\1/p' out)
    [ "$blocks" -ge 4 ] || fail "$blocks blocks are too few to interrupt between them"

    stops study.h5 "$MANYLINK" run study.yaml --threads 1
    [ ! -e study.h5 ] || fail "there is a result after an interruption"

    expect 0 "$MANYLINK" run study.yaml --threads 2
    says out "continued from"
    expect 0 "$MANYLINK" run study.yaml -o undisturbed.h5
    same study.h5 undisturbed.h5
    [ ! -e study.h5.parts ] || fail "parts are left"
done
