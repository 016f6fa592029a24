"""Events of a kind of the game's own: from its log to boards, files and pages."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from leagues.bridge import checked_parameters
from leagues.forms.own_words import MOST_WORDS
from leagues.forms.rules import RulesForm
from leagues.forms.settings import BoardForm
from leagues.jobs.runner import drain
from leagues.models import League, Match, MatchEvent
from leagues.pages.frag_table import frag_table
from leagues.services.backups import restore_backup
from leagues.services.drafts import EventDraft
from leagues.services.errors import Refused
from leagues.services.matches import correct_match, void_match
from leagues.services.rules import change_rules
from leagues.services.stored_drafts import draft_of
from leagues.services.tried_changes import change_as_json, change_from_json, try_change
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, record, result, season_of
from tests.leagues.services.test_backups import written
from tests.leagues.services.test_correction_preview import assert_previewed, correction
from tests.leagues.services.test_event_boards import assert_sound, boards_of, digests
from tests.leagues.services.test_event_kinds import happened, log_of
from tests.leagues.services.test_event_values import club_with, states

pytestmark = pytest.mark.django_db

BOARDS: dict[str, dict[str, Any]] = {
    "zerosum": {"own": 2.0, "frag_gain": 0.1, "display": "raw"},
    "becker": {"own": 2.0},
    "static": {"own": 2.0, "least_events": 0, "least_opponents": 0},
}
WORDED: dict[str, dict[str, Any]] = {
    "zerosum": {"own_words": "goal 7, steal 0.5", "frag_gain": 0.1, "display": "raw"},
    "becker": {"own": 1.0, "own_words": "goal 7, steal 0"},
    "static": {"own_words": "steal 2", "least_events": 0, "least_opponents": 0},
}
EVENTS = (
    happened("own:goal", 1),
    happened("own:steal", 3, 2, 0.5),
    happened("own:steal", 1, 2),
    happened("frag", 1, 3),
)
"""Ana, of a team with Cy, plays Bo: the second steal is from her own side."""


@pytest.fixture
def club(tmp_path: Path) -> League:
    club = club_with(BOARDS)
    file = tmp_path / "games.log"
    file.write_text(log_of(*EVENTS))
    mode = mode_of(club).name
    call_command("import_log", str(file), league="club", mode=mode)
    return club


def test_a_log_brings_them_and_boards_give_them_a_value(club: League) -> None:
    rows = MatchEvent.objects.order_by("position").values_list(
        "kind", "player__name", "opponent__name", "points"
    )
    assert list(rows) == [
        ("own:goal", "Ana", None, 1.0),
        ("own:steal", "Bo", "Cy", 0.5),
        ("frag", "Ana", "Bo", 1.0),
    ]
    ana = bo = cy = 0.0
    goal = 0.1 * 2.0 / 2.0
    ana, bo = ana + goal, bo - goal
    steal = 0.1 * 2.0 * 0.5 / (1.0 + math.exp(bo - cy))
    bo, cy = bo + steal, cy - steal
    frag = 0.1 / (1.0 + math.exp(ana - bo))
    expected = {"Ana": ana + frag, "Bo": bo - frag, "Cy": cy}
    board = boards_of(club)["zerosum"]
    names = dict(club.players.values_list("key", "name"))
    shown = {names[key]: value for key, value in states(board).items()}
    assert shown == pytest.approx(expected, abs=1e-12)
    assert_sound(club)


def test_boards_give_each_word_a_value_of_its_own(tmp_path: Path, client: Client) -> None:
    club = club_with(WORDED)
    file = tmp_path / "games.log"
    file.write_text(log_of(*EVENTS))
    call_command("import_log", str(file), league="club", mode=mode_of(club).name)
    ana = bo = cy = 0.0
    goal = 0.1 * 7.0 / 2.0
    ana, bo = ana + goal, bo - goal
    steal = 0.1 * 0.5 * 0.5 / (1.0 + math.exp(bo - cy))
    bo, cy = bo + steal, cy - steal
    frag = 0.1 / (1.0 + math.exp(ana - bo))
    boards = boards_of(club)
    names = dict(club.players.values_list("key", "name"))
    shown = {names[key]: value for key, value in states(boards["zerosum"]).items()}
    assert shown == pytest.approx({"Ana": ana + frag, "Bo": bo - frag, "Cy": cy}, abs=1e-12)
    shown = {names[key]: value for key, value in states(boards["becker"]).items()}
    stake = boards["becker"].parameters["frag_k"]
    assert shown["Cy"] == 0.0
    assert shown["Ana"] == pytest.approx(7 * stake / 2 + stake / (1 + 10 ** (7 * stake / 800)))
    assert_sound(club)
    season, match = season_of(club).slug, Match.objects.get()
    keys = dict(club.players.values_list("name", "key"))
    address = f"/l/club/m/{season}/{match.seq}/?board={boards['zerosum'].slug}&of="
    page = " ".join(client.get(f"{address}{keys['Bo']}").content.decode().split())
    assert "steal against Cy: 1" in page
    assert "Each counts as 0.5 frags." in page
    assert "Each counts as 7 frags." in page
    for system, sentences in (
        ("zerosum", ("“goal” of the game’s own kinds counts as 7 frags.", "in equal parts")),
        ("becker", ("“goal” of the game’s own kinds counts as 7 frags.", "“steal”.")),
        ("static", ("counts as 2 frags", "other kinds of the game’s own", "is shared out equally")),
    ):
        rules = client.get(f"/l/club/rules/?season={season}&board={boards[system].slug}")
        page = " ".join(rules.content.decode().split())
        assert [words for words in sentences if words not in page] == []


def test_a_word_has_another_value_from_a_moment_on(tmp_path: Path) -> None:
    """Games an hour apart, in logs whose words are not the same."""
    club = club_with({"zerosum": {"own": 1.0, "frag_gain": 0.1, "display": "raw"}})
    for number, events in enumerate(
        ("Ana:goal", "Ana:assault Bo:goal", "Bo:zone Ana:goal Ana:assault")
    ):
        words = [word.split(":") for word in events.split()]
        draft = result(club, "Ana", "Bo", at=START + timedelta(hours=number))
        people = {side.members[0].player.name: side.members[0].player for side in draft.sides}
        happenings = tuple(EventDraft(kind=f"own:{w}", player=people[name]) for name, w in words)
        record(club, replace(draft, events=happenings))
    (board,) = boards_of(club).values()
    change_rules(
        board,
        parameters={"own_words": "assault 0, goal 2"},
        effective_at=START + timedelta(hours=2),
        actor=None,
    )
    drain()
    ana = 0.0
    for sign, value in ((1, 1.0), (1, 1.0), (-1, 1.0), (-1, 1.0), (1, 2.0)):
        ana += sign * 0.1 * value / (1.0 + math.exp(sign * 2 * ana))
    assert states(boards_of(club)["zerosum"])["ana"] == pytest.approx(ana, abs=1e-12)
    assert_sound(club)


def test_a_preview_in_the_background_has_the_words() -> None:
    club = club_with({"zerosum": {"own_words": "goal 7"}})
    (match,) = record(club, game(club, "Ana+Cy Bo+Dee", "Ana@ Bo@Cy Ana>Bo"))
    draft = draft_of(match)
    other = replace(draft.events[0], kind="own:zone")
    change = correction(match, replace(draft, events=(other, *draft.events[1:])))
    tried = try_change(season_of(club), change)
    assert tried is not None
    stored = change_as_json(tried)
    (facts,) = change_from_json(stored).facts.values()
    assert facts.event_words == ("own:goal", "own:zone")
    assert facts.event_kind.tolist() == [10, 9, 0]
    # A job of a release before has one kind for all of them.
    for _mode, columns in stored["facts"]:
        del columns["event_words"]
        columns["event_kind"] = [9, 9, 0]
    (facts,) = change_from_json(stored).facts.values()
    assert facts.event_words == ("own:event",)
    assert_previewed(club, change)


def test_the_form_of_a_board_takes_words_with_values() -> None:
    club = club_with({})
    form = BoardForm("zerosum", club)
    data = {f"board-{name}": field.initial or "" for name, field in form.fields.items()}
    data |= {"board-mode": mode_of(club).pk, "board-x_own_words": "own:steal=0.5; goal 7"}
    form = BoardForm("zerosum", club, data)
    assert form.is_valid(), form.errors
    assert checked_parameters("zerosum", form.parameters)["own_words"] == "goal 7, steal 0.5"
    with pytest.raises(ValidationError, match="such as goal 7"):
        checked_parameters("zerosum", {**form.parameters, "own_words": "goal"})


def help_of_words(form: BoardForm | RulesForm) -> str:
    return str(form.fields["x_own_words"].help_text)


def test_the_forms_of_a_board_list_the_words_that_there_are(club: League, tmp_path: Path) -> None:
    words = "Events in this league have: goal (1), steal (1)."
    for form in (BoardForm("ladder", club), RulesForm(boards_of(club)["zerosum"])):
        assert help_of_words(form).endswith(words)
    assert "x_own_words" not in BoardForm("elo", club).fields
    file = tmp_path / "more.log"
    lines = [happened("own:tag", 1), *(happened(f"own:w{number:02}", 1) for number in range(30))]
    file.write_text(log_of(*lines, *EVENTS))
    call_command("import_log", str(file), league="club", mode=mode_of(club).name)
    told = help_of_words(BoardForm("ladder", club))
    assert "have: goal (2), steal (2), tag (1), w00 (1)," in told
    assert told.endswith(f"w{MOST_WORDS - 4} (1) and 3 more.")
    for match in Match.objects.all():
        void_match(match=match, author=None)
    nothing = "No event in this league has a word of its own yet."
    assert help_of_words(BoardForm("ladder", club)).endswith(nothing)


def test_a_backup_brings_them_back_with_former_versions() -> None:
    with transaction.atomic():
        club = club_with(BOARDS)
        (match,) = record(club, game(club, "Ana+Cy Bo+Dee", "Ana@ Bo@Cy:3 Ana>Bo"))
        draft = replace(draft_of(match), detail="late")
        correct_match(match=match, draft=draft, expected_version=1, author=None)
        drain()
        backup, before = written(), digests(club)
        transaction.set_rollback(True)
    restore_backup(io.BytesIO(backup))
    drain()
    club = League.objects.get()
    assert digests(club) == before
    assert_sound(club)
    assert written() == backup


def test_they_are_exported_and_imported_back(club: League, tmp_path: Path) -> None:
    file = tmp_path / "club.zip"
    call_command("export_league", "club", str(file))
    call_command("import_league", str(file), slug="again")
    assert digests(League.objects.get(slug="again")) == digests(club)
    assert MatchEvent.objects.filter(kind="own:steal").count() == 2


def test_pages_have_the_word_of_the_game(club: League, client: Client) -> None:
    match = Match.objects.get()
    table = frag_table(match, None)
    assert table is not None
    assert [str(title) for title in table.others] == ["goal", "steal"]
    season = match.season.slug
    board = boards_of(club)["zerosum"]
    keys = dict(club.players.values_list("name", "key"))
    for name, expected in (
        ("Ana", ("goal: 1", "Each counts as 2 frags.")),
        ("Bo", ("goal by Ana: 1", "steal against Cy: 1", "goal by Ana", "steal against Cy")),
        ("Cy", ("steal by Bo: 1",)),
    ):
        address = f"/l/club/m/{season}/{match.seq}/?board={board.slug}&of={keys[name]}"
        page = " ".join(client.get(address).content.decode().split())
        for words in expected:
            assert words in page
    page = client.get(f"/l/club/m/{season}/{match.seq}/session/").content.decode()
    assert "Bo: steal against Cy" in page
    assert "Ana: goal" in page
    rules = client.get(f"/l/club/rules/?season={season}&board={board.slug}").content.decode()
    assert "An event of the game’s own kinds moves a rating by at most" not in rules
    assert "On the internal scale, an event of the game’s own kinds" in rules


@pytest.mark.parametrize(
    "kind", ["own:", "own:Goal", "own:<b>", "own:-a", "own:" + "x" * 29, "goal"]
)
def test_a_kind_that_is_no_word_is_refused(kind: str) -> None:
    club = club_with({"zerosum": {}})
    draft = result(club, "Ana", "Bo")
    ana = draft.sides[0].members[0].player
    with pytest.raises(Refused, match="The kind must be one of"):
        record(club, result(club, "Ana", "Bo", events=(EventDraft(kind=kind, player=ana),)))
    assert not MatchEvent.objects.exists()


def test_the_database_knows_no_other_kind(club: League) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        MatchEvent.objects.filter(kind="own:goal").update(kind="goal")


def test_in_a_log_another_word_is_a_line_that_was_not_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club_with({"zerosum": {}})
    file = tmp_path / "games.log"
    file.write_text(log_of(happened("own:<b>", 1), happened("own", 1), happened("frag", 1, 3)))
    call_command("import_log", str(file), league="club", json=True)
    report = json.loads(capsys.readouterr().out)
    assert sum(report["problems"].values()) == 2
    assert [event.kind for event in MatchEvent.objects.all()] == ["frag"]
