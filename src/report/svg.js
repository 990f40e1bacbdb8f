/* A picture as SVG: a context with the part of a canvas's that views draw with, which keeps elements of XML.
 * Lines, dots and texts are elements; cells of a map and points by the pixel, of which there may be
 * millions, are one image. */

const svgNumber = (value) => String(Math.round(value * 100) / 100);
const svgText = (text) => String(text).replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "?");
const svgAnchors = { left: "start", center: "middle", right: "end" };
const svgBaselines = { top: 0.8, middle: 0.35, bottom: -0.2 }; // of the size of the letters, as viewers differ about baselines

class SvgContext {
  /* measure: context of a canvas with the same letters */
  constructor(measure) {
    this.measureText = (text) => measure.measureText(text);
    this.parts = [];   // texts, and of images promises of texts
    this.opened = [0]; // groups that each `save` and what follows it opened
    this.kept = [];    // what `restore` restores
    this.path = "";
    this.n_clip = 0;
    this.style = { fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, globalAlpha: 1, textAlign: "left", textBaseline: "top", dash: [] };
    for (const name of Object.keys(this.style))
      Object.defineProperty(this, name, { get: () => this.style[name], set: (value) => { this.style[name] = value; } });
  }

  /* An element, with numbers rounded to a hundredth of a pixel. */
  put(name, attributes, content = "") {
    const all = Object.entries({ ...attributes, opacity: this.globalAlpha === 1 ? null : this.globalAlpha })
      .filter(([, value]) => value !== null)
      .map(([key, value]) => ` ${key}="${svgText(typeof value === "number" ? svgNumber(value) : value)}"`).join("");
    this.parts.push(`<${name}${all}${content === "" ? "/>" : `>${content}</${name}>`}\n`);
  }

  open(attributes) {
    this.parts.push(`<g ${attributes}>\n`);
    this.opened[this.opened.length - 1]++;
  }

  save() {
    this.kept.push({ ...this.style });
    this.opened.push(0);
  }

  restore() {
    this.style = this.kept.pop();
    for (let n = this.opened.pop(); n > 0; n--) this.parts.push("</g>\n");
  }

  translate(x, y) { this.open(`transform="translate(${svgNumber(x)} ${svgNumber(y)})"`); }
  rotate(angle) { this.open(`transform="rotate(${svgNumber(angle * 180 / Math.PI)})"`); }
  setLineDash(dash) { this.dash = dash; }

  beginPath() { this.path = ""; }
  join(letter, x, y) { if (Number.isFinite(x) && Number.isFinite(y)) this.path += `${letter}${svgNumber(x)} ${svgNumber(y)}`; }
  moveTo(x, y) { this.join("M", x, y); }
  lineTo(x, y) { this.join("L", x, y); }
  rect(x, y, width, height) { this.path += `M${svgNumber(x)} ${svgNumber(y)}h${svgNumber(width)}v${svgNumber(height)}h${svgNumber(-width)}z`; }

  /* A whole circle: views draw no other arcs. */
  arc(x, y, radius) {
    const [r, two] = [radius, 2 * radius].map(svgNumber);
    this.join("M", x - radius, y);
    this.path += `a${r} ${r} 0 1 0 ${two} 0a${r} ${r} 0 1 0 -${two} 0z`;
  }

  clip() {
    const id = `inside-${++this.n_clip}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>\n`);
    this.open(`clip-path="url(#${id})"`);
  }

  fill() { this.put("path", { d: this.path, fill: this.fillStyle }); }
  fillRect(x, y, width, height) { this.put("rect", { x, y, width, height, fill: this.fillStyle }); }
  line() {
    return { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-dasharray": this.dash.length > 0 ? this.dash.join(" ") : null };
  }
  stroke() { if (this.path !== "") this.put("path", { d: this.path, ...this.line() }); }
  strokeRect(x, y, width, height) { this.put("rect", { x, y, width, height, ...this.line() }); }

  fillText(text, x, y) {
    this.put("text", { x, y: y + 12 * svgBaselines[this.textBaseline], "text-anchor": svgAnchors[this.textAlign], fill: this.fillStyle }, svgText(text));
  }

  drawImage(layer, x, y, width, height) {
    const element = layer.convertToBlob({ type: "image/png" }).then(dataUrlOf).then((url) =>
      `<image x="${svgNumber(x)}" y="${svgNumber(y)}" width="${svgNumber(width)}" height="${svgNumber(height)}" preserveAspectRatio="none" href="${url}"/>\n`);
    this.parts.push(element);
  }

  /* The whole file, on the colour of the page. */
  async text(width, height, title) {
    const parts = await Promise.all(this.parts), [w, h] = [width, height].map(svgNumber);
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="'DejaVu Sans', sans-serif" font-size="12">\n` +
      `<title>${svgText(title)}</title>\n<rect width="100%" height="100%" fill="${svgText(css("--card"))}"/>\n${parts.join("")}</svg>\n`;
  }
}

/* "data:image/png;base64,..." */
const dataUrlOf = (blob) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result);
  reader.readAsDataURL(blob);
});

/* The picture as text of SVG, without marks; images have two dots for a pixel. */
function svgOfPicture() {
  const { width, height } = picture.getBoundingClientRect(), context = new SvgContext(picture.getContext("2d"));
  drawSides({ context, width, height, ratio: 2 });
  return context.text(width, height, `${head.title || head.file}: ${nameWithUnit(view.show)}`);
}

const saveSvg = async () => saveAs(`${view.show.name}.svg`, new Blob([await svgOfPicture()], { type: "image/svg+xml" }));
