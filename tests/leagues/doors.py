"""The ways in for a result: night sheet, form, file and API, each with its verdict on the same."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Upload
from ratings.files.written_days import DAY_LINE
from ratings.files.written_text import DAY_ABOVE
from tests.leagues.api.calls import browser
from tests.leagues.imports.sender import Sender

GENERAL = frozenset(
    ("blank", "control", "invalid", "invalid_choice", "max_length", "null", "required")
)
"""Codes that say nothing of what is wrong but at which field."""
SUBJECTS = {
    "played_at": "date",
    "played_on": "date",
    "played_time": "time",
    "places": "score",
}
"""What fields are about, where their names do not say it."""
ENDINGS = {"played": "", "walkover": " wo", "retirement": " ret", "unrated": " friendly"}
TOLD_OF_FILES = {
    "impossible_score": "by the score rule",
    "contradiction": "contradicts? the winner",
    "wrong_mode": "of the kind that",
    "uneven_sides": "more players on one side",
}
"""The words by which a file is warned of what may be a mistake, by the codes of the API."""
GOOD = (("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana"), ("Ana", "Cy"), ("Bo", "Ana"))
"""Results that stand above the one in a file."""


@dataclass(frozen=True)
class Said:
    """A result in the words of people; a side has its players between plus signs."""

    one: str = "Ana"
    two: str = "Bo"
    scores: tuple[str, str] | None = ("3", "1")
    winner: str = ""
    day: str = "2025-10-02"
    clock: str = ""
    kind: str = "played"
    detail: str = ""
    handicaps: tuple[str, str] = ("", "")

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        return self.one.split("+"), self.two.split("+")


STORED = "stored"
STORED_WITH = "stored with"
"""How a verdict begins where a program is told of what may be a mistake."""
ASKED = "asked"
"""How a verdict begins where a person has to confirm."""


def verdict(problems: Iterable[tuple[str, str]]) -> str:
    """The codes of what stands against a result, those about a field by what that is about."""
    codes = {_subject(field) if code in GENERAL else code for field, code in problems}
    return " ".join(sorted(codes)) or "no code"


def _asked(codes: Iterable[str]) -> str:
    """The verdict of what a person has to confirm, by the kinds of warnings."""
    return f"{ASKED} {' '.join(code.partition('-')[0] for code in codes)}"


def _subject(field: str) -> str:
    last = re.sub(
        r"^(score|one|two|handicap)_.*", lambda found: _typed(found[1]), field.rpartition(".")[2]
    )
    return SUBJECTS.get(last, last)


def _typed(prefix: str) -> str:
    return "name" if prefix in ("one", "two") else prefix


def organizer(league: League) -> Client:
    client = Client()
    client.force_login(league.memberships.get(role="organizer").user)
    return client


def by_night(league: League, said: Said) -> str:
    """Write the result as a line of the night sheet, and enter the sheet."""
    client, address = organizer(league), f"/l/{league.slug}/night/"
    hidden = r'<input type="hidden" name="(version|writer|key|checked)" value="([^"]*)"'
    fields = dict(re.findall(hidden, client.get(address).content.decode()))
    fields |= {"mode": league.modes.get().slug, "day": "2025-10-02", "text": _line(said)}
    checked = client.post(address, {**fields, "do": "check"})
    fields |= dict(re.findall(hidden, checked.content.decode()))
    if checked.status_code == 422:
        errors = checked.context["form"].errors.as_data()
        return verdict((field, one.code or "") for field, some in errors.items() for one in some)
    asked: dict[str, list[str]] = {}
    if names := [question.name for question in checked.context["page"].questions]:
        asked = {"asked": names, "answer": ["new"] * len(names)}
        checked = client.post(address, {**fields, **asked, "do": "check"})
        fields |= dict(re.findall(hidden, checked.content.decode()))
    page = checked.context["page"]
    response = client.post(address, {**fields, **asked, "do": "enter"})
    if response.status_code == 302:
        return STORED
    if checked.context["line_groups"]:
        return _asked(["mode"])
    if page.confirmations:
        return _asked(one.code for one in page.confirmations)
    codes = {problem.code for row in page.rows for problem in row.problems}
    # The match below a date that cannot be read has no date either.
    codes = {"date" if code == DAY_LINE else code for code in codes - {DAY_ABOVE}}
    return verdict(("line", code) for code in codes)


def _line(said: Said) -> str:
    mark = {"one": " > ", "two": " < ", "draw": " = ", "": " - "}[said.winner]
    one, two = map(_written, said.sides, said.handicaps)
    score = f" {'-'.join(said.scores)}" if said.scores else ""
    clock = f"{said.clock} " if said.clock else ""
    return f"@{said.day}\n{clock}{one}{mark}{two}{score}{ENDINGS[said.kind]}\n"


def _written(side: list[str], handicap: str) -> str:
    """The players of a side and its handicap, which always has a sign on a line."""
    names = " + ".join(side)
    return f"{names} {'' if handicap[0] in '+-−' else '+'}{handicap}" if handicap else names


def by_form(league: League, said: Said) -> str:
    """Send the form, and answer that unknown names are new players."""
    client, address = organizer(league), f"/l/{league.slug}/enter/"
    fields: dict[str, Any] = {
        f"{side}_{number}": name
        for side, names in zip(("one", "two"), said.sides, strict=True)
        for number, name in enumerate(names, 1)
    }
    scores = zip(("score_one", "score_two"), said.scores or ("", ""), strict=True)
    fields |= dict(scores) | {"outcome": said.winner or "score", "detail": said.detail}
    fields |= dict(zip(("handicap_one", "handicap_two"), said.handicaps, strict=True))
    fields |= {"played_on": said.day, "played_time": said.clock, "kind": said.kind}
    response = client.post(address, fields)
    if response.status_code == 422 and response.context.get("questions"):
        names = [question.name for question in response.context["questions"]]
        fields |= {"asked": names, "answer": ["new"] * len(names)}
        response = client.post(address, fields)
    if response.status_code == 302:
        return STORED
    assert response.status_code == 422
    if response.context.get("confirmations"):
        return _asked(one.code for one in response.context["confirmations"])
    errors = response.context["form"].errors.as_data()
    return verdict((field, one.code or "") for field, some in errors.items() for one in some)


def by_file(league: League, said: Said) -> str:
    """Send a table through the import pages, the result below others that are good."""
    sender = Sender(organizer(league), league)
    address = sender.checked(_table(said))
    report = Upload.objects.latest("pk").report or {}
    # What has to be agreed to is: a name of signs alone, a result with other sides.
    agreed = {"others_are_new": "on", "is_right_mode": "on", "may_repeat": "on"}
    answered = sender.answer(address, "write", **agreed)
    drain()
    if not report["errors"] and not report["problems"]:
        assert answered.status_code == 302
        # What a file is warned of is told in words.
        told = [
            code
            for code, words in TOLD_OF_FILES.items()
            if any(
                re.search(rf"{words}.*: lines? ([0-9]+, )*{len(GOOD) + 2}\.", note)
                for note in report["notes"]
            )
        ]
        return f"{STORED_WITH} {' '.join(told)}" if told else STORED
    assert answered.status_code == 422
    assert [error["line"] for error in report["errors"]] == [len(GOOD) + 2]
    return verdict(("row", error["code"]) for error in report["errors"])


def _table(said: Said) -> str:
    """A table of good results, and below them the one; only with the columns that it needs."""
    most = max(len(side) for side in said.sides)
    has_time, has_winner = bool(said.clock), bool(said.winner)
    has_handicaps = any(said.handicaps)
    head = [
        *("date", *(["time"] if has_time else [])),
        *(f"team{number} player{member}" for number in (1, 2) for member in range(1, most + 1)),
        *("score1", "score2", "comment", "detail", *(["winner"] if has_winner else [])),
        *(["handicap_points1", "handicap_points2"] if has_handicaps else []),
    ]

    def row(one: Said) -> list[str]:
        names = [[*side, *([""] * (most - len(side)))] for side in one.sides]
        winner = {"one": one.sides[0][0], "two": one.sides[1][0]}.get(one.winner, "draw")
        return [
            *(one.day, *([one.clock] if has_time else []), *names[0], *names[1]),
            *(*(one.scores or ("", "")), one.kind, one.detail, *([winner] if has_winner else [])),
            *(one.handicaps if has_handicaps else ()),
        ]

    good = [Said(one, two, winner="one", day="2026-01-05", clock="19:30") for one, two in GOOD]
    table = io.StringIO()
    csv.writer(table).writerows([head, *map(row, good), row(said)])
    return table.getvalue()


def by_api(league: League, said: Said) -> str:
    """Send the result as JSON, where new players are made."""
    ranks = {"one": (1, 2), "two": (2, 1), "draw": (1, 1), "": (1, 2)}[said.winner]
    values = [_json(score) for score in said.scores] if said.scores else [None, None]
    if not said.winner and all(isinstance(value, int) for value in values):
        ranks = (1, 1) if values[0] == values[1] else (1, 2) if values[0] > values[1] else (2, 1)
    body = {
        "sides": [
            {
                **{"rank": rank, "score": value, "players": [{"name": name} for name in side]},
                **({"handicap": _json(handicap)} if handicap else {}),
            }
            for rank, value, side, handicap in zip(
                ranks, values, said.sides, said.handicaps, strict=True
            )
        ],
        "kind": said.kind,
        "detail": said.detail,
        "create_players": True,
    }
    if said.clock:
        body["played_at"] = f"{said.day}T{said.clock}:00+00:00"
    else:
        body["played_on"] = said.day
    caller = browser(league.memberships.get(role="organizer").user)
    response = caller.send(f"leagues/{league.slug}/matches/", body)
    drain()
    if response.status_code == 201:
        told = [warning["code"] for warning in json.loads(response.content)["warnings"]]
        return f"{STORED_WITH} {' '.join(told)}" if told else STORED
    assert response.status_code in (400, 422), response.content
    problem = json.loads(response.content)
    errors = problem["errors"] or [{"field": "", "code": problem["code"]}]
    return verdict((error["field"], error["code"]) for error in errors)


def _json(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?(0|[1-9][0-9]{0,4000})", text) else text


DOORS: dict[str, Callable[[League, Said], str]] = {
    "night": by_night,
    "form": by_form,
    "file": by_file,
    "api": by_api,
}
