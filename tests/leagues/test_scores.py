"""Scores in the lines of a page."""

from __future__ import annotations

from django.utils.html import format_html

from leagues.templatetags.scores import unbroken_scores


def test_each_score_stays_in_one_line_and_the_rest_is_escaped() -> None:
    assert unbroken_scores("<b> 9–11, 7–6(5); RET") == (
        '&lt;b&gt; <span class="nw">9–11,</span> <span class="nw">7–6(5)</span>; RET'
    )
    assert unbroken_scores("it’s late & no one won") == "it’s late &amp; no one won"


def test_markup_in_a_line_stays_as_it_is() -> None:
    line = format_html('<time datetime="2025-10-01T20:00:00+01:00">1 Oct</time>: {}', "A & B 3–1")
    assert unbroken_scores(line) == (
        '<time datetime="2025-10-01T20:00:00+01:00">1 Oct</time>: '
        'A &amp; B <span class="nw">3–1</span>'
    )
