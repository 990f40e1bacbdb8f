"""Drives pages of fits and comparisons in Chromium and compares what they show with what h5py reads."""

import sys

import h5py
import numpy as np
from browser import Browser

CURVES = "sheet.figures.map(({ of }) => [of.caption, of.curves.map(({ name, xs, ys }) => [name ?? '', Array.from(xs), Array.from(ys)])])"
CELLS = "[...byId('sheet-tables').querySelectorAll('table')].map((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"
CAPTION = "sheet.figures[{k}].caption.textContent"
PLACE = "sheet.figures[{k}].places[{curve}][{side}][{i}] + sheet.figures[{k}].canvas.getBoundingClientRect().{edge}"


def place(k, curve, i):
    return [PLACE.format(k=k, curve=curve, side=side, i=i, edge=edge) for side, edge in enumerate(("left", "top"))]


def number(text):
    return float(text.replace("−", "-"))


def check_fit(browser, name, file):
    """Curves of each column, and tables, are those of the file."""
    fit = file["study/fit"]
    columns, parameters = fit["column"].asstr()[()].tolist(), fit["parameter"].asstr()[()].tolist()
    heading, scripts, figures, tables, printed = browser.drive(name, [
        {"eval": "document.querySelector('h1').textContent"}, {"eval": "document.scripts.length"}, {"eval": CURVES}, {"eval": CELLS},
        {"eval": "byId('sheet-tables').querySelector('pre').textContent"}])
    assert heading == file["study/title"].asstr()[()] and scripts == 8, (heading, scripts)
    assert printed == fit["page"].asstr()[()], printed
    times, rows = fit["time"][()], {}
    for i, column in enumerate(columns):
        rows[f"{column}: measured and model"] = fit["comparison"][2 * i:2 * i + 2]
        rows[f"{column}: residuals, measured less model"] = fit["residual"][i:i + 1]
    for (caption, curves), (wanted, values) in zip(figures, rows.items()):
        assert caption == wanted and len(curves) == len(values), (caption, wanted)
        for (_, xs, ys), row in zip(curves, values):
            there = np.isfinite(row)
            assert xs == times[there].tolist() and np.allclose(ys, row[there], rtol=1e-6, atol=1e-30), caption
    names = fit["parameter"].asstr()[()].tolist()
    header, *estimates = tables[0]
    assert header[:5] == ["number", "estimate", "unit", "std. error", "95 % interval"], header
    for i, (row, unit) in enumerate(zip(estimates, fit.attrs["parameter_units"])):
        assert row[0] == names[i] and row[2] == ("" if unit == "1" else unit), row
        assert np.isclose(number(row[1]), fit["estimate"][i], rtol=1e-5) and np.isclose(number(row[3]), fit["standard_error"][i], rtol=6e-3), row
        ends = [number(word) for word in row[4].split(" .. ")]
        assert np.allclose(ends, (fit["low"][i], fit["high"][i]), rtol=1e-5), row
    shown = np.array([[number(cell) for cell in row[1:]] for row in tables[1][1:]])
    assert np.allclose(shown, fit["correlation"][()], atol=0.0051), shown
    return header, estimates, dict(zip(parameters, estimates)), figures


