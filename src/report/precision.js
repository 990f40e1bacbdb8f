/* The sheet of a comparison of integrators: errors over costs, a curve for each integrator and a point for each step or tolerance. */

const compared = (name) => findIn("precision", name);

/* Row i of a dataset, a number for each level. */
const precisionRow = ({ numbers }, i) => {
  const { count } = compared("level");
  return Array.from(numbers.subarray(i * count, (i + 1) * count));
};

/* "step 0.01 s", "tolerance 1e-06", of each level. */
const precisionLevels = (i) => precisionRow(compared("tolerance"), i).map((tolerance, k) => Number.isFinite(tolerance)
  ? assignment("tolerance", tolerance, "") : assignment("step", precisionRow(compared("step"), i)[k], "s"));

const errorNames = () => groups.precision.filter(({ name }) => /error/.test(name)).map((dataset) => [dataset.name, nameWithUnit(dataset)]);

function precisionFigure(cost) {
  const over = compared(cost), error = compared(sheet.error.value), axis = ({ name, unit }) => ({ name: name.replaceAll("_", " "), unit, isLog: true });
  return {
    caption: `${error.about || error.name}, over ${over.about || over.name}`, x: axis(over), y: axis(error),
    curves: compared("integrator").texts.map((name, i) => ({ name, xs: precisionRow(over, i), ys: precisionRow(error, i),
      colour: lineColours[i % lineColours.length], isDotted: true, words: precisionLevels(i) })),
  };
}

sheets.precision = {
  title: "Integrators compared",
  columns: 2,
  isFor: () => groups.precision.length > 0,
  makeControls: (parent) => { sheet.error = addSelect(parent, "error", errorNames(), "error", fillSheet, "error"); },
  figures: () => ["cpu_time", "evaluations"].map(precisionFigure),
  fill: (parent) => {
    const shown = groups.precision.filter((dataset) => hasNumbers(dataset) && dataset.shape.length === 2 && dataset.numbers.some(Number.isFinite) && !["step", "tolerance"].includes(dataset.name));
    const rows = compared("integrator").texts.flatMap((name, i) => precisionLevels(i).map((level, k) =>
      [`${name}, ${level}`, ...shown.map((dataset) => roundTo(precisionRow(dataset, i)[k], 4))]));
    addTable(parent, "All rows", ["integrator", ...shown.map((dataset) => nameWithUnit({ ...dataset, name: dataset.name.replaceAll("_", " ") }))], rows);
  },
};
