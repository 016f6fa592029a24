from __future__ import annotations

import pytest
from django.db.models import Value

from leagues.models import Season
from leagues.store.compiled import CompiledQuery
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db


def seasons_of(league):
    rows = Season.objects.filter(league=league).annotate(again=Value(league))
    return rows.values_list("league_id", "name", "created_at", "starts_at", "state", "again")


def test_a_compiled_query_answers_what_the_query_answers_whatever_its_argument():
    query = CompiledQuery(seasons_of, stand_in=-1)
    for slug in ("club", "other"):
        league = new_club(slug)
        rows = query.convert(query.read(league.pk))
        assert [tuple(row) for row in rows] == list(seasons_of(league.pk))
