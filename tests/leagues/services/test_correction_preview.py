"""What is shown before a change is saved is what saving it does, to the last bit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from leagues import bridge
from leagues.domain.ranking import ranking_rule
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Player, Revision, Standing
from leagues.services import correction_preview, preview_jobs, tail_states, tried_changes
from leagues.services.correction_preview import (
    BoardFacts,
    ChangePreview,
    plan_boards,
    preview_change,
    read_boards,
    replay_change,
)
from leagues.services.drafts import MatchDraft, MemberDraft
from leagues.services.errors import Conflict, Refused
from leagues.services.integrity import board_digest, check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.players import ensure_player
from leagues.services.preview_jobs import request_preview
from leagues.services.stored_drafts import draft_of
from leagues.services.tail_states import tail_standings
from leagues.services.tried_changes import (
    TriedChange,
    change_as_json,
    change_from_json,
    matches_of_undo,
    try_change,
)
from leagues.store.snapshot import snapshot
from leagues.store.standing_rows import StandingRow
from ratings import create
from ratings.system import Reach
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_imports import take
from tests.leagues.shared_rows import read_anew
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"
SYSTEMS = [info.name for info in bridge.systems()]
EVERYBODY = {"static": {"least_events": 0, "least_opponents": 0}}
Change = Callable[[], Revision | None]


def with_all_systems(league: League) -> None:
    for name in SYSTEMS:
        add_board(
            season=season_of(league),
            mode=mode_of(league),
            system=name,
            name=f"All by {name}",
            parameters=EVERYBODY.get(name),
        )


def turned(match: Match, **fields) -> MatchDraft:
    """Return a match with its best side last and its last one best."""
    draft = draft_of(match)
    most = max(side.rank for side in draft.sides)
    ranks = sorted(side.rank for side in draft.sides)
    order = sorted(draft.sides, key=lambda side: -side.rank)
    sides = tuple(
        replace(side, rank=rank, score=None) for side, rank in zip(order, ranks, strict=True)
    )
    return replace(draft, sides=sides if most > 1 else draft.sides, **fields)


def correction(match: Match, draft: MatchDraft) -> Change:
    return lambda: correct_match(
        match=match, draft=draft, expected_version=match.version, author=None
    )


STANDING = [
    field.attname
    for field in Standing._meta.concrete_fields
    if field.name not in ("id", "generation")
]


def rows(standings) -> dict[str, tuple]:
    people = dict(Player.objects.values_list("pk", "key"))
    return {
        people.get(row.player_id, "a newcomer"): tuple(
            bytes(value) if isinstance(value := getattr(row, name), memoryview) else value
            for name in STANDING
            if name != "player_id"
        )
        for row in standings
    }


def shown(board: Board) -> dict[str, tuple]:
    """Return the key, value and rank of everybody on a board."""
    rule = ranking_rule(board, timezone.now())
    standings = Standing.objects.current(board).select_related("player")
    ranked = list(standings.ranked(rule))
    return {
        row.player.key: (
            row.shown,
            1 + sum(other.place_value > row.place_value for other in ranked)
            if row in ranked
            else None,
        )
        for row in standings
    }


def standings_after(facts: BoardFacts, tried: TriedChange) -> list[StandingRow]:
    """All standings that a change would give; of a tail, those that it reaches."""
    computed = replay_change(facts, tried)
    if facts.tail is None:
        return bridge.standing_rows(facts.board, facts.board.generation, computed)
    return tail_standings(facts.board, facts.tail, computed)


def assert_previewed(league: League, change: Change) -> ChangePreview:
    """Preview a change, save it, and compare everything that was said with what it did."""
    digest = league_digest(league)
    revisions, players = Revision.objects.count(), Player.objects.count()
    before = {board.slug: shown(board) for board in league.boards.all()}
    tried = try_change(season_of(league), change)
    assert tried is not None
    tried = change_from_json(change_as_json(tried))
    with snapshot():
        boards = read_boards(tried, plan_boards(tried))
        foreseen = {
            facts.board.slug: [
                row for row in standings_after(facts, tried) if row.player_id not in tried.newcomers
            ]
            for facts in boards
        }
        preview = preview_change(tried, boards)
    assert league_digest(league) == digest
    assert (Revision.objects.count(), Player.objects.count()) == (revisions, players)
    assert preview.based_on == season_of(league).last_revision
    assert change() is not None
    drain()
    new = {key for key, _name in tried.newcomers.values()}
    for effect in preview.boards:
        board = league.boards.get(slug=effect.board)
        assert check_board(board).differences == ()
        foreseen_rows = rows(foreseen[effect.board])
        saved = rows(Standing.objects.current(board))
        assert {key: row for key, row in saved.items() if key not in new} == foreseen_rows
        after = shown(board)
        nowhere = (None, None)
        was = before[effect.board]
        assert {
            row.key: ((row.before, row.rank_before), (row.after, row.rank_after))
            for row in effect.movers
        } == {
            key: pair
            for key in was.keys() | after.keys()
            if is_another(board, *(pair := (was.get(key, nowhere), after.get(key, nowhere))))
        }
    return preview


def is_another(board: Board, one: tuple, other: tuple) -> bool:
    digits = bridge.shown_decimals(board)
    return [value and round(value, digits) for value in one] != [
        value and round(value, digits) for value in other
    ]


@pytest.fixture(scope="module")
def built_club(shared_rows: None):
    league = new_club("rated")
    with_all_systems(league)
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee", "Eve"), 4))
    return league


club = read_anew("built_club")


@pytest.mark.parametrize("place", [1, 20, 40])
def test_the_preview_of_a_correction_is_what_saving_it_does_under_every_system(club, place):
    match = club.matches.get(seq=place)
    preview = assert_previewed(club, correction(match, turned(match)))
    assert len(preview.boards) == club.boards.count()
    assert {effect.board for effect in preview.boards if effect.ratings} > {"all-by-elo"}


@pytest.mark.parametrize("place", [1, 20, 40])
def test_void_restore_and_undo_are_previewed_and_restore_the_digest(club, place):
    match = club.matches.get(seq=place)
    before = league_digest(club)
    assert_previewed(club, lambda: void_match(match=match, author=None))
    assert_previewed(club, lambda: restore_match(match=match, author=None))
    assert league_digest(club) == before
    assert_previewed(club, lambda: void_match(match=match, author=None))
    last = Revision.objects.order_by("-number")[0]
    assert_previewed(club, lambda: revert_revision(revision=last, author=None))
    assert league_digest(club) == before


def test_a_match_moved_in_time_is_previewed(club):
    for place, days in ((1, 30), (40, -2), (20, 1)):
        match = club.matches.get(seq=place)
        moved = replace(draft_of(match), played_at=match.played_at + timedelta(days=days))
        assert_previewed(club, correction(match, moved))


def test_other_players_are_previewed_and_a_new_one_is_not_created(club):
    match = club.matches.get(seq=7)

    def change() -> Revision | None:
        draft = draft_of(match)
        sides = (
            replace(
                draft.sides[0],
                members=(MemberDraft(ensure_player(league=club, name="Zoe Newcomer")),),
            ),
            *draft.sides[1:],
        )
        return correction(match, replace(draft, sides=sides))()

    preview = assert_previewed(club, change)
    elo = next(effect for effect in preview.boards if effect.board == "all-by-elo")
    assert ("Zoe Newcomer", None, True) in [
        (row.name, row.before, row.has_played) for row in elo.movers
    ]


def test_a_late_result_is_previewed(club):
    late = result(club, "Eve", "Ana", scores=(9, 0), at=START + timedelta(days=1, minutes=5))
    assert_previewed(
        club,
        lambda: record_matches(season=season_of(club), mode=mode_of(club), drafts=[late]).revision,
    )


def test_a_change_of_nothing_has_no_preview(club):
    match = club.matches.get(seq=3)
    assert try_change(season_of(club), correction(match, draft_of(match))) is None


def test_an_undo_that_is_too_large_is_refused_before_it_is_tried(club, monkeypatch):
    monkeypatch.setattr(tried_changes, "MAX_MATCHES", 3)
    revision = club.revisions.order_by("pk").first()

    def undo() -> Revision:
        raise AssertionError

    with pytest.raises(Refused) as refused:
        try_change(season_of(club), undo, matches=matches_of_undo(revision))
    assert refused.value.codes == {"too_many"}


def test_what_saving_refuses_the_preview_refuses_in_the_same_words(club):
    match = club.matches.get(seq=3)
    draft = draft_of(match)
    for bad in (
        replace(draft, sides=draft.sides[:1]),
        replace(draft, sides=(draft.sides[0], draft.sides[0])),
        replace(draft, weight=0.0),
        replace(draft, played_at=timezone.now() + timedelta(days=2)),
    ):
        with pytest.raises(Refused) as previewed:
            try_change(season_of(club), correction(match, bad))
        with pytest.raises(Refused) as saved:
            correction(match, bad)()
        assert previewed.value.problems == saved.value.problems
    old = Match.objects.get(pk=match.pk)
    old.version = 7
    with pytest.raises(Conflict):
        try_change(season_of(club), correction(old, turned(match)))


def test_matches_that_follow_from_a_change_are_counted():
    league = new_club()
    days = [timedelta(days=number) for number in range(4)]
    first, *_rest = record(
        league,
        result(league, "Ana", "Bo", at=START),
        result(league, "Dee", "Eve", at=START + days[1]),
        result(league, "Bo", "Cy", at=START + days[2]),
        result(league, "Cy", "Dee", at=START + days[3]),
    )
    preview = assert_previewed(league, correction(first, turned(first)))
    assert {effect.rerated for effect in preview.boards} == {2}


def test_a_match_that_a_board_cannot_rate_is_named(club):
    match = club.matches.get(seq=3)
    teams = result(club, "Ana+Bo", "Cy+Dee", at=match.played_at)
    preview = assert_previewed(club, correction(match, teams))
    assert {effect.board for effect in preview.boards if effect.refusal} >= {"all-by-ladder"}


@pytest.mark.parametrize(
    "file",
    ["club/ntnu_table_tennis.csv", "club/foosball_2v2.csv", "club/catan.csv"],
)
def test_real_results_are_previewed_under_every_system(file):
    league = new_club()
    with_all_systems(league)
    take(league, shared_data(file).read_bytes(), skip_bad=True)
    drain()
    order = list(league.matches.order_by("played_at", "same_time_order", "seq"))
    for place in (0, 9 * len(order) // 10):
        match = order[place]
        assert_standings_previewed(league, correction(match, turned(match)))


def test_the_first_match_of_five_thousand_is_corrected_as_previewed_and_reverted():
    """Everything after it is rated again, on two boards, and the revert restores every bit."""
    league = new_club()
    take(league, five_thousand())
    drain()
    match = league.matches.order_by("played_at", "same_time_order", "seq")[0]
    assert league.matches.count() == 5000
    before = {board.slug: board_digest(board) for board in league.boards.all()}
    assert len(before) == 2
    # For every player, rating and rank are what was said.
    preview = assert_previewed(league, correction(match, turned(match)))
    assert {effect.board for effect in preview.boards} == set(before)
    assert all(effect.movers and effect.rerated > 4900 for effect in preview.boards)
    saved = league.revisions.latest("number")
    assert {board.slug: board_digest(board) for board in league.boards.all()} != before
    assert_previewed(league, lambda: revert_revision(revision=saved, author=None))
    assert {board.slug: board_digest(board) for board in league.boards.all()} == before


def five_thousand() -> bytes:
    """Results of forty players of different strength, ten a day."""
    chance = random.Random(5000)
    lines = ["date,winner,loser,winner_score,loser_score"]
    for number in range(5000):
        one, other = chance.sample(range(40), 2)
        winner, loser = (
            (one, other) if chance.random() < 0.5 + (other - one) / 100 else (other, one)
        )
        day = START.date() + timedelta(days=number // 50)
        lines.append(f"{day},Player {winner},Player {loser},3,{chance.randrange(3)}")
    return "\n".join(lines).encode()


def assert_standings_previewed(league: League, change: Change) -> None:
    """Compare all standings of a large league, where not every mover is named."""
    before = {board.pk: board_digest(board) for board in league.boards.all()}
    tried = try_change(season_of(league), change)
    assert tried is not None
    with snapshot():
        foreseen = {
            facts.board.pk: rows(standings_after(facts, tried))
            for facts in read_boards(tried, plan_boards(tried))
        }
    assert {board.pk: board_digest(board) for board in league.boards.all()} == before
    revision = change()
    drain()
    for board in league.boards.all():
        assert rows(Standing.objects.current(board)) == foreseen[board.pk]
    revert_revision(revision=revision, author=None)
    drain()
    assert {board.pk: board_digest(board) for board in league.boards.all()} == before


def assert_equal_from_the_histories(league: League, change: Change) -> None:
    """Preview a change from the states before it and from the first match on: to the same bits."""
    tried = try_change(season_of(league), change)
    assert tried is not None
    with snapshot():
        late = plan_boards(tried)
        whole = [replace(plan, since=None) for plan in late]
        boards, all_of_them = read_boards(tried, late), read_boards(tried, whole)
        assert preview_change(tried, boards) == preview_change(tried, all_of_them)
        for one, other in zip(boards, all_of_them, strict=True):
            stored = rows(Standing.objects.current(one.board))
            known = stored | rows(standings_after(one, tried))
            whole_rows = rows(standings_after(other, tried))
            assert {key: known[key] for key in whole_rows} == whole_rows
    assert {plan.board.system for plan in late if plan.since} == {
        "ladder",
        *(info.name for info in bridge.systems() if info.reach is Reach.PARTICIPANTS),
    }


@pytest.fixture
def from_histories(monkeypatch):
    monkeypatch.setattr(tail_states, "MIN_RATED", 0)
    monkeypatch.setattr(correction_preview, "MAX_SHARE_LATE", 1.0)


@pytest.mark.parametrize("place", [2, 20, 39])
def test_late_matches_are_rated_from_the_histories_to_the_same_bits(club, from_histories, place):
    match = club.matches.get(seq=place)
    day = timedelta(days=1)
    assert_equal_from_the_histories(club, correction(match, turned(match)))
    assert_equal_from_the_histories(club, lambda: void_match(match=match, author=None))
    for at in (match.played_at - day / 2, match.played_at + day / 2):
        moved = replace(draft_of(match), played_at=at)
        assert_equal_from_the_histories(club, correction(match, moved))


def test_what_comes_after_all_results_is_rated_from_the_histories(club, from_histories):
    last = club.matches.order_by("played_at", "seq").last()
    draft = result(club, "Ana", "Dee", at=last.played_at + timedelta(hours=1))
    assert_equal_from_the_histories(club, lambda: record(club, draft)[0].revision)
    void_match(match=last, author=None)
    drain()
    assert_equal_from_the_histories(club, lambda: restore_match(match=last, author=None))


def test_whoever_plays_no_more_once_the_match_is_void_keeps_the_state_before(from_histories):
    league = new_club()
    with_all_systems(league)
    drafts = rounds(league, ("Ana", "Bo", "Cy"), 2)
    last = result(league, "Ana", "Dee", at=START + timedelta(days=9))
    other = result(league, "Bo", "Cy", at=START + timedelta(days=10))
    record(league, *drafts, last, other)
    match = league.matches.get(seq=7)
    assert_equal_from_the_histories(league, lambda: void_match(match=match, author=None))


def test_real_results_are_previewed_from_the_histories(from_histories):
    league = new_club()
    with_all_systems(league)
    take(league, shared_data("club/ntnu_table_tennis.csv").read_bytes(), skip_bad=True)
    drain()
    order = list(league.matches.order_by("played_at", "same_time_order", "seq"))
    for place in (len(order) // 2, 9 * len(order) // 10, len(order) - 3):
        match = order[place]
        assert_equal_from_the_histories(league, correction(match, turned(match)))
        assert_equal_from_the_histories(league, lambda m=match: void_match(match=m, author=None))


def test_a_free_for_all_counts_for_as_many_duels_as_it_takes_the_time_of(monkeypatch):
    """A request that rated thousands of them as if they were duels took seconds."""
    league = new_club()
    names = [f"Player {number}" for number in range(8)]
    record(
        league,
        *(result(league, *names, at=START + timedelta(days=day)) for day in range(10)),
    )
    match = league.matches.get(seq=1)
    draft = draft_of(match)
    first, second, *others = draft.sides
    turned_round = replace(draft, sides=(replace(first, rank=2), replace(second, rank=1), *others))
    tried = try_change(season_of(league), correction(match, turned_round))
    boards = season_of(league).boards.count()
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", boards * 10 * 8 * 8 // 2 - 1)
    assert request_preview(tried, season=season_of(league)).job is not None
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", boards * 10 * 8 * 8 // 2)
    assert request_preview(tried, season=season_of(league)).preview is not None


def test_no_request_rates_as_much_as_a_compiler_is_loaded_for():
    duels = preview_jobs.MAX_RATED_AT_ONCE / 2
    systems = [create(name) for name in SYSTEMS]
    compiled = [system for system in systems if hasattr(system, "break_even")]
    assert len(compiled) == len(systems) - 1, "all but the static one, which has no such body"
    assert duels < min(system.break_even for system in compiled)
