# label: values
# Derivatives of formulas by state and parameters against a computer algebra system's.
. "$SOURCE/tests/check.sh"
use_package numpy sympy
"$PYTHON" "$SOURCE/tests/cli/jacobians.py" || fail "derivatives of formulas"
