// Builds the front end of all widgets, in parts, and what leads to it, into the Python package. Same sources, same bytes: a test compares
// them.
// `node build.mjs --out DIR` writes elsewhere, so that the test need not touch the committed bundle.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { here, layoutEngine, licences, shared, styleSheet } from "./front-end.mjs";
import { frontEndParts } from "./parts.mjs";

const at = process.argv.indexOf("--out");
const out = at > 0 ? process.argv[at + 1] : join(here, "../tfedu/widgets/static");

/**
 * What Chromium reads as a wish that no function be compiled at its first call: it does so beside the page, else in the first
 * picture and the first step.
 */
const COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad";

const licence = `/*!\ntfedu widgets (Apache-2.0). Bundled with it:\n\n${await licences()}*/`;
const parts = await frontEndParts(shared, {
  head: `${COMPILED_AT_ONCE}\n${licence}`,
  plugins: [layoutEngine],
});
await writeFile(join(out, "parts.json"), `${JSON.stringify(parts, null, 1)}\n`);
await build({ ...shared, entryPoints: ["src/loader.ts"], format: "esm", outfile: join(out, "loader.js") });
await build({ ...shared, entryPoints: ["src/page.ts"], format: "iife", outfile: join(out, "page.js") });
await writeFile(join(out, "widget.css"), `${await styleSheet()}\n`);
for (const name of ["loader.js", "page.js"]) {
  const file = join(out, name);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.endsWith("\n") ? text : `${text}\n`);
}
