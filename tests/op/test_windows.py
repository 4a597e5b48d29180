"""The arithmetic of sliding windows: sizes, padding and views agree with the definition, element by element."""

import itertools

import numpy as np
import pytest

from tfedu.engine.base import errors
from tfedu.engine.base.shapes import ShapeMismatch
from tfedu.engine.op import windows


def test_a_layout_tells_channels_and_spatial_axes():
    assert windows.layout_of("NHWC") == (3, (1, 2))
    assert windows.layout_of("NCDHW") == (1, (2, 3, 4))
    assert windows.layout_of("NCW").shape("n", ["w"], "c") == ("n", "c", "w")
    assert windows.layout_of("NHWC").pick([1, 2, 3, 4]) == (2, 3)
    assert windows.layout_of("NCHW").others([5, 6, 7, 8]) == (5, 6)


@pytest.mark.parametrize("size", range(8))
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_every_position_of_a_window_lies_in_the_padded_axis_and_one_more_would_not(size, stride):
    for window, dilation in itertools.product([1, 2, 3], [1, 2]):
        for padding, room in (("VALID", size), ("SAME", size), ("EXPLICIT", size + 3)):
            if padding != "SAME" and room < (window - 1) * dilation + 1:
                continue
            s = windows.slide(size, window, stride, dilation, padding, (2, 1))
            length = s.before + size + s.after
            if s.places:
                assert (s.places - 1) * stride + s.extent <= length
            if padding != "SAME":
                assert s.places * stride + s.extent > length
            else:
                assert s.places == -(-size // stride)
                assert 0 <= s.after - s.before <= 1
            assert windows.output_size(size, window, stride, dilation, padding, (2, 1)) == s.places


def test_sizes_that_are_unknown_stay_unknown():
    nhwc = windows.layout_of("NHWC")
    assert windows.output_shape(nhwc, None, (3, 3), (1, 1), (1, 1), "VALID", 5) == (None, None, None, 5)
    shape = (None, 10, None, 3)
    assert windows.output_shape(nhwc, shape, (3, 3), (2, 1), (1, 1), "VALID", None) == (None, 4, None, None)
    assert windows.output_shape(nhwc, shape, (None, 3), (2, 1), (1, 1), "SAME", 5) == (None, 5, None, 5)
    assert windows.output_size(10, None, 1, 1, "VALID") is None


def test_a_window_that_is_too_large_is_refused():
    with pytest.raises(ShapeMismatch, match="Negative dimension size caused by subtracting 5 from 4"):
        windows.output_size(4, 3, 1, 2, "VALID")
    assert windows.slide(2, 3, 1, 1, "VALID").places == 0  # TF's kernels give an empty image then
    with pytest.raises(errors.InvalidArgumentError, match=r"negative: -1 \[input_size: 5, effective_filter_size: 7"):
        windows.slide(5, 3, 1, 3, "VALID")


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("padding", ["SAME", "VALID", "EXPLICIT"])
def test_windows_and_elements_are_those_that_the_definition_names(data_format, padding):
    layout = windows.layout_of(data_format)
    image = np.arange(1, 2 * 7 * 6 * 3 + 1, dtype=np.float32).reshape(layout.shape(2, (7, 6), 3))
    along = windows.slides((7, 6), (3, 2), (2, 1), (1, 2), padding, windows.pairs([1, 0, 2, 1]))
    around = windows.padded(np, image, layout, along, -1)
    all_windows = windows.windows(np, around, layout, along)
    assert np.shares_memory(all_windows, around)
    met = windows.elements(layout, along)
    for (i, j), (places, element) in zip(np.ndindex(3, 2), met, strict=True):
        values = np.full(all_windows.shape[:4], -1.0)
        values[places] = image[element]
        assert np.array_equal(values, all_windows[..., i, j])
        for y, x in np.ndindex(along[0].places, along[1].places):
            row, column = y * 2 + i - along[0].before, x + 2 * j - along[1].before
            inside = 0 <= row < 7 and 0 <= column < 6
            expected = image[layout.shape(slice(None), (row, column), slice(None))] if inside else -1
            assert np.all(values[layout.shape(slice(None), (y, x), slice(None))] == expected)


def test_an_element_meets_the_axis_at_the_places_that_the_definition_names():
    nwc = windows.layout_of("NWC")
    for size, window, stride, dilation in itertools.product(range(5), [1, 2, 4], [1, 2, 3], [0, 1, 2, 3]):
        for padding in ("SAME", "EXPLICIT"):
            s = windows.slide(size, window, stride, dilation, padding, (4, 9))
            for i, (places, met) in enumerate(windows.elements(nwc, (s,))):
                pairs = zip(range(s.places)[places[1]], range(size)[met[1]], strict=True)
                x = [place * stride + i * dilation - s.before for place in range(s.places)]
                assert list(pairs) == [(place, at) for place, at in enumerate(x) if 0 <= at < size]


def test_an_image_without_padding_is_not_copied():
    image = np.zeros((1, 4, 4, 1))
    along = windows.slides((4, 4), (2, 2), (2, 2), (1, 1), "SAME")
    assert windows.padded(np, image, windows.layout_of("NHWC"), along) is image