def check_experiments(browser, file):
    """The menu has the experiments; profiles, priors and the posterior have their columns; chains are left to the file."""
    fit = file["study/fit"]
    header, estimates, of, figures = check_fit(browser, "fit", file)
    assert header[5:] == ["of the profile", "prior", "posterior mean", "sd", "95 % of the posterior", "R-hat"], header
    at = list(of).index("system.k")
    assert estimates[at][2] == "1/s^2" and estimates[at][6] == f"{fit['prior_mean'][at]:.6g} ± {fit['prior_sd'][at]:.3g}", estimates[at]
    assert np.isclose(number(estimates[at][7]), fit["posterior_mean"][at], rtol=1e-5)
    caption, profiles = figures[-1]
    assert caption.startswith("Profiles") and [name for name, *_ in profiles] == fit["profile_curve"].asstr()[()].tolist()
    for (_, xs, ys), row in zip(profiles, fit["profile"][()]):
        assert np.allclose(xs, fit["offset"][()]) and np.allclose(np.array(ys, float), row, rtol=1e-5, atol=1e-6, equal_nan=True)
    choose = "((menu) => {{ menu.value = '{}'; menu.onchange(); }})(sheet.experiment), 0"
    menu, _, captions, address, left = browser.drive("fit", [
        {"eval": "[...sheet.experiment.options].map(({ value }) => value)"}, {"eval": choose.format("push")},
        {"eval": "sheet.figures.map(({ of }) => of.caption)"}, {"eval": "location.hash"},
        {"eval": "head.datasets.map(({ path }) => path).filter((path) => /chain|log_density|start_from|profile_numbers/.test(path))"}])
    assert menu == ["", "rest", "push"] and left == [], (menu, left)
    wanted = [caption for caption, _ in figures if not caption.startswith("rest: ")]
    assert captions == wanted and len(wanted) < len(figures), captions
    assert browser.drive("fit", [{"eval": "sheet.figures.map(({ of }) => of.caption)"}], address) == [wanted]


def check_reading(browser, file):
    """The mouse and the arrows read points of a picture, in both themes; Esc leaves these."""
    fit = file["study/fit"]
    times, measured = fit["time"][()], fit["comparison"][0]
    for theme in ("0", "byId('theme').click(), 0"):
        _, caption, _, first, *_, second, text, left = browser.drive("one", [
            {"eval": theme}, {"eval": CAPTION.format(k=0)}, {"eval": "sheet.figures[0].canvas.scrollIntoView(), 0"},
            {"move": place(0, 0, 40)}, {"eval": CAPTION.format(k=0)},
            {"eval": "sheet.figures[0].canvas.focus(), 0"}, {"key": "ArrowRight"}, {"eval": CAPTION.format(k=0)},
            {"key": "ArrowDown"}, {"eval": CAPTION.format(k=0)}, {"key": "Escape"}, {"eval": CAPTION.format(k=0)}])
        assert caption == left == "x: measured and model", (caption, left)
        for words, i, value in ((first, 40, measured[40]), (second, 41, measured[41]), (text, 41, fit["comparison"][1][41])):
            name = "model" if words is text else "measured"
            assert words == f"{name} = {words.split()[2]} m at time = {times[i]:.6g} s" and np.isclose(number(words.split()[2]), value, rtol=1e-5), words


def check_compared(browser, file):
    """A curve for each integrator: errors over time and evaluations, with the step or tolerance of a point; the menu has all errors."""
    precision = file["study/precision"]
    names = precision["integrator"].asstr()[()].tolist()
    choose = "((menu) => {{ menu.value = '{}'; menu.onchange(); }})(sheet.error), 0"
    size, [table], menu = browser.drive("compare", [
        {"eval": "byId('summary').textContent"}, {"eval": CELLS}, {"eval": "[...sheet.error.options].map(({ value }) => value)"}])
    assert size.startswith("3 of 3 runs compared"), size
    assert {"error", "error_median", "error_position", "error_velocity", "energy_error"} == set(menu), menu
    for error in ("error", "error_velocity"):
        _, figures, words = browser.drive("compare", [
            {"eval": choose.format(error)}, {"eval": CURVES},
            {"eval": "readFigure(sheet.figures[1], [1, 2]), sheet.figures[1].caption.textContent"}])
        for (_, curves), cost in zip(figures, ("cpu_time", "evaluations")):
            assert [name for name, *_ in curves] == names
            for (_, xs, ys), x, y in zip(curves, precision[cost][()], precision[error][()]):
                assert np.allclose(xs, x, rtol=1e-6) and np.allclose(ys, y, rtol=1e-6)
        assert words.startswith("dop853 = ") and words.endswith(f"tolerance = {precision['tolerance'][1, 2]:.0e}".replace("e-0", "e-")), words
    column = table[0].index("error")
    shown = [number(row[column]) for row in table[1:]]
    assert np.allclose(shown, precision["error"][()].ravel(), rtol=1e-3) and "sweep residual" not in table[0], table[0]
    assert table[1][0] == f"rk4, step = {precision['step'][0, 0]:.6g} s", table[1]


