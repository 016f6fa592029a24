"""Two players become one, and two again: every board as if it had always been so."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

from leagues.jobs.queue import Claim, claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import (
    Job,
    League,
    Match,
    MatchVersion,
    Participant,
    Player,
    PlayerAlias,
    RevisedRating,
    Revision,
    Season,
    StartingState,
)
from leagues.services.backups import restore_backup, write_backup
from leagues.services.carryover import start_next_season
from leagues.services.entry import Enterer, enter_results
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import board_digest, check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.player_merging import merge_players
from leagues.services.players import create_player, rename_player
from leagues.services.rosters import Roster
from leagues.services.seasons import Step, take_step
from tests.leagues.people import make_league, make_player, make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_correction_preview import (
    assert_previewed,
    assert_standings_previewed,
    with_all_systems,
)
from tests.leagues.services.test_imports import EVENING, take
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

SPRING = datetime(2026, 1, 1, tzinfo=UTC)
SPLIT = "alex"
"""A player of the foosball results, who gets two names."""


@pytest.fixture
def club() -> League:
    """Bo has played under the name of Bob too; nobody was against himself."""
    league = new_club()
    with_all_systems(league)
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    bob = rounds(league, ("Bob", "Cy", "Ana"), 1)
    late = result(league, "Cy", "Bob", scores=(3, 0), at=START + timedelta(days=1, hours=5))
    record(league, *bob[:2], late)
    return league


def player(league: League, name: str) -> Player:
    return league.players.get(name=name)


def merge(league: League, keep: str = "Bo", drop: str = "Bob", **options) -> Revision:
    return merge_players(
        league=league, keep=player(league, keep), drop=player(league, drop), author=None, **options
    )


def digests(league: League) -> dict[str, str]:
    return {board.slug: board_digest(board) for board in league.boards.all()}


def assert_sound(league: League) -> None:
    drain()
    assert [check_board(board).differences for board in league.boards.all()] == [
        () for _board in league.boards.all()
    ]
    assert check_league(league.pk).differences == 0


def refusal(league: League, *words: str, **options) -> Refused:
    before = league_digest(league), Revision.objects.count()
    with pytest.raises(Refused) as refused:
        merge(league, *words, **options)
    assert (league_digest(league), Revision.objects.count()) == before
    return refused.value


# The merge and its undoing


def test_the_boards_are_those_of_results_under_one_name(club):
    alone = new_club("alone")
    with_all_systems(alone)
    record(alone, *rounds(alone, ("Ana", "Bo", "Cy", "Dee"), 3))
    bo = rounds(alone, ("Bo", "Cy", "Ana"), 1)
    late = result(alone, "Cy", "Bo", scores=(3, 0), at=START + timedelta(days=1, hours=5))
    record(alone, *bo[:2], late)
    assert digests(club) != digests(alone)
    merge(club, reason="two spellings")
    assert_sound(club)
    assert digests(club) == digests(alone)


def test_undoing_gives_back_what_was_and_both_steps_stay_in_the_log(club):
    before, revisions = digests(club), Revision.objects.count()
    done = merge(club)
    assert_sound(club)
    assert digests(club) != before
    undone = revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club) == before
    bob = player(club, "Bob")
    assert (bob.merged_into, bob.is_listed) == (None, True)
    assert Revision.objects.count() == revisions + 2
    # The undoing can be undone too: they are one again.
    revert_revision(revision=undone, author=None)
    assert_sound(club)
    assert player(club, "Bob").merged_into == player(club, "Bo")


def test_only_the_matches_of_the_merged_player_are_changed(club):
    theirs = set(Participant.objects.filter(player__name="Bob").values_list("match", flat=True))
    others = Match.objects.exclude(pk__in=theirs).order_by("pk")
    before = list(others.values())
    places = list(club.matches.order_by("pk").values_list("seq", "played_at", "same_time_order"))
    done = merge(club)
    assert list(others.values()) == before
    assert (
        list(club.matches.order_by("pk").values_list("seq", "played_at", "same_time_order"))
        == places
    )
    assert set(MatchVersion.objects.values_list("match", "revision")) == {
        (match, done.pk) for match in theirs
    }
    assert done.summary["matches"] == len(theirs) == 3
    assert not Participant.objects.filter(player__name="Bob").exists()


def test_void_matches_are_renamed_too_and_stay_void(club):
    match = club.matches.filter(participants__player__name="Bob").order_by("seq")[0]
    void_match(match=match, author=None)
    merge(club)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert [row.player.name for row in match.participants.order_by("side")] == ["Bo", "Cy"]
    assert_sound(club)
    restore_match(match=match, author=None)
    assert_sound(club)


def test_whoever_a_merge_moves_without_a_match_is_noted(club):
    done = merge(club)
    drain()
    noted = RevisedRating.objects.filter(revision=done, board__system="elo")
    assert set(noted.values_list("player__name", flat=True)) >= {"Bo", "Cy"}


def test_a_player_without_results_is_merged_by_a_revision_of_no_matches(club):
    create_player(league=club, name="Bobby")
    before = digests(club)
    done = merge(club, drop="Bobby")
    assert_sound(club)
    assert digests(club) == before
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert player(club, "Bobby").is_listed


def test_merges_of_merged_players_are_undone_one_after_the_other(club):
    before = digests(club)
    record(club, result(club, "Robert", "Dee", at=START + timedelta(days=8)))
    first = merge(club, keep="Bob", drop="Robert")
    second = merge(club)
    assert_sound(club)
    (meant,) = Roster.of_names(club, names=["robert"]).meant_by(name="Robert")
    assert meant.name == "Bo"
    with pytest.raises(Refused) as refused:
        revert_revision(revision=first, author=None)
    assert refused.value.codes == {"touched_later"}
    for revision in (second, first, club.revisions.get(number=3)):
        revert_revision(revision=revision, author=None)
    assert_sound(club)
    assert digests(club) == before


def test_merges_of_players_without_results_are_undone_one_after_the_other_too(club):
    kim = make_user("kim")
    for name in ("Robert", "Rob"):
        create_player(league=club, name=name)
    Player.objects.filter(name="Robert").update(user=kim)
    first = merge(club, keep="Rob", drop="Robert")
    second = merge(club, keep="Bo", drop="Rob")
    with pytest.raises(Refused) as refused:
        revert_revision(revision=first, author=None)
    assert refused.value.codes == {"touched_later"}
    assert "“Rob” was merged into “Bo” afterwards" in str(refused.value)
    # An account stands on one player, whatever was undone.
    holders = [list(kim.players.listed().values_list("name", flat=True))]
    for revision in (second, first):
        revert_revision(revision=revision, author=None)
        holders.append(list(kim.players.listed().values_list("name", flat=True)))
    assert holders == [["Bo"], ["Rob"], ["Robert"]]
    assert_sound(club)


# Names, keys, accounts


def test_names_keys_and_aliases_mean_the_other_player_until_the_merge_is_undone(club):
    rename_player(player=player(club, "Bob"), name="Bobby", actor=None)
    key = player(club, "Bobby").key
    done = merge(club, drop="Bobby")
    bo = player(club, "Bo")
    roster = Roster.of_names(club, names=["Bob", "Bobby"], keys=[key])
    whole = Roster.of_league(club)
    for one in (roster, whole):
        assert one.meant_by(name="Bob") == one.meant_by(name="bobby") == (bo,)
        assert one.meant_by(name="anything", key=key) == (bo,)
    assert create_player(league=club, name="Bobby") == (bo, False)
    assert create_player(league=club, name="Bobby", key=key) == (bo, False)
    with pytest.raises(Refused):
        create_player(league=club, name="Somebody", key=key)
    revert_revision(revision=done, author=None)
    bobby = player(club, "Bobby")
    assert create_player(league=club, name="Bob") == (bobby, False)
    assert PlayerAlias.objects.get().player == bobby


def test_whoever_bears_a_name_goes_before_whoever_was_merged(club):
    merge(club)
    other, is_new = create_player(league=club, name="Bob", key="another-bob")
    assert is_new
    (meant,) = Roster.of_names(club, names=["Bob"]).meant_by(name="Bob")
    assert meant == other


def bot(name: str) -> Enterer:
    return Enterer(source=f"token:{name}", author=None, may_backdate=True, may_be_late=False)


def send(league: League, *names: str, number: str, key: str | None = None) -> Match:
    entry = MatchEntry(
        played_at=START + timedelta(days=9),
        sides=tuple(
            SideEntry(rank, None, (PlayerEntry(name=name),))
            for rank, name in enumerate(names, start=1)
        ),
        external_id=number,
    )
    entered = enter_results(
        season=season_of(league),
        mode=mode_of(league),
        entries=[entry],
        enterer=bot("server"),
        kind=Revision.Kind.API,
        answers=Answers(creates_players=True),
    )
    return entered.matches[0]


def test_results_sent_before_the_merge_are_known_again_after_it(club):
    match = send(club, "Bob", "Dee", number="game:1")
    merge(club)
    revisions = Revision.objects.count()
    assert send(club, "Bob", "Dee", number="game:1") == match
    assert send(club, "Bo", "Dee", number="game:1") == match
    assert Revision.objects.count() == revisions
    with pytest.raises(Refused) as refused:
        send(club, "Ana", "Dee", number="game:1")
    assert refused.value.codes == {"id_reused"}
    # A new result under the old name is the other player's.
    new = send(club, "Bob", "Dee", number="game:2")
    assert [row.player.name for row in new.participants.order_by("side")] == ["Bo", "Dee"]


def test_a_file_that_was_imported_before_the_merge_adds_nothing_after_it():
    league = new_club()
    content = EVENING + "2026-01-06,Anna,Bo,3,1\n"
    take(league, content)
    merge(league, keep="Ana", drop="Anna")
    again = take(league, content)
    assert (again["imported"], again["already_there"]) == (0, 4)
    more = take(league, content + "2026-01-07,Anna,Dee,3,1\n")
    assert (more["imported"], more["players_created"]) == (1, 0)
    assert_sound(league)


class EagerClaim(Claim):
    """A claim by which something happens when the file was read and its rows are stored."""

    def __init__(self, job: Job, happening: Callable[[], object]) -> None:
        super().__init__(job)
        self.happening: Callable[[], object] | None = happening

    def progress(self, done: int, total: int, stage: str) -> None:
        if stage == "finish" and self.happening is not None:
            happening, self.happening = self.happening, None
            happening()
        super().progress(done, total, stage)


def test_an_import_reads_its_file_again_if_a_player_was_merged_on_the_way():
    league = new_club()
    content = EVENING + "2026-01-06,Anna,Bo,3,1\n"
    take(league, content)
    job_id = start_import(
        season=season_of(league),
        mode=mode_of(league),
        name="more.csv",
        content=(content + "2026-01-07,Anna,Dee,3,1\n").encode(),
        options=ImportOptions(),
    )
    claim = claim_job(only=job_id)
    assert claim is not None
    eager = EagerClaim(claim.job, lambda: merge(league, keep="Ana", drop="Anna"))
    assert not run_claim(eager)
    assert league.matches.filter(status=Match.Status.LIVE).count() == 4
    Job.objects.filter(pk=job_id).update(run_after=timezone.now())
    drain()
    assert Job.objects.get(pk=job_id).state == Job.State.DONE
    assert league.matches.filter(status=Match.Status.LIVE).count() == 5
    assert not Participant.objects.filter(player__name="Anna").exists()
    assert_sound(league)


def test_an_account_goes_over_and_comes_back(club):
    kim = make_user("kim")
    Player.objects.filter(name="Bob").update(user=kim)
    done = merge(club)
    assert player(club, "Bo").user == kim
    revert_revision(revision=done, author=None)
    assert (player(club, "Bo").user, player(club, "Bob").user) == (None, kim)


def test_everything_that_points_at_a_player_is_thought_of():
    pointing = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_app_config("leagues").get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Player
    }
    assert pointing == {
        "leagues.Participant.player",  # named anew
        "leagues.StartingState.player",  # refused
        "leagues.PlayerAlias.player",  # leads on, as the name does
        "leagues.Player.merged_into",  # leads on
        "leagues.Standing.player",  # computed again
        "leagues.RatingSegment.player",  # computed again
        "leagues.RevisedRating.player",  # what was noted of a former rating
        "leagues.AuditEntry.player",  # what was done then, to this player
        "leagues.PlayerGroup.player",  # whoever stays keeps the own groups
        "leagues.MatchEvent.player",  # written by no release
        "leagues.MatchEvent.opponent",  # written by no release
    }


# What is refused


def test_players_who_met_are_two_people(club):
    refused = refusal(club, "Bo", "Cy")
    assert refused.codes == {"met"}
    assert "3 times" in str(refused)
    assert "tick each of them" in str(refused)


def with_meetings(league: League) -> list[Match]:
    """Results against himself and beside himself, which nobody can have played."""
    against = result(league, "Bo", "Bob", at=START + timedelta(days=1, hours=2))
    beside = result(league, "Bo + Bob", "Ana + Cy", at=START + timedelta(days=1, hours=4))
    return record(league, against, beside)


def test_results_of_both_are_void_with_the_merge_when_each_is_named(club):
    alone = new_club("alone")
    with_all_systems(alone)
    record(alone, *rounds(alone, ("Ana", "Bo", "Cy", "Dee"), 3))
    bo = rounds(alone, ("Bo", "Cy", "Ana"), 1)
    late = result(alone, "Cy", "Bo", scores=(3, 0), at=START + timedelta(days=1, hours=5))
    record(alone, *bo[:2], late)
    matches = with_meetings(club)
    before, revisions = digests(club), Revision.objects.count()
    done = merge(club, mistakes=[match.pk for match in matches], reason="nobody plays himself")
    assert Revision.objects.count() == revisions + 1
    assert done.summary["matches"] == 5
    assert_sound(club)
    assert digests(club) == digests(alone)
    for match in matches:
        match.refresh_from_db()
        assert match.status == Match.Status.VOID
        assert {"Bo", "Bob"} <= {row.player.name for row in match.participants.all()}
    undone = revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club) == before
    assert Match.objects.live().filter(pk__in=[match.pk for match in matches]).count() == 2
    revert_revision(revision=undone, author=None)
    assert_sound(club)
    assert digests(club) == digests(alone)


def test_a_merge_that_leaves_one_result_of_both_is_refused(club):
    matches = with_meetings(club)
    assert refusal(club, mistakes=[matches[0].pk]).codes == {"met"}
    # Someone enters one more after the page was opened.
    record(club, result(club, "Bob", "Bo", at=START + timedelta(days=3)))
    assert refusal(club, mistakes=[match.pk for match in matches]).codes == {"met"}


def test_that_many_meetings_are_no_mistake(club, monkeypatch):
    matches = with_meetings(club)
    monkeypatch.setattr("leagues.services.player_merging.MAX_MEETINGS", 1)
    refused = refusal(club, mistakes=[match.pk for match in matches])
    assert refused.codes == {"met_often"}
    assert "they are two people" in str(refused)


def test_a_merge_with_mistakes_is_not_made_again_over_a_new_meeting(club):
    done = merge(club, mistakes=[match.pk for match in with_meetings(club)])
    undone = revert_revision(revision=done, author=None)
    record(club, result(club, "Bob", "Bo", at=START + timedelta(days=12)))
    with pytest.raises(Refused) as refused:
        revert_revision(revision=undone, author=None)
    assert refused.value.codes == {"touched_later"}


def test_a_result_of_both_in_a_sealed_season_stays(club):
    matches = with_meetings(club)
    seal(club, season_of(club))
    refused = refusal(club, mistakes=[match.pk for match in matches])
    assert refused.codes == {"sealed"}
    assert "site admin can reopen" in str(refused)


def test_a_merge_with_mistakes_is_previewed_under_every_system(club):
    mistakes = [match.pk for match in with_meetings(club)]
    drain()
    assert_previewed(club, lambda: merge(club, mistakes=mistakes))


def test_a_merged_player_brought_by_results_of_two_seasons_stays_off_the_lists(club):
    send(club, "Bob", "Dee", number="1")
    with_new = record(club, result(club, "Robert", "Dee", at=START + timedelta(days=8)))
    with_both = record(club, result(club, "Robert", "Bo", at=START + timedelta(days=9)))
    Player.objects.filter(name="Robert").update(revision=with_new[0].revision)
    second = Season.objects.create(league=club, slug="second", name="Second")
    add_board(season=second, mode=mode_of(club), system="elo")
    drafts = [
        result(club, "Robert", other, at=SPRING + timedelta(hours=hours))
        for hours, other in enumerate(("Dee", "Bo"))
    ]
    late = record_matches(season=second, mode=mode_of(club), drafts=drafts).matches
    drain()
    before = {board.pk: board_digest(board) for board in club.boards.all()}
    done = merge(club, drop="Robert", mistakes=[with_both[0].pk, late[1].pk])
    assert_sound(club)
    assert not player(club, "Robert").is_listed
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert player(club, "Robert").is_listed
    assert {board.pk: board_digest(board) for board in club.boards.all()} == before


def test_once_the_match_of_both_is_void_they_are_merged_and_it_stays_void(club):
    match = record(club, result(club, "Bo", "Bob", at=START + timedelta(days=20)))[0]
    assert refusal(club).codes == {"met"}
    before = digests(club)
    void_match(match=match, author=None)
    done = merge(club)
    assert_sound(club)
    match.refresh_from_db()
    assert {row.player.name for row in match.participants.all()} == {"Bo", "Bob"}
    with pytest.raises(Refused) as refused:
        restore_match(match=match, author=None)
    assert refused.value.codes == {"merged"}
    revert_revision(revision=done, author=None)
    restore_match(match=match, author=None)
    assert_sound(club)
    assert digests(club) == before


def test_a_player_is_not_merged_into_itself_or_into_another_league(club):
    assert refusal(club, "Bo", "Bo").codes == {"same_player"}
    stranger = make_player(make_league("elsewhere"), "bo")
    with pytest.raises(Refused) as refused:
        merge_players(league=club, keep=player(club, "Bo"), drop=stranger, author=None)
    assert refused.value.codes == {"other_league"}


def test_players_of_two_accounts_are_two_people(club):
    Player.objects.filter(name="Bob").update(user=make_user("kim"))
    Player.objects.filter(name="Bo").update(user=make_user("lee"))
    assert refusal(club).codes == {"two_accounts"}


def seal(league: League, season: Season) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=START + timedelta(days=30))
        season.refresh_from_db()
        drain()
        season.refresh_from_db()


def test_a_sealed_season_keeps_its_players(club):
    season = season_of(club)
    seal(club, season)
    refused = refusal(club)
    assert refused.codes == {"sealed"}
    assert "“Autumn”, which is sealed" in str(refused)
    assert "site admin" in str(refused)


def test_a_name_of_the_next_season_is_merged_into_a_player_of_a_sealed_one(club):
    first = season_of(club)
    seal(club, first)
    sealed = digests(club)
    following = start_next_season(first, days=(SPRING, None), carryover="keep", actor=None)
    take_step(following, Step.OPEN, actor=None, now=SPRING)
    drafts = [
        result(club, name, "Dee", at=SPRING + timedelta(hours=number))
        for number, name in enumerate(("Boris", "Bo", "Boris"))
    ]
    record_matches(season=following, mode=mode_of(club), drafts=drafts)
    drain()
    before = digests(club)
    done = merge(club, keep="Bo", drop="Boris")
    assert done.season == following
    assert_sound(club)
    after = digests(club)
    assert {slug: after[slug] for slug in sealed} | sealed == after | sealed
    assert check_league(club.pk).differences == 0
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club) == before
    # The other way round a sealed season would change, and what was carried over would be lost.
    assert refusal(club, "Boris", "Bo").codes == {"sealed", "carried_over"}
    assert StartingState.objects.filter(player__name="Bo").exists()


def test_a_merge_in_two_seasons_is_undone_in_both(club):
    second = Season.objects.create(league=club, slug="second", name="Second")
    add_board(season=second, mode=mode_of(club), system="elo")
    drafts = [result(club, "Bob", "Dee", at=START + timedelta(days=40))]
    record_matches(season=second, mode=mode_of(club), drafts=drafts)
    drain()
    before = {board.pk: board_digest(board) for board in club.boards.all()}
    done = merge(club)
    assert done.season == second
    parts = list(Revision.objects.filter(kind=Revision.Kind.MERGE).order_by("season_id"))
    assert [part.summary["merge"]["parts"] for part in parts] == [
        [[part.season_id, part.number] for part in parts]
    ] * 2
    assert_sound(club)
    undone = revert_revision(revision=parts[0], author=None)
    assert undone.season == parts[0].season
    assert_sound(club)
    assert {board.pk: board_digest(board) for board in club.boards.all()} == before


def test_the_second_of_two_organizers_is_told_what_the_first_did(club):
    stale = player(club, "Bob")
    merge(club)
    for keep, drop in (("Bo", stale), ("Ana", stale)):
        with pytest.raises(Refused) as refused:
            merge_players(league=club, keep=player(club, keep), drop=drop, author=None)
        assert refused.value.codes == {"merged"}
        assert str(refused.value) == "“Bob” has been merged into “Bo”."
    with pytest.raises(Refused) as refused:
        merge_players(league=club, keep=stale, drop=player(club, "Dee"), author=None)
    assert refused.value.codes == {"merged"}


def test_results_that_came_after_the_preview_are_not_merged_unseen(club):
    assert refusal(club, expected_matches=2).codes == {"changed"}
    merge(club, expected_matches=3)
    assert_sound(club)


def test_a_correction_since_stands_in_the_way_of_the_undo(club):
    done = merge(club)
    match = club.matches.get(seq=19)
    other = result(club, "Dee", "Cy", at=match.played_at)
    correct_match(match=match, draft=other, expected_version=match.version + 0, author=None)
    with pytest.raises(Refused) as refused:
        revert_revision(revision=done, author=None)
    assert refused.value.codes == {"touched_later"}
    assert "Undo that first" in str(refused.value)


def test_an_older_correction_cannot_bring_a_merged_player_back(club):
    match = club.matches.filter(participants__player__name="Bob").order_by("seq")[0]
    other = result(club, "Dee", "Cy", at=match.played_at)
    corrected = correct_match(match=match, draft=other, expected_version=1, author=None)
    done = merge(club)
    with pytest.raises(Refused) as refused:
        revert_revision(revision=corrected, author=None)
    assert refused.value.codes == {"merged"}
    revert_revision(revision=done, author=None)
    revert_revision(revision=corrected, author=None)
    assert_sound(club)


def test_a_merge_is_not_made_again_over_new_results(club):
    done = merge(club)
    undone = revert_revision(revision=done, author=None)
    record(club, result(club, "Bob", "Dee", at=START + timedelta(days=12)))
    with pytest.raises(Refused) as refused:
        revert_revision(revision=undone, author=None)
    assert refused.value.codes == {"touched_later"}
    assert player(club, "Bob").is_listed
    merge(club)
    assert_sound(club)


# The preview


def test_the_preview_is_what_merging_does_under_every_system(club):
    preview = assert_previewed(club, lambda: merge(club))
    assert {effect.board for effect in preview.boards} == set(
        club.boards.values_list("slug", flat=True)
    )
    moved = {row.key: row for row in preview.boards[0].movers}
    assert moved["bob"].after is None
    last = Revision.objects.latest("pk")
    assert_previewed(club, lambda: revert_revision(revision=last, author=None))


def test_only_whom_it_reaches_is_rewritten_to_the_same_bits(club, sparse_corrections):
    before = digests(club)
    done = merge(club)
    assert_sound(club)
    revert_revision(revision=done, author=None)
    assert_sound(club)
    assert digests(club) == before


# Real results


def foosball(split: bool) -> bytes:
    """The foosball results; every second result of one player may be under another name."""
    with shared_data("club/foosball_2v2.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    count = 0
    for row in table[1:]:
        if SPLIT in row:
            count += 1
            if split and count % 2:
                row[row.index(SPLIT)] = "Alexander K"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(table)
    return out.getvalue().encode()


def real_league(slug: str, *, split: bool) -> League:
    league = new_club(slug)
    with_all_systems(league)
    take(league, foosball(split=split), skip_bad=True)
    return league


def test_real_results_of_one_player_under_two_names_are_those_under_one():
    league, whole = real_league("split", split=True), real_league("whole", split=False)
    before, expected = digests(league), digests(whole)
    assert before != expected
    others = Match.objects.exclude(participants__player__name="Alexander K").order_by("pk")
    of_others, everybody = list(others.values()), list(Match.objects.order_by("pk").values())
    elsewhere = league_digest(whole)
    done = merge(league, keep=SPLIT, drop="Alexander K")
    assert_sound(league)
    # Equal are every standing and every point of every history. What differs is the record: the
    # merge is a revision more, and each renamed match has a version that says its former name.
    assert digests(league) == expected
    assert season_of(league).facts_digest != season_of(whole).facts_digest
    assert MatchVersion.objects.count() == done.summary["matches"] > 100
    # Nobody else's results, and no other league, are touched.
    assert (
        list(Match.objects.filter(pk__in=[row["id"] for row in of_others]).order_by("pk").values())
        == of_others
    )
    assert league_digest(whole) == elsewhere
    revert_revision(revision=done, author=None)
    assert_sound(league)
    assert digests(league) == before
    hashes = [bytes(row["content_hash"]) for row in everybody]
    stored = Match.objects.order_by("pk").values_list("content_hash", flat=True)
    assert [bytes(one) for one in stored] == hashes
    assert league_digest(whole) == elsewhere


def test_a_merge_of_real_results_is_previewed_to_the_last_bit():
    league = real_league("split", split=True)
    assert_standings_previewed(league, lambda: merge(league, keep=SPLIT, drop="Alexander K"))


# Beside it


def test_a_merged_league_comes_back_from_a_backup():
    file = BytesIO()
    with transaction.atomic():
        league = new_club()
        with_all_systems(league)
        record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2))
        record(league, result(league, "Bob", "Ana", at=START + timedelta(days=5)))
        before = digests(league)
        done = merge(league)
        drain()
        after = digests(league)
        write_backup(file)
        transaction.set_rollback(True)
    file.seek(0)
    with transaction.atomic():
        restore_backup(file)
    league = League.objects.get()
    assert_sound(league)
    assert digests(league) == after != before
    assert player(league, "Bob").merged_into == player(league, "Bo")
    revert_revision(revision=Revision.objects.get(pk=done.pk), author=None)
    assert_sound(league)
    assert digests(league) == before


def test_a_merge_that_no_revision_made_is_found(club):
    bo = player(club, "Bo")
    Player.objects.filter(name="Dee").update(merged_into=bo, is_listed=False)
    findings = check_league(club.pk).settings
    assert [(row.row, row.what) for row in findings] == [("dee", "merged into")]


@pytest.mark.django_db(transaction=True)
def test_a_result_entered_at_the_same_moment_names_whom_it_means_then(club):
    def attempt(call: Callable[[], object]) -> Callable[[], object]:
        def run() -> object:
            try:
                start.wait()
                return call()
            except Refused as refused:
                return refused
            finally:
                connection.close()

        return run

    start = threading.Barrier(3)
    calls = [
        attempt(lambda: merge(club)),
        attempt(lambda: merge(club, keep="Dee")),
        attempt(lambda: send(club, "Bob", "Ana", number="game:9")),
    ]
    with ThreadPoolExecutor(len(calls)) as pool:
        done = [future.result() for future in [pool.submit(call) for call in calls]]
    assert not Participant.objects.filter(player__name="Bob").exists()
    assert {type(answer) for answer in done[:2]} == {Revision, Refused}
    assert isinstance(done[2], Match)
    assert_sound(club)
