# label: values
# Numbers drawn from distributions against scipy's quantiles of the same points; correlations; what cannot be drawn; the same
# bits from shards and the resolved text.
. "$SOURCE/tests/check.sh"
need_python

cat >drawn.yaml <<'END'
manylink: 1
system: {type: equations, parameters: {a: 1, b: 1, c: 1, d: 1, e: 2, f: 1, g: 1, h: 1, i: 1, j: 1}, state: {x: 1}, rates: {x: -a*x + 0*(b + c + d + e + f + g + h + i + j)}}
time: {step: 0.1, end: 0.2}
sample:
  method: scrambled_sobol
  count: 2048
  seed: 3
  over:
    - {set: system.a, distribution: normal, mean: 1, sd: 0.2}
    - {set: system.b, distribution: lognormal, mean: 2, cv: 0.3, to: 9}
    - {set: system.c, distribution: normal, mean: 1, sd: 2, from: 0, to: 3}
    - {set: system.d, distribution: triangular, from: 1, mode: 2, to: 5}
    - {set: system.e, scale_by: {distribution: beta, from: 0.5, to: 1.5, alpha: 2, beta: 0.7}}
    - {set: system.f, distribution: discrete, values: [1, 2, 5], weights: [1, 1, 2]}
    - {set: system.g, from: 1, to: 10, scale: log}
    - {set: system.h, distribution: normal, mean: -3, sd: 1, from: 2}
    - {set: system.i, distribution: table, values: [-1, 0, 2, 3, 5, 6], weights: [0, 3, 0, 1, 0]}
    - {set: system.j, scale_by: {distribution: table, values: [1, 2, 2.5, 4, 9]}}
END
sed '/^    - /d' drawn.yaml >plain.yaml
for key in a b c d e f g h i j; do echo "    - {set: system.$key, from: 0, to: 1}"; done >>plain.yaml
for method in random latin_hypercube sobol scrambled_sobol halton; do
    for name in plain drawn; do
        expect 0 "$MANYLINK" run $name.yaml --no-accuracy --set sample.method=$method -o $name-$method.h5
    done
done
sed '/^  over/i\  correlation: [{between: [system.a, system.b], r: 0.7}, {between: [system.g, system.c], r: -0.4}, {between: [system.b, system.g], r: 0.2}]' drawn.yaml >correlated.yaml
expect 0 "$MANYLINK" run correlated.yaml --no-accuracy --set sample.count=65536 -o correlated.h5
says err "r = 0.7 is a rank correlation of 0.683"
"$PYTHON" "$SOURCE/tests/cli/distributions.py"

# The same numbers from shards, from the resolved text, and without a range whose key --set gives.
for k in 0 1; do
    expect 0 "$MANYLINK" run correlated.yaml --no-accuracy --shard $k/2 -o part$k.h5
done
expect 0 "$MANYLINK" merge part0.h5 part1.h5 -o merged.h5
"$PYTHON" -c 'import h5py; print(h5py.File("merged.h5")["study/resolved"].asstr()[()])' >resolved.yaml
expect 0 "$MANYLINK" run resolved.yaml --no-accuracy -o merged.h5
says out "finished already"
expect 0 "$MANYLINK" run correlated.yaml --no-accuracy -o whole.h5
same merged.h5 whole.h5
expect 0 "$MANYLINK" run correlated.yaml --no-accuracy --set system.b=2 -o fixed.h5
"$PYTHON" -c 'import h5py; print(h5py.File("fixed.h5")["study/resolved"].asstr()[()])' >fixed.yaml
expect 0 "$MANYLINK" run fixed.yaml --no-accuracy -o fixed.h5
says out "finished already"

# Without a coefficient left the ranges are independent, and the resolved text has none.
expect 0 "$MANYLINK" run correlated.yaml --no-accuracy --set system.a=1 --set system.g=2 -o apart.h5
"$PYTHON" -c 'import h5py; print(h5py.File("apart.h5")["study/resolved"].asstr()[()])' >apart.yaml
! grep correlation apart.yaml || fail "an empty correlation"
expect 0 "$MANYLINK" run apart.yaml --no-accuracy -o apart.h5
says out "finished already"

# A distribution that leaves what is allowed is refused with the share that would, unless no run is expected to.
cat >mass.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: rod, length: 1, mass: 1}]}
time: {step: 1e-3, end: 0.1}
sample: {method: random, count: 100, over: [{set: system.segments.rod.mass, distribution: normal, mean: 1, cv: 0.3}]}
END
expect 2 "$MANYLINK" plan mass.yaml
says err "mass.yaml:4:"
says err "0.00043 of the drawn numbers of \`system.segments.rod.mass\` are not allowed"
says err "cut the distribution off with \`from\`"
expect 0 "$MANYLINK" run mass.yaml --set sample.over.0.cv=0.14 -o mass.h5
expect 0 "$MANYLINK" run mass.yaml --set sample.over.0.from=0.1 -o mass.h5 --restart

