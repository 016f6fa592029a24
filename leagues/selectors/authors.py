"""What the readers of a league may know of the accounts that changed something in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery

from leagues.models import League


@dataclass(frozen=True, slots=True)
class Author:
    """An account by what it is in a league; its name is known to organizers alone."""

    player_name: str
    """Empty where no listed player of the league belongs to it."""
    role: str
    """A `Membership.Role`; empty where it has none."""
    is_site_admin: bool


Authors = Mapping[int, Author]
"""By the number of the account."""


def authors_of(league: League, user_ids: Iterable[int | None]) -> Authors:
    """The accounts that are answerable for something, in one query."""
    wanted = {pk for pk in user_ids if pk is not None}
    if not wanted:
        return {}
    player = league.players.listed().filter(user=OuterRef("pk")).order_by("pk").values("name")
    role = league.memberships.filter(user=OuterRef("pk")).values("role")
    rows = User.objects.filter(pk__in=wanted).values_list(
        "pk", Subquery(player[:1]), Subquery(role[:1]), "is_superuser"
    )
    return {pk: Author(name or "", role or "", admin) for pk, name, role, admin in rows}
