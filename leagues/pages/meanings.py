"""What the columns of a results file can mean, in words for people."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import wording
from ratings.files.meanings import SIDES, Meaning


@dataclass(frozen=True, slots=True)
class MeaningGroup:
    """Meanings that belong together in a select: pairs of value and words."""

    label: str
    options: tuple[tuple[str, str], ...]


def meaning_groups() -> tuple[MeaningGroup, ...]:
    """Every meaning once, the most usual first."""
    sides = range(1, SIDES + 1)
    return (
        _group(
            _("Match"),
            {
                Meaning.IGNORE: _("ignore"),
                Meaning.DATE: _("When"),
                Meaning.TIME: _("Time of day"),
                Meaning.MATCH_ID: _("Id of the match"),
                Meaning.EXTERNAL_ID: _("Id of the match at its source"),
                Meaning.ORDER: _("Order within a day"),
            },
        ),
        _group(
            _("Who won, who lost"),
            {
                Meaning.WINNER: _("Winner"),
                Meaning.LOSER: _("Loser"),
                Meaning.WINNER_ID: _("Id of the winner"),
                Meaning.LOSER_ID: _("Id of the loser"),
            },
        ),
        _group(_("Sides"), {Meaning.side(side): _side(side) for side in sides}),
        _group(
            _("Result"),
            {
                Meaning.RESULT: _("Who won"),
                Meaning.SCORE: _("Score"),
                Meaning.SET: _("Score of one set"),
                **{Meaning.score(side): _score(side) for side in sides},
                **{Meaning.handicap(side): _handicap(side) for side in sides},
            },
        ),
        _players_by_row(),
        _facts_of_players(),
        _remarks(),
        _group(
            _("Ids of the players"),
            {
                Meaning.side_id(side): _("Id of the %(side)s") % {"side": wording.ordinal(side)}
                for side in sides
            },
        ),
    )


def _players_by_row() -> MeaningGroup:
    return _group(
        _("One player per row"),
        {
            Meaning.PLAYER: _("Player"),
            Meaning.PLAYER_ID: _("Id of the player"),
            Meaning.TEAM: _("Team"),
            Meaning.RANK: _("Place"),
            Meaning.TIEBREAK: _("Tie-break"),
            Meaning.OWN_SCORE: _("The player’s own score"),
            Meaning.PLAYING_SHARE: _("Share of the match played"),
            Meaning.HANDICAP: _("Handicap of the side, in rating points"),
            Meaning.MATCH_EVENTS: _("What happened in the match"),
            Meaning.MATCH_START: _("The start of a match without a result"),
        },
    )


def _facts_of_players() -> MeaningGroup:
    return _group(
        _("About the player of a row"),
        {
            Meaning.FIRST_NAME: _("First name"),
            Meaning.CLUB: _("Club of the player"),
            Meaning.PLAYER_TEAM: _("Team of the player, not a side of the match"),
            Meaning.COUNTRY: _("Country"),
            Meaning.BIRTH_YEAR: _("Year of birth"),
            Meaning.IS_ACTIVE: _("Still playing or not"),
            Meaning.LEFT_AT: _("When the player left"),
            Meaning.ALIASES: _("Other names of the player"),
            Meaning.PRIVATE_ALIASES: _("Other names that only organizers see"),
            Meaning.STARTING_RATINGS: _("Starting ratings"),
        },
    )


def _remarks() -> MeaningGroup:
    return _group(
        _("Remarks"),
        {
            Meaning.FLAG: _("How it ended"),
            Meaning.COMMENT: _("Comment"),
            Meaning.RATED: _("Rated or not"),
            Meaning.WEIGHT: _("Weight"),
            Meaning.SET_LIST: _("Set scores, in the order of the sides"),
            Meaning.DETAIL: _("Details, kept as text"),
            Meaning.MODE: _("What was played"),
        },
    )


def _side(side: int) -> str:
    words = {1: _("First player"), 2: _("Second player")}
    return words.get(side) or _("%(side)s player") % {"side": wording.ordinal(side)}


def _score(side: int) -> str:
    words = {1: _("First score"), 2: _("Second score")}
    return words.get(side) or _("%(side)s score") % {"side": wording.ordinal(side)}


def _handicap(side: int) -> str:
    words = {1: _("First handicap, in rating points"), 2: _("Second handicap, in rating points")}
    other = _("%(side)s handicap, in rating points")
    return words.get(side) or other % {"side": wording.ordinal(side)}


def _group(label: str, words: dict[Meaning, str]) -> MeaningGroup:
    return MeaningGroup(label, tuple((meaning.value, text) for meaning, text in words.items()))


def reading_of(meaning: Meaning, note: str, *, is_wide: bool) -> str:
    """The way the cells of a column are read, where that is not plain from its meaning."""
    if note:
        return note
    words = {
        Meaning.SCORE: _("the first player’s score first") if is_wide else "",
        Meaning.SET: _("the first player’s score first"),
        Meaning.ORDER: _("decides which of a day’s matches came first"),
        Meaning.MATCH_ID: _("the same id is the same match: it is not added twice"),
        Meaning.TIEBREAK: _("a star marks the winner of a tie"),
    }
    return words.get(meaning, "")
