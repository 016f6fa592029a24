"""Night sheets: saved from several pages without losing a line, read, entered once."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Match, Mode, NightSheet, Player, PlayerAlias
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import Answers
from leagues.services.entry_warnings import NeedsConfirmation, WarningKind
from leagues.services.errors import Refused
from leagues.services.leagues import add_mode
from leagues.services.likeness import alike_pairs
from leagues.services.matches import revert_revision
from leagues.services.night_reading import SheetReading, read_sheet
from leagues.services.night_sheets import (
    PageState,
    SavedSheet,
    SheetContent,
    SheetEntered,
    clean_answers,
    enter_sheet,
    save_sheet,
)
from leagues.services.spellings import Spelling, remember_spellings
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

DAY = START.date()


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana Ruiz", "Bo Li", at=START - timedelta(days=9)))
    return league


club = read_anew("built_club")


def enterer(club: League, **rights: bool) -> Enterer:
    author = club.memberships.get().user
    may = {"may_backdate": True, "may_be_late": True, **rights}
    return Enterer(source="browser", author=author, is_asked=True, **may)


def read(club: League, text: str, *, day: date = DAY, **chosen: str) -> SheetReading:
    return read_sheet(
        text,
        season=season_of(club),
        mode=mode_of(club),
        day=day,
        answers=Answers(chosen),
        enterer=enterer(club),
    )


def problems(reading: SheetReading) -> dict[int, tuple[str, ...]]:
    return {
        line.number: tuple(problem.message for problem in line.problems)
        for line in reading.lines
        if line.problems
    }


def enter(
    club: League, reading: SheetReading, *, key: UUID | None = None, confirmed: tuple[str, ...] = ()
):
    return enter_sheet(
        season=season_of(club),
        content=SheetContent(
            mode_of(club), DAY, "\n".join(line.text for line in reading.lines), {}
        ),
        reading=reading,
        enterer=enterer(club),
        confirmed=confirmed,
        key=key or uuid4(),
        version=1,
    )


def save(
    club: League, text: str, version: int, writer: str, *, day: date = DAY, **answers: str
) -> SavedSheet:
    author = club.memberships.get().user
    content = SheetContent(mode_of(club), day, text, answers)
    return save_sheet(league=club, author=author, content=content, page=PageState(version, writer))


def test_lines_become_matches_of_every_kind(club: League) -> None:
    reading = read(
        club,
        "Ana Ruiz Bo Li 3-1\n# tea\n\n19:40 Bo Li > Ana Ruiz\n@2025-09-30\nAna Ruiz Bo Li wo\n"
        "Ana Ruiz Bo Li ret 2-1\nAna Ruiz Bo Li 3-0 friendly\n"
        "Ana Ruiz+Cy - Bo Li+Di 21-18 19-21 21-15\nAna Ruiz, Bo Li, Cy=Di, Eve\n",
    )
    assert problems(reading) == {}
    assert reading.newcomers == ("Cy", "Di", "Eve")
    assert [line.number for line in reading.lines] == [1, 4, 5, 6, 7, 8, 9, 10]
    enter(club, reading)
    matches = list(Match.objects.filter(seq__gt=1).order_by("seq"))
    assert {match.detail for match in matches} == {""}
    kinds = [(match.kind, match.sets, match.date_only) for match in matches]
    assert kinds == [
        ("played", "", True),
        ("played", "", False),
        ("walkover", "", True),
        ("retirement", "", True),
        ("unrated", "", True),
        ("played", "21-18 19-21 21-15", True),
        ("played", "", True),
    ]
    assert matches[1].played_at.astimezone(club.zone).hour == 19
    assert matches[2].played_at.astimezone(club.zone).date() == date(2025, 9, 30)
    places = matches[-1].participants.order_by("rank", "player__name")
    assert [(one.player.name, one.rank) for one in places] == [
        *[("Ana Ruiz", 1), ("Bo Li", 2), ("Cy", 3), ("Di", 3), ("Eve", 5)]
    ]


def test_a_name_is_asked_once_and_its_spelling_remembered(club: League) -> None:
    text = "ana ruis - bo li 3-1\nbo li - ana ruis 3-2"
    reading = read(club, text)
    (question,) = reading.questions
    assert (question.name, question.answer, reading.open_questions) == ("ana ruis", "", 1)
    assert [one.name for one in question.candidates] == ["Ana Ruiz"]
    answered = read(club, text, **{"ana ruis": "ana-ruiz"})
    assert answered.can_be_entered
    enter(club, answered)
    assert PlayerAlias.objects.get().player.name == "Ana Ruiz"
    assert AuditEntry.objects.filter(action="player.spelling").count() == 1
    again = read(club, "ana ruis bo li 3-0")
    assert again.names == ()
    assert again.can_be_entered
    assert Player.objects.count() == 2


@pytest.mark.parametrize(
    ("short", "asked_then"), [("ana", 1), ("a. ruiz", 1), ("Ruiz Ana", 0), ("Ána Ruiz", 0)]
)
def test_a_name_short_for_one_player_means_that_one_until_there_are_two(
    club: League, short: str, asked_then: int
) -> None:
    text = f"{short} > Bo Li"
    reading = read(club, text)
    (name,) = reading.questions
    assert (name.answer, name.is_short, reading.open_questions) == ("ana-ruiz", True, 0)
    enter(club, reading)
    assert not PlayerAlias.objects.exists()
    assert Player.objects.count() == 2
    record(club, result(club, "Ana Amalia Ruiz", "Bo Li", at=START - timedelta(days=8)))
    assert read(club, text).open_questions == asked_then


def test_whom_a_first_name_of_two_players_means_is_asked_each_night(club: League) -> None:
    record(club, result(club, "Ana Koch", "Bo Li", at=START - timedelta(days=8)))
    reading = read(club, "ana > Bo Li", ana="ana-koch")
    assert reading.can_be_entered
    enter(club, reading)
    assert not PlayerAlias.objects.exists()
    assert read(club, "ana > Bo Li").open_questions == 1


def test_a_new_player_may_have_a_name_that_is_short_for_another(club: League) -> None:
    enter(club, read(club, "Ana > Bo Li", ana="new"))
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana Ruiz", "Bo Li", "Ana"}
    assert not PlayerAlias.objects.exists()


def test_a_new_player_of_a_name_like_another_has_to_be_chosen(club: League) -> None:
    assert not read(club, "Ana Ruis > Bo Li").can_be_entered
    enter(club, read(club, "Ana Ruis > Bo Li", **{"ana ruis": "new"}))
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana Ruiz", "Bo Li", "Ana Ruis"}
    assert not PlayerAlias.objects.exists()


@pytest.mark.parametrize(
    ("text", "name", "candidates"),
    [
        ("Hinrunde Bo > Ana Ruiz", "Hinrunde Bo", ["Bo Li"]),
        ("Cy Diaz > Di Ek\nBrett Cy > Ana Ruiz", "Brett Cy", ["Cy Diaz"]),
        ("Cy > Di\nBrett Cy > Ana Ruiz", "Brett Cy", ["Cy"]),
        ("Ana 64 > Bo Li", "Ana 64", ["Ana Ruiz"]),
    ],
)
def test_a_word_before_somebodys_name_is_asked_about(
    club: League, text: str, name: str, candidates: list[str]
) -> None:
    (question,) = read(club, text).questions
    found = [one.name for one in question.candidates]
    assert (question.name, question.answer, found) == (name, "", candidates)


@pytest.mark.parametrize("short", ["AR", "a.r.", "A. R."])
def test_initials_mean_whom_they_are_of(club: League, short: str) -> None:
    (question,) = read(club, f"{short} > Bo Li").questions
    assert (question.answer, question.is_short) == ("ana-ruiz", True)


def test_an_initial_is_short_for_one_who_is_new_on_the_sheet(club: League) -> None:
    reading = read(club, "Cy Diaz > Bo Li\nCy D. > Bo Li\nCD > Bo Li")
    assert reading.newcomers == ("Cy Diaz",)
    assert [(one.name, one.answer) for one in reading.questions] == [
        *[("Cy D.", "new:cy-diaz"), ("CD", "new:cy-diaz")]
    ]


def test_a_name_is_not_short_for_one_with_an_initial(club: League) -> None:
    enter(club, read(club, "Cy D. > Bo Li", **{"cy d.": "new"}))
    (question,) = read(club, "Cy Diaz > Bo Li").questions
    assert (question.answer, [one.name for one in question.candidates]) == ("", ["Cy D."])


def test_spellings_that_mean_somebody_stay(club: League) -> None:
    keys = {"Bo Li": "ana-ruiz", "boo": "bo-li", "y": "gone"}
    names = {name: Spelling(key) for name, key in keys.items()}
    user = club.memberships.get().user
    remembered = remember_spellings(league=club, spellings=names, actor=user)
    assert [(one.name, one.is_public) for one in remembered] == [("boo", False)]
    again = {"boo": Spelling("ana-ruiz", True)}
    assert remember_spellings(league=club, spellings=again, actor=user) == []


def test_the_same_result_is_warned_of_within_the_sheet_and_beside_it(club: League) -> None:
    record(club, result(club, "Ana Ruiz", "Bo Li", scores=(3, 1), at=START))
    reading = read(
        club,
        "20:00 Ana Ruiz Bo Li 3-1\n23:30 Ana Ruiz Bo Li 3-1\n23:40 Ana Ruiz Bo Li 3-1",
    )
    kinds = {line.number: [one.kind for one in line.warnings] for line in reading.lines}
    assert kinds == {1: [WarningKind.SAME_RESULT], 2: [], 3: [WarningKind.REPEATED]}
    assert reading.lines[2].warnings[0].earlier == 1
    with pytest.raises(NeedsConfirmation):
        enter(club, reading)
    codes = tuple(warning.code for warning in reading.warnings)
    assert len(enter(club, reading, confirmed=codes).matches) == 3


def test_several_first_places_are_no_win_of_one_where_nothing_is_drawn(club: League) -> None:
    club.draws_allowed = False
    club.save()
    found = problems(
        read(club, "Ana Ruiz = Bo Li, Cy\nAna Ruiz = Bo Li = Cy\nCy, Ana Ruiz = Bo Li")
    )
    assert found[1] == (
        "Sides share the first place, and this league has no draws: one side has to win.",
    )
    assert found[2] == ("No side won, and this league has no draws.",)
    assert 3 not in found


def test_what_cannot_be_entered_is_named_at_its_line(club: League) -> None:
    PlayerAlias.objects.create(
        league=club, player=Player.objects.get(key="ana-ruiz"), name="Annie", folded="annie"
    )
    club.draws_allowed = False
    club.save()
    reading = read(
        club,
        "Ana Ruiz Bo Li\nAna Ruiz > Annie\nAna Ruiz = Bo Li\n@2199-01-01\nAna Ruiz > Bo Li\n"
        "@29.3.2026\n01:30 Ana Ruiz > Bo Li\n@0001-01-01\nAna Ruiz > Bo Li",
    )
    found = problems(reading)
    assert set(found) >= {1, 2, 3, 4, 7}
    assert "does not say who won" in found[1][0]
    assert found[2] == ("Ana Ruiz is in this match twice.",)
    assert "no draws" in found[3][0]
    assert "in the future" in found[4][0]
    assert "clocks went forward" in found[7][0]
    assert reading.bad_lines == len(found)


def test_a_time_in_the_small_hours_needs_an_evening_or_a_day_above(club: League) -> None:
    found = problems(read(club, "00:30 Ana Ruiz > Bo Li"))
    assert "00:30 may be before or after the evening of" in found[1][0]
    assert f"like @{DAY + timedelta(days=1)}" in found[1][0]
    assert problems(read(club, f"@{DAY}\n00:30 Ana Ruiz > Bo Li")) == {}
    assert problems(read(club, "20:00 Ana Ruiz > Bo Li\n00:30 Bo Li > Ana Ruiz")) == {}


def test_scorers_may_not_enter_old_results(club: League) -> None:
    reading = read_sheet(
        "Ana Ruiz > Bo Li",
        season=season_of(club),
        mode=mode_of(club),
        day=DAY,
        answers=Answers({}),
        enterer=enterer(club, may_backdate=False),
    )
    assert "Only organizers" in problems(reading)[1][0]


def test_the_same_key_enters_once_and_undo_restores(club: League) -> None:
    save(club, "Ana Ruiz > Bo Li", 0, "one")
    sheet = NightSheet.objects.get()
    reading = read(club, sheet.text)
    first = enter(club, reading, key=sheet.key)
    assert not NightSheet.objects.exists()
    again = enter(club, reading, key=sheet.key)
    assert (again.revision, again.already_there) == (first.revision, 1)
    assert Match.objects.count() == 2
    drain()
    revert_revision(revision=first.revision, author=None)
    assert Match.objects.live().count() == 1


def test_lines_saved_while_others_are_entered_stay_alone_on_the_sheet(club: League) -> None:
    save(club, "Ana Ruiz - Bo Li 3-1\nBo Li > Ana Ruiz", 0, "one")
    sheet = NightSheet.objects.get()
    reading = read(club, sheet.text)
    save(club, f'{sheet.text}\n" <\n@2025-10-02\nAna Ruiz - Bo Li 3-1', 1, "one")
    enter(club, reading, key=sheet.key)
    left = NightSheet.objects.get()
    assert left.text == "Bo Li < Ana Ruiz\n@2025-10-02\nAna Ruiz - Bo Li 3-1"
    assert left.key != sheet.key


def test_a_page_that_saves_again_replaces_its_own_lines(club: League) -> None:
    assert save(club, "ana", 0, "one").sheet.version == 1
    # The answer was lost on its way: the page knows no version yet.
    assert save(club, "ana > bo", 0, "one").sheet.version == 2
    assert save(club, "ana > bo", 2, "one").sheet.version == 2
    assert NightSheet.objects.get().text == "ana > bo"


def test_lines_of_two_pages_are_all_kept(club: League) -> None:
    save(club, "ana > bo\ncy > di", 0, "one")
    save(club, "ana > bo\n@2025-09-30\neve > bo", 1, "two", ana="ana-ruiz")
    saved = save(club, "ana > bo\ncy > di\ncy > di", 1, "one", bo="bo-li")
    assert (saved.is_merged, saved.appended) == (True, 2)
    stored = NightSheet.objects.get()
    assert stored.text.split("\n") == [
        *("ana > bo", "@2025-09-30", "eve > bo", f"@{DAY}", "cy > di", "cy > di")
    ]
    assert stored.answers == {"ana": "ana-ruiz", "bo": "bo-li"}
    assert save(club, stored.text, stored.version, "two").is_merged is False


def test_a_sheet_that_grew_elsewhere_is_kept_when_it_is_entered(club: League) -> None:
    save(club, "Ana Ruiz > Bo Li", 0, "one")
    key = NightSheet.objects.get().key
    save(club, "Ana Ruiz > Bo Li\nBo Li > Ana Ruiz", 1, "two")
    enter(club, read(club, "Ana Ruiz > Bo Li"), key=key)
    kept = NightSheet.objects.get()
    assert "Bo Li > Ana Ruiz" in kept.text
    assert kept.key != key


def test_answers_that_can_be_none_are_left_out() -> None:
    given = {"Ana": "ana-1", "bo": "new", "cy": "a b", "\x00": "x", "dee": "\x00", "": "new"}
    assert clean_answers(given) == {"ana": "ana-1", "bo": "new"}


def test_new_names_in_small_letters_are_written_with_capitals(club: League) -> None:
    text = "ann-kristin van dahl > åse\ns1mple > McDonald\nåse > ann-kristin van dahl"
    reading = read(club, text)
    assert reading.newcomers == ("Ann-Kristin van Dahl", "Åse", "s1mple", "McDonald")
    enter(club, reading)
    names = set(Player.objects.values_list("name", flat=True))
    assert names >= {"Ann-Kristin van Dahl", "Åse", "s1mple", "McDonald"}
    # A league that writes its names small has its reasons.
    record(club, result(club, "dupreeh", "device", at=START - timedelta(days=8)))
    assert read(club, "karrigan > Bo Li").newcomers == ("karrigan",)


def test_new_names_that_may_be_one_persons_are_pointed_out() -> None:
    names = ("Ann-Kristin Dahl", "Annkristin", "Ola Nordmann", "Ola", "Per")
    assert alike_pairs(names) == [names[:2], names[2:4]]


def test_short_new_names_a_letter_apart_or_spoken_alike_are_pointed_out() -> None:
    names = ("Ana", "Anna", "Mia", "Miaa", "Max", "Maks", "Ole", "Ola", "Bo", "Boo")
    assert alike_pairs(names) == [names[:2], names[2:4], names[4:6]]


def test_names_without_letters_are_like_no_other() -> None:
    assert alike_pairs(("Null", "🎯🎯", "👍", "Ana", "Bea Ruiz")) == []


OTHER_DAY = DAY - timedelta(days=1)


@pytest.mark.parametrize(
    ("base", "first", "second", "day", "merged"),
    [
        (
            "Xa - Yb 3-1",
            "Xa - Yb 3-1\nAa - Bb 3-1",
            'Xa - Yb 3-1\n" 2-1',
            DAY,
            "Xa - Yb 3-1\nAa - Bb 3-1\nXa - Yb 2-1",
        ),
        (
            "",
            'Aa - Bb 3-1\n" 1-3',
            'Cc - Dd 3-1\n" 1-3',
            DAY,
            'Aa - Bb 3-1\n" 1-3\nCc - Dd 3-1\nCc - Dd 1-3',
        ),
        (
            "19:00 Aa - Bb 3-1",
            "19:00 Aa - Bb 3-1\n19:10 Cc - Dd 3-1",
            '19:00 Aa - Bb 3-1\n19:20 " > ',
            DAY,
            "19:00 Aa - Bb 3-1\n19:10 Cc - Dd 3-1\n19:20 Aa > Bb",
        ),
        (
            "",
            "Aa - Bb 3-1",
            "Aa - Bb 3-1",
            OTHER_DAY,
            f"Aa - Bb 3-1\n@{OTHER_DAY}\nAa - Bb 3-1",
        ),
        (
            "",
            "Aa - Bb 3-1",
            f"@{OTHER_DAY}\nAa - Bb 3-1",
            DAY,
            f"Aa - Bb 3-1\n@{OTHER_DAY}\nAa - Bb 3-1",
        ),
        (
            "",
            f"[{OTHER_DAY}, 20:15] Kim: Aa - Bb 3-1\nCc - Dd 3-1",
            "Cc - Dd 3-1",
            DAY,
            f"[{OTHER_DAY}, 20:15] Kim: Aa - Bb 3-1\nCc - Dd 3-1\n@{DAY}\nCc - Dd 3-1",
        ),
        ("Aa - Bb 3-1", "Aa - Bb 3-1\nCc = Dd", "Aa - Bb 3-1", DAY, "Aa - Bb 3-1\nCc = Dd"),
        (
            "Aa - Bb 3-1",
            "Aa - Bb 3-1",
            'Aa - Bb 3-1\nAa "Ace" Li - Bb 3-1',
            DAY,
            'Aa - Bb 3-1\nAa "Ace" Li - Bb 3-1',
        ),
    ],
)
def test_lines_of_two_pages_keep_their_players_and_their_days(
    club: League, base: str, first: str, second: str, day: date, merged: str
) -> None:
    version = save(club, base, 0, "one").sheet.version
    save(club, first, version, "one")
    assert save(club, second, 0, "two", day=day).sheet.text == merged


def test_pages_of_two_modes_are_one_sheet_with_each_line_in_its_own(club: League) -> None:
    author, own = club.memberships.get().user, mode_of(club)
    other = add_mode(league=club, name="Cricket", actor=author)

    def save_as(mode: Mode, text: str, version: int, writer: str) -> SavedSheet:
        content, page = SheetContent(mode, DAY, text, {}), PageState(version, writer)
        return save_sheet(league=club, author=author, content=content, page=page)

    version = save_as(own, "Ana Ruiz > Bo Li", 0, "one").sheet.version
    saved = save_as(other, "Ana Ruiz > Bo Li\nBo Li > Ana Ruiz", 0, "two")
    merged = "Blitz:\nAna Ruiz > Bo Li\nCricket:\nAna Ruiz > Bo Li\nBo Li > Ana Ruiz"
    assert (saved.sheet.text, saved.sheet.mode, saved.appended) == (merged, other, 2)
    # The first page has not seen that, and goes on in its mode.
    saved = save_as(own, "Ana Ruiz > Bo Li\nBo Li = Ana Ruiz", version, "one")
    assert saved.sheet.text == f"{merged}\nBlitz:\nBo Li = Ana Ruiz"
    assert (saved.sheet.mode, saved.appended) == (own, 1)
    version = saved.sheet.version
    saved = save_as(other, merged, version - 1, "two")
    assert (saved.sheet.text, saved.appended) == (f"{merged}\nBlitz:\nBo Li = Ana Ruiz", 0)


def test_a_page_of_another_mode_takes_an_empty_sheet(club: League) -> None:
    author = club.memberships.get().user
    save(club, "\n", 0, "one")
    other = add_mode(league=club, name="Cricket", actor=author)
    content = SheetContent(other, DAY, "Ana Ruiz > Bo Li", {})
    saved = save_sheet(league=club, author=author, content=content, page=PageState(0, "two"))
    assert (saved.sheet.text, saved.sheet.mode) == ("Ana Ruiz > Bo Li", other)


def test_pages_of_too_many_lines_are_not_put_together(club: League) -> None:
    save(club, "Ana Ruiz > Bo Li", 0, "one")
    author, own = club.memberships.get().user, mode_of(club)
    content = SheetContent(own, DAY, "x\n" * 19_999, {})
    with pytest.raises(Refused) as refused:
        save_sheet(league=club, author=author, content=content, page=PageState(0, "two"))
    assert refused.value.problems[0].code == "too_long"
    assert NightSheet.objects.get().text == "Ana Ruiz > Bo Li"


def test_a_page_of_an_entered_sheet_saves_nothing_and_the_next_sheet_has_a_key(
    club: League,
) -> None:
    sheet = save(club, "Ana Ruiz > Bo Li", 0, "one").sheet
    author = club.memberships.get().user
    content = SheetContent(mode_of(club), DAY, "Ana Ruiz > Bo Li\nBo Li > Ana Ruiz", {})
    enter(club, read(club, "Ana Ruiz > Bo Li"), key=sheet.key)
    with pytest.raises(SheetEntered):
        save_sheet(league=club, author=author, content=content, page=PageState(1, "two", sheet.key))
    assert not NightSheet.objects.exists()
    # One that was left with a used key is freed by the next check.
    stuck = save(club, "Bo Li > Ana Ruiz", 0, "one").sheet
    NightSheet.objects.update(key=sheet.key)
    freed = save(club, "Bo Li > Ana Ruiz", stuck.version, "one").sheet
    assert freed.key != sheet.key
