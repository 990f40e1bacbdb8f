/* The selected runs: those in a rectangle of the picture, or within brushed axes. Every view marks these, the motion has
 * theirs beside that of the chosen run, the address has them, and they are saved as a table. */

const mostRings = 2000; // more places are marked by squares

/* Marks the places of the selected runs, in the way of the view if it has its own. */
function markSelected(surface) {
  const { selected, drawn } = view, { context, width, height } = surface, colour = css("--mark");
  if (selected.length === 0 || drawn.mark) return drawn.mark?.(surface, selected);
  const places = selected.flatMap(drawn.placesOf).filter((place) => drawn.onSide || isInFrame(drawn.frame, place));
  if (places.length > mostRings) return drawSquares(surface, { left: 0, top: 0, right: width, bottom: height },
    places.map(([x]) => x), places.map(([, y]) => y), [channels(colour.slice(1))], 2);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  for (const [x, y] of places) {
    context.moveTo(x + 4.5, y);
    context.arc(x, y, 4.5, 0, 2 * Math.PI);
  }
  context.stroke();
  context.lineWidth = 1;
}

/* Rows as "6-8,11"; null for none, and for more than an address has room for. */
function textOfRows(rows) {
  const parts = [];
  for (const row of rows) {
    if (parts.length > 0 && parts[parts.length - 1][1] === row - 1) parts[parts.length - 1][1] = row;
    else parts.push([row, row]);
  }
  const text = parts.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(",");
  return text === "" || text.length > 1500 ? null : text;
}

/* The rows of such a text; parts that are no rows of the page count for nothing. */
function rowsOfText(text) {
  const rows = (text ?? "").split(",").flatMap((part) => {
    const [, from, to = from] = part.match(/^(\d+)(?:-(\d+))?$/) ?? [];
    return from === undefined ? [] : Array.from({ length: Math.max(0, Math.min(data.n - 1, to) - from + 1) }, (_, i) => Number(from) + i);
  });
  return [...new Set(rows)].sort((a, b) => a - b);
}

/* The chosen run and the rectangle that is or was dragged. */
function drawSelection(surface) {
  const { context } = surface, places = view.drawn.placesOf(view.row).filter((place) => view.drawn.onSide || isInFrame(view.drawn.frame, place));
  if (view.drag || view.box) {
    const [x0, y0, x1, y1] = view.drag || view.box;
    context.strokeStyle = css("--mark");
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    context.setLineDash([]);
    context.lineWidth = 1;
  }
  const isSingle = places.length === (view.of === "both" ? 2 : 1) && places.flat().every(Number.isFinite);
  if (isSingle) for (const place of places) drawMark(surface, ...place, 6);
  else drawDots(surface, places.map(([x]) => x), places.map(([, y]) => y), css("--mark"), 1.7);
}

/* The rows with a place in a rectangle. */
function rowsIn([x0, y0, x1, y1]) {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)], [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
  const isIn = ([x, y]) => x >= left && x <= right && y >= top && y <= bottom, rows = [];
  for (let row = 0; row < data.n; row++) if (view.drawn.placesOf(row).some(isIn)) rows.push(row);
  return rows;
}

/* The number of the selected runs, with buttons; null: nothing is selected. */
function showSelected(rows) {
  const isSame = rows === view.selected;
  if (!isSame) view.selected = rows ?? [];
  keep({ selected: state.has("brush") ? null : textOfRows(view.selected) });
  if (!isSame) drawMotion();
  const bar = byId("selected");
  bar.hidden = !rows;
  bar.replaceChildren();
  if (!rows) return;
  bar.append(`${rows.length} ${rows.length === 1 ? "run" : "runs"} selected`);
  const actions = [rows.length > 0 && ["save as CSV", saveSelected], view.box && ["zoom in", zoomToBox], ["clear", clearSelected]];
  for (const [text, action] of actions.filter(Boolean)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text, onclick: action });
    bar.append(button);
  }
}

function select(box) {
  view.box = box;
  keep({ brush: null });
  showSelected(box && rowsIn(box));
  markPicture();
}

/* Adds the chosen run to the selection, or takes the run out. */
function toggleChosen() {
  const rows = new Set(view.selected);
  if (!rows.delete(view.row)) rows.add(view.row);
  keep({ brush: null });
  view.selected = [...rows].sort((a, b) => a - b);
  draw();
  drawMotion();
}

function zoomToBox() {
  const [x0, y0, x1, y1] = view.box, { frame: { toX, toY }, onSide } = view.drawn;
  view.box = null;
  zoomTo([x0, x1].map((x) => toX.at(onSide ? onSide(x) : x)).sort((a, b) => a - b), [y0, y1].map(toY.at).sort((a, b) => a - b));
}

function clearSelected() {
  select(null);
  if ("selected" in view.drawn) draw();
}

/* One row per run, as `manylink table` prints them. */
function csvOf(rows) {
  const columns = data.quantities.filter(isMeasured);
  const lines = [["run", "outcome", ...columns.map(nameWithUnit)].map(csvWord).join(",")];
  for (const row of rows) {
    const numbers = columns.map((each) => (Number.isNaN(each.at(row)) ? "" : Number(each.at(row).toPrecision(6))));
    lines.push([data.runs[row], outcomeOf(row), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const saveSelected = () => saveAs("runs.csv", new Blob([csvOf(view.selected)], { type: "text/csv" }));

/* The picture without marks, on the colour of the page. */
function savePicture() {
  const canvas = new OffscreenCanvas(view.bare.width, view.bare.height), context = canvas.getContext("2d");
  context.fillStyle = css("--card");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(view.bare, 0, 0);
  canvas.convertToBlob({ type: "image/png" }).then((blob) => saveAs(`${view.show.name}.png`, blob));
}

function saveAs(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
