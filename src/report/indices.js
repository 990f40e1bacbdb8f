/* The view "indices": the sensitivity indices of the number that is shown by each input, as the result has them, a bar with
 * its 95 % interval for each; first-order and total indices side by side. */

/* Kinds of indices that are drawn together: [value of the menu, text, kinds]. */
function indexGroups() {
  const kinds = head.indices.kinds, pair = ["first_order", "total"].map((name) => kinds.find((kind) => kind.name === name));
  const each = kinds.map((kind) => [kind.name, kind.name.replaceAll("_", " "), [kind]]);
  return pair.every(Boolean) ? [["both", "first order and total", pair], ...each] : each;
}

const indexGroup = () => indexGroups().find(([value]) => value === view.indexSelect?.value) || indexGroups()[0];

/* { input, bars: [{ kind, value, half }] } of the number that is shown, the largest last bar first. */
function indexRows() {
  const { outputs, inputs } = head.indices, at = outputs.indexOf(view.show.name);
  if (at < 0) return [];
  return inputs.map((input, i) => ({ input, bars: indexGroup()[2].map((kind) => {
    const k = at * inputs.length + i;
    return { kind, value: kind.values[k] ?? NaN, half: kind.halves?.[k] ?? NaN };
  }) })).sort((a, b) => (Math.abs(b.bars.at(-1).value) || 0) - (Math.abs(a.bars.at(-1).value) || 0));
}

function drawIndices(surface) {
  const all = indexRows(), [, text, kinds] = indexGroup();
  const ends = all.flatMap(({ bars }) => bars.flatMap(({ value, half }) => [value - (half || 0), value + (half || 0)])).filter(Number.isFinite);
  const low = Math.min(0, ...ends), high = Math.max(ends.length > 0 ? 0 : 1, ...ends), room = 0.03 * (high - low) || 1;
  const unit = kinds[0].is_of_output ? view.show.unit : "", told = kinds.length > 1 ? "first order (dark) and total (light)" : text;
  const x = { label: `${told} of ${view.show.name}${unit ? ` (${unit})` : ""}`, low: low - room, high: high + room };
  return drawBars(surface, x, all.map(({ input, bars }) => ({
    name: input, bars: bars.map(({ value, half }) => ({ value, low: value - half, high: value + half })),
    words: () => [`${input}: ${bars.map(({ kind, value, half }) => `${kind.name.replaceAll("_", " ")} ${
      Number.isFinite(value) ? formatNumber(value) : "unknown"}${Number.isFinite(half) ? ` +- ${formatNumber(half)}` : ""}`).join(", ")}`,
    ` by ${head.indices.estimator}, ${head.indices.taken}`],
    act: () => showOver(input),
  })));
}

views.indices = {
  title: "indices",
  isFor: () => Boolean(head.indices) && !head.other && data.quantities.some(({ name }) => head.indices.outputs.includes(name)),
  makeControls: (parent) => {
    const { outputs } = head.indices, options = quantityOptions().filter(([name]) => outputs.includes(name));
    if (!outputs.includes(view.show.name)) view.show = quantityNamed(options[0][0]);
    view.what = addSelect(parent, "of", options, view.show.name, () => setShown(view.what.value));
    view.indexSelect = addSelect(parent, "index", indexGroups(), indexGroups()[0][0], draw, "index");
  },
  draw: drawIndices,
  step: (dx, dy) => view.row + dx + dy,
};
