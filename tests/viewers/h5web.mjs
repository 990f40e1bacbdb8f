// h5web.mjs PACKAGES FOLDER OUT.h5[:PATH]...: opens results in h5web, in headless Chromium. Writes
// FOLDER/OUT.png and FOLDER/OUT.txt, the text of the picture: title, labels, ticks and legend.
// PACKAGES has the packages of package.json in node_modules. Exit code 77 without them or Chromium.
import { createServer } from "node:http";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, folder, ...results] = process.argv.slice(2);
const browser_path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
if (!existsSync(join(packages, "node_modules/@h5web/app")) || !browser_path) {
  console.log("skipped: no packages of h5web, or no chromium");
  process.exit(77);
}
const require = createRequire(join(resolve(packages), "package.json"));
const esbuild = require("esbuild");
const puppeteer = (await import(require.resolve("puppeteer-core"))).default;

const here = dirname(fileURLToPath(import.meta.url));
await esbuild.build({
  entryPoints: [join(here, "h5web_page.jsx")],
  bundle: true,
  format: "esm",
  jsx: "automatic",
  nodePaths: [join(resolve(packages), "node_modules")],
  loader: { ".wasm": "file", ".woff": "dataurl", ".woff2": "dataurl" },
  define: { "process.env.NODE_ENV": '"production"' },
  external: ["module", "fs", "path", "url", "crypto"],
  outfile: join(folder, "page.js"),
  logLevel: "error",
});

const page_text =
  "<!doctype html><meta charset=utf-8><link rel=stylesheet href=/page.css>" +
  "<style>html,body,#root{height:100%;margin:0}</style><div id=root></div>" +
  "<script type=module src=/page.js></script>";
const types = { ".js": "text/javascript", ".css": "text/css", ".h5": "application/x-hdf5" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const name = decodeURIComponent(basename(path));
  const file = path.startsWith("/result/")
    ? results.map((r) => r.split(":")[0]).find((r) => basename(r) === name)
    : join(folder, name);
  if (path === "/") {
    response.setHeader("Content-Type", "text/html");
    response.end(page_text);
  } else if (file && existsSync(file)) {
    response.setHeader("Content-Type", types[file.slice(file.lastIndexOf("."))] ?? "text/plain");
    response.end(readFileSync(file));
  } else {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const browser = await puppeteer.launch({
  executablePath: browser_path,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const result of results) {
  const [file, path] = result.split(":");
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.setViewport({ width: 900, height: 560 });
  const query = new URLSearchParams({ file: basename(file), ...(path ? { path } : {}) });
  await page.goto(`http://127.0.0.1:${server.address().port}/?${query}`);
  await page.waitForSelector("canvas, [role=alert]", { timeout: 60000 }).catch(() => {});
  await new Promise((done) => setTimeout(done, 1500)); // until it is drawn
  const name = basename(file, ".h5") + (path ? "_" + path.split("/").slice(-2).join("_") : "");
  await page.screenshot({ path: join(folder, `${name}.png`) });
  const text = await page.evaluate(() => document.body.innerText);
  writeFileSync(join(folder, `${name}.txt`), text + "\n" + errors.map((e) => `ERROR ${e}\n`).join(""));
  await page.close();
}
await browser.close();
server.close();
