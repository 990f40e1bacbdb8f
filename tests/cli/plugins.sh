# A system from a shared object runs like a built-in one, to the bit; what is wrong with one is said.
. "$SOURCE/tests/check.sh"
need_python

# build NAME.so SOURCE.c [FLAGS]
build()
{
    to=$1
    from=$SOURCE/tests/cli/plugins/$2
    shift 2
    "$CC" -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -shared -fPIC \
        -I"$SOURCE/include" "$@" -o "$to" "$from" -lm
}

mkdir study
build study/lorenz.so lorenz.c
build study/differences.so lorenz.c -DTANGENT=NULL
cat >study/built_in.yaml <<'END'
manylink: 1
system: {type: lorenz, sigma: 9}
initial: {y: 1, z: 20}
time: {step: 2e-3, end: 1}
sweep:
  - {set: system.rho, from: 0.5, to: 60, count: 11}
  - {set: initial.x, values: [1, 2, -3]}
analyse:
  lyapunov: {exponents: all, transient: 0.2, renormalise: 0.02}
  sensitivity: {of: [end_state, trajectory], to: [initial.x, system.beta]}
save: {trajectory: {every: 20, runs: {every: 4}}}
END
sed 's/type: lorenz/type: plugin, file: lorenz.so/' study/built_in.yaml >study/plugin.yaml

# The file is found from the study's folder, wherever the command runs, and by an absolute path.
isas=$(instruction_sets)
expect 0 "$MANYLINK" run study/built_in.yaml
expect 0 "$MANYLINK" run study/plugin.yaml
expect 0 "$MANYLINK" plan study/plugin.yaml
(cd study && expect 0 "$MANYLINK" plan plugin.yaml --set system.file="$PWD/lorenz.so")
for isa in $isas; do
    for threads in 1 2 3; do
        expect 0 env MANYLINK_ISA="$isa" "$MANYLINK" run study/plugin.yaml --threads $threads -o again.h5
        same plugin.h5 again.h5
        rm again.h5
    done
done

# What an interrupted or finished run left belongs to that file and to no other.
expect 0 "$MANYLINK" run study/plugin.yaml
says out "finished already"
build study/lorenz.so lorenz.c -DTANGENT=NULL
expect 2 "$MANYLINK" run study/plugin.yaml
says err "another study"
says err "# lorenz: XXH3 (64 bits) of the file"
build study/lorenz.so lorenz.c

# Tables come from the file.
expect 0 "$MANYLINK" list study/lorenz.so
says out "lorenz: convection in three numbers"
says out "tangents: closed form"
says out "system.rho  (lorenz)  [can be swept]"
says out "intensity of the convection"
expect 0 "$MANYLINK" list study/differences.so
says out "tangents: central differences"
expect 0 "$MANYLINK" evaluate study/plugin.yaml --check-derivatives
expect 2 "$MANYLINK" list ./none.so
says err "./none.so"
expect 2 "$MANYLINK" run study/plugin.yaml --set system.rhp=1
says err "unknown key \`rhp\`; did you mean \`rho\`?"
expect 2 "$MANYLINK" run study/plugin.yaml --set system.rho=1e7
says err "rho is 10000000 but must be >= -1e+06 and <= 1e+06"
expect 2 "$MANYLINK" run study/plugin.yaml --set initial.w=1
says err "unknown key \`w\`"
expect 2 "$MANYLINK" run study/plugin.yaml --set solver=lapacke
says err "leave \`solver\` out"

# A run that diverges changes no bit of another, and one of M that is not positive ends as such.
expect 3 "$MANYLINK" run study/plugin.yaml -o diverged.h5 --set sweep.1.values='[1, 2, 1e15]'
says out "22 finished, 11 diverged"
expect 0 "$MANYLINK" run study/plugin.yaml -o without.h5 --set sweep.1.values='[1, 2]'
build study/particle.so fault.c
cat >study/particle.yaml <<'END'
manylink: 1
system: {type: plugin, file: ./particle.so}
initial: {x: 1, v: 2}
time: {step: 0.125, end: 1}
sweep: [{set: system.m, values: [1, -1, 2, 0]}]
END
expect 3 "$MANYLINK" run study/particle.yaml
says out "2 finished, 2 singular_mass"

# The mass matrix comes row after row; there need be no parameters.
build study/constant.so constant.c
cat >study/constant.yaml <<'END'
manylink: 1
system: {type: plugin, file: constant.so}
time: {step: 0.125, end: 1}
END
expect 0 "$MANYLINK" run study/constant.yaml

# The numbers of others stay theirs where a plugin was built carelessly.
build study/careless.so fault.c -ffast-math
expect 0 "$MANYLINK" run study/particle.yaml --threads 1 -o careless.h5 --set system.file=careless.so \
    --set sweep='[]' --set initial.x=1e-310 --set initial.v=0

