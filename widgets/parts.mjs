// The front end in parts, of which Python joins those that a page needs (tfedu/widgets/pages/front_end_code.py). A part is what the same
// kinds of widget need; it is one function, whose result later parts read. The texts stay in the catalogue: a part names its keys.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build } from "esbuild";

/** The rows of the table of widgets by kind; in place of a widget each has the file and the name of it. */
async function rowsOfTable(shared) {
  const table = join(shared.absWorkingDir, "src/widgets/table.ts");
  const source = await readFile(table, "utf8");
  const named = new Map(
    [...source.matchAll(/^import \{ (\w+) \} from "(\.\/[\w-]+)";$/gm)].map(([, name, path]) => [path, name]),
  );
  const standIns = {
    name: "stand-ins",
    setup(bundle) {
      bundle.onResolve({ filter: /^\.\// }, ({ path }) => ({ path, namespace: "stand-in" }));
      bundle.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({
        contents: `export const ${named.get(path)} = ${JSON.stringify({ path, name: named.get(path) })};`,
      }));
    },
  };
  const { outputFiles } = await build({
    ...shared,
    entryPoints: [table],
    format: "esm",
    plugins: [standIns],
    write: false,
  });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)).WIDGETS;
}

/** The table empty, and for each kind a module that writes its row: so a front end has the rows of those that it carries. */
function onePerKind(rows, resolveDir) {
  return {
    name: "one-per-kind",
    setup(bundle) {
      bundle.onLoad({ filter: /[\\/]widgets[\\/]table\.ts$/ }, () => ({
        contents: "export const WIDGETS = {};",
      }));
      bundle.onResolve({ filter: /^kind:/ }, ({ path }) => ({ path, namespace: "kind" }));
      bundle.onLoad({ filter: /.*/, namespace: "kind" }, ({ path }) => {
        const kind = path.slice("kind:".length);
        const { widget, ...facts } = rows[kind];
        const contents = `import { WIDGETS } from "./table";
import { ${widget.name} as widget } from "${widget.path}";
WIDGETS[${JSON.stringify(kind)}] = { widget, ...${JSON.stringify(facts)} };`;
        return { contents, resolveDir };
      });
    },
  };
}

/** The catalogues are those that Python puts in front of the parts. */
const textsOfPython = {
  name: "texts-of-python",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]messages[\\/]\w+\.json$/ }, ({ path }) => ({
      contents: `export default TEXTS.${/(\w+)\.json$/.exec(path)[1]};`,
      loader: "js",
    }));
  },
};

