"""jaxprs, StableHLO and HLO, made by jax."""

import pathlib

import jax
import jax.numpy as jnp
import pytest
from drawn import inputs, node, record_of
from jax import lax

import tfedu as tf
from tfedu.opened_files import FileKindError, opened
from tfedu.view.adapters.record_parts import GraphReadError

HERE = pathlib.Path(__file__).name


def layered(x, w):
    with jax.named_scope("layer"):
        y = jnp.sin(x @ w)
    return jnp.where(y > 0, y, 0.0)


def branching(x):
    total, doubles = lax.scan(lambda c, t: (c + t, c * 2), 0.0, x)
    chosen = lax.cond(total > 0, lambda a: a + 1, lambda a: a * 2, total)
    return lax.while_loop(lambda i: i < 3, lambda i: i + chosen, chosen), doubles


def printing(x):
    jax.debug.print("one {}", x, ordered=True)
    jax.debug.print("two {}", x, ordered=True)
    return x + 1


ARGS = (jnp.ones(3), jnp.ones((3, 3)))


# -- jaxprs ----------------------------------------------------------------------------------------------------------------


def test_equations_arguments_and_calls():
    record = record_of(jax.make_jaxpr(layered)(*ARGS))
    found = inputs(record)
    assert found["layer/dot_general"] == ["x", "w"]
    assert found["layer/sin"] == ["layer/dot_general"]
    assert found["gt"] == ["layer/sin", "0.0"]
    assert found["_where/select_n"] == ["gt", "_where/broadcast_in_dim", "layer/sin"]
    assert found["output"] == ["_where/select_n"]
    assert node(record, "w").outputs[0].text == "float32 (3, 3)"
    assert node(record, "0.0").role == "constant"
    assert node(record, "layer/sin").site.label.endswith(
        f"{HERE}, line {layered.__code__.co_firstlineno + 2}"
    )
    assert node(record, "layer/sin").site.source == "y = jnp.sin(x @ w)"


def test_bodies_are_scopes_and_loops_carry():
    found = inputs(record_of(jax.make_jaxpr(branching)(ARGS[0])))
    assert found["scan"] == ["scan/jaxpr/add", "scan/jaxpr/mul"]
    assert found["scan/jaxpr/argument 0"] == ["0.0", "scan/jaxpr/add"]
    assert found["scan/jaxpr/argument 1"] == ["x"]
    assert found["cond"] == ["convert_element_type", "cond/branches 0/mul", "cond/branches 1/add"]
    assert found["cond/branches 0/argument 0"] == ["scan"]
    assert found["while"] == ["while/cond_jaxpr/lt", "while/body_jaxpr/add"]
    assert found["while/body_jaxpr/argument 0"] == ["cond"]
    assert found["while/body_jaxpr/argument 1"] == ["cond", "while/body_jaxpr/add"]
    assert found["while/cond_jaxpr/argument 0"] == ["cond", "while/body_jaxpr/add"]


def test_ordered_effects_are_control_edges():
    record = record_of(jax.make_jaxpr(printing)(1.0))
    assert inputs(record)["debug_print_1"] == ["x", "^debug_print"]
    assert node(record, "debug_print").stateful


def test_a_ref_is_a_variable_whose_uses_have_an_order():
    ref = jax.new_ref(0.0)

    def count(x):
        ref[...] += x
        return ref[...]

    record = record_of(jax.make_jaxpr(count)(1.0))
    found = inputs(record)
    assert found["swap"] == ["&ref 0", "convert_element_type", "^get"]
    assert found["get_1"] == ["&ref 0", "^swap"]
    assert [(variable.name, node(record, variable.name).role) for variable in record.variables] == [
        ("ref 0", "variable")
    ]
    assert [node(record, name).role for name in ("get", "swap")] == ["read", "update"]


def test_traced_and_inner_jaxprs_are_drawn_too():
    closed = jax.make_jaxpr(layered)(*ARGS)
    assert inputs(record_of(closed.jaxpr)) == inputs(record_of(closed))
    assert "layer/sin" in inputs(record_of(jax.jit(layered).trace(*ARGS)))


def test_jaxprs_that_multiply_meet_the_budget():
    """Each function calls the next one twice, and jax keeps one jaxpr for both calls."""
    step = jax.jit(lambda x: x + 1)
    for _ in range(16):
        step = (lambda inner: jax.jit(lambda x: inner(inner(x))))(step)
    with tf.io.Budget(nodes=1000), pytest.raises(tf.errors.ResourceExhaustedError, match="The jaxpr needs"):
        tf.show(jax.make_jaxpr(step)(1.0))


def test_the_diff_of_two_jaxprs():
    before, after = jax.make_jaxpr(layered)(*ARGS), jax.make_jaxpr(lambda x, w: layered(x, w) * 2)(*ARGS)
    text = str(tf.explain.graph_diff(before, after))
    assert "mul" in text


# -- StableHLO -------------------------------------------------------------------------------------------------------------


def test_a_lowered_function():
    record = record_of(jax.jit(layered).lower(*ARGS))
    found = inputs(record)
    assert found["layer/dot_general"] == ["argument 0", "argument 1"]
    assert found["_where/select"] == ["compare", "layer/sine", "_where/broadcast_in_dim"]
    assert found["output"] == ["_where/select"]
    assert node(record, "layer/sine").site.source == "y = jnp.sin(x @ w)"
    assert node(record, "compare").outputs[0].text == "bool (3,)"


