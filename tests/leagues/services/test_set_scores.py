"""Set scores as data: a part of the fact where there are some, and of nothing where not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection

from leagues.domain.score_rules import read_rule
from leagues.domain.set_scores import turned_sets
from leagues.models import League, Match, MatchVersion
from leagues.selectors.contents import contents_of
from leagues.selectors.matches import read_people
from leagues.services.drafts import content_of, sides_of
from leagues.services.entry_warnings import entry_warnings, score_problem
from leagues.services.history import check_league
from leagues.services.matches import correct_match, revert_revision
from leagues.services.same_games import count_same_results
from leagues.services.stored_drafts import draft_of
from leagues.store.hashes import hash_match
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    return new_club()


club = read_anew("built_club")


def findings(club: League) -> list[object]:
    report = check_league(club.pk)
    return [finding for found in (report.settings, *report.seasons.values()) for finding in found]


def test_a_match_without_sets_keeps_its_hash_and_content(club: League) -> None:
    draft = result(club, "Ana", "Bo", detail="6-4 6-3")
    (match,) = record(club, draft)
    assert "sets" not in content_of(draft)
    # That of the same match before there were sets.
    fields = vars(match) | {"sets": ""}
    assert bytes(match.content_hash) == hash_match(fields, sides_of(draft))


def test_sets_are_hashed_for_the_sides_that_they_belong_to(club: League) -> None:
    draft = result(club, "Ana", "Bo", ranks=(2, 1), sets="4-6 7-6(5) 3-6")
    (match,) = record(club, draft)
    assert draft_of(match) == replace(draft, external_id=None)
    turned = replace(draft, sides=draft.sides[::-1], sets="6-4 6-7(5) 6-3")
    assert content_of(turned) == content_of(draft)
    assert content_of(turned)["sets"] == "6-4 6-7(5) 6-3"
    hashes = [
        hash_match(vars(match) | {"sets": one.sets}, sides_of(one))
        for one in (draft, turned, replace(draft, sets=turned.sets), replace(draft, sets=""))
    ]
    assert hashes[0] == hashes[1] == bytes(match.content_hash)
    assert len(set(hashes)) == 3
    assert findings(club) == []
    with connection.cursor() as cursor:
        cursor.execute("UPDATE leagues_participant SET side = 1 - side")
    assert findings(club) != []


def test_sets_are_corrected_kept_in_the_history_and_brought_back(club: League) -> None:
    (match,) = record(club, result(club, "Bo", "Ana", scores=(2, 1), sets="6-4 4-6 7-5"))
    said = draft_of(match)
    revision = correct_match(
        match=match,
        draft=replace(said, sets=""),
        author=None,
        expected_version=1,
        reason="",
    )
    match.refresh_from_db()
    assert match.sets == ""
    assert MatchVersion.objects.get().content["sets"] == "6-4 4-6 7-5"
    read_people(match)
    contents = contents_of([match], club).by_match[match.pk]
    assert [content["sets"] for content in contents] == ["6-4 4-6 7-5", ""]
    assert findings(club) == []
    assert revision is not None
    revert_revision(revision=revision, author=None)
    assert Match.objects.get().sets == "6-4 4-6 7-5"
    assert findings(club) == []


@pytest.mark.parametrize(
    ("old", "sets", "words"),
    [
        ("6-4 3-2 RET", "6-4 3-2", "RET"),
        ("11:8, 9:11, 11:6", "11-8 9-11 11-6", ""),
        ("6–4, 3–2; in the rain", "6-4 3-2", "in the rain"),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_same_result_is_known_across_the_coming_of_sets(
    club: League, old: str, sets: str, words: str, is_turned: bool
) -> None:
    """Before, sets were in the details."""
    before = result(club, "Ana", "Bo", detail=old)
    record(club, before)
    sent = replace(before, detail=words, sets=sets)
    if is_turned:
        sent = replace(sent, sides=sent.sides[::-1], sets=turned_sets(sets))
    season, mode, now = season_of(club), mode_of(club), before.played_at
    (warning,) = entry_warnings([sent], season=season, mode=mode, now=now)
    assert warning.same is not None
    assert count_same_results([sent], season=season, mode=mode) == 1
    other = replace(sent, sets=sets.replace("6", "5"))
    assert entry_warnings([other], season=season, mode=mode, now=now) == []


def test_a_score_rule_looks_at_them(club: League) -> None:
    draft = result(club, "Ana", "Bo", scores=(2, 0), sets="6-4 6-5")
    reason = score_problem(draft, read_rule("sets 3 to 6+2<7"))
    assert reason == "Set 2 can’t be 6–5. A set is played to 6, two clear, or to 7 at the latest."
