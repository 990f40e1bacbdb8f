/* Drawing on a canvas: its size, lines, dots, marks and names of lines. */

const byId = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* A canvas of as many pixels as the screen has there; units of its context are those of CSS. */
function beginCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(box.width * ratio));
  canvas.height = Math.max(1, Math.round(box.height * ratio));
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  return { context, width: box.width, height: box.height, ratio };
}

/* A text that is cut where there is no room, with an ellipsis. */
function fitText(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let n = text.length;
  while (n > 1 && context.measureText(`${text.slice(0, n)}…`).width > room) n--;
  return `${text.slice(0, n)}…`;
}

/* Ring around a place, seen on any colour. */
function drawMark({ context }, x, y, size) {
  for (const [colour, width] of [["#000000", 4], ["#ffffff", 2]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.stroke();
  }
  context.lineWidth = 1;
}

/* Least and greatest of finite numbers. */
function extentOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return low <= high ? [low, high] : [0, 1];
}

/* Polyline through places, broken where there is no number. */
function drawLine({ context }, xs, ys, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  let isOn = false;
  for (let i = 0; i < xs.length; i++) {
    const isThere = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
    if (isThere && isOn) context.lineTo(xs[i], ys[i]);
    else if (isThere) context.moveTo(xs[i], ys[i]);
    isOn = isThere;
  }
  context.stroke();
  context.lineWidth = 1;
}

const legendRoom = 0.08; // of an axis, above the lines that have names

/* Names of lines, in rows from the upper left corner of a frame, as many as fit. */
function drawLegend({ context }, frame, names, colours) {
  let left = frame.left + 10, top = frame.top + 4;
  context.textAlign = "left";
  context.textBaseline = "middle";
  names.forEach((name, i) => {
    const width = context.measureText(name).width;
    if (left + width + 30 > frame.right && left > frame.left + 10) [left, top] = [frame.left + 10, top + 18];
    if (left + width + 30 > frame.right || top + 18 > frame.bottom) return;
    context.fillStyle = css("--card");
    context.globalAlpha = 0.8;
    context.fillRect(left - 4, top, width + 30, 18);
    context.globalAlpha = 1;
    context.fillStyle = colours[i];
    context.fillRect(left, top + 8, 16, 3);
    context.fillStyle = css("--ink");
    context.fillText(name, left + 21, top + 9);
    left += width + 38;
  });
}

function drawDots({ context }, xs, ys, colour, size) {
  context.fillStyle = colour;
  for (let i = 0; i < xs.length; i++)
    if (Number.isFinite(ys[i]) && Number.isFinite(xs[i])) {
      context.beginPath();
      context.arc(xs[i], ys[i], size, 0, 2 * Math.PI);
      context.fill();
    }
}
