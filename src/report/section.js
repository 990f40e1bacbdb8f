/* The view "events": what events keep, one number over another (a section) or over what is swept (an
 * orbit diagram), a point for each event of every run. */

/* What can be an axis or a colour: numbers at (row, event). Those of runs are the same at all events. */
const ofRun = (quantity) => ({ name: quantity.name, unit: quantity.unit, isOfRun: true, at: (row) => quantity.at(row) });
const sectionSource = (name) => data.events.find((each) => each.name === name) || ofRun(quantityNamed(name));

/* Angles that go round are drawn within -pi and pi. */
function wrapped(source, values) {
  if (source.unit !== "rad" || source.isOfRun || !values.some((value) => Math.abs(value) > Math.PI))
    return { label: nameWithUnit(source), values };
  return {
    label: nameWithUnit({ name: `${source.name} modulo 2π`, unit: source.unit }),
    values: values.map(wrapAngle),
  };
}

/* Of an axis of two values beside a longer one both are drawn. */
const isFamily = (name) => families().some((axis) => axis.name === name);

/* Axes that points over x are drawn along; none where x is no axis: all runs are drawn. */
function sectionAxes(x) {
  const k = data.grid.findIndex((axis) => axis.name === x.name);
  return k < 0 ? [] : data.grid.map((axis, i) => i).filter((i) => i === k || isFamily(data.grid[i].name));
}

/* Rows that are drawn: the chosen run's alone; over one axis of several those through the chosen run. */
function sectionRows(x) {
  const axes = sectionAxes(x);
  if (view.isAlone.checked) return [view.row];
  if (axes.length === 0) return Array.from({ length: data.n }, (_, row) => row);
  return axes.reduce((places, k) => places.flatMap((at) =>
    Array.from({ length: data.grid[k].n }, (_, i) => Object.assign([...at], { [k]: i }))), [view.at]).map(rowOf);
}

/* An axis: its label, range and numbers, [rows][n]. */
function sectionAxis(source, rows, n) {
  const read = () => {
    const all = new Float32Array(rows.length * n);
    for (let i = 0, k = 0; i < rows.length; i++)
      for (let j = 0; j < n; j++) all[k++] = source.at(rows[i], j);
    return wrapped(source, all);
  };
  const { label, values } = read(), isLog = eventsView?.x === source.name && eventsView.has_log_x;
  const [low, high] = extentOf(ofSides(() => extentOf(read().values)).flat());
  const axis = { ...rangeAxis(label, low, high, isLog && low > 0), unit: source.unit };
  return { axis, values: axis.isLog ? values.map(Math.log10) : values };
}

/* Colours of the rows: [r, g, b], or null for no number. */
function sectionColours(rows, scale) {
  const name = view.colour.value, quantity = quantityNamed(name);
  const plain = channels(css("--accent").slice(1));
  return rows.map((row) => name === "" ? plain : scale ? scale.colour(quantity.at(row)) : runColour(row));
}

/* Their size, for so many. */
const squareSize = (n) => (n > 100000 ? 1 : n > 5000 ? 1.5 : 2.5);

/* Squares of `size` pixels at [rows][n] places. */
function drawSquares(surface, frame, px, py, colours, size) {
  const { ratio } = surface, n = px.length / colours.length, side = Math.max(1, Math.round(size * ratio));
  const none = channels(css("--none").slice(1));
  drawPixels(surface, frame, (pixels, { left, top, width, height }) => colours.forEach((rgb, i) => {
    const colour = packed(rgb || none);
    for (let k = i * n; k < (i + 1) * n; k++) {
      const x = Math.round(px[k] * ratio - left - side / 2), y = Math.round(py[k] * ratio - top - side / 2);
      if (!(x >= 0 && y >= 0 && x + side <= width && y + side <= height)) continue;
      for (let v = y; v < y + side; v++) pixels.fill(colour, v * width + x, v * width + x + side);
    }
  }));
}

