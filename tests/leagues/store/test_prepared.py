"""Statements that are made once answer as the ORM does, whatever their values and how many."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from leagues.jobs.queue import enqueue
from leagues.models import ApiToken, Job, Match, MatchEvent, Player, RequestKey, Revision
from leagues.services.players import ensure_player
from leagues.services.tokens import create_token
from leagues.store.prepared import insert_row, new_row, prepare, prepare_update
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db


@prepare
def players(*, league: int, keys: list[str]) -> QuerySet[Player, Player]:
    return Player.objects.filter(league=league, key__in=keys).order_by("-key")


@prepare
def tokens(*, source: str) -> QuerySet[ApiToken, ApiToken]:
    return ApiToken.objects.select_related("league").filter(source=source)


@prepare
def moments(*, league: int, since: Any) -> QuerySet[Match, tuple[Any, ...]]:
    matches = Match.objects.filter(league=league, played_at__gte=since)
    values = matches.values_list("played_at", "date_only", "weight", "revision__summary")
    return values.order_by("id")


@prepare
def counted_matches(*, league: int) -> QuerySet[Match, Match]:
    matches = Match.objects.select_related("mode").filter(league=league).order_by("id")
    return matches.annotate(people=Count("participants"), has_events=Exists(events_of_match()))


def events_of_match() -> QuerySet[MatchEvent, MatchEvent]:
    return MatchEvent.objects.filter(match=OuterRef("pk"))


@prepare
def held(*, player: int) -> QuerySet[Player, Player]:
    return Player.objects.select_for_update().filter(pk=player)


@prepare_update
def rename(*, league: int, keys: list[str], name: str) -> tuple[QuerySet[Player], dict[str, Any]]:
    return Player.objects.filter(league=league, key__in=keys), {"name": name}


@prepare_update
def report(*, key: str, result: Any) -> tuple[QuerySet[Job], dict[str, Any]]:
    return Job.objects.filter(key=key), {"result": result}


def test_instances_have_what_a_query_annotates() -> None:
    club = new_club()
    record(club, result(club, "Ann", "Bob"))
    (match,) = counted_matches(league=club.pk)
    assert (match.people, match.has_events) == (2, False)
    assert match.mode == club.modes.get()


def test_any_number_of_values_finds_the_rows_and_nothing_else() -> None:
    league, other = new_club(), new_club("other")
    names = [f"P{number}" for number in range(9)]
    for name in names:
        ensure_player(league=league, name=name)
        ensure_player(league=other, name=name)
    keys = [name.lower() for name in names]
    for count in (*range(10), 3, 1):
        found = players(league=league.pk, keys=[*keys[:count], "nobody"])
        expected = list(league.players.filter(key__in=keys[:count]).order_by("-key"))
        assert found == expected
        assert [vars(one).keys() for one in found] == [vars(one).keys() for one in expected]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert players(league=league.pk, keys=[]) == []
    assert not asked.captured_queries


def test_rows_come_with_what_they_belong_to() -> None:
    league = new_club()
    token, _plain = create_token(league=league, name="Bot", scope="results", actor=None)
    with CaptureQueriesContext(connection) as asked:
        (found,) = tokens(source="token:bot")
        assert found.league.name == league.name
    assert len(asked) == 1
    assert (found, found.expires_at) == (token, token.expires_at)
    found.name = "Renamed"
    found.save(update_fields=["name"])
    assert ApiToken.objects.get().name == "Renamed"


def test_values_are_those_of_the_orm() -> None:
    league = new_club()
    record(league, result(league, "Ana", "Bo"), result(league, "Bo", "Cy", at=START, weight=0.1))
    found = moments(league=league.pk, since=START)
    assert found == [(START, False, 1.0, {"matches": 2}), (START, False, 0.1, {"matches": 2})]
    assert moments(league=league.pk, since=START + timedelta(microseconds=1)) == []


def test_rows_are_locked_where_the_query_says_so() -> None:
    player = ensure_player(league=new_club(), name="Ana")
    with transaction.atomic(), CaptureQueriesContext(connection) as asked:
        assert held(player=player.pk) == [player]
    assert ("FOR UPDATE" in asked[0]["sql"]) == connection.features.has_select_for_update


def test_an_update_changes_its_rows_and_counts_them() -> None:
    league = new_club()
    for name in ("Ana", "Bo", "Cy"):
        ensure_player(league=league, name=name)
    assert rename(league=league.pk, keys=["ana", "bo"], name="X") == 2
    assert rename(league=league.pk, keys=["nobody"], name="Y") == 0
    assert list(league.players.order_by("key").values_list("name", flat=True)) == ["X", "X", "Cy"]
    enqueue("check_record", key="a", params={})
    assert report(key="a", result={"matches": 1, "é": None}) == 1
    assert Job.objects.get(key="a").result == {"matches": 1, "é": None}


def test_a_row_that_is_inserted_knows_its_key() -> None:
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    key = RequestKey(
        league=league, source="s", key="k", payload_hash="h", revision=league.revisions.get()
    )
    insert_row(key)
    stored = RequestKey.objects.get()
    assert (stored, stored.created_at, stored.payload_hash) == (key, key.created_at, "h")
    key.payload_hash = "i"
    key.save()
    assert RequestKey.objects.get().payload_hash == "i"


def test_a_new_row_is_what_the_model_makes_of_the_same_words() -> None:
    league = new_club()
    words = {"league_id": league.pk, "kind": "api", "source": "token:bot"}
    season = league.seasons.get()
    row = new_row(Revision, words, {"season": season})
    made = Revision(**words, season=season, created_at=row.created_at)
    assert {**vars(row), "_state": None} == {**vars(made), "_state": None}
    assert row._state.adding
    assert row._state.fields_cache == made._state.fields_cache == {"season": season}
    assert row.summary is not new_row(Revision, words, {"season": season}).summary
    row.number = 1
    insert_row(row)
    assert Revision.objects.get(number=1).created_at == row.created_at


def test_a_row_that_is_there_already_is_django_s_error_and_ends_the_transaction() -> None:
    league = new_club()
    player = ensure_player(league=league, name="Ana")
    twin = Player(league=league, key=player.key, name="Ana", folded="ana")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_row(twin)
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            players(league=league.pk, keys=[player.key])
        with pytest.raises(TransactionManagementError):
            rename(league=league.pk, keys=[player.key], name="Bo")
    assert players(league=league.pk, keys=[player.key]) == [player]
