/* The picture of all runs: a map of cells, curves or points, drawn on a canvas. */

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

/* The frame between two axes: where numbers are, and ticks, labels and grid around it. */
function makeFrame(surface, x, y, right) {
  const { context, height, width } = surface, yTicks = ticksOf(y, Math.max(2, (height - 60) / 42));
  const widest = Math.max(...yTicks.map((tick) => context.measureText(tick.text).width), 10);
  const frame = { left: Math.ceil(widest) + 32, top: 10, right: width - right, bottom: height - 44, x, y, yTicks };
  const across = (axis, from, to) => ({
    place: (at) => from + ((at - axis.low) / (axis.high - axis.low)) * (to - from),
    at: (place) => axis.low + ((place - from) / (to - from)) * (axis.high - axis.low),
  });
  frame.xTicks = ticksOf(x, Math.max(3, (frame.right - frame.left) / 75));
  frame.toX = across(x, frame.left, frame.right);
  frame.toY = across(y, frame.bottom, frame.top);
  return frame;
}

function drawGrid({ context }, frame) {
  context.strokeStyle = css("--grid");
  context.beginPath();
  for (const tick of frame.xTicks) {
    const place = Math.round(frame.toX.place(tick.at)) + 0.5;
    context.moveTo(place, frame.top);
    context.lineTo(place, frame.bottom);
  }
  for (const tick of frame.yTicks) {
    const place = Math.round(frame.toY.place(tick.at)) + 0.5;
    context.moveTo(frame.left, place);
    context.lineTo(frame.right, place);
  }
  context.stroke();
}

function drawAxes(surface, frame) {
  const { context } = surface;
  context.strokeStyle = context.fillStyle = css("--ink");
  context.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.right - frame.left + 1, frame.bottom - frame.top + 1);
  context.textBaseline = "top";
  let free = -Infinity;
  for (const tick of frame.xTicks) {
    const place = frame.toX.place(tick.at), half = context.measureText(tick.text).width / 2;
    const at = Math.min(Math.max(place, half + 2), surface.width - half - 2);
    if (at - half < free) continue;
    context.textAlign = "center";
    context.fillText(tick.text, at, frame.bottom + 7);
    context.fillRect(place - 0.5, frame.bottom, 1, 4);
    free = at + half + 8;
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of frame.yTicks) {
    context.fillText(tick.text, frame.left - 8, frame.toY.place(tick.at));
    context.fillRect(frame.left - 4, frame.toY.place(tick.at) - 0.5, 4, 1);
  }
  drawLabels(surface, frame);
}

function drawLabels({ context }, frame) {
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(fitText(context, frame.x.label, frame.right - frame.left),
    (frame.left + frame.right) / 2, frame.bottom + 42);
  context.save();
  context.translate(3, (frame.top + frame.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(fitText(context, frame.y.label, frame.bottom - frame.top), 0, 0);
  context.restore();
}

/* The cell that a place is in; -1 outside. Edges ascend or descend. */
function cellAt(edges, at) {
  const sign = edges[edges.length - 1] > edges[0] ? 1 : -1;
  if (sign * at < sign * edges[0] || sign * at > sign * edges[edges.length - 1]) return -1;
  let low = 0, high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sign * edges[middle] <= sign * at) low = middle;
    else high = middle;
  }
  return low;
}

/* Colours every pixel of the frame by the cell that it is in. */
function drawCells(surface, frame, colourOf) {
  const { context, ratio } = surface, none = channels(css("--none").slice(1));
  const left = Math.round(frame.left * ratio), top = Math.round(frame.top * ratio);
  const width = Math.round(frame.right * ratio) - left, height = Math.round(frame.bottom * ratio) - top;
  const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  const columns = Array.from({ length: width }, (_, i) =>
    cellAt(frame.x.edges, frame.toX.at((left + i + 0.5) / ratio)));
  let before = -1;
  for (let j = 0; j < height; j++) {
    const row = cellAt(frame.y.edges, frame.toY.at((top + j + 0.5) / ratio));
    if (row === before) {
      pixels.copyWithin(j * width, (j - 1) * width, j * width);
      continue;
    }
    let last = -1, packed = 0;
    for (let i = 0; i < width; i++) {
      if (columns[i] !== last) {
        const [r, g, b] = colourOf(columns[i], row) || none;
        packed = (255 << 24) | (b << 16) | (g << 8) | r;
        last = columns[i];
      }
      pixels[j * width + i] = packed;
    }
    before = row;
  }
  context.putImageData(image, left, top);
}

/* Keeps what is drawn inside the frame. */
function clipped({ context }, frame, drawInside) {
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  context.clip();
  drawInside();
  context.restore();
}

/* Pixels that the scale of colours takes beside a frame. */
function colourBarRoom({ context, height }, scale) {
  const texts = scale.isCategories ? [...new Set(data.outcome)].map((value) => head.outcomes[value] || "")
    : ticksOf(scale.axis, Math.max(2, (height - 54) / 45)).map((tick) => tick.text);
  return Math.max(...texts.map((text) => context.measureText(text).width), 10) + (scale.isCategories ? 36 : 62);
}

/* The scale of colours, beside a frame. */
function drawColourBar(surface, frame, scale) {
  const { context } = surface, left = frame.right + 16, width = 14;
  if (scale.isCategories) return drawCategories(surface, frame);
  const { axis } = scale, height = frame.bottom - frame.top;
  const place = (at) => frame.bottom - ((at - axis.low) / (axis.high - axis.low)) * height;
  for (let i = 0; i < 256; i++) {
    context.fillStyle = `rgb(${scale.palette[i].join(",")})`;
    context.fillRect(left, frame.bottom - ((i + 1) / 256) * height, width, height / 256 + 0.6);
  }
  context.fillStyle = css("--ink");
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const tick of ticksOf(axis, Math.max(2, height / 45)))
    context.fillText(tick.text, left + width + 6, place(tick.at));
  context.save();
  context.translate(surface.width - 3, (frame.top + frame.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(fitText(context, axis.label, height), 0, 0);
  context.restore();
}

function drawCategories({ context }, frame) {
  const present = [...new Set(data.outcome)].sort((a, b) => a - b);
  context.textAlign = "left";
  context.textBaseline = "middle";
  present.forEach((value, i) => {
    context.fillStyle = `#${categories[value % categories.length]}`;
    context.fillRect(frame.right + 12, frame.top + 6 + 20 * i, 11, 11);
    context.fillStyle = css("--ink");
    context.fillText(head.outcomes[value] || String(value), frame.right + 28, frame.top + 12 + 20 * i);
  });
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

/* Names of lines, in a row above the picture's bottom or top edge. */
function drawLegend({ context }, frame, names, colours) {
  let left = frame.left + 10;
  context.textAlign = "left";
  context.textBaseline = "middle";
  names.forEach((name, i) => {
    const width = context.measureText(name).width;
    if (left + width + 30 > frame.right) return;
    context.fillStyle = css("--card");
    context.globalAlpha = 0.8;
    context.fillRect(left - 4, frame.top + 4, width + 30, 18);
    context.globalAlpha = 1;
    context.fillStyle = colours[i];
    context.fillRect(left, frame.top + 12, 16, 3);
    context.fillStyle = css("--ink");
    context.fillText(name, left + 21, frame.top + 13);
    left += width + 38;
  });
}
