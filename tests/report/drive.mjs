// node drive.mjs CHROMIUM: opens pages in headless Chromium and drives them through the DevTools protocol
// over pipes: no network and no package. Each line of the input is {"page": PATH[#FRAGMENT], "steps": [...]}:
//   {"eval": JAVASCRIPT}          its value is one of the answers
//   {"move": [x, y]}, {"click": [x, y]}, {"drag": [x0, y0, x1, y1]}, {"key": NAME}
//   {"size": [width, height]}     the window of a phone
// Places are JavaScript expressions or numbers, in pixels of the window. For each it prints a line
// {"answers": [...], "complaints": [...]}: the latter are what the console said.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [chromium] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "manylink-report-"));
const browser = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
  "--disable-background-networking", `--user-data-dir=${profile}`, "--window-size=1300,1400",
  "--remote-debugging-pipe"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
let last = 0, rest = "", complaints = [];

function send(method, params = {}, sessionId = undefined) {
  const id = ++last;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const complain = (text) => complaints.push(text);

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

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/* What can be done with a page in a window of its own. */
async function openPage(page) {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const call = (method, params) => send(method, params, sessionId);
  const value = async (expression) => {
    const { result, exceptionDetails } = await call("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) complain(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  };
  for (const domain of ["Runtime", "Log", "Page"]) await call(`${domain}.enable`);
  const [file, fragment] = page.split("#");
  await call("Page.navigate", { url: pathToFileURL(file).href + (fragment ? `#${fragment}` : "") });
  for (let i = 0; i < 600 && !(await value("document.documentElement?.dataset.ready")); i++) await pause(50);
  return { call, value, close: () => send("Target.closeTarget", { targetId }) };
}

/* Does one step; returns its answer, undefined if it has none. */
async function take({ call, value }, step) {
  const mouse = (type, x, y, buttons = 0) => call("Input.dispatchMouseEvent",
    { type, x, y, button: type === "mouseMoved" && !buttons ? "none" : "left", buttons, clickCount: 1 });
  const words = step.move || step.click || step.drag || [];
  const [x, y, toX, toY] = await Promise.all(words.map((word) => typeof word === "number" ? word : value(word)));
  if (step.size) await call("Emulation.setDeviceMetricsOverride",
    { width: step.size[0], height: step.size[1], deviceScaleFactor: 1, mobile: true });
  if (step.eval) return (await value(step.eval)) ?? null;
  if (step.move) await mouse("mouseMoved", x, y);
  if (step.click || step.drag) await mouse("mousePressed", x, y, 1);
  if (step.drag) await mouse("mouseMoved", toX, toY, 1);
  if (step.click || step.drag) await mouse("mouseReleased", toX ?? x, toY ?? y);
  for (const type of step.key ? ["keyDown", "keyUp"] : []) await call("Input.dispatchKeyEvent", { type, key: step.key });
  return undefined;
}

async function drive({ page, steps }) {
  const opened = await openPage(page), answers = [];
  for (const step of steps) answers.push(await take(opened, step));
  await opened.close();
  console.log(JSON.stringify({ answers: answers.filter((each) => each !== undefined), complaints }));
  complaints = [];
}

browser.once("exit", () => process.exit(1)); // before it was asked to: nothing more will come
try {
  for await (const line of createInterface({ input: process.stdin })) await drive(JSON.parse(line));
} finally {
  browser.removeAllListeners("exit");
  const gone = new Promise((resolve) => browser.once("exit", resolve));
  send("Browser.close").catch(() => browser.kill("SIGKILL"));
  await gone;
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
