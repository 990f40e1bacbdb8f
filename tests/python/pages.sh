# The Python of docs/python.md and of the example runs, and the example leaves a picture.
. "$SOURCE/tests/check.sh"
use_package xarray

awk '/^```$/ { on = 0 } on { print } $0 == "```python" { on = 1 }' "$SOURCE/docs/python.md" >page.py
[ "$(grep -c 'manylink\.' page.py)" -ge 2 ] || fail "docs/python.md has no Python"
expect 0 "$PYTHON" page.py
grep -q '^ *study:8:13: mass is -1' "$SOURCE/docs/python.md" || fail "docs/python.md shows no error"
expect 1 "$PYTHON" -c 'import manylink
manylink.run({"manylink": 1, "system": {"type": "chain", "segments": [{"length": 1, "mass": -1}]},
              "time": {"step": 1e-3, "end": 1}})'
says err "manylink.ManylinkError: study:8:13: mass is -1 but must be > 0 and <= 1e+09 kg"
says err '        "mass": -1'
says err '                ^'

sed 's/"end": 50/"end": 11/; s/3.1, 96/3.1, 9/' "$SOURCE/examples/python/first.py" >first.py
cmp -s first.py "$SOURCE/examples/python/first.py" && fail "the example could not be made shorter"
need_python matplotlib
expect 0 env MPLBACKEND=agg "$PYTHON" -W error first.py
"$PYTHON" -c 'import matplotlib.image; assert matplotlib.image.imread("first.png").std() > 0.05' ||
    fail "the picture is empty"
