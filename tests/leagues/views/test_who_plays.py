"""Who plays in a mode: chosen when it is added, and asked about where a result is of another."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from leagues.models import AuditEntry, League, Match, Membership, Mode
from leagues.services.demo import create_demo
from leagues.services.leagues import add_mode
from leagues.services.modes import change_played_by
from tests.leagues.api.calls import program
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db

PlayedBy = Mode.PlayedBy
ENTER, SETTINGS = "/l/club/enter/", "/l/club/settings/modes/blitz/"
ONE_DOUBLES = "“Blitz” is for one player against one. This result has 2 players a side."


@pytest.fixture
def club(client: Client) -> League:
    """Of one mode, for two players; a doubles was recorded before it was."""
    kim = make_user("kim")
    league = new_club(owner=kim)
    record(league, result(league, "Ana+Bo", "Cy+Dee"))
    change_played_by(mode=mode_of(league), played_by=PlayedBy.TWO_PLAYERS, actor=None)
    client.force_login(kim)
    return league


@pytest.fixture
def kim(client: Client, club: League) -> Desk:
    return Desk(client, club)


def page_of(response: Any) -> str:
    return " ".join(html.unescape(response.content.decode()).split())


def form(**more: Any) -> dict[str, Any]:
    """A doubles as the form sends it."""
    values = {"played_on": "2025-10-03", "kind": "played", "outcome": "one", "shape": "teams"}
    return {**values, "one_1": "Ana", "one_2": "Cy", "two_1": "Bo", "two_2": "Dee", **more}


def scorer_of(club: League) -> Client:
    lee, client = make_user("lee"), Client()
    join(club, lee, Membership.Role.SCORER)
    client.force_login(lee)
    return client


def today(club: League) -> str:
    """The day of which scorers may enter results."""
    return timezone.now().astimezone(club.zone).date().isoformat()


class TestSettings:
    def test_a_new_league_asks_and_proposes_two_players(self, client: Client, club: League) -> None:
        page = client.get("/new/").content.decode()
        assert re.search(r'<option value="two_players" selected>', page)
        sent = {"name": "Other", "time_zone": "London", "visibility": "public", "mode": "Duels"}
        assert client.post("/new/", sent).status_code == 422
        assert client.post("/new/", sent | {"played_by": "two_teams"}).status_code == 302
        assert League.objects.get(slug="other").modes.get().played_by == PlayedBy.TWO_TEAMS

    def test_a_further_mode_proposes_nothing(self, client: Client, club: League) -> None:
        """Beside the first mode any shape is as likely: 501 and Cricket, or singles and doubles.

        Who plays decides where each line of a night sheet is recorded, so a choice that nobody
        looked at would send results to the wrong ratings. The sheet, which knows what its lines
        need, leads here with that shape chosen (`test_next_steps.py`, `test_night_lines.py`).
        """
        address = "/l/club/settings/modes/"
        assert not re.search(r'name="played_by"[^>]* checked', client.get(address).content.decode())
        refused = client.post(address, {"name": "Doubles"})
        assert refused.status_code == 422 and "Choose who plays." in page_of(refused)
        client.post(address, {"name": "Doubles", "played_by": "two_teams"})
        assert club.modes.get(name="Doubles").played_by == PlayedBy.TWO_TEAMS
        listed = page_of(client.get(address))
        assert "two teams</a>" in listed and "two players</a>" in listed

    def test_it_can_be_changed_and_stands_in_the_log(self, client: Client, club: League) -> None:
        page = client.get(SETTINGS).content.decode()
        assert re.search(r'value="two_players"[^>]* checked', page)
        assert client.post(SETTINGS, {"played_by": "several"}).status_code == 302
        assert mode_of(club).played_by == PlayedBy.SEVERAL
        assert not mode_of(club).rates_events
        entry = AuditEntry.objects.filter(action="mode.played_by").latest("pk")
        assert entry.after == {"played_by": "several"}
        log = re.sub(r"<[^>]*>", " ", page_of(client.get("/l/club/changes/")))
        assert re.search(r"Who plays changed\W+Blitz", log)
        assert re.search(r"was +two players +→ +is now +three or more ", log)
        for words in ("", "everyone", "a\x00b"):
            assert client.post(SETTINGS, {"played_by": words}).status_code == 422
        assert mode_of(club).played_by == PlayedBy.SEVERAL

    def test_other_words_are_refused(self, club: League) -> None:
        with pytest.raises(ValidationError):
            change_played_by(mode=mode_of(club), played_by="everyone", actor=None)
        with pytest.raises(IntegrityError), transaction.atomic():
            club.modes.update(played_by="everyone")

    def test_the_demo_says_who_plays(self) -> None:
        modes = create_demo().modes.values_list("name", "played_by")
        assert dict(modes) == {"Singles": "two_players", "Doubles": "two_teams"}


class TestNightSheet:
    @pytest.mark.parametrize(
        ("played_by", "line", "words"),
        [
            ("two_teams", "Ana > Bo", "Line 1: one player a side. “Blitz” is for two teams."),
            ("two_players", "Ana > Bo+Cy", "Line 1: two teams, such as a doubles. “Blitz” is for"),
            ("two_players", "Ana, Bo, Cy", "Line 1: three or more sides."),
            ("several", "Ana > Bo", "“Blitz” is for three or more players or teams."),
        ],
    )
    def test_the_words_say_what_the_mode_is_for_and_who_played(
        self, kim: Desk, club: League, played_by: str, line: str, words: str
    ) -> None:
        change_played_by(mode=mode_of(club), played_by=played_by, actor=None)
        page = " ".join(re.sub(r"<[^>]*>", " ", kim.check(line)).split())
        assert words in page

    def test_examples_begin_with_what_the_mode_is_for(self, kim: Desk, club: League) -> None:
        def begins() -> tuple[str, list[str]]:
            context = kim.client.get(kim.address).context
            return context["placeholder"], [one.line for one in context["examples"]]

        placeholder, examples = begins()
        assert placeholder == examples[0] == "ana bo 3-1"
        change_played_by(mode=mode_of(club), played_by=PlayedBy.SEVERAL, actor=None)
        placeholder, examples = begins()
        assert placeholder == examples[0] == "ana, bo, cy=di, eve"
        change_played_by(mode=mode_of(club), played_by=PlayedBy.ANYONE, actor=None)
        placeholder, examples = begins()
        assert placeholder == examples[0] == "ana+cy bo+di 21-18 19-21 21-15"


class TestForm:
    def test_it_begins_with_the_mode_and_not_with_the_newest_results(
        self, client: Client, club: League
    ) -> None:
        def begins() -> tuple[str, list[str]]:
            context = client.get(ENTER).context
            return context["shape"], [one.value for one in context["shapes"]]

        assert begins() == ("pair", ["pair"])
        change_played_by(mode=mode_of(club), played_by=PlayedBy.SEVERAL, actor=None)
        assert begins() == ("list", ["list"])
        change_played_by(mode=mode_of(club), played_by=PlayedBy.ANYONE, actor=None)
        assert begins() == ("teams", ["teams"])
        assert client.get(f"{ENTER}?shape=list").context["shape"] == "list"

    def test_another_shape_leads_to_the_mode_that_is_for_it(
        self, client: Client, club: League
    ) -> None:
        def mode_for(shape: str) -> str:
            context = client.post(ENTER, form(mode="blitz", to_shape=shape)).context
            assert context["shape"] == shape
            return str(context["mode"].slug)

        assert mode_for("teams") == "blitz"
        add_mode(league=club, name="Doubles", actor=None, played_by=PlayedBy.TWO_TEAMS)
        assert mode_for("teams") == "doubles"
        change_played_by(mode=club.modes.earliest("pk"), played_by=PlayedBy.ANYONE, actor=None)
        assert {mode_for(shape) for shape in ("pair", "teams", "list")} == {"blitz"}

    @pytest.mark.parametrize(
        ("played_by", "sent", "words"),
        [
            ("two_teams", {"one_2": "", "two_2": ""}, "This result has one player a side."),
            ("two_players", {"one_2": ""}, "This result has 2 players against 1."),
            ("two_players", {"shape": "list", "places": "Ana\nBo\nCy"}, "This result has 3 sides."),
        ],
    )
    def test_the_words_say_who_played(
        self, client: Client, club: League, played_by: str, sent: dict[str, str], words: str
    ) -> None:
        change_played_by(mode=mode_of(club), played_by=played_by, actor=None)
        assert words in page_of(client.post(ENTER, form(**sent)))

    def test_a_doubles_with_an_empty_field_is_asked_about(
        self, client: Client, club: League
    ) -> None:
        change_played_by(mode=mode_of(club), played_by=PlayedBy.TWO_TEAMS, actor=None)
        asked = client.post(ENTER, form(one_2=""))
        assert asked.status_code == 422
        page = page_of(asked)
        assert "This result has 2 players against 1. Is a name missing?" in page
        (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page)
        assert client.post(ENTER, form(one_2="", settled=settled)).status_code == 302

    def test_a_result_of_another_mode_is_asked_about(self, client: Client, club: League) -> None:
        asked = client.post(ENTER, form())
        assert asked.status_code == 422
        page = page_of(asked)
        assert f"{ONE_DOUBLES} Record it in “Blitz”?" in page
        assert "add “Doubles” to what is played" in page
        (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page)
        # Who confirms one result confirms no other.
        assert client.post(ENTER, form(two_1="Eve", settled=settled)).status_code == 422
        assert client.post(ENTER, form(settled=settled)).status_code == 302
        assert Match.objects.count() == 2
        theirs = page_of(scorer_of(club).post(ENTER, form(played_on=today(club))))
        assert ONE_DOUBLES in theirs and "to what is played" not in theirs

    def test_what_fits_is_offered_first_and_records_it_there(
        self, client: Client, club: League
    ) -> None:
        add_mode(league=club, name="Doubles", actor=None, played_by=PlayedBy.TWO_TEAMS)
        sent = form(mode="blitz")
        page = page_of(client.post(ENTER, sent))
        buttons = re.findall(r'<button class="[^"]*" name="(\w+)"\s+value="([^"]*)"', page)
        assert buttons[0] == ("mode", "doubles") and buttons[1][0] == "settled"
        assert client.post(ENTER, sent | {"mode": ["blitz", "doubles"]}).status_code == 302
        assert Match.objects.latest("pk").mode.slug == "doubles"

    def test_a_correction_is_asked_about_where_it_changes_the_sides(
        self, client: Client, club: League
    ) -> None:
        (match,) = record(club, result(club, "Ana", "Bo"))
        address = f"/l/club/m/{season_of(club).slug}/{match.seq}/correct/"
        sent = form(version="1", played_on="2025-10-01", played_time="20:00")
        asked = client.post(address, sent)
        assert asked.status_code == 422 and ONE_DOUBLES in page_of(asked)
        assert "add “Doubles” to what is played" in page_of(asked)
        (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page_of(asked))
        assert client.post(address, sent | {"settled": settled}).status_code == 302
        # What stands there already is not asked about again where something else is corrected.
        later = sent | {"version": "2", "two_2": "Eve", "asked": "Eve", "answer": "new"}
        assert client.post(address, later).status_code == 302


class TestPrograms:
    def test_the_api_stores_it_with_a_warning(self, club: League) -> None:
        bot, path = program(club), "leagues/club/matches/"
        (mode,) = bot.get("leagues/club/").json()["modes"]
        assert mode["played_by"] == "two_players"
        teams = [{"players": [{"name": one} for one in team]} for team in (("Ana", "Cy"), ("Bo",))]
        sides = [team | {"rank": rank} for rank, team in enumerate(teams, 1)]
        sent = bot.send(path, {"played_on": "2025-10-02", "sides": sides, "external_id": "g1"})
        assert sent.status_code == 201
        assert sent.json()["warnings"] == [
            {
                "index": 0,
                "code": "wrong_mode",
                "message": "“Blitz” is for one player against one. "
                "This result has 2 players against 1.",
            }
        ]
        number = sent.json()["matches"][0]["seq"]
        single = [side | {"players": side["players"][:1]} for side in sides]
        at = f"{path}{season_of(club).slug}/{number}/"
        for version, changed in enumerate((single, sides), 1):
            body = {"version": version, "sides": changed}
            warnings = bot.send(at, body, "PATCH").json()["warnings"]
            assert [one["code"] for one in warnings] == ["wrong_mode"] * (changed is sides)

    def test_a_file_names_the_lines(self, client: Client, club: League) -> None:
        sender = Sender(client, club)
        rows = ("Ana,,Bo,", "Ana,Cy,Bo,Dee", "Bo,,Ana,", "Bo,Cy,Ana,")
        head = "date,team1 player1,team1 player2,team2 player1,team2 player2,score1,score2"
        table = [head, *(f"2026-03-0{day},{row},3,1" for day, row in enumerate(rows, 1))]
        page = sender.page(address := sender.checked("\n".join(table)))
        words = "2 results aren’t of the kind that “Blitz” is for and will be imported into it"
        assert f"{words} anyway: lines 3, 5. The first: {ONE_DOUBLES}" in page
        change_played_by(mode=mode_of(club), played_by=PlayedBy.TWO_TEAMS, actor=None)
        other = sender.page(sender.checked("\n".join(table)))
        words = "1 result has more players on one side than on the other: line 5."
        assert f"{words} This result has 2 players against 1." in other
        change_played_by(mode=mode_of(club), played_by=PlayedBy.TWO_PLAYERS, actor=None)
        refused = sender.answer(address, "write")
        assert refused.status_code == 422
        assert "Import them into “Blitz” anyway" in plain(refused)
        sender.written(address, is_right_mode="on")
        assert Match.objects.count() == 5
        new = sender.page(sender.checked("\n".join(table), mode="", new_mode="Doubles"))
        assert "of the kind that" not in new
