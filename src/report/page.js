/* The page: menus, the picture and what the mouse and the keys do with it, and the chosen run. */

const view = { kind: "", show: null, row: 0, log: false, at: [], frame: null, selected: [], drag: null };
const picture = byId("picture");

/* A menu with a label; options [value, text]. */
function addSelect(parent, label, options, onchange) {
  const box = document.createElement("label"), select = document.createElement("select");
  for (const [value, text] of options) select.add(new Option(text, value));
  box.append(label, select);
  select.onchange = onchange;
  parent.append(box);
  return select;
}

function addCheck(parent, label, onchange) {
  const box = document.createElement("label"), check = document.createElement("input");
  check.type = "checkbox";
  box.className = "check";
  box.append(check, label);
  check.onchange = onchange;
  parent.append(box);
  return check;
}

const quantityNamed = (name) => data.quantities.find((quantity) => quantity.name === name);

/* What is shown first: what the file says, or else the first number of the summary. */
function mainQuantity() {
  const name = new URLSearchParams(location.hash.slice(1)).get("show") || head.main;
  return quantityNamed(name) ||
    data.quantities.find((quantity) => quantity.dataset.name === name) || data.quantities[0];
}

/* Quantities by the datasets that they are of. */
function quantityOptions() {
  return data.quantities.map((quantity) => [quantity.name, nameWithUnit(quantity)]);
}

function makeControls() {
  const controls = byId("controls");
  controls.replaceChildren();
  view.sliders = [];
  view.colour = null;
  const isPoints = view.kind === "points";
  if (data.grid.length > 0)
    view.kindSelect = addSelect(controls, "view", kindsOfView(), () => setKind(view.kindSelect.value));
  if (data.grid.length > 0) view.kindSelect.value = view.kind;
  view.what = addSelect(controls, isPoints ? "y" : "show", quantityOptions(), () => setShown(view.what.value));
  view.what.value = view.show.name;
  if (isPoints) {
    view.xSelect = addSelect(controls, "x", quantityOptions(), draw);
    view.xSelect.value = (data.swept[0] || data.quantities[0]).name;
    view.colour = addSelect(controls, "colour", [["", "none"], ...quantityOptions()], draw);
    view.colour.value = data.swept[1] ? data.swept[1].name : "";
  } else {
    makeAxisControls(controls);
  }
  view.log = addCheck(controls, view.kind === "map" ? "log colours" : "log y", draw);
  view.log.checked = isFarSpread(view.show);
}

const kindsOfView = () => [...(data.grid.length > 1 ? [["map", "map"]] : []), ["curves", "curves"], ["points", "points"]];

function makeAxisControls(controls) {
  const last = data.grid.length - 1, options = data.grid.map((axis, k) => [String(k), axis.name]);
  view.x = view.x ?? last;
  view.y = view.y ?? Math.max(0, last - 1);
  if (view.y === view.x) view.y = (view.x + 1) % data.grid.length;
  if (data.grid.length > 1) {
    const select = addSelect(controls, "x", options, () => chooseAxis("x", Number(select.value)));
    select.value = String(view.x);
  }
  if (view.kind === "map") {
    const select = addSelect(controls, "y", options, () => chooseAxis("y", Number(select.value)));
    select.value = String(view.y);
  }
  data.grid.forEach((axis, k) => {
    if (k !== view.x && !(view.kind === "map" && k === view.y) && axis.n > 1) addSlider(controls, axis, k);
  });
}

/* The place along an axis that is not drawn. */
function addSlider(controls, axis, k) {
  const box = document.createElement("label"), text = document.createElement("span");
  const slider = document.createElement("input");
  const tell = () => {
    text.textContent = withUnit(`${axis.name} = ${formatNumber(axis.values[view.at[k]])}`, axis.unit);
  };
  Object.assign(slider, { type: "range", min: 0, max: axis.n - 1, value: view.at[k] });
  slider.oninput = () => {
    view.at[k] = Number(slider.value);
    tell();
    chooseRun(rowOf(view.at));
  };
  tell();
  box.append(text, slider);
  controls.append(box);
  view.sliders.push({ k, slider, tell });
}

function chooseAxis(which, k) {
  const other = which === "x" ? "y" : "x";
  if (view[other] === k) view[other] = view[which];
  view[which] = k;
  makeControls();
  draw();
}

function setKind(kind) {
  view.kind = kind;
  view.selected = [];
  makeControls();
  draw();
}

function setShown(name) {
  view.show = quantityNamed(name);
  view.log.checked = isFarSpread(view.show);
  draw();
  showRun();
}

