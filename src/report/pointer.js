/* What the mouse and the keys do with the picture. */

const placeOfEvent = (event) => {
  const box = picture.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function listenToPicture() {
  picture.onpointermove = (event) => {
    const [x, y] = placeOfEvent(event);
    if (view.pan) {
      const { frame, from } = view.pan, move = (axis, to, a, b) => [axis.low, axis.high].map((at) => at + to.at(a) - to.at(b));
      zoomTo(move(frame.x, frame.toX, from[0], x), move(frame.y, frame.toY, from[1], y));
      return;
    }
    if (view.drag) {
      [view.drag[2], view.drag[3]] = [x, y];
      drawMarks();
      return;
    }
    const hit = view.drawn.hitAt(x, y);
    if (hit) readOut(hit);
  };
  picture.onpointerleave = () => readOut({ row: view.row, event: -1 });
  picture.onpointerdown = (event) => {
    const [x, y] = placeOfEvent(event);
    if (event.pointerType === "touch" || event.button !== 0) return;
    if (event.shiftKey) view.pan = { frame: view.drawn.frame, from: [x, y] };
    else view.drag = [x, y, x, y];
    picture.setPointerCapture(event.pointerId);
  };
  picture.onpointerup = onRelease;
  picture.onpointercancel = () => { view.drag = view.pan = null; };
  picture.addEventListener("wheel", onWheel, { passive: false });
  picture.ondblclick = showAll;
  byId("save").onclick = savePicture;
  byId("save-svg").onclick = saveSvg;
  picture.onkeydown = onKey;
}

/* The wheel zooms a picture that has been clicked, or with Ctrl, as two fingers on a pad do; else the page moves. */
function onWheel(event) {
  if (!event.ctrlKey && document.activeElement !== picture) return;
  event.preventDefault();
  const power = event.deltaY * (event.ctrlKey ? 0.01 : 0.0015), most = 0.4; // of one turn of a wheel
  zoomBy(Math.exp(Math.max(-most, Math.min(most, power))), ...placeOfEvent(event));
}

/* The end of a drag selects, that of a click chooses. */
function onRelease(event) {
  const [x, y] = placeOfEvent(event), box = view.drag, hit = view.drawn.hitAt(x, y);
  const isPan = view.pan;
  view.drag = view.pan = null;
  if (isPan) return;
  if (box && Math.hypot(box[2] - box[0], box[3] - box[1]) > 6) {
    (view.drawn.select ?? select)(box);
    drawMarks();
  } else if (hit?.act) hit.act();
  else if (hit) {
    chooseRun(hit.row);
    if (hit.event >= 0) readOut(hit);
  }
}

/* Arrows go to the neighbour in the picture. */
function onKey(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  const { left, right, top, bottom } = view.drawn.frame, factors = { "+": 0.8, "-": 1.25 };
  if (event.key === "Escape") clearSelected();
  if (event.key === "0") showAll();
  if (event.key === " ") toggleChosen();
  if (factors[event.key]) zoomBy(factors[event.key], (left + right) / 2, (top + bottom) / 2);
  if (steps[event.key] || event.key === " ") event.preventDefault();
  if (steps[event.key]) chooseRun(activeView().step(...steps[event.key]));
}
