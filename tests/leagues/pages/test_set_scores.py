"""Set scores agree with the score that they stand beside."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from leagues.models import Match
from leagues.pages.set_scores import shown_detail
from leagues.services.matches import correct_match
from tests.leagues.page_texts import with_plain_scores
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result


@pytest.mark.parametrize(
    ("detail", "scores", "shown"),
    [
        ("3:4,0:4", (2, 0), "4:3,4:0"),
        ("9-11, 11-8, 5-11, 7-11", (3, 1), "11-9, 8-11, 11-5, 11-7"),
        ("6–7(5) 4–6", (2, 0), "7–6(5) 6–4"),
        ("0 : 1; 1 : 1", (2, 1), "1 : 0; 1 : 1"),
        # In the order of the shown score already, or without a word on whose they are.
        ("11-9, 8-11, 11-5, 11-7", (3, 1), "11-9, 8-11, 11-5, 11-7"),
        ("9-11", (None, None), "9-11"),
        ("4:4, 9:9", (2, 1), "4:4, 9:9"),
        # No pairs of numbers alone.
        ("9-11, Jun was hurt", (1, 0), "9-11, Jun was hurt"),
        ("2026-01-05", (2, 1), "2026-01-05"),
        ("1-2-3", (1, 0), "1-2-3"),
        ("", (1, 0), ""),
        ("1-2", (2, 1, 0), "1-2"),
    ],
)
def test_pairs_turn_where_the_score_says_so(
    detail: str, scores: tuple[int | None, ...], shown: str
) -> None:
    assert shown_detail(detail, scores) == shown


@pytest.mark.django_db
def test_stored_sets_are_turned_with_their_sides_without_a_score_too(client: Client) -> None:
    boss = make_user("boss")
    league = new_club(owner=boss)
    draft = result(
        league,
        "Ana",
        "Jun",
        ranks=(2, 1),
        kind="retirement",
        sets="11-9 3-11 7-6(5)",
        detail="a knee",
    )
    [match] = record(league, draft)
    other = replace(draft, detail="")
    correct_match(match=match, draft=other, author=boss, expected_version=1, reason="")
    client.force_login(boss)
    page = with_plain_scores(client.get("/l/club/m/autumn/1/").content.decode())
    assert "9–11, 11–3, 6–7(5)" in page
    assert "Jun &gt; Ana (9–11, 11–3, 6–7(5); a knee, retirement)" in page
    assert "11–9" not in page
    revision = with_plain_scores(client.get("/l/club/r/autumn/2/").content.decode())
    assert "Jun &gt; Ana (9–11, 11–3, 6–7(5); a knee, retirement)" in revision
    assert "Jun &gt; Ana (9–11, 11–3, 6–7(5), retirement)" in revision


@pytest.mark.django_db
def test_every_page_shows_them_in_the_order_of_its_sides_and_stores_them_as_entered(
    client: Client,
) -> None:
    boss = make_user("boss")
    league = new_club(owner=boss)
    draft = result(league, "Ana", "Jun", ranks=(2, 1), scores=(1, 3), detail="9-11, 11-8, 5-11")
    [match] = record(league, draft)
    entered = "9-11, 11-8, 5-11, 7-11"
    corrected = result(league, "Ana", "Jun", ranks=(2, 1), scores=(1, 3), detail=entered)
    correct_match(match=match, draft=corrected, author=boss, expected_version=1, reason="")
    client.force_login(boss)
    address = f"/l/club/m/{match.season.slug}/1/"
    page = with_plain_scores(client.get(address).content.decode())
    assert "11-9, 8-11, 11-5, 11-7" in page
    assert entered not in page
    address = f"/l/club/r/{match.season.slug}/2/"
    revision = with_plain_scores(client.get(address).content.decode())
    assert "Jun 3–1 Ana (11-9, 8-11, 11-5, 11-7)" in revision
    assert Match.objects.get().detail == entered
    body = client.get(f"/api/v1/leagues/club/matches/{match.season.slug}/1/").json()
    assert body["detail"] == entered
    assert [side["score"] for side in body["sides"]] == [1, 3]
