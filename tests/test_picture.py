"""The picture of growth: well-formed, with each series and its words."""

from __future__ import annotations

from xml.etree import ElementTree

from benchmarks.picture import Panel, draw


def test_a_picture_has_a_line_and_a_word_for_each_series() -> None:
    level = [(1_000, 9.0), (1_000_000, 11.0)]
    panels = [
        Panel("A & B", "players", {"304": level, "kept": level}),
        Panel("C", "r", {"x": level}),
    ]
    picture = ElementTree.fromstring(draw(panels))  # noqa: S314 - our own text
    name = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f".//{name}polyline")) == 3
    words = {text.text: float(text.get("y", "0")) for text in picture.iter(f"{name}text")}
    assert {"A & B", "304", "kept", "1 million"} <= words.keys()
    assert abs(words["304"] - words["kept"]) >= 13
