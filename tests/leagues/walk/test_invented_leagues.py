"""No page of any shape of league answers 500, whatever its last result was (item 16)."""

from __future__ import annotations

import pytest

from tests.leagues.walk.shapes import INVENTED, Shape
from tests.leagues.walk.walking import told, walk

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("shape", INVENTED, ids=lambda shape: shape.name)
def test_every_page_of_a_league_answers(shape: Shape) -> None:
    walked = walk(shape)
    assert walked.faults == [], told(walked.faults)