/* Positive numbers over more than three decades. */
function isFarSpread(quantity) {
  if (quantity.isOutcome) return false;
  let low = Infinity, high = 0;
  for (let row = 0; row < data.n; row++) {
    const value = quantity.at(row);
    if (value < 0) return false;
    if (value > 0 && value < low) low = value;
    if (value > high && Number.isFinite(value)) high = value;
  }
  return high > 1000 * low;
}

function draw() {
  if (data.n < 2 || !view.kind) return;
  const surface = beginCanvas(picture);
  surface.context.clearRect(0, 0, surface.width, surface.height);
  ({ map: drawMap, curves: drawRunCurves, points: drawPoints })[view.kind](surface);
  drawSelection(surface);
  picture.setAttribute("aria-label", `${view.kind} of ${nameWithUnit(view.show)}`);
}

function drawMap(surface) {
  const scale = colourScale(view.show, view.log.checked);
  const frame = makeFrame(surface, axisOf(data.grid[view.x]), axisOf(data.grid[view.y]), colourBarRoom(surface, scale));
  const indices = view.at.slice();
  const rowAt = (i, j) => {
    indices[view.x] = i;
    indices[view.y] = j;
    return rowOf(indices);
  };
  drawCells(surface, frame, (i, j) => (i < 0 || j < 0 ? null : scale.colour(view.show.at(rowAt(i, j)))));
  drawAxes(surface, frame);
  drawColourBar(surface, frame, scale);
  view.frame = frame;
  view.placeOf = (row) => {
    const at = indicesOf(row);
    const isHere = at.every((i, k) => k === view.x || k === view.y || i === view.at[k]);
    return isHere ? [frame.toX.place(frame.x.positions[at[view.x]]), frame.toY.place(frame.y.positions[at[view.y]])] : null;
  };
  view.rowAt = (x, y) => {
    const i = cellAt(frame.x.edges, frame.toX.at(x)), j = cellAt(frame.y.edges, frame.toY.at(y));
    return i < 0 || j < 0 ? -1 : rowAt(i, j);
  };
}

/* Rows along the x axis, through the chosen run. */
function rowsAlongX() {
  const indices = view.at.slice();
  return Array.from({ length: data.grid[view.x].n }, (_, i) => {
    indices[view.x] = i;
    return rowOf(indices);
  });
}

function drawRunCurves(surface) {
  const rows = rowsAlongX(), isLog = view.log.checked;
  const beside = data.quantities.filter((each) => each.dataset === view.show.dataset).slice(0, 8);
  const all = beside.flatMap((each) => valuesWithErrors(each, rows)).filter((value) => !isLog || value > 0);
  const [low, high] = extentOf(all), x = axisOf(data.grid[view.x]);
  const y = rangeAxis(nameWithUnit(beside.length > 1 ? view.show.dataset : view.show), low, high, isLog && low > 0);
  const frame = makeFrame(surface, x, y, 14), places = x.positions.map(frame.toX.place);
  const placeY = (value) => frame.toY.place(y.isLog ? Math.log10(value) : value);
  drawGrid(surface, frame);
  const colours = beside.map((_, i) => lineColours[i % lineColours.length]);
  clipped(surface, frame, () => beside.forEach((each, i) => {
    const ys = rows.map((row) => placeY(each.at(row))), isShown = each === view.show;
    drawErrorBars(surface, each, rows, places, placeY, colours[i]);
    drawLine(surface, places, ys, colours[i], isShown ? 2.2 : 1.3);
    if (places.length <= 120) drawDots(surface, places, ys, colours[i], isShown ? 3 : 2);
  }));
  drawAxes(surface, frame);
  if (beside.length > 1) drawLegend(surface, frame, beside.map((each) => each.name), colours);
  view.frame = frame;
  view.placeOf = (row) => {
    const k = rows.indexOf(row);
    return k < 0 ? null : [places[k], placeY(view.show.at(row))];
  };
  view.rowAt = (px) => {
    const i = cellAt(x.edges, frame.toX.at(px));
    return i < 0 ? -1 : rows[i];
  };
}

/* Numbers along a curve, and the ends of their error bars. */
function valuesWithErrors(quantity, rows) {
  const values = rows.map(quantity.at), errors = errorsOf(quantity);
  if (!errors) return values;
  const ends = (sign) => values.map((value, i) => value + sign * errors.at(rows[i]));
  return [...values, ...ends(-1), ...ends(1)];
}

