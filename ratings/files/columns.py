"""Recognise what the columns of a results file mean.

The header suggests, the values confirm, and the columns around one decide. Nothing is guessed
silently: every column says how sure its meaning is, every unused one is named, and what stops the
file from being understood is said in words.

One module, because the header, the values and the neighbours of a column decide together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any, Final, Literal

from ratings.files.cross_tables import CROSS_TABLE
from ratings.files.dates import DayOrder, OrderFound, date_problem
from ratings.files.facts import Facts, table_facts
from ratings.files.meanings import FACTS_OF_PLAYERS, OF_A_PLAYER, REPEATABLE, SIDES, Meaning
from ratings.files.problems import FileProblem, shown
from ratings.files.score_columns import SCORES, counts_sets, score_groups, score_level
from ratings.files.vocabulary import (
    ENTERED_WORDS,
    FOUR_SEATS,
    OWN_SCORE_WORDS,
    counts_scores,
    header_words,
    is_weak_id,
    suggested_meaning,
)

__all__ = ["Column", "Layout", "Meaning", "recognise"]

Shape = Literal["wide", "long", "players", ""]
Sure = Literal["sure", "likely", "given", ""]
ResultReading = Literal["", "names", "words", "from_zero", "from_one", "first_score"]

_SAMPLE = 1000


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its meaning, how sure that is, and a note on how its cells are read."""

    index: int
    header: str
    meaning: Meaning
    sure: Sure = ""
    note: str = ""
    facts: Facts = field(default_factory=Facts)


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file's columns mean together.

    `shape` is "wide" (a match a row), "long" (a participant a row), "players" (a player a row, and
    no matches) or "" where `problems` says in words what is missing. `day_order` is what the dates
    themselves show; "ambiguous" is a question to the user. `newest_first` means that the file goes
    back in time.
    """

    columns: tuple[Column, ...]
    shape: Shape
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    day_order: OrderFound
    newest_first: bool
    result_reading: ResultReading
    coded_scores: bool

    @property
    def asks_dates(self) -> bool:
        """Say whether the user must tell day-first from month-first."""
        return self.day_order in ("ambiguous", "mixed")

    @property
    def ignored(self) -> tuple[str, ...]:
        """Return the headers of the columns that say nothing about a match."""
        return tuple(column.header for column in self.columns if column.meaning is Meaning.IGNORE)

    @property
    def question(self) -> str:
        """Return what the user is asked about the dates, or ""."""
        if not self.asks_dates:
            return ""
        column = next(column for column in self.columns if column.meaning is Meaning.DATE)
        example = column.facts.examples[0] if column.facts.examples else ""
        if self.day_order == "mixed":
            return (
                f"The dates in “{column.header}” are written both day first and month "
                "first; choose dmy or mdy."
            )
        return (
            f"The dates in “{column.header}” are ambiguous (such as {shown(example, 30)}); "
            "choose dmy (day first) or mdy (month first)."
        )

    def where(self, meaning: Meaning) -> list[int]:
        """Return the indices of the columns with this meaning, from left to right."""
        return [column.index for column in self.columns if column.meaning is meaning]

    def headers_of(self, *meanings: Meaning) -> list[str]:
        """Return the headers of the columns with any of these meanings, from left to right."""
        return [column.header for column in self.columns if column.meaning in meanings]

    def with_meanings(self, meanings: Mapping[int, Meaning]) -> Layout:
        """Return the layout with the user's corrections; the rest is judged again around them."""
        columns = [
            replace(column, meaning=meanings[column.index], sure="given", note="")
            if column.index in meanings and meanings[column.index] is not column.meaning
            else column
            for column in self.columns
        ]
        return _judged(columns)

    def to_json(self) -> str:
        """Write the layout as JSON that `from_json` reads back."""
        return json.dumps([asdict(column) for column in self.columns])

    @classmethod
    def from_json(cls, text: str) -> Layout:
        """Read a layout that `to_json` wrote."""
        try:
            items = json.loads(text)
            if not isinstance(items, list):
                raise TypeError
            return _judged([_column_from(item) for item in items])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise FileProblem("The stored layout of the file cannot be read.") from None


def recognise(header: Sequence[str], sample_rows: Sequence[Sequence[str]]) -> Layout:
    """Recognise the columns by header and sample; never fails, but may find problems."""
    width = len(header)
    sample = sample_rows[:_SAMPLE]
    rows = [row for row in sample if not any(cell.strip() for cell in row[width:])] or sample
    return _judged(_Recognition(header, rows).columns())


