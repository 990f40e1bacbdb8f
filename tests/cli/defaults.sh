# What a key is by default is the same in `list keys` and in the JSON Schema, for every key that has one.
. "$SOURCE/tests/check.sh"
need_python

expect 0 "$MANYLINK" list keys
mv out keys
expect 0 "$MANYLINK" schema
mv out schema
"$PYTHON" - keys schema <<'END'
import json
import re
import sys


def plain(value):
    """A number to the digits that the schema has, whatever its text; words as they are."""
    try:
        return f"{float(value):.15g}"
    except ValueError:
        return value


listed = set()
for path, about in re.findall(r"^  (\S+).*\n      (.*)$", open(sys.argv[1]).read(), re.M):
    default = re.search(r"; default ([^;]*)", about)
    # of a matrix it is that of each element
    if default and not about.startswith("list of rows"):
        listed.add((path.split(".")[-1], plain(default[1])))

described = set()


def walk(node):
    if isinstance(node, list):
        for item in node:
            walk(item)
    if isinstance(node, dict):
        for name, key in node.get("properties", {}).items():
            if "default" in key:
                described.add((name, plain(key["default"])))
        for item in node.values():
            walk(item)


walk(json.load(open(sys.argv[2])))
print("only in list:", sorted(listed - described, key=str))
print("only in the schema:", sorted(described - listed, key=str))
sys.exit(len(listed) < 50 or listed != described)
END
