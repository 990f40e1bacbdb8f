/* The view "points": a quantity over any other, in the colour of a third, a point for each run. */

const fewDots = 5000; // more are drawn as squares, pixel by pixel

/* Draws a point for every run, in the colour of a scale; null: all in one. */
function drawRunDots(surface, frame, px, py, scale, colour) {
  const plain = channels(css("--accent").slice(1)), none = css("--none"), size = data.n > 500 ? 2.2 : 3.6;
  const colours = new Array(data.n);
  for (let row = 0; row < data.n; row++) colours[row] = scale ? scale.colour(colour.at(row)) : plain;
  if (data.n > fewDots) drawSquares(surface, frame, px, py, colours, squareSize(data.n));
  else colours.forEach((rgb, row) =>
    drawDots(surface, [px[row]], [py[row]], rgb ? `rgb(${rgb.join(",")})` : none, size));
}

/* The point within 24 pixels; -1. */
function nearestPoint(px, py, x, y) {
  let best = -1, least = 24 * 24;
  for (let i = 0; i < px.length; i++) {
    const distance = (px[i] - x) ** 2 + (py[i] - y) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/* The axis of numbers. Where outliers make it ten times as long as 98 % of the numbers need it has room
 * for these, as in pictures of `plot`; its label tells how many are beyond. */
function makePointsAxis(quantity, values, isLog) {
  const there = values.filter((value) => Number.isFinite(value) && !(isLog && value <= 0)).sort(), last = there.length - 1;
  const label = nameWithUnit(quantity);
  if (last < 0) return rangeAxis(label, 0, 1, false);
  const core = [there[Math.floor(0.01 * last)], there[Math.ceil(0.99 * last)]], width = core[1] - core[0];
  if (isLog || !(width > 0) || there[last] - there[0] < 10 * width) return rangeAxis(label, there[0], there[last], isLog);
  const axis = rangeAxis(label, ...core, false);
  const beyond = there.filter((value) => value < axis.low || value > axis.high).length;
  if (beyond > 0) axis.label = `${label}, ${beyond.toLocaleString("en")} beyond`;
  return axis;
}

/* The same, made once. */
function pointsAxis(quantity, values, isLog) {
  const key = `axis ${isLog} ${quantity.name}`;
  if (!scales.has(key)) scales.set(key, makePointsAxis(quantity, values, isLog));
  return scales.get(key);
}

/* Places along an axis, NaN beyond it. */
function pointsAlong(axis, values, across) {
  const at = axis.isLog ? values.map(Math.log10) : values;
  return at.map((value) => (value >= axis.low && value <= axis.high ? across.place(value) : NaN));
}

function valuesOf(quantity) {
  const values = new Float64Array(data.n);
  for (let row = 0; row < data.n; row++) values[row] = quantity.at(row);
  return values;
}

function drawPoints(surface) {
  const xOf = quantityNamed(view.xSelect.value), colour = quantityNamed(view.colour.value);
  const xs = valuesOf(xOf), ys = valuesOf(view.show), isLog = view.log.checked;
  const scale = colour ? colourScale(colour, hasLog(colour)) : null, shown = viewOf(view.show);
  const x = pointsAxis(xOf, xs, Boolean(shown?.x === xOf.name && shown.has_log_x)), y = pointsAxis(view.show, ys, isLog);
  const frame = makeFrame(surface, x, y, scale ? colourBarRoom(surface, scale) : 14);
  const px = pointsAlong(x, xs, frame.toX), py = pointsAlong(y, ys, frame.toY);
  drawGrid(surface, frame);
  drawRunDots(surface, frame, px, py, scale, colour);
  drawAxes(surface, frame);
  if (scale) drawColourBar(surface, frame, scale);
  return {
    frame,
    placesOf: (row) => (Number.isFinite(px[row]) && Number.isFinite(py[row]) ? [[px[row], py[row]]] : []),
    hitAt: (atX, atY) => {
      const row = nearestPoint(px, py, atX, atY);
      return row < 0 ? null : { row, event: -1 };
    },
  };
}

views.points = {
  title: "points",
  isFor: () => true,
  makeControls: (parent) => {
    const options = quantityOptions(), shown = viewOf(view.show);
    const x = quantityNamed(shown?.style === "scatter" && shown.x) || data.swept[0] || data.quantities[0];
    addShow(parent, "y");
    view.xSelect = addSelect(parent, "x", options, x.name, draw);
    view.colour = addSelect(parent, "colour", [["", "none"], ...options], "", draw);
    view.log = addCheck(parent, "log y", hasLog(view.show), draw);
  },
  draw: drawPoints,
  step: (dx, dy) => view.row + dx + dy,
};
