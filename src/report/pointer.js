/* What the mouse and the keys do with the picture. */

const placeOfEvent = (event) => {
  const box = picture.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function listenToPicture() {
  picture.onpointermove = (event) => {
    const [x, y] = placeOfEvent(event);
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
    view.drag = [x, y, x, y];
    picture.setPointerCapture(event.pointerId);
  };
  picture.onpointerup = onRelease;
  picture.onpointercancel = () => { view.drag = null; };
  picture.onkeydown = onKey;
}

/* The end of a drag selects, that of a click chooses. */
function onRelease(event) {
  const [x, y] = placeOfEvent(event), box = view.drag, hit = view.drawn.hitAt(x, y);
  view.drag = null;
  if (box && Math.hypot(box[2] - box[0], box[3] - box[1]) > 6) {
    select(box);
    drawMarks();
  } else if (hit) {
    chooseRun(hit.row);
    if (hit.event >= 0) readOut(hit);
  }
}

/* Arrows go to the neighbour in the picture. */
function onKey(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  if (event.key === "Escape") clearSelected();
  if (!steps[event.key]) return;
  event.preventDefault();
  chooseRun(activeView().step(...steps[event.key]));
}
