"""Where the caller's message stands in what an assertion says, as TF 1.15.0 itself says it."""

from harness import fresh, program


@program
def a_message_is_the_first_datum_of_a_run_time_check(tf, np):
    def of(check):
        def run():
            check(tf.placeholder(tf.float32, name="p"))
            operation = next(op for op in tf.get_default_graph().get_operations() if op.type == "Assert")
            texts = [t.op for t in operation.inputs if t.dtype == tf.string]
            texts = [t.inputs[0].op if t.inputs else t for t in texts]
            return [t.get_attr("value").string_val[0].decode() for t in texts if t.type == "Const"]

        return fresh(tf, run)

    checks = {name: getattr(tf, name) for name in ("assert_positive", "assert_negative", "assert_non_positive", "assert_non_negative")}
    calls = {
        "rank": lambda p, message: tf.assert_rank(p, 3, message=message),
        "rank in": lambda p, message: tf.assert_rank_in(p, [3, 4], message=message),
        "rank at least": lambda p, message: tf.assert_rank_at_least(p, 3, message=message),
        "near": lambda p, message: tf.debugging.assert_near(p, p, message=message),
    }  # fmt: skip
    calls.update({name: lambda p, message, check=check: check(p, message=message) for name, check in checks.items()})
    return {name: [of(lambda p, call=call, m=m: call(p, m)) for m in (None, "told")] for name, call in sorted(calls.items())}


@program
def a_check_that_fails_when_it_is_made_tells_the_message(tf, np):
    def of(error, check):
        def run():
            try:
                check(tf.constant([-1.0, 2.0], name="x"))
            except error as refused:
                return str(refused).split("\n")[0]

        return fresh(tf, run)

    return {
        "positive": of(tf.errors.InvalidArgumentError, lambda x: tf.assert_positive(x, message="told")),
        "rank": of(ValueError, lambda x: tf.assert_rank(x, 3, message="told")),
        "rank at least": of(ValueError, lambda x: tf.assert_rank_at_least(x, 3, message="told")),
    }  # fmt: skip
