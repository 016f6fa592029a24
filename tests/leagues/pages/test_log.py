"""The log of a league: results and settings in one line of time, asked by what people know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import leagues
from leagues.access import Action
from leagues.models import AuditEntry, League, Player, Revision
from leagues.pages.changes import ACTIONS, changes_between, sentence
from leagues.pages.log import LogRow, log_page
from leagues.selectors.log import LogFilter
from leagues.services.leagues import create_season, update_league
from leagues.services.matches import correct_match, revert_revision
from leagues.services.members import set_role
from leagues.services.players import rename_player
from tests.leagues.people import make_user
from tests.leagues.play import LATER, START, new_club, record, result, season_of

pytestmark = pytest.mark.django_db
ORGANIZER = frozenset({Action.VIEW, Action.UNDO, Action.AUDIT})


@pytest.fixture
def boss() -> User:
    return make_user("boss")


@pytest.fixture
def league(boss: User) -> League:
    """Return a league in which a match was corrected and a player and the rules were changed."""
    league = new_club(owner=boss)
    first, _second = record(
        league,
        result(league, "Ana", "Bo", scores=(3, 1)),
        result(league, "Cy", "Dee", scores=(2, 0)),
        by=boss,
    )
    correction = result(league, "Ana", "Eve", scores=(3, 2))
    correct_match(
        match=first, draft=correction, expected_version=1, author=boss, reason="it was Eve"
    )
    rename_player(player=Player.objects.get(key="cy"), name="Cyril", actor=boss)
    update_league(league=league, changes={"walkovers": "win", "active_days": 30}, actor=None)
    return league


def rows(league: League, given: dict[str, str] | None = None, **asked: object) -> list[LogRow]:
    page = log_page(
        league=league,
        filters=LogFilter(**asked),
        address_words=given or {},
        rights=ORGANIZER,
        now=LATER,
    )
    return list(page.rows)


def told(found: Sequence[LogRow]) -> list[str]:
    return [row.what for row in found]


def players(*keys: str) -> tuple[Player, ...]:
    return tuple(Player.objects.filter(key__in=keys))


class TestTimeLine:
    def test_results_and_settings_stand_in_one_line_newest_first(self, league: League) -> None:
        assert told(rows(league)) == [
            "rules changed",
            "player renamed",
            "result corrected",
            "results entered",
            "league created",
            "season created",
            "board added",
            "board added",
        ]

    def test_a_correction_says_what_was_and_what_is(self, league: League) -> None:
        (row,) = rows(league, kind="correction")
        (change,) = row.changes
        assert (change.old, change.new) == ("Ana 3–1 Bo", "Ana 3–2 Eve")
        assert (row.who, row.reason) == ("boss", "it was Eve")
        assert row.url == reverse("leagues:revision", args=["club", "autumn", 2])

    def test_settings_are_told_in_the_words_of_their_page(self, league: League) -> None:
        (row,) = rows(league, kind="league.settings")
        assert [sentence(change) for change in row.changes] == [
            "walkovers: walkovers are listed and do not count → "
            "a walkover counts as a win without a score",
            "days without a match until a player counts as inactive: 90 → 30",
        ]
        assert row.who == "the system"

    def test_a_renamed_player_is_linked(self, league: League) -> None:
        (row,) = rows(league, kind="player.rename")
        assert (row.subject, row.url) == ("Cyril", "/l/club/p/cy/")

    def test_a_board_is_told_with_its_parameters(self, league: League) -> None:
        row = rows(league, kind="board.create")[0]
        labels = {change.label for change in row.changes}
        assert "rating system" in labels and not any("_" in label for label in labels)

    def test_what_was_undone_says_so_and_offers_no_undo(self, league: League) -> None:
        correction = Revision.objects.get(kind="correction")
        page = log_page(
            league=league, filters=LogFilter(), address_words={}, rights=ORGANIZER, now=LATER
        )
        offered = [row.what for row in page.rows if row.undo_url]
        assert offered == ["player renamed", "result corrected", "results entered"]
        revert_revision(revision=correction, author=None)
        (row,) = rows(league, kind="correction")
        assert row.undone == "undone by change 3" and not row.undo_url

    def test_entered_results_keep_the_days_they_were_entered_with(
        self, league: League, boss: User, client: Client
    ) -> None:
        late = START + timedelta(days=5)
        first, *_others = record(
            league, *(result(league, "Ana", "Bo", at=late) for _ in range(4)), by=boss
        )
        for version, day in enumerate((9, 2), start=1):
            draft = result(league, "Bo", "Ana", at=START + timedelta(days=day))
            correct_match(match=first, draft=draft, expected_version=version, author=boss)
        row = next(one for one in rows(league) if one.what == "results entered")
        assert [change.label for change in row.changes] == ["4 results, played on 6 Oct 2025"]
        entered = first.revision.number
        page = client.get(f"/l/club/r/autumn/{entered}/").context["page"]
        assert {row.day for row in page.rows} == {"6 Oct 2025"}

    def test_nothing_stands_between_a_setting_and_the_semicolon_after_it(
        self, league: League, client: Client
    ) -> None:
        client.force_login(League.objects.get().memberships.get().user)
        page = client.get("/l/club/changes/?kind=settings").content.decode()
        listed = page.partition('<ul class="small soft line">')[2].partition("</ul>")[0]
        assert listed.count("</ins></li>") == listed.count("</li>") > 1


class TestFilter:
    def test_a_player_finds_results_that_are_and_that_were(self, league: League) -> None:
        assert told(rows(league, players=players("ana"))) == ["result corrected", "results entered"]
        # Bo played in it only until it was corrected.
        assert told(rows(league, players=players("bo"))) == ["result corrected", "results entered"]
        revert_revision(revision=Revision.objects.get(kind="correction"), author=None)
        assert told(rows(league, players=players("eve")))[:2] == [
            "change 2 (result corrected) was undone",
            "result corrected",
        ]
        assert told(rows(league, players=players("dee"))) == ["results entered"]

    def test_a_player_finds_the_settings_about_the_player(self, league: League) -> None:
        assert told(rows(league, players=players("cy"))) == ["player renamed", "results entered"]

    def test_a_user_finds_what_the_user_did(self, league: League) -> None:
        assert "rules changed" not in told(rows(league, user="Boss"))
        assert rows(league, user="nobody") == []

    def test_groups_are_results_and_settings(self, league: League) -> None:
        assert told(rows(league, kind="results")) == ["result corrected", "results entered"]
        assert "results entered" not in told(rows(league, kind="settings"))

    def test_days_are_bounds(self, league: League) -> None:
        now = timezone.now()
        assert rows(league, until=now - timedelta(days=1)) == []
        assert len(rows(league, since=now - timedelta(days=1))) == 8

    def test_other_leagues_are_never_in_it(self, league: League, boss: User) -> None:
        other = new_club("other", owner=boss)
        record(other, result(other, "Ana", "Bo", scores=(1, 0)), by=boss)
        assert len(rows(league)) == 8
        elsewhere = tuple(other.players.filter(key="ana"))
        assert rows(league, players=elsewhere) == []


class TestPages:
    def test_pages_follow_each_other_without_gap_or_double(self, league: League) -> None:
        # Entries of one instant are the hard case.
        for number in range(3):
            AuditEntry.objects.create(league=league, action="token.create", created_at=LATER)
            Revision.objects.create(
                league=league,
                season=season_of(league),
                number=10 + number,
                kind="entry",
                source="browser",
                created_at=LATER,
            )
        everything = [(row.what, row.subject) for row in rows(league)]
        found, given = [], {}
        while True:
            page = log_page(
                league=league,
                filters=LogFilter(),
                address_words=given,
                rights=ORGANIZER,
                now=LATER,
                most=1,
            )
            found += [(row.what, row.subject) for row in page.rows]
            if not page.older_url:
                break
            given = {"before": re.search(r"before=([^&]+)", page.older_url)[1]}
            given = {"before": given["before"].replace("%3A", ":").replace("%2B", "+")}
        assert found == everything

    @pytest.mark.parametrize(
        "before", ["x", "_1_1", "2026-01-01_1_1", "9999-01-01T00:00+00:00_1_1"]
    )
    def test_a_place_that_is_none_begins_at_the_newest(self, league: League, before: str) -> None:
        assert len(rows(league, {"before": before})) == 8

    def test_the_queries_do_not_grow_with_the_entries(self, league: League, boss: User) -> None:
        with CaptureQueriesContext(connection) as few:
            rows(league)
        for number in range(5):
            record(league, result(league, "Ana", f"N{number}", scores=(3, 0)), by=boss)
            set_role(league=league, user=make_user(f"u{number}"), role="scorer", actor=boss)
        with CaptureQueriesContext(connection) as many:
            rows(league)
        assert len(many) == len(few) <= 8


class TestPage:
    @pytest.fixture
    def client(self, boss: User) -> Client:
        client = Client()
        client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
        return client

    def test_the_form_filters_by_what_people_type(self, client: Client, league: League) -> None:
        page = client.get("/l/club/changes/", {"player": "cyril", "user": "boss"})
        text = page.content.decode()
        assert page.status_code == 200
        assert "player renamed" in text and "rules changed" not in text.partition('log">')[2]

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"player": "nobody"}, "No player has this name."),
            ({"player": "a\x00b"}, "Null characters are not allowed."),
            ({"user": "x" * 300}, "at most 150"),
            ({"kind": "account.create"}, "not one of the available choices"),
            ({"since": "soon"}, "Enter a date such as 2026-11-12."),
            ({"since": "2026-02-01", "until": "2026-01-01"}, "before the first"),
        ],
    )
    def test_what_makes_no_sense_is_said_in_words(
        self, client: Client, league: League, given: dict[str, str], words: str
    ) -> None:
        page = client.get("/l/club/changes/", given)
        assert page.status_code == 422 and words in page.content.decode()

    def test_nothing_of_a_kind_is_said_too(self, client: Client, league: League) -> None:
        page = client.get("/l/club/changes/", {"kind": "token.create"})
        assert "No changes match" in page.content.decode()


def test_every_action_has_words() -> None:
    """What services write into the record is told by it."""
    written = {
        action
        for path in Path(leagues.__file__).parent.rglob("*.py")
        for action in re.findall(r'action="([a-z_]+\.[a-z_]+)"', path.read_text())
    }
    assert written <= set(ACTIONS)


def test_other_values_are_told_too() -> None:
    before = {"carry": "soft", "carry_share": -0.5, "sealed": "2026-01-01T00:00:00+00:00"}
    before |= {"first_day": "2026-01-02"}
    after = {"carry": "keep", "carry_share": 0.25, "sealed": None, "first_day": "2026-02-01"}
    zone = League(time_zone="Asia/Tokyo").zone
    assert [sentence(change) for change in changes_between(before, after, zone)] == [
        "carried over: soft reset → keep ratings",
        "carry share: −0.5 → 0.25",
        "sealed: 1 Jan 2026, 09:00, removed",
        "first day: 2 Jan 2026 → 1 Feb 2026",
    ]


def test_chosen_rules_are_told_in_the_words_of_their_form() -> None:
    rules = {"system": "elo", "parameters": {"curve": "fide", "policy": "fide"}}
    told = [sentence(change) for change in changes_between(None, rules, League().zone)]
    assert "rating system: Elo" in told
    assert any(line.endswith(": FIDE’s printed table") for line in told)
    values = [{"system": "glicko2", "parameters": {"deviation": part}} for part in (350, 200)]
    (change,) = changes_between(*values, League().zone)
    assert (change.label, change.old, change.new) == ("New deviation", "350", "200")
    (change,) = changes_between({"policy": "constant"}, {"policy": "fide"}, League().zone)
    assert (change.old, change.new) == ("always the same", "by FIDE’s rules")


def test_seasons_are_told_with_their_names(league: League, boss: User) -> None:
    create_season(league=league, name="Spring", actor=boss)
    assert rows(league, kind="season.create")[0].subject == "Spring"
    assert AuditEntry.objects.filter(season__name="Spring").exists()
