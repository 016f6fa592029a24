"""A result goes to another season, and back: both seasons as if it had always been there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leagues.domain.linked_revisions import parts_of
from leagues.jobs.runner import drain
from leagues.models import League, Match, Player, RevisedRating, Revision, Season, Standing
from leagues.services.backups import restore_backup, write_backup
from leagues.services.correction_preview import (
    plan_boards,
    preview_change,
    read_boards,
)
from leagues.services.entry import Correction, Enterer, correct_result, enter_results
from leagues.services.entry_drafts import NEW, Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.entry_warnings import NeedsConfirmation
from leagues.services.errors import Conflict, Refused
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import (
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.moved_matches import Move, counting_half, match_left_by
from leagues.services.player_merging import merge_players
from leagues.services.tried_changes import change_as_json, change_from_json, try_change
from leagues.store.snapshot import snapshot
from tests.leagues.play import START, mode_of, new_club, result, rounds
from tests.leagues.services.test_correction_preview import (
    EVERYBODY,
    SYSTEMS,
    rows,
    shown,
    standings_after,
)

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")
KIM = Enterer("browser", None, may_backdate=True, may_be_late=True)
SEASONS = ("autumn", "second", "third")


def seasons(slug: str = "club", *, systems: list[str] = SYSTEMS, count: int = 2) -> League:
    """A league of seasons of a month each, with boards of some systems and no results."""
    league = new_club(slug)
    for number, name in enumerate(SEASONS[:count]):
        season, _new = Season.objects.get_or_create(
            league=league, slug=name, defaults={"name": name.title()}
        )
        season.starts_at = datetime(2025, 10 + number, 1, tzinfo=UTC)
        season.ends_at = datetime(2025, 10 + number, 30, tzinfo=UTC)
        season.save()
        for system in systems:
            add_board(
                season=season,
                mode=mode_of(league),
                system=system,
                name=f"By {system}",
                parameters=EVERYBODY.get(system),
            )
    return league


def play(league: League, number: int, *drafts) -> tuple[Match, ...]:
    """Record results in a season, by default rounds of everybody."""
    later = timedelta(days=31 * number)
    drafts = drafts or [
        replace(one, played_at=one.played_at + later) for one in rounds(league, NAMES, 2)
    ]
    season = league.seasons.get(slug=SEASONS[number])
    return record_matches(season=season, mode=mode_of(league), drafts=drafts).matches


@pytest.fixture
def club() -> League:
    league = seasons()
    play(league, 0)
    play(league, 1)
    drain()
    return league


def match_of(league: League, seq: int, season: str = "autumn") -> Match:
    return league.matches.get(season__slug=season, seq=seq)


def move(match: Match, to: str, *, days: int = 31, **words) -> Revision:
    """Move a match to another season by a correction, some days later."""
    fields = words.pop("fields", {"played_at": match.played_at + timedelta(days=days)})
    correction = Correction(None, fields, season=match.league.seasons.get(slug=to))
    done = correct_result(
        **{
            "match": match,
            "version": match.version,
            "correction": correction,
            "enterer": KIM,
            "answers": Answers(),
            **words,
        }
    )
    assert done is not None
    return done


def digests(league: League) -> dict[tuple[str, str], str]:
    return {(board.season.slug, board.slug): board_digest(board) for board in boards(league)}


def boards(league: League):
    return league.boards.select_related("season").order_by("pk")


def assert_sound(league: League) -> None:
    drain()
    for board in boards(league):
        assert check_board(board).differences == ()
    assert check_league(league.pk).differences == 0


def refused(change, *codes: str) -> str:
    """The words of a refusal that changes nothing."""
    before = league_digest(League.objects.get(slug="club")), Revision.objects.count()
    with pytest.raises(Refused) as caught:
        change()
    assert caught.value.codes == set(codes)
    assert (league_digest(League.objects.get(slug="club")), Revision.objects.count()) == before
    return str(caught.value)


# The move and its undoing


def test_both_seasons_are_those_of_a_result_that_was_always_there(club: League) -> None:
    moved = match_of(club, 3)
    alone = seasons("alone")
    stay = [replace(one) for one in rounds(alone, NAMES, 2)]
    gone = stay.pop(2)
    play(alone, 0, *stay)
    play(alone, 1)
    play(alone, 1, replace(gone, played_at=gone.played_at + timedelta(days=31)))
    drain()
    before = digests(club)
    done = move(moved, "second")
    assert_sound(club)
    assert digests(club) == digests(alone)
    assert all(digest != before[place] for place, digest in digests(club).items())
    assert done.season.slug == "second"
    moved.refresh_from_db()
    there = match_of(club, 13, "second")
    assert (moved.status, there.status) == (Match.Status.VOID, Match.Status.LIVE)
    assert match_left_by(done, moved) == there == counting_half(moved)
    assert counting_half(there) is None


def test_undoing_either_part_gives_back_what_was_and_can_be_undone(club: League) -> None:
    start = digests(club)
    move(match_of(club, 3), "second")
    assert_sound(club)
    after = digests(club)
    here, there = Revision.objects.filter(kind=Revision.Kind.CORRECTION).order_by("pk")
    assert here.summary["move"] == there.summary["move"]
    assert {here.season.slug, there.season.slug} == {"autumn", "second"}
    undone = revert_revision(revision=here, author=None)
    assert undone.season == here.season
    assert_sound(club)
    assert digests(club) == start
    # By the part of the other season.
    (other,) = Revision.objects.filter(reverts=there)
    assert revert_revision(revision=other, author=None).season == there.season
    assert_sound(club)
    assert digests(club) == after
    last = Revision.objects.latest("pk")
    revert_revision(revision=last, author=None)
    assert_sound(club)
    assert digests(club) == start


def test_players_and_date_are_corrected_on_the_way(club: League) -> None:
    match = match_of(club, 1)
    done = move(
        match,
        "second",
        correction=Correction(
            (
                SideEntry(1, 3, (PlayerEntry("Eve"),)),
                SideEntry(2, 0, (PlayerEntry("Bo"),)),
            ),
            {"played_at": match.played_at + timedelta(days=40)},
            season=club.seasons.get(slug="second"),
        ),
        answers=Answers(creates_players=True),
        reason="the wrong season",
    )
    assert_sound(club)
    there = match_left_by(done, match)
    assert [row.player.name for row in there.participants.order_by("side")] == ["Eve", "Bo"]
    assert there.played_at == match.played_at + timedelta(days=40)
    # What the void one says is what it always said.
    old = match_of(club, 1)
    assert [row.player.name for row in old.participants.order_by("side")] == ["Ana", "Bo"]
    assert {part.reason for part in done.season.league.revisions.filter(kind="correction")} == {
        "the wrong season"
    }


def test_a_person_adds_a_player_who_is_gone_with_the_undo(club: League) -> None:
    match = match_of(club, 1)
    sides = (SideEntry(1, 3, (PlayerEntry("Zoe"),)), SideEntry(2, 0, (PlayerEntry("Bo"),)))
    fields = {"played_at": match.played_at + timedelta(days=40)}
    done = move(
        match,
        "second",
        correction=Correction(sides, fields, season=club.seasons.get(slug="second")),
        enterer=replace(KIM, is_asked=True),
        answers=Answers({"zoe": NEW}),
    )
    assert club.players.get(name="Zoe").is_listed
    revert_revision(revision=done, author=None)
    assert not club.players.get(name="Zoe").is_listed
    assert all(player.is_listed for player in club.players.exclude(name="Zoe"))
    assert_sound(club)


def test_whoever_a_move_moves_without_a_match_is_noted_in_both_seasons(club: League) -> None:
    move(match_of(club, 1), "second", days=31)
    drain()
    causes = RevisedRating.objects.values_list("revision__season__slug", "revision__kind")
    assert set(causes) == {("autumn", "correction"), ("second", "correction")}


# The preview


@pytest.mark.parametrize("seq", [1, 6, 12])
def test_the_preview_is_what_moving_does_in_both_seasons_under_every_system(
    club: League, seq: int
) -> None:
    match = match_of(club, seq)
    assert_previewed(club, lambda: move(match, "second"))
    done = Revision.objects.latest("pk")
    assert_previewed(club, lambda: revert_revision(revision=done, author=None))


def assert_previewed(league: League, change) -> None:
    digest, revisions = league_digest(league), Revision.objects.count()
    before = {board.pk: shown(board) for board in boards(league)}
    foreseen, effects = {}, {}
    for season in league.seasons.all():
        tried = try_change(season, change, is_league_wide=True)
        assert tried is not None
        assert tried.based_on == season.last_revision
        tried = change_from_json(change_as_json(tried))
        with snapshot():
            facts = read_boards(tried, plan_boards(tried))
            foreseen |= {one.board.pk: rows(standings_after(one, tried)) for one in facts}
            preview = preview_change(tried, facts)
        effects |= dict(zip((one.board.pk for one in facts), preview.boards, strict=True))
    assert (league_digest(league), Revision.objects.count()) == (digest, revisions)
    change()
    drain()
    assert foreseen.keys() == before.keys()
    for board in boards(league):
        saved = rows(Standing.objects.current(board))
        assert saved == foreseen[board.pk], board.system
        after = shown(board)
        for mover in effects[board.pk].movers:
            was, now = (places.get(mover.key, (None, None)) for places in (before[board.pk], after))
            assert (mover.before, mover.rank_before) == was
            assert (mover.after, mover.rank_after) == now
    assert_sound(league)


# What is refused


@pytest.mark.parametrize("closed", ["autumn", "second"])
def test_a_season_that_takes_no_changes_refuses_by_its_name(club: League, closed: str) -> None:
    done = move(match_of(club, 1), "second")
    drain()
    Season.objects.filter(slug=closed).update(state=Season.State.ARCHIVED)
    words = refused(lambda: move(match_of(club, 2), "second"), "season_closed")
    assert f"“{closed.title()}” does not accept results: it is archived." in words
    words = refused(lambda: revert_revision(revision=done, author=None), "season_closed")
    assert f"“{closed.title()}”" in words


def test_a_season_that_is_closing_takes_it_from_organizers_only(club: League) -> None:
    Season.objects.filter(slug="second").update(state=Season.State.CLOSING)
    scorer = replace(KIM, may_be_late=False)
    refused(lambda: move(match_of(club, 1), "second", enterer=scorer), "season_closed")
    move(match_of(club, 1), "second")
    assert_sound(club)


def test_the_date_has_to_lie_in_the_season_and_the_refusal_names_one_that_fits(
    club: League,
) -> None:
    match = match_of(club, 1)
    words = refused(lambda: move(match, "second", days=0), "outside_season")
    assert words == "The match is outside the season “Second”."
    words = refused(lambda: move(match, "autumn", days=31), "outside_season")
    assert words == "The match is outside the season “Autumn”. Choose “Second” to move it there."
    words = refused(lambda: move(match, "autumn", days=90), "outside_season")
    assert words == "The match is outside the season “Autumn”."


def test_a_void_result_is_not_moved(club: League) -> None:
    void_match(match=match_of(club, 1), author=None)
    refused(lambda: move(match_of(club, 1), "second"), "void")


def test_what_was_moved_is_changed_where_it_counts(club: League) -> None:
    done = move(match_of(club, 1), "second")
    gone = match_of(club, 1)
    words = refused(lambda: restore_match(match=gone, author=None), "moved")
    assert words == ("This result was moved to “Second”, where it is match 13. Change it there.")
    refused(lambda: move(gone, "second"), "moved")
    refused(lambda: move(gone, "autumn", fields={"weight": 2.0}), "moved")
    # Nor does it count twice once the move is undone.
    revert_revision(revision=done, author=None)
    there = match_of(club, 13, "second")
    words = refused(lambda: restore_match(match=there, author=None), "moved")
    assert "“Autumn”, where it is match 1" in words
    assert_sound(club)


def test_a_result_that_is_void_on_both_sides_counts_on_one_again(club: League) -> None:
    move(match_of(club, 1), "second")
    there = match_of(club, 13, "second")
    voided = void_match(match=there, author=None)
    assert voided is not None
    restored = restore_match(match=match_of(club, 1), author=None)
    assert restored is not None
    # Undoing the void would let it count in both seasons.
    refused(lambda: revert_revision(revision=voided, author=None), "moved")
    revert_revision(revision=restored, author=None)
    revert_revision(revision=voided, author=None)
    assert counting_half(match_of(club, 1)) == there
    assert_sound(club)


def test_a_night_is_not_undone_while_a_result_of_it_counts_elsewhere(club: League) -> None:
    night = match_of(club, 1).revision
    done = move(match_of(club, 1), "second")
    part = Revision.objects.get(season__slug="autumn", kind=Revision.Kind.CORRECTION)
    words = refused(lambda: revert_revision(revision=night, author=None), "touched_later")
    assert words.endswith(f"Undo that first: change {part.number}.")
    revert_revision(revision=done, author=None)
    revert_revision(revision=night, author=None)
    assert not Match.objects.live().filter(season__slug="autumn").exists()
    assert_sound(club)


def test_a_result_that_was_moved_twice_is_moved_back_step_by_step() -> None:
    league = seasons(systems=["elo", "ladder"], count=3)
    play(league, 0)
    drain()
    start = digests(league)
    first = move(match_of(league, 1), "second")
    second = move(match_of(league, 1, "second"), "third")
    assert_sound(league)
    assert counting_half(match_of(league, 1)) == match_of(league, 1, "third")
    words = refused(lambda: revert_revision(revision=first, author=None), "touched_later")
    assert "Undo that first: change 2." in words
    refused(lambda: restore_match(match=match_of(league, 1), author=None), "moved")
    revert_revision(revision=second, author=None)
    revert_revision(revision=first, author=None)
    assert_sound(league)
    assert digests(league) == start


def test_a_correction_of_what_was_moved_goes_with_the_undo(club: League) -> None:
    start = digests(club)
    done = move(match_of(club, 1), "second")
    there = match_of(club, 13, "second")
    move(there, "second", fields={"weight": 2.0})
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club) == start


def test_a_merge_since_stands_in_the_way_of_the_undo(club: League) -> None:
    play(club, 0, result(club, "Anna", "Bo", at=START + timedelta(days=3)))
    start = digests(club)
    done = move(match_of(club, 13), "second")
    anna, ana = (club.players.get(name=name) for name in ("Anna", "Ana"))
    merged = merge_players(league=club, keep=ana, drop=anna, author=None)
    refused(lambda: revert_revision(revision=done, author=None), "touched_later")
    revert_revision(revision=merged, author=None)
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club).keys() == start.keys()


def test_the_second_of_two_organizers_is_told(club: League) -> None:
    match = match_of(club, 1)
    move(match, "second")
    with pytest.raises(Conflict) as caught:
        move(match, "second")
    assert caught.value.match.status == Match.Status.VOID


def test_a_person_is_asked_whether_the_same_result_stands_there_already(club: League) -> None:
    person = replace(KIM, is_asked=True)
    # Of the second season's round, with the same players and score at the same time.
    with pytest.raises(NeedsConfirmation) as caught:
        move(match_of(club, 1), "second", enterer=person)
    (warning,) = caught.value.warnings
    assert warning.same is not None
    move(match_of(club, 1), "second", enterer=person, confirmed=[warning.code])
    assert_sound(club)


def test_what_a_program_sends_again_is_there_already(club: League) -> None:
    season, mode = club.seasons.get(slug="autumn"), mode_of(club)
    sides = (SideEntry(1, 3, (PlayerEntry("Ana"),)), SideEntry(2, 1, (PlayerEntry("Bo"),)))
    entry = MatchEntry(START + timedelta(days=4), sides, external_id="g1")

    def send():
        return enter_results(
            season=season, mode=mode, entries=[entry], enterer=KIM, kind="api", answers=Answers()
        )

    (match,) = send().matches
    move(match, "second")
    again = send()
    assert (again.already_there, again.matches) == (1, (match,))
    assert_sound(club)


# Any order of steps

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("move", "void", "restore", "undo")),
        st.integers(0, 9),
        st.integers(0, 2),
    ),
    max_size=12,
)


@given(steps=STEPS)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_after_any_steps_each_result_counts_once_and_the_boards_are_a_replay(steps) -> None:
    with transaction.atomic():
        league = seasons(systems=["elo"], count=3)
        for number in range(3):
            play(league, number, result(league, "Ana", "Bo", at=day(number)))
        play(league, 0, result(league, "Bo", "Cy", at=day(0) + timedelta(hours=1)))
        drain()
        start = digests(league)
        first = Revision.objects.count()
        for step, which, where in steps:
            take_step(league, step, which, where)
            live = [one for one in league.matches.all() if one.status == Match.Status.LIVE]
            assert all(counting_half(one) is None for one in live)
        assert_sound(league)
        # Undone from the last one on, everything is as it was.
        for revision in reversed(list(Revision.objects.order_by("pk")[first:])):
            undo(revision)
        assert_sound(league)
        assert digests(league) == start
        transaction.set_rollback(True)


def day(number: int) -> datetime:
    return START + timedelta(days=5 + 31 * number)


def take_step(league: League, step: str, which: int, where: int) -> None:
    matches = list(league.matches.order_by("pk"))
    match = matches[which % len(matches)]
    revisions = list(Revision.objects.exclude(kind=Revision.Kind.ENTRY).order_by("pk"))
    try:
        if step == "move" and match.season.slug != SEASONS[where]:
            at = day(where) + timedelta(minutes=match.pk % 60)
            move(match, SEASONS[where], fields={"played_at": at})
        elif step == "void":
            void_match(match=match, author=None)
        elif step == "restore":
            restore_match(match=match, author=None)
        elif step == "undo" and revisions:
            revert_revision(revision=revisions[which % len(revisions)], author=None)
    except Refused:
        return


def undo(revision: Revision) -> None:
    """Undo a revision, as what undid it and brought it back says; of a move the one part."""
    parts = parts_of(revision)
    if parts and parts[0] != (revision.season_id, revision.number):
        return
    while following := Revision.objects.filter(reverts=revision).first():
        revision = following
    revert_revision(revision=revision, author=None)


# Backups


def test_a_moved_result_comes_back_from_a_backup() -> None:
    file = BytesIO()
    with transaction.atomic():
        league = seasons(systems=["elo"])
        play(league, 0)
        play(league, 1)
        drain()
        start = digests(league)
        done = move(match_of(league, 1), "second")
        drain()
        after = digests(league)
        write_backup(file)
        transaction.set_rollback(True)
    file.seek(0)
    with transaction.atomic():
        restore_backup(file)
    league = League.objects.get()
    assert_sound(league)
    assert digests(league) == after != start
    assert Move.of(Revision.objects.get(pk=done.pk)) is not None
    revert_revision(revision=Revision.objects.get(pk=done.pk), author=None)
    assert_sound(league)
    assert digests(league) == start
    assert Player.objects.count() == len(NAMES)