def check_cycles(browser, name, file):
    """Angle, torque and power of the joint over a cycle, of the chosen run: mean, band and toe-off; each cycle where it is asked for; tables."""
    inverse = file["study/inverse"]
    read = "sheet.figures.map(({ of }) => [of.caption, of.lines, of.curves.map(({ ys, band }) => [Array.from(ys), (band ?? []).map((row) => Array.from(row))])])"
    quantities, has_cycles = ("angle", "torque", "power"), "cycle_torque" in inverse
    for run in 0, 1:
        title, figures, each, tables = browser.drive(name, [
            {"eval": f"chooseRun({run}), byId('sheet-title').textContent"}, {"eval": read}, {"eval": f"sheet.cycles.click(), {read}"}, {"eval": CELLS}])
        assert title == f"Cycles of run {run}" and [caption for caption, *_ in figures] == [f"shank: {quantity}" for quantity in quantities], (title, figures)

        def of_run(dataset):
            values = inverse[dataset][()]
            return values if dataset == "toe_off" else values[0] if "angle" in dataset else values[run, 0]  # the mass moves no angle

        for (_, lines, [[mean, band]]), (_, _, curves), quantity in zip(figures, each, quantities):
            values, sd = of_run(f"cycle_{quantity}_mean"), of_run(f"cycle_{quantity}_sd")
            size = np.abs(values).max()
            assert np.isclose(lines[0], of_run("toe_off").mean(), rtol=1e-5) and np.allclose(mean, values, rtol=1e-6, atol=1e-9 * size), quantity
            assert np.allclose(np.array(band, float), [values - sd, values + sd], rtol=1e-5, atol=1e-6 * size, equal_nan=True), quantity
            assert np.allclose([ys for ys, _ in curves[:-1]] if has_cycles else of_run(f"cycle_{quantity}_mean")[None],
                               of_run(f"cycle_{quantity}") if has_cycles else values[None], rtol=1e-5, atol=1e-6 * size), quantity
        peaks, bursts, cycles = tables
        names = ["cycle_max_torque", "cycle_max_torque_at", "cycle_min_torque", "cycle_min_torque_at", "cycle_positive_work", "cycle_negative_work"]
        assert peaks[0][1:4] == ["largest torque (N m)", "at (%)", "least torque (N m)"] and peaks[1][0] == "shank", peaks
        rows = [(peaks[1][1:], [of_run(each) for each in names])]
        assert [row[0] for row in bursts[1:]] == inverse["burst"].asstr()[()].tolist() and bursts[0][1] == "work (J)", bursts
        parts = zip(*(inverse[each][run] for each in ("burst_work", "burst_power", "burst_power_at")))
        rows += [(row[1:], values) for row, values in zip(bursts[1:], parts, strict=True)]
        for cells, values in rows:
            for cell, row in zip(cells, values, strict=True):
                row = row[np.isfinite(row)]  # a cycle without a burst has no instant
                if len(row) == 0:
                    assert cell == "no value", cell
                    continue
                shown = [number(word) for word in cell.split(" ± ")]
                wanted = [row.mean(), row.std(ddof=1)] if len(row) > 1 else [row.mean()]
                assert np.allclose(shown, wanted, rtol=6e-2, atol=1e-4) and np.isclose(shown[0], wanted[0], rtol=6e-4, atol=1e-9), (cell, wanted)
        for row, *times in zip(cycles[1:], *(inverse[each][()] for each in ("cycle_start", "cycle_duration", "toe_off")), strict=True):
            assert np.allclose([number(word) for word in row[1:]], times, rtol=1e-5), row


def main():
    browser = Browser(sys.argv[1])
    with h5py.File("fit.h5") as file:
        check_experiments(browser, file)
    with h5py.File("one.h5") as file:
        check_fit(browser, "one", file)
        check_reading(browser, file)
    with h5py.File("compare.h5") as file:
        check_compared(browser, file)
    for name in "leg", "kept":
        with h5py.File(f"{name}.h5") as file:
            check_cycles(browser, name, file)
    browser.check_phone(["fit", "one", "compare", "leg"])
    browser.close()


main()