/* One standard error up and down. */
function drawErrorBars({ context }, quantity, rows, places, placeY, colour) {
  const errors = errorsOf(quantity);
  if (!errors) return;
  context.strokeStyle = colour;
  context.globalAlpha = 0.6;
  context.beginPath();
  rows.forEach((row, i) => {
    const value = quantity.at(row), error = errors.at(row);
    const low = placeY(value - error), high = placeY(value + error);
    if (!Number.isFinite(low) || !Number.isFinite(high)) return;
    context.moveTo(places[i], low);
    context.lineTo(places[i], high);
  });
  context.stroke();
  context.globalAlpha = 1;
}

function drawDots({ context }, xs, ys, colour, size) {
  context.fillStyle = colour;
  for (let i = 0; i < xs.length; i++)
    if (Number.isFinite(ys[i]) && Number.isFinite(xs[i])) {
      context.beginPath();
      context.arc(xs[i], ys[i], size, 0, 2 * Math.PI);
      context.fill();
    }
}

function drawPoints(surface) {
  const xOf = quantityNamed(view.xSelect.value), colour = quantityNamed(view.colour.value);
  const rows = Array.from({ length: data.n }, (_, row) => row), isLog = view.log.checked;
  const xs = rows.map(xOf.at), ys = rows.map(view.show.at);
  const scale = colour && colourScale(colour, isFarSpread(colour));
  const isLogX = isFarSpread(xOf) && xs.every((value) => value > 0);
  const positive = isLog ? ys.filter((value) => value > 0) : ys;
  const x = rangeAxis(nameWithUnit(xOf), ...extentOf(xs), isLogX);
  const y = rangeAxis(nameWithUnit(view.show), ...extentOf(positive), isLog && positive.length > 0);
  const frame = makeFrame(surface, x, y, scale ? colourBarRoom(surface, scale) : 14);
  const place = (across, axis, value) => across.place(axis.isLog ? Math.log10(value) : value);
  const px = xs.map((value) => place(frame.toX, x, value)), py = ys.map((value) => place(frame.toY, y, value));
  drawGrid(surface, frame);
  const size = data.n > 5000 ? 1.2 : data.n > 500 ? 2.2 : 3.6;
  if (!scale) drawDots(surface, px, py, css("--accent"), size);
  else
    rows.forEach((row) => {
      const rgb = scale.colour(colour.at(row));
      drawDots(surface, [px[row]], [py[row]], rgb ? `rgb(${rgb.join(",")})` : css("--none"), size);
    });
  drawAxes(surface, frame);
  if (scale) drawColourBar(surface, frame, scale);
  view.frame = frame;
  view.placeOf = (row) => (Number.isFinite(px[row]) && Number.isFinite(py[row]) ? [px[row], py[row]] : null);
  view.rowAt = (atX, atY) => nearestPoint(px, py, atX, atY);
}

/* The point within 24 pixels; -1. */
function nearestPoint(px, py, x, y) {
  let best = -1, least = 24 * 24;
  for (let row = 0; row < px.length; row++) {
    const distance = (px[row] - x) ** 2 + (py[row] - y) ** 2;
    if (distance < least) [best, least] = [row, distance];
  }
  return best;
}

/* The chosen run, the rectangle that is dragged, and the runs in the last one. */
function drawSelection(surface) {
  const { context } = surface, at = view.placeOf(view.row);
  if (view.drag || view.box) {
    const [x0, y0, x1, y1] = view.drag || view.box;
    context.strokeStyle = css("--mark");
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    context.setLineDash([]);
    context.lineWidth = 1;
  }
  if (at && at.every(Number.isFinite)) drawMark(surface, at[0], at[1], 6);
}

/* "lyapunov_max = 1.2 1/s at a = 1 rad, b = 2 rad; run 7, finished" */
function readOut(row) {
  const readout = byId("readout"), value = document.createElement("b");
  const quantity = view.show, text = quantity.isOutcome ? outcomeOf(row) : withUnit(formatNumber(quantity.at(row)), quantity.unit);
  value.textContent = `${quantity.name} = ${text}`;
  const errors = errorsOf(quantity);
  const more = errors ? ` ± ${formatNumber(errors.at(row))}` : "";
  const swept = coordinatesOf(row).map(([name, at, unit]) => withUnit(`${name} = ${formatNumber(at)}`, unit));
  readout.replaceChildren(value, `${more}${swept.length ? ` at ${swept.join(", ")}` : ""} · run ${data.runs[row]}, ${outcomeOf(row)}`.replace(/, $/, ""));
}

