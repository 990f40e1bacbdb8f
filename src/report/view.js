/* What is shown: the state of the picture, and one of the views that draw it. */

/* Each has a title, `isFor()` whether the data has something for it, `makeControls(parent)`, and
 * `draw(surface)`, which returns the frame, `placesOf(row)`: places [x, y] of a run in the picture,
 * and `hitAt(x, y)`: { row, event } at a place, null outside of all; event -1: none; or { words, act },
 * the text there and the function of a click. A view that selects runs in its own way also returns
 * `select(box)` and the rows `selected`, and one that marks selected runs in its own way `mark(surface, rows)`. `step(dx, dy)` is the row that an arrow key goes to. */
const views = {};

/* What the user has chosen, which the address of the page has. */
const state = new URLSearchParams(location.hash.slice(1));

function keep(choices) {
  for (const [key, value] of Object.entries(choices))
    if (value === null) state.delete(key);
    else state.set(key, value);
  const address = `#${state}`; // browsers refuse many changes in a row
  if (address !== location.hash) history.replaceState(null, "", address);
}

const view = { kind: "", of: "", show: null, row: 0, at: [], drawn: null, selected: [], box: null, drag: null };
const picture = byId("picture");
const activeView = () => views[view.kind];

/* The number shown first: of the address, of the file, or else the first. */
function mainQuantity() {
  const name = state.get("show"), { dataset, signal } = firstView ?? {}, first = dataset?.replace("summary/", "");
  return quantityNamed(name) || quantityOf(name) || quantityNamed(`${first}.${signal}`) || quantityNamed(signal) || quantityOf(first) ||
    data.quantities[0];
}

/* The view that is shown first: that of the file, of what is asked for; without one the first that can be. */
function mainKind() {
  const kinds = { map: "map", curves: "curves", scatter: "points", events: "section" };
  const shown = state.has("show") ? viewOf(view.show) : firstView;
  return [state.get("view"), kinds[shown?.style], "map", "curves", "points"].find((kind) => views[kind]?.isFor());
}

/* Whether all that the picture shows first is there. */
const isShownLoaded = () => view.kind === "section" ? data.events.every((each) => each.dataset.numbers)
  : Boolean(view.show.dataset.numbers);

function setKind(kind, choices = {}) {
  view.kind = kind;
  keep({ view: kind, x: null, y: null, colour: null, zoom: null, ...choices });
  view.box = null;
  makeControls();
  draw();
}

function setShown(name) {
  view.show = quantityNamed(name);
  view.log.checked = hasLog(view.show);
  keep({ show: name, log: null, from: null, to: null, zoom: null });
  for (const each of ["from", "to"]) if (view[each]) view[each].value = "";
  scales.clear();
  draw();
  showRun();
}

/* Draws the picture, and below it the number of the chosen run. */
function draw() {
  if (data.n < 2 || !view.kind) return;
  const surface = beginCanvas(picture);
  view.whole = null;
  view.drawn = drawSides(surface);
  view.bare = copyOfPicture();
  showSelected("selected" in view.drawn ? view.drawn.selected : view.selected.length > 0 ? view.selected : null);
  markPicture(surface);
  picture.setAttribute("aria-label", `${activeView().title} of ${nameWithUnit(view.show)}`);
  readOut({ row: view.row, event: -1 });
}

function copyOfPicture() {
  const copy = new OffscreenCanvas(picture.width, picture.height);
  copy.getContext("2d").drawImage(picture, 0, 0);
  return copy;
}

/* The canvas with the picture as it was, which may have a million points and is not drawn again. */
function resumePicture(copy) {
  const surface = beginCanvas(picture);
  surface.context.drawImage(copy, 0, 0, surface.width, surface.height);
  return surface;
}

/* Draws the selected runs over the bare picture, then the chosen run and the rectangle. */
function markPicture(surface = resumePicture(view.bare)) {
  markSelected(surface);
  view.marked = copyOfPicture();
  drawSelection(surface);
}

/* Draws the chosen run and the rectangle over the picture. */
const drawMarks = () => drawSelection(resumePicture(view.marked));

/* Goes to a run: its place along axes that are not drawn, its numbers and its motion. */
function chooseRun(row) {
  if (row < 0 || row >= data.n) return;
  view.row = row;
  view.at = indicesOf(row);
  for (const { k, slider, tell } of view.sliders || []) {
    slider.value = view.at[k];
    tell();
  }
  keep({ run: data.runs[row] });
  if (!view.bare || view.sliders.length > 0 || view.isAlone?.checked) draw();
  else drawMarks();
  readOut({ row: view.row, event: -1 });
  showChosen();
}

/* What the page says of the chosen run. */
function showChosen() {
  showRun();
  showMotion(view.row);
  if (sheet.kind?.isOfRun) fillSheet();
}
