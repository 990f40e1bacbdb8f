/* What events keep: of every run a row of instants, with a time and numbers each. */

const eventDim = "crossing";
const mostRows = 24; // of a dataset, in the table of a run

/* Numbers of one event of a run, one component for each. Runs have `n` at most; there is no number
 * behind the last one. */
function eventComponents(event, dataset, skip) {
  const number = numberIn(dataset), dims = dataset.dims.slice(skip + 1), shape = dataset.shape.slice(skip + 1), width = product(shape);
  const n = dataset.shape[skip];
  return componentNames("summary", dims, shape).map((label, i) => ({
    event, dataset, label, n, unit: dataset.unit,
    name: label === "" || shape.length === 0 ? dataset.name : `${dataset.name}.${label}`,
    isTime: dataset.name === `${event}_times`,
    at: (row, j) => number((row * n + j) * width + i),
  }));
}

/* All components of all events.
 *   skip  dimensions of the runs */
function findEvents(skip) {
  const kept = groups.summary.filter((dataset) => hasNumbers(dataset) && dataset.dims[skip] === eventDim);
  const names = kept.filter((dataset) => dataset.name.endsWith("_times")).map((dataset) => dataset.name.slice(0, -6))
    .sort((a, b) => b.length - a.length);
  return kept.flatMap((dataset) =>
    eventComponents(names.find((name) => dataset.name.startsWith(`${name}_`)) ?? "", dataset, skip));
}

/* The time of an event. */
const eventTime = (component) => data.events.find((each) => each.event === component.event && each.isTime);
