# `plot --panels`: each panel has the numbers of the picture that --at alone makes, and gnuplot draws
# them in one.
. "$SOURCE/tests/check.sh"
need gnuplot

cat >grid.yaml <<'END'
manylink: 1
title: An arm
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 0.5, mass: 1}]}
time: {step: 1e-2, end: 0.5}
sweep:
  - {set: initial.rate.upper, values: [0, 1, 3]}
  - {set: initial.angle.upper, from: 2, to: -2, count: 9}
  - {set: initial.angle.lower, from: -1, to: 1, count: 4}
save: {trajectory: {every: 5, quantities: [angle]}}
END
expect 0 "$MANYLINK" run --quiet grid.yaml

# panels NAME PATH "ENTRY..." ARGUMENTS...: the numbers are those of the pictures at the entries.
panels()
{
    name=$1 path=$2 entries=$3
    shift 3
    : >numbers
    expect 0 "$MANYLINK" plot grid.h5 "$@" --panels "$path" --script "$name"
    i=0
    for entry in $entries; do
        i=$((i + 1))
        expect 0 "$MANYLINK" plot grid.h5 "$@" --at "$path=$entry" --script "$name.$i"
        cat "$name.$i/data.bin" >>numbers
    done
    cmp "$name/data.bin" numbers || fail "$name: panels are not those of $path = $entries"
}
panels segments segment 'upper lower' end_angle --at initial.rate.upper=1
panels values initial.rate.upper '0 1 3' max_rate --at segment=lower
panels curves segment 'upper lower' angle --run 7
panels bands segment 'upper lower' angle --bands
panels histogram segment 'upper lower' max_rate --histogram
grep -q 'set multiplot layout 1,3 ' values/plot.gp || fail "three in a row"
! cmp -s values.1/data.bin values.2/data.bin || fail "panels are all the same"

expect 0 "$MANYLINK" plot grid.h5 max_rate --at segment=lower --panels initial.rate.upper --size 900x300 -o values.png
od -A n -t x1 -j 16 -N 8 values.png | tr -d ' \n' >size # width and height: 0x384, 0x12c
grep -qx 000003840000012c size || fail "values.png is of another size: $(cat size)"
expect 0 "$MANYLINK" plot grid.h5 angle --run 7 --panels segment -o curves.svg
[ "$(grep -c 'segment = ' curves.svg)" = 2 ] || fail "curves.svg has not two panels"

# A panel without a finite value is empty, and tells so; the others are drawn. Of none there is no picture.
expect 0 "$MANYLINK" run --quiet grid.yaml -o passes.h5 \
    --set 'events=[{name: pass, when: angle.upper, crosses: 2.2, direction: up}, {name: never, when: angle.upper, crosses: 9}]'
for options in '--at initial.angle.lower=1' '--y none' --histogram; do
    # shellcheck disable=SC2086 # words of their own
    expect 0 "$MANYLINK" plot passes.h5 pass_time $options --panels initial.rate.upper --script passes
    [ "$(grep -c 'no finite value of a finished run' passes/plot.gp)" = 2 ] || fail "$options: not two empty panels"
    [ "$(grep -c '^set title' passes/plot.gp)" = 3 ] || fail "$options: not three panels"
    tail -2 passes/plot.gp | grep -q NaN && fail "$options: the last panel is empty"
    expect 2 "$MANYLINK" plot passes.h5 never_time $options --panels initial.rate.upper --script nothing
    says err 'cannot draw never_time: no finished run has a finite value of it here'
    expect 0 "$MANYLINK" plot passes.h5 pass_time $options --panels initial.rate.upper -o passes.png
done

refuses()
{
    text=$1
    shift
    expect 2 "$MANYLINK" plot grid.h5 "$@" --script refused
    says err "$text"
}
refuses 'panels mass: max_rate has no such axis' max_rate --panels mass
refuses 'it has 108 entries, and there can be 2 to 12' angle --panels run
refuses 'panels are for a dataset over an axis of it' stick --panels segment
refuses 'panels are for a dataset over an axis of it' --x angle.upper --y angle.lower --panels segment
refuses 'is fixed more than once' max_rate --at segment=upper --panels segment
refuses '20160 dots are more than 20000' max_rate --at segment=upper --panels initial.rate.upper --dpi 1200 -o a.png
