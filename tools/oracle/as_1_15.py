"""Makes the oracle (2.15's graph mode) answer as TensorFlow 1.15 did, wherever 1.15 is known to differ.

``namespace()`` is the oracle's module with 1.15's graph building put in; ``as_1_15(record)`` rewrites the texts of a recording.
Every rule is a row of GRAPH_RULES, TEXT_RULES or EITHER, with its reason; there is no other difference between a recording
and what the oracle said. 1.15's side was read off its published sources.
"""

import re

import arrays_1_15
import control_1_15
import math_1_15
import train_1_15

GRAPH_RULES = [
    (
        "tf.one_hot with on_value or off_value",
        "converts each twice: to check its dtype, and for the node (2.15: once)",
    ),
    (
        "tf.nn.softmax_cross_entropy_with_logits and its sparse form",
        "refuse arguments by position (2.15: take them)",
    ),
    (
        "tf.add and every internal use of it",
        "makes op type Add (2.15: AddV2); the + operator makes AddV2 in both",
    ),
    (
        "reductions without axis of a rank-0 tensor",
        "1.15 makes one Const [] for the axis of any known rank (2.15: Rank, range)",
    ),
    (
        "seed of a random op in a seeded graph",
        "1.15 takes the number of nodes made so far (2.15: the number of random ops made so far)",
    ),
    *math_1_15.RULES,
    *train_1_15.RULES,
    *arrays_1_15.RULES,
    ("shape tensor of ones_like", "is named Shape in 1.15 (2.15: Shape/shape_as_tensor)"),
    (
        "value() and read_value() of a resource variable",
        "read on the variable's device in 1.15 (2.15: without a device, on that of the block)",
    ),
    ("tf.sparse.from_dense", "compares with a constant 0 in 1.15 (2.15: with zeros_like)"),
    ("tf.sparse.transpose", "counts the axes backwards by nodes in 1.15 (2.15: in Python where the rank is known)"),
    ("tf.sparse.cross", "is the op SparseCross in 1.15 (2.15: SparseCrossV2)"),
    ("sparse_read of a resource variable", "ends with an identity in 1.15"),
    ("tf.accumulate_n", "is the op AccumulateNV2 in 1.15 (2.15: AddN)"),
    ("tf.debugging.assert_shapes", "makes its group inside its scope in 1.15 (2.15: outside)"),
    ("tf.histogram_fixed_width_bins", "does not check nbins in 1.15"),
    ("tf.sparse.placeholder", "takes a whole shape as a constant in 1.15 (2.15: a placeholder with default)"),
    ("tf.linspace", "is the op LinSpace in 1.15 (2.15: some fifty nodes)"),
    (
        "changing a resource variable that was just changed",
        "1.15 does not wait for the change before (2.15 does): v.assign_add(1).assign_add(1) has no order",
    ),
    (
        "regularizer of get_variable",
        "1.15 calls it once, beside the variable and outside of control dependencies, and collects the loss itself (2.15: "
        "calls it twice, and collects what makes the loss)",
    ),
    (
        "tf.random_uniform",
        "1.15 always makes min, max, sub, mul and the final Add, before it takes the op's seed from the node count",
    ),
]

