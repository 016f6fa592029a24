"""The page after a night: what it did, a text for the chat, and a quiet undo."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Player, Revision
from leagues.selectors.standings import present
from leagues.services.drafts import MatchDraft
from leagues.services.leagues import add_board
from leagues.services.matches import correct_match, record_matches, revert_revision
from leagues.services.stored_drafts import draft_of
from tests.leagues.people import make_user
from tests.leagues.play import LATER, START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NAMES = ["Ana Ruiz", "Bo Li", "Cy Diaz"]
NIGHT = START + timedelta(days=40)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, NAMES, 1))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def night_of(club: League) -> list[MatchDraft]:
    """Two upsets and a newcomer."""
    return [
        result(club, "Cy Diaz", "Ana Ruiz", scores=(3, 2), at=NIGHT),
        result(club, "Cy Diaz", "Bo Li", at=NIGHT + timedelta(hours=1)),
        result(club, "Bo Li", "Ana Ruiz", "Zed", ranks=(1, 2, 2), at=NIGHT + timedelta(hours=2)),
    ]


def enter(club: League, *drafts: MatchDraft) -> Revision:
    """Store results that wait for being rated."""
    author = club.memberships.get().user
    recorded = record_matches(
        season=season_of(club), mode=mode_of(club), drafts=drafts, author=author
    )
    return recorded.revision


def page_of(client: Client, revision: Revision) -> str:
    response = client.get(f"/l/club/r/autumn/{revision.number}/")
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def chat_of(page: str) -> list[str]:
    found = re.search(r"<textarea readonly[^>]*>([^<]*)</textarea>", page)
    assert found
    return found[1].split("\n")


def test_what_a_night_did_comes_in_order_and_the_undo_is_last(kim: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    drain()
    page = page_of(kim, revision)
    marks = [
        "3 results recorded",
        'href="/l/club/?season=autumn&board=',
        "Enter the next night",
        "Most rating gained",
        "Most places gained",
        "Upsets",
        "For the club’s chat",
        "Undo this night</h2>",
        "They stay listed but no longer count.",
    ]
    places = [page.index(mark) for mark in marks]
    assert places == sorted(places)
    assert page.count("btn main") == 1
    assert "Cy Diaz beat Ana Ruiz" in page
    assert "Compared with the standings before 10 Nov 2025." in page


def test_the_chat_has_results_climbers_and_upsets_as_plain_text(kim: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    drain()
    lines = chat_of(page_of(kim, revision))
    assert lines[:4] == [
        "Quay Chess, 10 Nov 2025",
        "Cy Diaz 3–2 Ana Ruiz",
        "Cy Diaz beat Bo Li",
        "1. Bo Li, 2. Ana Ruiz, 2. Zed",
    ]
    assert lines[5].startswith("Most rating gained: Cy Diaz +")
    assert lines[6] == "Most places gained: Cy Diaz (3rd to 1st)"
    assert re.fullmatch(
        r"Upsets: Cy Diaz beat Ana Ruiz \(expected in [1-3]?\d of 100\)",
        lines[7],
    )
    assert lines[-1] == "http://testserver/l/club/nights/autumn/2025-11-10/"
    assert not any("kim" in line for line in lines)


def test_the_text_about_several_days_leads_to_the_standings(kim: Client, club: League) -> None:
    days = [result(club, "Cy Diaz", "Bo Li", at=NIGHT + timedelta(days=day)) for day in range(2)]
    revision = enter(club, *days)
    drain()
    lines = chat_of(page_of(kim, revision))
    assert lines[:7] == [
        "Quay Chess, 10 Nov 2025\N{EN DASH}11 Nov 2025",
        *("", "10 Nov 2025:", "Cy Diaz beat Bo Li"),
        *("", "11 Nov 2025:", "Cy Diaz beat Bo Li"),
    ]
    assert lines[-1].startswith("http://testserver/l/club/?season=autumn&board=")


def test_the_chat_has_the_handicap_of_a_result(kim: Client, club: League) -> None:
    sides = ("Ana Ruiz", "Bo Li")
    given = result(club, *sides, scores=(3, 1), handicaps=(64, 0), at=NIGHT)
    revision = enter(club, given)
    drain()
    assert chat_of(page_of(kim, revision))[1] == "Ana Ruiz 3–1 Bo Li (handicap: Ana Ruiz +64)"


def test_who_gained_nothing_that_is_shown_is_no_climber(kim: Client, club: League) -> None:
    """One win of a hundredth of a match moves the winner by less than a point."""
    light = replace(result(club, "Ana Ruiz", "Bo Li", at=NIGHT), weight=0.001)
    revision = enter(club, light)
    drain()
    page = page_of(kim, revision)
    assert "1 result recorded" in page
    assert "Most rating gained" not in page


def test_gains_are_the_changes_of_the_standings(kim: Client, club: League) -> None:
    def shown() -> int:
        rows = present(Board.objects.all()[0], LATER)
        return round(rows.values([rows.row_of(cy.pk) or 0])[0].value)

    cy = Player.objects.get(name="Cy Diaz")
    before = shown()
    revision = enter(club, *night_of(club))
    drain()
    assert f"<b>+{shown() - before}</b>" in page_of(kim, revision)


def test_a_page_that_waits_fills_in_by_itself_and_by_reloading(kim: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    address = f"/l/club/r/autumn/{revision.number}/"
    page = page_of(kim, revision)
    assert "The ratings are being computed." in page
    assert f'hx-get="{address}" hx-trigger="every 500ms"' in page
    assert re.search(r'<noscript>\s*<meta http-equiv="refresh" content="2">', page)
    assert "<textarea" not in page
    drain()
    part = kim.get(address, headers=HTMX).content.decode()
    assert part.strip().startswith('<div id="report"')
    assert "hx-get" not in part
    assert "Most rating gained" in part
    assert "http-equiv" not in page_of(kim, revision)


def test_a_board_that_has_stopped_says_so(kim: Client, club: League) -> None:
    Board.objects.update(state=Board.State.PAUSED)
    revision = enter(club, *night_of(club))
    page = page_of(kim, revision)
    assert "The ratings have stopped." in page
    assert "every 500ms" not in page


def test_newcomers_are_named_and_gain_nothing(kim: Client, club: League) -> None:
    revision = enter(club, result(club, "Zed", "Ana Ruiz", at=NIGHT))
    Player.objects.filter(name="Zed").update(revision=revision)
    drain()
    page = page_of(kim, revision)
    assert re.search(r'New players:\s*<a href="/l/club/p/zed/', page)
    assert "Most rating gained" not in page
    assert "1 result recorded" in page
    assert "Undo this result" in page


def test_the_first_night_of_a_league_has_climbers(client: Client) -> None:
    league = new_club("harbour")
    record(league, result(league, "Ana", "Bo"))
    assert "Most rating gained: Ana +" in "\n".join(
        chat_of(html.unescape(client.get("/l/harbour/r/autumn/1/").content.decode()))
    )


def test_the_chat_has_set_scores_in_the_order_of_the_names(kim: Client, club: League) -> None:
    sets = "11-9 8-11 9-11 7-11"
    lost = result(club, "Ana Ruiz", "Bo Li", scores=(1, 3), ranks=(2, 1), at=NIGHT, sets=sets)
    revision = enter(club, lost)
    drain()
    page = page_of(kim, revision)
    assert chat_of(page)[1] == "Bo Li 3–1 Ana Ruiz (9–11, 11–8, 11–9, 11–7)"


def test_visitors_read_the_report_and_find_no_undo(client: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    drain()
    page = page_of(client, revision)
    assert "Most rating gained" in page
    assert "Undo" not in page
    assert "Enter the next night" not in page
    assert "kim" not in page


def test_results_that_nobody_rates_have_a_text_only(kim: Client, club: League) -> None:
    revision = enter(club, result(club, "Ana Ruiz", "Bo Li", at=NIGHT, kind="unrated"))
    page = page_of(kim, revision)
    assert "being computed" not in page
    assert chat_of(page)[:2] == ["Quay Chess, 10 Nov 2025", "Ana Ruiz beat Bo Li (not rated)"]


def test_an_undone_night_has_no_report(kim: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    drain()
    undone = revert_revision(revision=revision, author=None)
    page = page_of(kim, revision)
    assert "results recorded" not in page
    assert "undone by change" in page
    assert "Bring the 3 results back" in page
    assert "3 results will count again, as they were last corrected." in page_of(kim, undone)
    assert Match.objects.filter(revision=revision, status=Match.Status.VOID).count() == 3


def test_a_corrected_night_is_undone_and_brought_back_in_words(kim: Client, club: League) -> None:
    revision = enter(club, *night_of(club))
    match = revision.matches.get(seq=first_of(revision))
    draft = draft_of(match)
    one, other = draft.sides
    sides = (replace(one, rank=other.rank), replace(other, rank=one.rank))
    correct_match(match=match, draft=replace(draft, sides=sides), expected_version=1, author=None)
    drain()
    assert "changed later: " in page_of(kim, revision)
    done = kim.post(f"/l/club/r/autumn/{revision.number}/undo/", follow=True).content.decode()
    assert f"change {revision.number} (results entered) was undone" in done
    assert f"Change {revision.number} (results entered) was undone." in done
    number = Revision.objects.latest("number").number
    back = kim.post(f"/l/club/r/autumn/{number}/undo/", follow=True).content.decode()
    assert f"change {revision.number} (results entered) was brought back" in back
    drain()
    assert "The results count again" in page_of(kim, Revision.objects.latest("number"))
    assert "brought back by change" in page_of(kim, revision)


def test_players_gone_with_an_undone_night_are_names_without_a_link(
    kim: Client, club: League
) -> None:
    revision = enter(
        club,
        result(club, "Zed", "Ana Ruiz", at=NIGHT),
        result(club, "Zed", "Ana Ruiz", "Bo Li", ranks=(1, 2, 3), at=NIGHT),
    )
    Player.objects.filter(name="Zed").update(revision=revision)
    drain()
    assert "/l/club/p/zed/" in kim.get(f"/l/club/m/autumn/{first_of(revision)}/").content.decode()
    undone = revert_revision(revision=revision, author=None)
    drain()
    assert kim.get("/l/club/p/zed/").status_code == 404
    for address in (
        f"/l/club/m/autumn/{first_of(revision)}/",
        f"/l/club/m/autumn/{first_of(revision) + 1}/",
        f"/l/club/r/autumn/{revision.number}/",
        f"/l/club/r/autumn/{undone.number}/",
        "/l/club/results/",
        "/l/club/changes/",
        "/l/club/p/ana-ruiz/",
    ):
        page = kim.get(address).content.decode()
        assert "/p/zed/" not in page, address
    assert "Zed" in kim.get(f"/l/club/m/autumn/{first_of(revision)}/").content.decode()


def first_of(revision: Revision) -> int:
    """The number of a revision's first match."""
    return Match.objects.filter(revision=revision).order_by("seq")[0].seq or 0


@pytest.mark.parametrize(
    ("system", "has_gains"), [("ladder", False), ("static", False), ("zerosum", True)]
)
def test_boards_without_ratings_before_a_match_tell_no_gains(
    kim: Client, club: League, system: str, has_gains: bool
) -> None:
    club.boards.update(position=5)
    add_board(season=season_of(club), mode=mode_of(club), system=system)
    revision = enter(club, *night_of(club))
    drain()
    page = page_of(kim, revision)
    assert f"board={Board.objects.get(system=system).slug}" in page
    assert ("Most rating gained" in page) is has_gains
