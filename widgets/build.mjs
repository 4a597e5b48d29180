// Builds the front end of all widgets, in parts, and what leads to it, into the Python package. Same sources, same bytes: a test compares
// them.
// `node build.mjs --out DIR` writes elsewhere, so that the test need not touch the committed bundle.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { frontEndParts } from "./parts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at > 0 ? process.argv[at + 1] : join(here, "../tfedu/widgets/static");

/**
 * What Chromium reads as a wish that no function be compiled at its first call: it does so beside the page, else in the first
 * picture and the first step.
 */
const COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad";

/** The front end carries dagre and graphlib: the MIT licence asks that its text goes with them. */
async function licences() {
  const packages = ["@dagrejs/dagre", "@dagrejs/graphlib"];
  const texts = packages.map(async (name) => {
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text.trim()}\n`;
  });
  return `/*!\ntfedu widgets (Apache-2.0). Bundled with it:\n\n${(await Promise.all(texts)).join("\n")}*/`;
}

/**
 * The layout goes into one function, whose text a worker can be made of; so the front end has it once, for the page and the worker.
 */
const layoutEngine = {
  name: "layout-engine",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]layout[\\/]worker-code\.ts$/ }, async () => {
      const entryPoints = ["src/layout/place-levels.ts"];
      const { outputFiles } = await build({
        ...shared,
        entryPoints,
        format: "iife",
        globalName: "place",
        write: false,
      });
      return {
        contents: `export function layoutCode() { ${outputFiles[0].text}\nreturn place; }`,
        loader: "js",
      };
    });
  },
};

const shared = { bundle: true, minify: true, target: "es2022", absWorkingDir: here, legalComments: "none" };
const parts = await frontEndParts(shared, {
  head: `${COMPILED_AT_ONCE}\n${await licences()}`,
  plugins: [layoutEngine],
});
await writeFile(join(out, "parts.json"), `${JSON.stringify(parts, null, 1)}\n`);
await build({ ...shared, entryPoints: ["src/loader.ts"], format: "esm", outfile: join(out, "loader.js") });
await build({ ...shared, entryPoints: ["src/page.ts"], format: "iife", outfile: join(out, "page.js") });
await build({ ...shared, entryPoints: ["src/theme.css"], outfile: join(out, "widget.css") });
for (const name of ["loader.js", "page.js", "widget.css"]) {
  const file = join(out, name);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.endsWith("\n") ? text : `${text}\n`);
}
