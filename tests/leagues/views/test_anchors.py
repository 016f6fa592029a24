"""Anchors on pages and in the API: marked, previewed, named, explained and undone."""

from __future__ import annotations

import html
import math
import re
from datetime import timedelta

import pytest
from django.test import Client

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Membership, StartingState
from leagues.pages.matches import match_address
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.modes import change_rated_by
from leagues.services.rules import change_rules, preview_rules
from leagues.services.starts import Start, set_start
from leagues.services.trials import start_trial
from tests.leagues.happenings import game
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

PAGE = "/l/club/p/bot/starts/"
WHY = "bot of the server"


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    season_of(league).boards.all().delete()
    for name, parameters in (("Bots", {"anchors": True}), ("Plain", {})):
        add_board(
            season=season_of(league),
            mode=mode_of(league),
            system="zerosum",
            name=name,
            parameters=parameters,
        )
    record(
        league,
        *(result(league, "Ana", "Bot", at=START + timedelta(days=day)) for day in range(3)),
        *(result(league, "Bo", "Ana", at=START + timedelta(days=day)) for day in range(3)),
    )
    return league


def board(name: str = "Bots") -> Board:
    return Board.objects.select_related("league", "season", "mode").get(name=name)


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def send(client: Client, name: str = "Bots", **words: str) -> tuple[int, str]:
    sent = {"board": str(board(name).pk), "rating": "", "source": "", **words}
    answer = client.post(PAGE, sent, follow=True)
    drain()
    return answer.status_code, " ".join(html.unescape(answer.content.decode()).split())


def test_the_page_offers_the_mark_where_the_rules_have_anchors_and_says_why_not_elsewhere(
    organizer: Client,
) -> None:
    page = page_of(organizer, PAGE)
    assert "the player is an anchor on this board, such as a bot: the rating stays" in page
    assert "0 is shown as 1500, and 1 as 1674. Empty: no anchor." in page
    assert "turn on “Anchors” in the rules" in page
    assert page.count('name="board"') == 1
    assert "is an anchor here" not in page


def test_an_anchor_is_previewed_saved_named_explained_and_undone(organizer: Client) -> None:
    before = board_digest(board())
    status, page = send(organizer, rating="1", source=WHY, preview="yes")
    assert status == 200 and "ratings would change" in page
    assert not StartingState.objects.exists() and board_digest(board()) == before
    status, page = send(organizer, rating="1", source=WHY)
    assert status == 200 and "Saved." in page
    assert "This player is an anchor here, with a rating of 1674 that stays." in page
    assert board_digest(board()) != before
    word = "anchor: the rating stays"
    standings = page_of(organizer, f"/l/club/?board={board().slug}")
    assert standings.count(word) == 1
    row = standings.partition(word)[2].partition("</tr>")[0]
    assert re.search(r'class="cert">\s*</td>', row)
    assert word not in page_of(organizer, f"/l/club/?board={board('Plain').slug}")
    profile = page_of(organizer, f"/l/club/p/bot/?board={board().slug}")
    assert f"An anchor, whose rating stays: {WHY}." in profile
    rules = page_of(organizer, f"/l/club/rules/?board={board().slug}")
    assert f"Bot is an anchor at 1674: {WHY}." in rules
    assert "except for anchors, whose ratings stay" in rules
    match = Match.objects.filter(participants__player__key="bot").earliest("played_at")
    address = match_address(match, board().league, board().season)
    for key in ("ana", "bot"):
        page = page_of(organizer, f"{address}?board={board().slug}&of={key}")
        assert "Bot is an anchor<p>The rating of an anchor stays, whatever the result." in page
        assert "of=ana" in page and "of=bot" in page
    assert "Why the rating of Bot stayed as it was" in page
    api = organizer.get("/api/v1/leagues/club/players/bot/").json()
    assert api["starts"] == [
        {
            "season": season_of(board().league).slug,
            "board": board().slug,
            "rating": 1.0,
            "deviation": None,
            "source": WHY,
            "is_anchor": True,
            "seed": None,
        }
    ]
    marked = {row["board"]: row["is_anchor"] for row in api["standings"]}
    assert marked == {board().slug: True, board("Plain").slug: False}
    season = season_of(board().league).slug
    rows = organizer.get(f"/api/v1/leagues/club/boards/{season}/{board().slug}/standings/").json()
    marked = {row["player"]["key"]: row["is_anchor"] for row in rows["results"]}
    assert marked == {"ana": False, "bo": False, "bot": True}
    log = organizer.get("/l/club/changes/").context["page"]
    (row,) = [row for group in log.days for row in group.rows if row.undo_words]
    organizer.post(row.undo_url, row.undo_words)
    drain()
    assert board_digest(board()) == before
    assert not StartingState.objects.exists()
    assert word not in page_of(organizer, f"/l/club/?board={board().slug}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"rating": "1,5", "source": WHY}, "Write a decimal point, not a comma"),
        ({"rating": "nan", "source": WHY}, "Enter a number"),
        ({"rating": "1e7", "source": WHY}, "The rating must be"),
        ({"rating": "1"}, "Give the reason why the player is an anchor"),
        ({"source": WHY}, "Enter the rating, or clear the other fields"),
    ],
)
def test_what_cannot_be_saved_is_said_at_its_field(
    organizer: Client, words: dict[str, str], said: str
) -> None:
    for preview in ({}, {"preview": "yes"}):
        status, page = send(organizer, **words, **preview)
        assert status == 422 and said in page
    assert not StartingState.objects.exists()


