// The viewer with the file that the page's address names.
import "@h5web/app/styles.css";
import { App } from "@h5web/app";
import { H5WasmBufferProvider } from "@h5web/h5wasm";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const file = query.get("file");
const buffer = await (await fetch(`/result/${file}`)).arrayBuffer();
createRoot(document.getElementById("root")).render(
  <H5WasmBufferProvider filename={file} buffer={buffer}>
    <App initialPath={query.get("path") ?? undefined} sidebarOpen={false} disableDarkMode />
  </H5WasmBufferProvider>,
);
