/* The view "parallel": an upright axis for each input and for the number that is shown, and a line for each
 * run. A drag along an axis selects the runs that are within, of several axes those within all. */

const mostLines = 3000;

/* Whether numbers are above 0, spread over more than a decade, and the middle one is nearer to the geometric mean of
 * the ends than to the arithmetic: the rule of `plot`. */
function isSpreadLog(values) {
  const there = Float64Array.from(values).filter(Number.isFinite).sort(), last = there.length - 1;
  const [low, middle, high] = [there[0], there[last >> 1], there[last]];
  return low > 0 && high > 10 * low && Math.abs(Math.log(middle / Math.sqrt(low * high))) < Math.abs(Math.log(2 * middle / (low + high)));
}

/* The axes from left to right, the one that is shown last, made once. */
function parallelAxes() {
  const key = `parallel ${view.show.name} ${view.log.checked}`;
  if (!scales.has(key))
    scales.set(key, [...inputsOf().filter((input) => input.name !== view.show.name), view.show].map((quantity) => {
      const values = spreadRows(mostRanked).map(quantity.at), isShown = quantity === view.show;
      const axis = isShown ? pointsAxis(quantity, view.log.checked)
        : rangeAxis(nameWithUnit(quantity), ...extentOf(values), isSpreadLog(values));
      return { quantity, axis, at: (row) => (axis.isLog ? Math.log10(quantity.at(row)) : quantity.at(row)) };
    }));
  return scales.get(key);
}

/* Ranges that are brushed, by names of quantities; the address has them. */
function brushes() {
  try {
    return JSON.parse(state.get("brush")) || {};
  } catch {
    return {}; // an address that was cut
  }
}

/* Rows within all brushes; null without one. */
function brushedRows() {
  const ranges = Object.entries(brushes()).map(([name, range]) => [inputsOf().find((input) => input.name === name) ?? quantityNamed(name), range])
    .filter(([of, range]) => of && Array.isArray(range));
  if (ranges.length === 0) return null;
  const rows = [];
  for (let row = 0; row < data.n; row++)
    if (ranges.every(([of, [low, high]]) => of.at(row) >= low && of.at(row) <= high)) rows.push(row);
  return rows;
}

/* A drag brushes the axis that is nearest to where it began; a short one frees it. */
function brush(places, axes, [x0, y0, , y1]) {
  const k = places.reduce((best, { x }, i) => (Math.abs(x - x0) < Math.abs(places[best].x - x0) ? i : best), 0);
  const number = (y) => (axes[k].axis.isLog ? 10 ** places[k].to.at(y) : places[k].to.at(y));
  const range = [number(y0), number(y1)].sort((a, b) => a - b).map((at) => Number(at.toPrecision(6)));
  const all = { ...brushes(), [axes[k].quantity.name]: Math.abs(y1 - y0) > 6 ? range : undefined };
  keep({ brush: Object.values(all).some(Boolean) ? JSON.stringify(all) : null });
  view.selected = []; // of the brushes before
  draw();
}

/* Titles of the axes, in two heights where they would meet, and their ticks and brushes. */
function drawParallelAxes(surface, frame, axes, places) {
  const { context } = surface, room = Math.max(60, (frame.right - frame.left) / Math.max(1, axes.length - 1)), ranges = brushes();
  axes.forEach(({ quantity, axis }, k) => {
    const { x, to } = places[k], isLast = k === axes.length - 1, brushed = ranges[quantity.name];
    drawLine(surface, [x, x], [frame.top, frame.bottom], css("--ink"), 1);
    if (Array.isArray(brushed)) {
      const [a, b] = brushed.map((at) => Math.min(frame.bottom, Math.max(frame.top, to.place(axis.isLog ? Math.log10(at) : at))));
      context.fillStyle = css("--mark");
      context.globalAlpha = 0.35;
      context.fillRect(x - 6, Math.min(a, b), 12, Math.abs(b - a));
      context.globalAlpha = 1;
    }
    context.textBaseline = "middle";
    context.textAlign = isLast ? "right" : "left";
    for (const tick of ticksOf(axis, Math.max(2, (frame.bottom - frame.top) / 70))) {
      const y = to.place(tick.at), { width } = context.measureText(tick.text);
      context.fillStyle = css("--card"); // lines of runs are behind the numbers
      context.globalAlpha = 0.7;
      context.fillRect(isLast ? x - 8 - width : x + 4, y - 7, width + 4, 14);
      context.globalAlpha = 1;
      context.fillStyle = css("--ink");
      context.fillRect(x - 3, y - 0.5, 6, 1);
      context.fillText(tick.text, x + (isLast ? -6 : 6), y);
    }
    context.fillStyle = css("--ink");
    context.textAlign = isLast ? "right" : k === 0 ? "left" : "center";
    context.textBaseline = "bottom";
    context.fillText(fitText(context, axis.label, 1.9 * room), isLast ? frame.right + 10 : k === 0 ? frame.left - 10 : x, frame.top - (k % 2 === 1 ? 20 : 5));
  });
}

