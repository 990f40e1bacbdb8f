# Lyapunov exponents of long runs against published and reference values, within their errors.
# label: slow
. "$SOURCE/tests/check.sh"

"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || skip "no h5py"
"$PYTHON" "$SOURCE/tests/results/check_lyapunov.py" "$MANYLINK" "$SOURCE/tests/reference/lyapunov.json"
