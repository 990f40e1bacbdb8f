# label: values
# The study and the script of README.md do what the page says.
. "$SOURCE/tests/check.sh"

# block LANGUAGE: the first block of code in it
block()
{
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$SOURCE/README.md" | sed '/^```/d'
}

block yaml >first.yaml
block python >look.py
{ [ -s first.yaml ] && [ -s look.py ]; } || fail "README.md has no study or no script"
expect 0 "$MANYLINK" run first.yaml --set time.end=1 --set analyse.lyapunov.transient=0.2
"$PYTHON" -c 'import xarray, netCDF4' 2>/dev/null || skip "no xarray"
expect 0 "$PYTHON" look.py