# (what to find, what 1.15 says, reason)
TEXT_RULES = [
    *train_1_15.TEXT_RULES,
    *control_1_15.TEXT_RULES,
    *arrays_1_15.TEXT_RULES,
    (
        r"^(assertion failed: \[[^\]]*)\.  \]( \[(?:Tensor \S+ must have rank|Condition x |x and y not equal))",
        r"\1]\2",
        "1.15's asserts put the caller's message down as it is (2.15: with a full stop and two blanks)",
    ),
    (
        r"^Indices and updates specified for empty input for",
        "Indices and updates specified for empty output shape for",
        "wording",
    ),
    (r"^`rate` must be provided\. Received: rate=None$", "You must provide a rate to dropout.", "wording"),
    (
        r"^`x\.dtype` must be a floating point tensor as `x` will be scaled\. Received: x_dtype=<dtype: '(.*)'>$",
        r"x has to be a floating point tensor since it's going to be scaled. Got a <dtype: '\1'> tensor instead.",
        "wording",
    ),
    (r"^Both `labels` and `logits` must be provided for .*$", "Both labels and logits must be provided.", "wording"),
    (
        r"^`labels\.shape\.rank` must equal `logits\.shape\.rank - 1`\. Received: .* of rank (\d+) and .* of rank (\d+)$",
        r"Rank mismatch: Rank of labels (received \1) should equal rank of logits minus 1 (received \2).",
        "wording",
    ),
    (
        r"^`labels\.shape` must equal `logits\.shape` except .* Received: labels\.shape=(\(.*\)) and logits\.shape=(\(.*\))$",
        r"Shape mismatch: The shape of labels (received \1) should equal the shape of logits except for the last dimension "
        r"(received \2).",
        "wording",
    ),
    (
        r"^`logits` cannot be a scalar\. Received logits=Tensor\(.*shape=(\(\)), .*$",
        r"Logits cannot be scalars - received shape \1.",
        "wording",
    ),
    (r"^`(logits)` and `(labels)` (must have the same shape), received (\(.*\))\.$", r"\1 and \2 \3 \4", "wording"),
    (r"^`data_format` (must be of the form `N\.\.\.C` or `NC\.\.\.`)\. Received: .*$", r"data_format \1", "wording"),
    (r"^`rate` (must be a scalar tensor or a float in the range \[0, 1\))\. Received: rate=(.*)$", r"rate \1, got \2", "wording"),
    (
        r"^No gradient defined for operation ?'(.*?)' \(op type: (\w+)\)\. In general every operation .*$",
        r"No gradient defined for operation '\1' (op type: \2)",
        "1.15 gives no advice",
    ),
    (r"^Length mismatch\. (Passed \d+ grad_ys for \d+ ys)$", r"\1", "wording"),
    (r"^(Gradients of complex tensors) \(.*\) (must set grad_ys \(y\.dtype = )(\w+)\)$", r"\1 \2tf.\3)", "1.15 does not print the tensor"),
    (r"^Invalid `aggregation_method` specified (.*)\. Accepted values are .*$", r"Invalid aggregation_method specified \1.", "wording"),
    (
        r"'\{\{node ([^}]*)\}\} = (\w+)\[.*?\]\(.*?\)'",
        r"'\1' (op: '\2')",
        "1.15's shape errors name node and op type alone",
    ),
    (
        r"'\{\{node ([^}]*)\}\} = (\w+)\[.*\]\(.*\)'",
        r"'\1' (op: '\2')",
        "the same, where an attribute holds a bracket",
    ),
    (r" \(graphs are <.*? object at \w+> and <.*? object at \w+>\)\.", ".", "1.15 does not print the graphs"),
    (
        r"^`(.*)` is not a valid node name\. Accepted names conform .*$",
        r"'\1' is not a valid node name",
        "wording",
    ),
    (r"^('.*') is not a valid (?:root )?scope name\. A (?:root )?scope .*$", r"\1 is not a valid scope name", "wording"),
    (r", node name: \S+$", "", "1.15 does not tell the node there"),
    (r"SymbolicTensor", "Tensor", "class name"),
    (
        r"^Iterating over a symbolic `tf.Tensor` is not allowed.*$",
        "iterating over `tf.Tensor` is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function.",
        "wording",
    ),
    (
        r"^Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.*$",
        "using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. Use Eager execution or decorate this function with "
        "@tf.function.",
        "wording",
    ),
    (
        r"^Cannot convert a symbolic tf.Tensor \((.*?)\) to a numpy array\..*$",
        r"Cannot convert a symbolic Tensor (\1) to a numpy array.",
        "wording",
    ),
    (
        r"^len is not well defined for a symbolic Tensor \((.*?)\)\. Please call `x.shape` rather than `len\(x\)` for shape information\.$",
        r"len is not well defined for symbolic Tensors. (\1) Please call `x.shape` rather than `len(x)` for shape information.",
        "wording",
    ),
    (
        r"^The Session graph is empty\. Add",
        "The Session graph is empty.  Add",
        "two blanks in 1.15 (the comparison counts blanks as one)",
    ),
]

