# label: values
# Features of a study in every combination of three, on and off: what each of them measures has the bits that it
# has without the others, and every run of every result is computed again by `verify`.
. "$SOURCE/tests/check.sh"
[ -n "$PYTHON" ] || skip "no python with h5py"
"$PYTHON" "$SOURCE/tests/cli/feature_pairs.py" "$MANYLINK"
