"""What the fuzz tests do to graphs: seeded mutations of binary and text messages, and structures that lie.

``cases(seed, count)`` yields (kind, data): bytes that are perhaps a GraphDef. ``swallow(data)`` loads and imports them, and
gives the class of the error, or "" where the graph was sound; whatever is not one of ALLOWED comes through.
"""

import random

import tfedu as tf

ALLOWED = (
    ValueError, tf.errors.InvalidArgumentError, tf.errors.DataLossError, tf.errors.NotFoundError,
    tf.errors.ResourceExhaustedError,
)  # fmt: skip
NAMES = [
    "a", "a/b", "A", "x" * 3000, "<script>alert(1)</script>", '"; drop', "a b", "", "^a", "a:0", "\u202eevil", "日本", "a\x00b",
    "../../etc/passwd", "loc:@a", "-a", ".", "_a", "%s%n", "{0.__class__}", "a\nb",
]  # fmt: skip
SIZES = [0, 1, -1, -2, 2**31, 2**31 - 1, 2**40, 2**62, -(2**63), 2**63 - 1, 7]


def seeds():
    """A few sound graphs: arithmetic, variables of both kinds, a cond, strings, lists, a loop."""
    found = []
    with tf.Graph().as_default() as graph:
        a = tf.placeholder(tf.float32, [None, 3], name="a")
        v = tf.Variable([[1.0], [2.0], [3.0]], name="v")
        w = tf.Variable(1.5, name="w", use_resource=True)
        with tf.control_dependencies([v.initializer]), tf.device("/cpu:0"):
            y = tf.identity(tf.matmul(a, v) * w, name="y")
        tf.reshape(y, [-1, 2, 1], name="r")
        tf.strided_slice(y, [0], [5], [2], name="s")
        tf.concat([y, y], 0)
        found.append(graph.as_graph_def(add_shapes=True))
    with tf.Graph().as_default() as graph:
        p = tf.placeholder(tf.bool, [], name="p")
        tf.cond(p, lambda: tf.constant(1) + 2, lambda: tf.constant([4, 5], name="inside")[0], name="c")
        tf.constant(["a", "bc", "ü"], name="strings")
        tf.constant(3.5, shape=[20, 30], name="filled")
        tf.split(tf.constant([1, 2, 3, 4]), 2)
        with tf.control_dependencies([tf.no_op(name="n")]):
            tf.group(tf.constant(1j), tf.cast(tf.range(5), tf.float16))
        found.append(graph.as_graph_def())
    loop = tf.GraphDef()
    for name, op, inputs in (
        ("one", "Const", []), ("loop/Enter", "Enter", ["one"]), ("loop/Merge", "Merge", ["loop/Enter", "loop/Next"]),
        ("loop/Less", "Less", ["loop/Merge", "loop/Merge"]), ("loop/Cond", "LoopCond", ["loop/Less"]),
        ("loop/Switch", "Switch", ["loop/Merge", "loop/Cond"]), ("loop/Add", "Add", ["loop/Switch:1", "loop/Switch:1"]),
        ("loop/Next", "NextIteration", ["loop/Add"]), ("loop/Exit", "Exit", ["loop/Switch"]),
    ):  # fmt: skip
        node = loop.node.add(name=name, op=op)
        node.input.extend(inputs)
        if op == "Const":
            node.attr["dtype"].type = 1
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1.0))
        elif op != "LoopCond":
            node.attr["T"].type = 1
        if op == "Merge":
            node.attr["N"].i = 2
        if op == "Enter":
            node.attr["frame_name"].s = b"loop"
    found.append(loop)
    return found


def cases(seed, count):
    """(kind, bytes), the same ones for the same seed."""
    from google.protobuf import text_format

    draw = random.Random(seed)
    graphs = seeds()
    binary = [g.SerializeToString(deterministic=True) for g in graphs]
    text = [text_format.MessageToString(g).encode() for g in graphs]
    for at in range(count):
        kind = ("binary", "text", "structure", "structure")[at % 4]
        if kind == "binary":
            yield kind, mutated(draw, bytearray(draw.choice(binary)))
        elif kind == "text":
            yield kind, mutated_text(draw, draw.choice(text).decode())
        else:
            lie = tf.GraphDef()
            lie.CopyFrom(draw.choice(graphs))
            for _ in range(draw.randint(1, 4)):
                distort(draw, lie)
            try:
                yield kind, lie.SerializeToString(deterministic=True)
            except UnicodeEncodeError:
                continue


