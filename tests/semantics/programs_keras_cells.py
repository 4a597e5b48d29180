"""The cells of tf.keras that are no layer's own: PeepholeLSTMCell, and a program's own over AbstractRNNCell."""

from harness import attempt, program
from programs_keras_recurrent import MASK, called, each


def initializers(tf):
    return [[op.name, op.type] for op in tf.get_default_graph().get_operations() if "peephole" in op.name and "Initializer" in op.name]


@program
def peepholes(tf, np):
    cell = tf.keras.experimental.PeepholeLSTMCell

    def over(L, cell, **arguments):
        return [called(tf, np, L.RNN(cell, return_sequences=True), with_nodes=True, **arguments)[:-1], initializers(tf)]

    return each(
        tf, np,
        lambda L: over(L, cell(3)),
        lambda L: over(L, cell(3, implementation=2, use_bias=False, activation="relu")),
        lambda L: over(L, cell(3, unit_forget_bias=False), mask=MASK),
        lambda L: called(tf, np, L.RNN([cell(3), cell(2)]))[:3],
    )  # fmt: skip


def minimal(tf):
    class Minimal(tf.keras.layers.AbstractRNNCell):
        def __init__(self, units, **kwargs):
            self.units = units
            super().__init__(**kwargs)

        @property
        def state_size(self):
            return self.units

        def build(self, input_shape):
            self.kernel = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="kernel")
            self.built = True

        def call(self, inputs, states):
            output = tf.matmul(inputs, self.kernel) + states[0]
            return output, [output]

        def get_config(self):
            config = super().get_config()
            config["units"] = self.units
            return config

    class Told(Minimal):
        @property
        def output_size(self):
            return self.units

    return Minimal, Told


@program
def own_cells(tf, np):
    Minimal, Told = minimal(tf)
    cell = tf.keras.layers.AbstractRNNCell
    return [
        each(
            tf, np,
            lambda L: called(tf, np, L.RNN(Told(3)), with_nodes=True)[:-1],
            lambda L: called(tf, np, L.RNN([Told(3), Told(2)], return_state=True))[:3],
        ),
        attempt(lambda: cell().state_size), attempt(lambda: cell().output_size), attempt(lambda: cell().call(1, 2)),
        attempt(lambda: cell().get_initial_state(batch_size=2, dtype="float32")), cell().get_config()["name"],
        attempt(lambda: Minimal(2).output_size),
    ]  # fmt: skip
