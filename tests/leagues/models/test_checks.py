"""What no row may hold, whatever writes it."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from leagues.models import League, Season, Standing
from tests.leagues.play import new_club, record, result

OF_THE_CLOCK = {"created_at", "recorded_at", "run_after", "lease_until", "started_at"} | {
    "finished_at",
    "expires_at",
    "updated_at",
    "last_used_at",
    "revoked_at",
    "used_at",
    "computed_at",
    "verified_at",
    "changes_verified_at",
    "checked_at",
    "sealed_at",
}
"""Instants that this machine's clock writes, never a visitor, a file or a program."""

COMPUTED = {("Standing", "fairly_sure_until"), ("Standing", "sure_until"), ("Board", "last_at")}
"""Instants that are computed from checked ones."""


def fields_of(kind: type[models.Field]) -> list[tuple[type[models.Model], str]]:
    return [
        (model, field.attname)
        for model in apps.get_app_config("leagues").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, kind)
    ]


def checked(model: type[models.Model]) -> str:
    return " ".join(
        str(constraint.condition)
        for constraint in model._meta.constraints
        if isinstance(constraint, models.CheckConstraint)
    )


@pytest.mark.parametrize(("model", "field"), fields_of(models.FloatField))
def test_every_float_has_both_bounds(model, field):
    conditions = checked(model)
    assert f"{field}__gte" in conditions
    assert f"{field}__lte" in conditions


@pytest.mark.parametrize(("model", "field"), fields_of(models.DateTimeField))
def test_every_instant_that_people_give_has_both_bounds(model, field):
    if field in OF_THE_CLOCK or (model.__name__, field) in COMPUTED:
        return
    conditions = checked(model)
    assert f"{field}__gte" in conditions
    assert f"{field}__lte" in conditions


@pytest.mark.django_db
@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1e300])
def test_no_standing_shows_what_is_no_number(value):
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.update(shown=value)


@pytest.mark.django_db
def test_a_season_ends_after_it_starts_for_the_database_too():
    league = League.objects.create(name="Club", slug="club")
    start = datetime(2026, 9, 1, tzinfo=UTC)
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.create(league=league, slug="s", name="S", starts_at=start, ends_at=start)


@pytest.mark.django_db
def test_words_are_kept_within_their_choices():
    league = League.objects.create(name="Club", slug="club")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {League._meta.db_table} SET visibility = %s WHERE id = %s",
            ["secret", league.pk],
        )