def mutated(draw, data):
    """Bits turned, bytes cut, doubled and exchanged, lengths raised."""
    for _ in range(draw.randint(1, 3)):
        if not data:
            break
        at = draw.randrange(len(data))
        what = draw.choice([0, 0, 0, 1, 2, 3, 4, 4, 5])
        if what == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            del data[at:]
        elif what == 2:
            del data[at : at + draw.randint(1, 20)]
        elif what == 3:
            data[at:at] = data[at : at + draw.randint(1, 40)]
        elif what == 4:
            data[at] = draw.randrange(256)
        else:
            data[at:at] = bytes(draw.choice([[0xFF] * 9 + [0x01], [0x80], [0x0A, 0xFF, 0x7F], [0x2A]]))
    return bytes(data)


def mutated_text(draw, text):
    """Tokens exchanged, braces added and lost, strings that are no UTF-8, numbers that fit nowhere."""
    lines = text.split("\n")
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(lines))
        what = draw.randrange(7)
        if what == 0:
            lines[at] = lines[draw.randrange(len(lines))]
        elif what == 1:
            del lines[at : at + draw.randint(1, 5)]
            lines = lines or [""]
        elif what == 2:
            lines.insert(at, draw.choice(["}", "{", "node {", '"', "<", ">", ":", "\\", "#", "[a.b/c]", "attr { func {" * 60]))
        elif what == 3:
            lines[at] = lines[at].replace('"', draw.choice(["'", '\\"', "", '"\\xff']), 1)
        elif what == 4:
            odd = draw.choice(["99999999999999999999", "-1", "nan", "true", "DT_FLOAT"])
            lines[at] = lines[at].rpartition(" ")[0] + " " + odd
        elif what == 5:
            lines[at] = lines[at][: draw.randrange(len(lines[at]) + 1)]
        else:
            lines[at] = "".join(draw.sample(lines[at], len(lines[at])))
    return "\n".join(lines).encode("utf-8", "replace")


def distort(draw, graph):
    """One lie about a node: its name, type, inputs, device, or one of its attributes."""
    if not graph.node:
        return
    node = graph.node[draw.randrange(len(graph.node))]
    what = draw.randrange(10)
    if what == 0:
        node.name = draw.choice([*NAMES, graph.node[0].name])
    elif what == 1:
        node.op = draw.choice(["", "Foo", "MatMul", "Merge", "Split", "Enter", "NoOp", "Const", "AddN", "Unpack", "x" * 2000])
    elif what == 2 and node.input:
        node.input[draw.randrange(len(node.input))] = draw.choice([*NAMES, node.name, f"^{node.name}", f"{node.name}:999999999"])
    elif what == 3:
        node.input.extend(draw.choice([["a"], ["^a"], [node.name], [""], ["a:1"], ["a"] * 50]))
    elif what == 4 and node.input:
        del node.input[draw.randrange(len(node.input))]
    elif what == 5:
        node.device = draw.choice(["/gpu:0", "garbage", "/job:a/task:x", "/device:CPU:99999999999999999999", "//", NAMES[4]])
    elif what == 6:
        del graph.node[draw.randrange(len(graph.node))]
    elif what == 7:
        graph.node.add().CopyFrom(node)
    else:
        keys = [*node.attr, "T", "N", "dtype", "value", "shape", "_class", "_output_shapes", "num_split"]
        twist(draw, node.attr[draw.choice(keys)])


