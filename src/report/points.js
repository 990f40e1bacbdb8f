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

/* The point within 24 pixels, of numbers of so many pixels each; -1. */
function nearestPoint(px, py, x, y, wide = 1, high = 1) {
  let best = -1, least = 24 * 24;
  for (let i = 0; i < px.length; i++) {
    const distance = ((px[i] - x) * wide) ** 2 + ((py[i] - y) * high) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/* The axis of numbers. Where outliers make it ten times as long as 98 % of the numbers need it has room
 * for these, as in pictures of `plot`; its label tells how many are beyond. */
function makePointsAxis(quantity, values, isLog) {
  const there = values.filter((value) => Number.isFinite(value) && !(isLog && value <= 0)).sort(), last = there.length - 1;
  const { unit } = quantity, label = labelOfShown(quantity);
  if (last < 0) return rangeAxis(label, 0, 1, false);
  const core = [there[Math.floor(0.01 * last)], there[Math.ceil(0.99 * last)]], width = core[1] - core[0];
  if (isLog || !(width > 0) || there[last] - there[0] < 10 * width) return { ...rangeAxis(label, there[0], there[last], isLog, areWhole(there)), unit };
  const axis = { ...rangeAxis(label, ...core, false), unit };
  const beyond = there.filter((value) => value < axis.low || value > axis.high).length;
  if (beyond > 0) axis.label = `${label}, ${beyond.toLocaleString("en")} beyond`;
  return axis;
}

/* The same of the numbers of all runs, made once. */
function pointsAxis(quantity, isLog) {
  const key = `axis ${isLog} ${quantity.name}`;
  if (!scales.has(key)) {
    const [first, other] = ofSides(() => valuesOf(quantity));
    scales.set(key, makePointsAxis(quantity, other ? Float64Array.of(...first, ...other) : first, isLog));
  }
  return scales.get(key);
}

/* Numbers of all runs, or their logarithms, made once. */
function valuesOf(quantity, isLog) {
  const key = `values ${isLog} ${quantity.name} ${view.of}`;
  if (!scales.has(key)) {
    const values = new Float64Array(data.n);
    for (let row = 0; row < data.n; row++) values[row] = isLog ? Math.log10(quantity.at(row)) : quantity.at(row);
    scales.set(key, values);
  }
  return scales.get(key);
}

const manyPoints = 100000; // more are drawn by how many fall on a pixel

/* Pixels in the colour of the logarithm of how many points they have. */
function drawDensity(surface, frame, xs, ys) {
  const { x, y } = frame;
  drawPixels(surface, frame, (pixels, { width, height }) => {
    const toX = width / (x.high - x.low), toY = height / (y.high - y.low), { low } = x, { high } = y;
    let most = 1;
    for (let row = 0; row < xs.length; row++) {
      const i = (xs[row] - low) * toX, j = (high - ys[row]) * toY;
      if (!(i >= 0 && j >= 0 && i < width && j < height)) continue;
      const count = ++pixels[(j | 0) * width + (i | 0)];
      if (count > most) most = count;
    }
    const palette = makePalette(palettes[state.get("palette")] || sequential).map(packed), last = Math.min(most, 65535);
    const colours = Uint32Array.from({ length: last + 1 }, (_, n) => palette[most > 1 ? Math.round(255 * Math.log(n || 1) / Math.log(most)) : 128]);
    colours[0] = 0;
    for (let k = 0; k < pixels.length; k++) pixels[k] = colours[Math.min(pixels[k], last)];
  });
}

function drawPoints(surface) {
  const xOf = quantityNamed(view.xSelect.value), colour = quantityNamed(view.colour.value);
  const isLog = view.log.checked, shown = viewOf(view.show);
  const scale = colour ? colourScale(colour, hasLog(colour)) : null;
  const xAxis = pointsAxis(xOf, Boolean(shown?.x === xOf.name && shown.has_log_x));
  const yAxis = pointsAxis(view.show, isLog);
  const frame = pictureFrame(surface, xAxis, yAxis, scale ? colourBarRoom(surface, scale) : 14);
  const xs = valuesOf(xOf, xAxis.isLog), ys = valuesOf(view.show, yAxis.isLog), { toX, toY } = frame;
  const isThere = (row) => xs[row] >= frame.x.low && xs[row] <= frame.x.high && ys[row] >= frame.y.low && ys[row] <= frame.y.high;
  drawGrid(surface, frame);
  if (!scale && data.n > manyPoints) drawDensity(surface, frame, xs, ys);
  else drawRunDots(surface, frame, xs.map((at, row) => (isThere(row) ? toX.place(at) : NaN)), ys.map(toY.place), scale, colour);
  drawAxes(surface, frame);
  if (scale) drawColourBar(surface, frame, scale);
  return {
    frame,
    placesOf: (row) => (isThere(row) ? [[toX.place(xs[row]), toY.place(ys[row])]] : []),
    hitAt: (px, py) => {
      const row = nearestPoint(xs, ys, toX.at(px), toY.at(py), toX.place(1) - toX.place(0), toY.place(1) - toY.place(0));
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
    view.xSelect = addSelect(parent, "x", options, x.name, draw, "x");
    view.colour = addSelect(parent, "colour", [["", "none"], ...options], "", draw, "colour");
    view.log = addCheck(parent, "log y", hasLog(view.show), draw, "log");
    addEqual(parent);
    addColours(parent);
  },
  draw: drawPoints,
  step: (dx, dy) => view.row + dx + dy,
};
