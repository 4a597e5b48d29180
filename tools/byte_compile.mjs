// Adds byte code to the wheels in a folder, made by the Pyodide of that folder: `node tools/byte_compile.mjs FOLDER`.
// The browser's Python then compiles nothing while it imports. A wheel stays as it is where a file of it does not compile.
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = path.resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.FS.mkdirTree("/wheels");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/wheels");
python.runPython(`
import importlib.util, io, marshal, pathlib, struct, sys, zipfile

UNCHECKED = 1  # the byte code is right without a look at its source, whose time an unpacked wheel does not keep

def with_byte_code(data):
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as wheel, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        for item in wheel.infolist():
            source = wheel.read(item)
            out.writestr(item, source, zipfile.ZIP_DEFLATED)
            if item.filename.endswith(".py") and ".dist-info/" not in item.filename:
                where = f"/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/{item.filename}"
                code = compile(source, where, "exec", dont_inherit=True)
                head = importlib.util.MAGIC_NUMBER + struct.pack("<I", UNCHECKED) + importlib.util.source_hash(source)
                folder, _, name = item.filename.rpartition("/")
                cached = importlib.util.cache_from_source(name)
                out.writestr(zipfile.ZipInfo(f"{folder}/{cached}".lstrip("/"), item.date_time), head + marshal.dumps(code), zipfile.ZIP_DEFLATED)
    return packed.getvalue()

for path in sorted(pathlib.Path("/wheels").glob("*.whl")):
    try:
        data = with_byte_code(path.read_bytes())
    except SyntaxError as cause:
        print(f"lite: {path.name} stays without byte code: {cause}")
        continue
    path.write_bytes(data)
`);
process.exit(0); // the mounted folder keeps Node running