# (pattern of 2.15's text, 1.15's text): both are accepted, since tutorials quote 2.15's and programs match on 1.15's.
EITHER = [
    *math_1_15.EITHER,
    *control_1_15.EITHER,
    (
        r"^The template expects (\d+) tensors, but the inputs only has (\d+)\. Please ensure .*$",
        r"\1 placeholder(s) in template does not match \2 tensor(s) provided as input",
    ),
    (r"^Argument `(nested_\w+)` must be a list of Tensors\. Received .*$", r"\1 must be a list of Tensors"),
    (
        r"^Input RaggedTensors have mismatched row partition dtypes; use ",
        r"Input RaggedTensors have mismatched row_splits dtypes; use ",
    ),
    (
        r"^Expected func to be callable\. Received func=.* of type (.*)\.$",
        r"Expected func to be callable, got func of type \1",
    ),
    (r"^Attempting to slice scalar input\.", r"Index out of range using input dim 0; input has only 0 dims"),
    (
        r"^Expected (\w+) passed to parameter 'y' of op '(\w+)', got [-\d.]+ of type 'float' instead\. Error: .*$",
        r"Input 'y' of '\2' Op has type float32 that does not match type \1 of argument 'x'.",
    ),
    (
        r'^Argument `fetch` = None has invalid type "NoneType"\. Cannot be None$',
        r"Fetch argument None has invalid type <class 'NoneType'>",
    ),
    (
        r'^Argument `fetch` = Tensor\("(.*)", shape=(.*), dtype=(.*?)\) cannot be interpreted as a Tensor\. \((.*)\)$',
        r"Fetch argument <tf.Tensor '\1' shape=\2 dtype=\3> cannot be interpreted as a Tensor. (\4)",
    ),
    (
        r"^Argument `fetch` = (.*) cannot be interpreted as a Tensor\. \((.*)\)$",
        r"Fetch argument '\1' cannot be interpreted as a Tensor. (\2)",
    ),
    (
        r'^Argument `fetch` = (.*) has invalid type "(.*)" must be a string or Tensor\. \((.*)\)$',
        r"Fetch argument \1 has invalid type <class '\2'>, must be a string or Tensor. (\3)",
    ),
    (
        r'^Argument `(graph|target|config)` must be a (\S+), but got "(\w+)"\.?$',
        r"\1 must be a \2, but got <class '\3'>",
    ),
    (
        r"^Cannot feed value of shape (\(.*?\)) for Tensor (\S+), which has shape (.*)$",
        r"Cannot feed value of shape \1 for Tensor '\2', which has shape '\3'",
    ),
    (r"^Tensor c:0 may not be fed\.$", r'Tensor Tensor("c:0", shape=(), dtype=float32) may not be fed.'),
    (
        r"^Operation (\S+) has been marked as not fetchable\. (Typically.* values,) (explicit.*)$",
        r"Operation '\1' has been marked as not fetchable. \2\3",
    ),
    (r"which was passed to the argument `feed_dict` with key", r"which was passed to the feed with key"),
    (
        r"^Argument `feed_list` must be a list or tuple\. Received: .*$",
        r"`feed_list` must be a list or tuple.",
    ),
    (r"^'tensors' must have at least one Tensor\. Received: (.*)\.$", r"Must have at least one Tensor: \1"),
    (
        r"^'inputs' should be zero or more \(nested\) Tensors\. Received '(.*)' with type '(.*)'\.$",
        r"Expected tf.group() expected Tensor arguments not '\1' with type '\2'",
    ),
    (
        r"^Unknown attribute '(.*)' is encountered while parsing the device spec: '(.*)'\.$",
        r"Unknown attribute: '\1' in '\2'",
    ),
    (
        r"^Cannot convert the argument `type_value`: (.*) to a TensorFlow DType\.$",
        r"Cannot convert value \1 to a TensorFlow DType.",
    ),
    (r"^Expected (\w+), but got (.*) of type 'str'\.$", r"Expected \1, got '\2' of type 'str' instead."),
    (r"Expected (\w+), but got (.*) of type '(\w+)'\.$", r"Expected \1, got \2 of type '\3' instead."),
    (
        r"^Failed to convert elements of (\[.*) to Tensor\. Consider casting elements to a supported type\..*$",
        r"Failed to convert object of type <class 'list'> to Tensor. Contents: \1. Consider casting elements to a supported type.",
    ),
    (
        r"^Failed to convert elements of (\{.*) to Tensor\. Consider casting elements to a supported type\..*$",
        r"Failed to convert object of type <class 'dict'> to Tensor. Contents: \1. Consider casting elements to a supported type.",
    ),
    (
        # the class is told by the module that it is in here
        r"^Failed to convert elements of (SparseTensor\(.*) to Tensor\. Consider casting elements to a supported type\..*$",
        r"Failed to convert object of type <class 'tfedu.engine.op.composites.SparseTensor'> to Tensor. Contents: \1. "
        r"Consider casting elements to a supported type.",
    ),
    (
        r"^Failed to convert elements of (\d+) to Tensor\. Consider casting elements to a supported type\..*$",
        r"Failed to convert object of type <class 'int'> to Tensor. Contents: \1. Consider casting elements to a supported type.",
    ),
    (
        r"^Too many elements provided\. Takes at most (.*), but got (.*)\.$",
        r"Too many elements provided. Needed at most \1, but received \2",
    ),
    (
        r"^Expected any non-tensor type, but got a tensor instead\.$",
        r"List of Tensors when single Tensor expected",
    ),
    (r"^Expected Tensor's shape: (.*), but got (.*)\.$", r"Expected Tensor's shape: \1, got \2."),
    (
        r"^Cannot convert a partially known TensorShape (.*) to a Tensor\.$",
        r"Cannot convert a partially known TensorShape to a Tensor: \1",
    ),
    (
        r"^`x` and `y` must have the same dtype, got (.*) != (.*)\.$",
        r"x and y must have the same dtype, got \1 != \2",
    ),
    (r"^Cannot infer argument `num` from shape (.*)$", r"Cannot infer num from shape \1"),
    (r"^Argument `axis` = (.*) not in range (.*)$", r"axis = \1 not in \2"),
    (
        r"^Tensor (\S+) must have rank(.*)  Received rank (.*)$",
        r".  Tensor \1 must have rank\2  Received rank \3",
    ),
    (r"^'pred' must not be a Python bool\.$", r"pred must not be a Python bool"),
    (r"^'(true_fn|false_fn)' must (.*)$", r"\1 must \2"),
    (r"^cond\(\): '(\w+)' argument required$", r"cond(): \1 argument required"),
    (
        r"^Outputs of 'true_fn' and 'false_fn' must have the same type\(s\)\. Received (\w+) from 'true_fn' and (\w+) from 'false_fn'\.$",
        r"Outputs of true_fn and false_fn must have the same type: \1, \2",
    ),
    (
        r"^The two structures don't have the same nested structure\.$",
        r"Incompatible return values of true_fn and false_fn: The two structures don't have the same nested structure.",
    ),
    (
        r"^\w+: (Tensor conversion requested dtype \w+ for Tensor with dtype \w+: <tf.Tensor .*>)$",
        r"\1",
    ),
    (
        r"^Variable \S+ did not get an initializer, so its `shape` argument must be specified\.$",
        r"The initializer passed is not valid. It should be a callable with no arguments and the shape should not be provided or "
        r"an instance of `tf.keras.initializers.*' and `shape` should be fully defined.",
    ),
    (
        r"^In this `tf\.Variable` creation, the initial value's shape \(\((\d+),\)\) is not compatible with the explicitly supplied "
        r"`shape` argument \(\((\d+),\)\)\.$",
        r"Dimension 0 in both shapes must be equal, but are \2 and \1. Shapes are [\2] and [\1]. for 'v/Assign' "
        r"(op: 'AssignVariableOp') with input shapes: [], [\1].",
    ),
    (
        r"^The `initial_value` passed to `tf\.Variable` (\S+) is from inside a control-flow .*$",
        r"Initializer for variable \1 is from inside a control-flow construct, such as a loop or conditional. When creating a "
        r"variable inside a loop or conditional, use a lambda as the initializer.",
    ),
    (
        r"^Both max_shard_bytes and bytes_per_string_element must be positive\. Currently.*$",
        r"Both max_shard_bytes and bytes_per_string_element must be positive.",
    ),
    (r"^Cannot partition variable along axis", r"Can not partition variable along axis"),
    (
        r"^`variable (.)= value` with `tf\.Variable`s is not supported\. Use `variable\.(\w+)\(value\)` to modify the variable, .*$",
        r"Variable \1= value not supported. Use variable.\2(value) to modify the variable value and variable = variable \1 value to "
        r"get a new Tensor object.",
    ),
    (
        r"^`var (.)= value` with `tf\.Variable`s is not supported\. .*$",
        r"Variable \1= value not supported. Use `var.assign(var \1 value)` to modify the variable or `var = var \1 value` to get a "
        r"new Tensor object.",
    ),
    (
        r"^Cannot assign value to variable ' \S+': Shape mismatch\.The variable shape (\(.*?\)), and the assigned value shape "
        r"(\(.*?\)) are incompatible\.$",
        r"Shapes \1 and \2 are incompatible",
    ),
    (
        r"^Invalid type for initial value=.* of type: (\w+)\. Expected Python scalar, list or tuple of values, or numpy\.ndarray\.$",
        r"Invalid type for initial value: <class '\1'> (expected Python scalar, list or tuple of values, or numpy.ndarray).",
    ),
    (
        r"^Argument `dtype` is expected to be floating point\. Received: (.*)\.$",
        r"Expected floating point type, got \1.",
    ),
    (r"^Argument `scale` must be a positive float\. Received: .*$", r"`scale` must be positive float."),
    (
        r"^The tensor to initialize, specified by argument `shape` must be at least two-dimensional\. .*$",
        r"The tensor to initialize must be at least two-dimensional",
    ),
    (r"^Invalid dtype (\S+) in __truediv__\. Expected .*$", r"Invalid dtype \1 in __truediv__"),
    (r"^Cannot specify both '(\w+)' and '(\w+)'\.$", r"Cannot specify both '\1' and '\2'"),
    (r"^Only one of `(\w+)` and `(\w+)` can be True\. Received.*$", r"Only one of \1 and \2 can be True."),
    (
        r"^partial_run\(\) requires empty `target_list`\. Received: .*$",
        r"partial_run() requires empty target_list.",
    ),
    (r"^'(\w)' has invalid dtype `(.*)` not in supported dtypes: .*$", r"'\1' invalid dtype \2."),
    (r"^Invalid dtype `(.*)` not in supported dtypes: .*$", r"Invalid dtype \1."),
    (
        r"^Argument sparse_tensor_value=(.*) is neither a SparseTensor nor SparseTensorValue\.$",
        r"Neither a SparseTensor nor SparseTensorValue: \1.",
    ),
    (
        r"^Sparse dtype mismatch\. Requested: (\w+),  Actual: (\w+)$",
        r"Sparse dtype: requested = \1, actual = \2",
    ),
    (
        r"^Argument `sparse_delta` must be a `tf.IndexedSlices`\. Received arg: (.*)$",
        r"sparse_delta is not IndexedSlices: \1",
    ),
    (
        r"^Value of argument `mode` expected to be one of .* Received `mode` = (.*)$",
        r"Unknown padding mode: \1",
    ),
    (r"^dest_nodes must be an iterable of strings, but got type .*$", "dest_nodes must be a list."),
    (
        r"^graph_def must be a graph_pb2\.GraphDef proto, but got type .*$",
        "graph_def must be a graph_pb2.GraphDef proto.",
    ),
    (
        r"^Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape\.$",
        r"inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape",
    ),
    (
        r"^Incompatible tensor conversion requested to `dtype` (\w+) for IndexedSlices \(.*\) with dtype (\w+)$",
        r"Tensor conversion requested dtype \1 for IndexedSlices with dtype \2",
    ),
    (
        r"^Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: (.*)$",
        r"Tensor conversion requested for IndexedSlices without dense_shape: \1",
    ),
    (
        r"^Incompatible tensor conversion requested to `dtype` (\w+) for `value` \((.*)\) with dtype (\w+)\.$",
        r"Tensor conversion requested dtype \1 for Tensor with dtype \3: '\2'",
    ),
    (
        r"^Incompatible type conversion requested to type (\w+) for `tf.Variable of type (\w+)\. \(Variable: .*\)$",
        r"Incompatible type conversion requested to type '\1' for variable of type '\2'",
    ),
    (r"^Argument `base_type` must be a type or a tuple of types\. .*$", "base_type must be a type or a tuple of types."),
    (r"^Argument `conversion_func` must be callable\. .*$", "conversion_func must be callable."),
    (r"^`tensor` should be a tf\.Tensor, but got type .*$", "`tensor` should be a tf.Tensor"),
    (
        r"^Expected values (.*) to be a dense tensor with shape (\[.*?\]), but got shape (\[.*\])\.$",
        r"Argument must be a dense tensor: \1 - got shape \3, but wanted \2.",
    ),
    (
        r"^Incompatible shapes for broadcasting\. Two shapes are compatible .* Received: (.*)\.$",
        r"Incompatible shapes for broadcasting: \1",
    ),
    (
        r"^Cannot convert (?:TensorShape|Dimension) .* to dtype (<dtype: '\w+'>)\. Allowed dtypes are tf\.int32 and tf\.int64\.$",
        r"Cannot convert a TensorShape to dtype: \1",
    ),
    (
        r"^Cannot convert TensorShape \((\d+),\) to dtype int32; a dimension is too large\. Consider using tf\.int64\.$",
        r"Cannot convert a TensorShape to dtype int32; a dimension is too large (\1)",
    ),
    (r"^Cannot convert unknown Dimension \? to a Tensor\.$", r"Cannot convert an unknown Dimension to a Tensor: ?"),
    (r"^(indices.* does not index into param shape \[.*\]), node name: \S+$", r"\1"),
    (
        r"^Argument `side` must be either 'right' or 'left'\. Received: `side` = '(.*)'\.$",
        r"side must be either 'right' or 'left'.  Saw: \1.",
    ),
    (
        r"^Argument `direction` should be one of (.*)\. Received: direction=(.*)$",
        r"\2 should be one of \1",
    ),
    (r"^Argument `maxlen` must be scalar for sequence_mask, received .*$", r"maxlen must be scalar for sequence_mask"),
    (
        r"^Argument `indexing` parameter must be either 'xy' or 'ij', got '.*'$",
        r"indexing parameter must be either 'xy' or 'ij'",
    ),
    (
        r"^Argument `tensor` \(name: (\w+)\) must be of type integer\. Received .* of dtype: <dtype: '(\w+)'>$",
        r"\1 must be an integer tensor; dtype=<dtype: '\2'>",
    ),
    (
        r"^Could not find variable (\S+)\. This could mean .* status error message=(.*)$",
        r"Error while reading resource variable \1 from Container: localhost. This could mean that the variable was "
        r"uninitialized. Not found: \2",
    ),
    (r"^Argument `axis` must be an int\. Received `axis` = .*$", r"axis must be an int; got list"),
    (r"^Shape of tensor _arg_(\w+)_\d+_\d+ (\[.*)$", r"Shape of tensor \1 \2"),  # a placeholder that is fed
    (
        r"^Trying to read variable with wrong dtype\. (Expected \w+ got \w+) (for '[^']*' \(op: 'Assign.*)$",
        r"Trying to initialize handle for variable with wrong dtype. \1 \2",
    ),
    (
        r"^Error converting (\w+) to a TensorShape: Failed to convert ''text'' to a shape: .*$",
        r"Error converting \1 to a TensorShape: A string has ambiguous TensorShape, please wrap in a list or convert to an int: text.",
    ),
    (
        r"^In\[0\] and In\[1\] has different ndims: (\[\]|\[\d+\]|\[\d+,\d+,[\d,]+\]) vs\. \[\d+,\d+\]$",
        r"In[0] is not a matrix. Instead it has shape \1",
    ),
    (
        r"^In\[0\] and In\[1\] has different ndims: \[\d+,\d+\] vs\. (\[.*\])$",
        r"In[1] is not a matrix. Instead it has shape \1",
    ),
    (r"^In\[0\] ndims must be >= 2: 1$", r"In[0] is not a matrix. Instead it has shape [3]"),
]

