"""No committed file has machine paths, host names of registries, code that runs text, or markup from data."""

import ast
import re

import pytest
import sources

# The strings are split, so that this file does not contain the forbidden text.
FORBIDDEN = {
    "a path of somebody's machine": re.compile(r"(?<![\w.])/(?:root|home|opt|work|Users|mnt)" + r"/[\w.]"),
    "the host of a package registry": re.compile(
        r"registry\.npmjs|registry\.yarnpkg|files\.python" + r"hosted|pypi\.org/simple|deb\.debian"
    ),
    "an address inside a private network": re.compile(r"\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+\b"),
}  # fmt: skip
TEXTS = {".py", ".ts", ".css", ".json", ".toml", ".md", ".ipynb", ".lock", ".mjs", ".js", ".svg", ".txt", "", ".npmrc"}

# The modules that run generated source text: of their own names and integers, or of a teacher's lines in another order.
GENERATORS = {"tfedu/engine/runtime/plans/compile.py", "tfedu/explain/tasks/arrangement_builder.py"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
RUNS_DATA = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "code", "codeop"}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_has(what):
    matches = []
    for path in sources.committed():
        if path.suffix in TEXTS and "static" not in path.parts:
            text = path.read_text(encoding="utf-8")
            matches += [f"{path.relative_to(sources.ROOT)}: {m.group()}" for m in FORBIDDEN[what].finditer(text)]
    assert not matches, matches[:20]


def test_forbidden_text_is_found():
    examples = ["see /ho" + "me/me/x", "https://registry.np" + "mjs.org", "http://192.168" + ".1.2/"]
    for pattern, example in zip(FORBIDDEN.values(), examples, strict=True):
        assert pattern.search(example)


def missing_documents(text: str, names: set[str]) -> list[str]:
    return [name for name in re.findall(r"[\w-]+\.md\b", text) if name not in names]


def test_code_refers_to_no_document_outside_the_repository():
    public = {"table_format.md"}  # LevelDB's own description of its tables
    names = {path.name for path in sources.committed()} | public
    for path in sources.committed():
        if path.suffix in {".py", ".ts", ".mjs", ".css"} and "static" not in path.parts:
            assert not missing_documents(path.read_text(encoding="utf-8"), names), path


def test_a_document_outside_the_repository_is_found():
    assert missing_documents("see plans" + ".md, point 3", {"README.md"}) == ["plans" + ".md"]


def calls(tree: ast.Module):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "builtins":
            yield node.attr, node.lineno


def test_only_the_generators_run_text():
    for path, tree in sources.trees().items():
        if path not in GENERATORS:
            assert not [c for c in calls(tree) if c[0] in RUNS_TEXT], path


def test_every_generator_runs_text():
    trees = sources.trees()
    for path in GENERATORS:
        assert any(name in RUNS_TEXT for name, _ in calls(trees[path])), path


def test_nothing_unpickles():
    for path, tree in sources.trees().items():
        assert not [i for i in sources.imports(path, tree) if i[0].split(".")[0] in RUNS_DATA], path
        loose = [
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle" and not is_false(node.value)
        ]
        assert not loose, f"{path}: {loose}"


def is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def test_no_error_is_swallowed():
    for path, tree in sources.trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                catches_all = node.type is None or (
                    isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
                )
                does_nothing = all(isinstance(s, ast.Pass | ast.Continue) for s in node.body)
                assert not (catches_all and does_nothing), f"{path}:{node.lineno}"


MARKUP = re.compile(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|createContextualFragment)\b")
NETWORK = re.compile(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\s*\(|https?://(?!www\.w3\.org/)")
# A custom element loads its record from its page's own origin, and a page asks the server that it is from: no answer of another
# origin arrives.
OF_OWN_ORIGIN = [
    'widgets/src/elements/load.ts: answer = await fetch(url, { mode: "same-origin", signal: life });',
    'widgets/src/page.ts: const reply = await fetch(url, { mode: "same-origin", method: "POST", body });',
]
TEXT_AS_CODE = re.compile(r"\beval\s*\(|new Function\b")


@pytest.mark.parametrize(
    ("what", "pattern"), {"markup from text": MARKUP, "network": NETWORK, "text as code": TEXT_AS_CODE}.items()
)
def test_front_end_has_no(what, pattern):
    files = sorted((sources.ROOT / "widgets" / "src").rglob("*.ts"))
    assert files
    matches = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if pattern.search(line):
                matches.append(f"{file.relative_to(sources.ROOT).as_posix()}: {line.strip()}")
    assert matches == (OF_OWN_ORIGIN if pattern is NETWORK else [])
