"""Recording, correcting, voiding and undoing: each is one revision or nothing."""

from __future__ import annotations

import dataclasses
import math
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import Match, MatchVersion, Player, Revision, Season
from leagues.services.drafts import MatchDraft, content_of
from leagues.services.entry import Correction, Enterer, correct_result
from leagues.services.entry_drafts import Answers
from leagues.services.errors import Conflict, Refused
from leagues.services.integrity import league_digest
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.stored_drafts import draft_of
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")


@pytest.fixture(scope="module")
def built_club(shared_rows: None):
    return new_club()


club = read_anew("built_club")


def refusal(club, draft: MatchDraft, **season_changes) -> frozenset[str]:
    season = season_of(club)
    for name, value in season_changes.items():
        setattr(season, name, value)
    season.save()
    before = Match.objects.count()
    with pytest.raises(Refused) as caught:
        record_matches(season=season, mode=mode_of(club), drafts=[draft])
    assert Match.objects.count() == before
    assert season_of(club).last_seq == 0
    return caught.value.codes


def test_matches_of_one_call_are_one_revision_with_consecutive_places(club):
    matches = record(club, *rounds(club, NAMES, 1))
    assert [match.seq for match in matches] == [1, 2, 3, 4, 5, 6]
    assert {match.revision.number for match in matches} == {1}
    assert season_of(club).last_seq == 6


def test_a_refused_batch_names_the_match_and_writes_nothing(club):
    good = result(club, "Ana", "Bo")
    bad = result(club, "Ana", "Ana")
    with pytest.raises(Refused) as caught:
        record_matches(season=season_of(club), mode=mode_of(club), drafts=[good, bad])
    (problem,) = caught.value.problems
    assert (problem.index, problem.code) == (1, "player_twice")
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"weight": 0.0}, "weight"),
        ({"weight": math.nan}, "weight"),
        ({"weight": math.inf}, "weight"),
        ({"weight": 10.1}, "weight"),
        ({"kind": "training"}, "kind"),
        ({"external_id": ""}, "external_id"),
        ({"external_id": "a b"}, "external_id"),
        ({"external_id": "x" * 129}, "external_id"),
        ({"detail": "x" * 201}, "detail"),
        ({"detail": "a\u202eb"}, "detail"),
        ({"same_time_order": 2**60}, "same_time_order"),
        ({"played_at": START.replace(tzinfo=None)}, "no_offset"),
        ({"played_at": START.replace(year=1799)}, "out_of_range"),
        ({"played_at": START.replace(year=2200)}, "out_of_range"),
        ({"played_at": timezone.now() + timedelta(hours=1)}, "in_future"),
    ],
)
def test_bad_fields_are_refused_with_their_code(club, changes, code):
    draft = dataclasses.replace(result(club, "Ana", "Bo"), **changes)
    assert code in refusal(club, draft)


@pytest.mark.parametrize(
    ("sides", "fields", "code"),
    [
        (("Ana",), {}, "sides"),
        (("Ana", "Bo"), {"ranks": (1, 3)}, "ranks"),
        (("Ana", "Bo"), {"ranks": (2, 2)}, "ranks"),
        (("Ana", "Bo"), {"ranks": (0, 1)}, "ranks"),
        (("Ana", "Bo", "Cy"), {"ranks": (1, 1, 2)}, "ranks"),
        (("Ana", "Bo"), {"scores": (10**9, 0)}, "score_range"),
        (("Ana+Bo", "Cy+Ana"), {}, "player_twice"),
    ],
)
def test_impossible_sides_are_refused(club, sides, fields, code):
    assert code in refusal(club, result(club, *sides, **fields))


@pytest.mark.parametrize(("negative", "least"), [(True, "−999999"), (False, "0")])
def test_a_score_out_of_range_is_told_the_range_of_its_league(club, negative, least):
    club.negative_scores = negative
    club.save()
    with pytest.raises(Refused) as caught:
        draft = result(club, "Ana", "Bo", scores=(10**6, 0))
        record_matches(season=season_of(club), mode=mode_of(club), drafts=[draft])
    (problem,) = caught.value.problems
    assert str(problem.message) == f"A score must be a whole number from {least} to 999999."


def test_more_than_sixty_four_sides_are_refused(club):
    names = [f"Player {number}" for number in range(65)]
    assert refusal(club, result(club, *names)) == {"sides"}


def test_a_score_for_one_side_alone_is_refused(club):
    draft = result(club, "Ana", "Bo", scores=(3, 1))
    half = dataclasses.replace(draft.sides[1], score=None)
    draft = dataclasses.replace(draft, sides=(draft.sides[0], half))
    assert refusal(club, draft) == {"score_missing"}


def test_a_draw_is_refused_where_the_league_has_none():
    club = new_club("decisive", draws_allowed=False)
    assert refusal(club, result(club, "Ana", "Bo", ranks=(1, 1))) == {"draw"}


