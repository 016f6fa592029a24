"""Who is there on a night decides whom a short name means, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest

from leagues.models import League, NightSheet, Player
from leagues.selectors.night_sheets import night_names
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import Answers
from leagues.services.errors import Refused
from leagues.services.integrity import league_digest
from leagues.services.matches import void_match
from leagues.services.night_reading import SheetReading, read_sheet
from leagues.services.night_sheets import (
    PageState,
    SheetContent,
    content_of,
    enter_sheet,
    save_sheet,
)
from leagues.services.presence import arriving_name, arriving_names, clean_present
from leagues.services.spellings import Spelling, remember_spellings
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

DAY = START.date()


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    for days, name in enumerate(("Ana Ruiz", "Ana Diaz", "Ana Amaral", "Ana Beck"), start=2):
        record(league, result(league, name, "Bo Li", at=START - timedelta(days=days)))
    return league


club = read_anew("built_club")


def enterer(club: League) -> Enterer:
    author = club.memberships.get().user
    return Enterer(
        source="browser", author=author, is_asked=True, may_backdate=True, may_be_late=True
    )


def read(club: League, text: str, *present: str) -> SheetReading:
    return read_sheet(
        text,
        season=season_of(club),
        mode=mode_of(club),
        day=DAY,
        answers=Answers(),
        enterer=enterer(club),
        present=present,
    )


def save(club: League, text: str, present: tuple[str, ...], version: int, writer: str) -> None:
    save_sheet(
        league=club,
        author=club.memberships.get().user,
        content=SheetContent(mode_of(club), DAY, text, {}, present),
        page=PageState(version, writer),
    )


def test_of_several_players_a_short_name_means_the_one_who_is_here(club: League) -> None:
    assert read(club, "ana > Bo Li").open_questions == 1
    # Of four, the names that are offered do not have the last one but for being here.
    reading = read(club, "ana > Bo Li", "ana ruiz", "Bo Li")
    (name,) = reading.questions
    assert (name.answer, name.is_short) == ("ana-ruiz", True)
    assert name.candidates[0].key == "ana-ruiz"
    assert reading.can_be_entered
    assert read(club, "ana > Bo Li", "Ana Ruiz", "Ana Diaz").open_questions == 1
    assert read(club, "ana > Bo Li", "Bo Li").open_questions == 1


def test_who_is_here_changes_no_name_that_is_clear(club: League) -> None:
    user = club.memberships.get().user
    remember_spellings(league=club, spellings={"ana": Spelling("ana-diaz")}, actor=user)
    (line,) = read(club, "ana - Ana Beck 3-1", "Ana Ruiz").matches
    assert line.draft is not None
    names = [side.members[0].player.name for side in line.draft.sides]
    assert names == ["Ana Diaz", "Ana Beck"]
    (line,) = read(club, "bo > Ana Beck", "Ana Beck").matches
    assert line.draft is not None
    assert line.draft.sides[0].members[0].player.name == "Bo Li"


def test_a_short_name_means_the_new_player_who_alone_is_here(club: League) -> None:
    assert not read(club, "bo > Ana Beck").open_questions
    reading = read(club, "bo > Ana Beck", "Bo Novak")
    assert reading.answers.chosen["bo"] == "new:bo-novak"
    assert not reading.open_questions
    assert read(club, "bo > Ana Beck", "Bo Novak", "Bo Li").open_questions == 1
    # The whole name is known though nobody bears it yet.
    (line,) = read(club, "Bo Novak Ana Beck 3-1", "Bo Novak").matches
    assert line.match is not None
    assert line.match.sides == (("Bo Novak",), ("Ana Beck",))


def test_who_is_here_is_no_fact_and_ends_with_the_sheet(club: League) -> None:
    before = league_digest(club)
    save(club, "Ana Ruiz > Bo Li", ("Ana Ruiz", "Zoe Park"), 0, "one")
    assert league_digest(club) == before
    sheet = NightSheet.objects.get()
    assert sheet.present == ["Ana Ruiz", "Zoe Park"]
    enter_sheet(
        season=season_of(club),
        content=content_of(sheet),
        reading=read(club, sheet.text, *sheet.present),
        enterer=enterer(club),
        confirmed=(),
        key=sheet.key,
        version=sheet.version,
    )
    assert not NightSheet.objects.exists()
    assert not Player.objects.filter(name="Zoe Park").exists()


def test_two_pages_have_everybody_whom_one_of_them_has(club: League) -> None:
    save(club, "", ("Ana Ruiz",), 0, "one")
    save(club, "", ("Bo Li", "ana ruiz"), 0, "two")
    assert NightSheet.objects.get().present == ["Ana Ruiz", "Bo Li"]
    # A page that knows what is stored says who left, too.
    save(club, "", ("Bo Li",), 2, "two")
    assert NightSheet.objects.get().present == ["Bo Li"]


def test_who_is_here_is_part_of_what_was_checked(club: League) -> None:
    def content(*present: str) -> SheetContent:
        return SheetContent(mode_of(club), DAY, "ana > Bo Li", {}, present)

    assert content("Ana Ruiz").fingerprint != content().fingerprint
    assert content("Bo Li", "Ana Ruiz").fingerprint == content("Ana Ruiz", "Bo Li").fingerprint


def test_whoever_arrives_is_the_player_whom_a_name_means(club: League) -> None:
    before = league_digest(club)
    assert arriving_name(club, "bo") == "Bo Li"
    assert arriving_name(club, " bo  li ") == "Bo Li"
    assert arriving_name(club, "zoe park") == "Zoe Park"
    with pytest.raises(Refused, match="Write the whole name"):
        arriving_name(club, "ana")
    with pytest.raises(Refused, match="longer than"):
        arriving_name(club, "x" * 65)
    assert league_digest(club) == before


def test_several_arrive_with_commas_between_their_names(club: League) -> None:
    assert arriving_names(club, "bo, zoe park ,") == ["Bo Li", "Zoe Park"]
    assert arriving_names(club, "bo,") == ["Bo Li"]
    with pytest.raises(Refused, match="“ana” is short for several players"):
        arriving_names(club, "Zoe Park, ana")
    assert arriving_names(club, " , ") == []
    record(club, result(club, "Park, Zoe", "Bo Li", at=START))
    assert arriving_names(club, "Park, Zoe") == ["Park, Zoe"]


def test_names_that_can_be_none_are_left_out() -> None:
    assert clean_present(["Ana", "", "a\u202eb", "ANA", "Bo"]) == ("Ana", "Bo")


def test_the_last_night_is_the_newest_day_with_several_players(club: League) -> None:
    assert night_names(club).last_day is None
    at = START - timedelta(days=1)
    record(club, result(club, "Cy", "Ana Diaz", at=at), result(club, "Bo Li", "Cy", at=at))
    record(club, result(club, "Ana Beck", "Bo Li", at=START))
    names = night_names(club)
    assert names.last_day == at.date()
    assert sorted(names.last_night) == ["Ana Diaz", "Bo Li", "Cy"]
    assert set(names.recent[:2]) == {"Ana Beck", "Bo Li"}


def test_an_undone_night_is_no_last_time(club: League) -> None:
    at = START - timedelta(days=1)
    record(club, result(club, "Cy", "Ana Diaz", at=at), result(club, "Bo Li", "Cy", at=at))
    entered = record(club, result(club, "Di", "Eve", at=START), result(club, "Flo", "Di", at=START))
    assert night_names(club).last_day == START.date()
    for match in entered:
        void_match(match=match, author=None)
    names = night_names(club)
    assert names.last_day == at.date()
    assert not {"Di", "Eve", "Flo"}.intersection(names.recent)


def test_everyone_of_a_long_night_was_there(club: League) -> None:
    at = START - timedelta(days=1)
    record(
        club,
        result(club, "Early", "Bird", at=at),
        *(
            result(club, "Ana Ruiz+Cy", "Bo Li+Di", at=at + timedelta(minutes=minute))
            for minute in range(1, 61)
        ),
    )
    names = night_names(club)
    assert set(names.last_night) == {"Ana Ruiz", "Cy", "Bo Li", "Di", "Early", "Bird"}
    assert set(names.recent) == {"Ana Ruiz", "Cy", "Bo Li", "Di"}