def _column_from(item: dict[str, Any]) -> Column:
    facts: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in item["facts"].items()
    }
    return Column(**{**item, "meaning": Meaning(item["meaning"]), "facts": Facts(**facts)})


class _Recognition:
    """Gives every column at most one meaning, settling what several columns claim."""

    def __init__(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self._header = header
        self._rows = rows
        self._facts = table_facts(rows, header)
        self._words = [header_words(text) for text in header]
        self._claims: list[Meaning | None] = [suggested_meaning(words) for words in self._words]
        self._notes = [""] * len(header)
        self._sure: list[Sure] = ["sure" if claim else "" for claim in self._claims]
        self._rivals: set[int] = set()
        """Columns of scores with different winners, of which the user has to choose."""

    def columns(self) -> list[Column]:
        self._settle_seats()
        self._settle_opponent()
        self._settle_winner()
        self._settle_shape_words()
        self._settle_dates()
        self._settle_match_id()
        self._settle_scores()
        self._settle_flags()
        self._settle_repeats()
        self._restore_repeated_names()
        return [
            Column(
                index=index,
                header=self._header[index],
                meaning=claim or Meaning.IGNORE,
                sure=self._sure[index] if claim else "",
                note=self._notes[index],
                facts=self._facts[index],
            )
            for index, claim in enumerate(self._claims)
        ]

    def _restore_repeated_names(self) -> None:
        """Let every column of a repeated name claim what one of them does, which is refused."""
        for index, words in enumerate(self._words):
            if self._claims[index] is None and words:
                same = [other for other, text in enumerate(self._words) if text == words]
                claims = [claim for other in same if (claim := self._claims[other]) is not None]
                if claims:
                    self._claim(index, claims[0])

    def _having(self, *meanings: Meaning) -> list[int]:
        return [index for index, claim in enumerate(self._claims) if claim in meanings]

    def _drop(self, index: int, note: str = "") -> None:
        self._claims[index] = None
        self._notes[index] = note

    def _claim(self, index: int, meaning: Meaning, note: str = "", sure: Sure = "likely") -> None:
        self._claims[index] = meaning
        self._notes[index] = note
        self._sure[index] = sure

    def _has_sides(self) -> bool:
        return all(self._having(Meaning.side(number), Meaning.side_id(number)) for number in (1, 2))

    def _settle_seats(self) -> None:
        """WO, WD, LO, LD are four seats only together; WO alone is a walkover."""
        if set(self._words) >= FOUR_SEATS:
            for index, words in enumerate(self._words):
                if words in FOUR_SEATS:
                    self._claim(index, Meaning.WINNER if words[0] == "w" else Meaning.LOSER)
        else:
            for index, words in enumerate(self._words):
                if words in ("wd", "lo", "ld"):
                    self._drop(index)

    def _settle_opponent(self) -> None:
        seconds = self._having(Meaning.side(2), Meaning.side_id(2))
        if not seconds or self._having(Meaning.side(1), Meaning.side_id(1)):
            return
        for meaning, side in (
            (Meaning.PLAYER, Meaning.side(1)),
            (Meaning.PLAYER_ID, Meaning.side_id(1)),
            (Meaning.TEAM, Meaning.side(1)),
        ):
            for index in self._having(meaning)[:1]:
                if side not in self._claims:
                    self._claim(index, side)

    def _settle_winner(self) -> None:
        """With both sides named, a winner column tells who of them won."""
        winners = self._having(Meaning.WINNER, Meaning.WINNER_ID)
        losers = self._having(Meaning.LOSER, Meaning.LOSER_ID)
        if self._has_sides():
            for index in losers:
                self._drop(index, "other columns already name both sides")
            for index in self._having(Meaning.RESULT):
                if winners:
                    self._claim(index, Meaning.DETAIL, "kept as text", "likely")
            for index in winners[1:]:
                self._drop(index, "another column names the winner")
            for index in winners[:1]:
                self._claim(index, Meaning.RESULT, sure="sure")
        elif winners and losers:
            for index in self._having(Meaning.RESULT):
                self._drop(index, "another column already names the winner")
        elif self._having(Meaning.PLAYER, Meaning.PLAYER_ID) and Meaning.RESULT not in self._claims:
            for index in winners[:1]:
                self._claim(index, Meaning.RESULT, "says for each player whether they won")
            for index in winners[1:] + losers:
                self._drop(index)
        elif winners or losers:
            for index in winners + losers:
                self._drop(index)

    def _settle_shape_words(self) -> None:
        """Words such as player, team and rank belong to files with a participant a row."""
        if self._has_sides() or self._having(Meaning.WINNER, Meaning.WINNER_ID):
            for index in self._having(
                *(Meaning.PLAYER, Meaning.PLAYER_ID, Meaning.TEAM, Meaning.RANK),
                *(Meaning.MATCH_EVENTS, Meaning.MATCH_START, Meaning.HANDICAP, *OF_A_PLAYER),
            ):
                self._drop(index)
            return
        for index in self._having(Meaning.SET):
            self._drop(index)
        for index in self._having(Meaning.score(1)):
            if self._words[index] in OWN_SCORE_WORDS:
                self._claim(index, Meaning.OWN_SCORE, sure="sure")
        for number in range(1, SIDES + 1):
            for index in self._having(
                *(Meaning.side(number), Meaning.side_id(number)),
                *(Meaning.score(number), Meaning.handicap(number)),
            ):
                self._drop(index)

    def _settle_dates(self) -> None:
        candidates = [
            index for index in self._having(Meaning.DATE, Meaning.TIME) if self._facts[index].dates
        ]
        if not candidates:
            candidates = [
                index
                for index, claim in enumerate(self._claims)
                if claim is None and self._facts[index].dates
            ][:1]
        chosen = max(
            candidates,
            key=lambda index: (
                self._facts[index].filled,
                self._words[index] not in ENTERED_WORDS,
                self._facts[index].moments,
                -index,
            ),
            default=None,
        )
        if chosen is None:
            chosen = next(iter(self._having(Meaning.DATE)), None)
        for index in self._having(Meaning.DATE, Meaning.TIME):
            if index == chosen:
                continue
            is_time = self._claims[index] is Meaning.TIME and self._facts[index].clocks
            if not is_time or (chosen is not None and self._facts[chosen].moments):
                self._drop(index, "" if chosen is None else "another column has the date")
        if chosen is not None:
            sure: Sure = "sure" if self._claims[chosen] is Meaning.DATE else "likely"
            self._claim(chosen, Meaning.DATE, sure=sure)

    def _settle_match_id(self) -> None:
        """A column identifies matches only where its values do (one each, or runs)."""
        long = bool(self._having(Meaning.PLAYER, Meaning.PLAYER_ID))

        def fits(index: int) -> bool:
            facts = self._facts[index]
            if long:
                return facts.grouped
            return facts.unique if is_weak_id(self._words[index]) else facts.mostly_unique

        candidates = self._having(Meaning.MATCH_ID)
        candidates.sort(key=lambda index: (is_weak_id(self._words[index]), index))
        external = self._having(Meaning.EXTERNAL_ID)
        if not long or not any(fits(index) for index in candidates):
            for index in external:
                self._claim(index, Meaning.MATCH_ID, sure="sure")
            candidates = external + candidates
        chosen = next((index for index in candidates if fits(index)), None)
        for index in candidates:
            if index != chosen:
                self._drop(index, "does not identify matches")

    def _settle_scores(self) -> None:
        long = bool(self._having(Meaning.PLAYER, Meaning.PLAYER_ID))
        for index in self._having(Meaning.TIEBREAK):
            if not long and self._facts[index].pairs:
                self._claim(index, Meaning.SET)
            elif not long:
                self._drop(index)
        for index in self._having(Meaning.RESULT):
            facts = self._facts[index]
            if not long and facts.pairs and not facts.results:
                self._claim(index, Meaning.SCORE)
        if long:
            self._settle_scores_of_players()
            return
        for index, claim in enumerate(self._claims):
            if claim is None and counts_scores(self._words[index]) and self._facts[index].pairs:
                self._claim(index, Meaning.SCORE)
        for index in self._having(Meaning.SCORE):
            # Chess writes its results below the words of scores; half a point is no score.
            facts = self._facts[index]
            is_chess = facts.results or (facts.values and _POINTS.issuperset(facts.values))
            if facts.halves and is_chess and not self._having(Meaning.RESULT):
                self._claim(index, Meaning.RESULT)
        for index in self._having(Meaning.SCORE):
            if not self._facts[index].pairs and self._facts[index].integers:
                self._claim(
                    index,
                    Meaning.DETAIL,
                    "a single number does not show whose score it is; kept as text",
                )
        numbered = self._having(*SCORES)
        if len(numbered) == 1:
            self._drop(numbered[0], "only one side has a score")
        self._settle_who_won()

    def _settle_who_won(self) -> None:
        """Keep one score, which says who won; several are a question where they disagree on that.

        A winner in the file decides by itself, whatever the scores are.
        """
        groups = score_groups(self._claims, self._words, self._facts, self._rows)
        if not groups:
            return
        best = groups[0]
        has_winner = bool(self._having(Meaning.RESULT, Meaning.WINNER, Meaning.WINNER_ID))
        kept = set(best.columns)
        note = f"“{shown(self._header[best.columns[0]], 30)}” says who won"
        for other in groups[1:]:
            if not has_winner and best.contradicts(other, self._rows):
                self._rivals.update(best.columns, other.columns)
        for index in self._having(Meaning.SCORE, Meaning.SET, *SCORES):
            if index in kept | self._rivals:
                continue
            if best.is_numbered and self._claims[index] not in SCORES:
                self._claim(index, Meaning.DETAIL, "kept as text; other columns have the scores")
            else:
                self._drop(index, "another column has the score" if has_winner else note)

    def _settle_scores_of_players(self) -> None:
        """Keep the scores of players that say who won: their sets, before other counts."""
        scores = self._having(Meaning.SCORE)
        for index, claim in enumerate(self._claims):
            is_free = claim is None and self._facts[index].integers
            if scores and is_free and counts_sets(self._words[index]):
                self._claim(index, Meaning.SCORE)
                scores.append(index)
        best = max((score_level(self._words[index]) for index in scores), default=0)
        for index in scores:
            if score_level(self._words[index]) < best:
                self._drop(index, "another column says who won")

    def _settle_flags(self) -> None:
        """A flag column holds words we know, or nothing yet."""
        for index in self._having(Meaning.FLAG):
            facts = self._facts[index]
            if facts.examples and not facts.flags:
                self._drop(index, f"holds other words, such as {shown(facts.examples[0], 30)}")
        flags = self._having(Meaning.FLAG)
        best = min(flags, key=lambda index: (self._words[index] != "flag", index), default=None)
        for index in flags:
            if index != best:
                self._drop(index, "another column has the flag")

    def _settle_repeats(self) -> None:
        """Keep the first of several columns that claim what only one can say."""
        seen: set[Meaning] = set()
        for index, claim in enumerate(self._claims):
            if claim is None or claim in REPEATABLE or index in self._rivals:
                continue
            if claim in seen and self._words.count(self._words[index]) == 1:
                self._drop(index, "another column says this")
            seen.add(claim)


def _shape(columns: Sequence[Column]) -> tuple[Shape, list[str]]:
    """Return what a row is, and in words what is missing for that."""
    problems: list[str] = []

    def has(*meanings: Meaning) -> bool:
        return any(column.meaning in meanings for column in columns)

    won_lost = has(Meaning.WINNER, Meaning.WINNER_ID) and has(Meaning.LOSER, Meaning.LOSER_ID)
    two_sides = all(has(Meaning.side(number), Meaning.side_id(number)) for number in (1, 2))
    shape: Shape = ""
    if won_lost and two_sides:
        problems.append("The sides are named twice: as winner and loser, and as first and second.")
    elif won_lost:
        shape = "wide"
    elif two_sides:
        shape = "wide"
        if not has(Meaning.RESULT, Meaning.SCORE, Meaning.SET) and not (
            has(Meaning.score(1)) and has(Meaning.score(2))
        ):
            problems.append(
                "No column has results: this looks like a schedule, which says who plays "
                "whom but not who won."
            )
    elif has(Meaning.PLAYER, Meaning.PLAYER_ID):
        has_results = has(Meaning.RANK, Meaning.SCORE, Meaning.RESULT)
        describes = has(*FACTS_OF_PLAYERS, Meaning.TEAM)
        shape = "long" if has(Meaning.MATCH_ID) or has_results or not describes else "players"
        if shape == "long" and not has(Meaning.MATCH_ID):
            problems.append(_NO_MATCH_ID + (_OR_ONLY_PLAYERS if describes else ""))
        if shape == "long" and not has_results:
            problems.append("No column has ranks or scores.")
    else:
        problems.append(_nobody(columns))
    return shape, problems


def _judged(columns: Sequence[Column]) -> Layout:
    """Work out shape, problems and readings from the meanings alone."""
    columns = _one_set_each(columns)
    problems = _repeated(columns)
    if not any(column.facts.examples for column in columns):
        problems.append("There are column names but no rows below them.")
    shape, missing = _shape(columns)
    if _is_cross_table(columns) and (missing or shape == "players"):
        missing = [CROSS_TABLE]
    problems += missing
    dated = next((column for column in columns if column.meaning is Meaning.DATE), None)
    if shape == "players":
        dated = None
    if shape and dated is not None and not (dated.facts.dates or dated.sure == "given"):
        problems.append(_no_dates(dated))
    problems += _unpaired(columns)
    problems += _scores_twice(columns)
    reading = _result_reading(columns)
    noted = [_noted(column, reading) for column in columns]
    newest_first = dated is not None and dated.facts.falling
    coded_scores = _coded_scores(columns, reading)
    notes = [
        note
        for note, holds in (
            (UNDATED, dated is None and shape != "players"),
            (ONLY_PLAYERS, shape == "players"),
            (_NEWEST_FIRST, newest_first),
            (_CODED_SCORES, coded_scores),
        )
        if holds and not problems
    ]
    return Layout(
        columns=tuple(noted),
        shape="" if problems else shape,
        problems=tuple(problems),
        notes=tuple(notes),
        day_order=dated.facts.order if dated is not None else "",
        newest_first=newest_first,
        result_reading=reading,
        coded_scores=coded_scores,
    )


def _is_cross_table(columns: Sequence[Column]) -> bool:
    """Whether a column names its other columns; the team or the club of players may do so, too."""
    has_players = any(one.meaning in (Meaning.PLAYER, Meaning.PLAYER_ID) for one in columns)
    return any(
        one.facts.repeats_header
        and not (has_players and one.meaning in (*FACTS_OF_PLAYERS, Meaning.TEAM))
        for one in columns
    )


def _one_set_each(columns: Sequence[Column]) -> list[Column]:
    """Read several columns that were said to list the sets as a set each, where they have one.

    Only files with a match a row have such columns.
    """
    lists = [column.facts for column in columns if column.meaning is Meaning.SET_LIST]
    is_long = any(one.meaning in (Meaning.PLAYER, Meaning.PLAYER_ID) for one in columns)
    has_one_each = all(facts.pairs and not facts.sets for facts in lists)
    if is_long or len(lists) < 2 or not has_one_each:
        return list(columns)
    return [
        replace(one, meaning=Meaning.SET) if one.meaning is Meaning.SET_LIST else one
        for one in columns
    ]


UNDATED = "No column has dates: every match gets the date of the import, in the order of the file."
_NO_MATCH_ID = (
    "No column, such as game_id, shows which rows belong to one match. Add one, with the same "
    "number in all rows of a match."
)
_OR_ONLY_PLAYERS = (
    " To take only the players with their clubs, teams or countries, ignore the columns with ranks "
    "and scores."
)
ONLY_PLAYERS = "The file has players and no results: what it says of them is taken over."
_NEWEST_FIRST = "The newest matches come first: on the same day, lower rows were played earlier."
_CODED_SCORES = "A score of −1 means disqualified, and −2 means not recorded."


def _nobody(columns: Sequence[Column]) -> str:
    if all(column.header.startswith("Column ") for column in columns) and len(columns) > 1:
        return (
            "The first line does not contain column names. Choose what each column means, "
            "or add a first line with names such as date, player1, player2, score1, score2."
        )
    return (
        "No columns say who played. Add columns for winner and loser, for two sides such "
        "as player1 and player2 or home and away, or for one player per row with a game_id."
    )


def _no_dates(column: Column) -> str:
    words = f"The column “{shown(column.header)}” has no dates that can be read"
    if not column.facts.examples:
        return f"{words}; it is empty."
    example = column.facts.examples[0]
    return f"{words}, such as “{shown(example, 30)}”. {date_problem(example)}".rstrip()


def _repeated(columns: Sequence[Column]) -> list[str]:
    problems = []
    seen: dict[Meaning, Column] = {}
    used = [column for column in columns if column.meaning is not Meaning.IGNORE]
    headers = [header_words(column.header) for column in used if column.sure != "given"]
    for words in dict.fromkeys(headers):
        if headers.count(words) > 1:
            problems.append(f"The column name “{shown(words)}” is used more than once.")
    for column in columns:
        first = seen.setdefault(column.meaning, column)
        if first is not column and column.meaning not in REPEATABLE | {*SCORES, Meaning.SCORE}:
            problems.append(
                f"Two columns mean the same: “{shown(first.header)}” and "
                f"“{shown(column.header)}”. Ignore one of them, or choose another meaning for it."
            )
    return problems


def _scores_twice(columns: Sequence[Column]) -> list[str]:
    """Ask which score counts, where several would say who won."""
    numbered = [one for one in columns if one.meaning in SCORES]
    texts = [one for one in columns if one.meaning in (Meaning.SCORE, Meaning.SET)]
    scores = [one for one in columns if one.meaning in {*SCORES, Meaning.SCORE}]
    pairs = [*zip(numbered[:1], texts[:1], strict=False), *combinations(scores, 2)]
    for one, other in pairs:
        if one.meaning is other.meaning or (one in numbered and other in texts):
            return [
                f"“{shown(one.header)}” and “{shown(other.header)}” are both read as the score and "
                "may name different winners. Ignore the columns that do not say who won."
            ]
    return []


def _unpaired(columns: Sequence[Column]) -> list[str]:
    problems = []
    for names, keys, whose in _NAMES_AND_IDS:
        named = sum(1 for column in columns if column.meaning is names)
        keyed = sum(1 for column in columns if column.meaning is keys)
        if named and keyed and named != keyed:
            problems.append(
                f"The number of columns with names ({named}) must equal the number of "
                f"columns with ids ({keyed}) for {whose}."
            )
    return problems


_NAMES_AND_IDS = (
    (Meaning.WINNER, Meaning.WINNER_ID, "the winner"),
    (Meaning.LOSER, Meaning.LOSER_ID, "the loser"),
    *(
        (Meaning.side(number), Meaning.side_id(number), f"side {number}")
        for number in range(1, SIDES + 1)
    ),
)


_POINTS: Final = frozenset(("0", "1", "0.5", "0,5", "1.0", "1,0", "0.0", "0,0", "½", ".5", "1/2"))
"""What the first side has got of a game."""


def _result_reading(columns: Sequence[Column]) -> ResultReading:
    column = next((column for column in columns if column.meaning is Meaning.RESULT), None)
    if column is None:
        return ""
    sides = {
        other.index
        for other in columns
        for number in range(1, SIDES + 1)
        if other.meaning in (Meaning.side(number), Meaning.side_id(number))
    }
    if sides.intersection(column.facts.echoes):
        return "names"
    values = set(column.facts.values)
    words = header_words(column.header)
    says_winner = suggested_meaning(words) is not Meaning.RESULT or "winn" in words
    if values and values <= {"0", "1", "2"}:
        if "2" in values or (says_winner and "0" not in values):
            return "from_one"
        return "from_zero" if says_winner else "first_score"
    if values and values <= _POINTS:
        return "first_score"
    return "words" if column.facts.words else "names"


def _coded_scores(columns: Sequence[Column], reading: ResultReading) -> bool:
    """Say whether −1 means disqualified and −2 not recorded, as in smash.gg's exports."""
    if any(
        column.meaning is Meaning.FLAG and header_words(column.header) == "dq" for column in columns
    ):
        return True
    negatives = {
        number
        for column in columns
        if column.meaning in (Meaning.score(1), Meaning.score(2))
        for number in column.facts.negatives
    }
    return reading in ("from_zero", "from_one") and bool(negatives) and negatives <= {-1, -2}


_ORDER_NOTES: dict[OrderFound, str] = {
    "dmy": "read as day, month, year",
    "mdy": "read as month, day, year",
    "ambiguous": "day or month first? Choose one.",
    "mixed": "both day first and month first? Choose one.",
}
_RESULT_NOTES: dict[ResultReading, str] = {
    "names": "the winner's name",
    "words": "a word for the result, such as 1, white, H or draw",
    "from_zero": "0 for the first side, 1 for the second",
    "from_one": "1 for the first side, 2 for the second",
    "first_score": "1 if the first side won, 0 if it lost, 0.5 for a draw",
}


def _noted(column: Column, reading: ResultReading) -> Column:
    note = ""
    if column.meaning is Meaning.DATE:
        note = _ORDER_NOTES.get(column.facts.order, "")
    elif column.meaning is Meaning.COMMENT:
        note = "words such as friendly, W/O or “walkover for” with a name count; others are ignored"
    elif column.meaning is Meaning.RESULT:
        note = _RESULT_NOTES.get(reading, "")
    return replace(column, note=note) if note else column


def given_order(layout: Layout, dates: DayOrder | None) -> DayOrder:
    """Return the order to read dates in; raise FileProblem where the user must say."""
    if dates is not None:
        return dates
    if layout.asks_dates:
        raise FileProblem(layout.question)
    return "mdy" if layout.day_order == "mdy" else "dmy"
