"""Handicaps on pages: what a match says of them, and the reasons of a change."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client

from leagues import bridge
from leagues.domain.who_plays import EntryShape
from leagues.forms.places import read_places, write_places
from leagues.forms.reshaping import reshaped_values
from leagues.models import Board, League, Match, Standing
from leagues.services.leagues import add_board
from leagues.services.players import ensure_player
from tests.leagues.api.calls import browser
from tests.leagues.page_texts import words_of
from tests.leagues.people import make_user
from tests.leagues.play import (
    LATER,
    START,
    mode_of,
    new_club,
    record,
    result,
    rounds,
    season_of,
)
from tests.leagues.shared_rows import read_anew
from tests.leagues.views.test_night import Desk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    league.boards.all().delete()
    for system in ("elo", "ladder", "glicko2", "trueskill"):
        add_board(season=season_of(league), mode=mode_of(league), system=system)
    anyone = {"least_events": 0, "least_opponents": 0}
    add_board(season=season_of(league), mode=mode_of(league), system="static", parameters=anyone)
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(club: League) -> Client:
    return browser(club.memberships.get(role="organizer").user).client


def page_of(client: Client, address: str) -> str:
    return words_of(client.get(address))


def reasons(client: Client, board: str, of: str) -> list[tuple[str, str]]:
    context = client.get(f"/l/club/m/autumn/1/?board=blitz-{board}&of={of}").context
    return [(line.text, line.points) for line in context["page"].account.why.lines]


def test_a_match_says_its_handicap_and_what_it_gave(club: League, kim: Client) -> None:
    """By hand: K 40 · (1 − 0.5) = 20 between equals, with 64 points 40 · (1 − 0.5911) = 16.4."""
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    page = page_of(kim, "/l/club/m/autumn/1/?board=blitz-elo")
    assert "With a handicap, in rating points: Ana +64." in page
    assert "Ana’s chance to win was 59 %." in page.replace("\u202f", " ")
    lines = reasons(kim, "elo", "ana")
    assert ("With the handicap: Ana +64", "−4") in lines
    assert sum(int(points.replace("−", "-")) for _text, points in lines) == 16
    other = dict(reasons(kim, "elo", "bo"))
    assert other["With the handicap: Ana +64"] == "+4"


def test_boards_that_use_none_say_so(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    for board in ("ladder", "static"):
        page = page_of(kim, f"/l/club/m/autumn/1/?board=blitz-{board}")
        assert "Handicaps do not count here." in page, board
    for board in ("elo", "glicko-2", "trueskill"):
        page = page_of(kim, f"/l/club/m/autumn/1/?board=blitz-{board}")
        assert "Handicaps do not count here." not in page


def test_without_one_no_page_speaks_of_handicaps(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo"))
    for board in ("elo", "ladder", "glicko-2", "trueskill", "static"):
        page = page_of(kim, f"/l/club/m/autumn/1/?board=blitz-{board}")
        assert "andicap" not in page


def test_the_list_of_results_and_the_history_name_it(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo", handicaps=(0, -64)))
    assert "handicap: Bo −64" in page_of(kim, "/l/club/results/")
    assert "Ana > Bo (handicap: Bo −64)" in page_of(kim, "/l/club/m/autumn/1/")


def test_a_board_that_cannot_take_so_much_says_why(club: League, kim: Client) -> None:
    add_board(season=season_of(club), mode=mode_of(club), system="wenglin")
    record(club, result(club, "Ana", "Bo", handicaps=(2500, 0)))
    page = page_of(kim, "/l/club/m/autumn/1/?board=blitz-weng-lin")
    assert "Weng-Lin accepts handicaps from −83.3333 to 83.3333 (±2456 points of Elo)" in page


def test_the_formula_of_glicko_has_the_handicap_in_its_expectation(
    club: League, kim: Client
) -> None:
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    why = kim.get("/l/club/m/autumn/1/?board=blitz-glicko-2&of=ana").context["page"].account.why
    assert "Σ" not in why.formula


def test_a_profile_says_what_the_player_was_given(club: League, kim: Client) -> None:
    record(
        club,
        result(club, "Ana", "Bo", handicaps=(64, 100)),
        result(club, "Ana", "Bo", "Cy", handicaps=(7, 0, 0)),
        result(club, "Ana", "Cy"),
    )

    def given(key: str) -> list[str]:
        page = kim.get(f"/l/club/p/{key}/").context["page"]
        return sorted(row.handicap for row in page.matches)

    assert given("ana") == ["", "handicap +7", "handicap −36"]
    assert given("bo") == ["", "handicap +36"]
    assert "handicap −36" in page_of(kim, "/l/club/p/ana/")


def shown_even(board: Board, one: str, other: str) -> int | None:
    """The handicap that makes a match of two players even, by their standings."""
    rows = [
        Standing.objects.current(board).select_related("player").get(player__key=key)
        for key in (one, other)
    ]
    at = bridge.match_moment(board, LATER, *rows)
    entrants = [[bridge.Entrant.of(row.player, row)] for row in rows]
    return bridge.even_handicap(board, *entrants, at)


@pytest.mark.parametrize("info", bridge.systems(), ids=lambda info: info.name)
def test_with_the_handicap_named_a_match_is_expected_to_be_even(info) -> None:
    league = new_club("harbour")
    league.boards.all().delete()
    season, mode = season_of(league), mode_of(league)
    board = add_board(season=season, mode=mode, system=info.name)
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 4))
    board.refresh_from_db()
    if info.name in ("ladder", "static"):
        assert not Standing.objects.current(board).exists() or not shown_even(board, "ana", "cy")
        return
    points = shown_even(board, "ana", "cy")
    assert points is not None and points < -20
    assert shown_even(board, "cy", "ana") == pytest.approx(-points, abs=1)
    at = START + timedelta(days=20)
    record(league, result(league, "Ana", "Cy", at=at, handicaps=(points, 0)))
    board.refresh_from_db()
    (match,) = league.matches.filter(played_at=at)
    (rated,) = bridge.rated_everywhere(match)[1].values()
    expected = rated.system.predict(rated.sides, rated.at, rated.day).expected[0]
    assert expected == pytest.approx(0.5, abs=0.01)


def test_compare_leads_to_a_form_with_the_handicap(club: League, kim: Client) -> None:
    record(club, *rounds(club, ["Ana", "Bo"], 3))
    page = kim.get("/l/club/compare/?a=ana&b=bo&board=blitz-elo").context["page"]
    found = re.fullmatch(
        r"With a handicap of ([0-9]+) rating points for Bo it would be even\.", page.even.sentence
    )
    assert found
    points = int(found[1])
    assert page.even.start == f"−{points}"
    assert f"Even at −{points}" in page_of(kim, "/l/club/compare/?a=ana&b=bo&board=blitz-elo")
    form = kim.get(page.even.url).context["form"]
    assert (form["one_1"].value(), form["two_1"].value()) == ("Ana", "Bo")
    assert (form["handicap_one"].value(), form["handicap_two"].value()) == (None, points)
    assert form.has_particulars()
    other = kim.get("/l/club/compare/?a=bo&b=ana&board=blitz-elo").context["page"]
    assert other.even.start == f"+{points}"
    values = kim.get(other.even.url).context["form"]
    assert (values["handicap_one"].value(), values["handicap_two"].value()) == (points, None)
    assert "Even at" not in page_of(Client(), "/l/club/compare/?a=ana&b=bo&board=blitz-elo")
    ladder = kim.get("/l/club/compare/?a=ana&b=bo&board=blitz-ladder").context["page"]
    assert ladder.even is None


def test_compare_leads_teams_to_a_form_with_the_handicap(club: League, kim: Client) -> None:
    for day in range(3):
        at = START + timedelta(days=day)
        record(club, result(club, "Ana+Cy", "Bo+Di", at=at))
    page = kim.get("/l/club/compare/?a=ana+%2B+cy&b=bo+%2B+di&board=blitz-elo").context["page"]
    points = -page.even.points
    assert points > 0
    shown = page_of(kim, "/l/club/compare/?a=ana+%2B+cy&b=bo+%2B+di&board=blitz-elo")
    assert f"Even at −{points}" in shown
    response = kim.get(page.even.url)
    form = response.context["form"]
    assert response.context["choice"].shape == "teams"
    names = [form[field].value() for field in ("one_1", "one_2", "two_1", "two_2")]
    assert names == ["Ana", "Cy", "Bo", "Di"]
    assert (form["handicap_one"].value(), form["handicap_two"].value()) == (None, points)
    other = kim.get(page.even.url.replace("di", "nobody")).context["form"]
    assert (other["two_2"].value(), other["handicap_two"].value()) == (None, None)


def test_compare_leads_teams_of_five_to_a_list_with_the_handicap(club: League, kim: Client) -> None:
    one, two = "Ana+Cy+Ed+Flo+Gus", "Bo+Di+Hal+Ida+Jan"
    (match,) = record(club, result(club, one, two))
    sides = [side.lower().replace("+", "%2B") for side in (one, two)]
    page = kim.get(f"/l/club/compare/?a={sides[0]}&b={sides[1]}&board=blitz-elo").context["page"]
    form = kim.get(page.even.url).context["form"]
    expected = [one.replace("+", " + "), f"{two.replace('+', ' + ')} +{-page.even.points}"]
    assert form["places"].value().splitlines() == expected
    again = kim.get(f"/l/club/m/autumn/{match.seq}/").context["page"]
    assert kim.get(again.again_url).context["form"]["places"].value().splitlines()[0] == expected[0]


def test_the_stakes_of_a_form_are_those_of_the_handicap(club: League, kim: Client) -> None:
    """By hand: of equals, 40 · (1 − 0.5911) and 40 · −0.5911 with 64 points."""
    record(club, result(club, "Cy", "Di"))
    for name in ("Ana", "Bo"):
        ensure_player(league=club, name=name)
    club.boards.exclude(system="elo").delete()

    def stakes(words: str) -> list[tuple[str, str]]:
        page = kim.get(f"/l/club/enter/?a=ana&b=bo{words}")
        return [(one.stake.win, one.stake.loss) for one in page.context["stakes"]]

    assert stakes("") == [("+20", "−20"), ("+20", "−20")]
    assert stakes("&handicap_one=64") == [("+16", "−24"), ("+24", "−16")]
    for bad in ("4001", "nan", "-64", "1e9", "٣", "64.5"):
        assert stakes(f"&handicap_one={bad}") == stakes("")


def fields_of(**more: str) -> dict[str, str]:
    return {
        **{"form_id": str(uuid.uuid4()), "one_1": "Ana", "two_1": "Bo", "outcome": "one"},
        **{"played_on": "2025-10-02", "kind": "played", **more},
    }


def given(match: Match) -> list[tuple[str, int]]:
    return list(match.participants.order_by("side").values_list("player__name", "handicap"))


def test_the_form_enters_and_corrects_handicaps(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo"))
    assert kim.post("/l/club/enter/", fields_of(handicap_one="64")).status_code == 302
    match = club.matches.get(seq=2)
    assert given(match) == [("Ana", 64), ("Bo", 0)]
    address = "/l/club/m/autumn/2/correct/"
    form = kim.get(address).context["form"]
    assert (form["handicap_one"].value(), form["handicap_two"].value()) == (64, None)
    kept = fields_of(version="1", outcome="two", reason="")
    del kept["form_id"]
    assert kim.post(address, kept).status_code == 302
    assert given(club.matches.get(seq=2)) == [("Ana", 64), ("Bo", 0)]
    assert kim.post(address, {**kept, "version": "2", "handicap_one": "", "handicap_two": "-5"})
    assert given(club.matches.get(seq=2)) == [("Ana", 0), ("Bo", -5)]


def test_a_bad_handicap_is_refused_at_its_field(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo"))
    answer = kim.post("/l/club/enter/", fields_of(handicap_two="4001"))
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "handicap_two": ["A handicap must be a whole number of points from −4000 to 4000."]
    }


def list_of(**more: str) -> dict[str, str]:
    return {"played_on": "2025-10-01", "kind": "played", "version": "1", **more}


def test_a_correction_in_the_form_of_a_list_has_handicaps(club: League, kim: Client) -> None:
    record(club, result(club, "Ana", "Bo", "Cy", handicaps=(0, 30, -7)))
    address = "/l/club/m/autumn/1/correct/"
    assert kim.get(address).context["form"]["places"].value() == "Ana\nBo +30\nCy -7"
    bad = kim.post(address, list_of(places="Cy -7\nBo +4001\nAna"))
    assert bad.context["form"].errors == {
        "places": ["A handicap must be a whole number of points from −4000 to 4000."]
    }
    assert kim.post(address, list_of(places="Cy −8\nBo +30\nAna")).status_code == 302
    assert given(club.matches.get(seq=1)) == [("Cy", -8), ("Bo", 30), ("Ana", 0)]
    assert kim.post(address, list_of(places="Cy\nBo\nAna", version="2")).status_code == 302
    assert given(club.matches.get(seq=1)) == [("Cy", 0), ("Bo", 0), ("Ana", 0)]


def test_places_say_handicaps_and_read_them_again(club: League) -> None:
    text = 'Ana + Di +64: 31\nBo = Cy -5: 24\n"Agent -7" +8: 3\nEve + 64: 1'
    sides = list(read_places(text))
    assert [(side.names, side.handicap) for side in sides] == [
        (("Ana", "Di"), 64),
        (("Bo",), 0),
        (("Cy",), -5),
        (("Agent -7",), 8),
        (("Eve", "64"), 0),
    ]
    assert list(read_places(write_places(sides))) == sides


def test_another_shape_of_the_form_keeps_handicaps() -> None:
    pair = {"one_1": "Ana", "two_1": "Bo", "score_one": "3", "score_two": "1"}
    sent = {**pair, "handicap_one": "64", "handicap_two": "−5"}
    places = reshaped_values(sent, EntryShape.LIST)["places"]
    assert places == "Ana +64: 3\nBo −5: 1"
    back = reshaped_values({"places": places}, EntryShape.PAIR)
    assert (back["handicap_one"], back["handicap_two"]) == ("64", "-5")


def test_a_night_sheet_takes_handicaps_and_reads_them_back(club: League, kim: Client) -> None:
    record(club, result(club, "Ana Ruiz", "Bo", "Cy"))
    desk = Desk(kim, club)
    text = "Ana Ruiz +64 Bo 3:1\nBo > Cy -5\nAna Ruiz, Bo +30, Cy\nBo Cy 3:1"
    page = desk.check(text)
    for words in ("handicap: Ana Ruiz +64", "handicap: Cy −5", "handicap: Bo +30"):
        assert words in page
    assert page.count("handicap: ") == 3
    assert desk.enter(text).redirect_chain
    assert [given(match) for match in club.matches.filter(seq__gt=1).order_by("seq")] == [
        [("Ana Ruiz", 64), ("Bo", 0)],
        [("Bo", 0), ("Cy", -5)],
        [("Ana Ruiz", 0), ("Bo", 30), ("Cy", 0)],
        [("Bo", 0), ("Cy", 0)],
    ]
