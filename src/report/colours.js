/* Colours: palettes, and scales of them for the numbers of a quantity. */

const channels = (hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));

/* Colours from dark to light of equal steps to the eye, and about zero from blue to red. */
const sequential = ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58",
  "b5de2b", "fde725"];
const diverging = ["2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7", "fddbc7", "f4a582", "d6604d",
  "b2182b"];
/* Those of `plot`: one for what is usual, then others that are told apart. */
const categories = head.categories.slice(1).split("#").map(channels);
const categoryColour = (value) => categories[value > 0 ? 1 + ((value - 1) % (categories.length - 1)) : 0];
const lineColours = ["#2f7ed8", "#e07a1f", "#2a9d6f", "#c2457a", "#7d5fc7", "#8a7a1c", "#4aa3b8", "#8c564b"];

/* 256 colours [r, g, b] between the given ones. */
function makePalette(stops) {
  const all = stops.map(channels), palette = [];
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (all.length - 1), k = Math.min(Math.floor(place), all.length - 2);
    palette.push(all[k].map((from, c) => Math.round(from + (place - k) * (all[k + 1][c] - from))));
  }
  return palette;
}

/* Limits of the colours: those that the user gives, above 0 for logarithms; else those that 98 % of the
 * numbers are within, about zero for numbers that have both signs to a like extent. */
function colourLimits(quantity, isLog) {
  const values = new Float32Array(data.n * (head.other ? 2 : 1));
  let n = 0;
  ofSides(() => {
    for (let row = 0; row < data.n; row++) {
      const value = quantity.at(row);
      if (Number.isFinite(value) && !(isLog && value <= 0)) values[n++] = value;
    }
  });
  const sorted = values.subarray(0, n).sort(), last = n - 1;
  const [least, most] = n > 0 ? [sorted[0], sorted[last]] : [0, 1];
  let low = n > 0 ? sorted[Math.floor(0.01 * last)] : 0, high = n > 0 ? sorted[Math.ceil(0.99 * last)] : 1;
  if (low === high) [low, high] = [least, most];
  const asked = ["from", "to"].map((each) => parseFloat(state.get(each))).map((at) => (isLog && at <= 0 ? NaN : at));
  const isAsked = quantity === view.show || quantity.name === view.colour?.value;
  if (isAsked && !asked.every(Number.isNaN)) {
    const [from, to] = asked.map((at, i) => (Number.isNaN(at) ? [low, high][i] : at));
    return { low: Math.min(from, to), high: Math.max(from, to), hasBothSigns: false };
  }
  const hasBothSigns = low < 0 && high > 0 && Math.min(-low, high) > 0.2 * Math.max(-low, high);
  if (hasBothSigns) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
  return { low, high, hasBothSigns };
}

/* The scale of labels, or of the two values of a family: `names` are those that there are, each
 * with the number of its colour. */
function makeCategories({ name, unit, names, at }) {
  const present = [...new Set(ofSides(() => data.runs.map((_, row) => at(row))).flat().filter(Number.isFinite))].sort((a, b) => a - b);
  const number = (value) => (names ? value : 1 + present.indexOf(value));
  return {
    names: present.map((value) => [number(value), names ? names[value] ?? String(value) : assignment(name, value, unit)]),
    colour: (value) => (Number.isFinite(value) ? categoryColour(number(value)) : null),
  };
}

/* The scale of the colours of a quantity, logarithmic where the user says so; `colour` is [r, g, b],
 * null where there is no number. */
function makeColourScale(quantity, isLog) {
  if (quantity.names || isFamily(quantity.name)) return makeCategories(quantity);
  const { low, high, hasBothSigns } = colourLimits(quantity, isLog);
  const axis = { label: labelOfShown(quantity), isLog, low, high, isWhole: !isLog && areWhole(data.runs.map((_, row) => quantity.at(row))) };
  if (isLog) [axis.low, axis.high] = [Math.log10(low), Math.log10(high)];
  if (!(axis.high > axis.low)) [axis.low, axis.high] = [axis.low - 0.5, axis.high + 0.5];
  const palette = makePalette(palettes[state.get("palette")] || (hasBothSigns ? diverging : sequential)), { low: from, high: to } = axis;
  const index = (value) => Math.round(255 * Math.min(1, Math.max(0, (value - from) / (to - from))));
  return {
    axis, palette,
    colour: (value) => Number.isNaN(value) || (isLog && value <= 0) ? null : palette[index(isLog ? Math.log10(value) : value)],
  };
}

/* The scale of a quantity, made once. */
const scales = new Map();
function colourScale(quantity, isLog) {
  const key = `${isLog} ${quantity.name}`;
  if (!scales.has(key)) scales.set(key, makeColourScale(quantity, isLog));
  return scales.get(key);
}

/* A colour for a run that those of its neighbours are far from: hues a golden angle apart. */
function runColour(row) {
  const hue = (row * 137.508) % 360, from = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (0.5 - 0.34 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [from(0), from(8), from(4)];
}
