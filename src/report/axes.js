/* Axes: ticks, and positions of uneven and logarithmic values. */

const isPositive = (values) => values.every((value) => value > 0);

/* Whether the values ascend or descend. */
function isMonotonic(values) {
  const sign = Math.sign(values[values.length - 1] - values[0]);
  return values.every((value, i) => i === 0 || Math.sign(value - values[i - 1]) === sign);
}

/* Even in the logarithm, over more than half a decade. */
function isGeometric(values) {
  if (values.length < 3 || !isPositive(values)) return false;
  const first = Math.log(values[0]), last = Math.log(values[values.length - 1]);
  const step = (last - first) / (values.length - 1);
  return Math.abs(last - first) > 1.1 &&
    values.every((value, i) => Math.abs(Math.log(value) - first - i * step) < 1e-4 * Math.abs(step));
}

/* Edges of the cells around ascending or descending positions: half-way between neighbours. */
function edgesOf(positions) {
  const n = positions.length, edges = [];
  if (n === 1) return [positions[0] - 0.5, positions[0] + 0.5];
  for (let i = 1; i < n; i++) edges[i] = (positions[i - 1] + positions[i]) / 2;
  edges[0] = 2 * positions[0] - edges[1];
  edges[n] = 2 * positions[n - 1] - edges[n - 1];
  return edges;
}

/* An axis of the picture over what is swept: positions by value, by logarithm, or by index where
 * the values have no order. */
function axisOf(axis) {
  const values = Array.from(axis.values);
  const isIndex = values.length > 1 && !isMonotonic(values), isLog = !isIndex && isGeometric(values);
  const positions = isIndex ? values.map((_, i) => i) : isLog ? values.map(Math.log10) : values;
  const edges = edgesOf(positions);
  return {
    label: nameWithUnit(axis), unit: axis.unit, positions, edges, values, isLog, isIndex,
    low: Math.min(edges[0], edges[edges.length - 1]), high: Math.max(edges[0], edges[edges.length - 1]),
  };
}

const areWhole = (values) => values.every((value) => !Number.isFinite(value) || Number.isInteger(value));

/* An axis over a range of numbers.
 *   isWhole  no tick is between whole numbers */
function rangeAxis(label, low, high, isLog, isWhole = false) {
  if (isLog) [low, high] = [Math.log10(low), Math.log10(high)];
  if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  const margin = (high - low) * 0.04;
  return { label, low: low - margin, high: high + margin, isLog, isIndex: false, isWhole };
}

/* Ticks at 1, 2 or 5 times a power of ten: about n, and at least two unless they are `least` apart. */
function niceTicks(low, high, n, least = 0) {
  const rough = (high - low) / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999));
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    ticks.push({ at: i * step, text: formatNumber(Number((i * step).toPrecision(12))) });
  return ticks.length > 1 || n > 100 || !(high > low) ? ticks : niceTicks(low, high, 2 * n, least);
}

function logTicks(low, high, n) {
  const ticks = [], every = Math.max(1, Math.ceil((high - low) / Math.max(n, 1)));
  const factors = high - low < 1.2 ? [1, 2, 3, 5, 7] : high - low < 3 ? [1, 2, 5] : [1];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++)
    for (const factor of factors) {
      const at = power + Math.log10(factor);
      if (at >= low && at <= high && power % every === 0)
        ticks.push({ at, text: formatNumber(Number((factor * 10 ** power).toPrecision(3))) });
    }
  return ticks.length > 1 ? ticks
    : niceTicks(10 ** low, 10 ** high, n).filter((tick) => tick.at > 0)
      .map((tick) => ({ at: Math.log10(tick.at), text: tick.text }));
}

/* At values without an order, and at few of them, the values themselves. */
function ticksOf(axis, n) {
  if (axis.names) return axis.names.map((text, i) => ({ at: axis.names.length - 1 - i, text })); // from top to bottom
  const few = axis.values && (axis.isIndex || axis.values.length <= Math.min(8, n));
  if (!few) return axis.isLog ? logTicks(axis.low, axis.high, n) : niceTicks(axis.low, axis.high, n, axis.isWhole ? 1 : 0);
  const all = axis.positions.map((at, i) => ({ at, text: formatNumber(axis.values[i]) }))
    .filter(({ at }) => at >= axis.low && at <= axis.high), every = Math.ceil(all.length / n);
  return all.filter((_, i) => i % every === 0);
}