/* What was swept or drawn, of a run. */
function coordinatesOf(row) {
  if (data.swept.length > 0) return data.swept.map((each) => [each.name, each.at(row), each.unit]);
  const at = indicesOf(row);
  return data.grid.map((axis, k) => [axis.name, axis.values[at[k]], axis.unit]);
}

function chooseRun(row) {
  if (row < 0 || row >= data.n) return;
  view.row = row;
  view.at = indicesOf(row);
  for (const { k, slider, tell } of view.sliders || []) {
    slider.value = view.at[k];
    tell();
  }
  history.replaceState(null, "", `#run=${data.runs[row]}&show=${encodeURIComponent(view.show.name)}`);
  draw();
  readOut(row);
  showRun();
  showMotion(row);
}

function addRow(table, cells, className) {
  const row = table.insertRow();
  row.className = className || "";
  for (const [text, kind, span] of cells) {
    const cell = row.insertCell();
    for (const part of String(text).split(/(?<=[._])/)) cell.append(part, document.createElement("wbr"));
    cell.className = kind || "";
    if (span) cell.colSpan = span;
  }
}

const mostRows = 24; // of a dataset, in the table: sections have thousands

/* The chosen run: all its numbers, and the command that computes it. */
function showRun() {
  const { row } = view, table = byId("numbers-table");
  byId("run").hidden = false;
  byId("run-title").textContent = `Run ${data.runs[row]}`;
  byId("run-outcome").textContent = outcomeOf(row);
  table.replaceChildren();
  const swept = coordinatesOf(row);
  if (swept.length > 0) addRow(table, [[data.isList ? "drawn" : "swept", "head", 3]]);
  for (const [name, value, unit] of swept) addRow(table, [[name], [formatNumber(value), "number"], [unit, "unit"]]);
  addRow(table, [["measured", "head", 3]]);
  for (const quantity of data.quantities) {
    if (quantity.isOutcome || data.swept.includes(quantity) || quantity.component > mostRows) continue;
    if (quantity.component === mostRows) {
      addRow(table, [[`${quantity.dataset.name}: ${quantity.width - mostRows} more are in the menu`, "head", 3]]);
      continue;
    }
    addRow(table, [[quantity.name], [formatNumber(quantity.at(row)), "number"], [quantity.unit, "unit"]],
      quantity === view.show ? "shown" : "");
  }
  byId("command").textContent = commandOf(row);
}

/* A word for a shell. */
const quoted = (word) => /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function commandOf(row) {
  const study = quoted((head.provenance.study || "STUDY.yaml").replace(/^.*\//, ""));
  return data.isInverse ? `manylink inverse ${study}` : `manylink run ${study} --run ${data.runs[row]}`;
}

/* The rows in a rectangle. */
function rowsIn([x0, y0, x1, y1]) {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)], [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
  const rows = [];
  for (let row = 0; row < data.n; row++) {
    const at = view.placeOf(row);
    if (at && at[0] >= left && at[0] <= right && at[1] >= top && at[1] <= bottom) rows.push(row);
  }
  return rows;
}

function select(box) {
  view.box = box;
  view.selected = box ? rowsIn(box) : [];
  const bar = byId("selected");
  bar.hidden = !box;
  bar.replaceChildren();
  if (box) {
    bar.append(`${view.selected.length} runs selected`);
    for (const [text, action] of [["save as CSV", saveSelected], ["clear", () => select(null)]]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text, onclick: action });
      bar.append(button);
    }
  }
  draw();
}

const csvWord = (word) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);

/* One row per run, as `manylink table` prints them. */
function csvOf(rows) {
  const columns = data.quantities.filter((quantity) => !quantity.isOutcome);
  const lines = [["run", "outcome", ...columns.map(nameWithUnit)].map(csvWord).join(",")];
  for (const row of rows) {
    const numbers = columns.map((each) => (Number.isNaN(each.at(row)) ? "" : Number(each.at(row).toPrecision(7))));
    lines.push([data.runs[row], outcomeOf(row), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}

function saveSelected() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvOf(view.selected)], { type: "text/csv" }));
  link.download = "runs.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const placeOfEvent = (event) => {
  const box = picture.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function listenToPicture() {
  picture.onpointermove = (event) => {
    const [x, y] = placeOfEvent(event), row = view.rowAt(x, y);
    if (view.drag) {
      [view.drag[2], view.drag[3]] = [x, y];
      draw();
    } else if (row >= 0) readOut(row);
  };
  picture.onpointerleave = () => readOut(view.row);
  picture.onpointerdown = (event) => {
    const [x, y] = placeOfEvent(event);
    if (event.pointerType === "touch" || event.button !== 0) return;
    view.drag = [x, y, x, y];
    picture.setPointerCapture(event.pointerId);
  };
  picture.onpointerup = (event) => {
    const [x, y] = placeOfEvent(event), box = view.drag;
    view.drag = null;
    if (box && Math.hypot(box[2] - box[0], box[3] - box[1]) > 6) select(box);
    else chooseRun(view.rowAt(x, y));
  };
  picture.onpointercancel = () => { view.drag = null; };
  picture.onkeydown = onKey;
}

