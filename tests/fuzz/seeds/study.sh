# Seeds and words of fuzz_study, into ./seeds and ./words: every study of the repository, with a
# table where it names a file, with overrides, and the words of the schema. Needs SOURCE, MANYLINK.
mkdir seeds
for study in "$SOURCE"/studies/*.yaml "$SOURCE"/examples/*/*.yaml "$SOURCE"/tests/bad_studies/*.yaml; do
    cp "$study" "seeds/$(basename "$(dirname "$study")")-$(basename "$study")"
done
for text in "$SOURCE"/README.md "$SOURCE"/docs/*.md "$SOURCE"/tests/*/*.sh; do
    awk -v name="seeds/$(basename "$text")" '
        /^manylink: 1/ { at = name "-" ++n ".yaml" }
        /^(END|```)$/ { at = "" }
        at != "" { print >at }' "$text"
done
grep -l 'file:' seeds/* | while read -r study; do
    printf '\034time,value\n0,0\n0.25,0.1\n1000,-1\n\034time.step=0.01' >>"$study"
done
table='forces: [{type: torque, joint: a, value: {type: table, file: t.csv, column: b}}]'
study="manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
$table
time: {step: 0.1, end: 1}"
n=0
for text in 'title\n\ntime;b (mm)\n0;1,5\n1;2\n' 'a\nnRows=2\ninDegrees=yes\nendheader\ntime\tb\n0\t1\n1\t2\n' \
    'PathFileType\t4\nDataRate\tNumFrames\tUnits\n10\t2\tmm\nFrame#\tTime\tb\n\t\tX1\tY1\tZ1\n\n1\t0\t1\t2\t3\n2\t1\t\t\t\n' \
    "'F' 'TIME' 'b'\n 'N' 'S' 'X' 'Y'\n1 0 4 5\n2 1 6 7\n" 'SampleRate=2\n#n\tb\n1\t"3"\n2\t4\n'; do
    n=$((n + 1))
    # shellcheck disable=SC2059
    { echo "$study" && printf "\034$text"; } >seeds/table-$n.yaml
done
for study in seeds/studies-*; do
    { cat "$study" && printf '\034\034system.segments.upper.mass=2'; } >"$study-set"
done
rm seeds/*matrix_too_large* seeds/*forces_of_many_numbers* # what is close to them takes seconds
"$MANYLINK" schema | grep -oE '"[a-z_]+"' | sort -u >words
