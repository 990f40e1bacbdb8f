#!/usr/bin/env python3
"""What does a change make faster or slower, and what does each thing a study asks for cost? Runs
`manylink` of one or two builds in turns on studies made on the fly, on one thread.

usage: compare.py BEFORE [AFTER] [options]
  BEFORE, AFTER  folders of builds, of any version, with libmanylink.a and manylink.pc
  --isa LIST     instruction sets (all of this machine but baseline)
  --seconds S    for everything, about (240)
  --quick        in 60 s: forces at n = 3 only, fastest instruction set
  --only REGEX   rows whose "n = 3, pid" matches
  --hand FOLDER  also bench/hand_v3 and hand_v4 of a build with the benchmarks: the same steps by hand
  --scipy        also scipy's odeint, of Lorenz-96
  --clang CLANG  folder of a build by clang, compared with the one before it
  --json FILE    everything measured

bench/speed.c is compiled against the library of each build; these servers take turns on one thread. A
sample is the processor time of the computing thread from the first block to the last of a short
`ml_run`, so starting, reading and joining do not count, and what other processes do counts little; of a
study by formulas less that of a short run, as its kernel is loaded and tried in that time.
Other work, of this machine or of others on the same processor, makes samples slower, never faster:
rounds go on until three samples of each contender are within 3 % of its least, or the time is up
("?": they are not). All rows of one size take turns within a round, contenders side by side. A ratio is
that of the least samples, beside it the median over the rounds of the ratio within a round.
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

BATCH = 64       # numbers of members are multiples of it
SAMPLE = 15.0    # ms, about
ENOUGH = 3       # samples near the least
NEAR = 1.03
MOST_ROUNDS = 40
STEP = 1e-3      # s
SIZES = (2, 3, 4, 5, 8)
NEVER = 10 ** 9  # analyse.every: at the end only
RENORMALISE = 50 # steps
SHORT = 32       # what the number of a row's short run has on top; no group has as many rows

# Of joints and segments 2, which every size has.
FORCES = {
    "torque": "{type: torque, joint: 2, value: 0.5}",
    "damper": "{type: damper, joint: 2, coefficient: 0.1}",
    "pid": "{type: pid, joint: 2, target: 1, kp: 30, ki: 3, kd: 2}",
    "pid with a limit": "{type: pid, joint: 2, target: 1, kp: 30, ki: 3, kd: 2, limit: 50}",
    "spring": "{type: spring, segment: 2, at: 1, anchor: [1, 1], stiffness: 10, rest_length: 0.5}",
    "point force": "{type: point_force, segment: 2, at: 0.5, force: [1, 2]}",
    "joint limit": "{type: joint_limit, joint: 2, upper: 1, stiffness: 10}",
    "ground": "{type: ground, segment: 2, level: -1, stiffness: 100, damping: 0.1, friction: 0.5}",
    "friction": "{type: friction, joint: 2, coulomb: 0.1, static: 0.2}",
    "contact": "{type: contact, segment: 2, point: [0, -1], normal: [1, 3], stiffness: 100, "
               "damping: 0.1, friction: 0.5}",
    "impedance": "{type: impedance, stiffness: {2: {2: 10}}, equilibrium: 0.5}",
    "computed torque": "{type: computed_torque, kp: 20, kd: 4, target: 0.5}",
    "torque with a course":
        "{type: torque, joint: 2, value: {type: sine, amplitude: 1, frequency: 1}}",
}
THREE_PIDS = ", ".join(
    f"{{name: c{j}, type: pid, joint: {j}, target: 1, kp: 30, ki: 3, kd: 2}}" for j in (1, 2, 3))

OTHERS = {  # system -> (its maps, swept number, from, to, numbers of the state)
    "lorenz": ("system: {type: lorenz}\ninitial: {x: 1, y: 1, z: 1}", "system.rho", 24, 40, 3),
    "henon_heiles": ("system: {type: henon_heiles}\ninitial: {x: 0.1, px: 0.2}", "initial.y",
                     -0.2, 0.2, 4),
    "duffing": ("system: {type: duffing}\ninitial: {x: 0.5}", "system.gamma", 0.2, 0.6, 2),
    "four_mass_runner": ("system: {type: four_mass_runner}\n"
                         "initial: {v3: 0.96, v4: 0.96, v1: 0.46, v2: 0.46}",
                         "system.contact.stiffness", 2e5, 5e6, 8),
    "mass_spring_damper": (
        "system:\n  type: mass_spring_damper\n  mass: [[340, 300], [300, 300]]\n"
        "  damping: [0, 1500]\n  stiffness: [200e3, 20e3]\ninitial: {position: {1: -0.05}}",
        "system.damping.2.2", 300, 8000, 4),
}
# The same systems, as a study writes them.
BY_FORMULA = {
    "lorenz": "{type: equations, parameters: {sigma: 10, rho: 28, beta: 8/3}, state: {x: 1, y: 1, z: 1}, "
              "rates: {x: sigma*(y - x), y: x*(rho - z) - y, z: x*y - beta*z}}",
    "henon_heiles": "{type: equations, state: {x: 0.1, y: 0, px: 0.2, py: 0}, "
                    "rates: {x: px, y: py, px: -x - 2*x*y, py: y^2 - y - x^2}}",
    "duffing": "{type: equations, parameters: {delta: 0.3, alpha: -1, beta: 1, gamma: 0.5, omega: 1.2}, "
               "state: {x: 0.5, v: 0}, rates: {x: v, v: gamma*cos(omega*t) - delta*v - alpha*x - beta*x^3}}",
}
LORENZ_96 = ("system:\n  type: equations\n  parameters: {F: 8}\n  state: {x: {count: 40, value: 8}}\n"
             '  rates: {"x[i]": "(x[i+1] - x[i-2])*x[i-1] - x[i] + F"}', "initial.x.1", 8.01, 8.65, 40)
ENERGIES = """system:
  type: equations
  parameters: {m1: 1, m2: 1, l1: 1, l2: 1, g: 9.81}
  coordinates: {a: 0, b: 0}
  define: {x: l1*sin(a) + l2/2*sin(b), y: -l1*cos(a) - l2/2*cos(b)}
  kinetic: m1*l1^2/6*a'^2 + m2/2*(x'^2 + y'^2) + m2*l2^2/24*b'^2
  potential: g*(m2*y - m1*l1/2*cos(a))"""
OTHER_STEP = {"lorenz_96": 2e-2, "lorenz": 2e-3, "duffing": 5e-3, "henon_heiles": 1e-2, "four_mass_runner": 2e-5}


class Row:
    """One study.
         group  rows that take turns within a round
         of     name of the row in the group that its cost is compared with
         guess  ns per member-step on a fast instruction set, for the length of samples"""

    def __init__(self, group, name, text, guess, of=None, step=STEP, kind="", n=0):
        self.group, self.name, self.text, self.guess, self.of = group, name, text, guess, of
        self.step, self.kind, self.n = step, kind, n
        self.n_step = self.n_run = 0

    def set_length(self, slowness):
        """As long as a sample; steps enough that what a member costs besides them does not count."""
        amount = SAMPLE * 1e6 / (self.guess * slowness)  # member-steps
        self.n_step = int(min(2000, max(200, amount / BATCH)))
        self.n_run = BATCH * max(1, round(amount / BATCH / self.n_step))

    def study(self, n_step):
        return (f"manylink: 1\n{self.text}\n"
                f"time: {{step: {self.step}, end: {n_step * self.step:.12g}}}\n"
                ).replace("COUNT", str(self.n_run))

    def is_by_formula(self):
        return "equations" in self.text


def chain(n, forces="", analyse=f"every: {NEVER}"):
    """Rods with lengths, masses and angles of their own in every run."""
    over = [f"{{set: system.segments.{i}.length, from: 0.5, to: 1}}, "
            f"{{set: system.segments.{i}.mass, from: 0.5, to: 1.5}}, "
            f"{{set: initial.angle.{i}, from: -2.5, to: 2.5}}" for i in range(1, n + 1)]
    return (f"system: {{type: chain, segments: {{repeat: {n}, length: 1, mass: 1}}}}\n"
            f"forces: [{forces}]\nanalyse: {{{analyse}}}\n"
            f"sample: {{method: random, count: COUNT, over: [{', '.join(over)}]}}")


def energies(analyse):
    """The rods of `chain`, of which n = 2, by their energies."""
    over = [f"{{set: system.l{i}, from: 0.5, to: 1}}, {{set: system.m{i}, from: 0.5, to: 1.5}}, "
            f"{{set: initial.{angle}, from: -2.5, to: 2.5}}" for i, angle in ((1, "a"), (2, "b"))]
    return f"{ENERGIES}\nanalyse: {{{analyse}}}\nsample: {{method: random, count: COUNT, over: [{', '.join(over)}]}}"


def exponents(step):
    return f"every: {NEVER}, lyapunov: {{renormalise: {RENORMALISE * step:.12g}}}"


def make_rows():
    bare = {1: 5, 2: 10, 3: 18, 4: 30, 5: 45, 8: 120}  # ns
    spectrum = {2: 27, 3: 85, 4: 250, 5: 500, 8: 1500}
    rows = []
    for n in (1,) + SIZES:
        def add(name, text, guess, kind, of="bare", n=n):
            rows.append(Row(f"n = {n}", name, text, guess, of, kind=kind, n=n))
        add("bare", chain(n), bare[n], "bare", None)
        if n == 1:
            continue
        if n in (2, 3):
            add("bare, observed by default", chain(n, analyse=""), bare[n], "default")
        add("all exponents", chain(n, analyse=exponents(STEP)), spectrum[n], "exponents")
        for name, text in FORCES.items():
            add(name, chain(n, text), 2 * bare[n], "force")
        if n == 2:
            add("from energies", energies(f"every: {NEVER}"), 1.5 * bare[n], "energies")
            add("all exponents, from energies", energies(exponents(STEP)), 2 * spectrum[n], "energies", "all exponents")
        if n == 3:
            add("three pids", chain(n, THREE_PIDS), 4 * bare[n], "pids")
    for name, (text, number, low, high, n_state) in dict(OTHERS, lorenz_96=LORENZ_96).items():
        step = OTHER_STEP.get(name, STEP)
        sweep = f"\nsweep: [{{set: {number}, from: {low}, to: {high}, count: COUNT}}]"
        for kind, analyse in (("bare", f"every: {NEVER}"), ("exponents", exponents(step))):
            title = "bare" if kind == "bare" else "all exponents"
            guess = 1.5 * n_state if kind == "bare" else 6 * n_state * max(1, n_state / 8)
            rows.append(Row(name, title, f"{text}\nanalyse: {{{analyse}}}{sweep}", guess,
                            None if kind == "bare" else "bare", step, kind))
            if name in BY_FORMULA:
                rows.append(Row(name, title + ", by formula",
                                f"system: {BY_FORMULA[name]}\nanalyse: {{{analyse}}}{sweep}", guess, title, step, kind))
    return rows


class Contender:
    """A server, and how it is told a row."""

    def __init__(self, name, program, folder):
        self.name, self.program, self.folder = name, program, folder
        self.server = None
        self.short = {}  # number of a row by formula -> s and member-steps of a short run

    def can(self, row):
        return True

    def ask(self, isa, question):
        if not self.server:
            environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
            self.server = subprocess.Popen([self.program(isa)], stdin=subprocess.PIPE, text=True,
                                           stdout=subprocess.PIPE, env=environment)
        self.server.stdin.write(question + "\n")
        self.server.stdin.flush()
        answer = self.server.stdout.readline()
        if not answer:
            sys.exit(f"compare.py: {self.name}: no answer to {question}")
        return answer.split()

    def read_study(self, isa, k, text):
        path = os.path.join(self.folder, f"{k}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.ask(isa, f"read {k} {isa} {path}")

    def read(self, isa, k, row):
        self.read_study(isa, k, row.study(row.n_step))
        self.short[k] = 0.0, 0
        if row.is_by_formula():
            self.read_study(isa, k + SHORT, row.study(RENORMALISE))
            self.short[k] = min(self.run(isa, k + SHORT) for _ in range(5))

    def run(self, isa, k):
        """s and member-steps."""
        seconds, steps = self.ask(isa, f"run {k} {os.path.join(self.folder, 'out.h5')}")
        return float(seconds), int(steps)

    def sample(self, isa, k):
        """ns per member-step."""
        seconds, steps = self.run(isa, k)
        less, fewer = self.short.get(k, (0.0, 0))
        return 1e9 * (seconds - less) / (steps - fewer)

    def end(self):
        if self.server:
            self.server.stdin.close()
            self.server.wait()
        self.server = None


class Hand(Contender):
    """bench/hand.c, a program for each instruction set."""
    RINGS = {"bare": "ring", "all exponents": "rings"}

    def __init__(self, build, folder):
        super().__init__("by hand", lambda isa: f"{build}/bench/hand_{isa}", folder)

    def can(self, row):
        return ((row.name == "bare" and row.n >= 2) or (row.name == "pid" and row.n == 3)
                or row.group == "lorenz_96")

    def read(self, isa, k, row):
        kind = self.RINGS[row.name] if row.group == "lorenz_96" else "pid" if row.name == "pid" else "bare"
        self.ask(isa, f"read {k} {kind} {row.n} {row.n_run} {row.n_step}")


class Scipy(Contender):
    """Lorenz-96 with all exponents by scipy's odeint, one run after the other, at the loosest tolerance (four to the decade)
    with which the state errs after 2 s by no more than that of our steps."""

    def __init__(self, folder):
        super().__init__("scipy", None, folder)
        self.tolerance = 0.0

    def can(self, row):
        return row.group == "lorenz_96" and row.name == "all exponents"

    def read(self, isa, k, row):
        import numpy
        from scipy.integrate import odeint
        np, self.odeint, self.step, self.qr = numpy, odeint, row.step, numpy.linalg.qr
        n = self.n = LORENZ_96[-1]

        def rates(u, t):
            x, y = u[:n], u[n:].reshape(-1, n)
            gap, before = np.roll(x, -1) - np.roll(x, 2), np.roll(x, 1)
            along = (np.roll(y, -1, 1) - np.roll(y, 2, 1)) * before + gap * np.roll(y, 1, 1) - y
            return np.concatenate([gap * before - x + 8, along.ravel()])

        self.rates = rates
        x = np.full(n, 8.0)
        x[0] = LORENZ_96[2]
        self.start = np.concatenate([x, np.eye(n).ravel()])
        best = self.go(x, 2.0, 1e-13)
        h = self.step
        for _ in range(round(2 / h)):
            k1 = rates(x, 0)
            k2 = rates(x + h / 2 * k1, 0)
            k3 = rates(x + h / 2 * k2, 0)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(x + h * k3, 0))
        error, start = np.abs(x - best).max(), self.start[:n]
        self.tolerance = next(t for t in 10.0 ** -(np.arange(12, 60) / 4) if np.abs(self.go(start, 2.0, t) - best).max() <= error)
        print(f"scipy: tolerance {self.tolerance:.1e}, our steps err by {error:.1e}", file=sys.stderr)

    def go(self, start, last, tolerance):
        return self.odeint(self.rates, start, [0, last], rtol=tolerance, atol=tolerance, mxstep=100000)[-1]

    def sample(self, isa, k):
        u, steps, n = self.start, 4 * RENORMALISE, self.n
        began = time.thread_time()
        for _ in range(steps // RENORMALISE):
            u = self.go(u, RENORMALISE * self.step, self.tolerance)
            u[n:] = self.qr(u[n:].reshape(n, n).T)[0].T.ravel()
        return 1e9 * (time.thread_time() - began) / steps


class Samples(dict):
    """ns per member-step of one contender on one row, by round."""

    def least(self):
        return min(self.values())

    def is_sure(self):
        return sum(x <= NEAR * self.least() for x in self.values()) >= ENOUGH

    def text(self):
        return (f"{self.least():.1f} ({statistics.median(self.values()):.1f})"
                + ("" if self.is_sure() else "?"))


def measure_group(rows, contenders, isa, seconds):
    """Rows that take turns -> {(row, contender): Samples}."""
    began = time.monotonic()
    out = {(row, c): Samples() for row in rows for c in contenders if c.can(row)}
    number = {row: k for k, row in enumerate(rows)}
    bases = {row.of for row in rows}
    for row, c in out:
        row.set_length({"v4": 1.0, "v3": 1.4}.get(isa, 40.0))
        c.read(isa, number[row], row)
        c.sample(isa, number[row])  # what is made at the first run gets made
    for i in range(MOST_ROUNDS):
        unsure = {row for (row, c), s in out.items() if i < ENOUGH or not s.is_sure()}
        if not unsure or (i >= ENOUGH and time.monotonic() - began > seconds):
            break
        for (row, c), samples in out.items():
            if row in unsure or row.name in bases:
                samples[i] = c.sample(isa, number[row])
    for c in contenders:
        c.end()
    return out


def measure(rows, contenders, sets, seconds):
    """isa -> {(row, contender): Samples}; time that a group does not need goes to the next."""
    ends = time.monotonic() + seconds
    groups = [(isa, group) for isa in sets for group in dict.fromkeys(row.group for row in rows)]
    weights = [sum(row.group == group for row in rows) for _, group in groups]
    out = {isa: {} for isa in sets}
    for i, (isa, group) in enumerate(groups):
        share = weights[i] / sum(weights[i:])
        some = [row for row in rows if row.group == group]
        out[isa].update(measure_group(some, contenders, isa, share * (ends - time.monotonic())))
        if sys.stderr.isatty():
            print(f"{isa}, {group}", file=sys.stderr)
    return out


def pair(a, b):
    """Ratio of the least, and median over the rounds that both were in."""
    rounds = [a[i] / b[i] for i in a if i in b]
    sure = "" if a.is_sure() and b.is_sure() else "?"
    return f"{a.least() / b.least():.2f} ({statistics.median(rounds):.2f}){sure}"


def table(head, lines):
    width = [max(len(str(line[i])) for line in [head] + lines) for i in range(len(head))]
    for line in [head] + lines:
        print("  ".join(str(cell).ljust(w) if i == 0 else str(cell).rjust(w)
                        for i, (cell, w) in enumerate(zip(line, width))))
    print()


def report_times(isa, rows, contenders, times):
    print(f"{isa}: ns per member-step and ratios, of the least samples (medians)")
    head = [""] + [c.name for c in contenders]
    head += [f"{contenders[0].name}/{c.name}" for c in contenders[1:]]
    lines = []
    for row in rows:
        line = [f"{row.group}, {row.name}"]
        for c in contenders:
            t = times.get((row, c))
            line.append(t.text() if t else "")
        for c in contenders[1:]:
            t = times.get((row, c))
            line.append(pair(times[row, contenders[0]], t) if t else "")
        lines.append(line)
    table(head, lines)


def report_costs(isa, rows, ours, times):
    """What an issue of a study costs over the bare step of the same size, of each build."""
    for c in ours:
        print(f"{isa}, {c.name}: over the bare step; all exponents from energies or by formula: over theirs")
        groups = list(dict.fromkeys(row.group for row in rows if row.of))
        names = list(dict.fromkeys(row.name for row in rows if row.of))
        at = {(row.group, row.name): row for row in rows}
        lines = []
        for name in names:
            line = [name]
            for group in groups:
                row = at.get((group, name))
                base = at.get((group, row.of)) if row else None
                line.append(pair(times[row, c], times[base, c]) if base else "")
            lines.append(line)
        if lines:
            table([""] + groups, lines)


def report_hand(isa, rows, ours, hands, times):
    lines = []
    for row in rows:
        for hand in hands:
            if (row, hand) in times:
                lines.append([f"{row.group}, {row.name}, {hand.name}"]
                             + [pair(times[row, hand], times[row, c]) for c in ours])
    if lines:
        print(f"{isa}: how many times faster than vectors by hand, or scipy")
        table([""] + [c.name for c in ours], lines)


def cache_entry(build, name):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return re.search(rf"^{name}:\w+=(.*)$", file.read(), re.M).group(1)


def compile_server(build, name, folder):
    """bench/speed.c with the library of a build."""
    program = os.path.join(folder, f"speed_{name}")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "speed.c")
    with open(os.path.join(build, "manylink.pc"), encoding="utf-8") as file:
        libraries = re.search(r"^Libs.private: (.*)$", file.read(), re.M).group(1)
    subprocess.run([cache_entry(build, "CMAKE_C_COMPILER"), "-std=c17", "-O2", source, "-I",
                    os.path.join(cache_entry(build, "CMAKE_HOME_DIRECTORY"), "include"),
                    os.path.join(build, "libmanylink.a"), "-o", program]
                   + shlex.split(libraries) + ["-pthread"], check=True)
    return program


def sets_of(build):
    """Of this machine, fastest last."""
    text = subprocess.run([os.path.join(build, "manylink"), "--version"], capture_output=True,
                          text=True, check=True).stdout
    return [isa for isa in ("baseline", "v3", "v4") if re.search(rf"\b{isa}\b", text)]


def read_options():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:], add_help=True)
    parser.add_argument("before")
    parser.add_argument("after", nargs="?")
    for name, kind in (("isa", str), ("seconds", float), ("only", str), ("hand", str),
                       ("clang", str), ("json", str)):
        parser.add_argument("--" + name, type=kind)
    for name in ("quick", "scipy"):
        parser.add_argument("--" + name, action="store_true")
    options = parser.parse_args()
    options.seconds = options.seconds or (60.0 if options.quick else 240.0)
    return options


def make_contenders(options, folder):
    builds = {"before" if options.after else "ns": options.before, "after": options.after,
              "clang": options.clang}
    ours = []
    for name, build in builds.items():
        if build:
            program = compile_server(build, name, folder)
            ours.append(Contender(name, lambda isa, program=program: program, folder))
    others = [Hand(options.hand, folder)] if options.hand else []
    return ours, others + ([Scipy(folder)] if options.scipy else [])


def choose_sets(options):
    if options.isa:
        return options.isa.split(",")
    sets = sets_of(options.before)[::-1]
    return sets[:1] if options.quick or len(sets) == 1 else sets[:-1]


def main():
    options = read_options()
    sets = choose_sets(options)
    rows = [row for row in make_rows()
            if not (options.quick and row.kind == "force" and row.n != 3)
            and re.search(options.only or "", f"{row.group}, {row.name}")]
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None  # results, not on a disk
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        ours, hands = make_contenders(options, folder)
        times = measure(rows, ours + hands, sets, options.seconds)
    kept = []
    for isa, some in times.items():
        report_times(isa, rows, ours + hands, some)
        report_hand(isa, rows, ours, hands, some)
        report_costs(isa, rows, ours, some)
        kept += [{"isa": isa, "group": row.group, "row": row.name, "contender": c.name,
                  "ns": list(t.values())} for (row, c), t in some.items()]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
