"""What 1.15's branches and loops say in other words than 2.15's; rows as in as_1_15.TEXT_RULES and as_1_15.EITHER."""

TEXT_RULES = [
    (
        r"^Attempting to lock a CriticalSection \(.*\) in which we are already running\..*$",
        "The function fn attempts to directly access the CriticalSection in which it would be running.  This is illegal and would "
        "cause deadlocks.",
        "wording",
    ),
    (
        r"^Arguments critical_section_def=.* and shared_name=.* are mutually exclusive\..*$",
        "critical_section_def and shared_name are mutually exclusive.",
        "wording",
    ),
    (r"^'true_fn' and 'false_fn' (must return at least one result\.)$", r"true_fn and false_fn \1", "wording"),
    (r"^(Incompatible return \w+ of )'true_fn' and 'false_fn'", r"\1true_fn and false_fn", "wording"),
    (r"^cond\(\): '(\w+)' and '(\w+)' (may not be set simultaneously\.)$", r"cond(): \1 and \2 \3", "wording"),
    (r"^'(cond|body)' must be callable\.$", r"\1 must be callable.", "wording"),
    (r"^'parallel_iterations' must be a positive integer\.$", "parallel_iterations must be a positive integer.", "wording"),
    (r"^'parallel_iterations' (must be a positive integer: .*)$", r"`parallel_iterations` \1", "wording"),
    (r"^'loop_vars' must be provided\.$", "No loop variables provided", "wording"),
    (
        r"^'maximum_iterations' must be a scalar\. Received shape: (.*)$",
        r"maximum_iterations must be a scalar, saw shape: \1",
        "wording",
    ),
    (r"^TypeSpec (TensorSpec\(.*\) is not compatible with)", r"TensorSpec \1", "wording"),
    (r"^'pred_fn_pairs' (must be a list, tuple, or dict)\. Received: .*$", r"fns \1", "wording"),
    (r"^Each entry in 'pred_fn_pairs' must be a 2-tuple\. Received .*$", "Each entry in pred_fn_pairs must be a 2-tuple", "wording"),
    (r"^'pred' must be Tensor of type bool\. Received: .*? (\S+):0.*$", r"pred must be Tensor of type bool: \1:0", "wording"),
    (r"^'branch_index' must be (a Tensor|an integer Tensor), got (.*)$", r"branch_index must \1, got \2", "wording"),
    (r"^(Must provide at least one item in )'branch_fns'$", r"\1branch_fns", "wording"),
    (r"^'branch_fns' (must be a list, tuple, or dict)$", r"branch_fns \1", "wording"),
    (r"^Each entry in 'branch_fns' must be a 2-tuple\. Received .*$", "Each entry in branch_fns must be a 2-tuple", "wording"),
    (r"^Argument (`\w+_fn` must be callable\.) Received .*$", r"\1", "wording"),
    (
        r"^Argument `pred` (must be a Tensor, or a Python bool, or 1 or 0\.) Received: pred=.* of type (\w+)$",
        r"`pred` \1 Found instead: <class '\2'>",
        "wording",
    ),
    (
        r"^can't convert Operation '(\S+)' to Tensor$",
        r"Can't convert Operation '\1' to Tensor (target dtype=None, name=None, as_ref=False)",
        "wording",
    ),
    (
        r"^Could not pack sequence\. Structure had (\d+) atoms, but flat_sequence had (\d+) items\.",
        r"Could not pack sequence. Structure had \1 elements, but flat_sequence had \2 elements.",
        "wording",
    ),
    (r"^FlattenDictItems: 'dict' must be a dictionary .*$", "input must be a dictionary", "wording"),
    (
        r"^Cannot flatten dict because this key is not unique: (.*)$",
        r"Could not flatten dictionary: key \1 is not unique.",
        "wording",
    ),
    (r"^Attempted to pack value:$", "flat_sequence must be a sequence", "wording"),
    *(
        (
            rf"^Tensor ({name}:0) may not be fed\.$",
            rf'Tensor Tensor("\1", shape=(), dtype={kind}) may not be fed.',
            "1.15 prints the tensor",
        )
        for name, kind in (("while/next", "int32"), ("go/Enter", "float32"))
    ),
]

EITHER = [
    (
        r"^(The two structures don't have the same nested structure\.)$",
        r"Incompatible return types of true_fn and false_fn: \1",
    ),
]
