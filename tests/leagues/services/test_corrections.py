"""Corrections that rewrite only whom they reach: what they leave alone, and when they go so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from leagues.bridge.tables import table_before
from leagues.jobs.queue import claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import (
    Board,
    BoardDay,
    Job,
    League,
    Match,
    RatingSegment,
    RevisedRating,
    Standing,
)
from leagues.services import board_corrections, boards, days, tail_states
from leagues.services.days import prepare_board, prepare_days
from leagues.services.drafts import MatchDraft
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.stored_drafts import draft_of
from leagues.store import segments, standing_columns
from leagues.store.memory import forget_all
from leagues.store.packed_standings import pack, unpack_day
from leagues.store.standing_columns import NEWEST, read_histories
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sparse_corrections")]

DAY = timedelta(days=1)
FIRST, SECOND = ("Ana", "Bo", "Cy"), ("Dee", "Eve", "Flo")
"""Two circles whose players never meet."""


@pytest.fixture
def club() -> League:
    league = new_club()
    later = [
        replace(draft, played_at=draft.played_at + timedelta(hours=1))
        for draft in rounds(league, SECOND, 4)
    ]
    record(league, *rounds(league, FIRST, 4), *later)
    return league


def board_of(league: League) -> Board:
    return league.boards.select_related("league", "season", "mode").first()


def reversed_draft(match: Match, **fields) -> MatchDraft:
    draft = draft_of(match)
    one, other = draft.sides
    return replace(
        draft, sides=(replace(one, rank=other.rank), replace(other, rank=one.rank)), **fields
    )


def correct(match: Match, draft: MatchDraft) -> None:
    correct_match(match=match, draft=draft, expected_version=match.version, author=None)


def in_order(league: League) -> list[Match]:
    return list(league.matches.order_by("played_at", "same_time_order", "seq"))


def stored(board: Board) -> dict[str, list[tuple]]:
    """What is stored of each player, with the numbers of the rows."""
    found: dict[str, list[tuple]] = {}
    for model in (Standing, RatingSegment):
        names = [field.attname for field in model._meta.concrete_fields]
        rows = model.objects.filter(board=board, generation=board.generation).order_by("pk")
        for name, *values in rows.values_list("player__name", *names):
            found.setdefault(name, []).append(
                tuple(bytes(v) if isinstance(v, memoryview) else v for v in values)
            )
    return found


def assert_rewritten(league: League, change: Callable[[], object]) -> None:
    """Let a change be rated; every board keeps its generation and is what a replay gives."""
    before = {board.pk: board.generation for board in league.boards.all()}
    change()
    drain()
    for board in league.boards.all():
        assert board.generation == before[board.pk], board.system
        assert check_board(board).differences == ()


def test_who_is_not_reached_keeps_every_row(club):
    board = board_of(club)
    before = stored(board)
    match = in_order(club)[6]
    assert {"Ana", "Bo", "Cy"} >= {each.player.name for each in match.participants.all()}
    assert_rewritten(club, lambda: correct(match, reversed_draft(match)))
    after = stored(board_of(club))
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"Ana", "Bo", "Cy"}


def test_every_kind_of_change_is_rewritten_and_taking_it_back_restores_the_digest(club):
    digest = board_digest(board_of(club))
    match = in_order(club)[12]
    moved = replace(draft_of(match), played_at=match.played_at - 2 * DAY)
    others = result(club, "Flo", "Cy", at=match.played_at)
    for draft in (
        reversed_draft(match),
        moved,
        replace(moved, played_at=match.played_at + 9 * DAY),
        others,
    ):
        original = draft_of(Match.objects.get(pk=match.pk))
        assert_rewritten(club, lambda d=draft: correct(Match.objects.get(pk=match.pk), d))
        assert board_digest(board_of(club)) != digest
        assert_rewritten(club, lambda d=original: correct(Match.objects.get(pk=match.pk), d))
        assert board_digest(board_of(club)) == digest
    for each in (in_order(club)[0], match, in_order(club)[-1]):
        assert_rewritten(club, lambda m=each: void_match(match=m, author=None))
        assert_rewritten(club, lambda m=each: restore_match(match=m, author=None))
        assert board_digest(board_of(club)) == digest
    late = result(club, "Cy", "Ana", at=match.played_at + timedelta(minutes=1))
    assert_rewritten(
        club, lambda: record_matches(season=season_of(club), mode=mode_of(club), drafts=[late])
    )
    newest = season_of(club).revisions.latest("number")
    assert_rewritten(club, lambda: revert_revision(revision=newest, author=None))
    assert board_digest(board_of(club)) == digest


def test_a_newcomer_comes_and_goes_with_a_late_result(club):
    late = result(club, "Zoe", "Ana", at=START + DAY)
    assert_rewritten(
        club, lambda: record_matches(season=season_of(club), mode=mode_of(club), drafts=[late])
    )
    assert Standing.objects.current(board_of(club)).filter(player__name="Zoe").exists()
    match = club.matches.latest("seq")
    assert_rewritten(club, lambda: void_match(match=match, author=None))
    assert "Zoe" not in stored(board_of(club))


def test_the_only_result_of_two_players_is_void(club):
    pair = record(club, result(club, "Pia", "Quin", at=START + 30 * DAY))[0]
    assert_rewritten(club, lambda: void_match(match=pair, author=None))
    board = board_of(club)
    assert set(stored(board)) == {*FIRST, *SECOND}
    assert board.last_at == in_order(club)[-2].played_at


@pytest.mark.parametrize("spare", [-1, 0, 1])
def test_histories_of_several_segments_grow_and_shrink(club, monkeypatch, spare):
    monkeypatch.setattr(segments, "SIZE", 4)
    Board.objects.update(rated_through_revision=0)
    drafts = [result(club, "Ana", "Bo", at=START + (20 + n) * DAY) for n in range(5 + spare)]
    record(club, *drafts)
    digest = board_digest(board_of(club))
    for match in (in_order(club)[3], in_order(club)[-2], in_order(club)[-1]):
        assert_rewritten(club, lambda m=match: void_match(match=m, author=None))
    for match in (in_order(club)[-1], in_order(club)[-2], in_order(club)[3]):
        assert_rewritten(club, lambda m=match: restore_match(match=m, author=None))
    assert board_digest(board_of(club)) == digest


def test_who_is_moved_without_a_match_is_told(club):
    match = in_order(club)[0]
    assert_rewritten(club, lambda: correct(match, reversed_draft(match)))
    names = set(RevisedRating.objects.values_list("player__name", flat=True))
    assert names
    assert names <= set(FIRST)


class Died(Exception):
    """What stands for the end of a process."""


def die_at(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Rate what waits, and let whoever passes a place die there; then it is to be rated again."""
    passed = []

    def die(name: str) -> None:
        if name == place:
            passed.append(name)
            raise Died

    with monkeypatch.context() as patch:
        patch.setattr(boards, "faultpoint", die)
        drain()
    assert passed
    Job.objects.filter(state=Job.State.QUEUED).update(run_after=START)


