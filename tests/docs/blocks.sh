# label: values
# Every YAML block of every page is a study that runs, or a part that does so beside the keys that the page leaves
# out, without a warning that the page does not show.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "the build without sanitizers runs it"
need_python
expect 0 "$PYTHON" "$SOURCE/tests/docs/blocks.py" "$MANYLINK" "$SOURCE/README.md" "$SOURCE"/docs/*.md
