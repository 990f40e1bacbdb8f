/* The page as a whole: the study's texts, what is not in the picture, and the order in which it is
 * filled in. */

function countOutcomes() {
  const counts = new Map();
  for (let row = 0; data.outcome && row < data.n; row++) {
    const outcome = data.outcome.numbers[row];
    counts.set(outcome, (counts.get(outcome) || 0) + 1);
  }
  return [...counts].map(([outcome, n]) => `${n.toLocaleString("en")} ${head.outcomes[outcome]}`).join(", ");
}

/* The error that the step leaves in the numbers. */
function describeAccuracy() {
  const line = byId("accuracy");
  line.hidden = head.accuracy === "";
  line.textContent = head.accuracy;
  line.className = head.is_inaccurate ? "warning wide" : "quiet wide";
}

/* "7 runs: 6 finished, 1 diverged"; of a fit the first line of its text. */
function describeSize() {
  if (groups.fit.length > 0) return head.printed.split("\n")[0];
  if (groups.precision.length > 0) return `${head.compared[0]} of ${head.runs[0]} runs compared`;
  const outcomes = countOutcomes();
  return `${data.n.toLocaleString("en")} ${data.n === 1 ? "run" : "runs"}${outcomes ? `: ${outcomes}` : ""}`;
}

function describeStudy() {
  document.title = `${head.title || head.file} – manylink`;
  describeAccuracy();
  byId("title").textContent = head.title || head.file;
  byId("definition").textContent = head.definition;
  byId("resolved").textContent = head.resolved;
  for (const [name, text] of [["result", head.file], ...Object.entries(head.provenance),
    ...Object.entries(head.other ? { result: head.other.file, ...head.other.provenance } : {}).map(([name, text]) => [`second result: ${name}`, text])])
    if (text) addRow(byId("provenance"), [[name.replaceAll("_", " ")], [text]]);
  byId("summary").textContent = [
    describeSize(),
    head.provenance.end_time && head.provenance.end_time.slice(0, 10), `manylink ${head.version}`,
    head.other && `compared with ${head.other.file}`,
    head.left_out > 0 && `${head.left_out} datasets are too large for this page`,
  ].filter(Boolean).join(" · ");
}

function listenToPage() {
  byId("theme").onclick = () => {
    const root = document.documentElement;
    const isDark = getComputedStyle(root).colorScheme.trim() === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    redraw();
  };
  byId("previous").onclick = () => chooseRun(view.row - 1);
  byId("next").onclick = () => chooseRun(view.row + 1);
  byId("copy").onclick = async () => {
    await navigator.clipboard.writeText(byId("command").textContent);
    byId("copy").textContent = "copied";
  };
  byId("play").onclick = play;
  byId("time").oninput = () => {
    motion.at = Number(byId("time").value);
    drawMotion();
  };
  window.addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

function redraw() {
  view.box = null;
  draw();
  drawMotion();
  drawSheet();
}

/* The run that is shown at first: in the middle of those whose motion is there, else of the map. */
function firstRow() {
  const rows = keptRows(), asked = state.get("run");
  const row = asked === null ? -1 : data.runs.indexOf(Number(asked));
  if (row >= 0) return row;
  if (rows.length > 0) return rows[rows.length >> 1];
  return data.grid.length > 1 ? rowOf(data.grid.map((axis) => (axis.n - 1) >> 1)) : 0;
}

/* The picture and the chosen run. */
function showPicture() {
  if (data.n > 1) {
    view.selected = rowsOfText(state.get("selected"));
    byId("explore").hidden = false;
    makeControls();
    listenToPicture();
  }
  chooseRun(view.row);
  document.documentElement.dataset.drawn = `${Math.round(performance.now())} ms`;
}

/* Draws as soon as what is shown first is there: the rest of the page may still be on its way. */
async function begin() {
  await loadBlock("first");
  describeRuns();
  describeStudy();
  listenToPage();
  if (data.quantities.length === 0) return;
  if (head.views.length > 0 && head.views[0] !== firstView) byId("explore").before(byId("motion"));
  view.show = mainQuantity();
  view.row = firstRow();
  view.at = indicesOf(view.row);
  view.kind = mainKind();
  if (isShownLoaded()) showPicture();
}

/* Fills in the rest. A map needs no second drawing, unless it was of what has only come now. */
async function finish(begun) {
  await begun;
  const isDrawn = document.documentElement.dataset.drawn !== undefined;
  const needsDrawing = isDrawn && (view.kind !== "map" || !isShownLoaded());
  await loadBlock("numbers");
  if (view.show && !isDrawn) showPicture();
  await loadBlock("motions");
  makeMotionControls();
  makeSheet();
  const brushed = view.show && brushedRows();
  if (brushed) showSelected(brushed);
  if (needsDrawing || brushed) {
    scales.clear();
    draw();
  }
  if (view.show) {
    readOut({ row: view.row, event: -1 }); // errors of the number may have come only now
    showChosen();
  }
  document.documentElement.dataset.ready = `${Math.round(performance.now())} ms`;
}