def test_a_negative_score_is_refused_where_the_league_has_none():
    club = new_club("positive", negative_scores=False)
    assert refusal(club, result(club, "Ana", "Bo", scores=(3, -1))) == {"score_negative"}


def test_a_player_of_another_league_is_refused(club):
    stranger = new_club("other")
    assert "unknown_player" in refusal(club, result(stranger, "Ana", "Bo"))


def test_a_season_that_is_not_open_takes_nothing(club):
    assert refusal(club, result(club, "Ana", "Bo"), state=Season.State.CLOSED) == {"season_closed"}


def test_a_match_outside_the_season_is_refused(club):
    late = result(club, "Ana", "Bo", at=START)
    assert refusal(club, late, starts_at=START + timedelta(days=1)) == {"outside_season"}


def test_a_tie_for_third_of_five_is_stored(club):
    draft = result(club, "Ana", "Bo", "Cy", "Dee", "Eve", ranks=(1, 2, 3, 3, 5))
    (match,) = record(club, draft)
    assert sorted(match.participants.values_list("rank", flat=True)) == [1, 2, 3, 3, 5]


def test_the_same_id_twice_is_one_match(club):
    draft = result(club, "Ana", "Bo", external_id="night-1")
    (first,) = record(club, draft)
    again = record_matches(season=season_of(club), mode=mode_of(club), drafts=[draft])
    assert [match.pk for match in again.matches] == [first.pk]
    assert again.already_there == 1
    assert Revision.objects.count() == 1


def test_the_same_id_with_other_content_is_refused(club):
    record(club, result(club, "Ana", "Bo", external_id="night-1"))
    other = result(club, "Bo", "Ana", external_id="night-1")
    with pytest.raises(Refused) as caught:
        record_matches(season=season_of(club), mode=mode_of(club), drafts=[other])
    assert caught.value.codes == {"id_reused"}


def test_a_correction_keeps_the_place_and_what_was_said_before(club):
    (match,) = record(club, result(club, "Ana", "Bo", scores=(3, 1)))
    revision = correct_match(
        match=match,
        draft=result(club, "Bo", "Ana", scores=(3, 2)),
        expected_version=1,
        author=None,
        reason="typed the wrong way round",
    )
    match.refresh_from_db()
    assert (match.seq, match.version, match.touched_in_revision) == (1, 2, revision.number)
    version = MatchVersion.objects.get(match=match)
    assert version.content["sides"][0] == {
        "rank": 1,
        "score": 3,
        "members": [{"player": "ana", "own_score": None, "share": 1.0}],
    }


def test_a_correction_that_changes_nothing_leaves_no_trace(club):
    (match,) = record(club, result(club, "Ana", "Bo", scores=(3, 1)))
    same = draft_of(match)
    assert correct_match(match=match, draft=same, expected_version=1, author=None) is None
    assert Revision.objects.count() == 1


def test_a_correction_of_an_old_version_conflicts(club):
    (match,) = record(club, result(club, "Ana", "Bo"))
    turned = result(club, "Bo", "Ana")
    correct_match(match=match, draft=turned, expected_version=1, author=None)
    with pytest.raises(Conflict) as caught:
        correct_match(match=match, draft=turned, expected_version=1, author=None)
    assert caught.value.match.version == 2


def test_a_correction_changes_what_it_names_of_the_match_as_it_is_now(club):
    (read_before,) = record(club, result(club, "Ana", "Bo", scores=(3, 1)))
    other = Match.objects.get()
    turned = result(club, "Bo", "Ana", scores=(3, 2))
    correct_match(match=other, draft=turned, expected_version=1, author=None)
    enterer = Enterer("api", None, may_backdate=True, may_be_late=True)
    correct_result(
        match=read_before,
        version=2,
        correction=Correction(None, {"detail": "11–9"}),
        enterer=enterer,
        answers=Answers(),
    )
    assert draft_of(Match.objects.get()) == dataclasses.replace(turned, detail="11–9")


def test_voiding_twice_is_voiding_once(club):
    (match,) = record(club, result(club, "Ana", "Bo"))
    assert void_match(match=match, author=None) is not None
    assert void_match(match=match, author=None) is None
    match.refresh_from_db()
    assert (match.status, match.seq, match.version) == ("void", 1, 2)


def test_undo_gives_back_exactly_what_was(club):
    matches = record(club, *rounds(club, NAMES, 3))
    before = league_digest(club)
    steps = [
        correct_match(
            match=matches[2],
            draft=result(club, "Dee", "Ana", scores=(3, 0)),
            expected_version=1,
            author=None,
        ),
        void_match(match=matches[5], author=None),
        record_matches(
            season=season_of(club), mode=mode_of(club), drafts=[result(club, "Cy", "Eve")]
        ).revision,
    ]
    drain()
    assert league_digest(club) != before
    for step in reversed(steps):
        revert_revision(revision=step, author=None)
    drain()
    assert league_digest(club) == before


