# No program and no library that is built looks for libraries in the folder where it runs.
. "$SOURCE/tests/check.sh"
need readelf

for built in "$BUILD"/manylink "$BUILD"/manylink_without_tools "$BUILD"/test_* "$BUILD"/libmanylink.so*; do
    [ -f "$built" ] || continue
    readelf -d "$built" >entries
    sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/:\2:/p' entries >paths
    if grep -qE '::|:[^/:$]' paths; then
        fail "$built looks for libraries in $(cat paths)"
    fi
done
: >libyaml-0.so.2
: >libgomp.so.1
expect 0 "$MANYLINK" --version