/* The drawn row whose line is nearest to a place, within 24 pixels. */
function nearestLine(rows, axes, places, x, y) {
  const k = Math.max(0, Math.min(axes.length - 2, places.findIndex((each) => each.x > x) - 1)), part = (x - places[k].x) / (places[k + 1].x - places[k].x);
  let best = -1, least = 24;
  for (const row of rows) {
    const [a, b] = [k, k + 1].map((i) => places[i].to.place(axes[i].at(row))), distance = Math.abs(a + part * (b - a) - y);
    if (distance < least) [best, least] = [row, distance];
  }
  return best;
}

/* At most `mostLines` rows that are selected, all without a selection, and rows that are not. */
function parallelRows(selected) {
  if (!selected) return { rows: spreadRows(mostLines), others: [] };
  const every = Math.max(1, selected.length / mostLines), isIn = new Set(selected);
  return {
    rows: Array.from({ length: Math.ceil(selected.length / every) }, (_, i) => selected[Math.floor(i * every)]),
    others: spreadRows(mostLines).filter((row) => !isIn.has(row)),
  };
}

/* Where the axes are, and numbers along them. */
function parallelPlaces(axes, { left, right, top, bottom }) {
  return axes.map(({ axis: { low, high } }, k) => ({
    x: left + (k * (right - left)) / (axes.length - 1),
    to: {
      place: (at) => bottom - ((at - low) / (high - low)) * (bottom - top),
      at: (y) => low + ((bottom - y) / (bottom - top)) * (high - low),
    },
  }));
}

function drawParallel(surface) {
  const axes = parallelAxes(), scale = colourScale(view.show, view.log.checked), room = colourBarRoom(surface, scale);
  const frame = { left: 14, top: 44, right: surface.width - room - 6, bottom: surface.height - 10, room };
  const places = parallelPlaces(axes, frame), xs = places.map(({ x }) => x), none = css("--none");
  const selected = brushedRows() ?? (view.selected.length > 0 ? view.selected : null), { rows, others } = parallelRows(selected), { context } = surface;
  const line = (row) => places.map(({ to }, k) => to.place(axes[k].at(row)));
  clipped(surface, frame, () => {
    context.globalAlpha = 0.25;
    for (const row of others) drawLine(surface, xs, line(row), none, 0.7);
    context.globalAlpha = Math.max(0.25, Math.min(0.9, 300 / rows.length));
    for (const row of rows) {
      const rgb = scale.colour(view.show.at(row));
      drawLine(surface, xs, line(row), rgb ? `rgb(${rgb.join(",")})` : none, 1);
    }
    context.globalAlpha = 1;
  });
  drawParallelAxes(surface, frame, axes, places);
  drawColourBar(surface, frame, scale);
  return {
    frame, selected, mark: () => {},
    select: (box) => brush(places, axes, box),
    placesOf: (row) => line(row).map((y, k) => [xs[k], y]),
    hitAt: (x, y) => {
      const row = nearestLine(rows, axes, places, x, y);
      return row < 0 ? null : { row, event: -1 };
    },
  };
}

views.parallel = {
  title: "parallel axes",
  isFor: () => data.n > 2 && inputsOf().length > 0,
  makeControls: (parent) => {
    addShow(parent, "show");
    view.log = addCheck(parent, "log", hasLog(view.show), draw, "log");
    addColours(parent);
  },
  draw: drawParallel,
  step: (dx, dy) => view.row + dx + dy,
};
