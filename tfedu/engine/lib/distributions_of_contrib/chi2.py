"""`tf.contrib.distributions.Chi2`. No state."""

from __future__ import annotations

from typing import Any

from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..checks import asserts
from ..control.grouping import identity
from ..distributions.gamma import Gamma
from ..framework.scope_blocks import control_dependencies, name_scope


class Chi2(Gamma):
    """Chi-squared distributions with `df` degrees of freedom [batch...]: of the sum of that many squares of standard
    normal numbers.

    Raises: ValueError for a df that is not floating; in the run, under validate_args, InvalidArgumentError unless df and
    values are positive.
    """

    @atomic
    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df]) as scope:
            with control_dependencies([asserts.assert_positive(df)] if validate_args else []):
                self._df = identity(df, name="df")
            half, rate = 0.5 * self._df, constant(0.5, dtype=self._df.dtype)
            super().__init__(half, rate, validate_args, allow_nan_stats, scope)
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: Tensor) -> dict[str, Tensor]:
        return {"df": sample_shape}

    @property
    def df(self) -> Tensor:
        """The degrees of freedom [batch...]."""
        return self._df