/* Places of points and the events that they are of. */
function sectionPlaces(frame, rows, n, px, py) {
  const numbers = new Map(rows.map((row, i) => [row, i]));
  return {
    frame,
    placesOf: (row) => {
      const i = numbers.get(row) ?? -1, places = [];
      for (let k = i * n; i >= 0 && k < (i + 1) * n; k++)
        if (Number.isFinite(px[k]) && Number.isFinite(py[k])) places.push([px[k], py[k]]);
      return places;
    },
    hitAt: (x, y) => {
      const k = nearestPoint(px, py, x, y);
      return k < 0 ? null : { row: rows[Math.floor(k / n)], event: k % n };
    },
  };
}

function drawSection(surface) {
  const y = sectionSource(view.eventY.value), x = sectionSource(view.eventX.value), { n } = y;
  const rows = sectionRows(x), across = sectionAxis(x, rows, n), up = sectionAxis(y, rows, n);
  const quantity = quantityNamed(view.colour.value), scale = quantity ? colourScale(quantity, hasLog(quantity)) : null;
  const frame = pictureFrame(surface, across.axis, up.axis, scale ? colourBarRoom(surface, scale) : 14);
  const px = across.values.map(frame.toX.place), py = up.values.map(frame.toY.place);
  drawGrid(surface, frame);
  drawSquares(surface, frame, px, py, sectionColours(rows, scale), squareSize(px.length));
  drawAxes(surface, frame);
  if (scale) drawColourBar(surface, frame, scale);
  return sectionPlaces(frame, rows, n, px, py);
}

/* Numbers of the same event as y that can be x: what is swept comes first. */
function sectionXNames() {
  const { event } = sectionSource(view.eventY.value);
  return [...data.swept, ...data.events.filter((each) => each.event === event)].map((each) => each.name);
}

/* The two numbers drawn at first: as the file has them, or else the first number over what is swept. */
function sectionDefaults() {
  const names = [...data.events, ...data.swept].map((each) => each.name), { x, y } = eventsView ?? {};
  const asked = ["x", "y"].map((key) => state.get(key)), usual = [x, y];
  return [asked, usual].find((pair) => pair.every((name) => names.includes(name))) ||
    [(data.swept[data.swept.length - 1] || data.events[0]).name, (data.events.find((each) => !each.isTime) || data.events[0]).name];
}

function makeSectionControls(parent) {
  if (!view.sectionNames) view.sectionNames = sectionDefaults();
  const option = (name) => [name, nameWithUnit(sectionSource(name))], redo = () => {
    view.sectionNames = [view.eventX.value, view.eventY.value];
    keep({ x: view.eventX.value, y: view.eventY.value, zoom: null });
    view.box = null;
    makeControls();
    draw();
  };
  const [x, y] = view.sectionNames;
  view.eventY = addSelect(parent, "y", data.events.map((each) => option(each.name)), y, redo);
  const names = sectionXNames(), isThere = names.includes(x);
  view.eventX = addSelect(parent, "x", names.map(option), isThere ? x : names[0], redo);
  const isOverSwept = data.swept.some((each) => each.name === view.eventX.value);
  const colours = [["", "none"], ["by run", "run"], ...quantityOptions()];
  view.colour = addSelect(parent, "colour", colours, !isOverSwept ? "by run" : families()[0]?.name ?? "", draw, "colour");
  view.isAlone = addCheck(parent, "chosen run only", view.isAlone?.checked ?? false, draw, "alone");
  addEqual(parent);
  const axes = sectionAxes(sectionSource(view.eventX.value));
  if (axes.length > 0) addSliders(parent, axes);
}

/* "beat_rate = 1.2 rad/s, ... · crossing 3 at t = 12 s of run 7" */
function readOutEvent({ row, event }) {
  const y = sectionSource(view.eventY.value), x = sectionSource(view.eventX.value), time = eventTime(y);
  const numbers = [y, x].filter((each) => !each.isOfRun).map((each) => assignment(each.name, each.at(row, event), each.unit));
  const when = time ? ` at t = ${withUnit(formatNumber(time.at(row, event)), time.unit)}` : "";
  return [numbers.join(", "), `${when}, number ${event + 1} of run ${data.runs[row]}`];
}

views.section = {
  title: "events",
  isFor: () => data.events.length > 0,
  makeControls: makeSectionControls,
  draw: drawSection,
  step: (dx, dy) => view.row + dx + dy,
};
