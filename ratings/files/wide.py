"""Read files with a match a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ratings.files.dates import is_date
from ratings.files.handicap_cells import read_handicap
from ratings.files.matches import Person, Result, SideRow, competition_ranks
from ratings.files.meanings import SIDES, Meaning
from ratings.files.names import fold_name, without_formula_guard
from ratings.files.problems import BadRow, CellProblem, shown
from ratings.files.reading import Reading, cell
from ratings.files.scores import Kind, read_integer, result_word, sets_won, split_score, split_sets
from ratings.files.walkover_remarks import NOBODY_WON, OTHER_WINNER, WalkoverRemark, read_walkover
from ratings.files.walkover_words import WALKOVER_WORDS

ABOUT_LENGTH = 160
MOST_OUTCOMES = 10_000
_NO_SET = " \t-\u2012\u2013\u2014:"
"""What a cell has at most where a set was not played."""
_DISQUALIFIED = -1
_NOT_RECORDED = -2
_CONTRADICTION = "The winner given has the lower score."
_NUMBERED_WINNERS = {
    "from_zero": {"0": 1, "1": 2},
    "from_one": {"0": 0, "1": 1, "2": 2},
    "first_score": {"1": 1, "1.0": 1, "1,0": 1, "0": 2, "0.0": 2, "0,0": 2},
}


@dataclass(frozen=True, slots=True)
class _Seat:
    """The columns that name one player; at least one of them is there."""

    name: int | None
    key: int | None

    @property
    def column(self) -> int:
        return self.name if self.name is not None else self.key or 0


@dataclass(frozen=True, slots=True)
class _Side:
    """The columns of one side."""

    seats: tuple[_Seat, ...]
    score: int | None
    handicap: int | None


@dataclass(slots=True)
class _Told:
    """What the score cells of one row tell."""

    scores: list[int | None]
    detail: str = ""
    sets: str = ""
    words: str = ""
    """What of the detail is no set."""
    kind: Kind | None = None
    counted: bool = False
    column: int | None = None
    """Where it stands, if in one place."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a match ended, for the sides in their order."""

    kind: Kind
    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    words: str
    sets: str
    warning: str


