# A walk as laboratories write it down - coordinates in cm, times to the millisecond, several markers at a joint, the
# force plate in the same file - gives the torques of an independent Newton-Euler with scipy's filter and splines.
. "$SOURCE/tests/check.sh"
need_python

cp "$SOURCE/tests/cli/gait_files.py" .
"$PYTHON" gait_files.py "$MANYLINK"
