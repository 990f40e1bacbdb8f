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


def main():
    browser = Browser(sys.argv[1])
    with h5py.File("fit.h5") as file:
        check_experiments(browser, file)
    with h5py.File("one.h5") as file:
        check_fit(browser, "one", file)
        check_reading(browser, file)
    with h5py.File("compare.h5") as file:
        check_compared(browser, file)
    browser.check_phone(["fit", "one", "compare"])
    browser.close()


main()
