/* Pictures of a motion: numbers over time, phase portrait, and a stick figure that moves. */

/* Curves of a dataset for motion i: a name and numbers each. */
function curvesOf(dataset, i) {
  const nTime = dataset.shape[dataset.shape.length - 1];
  const isCommon = data.isInverse && !data.grid.every((axis, k) => dataset.dims[k] === axis.name);
  const skip = data.isInverse ? (isCommon ? 0 : data.grid.length) : 1;
  const shape = dataset.shape.slice(skip, -1), width = product(shape);
  const names = componentNames(dataset.path.slice(0, dataset.path.indexOf("/")), dataset.dims.slice(skip, -1), shape);
  const first = (isCommon ? 0 : i) * width * nTime;
  return names.map((name, k) => ({
    name: name === "" ? dataset.name : name,
    fullName: name === "" ? dataset.name : `${dataset.name}.${name}`,
    unit: dataset.unit,
    values: dataset.numbers.subarray(first + k * nTime, first + (k + 1) * nTime),
  }));
}

function drawMotion() {
  if (motion.index < 0 || !motion.what) return;
  drawCurves();
  drawPhase();
  drawStick();
  const time = timeScale();
  byId("time-text").textContent = withUnit(`t = ${formatNumber(time.scale[motion.at])}`, time.unit);
}

function drawCurves() {
  const dataset = overTime().find((each) => each.name === motion.what.value);
  const curves = curvesOf(dataset, motion.index).slice(0, 24), time = timeScale();
  const surface = beginCanvas(byId("curves"));
  const x = { label: nameWithUnit(time), low: time.scale[0], high: time.scale[time.count - 1] };
  if (!(x.high > x.low)) x.high = x.low + 1;
  const [low, high] = extentOf(curves.flatMap((curve) => Array.from(curve.values)));
  const y = rangeAxis(nameWithUnit(dataset), low, high, false);
  if (curves.length > 1) y.high += legendRoom * (y.high - y.low);
  const frame = makeFrame(surface, x, y, 10);
  byId("curves-caption").textContent = dataset.about || dataset.name;
  drawGrid(surface, frame);
  const xs = time.scale.map(frame.toX.place), colours = curves.map((_, i) => lineColours[i % lineColours.length]);
  curves.forEach((curve, i) => drawLine(surface, xs, Array.from(curve.values, frame.toY.place), colours[i], 1.5));
  drawLine(surface, [xs[motion.at], xs[motion.at]], [frame.top, frame.bottom], css("--mark"), 1.2);
  drawAxes(surface, frame);
  if (curves.length > 1) drawLegend(surface, frame, curves.map((curve) => curve.name), colours);
}

/* The curve of the shown motion with a full name. */
const curveNamed = (name) =>
  overTime().flatMap((dataset) => curvesOf(dataset, motion.index)).find((curve) => curve.fullName === name);

function drawPhase() {
  const canvas = byId("phase"), label = (curve) => nameWithUnit({ name: curve.fullName, unit: curve.unit });
  canvas.parentElement.hidden = !motion.phaseX;
  if (!motion.phaseX) return;
  const x = curveNamed(motion.phaseX.value), y = curveNamed(motion.phaseY.value), surface = beginCanvas(canvas);
  const axis = (curve) => ({ ...rangeAxis(label(curve), ...extentOf(curve.values), false), unit: curve.unit });
  const frame = makeFrame(surface, axis(x), axis(y), 10);
  byId("phase-caption").textContent = "Phase portrait";
  drawGrid(surface, frame);
  const xs = Array.from(x.values, frame.toX.place), ys = Array.from(y.values, frame.toY.place);
  drawLine(surface, xs, ys, css("--accent"), 1);
  drawAxes(surface, frame);
  drawMark(surface, xs[motion.at], ys[motion.at], 4);
}

/* Ends of the segments at all times, the base at the origin; NULL without them. */
function stickOf() {
  const dataset = overTime().find((each) => each.name === "end_position");
  if (!dataset) return null;
  const curves = curvesOf(dataset, motion.index);
  return curves.length % 2 === 0 ? curves : null;
}

function drawStick() {
  const curves = stickOf(), canvas = byId("stick");
  canvas.parentElement.hidden = !curves;
  if (!curves) return;
  const surface = beginCanvas(canvas), { context } = surface;
  const of = (c) => extentOf([0, ...curves.filter((_, i) => i % 2 === c).flatMap((curve) => Array.from(curve.values))]);
  const [xs, ys] = [of(0), of(1)], size = Math.max(xs[1] - xs[0], ys[1] - ys[0]) || 1;
  const scale = (Math.min(surface.width, surface.height) - 24) / size;
  const placeX = (x) => surface.width / 2 + (x - (xs[0] + xs[1]) / 2) * scale;
  const placeY = (y) => surface.height / 2 - (y - (ys[0] + ys[1]) / 2) * scale;
  const tip = curves.slice(-2);
  const from = Math.max(0, motion.at - 200);
  byId("stick-caption").textContent = "The chain, and the path of its end";
  drawLine(surface, Array.from(tip[0].values.subarray(from, motion.at + 1), placeX),
    Array.from(tip[1].values.subarray(from, motion.at + 1), placeY), css("--mark"), 1);
  const px = [placeX(0)], py = [placeY(0)];
  for (let k = 0; k < curves.length; k += 2) {
    px.push(placeX(curves[k].values[motion.at]));
    py.push(placeY(curves[k + 1].values[motion.at]));
  }
  drawLine(surface, px, py, css("--accent"), 3.5);
  context.fillStyle = css("--ink");
  px.forEach((x, i) => {
    context.beginPath();
    context.arc(x, py[i], 4, 0, 2 * Math.PI);
    context.fill();
  });
}