/* Arrows go to the neighbour in the picture. */
function onKey(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  if (event.key === "Escape") select(null);
  if (!steps[event.key]) return;
  event.preventDefault();
  const [dx, dy] = steps[event.key];
  if (view.kind === "points") {
    chooseRun(view.row + dx + dy);
    return;
  }
  const at = view.at.slice(), step = (k, d) => {
    const axis = data.grid[k], isDown = axis.values[axis.n - 1] < axis.values[0] && isMonotonic(axis.values);
    at[k] = Math.min(axis.n - 1, Math.max(0, at[k] + (isDown ? -d : d)));
  };
  step(view.x, dx);
  if (view.kind === "map") step(view.y, dy);
  chooseRun(rowOf(at));
}

function describeStudy() {
  document.title = `${head.title || head.file} – manylink`;
  byId("title").textContent = head.title || head.file;
  byId("definition").textContent = head.definition;
  byId("resolved").textContent = head.resolved;
  for (const [name, text] of [["result", head.file], ...Object.entries(head.provenance)])
    if (text) addRow(byId("provenance"), [[name.replace("_", " ")], [text]]);
  const counts = new Map();
  for (let row = 0; data.outcome && row < data.n; row++) counts.set(outcomeOf(row), (counts.get(outcomeOf(row)) || 0) + 1);
  const outcomes = [...counts].map(([name, n]) => `${n.toLocaleString("en")} ${name}`).join(", ");
  byId("summary").textContent = [
    `${data.n.toLocaleString("en")} ${data.n === 1 ? "run" : "runs"}${outcomes ? `: ${outcomes}` : ""}`,
    head.provenance.end_time && head.provenance.end_time.slice(0, 10), `manylink ${head.version}`,
    head.left_out > 0 && `${head.left_out} datasets are too large for this page`,
  ].filter(Boolean).join(" · ");
}

function listenToPage() {
  byId("theme").onclick = () => {
    const root = document.documentElement;
    const isDark = getComputedStyle(root).colorScheme.trim() === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    redraw();
  };
  byId("previous").onclick = () => chooseRun(view.row - 1);
  byId("next").onclick = () => chooseRun(view.row + 1);
  byId("copy").onclick = async () => {
    await navigator.clipboard.writeText(byId("command").textContent);
    byId("copy").textContent = "copied";
  };
  byId("play").onclick = play;
  byId("time").oninput = () => {
    motion.at = Number(byId("time").value);
    drawMotion();
  };
  window.addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

function redraw() {
  if (view.box) select(null);
  draw();
  drawMotion();
}

/* The run that is shown at first: in the middle of those whose motion is there, else of the map. */
function firstRow() {
  const rows = keptRows();
  if (rows.length > 0) return rows[rows.length >> 1];
  return data.grid.length > 1 ? rowOf(data.grid.map((axis) => axis.n >> 1)) : 0;
}

async function begin() {
  await loadNumbers();
  describeStudy();
  listenToPage();
  const asked = new URLSearchParams(location.hash.slice(1)).get("run");
  const row = asked === null ? -1 : data.runs.indexOf(Number(asked));
  if (data.quantities.length > 0) {
    view.show = mainQuantity();
    view.row = row >= 0 ? row : firstRow();
    view.at = indicesOf(view.row);
  }
  if (data.n > 1 && view.show) {
    byId("explore").hidden = false;
    view.kind = data.isList ? "points" : data.grid.filter((axis) => axis.n > 1).length > 1 ? "map" : "curves";
    makeControls();
    listenToPicture();
  }
  if (view.show) chooseRun(view.row);
  const drawn = Math.round(performance.now());
  await loadMotions();
  makeMotionControls();
  if (view.show) showMotion(view.row);
  document.documentElement.dataset.ready = `${drawn} ms`;
}

begin();
