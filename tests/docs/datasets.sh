# label: source
# docs/datasets.md has the rows of src/plan/datasets.def, and the tables of docs/result.md name no dataset and no shape that is not
# among them.
. "$SOURCE/tests/check.sh"
"$SOURCE/scripts/datasets" >"$work/table"
[ "$(wc -l <"$work/table")" -gt 100 ] || fail "scripts/datasets prints few rows"
sed -n '/^| below/,$p' "$SOURCE/docs/datasets.md" | cmp - "$work/table" ||
    fail "docs/datasets.md differs from the rows: replace its table by the output of scripts/datasets"

# Datasets of a first column "`a`, `b [x]`" below "/study/accuracy"; of the designs of indices those of the second column.
awk -F ' [|] ' '
/^[|] .*below `\/study/ {
    column = $1 ~ /below/ ? 1 : 2
    group = $column
    sub(/.*\/study\/?/, "", group)
    sub(/`.*/, "", group)
    next
}
!/^[|]/ { group = "" }
group != "" && !/^[|]-/ {
    cell = $column
    n = split(cell, span, "`")
    for (i = 2; i <= n; i += 2)
        if (span[i] ~ /^[a-z_\/]+(NAME)?( \[.*\])?$/ && (column == 1 || span[i - 1] !~ /(estimator|has the names of).*$/))
            print group "/" span[i]
}' "$SOURCE/docs/result.md" >"$work/named"
[ "$(wc -l <"$work/named")" -gt 40 ] || fail "the tables of docs/result.md name few datasets"
cut -d '`' -f 2 "$work/table" | sort -u >"$work/rows"
while read -r path shape; do
    case $path in
    sensitivity/global/complete) known=$path ;;
    sensitivity/global/*) known=sensitivity/global/NAME ;;
    *) known=$path ;;
    esac
    grep -qxF "$known${shape:+ $shape}" "$work/rows" || { [ -z "$shape" ] && grep -qE "^$known( |$)" "$work/rows"; } ||
        echo "docs/result.md: no row of src/plan/datasets.def has $path $shape" >>"$work/bad"
done <"$work/named"
[ ! -e "$work/bad" ] || fail "$(cat "$work/bad")"
