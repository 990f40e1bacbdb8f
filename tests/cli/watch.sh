# `run --watch`: on a terminal, a map of the runs that are done; its colours are those of the result's
# numbers. Elsewhere nothing of it.
. "$SOURCE/tests/check.sh"
need_python

cat >map.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 0.1}
sweep:
  - {set: initial.angle.a, values: [1, 0.5, -1]}
  - {set: initial.rate.a, values: [0, 1, 2, 3, 1e14]}
show: max_rate
END
cat >list.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: a, length: 1, mass: 1}]}
time: {step: 1e-2, end: 0.1}
sample: {method: sobol, count: 64, over: [{set: initial.angle.a, from: 0, to: 3}, {set: initial.rate.a, from: 0.01, to: 9, scale: log}]}
END
cat >terminal.py <<'END'
"""terminal.py FILE COMMAND...: runs it with a terminal of 80 x 24 as its output, which goes to FILE."""
import fcntl
import os
import pty
import struct
import sys
import termios

main, end = pty.openpty()
fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
child = os.fork()
if child == 0:
    for stream in (1, 2):
        os.dup2(end, stream)
    os.close(main)
    os.execvp(sys.argv[2], sys.argv[2:])
os.close(end)
with open(sys.argv[1], "wb") as out:
    while True:
        try:
            text = os.read(main, 1 << 16)
        except OSError: # the terminal is gone
            break
        if not text:
            break
        out.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
cat >screen.py <<'END'
"""What is on the screen at the end: lines of (character, background), as an xterm shows them."""
import re


def screen(path):
    text, lines, row, column, colour = open(path, newline="").read(), [], 0, 0, None
    for token in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", text, re.DOTALL):
        while len(lines) <= row:
            lines.append([])
        line = lines[row]
        if token == "\r":
            column = 0
        elif token == "\n":
            row += 1
        elif token == "\x1b[K":
            del line[column:]
        elif token.endswith("A") and len(token) > 1:
            row -= int(token[2:-1])
        elif token == "\x1b[0m":
            colour = None
        elif token.startswith("\x1b[48;5;"):
            colour = int(token[7:-1])
        elif re.fullmatch(r"\x1b\[[0-9;]*m", token):
            pass # the colour of a message's first word
        else:
            assert not token.startswith("\x1b"), repr(token)
            if column == 80: # a long message goes on in the next line
                row, column = row + 1, 0
                lines.append([])
                line = lines[row]
            line[column:column + 1] = [(token, colour)]
            column += 1
    return lines
END

expect 3 "$PYTHON" terminal.py map.out "$MANYLINK" run map.yaml --watch
"$PYTHON" - <<'END'
import h5py
import numpy as np
from screen import screen

HUES = [54, 60, 24, 30, 36, 35, 71, 113, 149, 226]
lines = screen("map.out")
texts = ["".join(letter for letter, _ in line) for line in lines]
at = texts.index("max_rate.b (rad/s): initial.rate.a across, up initial.angle.a")
values = h5py.File("map.h5")["study/summary/max_rate"][:, :, 1]
assert np.isnan(values[:, 4]).all() and np.isfinite(values[:, :4]).all()
low, high = np.nanmin(values), np.nanmax(values)
assert 0 < low and high < 1000 * low, "linear"
for k, line in enumerate(lines[at + 1:at + 4]): # the first value of the axis is the highest: on top
    wanted = [HUES[min(9, int(10 * (value - low) / (high - low)))] for value in values[k, :4]] + [244]
    assert [colour for _, colour in line] == wanted, (k, line, wanted)
assert texts[at + 4] == f"{low:.4g} {' ' * 10} {high:.4g}", texts[at + 4]
assert "15 runs in" in "".join(texts[at + 5:]) and "% " not in "".join(texts), texts
END

expect 0 "$PYTHON" terminal.py list.out "$MANYLINK" run list.yaml --watch
"$PYTHON" - <<'END'
import h5py
import numpy as np
from screen import screen

lines = screen("list.out")
at = next(i for i, line in enumerate(lines) if "initial.angle.a across, up initial.rate.a" in "".join(c for c, _ in line))
runs = h5py.File("list.h5")["study/runs"]
wanted = {(int(angle / 3 * 64), 19 - int(np.log(rate / 0.01) / np.log(900) * 20))
          for angle, rate in zip(runs["initial.angle.a"][()], runs["initial.rate.a"][()])}
found = {(x, y) for y, line in enumerate(lines[at + 1:at + 21]) for x, (_, colour) in enumerate(line) if colour}
assert found == wanted, found ^ wanted
END

# No terminal, or nothing to be said: no map.
expect 3 "$MANYLINK" run map.yaml --watch --restart
! grep -q "$(printf '\033')" out err || fail "no terminal is there: $(cat out err)"
expect 3 "$PYTHON" terminal.py quiet.out "$MANYLINK" run map.yaml --watch --restart -q
[ ! -s quiet.out ] || fail "--quiet: $(cat quiet.out)"
