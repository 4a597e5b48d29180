// Builds the custom elements as the npm package tfedu-elements, into `dist/package`, and packs it there: `node npm.mjs [--out DIR]`.
// An element is a module of its own, which imports the parts of the front end that its widget needs, and these bring their texts.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { here, layoutEngine, licences, shared, styleSheet } from "./front-end.mjs";
import { splitFrontEnd } from "./parts.mjs";

const at = process.argv.indexOf("--out");
const out = at > 0 ? process.argv[at + 1] : join(here, "dist");
const folder = join(out, "package");
const OUTDIR = "package";

const elements = JSON.parse(await readFile(join(here, "src/elements/elements.json"), "utf8"));
const names = Object.keys(elements);
const fileOf = (name) => name.replace("tfedu-", "");
/** tfedu-graph -> TfeduGraph */
const classOf = (name) => name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/** The module of each element: its widget, and its definition. */
const oneModuleEach = {
  name: "one-module-each",
  setup(bundle) {
    bundle.onResolve({ filter: /^element:/ }, ({ path }) => ({ path, namespace: "element" }));
    bundle.onLoad({ filter: /.*/, namespace: "element" }, ({ path }) => {
      const name = path.slice("element:".length);
      const contents = `import "kind:${elements[name].kind}";
import { define, TfeduElement } from "./element";
export const ${classOf(name)} = define("${name}");
export { TfeduElement };`;
      return { contents, resolveDir: join(here, "src/elements") };
    });
  },
};

/** The style sheet as a text, since a page's policy may forbid inline styles but not constructed sheets. */
const styleAsText = {
  name: "style-as-text",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]elements[\\/]style\.ts$/ }, async () => {
      return { contents: `export const STYLE = ${JSON.stringify(await styleSheet())};`, loader: "js" };
    });
  },
};

/** The schema's rules without its descriptions, and without the kinds that no element shows. */
const rulesAlone = {
  name: "rules-alone",
  setup(bundle) {
    bundle.onLoad({ filter: /records\.schema\.json$/ }, async ({ path }) => {
      const { $defs } = JSON.parse(await readFile(path, "utf8"));
      const kinds = new Set(Object.values(elements).map(({ record }) => record));
      const used = new Set();
      const use = (name) => {
        if (used.has(name)) return;
        used.add(name);
        for (const [, inner] of JSON.stringify($defs[name]).matchAll(/"#\/\$defs\/(\w+)"/g)) use(inner);
      };
      for (const [name, { properties }] of Object.entries($defs)) {
        if (kinds.has(properties.kind?.const)) use(name);
      }
      const plain = ({ description, required, ...rules }) => rules;
      const rules = Object.fromEntries([...used].sort().map((name) => [name, plain($defs[name])]));
      return { contents: JSON.stringify({ $defs: rules }), loader: "json" };
    });
  },
};

const catalogues = Object.fromEntries(
  await Promise.all(
    ["en", "ko", "zh"].map(async (lang) => [
      lang,
      JSON.parse(await readFile(join(here, `../tfedu/view/messages/${lang}.json`), "utf8")),
    ]),
  ),
);

/** The texts in each language, by what names them: a key, or the beginning of several with its dot. */
function textsBy(named) {
  const families = named.filter((text) => text.endsWith("."));
  const isNamed = (key) => named.includes(key) || families.some((family) => key.startsWith(family));
  return Object.fromEntries(
    Object.entries(catalogues).map(([lang, texts]) => [
      lang,
      Object.fromEntries(Object.entries(texts).filter(([key]) => isNamed(key))),
    ]),
  );
}

const TEXTS = `export const TEXTS = { en: {}, ko: {}, zh: {} };
export function ADD_TEXTS(texts) {
  for (const lang in texts) Object.assign(TEXTS[lang], texts[lang]);
}
`;

await rm(folder, { recursive: true, force: true });
await mkdir(join(folder, "parts"), { recursive: true });
const { modules, texts } = await splitFrontEnd(
  { ...shared, chunkNames: "parts/[name]-[hash]" },
  {
    outdir: OUTDIR,
    entries: () => names.map((name) => ({ in: `element:${name}`, out: fileOf(name) })),
    plugins: [oneModuleEach, styleAsText, rulesAlone, layoutEngine],
  },
);
// What elements alone need may be named by any of them.
for (const { path, code, files } of modules) {
  const file = relative(OUTDIR, path);
  const named = [...new Set(files.flatMap((name) => texts.get(name) ?? []))];
  const way = relative(dirname(file), "texts.js");
  const from = JSON.stringify(way.startsWith(".") ? way : `./${way}`);
  const head = [
    named.length > 0 || code.includes("TEXTS") ? `import{TEXTS,ADD_TEXTS}from${from};` : "",
    named.length > 0 ? `ADD_TEXTS(${JSON.stringify(textsBy(named))});` : "",
  ];
  await writeFile(join(folder, file), `${head.join("")}${code}`);
}
await writeFile(join(folder, "texts.js"), TEXTS);
await writeFile(
  join(folder, "index.js"),
  `${names.map((name) => `export { ${classOf(name)} } from "./${fileOf(name)}.js";`).join("\n")}
export { TfeduElement } from "./${fileOf(names[0])}.js";
`,
);

