"""check_first_view.py [--browser CHROMIUM] NAME...: of NAME.h5, what each program opens on: `info` (NAME.info), h5web by
its own attributes, `plot` (NAME.gp/plot.gp), and, with a browser, the page (NAME.html). All must say the same style and
the same numbers along x and y. A picture without a finite number is none of `plot`."""
import json
import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

DRIVE = Path(__file__).parents[1] / "report" / "drive.mjs"
# What is seen of a page: whether its picture is that of a motion, the kind, and the labels of x and y.
SEEN = """data.n < 2 || byId('motion').compareDocumentPosition(byId('explore')) & 4
    ? ['curves', 'time', motion.what.value] : [view.kind, view.drawn.frame.x.label, view.drawn.frame.y.label]"""
STYLE_OF_KIND = {"map": "map", "curves": "curves", "points": "scatter", "section": "events"}


def said(name):
    line = re.search(r"^shown first: (\w+) of (.*), x: (.*), y: (.*?)(?:, colour: .*)?$", Path(f"{name}.info").read_text(), re.M)
    return line.groups()


def of_h5web(group):
    """Style and labels of the axes, of NeXus attributes alone; a label has the last steps of a long name."""
    axes, signal = list(group.attrs["axes"]), group[group.attrs["signal"]]
    names = [name.removeprefix("axis.") + " " + str(group[name].attrs.get("long_name", "")) for name in axes]
    if len(axes) == 2 and signal.ndim == 1:
        return ("events" if "run" in group else "scatter"), *names
    drawn = [k for k, at in enumerate(group.attrs.get("default_slice", [])) if at == "."]
    is_map = signal.ndim > 1 and signal.attrs.get("interpretation") != "spectrum"
    drawn = drawn or list(range(signal.ndim))[-2 if is_map else -1:]
    return ("map", names[drawn[1]], names[drawn[0]]) if is_map else ("curves", names[drawn[0]], group.attrs["shows"])


def of_plot(script):
    text = script.read_text()
    x, y = (re.search(f'^set {axis}label "(.*)"', text, re.M).group(1) for axis in "xy")
    is_curve = re.search(r"with (lines|\w*errorlines)", text)
    return "curves" if is_curve else "map" if "set cblabel" in text else "points", x, y


def agrees(found, wanted):
    style, _, x, y = wanted
    same = found[0] == style or (found[0] == "points" and style in ("scatter", "events"))
    return same and x in found[1] and (y in found[2] or style == "curves" and y.startswith(found[2]))


def main(*names):
    browser = subprocess.Popen(["node", DRIVE, names[1]], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) \
        if names[0] == "--browser" else None
    for name in names[2 if browser else 0:]:
        wanted = said(name)
        with h5py.File(f"{name}.h5") as file:
            group = file["study"][file["study"].attrs["default"]]
            found = {"h5web": of_h5web(group)}
            has_number = np.isfinite(group[group.attrs["signal"]][()].astype(float)).any()
        script = Path(f"{name}.gp/plot.gp")
        if script.exists() and "\nplot " in script.read_text():
            found["plot"] = of_plot(script)
        elif has_number:
            sys.exit(f"{name}: `plot` draws nothing")
        if browser:
            browser.stdin.write(json.dumps({"page": f"{name}.html", "steps": [{"eval": SEEN}]}) + "\n")
            browser.stdin.flush()
            kind, x, y = json.loads(browser.stdout.readline())["answers"][0]
            found["report"] = STYLE_OF_KIND[kind], x, y
        for program, each in found.items():
            if not agrees(each, wanted):
                sys.exit(f"{name}: `info` says {wanted}, {program} opens on {each}")
        print(name, *wanted, "|", *found)
    if browser:
        browser.stdin.close()
        browser.wait(timeout=60)


main(*sys.argv[1:])
