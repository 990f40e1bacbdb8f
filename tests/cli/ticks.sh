# label: values
# Ticks say when something is saved: made-up and shipped studies by tolerance have the same numbers, within their told
# errors, without ticks, with a seventh and a thousandth of the run, and where trajectories are saved beside.
. "$SOURCE/tests/check.sh"
need_python
expect 0 "$PYTHON" "$SOURCE/tests/cli/ticks.py" "$MANYLINK"