// -- types ------------------------------------------------------------------------------------------------------------

const definitions = JSON.parse(await readFile(join(here, "../docs/records.schema.json"), "utf8")).$defs;
const recordOf = (name) =>
  Object.keys(definitions).find((each) => definitions[each].properties.kind?.const === elements[name].record);
const records = await readFile(join(here, "src/record.ts"), "utf8");
await writeFile(join(folder, "record.d.ts"), records.replace(/^export const EDGE_KINDS.*\n+/m, ""));
await cp(join(here, "src/elements/public.ts"), join(folder, "public.d.ts"));
await writeFile(
  join(folder, "element.d.ts"),
  `import type { TfeduElementApi, TfeduElementEvents } from "./public";

export type * from "./public";
export type * from "./record";

/** The class of all elements; \`R\` is the record that one shows. */
export declare class TfeduElement<R = unknown> extends HTMLElement implements TfeduElementApi {
  record: R | null;
  src: string;
  heading: string;
  theme: TfeduElementApi["theme"];
  height: string;
  view: TfeduElementApi["view"];
  addEventListener<K extends keyof TfeduElementEvents>(
    type: K,
    listener: (event: TfeduElementEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}
`,
);
for (const name of names) {
  await writeFile(
    join(folder, `${fileOf(name)}.d.ts`),
    `import { TfeduElement } from "./element";
import type { ${recordOf(name)} } from "./record";

export { TfeduElement };
export type * from "./element";
export declare class ${classOf(name)} extends TfeduElement<${recordOf(name)}> {}

declare global {
  interface HTMLElementTagNameMap {
    "${name}": ${classOf(name)};
  }
}
`,
  );
}
await writeFile(
  join(folder, "index.d.ts"),
  `export { TfeduElement } from "./element";
export type * from "./element";
${names.map((name) => `export { ${classOf(name)} } from "./${fileOf(name)}";`).join("\n")}
`,
);
await writeFile(
  join(folder, "react.d.ts"),
  `import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { TfeduElementApi, TfeduElementEvents } from "./public";
import type * as Elements from "./index";

type Handlers = { [K in keyof TfeduElementEvents as \`on\${K}\`]?: (event: TfeduElementEvents[K]) => void };
type Own = Partial<Pick<TfeduElementApi, "src" | "heading" | "theme" | "height" | "view">>;
type Props<E extends Elements.TfeduElement> = Omit<DetailedHTMLProps<HTMLAttributes<E>, E>, keyof Own> &
  Own &
  Handlers & { record?: E["record"] };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
${names.map((name) => `      "${name}": Props<Elements.${classOf(name)}>;`).join("\n")}
    }
  }
}
`,
);

// -- the package ------------------------------------------------------------------------------------------------------

const project = await readFile(join(here, "../pyproject.toml"), "utf8");
const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
const description = {
  name: "tfedu-elements",
  version: /^version = "(.+)"$/m.exec(project)[1],
  description: "Computation graphs, runs step by step and exercises of tfedu as custom elements",
  license: "Apache-2.0",
  type: "module",
  keywords: [
    "computation-graph",
    "custom-element",
    "education",
    "tensorflow",
    "visualization",
    "web-components",
  ],
  exports: {
    ".": entry("index"),
    ...Object.fromEntries(names.map((name) => [`./${fileOf(name)}`, entry(fileOf(name))])),
    "./react": { types: "./react.d.ts" },
    "./records": { types: "./record.d.ts" },
    "./*.js": "./*.js",
    "./package.json": "./package.json",
  },
  types: "./index.d.ts",
  sideEffects: true,
};
await writeFile(join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
await cp(join(here, "elements/README.md"), join(folder, "README.md"));
await cp(join(here, "../LICENSE"), join(folder, "LICENSE"));
await writeFile(join(folder, "THIRD_PARTY_LICENSES.txt"), await licences());
execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder, stdio: "inherit" });