def test_a_board_without_anchors_refuses_in_words(organizer: Client) -> None:
    status, page = send(organizer, "Plain", rating="1", source=WHY)
    assert status == 422 and "takes no starting ratings" in page
    assert not StartingState.objects.exists()


def test_only_organizers_mark_anchors(client: Client, club: League) -> None:
    words = {"board": str(board().pk), "rating": "1", "source": WHY}
    assert client.post(PAGE, words).status_code in (302, 403, 404)
    for role in (Membership.Role.SCORER, Membership.Role.PLAYER):
        user = make_user(f"one-{role}")
        club.memberships.create(user=user, role=role)
        client.force_login(user)
        assert client.post(PAGE, words).status_code in (403, 404)
    assert not StartingState.objects.exists()


def test_the_rules_offer_anchors_and_keep_them_while_a_player_is_one(organizer: Client) -> None:
    send(organizer, rating="1", source=WHY)
    address = f"/l/club/settings/boards/{season_of(board().league).slug}/{board().slug}/"
    form = organizer.get(address).context["form"]
    typed = {form.add_prefix(name): form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    assert typed.pop(form.add_prefix("x_anchors"))
    answer = organizer.post(address, typed)
    assert answer.status_code == 422
    words = html.unescape(answer.content.decode())
    assert "1 player is an anchor on this board. Remove the starting rating first." in words
    rules = board().parameters | {"anchors": False}
    trial = start_trial(board=board(), parameters=rules, actor=None)
    drain()
    answer = organizer.post(f"/l/club/settings/rules/{trial.pk}/", {"reason": "no bots"})
    assert answer.status_code == 422
    assert "1 player is an anchor on this board." in html.unescape(answer.content.decode())
    assert board().parameters["anchors"]


def test_a_player_is_added_as_an_anchor(organizer: Client) -> None:
    page = page_of(organizer, "/l/club/players/add/")
    assert "(as an anchor, whose rating stays)" in page
    words = {"name": "Turret", "board": str(board().pk), "rating": "-1", "source": WHY}
    answer = organizer.post("/l/club/players/add/", words)
    assert answer.status_code == 302
    row = StartingState.objects.select_related("player").get()
    assert (row.player.name, row.rating) == ("Turret", -1.0)


def test_the_frags_of_an_anchor_are_explained_with_it(client: Client) -> None:
    league = new_club("arena", owner=make_user("lee"))
    season_of(league).boards.all().delete()
    change_rated_by(mode=mode_of(league), rated_by="events", actor=None)
    frags = add_board(
        season=season_of(league),
        mode=mode_of(league),
        system="zerosum",
        parameters={"anchors": True},
    )
    record(league, game(league, "Ana Bot", "Ana>Bot Ana>Bot Bot>Ana"))
    bot = league.players.get(key="bot")
    start = Start(0.0, None, WHY)
    set_start(board=frags, player=bot, start=start, actor=None, was=None)
    drain()
    match = Match.objects.get(season=frags.season)
    client.force_login(league.memberships.get().user)
    address = match_address(match, league, frags.season)
    for key in ("ana", "bot"):
        page = page_of(client, f"{address}?of={key}")
        assert "Bot is an anchor<p>The rating of an anchor stays, whatever the result." in page
    shown = dict(frags.standings.filter(generation=2).values_list("player__key", "shown"))
    # Three frags of at most 0.03, each of nearly half of that, of which two are won.
    gain = 0.03 * 0.5
    second = 0.03 / (1 + math.exp(gain))
    third = 0.03 / (1 + math.exp(-gain - second))
    assert shown["ana"] == pytest.approx(1500 + 174 * (gain + second - third))
    assert shown["bot"] == 1500.0


def test_who_joined_at_a_moved_mean_is_shown_from_there(organizer: Client) -> None:
    send(organizer, rating="1", source=WHY)
    league = board().league
    record(league, result(league, "Ana", "New", at=START + timedelta(days=9)))
    mean = bridge.board_state(board())[0]
    assert mean != 0.0
    new = league.players.get(key="new")
    series = bridge.read_series([board()], new.pk)[board().pk]
    assert series.start.value == pytest.approx(1500 + 174 * mean)
    match = Match.objects.filter(participants__player=new).get()
    (change,) = bridge.changes_for_player(board(), new.pk, [match.seq])[match.seq][:1]
    assert change.value == pytest.approx(1500 + 174 * mean)
    rated = bridge.rated_matches([board()], match)[board().pk]
    accounts = {row.player_id: row for row in bridge.account_of(rated).accounts}
    assert accounts[new.pk].before.value == pytest.approx(1500 + 174 * mean)
    assert not check_board(board()).differences
    assert page_of(organizer, f"/l/club/p/new/?board={board().slug}")


@pytest.mark.parametrize("display", ["raw", "offset", "fixed-range"])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_every_page_of_a_board_with_an_anchor_opens(
    organizer: Client, display: str, decay: float
) -> None:
    send(organizer, rating="1", source=WHY)
    rules = {"display": display, "decay": decay, "period_days": 1}
    change_rules(board(), parameters=rules, effective_at=None, actor=None)
    drain()
    assert not check_board(board()).differences
    league, words = board().league, f"?board={board().slug}"
    league.players.filter(key="ana").update(user=league.memberships.get().user)
    season = season_of(league).slug
    matches = [match_address(one, league, board().season) for one in league.matches.all()[:2]]
    for address in (
        "/l/club/",
        "/l/club/p/ana/",
        "/l/club/p/bot/",
        "/l/club/compare/",
        "/l/club/opponents/",
        "/l/club/statistics/",
        "/l/club/rules/",
        "/l/club/systems/",
        "/l/club/systems/try/",
        f"/l/club/seasons/{season}/",
        *matches,
    ):
        assert organizer.get(f"{address}{words}&a=ana&b=bot").status_code == 200, address
    for tab in ("opponents", "records"):
        page_of(organizer, f"/l/club/p/bot/{words}&tab={tab}")
    for part in ("standings", "history"):
        api = f"/api/v1/leagues/club/boards/{season}/{board().slug}/{part}/"
        assert organizer.get(api).status_code in (200, 404)
    trial = preview_rules(board(), parameters={"max_gain": 0.3}, effective_at=None, actor=None)
    drain()
    trial.refresh_from_db()
    assert trial.report is not None
    page_of(organizer, f"/l/club/systems/trials/{trial.pk}/")


def test_pages_name_anchors_while_rules_of_another_display_wait_to_rate_the_board(
    organizer: Client,
) -> None:
    send(organizer, rating="1", source=WHY)
    fixed = {"display": "fixed-range"}
    change_rules(board(), parameters=fixed, effective_at=None, actor=None)
    words = f"?board={board().slug}"
    assert "Bot is an anchor at " in page_of(organizer, f"/l/club/rules/{words}")
    assert "This player is an anchor here" in page_of(organizer, PAGE)
    for address in (f"/l/club/{words}", f"/l/club/p/bot/{words}", "/l/club/players/add/"):
        page_of(organizer, address)
    status, page = send(organizer, rating="2", source=WHY, was_rating="1", was_source=WHY)
    assert status == 200 and "Saved." in page
    assert not check_board(board()).differences
