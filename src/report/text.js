/* Numbers and names as the page writes them. */

/* Six digits: what a float holds for certain. */
function formatNumber(value) {
  if (Number.isNaN(value)) return "no value";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const isSmall = value !== 0 && Math.abs(value) < 1e-3, rounded = Number(value.toPrecision(6));
  const text = isSmall ? rounded.toExponential() : String(rounded);
  return text.replace("-", "−").replace("e−", "e-").replace("e+", "e");
}

const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);
const nameWithUnit = (quantity) => quantity.unit ? `${quantity.name} (${quantity.unit})` : quantity.name;

/* "name = 1.2 m" */
const assignment = (name, value, unit) => withUnit(`${name} = ${formatNumber(value)}`, unit);

/* A word for a shell, and for the terminal that it is pasted into, where a control character is a key. */
const quoted = (word) => /^[\w./:=+-]+$/.test(word) ? word :
  `'${word.replace(/[\0-\x1f\x7f-\x9f]/g, "?").replaceAll("'", "'\\''")}'`;

/* The name of a file for a shell, which no command takes for an option; its folder is left out. */
const quotedFile = (path) => quoted(path.replace(/^.*\//s, "").replace(/^-/, "./-"));

const csvWord = (word) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
