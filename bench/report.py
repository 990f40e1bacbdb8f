#!/usr/bin/env python3
"""Writes docs/benchmarks.md and the data of its plot from the JSON files of the bench programs.

usage: report.py FOLDER TEXT.md PLOT.tsv

FOLDER holds <program>*.json; of bench_rk4 there may be several, from several compilers and rounds.
"""
import glob
import json
import os
import statistics
import sys


def load(folder, program):
    out = []
    for path in sorted(glob.glob(os.path.join(folder, program + "*.json"))):
        with open(path, encoding="utf-8") as file:
            out.append(json.load(file))
    return out


def number(x, digits=3):
    if x is None:
        return ""
    if x != 0 and not 1e-3 <= abs(x) < 1e6:
        return f"{x:.{digits - 1}e}"
    whole = len(str(int(abs(x)))) if abs(x) >= 1 else 0
    return f"{x:.{max(0, digits - whole)}f}"


def rate(x):
    for scale, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if x >= scale:
            return f"{number(x / scale)} {prefix}/s"
    return f"{number(x)} /s"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows] + [""]


def plain(result):
    """All rows of one program as they are."""
    rows = []
    for row in result["rows"]:
        rows.append([row["name"], row["size"] or "", row["isa"], row["threads"],
                     number(row.get("min")), number(row.get("median")), row["unit"],
                     rate(row["rate"]) if "rate" in row else "", number(row.get("ratio")),
                     number(row.get("best_ratio")), row["ratio_of"], number(row.get("share")),
                     number(row.get("best_share"))])
    head = ["", "size", "ISA", "threads", "min", "median", "unit", "rate", "ratio", "best", "of",
            "share", "best"]
    keep = [i for i in range(len(head)) if i == 0 or any(str(row[i]) for row in rows)]
    return table([head[i] for i in keep], [[row[i] for i in keep] for row in rows])


def notes(results):
    """Each once; of hashes of end states only whether all builds have the same."""
    seen = list(dict.fromkeys(note for result in results for note in result["notes"]))
    hashes = [note.split(": ") for note in seen if note.startswith("bits ")]
    seen = [note for note in seen if not note.startswith("bits ")]
    if hashes and len(hashes) == len({size for size, _ in hashes}):
        seen.append("end states of all compilers and instruction sets are the same to the bit")
    elif hashes:
        seen.append("WRONG: end states of the compilers differ")
    return [f"* {note}" for note in seen] + [""]


def on_gpu(result):
    """Rows of the GPU, those of the threads beside them first."""
    return [row for row in result["rows"] if row["name"] in ("ours, all threads", "ours, GPU beside all threads")]


def gpu(result):
    """One line per number of segments, one column without and one with the GPU."""
    lines = {}
    for row in on_gpu(result):
        lines.setdefault(row["size"], []).append(row)
    return table(["n", "threads", "GPU beside them", "times"],
                 [[size, rate(threads["rate"]), rate(both["rate"]), f"{number(both['ratio'])} x, {number(both['best_ratio'])} x"]
                  for size, (threads, both) in sorted(lines.items())])


def peers(result):
    """One line per contender, one column per number of segments."""
    def title(row):
        return ", ".join(filter(None, (row["name"], row["isa"])))

    of_gpu = on_gpu(result)
    of_thread = [row for row in result["rows"] if row not in of_gpu]
    sizes = sorted({row["size"] for row in of_thread})
    names = list(dict.fromkeys(title(row) for row in of_thread))
    cell = {(title(row), row["size"]): row for row in of_thread}
    rows = []
    for name in names:
        line = [name]
        for size in sizes:
            row = cell.get((name, size))
            text = rate(row["rate"]) if row else ""
            if row and "ratio" in row:
                text += f" ({number(row['ratio'])} x, {number(row['best_ratio'])} x)"
            line.append(text)
        rows.append(line)
    return table([""] + [f"n = {size}" for size in sizes], rows)


def tolerance(result):
    """One line per contender, one column per error."""
    sizes = sorted({row["size"] for row in result["rows"]})
    cell = {(row["name"], row["size"]): row for row in result["rows"]}
    rows = []
    for name in dict.fromkeys(row["name"] for row in result["rows"]):
        line = [name]
        for size in sizes:
            row = cell.get((name, size))
            text = f"{number(row['median'] / 1e3)} us" if row else ""
            if row and "ratio" in row:
                text += f" ({number(row['ratio'])} x, {number(row['best_ratio'])} x)"
            line.append(text)
        rows.append(line)
    return table([""] + [f"1e-{size} rad" for size in sizes], rows)


def merge_rk4(results):
    """(compiler, solver, n, ISA, threads) -> median and least ns, shares of the peak (median, best)
    and ratio to one thread as text; that from rounds on a busy machine only if there are no others."""
    times, shares, ratios, busy = {}, {}, {}, {}
    for result in results:
        for row in result["rows"]:
            if not row["size"]:
                continue
            key = (result["compiler"], row["name"].replace("rk4 ", ""), row["size"], row["isa"],
                   row["threads"])
            which = 0 if row["threads"] > 1 else 1
            times.setdefault(key, []).extend(s[which] for s in row["samples_wall_processor"])
            if "share" in row:
                shares.setdefault(key, []).append((row["share"], row["best_share"]))
            if "ratio" in row:
                which = busy if row["ratio_of"].endswith("(busy)") else ratios
                which.setdefault(key, []).append(row["ratio"])
    threads = {k: number(statistics.median(v)) + " x (busy)" for k, v in busy.items()}
    threads.update({k: number(statistics.median(v)) + " x" for k, v in ratios.items()})
    return ({k: (statistics.median(v), min(v)) for k, v in times.items()},
            {k: tuple(statistics.median(column) for column in zip(*v)) for k, v in shares.items()},
            threads)


