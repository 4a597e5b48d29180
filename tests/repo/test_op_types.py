"""Facts about an op type are declared at the op: no list of op types and no comparison with one is outside engine/ops.

What an op's inputs, role, range and the like are, its `@op(...)` declares; who wants to know asks `op.definition`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
import sources

from tfedu.engine.op.definition import REGISTRY

TABLES = "tfedu/engine/ops/"
TYPES = frozenset(REGISTRY.whole())

# Modules whose very subject is some op types, with the reason why no op could declare it.
ALLOWED = {
    "tfedu/engine/autodiff/custom.py": "a custom gradient is hung on the IdentityN that the module makes",
    "tfedu/engine/interop/graph_util.py": "functions of tf.graph_util, which rewrite nodes of the types that TF names",
    "tfedu/engine/interop/meta_graph.py": "nodes of savers in old files, of types that there are no tables of",
    "tfedu/engine/interop/node_checks.py": "a Const in a file has a value, whose dtype is compared with its attribute",
    "tfedu/engine/lib/devices/cluster.py": "tf.train.replica_device_setter's own list, of types that there are no tables of too",
    "tfedu/engine/lib/framework/static_value.py": "the types that TF's Python layer folds: it is what must not be known too soon",
    "tfedu/engine/lib/nn/activations.py": "the gradient of swish is hung on the IdentityN that the function makes, as TF's is",
    "tfedu/engine/lib/summaries/summary.py": "get_summary_description takes nodes of one type",
    "tfedu/engine/lib/variables/initial_values.py": "the nodes that TF leaves alone when it initializes variables from others",
    "tfedu/engine/models/contrib/collection_summaries.py": "the activations of which TF summarizes the share of zeros",
    "tfedu/engine/op/infer.py": "the algebra of partly known shapes: how Shape, Pack, ConcatV2 and StridedSlice fit together",
    "tfedu/explain/lint/rules/branches_and_loops.py": "a rule about TensorArray.write",
    "tfedu/explain/lint/rules/known_values.py": "a rule about x[i] and tf.gather(x, i)",
    "tfedu/explain/lint/rules/numeric.py": "rules about patterns of certain ops: the loss after a softmax, x - y before a mean",
    "tfedu/explain/lint/rules/side_effects.py": "the types of what minimize() gives",
    "tfedu/explain/lint/rules/training_mistakes.py": "rules about patterns of certain ops: layers, dropout, bounds of sums",
    "tfedu/explain/mental_models/misconceptions.py": "a wrong mental model of tf.identity",
    "tfedu/explain/tasks/pieces.py": "names of functions, of which tf.Variable is also an op type",
    "tfedu/legacy/course.py": "names of functions that read files, of which some are also op types",
    "tfedu/view/make/element_reading/element_formulas.py": "how a formula writes an op: its sign, its name, or nothing",
    "tfedu/view/make/element_reading/element_graph.py": "which tensors a formula leaves out: moved, added, multiplied",
    "tfedu/view/make/element_reading/element_places.py": "products as rows and columns, windows framed",
    "tfedu/view/make/graph_records.py": "nodes of an imported graph whose types there are no tables of: their names tell",
}


def op_types(nodes: list[ast.expr]) -> list[str]:
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value in TYPES]


def is_type(node: ast.expr) -> bool:
    """`op.type`, or `node_def.op`."""
    return isinstance(node, ast.Attribute) and node.attr in ("type", "op")


def names_public(node: ast.AST) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def mentions(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """Lists of op types, mappings by them, and comparisons with one: line and types."""
    public = {id(part) for node in ast.walk(tree) if names_public(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in public:
            continue
        types: list[str] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            types = op_types(node.elts)
        elif isinstance(node, ast.Dict):
            types = op_types([key for key in node.keys if key is not None])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            types = words if len(words) > 1 and TYPES.issuperset(words) else []
        elif isinstance(node, ast.Compare) and any(map(is_type, (node.left, *node.comparators))):
            types = op_types([node.left, *node.comparators])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_type(node.func.value):
            if node.func.attr in ("startswith", "endswith"):
                types = [ast.unparse(argument) for argument in node.args]
        if types:
            yield node.lineno, types


FOUND = {path: list(mentions(tree)) for path, tree in sources.trees().items() if not path.startswith(TABLES)}


def test_no_list_of_op_types_stands_outside_the_op_tables():
    """Each line that is named: what its op types have in common belongs to their `@op(...)`."""
    lines = [f"{path}:{line}: {', '.join(types)}" for path in FOUND.keys() - ALLOWED.keys() for line, types in FOUND[path]]
    assert sorted(lines) == []


def test_the_modules_that_may_name_op_types_do_so():
    assert [path for path in ALLOWED if not FOUND.get(path)] == []


@pytest.mark.parametrize(
    "text",
    [
        'READS = ("ReadVariableOp", "ResourceGather")',
        'ROLES = {"Const": "constant"}',
        'def f(op):\n    return op.type in {"Switch"}',
        'def f(op):\n    return op.type == "Assign"',
        'def f(node):\n    return "Merge" != node.op',
        'def f(op):\n    return op.type.startswith("Restore")',
        'TYPES = frozenset(["Relu"])',
        'FORMULAS = {"dx = -g / y": "Reciprocal Inv"}',
    ],
)
def test_a_planted_list_is_found(text):
    assert len(list(mentions(ast.parse(text)))) == 1


def test_public_names_and_other_words_are_no_lists_of_op_types():
    text = '__all__ = ["Variable", "Assert"]\n__all__ += ["Print"]\nkind == "Any"\nx = ("a", "b")'
    assert list(mentions(ast.parse(text))) == []
