# rodas4 on the two problems that stiff solvers are shown with, as plugins with and without a Jacobian of
# their own, against the reference solutions of the Test Set for Initial Value Problem Solvers (F. Mazzia,
# C. Magherini, release 2.4, 2008: VDPOL, ROBER).
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "a plugin without sanitizers"
need awk

for name in van_der_pol robertson; do
    "$CC" -std=c17 -O2 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -I"$SOURCE/include" -o $name.so \
        "$SOURCE/tests/cli/plugins/$name.c" -lm
done
cat >van_der_pol.yaml <<'YAML'
manylink: 1
system: {type: plugin, file: van_der_pol.so}
initial: {y: 2, v: 0}
time: {end: 2, tick: 2}
integrator: {type: rodas4, tolerance: 1e-9}
YAML
cat >robertson.yaml <<'YAML'
manylink: 1
system: {type: plugin, file: robertson.so}
initial: {a: 1}
time: {end: 1e11, tick: 1e11}
integrator: {type: rodas4, relative: 1e-9, absolute: 1e-20}
YAML

# within BOUND NAME=VALUE...: of the last run, relative
within()
{
    bound=$1
    shift
    for known; do
        expect 0 "$MANYLINK" table result.h5 --columns "end_${known%%=*}"
        awk -v known="${known#*=}" -v bound="$bound" 'NR == 2 {
            error = $1 / known - 1
            print $1, error
            exit !(error < bound && error > -bound) }' out || fail "$known: $(cat out)"
    done
}

expect 0 "$MANYLINK" run van_der_pol.yaml -o result.h5
within 4e-10 y=1.706167732170483 v=-0.8928097010247975
expect 0 "$MANYLINK" run robertson.yaml -o result.h5 --restart
within 4e-10 a=0.2083340149701255e-7 b=0.8333360770334713e-13 c=0.9999999791665050

# What is allowed as an error is what it comes to.
expect 0 "$MANYLINK" run van_der_pol.yaml -o result.h5 --restart --set integrator.tolerance=1e-5
within 8e-6 y=1.706167732170483 v=-0.8928097010247975

expect 0 "$MANYLINK" plan van_der_pol.yaml
says out 'jacobian  by differences of the rates'
expect 0 "$MANYLINK" plan robertson.yaml
! grep -q jacobian out || fail "has tangents of its own: $(cat out)"

# Tangents by differences cannot be differenced again.
sed '$a analyse: {lyapunov: {}}' van_der_pol.yaml >exponents.yaml
expect 2 "$MANYLINK" run exponents.yaml
says err 'exponents.yaml:6:1: rodas4 needs second derivatives of a plugin without `tangent`'
