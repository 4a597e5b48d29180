"""The order in which TopK leaves a row that holds NaN: no comparison with NaN is true, so that it follows from the algorithm.

`order(row, k, sorted)` gives the positions that TF's kernel gives, which sorts with C++'s library. Source:
tensorflow/core/kernels/topk_op.cc of 1.15; std::sort and the heap functions as GNU's library has them. No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Before: TypeAlias = Callable[[int, int], bool]

_SMALL = 16  # std::sort leaves parts of this length to insertion sort


def order(row: list[Any], k: int, is_sorted: bool) -> list[int]:
    """The positions of the k largest of the numbers [n] of a row."""
    if k == 1:
        return [_place_of_largest(row)]
    if k == len(row):
        places = list(range(k))
        _sort(places, lambda a, b: row[b] < row[a])
        return _equal_ones_in_order(places, row)
    return _top(row, k, is_sorted)


def _place_of_largest(row: list[Any]) -> int:
    """The first place of the maximum; where that is NaN, which equals nothing, the first place of all."""
    largest = float("-inf")
    for number in row:
        largest = largest if number < largest else number
    return next((i for i, number in enumerate(row) if number == largest), 0)


def _equal_ones_in_order(places: list[int], row: list[Any]) -> list[int]:
    begin = 0
    while begin < len(places):
        end = begin + 1
        while end < len(places) and row[places[begin]] == row[places[end]]:
            end += 1
        places[begin:end] = sorted(places[begin:end])
        begin = end
    return places


def _top(row: list[Any], k: int, is_sorted: bool) -> list[int]:
    """Keeps a heap of k + 1 positions, the least number in front."""

    def before(a: int, b: int) -> bool:
        return bool(row[b] < row[a] or (not row[b] > row[a] and a < b))

    if k == 0:
        return []
    heap = list(range(min(k + 1, len(row))))
    for parent in range((len(heap) - 2) // 2, -1, -1):
        _sift(heap, parent, len(heap), heap[parent], before)
    _pop(heap, len(heap), before)
    for place in range(k + 1, len(row)):
        if before(place, heap[0]):
            heap[k] = place
            _pop(heap, k + 1, before)
    del heap[k:]
    if is_sorted:
        for end in range(k, 1, -1):
            _pop(heap, end, before)
    return heap


def _rise(heap: list[int], hole: int, top: int, value: int, before: Before) -> None:
    """std::push_heap: moves the value up from the hole."""
    while hole > top and before(heap[(hole - 1) // 2], value):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = value


def _sift(heap: list[int], hole: int, length: int, value: int, before: Before) -> None:
    """std::adjust_heap: moves the hole down to a leaf, and the value up from there."""
    top = hole
    child = hole
    while child < (length - 1) // 2:
        child = 2 * child + 2
        if before(heap[child], heap[child - 1]):
            child -= 1
        heap[hole] = heap[child]
        hole = child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * child + 1
        heap[hole] = heap[child]
        hole = child
    _rise(heap, hole, top, value, before)


def _pop(heap: list[int], length: int, before: Before) -> None:
    """std::pop_heap: puts the front element last, and makes a heap of those before it."""
    value = heap[length - 1]
    heap[length - 1] = heap[0]
    if length > 1:
        _sift(heap, 0, length - 1, value, before)


def _sort(places: list[int], before: Before) -> None:
    """std::sort: quicksort with the median of three, heaps where that goes too deep, then insertion sort."""
    depth = 2 * (len(places).bit_length() - 1)
    parts = [(0, len(places), depth)]
    while parts:
        first, last, depth = parts.pop()
        while last - first > _SMALL:
            if depth == 0:
                part = places[first:last]
                for parent in range((len(part) - 2) // 2, -1, -1):
                    _sift(part, parent, len(part), part[parent], before)
                for end in range(len(part), 1, -1):
                    _pop(part, end, before)
                places[first:last] = part
                break
            depth -= 1
            cut = _partition(places, first, last, before)
            parts.append((cut, last, depth))
            last = cut
    for i in range(1, len(places)):
        value = places[i]
        if i < _SMALL and before(value, places[0]):
            places[1 : i + 1] = places[:i]
            places[0] = value
            continue
        while i > 0 and before(value, places[i - 1]):
            places[i] = places[i - 1]
            i -= 1
        places[i] = value


def _partition(places: list[int], first: int, last: int, before: Before) -> int:
    """Puts the median of three in front and what goes before it to its side; returns where the other side begins."""
    a, b, c = first + 1, (first + last) // 2, last - 1
    if before(places[a], places[b]):
        median = b if before(places[b], places[c]) else c if before(places[a], places[c]) else a
    else:
        median = a if before(places[a], places[c]) else c if before(places[b], places[c]) else b
    places[first], places[median] = places[median], places[first]
    pivot, low, high = places[first], first + 1, last
    while True:
        while low < last and before(places[low], pivot):
            low += 1
        high -= 1
        while high > first and before(pivot, places[high]):
            high -= 1
        if not low < high:
            return low
        places[low], places[high] = places[high], places[low]
        low += 1
