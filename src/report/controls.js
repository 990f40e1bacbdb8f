/* Menus, sliders and checks above the picture. */

/* A menu with a label; options [value, text].
 *   key  of the choice in the address; none: another function keeps it */
function addSelect(parent, label, options, value, onchange, key) {
  const box = document.createElement("label"), select = document.createElement("select");
  for (const [each, text] of options) select.add(new Option(text, each));
  box.append(label, select);
  select.value = options.some(([each]) => each === state.get(key)) ? state.get(key) : value;
  select.onchange = () => {
    if (key) keep({ [key]: select.value });
    onchange();
  };
  parent.append(box);
  return select;
}

function addCheck(parent, label, isOn, onchange, key) {
  const box = document.createElement("label"), check = document.createElement("input");
  check.type = "checkbox";
  box.className = "check";
  box.append(check, label);
  check.checked = state.has(key) ? state.get(key) === "1" : isOn;
  check.onchange = () => {
    keep({ [key]: Number(check.checked), zoom: null });
    onchange();
  };
  parent.append(box);
  return check;
}

const quantityOptions = () => data.quantities.map((quantity) => [quantity.name, nameWithUnit(quantity)]);

/* Makes the controls of the view, as a choice in one control may change the others. Focus stays where it is. */
function makeControls() {
  const controls = byId("controls"), kinds = Object.keys(views).filter((kind) => views[kind].isFor());
  const all = () => [...controls.querySelectorAll("select, input")], focused = all().indexOf(document.activeElement);
  controls.replaceChildren();
  view.sliders = [];
  if (kinds.length > 1) {
    const titles = kinds.map((kind) => [kind, views[kind].title]);
    view.kindSelect = addSelect(controls, "view", titles, view.kind, () => setKind(view.kindSelect.value));
  }
  addSides(controls);
  activeView().makeControls(controls);
  all()[focused]?.focus();
}

const palettes = { viridis: sequential, "blue to red": diverging, grey: ["1a1a1a", "f2f2f2"], heat: ["000004", "51127c", "b73779", "fc8961", "fcfdbf"] };

/* Colours: palette, and the numbers that they are from and to; none: 98 % of the numbers. */
function addColours(parent) {
  const redo = () => {
    scales.clear();
    draw();
  };
  addSelect(parent, "palette", [["", "usual"], ...Object.keys(palettes).map((name) => [name, name])], "", redo, "palette");
  for (const each of ["from", "to"]) {
    const box = document.createElement("label"), input = document.createElement("input");
    Object.assign(input, { type: "number", step: "any", value: state.get(each) ?? "", placeholder: "auto" });
    input.onchange = () => {
      keep({ [each]: input.value === "" ? null : input.value });
      redo();
    };
    view[each] = input;
    box.append(each === "from" ? "colours from" : "to", input);
    parent.append(box);
  }
}

/* Whether a unit is as long upwards as across, where both axes have the same one. */
function addEqual(parent) {
  view.equal = addCheck(parent, "equal units", true, draw, "equal");
}

/* The quantity of the picture. */
function addShow(parent, label) {
  view.what = addSelect(parent, label, quantityOptions(), view.show.name, () => setShown(view.what.value));
}

/* Axes that are drawn at first: those of the file, then the last ones but families. */
function usualAxes() {
  const of = (role) => firstView?.dims.slice(0, data.grid.length).indexOf(drawnAlong[role]) ?? -1;
  const others = data.grid.map((_, k) => k).reverse(), isOne = (k) => isFamily(data.grid[k].name);
  return [...new Set([of("x"), of("y"), ...others.filter((k) => !isOne(k)), ...others])].filter((k) => k >= 0);
}

/* Axes of the grid that are drawn, and sliders for the others.
 *   which  names of those that are drawn: "x", or "x" and "y" */
function addAxes(parent, which) {
  const [x, y] = usualAxes(), options = data.grid.map((axis, k) => [String(k), axis.name]);
  const asked = (key) => data.grid.findIndex((axis) => axis.name === state.get(key));
  view.x = view.x ?? [asked("x"), x].find((k) => k >= 0);
  view.y = view.y ?? [asked("y"), y, x].find((k) => k >= 0);
  if (view.y === view.x) view.y = (view.x + 1) % data.grid.length;
  for (const each of which)
    if (data.grid.length > 1) {
      const menu = addSelect(parent, each, options, String(view[each]), () => chooseAxis(each, Number(menu.value)));
    }
  addSliders(parent, which.map((each) => view[each]));
}

function addSliders(parent, drawn) {
  data.grid.forEach((axis, k) => {
    if (!drawn.includes(k) && axis.n > 1) addSlider(parent, axis, k);
  });
}

/* The place along an axis that is not drawn. */
function addSlider(parent, axis, k) {
  const box = document.createElement("label"), text = document.createElement("span");
  const slider = document.createElement("input");
  const tell = () => {
    text.textContent = assignment(axis.name, axis.values[view.at[k]], axis.unit);
  };
  Object.assign(slider, { type: "range", min: 0, max: axis.n - 1, value: view.at[k] });
  slider.oninput = () => {
    view.at[k] = Number(slider.value);
    tell();
    chooseRun(rowOf(view.at));
  };
  tell();
  box.append(text, slider);
  parent.append(box);
  view.sliders.push({ k, slider, tell });
}

function chooseAxis(which, k) {
  const other = which === "x" ? "y" : "x";
  if (view[other] === k) view[other] = view[which];
  view[which] = k;
  keep({ x: data.grid[view.x].name, y: data.grid[view.y].name, zoom: null });
  view.box = null;
  makeControls();
  draw();
}
