"""What a file changes of players, as its check says it: who, and what becomes of what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import League
from leagues.pages.changes import Change, changes_between
from leagues.pages.import_bad_rows import and_more
from leagues.services.player_changes import PLAYERS_CHANGED

MOST_PLAYERS = 100


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    name: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ChangedPlayers:
    """The players whom a file changes, and how many more."""

    title: str
    rows: tuple[ChangedPlayer, ...]
    more: str


def changed_players(report: Mapping[str, Any], league: League) -> ChangedPlayers | None:
    """The players whom a file changes; None where it changes none."""
    count = report.get(PLAYERS_CHANGED, 0)
    if not count:
        return None
    rows = report["player_changes"][:MOST_PLAYERS]
    return ChangedPlayers(
        title=ngettext(
            "What is taken over about %(count)s player",
            "What is taken over about %(count)s players",
            count,
        )
        % {"count": wording.count(count)},
        rows=tuple(ChangedPlayer(row["name"], tuple(_changes(row, league))) for row in rows),
        more=and_more(count - len(rows)),
    )


def write_words(report: Mapping[str, Any], results: int) -> str:
    """What the button says that writes a file."""
    players = max(report.get(PLAYERS_CHANGED, 0), report.get("players_created", 0))
    if results or not players:
        return ngettext("Import %(count)s result", "Import %(count)s results", results) % {
            "count": wording.count(results)
        }
    return ngettext("Import %(count)s player", "Import %(count)s players", players) % {
        "count": wording.count(players)
    }


def _changes(row: Mapping[str, Any], league: League) -> Iterator[Change]:
    yield from changes_between(row["before"], row["after"], league.zone)
    for name, is_public in row["names"].items():
        label = _("other name") if is_public else _("other name that only organizers see")
        yield Change(label, "", name)
    for board, before, rating, source in row["starts"]:
        label = _("starting rating on %(board)s") % {"board": board}
        yield Change(
            label,
            "" if before is None else wording.exact(before),
            f"{wording.exact(rating)} ({source})",
        )
