"""On the page of a night a time stands where it begins."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.leagues.page_texts import words_of
from tests.leagues.views.desk import DAY, Desk, singles_club

pytestmark = pytest.mark.django_db


def test_results_without_a_time_of_their_own_show_none(client: Client) -> None:
    club = singles_club()
    client.force_login(club.memberships.get().user)
    desk = Desk(client, club)
    lines = "20:40 Ana > Cy\nBo > Dee\nAna > Dee\n21:10 Bo > Cy\nAna > Cy\n"
    desk.check(lines)
    codes = re.findall(r'name="settled"\s+value="([^"]*)"', desk.check(lines))
    desk.enter(lines, settled=codes)
    page = words_of(client.get(f"/l/club/nights/autumn/{DAY}/").content.decode())
    assert (page.count("20:40"), page.count("21:10")) == (1, 1)
