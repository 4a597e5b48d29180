"""The modules of the package import each other in no circle, and each has a name of its own."""

import ast
import collections
import graphlib

import sources

# One idea may have a module of one name in each of these layers (the op table, the functions over its ops, a record, a widget,
# public names) and one more elsewhere in the package.
LAYERS_OF_ONE_IDEA = (
    "tfedu.engine.ops",
    "tfedu.engine.lib",
    "tfedu.engine.training",
    "tfedu.view.records",
    "tfedu.widgets",
)
# Name -> why several modules outside these layers have it.
SHARED_NAMES = {
    "attach": "gives the engine's classes the methods of its layer",
    "gfile": "public as tf.gfile and as tf.io.gfile",
    "graph_difference": "its record, and the function that a learner calls",
    "messages": "the messages of pictures and widgets, and those of legacy programs",
}
# Rooms whose name is the plural of a module or room beside them.
PLURALS = {"tfedu.engine.ops": "what an op is, and the tables of all ops"}


def import_graph(trees):
    """For each module the modules that it imports; an import for type checkers counts, too."""
    modules = {sources.module_name(path) for path in trees}
    graph = {}
    for path, tree in trees.items():
        names = [name for name, _ in sources.imports(path, tree)]
        targets = {name if name in modules else name.rpartition(".")[0] for name in names}
        graph[sources.module_name(path)] = targets & modules - {sources.module_name(path)}
    return graph


def circle_of(graph):
    """One circle of modules; an empty list where there is none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def test_no_modules_import_each_other_in_a_circle():
    assert not circle_of(import_graph(sources.trees()))


def test_a_planted_circle_is_found():
    texts = {
        "tfedu/view/one.py": "from .draw import two",
        "tfedu/view/draw/__init__.py": "",
        "tfedu/view/draw/two.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..one import One",
    }
    trees = {path: ast.parse(text) for path, text in texts.items()}
    assert set(circle_of(import_graph(trees))) == {"tfedu.view.one", "tfedu.view.draw.two"}


def layer_of(module):
    """The layer of one idea that the module is in, "public", or "keras"; None for a module of another layer."""
    if module.count(".") == 1:
        return "public"
    if module.startswith("tfedu.keras."):  # the names of tf.keras' own namespaces
        return "keras"
    return next((layer for layer in LAYERS_OF_ONE_IDEA if module.startswith(layer + ".")), None)


def name_clashes(modules):
    """Modules of one name that are neither one idea in several layers nor in SHARED_NAMES."""
    by_name = collections.defaultdict(list)
    for module in modules:
        room, _, name = module.rpartition(".")
        if room.rpartition(".")[2] != name:  # a room's main module may be named as the room
            by_name[name].append(module)
    clashes = []
    for name, same in by_name.items():
        layers = [layer_of(module) for module in same]
        if len(set(layers)) < len(layers) and name not in SHARED_NAMES:
            clashes.append(same)
    return clashes


def plural_pairs(modules):
    """Pairs of a module and its plural in one layer; a room may be the plural of a module in it."""
    by_name = collections.defaultdict(list)
    for module in modules:
        room, _, name = module.rpartition(".")
        by_name[".".join(room.split(".")[: 3 if room.startswith("tfedu.engine.") else 2]), name].append(module)
    pairs = []
    for (layer, name), singular in by_name.items():
        plural = by_name.get((layer, f"{name}s"), []) + by_name.get((layer, f"{name.removesuffix('y')}ies"), [])
        pairs += [(one, many) for one in singular for many in plural if not one.startswith(many + ".")]
    return [pair for pair in pairs if pair[1] not in PLURALS]


def test_a_name_tells_a_module_from_every_other_one():
    modules = [sources.module_name(path) for path in sources.trees()]
    assert not name_clashes(modules)
    assert not plural_pairs(modules)


def test_the_shared_names_are_shared():
    names = collections.Counter(sources.module_name(path).rpartition(".")[2] for path in sources.trees())
    assert not [name for name in SHARED_NAMES if names[name] < 2]


def test_planted_names_are_found():
    clash = ["tfedu.view.make.steps", "tfedu.explain.steps"]
    assert name_clashes([*clash, "tfedu.math", "tfedu.engine.ops.math", "tfedu.engine.lib.math.math"]) == [clash]
    assert name_clashes(["tfedu.engine.lib.a.sums", "tfedu.engine.lib.b.sums"])
    assert plural_pairs(["tfedu.view.make.trace", "tfedu.view.draw.traces", "tfedu.widgets.trace"]) == [
        ("tfedu.view.make.trace", "tfedu.view.draw.traces")
    ]
    assert not plural_pairs(["tfedu.engine.lib.variables", "tfedu.engine.lib.variables.variable"])
