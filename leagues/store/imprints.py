"""Imprints: what settings said when they were last saved, kept apart from their own rows.

Settings decide what results mean, and nobody replays them. So each row that says something about
leagues, modes, seasons, boards, their rules, what was carried over and other spellings leaves an
imprint when it is saved, and `verify` compares the two. Only the columns that a write names are
written again, so that a later rename does not confirm what was forged before it. No imprint holds
a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.db.models.signals import post_save

from leagues.models import (
    Board,
    BoardRules,
    Imprint,
    League,
    Mode,
    PlayerAlias,
    Season,
    StartingState,
)
from leagues.store.hashes import micros
from leagues.store.stored_words import stored_word

IMPRINT_COLUMNS: Final[dict[type[models.Model], tuple[str, ...]]] = {
    League: (
        *("slug", "visibility", "time_zone", "draws_allowed", "negative_scores", "walkovers"),
        *("counts_broken_off", "active_days", "ranked_after"),
    ),
    Mode: (
        *("league_id", "slug", "position", "rated_by", "played_by", "score_rule"),
        "named_weights",
        *("start_hours", "released_by", "start_rungs"),
    ),
    Season: (
        *("league_id", "slug", "state", "starts_at", "ends_at", "follows_id", "carryover"),
        *("carryover_share", "carryover_deviation", "sealed_at", "sealed_digest"),
        *(
            "sealed_walkovers",
            "sealed_ranked_after",
            "sealed_active_days",
            "stopped_at",
            "created_at",
        ),
    ),
    Board: (
        *("league_id", "season_id", "mode_id", "system", "slug", "parameters", "rules_since"),
        *("start_board_state", "start_parameters", "decayed_until", "seal", "created_at"),
    ),
    BoardRules: (
        *("league_id", "board_id", "number", "effective_at", "is_replaced", "parameters"),
        *("reason", "created_at"),
    ),
    StartingState: (
        *("league_id", "board_id", "player_id", "state"),
        *("rating", "deviation", "carried_state"),
    ),
    PlayerAlias: ("league_id", "player_id"),
}
BEFORE_COLUMNS: Final[dict[tuple[type[models.Model], str], Any]] = {
    (League, "counts_broken_off"): False,
    (Mode, "rated_by"): Mode.RatedBy.RESULTS.value,
    (Mode, "played_by"): Mode.PlayedBy.ANYONE.value,
    (Mode, "score_rule"): "",
    (Mode, "named_weights"): [],
    (Mode, "start_hours"): 24,
    (Mode, "released_by"): Mode.ReleasedBy.STAFF.value,
    (Mode, "start_rungs"): 1,
    (StartingState, "rating"): None,
    (StartingState, "deviation"): None,
    (StartingState, "carried_state"): "",
}
"""What a row meant, of which an imprint was written before the column came."""
BATCH: Final = 1000
_UNSAID: Final = object()


def connect() -> None:
    """Let every save and deletion of a covered row be seen."""
    for model in IMPRINT_COLUMNS:
        post_save.connect(_on_save, sender=model)


def forget(model: type[models.Model], keys: list[int]) -> None:
    """Remove the imprints of rows that were deleted."""
    for start in range(0, len(keys), BATCH):
        part = keys[start : start + BATCH]
        Imprint.objects.filter(table=model._meta.db_table, row__in=part).delete()


def covers(model: type[models.Model], names: Iterable[str]) -> bool:
    """Whether an imprint holds any of these fields."""
    return bool(_attributes(model, names))


def content_of(row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    """What an imprint of a row holds, or a part of it."""
    wanted = IMPRINT_COLUMNS[type(row)] if names is None else names
    return {stored_word(type(row), name): _plain(getattr(row, name)) for name in wanted}


def imprint_new(rows: Iterable[models.Model]) -> None:
    """Write the imprints of rows that were just made."""
    Imprint.objects.bulk_create((_imprint_of(row) for row in rows), batch_size=BATCH)


def imprint_columns(model: type[models.Model], keys: list[int], names: Iterable[str]) -> None:
    """Update the imprints of changed rows for some of their fields."""
    attributes = _attributes(model, names)
    table = model._meta.db_table
    for start in range(0, len(keys), BATCH):
        part = keys[start : start + BATCH]
        rows = model._base_manager.in_bulk(part)
        known = list(Imprint.objects.filter(table=table, row__in=part))
        for imprint in known:
            imprint.content |= content_of(rows[imprint.row], attributes)
        Imprint.objects.bulk_update(known, ["content"], batch_size=BATCH)


def imprint_all(league_id: int) -> None:
    """Write the imprints of a league's rows that have none: where there were no imprints yet."""
    for model in IMPRINT_COLUMNS:
        of_league = {"pk" if model is League else "league_id": league_id}
        known = Imprint.objects.filter(table=model._meta.db_table).values("row")
        missing = model._base_manager.filter(**of_league).exclude(pk__in=known)
        imprint_new(missing.iterator(chunk_size=BATCH))


def compare(league_id: int) -> Iterator[tuple[models.Model | None, Imprint | None, str, Any, Any]]:
    """Yield where rows of a league and their imprints differ: both, the column, and its values.

    No row: it was deleted; no imprint: it was forged. Rows that moved to another league are found
    by the imprint in this one.
    """
    for model in IMPRINT_COLUMNS:
        of_league = {"pk" if model is League else "league_id": league_id}
        table = model._meta.db_table
        left = {
            imprint.row: imprint
            for imprint in Imprint.objects.filter(league_id=league_id, table=table).iterator()
        }
        moved = model._base_manager.filter(pk__in=_absent(model, of_league, left))
        for rows in (model._base_manager.filter(**of_league).order_by("pk"), moved):
            for row in rows.iterator(chunk_size=BATCH):
                imprint = left.pop(row.pk, None)
                if imprint is None:
                    yield row, None, "", None, None
                    continue
                for name in IMPRINT_COLUMNS[model]:
                    word, now = stored_word(model, name), _plain(getattr(row, name))
                    before = BEFORE_COLUMNS.get((model, name), _UNSAID)
                    recorded = imprint.content.get(word, before)
                    if recorded != now:
                        yield row, imprint, name, now, None if recorded is _UNSAID else recorded
        for imprint in left.values():
            yield None, imprint, "", None, None


def _absent(
    model: type[models.Model], of_league: Mapping[str, int], imprints: Mapping[int, Imprint]
) -> list[int]:
    present = set(model._base_manager.filter(**of_league).values_list("pk", flat=True))
    return [key for key in imprints if key not in present]


def _on_save(
    sender: type[models.Model],
    instance: models.Model,
    created: bool,
    raw: bool,
    update_fields: frozenset[str] | None,
    **_: Any,
) -> None:
    if raw:
        return
    if created:
        imprint_new([instance])
    elif update_fields is None:
        imprint_columns(sender, [instance.pk], IMPRINT_COLUMNS[sender])
    elif covers(sender, update_fields):
        imprint_columns(sender, [instance.pk], update_fields)


def _imprint_of(row: models.Model) -> Imprint:
    league_id = row.pk if isinstance(row, League) else row.league_id  # type: ignore[attr-defined]
    return Imprint(
        league_id=league_id, table=row._meta.db_table, row=row.pk, content=content_of(row)
    )


def _attributes(model: type[models.Model], names: Iterable[str]) -> list[str]:
    """The covered columns among some fields, which may be named either way."""
    named = {model._meta.get_field(name).attname for name in names if name != "pk"}  # type: ignore[union-attr]
    return [name for name in IMPRINT_COLUMNS[model] if name in named]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return micros(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return str(value) if isinstance(value, models.TextChoices) else value
