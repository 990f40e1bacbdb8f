# Ctrl-C in a run of the Python package stops it with word of how to go on, and the same call goes on
# to the same result; in memory nothing is kept, and that is told. How far it is stands on a line.
. "$SOURCE/tests/check.sh"
use_package h5py xarray

runs=4000
print_chain 100 $runs >study.yaml
print_chain "$(steps_in study.yaml 3 1)" $runs >study.yaml # s; it is stopped before
cat >interrupt.py <<'END'
import os
import re
import signal
import subprocess
import sys

PROGRAM = """
import signal, manylink
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever started the test
data = manylink.run("study.yaml", output={output!r}, threads=1, progress=True)
assert (data.outcome == 0).all()
print("done")
"""


def start(output):
    return subprocess.Popen([sys.executable, "-c", PROGRAM.format(output=output)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def interrupt_when_begun(process):
    """Once the line tells of runs; what has been written to stderr when it is gone."""
    told = b""
    while not re.search(rb"\r\[[#.]{30}\] +[\d.]+ %  [1-9]\d* of \d+ runs", told):
        more = os.read(process.stderr.fileno(), 4096)
        assert more, told.decode()
        told += more
    process.send_signal(signal.SIGINT)
    out, rest = process.communicate()
    assert out == b"" and process.returncode == -signal.SIGINT, (out, rest, process.returncode)
    return (told + rest).decode()


told = interrupt_when_begun(start("result.h5"))
assert "finishing the blocks being computed; once more to drop them" in told, told
assert re.search(r"KeyboardInterrupt: stopped with \d+ of 4000 runs to do; the same call continues from there: "
                 r"result.h5\n$", told), told
assert not os.path.exists("result.h5") and os.path.isdir("result.h5.parts")
told = interrupt_when_begun(start(False))
assert "to do; nothing is kept: with output='NAME.h5' the same call would go on" in told, told
END
expect 0 "$PYTHON" interrupt.py
[ "$(blocks result.h5)" -ge 1 ] || fail "no block was kept"
# What is damaged of it is computed again, and that is told.
find result.h5.parts -name 'blocks-*' | head -n 1 >journal
printf x >>"$(cat journal)"
expect 0 "$PYTHON" - <<'END'
import threading
import manylink
there = []
work = threading.Thread(target=lambda: there.append(manylink.run("study.yaml", output="result.h5", threads=2)))
work.start()  # where no signal is heard
work.join()
assert (there[0].outcome == 0).all()
END
says err "parts that were cut off or damaged: 1"
expect 0 "$MANYLINK" run --quiet study.yaml -o by_command.h5
same by_command.h5 result.h5

# Another study's file is left alone, unless it is to be replaced.
expect 1 "$PYTHON" -c 'import manylink; manylink.run("study.yaml", set={"time.end": 1e-3}, output="result.h5")'
says err "result.h5: belongs to another study"
expect 0 "$PYTHON" -c 'import manylink
data = manylink.run("study.yaml", set={"time.end": 1e-3}, output="result.h5", restart=True)
assert (data.end_time == 1e-3).all()'
