# label: values
# Each classical system, named by its type, gives the number that its source has; its parameters are keys, and
# its study can be made.
. "$SOURCE/tests/check.sh"

sources=$SOURCE/src/model/catalogue
[ "$(sed '1d; s/,.*//' "$SOURCE/tests/cli/catalogue.csv" | sort)" = \
    "$(cd "$sources" && ls ./*.yaml | sed 's/^..//; s/\.yaml$//' | sort)" ] || fail "a system without a number"
expect 0 "$MANYLINK" list quantities
! grep -q "of equations" out || fail "a heading without a quantity"
expect 0 "$MANYLINK" list systems
mv out list
expect 0 "$MANYLINK" init
mv out templates
for file in "$sources"/*.yaml; do
    name=$(basename "$file" .yaml)
    grep -q "^  $name " list || fail "$name is not in the list: $(cat list)"
    grep -q "^  $name " templates || fail "$name is not in the studies to start from: $(cat templates)"
    expect 0 "$MANYLINK" init "$name"
    cmp out "$file"
    mv out whole.yaml
    { echo 'manylink: 1' && echo "system: {type: $name}" && grep -E '^(time|integrator|analyse):' "$file"; } >"$name.yaml"
    expect 0 "$MANYLINK" run "$name.yaml" -q --no-accuracy
    expect 0 "$MANYLINK" show-equations whole.yaml
    mv out whole
    expect 0 "$MANYLINK" show-equations "$name.yaml"
    cmp out whole || fail "$name has other formulas by its name"
done
"$PYTHON" "$SOURCE/tests/cli/catalogue.py" "$SOURCE/tests/cli/catalogue.csv" || fail "other numbers than published"

# numbers, formulas and ranges of its parameters, from an option too
cat >swept.yaml <<'X'
manylink: 1
define: {k: 2}
system: {type: henon_map, a: 0.1*k}
initial: {x: 0.1}
time: {steps: 100}
sweep: [{set: system.b, from: 0.1, to: 0.3, count: 3}]
X
expect 0 "$MANYLINK" run swept.yaml -q --set system.a=1.2
expect 0 "$MANYLINK" table swept.h5
[ "$(sed 1d out | wc -l)" = 3 ] || fail "other runs: $(cat out)"
expect 2 "$MANYLINK" plan swept.yaml --set system.type=ikeda_map
says err 'swept.yaml:3:27: `a` is no parameter of ikeda_map: the nearest is `mu`; `manylink init ikeda_map`'
