"""Drives pages in Chromium and compares what they show with what h5py reads."""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np
from browser import Browser
from scipy.stats import spearmanr

HERE = Path(__file__).parent
READ = "document.getElementById('readout').textContent"
TITLE = "document.getElementById('run-title').textContent"
PLACE = "(() => {{ const at = view.drawn.placesOf({row})[{point}], box = picture.getBoundingClientRect(); return at[{k}] + box.{side}; }})()"


def place(row, point=0):
    return [PLACE.format(row=row, point=point, k=k, side=side) for k, side in enumerate(("left", "top"))]


EVERY_VIEW = """Object.keys(views).filter((kind) => data.n > 1 && views[kind].isFor()).map((kind) => {
    setKind(kind);
    const menus = () => [...byId('controls').querySelectorAll('select')].slice(byId('controls').textContent.startsWith('view'));
    for (let k = 0; k < menus().length; k++)
        for (let i = menus()[k].options.length; i-- > 0;) {
            menus()[k].selectedIndex = i;
            menus()[k].onchange();
        }
    for (const check of byId('controls').querySelectorAll('input[type=checkbox]')) check.click();
    chooseRun(data.n - 1);
    select([0, 0, 2000, 2000]);
    return [kind, csvOf(view.selected).length > 0];
})"""


def numbers(file, name):
    """[runs] of a number of the summary, "end_angle.a" for one of several."""
    group = file["study/summary"]
    whole, *label = [name] if name in group else name.rsplit(".", 1)
    values = group[whole][()]
    if label:
        texts = next(group[s].asstr()[()].tolist() for s in ("segment", "joint") if s in group)
        values = values[..., int(label[0]) - 1 if label[0].isdigit() else texts.index(label[0])]
    return values.ravel()


def numbers_shown(file, name):
    """What the page shows of them, and its error: the page wraps an angle that it has as a float."""
    if "_wrapped" not in name:
        return numbers(file, name), 1e-30
    angle = numbers(file, name.replace("_wrapped", ""))
    wrapped = np.remainder(angle + np.pi, 2 * np.pi) - np.pi
    assert np.allclose(wrapped, numbers(file, name), atol=2**-12), name
    return wrapped, 2**-23 * np.abs(angle).max()


def shown_first(file):
    """What the file's own attributes put first, the way that viewers follow; a motion is no number of a run."""
    study = file["study"]
    shows, signal = (study[study.attrs["default"]].attrs[name] for name in ("shows", "signal"))
    return signal if signal.startswith(shows) else f"{shows}.{signal.removeprefix('exponent_')}"


def shown_number(text):
    return float(text.split(" = ")[1].split()[0].replace("−", "-"))