@pytest.mark.parametrize("place", ["after_segments", "after_standings", "before_rating_commit"])
def test_a_correction_that_dies_leaves_what_was_and_is_made_again(club, monkeypatch, place):
    board, match = board_of(club), in_order(club)[6]
    before = stored(board), board_digest(board)
    correct(match, reversed_draft(match))
    die_at(monkeypatch, place)
    assert (stored(board_of(club)), board_digest(board_of(club))) == before
    assert board_of(club).rated_through_revision == board.rated_through_revision
    assert_rewritten(club, lambda: None)
    assert stored(board_of(club)) != before[0]


def test_what_a_killed_replay_has_noted_is_in_nobodys_way(club, monkeypatch):
    match = in_order(club)[0]
    correct(match, reversed_draft(match))
    with monkeypatch.context() as patch:
        patch.setattr(board_corrections, "MAX_SHARE_REACHED", 0.0)
        die_at(patch, "before_swap")
    assert RevisedRating.objects.filter(generation__gt=board_of(club).generation).exists()
    assert_rewritten(club, lambda: None)
    assert not RevisedRating.objects.filter(generation__gt=board_of(club).generation).exists()


@pytest.mark.parametrize("limit", ["MAX_SHARE_LATE", "MAX_SHARE_REACHED", "MIN_RATED"])
def test_where_a_change_reaches_too_much_the_board_is_replayed(club, monkeypatch, limit):
    module, most = (tail_states, 10_000) if limit == "MIN_RATED" else (board_corrections, 0.1)
    monkeypatch.setattr(module, limit, most)
    board, match = board_of(club), in_order(club)[0]
    correct(match, reversed_draft(match))
    drain()
    assert board_of(club).generation > board.generation
    assert check_board(board_of(club)).differences == ()


