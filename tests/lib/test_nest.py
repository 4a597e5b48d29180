"""What TF 1.15's nest says that later releases do not: subtrees that may be longer than the shallow structure."""

import pytest

from tfedu.engine.lib.framework import nest_paths


def test_a_longer_subtree_is_cut_where_that_is_allowed():
    tree = {"a": [1, 2], "b": 3}
    assert nest_paths.flatten_up_to({"a": 0}, tree, check_subtrees_length=False) == [[1, 2]]
    assert nest_paths.map_structure_up_to([0], len, [[1, 2], [3]], check_subtrees_length=False) == [2]
    with pytest.raises(ValueError, match="don't have the same sequence length"):
        nest_paths.flatten_up_to({"a": 0}, tree)
    with pytest.raises(ValueError, match="has fewer elements than the shallow_tree"):
        nest_paths.assert_shallow_structure([0, 0, 0], [1, 2], check_subtrees_length=False)
