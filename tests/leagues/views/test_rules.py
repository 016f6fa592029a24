"""How ratings work, told; and rules changed by an organizer, seen beforehand."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leagues import bridge
from leagues.bridge import describe_system
from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import Match, Season, Trial
from leagues.rulebook import describe_rules
from leagues.services.leagues import add_board, update_league
from leagues.services.modes import change_score_rule
from leagues.services.rules import change_rules, rules_of
from leagues.services.seasons import Step, take_step
from leagues.services.trials import start_trial
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

MIDDLE = START + timedelta(days=2)


@pytest.fixture
def club():
    club = new_club()
    add_board(season=season_of(club), mode=mode_of(club), system="ladder")
    add_board(
        season=season_of(club), mode=mode_of(club), system="zerosum", parameters={"decay": 0.1}
    )
    record(
        club,
        *(
            result(club, "Ana", "Bo", scores=(3, 1), at=START + timedelta(days=day))
            for day in range(4)
        ),
    )
    return club


@pytest.fixture
def kim(club):
    return join(club, make_user("kim"), "organizer").user


def words_of(response):
    return " ".join(unescape(response.content.decode()).split())


@pytest.mark.parametrize("board", ["blitz-glicko-2", "blitz-elo", "blitz-ladder", "blitz-zero-sum"])
def test_the_rules_are_told_with_an_example_whose_numbers_the_match_page_has(client, club, board):
    page = client.get(f"/l/club/rules/?board={board}")
    assert page.status_code == 200
    told = page.context["page"].example
    match = client.get(told.url)
    assert match.status_code == 200
    account = bridge.match_account(
        club.boards.select_related("league", "season", "mode").get(slug=board),
        Match.objects.order_by("-played_at").first(),
    )
    assert len(told.rows) == len(account.accounts) == 2
    shown = words_of(match)
    for row in told.rows:
        assert row.change in shown
        assert row.after.value in shown


def test_what_absence_does_is_told_with_the_leagues_own_numbers(client, club):
    club.active_days, club.ranked_after = 30, 3
    club.save()
    page = words_of(client.get("/l/club/rules/?board=blitz-zero-sum"))
    assert "At the end of every 7 days" in page
    assert "10 % of the way to the mean" in page
    assert "After 30 days without a match" in page
    assert "at least three rated results" in page


def test_a_board_without_results_imagines_two_newcomers(client):
    new_club("empty")
    page = words_of(client.get("/l/empty/rules/?board=blitz-elo"))
    assert "both at 1500, the winner goes to 1520 and the loser to 1480" in page
    assert client.get("/l/empty/rules/?board=no-such").status_code == 404


def test_a_season_without_boards_has_no_rules_yet(client):
    club = new_club("empty")
    club.boards.all().delete()
    assert "No boards yet" in words_of(client.get("/l/empty/rules/"))


def test_a_sealed_season_is_told_by_the_rules_of_its_time(client):
    club = new_club("sealed", walkovers="win")
    record(club, result(club, "Ana", "Bo"))
    address = "/l/sealed/rules/?board=blitz-elo"
    assert "A match can be drawn." in words_of(client.get(address))
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(club), step, actor=None, now=timezone.now())
        drain()
    assert season_of(club).is_sealed
    changes = {
        "walkovers": "unrated",
        "draws_allowed": False,
        "ranked_after": club.ranked_after + 4,
        "active_days": club.active_days + 7,
    }
    update_league(league=club, changes=changes, actor=None)
    page = words_of(client.get(address))
    assert "A walkover counts as a win without a score." in page
    assert "Walkovers are listed but do not count." not in page
    assert "There are no draws." not in page
    assert "A match can be drawn." not in page
    assert f"After {club.active_days} days without a match" in page


def test_the_possible_scores_are_told_where_there_is_a_rule(client, club):
    address = "/l/club/rules/?board=blitz-elo"
    words = "A match is the best of 5 sets. The first side with 3 sets wins."
    assert words not in words_of(client.get(address))
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    assert words in words_of(client.get(address))


def test_every_system_is_told_whatever_its_parameters():
    for info in bridge.systems():
        usual = bridge.checked_parameters(info.name, {})
        assert describe_rules(info.name, usual).match
        for row in describe_system(info.name):
            others = {
                "flag": [True],
                "choice": list(row.choices),
            }.get(row.kind, [value for value in (1, 0.3, 0, 30) if value != row.default])
            for value in others:
                try:
                    parameters = bridge.checked_parameters(info.name, {row.name: value})
                except Exception as error:
                    assert type(error).__name__ == "ValidationError"
                    continue
                telling = describe_rules(info.name, parameters)
                said = [telling.idea, *telling.match, *telling.absence, *telling.sureness]
                assert all(sentence.endswith((".", ".)")) for sentence in said)
                assert not any("%(" in sentence for sentence in said)


def test_rules_are_changed_from_a_day_after_a_preview_and_told_with_the_reason(client, club, kim):
    board = club.boards.get(system="elo")
    client.force_login(kim)
    address = f"/l/club/settings/boards/{season_of(club).slug}/{board.slug}/"
    form = client.get(address).context["form"]
    typed = {form.add_prefix(name): form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    typed |= {"try-x_k0": "80", "try-effective_on": "2025-10-03"}
    before = client.get("/l/club/").content
    preview = client.post(address, typed)
    trial = Trial.objects.get()
    assert preview.url == f"/l/club/settings/rules/{trial.pk}/"
    waits = words_of(client.post(preview.url, {"reason": "Too slow"}))
    assert "Wait until" in waits
    assert 'name="reason"' not in waits
    tried = f"/l/club/systems/trials/{trial.pk}/"
    assert "Use these rules" not in words_of(client.get(tried))
    drain()
    assert "Use these rules" in words_of(client.get(tried, headers={"HX-Request": "true"}))
    polled = client.get(preview.url, headers={"HX-Request": "true"})
    assert polled.headers["HX-Refresh"] == "true"
    page = words_of(client.get(preview.url))
    assert "First K 40 80" in text_of(page)
    assert "Log loss" in page
    assert client.post(preview.url, {"reason": ""}).status_code == 422
    assert not board.rules.exists()
    changed = client.post(preview.url, {"reason": "Ratings moved too slowly"})
    assert changed.url == f"/l/club/rules/?season={season_of(club).slug}&board={board.slug}"
    drain()
    client.logout()
    rules = text_of(words_of(client.get(changed.url)))
    assert "from 3 Oct 2025 on now First K 40 → 80 “Ratings moved too slowly” kim" in rules
    assert "from the first result on when the board was created" in rules
    assert client.get("/l/club/").content != before


def text_of(page):
    return " ".join(
        re.sub(r"<[^>]+>", " ", page.replace("<bdi>", "").replace("</bdi>", "")).split()
    )


@pytest.mark.parametrize(
    "typed",
    [
        {"try-x_k": "-1"},
        {"try-x_k": "1e999"},
        {"try-x_k": "NaN"},
        {"try-x_k": "\x00"},
        {"try-x_k": ""},
        {"try-x_policy": "fast"},
        {"try-effective_on": "2925-01-01"},
        {"try-effective_on": "0001-01-01"},
        {"try-effective_on": "yesterday"},
        {},
    ],
)
def test_rules_that_cannot_be_are_refused_at_their_field(client, club, kim, typed):
    client.force_login(kim)
    board = club.boards.get(system="elo")
    address = f"/l/club/settings/boards/{season_of(club).slug}/{board.slug}/"
    form = client.get(address).context["form"]
    usual = {form.add_prefix(name): form[name].value() for name in form.fields}
    usual = {name: value for name, value in usual.items() if value not in (None, False)}
    response = client.post(address, usual | typed)
    assert response.status_code == 422
    assert response.context["form"].errors
    assert not Trial.objects.exists()


def test_a_season_that_is_over_says_so(client, club, kim):
    client.force_login(kim)
    board = club.boards.get(system="elo")
    trial = start_trial(board=board, parameters=board.parameters | {"k": 9.0}, actor=None)
    drain()
    Season.objects.update(state="closed")
    response = client.post(f"/l/club/settings/rules/{trial.pk}/", {"reason": "x"})
    assert response.status_code == 422
    assert "no longer accepts results" in words_of(response)
    assert not board.rules.exists()


def test_the_versions_of_a_board_are_in_the_api(client, club):
    board = club.boards.get(system="elo")
    kim = User.objects.create_user("kim")
    change_rules(board, parameters={"k": 30.0}, effective_at=MIDDLE, actor=kim, reason="Cup")
    told = client.get(f"/api/v1/leagues/club/boards/autumn/{board.slug}/rules/").json()
    assert [row["number"] for row in told["versions"]] == [1, 2]
    assert told["versions"][1] | {"created_at": "", "parameters": {}} == {
        "number": 2,
        "effective_at": "2025-10-03T19:00:00Z",
        "in_force": True,
        "reason": "Cup",
        "created_at": "",
        "parameters": {},
    }
    assert told["versions"][1]["parameters"]["k"] == 30.0
    assert told["system"] == "elo"
    assert len(rules_of(board)) == 2


def test_a_match_whose_players_have_no_place_yet_is_no_example(client):
    club = new_club("small")
    add_board(season=season_of(club), mode=mode_of(club), system="static")
    record(club, result(club, "Ana", "Bo"))
    page = client.get("/l/small/rules/?board=blitz-static")
    assert page.context["page"].example is None
    assert "someone in them is not placed yet" in words_of(page)
    assert client.get("/l/small/m/autumn/1/?board=blitz-static").status_code == 200


def test_a_league_of_free_for_alls_works_one_of_them_out(client):
    club = new_club("table")
    record(club, result(club, "Ana", "Bo", "Cy", ranks=(1, 2, 2)))
    told = client.get("/l/table/rules/").context["page"].example
    assert told.lead == "On 1 Oct 2025, Ana came first of three."
    assert [row.name for row in told.rows] == ["Ana", "Bo", "Cy"]


PLACED = "A player is placed after playing three or more opponents, five or more times each"


def static_club(names):
    """Return a club where all met five times, and a board places who met three others so often."""
    club = new_club("small")
    add_board(season=season_of(club), mode=mode_of(club), system="static")
    record(club, *rounds(club, names, 5))
    return club


def test_nobody_can_be_placed_and_the_board_says_why(client):
    club = static_club(["Ana", "Bo"])
    words = words_of(client.get("/l/small/?board=blitz-static"))
    assert "5 results" in words
    assert "No one can be ranked yet" in words
    assert PLACED in words
    assert "first result" not in words
    day = START.date().isoformat()
    words = words_of(client.get(f"/l/small/?board=blitz-static&on={day}"))
    assert "No one can be ranked yet" in words
    assert "No results by that day" not in words
    owner = make_user("kim")
    join(club, owner, "organizer")
    client.force_login(owner)
    words = words_of(client.get("/l/small/?board=blitz-static"))
    assert "No one can be ranked yet" in words
    assert "Enter the first result" not in words
    assert "Enter a result" in words


def test_on_a_board_that_places_some_only_these_are_ranked(client):
    static_club(["Ana", "Bo"])
    words = words_of(client.get("/l/small/rules/?board=blitz-static"))
    ranked = words.partition("Who is ranked")[2]
    assert "Everyone who is placed." in ranked
    assert PLACED in ranked
    assert "Everyone with a rated result" not in words


def test_whoever_is_not_placed_yet_is_named_as_the_reason(client):
    club = static_club(["Ana", "Bo", "Cy", "Dina"])
    record(club, result(club, "Ana", "Eve", at=START + timedelta(days=9)))
    words = words_of(client.get("/l/small/m/autumn/31/?board=blitz-static"))
    assert f"Eve is not placed yet. {PLACED}" in words
    assert "cannot rate a match like this" not in words
    words = words_of(client.get("/l/small/compare/?board=blitz-static&a=Ana&b=Eve"))
    assert "at least one of these two players is not placed yet" in words
    assert "no chain of opponents" not in words
    words = words_of(client.get("/l/small/p/eve/?board=blitz-static"))
    assert "Not placed yet" in words
    assert PLACED in words
    assert "No rated results yet" not in words


@pytest.mark.parametrize(
    ("sides", "ranks", "lead"),
    [
        (("Ana", "Bo"), (1, 1), "On 1 Oct 2025, Ana and Bo drew."),
        (("Ana + Bo", "Cy + Dee"), (1, 1), "On 1 Oct 2025, Ana + Bo and Cy + Dee drew."),
        (("Ana + Bo", "Cy"), (1, 2), "On 1 Oct 2025, Ana + Bo won against Cy."),
        (("Ana", "Bo", "Cy"), (1, 1, 1), "On 1 Oct 2025, Ana, Bo and Cy drew."),
        (
            ("Ana", "Bo", "Cy"),
            (1, 1, 3),
            "On 1 Oct 2025, Ana and Bo shared first place of three.",
        ),
    ],
)
def test_the_rules_work_out_a_last_match_that_nobody_won(client, sides, ranks, lead):
    club = new_club("level")
    record(club, result(club, *sides, ranks=ranks))
    response = client.get("/l/level/rules/")
    assert response.status_code == 200
    assert response.context["page"].example.lead == lead
