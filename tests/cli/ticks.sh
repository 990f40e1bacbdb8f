# label: values
# Ticks say when something is saved: made-up and shipped studies by tolerance have the same numbers, within their told
# errors, without ticks, with a seventh and a thousandth of the run, and where trajectories are saved beside.
. "$SOURCE/tests/check.sh"
need_python
expect 0 "$PYTHON" "$SOURCE/tests/cli/ticks.py" "$MANYLINK"

# A window that begins between orthonormalisations is told, as is its length.
cat >window.yaml <<'END2'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
integrator: {type: tp86, tolerance: 1e-8}
time: {end: 6}
analyse: {ftle: {from: 1.03, window: 0.53}}
END2
expect 0 "$MANYLINK" run window.yaml --no-accuracy
says err 'window.yaml:6:24: note: from is taken as 1.02 s, a multiple of the 0.06 s between orthonormalisations'
says err 'window is taken as 0.54 s, a multiple of the 0.06 s'
expect 0 "$MANYLINK" run window.yaml --no-accuracy --restart --set analyse.ftle.from=1.02 --set analyse.ftle.window=0.54
! grep note err || fail "$(cat err)"
