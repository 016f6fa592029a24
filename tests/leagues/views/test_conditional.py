"""What a page depends on is derived from the rows it reads: no column can be forgotten."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from django.db import connection, models

from leagues.models import Board, League, Mode, Season
from leagues.selectors.board_selection import read_league_rows
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db
DECIDES_WHO_IS_ASKED = {
    "id",
    "slug",
    "league_id",
    "season_id",
    "mode_id",
    "visibility",
    "time_zone",
    "state",
    "follows_id",
}
"""What chooses the rows, or points at others; and whether there is a page at all."""
_numbers = count(1)


def another(field: models.Field, value: object) -> object:
    """Another value that a column may hold."""
    if field.choices:
        return next(key for key, _label in field.choices if key != value)
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.DateTimeField):
        return (value or field.model._meta.get_field("created_at").default()) + timedelta(hours=1)
    if isinstance(field, models.JSONField):
        return [] if value else [{"k": 1}]
    if isinstance(field, models.BinaryField):
        return bytes(value) + b"\0"
    if isinstance(field, models.IntegerField | models.FloatField):
        return 0.5 if isinstance(field, models.FloatField) else (value or 0) + next(_numbers)
    return f"{value}x"


def columns_of(*tables: type[models.Model]) -> list[object]:
    return [
        pytest.param(model, field, id=f"{model.__name__}-{field.attname}")
        for model in tables
        for field in model._meta.concrete_fields
        if field.attname not in DECIDES_WHO_IS_ASKED
    ]


def change(model: type[models.Model], field: models.Field) -> None:
    row = model.objects.order_by("pk").first()
    value = another(field, getattr(row, field.attname))
    model._base_manager.filter(pk=row.pk).update(**{field.attname: value})


def test_that_nothing_changed_is_answered_with_what_the_browser_keeps_of_the_page(client):
    new_club("club")
    page = client.get("/l/club/", headers={"Accept-Encoding": "gzip"})
    asked = {"If-None-Match": page["ETag"], "Accept-Encoding": "gzip"}
    unchanged = client.get("/l/club/", headers=asked)
    assert unchanged.status_code == 304
    for name in ("ETag", "Cache-Control"):
        assert unchanged[name] == page[name]
    assert set(unchanged["Vary"].split(", ")) == set(page["Vary"].split(", "))


@pytest.mark.parametrize(("model", "field"), columns_of(League))
def test_a_changed_setting_of_the_league_gives_another_page(client, model, field):
    new_club("club")
    etag = client.get("/l/club/")["ETag"]
    assert client.get("/l/club/", headers={"If-None-Match": etag}).status_code == 304
    with connection.constraint_checks_disabled():
        change(model, field)
        assert client.get("/l/club/")["ETag"] != etag


@pytest.mark.parametrize(("model", "field"), columns_of(Season, Board, Mode))
def test_any_column_that_is_read_is_part_of_the_digest(model, field):
    league = new_club("club")
    before = read_league_rows(league).digest
    assert read_league_rows(league).digest == before
    with connection.constraint_checks_disabled():
        change(model, field)
        assert read_league_rows(league).digest != before


def test_what_is_read_decides_the_version_of_the_page(client):
    new_club("club")
    etag = client.get("/l/club/")["ETag"]
    Mode.objects.update(name="Rapid")
    assert client.get("/l/club/", headers={"If-None-Match": etag}).status_code == 200
