// Builds the examples that need a build, as a site would: `node build.mjs PACKAGES OUT`, where PACKAGES has tfedu-elements installed.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { compileScript, parse } from "vue/compiler-sfc";

const here = dirname(fileURLToPath(import.meta.url));
const [packages, out] = process.argv.slice(2);

/** Compiled here: a page whose policy forbids eval cannot compile templates. */
const vueFiles = {
  name: "vue-files",
  setup(bundle) {
    bundle.onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor } = parse(await readFile(path, "utf8"), { filename: basename(path) });
      const { content } = compileScript(descriptor, {
        id: basename(path),
        inlineTemplate: true,
        templateOptions: {
          compilerOptions: { isCustomElement: (tag) => tag.startsWith("tfedu-") },
        },
      });
      return { contents: content, loader: "ts", resolveDir: dirname(path) };
    });
  },
};

for (const [name, file] of [
  ["react", "react.tsx"],
  ["vue", "vue.ts"],
]) {
  await build({
    entryPoints: [join(here, file)],
    outfile: join(out, name, "app.js"),
    bundle: true,
    format: "esm",
    jsx: "automatic",
    minify: true,
    nodePaths: [packages, join(here, "../../node_modules")],
    plugins: [vueFiles],
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
  });
}
