/* The sheet of a fit: measured numbers, model and residuals of each column, estimates with their intervals, correlations, and the
 * text that `fit` has printed. */

const fitted = (name) => findIn("fit", name);
const mostCorrelations = 24; // numbers in the table

/* Column i of the table is "EXPERIMENT: NAME" where all are. */
function fitExperiments() {
  const names = fitted("column").texts.map((name) => name.match(/^([\w-]+): /)?.[1]);
  return names.every(Boolean) ? [...new Set(names)] : [];
}

const fitColumns = () => fitted("column").texts.map((name, i) => ({ name, i }))
  .filter(({ name }) => !sheet.experiment?.value || name.startsWith(`${sheet.experiment.value}: `));

/* Measured numbers, model and residuals of column i, each at the times that have a number: tables of experiments have times of their own. */
function fitCurves(i) {
  const { scale, count } = fitted("time"), rows = [[fitted("comparison"), 2 * i], [fitted("comparison"), 2 * i + 1], [fitted("residual"), i]];
  return rows.map(([{ numbers }, k]) => {
    const row = numbers.subarray(k * count, (k + 1) * count), there = scale.map((_, t) => t).filter((t) => Number.isFinite(row[t]));
    return { xs: there.map((t) => scale[t]), ys: there.map((t) => row[t]) };
  });
}

function fitFigures() {
  const { unit } = fitted("comparison"), x = { name: "time", unit: fitted("time").unit };
  const columns = fitColumns().flatMap(({ name, i }) => {
    const [measured, model, residual] = fitCurves(i), [dots, line] = lineColours;
    return [
      { caption: `${name}: measured and model`, x, y: { name, unit },
        curves: [{ ...measured, name: "measured", colour: dots, width: 0, isDotted: true }, { ...model, name: "model", colour: line, width: 2 }] },
      { caption: `${name}: residuals, measured less model`, x, y: { name: "residual", unit },
        curves: [{ ...residual, colour: dots, width: 0.6, isDotted: true }] }];
  });
  return [...columns, ...startFigure(), ...profileFigure()];
}

/* The sums of squares of the starts, the least first, where they differ: a step is a minimum. */
function startFigure() {
  const squares = Array.from(fitted("start_squares").numbers).filter(Number.isFinite).sort((a, b) => a - b);
  if (!(squares.at(-1) > 1.001 * squares[0])) return [];
  return [{ caption: "Starts, by the sum of squares that each ended with", x: { name: "start", unit: "" }, y: { name: "sum of squares", unit: "", isLog: squares[0] > 0 },
    curves: [{ xs: squares.map((_, i) => i + 1), ys: squares, colour: lineColours[0], width: 0.6, isDotted: true }] }];
}

function profileFigure() {
  const dataset = fitted("profile"), names = fitted("profile_curve")?.texts;
  if (!dataset) return [];
  const xs = fitted("offset").scale, n = xs.length;
  return [{ caption: "Profiles: a straight line of a linear model", x: { name: "distance from the estimate, in standard errors", unit: "" },
    y: { name: "root of the rise of squares", unit: "" },
    curves: names.map((name, i) => ({ name, xs, ys: dataset.numbers.subarray(i * n, (i + 1) * n),
      colour: i < names.length - 2 ? lineColours[i % lineColours.length] : css("--quiet") })) }];
}

const roundTo = (value, digits) => Number(value.toPrecision(digits));
const interval = (low, high) => (Number.isFinite(low) && Number.isFinite(high) ? `${formatNumber(low)} .. ${formatNumber(high)}` : "unknown");

/* Columns of the table of estimates, of the datasets that the fit has: [title, text of number i]. */
function estimateColumns() {
  const at = (name) => (i) => fitted(name).numbers[i], range = (from, to) => (i) => interval(at(from)(i), at(to)(i)), error = at("standard_error");
  const posterior = fitted("posterior_mean") ? [["posterior mean", at("posterior_mean")], ["sd", (i) => roundTo(at("posterior_sd")(i), 3)],
    ["95 % of the posterior", range("posterior_low", "posterior_high")], ["R-hat", (i) => roundTo(at("r_hat")(i), 4)]] : [];
  return [["estimate", at("estimate")], ["unit", (i) => (head.parameter_units[i] === "1" ? "" : head.parameter_units[i])],
    ["std. error", (i) => (Number.isFinite(error(i)) ? roundTo(error(i), 3) : "at its bound")], ["95 % interval", range("low", "high")],
    ...(fitted("profile_low") ? [["of the profile", (i) => `${formatEnd(at("profile_low")(i))} .. ${formatEnd(at("profile_high")(i))}`]] : []),
    ...(fitted("prior_mean") ? [["prior", (i) => (Number.isFinite(at("prior_mean")(i)) ? `${formatNumber(at("prior_mean")(i))} ± ${formatNumber(roundTo(at("prior_sd")(i), 3))}` : "")]] : []),
    ...posterior];
}

const formatEnd = (value) => (Number.isFinite(value) ? formatNumber(value) : "bound");

/* The correlations of the estimates, -1 blue to 1 red. */
function addCorrelations(parent, names) {
  const { numbers } = fitted("correlation"), n = Math.min(names.length, mostCorrelations);
  const short = (k) => String(k + 1), title = `Correlations of the estimates${n < names.length ? `, of the first ${n}` : ""}`;
  const table = addTable(parent, title, ["", ...names.slice(0, n).map((_, k) => short(k))], names.slice(0, n).map((name, i) =>
    [`${short(i)} ${name}`, ...names.slice(0, n).map((_, k) => (Number.isFinite(numbers[i * names.length + k]) ? Number(numbers[i * names.length + k].toFixed(2)) : "–"))]));
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const value = numbers[i * names.length + k], part = Math.round(60 * Math.min(1, Math.abs(value)));
      if (part > 0) table.rows[i + 1].cells[k + 1].style.background = `color-mix(in srgb, ${value < 0 ? "#4393c3" : "#d6604d"} ${part}%, transparent)`;
    }
}

sheets.fit = {
  title: "Fit",
  columns: 2,
  isFor: () => groups.fit.length > 0,
  makeControls: (parent) => {
    const experiments = fitExperiments().map((name) => [name, name]);
    if (experiments.length > 0) sheet.experiment = addSelect(parent, "experiment", experiments.length > 8 ? experiments : [["", "all"], ...experiments],
      experiments.length > 8 ? experiments[0][0] : "", fillSheet, "experiment");
  },
  figures: fitFigures,
  fill: (parent) => {
    const names = fitted("parameter").texts, columns = estimateColumns();
    addTable(parent, "Estimates", ["number", ...columns.map(([title]) => title)], names.map((name, i) => [name, ...columns.map(([, text]) => text(i))]));
    addCorrelations(parent, names);
    addText(parent, "The text that the fit has printed", head.printed);
  },
};
