/* The view "map": a quantity over two axes of the grid, a cell for each run. */

/* The cell that a place is in; -1 outside. Edges ascend or descend. */
function cellAt(edges, at) {
  const sign = edges[edges.length - 1] > edges[0] ? 1 : -1;
  if (sign * at < sign * edges[0] || sign * at > sign * edges[edges.length - 1]) return -1;
  let low = 0, high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * edges[middle] <= sign * at) low = middle;
    else high = middle;
  }
  return low;
}

/* Colours every pixel of the frame by the cell that it is in. */
function drawCells(surface, frame, colourOf) {
  const { ratio } = surface, none = packed(channels(css("--none").slice(1)));
  drawPixels(surface, frame, (pixels, { left, top, width, height }) => {
    const columns = Array.from({ length: width }, (_, i) => cellAt(frame.x.edges, frame.toX.at((left + i + 0.5) / ratio)));
    let before = -1;
    for (let j = 0; j < height; j++) {
      const row = cellAt(frame.y.edges, frame.toY.at((top + j + 0.5) / ratio));
      if (row === before && j > 0) {
        pixels.copyWithin(j * width, (j - 1) * width, j * width);
        continue;
      }
      for (let i = 0, last = -2, colour = none; i < width; i++) {
        if (columns[i] !== last) {
          const rgb = colourOf(columns[i], row);
          colour = rgb ? packed(rgb) : none;
          last = columns[i];
        }
        pixels[j * width + i] = colour;
      }
      before = row;
    }
  });
}

/* The neighbour along axis k of the grid, `d` cells to the right or up. */
function neighbour(at, k, d) {
  const axis = data.grid[k], isDown = axis.values[axis.n - 1] < axis.values[0] && isMonotonic(axis.values);
  const to = at.slice();
  to[k] = Math.min(axis.n - 1, Math.max(0, at[k] + (isDown ? -d : d)));
  return to;
}

/* Places and runs of a map. */
function mapPlaces(frame) {
  const strides = data.grid.map((_, k) => product(data.grid.slice(k + 1).map((axis) => axis.n)));
  const origin = rowOf(view.at.map((i, k) => (k === view.x || k === view.y ? 0 : i)));
  const rowAt = (i, j) => origin + i * strides[view.x] + j * strides[view.y];
  return {
    frame, rowAt,
    placesOf: (row) => {
      const at = indicesOf(row);
      const isHere = at.every((i, k) => k === view.x || k === view.y || i === view.at[k]);
      return isHere ? [[frame.toX.place(frame.x.positions[at[view.x]]), frame.toY.place(frame.y.positions[at[view.y]])]] : [];
    },
    hitAt: (x, y) => {
      const i = cellAt(frame.x.edges, frame.toX.at(x)), j = cellAt(frame.y.edges, frame.toY.at(y));
      return i < 0 || j < 0 ? null : { row: rowAt(i, j), event: -1 };
    },
  };
}

/* Sides of a cell: the neighbour, and both ends of the side. */
const sidesOfCell = [[-1, 0, 0, 0, 0, 1], [1, 0, 1, 0, 1, 1], [0, -1, 0, 0, 1, 0], [0, 1, 0, 1, 1, 1]];

/* The outline of the selected cells of a map. */
function outlineCells(surface, frame, rows) {
  const { context } = surface, n = [view.x, view.y].map((k) => data.grid[k].n), cells = new Uint8Array(n[0] * n[1]);
  for (const row of rows) {
    const at = indicesOf(row);
    if (at.every((i, k) => k === view.x || k === view.y || i === view.at[k])) cells[at[view.x] * n[1] + at[view.y]] = 1;
  }
  const isIn = (i, j) => i >= 0 && j >= 0 && i < n[0] && j < n[1] && cells[i * n[1] + j];
  const [xs, ys] = [frame.x.edges.map(frame.toX.place), frame.y.edges.map(frame.toY.place)];
  context.beginPath();
  for (let cell = cells.indexOf(1); cell >= 0; cell = cells.indexOf(1, cell + 1)) {
    const i = Math.floor(cell / n[1]), j = cell % n[1];
    for (const [di, dj, x0, y0, x1, y1] of sidesOfCell)
      if (!isIn(i + di, j + dj)) {
        context.moveTo(xs[i + x0], ys[j + y0]);
        context.lineTo(xs[i + x1], ys[j + y1]);
      }
  }
  for (const [colour, width] of [["#ffffff", 4], [css("--mark"), 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }
  context.lineWidth = 1;
}

/* Dots on the runs whose motion is in the page. */
function drawKept({ context }, places) {
  const rows = keptRows();
  if (rows.length === 0 || rows.length > 1000 || rows.length === data.n) return;
  context.fillStyle = "#ffffff";
  context.strokeStyle = "#000000";
  for (const [x, y] of rows.flatMap(places.placesOf)) {
    context.beginPath();
    context.arc(x, y, 2, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

views.map = {
  title: "map",
  isFor: () => data.grid.filter((axis) => axis.n > 1).length > 1,
  makeControls: (parent) => {
    addShow(parent, "show");
    addAxes(parent, ["x", "y"]);
    view.log = addCheck(parent, "log colours", hasLog(view.show), draw, "log");
    addColours(parent);
    if (data.grid[view.x].unit && data.grid[view.x].unit === data.grid[view.y].unit) addEqual(parent);
  },
  draw: (surface) => {
    const scale = colourScale(view.show, view.log.checked);
    const frame = pictureFrame(surface, axisOf(data.grid[view.x]), axisOf(data.grid[view.y]), colourBarRoom(surface, scale));
    const places = mapPlaces(frame);
    drawCells(surface, frame, (i, j) => (i < 0 || j < 0 ? null : scale.colour(view.show.at(places.rowAt(i, j)))));
    drawKept(surface, places);
    drawAxes(surface, frame);
    drawColourBar(surface, frame, scale);
    return { ...places, mark: (on, rows) => clipped(on, frame, () => outlineCells(on, frame, rows)) };
  },
  step: (dx, dy) => rowOf(neighbour(neighbour(view.at, view.x, dx), view.y, dy)),
};
