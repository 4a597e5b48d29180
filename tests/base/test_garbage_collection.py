"""The garbage collector is off inside the block, and has its earlier state afterwards."""

import gc

import pytest

from tfedu.engine.base.garbage_collection import collection_paused


def test_collection_goes_on_after_the_block_and_after_a_failure():
    with collection_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(KeyError), collection_paused():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_decorates_a_function_that_is_called_twice():
    enabled = collection_paused()(gc.isenabled)
    assert [enabled(), enabled(), gc.isenabled()] == [False, False, True]
