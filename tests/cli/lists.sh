# `list` names everything the registries hold, and the keys of each; what it does not know it says.
. "$SOURCE/tests/check.sh"

names()
{
    sed -n 's/^ML_[A-Z]*(\([a-z0-9_]*\).*/\1/p' "$SOURCE/src/$1"
}

for pair in model/systems.def=systems model/forces/forces.def=forces \
    integrators/methods.def=integrators linalg/solvers.def=solvers; do
    expect 0 "$MANYLINK" list "${pair#*=}"
    mv out topic
    expect 0 "$MANYLINK" list
    for name in $(names "${pair%=*}"); do
        grep -q "^  $name  " topic || fail "list ${pair#*=} does not name $name"
        says out "  $name  "
    done
done
systems=$(names model/systems.def | grep -vx -e plugin -e equations) # which have what their study has
for name in $systems $(names model/forces/forces.def); do
    expect 0 "$MANYLINK" list "$name"
    says out "$name: "
    [ "$name" = states ] || says out "can be swept" # all of whose numbers are those of the study
done
expect 0 "$MANYLINK" list indicators
says out energy_drift
for name in $(names analysis/indicators.def); do
    says out "  $name  "
    expect 0 "$MANYLINK" list "$name"
    says out "  $name  "
    "$MANYLINK" list indicators >out
done
expect 0 "$MANYLINK" list lyapunov
says out analyse.lyapunov.until.error
expect 0 "$MANYLINK" list table
says out course.file
says out course.scale
expect 2 "$MANYLINK" list no_such_thing
says err no_such_thing
expect 0 "$MANYLINK" list plugin
says out system.file
for name in $systems; do
    expect 0 "$MANYLINK" list "$name"
    says out "tangents: closed form"
done
expect 0 "$MANYLINK" list lorenz
says out "system.rho"
says out "end_z"
for none in energy segment rate; do
    ! grep -q $none out || fail "list lorenz speaks of $none"
done
# Datasets, quantities and keys are found by name, and a plugin without its folder.
finds() # NAME TEXT
{
    expect 0 "$MANYLINK" list "$1"
    says out "$2"
}
finds sali "gali"
finds kaplan_yorke_dimension "analyse.lyapunov.transient"
finds end_position "of chain"
finds sweep "sweep[].scale_by.from"
finds sample "sample.over[].set"
finds save "save.trajectory.runs.first"
finds initial.angle "initial.angle  (chain)  [can be swept]"
finds motion.duration "motion.duration  [can be swept]"
finds threshold "threshold  (load)  [can be swept]"
finds inverse.filter "inverse.filter.cutoff  [can be swept]"
finds anchor "anchor  (spring)  [.x, .y can be swept]"
finds seed "sample.seed"
! grep -q 'sweep\[\]' out || fail "list seed speaks of the sweep"
expect 2 "$MANYLINK" list nothing.so
says err "nothing is called \`nothing.so\`"
: >empty.so
expect 2 "$MANYLINK" list empty.so
says err "empty.so: "