class WideReader:
    """Reads one row at a time; each is a match or a bad row."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        layout = reading.layout
        self._sides = _sides(reading)
        self._won_lost = bool(layout.where(Meaning.WINNER) or layout.where(Meaning.WINNER_ID))
        self._result = reading.one(Meaning.RESULT)
        self._score_columns = layout.where(Meaning.SCORE)
        self._set_columns = layout.where(Meaning.SET)
        self._text_columns = self._score_columns + self._set_columns
        self._lists_sets = any(layout.columns[at].facts.sets for at in self._score_columns)
        self._coded = layout.coded_scores
        self._result_reading = layout.result_reading
        self._has_scores = all(side.score is not None for side in self._sides)
        self._scores_can_be_blank = self._has_scores or bool(self._text_columns)
        seats = [seat for side in self._sides for seat in side.seats]
        self._pair = seats if len(self._sides) == len(seats) == 2 else []
        """The two columns of a file of matches between single players; else empty."""
        self._outcome_cells = self._outcome_reader()
        self._outcomes: dict[tuple[str, ...], _Outcome] = {}
        """What the few scores and flags of a file mean, by their cells."""

    def _outcome_reader(self) -> Callable[[Sequence[str]], tuple[str, ...]] | None:
        """Return what takes the cells that say how a match ended, where they alone do.

        The name of a winner is one of its row, and sides may be left blank where there are many.
        """
        named = self._result is not None and self._result_reading == "names"
        if not self._pair or (named and not self._won_lost):
            return None
        scores = [side.score for side in self._sides]
        told = [*self._reading.flag_columns, self._result, *scores, *self._text_columns]
        columns = [at for at in told if at is not None]
        # With one column it would answer a text.
        return itemgetter(*columns, columns[0]) if columns else None

    def read(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[Result | BadRow]:
        """Yield the match or the bad row of every row."""
        for line, row in rows:
            try:
                yield self._match(line, row)
            except CellProblem as problem:
                yield self._reading.bad_row(line, problem, self._about(row))

    def _about(self, row: Sequence[str]) -> str:
        """Return the date and the players of a row, as its cells have them; it may be too short."""
        sides = (
            " + ".join(
                text
                for seat in side.seats
                if (
                    text := without_formula_guard(
                        "".join(row[seat.column : seat.column + 1]).strip()
                    )
                )
            )
            for side in self._sides
        )
        parts = (self._reading.date_cell(row), " – ".join(side for side in sides if side))
        return shown(", ".join(part for part in parts if part), ABOUT_LENGTH)

    def _match(self, line: int, row: list[str]) -> Result:
        reading = self._reading
        if len(row) != reading.width:
            row = reading.fitted(row)
        cells = None if self._outcome_cells is None else self._outcome_cells(row)
        outcome = None if cells is None else self._outcomes.get(cells)
        kind = reading.kind(row) if outcome is None else outcome.kind
        played, date_only = reading.when(row)
        order = reading.order(row, played)
        sides = self._present(row)
        teams = self._teams(row, sides)
        if outcome is None:
            remark = self._walkover_remark(row) if len(teams) == 2 else None
            outcome = self._outcome(row, kind, remark, sides, teams)
            # A name in a remark says who won of this row alone.
            is_alike = remark is None or not remark.has_name
            if cells is not None and is_alike and len(self._outcomes) < MOST_OUTCOMES:
                self._outcomes[cells] = outcome
        result = Result(
            line,
            played,
            date_only,
            order,
            reading.match_id(row),
            outcome.kind,
            tuple(map(SideRow, outcome.ranks, outcome.scores, teams, _handicaps(row, sides))),
            reading.detail(row, outcome.words),
            reading.weight(row),
            reading.dated,
            outcome.warning,
            sets=outcome.sets or reading.sets(row),
        )
        repeated = reading.refuse_contradiction(result)
        return result._replace(warning=repeated) if repeated else result

    def _outcome(
        self,
        row: Sequence[str],
        kind: Kind,
        remark: WalkoverRemark | None,
        sides: list[_Side],
        teams: list[tuple[Person, ...]],
    ) -> _Outcome:
        """How the match of a row ended that was of a kind by its flags."""
        told = self._told(row, sides, kind)
        if kind == "played" and told.kind is not None:
            kind = told.kind
        if self._has_unread_score(row, told):
            # A score that cannot be read may say another winner than a remark does.
            remark = None
        remarked = None if remark is None else remark.winning_side(teams)
        is_blank = self._scores_can_be_blank and set(told.scores) == {None}
        if kind == "played" and remark and (remarked or is_blank or not remark.is_absence):
            kind = "walkover"
        ranks, warning = self._ranks(row, teams, told, kind, remarked)
        likely = remark.likely_winner(teams) if remark and kind == "walkover" else None
        if likely is not None and ranks[likely - 1] != 1:
            raise self._other_winner(row)
        scores = told.scores
        unfinished = kind == "retirement" and told.counted
        if kind == "walkover" or unfinished or None in scores:
            scores = [None] * len(teams)
        return _Outcome(kind, tuple(ranks), tuple(scores), told.words, told.sets, warning)

    def _present(self, row: Sequence[str]) -> list[_Side]:
        """Return the sides that take part; from the third on they may be left blank."""
        if len(self._sides) == 2:
            return self._sides
        return [
            side
            for number, side in enumerate(self._sides)
            if number < 2 or any(row[seat.column].strip() for seat in side.seats)
        ]

    def _teams(self, row: Sequence[str], sides: list[_Side]) -> list[tuple[Person, ...]]:
        if self._pair:
            one, two = [self._reading.person(row, seat.name, seat.key) for seat in self._pair]
            if one.identity != two.identity:
                return [(one,), (two,)]
        seen: dict[str, int] = {}
        teams = []
        for number, side in enumerate(sides):
            team = []
            for seat in side.seats:
                if not row[seat.column].strip() and len(side.seats) > 1:
                    continue
                person = self._reading.person(row, seat.name, seat.key)
                team.append(person)
                if seen.setdefault(person.identity, number) != number:
                    raise CellProblem(
                        "A player cannot be on both sides.",
                        row[seat.column],
                        seat.column,
                        code="player_twice",
                    )
            if not team:
                raise CellProblem("The name is missing.", "", side.seats[0].column, code="name")
            if len(team) > 1 and len({person.identity for person in team}) < len(team):
                raise CellProblem(
                    "A player can only be on a side once.",
                    team[0].name,
                    side.seats[0].column,
                    code="player_twice",
                )
            teams.append(tuple(team))
        return teams

    def _told(self, row: Sequence[str], sides: list[_Side], kind: Kind) -> _Told:
        if self._has_scores:
            return self._numbered_scores(row, sides)
        if not self._text_columns or len(sides) != 2:
            return _Told([None] * len(sides))
        score_at = self._score_columns[0] if self._score_columns else None
        score = "" if score_at is None else row[score_at].strip()
        sets_at = [at for at in self._set_columns if row[at].strip(_NO_SET)]
        if not sets_at:
            return _scored(score, self._lists_sets, score_at)
        text = " ".join(row[at].strip() for at in sets_at)
        told = _scored(text, True, _unread(row, sets_at))
        if score_at is not None and score:
            self._compare(told, text, score, score_at, kind)
        return told

    def _compare(self, told: _Told, text: str, score: str, at: int, kind: Kind) -> None:
        """Hold the score of a match against its sets, which columns of their own have.

        Of a match that was given up the sets may be fewer: there the score says who won.
        """
        pairs, score_kind = split_score(score)
        sets, _ = split_score(text)
        told.kind = told.kind or score_kind
        words = split_sets(score)[1] if score_kind else ""
        told.words = " ".join(part for part in (told.words, words) if part)
        if not pairs and score_kind is None:
            raise CellProblem("This is not a score such as 7:4.", score, at, code="score")
        is_given_up = {kind, told.kind} & {"walkover", "retirement"}
        if is_given_up and len(pairs) == 1:
            told.scores, told.counted = [*pairs[0]], True
        elif not is_given_up and pairs and sets and pairs not in ([sets_won(sets)], sets):
            won = sets_won(sets)
            raise CellProblem(
                f"The sets are {won[0]}:{won[1]}, but “{shown(self._reading.header[at])}” says "
                f"{shown(score)}.",
                score,
                at,
                code="sets_score",
            )

    def _numbered_scores(self, row: Sequence[str], sides: list[_Side]) -> _Told:
        told = _Told([])
        for side in sides:
            at = side.score or 0
            score = cell(row, at, read_integer) if row[at].strip() else None
            if self._coded and score == _DISQUALIFIED:
                told.kind = "walkover"
            elif self._coded and score == _NOT_RECORDED:
                score = None
            told.scores.append(score)
        return told

    def _walkover_remark(self, row: Sequence[str]) -> WalkoverRemark | None:
        """Return the walkover that the comment of a row names, if it names one."""
        at = self._reading.comment_column
        return None if at is None or not row[at] else read_walkover(row[at])

    def _ranks(
        self,
        row: Sequence[str],
        teams: list[tuple[Person, ...]],
        told: _Told,
        kind: Kind,
        remarked: int | None,
    ) -> tuple[list[int], str]:
        """The ranks of the sides; `remarked` is the winner by a remark on a walkover."""
        scores = [score for score in told.scores if score is not None]
        complete = len(scores) == len(teams)
        winner = self._winner(row, teams)
        if remarked is not None:
            best = {at for at, score in enumerate(scores, start=1) if score == max(scores)}
            by_score = best if complete else {remarked}
            if winner not in (None, remarked) or remarked not in by_score:
                raise self._other_winner(row)
            winner = remarked
        if winner is None:
            is_level = kind == "walkover" and len(set(scores)) == 1
            if not complete or is_level:
                raise self._nobody_won(row, told, kind)
            return competition_ranks([(-score,) for score in scores]), ""
        if winner == 0:
            return [1] * len(teams), ""
        lower = complete and scores[winner - 1] < max(scores)
        warning = _CONTRADICTION if lower else ""
        if len(teams) == 2:
            return [1, 2] if winner == 1 else [2, 1], warning
        keys = [(1, -score) for score in scores] if complete else [(1, 0)] * len(teams)
        keys[winner - 1] = (0, 0)
        return competition_ranks([tuple(key) for key in keys]), warning

    def _has_unread_score(self, row: Sequence[str], told: _Told) -> bool:
        """Whether cells for the score have something that is none, and not only a walkover."""
        if None not in told.scores:
            return False
        texts = [row[at].strip(_NO_SET).casefold() for at in self._text_columns]
        is_half = any(score is not None for score in told.scores)
        return is_half or any(text and text not in WALKOVER_WORDS for text in texts)

    def _other_winner(self, row: Sequence[str]) -> CellProblem:
        at = self._reading.comment_column
        return CellProblem(OTHER_WINNER, "" if at is None else row[at], at, code="no_result")

    def _nobody_won(self, row: Sequence[str], told: _Told, kind: Kind) -> CellProblem:
        text, at = self._score_cell(row, told)
        if kind == "walkover" and not self._has_unread_score(row, told):
            remark_at = self._reading.comment_column
            if remark_at is not None and row[remark_at].strip():
                text, at = row[remark_at], remark_at
            return CellProblem(NOBODY_WON, text, at, code="no_result")
        if self._result is not None:
            words = "The row has no winner and no score."
            return CellProblem(words, text, at, code="no_result")
        if text.strip() and not self._has_scores:
            words = "This is not a score such as 7:4."
            if is_date(text):
                words = "A spreadsheet has turned this score into a date; write scores like 7:4."
            return CellProblem(words, text, at, code="score")
        return CellProblem("The score is missing.", text, at, code="no_result")

    def _score_cell(self, row: Sequence[str], told: _Told) -> tuple[str, int | None]:
        """The text and the column of the cell that should say who won."""
        if self._result is not None:
            return "", self._result
        at = self._text_columns[0] if self._text_columns else self._sides[0].score
        at = at if told.column is None else told.column
        for side in self._sides if self._has_scores else ():
            if side.score is not None and not row[side.score].strip():
                at = side.score
                break
        return told.detail or (row[at] if at is not None else ""), at

    def _winner(self, row: Sequence[str], teams: list[tuple[Person, ...]]) -> int | None:
        """Return the winning side from 1, 0 for a draw, None where the row does not say."""
        if self._won_lost:
            return 1
        if self._result is None:
            return None
        text = without_formula_guard(row[self._result].strip())
        if not text:
            return None
        if self._result_reading == "names":
            return _side_of(text, teams, self._result, self._reading.winners)
        numbers = _NUMBERED_WINNERS.get(self._result_reading, {})
        winner = numbers.get(text)
        if winner is None and self._result_reading in ("words", "first_score"):
            winner = result_word(text)
        if winner is None:
            raise CellProblem("This does not say who won.", text, self._result)
        return winner


def _scored(text: str, counts_sets: bool, column: int | None) -> _Told:
    """Return what a score, or a list of sets, tells of two sides."""
    told = _Told([None, None], column=column)
    pairs, told.kind = split_score(text)
    counts_sets = counts_sets or len(pairs) > 1
    if counts_sets or told.kind or not pairs:
        told.detail = told.words = text
    if counts_sets and pairs:
        told.sets, told.words = split_sets(text)
    if pairs and told.kind in (None, "played"):
        told.scores = [*(sets_won(pairs) if counts_sets else pairs[0])]
        told.counted = counts_sets
    return told


def _unread(row: Sequence[str], columns: Sequence[int]) -> int:
    """Return the first of some columns whose cell is no score, or the first of all."""
    return next((at for at in columns if not split_score(row[at])[0]), columns[0])


def _handicaps(row: Sequence[str], sides: list[_Side]) -> list[int]:
    """Return the handicap of each side; 0 where it has no column, or an empty cell."""
    return [0 if (at := side.handicap) is None else cell(row, at, read_handicap) for side in sides]


def _side_of(
    text: str, teams: list[tuple[Person, ...]], column: int, meant: Mapping[str, str]
) -> int:
    """Return the side from 1 that has a player of this name or id; 0 for a draw.

    `meant` has who is meant by a word that is no name in its row.
    """
    named = fold_name(text)
    for number, team in enumerate(teams, start=1):
        for person in team:
            if named == fold_name(person.name) or text == person.key:
                return number
    for number, team in enumerate(teams, start=1):
        if meant.get(named) in {person.identity for person in team}:
            return number
    if result_word(text) == 0:
        return 0
    choices = tuple((team[0].identity, " + ".join(one.name for one in team)) for team in teams)
    raise CellProblem("The winner is neither of the two players.", text, column, choices)


def _sides(reading: Reading) -> list[_Side]:
    won_lost = [(Meaning.WINNER, Meaning.WINNER_ID, 1), (Meaning.LOSER, Meaning.LOSER_ID, 2)]
    numbered = [
        (Meaning.side(number), Meaning.side_id(number), number) for number in range(1, SIDES + 1)
    ]
    return [
        _Side(seats, reading.one(Meaning.score(number)), reading.one(Meaning.handicap(number)))
        for names, keys, number in won_lost + numbered
        if (seats := _seats(reading.layout.where(names), reading.layout.where(keys)))
    ]


def _seats(names: list[int], keys: list[int]) -> tuple[_Seat, ...]:
    if not names or not keys:
        return tuple(_Seat(name, None) for name in names) + tuple(_Seat(None, key) for key in keys)
    return tuple(_Seat(name, key) for name, key in zip(names, keys, strict=True))