# refused TEXT SET...: what cannot be drawn
refused()
{
    text=$1
    shift
    sed "$@" drawn.yaml >wrong.yaml
    expect 2 "$MANYLINK" plan wrong.yaml
    says err "$text"
}
refused 'sd is 0 but must be > 0' 's/sd: 0.2/sd: 0/'
refused 'key `cv` excludes `sd`' 's/sd: 0.2/sd: 1, cv: 1/'
refused 'key `sd` is missing: the distribution has sd, or cv' 's/, sd: 0.2//'
refused 'key `mode` has no meaning for distribution `normal`' 's/sd: 0.2/sd: 1, mode: 1/'
refused 'to must be greater than from' 's/from: 0, to: 3/from: 3, to: 0/'
refused 'mode must be from `from` to `to`' 's/mode: 2/mode: 7/'
refused 'a lognormal number is positive' 's/mean: 2/mean: -2/'
refused 'weights has 2 numbers, but values 3' 's/1, 1, 2/1, 1/'
refused 'weights is 0 but must be > 0' 's/1, 1, 2/1, 0, 2/'
refused 'distribution is `gauss` but must be one of: uniform, normal' 's/normal/gauss/'
pair='/^  over/i\  correlation: [{between: [system.a, system.b], r: 0.9}, {between: [system.a, system.c], r: 0.9}, {between: [system.c, system.b], r: -0.9}]'
refused 'multiplied by 0.555 all together they are possible' "$pair"
# Higham's example: the nearest to [1 1 0; 1 1 1; 0 1 1] has 0.7607 and 0.1573 (NAG, g02aa); four decimals that are positive definite are a little nearer to 0.
higham='/^  over/i\  correlation: [{between: [system.a, system.b], r: 1}, {between: [system.b, system.c], r: 1}]'
near='{between: [system.a, system.b], r: 0.7606}, {between: [system.a, system.c], r: 0.1573}, {between: [system.b, system.c], r: 0.7606}'
refused "the nearest is correlation: [$near]; multiplied" "$higham"
expect 0 "$MANYLINK" plan drawn.yaml --set "sample.correlation=[$near]"

# Pairs that are too long for a message are rows; a message is never cut off.
long=$(cat <<'END'
manylink: 1
accuracy: off
system: {type: equations, parameters: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1}, state: {x: 1}, rates: {x: -x*(a+b+c+d+e+f+g+h+i+j+k)}}
time: {step: 0.01, end: 0.1}
END
)
for keys in 'a b c d e f g h' 'a b c d e f g h i j k'; do
    over= rows=
    for key in $keys; do
        over="$over{set: system.$key, from: 1, to: 2}, "
        row=
        for other in $keys; do
            if [ $key = $other ]; then row="$row 1,"; else row="$row -0.9,"; fi
        done
        rows="$rows[${row%,}], "
    done
    printf '%s\nsample: {method: random, count: 9, over: [%s], correlation: [%s]}\n' "$long" "${over%, }" "${rows%, }" >long.yaml
    expect 2 "$MANYLINK" plan long.yaml
    says err "all together they are possible"
    rows=$(sed -n 's/.*the nearest is correlation: \(\[\[.*\]\]\); multiplied.*/\1/p' err)
    case $keys in
    *k) [ -z "$rows" ] || fail "a long message: $rows" ;;
    *) expect 0 "$MANYLINK" plan long.yaml --set "sample.correlation=$rows" ;;
    esac
done

# All coefficients as rows.
sed '/^    - {set: system.[d-j]/d; /^  over/i\  correlation: [[1, 0.7, 0], [0.7, 1, -0.2], [0, -0.2, 1]]' drawn.yaml >rows.yaml
sed 's/correlation: .*/correlation: [{between: [system.a, system.b], r: 0.7}, {between: [system.b, system.c], r: -0.2}]/' rows.yaml >pairs.yaml
expect 0 "$MANYLINK" run rows.yaml -o rows.h5
expect 0 "$MANYLINK" run pairs.yaml -o rows.h5
says out "finished already"
for wrong in '0.7, 1, -0.2/0.6, 1, -0.2/row 1, column 2 has 0.7 and row 2, column 1 has 0.6' '0, -0.2, 1]/0, -0.2]/row 3 of the matrix' \
    ', \[0, -0.2, 1\]//has 2 rows but `over` has 3 ranges' '-0.2, 1\]\]/-0.2, 0.9]]/the diagonal of a matrix' '0.7, 0/1.7, 0/r is 1.7 but must be'; do
    sed "s/${wrong%/*}/" rows.yaml >wrong.yaml
    expect 2 "$MANYLINK" plan wrong.yaml
    says err "${wrong##*/}"
done
refused 'cannot draw from the distribution: all its numbers are 200, as' 's/from: 2}/from: 200}/'
refused 'cannot draw from the distribution: all its numbers are 1, as' 's/sd: 0.2/sd: 1e-20/'
refused 'cannot correlate keys of the same range' "$(echo "$pair" | sed 's/system.a, system.b/system.a, system.a/')"
refused '`system.q` is no key of `over`' "$(echo "$pair" | sed 's/system.a, system.b/system.q, system.b/')"
refused 'r is 1.5 but must be' "$(echo "$pair" | sed 's/r: 0.9/r: 1.5/')"

# A table has ascending values and a weight for each interval; numbers below a whole key are refused; a count that is no power of two.
sed 's/distribution: normal.*/distribution: table, values: [1, 2, 3], weights: [1, 1]}]}/' mass.yaml >table.yaml
expect 0 "$MANYLINK" plan table.yaml
for wrong in 'values: [1, 2, 3], weights: [1, 1, 1]/the intervals between the values are 2' 'values: [1, 3, 2]/values of a table must ascend' \
    'values: [1]/a table needs two values at least' 'values: [1, 2], weights: [0]/all weights are 0' 'values: [-1, 2]/mass' \
    'values: [1, 2], weights: [-1]/weights' 'weights: [1]/key `values` is missing'; do
    sed "s/distribution: normal.*/distribution: table, ${wrong%%/*}}]}/" mass.yaml >table.yaml
    expect 2 "$MANYLINK" plan table.yaml
    says err "${wrong##*/}"
done
sed 's/method: random, count: 100/method: sobol, design: saltelli, count: 100/; s/cv: 0.3/cv: 0.1/' mass.yaml >hundred.yaml
expect 0 "$MANYLINK" plan hundred.yaml
says err "indices converge faster with 128"