# (parameters of 2.15, those of 1.15)
SIGNATURE_RULES = [
    (", layout=None", ""),
    (", output_type=None, name=None", ", name=None"),
    ("name=None, out_type=None", "name=None, out_type=tf.int32"),
]

# (pattern of 2.15's text, 1.15's class, 1.15's text): where 1.15 raises another class.
CLASS_RULES = [
    (
        r"^(Error converting \w+ to a TensorShape: )Dimension value must be integer .* got value '(.*)' with type '<class 'float'>'\.$",
        "ValueError",
        r"\1Ambiguous dimension: \2.",
    ),
]


def namespace(tf):
    """The oracle's module tf, building graphs as 1.15 did (GRAPH_RULES)."""
    import numpy
    from tensorflow.python.framework import (
        constant_op,
        dtypes,
        ops,
        random_seed,
        sparse_tensor,
        tensor,
        tensor_shape,
        tensor_util,
    )
    from tensorflow.python.ops import (
        array_ops,
        check_ops,
        clip_ops,
        control_flow_ops,
        gen_array_ops,
        gen_math_ops,
        gen_random_ops,
        gen_sparse_ops,
        math_ops,
        random_ops,
        resource_variable_ops,
        shape_util,
        variable_scope,
    )

    def add(x, y, name=None):
        return gen_math_ops.add(x, y, name=name)

    def reduction_axes(x, axis):
        if axis is not None:
            return axis
        if isinstance(x, tensor.Tensor) and x.shape.rank is not None:
            return constant_op.constant(numpy.arange(x.shape.rank), dtype=dtypes.int32)
        if isinstance(x, sparse_tensor.SparseTensor) and x.dense_shape.shape.is_fully_defined():
            return constant_op.constant(numpy.arange(x.dense_shape.shape.as_list()[0]), dtype=dtypes.int32)
        return math_ops.range(0, array_ops.rank(x))

    def random_uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
        dtype = dtypes.as_dtype(dtype)
        if dtype not in (
            dtypes.float16,
            dtypes.bfloat16,
            dtypes.float32,
            dtypes.float64,
            dtypes.int32,
            dtypes.int64,
        ):
            raise ValueError(f"Invalid dtype {dtype!r}")
        if maxval is None:
            if dtype.is_integer:
                raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
            maxval = 1
        with ops.name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
            shape = shape_util.shape_tensor(shape)
            low = ops.convert_to_tensor(minval, dtype=dtype, name="min")
            high = ops.convert_to_tensor(maxval, dtype=dtype, name="max")
            seed1, seed2 = random_seed.get_seed(seed)
            if dtype.is_integer:
                return gen_random_ops.random_uniform_int(
                    shape, low, high, seed=seed1, seed2=seed2, name=scope
                )
            drawn = gen_random_ops.random_uniform(shape, dtype, seed=seed1, seed2=seed2)
            return math_ops.add(drawn * (high - low), low, name=scope)

    def linspace(start, stop, num, name=None):
        return gen_math_ops.lin_space(start, stop, num, name=name)

    get_seed = random_seed.get_seed

    def seed_by_node_count(op_seed):
        graph = ops.get_default_graph()
        if graph.seed is not None and op_seed is None:
            op_seed = len(graph.get_operations())
        return get_seed(op_seed)

    def value(self):
        if self._cached_value is not None:
            return self._cached_value
        with ops.colocate_with(None, ignore_existing=True), ops.device(self._handle.device):
            return self._read_variable_op()

    read_rows = resource_variable_ops.BaseResourceVariable.sparse_read

    def sparse_read(self, indices, name=None):
        return array_ops.identity(read_rows(self, indices, name))

    single = variable_scope._VariableStore._get_single_variable

    def single_variable(self, name, regularizer=None, **options):
        is_new = name not in self._vars
        made = single(self, name, regularizer=None, **options)
        if regularizer and is_new:
            with ops.colocate_with(made), ops.name_scope(name + "/Regularizer/"), ops.init_scope():
                loss = regularizer(made)
            if loss is not None:
                ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, loss)
        return made

    variable_scope._VariableStore._get_single_variable = single_variable
    updated = resource_variable_ops._UnreadVariable
    for name in [n for n in vars(updated) if n.startswith(("assign", "scatter_", "batch_scatter_", "count_up_to"))]:
        delattr(updated, name)
    def read_value(self):
        with ops.name_scope("Read"), ops.device(self._handle.device):
            read = self._read_variable_op()
        return array_ops.identity(read)

    resource_variable_ops.BaseResourceVariable.value = value
    resource_variable_ops.BaseResourceVariable.read_value = read_value
    resource_variable_ops.BaseResourceVariable.sparse_read = sparse_read
    random_seed.get_seed = seed_by_node_count
    math_ops.add = add
    math_ops._ReductionDims = reduction_axes
    random_ops.random_uniform = random_uniform
    mathematics = math_1_15.names(tf)
    train_1_15.patch()
    arrays = arrays_1_15.patch()
    mathematics["random"].uniform = random_uniform
    def from_dense(tensor, name=None):
        with ops.name_scope(name, "dense_to_sparse"):
            dense = ops.convert_to_tensor(tensor)
            there = array_ops.where_v2(math_ops.not_equal(dense, array_ops.constant(0, dense.dtype)))
            entries = array_ops.gather_nd(dense, there)
            return sparse_tensor.SparseTensor(there, entries, array_ops.shape(dense, out_type=dtypes.int64))

    def crossed(inputs, hashed, buckets, key, name):
        if not isinstance(inputs, list):
            raise TypeError("Inputs must be a list")
        if not all(isinstance(i, (sparse_tensor.SparseTensor, tensor.Tensor)) for i in inputs):
            raise TypeError("All inputs must be SparseTensors")
        sparse = [i for i in inputs if isinstance(i, sparse_tensor.SparseTensor)]
        columns = [i.values for i in sparse] + [i for i in inputs if isinstance(i, tensor.Tensor)]
        texts = all(c.dtype == dtypes.string for c in columns)
        columns = [c if c.dtype == dtypes.string else math_ops.cast(c, dtypes.int64) for c in columns]
        made = gen_sparse_ops.sparse_cross(
            indices=[i.indices for i in sparse],
            values=columns[: len(sparse)],
            shapes=[i.dense_shape for i in sparse],
            dense_inputs=columns[len(sparse) :],
            hashed_output=hashed,
            num_buckets=buckets,
            hash_key=key or 956888297470,
            out_type=dtypes.int64 if hashed else dtypes.string,
            internal_type=dtypes.string if texts else dtypes.int64,
            name=name,
        )
        return sparse_tensor.SparseTensor(*made)

    def transpose(sp_input, perm=None, name=None):
        with ops.name_scope(name, "SparseTranspose", [sp_input]):
            if perm is None:
                rank = array_ops.rank(sp_input)
                perm = rank - 1 - math_ops.range(0, rank, 1)
            columns = array_ops.gather(array_ops.transpose(sp_input.indices), perm)
            places = array_ops.transpose(columns)
            order = tensor_util.constant_value(ops.convert_to_tensor(perm))
            if order is not None and sp_input.get_shape().is_fully_defined():
                sizes = sp_input.get_shape().as_list()
                turned = list(sizes)
                for i, axis in enumerate(order):
                    turned[i] = sizes[axis]
            else:
                turned = array_ops.gather(sp_input.dense_shape, perm)
            return tf.sparse.reorder(sparse_tensor.SparseTensor(places, sp_input.values, turned))

    def sparse_placeholder(dtype, shape=None, name=None):
        def part(word):
            return None if name is None else f"{name}/{word}"

        rank = None
        if shape is not None:
            rank = shape.get_shape()[0] if isinstance(shape, tensor.Tensor) else len(shape)
        if shape is None or (not isinstance(shape, tensor.Tensor) and None in shape):
            sizes = array_ops.placeholder(dtypes.int64, shape=[rank], name=part("shape"))
        else:
            sizes = ops.convert_to_tensor(shape, dtype=dtypes.int64, name=part("shape"))
        entries = array_ops.placeholder(dtype, shape=[None], name=part("values"))
        places = array_ops.placeholder(dtypes.int64, shape=[None, rank], name=part("indices"))
        return sparse_tensor.SparseTensor(places, entries, sizes)

    sparse = _With(
        tf.sparse,
        placeholder=sparse_placeholder,
        transpose=transpose,
        from_dense=from_dense,
        cross=lambda inputs, name=None: crossed(inputs, False, 0, None, name),
        cross_hashed=lambda inputs, num_buckets=0, hash_key=None, name=None: crossed(
            inputs, True, num_buckets, hash_key, name
        ),
    )
    add_n = math_ops.add_n
    accumulate = math_ops.accumulate_n

    def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
        def summed(tensors, name=None):
            known = tensor_shape.as_shape(shape)
            for part in tensors:
                known = known.merge_with(part.get_shape())
            return gen_math_ops.accumulate_nv2(tensors, known, name=name)

        math_ops.add_n = summed
        try:
            return accumulate(inputs, shape, tensor_dtype, name)
        finally:
            math_ops.add_n = add_n

    def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
        def group(*inputs, **options):
            return control_flow_ops.group(*inputs, name=f"{name or 'assert_shapes'}/group_deps")

        check_ops.control_flow_ops = _With(control_flow_ops, group=group)
        try:
            return tf.debugging.assert_shapes(shapes, data, summarize, message, name)
        finally:
            check_ops.control_flow_ops = control_flow_ops

    def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
        with ops.name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
            values = ops.convert_to_tensor(values, name="values")
            sizes = array_ops.shape(values)
            flat = array_ops.reshape(values, [-1])
            ends = ops.convert_to_tensor(value_range, name="value_range")
            count = math_ops.cast(ops.convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins"), flat.dtype)
            scaled = math_ops.truediv(flat - ends[0], ends[1] - ends[0], name="scaled_values")
            places = math_ops.floor(count * scaled, name="indices")
            places = math_ops.cast(clip_ops.clip_by_value(places, 0, count - 1), dtypes.int32)
            return array_ops.reshape(places, sizes)

    mathematics = {
        **arrays,
        "histogram_fixed_width_bins": histogram_fixed_width_bins,
        "debugging": _With(tf.debugging, assert_shapes=assert_shapes),
        "math": _With(tf.math, accumulate_n=accumulate_n), "accumulate_n": accumulate_n, "sparse": sparse,
        "sparse_transpose": transpose, "sparse_placeholder": sparse_placeholder, **mathematics,
    }  # fmt: skip
    def by_name_only(name):
        def call(_sentinel=None, labels=None, logits=None, **others):
            if _sentinel is not None:
                raise ValueError(f"Only call `{name}` with named arguments (labels=..., logits=..., ...)")
            return getattr(tf.nn, name)(labels=labels, logits=logits, **others)

        return call

    def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
        values = {"on": on_value, "off": off_value}

        def from_values(indices, depth, on, off, axis, name):
            on, off = (t if values[key] is None else values[key] for key, t in (("on", on), ("off", off)))
            return gen_array_ops.one_hot(indices, depth, on, off, axis, name)

        array_ops.gen_array_ops = _With(gen_array_ops, one_hot=from_values)
        try:
            return tf.one_hot(indices, depth, on_value, off_value, axis, dtype, name)
        finally:
            array_ops.gen_array_ops = gen_array_ops

    crosses = ("softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits")
    mathematics["nn"] = _With(mathematics.get("nn", tf.nn), **{name: by_name_only(name) for name in crosses})
    return _With(tf, add=add, linspace=linspace, one_hot=one_hot, random_uniform=random_uniform, **mathematics)


class _With:
    """A module with some names replaced."""

    def __init__(self, module, **names):
        self.__dict__.update(names, _module=module)

    def __getattr__(self, name):
        return getattr(self._module, name)


def as_1_15(record):
    """The recording with TEXT_RULES and EITHER applied to its error texts."""
    if isinstance(record, list):
        return [as_1_15(x) for x in record]
    if isinstance(record, str) and "/shape_as_tensor" in record:
        record = re.sub(r"(Shape(?:_\d+)?)/shape_as_tensor", r"\1", record)
    if isinstance(record, str) and "=None" in record:
        for newer, older in SIGNATURE_RULES:
            record = record.replace(newer, older)
    if isinstance(record, dict):
        if "@error" in record:
            for pattern, name, text in CLASS_RULES:
                if re.search(pattern, record["text"]):
                    return {**record, "@error": [name], "text": re.sub(pattern, text, record["text"])}
            return {**record, "@error": record["@error"][:1], "text": text_as_1_15(record["text"])}
        return {k: as_1_15(v) for k, v in record.items()}
    return record


def text_as_1_15(text):
    for pattern, replacement, _ in TEXT_RULES:
        text = re.sub(pattern, replacement, text)
    older = [re.sub(pattern, replacement, text) for pattern, replacement in EITHER if re.search(pattern, text)]
    return [*older, text] if older else text