# Files that are none.
expect 2 "$MANYLINK" run study/particle.yaml --set system.file=./none.so -o none.h5
says err "--set system.file=./none.so"
says err "file is \`./none.so\`: it cannot be loaded: "
says err "No such file"
expect 2 "$MANYLINK" run study/particle.yaml --set system.file=particle.yaml
says err "it cannot be loaded: "
expect 2 "$MANYLINK" run study/particle.yaml --set system.file=.
says err "it cannot be loaded: "
sed 's/, file: [^}]*//' study/particle.yaml >study/nothing.yaml
expect 2 "$MANYLINK" run study/nothing.yaml
says err "study/nothing.yaml:2:9: key \`file\` is missing: its shared object"

# refused WHAT FLAGS...: a plugin built with these is told to be WHAT.
refused()
{
    what=$1
    shift
    build study/fault.so fault.c "$@"
    expect 2 "$MANYLINK" run study/particle.yaml --set system.file=fault.so
    says err "$what"
    rm study/fault.so # a file that is loaded again must not be one that was
}

refused "it has no symbol \`manylink_plugin\`" -DSYMBOL=other_name
refused "its version is 7 but must be 2" -DVERSION=7
refused "its size is 8 but must be" -DSIZE=8
refused "its size is 1000000 but must be" -DSIZE=1000000
refused "it has fields that this version of manylink does not know" -DLATER=1
build study/later.so fault.c -DLATER=0 # built with a later plugin.h, whose new member it leaves out
expect 3 "$MANYLINK" run study/particle.yaml --set system.file=later.so -o later.h5
says out "2 finished, 2 singular_mass"
refused "its name is not made of" -DNAME='"a particle"'
refused "its name is not made of" -DNAME=NULL
refused "the name of its parameter 1 is not made of" -DPARAM='"m.x"'
refused "the name of its parameter 1 is not made of" -DPARAM='""'
refused "its parameter \`file\` has a reserved name" -DPARAM='"file"'
refused "its parameter 1 is called \`k\` like number 0" -DPARAM='"k"'
refused "the unit of its parameter \`m\` is not a line" -DUNIT=NULL
refused "the doc of its parameter \`m\` is not a line" -DDOC='"two\nlines"'
refused "the default nan, which must be a finite number from low = -10 to high = 10" -DDEFAULT='(double)NAN'
refused "the default 11, which must be" -DDEFAULT=11.0
refused "it has 49 parameters but must have 0 to 48" -DN_PARAM=49
refused "it has -1 parameters but" -DN_PARAM=-1
refused "it has 0 state quantities but must have 1 to 256" -DN_STATE=0
refused "it has 257 state quantities but must have 1 to 256" -DN_STATE=257
refused "it has \`terms\` and 1 state quantities, which must be an even number" -DN_STATE=1
refused "its state quantity 1 is called \`v\` like number 0" -DSTATE='"v"'
refused "its state quantity \`energy\` has a reserved name" -DSTATE='"energy"'
refused "its state quantity \`ground_force\` has a reserved name" -DSTATE='"ground_force"'
refused "it has neither \`rates\` nor \`terms\`" -DTERMS=NULL
refused "it has both \`rates\` and \`terms\`" -DRATES=rates
[ -z "$(find . -name '*.parts')" ] || fail "bad input left parts"

# Runs beside those that diverged, and tangents by differences.
expect 0 "$MANYLINK" run study/plugin.yaml -o differences.h5 --set system.file=differences.so
"$PYTHON" - <<'END'
import sys

import h5py
import numpy



def numbers(file):
    found = {}
    file["study"].visititems(
        lambda name, thing: found.update({name: thing[()].tobytes()})
        if isinstance(thing, h5py.Dataset) and thing.dtype.kind in "fi"
        else None
    )
    return found


with h5py.File("built_in.h5") as built_in, h5py.File("plugin.h5") as plugin:
    pair = [numbers(file) for file in (built_in, plugin)]
    assert len(pair[0]) > 20 and list(pair[0]) == list(pair[1])
    for name in pair[0]:
        assert pair[0][name] == pair[1][name], name
with h5py.File("constant.h5") as constant:
    mass, force = [[4, 1, 2], [1, 5, -1], [2, -1, 6]], [1, -2, 3]
    rates = [constant[f"study/summary/end_{name}_rate"][()] for name in "abc"]
    error = numpy.abs(numpy.linalg.solve(mass, force) - rates).max()
    assert error < 1e-15, error
with h5py.File("careless.h5") as careless:
    assert careless["study/summary/end_x"][()] == 1e-310
with h5py.File("diverged.h5") as diverged, h5py.File("without.h5") as without:
    for name in ("end_x", "lyapunov_spectrum", "sensitivity"):
        pair = [file["study/summary"][name][:, :2] for file in (diverged, without)]
        assert pair[0].tobytes() == pair[1].tobytes(), name
        assert numpy.isnan(diverged["study/summary"][name][:, 2]).all(), name
with h5py.File("plugin.h5") as exact, h5py.File("differences.h5") as differences:
    for name, bound in (("sensitivity", 5e-11), ("lyapunov_spectrum", 1e-11)):
        pair = [file["study/summary"][name][:] for file in (exact, differences)]
        scale = numpy.abs(pair[0]).max()
        error = numpy.abs(pair[0] - pair[1]).max() / scale
        assert error < bound, (name, error)
END
