# label: fault
# Fuzz targets find nothing in 8 seconds, all at the same time, from their seeds.
. "$SOURCE/tests/check.sh"
grep -q '^ML_FUZZ:.*=ON' "$BUILD/CMakeCache.txt" || skip "no fuzz targets: they are built with ML_FUZZ=ON (cmake --preset fuzz)"

# fuzz NAME: what it prints is in NAME.log
fuzz()
{
    "$SOURCE/scripts/fuzz" "$1" 8 --build "$BUILD" --corpus "$1" >"$1.log" 2>&1
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
