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
for study in seeds/studies-*; do
    { cat "$study" && printf '\034\034system.segments.upper.mass=2'; } >"$study-set"
done
rm seeds/*matrix_too_large* seeds/*forces_of_many_numbers* # what is close to them takes seconds
"$MANYLINK" schema | grep -oE '"[a-z_]+"' | sort -u >words
