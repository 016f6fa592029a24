"""Names where a person enters one result: short ones are taken, answers for others remembered.

The night sheet reads them by the same rules (`likeness.short_for`), line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction

from leagues.models import League, Revision
from leagues.services.entry_drafts import NEW, Answers, SideEntry, UnclearName, UnclearNames
from leagues.services.likeness import all_short_for, short_for, similar_players
from leagues.services.player_changes import mark_of
from leagues.services.revisions import lock_season
from leagues.services.rosters import Roster
from leagues.services.spellings import Spelling, remember_spellings
from ratings.files.names import fold_name

Result = TypeVar("Result")


def take_short_names(
    change: Callable[[Answers], Result], answers: Answers
) -> tuple[Result, tuple[UnclearName, ...]]:
    """Make a change of results, and take each short name for whom alone it can mean.

    The names that were taken so go along, to be said. Raises what `change` raises, and UnclearNames
    where another name is to be asked about.
    """
    try:
        return change(answers), ()
    except UnclearNames as unclear:
        short = tuple(name for name in unclear.names if name.is_short)
        if not short or not all(name.answer for name in unclear.questions):
            raise
        chosen = {fold_name(name.name): name.answer for name in short}
    return change(replace(answers, chosen={**answers.chosen, **chosen})), short


def remember_answers(
    *, revision: Revision, names: Iterable[str], answers: Answers, actor: User | None
) -> None:
    """Let other spellings among names of a result mean from now on the players answered for them.

    Not those that are short for somebody: another one may be meant next time.
    """
    chosen = {name: answers.chosen.get(fold_name(name), NEW) for name in names}
    keys = {name: key for name, key in chosen.items() if key != NEW}
    similar = similar_players(revision.league, keys, knows_spellings=True)
    spellings = {
        name: Spelling(key) for name, key in keys.items() if not all_short_for(name, similar[name])
    }
    remember_with(revision, spellings, actor)


@transaction.atomic
def remember_with(
    revision: Revision, spellings: Mapping[str, Spelling], actor: User | None
) -> None:
    """Remember spellings that were answered for with a revision, to be undone with it.

    Not those of one that is undone by now, as where its results are sent a second time. Its season
    is held meanwhile, so that nobody undoes it.
    """
    if not spellings:
        return
    season = lock_season(revision.season_id)
    if Revision.objects.filter(reverts=revision).exists():
        return
    mark = mark_of(season, revision.number)
    remember_spellings(league=revision.league, spellings=spellings, actor=actor, mark=mark)


def with_short_names(
    unclear: UnclearNames,
    league: League,
    matches: Sequence[Sequence[SideEntry]],
    replaced: Collection[str] = (),
) -> UnclearNames:
    """Propose the player for whom alone a name without an answer can be short.

    Not one who is in the match under another name, nor one of the `replaced` (keys), whom whoever
    corrects a match has just taken another name for: then somebody else may be meant.
    """
    proposed = {name.name: _proposed(name) for name in unclear.names}
    others = _others(league, matches, {name: one.answer for name, one in proposed.items()})
    names = [
        name
        if proposed[name.name].answer in {*replaced, *others.get(fold_name(name.name), ())}
        else proposed[name.name]
        for name in unclear.names
    ]
    return UnclearNames(unclear.problems, names)


def _proposed(name: UnclearName) -> UnclearName:
    one = None if name.answer or name.is_shared else short_for(name.name, name.candidates)
    return name if one is None else replace(name, answer=one.key, is_short=True)


def _others(
    league: League, matches: Sequence[Sequence[SideEntry]], answers: dict[str, str]
) -> dict[str, set[str]]:
    """By folded name the keys of those who are in a match with it under another name."""
    by_match = [
        [player.name for side in sides for player in side.players if player.name]
        for sides in matches
    ]
    roster = Roster.of_names(league, names=[name for names in by_match for name in names])
    others: dict[str, set[str]] = {}
    for names in by_match:
        meant = {
            fold_name(name): {answers.get(name, "")}
            | {player.key for player in roster.meant_by(name=name)}
            for name in names
        }
        for folded in meant:
            keys = (meant[other] for other in meant if other != folded)
            others.setdefault(folded, set()).update(*keys)
    return others
