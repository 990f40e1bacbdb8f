"""Every dataset of a result is named in the pages about results, but for those that studies name."""
import pathlib
import re
import sys

import h5py

docs, *results = sys.argv[1:]
pages = "".join(pathlib.Path(docs, page + ".md").read_text() for page in ("result", "events", "fit", "inverse"))
named = set(re.findall(r"[A-Za-z_]+", pages))
own = {"runs": 2, "accuracy": 2, "sensitivity": 3, "attractors": 3, "statistics": 2, "inverse": 2}  # parts of a path that ends in a name of ours
missing = set()
for result in results:
    with h5py.File(result) as file:
        names = []
        file["study"].visit(names.append)
        swept = set(file["study"].get("runs", ())) - {"run", "outcome", "end_time", "steps"} | set(file["study"].get("summary", ()))
        for path in names:
            parts = path.split("/")
            if len(parts) != own.get(parts[0]) or parts[-1] in swept or "." in parts[-1] or parts[-1] == "plots":
                continue
            if not {parts[-1], parts[-1].removesuffix("_half")} & named:
                missing.add(path)
assert not missing, f"not in docs: {sorted(missing)}"