def twist(draw, attr):
    """A lie in an attribute: another kind, another dtype, a size out of this world."""
    what = draw.randrange(9)
    if what == 0:
        attr.Clear()
    elif what == 1:
        attr.i = draw.choice(SIZES)
    elif what == 2:
        attr.s = draw.choice([b"", b"\xff\xfe", b"loc:@nowhere", b"x" * 5000])
    elif what == 3:
        attr.type = draw.choice([0, 1, 3, 7, 10, 20, 21, 24, 101, 120, 77, -1])
    elif what == 4:
        attr.shape.dim.add().size = draw.choice(SIZES)
        attr.shape.dim.add().size = draw.choice(SIZES)
    elif what == 5:
        tensor = attr.tensor
        tensor.dtype = draw.choice([0, 1, 3, 7, 9, 10, 14, 20, 21, 23, 77])
        for _ in range(draw.randrange(4)):
            tensor.tensor_shape.dim.add().size = draw.choice(SIZES)
        tensor.tensor_content = draw.choice([b"", b"abc", b"abcd" * 3])
        tensor.float_val.extend([1.0] * draw.randrange(3))
        tensor.string_val.extend([b"\xff"] * draw.randrange(2))
    elif what == 6:
        attr.list.type.extend([1, 0, 300])
        attr.list.s.append(b"loc:@\xff")
    elif what == 7:
        attr.placeholder = "x"
    else:
        func = attr.func
        for _ in range(draw.choice([1, 3, 15])):
            func.name = "f"
            func = func.attr["g"].func


def swallow(data):
    """Loads, imports and exports; the name of the error's class, or ""."""
    try:
        message = tf.io.load_graph_def(data)
        with tf.Graph().as_default() as graph:
            before = len(graph.get_operations())
            try:
                tf.import_graph_def(message, name="")
            except BaseException:
                assert len(graph.get_operations()) == before
                raise
            graph.as_graph_def(add_shapes=True)
    except ALLOWED as error:
        return type(error).__name__
    return ""


def meta_cases(seed, count):
    """Bytes that are perhaps a MetaGraphDef: a sound one with mutated bytes, or with collections that lie."""
    draw = random.Random(seed)
    with tf.Graph().as_default():
        tf.get_variable("v", [2], initializer=tf.ones_initializer())
        tf.get_variable("w", [2], use_resource=True, partitioner=tf.fixed_size_partitioner(2))
        tf.add_to_collection("n", 3)
        tf.add_to_collection("t", tf.constant(1.0, name="c"))
        tf.cond(tf.placeholder(tf.bool, [], name="p"), lambda: tf.constant(1.0) + 2, lambda: tf.constant(2.0))
        sound = tf.train.export_meta_graph()
    data = sound.SerializeToString(deterministic=True)
    for at in range(count):
        if at % 3 == 0:
            yield mutated(draw, bytearray(data))
            continue
        lie = tf.MetaGraphDef.FromString(data)
        distort_collection(draw, lie)
        yield lie.SerializeToString(deterministic=True)


def distort_collection(draw, meta):
    """One lie in a collection: bytes mutated, or a value of any kind appended."""
    key = draw.choice([*sorted(meta.collection_def), "savers", "while_context", "odd"])
    field = draw.choice(["node_list", "bytes_list", "int64_list", "float_list", "any_list"])
    collection = meta.collection_def[key]
    if collection.bytes_list.value and draw.random() < 0.5:
        value = collection.bytes_list.value
        value[draw.randrange(len(value))] = mutated(draw, bytearray(draw.choice(value)))
    elif field in ("node_list", "bytes_list"):
        name = draw.choice([*NAMES, "v:0", "c", "c:0", "c:9"])
        getattr(collection, field).value.append(name if field == "node_list" else name.encode())
    elif field == "any_list":
        collection.any_list.value.add().type_url = "x"
    else:
        getattr(collection, field).value.append(draw.choice([0, 1, -1]))


def swallow_meta(data):
    """Loads and imports a MetaGraphDef; the name of the error's class, or ""."""
    from tfedu.engine.base import proto
    from tfedu.engine.interop.message_files import load_message

    try:
        message = load_message(proto.MetaGraphDef, data)
        with tf.Graph().as_default() as graph:
            try:
                tf.train.import_meta_graph(message)
            except BaseException:
                assert graph.get_operations() == []
                assert graph.collections == []
                raise
            tf.train.export_meta_graph()
    except ALLOWED as error:
        return type(error).__name__
    return ""


def run_all(data):
    """Imports a graph and runs each of its nodes alone: the classes of what they raise; nothing for a refused graph."""
    try:
        message = tf.io.load_graph_def(data)
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(message, name="")
    except ALLOWED:
        return []
    outcomes = []
    for op in graph.get_operations():
        try:
            with tf.Session(graph=graph) as session:
                session.run(op)
            outcomes.append("")
        except tf.errors.OpError as error:
            outcomes.append(type(error).__name__)
    return outcomes
