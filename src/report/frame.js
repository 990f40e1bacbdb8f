/* The frame of a picture: ticks, labels and grid, and the scale of colours beside it. */

const longestStrip = 3; // a longer one says less than two scales

/* Has a unit of x and of y the same length if that is the same unit, and the frame is no strip then. */
function equalise(frame, { x, y }) {
  const wide = x.high - x.low, high = y.high - y.low, isLinear = [x, y].every((axis) => !axis.isLog && !axis.isIndex);
  if (!x.unit || x.unit !== y.unit || !isLinear || Math.max(wide / high, high / wide) > longestStrip) return;
  const scale = Math.min((frame.right - frame.left) / wide, (frame.bottom - frame.top) / high);
  frame.right = frame.left + wide * scale;
  frame.bottom = frame.top + high * scale;
}

/* The frame between two axes: where numbers are, and ticks, labels and grid around it.
 *   room  to the right of it, in pixels */
function makeFrame(surface, x, y, room) {
  const { context, height, width } = surface, ticksWithin = (size) => ticksOf(y, Math.max(2, size / 42));
  const widest = Math.max(...ticksWithin(height - 60).map((tick) => context.measureText(tick.text).width), 10);
  const frame = { left: Math.ceil(widest) + 32, top: 10, right: width - room, bottom: height - 44, x, y, room };
  equalise(frame, frame);
  frame.yTicks = ticksWithin(frame.bottom - frame.top);
  const across = (axis, from, to) => ({
    place: (at) => from + ((at - axis.low) / (axis.high - axis.low)) * (to - from),
    at: (place) => axis.low + ((place - from) / (to - from)) * (axis.high - axis.low),
  });
  frame.xTicks = ticksOf(x, Math.max(3, (frame.right - frame.left) / 75));
  frame.toX = across(x, frame.left, frame.right);
  frame.toY = across(y, frame.bottom, frame.top);
  return frame;
}

/* The frame of the picture: of all of both axes, or of the part [from, to] of each that is zoomed in on. */
function pictureFrame(surface, x, y, room) {
  view.whole = { x: [x.low, x.high], y: [y.low, y.high] };
  const zoom = (state.get("zoom") || "").split(",").map(Number), isThere = zoom.length === 4 && zoom.every(Number.isFinite);
  const part = (axis, [low, high]) => (isThere && high > low ? { ...axis, low, high } : axis);
  const isSame = Boolean(x.unit) && x.unit === y.unit;
  if (view.equal) Object.assign(view.equal, { disabled: !isSame, checked: isSame && state.get("equal") !== "0" });
  const unit = !view.equal || view.equal.checked ? y.unit : "";
  return makeFrame(surface, part(x, zoom.slice(0, 2)), { ...part(y, zoom.slice(2)), unit }, room);
}

/* Shows a part of the axes, at most all of them. */
function zoomTo(x, y) {
  if (!view.whole) return; // a view of inputs has nothing to zoom in on
  const clip = ([low, high], [least, most]) => {
    const shift = Math.max(0, least - low) - Math.max(0, high - most), [from, to] = [low + shift, high + shift];
    return [Math.max(from, least), Math.min(to, most)];
  };
  const part = [...clip(x, view.whole.x), ...clip(y, view.whole.y)], all = [...view.whole.x, ...view.whole.y];
  keep({ zoom: part.every((at, i) => at === all[i]) ? null : part.map((at) => Number(at.toPrecision(8))).join(",") });
  view.box = null;
  if (!view.isDue) requestAnimationFrame(() => {
    view.isDue = false;
    draw();
  });
  view.isDue = true;
}

const showAll = () => view.whole && zoomTo(view.whole.x, view.whole.y);

const deepest = 1000; // times, of a zoom

/* Makes the part of the axes smaller or larger about a place. */
function zoomBy(factor, px, py) {
  const { frame, onSide } = view.drawn;
  if (factor < 1 && view.whole && (view.whole.x[1] - view.whole.x[0]) > deepest * (frame.x.high - frame.x.low)) return;
  const about = (axis, at) => [at + (axis.low - at) * factor, at + (axis.high - at) * factor];
  zoomTo(about(frame.x, frame.toX.at(onSide ? onSide(px) : px)), about(frame.y, frame.toY.at(py)));
}

const isInFrame = ({ left, right, top, bottom }, [x, y]) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;

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

/* Keeps what is drawn inside the frame. */
function clipped({ context }, frame, drawInside) {
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  context.clip();
  drawInside();
  context.restore();
}

/* Fills the inside of a frame by the pixel: `fill(pixels, place)` colours [height][width] pixels, the first of
 * which is at `left`, `top` of the picture's. */
function drawPixels({ context, ratio }, frame, fill) {
  const left = Math.round(frame.left * ratio), top = Math.round(frame.top * ratio);
  const width = Math.max(1, Math.round(frame.right * ratio) - left), height = Math.max(1, Math.round(frame.bottom * ratio) - top);
  const layer = new OffscreenCanvas(width, height), on = layer.getContext("2d"), image = on.createImageData(width, height);
  fill(new Uint32Array(image.data.buffer), { left, top, width, height });
  on.putImageData(image, 0, 0);
  context.drawImage(layer, left / ratio, top / ratio, width / ratio, height / ratio);
}

const packed = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

/* Pixels that the scale of colours takes beside a frame. */
function colourBarRoom({ context, height }, scale) {
  const texts = scale.names ? scale.names.map(([, name]) => name)
    : ticksOf(scale.axis, Math.max(2, (height - 54) / 45)).map((tick) => tick.text);
  return Math.max(...texts.map((text) => context.measureText(text).width), 10) + (scale.names ? 36 : 62);
}

/* The scale of colours, beside a frame. */
function drawColourBar(surface, frame, scale) {
  const { context } = surface, left = frame.right + 16, width = 14;
  if (scale.names) return drawCategories(surface, frame, scale.names);
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
  context.translate(frame.right + frame.room - 3, (frame.top + frame.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(fitText(context, axis.label, height), 0, 0);
  context.restore();
}

function drawCategories({ context }, frame, names) {
  context.textAlign = "left";
  context.textBaseline = "middle";
  names.forEach(([value, name], i) => {
    context.fillStyle = `rgb(${categoryColour(value).join(",")})`;
    context.fillRect(frame.right + 12, frame.top + 6 + 20 * i, 11, 11);
    context.fillStyle = css("--ink");
    context.fillText(name, frame.right + 28, frame.top + 12 + 20 * i);
  });
}
