# label: values
# The studies and scripts of README.md and of the pages about the study file and the result do what these
# say; README.md stays a page.
. "$SOURCE/tests/check.sh"
need gnuplot
need_python

[ "$(wc -l <"$SOURCE/README.md")" -le 100 ] || fail "README.md has more than 100 lines"
block yaml README.md >pendulum.yaml
block python README.md >pendulum.py
block yaml docs/study.md >first.yaml
block python docs/result.md >first.py
for name in pendulum first; do
    { [ -s $name.yaml ] && [ -s $name.py ]; } || fail "a page has no $name.yaml or no script"
    expect 0 "$MANYLINK" run $name.yaml --set time.end=1 --set analyse.lyapunov.transient=0.2
done
expect 0 "$MANYLINK" plot pendulum.h5
[ -s pendulum.png ] || fail "there is no pendulum.png"
expect 0 "$PYTHON" pendulum.py
expect 0 "$PYTHON" first.py
