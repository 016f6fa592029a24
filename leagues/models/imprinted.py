"""Tables of settings whose every write through the ORM leaves an imprint (`store.imprints`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import models, transaction

Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class ImprintedQuerySet(models.QuerySet[Row_co]):
    """Rows that are changed or made many at once; single ones are seen by signals."""

    def update(self, **values: Any) -> int:
        """Change the rows, and their imprints where those cover what is changed."""
        from leagues.store.imprints import covers, imprint_columns

        if not covers(self.model, values):
            return super().update(**values)
        with transaction.atomic(using=self.db):
            keys = list(self.values_list("pk", flat=True))
            changed = super().update(**values)
            imprint_columns(self.model, keys, values)
        return changed

    def delete(self) -> tuple[int, dict[str, int]]:
        """Remove the rows and their imprints."""
        from leagues.store.imprints import forget

        with transaction.atomic(using=self.db):
            keys = list(self.values_list("pk", flat=True))
            gone = super().delete()
            forget(self.model, keys)
        return gone

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Row_co]:
        """Insert rows and their imprints."""
        from leagues.store.imprints import imprint_new

        with transaction.atomic(using=self.db):
            created = super().bulk_create(objs, *args, **options)
            imprint_new(created)
        return created
