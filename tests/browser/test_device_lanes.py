"""A run on several devices in a real browser: lanes, transfers between them, and the timeline of simulated time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from driver import expect
from test_exported_pages import opened

import tfedu as tf
from tfedu.widgets import StepThrough


@pytest.fixture(scope="module")
def page_of_towers(tmp_path_factory):
    """A batch that is split over two GPUs, and the sum of what they give."""
    with tf.Graph().as_default():
        with tf.device("/cpu:0"):
            x = tf.constant(np.ones([4, 2], np.float32), name="x")
            halves = tf.split(x, 2, name="split")
        sums = []
        for i, half in enumerate(halves):
            with tf.device(f"/gpu:{i}"), tf.name_scope(f"tower_{i}"):
                sums.append(tf.reduce_sum(half * 2.0, name="loss"))
        with tf.device("/cpu:0"):
            total = tf.add(*sums, name="total")
        steps = StepThrough(tf.explain.on_devices(total, gpus=2), runs=1)
        return steps.save(tmp_path_factory.mktemp("lanes") / "towers.html")


@pytest.mark.parametrize("width", [980, 700, 560])
def test_lanes_stand_apart_and_transfers_cross_them_with_their_bytes(browser, page_of_towers, width):
    with opened(browser, page_of_towers, viewport={"width": width, "height": 800}) as page:
        boxes = []
        for lane in ("GPU:0", "CPU:0", "GPU:1"):
            place = page.locator(f'.scope.open[data-scope="{lane}"]')
            place.wait_for()
            boxes.append(place.bounding_box())
        down = all(a["y"] + a["height"] <= b["y"] + 1 for a, b in itertools.pairwise(boxes))
        across = all(a["x"] + a["width"] <= b["x"] + 1 for a, b in itertools.pairwise(boxes))
        assert down or across
        assert "16 B" in page.locator("g.edges").text_content()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_slider_is_simulated_time_with_a_row_for_each_device(browser, page_of_towers):
    with opened(browser, page_of_towers, viewport={"width": 980, "height": 800}) as page:
        slider = page.get_by_test_id("scrub")
        assert slider.locator(".lane-names").inner_text().split() == ["CPU:0", "GPU:0", "GPU:1"]
        works, sends = slider.locator(".works"), slider.locator(".sends")
        assert works.count() >= 4
        assert sends.count() == 4
        slider.focus()
        for _ in range(40):
            page.keyboard.press("ArrowRight")
        expect(slider.locator(".works:not(.done), .sends:not(.done)")).to_have_count(0)
        assert "simulated clock" in slider.get_attribute("aria-valuetext")
        # A click on a bar goes to its step.
        box = sends.first.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"])
        expect(page.get_by_test_id("status")).to_contain_text("sends 16 B to GPU:")


def test_sends_are_drawn_on_request_and_a_lane_folds(browser, page_of_towers):
    with opened(browser, page_of_towers, viewport={"width": 980, "height": 800}) as page:
        send = page.locator("g.node", has_text="_Send")
        page.locator('.scope.open[data-scope="GPU:1"]').wait_for()
        assert send.count() == 0
        page.get_by_test_id("more").click()
        page.get_by_test_id("sends").click()
        send.first.wait_for()
        assert send.count() == 4
        page.keyboard.press("Escape")
        handle = page.locator('.scope.open[data-scope="GPU:1"] .handle')
        assert handle.get_attribute("aria-label") == "Device GPU:1"
        handle.dispatch_event("click")
        page.locator('.scope.closed[data-scope="GPU:1"]').wait_for()


def test_the_help_tells_the_signs_of_the_clock(browser, page_of_towers):
    with opened(browser, page_of_towers, viewport={"width": 980, "height": 800}) as page:
        page.locator('button[aria-controls$="help"]').click()
        signs = page.get_by_test_id("state-legend")
        assert signs.locator(".works, .sends, .badge.bytes").count() == 3
        assert "a device sends a value to another one" in signs.inner_text()
