"""Wins and losses are written as a board's matches are: with draws, without, or by places."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.models import League
from tests.leagues.play import new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


def body(client: Client, path: str) -> str:
    return client.get(path).content.decode()


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    return new_club(ranked_after=1)


league = read_anew("built_league")


def test_a_league_without_draws_shows_none(client: Client, league: League) -> None:
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 3))
    for path in ("/l/club/", "/l/club/seasons/autumn/", "/l/club/p/ana/?tab=opponents"):
        page = body(client, path)
        assert "W–L" in page and "W–D–L" not in page
    assert "won, lost" in body(client, "/l/club/p/ana/")


def test_one_draw_shows_draws_everywhere(client: Client, league: League) -> None:
    record(
        league, *rounds(league, ("Ana", "Bo", "Cy"), 3), result(league, "Bo", "Cy", ranks=(1, 1))
    )
    for path in ("/l/club/", "/l/club/seasons/autumn/", "/l/club/p/ana/?tab=opponents"):
        assert "W–D–L" in body(client, path)


def test_free_for_alls_count_firsts_and_places(client: Client, league: League) -> None:
    record(
        league,
        result(league, "Ana", "Bo", "Cy", "Dee"),
        result(league, "Ana", "Cy", "Bo", "Dee"),
        result(league, "Bo", "Ana", "Cy", "Dee"),
    )
    page = body(client, "/l/club/")
    assert "Firsts" in page and "2 of 3" in page and "W–D–L" not in page
    profile = body(client, "/l/club/p/ana/")
    assert "2 of 3" in profile and "mean place 1.3" in profile
    assert "Firsts" in body(client, "/l/club/seasons/autumn/")


def test_a_draw_is_no_outcome_where_a_hundred_results_had_none(
    client: Client, league: League
) -> None:
    """Beside “W–L”, a column of what a draw would bring is about another game."""
    client.cookies["me"] = "ana"
    drafts = rounds(league, ("Ana", "Bo", "Cy"), 34)
    match = record(league, *drafts[:99])[-1]
    told = {
        "/l/club/": "If I win, draw, lose",
        "/l/club/p/bo/": "</b> draw</dd>",
        "/l/club/opponents/": "If drawn",
        f"/l/club/m/autumn/{match.seq}/": "A draw",
    }

    def shows_draws() -> set[bool]:
        return {words in body(client, path) for path, words in told.items()}

    assert shows_draws() == {True}, "99 results are too few to tell"
    record(league, *drafts[99:])
    assert shows_draws() == {False}
    record(league, result(league, "Bo", "Cy", ranks=(1, 1)))
    assert shows_draws() == {True}
