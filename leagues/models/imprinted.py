"""Tables of settings whose every write through the ORM leaves an imprint (`store.imprints`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from django.db import models, transaction

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class ImprintKeeper(Protocol):
    """What keeps imprints of rows; it stands above the models and names itself to them."""

    def covers(self, model: type[models.Model], names: Iterable[str], /) -> bool: ...

    def imprint_new(self, rows: Iterable[models.Model], /) -> None: ...

    def imprint_columns(
        self, model: type[models.Model], keys: list[int], names: Iterable[str], /
    ) -> None: ...

    def forget(self, model: type[models.Model], keys: list[int], /) -> None: ...


_keepers: list[ImprintKeeper] = []


def keep_imprints_by(keeper: ImprintKeeper) -> None:
    """Notify a keeper of every write from now on; once, when the application is ready."""
    _keepers.append(keeper)


class ImprintedQuerySet(models.QuerySet[Row_co]):
    """Rows that are changed or made many at once; single ones are seen by signals."""

    def update(self, **values: Any) -> int:
        """Change the rows, and their imprints where those cover what is changed."""
        keepers = [keeper for keeper in _keepers if keeper.covers(self.model, values)]
        if not keepers:
            return super().update(**values)
        with transaction.atomic(using=self.db):
            keys = list(self.values_list("pk", flat=True))
            changed = super().update(**values)
            for keeper in keepers:
                keeper.imprint_columns(self.model, keys, values)
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        """Remove the rows and their imprints."""
        with transaction.atomic(using=self.db):
            keys = list(self.values_list("pk", flat=True))
            deletions = super().delete()
            for keeper in _keepers:
                keeper.forget(self.model, keys)
        return deletions

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Row_co]:
        """Insert rows and their imprints."""
        with transaction.atomic(using=self.db):
            created = super().bulk_create(objs, *args, **options)
            for keeper in _keepers:
                keeper.imprint_new(created)
        return created
