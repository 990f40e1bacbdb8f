/* The sheet: pictures and tables of the contents of a result beside its runs: a fit, a comparison of integrators, cycles of a gait. */

/* Each kind has a title, `isFor()` whether the result has it, `isOfRun`: it is of the chosen run, `makeControls(parent)`, `columns`: pictures in a row,
 * `figures()`: [{ caption, the arguments of drawSeries }], and `fill(parent)`: tables and texts below the pictures. */
const sheets = {};
const sheet = { kind: null, figures: [] };

function makeSheet() {
  sheet.kind = Object.values(sheets).find((each) => each.isFor());
  if (!sheet.kind) return;
  byId("sheet").hidden = false;
  byId("sheet-pictures").style.setProperty("--columns", sheet.kind.columns);
  sheet.kind.makeControls(byId("sheet-controls"));
  fillSheet();
}

/* Makes pictures and tables, after a choice or for another run. */
function fillSheet() {
  byId("sheet-title").textContent = `${sheet.kind.title}${sheet.kind.isOfRun && data.n > 1 ? ` of run ${data.runs[view.row]}` : ""}`;
  byId("sheet-pictures").replaceChildren();
  byId("sheet-tables").replaceChildren();
  sheet.figures = sheet.kind.figures().map(addFigure);
  sheet.kind.fill(byId("sheet-tables"));
  drawSheet();
}

function addFigure(of) {
  const box = document.createElement("figure"), caption = document.createElement("figcaption"), canvas = document.createElement("canvas");
  const figure = { of, canvas, caption, at: null };
  Object.assign(canvas, { tabIndex: 0, role: "img", ariaLabel: of.caption });
  canvas.onpointermove = (event) => readFigure(figure, nearestOf(figure, event));
  canvas.onpointerleave = () => readFigure(figure, null);
  canvas.onkeydown = (event) => stepFigure(figure, event);
  caption.ariaLive = "polite";
  caption.textContent = of.caption;
  box.append(caption, canvas);
  byId("sheet-pictures").append(box);
  return figure;
}

/* [curve, number] of the point nearest to the mouse; null: no point within 24 pixels. */
function nearestOf({ places, canvas }, event) {
  const box = canvas.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const distance = ([k, i]) => Math.hypot(places[k][0][i] - x, places[k][1][i] - y);
  const near = places.map(([px, py], k) => [k, nearestPoint(px, py, x, y)]).filter(([, i]) => i >= 0);
  return near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/* Marks a point, and has its numbers in the caption: "torque.knee = 12 N m at percent = 50 %". */
function readFigure(figure, at) {
  const { of, caption } = figure;
  if (String(at) === String(figure.at)) return;
  figure.at = at;
  const curve = at && of.curves[at[0]];
  caption.textContent = !at ? of.caption
    : `${assignment(curve.name || of.y.name, curve.ys[at[1]], of.y.unit)} at ${assignment(of.x.name, curve.xs[at[1]], of.x.unit)}${curve.words ? `, ${curve.words[at[1]]}` : ""}`;
  drawFigure(figure);
}

/* Arrows go along a curve and to the next, Esc leaves the point. */
function stepFigure(figure, event) {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }, { key } = event, { curves } = figure.of;
  if (key === "Escape") readFigure(figure, null);
  if (!steps[key]) return;
  event.preventDefault();
  const [k, i] = figure.at ? figure.at.map((at, d) => at + steps[key][d]) : [0, 0], curve = (k + curves.length) % curves.length;
  readFigure(figure, [curve, Math.min(curves[curve].xs.length - 1, Math.max(0, i))]);
}

function drawFigure(figure) {
  const surface = beginCanvas(figure.canvas);
  figure.places = drawSeries(surface, figure.of).places;
  if (!figure.at) return;
  const [k, i] = figure.at, place = figure.places[k].map((places) => places[i]);
  if (place.every(Number.isFinite)) drawMark(surface, ...place, 5);
}

const drawSheet = () => sheet.figures.forEach(drawFigure);

/* A table with a title: [texts of the header], [[texts or numbers of a row]]; the first column is a name. Returns the table. */
function addTable(parent, title, header, rows) {
  const heading = document.createElement("h3"), box = document.createElement("div"), table = document.createElement("table");
  const cell = (text, i) => (i === 0 ? [text] : [typeof text === "number" ? formatNumber(text) : text, "number"]);
  heading.textContent = title;
  box.className = "scroll";
  addRow(table, header.map((text, i) => [text, i === 0 ? "head" : "head number"]));
  for (const row of rows) addRow(table, row.map(cell));
  box.append(table);
  parent.append(heading, box);
  return table;
}

/* A text as a program has printed it. */
function addText(parent, title, text) {
  const details = document.createElement("details"), summary = document.createElement("summary"), block = document.createElement("pre");
  details.open = true;
  summary.textContent = title;
  block.textContent = text;
  details.append(summary, block);
  parent.append(details);
}
