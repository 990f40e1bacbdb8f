// node drive.mjs CHROMIUM PAGE STEPS.json: opens a page in headless Chromium and drives it through the
// DevTools protocol over pipes: no network and no package. STEPS is a list of
//   {"eval": JAVASCRIPT}          its value is printed as one line of JSON
//   {"move": [x, y]}, {"click": [x, y]}, {"drag": [x0, y0, x1, y1]}, {"key": NAME}
// Places are JavaScript expressions or numbers, in pixels of the window. Prints what the console said
// as "console: ...", and ends with code 1 if anything was.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, page, stepsFile] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "manylink-report-"));
const browser = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
  "--disable-background-networking", `--user-data-dir=${profile}`, "--window-size=1300,1400",
  "--remote-debugging-pipe"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
let last = 0, rest = "", complaints = 0;

function send(method, params = {}, sessionId = undefined) {
  const id = ++last;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function complain(text) {
  complaints++;
  console.log(`console: ${text}`);
}

function receive(message) {
  if (message.id) {
    const { resolve, reject } = waiting.get(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  } else if (message.method === "Runtime.exceptionThrown") {
    const { exceptionDetails } = message.params;
    complain(exceptionDetails.exception?.description || exceptionDetails.text);
  } else if (message.method === "Log.entryAdded") complain(message.params.entry.text);
  else if (message.method === "Runtime.consoleAPICalled") complain(JSON.stringify(message.params.args));
}

browser.stdio[4].on("data", (piece) => {
  const parts = (rest + piece).split("\0");
  rest = parts.pop();
  parts.forEach((part) => receive(JSON.parse(part)));
});

async function drive() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const call = (method, params) => send(method, params, sessionId);
  const value = async (expression) => {
    const { result, exceptionDetails } = await call("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) complain(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  };
  const place = async (words) => Promise.all(words.map((word) => typeof word === "number" ? word : value(word)));
  const mouse = (type, x, y, buttons = 0) => call("Input.dispatchMouseEvent",
    { type, x, y, button: type === "mouseMoved" && !buttons ? "none" : "left", buttons, clickCount: 1 });
  for (const domain of ["Runtime", "Log", "Page"]) await call(`${domain}.enable`);
  const [file, fragment] = page.split("#");
  await call("Page.navigate", { url: pathToFileURL(file).href + (fragment ? `#${fragment}` : "") });
  for (let i = 0; i < 200 && !(await value("document.documentElement?.dataset.ready")); i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const step of JSON.parse(readFileSync(stepsFile, "utf8"))) {
    if (step.eval) console.log(JSON.stringify((await value(step.eval)) ?? null));
    if (step.move) await mouse("mouseMoved", ...(await place(step.move)));
    if (step.click) {
      const [x, y] = await place(step.click);
      await mouse("mousePressed", x, y, 1);
      await mouse("mouseReleased", x, y);
    }
    if (step.drag) {
      const [x0, y0, x1, y1] = await place(step.drag);
      await mouse("mousePressed", x0, y0, 1);
      await mouse("mouseMoved", x1, y1, 1);
      await mouse("mouseReleased", x1, y1);
    }
    if (step.key) {
      await call("Input.dispatchKeyEvent", { type: "keyDown", key: step.key });
      await call("Input.dispatchKeyEvent", { type: "keyUp", key: step.key });
    }
  }
}

const patience = setTimeout(() => browser.kill("SIGKILL"), 60000);
let code = 0;
try {
  await drive();
} catch (error) {
  console.log(`failed: ${error.message}`);
  code = 1;
}
const ended = new Promise((resolve) => browser.once("exit", resolve));
send("Browser.close").catch(() => browser.kill("SIGKILL"));
await ended;
clearTimeout(patience);
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
process.exit(code || (complaints > 0 ? 1 : 0));
