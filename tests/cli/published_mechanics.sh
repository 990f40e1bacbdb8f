# label: values
# Mechanisms of formulas against published conditions and closed forms: a ball on a moving table, a bead on a hoop, a pendulum on
# a spring and one on a cart, the arm of Hollerbach and Flash, two hinged bars.
. "$SOURCE/tests/check.sh"
need_python
"$PYTHON" "$SOURCE/tests/cli/published_mechanics.py" "$MANYLINK" || fail "published mechanics"