@pytest.mark.parametrize("system", ["becker", "static"])
def test_boards_that_share_sums_over_all_matches_are_replayed(club, system):
    board = add_board(season=season_of(club), mode=mode_of(club), system=system)
    drain()
    generation = Board.objects.get(pk=board.pk).generation
    match = in_order(club)[6]
    correct(match, reversed_draft(match))
    drain()
    board.refresh_from_db()
    assert board.generation > generation
    assert check_board(board).differences == ()


def test_prepared_days_before_the_first_changed_match_stay_and_later_ones_are_prepared_anew(
    club, monkeypatch
):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    board, match = board_of(club), in_order(club)[-4]
    moments = [match.played_at - 2 * DAY, match.played_at + DAY / 2]
    prepare_days(board, moments)
    drain()
    prepared = BoardDay.objects.filter(board=board).exclude(at=NEWEST)
    made = dict(prepared.values_list("at", "pk"))
    assert made.keys() >= set(moments)
    assert_rewritten(club, lambda: correct(match, reversed_draft(match)))
    left = dict(prepared.values_list("at", "pk"))
    assert left[moments[0]] == made[moments[0]]
    assert moments[1] not in left
    prepare_days(board_of(club), moments)
    drain()
    for day in prepared:
        whole = table_before(board_of(club), read_histories(board_of(club)), day.at)
        table = unpack_day(day.base.data, day.changes)
        assert table is not None
        assert pack(table) == pack(whole)


def shown_on(response) -> list[str]:
    """The numbers that a page shows in its table."""
    return re.findall(r"<td[^>]*>\s*([0-9].*?)\s*</td>", response.content.decode(), re.S)


def test_pages_of_former_days_are_read_anew_once_their_past_is_another(club, client):
    match = in_order(club)[0]
    address = f"/l/club/?on={(START + 2 * DAY).date()}"
    before = client.get(address)
    assert before.status_code == 200
    assert_rewritten(club, lambda: correct(match, reversed_draft(match)))
    assert shown_on(client.get(address)) != shown_on(before)


def test_a_former_day_that_is_read_while_a_board_is_replayed_is_read_anew_after_it(
    club, client, monkeypatch
):
    """A replay has a number from its beginning, and another past from its end."""
    monkeypatch.setattr(tail_states, "MIN_RATED", 10**6)
    match = in_order(club)[0]
    address = f"/l/club/?on={(START + 2 * DAY).date()}"
    seen = []

    def look(place: str) -> None:
        if place == "after_replay":
            seen.append(shown_on(client.get(address)))

    monkeypatch.setattr(boards, "faultpoint", look)
    correct(match, reversed_draft(match))
    drain()
    assert len(seen) == club.boards.count()
    after = shown_on(client.get(address))
    forget_all()
    assert after == shown_on(client.get(address)) != seen[0]


def test_nothing_of_a_large_board_stands_in_after_a_correction(club, monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    board, match = board_of(club), in_order(club)[0]
    prepare_board(board)
    drain()
    assert BoardDay.objects.filter(board=board, at=NEWEST).exists()
    correct(match, reversed_draft(match))
    rating = claim_job(key=f"rate:{board.pk}")
    assert rating is not None
    assert run_claim(rating)
    assert not BoardDay.objects.filter(board=board, at=NEWEST).exists()


def test_a_day_that_was_read_before_a_correction_is_not_written_after_it(club, monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    board, match = board_of(club), in_order(club)[0]
    drain()
    moment, real = match.played_at + DAY, days.snapshot
    prepare_days(board, [moment])
    claim = claim_job(key=f"days:{board.pk}")

    @contextmanager
    def snapshot_then_correction() -> Iterator[None]:
        with real():
            yield
        correct(match, reversed_draft(match))
        rating = claim_job(key=f"rate:{board.pk}")
        assert rating is not None
        assert run_claim(rating)

    with monkeypatch.context() as patch:
        patch.setattr(days, "snapshot", snapshot_then_correction)
        assert run_claim(claim)
    assert not BoardDay.objects.filter(board=board, at=moment).exists()
