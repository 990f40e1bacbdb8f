# Seeds and words of fuzz_result, into ./seeds and ./words: what it makes itself, damaged in the
# ways that files are. Needs MANYLINK, beside which it is.
"$(dirname "$MANYLINK")/fuzz_result" -runs=0 2>made.log || { cat made.log >&2 && exit 1; }
mkdir seeds

# over FILE AT BYTES: the file with other bytes there, given as to printf.
# shellcheck disable=SC2059
over()
{
    head -c "$2" "$1"
    printf "$3"
    tail -c +$(($2 + $(printf "$3" | wc -c) + 1)) "$1"
}

# seed NAME LETTER FILE: the file, whole and damaged, as inputs with this letter.
seed()
{
    size=$(wc -c <"$3")
    for damage in whole empty cut doubled late zero flipped end; do
        {
            printf %s "$2"
            case $damage in
            whole) cat "$3" ;;
            empty) ;;
            cut) head -c $((size * 2 / 3)) "$3" ;;
            doubled) cat "$3" "$3" ;;
            late) tail -c +$((size / 4)) "$3" ;;
            zero) over "$3" $((size / 5)) '\000\000\000\000\000\000\000\000' ;;
            flipped) over "$3" $((size / 2)) '\125' ;;
            end) over "$3" $((size - 100)) '\252' ;;
            esac
        } >"seeds/$1-$2-$damage"
    done
}
for result in whole shard partial; do
    seed "$result" r "made/$result"
    seed "$result" R "made/$result"
done
for letter in j J f F; do
    seed journal "$letter" made/journal
done
for file in identity trajectories; do
    letter=$(echo "$file" | head -c 1)
    seed "$file" "$letter" "made/$file"
    seed "$file" "$(echo "$letter" | tr it IT)" "made/$file"
done

# Other values, in one of the three results: field, where (2 bytes), how many, and 8 bytes.
for field in 00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17; do
    for result in 0 1 2; do
        printf "v\\00$result\\0$field\\001\\000\\007abc\\377\\377\\377\\377\\177" >"seeds/values-$field-$result"
    done
done

# Other structure of the whole result, and what is done with it: object, attribute (0: the dataset),
# type, form, four sizes and what the values are made of.
# structure NAME BYTES
# shellcheck disable=SC2059
structure()
{
    for use in 000 201; do
        printf "s\\$use$2\\002\\003\\002\\001\\000\\004\\007\\377" >"seeds/structure-$1-$use"
    done
}
for object in 005 006 007 012 015 016 020 026 027; do
    for form in 003 005 006 011; do
        structure "$object-form-$form" "\\$object\\000\\004\\$form"
    done
    for type in 000 010; do
        structure "$object-type-$type" "\\$object\\000\\$type\\001"
    done
done
for object in 003 016 020; do
    for attribute in 001 002 005 010 013; do
        structure "$object-text-$attribute" "\\$object\\$attribute\\010\\001"
        structure "$object-links-$attribute" "\\$object\\$attribute\\012\\001"
    done
done

# Sizes that there cannot be.
for blocks in '1 of 900000000' '16 of 9223372036854775807' '0 of 72' '16 of -72'; do
    { printf i && sed "2s/.*/# blocks of $blocks runs/" made/identity; } >"seeds/identity-$(echo "$blocks" | tr ' ' _)"
done
cat >words <<'END'
"\xff\xff\xff\xff\xff\xff\xff\x7f"
"\x00\x00\x00\x00\x00\x00\x00\x80"
"mlpart2\x00"
"# blocks of "
" runs\x0a# shard "
"9223372036854775807"
END
