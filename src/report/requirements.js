/* The view "requirements": the share of the runs of the sample that meet each requirement of the study, and all of them,
 * with Wilson's interval, at the point of the grid where the chosen run is. Over a grid shares are numbers to draw too. */

const sharesOf = () => findIn("statistics", "requirement_fraction");
const requirementNames = () => findIn("statistics", "requirement").texts;

/* The share i at the point of a run: itself, 0, or an end of its interval, 1 or 2. */
function shareAt(row, i, end) {
  const { numbers, count } = sharesOf(), width = 3 * requirementNames().length, runs = data.n / (count / width);
  return numbers ? numbers[Math.floor(row / runs) * width + 3 * i + end] : NaN;
}

/* Shares as numbers of the points of a grid. */
function addShares() {
  const dataset = sharesOf();
  if (!dataset || data.grid.length === 0 || head.other) return;
  requirementNames().forEach((name, i, { length }) => data.quantities.push({
    dataset, component: i, width: length, unit: "", name: `requirement_fraction.${name}`, isShare: true, at: (row) => shareAt(row, i, 0),
  }));
}

views.requirements = {
  title: "requirements",
  isFor: () => Boolean(sharesOf()) && !head.other,
  makeControls: (parent) => addSliders(parent, data.grid.flatMap(({ name }, k) => (name === "sample" ? [k] : []))),
  draw: (surface) => drawBars(surface, { label: "share of the runs that meet it, with 95 % interval", low: 0, high: 1 },
    requirementNames().map((name, i) => {
      const [value, low, high] = [0, 1, 2].map((end) => shareAt(view.row, i, end));
      return {
        name, bars: [{ value, low, high }],
        words: () => [`${name}: ${formatNumber(value)}`, ` (95 %: ${formatNumber(low)} to ${formatNumber(high)})`],
        act: () => {
          const shown = quantityNamed(`requirement_fraction.${name}`);
          if (!shown) return;
          setShown(shown.name);
          setKind(data.grid.filter((axis) => axis.name !== "sample" && axis.n > 1).length > 1 ? "map" : "curves");
        },
      };
    })),
  step: (dx, dy) => view.row + dx + dy,
};
