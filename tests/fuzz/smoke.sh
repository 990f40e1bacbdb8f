# label: fault
# Fuzz targets find nothing in 15 seconds each, from their seeds.
. "$SOURCE/tests/check.sh"
grep -q '^ML_FUZZ:.*=ON' "$BUILD/CMakeCache.txt" || skip "no fuzz targets: they are built with ML_FUZZ=ON (cmake --preset fuzz)"

for source in "$SOURCE"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    name=${name#fuzz_}
    expect 0 "$SOURCE/scripts/fuzz" "$name" 15 --build "$BUILD" --corpus "$name"
    says err "DONE"
    echo "$name: $(grep DONE err)"
done
