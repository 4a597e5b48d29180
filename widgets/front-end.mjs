// What the builds of the front end share: the options of esbuild, the layout as one function, and the licences of what it carries.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const here = dirname(fileURLToPath(import.meta.url));
export const shared = {
  bundle: true,
  minify: true,
  target: "es2022",
  absWorkingDir: here,
  legalComments: "none",
};

/**
 * The style sheet. Each `.tfedu` counts twice, so that the rules of a page's own theme for its headings, paragraphs and lists
 * (`div.body h3`) do not reach the widgets.
 */
export async function styleSheet() {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ["src/theme.css"],
    write: false,
    outdir: ".",
  });
  return outputFiles[0].text.trimEnd().replace(/\.tfedu(?![\w-])/g, "$&$&");
}

/** The front end carries dagre and graphlib: the MIT licence asks that its text goes with them. */
export async function licences() {
  const packages = ["@dagrejs/dagre", "@dagrejs/graphlib"];
  const texts = packages.map(async (name) => {
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n");
}

/**
 * The layout goes into one function, whose text a worker can be made of; so the front end has it once, for the page and the worker.
 */
export const layoutEngine = {
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
