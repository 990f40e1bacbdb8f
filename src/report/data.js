/* What the page knows: the head, its datasets, and which of their numbers belong to a run. */

const head = JSON.parse(document.getElementById("head").textContent);

const product = (numbers) => numbers.reduce((all, n) => all * n, 1);

/* Datasets by group; `name` without it. Numbers of a scale are in `scale`, texts in `texts`; other
 * numbers are in `numbers` when their block is there. */
function readDatasets() {
  const groups = { runs: [], summary: [], trajectories: [], inverse: [], statistics: [], fit: [], precision: [] };
  for (const dataset of head.datasets) {
    const slash = dataset.path.indexOf("/");
    dataset.name = dataset.path.slice(slash + 1);
    dataset.count = product(dataset.shape);
    if (dataset.unit === "1") dataset.unit = "";
    dataset.meanings = dataset.meanings?.split(" ").map((name) => name.replaceAll("_", " "));
    if (dataset.first !== undefined)
      dataset.scale = Array.from({ length: dataset.count }, (_, i) => dataset.first + i);
    else if (dataset.values)
      dataset.scale = dataset.values.map((value) => (value === null ? NaN : value));
    (groups[dataset.path.slice(0, slash)] || []).push(dataset);
  }
  return groups;
}

const groups = readDatasets();
const findIn = (group, name) => groups[group].find((dataset) => dataset.name === name);
const hasNumbers = (dataset) => dataset.block !== undefined;
const data = { n: 0, runs: [], grid: [], swept: [], quantities: [], outcome: null };

/* Label of entry i of a dimension: its text, its number or its position. */
function labelOf(group, dim, i) {
  const scale = dim && findIn(group, dim);
  if (scale && scale.texts) return scale.texts[i];
  return scale && scale.scale ? formatNumber(scale.scale[i]) : String(i);
}

/* Names of the entries of an array of these dimensions, in row order. */
function componentNames(group, dims, shape) {
  const names = [];
  for (let i = 0; i < product(shape); i++) {
    let rest = i, labels = [];
    for (let k = shape.length - 1; k >= 0; k--) {
      labels.unshift(labelOf(group, dims[k], rest % shape[k]));
      rest = Math.floor(rest / shape[k]);
    }
    names.push(labels.join("."));
  }
  return names;
}

/* The dimensions that the summary has for the runs. */
function findGrid() {
  const of = groups.summary.find((dataset) => hasNumbers(dataset) && dataset.run_dims > 0);
  return { dims: of ? of.dims.slice(0, of.run_dims) : [], shape: of ? of.shape.slice(0, of.run_dims) : [] };
}

/* Of an axis of positions, along which several quantities move together: the first of them. */
const memberOf = (name) => findIn("summary", name)?.first === 0 && groups.summary.find((dataset) =>
  dataset.name !== name && dataset.dims.length === 1 && dataset.dims[0] === name &&
  dataset.numbers && findIn("runs", dataset.name));

/* Axis k of the grid. */
function describeAxis(name, n) {
  const scale = findIn("summary", name), member = memberOf(name);
  if (member) return { name: `${name}: ${member.name}`, n, unit: member.unit, values: Array.from(member.numbers) };
  return {
    name: name || "position", n, unit: scale ? scale.unit : "",
    values: scale && scale.scale ? scale.scale : Array.from({ length: n }, (_, i) => i),
  };
}

/* Numbers of runs that are no part of the summary, and were neither swept nor drawn. */
const isSwept = (name) => Boolean(findIn("runs", name)) && !head.run_columns.includes(name);

/* Number k of a dataset, as a function: of the result that is shown, where two are compared. Labels have no difference,
 * and both results have the same inputs. */
function numberIn(dataset) {
  if (!head.other || isSwept(dataset.name)) return (k) => (dataset.numbers ? dataset.numbers[k] : NaN);
  const hasDifference = !dataset.meanings && dataset.name !== "outcome";
  return (k) => {
    const numbers = view.of === "other" ? dataset.others : view.of === "difference" && hasDifference ? dataset.differences : dataset.numbers;
    return numbers ? numbers[k] : NaN;
  };
}

/* One quantity for each number of a run; of events there are too many. */
function addQuantities(group, dataset, skip) {
  const dims = dataset.dims.slice(skip), shape = dataset.shape.slice(skip), width = product(shape);
  if (dims.includes(eventDim) && width > mostRows) return;
  const names = componentNames(group, dims, shape), number = numberIn(dataset);
  for (let i = 0; i < width; i++)
    data.quantities.push({
      dataset, component: i, width, unit: dataset.unit, names: dataset.meanings,
      name: shape.length ? `${dataset.name}.${names[i]}` : dataset.name,
      at: (row) => number(row * width + i),
    });
}

/* Within -pi and pi. */
const wrapAngle = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/* The file has an angle also wrapped, "end_angle_wrapped.lower": the page computes it from
 * "end_angle.lower". Its dataset takes the numbers of the other when they come. */
