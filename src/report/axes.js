/* Axes and colours: ticks, positions of uneven and logarithmic values, scales of colour. */

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
    label: nameWithUnit(axis), positions, edges, values, isLog, isIndex,
    low: Math.min(edges[0], edges[edges.length - 1]), high: Math.max(edges[0], edges[edges.length - 1]),
  };
}

/* An axis over a range of numbers. */
function rangeAxis(label, low, high, isLog) {
  if (isLog) [low, high] = [Math.log10(low), Math.log10(high)];
  if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
  const margin = (high - low) * 0.04;
  return { label, low: low - margin, high: high + margin, isLog, isIndex: false };
}

/* Ticks at 1, 2 or 5 times a power of ten: about n. */
function niceTicks(low, high, n) {
  const rough = (high - low) / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    ticks.push({ at: i * step, text: formatNumber(Number((i * step).toPrecision(12))) });
  return ticks;
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
  const few = axis.values && (axis.isIndex || axis.values.length <= Math.min(8, n));
  if (!few) return axis.isLog ? logTicks(axis.low, axis.high, n) : niceTicks(axis.low, axis.high, n);
  const every = Math.ceil(axis.values.length / n);
  return axis.positions.map((at, i) => ({ at, text: formatNumber(axis.values[i]) }))
    .filter((_, i) => i % every === 0);
}

/* Colours from dark to light of equal steps to the eye, and about zero from blue to red. */
const sequential = ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58",
  "b5de2b", "fde725"];
const diverging = ["2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7", "fddbc7", "f4a582", "d6604d",
  "b2182b"];
const categories = ["2a9d8f", "d1495b", "edae49", "30638e", "8d6a9f", "7f8c8d"];
const lineColours = ["#2f7ed8", "#e07a1f", "#2a9d6f", "#c2457a", "#7d5fc7", "#8a7a1c", "#4aa3b8", "#8c564b"];

const channels = (hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));

/* 256 colours [r, g, b] between the given ones. */
function makePalette(stops) {
  const all = stops.map(channels), palette = [];
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (all.length - 1), k = Math.min(Math.floor(place), all.length - 2);
    palette.push(all[k].map((from, c) => Math.round(from + (place - k) * (all[k + 1][c] - from))));
  }
  return palette;
}

/* The scale of a quantity, made once. */
const scales = new Map();
function colourScale(quantity, wantsLog) {
  const key = `${wantsLog} ${quantity.name}`;
  if (!scales.has(key)) scales.set(key, makeColourScale(quantity, wantsLog));
  return scales.get(key);
}

/* The colour scale of a quantity: limits that 98 % of the numbers are within, about zero for what
 * has both signs to a like extent, logarithmic where the user says so. */
function makeColourScale(quantity, wantsLog) {
  if (quantity.isOutcome)
    return { isCategories: true, colour: (value) => channels(categories[value % categories.length]) };
  const finite = [];
  for (let row = 0; row < data.n; row++) {
    const value = quantity.at(row);
    if (Number.isFinite(value) && !(wantsLog && value <= 0)) finite.push(value);
  }
  const sorted = Float32Array.from(finite).sort(), last = sorted.length - 1;
  let low = last < 0 ? 0 : sorted[Math.floor(0.01 * last)], high = last < 0 ? 1 : sorted[Math.ceil(0.99 * last)];
  if (low === high) [low, high] = [sorted[0] ?? 0, sorted[last] ?? 1];
  const hasBothSigns = low < 0 && high > 0 && Math.min(-low, high) > 0.2 * Math.max(-low, high);
  if (hasBothSigns) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
  const axis = { label: nameWithUnit(quantity), isLog: wantsLog, low, high };
  if (wantsLog) [axis.low, axis.high] = [Math.log10(low), Math.log10(high)];
  if (!(axis.high > axis.low)) [axis.low, axis.high] = [axis.low - 0.5, axis.high + 0.5];
  const palette = makePalette(hasBothSigns ? diverging : sequential);
  const index = (value) => {
    const place = ((wantsLog ? Math.log10(value) : value) - axis.low) / (axis.high - axis.low);
    return Math.round(255 * Math.min(1, Math.max(0, place)));
  };
  return {
    axis, palette, isBeyond: [sorted[0] < low, sorted[last] > high],
    colour: (value) => Number.isNaN(value) || (wantsLog && value <= 0) ? null : palette[index(value)],
  };
}
