"""A league's own files on the import pages, as an organizer sends and confirms them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Match
from leagues.pages.meanings import meaning_groups
from leagues.services.matches import correct_match, record_matches, revert_revision, void_match
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player, rename_player
from leagues.services.started_matches import lose_overdue
from ratings.files.meanings import Meaning
from tests.leagues.imports.sender import Sender
from tests.leagues.imports.test_round_trip import FORMATS, assert_same, export, facts
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_started_matches import start

pytestmark = pytest.mark.django_db


def with_starts(league: League) -> League:
    """A league without draws that has a result, a lost match and one that has just begun."""
    record(league, result(league, "Ana", "Bo", scores=(3, 1)))
    start(league, "Ana", "Cy", at=START + timedelta(days=3))
    lose_overdue(timezone.now())
    start(league, "Bo", "Cy", at=timezone.now() - timedelta(minutes=5))
    drain()
    return league


def test_each_meaning_of_a_column_can_be_chosen_once() -> None:
    """One that no list offers would be lost when the page is sent, for “ignore” is its first."""
    offered = [value for group in meaning_groups() for value, _words in group.options]
    assert sorted(offered) == sorted(Meaning)


@pytest.mark.parametrize("name", FORMATS)
def test_started_matches_are_imported_as_the_check_has_shown_them(kim: Sender, name: str) -> None:
    League.objects.update(draws_allowed=False)
    kim.league.refresh_from_db()
    league = with_starts(new_club("origin", draws_allowed=False))
    address = kim.checked(export(league, name), name=name)
    assert "Import 3 results" in kim.page(address)
    assert "3 results imported" in kim.pressed(address)
    assert_same(league, kim.league)


def of_every_kind(kim: Sender) -> League:
    """A league with results from every way in, equal ones among them, and some from before."""
    league = kim.league
    same = result(league, "Ana", "Bo", scores=(3, 1))
    record(league, same, same, result(league, "Ana", "Cy", external_id="tt:1", sets="11-9 11-3"))
    day = league.midnight(START.date())
    record(league, *[replace(same, played_at=day, date_only=True)] * 2)
    season, blitz = season_of(league), mode_of(league)
    sent = result(league, "Bo", "Cy", external_id="tt:1")
    record_matches(season=season, mode=blitz, drafts=[sent], source="token.1", kind="api")
    kim.written(kim.checked("id,date,winner,loser\nm1,2025-10-05,Ana,Bo\n,2025-10-06,Ana,Zoe\n"))
    with_starts(league)
    rapid = league.modes.create(name="Rapid", slug="rapid")
    record_matches(season=season, mode=rapid, drafts=[result(league, "Cy", "Bo", weight=0.5)])
    return league


@pytest.mark.parametrize("name", FORMATS)
def test_a_league_has_all_of_its_own_file(kim: Sender, name: str) -> None:
    """However its results came, under whatever name it is sent, and how often."""
    league = of_every_kind(kim)
    content = export(league, name)
    before, stored = facts(league), Match.objects.count()
    for other_name in (name, f"copy of {name}"):
        address = kim.checked(content, name=other_name)
        page = kim.page(address)
        assert "Every result in this file is already recorded." in page
        assert "seems to have been entered" not in page
        kim.pressed(address)
    assert (facts(league), Match.objects.count()) == (before, stored)


def test_new_rows_at_the_end_of_an_own_file_are_added_alone(kim: Sender) -> None:
    """Also one that says what two others say: of equal rows the third is new."""
    league = of_every_kind(kim)
    rows = list(csv.DictReader(io.StringIO(export(league, "results.csv").decode("utf-8-sig"))))
    added = []
    for number, played_at in (("901", "2025-11-01"), ("902", rows[0]["played_at"])):
        added += [{**row, "match": number, "played_at": played_at} for row in rows[:2]]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows([*rows, *added])
    stored = Match.objects.count()
    for count in (2, 0):
        address = kim.checked(out.getvalue(), name="with new ones.csv")
        kim.pressed(address, may_repeat="on")
        stored += count
        assert Match.objects.count() == stored


def test_what_was_changed_since_an_export_is_not_added_as_it_was(kim: Sender) -> None:
    """Corrected, void, of a player with another name, and of one who was merged into another."""
    league = of_every_kind(kim)
    content = export(league, "results.csv")
    corrected, void = Match.objects.live().filter(kind="played").order_by("seq")[:2]
    said = result(league, "Cy", "Ana")
    correct_match(match=corrected, draft=said, expected_version=corrected.version, author=None)
    void_match(match=void, author=None)
    rename_player(player=league.players.get(name="Zoe"), name="Zora", actor=None)
    di, cy = (ensure_player(league=league, name=name) for name in ("Di", "Cy"))
    merge_players(league=league, keep=di, drop=cy, author=None)
    drain()
    before, stored = facts(league), Match.objects.count()
    kim.pressed(kim.checked(content))
    assert (facts(league), Match.objects.count()) == (before, stored)


def test_what_was_undone_since_an_export_comes_back(kim: Sender) -> None:
    league = of_every_kind(kim)
    content, before = export(league, "results.json"), sorted(facts(league), key=str)
    for revision in league.revisions.filter(kind__in=("entry", "import")).order_by("-pk"):
        revert_revision(revision=revision, author=None)
    drain()
    kim.pressed(kim.checked(content, name="results.json"))
    assert sorted(facts(league), key=str) == before


def test_equal_results_with_ids_of_their_own_are_several(kim: Sender) -> None:
    """In whatever order they come: what is equal but for its id is another result."""
    head = "id,date,winner,loser\n"
    kim.written(kim.checked(f"{head}m1,2025-10-05,Ana,Bo\n"))
    kim.written(kim.checked(f"{head}m2,2025-10-05,Ana,Bo\nm1,2025-10-05,Ana,Bo\n"))
    assert sorted(Match.objects.values_list("external_id", flat=True)) == ["m1", "m2"]
