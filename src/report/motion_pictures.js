/* Pictures of a motion: numbers over time, phase portrait, and a stick figure that moves. */

/* Curves of a dataset for motion i: a name and numbers each. */
function curvesOf(dataset, i) {
  const nTime = dataset.shape[dataset.shape.length - 1];
  const items = data.isInverse ? findGrid().dims : ["run"], isCommon = !items.every((name, k) => dataset.dims[k] === name);
  const skip = isCommon ? 0 : items.length;
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

const mostPale = 100; // curves of selected runs

/* Motions of selected runs beside that of the chosen one, with so many curves each. */
function besideMotions(n) {
  const rows = new Map(keptRows().map((row, i) => [row, i]));
  return view.selected.map((row) => rows.get(row)).filter((i) => i !== undefined && i !== motion.index).slice(0, Math.ceil(mostPale / n));
}

const pale = (colour) => `${colour}60`;

function drawCurves() {
  const dataset = overTime().find((each) => each.name === motion.what.value), { scale, unit } = timeScale();
  const curves = (i) => curvesOf(dataset, i).slice(0, 24).map(({ name, values }, k) => ({ name, xs: scale, ys: values, colour: lineColours[k % lineColours.length] }));
  const own = curves(motion.index), beside = besideMotions(own.length);
  const others = beside.flatMap(curves).map((curve) => ({ ...curve, name: "", colour: pale(curve.colour), width: 0.8 }));
  byId("curves-caption").textContent = `${dataset.about || dataset.name}${beside.length > 0 ? `; pale: ${beside.length} selected` : ""}`;
  drawSeries(beginCanvas(byId("curves")), {
    x: { name: "time", unit }, y: dataset, lines: [scale[motion.at]], curves: [...others, ...own],
  });
}

/* The curve of motion i with a full name. */
const curveNamed = (name, i) =>
  overTime().flatMap((dataset) => curvesOf(dataset, i)).find((curve) => curve.fullName === name);

function drawPhase() {
  const canvas = byId("phase");
  canvas.parentElement.hidden = !motion.phaseX;
  if (!motion.phaseX) return;
  const pairOf = (i) => [motion.phaseX, motion.phaseY].map((menu) => curveNamed(menu.value, i)), [x, y] = pairOf(motion.index);
  const line = (i) => (([xs, ys]) => ({ xs: xs.values, ys: ys.values, colour: css("--accent"), width: 1 }))(pairOf(i));
  const others = besideMotions(1).map(line).map((curve) => ({ ...curve, colour: pale(curve.colour) })), surface = beginCanvas(canvas);
  const axis = ({ fullName, unit }) => ({ name: fullName, unit });
  byId("phase-caption").textContent = "Phase portrait";
  const { places } = drawSeries(surface, { x: axis(x), y: axis(y), isPhase: true, curves: [...others, line(motion.index)] }), [xs, ys] = places.at(-1);
  drawMark(surface, xs[motion.at], ys[motion.at], 4);
}

/* Joints of the chain of motion i from the base to its end, [{ x, y }] of numbers at all times, m; null without them. */
function stickOf(i = motion.index) {
  const dataset = overTime().find((each) => each.name === "end_position");
  if (!dataset) return head.chain ? stickOfAngles(i) : null;
  const curves = curvesOf(dataset, i), still = new Float32Array(timeScale().count);
  if (curves.length % 2 !== 0) return null;
  return [{ x: still, y: still }, ...curves.filter((_, i) => i % 2 === 0).map((curve, k) => ({ x: curve.values, y: curves[2 * k + 1].values }))];
}

/* The same of inverse dynamics, from angles and lengths. */
function stickOfAngles(item) {
  const { down, joint, lengths } = head.chain, of = (name) => overTime().find((each) => each.name === name);
  const angles = of("angle") && curvesOf(of("angle"), item), base = of("base") && curvesOf(of("base"), item);
  const length = lengths[Math.min(keptRows()[item], lengths.length - 1)], n = timeScale().count;
  if (!angles || angles.length !== length.length) return null;
  const joints = [base ? { x: base[0].values, y: base[1].values } : { x: new Float32Array(n), y: new Float32Array(n) }];
  const absolute = new Float64Array(n);
  angles.forEach(({ values }, k) => {
    const before = joints[k], [x, y] = [new Float32Array(n), new Float32Array(n)];
    for (let i = 0; i < n; i++) {
      absolute[i] = values[i] + (joint ? absolute[i] : 0);
      const [across, up] = down ? [Math.sin(absolute[i]), -Math.cos(absolute[i])] : [Math.cos(absolute[i]), Math.sin(absolute[i])];
      x[i] = before.x[i] + length[k] * across;
      y[i] = before.y[i] + length[k] * up;
    }
    joints.push({ x, y });
  });
  return joints;
}

function drawStick() {
  const joints = stickOf(), canvas = byId("stick");
  canvas.parentElement.hidden = !joints;
  if (!joints) return;
  const surface = beginCanvas(canvas), { context } = surface, others = besideMotions(1).map(stickOf);
  const [xs, ys] = ["x", "y"].map((c) => extentOf([...others, joints].flat().flatMap((joint) => extentOf(joint[c])))), size = Math.max(xs[1] - xs[0], ys[1] - ys[0]) || 1;
  const scale = (Math.min(surface.width, surface.height) - 24) / size;
  const placeX = (x) => surface.width / 2 + (x - (xs[0] + xs[1]) / 2) * scale;
  const placeY = (y) => surface.height / 2 - (y - (ys[0] + ys[1]) / 2) * scale;
  const tip = joints[joints.length - 1], from = Math.max(0, motion.at - 200);
  byId("stick-caption").textContent = "The chain, and the path of its end";
  drawLine(surface, Array.from(tip.x.subarray(from, motion.at + 1), placeX),
    Array.from(tip.y.subarray(from, motion.at + 1), placeY), css("--mark"), 1);
  for (const other of others)
    drawLine(surface, other.map(({ x }) => placeX(x[motion.at])), other.map(({ y }) => placeY(y[motion.at])), pale(css("--accent")), 2);
  const px = joints.map(({ x }) => placeX(x[motion.at])), py = joints.map(({ y }) => placeY(y[motion.at]));
  drawLine(surface, px, py, css("--accent"), 3.5);
  context.fillStyle = css("--ink");
  px.forEach((x, i) => {
    context.beginPath();
    context.arc(x, py[i], 4, 0, 2 * Math.PI);
    context.fill();
  });
}
