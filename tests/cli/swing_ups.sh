# label: values
# The shipped study of a rotary arm against its equations by Newton's laws and SciPy: where the pendulum is, and when it is caught; its energy
# without the motor; the gains of its regulator; and no pendulum that is caught falls again.
. "$SOURCE/tests/check.sh"
need_python
"$PYTHON" "$SOURCE/tests/cli/swing_ups.py" "$MANYLINK" "$SOURCE/studies" || fail "studies that swing up"
