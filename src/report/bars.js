/* Bars with their intervals beside names, of the views "inputs", "indices" and "requirements". */

/* Draws bars from 0 on, a row for each name, the first on top; returns the picture as views do.
 *   x     axis
 *   rows  [{ name, bars: [{ value, low, high }], words(): of the readout, act(): of a click }]; low NaN: no interval */
function drawBars(surface, x, rows) {
  const { context, width } = surface, n = Math.max(rows.length, 1), colour = css("--accent");
  const y = { label: "", names: rows.map(({ name }) => fitText(context, name, 0.42 * width)), low: -0.5, high: n - 0.5 };
  const frame = makeFrame(surface, x, y, 14), zero = frame.toX.place(0);
  drawGrid(surface, frame);
  rows.forEach(({ bars }, i) => bars.forEach(({ value, low, high }, k) => {
    if (!Number.isFinite(value)) return;
    const thick = Math.min(34, 0.66 * (frame.bottom - frame.top) / n) / bars.length, end = frame.toX.place(value);
    const middle = frame.toY.place(rows.length - 1 - i) + (k - (bars.length - 1) / 2) * thick;
    context.fillStyle = colour;
    context.globalAlpha = k === 0 ? 0.75 : 0.35;
    context.fillRect(Math.min(zero, end), middle - thick / 2, Math.abs(end - zero), thick);
    context.globalAlpha = 1;
    if (Number.isFinite(low)) drawLine(surface, [low, high].map(frame.toX.place), [middle, middle], css("--ink"), 1.5);
  }));
  drawLine(surface, [zero, zero], [frame.top, frame.bottom], css("--quiet"), 1);
  drawAxes(surface, frame);
  return {
    frame, placesOf: () => [], select: () => {},
    hitAt: (px, py) => {
      const row = rows[rows.length - 1 - Math.round(frame.toY.at(py))];
      return row && isInFrame({ ...frame, left: 0 }, [px, py]) ? { words: row.words(), act: row.act } : null;
    },
  };
}
