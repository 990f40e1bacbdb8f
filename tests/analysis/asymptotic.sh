# Lyapunov exponents of long runs against published and reference values, within their errors.
# label: slow
. "$SOURCE/tests/check.sh"
need_python

"$PYTHON" "$SOURCE/tests/results/check_lyapunov.py" "$MANYLINK" "$SOURCE/tests/reference/lyapunov.json"
