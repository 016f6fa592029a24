"""Read files with a participant a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ratings.files.event_cells import read_events
from ratings.files.handicap_cells import read_handicap
from ratings.files.match_start_cells import read_match_start
from ratings.files.matches import EventRow, MatchStart, Person, Result, SideRow, competition_ranks
from ratings.files.meanings import Meaning
from ratings.files.names import fold_name
from ratings.files.person_cells import PersonCells
from ratings.files.problems import BadRow, CellProblem, FileProblem, shown
from ratings.files.reading import Reading, cell, distinct
from ratings.files.scores import Kind, read_integer, read_rank, read_truth, result_word

_CONTRADICTION = "The better rank has the lower score."
_PERHAPS_MORE = "The row above may belong to this match, which would lack a player without it."
_Rows = list[tuple[int, list[str]]]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One participant's row."""

    line: int
    person: Person
    team: str | None
    rank: int | None
    result: int | None
    score: int | None
    """That of the player, or of the whole side where the player's own has a column."""
    handicap: int | None
    """That of the side; None where the row does not say."""
    star: bool


class LongReader:
    """Reads the rows of one match at a time: consecutive rows with the same match id."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._match_at = reading.layout.where(Meaning.MATCH_ID)[0]
        self._player_at = reading.one(Meaning.PLAYER)
        self._key_at = reading.one(Meaning.PLAYER_ID)
        self._team_at = reading.one(Meaning.TEAM)
        self._rank_at = reading.one(Meaning.RANK)
        self._score_at = reading.one(Meaning.SCORE)
        self._result_at = reading.one(Meaning.RESULT)
        self._star_at = reading.one(Meaning.TIEBREAK)
        self._events_at = reading.one(Meaning.MATCH_EVENTS)
        self._handicap_at = reading.one(Meaning.HANDICAP)
        self._start_at = reading.one(Meaning.MATCH_START)
        self._people = PersonCells(reading)
        self._last_line: dict[str, int] = {}

    def read(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[Result | BadRow]:
        """Yield matches and bad rows; a match with a bad row is not yielded.

        Raises FileProblem where a match goes on after others: it would have been yielded without
        some of its players.
        """
        current = ""
        group: _Rows = []
        spoilt = is_doubtful = False
        for line, row in rows:
            try:
                fitted = self._reading.fitted(row) if len(row) != self._reading.width else row
                name = self._match_name(fitted)
            except CellProblem as problem:
                spoilt = True
                # Else it may be the last row of one match, or the first of the next.
                is_doubtful = "".join(row[self._match_at : self._match_at + 1]).strip() != current
                yield self._reading.bad_row(line, problem)
                continue
            if name != current:
                if name in self._last_line:
                    raise self._returned(line, name)
                yield from self._finished(group, spoilt)
                current, group, spoilt = name, [], is_doubtful
                if is_doubtful:
                    doubt = CellProblem(_PERHAPS_MORE, name, self._match_at)
                    yield self._reading.bad_row(line, doubt)
            is_doubtful = False
            group.append((line, fitted))
            self._last_line[name] = line
        yield from self._finished(group, spoilt)

    def _match_name(self, row: Sequence[str]) -> str:
        name = row[self._match_at].strip()
        if not name:
            raise CellProblem("The row does not say which match it belongs to.", "", self._match_at)
        return name

    def _returned(self, line: int, name: str) -> FileProblem:
        column = self._reading.header[self._match_at]
        return FileProblem(
            f"The rows of a match must be next to each other, but line {line} continues the match "
            f"of line {self._last_line[name]}. Sort the file by “{shown(column)}”.",
            line=line,
            column=column,
            value=name,
        )

    def _finished(self, group: _Rows, spoilt: bool) -> Iterator[Result | BadRow]:
        entries = []
        for line, row in group:
            try:
                entries.append(self._entry(line, row))
            except CellProblem as problem:
                spoilt = True
                yield self._reading.bad_row(line, problem)
        if spoilt or not group:
            return
        line, first = group[0]
        try:
            yield self._match(line, first, group, entries)
        except CellProblem as problem:
            yield self._reading.bad_row(line, problem)

    def _entry(self, line: int, row: Sequence[str]) -> _Entry:
        reading = self._reading
        if self._player_at is not None and not row[self._player_at].strip():
            raise CellProblem("The name is missing.", "", self._player_at, code="name")
        self._reading.when(row)
        return _Entry(
            line=line,
            person=self._people.describe(reading.person(row, self._player_at, self._key_at), row),
            team=self._team(row),
            rank=None if self._rank_at is None else cell(row, self._rank_at, read_rank),
            result=self._result(row),
            score=self._number(row),
            handicap=self._handicap(row),
            star=self._star_at is not None and cell(row, self._star_at, read_truth),
        )

    def _team(self, row: Sequence[str]) -> str | None:
        if self._team_at is None:
            return None
        return fold_name(row[self._team_at]) or None

    def _result(self, row: Sequence[str]) -> int | None:
        """Return 1 for won, 2 for lost, 0 for drawn."""
        if self._result_at is None or self._rank_at is not None:
            return None
        word = result_word(row[self._result_at])
        if word is not None:
            return word
        try:
            return 1 if read_truth(row[self._result_at]) else 2
        except CellProblem:
            raise CellProblem(
                "This does not say won, lost or drawn.", row[self._result_at], self._result_at
            ) from None

    def _number(self, row: Sequence[str]) -> int | None:
        if self._score_at is None:
            return None
        if not row[self._score_at].strip():
            if self._rank_at is None and self._result_at is None:
                raise CellProblem("The score is missing.", "", self._score_at, code="score_missing")
            return None
        return cell(row, self._score_at, read_integer)

    def _handicap(self, row: Sequence[str]) -> int | None:
        at = self._handicap_at
        return cell(row, at, read_handicap) if at is not None and row[at].strip() else None

    def _match(
        self, line: int, first: Sequence[str], group: _Rows, entries: list[_Entry]
    ) -> Result:
        reading = self._reading
        played, date_only = reading.when(first)
        for _, row in group[1:]:
            if reading.when(row)[0] != played:
                raise CellProblem(
                    "The rows of this match give different dates.",
                    first[self._match_at],
                    self._match_at,
                )
        at = self._key_at if self._player_at is None else self._player_at
        distinct([entry.person for entry in entries], at)
        teams = _teams(entries)
        if len(teams) < 2:
            raise CellProblem(
                "This match has only one side.",
                first[self._match_at],
                self._match_at,
                code="sides",
            )
        self._refuse_odd_results(entries)
        sides, warning = self._sides(teams)
        return Result(
            line=line,
            played=played,
            date_only=date_only,
            order=reading.order(first, played),
            external_id=reading.match_id(first),
            kind=self._kind(group, len(sides)),
            sides=sides,
            detail=reading.detail(first),
            sets=reading.sets(first) if len(sides) == 2 else "",
            weight=reading.weight(first),
            mode=reading.mode(first),
            events=self._events(group),
            start=self._start(group),
            number=reading.number(first),
            dated=reading.dated,
            warning=warning,
        )

    def _events(self, group: _Rows) -> tuple[EventRow, ...]:
        """Return what the first row that says something says of the whole match."""
        at = self._events_at
        filled = [] if at is None else [row for _line, row in group if row[at].strip()]
        return cell(filled[0], at, read_events) if at is not None and filled else ()

    def _start(self, group: _Rows) -> MatchStart | None:
        """Return what the first row that says something says of the start of the match."""
        at = self._start_at
        filled = [] if at is None else [row for _line, row in group if row[at].strip()]
        return cell(filled[0], at, read_match_start) if at is not None and filled else None

    def _kind(self, group: _Rows, sides: int) -> Kind:
        """Return how the match ended; between two, a flag on either one's row says it."""
        kinds = [self._reading.kind(row) for _, row in group]
        if sides > 2 and any(kind != kinds[0] for kind in kinds):
            return "played"
        return next((kind for kind in kinds if kind != "played"), "played")

    def _refuse_odd_results(self, entries: list[_Entry]) -> None:
        words = {entry.result for entry in entries if entry.result is not None}
        if words and words not in ({0}, {1, 2}):
            raise CellProblem(
                "A match must have a winner and a loser, or a draw for everyone.",
                "",
                self._result_at,
            )

    def _sides(self, teams: list[list[_Entry]]) -> tuple[tuple[SideRow, ...], str]:
        total = self._score_of_side if self._people.has_own_scores else _sum
        scores = [total(team) for team in teams]
        if any(score is None for score in scores):
            scores = [None] * len(teams)
        by_score: list[tuple[int, ...]] = [
            (-(score or 0), -max(entry.star for entry in team))
            for score, team in zip(scores, teams, strict=True)
        ]
        keys: list[tuple[int, ...]] = by_score
        warning = ""
        if self._rank_at is not None or self._result_at is not None:
            keys = [(self._team_rank(team),) for team in teams]
            warning = "" if _agrees(keys, scores) else _CONTRADICTION
        ranks = competition_ranks(keys)
        return tuple(
            SideRow(rank, score, self._members(team), self._handicap_of_side(team))
            for rank, score, team in zip(ranks, scores, teams, strict=True)
        ), warning

    def _score_of_side(self, team: list[_Entry]) -> int | None:
        scores = {entry.score for entry in team}
        if len(scores) > 1:
            raise CellProblem(
                "The rows of one side have different scores.", team[0].team or "", self._score_at
            )
        return scores.pop()

    def _handicap_of_side(self, team: list[_Entry]) -> int:
        handicaps = {entry.handicap for entry in team if entry.handicap is not None}
        if len(handicaps) > 1:
            raise CellProblem(
                "The rows of one side have different handicaps.",
                team[0].team or "",
                self._handicap_at,
                code="handicap",
            )
        return handicaps.pop() if handicaps else 0

    def _team_rank(self, team: list[_Entry]) -> int:
        ranks = {entry.rank or entry.result or 0 for entry in team}
        if len(ranks) > 1:
            raise CellProblem(
                "The players on one team have different ranks.", team[0].team or "", self._team_at
            )
        return ranks.pop()

    def _members(self, team: list[_Entry]) -> tuple[Person, ...]:
        if self._team_at is None or self._people.has_own_scores:
            return tuple(entry.person for entry in team)
        return tuple(replace(entry.person, own_score=entry.score) for entry in team)


def _teams(entries: list[_Entry]) -> list[list[_Entry]]:
    """Group players by team, in the order of the file; without a team each stands alone."""
    teams: dict[tuple[str, str], list[_Entry]] = {}
    for entry in entries:
        key = ("player", entry.person.identity) if entry.team is None else ("team", entry.team)
        teams.setdefault(key, []).append(entry)
    return list(teams.values())


def _sum(team: list[_Entry]) -> int | None:
    total = 0
    for entry in team:
        if entry.score is None:
            return None
        total += entry.score
    return total


def _agrees(keys: Sequence[tuple[int, ...]], scores: Sequence[int | None]) -> bool:
    ranked = sorted(zip(keys, scores, strict=True), key=lambda pair: pair[0])
    return all(
        before_score is None or score is None or before == key or before_score >= score
        for (before, before_score), (key, score) in pairwise(ranked)
    )
