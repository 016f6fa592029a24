from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import Board, Job, Match, RevisedRating
from leagues.pages.boards import player_address
from leagues.services import boards
from leagues.services.matches import correct_match, revert_revision, void_match
from leagues.services.rules import change_rules
from leagues.services.stored_drafts import draft_of
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db


@pytest.fixture
def kim():
    return make_user("kim")


@pytest.fixture
def club(kim):
    league = new_club(owner=kim)
    days = [timedelta(days=number) for number in range(4)]
    record(league, result(league, "Ana", "Bo", scores=(3, 1), at=START + days[0]))
    record(league, result(league, "Bo", "Cy", scores=(3, 1), at=START + days[1]))
    record(league, result(league, "Dee", "Eva", scores=(3, 1), at=START + days[2]))
    return league


def reverse(match: Match, kim) -> None:
    draft = draft_of(match)
    one, other = draft.sides
    sides = replace(one, rank=2, score=1), replace(other, rank=1, score=3)
    turned = replace(draft, sides=sides)
    correct_match(match=match, draft=turned, author=kim, expected_version=1, reason="swapped")
    drain()


def noted(board: Board) -> dict[str, float]:
    return {
        row.player.key: row.after - row.before
        for row in RevisedRating.objects.filter(board=board).select_related("player")
    }


def test_whoever_a_correction_touches_is_noted_with_what_it_changed(club, kim):
    board = Board.objects.get(system="glicko2")
    before = dict(board.standings.values_list("player__key", "shown"))
    first = Match.objects.get(seq=1)
    reverse(first, kim)
    board.refresh_from_db()
    after = dict(
        board.standings.filter(generation=board.generation).values_list("player__key", "shown")
    )
    told = noted(board)
    assert set(told) == {"ana", "bo", "cy"}
    assert told == {key: after[key] - before[key] for key in told}
    row = RevisedRating.objects.filter(board=board).first()
    assert row.match == first
    assert row.revision.reason == "swapped"


def test_a_player_touched_only_by_a_correction_reads_why_on_the_profile(client, club, kim):
    reverse(Match.objects.get(seq=1), kim)
    body = client.get("/l/club/p/cy/").content.decode()
    assert "Revised −" in body or "Revised +" in body
    assert "an organizer corrected match 1" in body
    assert 'class="rev"' in body
    tab = client.get("/l/club/p/cy/?tab=revisions").content.decode()
    assert "“swapped”" in tab
    assert "/l/club/m/autumn/1/?board=" in tab
    other = client.get("/l/club/p/dee/?tab=revisions").content.decode()
    assert "No correction of older results has changed this rating." in other


def test_the_page_of_a_revision_names_whom_it_moved(client, club, kim):
    reverse(Match.objects.get(seq=1), kim)
    page = client.get("/l/club/r/autumn/4/").content.decode()
    moved = page.partition("Ratings that changed")[2]
    for name, key in (("Ana", "ana"), ("Bo", "bo"), ("Cy", "cy")):
        assert f'<a href="/l/club/p/{key}/?season=autumn&amp;board=' in moved
        assert f"<bdi>{name}</bdi>" in moved
    assert "<bdi>Dee</bdi>" not in moved
    assert "3 ratings moved" in moved
    assert "Ratings that changed" not in client.get("/l/club/r/autumn/1/").content.decode()


def test_results_in_order_revise_nobody_and_late_ones_all_but_their_players(club):
    board = Board.objects.get(system="glicko2")
    record(club, result(club, "Ana", "Dee", at=START + timedelta(days=5)))
    assert noted(board) == {}
    record(club, result(club, "Ana", "Bo", at=START + timedelta(hours=1)))
    assert set(noted(board)) == {"cy", "dee"}


def test_undoing_notes_the_way_back_and_names_the_revision(club, kim):
    board = Board.objects.get(system="glicko2")
    match = Match.objects.get(seq=1)
    void_match(match=match, author=kim, expected_version=1, reason="never played")
    drain()
    there = noted(board)
    revision = Match.objects.get(seq=1).versions.get().revision
    revert_revision(revision=revision, author=kim)
    drain()
    rows = RevisedRating.objects.filter(board=board, player__key="cy").order_by("pk")
    assert [row.revision.kind for row in rows] == ["void", "revert"]
    assert rows[1].after == rows[0].before
    assert there["cy"] == rows[0].after - rows[0].before


def shown(board: Board) -> dict[str, float]:
    standings = board.standings.filter(generation=board.generation)
    return dict(standings.values_list("player__key", "shown"))


class Died(Exception):
    """What stands for the end of a process."""


def replay_until(monkeypatch, place, what):
    """Rate what waits, and let something happen where every replay passes a place."""

    def passed(name: str) -> None:
        if name == place:
            what()

    with monkeypatch.context() as patch:
        patch.setattr(boards, "faultpoint", passed)
        drain()


def test_what_a_replay_noted_that_never_came_to_be_is_not_told(monkeypatch, club, kim):
    def die() -> None:
        raise Died

    first, second, _third = Match.objects.order_by("seq")
    board = Board.objects.get(system="glicko2")
    before = shown(board)
    void_match(match=first, author=kim)
    replay_until(monkeypatch, "before_swap", die)
    board.refresh_from_db()
    assert shown(board) == before
    void_match(match=second, author=kim)
    Job.objects.filter(state=Job.State.QUEUED).update(run_after=START)
    drain()
    board.refresh_from_db()
    after = shown(board)
    rows = RevisedRating.objects.filter(board=board).values_list("player__key", "before", "after")
    assert sorted(rows) == [
        (key, before[key], after[key]) for key in sorted(after) if before[key] != after[key]
    ]


def test_what_a_replay_noted_that_new_rules_overtook_is_not_told(monkeypatch, club, kim):
    board = Board.objects.get(system="glicko2")
    once = [board]

    def overtake() -> None:
        while once:
            change_rules(once.pop(), parameters={"tau": 0.9}, effective_at=None, actor=kim)

    void_match(match=Match.objects.get(seq=1), author=kim)
    replay_until(monkeypatch, "before_swap", overtake)
    assert not noted(board)


def test_nothing_is_told_before_it_is_shown(monkeypatch, client, club, kim):
    board = Board.objects.select_related("league", "season", "mode").get(system="glicko2")
    pages = []
    void_match(match=Match.objects.get(seq=1), author=kim)
    replay_until(
        monkeypatch,
        "before_swap",
        lambda: pages.append(client.get(player_address(board, "cy")).content.decode()),
    )
    assert "Revised" not in pages[0]
    assert "Revised" in client.get(player_address(board, "cy")).content.decode()
