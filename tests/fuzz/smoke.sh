# label: fault
# Fuzz targets find nothing in their seeds and the first inputs made of them, which
# neither the day nor the load of a machine changes. `scripts/fuzz` searches further.
. "$SOURCE/tests/check.sh"
grep -q '^ML_FUZZ:.*=ON' "$BUILD/CMakeCache.txt" || skip "no fuzz targets: they are built with ML_FUZZ=ON (cmake --preset fuzz)"

# count_inputs NAME: about 10 s of them on a quiet machine; a slow one ends with fewer after 300 s
count_inputs()
{
    case $1 in
    formula) echo 200000 ;;
    result) echo 400 ;;
    *) echo 1700 ;;
    esac
}
# fuzz NAME: all output is in NAME.log
fuzz()
{
    "$SOURCE/scripts/fuzz" "$1" 300 --build "$BUILD" --corpus "$1" --runs "$(count_inputs "$1")" >"$1.log" 2>&1
}

names=
for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    name=${name#fuzz_}
    names="$names $name"
    fuzz "$name" &
    eval "process_$name=$!"
done
for name in $names; do
    eval "wait \$process_$name" || fail "$name: exit code $?: $(tail -n 100 "$name.log")"
    grep -q DONE "$name.log" || fail "$name: $(tail -n 100 "$name.log")"
    echo "$name: $(grep DONE "$name.log")"
done