def test_an_undo_can_be_undone(club):
    matches = record(club, *rounds(club, NAMES, 2))
    void_match(match=matches[0], author=None)
    drain()
    voided = league_digest(club)
    undo = revert_revision(revision=Revision.objects.get(number=2), author=None)
    revert_revision(revision=undo, author=None)
    drain()
    assert league_digest(club) == voided


def test_void_and_restore_give_the_same_ratings(club):
    matches = record(club, *rounds(club, NAMES, 2))
    before = league_digest(club)
    void_match(match=matches[4], author=None)
    restore_match(match=matches[4], author=None)
    drain()
    assert league_digest(club) == before


def test_what_was_touched_later_is_not_undone(club):
    (match,) = record(club, result(club, "Ana", "Bo"))
    turned = result(club, "Bo", "Ana")
    change = correct_match(match=match, draft=turned, expected_version=1, author=None)
    void_match(match=match, author=None)
    with pytest.raises(Refused, match="change 3") as caught:
        revert_revision(revision=change, author=None)
    assert caught.value.codes == {"touched_later"}


def test_results_that_are_void_already_are_not_undone(club):
    (match,) = record(club, result(club, "Ana", "Bo"))
    void_match(match=match, author=None)
    with pytest.raises(Refused) as caught:
        revert_revision(revision=Revision.objects.get(number=1), author=None)
    assert caught.value.codes == {"all_void"}


def test_a_corrected_night_is_undone_and_comes_back_corrected(club):
    matches = record(club, *rounds(club, NAMES, 1))
    turned = result(club, "Bo", "Ana", scores=(3, 0))
    correct_match(match=matches[0], draft=turned, expected_version=1, author=None)
    void_match(match=matches[1], author=None)
    drain()
    corrected = league_digest(club)
    undo = revert_revision(revision=Revision.objects.get(number=1), author=None)
    drain()
    assert not Match.objects.live().exists()
    revert_revision(revision=undo, author=None)
    drain()
    assert league_digest(club) == corrected
    assert [match.status for match in Match.objects.order_by("seq")][:2] == ["live", "void"]


def test_the_same_undo_happens_once(club):
    record(club, result(club, "Ana", "Bo"))
    first = Revision.objects.get(number=1)
    revert_revision(revision=first, author=None)
    with pytest.raises(Refused) as caught:
        revert_revision(revision=first, author=None)
    assert caught.value.codes == {"undone"}


@pytest.mark.parametrize(
    "changes",
    [
        {"weight": math.inf},
        {"weight": 11.0},
        {"played_at": START.replace(year=1)},
        {"kind": "guess"},
        {"status": "gone"},
        {"seq": 0},
        {"seq": None},
    ],
)
def test_the_database_refuses_what_no_service_would_write(club, changes):
    (match,) = record(club, result(club, "Ana", "Bo"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**changes)


def test_a_name_keeps_one_player_whatever_its_spelling_in_case_and_space(club):
    record(club, result(club, "Ana Ruiz", "Bo"), result(club, " ana  RUIZ", "Cy"))
    assert Player.objects.filter(league=club).count() == 3


def test_what_was_voided_and_restored_can_be_undone_however_much_it_is(club, monkeypatch):
    """Before, more than 1,000 such results were refused: they had been changed afterwards."""
    monkeypatch.setattr("leagues.services.revertible.MAX_COMPARED", 2)
    matches = record(club, *rounds(club, NAMES, 2))
    first = Revision.objects.get(number=1)
    undo = revert_revision(revision=first, author=None)
    for match in matches[:4]:
        restore_match(match=match, author=None)
    for match in matches[:3]:
        void_match(match=match, author=None)
    with pytest.raises(Refused) as caught:
        revert_revision(revision=undo, author=None)
    assert caught.value.codes == {"touched_later"}
    void_match(match=matches[3], author=None)
    revert_revision(revision=undo, author=None)
    assert set(Match.objects.values_list("status", flat=True)) == {"live"}


def test_what_was_changed_and_changed_back_can_be_undone_as_a_whole(club):
    matches = record(club, *rounds(club, NAMES, 1))
    turned = result(club, "Bo", "Ana", scores=(3, 0))
    first = correct_match(match=matches[0], draft=turned, expected_version=1, author=None)
    drawn = result(club, "Bo", "Ana", ranks=(1, 1))
    second = correct_match(match=matches[0], draft=drawn, expected_version=2, author=None)
    with pytest.raises(Refused):
        revert_revision(revision=first, author=None)
    revert_revision(revision=second, author=None)
    void_match(match=matches[0], author=None)
    restore_match(match=matches[0], author=None)
    before = content_of(draft_of(matches[0]))
    revert_revision(revision=first, author=None)
    assert content_of(draft_of(Match.objects.get(pk=matches[0].pk))) != before
