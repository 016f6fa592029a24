"""A file that comes again, after what happened to its results and players in the meantime."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import Job, League, Match, Player, Revision, Season
from leagues.services.drafts import MatchDraft
from leagues.services.history import check_league
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import create_season
from leagues.services.matches import revert_revision, void_match
from leagues.services.player_editing import edit_player
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player
from leagues.services.spellings import remove_spelling
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.services.test_imports import EVENING, take
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    return new_club()


club = read_anew("built_club")


def undo(revision: Revision) -> Revision:
    undoing = revert_revision(revision=revision, author=None)
    drain()
    return undoing


def on_the_day(club: League, one: str, two: str, points: int) -> MatchDraft:
    """A result of the file as a person enters it, who knows no time."""
    day = club.midnight(date(2026, 1, 5))
    return result(club, one, two, scores=(3, points), at=day, date_only=True)


def into(season: Season) -> dict[str, Any]:
    job_id = start_import(
        season=season,
        mode=mode_of(season.league),
        name="results.csv",
        content=EVENING.encode(),
        options=ImportOptions(),
    )
    drain()
    return dict(Job.objects.get(pk=job_id).result)


def is_sound(club: League) -> bool:
    boards = [check_board(board) for board in club.boards.all()]
    return check_league(club.pk).differences == 0 and not any(
        board.differences or board.is_behind for board in boards
    )


@pytest.mark.parametrize("presses", [1, 3, 5])
def test_an_import_that_was_undone_again_can_be_made_again(club, presses):
    """Undone, brought back and undone once more, it is the last undoing that the file answers."""
    take(club, EVENING)
    digest = league_digest(club)
    last = Revision.objects.get()
    for _press in range(presses):
        last = undo(last)
    assert not Match.objects.live().exists()
    again = take(club, EVENING)
    assert (again["imported"], again["already_there"], again["players_created"]) == (3, 0, 0)
    assert league_digest(club) == digest
    assert is_sound(club)


def test_what_was_entered_by_hand_since_an_import_was_undone_is_known(club):
    """Of the file's results only the one that nobody entered again comes back."""
    take(club, EVENING)
    undo(Revision.objects.get())
    record(
        club,
        *[on_the_day(club, one, two, to) for one, two, to in (("Ana", "Bo", 1), ("Cy", "Dee", 2))],
    )
    again = take(club, EVENING)
    assert (again["imported"], again["already_there"]) == (1, 2)
    assert Match.objects.live().count() == 3
    assert take(club, EVENING)["already_there"] == 3
    assert is_sound(club)


def test_a_result_voided_by_hand_stays_void_however_often_that_is_undone(club):
    take(club, EVENING)
    undo(undo(void_match(match=Match.objects.get(seq=2), author=None)))
    assert take(club, EVENING)["already_there"] == 3
    assert Match.objects.get(seq=2).status == Match.Status.VOID


def test_an_undone_import_comes_back_whole_after_a_merge_of_its_players(club):
    for name in ("Ana", "Anna"):
        record(club, result(club, name, "Zoe"))
    take(club, EVENING)
    undo(Revision.objects.get(kind=Revision.Kind.IMPORT))
    players = {player.name: player for player in Player.objects.all()}
    merge_players(league=club, keep=players["Anna"], drop=players["Ana"], author=None)
    again = take(club, EVENING)
    assert (again["imported"], again["already_there"]) == (3, 0)
    assert Match.objects.live().filter(participants__player=players["Anna"]).count() == 4
    assert is_sound(club)


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_stored_result_brings_nobody_under_a_former_name(club, is_undone):
    take(club, EVENING)
    if is_undone:
        undo(Revision.objects.get())
    edit_player(player=Player.objects.get(name="Bo"), name="Bob", birth_year=None, actor=None)
    remove_spelling(player=Player.objects.get(name="Bob"), name="Bo", actor=None)
    again = take(club, EVENING)
    assert (again["imported"], again["already_there"]) == ((3, 0) if is_undone else (0, 3))
    assert again["players_created"] == 0
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana", "Bob", "Cy", "Dee"}
    assert is_sound(club)


def test_a_stored_result_is_known_although_a_name_is_shared_by_now(club):
    take(club, EVENING)
    edit_player(player=Player.objects.get(name="Bo"), name="Bob", birth_year=None, actor=None)
    ensure_player(league=club, name="Bo", key="another")
    Player.objects.filter(name="Bob").update(name="Bo", folded="bo")
    again = take(club, EVENING)
    assert (again["already_there"], again["refused"]) == (3, False)


def test_what_was_undone_in_one_season_can_be_imported_into_another(club):
    """The void results keep their ids, under which the same file is known in either season."""
    autumn = season_of(club)
    wrong = create_season(league=club, name="Spring")
    into(wrong)
    undo(Revision.objects.get())
    done = into(autumn)
    assert (done["imported"], done["already_there"]) == (3, 0)
    assert not Match.objects.live().exclude(season=autumn).exists()
    for season in (autumn, wrong):
        again = into(season)
        assert (again["imported"], again["already_there"]) == (0, 3)
    undo(Revision.objects.get(season=autumn))
    assert into(autumn)["imported"] == 3
    assert Match.objects.count() == 6
    assert is_sound(club)
