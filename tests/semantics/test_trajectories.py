"""Training examples give the same losses and variables by interpreter and plan, under every legal schedule that is tried."""

import json
import pathlib

import harness
import numpy as np
import programs_trajectories as programs
import pytest

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "trajectories.json"
RECORD = json.loads(GOLDEN.read_text(encoding="utf-8"))["records"]["of_every_training_example"]
SCHEDULES = ["creation", *(f"random({seed})" for seed in range(6))]


class Session:
    """The namespace tf whose sessions have a schedule, and are interpreted or compile from the first run on."""

    def __init__(self, tf, interpreted, schedule):
        self.tf, self.interpreted, self.schedule = tf, interpreted, schedule

    def __getattr__(self, name):
        return getattr(self.tf, name)

    def Session(self, **settings):
        session = self.tf.Session(schedule=self.schedule, config=self.tf.ConfigProto(allow_soft_placement=True), **settings)
        session.interpreted = self.interpreted
        return session


def trajectory(example, interpreted, schedule):
    import tfedu as tf

    with tf.Graph().as_default():
        return programs.trajectory(Session(tf, interpreted, schedule), np, example)


@pytest.mark.parametrize("example", programs.EXAMPLES, ids=lambda e: e.__name__)
def test_a_trajectory_is_the_oracle_s_under_every_schedule_interpreted_and_compiled(example):
    import tfedu as tf

    first = trajectory(example, interpreted=True, schedule="creation")
    assert not harness.differences(RECORD[example.__name__], harness.encode(tf, first))
    for schedule in SCHEDULES:
        for interpreted in (True, False):
            losses, variables = trajectory(example, interpreted, schedule)
            np.testing.assert_allclose(losses, first[0], rtol=1e-6, atol=1e-7, err_msg=schedule)
            for name, value in variables.items():
                np.testing.assert_allclose(value, first[1][name], rtol=1e-5, atol=1e-6, err_msg=f"{schedule} {name}")
