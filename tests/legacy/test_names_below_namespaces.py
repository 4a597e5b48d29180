"""A nested namespace such as `tf.keras.layers` explains a name that it lacks, as `tf` does."""

import pytest

import tfedu as tf
from tfedu.legacy import missing


@pytest.mark.parametrize(("name", "near"), [("ThresholdedLinear", False), ("Densee", True)])
def test_the_error_for_an_unknown_name_suggests_the_nearest_one(name, near):
    with pytest.raises(AttributeError, match=f"module 'tfedu.keras.layers' has no attribute '{name}'") as told:
        getattr(tf.keras.layers, name)
    assert ("Did you mean 'Dense'?" in str(told.value)) == near


def test_the_error_for_a_name_of_1_15_says_that_tfedu_lacks_it():
    spaces = ("tf.keras.layers.", "tf.keras.callbacks.", "tf.keras.utils.", "tf.keras.preprocessing.")
    lacking = [name for name in missing.areas() if name.startswith(spaces) and name.count(".") == 3]
    lacking = [name for name in lacking if not missing.resolve(name)[0]]
    assert lacking
    for name in lacking:
        space, _, last = name.rpartition(".")
        with pytest.raises(AttributeError) as told:
            getattr(missing.resolve(space)[1], last)
        assert f"TensorFlow 1.15 has {name}, but tfedu does not have it yet" in str(told.value)


def test_the_modules_of_widgets_keep_their_plain_error():
    with pytest.raises(AttributeError) as told:
        tf.widgets.base.nonsense  # noqa: B018
    assert not isinstance(told.value, missing.MissingNameError)
