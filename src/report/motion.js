/* The motion of the chosen run: which runs have one in the page, menus, and the player. */

const motion = { row: -1, index: -1, at: 0, isPlaying: false };

/* Datasets over time, and their times. */
const overTime = () => [...groups.trajectories, ...groups.inverse].filter((dataset) =>
  hasNumbers(dataset) && dataset.dims[dataset.dims.length - 1] === "time");
const timeScale = () => [...groups.trajectories, ...groups.inverse].find((dataset) => dataset.name === "time");

/* Rows of the runs whose motion is in the page. */
function keptRows() {
  if (motion.rows) return motion.rows;
  const kept = findIn("trajectories", "run") ?? findIn("inverse", "run"), rows = new Map(data.runs.map((run, row) => [run, row]));
  motion.rows = kept ? kept.scale.map((run) => rows.get(run)) : data.isInverse ? data.runs.map((_, row) => row) : [];
  return motion.rows;
}

/* Chooses the run whose motion is shown; without a saved motion, tells how to get it. */
function showMotion(row) {
  const sets = overTime();
  byId("motion").hidden = data.isInverse && sets.length === 0;
  motion.row = row;
  motion.index = sets.length > 0 ? keptRows().indexOf(row) : -1;
  motion.at = 0;
  const isThere = motion.index >= 0;
  byId("motion-title").textContent = isThere ? `Motion of run ${data.runs[row]}` : "Motion";
  byId("motion-pictures").hidden = byId("player").hidden = byId("motion-controls").hidden = !isThere;
  byId("motion-note").replaceChildren(...(isThere ? [motionRemark()] : motionAbsence()));
  if (!isThere || !sets[0].numbers) return;
  byId("time").max = timeScale().count - 1;
  byId("time").value = 0;
  drawMotion();
}

/* How dense the times are. */
function motionRemark() {
  const { scale, unit } = timeScale();
  const apart = scale.length > 1 ? `, a point every ${withUnit(formatNumber(scale[1] - scale[0]), unit)}` : "";
  if (head.computed > 0) return `Computed again for this page${apart}.`;
  return head.every > 1 ? `One in ${head.every} of the saved times${apart}.` : "";
}

function codeOf(text) {
  const code = document.createElement("code");
  code.append(...wordsOf(text));
  return code;
}

/* That the motion is not there, the commands that show it, and the way to the nearest that is. */
function motionAbsence() {
  const rows = keptRows(), run = data.runs[motion.row];
  const result = quotedFile((head.provenance.study || "STUDY.yaml").replace(/\.ya?ml$/, ""));
  const how = data.isInverse ? [codeOf(`manylink report ${quoted(head.file)} --motions ${data.n}`), " puts all in."]
    : [codeOf(commandOf(motion.row)), " and ", codeOf(`manylink report ${result}.run-${run}.h5`), " show it. "];
  if (rows.length === 0)
    return [`The motion of run ${run} is not in this page: `, ...how, codeOf(`manylink report ${quoted(head.file)} --motions 64`),
      " puts those of 64 runs in."];
  const button = document.createElement("button"), nearest = nearestKept(rows);
  button.type = "button";
  button.textContent = `go to run ${data.runs[nearest]}`;
  button.onclick = () => chooseRun(nearest);
  return [`The motion of run ${run} is not in this page; those of ${rows.length} runs are. `, button, " ", ...how];
}

/* The row with a motion that is nearest to the chosen one on the grid; in a list by its number. */
function nearestKept(rows) {
  const at = indicesOf(motion.row);
  const distance = (row) => data.isList ? Math.abs(row - motion.row)
    : indicesOf(row).reduce((sum, i, k) => sum + ((i - at[k]) / data.grid[k].n) ** 2, 0);
  return rows.reduce((best, row) => (distance(row) < distance(best) ? row : best), rows[0]);
}

/* Menus of what is drawn over time, and of the two numbers of the phase portrait. */
function makeMotionControls() {
  const sets = overTime(), parent = byId("motion-controls");
  if (sets.length === 0 || keptRows().length === 0) return;
  const options = sets.map((dataset) => [dataset.name, nameWithUnit(dataset)]);
  motion.what = addSelect(parent, "over time", options, options.find(([name]) => head.views[0]?.dataset.endsWith(`/${name}`))?.[0] ?? options[0][0], drawMotion, "over");
  const names = phaseNames(), [x, y] = phaseDefaults(names);
  if (names.length < 2) return;
  motion.phaseX = addSelect(parent, "phase portrait: x", names.map((name) => [name, name]), x, drawMotion, "phase_x");
  motion.phaseY = addSelect(parent, "y", names.map((name) => [name, name]), y, drawMotion, "phase_y");
}

/* Names of all curves. */
const phaseNames = () => overTime().flatMap((dataset) => curvesOf(dataset, 0).map((curve) => curve.fullName));

/* A position and its rate, else the first two. */
function phaseDefaults(names) {
  for (const [q, v] of [["angle", "rate"], ["position", "velocity"], ["x", "v"], ["x1", "v1"]])
    for (const name of names) {
      const rate = name.replace(q, v);
      if (name.split(".")[0] === q && names.includes(rate)) return [name, rate];
    }
  return names;
}

/* Plays in real time, or so that the whole takes at most 20 s. */
function play() {
  motion.isPlaying = !motion.isPlaying;
  byId("play").textContent = motion.isPlaying ? "pause" : "play";
  if (!motion.isPlaying) return;
  const scale = timeScale().scale, last = scale.length - 1, span = scale[last] - scale[0];
  const speed = span > 20 ? span / 20 : 1;
  if (motion.at === last) motion.at = 0;
  const begin = scale[motion.at], started = performance.now();
  const advance = (now) => {
    if (!motion.isPlaying || motion.index < 0) return;
    const time = begin + ((now - started) / 1000) * speed;
    while (motion.at < last && scale[motion.at] < time) motion.at++;
    byId("time").value = motion.at;
    drawMotion();
    if (motion.at < last) requestAnimationFrame(advance);
    else play();
  };
  requestAnimationFrame(advance);
}