def check_runs(browser, name, file):
    """Texts of the study are shown as they are; the mouse reads the number of a run, and chooses it."""
    n = file["study/runs/run"].shape[0] if "runs" in file["study"] else 9 if name == "several" else 45
    rows = [] if name == "single" else list(range(0, min(n, 24), max(1, min(n, 24) // 6)))
    steps = [{"eval": "[document.querySelector('h1').textContent, document.scripts.length, "
                      "data.quantities.map((each) => each.name), view.show.name, data.n]"},
             {"eval": "data.grid.length > 2 && chooseRun(0)"}]
    for row in rows:
        steps += [{"move": place(row)}, {"eval": READ}, {"click": place(row)}, {"eval": TITLE}]
    (heading, scripts, names, shown, n_shown), _, *answers = browser.drive(name, steps)
    assert heading == file["study/title"].asstr()[()] and scripts == 8, (name, heading, scripts)
    first = shown_first(file)
    assert name in ("single", "inverse", "several") or shown == first, (name, shown, first)
    assert n_shown == n and len(set(names)) == len(names), (name, n_shown, names)
    values, error = numbers_shown(file, shown)
    for row, text, title in zip(rows, answers[::2], answers[1::2]):
        assert np.isclose(shown_number(text), values[row], rtol=1e-5, atol=error), (name, row, text, values[row])
        assert title == f"Run {file['study/summary/run'][row] if name == 'several' else row}", (name, row, title)


def check_views(browser, name):
    """Every view of every quantity is drawn without a complaint, in the other theme too."""
    assert all(has_table for _, has_table in browser.drive(name, [
        {"eval": EVERY_VIEW}, {"eval": "byId('theme').click(), 0"}])[0]), name


def check_motion(browser, file):
    """The motion of a kept run is that of the file; that of another is said not to be there."""
    kept = file["study/trajectories/run"][()].tolist()
    at = len(kept) - 1
    curve, note = browser.drive("map", [
        {"eval": f"chooseRun(data.runs.indexOf({kept[at]})), curvesOf(findIn('trajectories', 'angle'), motion.index).map((c) => Array.from(c.values))"},
        {"eval": f"chooseRun({kept[0] + 1}), document.getElementById('motion-note').textContent"}])
    assert np.allclose(curve, file["study/trajectories/angle"][at], rtol=1e-6, atol=1e-30)
    assert f"run {kept[0] + 1} is not in this page" in note, note


def check_accuracy(browser):
    """The error that the step leaves is told as `info` tells it."""
    [shown] = browser.drive("accuracy", [{"eval": "document.getElementById('accuracy').textContent"}])
    assert shown.startswith("step error: ") and shown in Path("accuracy.info").read_text(), shown


def check_zipped(browser, file):
    """An axis that moves several quantities has the values of the first."""
    [axis] = browser.drive("zipped", [{"eval": "[data.grid[0].name, data.grid[0].unit, data.grid[0].values]"}])
    assert axis[:2] == ["start: initial.angle.a", "rad"], axis
    assert np.allclose(axis[2], file["study/summary/initial.angle.a"][()], rtol=1e-6), axis


def check_short_axis(browser):
    """A continuation opens on its curves; a map is over axes of more than two values, where there are; a single
    number of events is over what is swept."""
    assert browser.drive("walk", [
        {"eval": "[view.kind, data.grid[view.x].name]"},
        {"eval": "setKind('map'), [view.kind, data.grid[view.y].name, data.grid[view.x].name]"},
        {"eval": "setKind('section'), [view.eventX.value, view.eventY.value]"}]) == [
            ["curves", "system.segments.a.mass"], ["map", "initial.rate.a", "system.segments.a.mass"], ["system.segments.a.mass", "swing_energy"]]


def check_commands(browser):
    """The command that computes a run, or an inverse result, has the options that made the result; with the folders
    where --paths asks for them, and works in any folder then. Else no folder and no host is in the page."""
    here, shipped = Path.cwd().resolve(), (HERE.parents[1] / "studies").resolve()
    commands = {"map": "run {here}/map.yaml --run 0", "again": "run {here}/again.yaml --run 0 --set time.end=120",
                "inverse": "inverse {shipped}/reach_inverse.yaml",
                "torques": "inverse {here}/single.yaml --motion {here}/single.h5 --run 0 "
                           "--set 'title=two words' --set system.gravity=0"}
    for name, command in commands.items():
        for page in (name, f"{name}_paths") if name in ("map", "torques") else (name,):
            shown, title = browser.drive(page, [
                {"eval": "chooseRun(0), document.getElementById('command').textContent"},
                {"eval": "document.getElementById('command-title').textContent"}])
            folders = {"here": here, "shipped": shipped} if page != name else {"here": "", "shipped": ""}
            wanted = command.format(**folders)
            assert shown == f"manylink {wanted if page != name else wanted.replace(' /', ' ')}", (page, shown)
            assert title == ("Compute the whole result" if command.startswith("inverse") else "Compute this run in full"), page
        text = Path(f"{name}.html").read_text()
        assert str(here) not in text and str(shipped) not in text and '"host"' not in text, name


def check_address(browser):
    """The address that a page has after choices, and zooming, opens the same picture."""
    choose = """(([menu, text]) => {{ menu.value = text; menu.onchange(); }})([
        [...document.querySelectorAll('#controls select')][{k}], '{text}']), 0"""
    seen = """[view.kind, view.show.name, view.row, view.log?.checked, state.get('palette'), colourScale(view.show, false).axis.low,
        ...["x", "y"].flatMap((k) => { const { label, low, high } = view.drawn.frame[k]; return [label, low, high]; })]"""
    for name, steps in (
            ("cube", [choose.format(k=2, text="0"), choose.format(k=4, text="heat"),
                      "view.from.value = 0.1, view.from.onchange(), chooseRun(7)", "zoomBy(0.5, 300, 200)"]),
            ("line", [choose.format(k=0, text="points"), choose.format(k=2, text="steps"), "view.log.click()"]),
            ("section", ["zoomBy(0.3, 300, 200)"])):
        *_, before, address = browser.drive(name, [*({"eval": f"({step}, 0)"} for step in steps), {"eval": "draw(), 0"},
                                                   {"eval": seen}, {"eval": "location.hash"}])
        [after] = browser.drive(name, [{"eval": seen}], address)
        assert after == before, (name, address, before, after)
    # A tenth of a map about a run: the mouse finds the run there, and its neighbour is beyond the frame.
    wide = "[view.drawn.frame.x.high - view.drawn.frame.x.low, isInFrame(view.drawn.frame, view.drawn.placesOf(18)[0])]"
    whole, _, _, part, row = browser.drive("map", [
        {"eval": wide}, {"eval": "zoomBy(0.1, ...view.drawn.placesOf(17)[0]), 0"}, {"eval": "draw(), 0"}, {"eval": wide},
        {"eval": "view.drawn.hitAt(...view.drawn.placesOf(17)[0]).row"}])
    assert np.isclose(part[0], 0.1 * whole[0]) and [whole[1], part[1], row] == [True, False, 17], (whole, part, row)


def check_menus(browser):
    """What is said below the picture follows the menus, which keep the focus."""
    begun = "document.getElementById('readout').textContent.split(' = ')[0]"
    focus = "[...document.querySelectorAll('#controls select, #controls input')].indexOf(document.activeElement)"
    choose = """(([menu, text]) => {{ menu.focus(); menu.value = text; menu.onchange(); }})([
        [...document.querySelectorAll('#controls select')][{k}], '{text}']), 0"""
    for text, k in (("energy_drift", 1), ("end_angle.a", 1)):
        _, shown, at = browser.drive("line", [{"eval": choose.format(k=k, text=text)}, {"eval": begun}, {"eval": focus}])
        assert [shown, at] == [text, k], (text, shown, at)
    for k, text in ((0, "curves"), (2, "1"), (3, "2")):
        _, at = browser.drive("cube", [{"eval": choose.format(k=k, text=text)}, {"eval": focus}])
        assert at == k, (k, text, at)
    _, at = browser.drive("section", [{"eval": choose.format(k=1, text="cut_rate.a")}, {"eval": focus}])
    assert at == 1, at


def check_colour_range(browser):
    """The range of the colours is as the fields say: of the quantity that is shown, in either order, and above 0 of logarithms."""
    limits = "(({ low, high }) => [low, high])(colourScale(view.show, view.log.checked).axis)"
    fill = "view.{0}.value = {1}, view.{0}.onchange(), {2}"
    usual, asked, _, again = browser.drive("cube", [
        {"eval": limits}, {"eval": fill.format("from", 0.1, limits)},
        {"eval": "setShown(data.quantities.find((each) => each !== view.show && !each.names).name), 0"},
        {"eval": f"setShown('{shown_first(h5py.File('cube.h5'))}'), {limits}"}])
    assert asked[0] == 0.1 and again == usual, (usual, asked, again)
    _, turned, logs = browser.drive("cube", [
        {"eval": fill.format("from", 0.3, 0)}, {"eval": fill.format("to", 0.1, limits)},
        {"eval": "view.log.click(), " + fill.format("to", -1, limits)}])
    assert turned == [0.1, 0.3], turned
    assert logs[0] == np.log10(0.3) and logs[1] > logs[0], logs


def check_ticks(browser):
    """An axis has two ticks or more, however short it is and wherever it begins; of counts none is between whole numbers."""
    [few] = browser.drive("map", [{"eval": """[1, 2, 3, 5, 8].flatMap((n) => Array.from({length: 2000}, (_, i) => {
        const low = Math.sin(i) * 10 ** (i % 7 - 3), high = low + Math.abs(Math.cos(7 * i)) * 10 ** (i % 5 - 2);
        const count = niceTicks(low, high, n).length;
        return count > 1 && count <= 4 * n + 2 ? [] : [[low, high, n, count]];
    })).flat()"""}])
    assert few == [], few[:3]
    [whole] = browser.drive("map", [{"eval": "[[1, NaN, 4], [1, 1.5, 4]].map((values) => ticksOf(rangeAxis('', 1, 4, false, areWhole(values)), 8).map(({ at }) => at))"}])
    assert whole == [[1, 2, 3, 4], [1, 1.5, 2, 2.5, 3, 3.5, 4]], whole


def check_outlier(browser, file):
    """Where a number is far from all others the others have the room, and the label counts it."""
    drawn, label, at = browser.drive("outlier", [
        {"eval": "setKind('points'), data.runs.filter((_, row) => view.drawn.placesOf(row).length > 0)"},
        {"eval": "view.drawn.frame.y.label"}, {"eval": "view.drawn.frame.y.high"}])
    values = numbers(file, shown_first(file))
    assert len(drawn) == len(values) - 1 and int(np.argmax(values)) not in drawn, (len(drawn), label)
    assert label.endswith(", 1 beyond") and at < 0.1 * values.max(), (label, at)


def svg_of(browser, name, steps=()):
    """Elements of the picture that `save as SVG` saves, by their names."""
    *_, text = browser.drive(name, [*steps, {"eval": "svgOfPicture()"}])
    elements = {}
    for each in xml.fromstring(text).iter():
        elements.setdefault(each.tag.split("}")[1], []).append(each)
    return elements


def check_svg(browser, file):
    """Points of few runs are circles where the numbers of the file are, and cells of a map one image; labels are texts."""
    drawn = svg_of(browser, "sample", [{"eval": "setKind('points'), view.xSelect.value = 'initial.angle.a', view.xSelect.onchange(), 0"}])
    dots = [each.get("d") for each in drawn["path"] if "a3.6 3.6" in each.get("d")]
    places = np.array([[float(word) for word in dot[1:dot.index("a")].split()] for dot in dots])
    x, y = file["study/runs/initial.angle.a"][()], numbers(file, shown_first(file))
    assert len(places) == len(x) == 32, places
    for of_svg, values in ((places[:, 0], x), (-places[:, 1], y)):
        slope, start = np.polyfit(values, of_svg, 1)
        assert slope > 0 and np.allclose(slope * values + start, of_svg, atol=0.02), (slope, start)
    assert {"initial.angle.a (rad)", f"{shown_first(file)} (rad)"} <= {each.text for each in drawn["text"]}
    drawn = svg_of(browser, "cube")
    assert len(drawn["image"]) == 1 and drawn["image"][0].get("href").startswith("data:image/png;base64,"), drawn["image"]
    curves = svg_of(browser, "line")
    assert "image" not in curves and len(curves["path"]) > 9, curves.keys()


def check_equal_units(browser):
    """A radian is as long upwards as across, unless this is not wanted; units that differ, and logarithms, have their own lengths."""
    lengths = "(({ toX, toY }) => [toX.place(1) - toX.place(0), toY.place(0) - toY.place(1)])(view.drawn.frame)"
    take = "view.xSelect.value = 'end_angle.a', view.xSelect.onchange(), 0"
    points = [{"eval": "setKind('points'), setShown('end_angle.b'), 0"}, {"eval": take}, {"eval": lengths}]
    *_, equal, own = browser.drive("map", [*points, {"eval": f"view.equal.click(), {lengths}"}])
    assert np.isclose(*equal, rtol=1e-9) and not np.isclose(*own, rtol=0.01), (equal, own)
    [other] = browser.drive("map", [{"eval": lengths}])
    assert not np.isclose(*other, rtol=0.01), other


def check_inputs(browser):
    """Bars are rank correlations, the strongest first, as scipy has them, also with equal ranks on a grid; a click has
    the input along x."""
    found = "setKind('inputs'), correlations().map(({ input, rho, n }) => [input.name, rho, n])"
    for name, shown, x_name, kind in (("sample", "end_angle.a", "view.xSelect.value", "points"),
                                      ("cube", "energy_drift", "data.grid[view.x].name", "curves")):
        with h5py.File(f"{name}.h5") as file:
            values, runs = numbers(file, shown), file["study/runs"]
            _, bars = browser.drive(name, [{"eval": f"setShown('{shown}'), 0"}, {"eval": found}])
            assert len(bars) == len([each for each in runs if "." in each]) > 1, bars
            for input_name, rho, n in bars:
                assert n == len(values) and np.isclose(rho, spearmanr(runs[input_name][()], values)[0], atol=1e-4), (name, input_name, rho)
            sizes = [abs(rho) for _, rho, _ in bars]
            assert sizes == sorted(sizes, reverse=True), sizes
        bar = [f"view.drawn.frame.{to}.place({at}) + picture.getBoundingClientRect().{side}"
               for to, at, side in (("toX", 0, "left"), ("toY", 0, "top"))]
        *_, x, address = browser.drive(name, [{"eval": "setKind('inputs'), 0"}, {"click": bar},
                                              {"eval": f"[view.kind, {x_name}]"}, {"eval": "location.hash"}])
        weakest = browser.drive(name, [{"eval": found}])[0][-1][0]
        assert x == [kind, weakest] and browser.drive(name, [{"eval": f"[view.kind, {x_name}]"}], address) == [x], (name, x, address)


def check_indices(browser):
    """Bars are the indices of the file with their intervals, of the output that is chosen; the mouse reads them."""
    with h5py.File("sample.h5") as file:
        group = file["study/sensitivity/global"]
        outputs, inputs = (list(group[name].asstr()) for name in ("output", "input"))
        for shown, kind in ("end_angle.a", "first_order"), ("energy_drift", "pawn"):
            rows = browser.drive("sample", [
                {"eval": f"setShown('{shown}'), setKind('indices'), view.indexSelect.value = '{kind}', draw(), 0"},
                {"eval": "indexRows().map(({ input, bars }) => [input, bars[0].value, bars[0].half])"},
                {"eval": "[indexRows()[0].input, view.drawn.hitAt(view.drawn.frame.toX.place(0), view.drawn.frame.toY.place(1)).words.join('')]"}])
            for name, value, half in rows[1]:
                at = outputs.index(shown), inputs.index(name)
                assert (value, half) == (group[kind][at], group[kind + "_half"][at]), (shown, kind, name, value, half)
            assert len(rows[1]) == len(inputs) and abs(rows[1][0][1]) >= abs(rows[1][1][1])
            first, words = rows[2]
            assert words.startswith(f"{first}: {kind.replace('_', ' ')} ") and words.endswith("by bins, all runs of the sample"), words
    [kinds] = browser.drive("map", [{"eval": "Boolean(head.indices) || views.indices.isFor()"}])
    assert not kinds


def check_shares(browser, file):
    """Bars are the shares of the runs at the point of the chosen run, which the mouse reads; a click draws a share over the grid."""
    names, parts = file["study/statistics/requirement"].asstr()[()].tolist(), file["study/statistics/requirement_fraction"][()]
    assert parts.shape == (3, 2, 3, 3) and len(np.unique(parts[..., 0])) > 4
    bars = "requirementNames().map((name, i) => [name, ...[0, 1, 2].map((end) => shareAt(view.row, i, end))])"
    bar = [f"view.drawn.frame.{to}.place({at}) + picture.getBoundingClientRect().{side}" for to, at, side in (("toX", 0, "left"), ("toY", 1, "top"))]
    for row in 0, 47, 119:
        shown, text = browser.drive("shares", [{"eval": f"setKind('requirements'), chooseRun({row}), {bars}"}, {"move": bar}, {"eval": READ}])
        assert [name for name, *_ in shown] == names
        assert np.allclose([values for _, *values in shown], parts.reshape(6, 3, 3)[row // 20], rtol=1e-6), (row, shown)
        assert text.startswith(f"{names[1]}: ") and "95 %" in text, text
    over, columns = browser.drive("shares", [
        {"eval": "setKind('requirements'), 0"}, {"click": bar},
        {"eval": "[view.kind, view.show.name, data.runs.map((_, row) => view.show.at(row))]"}, {"eval": "csvOf([0])"}])[1:]
    assert over[:2] == ["map", f"requirement_fraction.{names[1]}"] and "requirement" not in columns, over
    assert np.allclose(over[2], np.repeat(parts[..., 1, 0].ravel(), 20), rtol=1e-6)


def check_brush(browser, file):
    """Drags along two axes select the runs within both; the address has the ranges, and a table the runs."""
    inputs = ("initial.angle.a", "initial.rate.a")
    ends = "(({{ x, to, low, high }}, box) => [x + box.left, to.place(low) + box.top, x + box.left, to.place(high) + box.top])(" \
        "{{ ...parallelPlaces(parallelAxes(), view.drawn.frame)[{k}], low: {low}, high: {high} }}, picture.getBoundingClientRect())[{i}]"
    wanted = {inputs[0]: (0.5, 2.2), inputs[1]: (2, 8)}
    order = browser.drive("sample", [{"eval": "setKind('parallel'), parallelAxes().map(({ quantity }) => quantity.name)"}])[0]
    drags = [{"drag": [ends.format(k=order.index(name), low=low, high=high, i=i) for i in range(4)]} for name, (low, high) in wanted.items()]
    *_, rows, ranges, address = browser.drive("sample", [
        {"eval": "setKind('parallel'), 0"}, *drags, {"eval": "view.selected.map((row) => data.runs[row])"},
        {"eval": "brushes()"}, {"eval": "location.hash"}])
    for name, (low, high) in wanted.items():
        assert np.allclose(ranges[name], (low, high), atol=0.02), ranges
    values = {name: file["study/runs"][name][()] for name in inputs}
    inside = np.all([(values[name] >= ranges[name][0]) & (values[name] <= ranges[name][1]) for name in inputs], axis=0)
    assert rows == np.flatnonzero(inside).tolist() and 0 < len(rows) < len(inside), rows
    again, table, left = browser.drive("sample", [
        {"eval": "view.selected"}, {"eval": "csvOf(view.selected)"},
        {"eval": "clearSelected(), [view.selected.length, state.has('brush'), byId('selected').hidden]"}], address)
    assert again == rows and [int(line.split(",")[0]) for line in table.strip().split("\n")[1:]] == rows, again
    assert left == [0, False, True], left
    assert browser.drive("sample", [{"eval": "view.selected.length"}], "#view=parallel&brush=%7B") == [0]


def check_compared(browser, file, other):
    """Each result's number of a run, and the second less the first, which has six digits of its own; side by side both
    pictures have the run; the address has the choice."""
    choose = """((menu) => {{ menu.value = '{}'; menu.onchange(); }})(
        [...document.querySelectorAll('#controls select')].find((each) => each.options[1].value === 'other')), 0"""
    read = "data.quantities.filter((each) => each.name.startsWith('end_angle.')).map((each) => [each.name, data.runs.map((_, row) => each.at(row))])"
    steps = [step for of in ("", "other", "difference", "both") for step in ({"eval": choose.format(of)}, {"eval": read})]
    *told, places, text, address = browser.drive("compared", [*steps, {"eval": "view.drawn.placesOf(17)"}, {"eval": READ}, {"eval": "location.hash"}])
    first, second, difference, both = ({name: np.array(values) for name, values in each} for each in told[1::2])
    for name in ("end_angle.a", "end_angle.b"):
        a, b = numbers(file, name), numbers(other, name)
        assert 0 < np.abs(b - a).max() < 0.01, (name, np.abs(b - a).max())
        assert np.allclose(first[name], a, rtol=1e-6) and np.allclose(second[name], b, rtol=1e-6), name
        assert np.allclose(difference[name], b - a, rtol=1e-6, atol=1e-30) and np.array_equal(both[name], first[name]), name
    assert len(places) == 2 and places[1][0] > places[0][0] and np.isclose(places[0][1], places[1][1]), places
    assert "map.h5: " in text and "other.h5: " in text and "difference " in text, text
    assert browser.drive("compared", [{"eval": "view.of"}], address) == ["both"]
    command, table = browser.drive("compared", [
        {"eval": f"{choose.format('other')}, byId('command').textContent"}, {"eval": "byId('numbers-table').textContent"}])
    assert command.endswith(" --set time.step=0.005") and "measured, other.h5" in table, (command, table)


def check_figures(browser):
    """The chain of inverse dynamics moves as that of the forward motion that the angles are from; also by joint angles from +x."""
    joints = "chooseRun({row}), stickOf().map(({{ x, y }}) => [Array.from(x), Array.from(y)])"
    for name, motion, rows in (("torques", "single", [0]), ("several", "map", [0, 5, 8])):
        with h5py.File(f"{motion}.h5") as file:
            ends = file["study/trajectories/end_position"][()]
            told = browser.drive(name, [{"eval": joints.format(row=row)} for row in rows])
            titles = browser.drive(name, [{"eval": f"chooseRun({row}), data.runs[{row}]"} for row in rows])
            assert titles == file["study/trajectories/run"][()][rows].tolist(), titles
            for row, figure in zip(rows, told):
                assert np.allclose(figure[0], 0) and np.allclose(figure[1:], ends[row], atol=2e-6), (name, row)
    # Of the nine motions three: those of their own runs, and of another run none.
    with h5py.File("map.h5") as file:
        ends = file["study/trajectories/end_position"][()]
        told = browser.drive("few_of_several", [{"eval": joints.format(row=row)} for row in (0, 3, 6)])
        for row, figure in zip((0, 3, 6), told):
            assert np.allclose(figure[0], 0) and np.allclose(figure[1:], ends[row], atol=2e-6), row
        [note] = browser.drive("few_of_several", [{"eval": "chooseRun(4), byId('motion-note').textContent"}])
        assert "those of 3 runs are" in note and note.endswith("manylink report several.h5 --motions 9 puts all in."), note
    with h5py.File("inverse.h5") as file:
        absolute, at = np.cumsum(file["study/inverse/angle"][()], axis=0), np.zeros(2)
        [figure] = browser.drive("inverse", [{"eval": joints.format(row=7)}])
        for length, angle, end in zip((0.186 * 1.7, 0.146 * 1.7, 0.108 * 1.7), absolute, figure[1:]):
            at = at.reshape(2, -1) + length * np.array([np.cos(angle), np.sin(angle)])
            assert np.allclose(end, at, atol=2e-6), length


def check_categories(browser, file):
    """Labels of attractors come first, each in a colour of its own, by their names."""
    meanings = file["study/summary/beat_attractor"].attrs["flag_meanings"].split()
    shown, names, read = browser.drive("basins", [
        {"eval": "view.show.name"}, {"eval": "colourScale(view.show, false).names.map(([, name]) => name)"},
        {"eval": READ}])
    assert shown == "beat_attractor" and set(names) <= {each.replace("_", " ") for each in meanings}, (shown, names)
    assert any(read.startswith(f"beat_attractor = {name} at") for name in names), read
    [colours] = browser.drive("basins", [{"eval": "Array.from({ length: 13 }, (_, i) => categoryColour(i).join())"}])
    assert len(set(colours)) == 13, colours


def check_both(browser, file):
    """Events of a continuation forward and back: points of both directions, each in its colour."""
    shown, counts, colours = browser.drive("hysteresis", [
        {"eval": "[view.kind, view.eventX.value, view.eventY.value, view.colour.value]"},
        {"eval": "data.runs.map((_, row) => view.drawn.placesOf(row).length)"},
        {"eval": "new Set(data.runs.map((_, row) => colourScale(quantityNamed('direction'), false).colour(quantityNamed('direction').at(row)).join())).size"}])
    assert shown == ["section", "system.segments.a.mass", "beat_energy", "direction"], shown
    assert counts == np.isfinite(file["study/summary/beat_energy"][()]).reshape(len(counts), -1).sum(axis=1).tolist(), counts
    assert colours == 2, colours


def check_events(browser, name, file, x, y):
    """Points of events: which number over which at first, as many as the file has, and what the mouse reads."""
    summary = file["study/summary"]
    event, kept = y.split("_")[0], summary[y.split(".")[0]][()]
    n = kept.shape[0]
    wanted = kept[..., "ab".index(y[-1])]
    times, chosen = summary[f"{event}_times"][()], n // 2
    steps = [{"eval": "[view.kind, view.eventX.value, view.eventY.value]"},
             {"eval": "data.runs.map((_, row) => view.drawn.placesOf(row).length)"}]
    for row, point in ((1, 2), (chosen, 0)):
        steps += [{"move": place(row, point)}, {"eval": READ}]
    steps += [{"click": place(chosen, 0)}, {"eval": TITLE},
              {"eval": "view.isAlone.click(), data.runs.filter((_, row) => view.drawn.placesOf(row).length > 0)"}]
    shown, counts, *texts, title, alone = browser.drive(name, steps)
    assert shown == ["section", x, y], (name, shown)
    assert counts == np.isfinite(wanted).sum(axis=1).tolist() and max(counts) > 2, (name, counts)
    for (row, point), text in zip(((1, 2), (chosen, 0)), texts):
        assert np.isclose(shown_number(text), wanted[row, point], rtol=1e-5), (name, text, wanted[row, point])
        assert f"number {point + 1} of run {row}" in text, (name, text)
        time = float(text.split(" at t = ")[1].split()[0])
        assert np.isclose(time, times[row, point], rtol=1e-5), (name, text, times[row, point])
    assert title == f"Run {chosen}" and alone == [chosen], (name, title, alone)


def check_computed(browser, file, full):
    """Motions that were computed again are those of a run of the study that keeps them all."""
    rows = "keptRows().map((row) => data.runs[row])"
    curve = "curvesOf(findIn('trajectories', '{}'), {}).map((c) => [c.name, Array.from(c.values)])"
    names = ["angle", "rate", "end_position"]
    runs, times, note, *curves = browser.drive("again", [
        {"eval": rows}, {"eval": "timeScale().scale"}, {"eval": "document.getElementById('motion-note').textContent"},
        *({"eval": curve.format(name, i)} for i in range(6) for name in names)])
    kept = full["study/trajectories"]
    assert len(runs) == 6 and runs == sorted(set(runs)) and "Computed again" in note, (runs, note)
    assert times == kept["time"][::2].tolist() and len(times) == 6001, times[:3]
    for i, run in enumerate(runs):
        for name, parts in zip(names, curves[3 * i:]):
            values = kept[name][run].reshape(-1, 12001)[:, ::2]
            assert np.allclose([part for _, part in parts], values, rtol=1e-6, atol=1e-30), (run, name)
    assert [name for name, _ in curves[2]] == ["a.x", "a.y", "b.x", "b.y"], curves[2]


def check_keys_and_selection(browser, file):
    """Arrow keys, the fragment, and the table of a rectangle."""
    steps = [{"eval": TITLE}, {"eval": "picture.focus()"}, {"key": "ArrowRight"}, {"eval": TITLE}, {"key": "ArrowUp"},
             {"eval": TITLE}, {"drag": place(6) + place(18)}, {"eval": "csvOf(view.selected)"}]
    # The rectangle is a little wider than from middle to middle.
    steps[6]["drag"] = [f"{word} + {d}" for word, d in zip(steps[6]["drag"], (-3, 3, 3, -3))]
    first, _, second, third, table = browser.drive("map", steps, "#run=12")
    assert [first, second, third] == ["Run 12", "Run 13", "Run 18"], (first, second, third)
    header, *rows = table.strip().split("\n")
    assert [row.split(",")[0] for row in rows] == ["6", "7", "8", "11", "12", "13", "16", "17", "18"], rows
    column = header.split(",").index("energy_drift")
    drift = numbers(file, "energy_drift")
    assert np.allclose([float(row.split(",")[column]) for row in rows], drift[[int(row.split(",")[0]) for row in rows]], rtol=1e-6)


MARKS = """(() => {
    const context = new SvgContext(picture.getContext("2d")), { width, height } = picture.getBoundingClientRect();
    markSelected({ context, width, height, ratio: 1 });
    return context.parts.filter((part) => part.startsWith("<path")).map((part) => part.match(/ d="([^"]*)"/)[1]);
})()"""


def check_linked(browser, file):
    """A selection stays in every view, which marks its runs; the motions of these are drawn beside; the address has them."""
    rows, chosen = [6, 7, 8, 11, 12, 13, 16, 17, 18], 12
    kept = file["study/trajectories/run"][()].tolist()
    beside = [row for row in rows if row in kept and row != chosen]
    drag = [f"{word} + {d}" for word, d in zip(place(6) + place(18), (-3, 3, 3, -3))]
    _, outline, motions, curve, caption, points, places, parallel, curves, address = browser.drive("map", [
        {"eval": f"chooseRun({chosen}), 0"}, {"drag": drag}, {"eval": MARKS}, {"eval": "besideMotions(1).map((i) => data.runs[keptRows()[i]])"},
        {"eval": "curvesOf(findIn('trajectories', 'angle'), besideMotions(1)[0]).map(({ values }) => Array.from(values))"},
        {"eval": "byId('curves-caption').textContent"}, {"eval": f"setKind('points'), {MARKS}"}, {"eval": "view.selected.map((row) => view.drawn.placesOf(row)[0])"},
        {"eval": "setKind('parallel'), view.drawn.selected"}, {"eval": "setKind('curves'), [view.selected, view.box]"}, {"eval": "location.hash"}])
    # The outline of three by three cells, once on white.
    assert len(outline) == 2 and outline[0].count("L") == 12, outline
    assert motions == beside and len(beside) > 1 and caption.endswith(f"; pale: {len(beside)} selected"), (motions, beside, caption)
    assert np.allclose(curve, file["study/trajectories/angle"][kept.index(beside[0])], rtol=1e-6, atol=1e-30)
    rings = np.array([[float(word) for word in ring.split("a")[0].split()] for ring in points[0].split("M")[2::2]])
    assert np.allclose(rings + (4.5, 0), places, atol=0.02) and parallel == rows and curves == [rows, None], (rings, places)
    again, _, two, freed = browser.drive("map", [
        {"eval": "view.selected"}, {"eval": "setKind('map'), clearSelected(), chooseRun(0), picture.focus(), 0"}, {"key": " "}, {"key": "ArrowRight"}, {"key": " "},
        {"key": "ArrowRight"}, {"key": " "}, {"key": " "}, {"eval": f"[view.selected, {MARKS}[0].split('L').length - 1, location.hash.match(/selected=([^&]*)/)[1]]"},
        {"key": "Escape"}, {"eval": "[view.selected, state.has('selected'), byId('selected').hidden]"}], address)
    assert again == rows and two == [[0, 1], 6, "0-1"] and freed == [[], False, True], (again, two, freed)
    # A brush stays selected in the other views, and a rectangle takes its place.
    _, brushed, count, left = browser.drive("sample", [
        {"eval": "setKind('parallel'), keep({ brush: JSON.stringify({ 'initial.angle.a': [0.5, 2] }) }), draw(), 0"}, {"eval": "view.selected"},
        {"eval": f"setKind('points'), [view.selected.length, {MARKS}.length, state.has('brush')]"},
        {"eval": "select([0, 0, 2000, 2000]), [view.selected.length, state.has('brush')]"}])
    assert count == [len(brushed), 1, True] and 0 < len(brushed) < 32 and left == [32, False], (brushed, count, left)
    strange = browser.drive("sample", [{"eval": "view.selected"}], "#view=points&selected=5,3-99999999999,x,-2,7-4")
    assert strange == [list(range(3, 32))], strange


def main():
    browser = Browser(sys.argv[1])
    check_accuracy(browser)
    check_commands(browser)
    check_address(browser)
    check_menus(browser)
    check_colour_range(browser)
    check_ticks(browser)
    check_equal_units(browser)
    check_inputs(browser)
    check_indices(browser)
    check_figures(browser)
    for name, check in (("sample", check_svg), ("sample", check_brush), ("shares", check_shares), ("outlier", check_outlier), ("basins", check_categories), ("hysteresis", check_both)):
        with h5py.File(f"{name}.h5") as file:
            check(browser, file)
    with h5py.File("map.h5") as file, h5py.File("other.h5") as other:
        check_compared(browser, file, other)
        check_views(browser, "compared")
    check_views(browser, "shares")
    browser.check_phone(["map", "cube", "four", "line", "sample", "section", "inverse"])
    for name in sys.argv[2:]:
        with h5py.File(f"{name}.h5") as file:
            if name == "section":
                check_events(browser, name, file, "cut_angle.b", "cut_rate.b")
            elif name == "orbit":
                check_events(browser, name, file, "initial.angle.a", "beat_rate.a")
            elif name == "walk":
                check_short_axis(browser)
            else:
                check_runs(browser, name, file)
            if name == "zipped":
                check_zipped(browser, file)
            if name == "again":
                with h5py.File("full.h5") as full:
                    check_computed(browser, file, full)
            if name == "map":
                check_motion(browser, file)
                check_keys_and_selection(browser, file)
                check_linked(browser, file)
        check_views(browser, name)
        print(name)
    browser.close()


main()
