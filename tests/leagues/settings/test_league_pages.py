"""Making a league, and the pages on which its rules, boards and seasons are set."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leagues import bridge
from leagues.domain.score_rules import read_rule
from leagues.models import AuditEntry, League, Season
from leagues.pages.changes import sentence
from leagues.services.leagues import create_league
from leagues.services.modes import change_score_rule
from tests.leagues.people import make_user
from tests.leagues.play import record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
NEW = {
    "name": "Tideway Table Football",
    "slug": "",
    "time_zone": "Europe/London",
    "visibility": "unlisted",
    "draws_allowed": "on",
    "mode": "Singles",
    "played_by": "two_players",
}
RULES = {
    "name": "Club",
    "slug": "club",
    "description": "",
    "time_zone": "UTC",
    "visibility": "public",
    "draws_allowed": "on",
    "negative_scores": "on",
    "walkovers": "unrated",
    "active_days": "90",
    "ranked_after": "5",
}


@pytest.fixture(scope="module")
def built_boss(shared_rows: None) -> User:
    return make_user("boss")


boss = read_anew("built_boss")


@pytest.fixture
def league(boss: User) -> League:
    return create_league(name="Club", slug="club", owner=boss)


@pytest.fixture
def client(boss: User) -> Client:
    client = Client()
    client.force_login(boss, BACKEND)
    return client


class TestNewLeague:
    def test_whoever_makes_it_is_its_organizer(self, client: Client, boss: User) -> None:
        assert client.get("/new/").status_code == 200
        response = client.post("/new/", NEW)
        assert response["Location"] == "/l/tideway-table-football/"
        league = League.objects.get()
        assert league.memberships.get().user == boss
        assert league.memberships.get().role == "organizer"
        assert (league.time_zone, league.visibility) == ("Europe/London", "unlisted")
        assert league.modes.get().name == "Singles"
        assert {board.system for board in league.boards.all()} == {"glicko2", "elo"}
        assert AuditEntry.objects.filter(league=league, action="league.create", actor=boss)

    def test_a_game_brings_its_score_rule(self, client: Client) -> None:
        assert "Table tennis" in client.get("/new/").content.decode()
        client.post("/new/", NEW | {"score_rule": "table-tennis"})
        assert League.objects.get().modes.get().score_rule == "sets 5 to 11+2"
        client.post("/new/", NEW | {"slug": "another"})
        assert League.objects.get(slug="another").modes.get().score_rule == ""
        assert client.post("/new/", NEW | {"score_rule": "polo"}).status_code == 422

    def test_draws_are_chosen_and_not_given(self, client: Client) -> None:
        body = client.get("/new/").content.decode()
        assert "checked" not in re.search('<input[^>]*name="draws_allowed"[^>]*>', body)[0]
        assert "Table tennis, badminton or darts: no." in body
        client.post(
            "/new/", {name: value for name, value in NEW.items() if name != "draws_allowed"}
        )
        assert not League.objects.get().draws_allowed

    def test_a_city_names_its_zone(self, client: Client) -> None:
        client.post("/new/", NEW | {"time_zone": "new york"})
        assert League.objects.get().time_zone == "America/New_York"

    @pytest.mark.parametrize(
        ("typed", "zone"),
        [
            ("Germany", "Europe/Berlin"),
            ("Spain", None),
            ("norway", "Europe/Oslo"),
            ("Berlin, Germany", "Europe/Berlin"),
            ("Asia/Calcutta", "Asia/Calcutta"),
            ("calcutta", "Asia/Calcutta"),
            ("UTC", "UTC"),
        ],
    )
    def test_a_zone_is_found_by_city_or_country(
        self, client: Client, typed: str, zone: str | None
    ) -> None:
        response = client.post("/new/", NEW | {"time_zone": typed})
        assert [league.time_zone for league in League.objects.all()] == ([zone] if zone else [])
        if zone is None:
            assert "Atlantic/Canary and Europe/Madrid" in response.content.decode()

    @pytest.mark.parametrize(
        ("languages", "place"),
        [
            ("en-GB,en;q=0.9", "such as London."),
            ("de-DE,de;q=0.9", "such as Berlin."),
            ("zh-Hant-TW", "such as Taipei."),
            ("en-AU", ""),
            ("de", ""),
            ("x" * 5000, ""),
        ],
    )
    def test_a_zone_is_suggested_without_script(
        self, client: Client, languages: str, place: str
    ) -> None:
        body = client.get("/new/", headers={"Accept-Language": languages}).content.decode()
        assert ("Type a large city or a country, such as " in body) == bool(place)
        assert "once there are results; everything else can." in body
        assert place in body
        assert '<option value="Europe/Oslo">Oslo, Norway</option>' in body

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", ""),
            ("name", "x" * 65),
            ("slug", "-a-"),
            ("slug", "ab"),
            ("slug", "Club House"),
            ("slug", "x" * 41),
            ("slug", "../etc"),
            ("slug", "cl\x00ub"),
            ("time_zone", "Mars/Olympus"),
            ("time_zone", "../../etc/passwd"),
            ("visibility", "secret"),
            ("mode", ""),
        ],
    )
    def test_what_is_wrong_is_said_at_its_field(
        self, client: Client, field: str, value: str
    ) -> None:
        response = client.post("/new/", NEW | {field: value})
        assert response.status_code == 422
        assert response.context["form"].errors.get(field)
        assert not League.objects.exists()

    def test_a_taken_address_and_a_reserved_one_are_refused_alike(
        self, client: Client, league: League
    ) -> None:
        League.objects.update(visibility="private")
        errors = {
            str(client.post("/new/", NEW | {"slug": slug}).context["form"].errors["slug"])
            for slug in ("club", "admin")
        }
        assert len(errors) == 1

    @pytest.mark.parametrize(
        ("name", "address"),
        [
            ("F1", "f1-league"),
            ("Club", "club-2"),
            ("Admin", "admin-2"),
            ("Grünerløkka Straße", "grunerlokka-strasse"),
        ],
    )
    def test_a_name_without_a_free_address_gets_one(
        self, client: Client, league: League, name: str, address: str
    ) -> None:
        assert client.post("/new/", NEW | {"name": name})["Location"] == f"/l/{address}/"

    def test_a_name_without_letters_asks_for_an_address(self, client: Client) -> None:
        response = client.post("/new/", NEW | {"name": "将棋"})
        assert response.status_code == 422 and "slug" in response.context["form"].errors
        assert client.post("/new/", NEW | {"name": "将棋", "slug": "shogi"}).status_code == 302

    def test_visitors_are_asked_to_sign_in(self) -> None:
        assert Client().get("/new/").status_code == 403
        assert Client().post("/new/", NEW).status_code == 403
        assert not League.objects.exists()


class TestRules:
    URL = "/l/club/settings/"

    def test_a_change_is_kept_and_written_down(
        self, client: Client, league: League, boss: User
    ) -> None:
        assert client.get(self.URL).status_code == 200
        response = client.post(self.URL, RULES | {"name": "Club 2", "active_days": "30"})
        assert response["Location"] == self.URL
        entry = AuditEntry.objects.get(action="league.settings")
        assert (entry.actor, entry.before["name"], entry.after["name"]) == (boss, "Club", "Club 2")
        assert (entry.before["active_days"], entry.after["active_days"]) == (90, 30)

    def test_saving_what_is_already_so_leaves_no_trace(
        self, client: Client, league: League
    ) -> None:
        assert client.post(self.URL, RULES).status_code == 302
        assert not AuditEntry.objects.filter(action="league.settings").exists()

    def test_a_new_address_leads_on(self, client: Client, league: League) -> None:
        response = client.post(self.URL, RULES | {"slug": "club-two"})
        assert response["Location"] == "/l/club-two/settings/"

    def test_a_refused_form_keeps_the_page_in_its_old_name(
        self, client: Client, league: League
    ) -> None:
        response = client.post(self.URL, RULES | {"name": "Other", "active_days": "0"})
        assert response.status_code == 422
        assert response.context["league"].name == "Club"
        assert League.objects.get().name == "Club"

    def test_fields_that_nobody_offers_change_nothing(self, client: Client, league: League) -> None:
        client.post(self.URL, RULES | {"is_demo": "on", "created_at": "2000-01-01", "id": "77"})
        stored = League.objects.get()
        assert (stored.pk, stored.is_demo, stored.created_at) == (
            league.pk,
            False,
            league.created_at,
        )


class TestBoards:
    URL = "/l/club/settings/boards/"

    def form(self, client: Client, system: str) -> dict[str, str]:
        """Return the form of a system as a browser would send it back."""
        form = client.get(self.URL, {"system": system}).context["form"]
        sent = {}
        for field in form:
            value = field.value()
            if value is True:
                sent[field.html_name] = "on"
            elif value is not None and value is not False:
                sent[field.html_name] = str(value)
        sent["board-mode"] = str(form.fields["mode"].queryset.get().pk)
        return sent

    @pytest.mark.parametrize("system", [info.name for info in bridge.systems()])
    def test_the_form_as_it_comes_makes_a_board_with_the_defaults(
        self, client: Client, league: League, system: str
    ) -> None:
        sent = self.form(client, system) | {"board-name": "Second"}
        response = client.post(f"{self.URL}?system={system}", sent)
        assert response.status_code == 302
        board = league.boards.get(name="Second")
        assert board.parameters == bridge.new_board_parameters(system)
        assert AuditEntry.objects.filter(action="board.create", subject="Second").exists()

    def test_a_parameter_out_of_range_is_refused_at_its_field(
        self, client: Client, league: League
    ) -> None:
        sent = self.form(client, "glicko2")
        names = [name for name in sent if name.startswith("board-x_")]
        refused = 0
        for name in names:
            response = client.post(f"{self.URL}?system=glicko2", sent | {name: "NaN"})
            if response.status_code == 422:
                refused += 1
                assert response.context["form"].errors[name.removeprefix("board-")]
        assert refused
        assert league.boards.count() == 2 + len(names) - refused

    def test_an_unknown_system_does_not_exist(self, client: Client, league: League) -> None:
        assert client.get(self.URL, {"system": "astrology"}).status_code == 404
        assert client.post(self.URL, {}).status_code == 404

    def test_a_mode_of_another_league_is_refused(self, client: Client, league: League) -> None:
        other = create_league(name="Other", slug="other")
        sent = self.form(client, "elo") | {"board-mode": str(other.modes.get().pk)}
        assert client.post(f"{self.URL}?system=elo", sent).status_code == 422
        assert other.boards.count() == league.boards.count() == 2


class TestModes:
    URL = "/l/club/settings/modes/"

    def test_something_more_to_play_gets_boards_of_its_own(
        self, client: Client, league: League
    ) -> None:
        page = client.post(
            self.URL, {"name": "Doubles", "played_by": "two_teams"}, follow=True
        ).content.decode()
        assert "“Doubles” was added" in page and "Doubles, Glicko-2" in page
        mode = league.modes.get(name="Doubles")
        assert [board.system for board in mode.boards.all()] == ["glicko2", "elo"]
        entry = AuditEntry.objects.get(action="mode.create")
        assert entry.subject == "Doubles"
        assert "added to what is played" in client.get("/l/club/changes/").content.decode()

    def test_it_begins_with_the_score_rule_of_the_first(
        self, client: Client, league: League
    ) -> None:
        sent = {"name": "Doubles", "played_by": "two_teams"}
        assert 'name="scores"' not in client.get(self.URL).content.decode()
        change_score_rule(mode=league.modes.get(), rule=read_rule("sets 5 to 11+2"), actor=None)
        page = client.get(self.URL).content.decode()
        assert re.search(r'name="scores" value=""[^>]* checked', page)
        assert "A match is the best of 5 sets." in page
        added = client.post(self.URL, sent, follow=True).content.decode()
        assert "Possible scores: A match is the best of 5 sets." in added
        assert 'href="/l/club/settings/modes/doubles/#scores"' in added
        assert league.modes.get(name="Doubles").score_rule == "sets 5 to 11+2"
        client.post(self.URL, sent | {"name": "Darts", "scores": "any"})
        assert league.modes.get(name="Darts").score_rule == ""
        refused = client.post(self.URL, sent | {"name": "Pool", "scores": "chess"})
        assert refused.status_code == 422

    @pytest.mark.parametrize("name", ["", "  ", "x" * 200, "Singles", "sINGLES", "a\x00b"])
    def test_what_is_played_already_or_has_no_name_is_refused(
        self, client: Client, league: League, name: str
    ) -> None:
        league.modes.update(name="Singles")
        assert client.post(self.URL, {"name": name}).status_code == 422
        assert league.modes.count() == 1


class TestMode:
    def url(self, league: League) -> str:
        return f"/l/club/settings/modes/{league.modes.get().slug}/"

    def test_events_count_where_an_organizer_says_so(self, client: Client, league: League) -> None:
        mode = league.modes.get()
        page = client.get(self.url(league)).content.decode()
        assert "Rated again from the first result" in page
        assert re.search(r'<input[^>]*value="results"[^>]* checked', page)
        page = client.post(self.url(league), {"rated_by": "events"}, follow=True).content.decode()
        assert "Settings saved." in page
        assert "events, where a match has some" in page
        mode.refresh_from_db()
        assert mode.rates_events
        assert "what is rated changed" in client.get("/l/club/changes/").content.decode()

    @pytest.mark.parametrize("sent", [{}, {"rated_by": "frags"}, {"rated_by": "a\x00"}])
    def test_what_is_no_choice_is_refused(
        self, client: Client, league: League, sent: dict[str, str]
    ) -> None:
        assert client.post(self.url(league), sent).status_code == 422
        assert not league.modes.get().rates_events

    def test_a_known_game_fills_in_the_scores_that_are_then_saved(
        self, client: Client, league: League
    ) -> None:
        page = client.get(self.url(league)).content.decode()
        assert "Any score is taken." in page
        assert "another score" not in page
        form = client.get(self.url(league), {"game": "badminton"}).context["scores"]
        assert (
            "Squash is filled in."
            in client.get(self.url(league), {"game": "squash"}).content.decode()
        )
        assert league.modes.get().score_rule == ""
        sent = {field.name: field.value() or "" for field in form}
        assert sent["is_two_clear"]
        page = client.post(self.url(league), sent, follow=True).content.decode()
        assert "Settings saved." in page
        assert "A set is played to 21, two clear, or to 30 at the latest." in page
        assert league.modes.get().score_rule == "sets 3 to 21+2<30"
        assert not league.modes.get().rates_events
        log = client.get("/l/club/changes/").content.decode()
        assert "possible scores changed" in log and "to 30 at the latest" in log
        form = client.get(self.url(league)).context["scores"]
        assert {field.name: field.value() or "" for field in form} == sent
        client.post(self.url(league), {"kind": "any"})
        assert league.modes.get().score_rule == ""
        assert AuditEntry.objects.filter(action="mode.score_rule").count() == 2
        client.post(self.url(league), {"kind": "any"})
        assert AuditEntry.objects.filter(action="mode.score_rule").count() == 2

    @pytest.mark.parametrize(
        ("sent", "words"),
        [
            ({"kind": "points", "target": "10", "best_of": "x"}, "points to 10"),
            ({"kind": "points", "target": "11", "is_two_clear": "on"}, "points to 11+2"),
            ({"kind": "points", "target": "10", "last_target": "3"}, "points to 10"),
            ({"kind": "frames", "best_of": "8", "target": "11"}, "frames 8"),
            ({"kind": "frames", "best_of": "8", "target": "x", "cap": "0"}, "frames 8"),
            ({"kind": "points", "target": "10", "best_of": "0"}, "points to 10"),
            ({"kind": "sets", "best_of": "5"}, "sets 5"),
            ({"kind": "sets", "best_of": "3", "target": "4"}, "sets 3 to 4"),
            (
                {"kind": "sets", "best_of": "3", "target": "4", "last_target": "10"},
                "sets 3 to 4 last 10+2",
            ),
            # What makes no rule.
            ({"kind": ""}, ""),
            ({"kind": "goals"}, ""),
            ({"kind": "points"}, ""),
            ({"kind": "points", "target": "0"}, ""),
            ({"kind": "points", "target": "1000"}, ""),
            ({"kind": "points", "target": "11", "is_two_clear": "on", "cap": "11"}, ""),
            ({"kind": "points", "target": "11", "cap": "15"}, ""),
            ({"kind": "sets", "target": "11"}, ""),
            ({"kind": "sets", "best_of": "4"}, ""),
            ({"kind": "sets", "best_of": "3", "last_target": "10"}, ""),
            ({"kind": "sets", "best_of": "9" * 500}, ""),
            ({"kind": "frames", "best_of": "a\x00"}, ""),
        ],
    )
    def test_numbers_make_a_rule_or_are_refused(
        self, client: Client, league: League, sent: dict[str, str], words: str
    ) -> None:
        response = client.post(self.url(league), sent)
        assert response.status_code == (302 if words else 422)
        assert league.modes.get().score_rule == words

    def test_any_score_needs_no_numbers(self, client: Client, league: League) -> None:
        league.modes.update(score_rule="frames 9")
        sent = {"kind": "any", "cap": "0", "best_of": "x"}
        assert client.post(self.url(league), sent).status_code == 302
        assert league.modes.get().score_rule == ""

    @pytest.mark.parametrize("last", ["10+2<15", "10", "10+2"])
    def test_a_deciding_set_stays_as_it_is_stored(
        self, client: Client, league: League, last: str
    ) -> None:
        league.modes.update(score_rule=f"sets 3 to 6+2<7 last {last}")
        form = client.get(self.url(league)).context["scores"]
        sent = {field.name: field.value() or "" for field in form}
        assert client.post(self.url(league), sent | {"best_of": "5"}).status_code == 302
        assert league.modes.get().score_rule == f"sets 5 to 6+2<7 last {last}"
        assert client.post(self.url(league), sent | {"last_target": "12"}).status_code == 302
        assert league.modes.get().score_rule == "sets 3 to 6+2<7 last 12+2"

    def test_a_mode_of_another_league_does_not_exist(self, client: Client, league: League) -> None:
        create_league(name="Other", slug="other", mode="Chess")
        assert client.get("/l/club/settings/modes/chess/").status_code == 404


class TestSeasons:
    URL = "/l/club/settings/seasons/"

    def test_days_are_those_of_the_league(self, client: Client, league: League) -> None:
        League.objects.update(time_zone="Asia/Tokyo")
        sent = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-11-30"}
        assert client.post(self.URL, sent).status_code == 302
        season = Season.objects.get(name="Autumn")
        assert season.starts_at == datetime(2026, 8, 31, 15, tzinfo=UTC)
        assert season.ends_at == datetime(2026, 11, 30, 15, tzinfo=UTC)
        page = client.get(self.URL).content.decode()
        assert "1 Sep 2026" in page and "30 Nov 2026" in page

    def test_it_gets_the_boards_of_the_season_before(self, client: Client, league: League) -> None:
        before = {(board.system, board.name) for board in league.boards.all()}
        client.post(self.URL, {"name": "Second"})
        season = Season.objects.get(name="Second")
        assert {(board.system, board.name) for board in season.boards.all()} == before
        assert {board.rated_through_revision for board in season.boards.all()} == {0}

    @pytest.mark.parametrize(
        "wrong",
        [
            {"name": ""},
            {"name": "x" * 65},
            {"starts_on": "2026-12-01", "ends_on": "2026-11-30"},
            {"starts_on": "1066-10-14"},
            {"ends_on": "9999-12-31"},
            {"ends_on": "31.02.2026"},
        ],
    )
    def test_a_refused_season_is_not_made(
        self, client: Client, league: League, wrong: dict[str, str]
    ) -> None:
        assert client.post(self.URL, {"name": "Second"} | wrong).status_code == 422
        assert Season.objects.count() == 1


def test_the_log_shows_what_changed_newest_first_and_page_by_page(
    client: Client, league: League
) -> None:
    for number in range(55):
        client.post("/l/club/settings/", RULES | {"name": f"Club {number}"})
    first = client.get("/l/club/changes/").context["page"]
    assert len(first.rows) == 50
    assert sentence(first.rows[0].changes[0]) == "name: Club 53 → Club 54"
    second = client.get(first.older_url).context["page"]
    assert second.older_url == ""
    assert sentence(second.rows[0].changes[0]) == "name: Club 3 → Club 4"
    for odd in ("x", "-1", "9" * 40, "\x00", "²"):
        assert client.get("/l/club/changes/", {"before": odd}).status_code == 200


UNREADABLE = ("\u3164", "a\u202eb", "a\x00b", "a\x07b", "a\u200bb")


@pytest.mark.parametrize("words", UNREADABLE)
class TestWordsThatCannotBeRead:
    @pytest.mark.parametrize("field", ["name", "mode"])
    def test_a_new_league_is_refused(self, client: Client, field: str, words: str) -> None:
        assert client.post("/new/", {**NEW, "slug": "other", field: words}).status_code == 422
        assert not League.objects.exists()

    @pytest.mark.parametrize("field", ["name", "description"])
    def test_rules_are_refused(
        self, client: Client, league: League, field: str, words: str
    ) -> None:
        response = client.post("/l/club/settings/", {**RULES, field: words})
        assert response.status_code == 422
        league.refresh_from_db()
        assert (league.name, league.description) == ("Club", "")

    def test_a_season_is_refused(self, client: Client, league: League, words: str) -> None:
        assert client.post("/l/club/settings/seasons/", {"name": words}).status_code == 422
        assert Season.objects.count() == 1

    def test_a_board_is_refused(self, client: Client, league: League, words: str) -> None:
        form = {
            "board-mode": league.modes.get().pk,
            "board-name": words,
            **{
                f"board-x_{row.name}": "" if row.default is None else row.default
                for row in bridge.describe_system("elo")
            },
        }
        response = client.post("/l/club/settings/boards/?system=elo", form)
        assert response.status_code == 422
        assert league.boards.count() == 2


def test_a_description_has_lines_and_any_script(client: Client, league: League) -> None:
    text = "Tuesdays\r\nبازی\u200cها \U0001f468\u200d\U0001f469"
    response = client.post("/l/club/settings/", {**RULES, "description": text})
    assert response.status_code == 302
    league.refresh_from_db()
    assert league.description == text.replace("\r\n", "\n")


def test_a_time_zone_is_shown_as_settled_once_there_are_results(
    client: Client, league: League
) -> None:
    def field() -> str:
        return re.search(
            r"<input[^>]*name=\"time_zone\"[^>]*>", client.get("/l/club/settings/").content.decode()
        )[0]

    assert "readonly" not in field()
    record(league, result(league, "Ana", "Bo"))
    assert "readonly" in field()
    refused = client.post("/l/club/settings/", {**RULES, "time_zone": "Europe/Oslo"})
    assert refused.status_code == 422


def test_a_new_league_asks_for_its_zone_and_takes_no_negative_scores(client: Client) -> None:
    body = client.get("/new/").content.decode()
    zone = re.search(r"<input[^>]*name=\"time_zone\"[^>]*>", body)[0]
    assert "data-zone" in zone
    assert "value=" not in zone
    scores = re.search(r"<input[^>]*name=\"negative_scores\"[^>]*>", body)[0]
    assert "checked" not in scores
    refused = client.post("/new/", {**NEW, "time_zone": ""})
    assert refused.status_code == 422
    assert "Choose a time zone from the list." in refused.content.decode()
    client.post("/new/", NEW)
    assert not League.objects.get().negative_scores


def test_days_of_a_season_are_refused_in_the_words_of_results(
    client: Client, league: League
) -> None:
    response = client.post(
        "/l/club/settings/seasons/", {"name": "Old", "starts_on": "1700-01-01", "ends_on": "x"}
    )
    body = response.content.decode()
    assert "The date must be from 1800 to 2199." in body
    assert "Enter a date such as 2026-11-12." in body


def test_counting_walkovers_otherwise_says_first_what_it_will_do(boss: User) -> None:
    league = create_league(name="Club", slug="club", owner=boss)
    client = Client()
    client.force_login(boss, BACKEND)
    before = list(league.boards.order_by("pk").values_list("rated_through_revision", flat=True))
    told = client.post("/l/club/settings/", RULES | {"walkovers": "win"})
    body = told.content.decode()
    assert told.status_code == 422 and "Rated again from the first result" in body
    assert "0 walkovers are affected." in body and "(First season)" in body
    league.refresh_from_db()
    assert league.walkovers == "unrated"
    assert (
        list(league.boards.order_by("pk").values_list("rated_through_revision", flat=True))
        == before
    )
    sure = RULES | {"walkovers": "win", "told_walkovers": "win"}
    assert client.post("/l/club/settings/", sure).status_code == 302
    league.refresh_from_db()
    assert league.walkovers == "win"