/** What a source names of the catalogue: "a.key", and of `a.prefix.${…}` the prefix, which ends with its dot. */
function namedTexts(source) {
  const keys = [...source.matchAll(/"([a-z]\w*(?:\.\w+)+)"/g)];
  const prefixes = [...source.matchAll(/`([a-z]\w*\.(?:\w+\.)*)\$\{/g)];
  return [...keys, ...prefixes].map(([, text]) => text);
}

/** What each source names, by its path below the folder of the front end; a row of the table names the title of its kind alone. */
async function textsOfSources(folder, rows) {
  const files = (await readdir(join(folder, "src"), { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  const read = files.map(async (name) => {
    const path = join("src", name).replaceAll("\\", "/");
    return [path, namedTexts(await readFile(join(folder, path), "utf8"))];
  });
  const texts = new Map(await Promise.all(read));
  texts.delete("src/widgets/table.ts");
  for (const [kind, { title }] of Object.entries(rows)) texts.set(`kind:${kind}`, [title]);
  return texts;
}

/**
 * The front end as modules that share what several entries need. Of each: its code, its name below `outdir`, the entry that it is,
 * the entries that need it, and the files that it is made of. `texts`: what each file names of the catalogue.
 */
export async function splitFrontEnd(shared, { outdir, entries, plugins }) {
  const folder = shared.absWorkingDir;
  const rows = await rowsOfTable(shared);
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: entries(Object.keys(rows).sort()),
    format: "esm",
    charset: "utf8",
    splitting: true,
    outdir: join(folder, outdir),
    plugins: [textsOfPython, onePerKind(rows, join(folder, "src/widgets")), ...plugins],
    metafile: true,
    write: false,
  });
  const { outputs } = metafile;
  // esbuild puts the namespace before a name that begins with it already.
  const plain = (name) => name.replace(/^(kind:|element:)+/, "$1");
  const entryOf = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint ? [[plain(entryPoint).replace("kind:", ""), path]] : [],
    ),
  );
  const needed = needs(outputs, [...entryOf].sort());
  const entryAt = new Map([...entryOf].map(([entry, path]) => [path, entry]));
  const modules = outputFiles.map(({ path, text }) => {
    const at = relative(folder, path).replaceAll("\\", "/");
    const files = Object.keys(outputs[at].inputs).map(plain);
    return { path: at, code: text, entry: entryAt.get(at), by: needed.get(at), files };
  });
  return { modules, rows, texts: await textsOfSources(folder, rows) };
}

/** A module of esbuild's as a function that is called at once: its imports are read from earlier results, its exports are its result. */
function asFunction(name, text, nameOf) {
  const imports = [];
  let code = text.trim();
  for (let found = IMPORT.exec(code); found; found = IMPORT.exec(code)) {
    if (found[1]) imports.push(`const{${found[1].replace(AS, "$1:$2")}}=${nameOf(found[2])};`);
    code = code.slice(found[0].length);
  }
  const exported = EXPORT.exec(code);
  if (exported) code = `${code.slice(0, exported.index)}return{${exported[1].replace(AS, "$2:$1")}}`;
  return `const ${name}=(()=>{${imports.join("")}${code}})();`;
}
const IMPORT = /^import(?:\{([^}]*)\}from)?"([^"]+)";/;
const EXPORT = /export\{([^}]*)\};$/;
const AS = /([\w$]+) as ([\w$]+)/g;

/** The entries that need each output, each by its name in `entries`. */
function needs(outputs, entries) {
  const found = new Map(Object.keys(outputs).map((path) => [path, []]));
  for (const [entry, start] of entries) {
    const reached = new Set([start]);
    for (const path of reached) for (const next of outputs[path].imports) reached.add(next.path);
    for (const path of reached) found.get(path).push(entry);
  }
  return found;
}

/** The parts in the order in which they run, and what stands before and behind them. */
export async function frontEndParts(shared, { head, plugins }) {
  const index = "src/index.ts";
  const { modules, rows, texts } = await splitFrontEnd(shared, {
    outdir: "parts",
    entries: (kinds) => [index, ...kinds.map((kind) => `kind:${kind}`)],
    plugins,
  });
  // What several need runs before what fewer of them need, which is all that can import it.
  const order = [...modules].sort(
    (a, b) =>
      b.by.length - a.by.length ||
      (`${a.by}` === `${b.by}` ? (a.path < b.path ? -1 : 1) : `${a.by}` < `${b.by}` ? -1 : 1),
  );
  const names = new Map(order.map(({ path }, i) => [path, `PART_${i}`]));
  const somewhere = new Set(modules.flatMap(({ files }) => files));
  // Types alone, such as those of records, have no code; what they name may come with any record.
  const types = [...texts.keys()].filter((path) => !somewhere.has(path) && !path.startsWith(ELEMENTS));
  const kinds = Object.keys(rows).sort();
  const parts = order.map(({ path, code, entry, by, files }) => {
    const own = [...files, ...(entry === index ? types : [])];
    return {
      kinds: by.includes(index) ? kinds : by,
      texts: [...new Set(own.flatMap((file) => texts.get(file) ?? []))].sort(),
      code: asFunction(names.get(path), code, (to) => names.get(join(path, "..", to).replaceAll("\\", "/"))),
    };
  });
  const last = names.get(modules.find(({ entry }) => entry === index).path);
  return { head, parts, tail: `export default ${last}.default;` };
}
/** The custom elements are of the npm package alone. */
const ELEMENTS = "src/elements/";
