"""A run under way: in a thread of its own, while this one draws how far it is and hears Ctrl-C."""
import concurrent.futures
import ctypes
import signal
import sys
import threading

from ._library import OK, STOPPED, STRUCTS, call
from ._study import tell

# The stop callback: the number that the context holds as text. Threads that integrate ask it after
# every batch, and would wait for Python's lock: 500,000 runs of ten steps took 1.2 s instead of 0.75.
_STOP = ctypes.cast(ctypes.CDLL(None).atoi, ctypes.c_void_p)
_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(STRUCTS["ml_run_progress"]))
_NOTICE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


def _is_notebook():
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None


class _Bar:
    """A line of text that is written over, in a terminal and in a notebook, or a function that is called instead."""
    WIDTH, CELLS, PATIENCE = 79, 30, 0.5  # characters; s before it is drawn

    def __init__(self, is_wanted):
        self.to = sys.stdout if _is_notebook() else sys.stderr
        self.function = is_wanted if callable(is_wanted) else None
        self.is_wanted = (_is_notebook() or self.to.isatty()) if is_wanted is None else bool(is_wanted)
        self.is_drawn = False

    def draw(self, done, runs, seconds):
        if self.function:
            return self.function(done, runs, seconds)
        if not self.is_wanted or runs <= 0 or seconds < self.PATIENCE:
            return
        part = done / runs
        left = f"{seconds * (1 / part - 1):.0f} s left" if part > 0 else ""
        cells = "#" * int(part * self.CELLS)
        line = f"[{cells:.<{self.CELLS}}] {100 * part:5.1f} %  {done} of {runs} runs  {left}"
        print("\r" + line.ljust(self.WIDTH)[:self.WIDTH], end="", file=self.to, flush=True)
        self.is_drawn = True

    def end(self):
        if self.is_drawn:
            print("\r" + " " * self.WIDTH + "\r", end="", file=self.to, flush=True)


class Job:
    """Calls ml_run, ml_run_memory, ml_inverse, ml_fit, ml_tune or ml_failures_find. `interrupts` counts Ctrl-C: the first finishes
    the blocks that are begun, the second drops them."""

    def __init__(self, progress=None, quiet=False):
        self.interrupts, self.notices, self.quiet = 0, [], quiet
        self.bar = _Bar(False if quiet and not callable(progress) else progress)
        self.now = (0, 0, 0.0)  # runs done, of how many, after how many seconds
        self._level = ctypes.create_string_buffer(b"0")
        self._progress = _PROGRESS(lambda _, p: self._note(p.contents))
        self._notice = _NOTICE(lambda _, text: self.notices.append(text.decode(errors="replace").rstrip()))

    def _note(self, progress):
        if progress.phase == 0:  # the runs
            self.now = (progress.runs_done, progress.runs, progress.seconds)

    def options(self, struct="ml_run_options", **more):
        if "progress" in dir(STRUCTS[struct]):
            more["progress"] = ctypes.cast(self._progress, ctypes.c_void_p) if self.bar.is_wanted else None
        if "notice" in dir(STRUCTS[struct]):
            more["notice"] = ctypes.cast(self._notice, ctypes.c_void_p)
        return STRUCTS[struct](stop=_STOP, context=ctypes.addressof(self._level), **more)

    def run(self, function, *arguments):
        """The status, OK or STOPPED, and the message."""
        hears = (threading.current_thread() is threading.main_thread()
                 and signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None))
        before = signal.signal(signal.SIGINT, self._interrupt) if hears else None
        try:
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                future = pool.submit(call, function, *arguments, allowed=(OK, STOPPED))
                self._watch(future)
                return future.result()
        finally:
            self.bar.end()
            if hears:
                signal.signal(signal.SIGINT, before)

    def _watch(self, future):
        try:
            while not concurrent.futures.wait([future], timeout=0.2).done:
                self.bar.draw(*self.now)
                self._tell()
            if self.bar.function:
                self.bar.draw(*self.now)
            self._tell()
        except BaseException:  # such as a warning that is an error
            self._level.value = b"2"
            raise

    def _tell(self):
        while self.notices:
            self.bar.end()
            tell(self.notices.pop(0), stacklevel=6, quiet=self.quiet)

    def _interrupt(self, number, frame):
        self.interrupts += 1
        self._level.value = b"1" if self.interrupts == 1 else b"2"
        if self.interrupts == 1:
            print("\nfinishing the blocks being computed; once more to drop them", file=sys.stderr, flush=True)
