/* Curves over a common axis: a time, a part of a cycle, a cost; with dots, bands and upright lines. */

/* Least and greatest of the numbers of all curves along x or y, above 0 for a logarithmic axis; bands count along y. */
function seriesExtent(curves, key, isLog) {
  const ends = curves.flatMap((curve) => [curve[key], ...((key === "ys" && curve.band) || []).filter((values) => values.some(Number.isFinite))].flatMap((values) =>
    extentOf(isLog ? Array.from(values).filter((value) => value > 0) : values)));
  return extentOf(ends);
}

/* The axis along x of linear scale ends with the numbers; its logarithm, and an axis along y, have a margin. */
function seriesAxis(of, [low, high], isTight) {
  return isTight && !of.isLog && high > low ? { label: nameWithUnit(of), low, high } : rangeAxis(nameWithUnit(of), low, high, Boolean(of.isLog));
}

/* The area between two rows of numbers, where both are there. */
function fillBand({ context }, xs, [lows, highs], colour) {
  const there = xs.map((_, i) => i).filter((i) => Number.isFinite(lows[i]) && Number.isFinite(highs[i]));
  context.fillStyle = colour;
  context.globalAlpha = 0.2;
  context.beginPath();
  there.forEach((i, k) => (k === 0 ? context.moveTo(xs[i], lows[i]) : context.lineTo(xs[i], lows[i])));
  for (const i of there.reverse()) context.lineTo(xs[i], highs[i]);
  context.fill();
  context.globalAlpha = 1;
}

/* Draws curves { name, xs, ys, colour, width, isDotted, band: [lows, highs] }; width 0: no line; isDotted: dots at the numbers.
 *   x, y     { name, unit, isLog }
 *   lines    places along x of upright lines, in the colour of marks
 *   isPhase  x is a number like y: with a margin, and units of the same length
 * Returns the frame and the places of the curves, [xs, ys] each. */
function drawSeries(surface, { x, y, curves, lines = [], isPhase = false }) {
  const xAxis = seriesAxis(x, seriesExtent(curves, "xs", x.isLog), !isPhase), yAxis = seriesAxis(y, seriesExtent(curves, "ys", y.isLog), false);
  const named = curves.filter(({ name }) => name);
  if (named.length > 1) yAxis.high += legendRoom * (yAxis.high - yAxis.low);
  const frame = makeFrame(surface, { ...xAxis, unit: isPhase && x.unit }, { ...yAxis, unit: isPhase && y.unit }, 10);
  const placed = (to, isLog) => (values) => Array.from(values, (value) => to.place(isLog ? Math.log10(value) : value));
  const placeX = placed(frame.toX, x.isLog), placeY = placed(frame.toY, y.isLog);
  drawGrid(surface, frame);
  if (!y.isLog && yAxis.low < 0 && yAxis.high > 0) drawLine(surface, [frame.left, frame.right], placeY([0, 0]), css("--quiet"), 1);
  const places = curves.map(({ xs, ys, colour, width = 1.5, isDotted, band }) => {
    const px = placeX(xs), py = placeY(ys);
    if (band) fillBand(surface, px, band.map(placeY), colour);
    if (width > 0) drawLine(surface, px, py, colour, width);
    if (isDotted) drawDots(surface, px, py, colour, px.length > 300 ? 1.6 : 2.6);
    return [px, py];
  });
  for (const at of placeX(lines)) drawLine(surface, [at, at], [frame.top, frame.bottom], css("--mark"), 1.2);
  drawAxes(surface, frame);
  if (named.length > 1) drawLegend(surface, frame, named.map(({ name }) => name), named.map(({ colour }) => colour));
  return { frame, places };
}
