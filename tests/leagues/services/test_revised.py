from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import Board, Job, Match, RevisedRating
from leagues.pages.boards import player_address
from leagues.pages.player_revisions import lasting
from leagues.services import boards
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.rules import change_rules
from leagues.services.stored_drafts import draft_of
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    league = new_club(owner=built_kim)
    days = [timedelta(days=number) for number in range(4)]
    record(league, result(league, "Ana", "Bo", scores=(3, 1), at=START + days[0]))
    record(league, result(league, "Bo", "Cy", scores=(3, 1), at=START + days[1]))
    record(league, result(league, "Dee", "Eva", scores=(3, 1), at=START + days[2]))
    return league


club = read_anew("built_club")


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
    assert "Corrected −" in body or "Corrected +" in body
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
    assert "Corrected" not in pages[0]
    assert "Corrected" in client.get(player_address(board, "cy")).content.decode()


POLL = {"HX-Request": "true", "HX-Trigger": "computing"}


def test_a_profile_and_a_revision_say_that_ratings_come_and_then_show_them(client, club, kim):
    profile, revision = "/l/club/p/cy/", "/l/club/r/autumn/4/"
    before = client.get(profile).content.decode()
    assert "being computed" not in before
    void_match(match=Match.objects.get(seq=1), author=kim)
    for address in (profile, revision):
        page = client.get(address).content.decode()
        assert "being computed again" in page
        assert 'hx-trigger="every 500ms"' in page
        assert '<meta http-equiv="refresh" content="2">' in page
        waiting = client.get(address, headers=POLL)
        assert (waiting.status_code, waiting.content) == (204, b"")
    drain()
    profile_page, revision_page = (
        client.get(address, headers=POLL).content.decode() for address in (profile, revision)
    )
    assert 'id="rated"' in profile_page
    assert "Corrected" in profile_page
    assert 'id="moves"' in revision_page
    assert "2 ratings moved" in revision_page
    assert not any("being computed" in page for page in (profile_page, revision_page))


def test_results_of_others_in_order_are_not_waited_for_on_a_profile(client, club):
    season, mode = season_of(club), mode_of(club)
    late = result(club, "Dee", "Eva", at=START + timedelta(days=9))
    record_matches(season=season, mode=mode, drafts=[late])
    assert "being computed" not in client.get("/l/club/p/cy/").content.decode()
    assert "being computed" in client.get("/l/club/p/dee/").content.decode()
    assert 'id="computing"' not in client.get("/l/club/r/autumn/4/").content.decode()


def test_a_board_that_has_stopped_is_not_waited_for(client, club, kim):
    void_match(match=Match.objects.get(seq=1), author=kim)
    late = result(club, "Dee", "Eva", at=START + timedelta(days=9))
    record_matches(season=season_of(club), mode=mode_of(club), drafts=[late])
    Board.objects.update(state=Board.State.PAUSED)
    match = Match.objects.latest("seq")
    page = client.get(f"/l/club/m/autumn/{match.seq}/").content.decode()
    assert "have stopped" in page and "will appear here shortly" not in page
    for address in ("/l/club/p/cy/", "/l/club/r/autumn/4/"):
        assert "being computed" not in client.get(address).content.decode()


def test_a_change_that_moves_no_rating_says_so(client, club, kim):
    match = Match.objects.get(seq=1)
    draft = replace(draft_of(match), detail="in the cellar")
    correct_match(match=match, draft=draft, author=kim, expected_version=1)
    drain()
    assert (
        "No ratings are listed for this change."
        in client.get("/l/club/r/autumn/4/").content.decode()
    )


def test_a_void_that_was_taken_back_leaves_no_mark_on_the_chart(client, club, kim):
    first = Match.objects.get(seq=1)
    void_match(match=first, author=kim)
    drain()
    assert 'class="rev"' in client.get("/l/club/p/cy/").content.decode()
    restore_match(match=Match.objects.get(seq=1), author=kim)
    drain()
    body = client.get("/l/club/p/cy/").content.decode()
    assert 'class="rev"' not in body and "Corrected" not in body
    page = client.get("/l/club/p/cy/?tab=revisions").context["page"]
    assert [row.text for row in page.revisions] == [
        *("an organizer restored match 1", "an organizer voided match 1")
    ]


@pytest.mark.parametrize(
    ("steps", "kept"),
    [
        ([], []),
        ([(1, 2)], [(1, 2)]),
        ([(1, 2), (2, 1)], []),
        ([(1, 2), (2, 5), (5, 1)], []),
        ([(0, 1), (1, 2), (2, 1)], [(0, 1)]),
        ([(1, 2), (2, 1), (1, 3)], [(1, 3)]),
        # A match between them has moved the rating.
        ([(1, 2), (4, 1)], [(1, 2), (4, 1)]),
    ],
)
def test_what_together_changed_nothing_is_left_out(steps, kept):
    rows = [RevisedRating(before=before, after=after) for before, after in steps]
    assert [(row.before, row.after) for row in lasting(rows[::-1])] == kept
