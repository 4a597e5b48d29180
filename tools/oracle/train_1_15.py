"""What 1.15's losses, metrics and monitored sessions say in other words than 2.15's; rows as in as_1_15.TEXT_RULES."""

import types

RULES = [("quotients inside tf.metrics", "are made by tf.div in 1.15 (2.15: by tf.divide, another name)")]


def patch():
    """Puts 1.15's ways into the oracle's modules."""
    from tensorflow.python.ops import math_ops, metrics_impl

    own = types.ModuleType("math_ops")
    vars(own).update(vars(math_ops), divide=math_ops.div)
    metrics_impl.math_ops = own


TEXT_RULES = [
    (r"^(`Checkpoint` was expecting a trackable object \(an object derived from `Trackable)(`\).*)$", r"\1Base\2", "wording"),
    (r"^(Expected a positive integer or `None` for `max_to_)(keep`.*)$", r"\1max_to_\2", "wording"),
    (r"^File does not exist\. Received: (.*)\.$", r"File \1 does not exist.", "wording"),
    (r"^(Variables to save should be passed in a dict or a list)\. Got (.*)$", r"\1: \2", "wording"),
    (r"^(Registering two \w+ with name '.*'!) \(Previous registration was in .*\)$", r"\1", "names TensorFlow's own line"),
    (r"^(Unable to open table file .*): DATA_LOSS: (.*)$", r"\1: Data loss: \2", "the code in words"),
    (r"^(Unable to open table file .*): FAILED_PRECONDITION: (.*)$", r"\1: Failed precondition: \2", "the code in words"),
    (r"^Curve must be either ROC or PR\. Curve (.*) is unknown\.$", r"curve must be either ROC or PR, \1 unknown", "wording"),
    (r"^(`\w+` must be in the range \[0, 1\]\.) Currently, .*$", r"\1", "wording"),
    (r"^(Invalid k=-?\d+\.) `k` should be >= 1\.$", r"\1", "wording"),
    (r"^Argument `(labels|predictions|logits|multi_class_labels|onehot_labels)` must not be None\.$", r"\1 must not be None.", "wording"),
    (r"^(Invalid Reduction Key .*\.) Key should be one of .*$", r"\1", "wording"),
    (r"^You must specify argument `axis`\.$", "You must specify 'axis'.", "wording"),
    (
        r"^(weights can not be broadcast to values\. values\.rank=.*? weights\.shape=\(.*?\))\. Received weights=.*$",
        r"\1.",
        "1.15 does not print the tensors",
    ),
    (
        r"^(weights can not be broadcast to values\. Mismatch at dim \d+\. values\.shape=\[.*?\]),( weights\.shape=\[.*?\])\. Received .*$",
        r"\1\2.",
        "1.15 does not print the tensors",
    ),
]
