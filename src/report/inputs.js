/* The view "inputs": which of the swept or drawn numbers matters to the one that is shown, by the rank
 * correlation (Spearman 1904) of the two over the runs, a bar for each. */

const mostRanked = 16384; // runs, as the file's own first view takes

/* At most `most` rows, spread over all of them by the golden section, which is in step with no axis of a grid. */
function spreadRows(most) {
  if (data.n <= most) return Array.from({ length: data.n }, (_, row) => row);
  const golden = (Math.sqrt(5) - 1) / 2, rows = new Set();
  for (let i = 0; i < most; i++) rows.add(Math.floor(((i * golden) % 1) * data.n));
  return [...rows].sort((a, b) => a - b);
}

/* Numbers that were swept or drawn; of `inverse` the axes of the grid. */
function inputsOf() {
  if (data.swept.length > 0) return data.swept;
  return data.grid.filter((axis) => axis.n > 1).map((axis) => {
    const k = data.grid.indexOf(axis);
    return { name: axis.name, unit: axis.unit, at: (row) => axis.values[indicesOf(row)[k]] };
  });
}

/* Ranks 1 .. n of numbers; equal ones share the mean of theirs. */
function ranksOf(values) {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]), ranks = new Float64Array(values.length);
  for (let i = 0, j = 0; i < order.length; i = j) {
    while (j < order.length && values[order[j]] === values[order[i]]) j++;
    for (let k = i; k < j; k++) ranks[order[k]] = (i + j + 1) / 2;
  }
  return ranks;
}

/* Spearman's correlation of two rows of numbers; NaN where one of them does not vary. */
function rankCorrelation(xs, ys) {
  const mean = (xs.length + 1) / 2, [x, y] = [xs, ys].map(ranksOf);
  let xx = 0, yy = 0, xy = 0;
  for (let i = 0; i < x.length; i++) {
    xx += (x[i] - mean) ** 2;
    yy += (y[i] - mean) ** 2;
    xy += (x[i] - mean) * (y[i] - mean);
  }
  return xy / Math.sqrt(xx * yy);
}

/* 95 % interval of the correlation of n independent runs: Fisher's z, with the variance of Bonett and Wright
 * (2000), Psychometrika 65, 23. */
function correlationInterval(rho, n) {
  const z = Math.atanh(rho), half = 1.959964 * Math.sqrt((1 + rho * rho / 2) / (n - 3));
  return Math.abs(rho) < 1 && n > 3 ? [Math.tanh(z - half), Math.tanh(z + half)] : [rho, rho];
}

/* { input, rho, n } of all inputs, the strongest first, made once. */
function correlations() {
  const key = `correlations ${view.show.name} ${view.of}`;
  if (!scales.has(key)) {
    const rows = spreadRows(mostRanked);
    scales.set(key, inputsOf().map((input) => {
      const there = rows.filter((row) => Number.isFinite(input.at(row)) && Number.isFinite(view.show.at(row)));
      return { input, n: there.length, rho: rankCorrelation(there.map(input.at), there.map(view.show.at)) };
    }).sort((a, b) => (Math.abs(b.rho) || 0) - (Math.abs(a.rho) || 0)));
  }
  return scales.get(key);
}

/* Has an input along x: of the grid curves over it, else points. */
function showOver(name) {
  const k = data.grid.findIndex((axis) => axis.name === name);
  if (k >= 0) view.x = k;
  setKind(k >= 0 ? "curves" : "points", { x: name });
}

function drawInputs(surface) {
  const x = { label: `rank correlation with ${view.of === "difference" ? "difference of " : ""}${view.show.name}`, low: -1.02, high: 1.02 };
  return drawBars(surface, x, correlations().map(({ input, rho, n }) => {
    const [low, high] = correlationInterval(rho, n), interval = data.isList ? ` (95 %: ${formatNumber(low)} to ${formatNumber(high)})` : "";
    return {
      name: input.name, bars: [{ value: rho, low: data.isList ? low : NaN, high }],
      words: () => [`${input.name}: ${Number.isNaN(rho) ? "no correlation" : formatNumber(rho)}`,
        `${interval} over ${n.toLocaleString("en")} runs; a click has the input along x`],
      act: () => showOver(input.name),
    };
  }));
}

views.inputs = {
  title: "inputs",
  isFor: () => data.n > 2 && inputsOf().length > 1,
  makeControls: (parent) => addShow(parent, "show"),
  draw: drawInputs,
  step: (dx, dy) => view.row + dx + dy,
};
