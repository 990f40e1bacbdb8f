/* The view "curves": a quantity over one axis of the grid, with its error bars, and the other parts of
 * the same dataset. */

/* Rows along an axis, through the chosen run. */
function rowsAlong(k) {
  const indices = view.at.slice();
  return Array.from({ length: data.grid[k].n }, (_, i) => {
    indices[k] = i;
    return rowOf(indices);
  });
}

/* The curves that are drawn: of the other parts of the dataset, and of both values of a family. */
function runCurves() {
  const beside = data.quantities.filter((each) => each.dataset === view.show.dataset).slice(0, 8);
  const k = data.grid.findIndex((axis, i) => i !== view.x && isFamily(axis.name)), axis = data.grid[k];
  const alone = () => beside.map((quantity) => ({ quantity, rows: rowsAlong(view.x), name: quantity.name }));
  if (!axis) return alone();
  const chosen = view.at[k];
  const all = axis.values.flatMap((value, i) => {
    view.at[k] = i;
    return alone().map((each) => ({ ...each, name: (beside.length > 1 ? `${each.name}, ` : "") + assignment(axis.name, value, axis.unit) }));
  });
  view.at[k] = chosen;
  return all;
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

/* The frame of curves. */
function curvesFrame(surface, curves) {
  const isLog = view.log.checked, x = axisOf(data.grid[view.x]);
  const all = ofSides(() => curves.flatMap(({ quantity, rows }) => valuesWithErrors(quantity, rows))).flat().filter((value) => !isLog || value > 0);
  const [low, high] = extentOf(all), isOne = curves.length === 1;
  const label = labelOfShown(isOne ? view.show : view.show.dataset);
  const y = rangeAxis(label, low, high, isLog && low > 0, areWhole(all));
  if (!isOne) y.high += legendRoom * (y.high - y.low);
  return pictureFrame(surface, x, y, 14);
}

function drawRunCurves(surface) {
  const curves = runCurves(), rows = rowsAlong(view.x);
  const frame = curvesFrame(surface, curves), colours = curves.map((_, i) => lineColours[i % lineColours.length]);
  const places = frame.x.positions.map(frame.toX.place);
  const placeY = (value) => frame.toY.place(frame.y.isLog ? Math.log10(value) : value);
  drawGrid(surface, frame);
  clipped(surface, frame, () => curves.forEach(({ quantity, rows: own }, i) => {
    const ys = own.map((row) => placeY(quantity.at(row))), isShown = quantity === view.show;
    drawErrorBars(surface, quantity, own, places, placeY, colours[i]);
    drawLine(surface, places, ys, colours[i], isShown ? 2.2 : 1.3);
    if (places.length <= 120) drawDots(surface, places, ys, colours[i], isShown ? 3 : 2);
  }));
  drawAxes(surface, frame);
  if (curves.length > 1) drawLegend(surface, frame, curves.map((each) => each.name), colours);
  return {
    frame,
    placesOf: (row) => {
      const k = rows.indexOf(row);
      return k < 0 ? [] : [[places[k], placeY(view.show.at(row))]];
    },
    hitAt: (px) => {
      const i = cellAt(frame.x.edges, frame.toX.at(px));
      return i < 0 ? null : { row: rows[i], event: -1 };
    },
  };
}

views.curves = {
  title: "curves",
  isFor: () => data.grid.length > 0,
  makeControls: (parent) => {
    addShow(parent, "show");
    addAxes(parent, ["x"]);
    view.log = addCheck(parent, "log y", hasLog(view.show), draw, "log");
  },
  draw: drawRunCurves,
  step: (dx) => rowOf(neighbour(view.at, view.x, dx)),
};
