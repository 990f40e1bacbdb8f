/* The sheet of the cycles of a gait, of the chosen run: angle, torque and power of each joint over a cycle, with mean and standard
 * deviation over the cycles, and tables of peaks, work, bursts of power and the cycles themselves. */

const cycled = (name) => findIn("inverse", name);

/* Rows of a dataset, such as joints, for the chosen run: { name, unit, values } each, over percents or cycles. */
const cycleRows = (name) => curvesOf(cycled(name), motion.index);

/* Mean and standard deviation (n - 1) of numbers, which a cycle may lack. */
function momentsOf(values) {
  const there = Array.from(values).filter(Number.isFinite), n = there.length, mean = there.reduce((sum, value) => sum + value, 0) / n;
  return [mean, Math.sqrt(there.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(n - 1, 0))];
}

function momentsText(values) {
  const [mean, sd] = momentsOf(values);
  const shown = sd < 1e-5 * Math.abs(mean) ? 0 : roundTo(sd, 2); // less is rounding of the page's numbers
  return `${formatNumber(roundTo(mean, 4))}${Number.isFinite(sd) ? ` ± ${formatNumber(shown)}` : ""}`;
}

/* The mean of a quantity with its band and the mean toe-off, a picture for each joint. */
function cyclePictures(quantity) {
  const xs = cycled("percent").scale, deviations = cycleRows(`cycle_${quantity}_sd`), [toeOff] = momentsOf(cycleRows("toe_off")[0].values);
  const each = sheet.cycles.checked && cycled(`cycle_${quantity}`) ? cycleRows(`cycle_${quantity}`) : [];
  return cycleRows(`cycle_${quantity}_mean`).map(({ name, unit, values }, k, { length }) => ({
    caption: `${name}: ${quantity}`, x: { name: "cycle", unit: "%" }, y: { name: `${quantity} of ${name}`, unit }, lines: [toeOff],
    curves: [...each.filter((_, i) => Math.floor(i / (each.length / length)) === k).map((cycle) => ({ xs, ys: cycle.values, colour: pale(lineColours[1]), width: 0.8 })),
      { xs, ys: values, colour: lineColours[0], width: 2, band: [-1, 1].map((sign) => Array.from(values, (mean, i) => mean + sign * deviations[k].values[i])) }],
  }));
}

/* A table with a row for each joint, or burst, and a column for each dataset of these that the result has. */
function addMoments(parent, title, of, columns) {
  const there = columns.filter(([name]) => cycled(name)).map(([name, text]) => [cycleRows(name), text]);
  if (there.length === 0) return;
  addTable(parent, title, [of, ...there.map(([[{ unit }], text]) => nameWithUnit({ name: text, unit }))],
    there[0][0].map(({ name }, k) => [name, ...there.map(([rows]) => momentsText(rows[k].values))]));
}

sheets.cycles = {
  title: "Cycles",
  isOfRun: true,
  columns: 3,
  isFor: () => Boolean(cycled("cycle_torque_mean")) && motion.index >= 0,
  makeControls: (parent) => { sheet.cycles = addCheck(parent, "each cycle", false, fillSheet, "cycles"); },
  figures: () => {
    const pictures = ["angle", "torque", "power"].map(cyclePictures);
    return pictures[0].flatMap((_, k) => pictures.map((of) => of[k]));
  },
  fill: (parent) => {
    const over = "mean ± standard deviation over the cycles", { scale } = cycled("cycle");
    addMoments(parent, `Peaks and work, ${over}`, "joint", [["cycle_max_torque", "largest torque"], ["cycle_max_torque_at", "at"], ["cycle_min_torque", "least torque"],
      ["cycle_min_torque_at", "at"], ["cycle_positive_work", "positive work"], ["cycle_negative_work", "negative work"]]);
    addMoments(parent, `Bursts of power, ${over}`, "burst", [["burst_work", "work"], ["burst_power", "peak"], ["burst_power_at", "at"]]);
    const times = [["cycle_start", "start"], ["cycle_duration", "duration"], ["toe_off", "toe-off"]].map(([name, text]) => [cycleRows(name)[0], text]);
    addTable(parent, "Cycles", ["cycle", ...times.map(([{ unit }, text]) => nameWithUnit({ name: text, unit }))],
      scale.map((cycle, i) => [cycle, ...times.map(([{ values }]) => values[i])]));
  },
};
