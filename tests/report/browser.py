"""A headless Chromium that drives pages, through drive.mjs."""

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


class Browser:
    """One for all pages: it takes a second to start."""

    def __init__(self, chromium):
        self.node = subprocess.Popen(["node", HERE / "drive.mjs", chromium], text=True,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def drive(self, name, steps, fragment=""):
        self.node.stdin.write(json.dumps({"page": f"{name}.html{fragment}", "steps": steps}) + "\n")
        self.node.stdin.flush()
        line = self.node.stdout.readline()
        assert line, f"{name}: the browser has ended"
        told = json.loads(line)
        assert told["complaints"] == [], (name, told["complaints"])
        return told["answers"]

    def close(self):
        self.node.stdin.close()
        assert self.node.wait(timeout=60) == 0

    def check_phone(self, names):
        """On a phone nothing stands beyond the right edge, with all that can be opened open."""
        # Texts that are wider than their boxes run into their neighbours.
        beyond = """(document.querySelectorAll("details").forEach((each) => { each.open = true; }),
            [...document.querySelectorAll("body *")].filter((each) => !each.closest("pre, .scroll") &&
                (each.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
                (each.closest(".controls label") && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0))).map((each) =>
                `${each.tagName} ${each.textContent}`).concat(document.documentElement.scrollWidth > document.documentElement.clientWidth
                ? ["the page is wider than the screen"] : []))"""
        for name in names:
            for width, height in ((360, 740), (390, 844)):
                [found] = self.drive(name, [{"size": [width, height]}, {"eval": beyond}])
                assert found == [], (name, width, found)
