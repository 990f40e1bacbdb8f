# label: values
# Large systems of formulas and maps against published numbers: Kuramoto's transition, Lorenz-96, Thomas' system, the last
# golden torus of the standard map.
. "$SOURCE/tests/check.sh"
need_python
"$PYTHON" "$SOURCE/tests/cli/published_networks.py" "$MANYLINK" || fail "published networks"
