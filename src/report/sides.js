/* Two results in one page: which is shown, the first (""), the "other", their "difference" (the second less the first),
 * or "both" side by side. */

const sideNames = () => ({ "": head.file, other: head.other.file, difference: `${head.other.file} less ${head.file}`, both: "side by side" });

/* What a function gives for one result. */
function ofSide(of, call) {
  const chosen = view.of;
  view.of = of;
  const given = call();
  view.of = chosen;
  return given;
}

/* The same for each of the results whose axes and colours are the same: both, but for a difference. */
const ofSides = (call) => (head.other && view.of !== "difference" ? ["", "other"] : [view.of]).map((of) => ofSide(of, call));

/* A menu of the results. */
function addSides(parent) {
  if (!head.other) return;
  const menu = addSelect(parent, "result", Object.entries(sideNames()), view.of, () => {
    view.of = menu.value;
    if (view.of === "difference" && view.log) view.log.checked = false;
    scales.clear();
    draw();
    showRun();
  }, "of");
  view.of = menu.value;
}

/* "lyapunov_max (1/s)", of a difference with whose */
const labelOfShown = (quantity) => view.of === "difference" && !isSwept(quantity.name) ? `difference of ${nameWithUnit(quantity)}` : nameWithUnit(quantity);

/* The name of a result in the lower right corner of a frame. */
function drawSideName({ context }, { right, bottom }, of) {
  const text = sideNames()[of], { width } = context.measureText(text);
  context.fillStyle = css("--card");
  context.globalAlpha = 0.85;
  context.fillRect(right - width - 14, bottom - 22, width + 10, 18);
  context.globalAlpha = 1;
  context.fillStyle = css("--ink");
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText(text, right - 9, bottom - 13);
}

/* The picture; of both results in two halves. */
function drawSides(surface) {
  if (view.of !== "both") return activeView().draw(surface);
  const { context } = surface, half = surface.width / 2;
  const [first, other] = ["", "other"].map((of, i) => ofSide(of, () => {
    context.save();
    context.translate(i * half, 0);
    const drawn = activeView().draw({ ...surface, width: half });
    drawSideName(surface, drawn.frame, of);
    context.restore();
    return drawn;
  }));
  const inside = ({ frame, placesOf }, row) => placesOf(row).filter((place) => isInFrame(frame, place));
  const onSide = (x) => (x < half ? x : x - half);
  return {
    ...first, onSide,
    placesOf: (row) => [...inside(first, row), ...inside(other, row).map(([x, y]) => [x + half, y])],
    hitAt: (x, y) => (x < half ? first : other).hitAt(onSide(x), y),
    ...(first.mark && { mark: (on, rows) => [first, other].forEach((drawn, i) => {
      on.context.save();
      on.context.translate(i * half, 0);
      drawn.mark(on, rows);
      on.context.restore();
    }) }),
    ...(first.select && { select: ([x0, y0, x1, y1]) => (x0 < half ? first : other).select([onSide(x0), y0, onSide(x1), y1]) }),
  };
}

/* "; B.h5: 1.3 rad, difference 0.1 rad" */
function readOutOther(quantity, row) {
  if (!head.other || quantity.names || isSwept(quantity.name)) return "";
  const [first, other, difference] = ["", "other", "difference"].map((of) => withUnit(formatNumber(ofSide(of, () => quantity.at(row))), quantity.unit));
  return ` (${head.file}: ${first}, ${head.other.file}: ${other}, difference ${difference})`;
}
