# label: values
# What events, registers, signals and conditions are told that cannot be meant: place, cause and remedy; and switches whose
# sides agree, which change nothing.
. "$SOURCE/tests/check.sh"

# study NAME RATE TAIL: an oscillator of x, v, whose v has the RATE, with further keys
study()
{
    cat >"$1.yaml" <<END
manylink: 1
system: {type: equations, state: {x: 1, v: 0}, define: {force: "$2"}, rates: {x: v, v: force}}
$3
time: {step: 0.01, end: 1}
END
}
# told NAME PLACE TEXT: it is refused
told()
{
    expect 2 "$MANYLINK" run "$1.yaml" -o none.h5
    says err "$1.yaml:$2: $3"
}
# noted NAME PLACE TEXT: it runs
noted()
{
    expect 0 "$MANYLINK" run "$1.yaml" --no-accuracy -o "$1.h5"
    says err "$1.yaml:$2: note: $3"
}
study cycle "force + u" "registers: {u: {start: 0, every: 0.1, next: force}}"
told cycle 2:65 'force is `force + u`: the formula depends on itself: force -> force'
study guard -x "events: [{name: a, when: x, crosses: 0.5, if: 1 > 2, set: {v: 1}}]"
told guard 3:47 'if is `1 > 2`, which never holds: nothing would count; compare a number that changes'
study self_guard -x "events: [{name: a, when: x, crosses: 0.5, if: x > x, set: {v: 1}}]"
told self_guard 3:47 'if is `x > x`, which never holds'
study at -x "events: [{name: a, at: 5, set: {v: 1}}]"
told at 3:24 'at is 5 s but the runs last from 0 to 1 s; give times within'
study times -x "events: [{name: a, at: [0.5, 1.5], set: {v: 1}}]"
told times 3:24 'at is 1.5 s but the runs last'
study period -x "registers: {u: {start: 0, every: 1e-15, next: x}}"
sed -i 's/^time.*/time: {end: 1}\
integrator: {type: tp86, tolerance: 1e-8}/' period.yaml
told period 3:34 "period is shorter than 1e-12 of the run's times, up to 1 s: consecutive strobes would round to the same time; take a"
study rest -x "events: [{name: a, when: v, crosses: 0, direction: down, set: {x: 1}, then: rest}]"
sed -i 's/rates: {x: v/rates: {x: 1/' rest.yaml
sed -i 's/"-x"/"-1"/' rest.yaml
told rest 3:77 'cannot let the motion rest at the event: `set` does not change the rate of its number'
printf 'time,u\n0,1\n0.5,2\n' >early.csv
study signal "u - x" "signals: {u: {type: table, file: early.csv, column: u}}"
told signal 3:34 'the times of ./early.csv are 0 to 0.5 s but must cover those of the study, 0 to 1 s'
for pair in "period: 0.5|period: 0.25" "at: 0.5|at: [0.25, 0.5]" "at: 0.75|period: 0.25" \
    "when: x, crosses: 0.9|when: x, crosses: 0.9, direction: down"; do
    study resets -x "events: [{name: a, ${pair%|*}, set: {v: 1}}, {name: b, ${pair#*|}, set: {v: 2}}]"
    expect 0 "$MANYLINK" plan resets.yaml
    says err 'note: `a` and `b` set `v` at the same instants, to `1` and `2`: the latter remains; leave one of them out'
done
study apart -x "events: [{name: a, at: 0.6, set: {v: 1}}, {name: b, period: 0.25, set: {v: 2}}]"
expect 0 "$MANYLINK" plan apart.yaml
[ ! -s err ] || fail "other instants are told: $(cat err)"
study self "where(x > x, 1, -1)" ""
noted self 2:73 'force is `where(x > x, 1, -1)`: both sides are the same number, so that the comparison does not change; compare'

# Sides that rounding alone tells apart are a tie, by given steps and by tolerance; others that agree in places are not.
study rounding "where(3*x*v > v*(x*3), 1, -1)" ""
noted rounding 2:77 'force is `where(3*x*v > v*(x*3), 1, -1)`: both sides are the same number but for rounding, so that the comparison does not'
study places "where(abs(x) > x, 1, -1) + where(x + 1e20*v > 2*x + 1e20*v, 1, -1) + where(x + 1e6 > 1e6 - v, 1, -1)" ""
expect 0 "$MANYLINK" plan places.yaml
[ ! -s err ] || fail "sides that differ are told: $(cat err)"

# Sides that agree: nothing slides, and x and v are 0.5 and -1 as without the switches.
study agree "where(x > 0.9, -1, -1) - 0*sign(v)" ""
expect 0 "$MANYLINK" run agree.yaml --no-accuracy
expect 0 "$MANYLINK" table agree.h5 --columns end_x,end_v
awk -F, 'NR == 2 && ($1 - 0.5)^2 + ($2 + 1)^2 < 1e-28 { right = 1 } END { exit !right }' out || fail "$(cat out)"
