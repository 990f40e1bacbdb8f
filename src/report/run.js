/* The chosen run, and the one under the mouse: numbers in words, the table, and the command that
 * computes it. */

/* "lyapunov_max = 1.2 1/s at a = 1 rad, b = 2 rad · run 7, finished" */
function readOut(hit) {
  const { row, event, words } = hit, value = document.createElement("b");
  if (words) {
    [value.textContent] = words;
    byId("readout").replaceChildren(value, words[1]);
    return;
  }
  const swept = coordinatesOf(row).map(([name, at, unit]) => assignment(name, at, unit)).join(", ");
  let after;
  if (view.kind === "section") {
    [value.textContent, after] = event < 0 ? [`run ${data.runs[row]}`, ""] : readOutEvent(hit);
    if (swept) after += ` (${swept})`;
  } else {
    const { show } = view, errors = errorsOf(show);
    const name = show.names?.[show.at(row)];
    value.textContent = name ? `${show.name} = ${name}` : assignment(show.name, show.at(row), show.unit);
    after = `${readOutOther(show, row)}${errors ? ` ± ${formatNumber(errors.at(row))}` : ""}${swept ? ` at ${swept}` : ""} · run ${data.runs[row]}`;
    if (outcomeOf(row)) after += `, ${outcomeOf(row)}`;
  }
  byId("readout").replaceChildren(value, after);
}

function addRow(table, cells, className) {
  const row = table.insertRow();
  row.className = className || "";
  cells.forEach(([text, kind, span], i) => {
    const cell = row.insertCell();
    if (i > 0) cell.append(text);
    else for (const part of String(text).split(/(?<=[._])/)) cell.append(part, document.createElement("wbr"));
    cell.className = kind || "";
    if (span) cell.colSpan = span;
  });
}

/* A row of the table; of a dataset with many numbers the first ones. */
function addNumber(table, quantity, row) {
  if (quantity.component > mostRows) return;
  if (quantity.component === mostRows) {
    addRow(table, [[`${quantity.dataset.name}: ${quantity.width - mostRows} more are in the menu`, "head", 3]]);
    return;
  }
  const text = quantity.dataset.numbers ? formatNumber(quantity.at(row)) : "…";
  addRow(table, [[quantity.name], [text, "number"], [quantity.unit, "unit"]], quantity === view.show ? "shown" : "");
}

/* The chosen run: all its numbers, and the command that computes it. */
function showRun() {
  const { row } = view, table = byId("numbers-table");
  byId("run").hidden = false;
  byId("run-title").textContent = `Run ${data.runs[row]}`;
  byId("run-outcome").textContent = outcomeOf(row);
  table.replaceChildren();
  const swept = coordinatesOf(row);
  if (swept.length > 0) addRow(table, [[data.isList ? "drawn" : "swept", "head", 3]]);
  for (const [name, value, unit] of swept) addRow(table, [[name], [formatNumber(value), "number"], [unit, "unit"]]);
  addRow(table, [[head.other ? `measured, ${sideNames()[view.of === "both" ? "" : view.of]}` : "measured", "head", 3]]);
  for (const quantity of data.quantities)
    if (isMeasured(quantity) && !data.swept.includes(quantity)) addNumber(table, quantity, row);
  if (data.isInverse) byId("command-title").textContent = "Compute the whole result";
  byId("command").replaceChildren(...wordsOf(commandOf(row)));
}

/* The words of a command, each in one piece where a line ends. */
function wordsOf(command) {
  return command.split(" ").flatMap((text, i) => {
    const word = document.createElement("span");
    word.textContent = text;
    return i > 0 ? [" ", word] : [word];
  });
}

const linesOf = (text) => (text || "").split("\n").filter(Boolean);

/* The command that computes a run in full; of `inverse` the one that made the whole result. */
function commandOf(row) {
  const { study, overrides, options } = (view.of === "other" ? head.other : head).provenance;
  const file = quoted((study || "STUDY.yaml").replace(/^-/, "./-")); // no command takes it for an option
  const words = ["manylink", data.isInverse ? "inverse" : "run", file];
  if (!data.isInverse) words.push("--run", data.runs[row]);
  for (const [, name, value] of (options || "").matchAll(/^(motion|run)=(.*)$/gm)) words.push(`--${name}`, quoted(value));
  for (const line of linesOf(overrides)) words.push("--set", quoted(line));
  return words.join(" ");
}
