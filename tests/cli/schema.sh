# `schema` is a JSON Schema, the shipped studies satisfy it, and a misspelt key does not.
. "$SOURCE/tests/check.sh"
need_python

expect 0 "$MANYLINK" schema
"$PYTHON" - out "$SOURCE"/studies/*.yaml "$SOURCE"/examples/*/*.yaml <<'END'
import json
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Reads 1e-3 as the number it is in YAML 1.2."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    __import__("re").compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+$"),
    list("-+.0123456789"),
)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
bad = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        study = yaml.load(file, Loader)
    for error in validator.iter_errors(study):
        print(f"{path}: {error.json_path}: {error.message}")
        bad = 1
    study["sytem"] = study.pop("system")
    if validator.is_valid(study):
        print(f"{path}: the schema does not notice `sytem`")
        bad = 1
sys.exit(bad)
END
