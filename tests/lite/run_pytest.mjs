// Runs pytest in Pyodide on Node: `node run_pytest.mjs '{"pyodide": …, "wheels": […], "root": …}' ARGUMENTS`. Its exit code is pytest's.
import path from "node:path";
import { pathToFileURL } from "node:url";

const { pyodide: folder, wheels, root } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
const quiet = { messageCallback() {} };
for (const wheel of wheels) await python.loadPackage(pathToFileURL(wheel).href, quiet);
python.FS.mkdirTree("/clone");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/clone");
python.globals.set("ARGUMENTS", python.toPy(process.argv.slice(3)));
let code = 1;
try {
  code = python.runPython(`
import os, sys
sys.dont_write_bytecode = True  # the folder is the clone itself
sys.path[:0] = ["/clone", "/clone/tests/lite"]
os.chdir("/clone")
import pytest
int(pytest.main(["-p", "browser_python", "-p", "no:cacheprovider", "-p", "no:faulthandler", *ARGUMENTS]))
`);
} catch (error) {
  console.error(String(error.message)); // and not the whole of the interpreter's source, as Node would
}
process.exit(code);