def rk4(results):
    times, shares, ratios = merge_rk4(results)
    compilers = list(dict.fromkeys(key[0] for key in times))
    isas = list(dict.fromkeys(key[3] for key in times))
    most = max(key[4] for key in times)
    fastest = isas[-1]
    head = ["n", "solver"]
    for isa in isas:
        head += [f"{isa}, {compiler.split()[0]}" for compiler in compilers]
    head += ["ns per step", "best", "share of the multiply-add peak", "best", f"{most} threads"]
    rows = []
    for n, solver in dict.fromkeys((key[2], key[1]) for key in times):
        line = [n, solver]
        for isa in isas:
            for compiler in compilers:
                time = times.get((compiler, solver, n, isa, 1))
                line.append(rate(1e9 / time[0]) if time else "")
        key = (compilers[0], solver, n, fastest)
        line += [number(x) for x in times.get(key + (1,), (None, None))]
        line += [number(x) for x in shares.get(key + (1,), (None, None))]
        rows.append(line + [ratios.get(key + (most,), "")])
    return table(head, rows)


def plot_data(results, path):
    """n, then ns per step (fastest sample) of each solver with the first compiler and the fastest
    ISA, as blocks."""
    times, _, _ = merge_rk4(results)
    compiler = next(iter(times))[0]
    fastest = list(dict.fromkeys(key[3] for key in times))[-1]
    with open(path, "w", encoding="utf-8") as file:
        for i, solver in enumerate(dict.fromkeys(key[1] for key in times)):
            print(("\n\n" if i else "") + f'"{solver}"', file=file)
            for key in sorted(times, key=lambda key: key[2]):
                if key[0] == compiler and key[1] == solver and key[3:] == (fastest, 1):
                    print(key[2], times[key][1], file=file)


def main():
    folder, text, plot = sys.argv[1:]
    programs = ("limits", "rk4", "solve", "tangents", "forces", "peers", "tolerance", "study")
    results = {name: load(folder, name) for name in programs}
    every = [result for group in results.values() for result in group]
    first = every[0]
    compilers = list(dict.fromkeys(result["compiler"] for result in every))
    loads = [result["load_average"] for result in every if "load_average" in result]
    lines = [
        "# Benchmarks", "",
        f"Written by `scripts/bench` on {first['date']}: {first['machine']['model']}, "
        f"{first['machine']['cores']} cores; {', '.join(compilers)}; load average up to "
        f"{max(loads):.1f}.", "",
        "Compare ratios, not numbers of different machines. Contenders take turns in rounds of "
        "short samples; a ratio is the median over the rounds of the ratio within a round, and `best` or a "
        "second figure the ratio of the fastest samples of each: other work on the machine can only "
        "cost time. Work of "
        "one thread is timed by processor time, work of several threads and of disks by the wall "
        "clock. A member-step is one classical RK4 step (four right-hand sides) of one run; every "
        "run has its own lengths, masses and initial angles.", "",
    ]
    if any(result["smoke"] for result in every):
        lines += ["**Made with `--smoke`: the numbers say nothing.**", ""]
    if results["peers"]:
        lines += ["## Others on the same runs", "",
                  "Member-steps per second on one thread (median), and how many times faster ours is: in "
                  "the median, and comparing the fastest samples.", ""]
        lines += peers(results["peers"][0])
        with_gpu = on_gpu(results["peers"][0])
        if with_gpu:
            lines += [f"Member-steps per second on all {with_gpu[0]['threads']} threads of this machine, and with its "
                      "GPU beside them; how many times faster that is, as above.", ""]
            lines += gpu(results["peers"][0])
        lines += notes(results["peers"])
    if results["tolerance"]:
        lines += ["## The same error with others", "",
                  "Processor time of one run of 10 s, two rods with angles within 0.5 rad, one thread, by "
                  "steps that each contender chooses: with the loosest tolerance of a ladder (four to the "
                  "decade) with which the largest error of the angles at the end, of 64 runs, is at most "
                  "this; and how many times that of ours it is: in the median, and comparing the fastest "
                  "samples.", ""]
        lines += tolerance(results["tolerance"][0]) + notes(results["tolerance"])
    if results["rk4"]:
        lines += ["## RK4 of n segments", "",
                  "Member-steps per second of the bare kernel on one thread; the last columns are "
                  "for the first compiler and the fastest instruction set.", ""]
        lines += rk4(results["rk4"]) + notes(results["rk4"])
        lines += ["![Time per step over the number of segments](benchmarks.png)", ""]
        plot_data(results["rk4"], plot)
    for name, title in (("tangents", "All Lyapunov exponents"),
                        ("forces", "One force"),
                        ("solve", "Batched factorisation and solution"),
                        ("study", "A whole study"), ("limits", "Limits of the machine")):
        if results[name]:
            lines += [f"## {title}", ""] + plain(results[name][0]) + notes(results[name])
    with open(text, "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
