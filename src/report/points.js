/* The view "points": a quantity over any other, in the colour of a third, a point for each run. */

/* Draws a dot for every run, in the colour of a scale; null: all in one. */
function drawRunDots(surface, px, py, scale, colour) {
  const size = data.n > 5000 ? 1.2 : data.n > 500 ? 2.2 : 3.6;
  if (!scale) {
    drawDots(surface, px, py, css("--accent"), size);
    return;
  }
  const none = css("--none");
  for (let row = 0; row < data.n; row++) {
    const rgb = scale.colour(colour.at(row));
    drawDots(surface, [px[row]], [py[row]], rgb ? `rgb(${rgb.join(",")})` : none, size);
  }
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

function drawPoints(surface) {
  const xOf = quantityNamed(view.xSelect.value), colour = quantityNamed(view.colour.value);
  const rows = Array.from({ length: data.n }, (_, row) => row), isLog = view.log.checked;
  const xs = rows.map(xOf.at), ys = rows.map(view.show.at);
  const scale = colour ? colourScale(colour, isFarSpread(colour)) : null;
  const isLogX = isFarSpread(xOf) && xs.every((value) => value > 0);
  const positive = isLog ? ys.filter((value) => value > 0) : ys;
  const x = rangeAxis(nameWithUnit(xOf), ...extentOf(xs), isLogX);
  const y = rangeAxis(nameWithUnit(view.show), ...extentOf(positive), isLog && positive.length > 0);
  const frame = makeFrame(surface, x, y, scale ? colourBarRoom(surface, scale) : 14);
  const place = (across, axis, value) => across.place(axis.isLog ? Math.log10(value) : value);
  const px = xs.map((value) => place(frame.toX, x, value)), py = ys.map((value) => place(frame.toY, y, value));
  drawGrid(surface, frame);
  drawRunDots(surface, px, py, scale, colour);
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
    const options = quantityOptions(), [x, colour] = data.swept;
    addShow(parent, "y");
    view.xSelect = addSelect(parent, "x", options, (x || data.quantities[0]).name, draw);
    view.colour = addSelect(parent, "colour", [["", "none"], ...options], colour ? colour.name : "", draw);
    view.log = addCheck(parent, "log y", isFarSpread(view.show), draw);
  },
  draw: drawPoints,
  step: (dx, dy) => view.row + dx + dy,
};