def test_the_text_of_stablehlo():
    lowered = jax.jit(branching).lower(ARGS[0])
    assert inputs(record_of(lowered.as_text())) == inputs(record_of(lowered))
    found = inputs(record_of(lowered.as_text()))
    assert found["while/do/argument 1"][1] == "while/do/add"
    assert found["case"][1:] == ["case/region 0/multiply", "case/region 1/add"]


def test_tokens_are_control_edges():
    record = record_of(jax.jit(printing).lower(1.0))
    assert inputs(record)["custom_call_1"] == ["argument 1", "^custom_call"]
    assert inputs(record)["custom_call"] == ["argument 1", "^argument 0"]


def test_a_sum_has_its_addition_as_an_attribute():
    record = record_of(jax.jit(jnp.sum).lower(ARGS[0]))
    assert dict(node(record, "reduce").attrs)["applies"] == "add"
    assert not [scope for scope in record.scopes if scope.path.startswith("reduce/")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("module {", "the StableHLO text is damaged"),
        ("module {}", "has no function"),
        ("module { func.func private @f(tensor<f32>) -> tensor<f32> }", "has no body"),
        ("module { func.func @main() { func.call @main() : () -> () return } }", "a function calls itself"),
        ("module " + "{" * 100_000, "brackets nested more than 500 deep"),
    ],
)
def test_damaged_stablehlo_is_refused(text, reason):
    with pytest.raises(GraphReadError, match=reason):
        tf.show(text)


# -- HLO -------------------------------------------------------------------------------------------------------------------


def test_a_compiled_function():
    record = record_of(jax.jit(branching).lower(ARGS[0]).compile())
    types = {each.type for each in record.nodes}
    assert {"while", "conditional", "parameter", "constant"} <= types
    assert [each for each in record.nodes if each.site is not None and HERE in each.site.label]


def test_the_text_of_hlo():
    record = record_of(jax.jit(branching).lower(ARGS[0]).as_text(dialect="hlo"))
    (loop, _) = [each.name for each in record.nodes if each.type == "while"]
    found = inputs(record)
    carried = [
        name
        for name in found
        if name.startswith(f"{loop}/body/") and node(record, name).role == "placeholder"
    ]
    assert len(carried) == 1
    assert found[carried[0]][1].startswith(f"{loop}/body/tuple")
    assert (
        found[next(name for name in found if name.startswith(f"{loop}/condition/arg"))] == found[carried[0]]
    )


def test_what_hlo_text_says_of_an_instruction():
    text = """HloModule m

add { // a reducer
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

ENTRY main {
  x = f32[2,3]{1,0} parameter(0), metadata={op_name="<script>" source_file="/etc/passwd" source_line=1}
  zero = f32[] constant(0), metadata={op_name="jit(f)/layer/inner/zero"}
  r = f32[2]{0} reduce(f32[2,3]{1,0} x, zero), dimensions={1}, to_apply=add, backend_config={"a":"}"}
  t = token[] after-all()
  o = (f32[2]{0}, token[]) tuple(r, t), control-predecessors={zero}
  ROOT g = f32[2]{0} get-tuple-element(o), index=0
}
"""
    record = record_of(text)
    found = inputs(record)
    assert found["r"] == ["x", "layer/inner/zero"]
    assert found["o"] == ["r", "^t", "^layer/inner/zero"]
    assert dict(node(record, "r").attrs) == {
        "dimensions": "{1}",
        "to_apply": "add",
        "backend_config": '{"a":"}"}',
    }
    assert dict(node(record, "layer/inner/zero").attrs) == {"value": "0"}
    assert node(record, "x").outputs[0].text == "float32 (2, 3)"
    # a text may name any file: it is not opened
    assert (node(record, "x").site.line, node(record, "x").site.source, record.codes) == (1, "", ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("HloModule m", "no ENTRY"),
        ("HloModule m\nENTRY e {\n}", "line 2: the computation 'e' has no instructions"),
        ("HloModule m\nENTRY e {\n  x = f32[] parameter(0", "line 3: its brackets are not closed"),
        (
            "HloModule m\nENTRY e {\n  x = f32[] neg(y)\n}",
            "line 3: 'x' takes 'y', which no line before it gives",
        ),
        (
            "HloModule m\nENTRY e {\n  x = f32[] map(), to_apply=nowhere\n}",
            "line 3: there is no computation 'nowhere'",
        ),
        ("HloModule m\nENTRY e {\n  ROOT x = f32[] call(), to_apply=e\n}", "one calls itself"),
        ("HloModule m\nhello", "line 2: expected a computation"),
        ('HloModule m\nENTRY e {\n  x = f32[] neg(), a="b\n}', "a quoted text has no end|brackets"),
    ],
)
def test_damaged_hlo_is_refused(text, reason):
    with pytest.raises(GraphReadError, match=reason):
        tf.show(text)


# -- files -----------------------------------------------------------------------------------------------------------------


def test_files_open(tmp_path):
    lowered = jax.jit(layered).lower(*ARGS)
    (tmp_path / "f.mlir").write_text(lowered.as_text())
    (tmp_path / "f.hlo").write_text(lowered.compile().as_text())
    for name in ("f.mlir", "f.hlo"):
        (widget,) = opened(tmp_path / name)
        assert widget.title == name
    (tmp_path / "f.mlir").write_bytes(b"\xff\xfe")
    with pytest.raises(FileKindError, match="no text in UTF-8"):
        opened(tmp_path / "f.mlir")
    (tmp_path / "f.hlo").write_text("hello")
    with pytest.raises(FileKindError, match="cannot show this text"):
        opened(tmp_path / "f.hlo")


def test_a_jitted_function_is_refused_with_what_can_be_drawn():
    with pytest.raises(TypeError, match=r"jax\.make_jaxpr"):
        tf.show(jax.jit(layered))
