# Values of HDF5 files are read behind checks of their type and shape: HDF5's functions that read
# are called in src/h5/h5_read*.c only, and objects are opened there.
. "$SOURCE/tests/check.sh"

readers='H5(Dread|Aread|Dvlen|Treclaim|Rderef|Oopen|Gopen|DSget|DSis|DSiterate|LT[a-z]|IM[a-z]|TB[a-z])|H5Sget_(simple_)?extent'
if grep -rnE "$readers" "$SOURCE/src" --include='*.[ch]' | grep -v "^$SOURCE/src/h5/h5_read[a-z_]*\.c:"; then
    fail "HDF5 is read outside of src/h5/h5_read*.c"
fi
grep -qE "$readers" "$SOURCE/src/h5/h5_read.c" || fail "the pattern finds nothing"

# Datasets are opened to attach scales to what was just written, and else behind the same checks.
if grep -rn 'H5Dopen' "$SOURCE/src" --include='*.[ch]' | grep -v "^$SOURCE/src/h5/h5_write\.c:"; then
    fail "a dataset is opened outside of src/h5/h5_read*.c"
fi
