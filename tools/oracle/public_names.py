"""Writes which names TensorFlow 1.15 has in public, and which module paths, to tests/golden/public_names.json.

It reads the files of TensorFlow 1.15's own wheel and runs none of them (1.15 needs Python 3.7):

    pip download tensorflow-cpu==1.15.0 tensorflow-estimator==1.15.1 --no-deps --python-version 3.7 --only-binary=:all: \
        --platform manylinux2010_x86_64 --abi cp37m
    unzip both into one folder
    python tools/oracle/public_names.py FOLDER tests/golden/public_names.json

The file holds ``made_with``; ``public``: namespace ("tf", "tf.math", …) -> its names, in one string; ``modules``: package
("tensorflow.python.ops", …) -> the modules in it, likewise. The names of ``tf.flags`` are absl's, in the version that the
oracle has. ``tf.contrib.*`` are the names that the packages list for themselves, or import.
"""

import ast
import json
import pathlib
import sys

import _oracle

PRIVATE = ("python", "contrib", "examples", "core")


def imported(tree):
    """The names that a module's import statements and assignments make, without what is private."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            names.update(alias.asname or alias.name for alias in node.names if alias.name != "*")
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return {name for name in names if not name.startswith("_")}


def api(folder, namespace):
    """Namespace -> names of a tree of generated API modules."""
    found = {}
    for file in sorted(folder.rglob("__init__.py")):
        inside = file.parent.relative_to(folder).parts
        names = imported(ast.parse(file.read_text(encoding="utf-8")))
        found[".".join([namespace, *inside])] = names
    return found


def strings(node):
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def contrib(root):
    """Namespace -> names of the packages of contrib, as far as they say so: in their text, in lists, by imports."""
    found = {}
    for file in sorted((root / "contrib").rglob("__init__.py")):
        inside = file.parent.relative_to(root).parts
        if {"python", "kernel_tests", "api", "tests"} & set(inside):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = imported(tree)
        names |= {line[2:].strip() for line in (ast.get_docstring(tree) or "").splitlines() if line.startswith("@@")}
        for node in tree.body:
            if isinstance(node, ast.Assign) and any(getattr(t, "id", "").endswith("allowed_symbols") for t in node.targets):
                names |= strings(node.value)
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                names |= starred(root, node.module)
        modules = {"LazyLoader", "absolute_import", "division", "print_function", "remove_undocumented", "make_all", "sys", "os"}
        found[".".join(["tf", *inside])] = {n for n in names if n.isidentifier() and not n.startswith("_")} - modules
    return found


def starred(root, module, seen=()):
    """What `from module import *` brings: classes and functions of the file, and of those that it stars itself."""
    inside = module.split(".")[1:]
    file = root.joinpath(*inside).with_suffix(".py")
    if not file.is_file():
        file = root.joinpath(*inside, "__init__.py")
    if module in seen or not file.is_file():
        return set()
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            if any(getattr(target, "id", "") == "__all__" for target in node.targets):
                return strings(node.value)
            names.update(t.id for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            names |= starred(root, node.module, (*seen, module))
    return {name for name in names if not name.startswith("_")}


def modules(root):
    """Package -> modules below `tensorflow`, for the packages that programs reach into."""
    found = {"tensorflow": set(PRIVATE)}
    for top in PRIVATE:
        for file in sorted((root / top).rglob("*.py")):
            inside = file.relative_to(root).with_suffix("").parts
            if inside[-1] == "__init__":
                inside = inside[:-1]
            if any(part.endswith("_test") or part in ("kernel_tests", "testing") or part.startswith("gen_") for part in inside):
                continue
            for i in range(1, len(inside)):
                found.setdefault(".".join(["tensorflow", *inside[:i]]), set()).add(inside[i])
    return found


def main(folder, path):
    root = pathlib.Path(folder) / "tensorflow_core"
    tf = _oracle.load()
    public = api(root / "_api" / "v1", "tf")
    # v1.py is the list of the top; __init__.py beside it is written on a machine without the two others
    public["tf"] = imported(ast.parse((root / "_api" / "v1" / "v1.py").read_text(encoding="utf-8")))
    public["tf"] -= {"LazyLoader", "pywrap_tensorflow"}
    public["tf"] |= {"contrib", "estimator", "flags", "keras", "__version__", "__git_version__", "__compiler_version__"}
    public["tf"] |= {"__cxx11_abi_flag__", "__monolithic_build__"}
    public = {name: names for name, names in public.items() if not name.startswith(("tf.compat.v1", "tf.compat.v2"))}
    public["tf.compat"] |= {"v1", "v2"}
    public["tf.app"].add("flags")
    public["tf.flags"] = {name for name in dir(tf.flags) if not name.startswith("_")} - {"override_value", "set_default", "tf_decorator"}
    public |= api(root / "python" / "keras" / "api" / "_v1" / "keras", "tf.keras")
    public |= api(pathlib.Path(folder) / "tensorflow_estimator" / "python" / "estimator" / "api" / "_v1" / "estimator", "tf.estimator")
    public |= contrib(root)
    public = {ns: " ".join(sorted(names)) for ns, names in sorted(public.items())}
    inside = {package: " ".join(sorted(names)) for package, names in sorted(modules(root).items())}
    counts = {"public": sum(len(n.split()) for n in public.values()), "modules": sum(len(n.split()) for n in inside.values())}
    made_with = {"tensorflow-cpu": "1.15.0", "tensorflow-estimator": "1.15.1", **counts}
    recorded = {"made_with": made_with, "public": public, "modules": inside}
    pathlib.Path(path).write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")
    print(made_with)


if __name__ == "__main__":
    main(*sys.argv[1:])
