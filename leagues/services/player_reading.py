"""The players whom the rows of a file mean, and rows that are about players only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from leagues.models import League, Player
from leagues.services.errors import Problem, Refused
from leagues.services.import_names import ImportNames
from leagues.services.player_facts import CollectedFacts
from leagues.services.rosters import Roster
from ratings.files.columns import Layout
from ratings.files.meanings import Meaning
from ratings.files.problems import BadRow
from ratings.files.results import Person, PlayerRow

FIELD_MEANINGS: Final = {
    "club": (Meaning.CLUB,),
    "team": (Meaning.PLAYER_TEAM, Meaning.TEAM),
    "country": (Meaning.COUNTRY,),
    "birth_year": (Meaning.BIRTH_YEAR,),
    "left_at": (Meaning.LEFT_AT, Meaning.IS_ACTIVE),
    "starts": (Meaning.STARTING_RATINGS,),
}
"""The columns that say what is known of a player."""
_UNKNOWN: Final = "?"
"""How no key of a player begins."""


def player_meant(person: Person, line: int, roster: Roster, names: ImportNames | None) -> Player:
    """The player whom a row means, new or known; a name that several bear needs an id (Refused).

    `names` knows whom other spellings mean, where a person answers for them; an id decides itself.
    """
    meant = roster.meant_by(name=person.name, key=person.key)
    if len(meant) > 1:
        words = _(
            "Several players are called %(name)s. Add an id column to the file to tell them apart."
        )
        raise Refused([Problem("player", "name_shared", words % {"name": person.name})])
    if meant:
        return meant[0]
    if names is not None and person.key is None:
        known = names.player_of(person.name, line, roster)
        if known is not None:
            return known
    return roster.bring(name=person.name, key=person.key)


def unknown_player(person: Person, league: League) -> Player:
    """A player of a stored match of whom only the words of the file are known here."""
    return Player(league=league, name=person.name, key=f"{_UNKNOWN}{person.identity}")


def is_unknown(player: Player) -> bool:
    """Whether a player stands only for the words of a file."""
    return player.key.startswith(_UNKNOWN)


def collected_players(
    rows: Iterable[PlayerRow | BadRow],
    layout: Layout,
    roster: Roster,
    names: ImportNames | None,
    facts: CollectedFacts,
) -> Iterator[PlayerRow | BadRow]:
    """Yield the rows of a file without results, good or bad, collecting what they say."""
    for row in rows:
        if isinstance(row, BadRow):
            yield row
        elif names is None or not names.is_nobody(row.person, row.line, roster):
            yield _take(row, layout, roster, names, facts) or row


def bad_row(line: int, problem: Problem) -> BadRow:
    """A problem as a row of the report."""
    return BadRow(
        line, problem.field, problem.value or problem.name, str(problem.message), code=problem.code
    )


def _take(
    row: PlayerRow,
    layout: Layout,
    roster: Roster,
    names: ImportNames | None,
    facts: CollectedFacts,
) -> BadRow | None:
    """Collect what a row says of a player; a bad row where it cannot be."""
    try:
        player = player_meant(row.person, row.line, roster, names)
    except Refused as refused:
        return bad_row(row.line, refused.problems[0])
    other = facts.contradiction(row.person, player)
    if other is None:
        facts.take(row.person, player, row.line, None)
        return None
    column = next(iter(layout.headers_of(*FIELD_MEANINGS[other.field])), "")
    about = _("%(player)s, see line %(line)d") % {"player": player.name, "line": other.line}
    words = _("An earlier row says something else of this player.")
    return BadRow(row.line, column, other.value, words, about=about, code="said_twice")