function addWrapped() {
  const name = head.views.map(({ dataset }) => dataset.replace("summary/", "")).find((each) => each.includes("_wrapped"));
  const angle = name && quantityNamed(name.replace("_wrapped", ""));
  if (!angle) return;
  const dataset = Object.create(angle.dataset, { name: { value: name } });
  data.quantities.push({
    dataset, component: 0, width: 1, unit: angle.unit, name, at: (row) => (view.of === "difference" ? angle.at(row) : wrapAngle(angle.at(row))),
  });
}

/* Numbers of the runs that are no part of the summary: what was swept, steps and end time. */
function addRunQuantities() {
  for (const dataset of groups.runs) {
    if (!hasNumbers(dataset) || dataset.shape.length !== 1 || dataset.name === "outcome") continue;
    if (!data.quantities.some((each) => each.name === dataset.name)) addQuantities("runs", dataset, 1);
    if (isSwept(dataset.name)) data.swept.push(data.quantities.find((each) => each.name === dataset.name));
  }
  data.outcome = groups.runs.find((dataset) => dataset.name === "outcome" && hasNumbers(dataset));
  if (data.outcome)
    data.quantities.push({
      name: "outcome", unit: "", names: head.outcomes, width: 1, component: 0,
      dataset: data.outcome, at: numberIn(data.outcome),
    });
}

function describeRuns() {
  const grid = findGrid(), numbers = findIn("runs", "run") ?? findIn("summary", "run"); // of inverse dynamics: of several motions
  data.isInverse = !findIn("runs", "steps");
  data.n = numbers ? numbers.count : product(grid.shape);
  data.runs = numbers ? numbers.scale : Array.from({ length: data.n }, (_, i) => i);
  data.isList = data.n > 1 && (grid.dims.length === 0 || (grid.dims.length === 1 && grid.dims[0] === "run"));
  data.grid = data.isList ? [] : grid.dims.map((name, k) => describeAxis(name, grid.shape[k]));
  for (const dataset of groups.summary)
    if (hasNumbers(dataset) && grid.shape.every((n, k) => dataset.shape[k] === n))
      addQuantities("summary", dataset, grid.shape.length);
  addWrapped();
  addRunQuantities();
  addShares();
  data.events = findEvents(grid.shape.length);
}

/* Whether a quantity is a number of each run, not how it ended, nor a share of the runs at a point of the grid. */
const isMeasured = (quantity) => quantity.dataset !== data.outcome && !quantity.isShare;

const outcomeOf = (row) => (data.outcome && head.outcomes[quantityNamed("outcome").at(row)]) || "";
const quantityNamed = (name) => data.quantities.find((quantity) => quantity.name === name);
const quantityOf = (name) => data.quantities.find((quantity) => quantity.dataset.name === name);

/* Indices of a row along the axes of the grid, and the row of indices. */
function indicesOf(row) {
  const indices = [];
  for (let k = data.grid.length - 1; k >= 0; k--) {
    indices[k] = row % data.grid[k].n;
    row = Math.floor(row / data.grid[k].n);
  }
  return indices;
}
const rowOf = (indices) => indices.reduce((row, i, k) => row * data.grid[k].n + i, 0);

/* What was swept or drawn, of a run: [name, value, unit] each. */
function coordinatesOf(row) {
  if (data.swept.length > 0) return data.swept.map((each) => [each.name, each.at(row), each.unit]);
  const at = indicesOf(row);
  return data.grid.map((axis, k) => [axis.name, axis.values[at[k]], axis.unit]);
}

/* The quantity with its standard errors, if the file has them: lyapunov_error is that of
 * lyapunov_max and lyapunov_spectrum, NAME_error and NAME_errors those of NAME. */
function errorsOf(quantity) {
  if (view.of === "difference") return null;
  const name = quantity.dataset.name, stem = name.replace(/_(max|spectrum)$/, "");
  const error = data.quantities.find((other) => other.dataset !== quantity.dataset &&
    other.component === quantity.component &&
    [`${name}_error`, `${name}_errors`, `${stem}_error`].includes(other.dataset.name));
  return error && error.dataset.numbers ? error : null;
}

/* The views of the file: the first of all numbers of runs, of events, and of a quantity. */
const firstView = head.views.find(({ dataset }) => dataset.startsWith("summary/"));
const eventsView = head.views.find(({ style }) => style === "events");
const viewOf = (quantity) => head.views.find(({ dataset, style }) =>
  dataset === `summary/${quantity.dataset.name}` && style !== "events");
const hasLog = (quantity) => Boolean(viewOf(quantity)?.has_log);

/* Axes that have a curve, or a colour, for each of their values, such as the direction of a continuation. */
const drawnAlong = { x: -1, y: -2, each: -3 };
const families = () => data.grid.filter((_, k) => firstView?.dims[k] === drawnAlong.each && firstView.dims.includes(drawnAlong.x));
