"""What part of a board is asked for: the words of an address, cleaned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, auto
from urllib.parse import urlencode

from leagues.domain.age_classes import UnreadableClass, read_class
from leagues.models import PlayerGroup
from leagues.models.checks import FIRST_INSTANT
from ratings.files.names import fold_name

CERTAINTIES = {"any": 0, "fairly": 1, "sure": 2}
"""The words of the filter, and how sure it asks at least (a position in `bridge` levels)."""

LISTS = ("ranked", "unranked", "inactive")
PLAYING = "playing"
"""Who is ranked and who waits for it in one list, where hardly anyone is ranked; no address."""
FORMER_LISTS = {"waiting": "unranked", "away": "inactive"}
"""What addresses of pages called them once; links to them still lead there."""
SINCE = ("night", "visit", "7", "30", "season")
MOST_PAGE, MOST_RESULTS, MOST_DAYS = 99_999, 9_999, 3_660
MOST_HALF = 1e9
AGE = "age"
"""The kind of group that age classes are in an address."""
MOST_FOLDED = PlayerGroup._meta.get_field("folded").max_length or 0
MOST_GROUP = max(map(len, PlayerGroup.Kind.values)) + 1 + MOST_FOLDED
"""A group as an address has it: its kind, a colon and its name, which is longer once folded."""


class DayProblem(Enum):
    """Why a day has no standings of its own: those of today are shown instead."""

    NO_DAY = auto()
    IN_THE_FUTURE = auto()
    TOO_EARLY = auto()


@dataclass(frozen=True, slots=True)
class StandingsQuery:
    """What part of a board is asked for; words of an address, cleaned."""

    sure: str = "any"
    query: str = ""
    group: str = ""
    """Only who belongs to a group: its kind and, folded, its name, as `club:riverside`; or to an
    age class, as `age:u15`."""
    active: int = 0
    """Only who played within so many days; 0: whoever is not inactive."""
    most: float | None = None
    """Only whose range reaches so far to each side at most."""
    least: int = 0
    """Only who has so many results at least."""
    listed: str = "ranked"
    page: int = 1
    on: date | None = None
    since: str = "night"
    problem: DayProblem | None = None
    """Why the day of the address is not the one shown."""

    @classmethod
    def from_address(cls, words: Mapping[str, str], today: date) -> StandingsQuery:
        """The query of an address; what makes no sense is left out, a wrong day is reported."""
        on, problem = _day(words.get("on", ""), today)
        listed = words.get("list", "")
        return cls(
            sure=_one_of(words.get("sure", ""), tuple(CERTAINTIES)),
            query=words.get("q", "").replace("\x00", "").strip()[:64],
            group=_group(words.get("group", "")),
            active=_whole(words.get("active", ""), MOST_DAYS),
            most=_half(words.get("most", "")),
            least=_whole(words.get("least", ""), MOST_RESULTS),
            listed=_one_of(FORMER_LISTS.get(listed, listed), LISTS),
            page=_whole(words.get("page", ""), MOST_PAGE) or 1,
            on=on,
            since=_one_of(words.get("since", ""), SINCE),
            problem=problem,
        )

    def parameters(self) -> dict[str, str]:
        """The address parameters that say the same, but for the page."""
        words = {
            "sure": "" if self.sure == "any" else self.sure,
            "q": self.query,
            "group": self.group,
            "active": str(self.active or ""),
            "most": "" if self.most is None else f"{self.most:g}",
            "least": str(self.least or ""),
            "list": "" if self.listed == "ranked" else self.listed,
            "on": self.on.isoformat() if self.on else "",
            "since": "" if self.since == "night" else self.since,
        }
        return {name: value for name, value in words.items() if value}

    @property
    def shared_query(self) -> str:
        """The part of it that another board shows too, behind an address."""
        words = replace(self, most=None, listed="ranked").parameters()
        return f"&{urlencode(words)}" if words else ""

    @property
    def narrows(self) -> bool:
        """Whether it leaves anybody out."""
        return bool(self.hides or self.query or self.active or self.group)

    @property
    def hides(self) -> bool:
        """Whether it leaves out people for how sure their ratings are."""
        return self.sure != "any" or self.most is not None or bool(self.least)


def _one_of(text: str, words: tuple[str, ...]) -> str:
    return text if text in words else words[0]


def _group(text: str) -> str:
    if not text:
        return ""
    kind, _colon, name = text.replace("\x00", "").strip().partition(":")
    if kind == AGE:
        return _age_class(name)
    folded = fold_name(name.strip()[:MOST_FOLDED])
    return f"{kind}:{folded}" if kind in PlayerGroup.Kind.values and folded else ""


def _age_class(text: str) -> str:
    """A class by its word; a plus that nobody encoded is a space by now."""
    name = text.strip()
    try:
        return f"{AGE}:{read_class(f'{name}+' if name.isdecimal() else name).word}"
    except UnreadableClass:
        return ""


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return 0
    return min(int(text), most)


def _half(text: str) -> float | None:
    try:
        half = float(text) if text.isascii() and len(text) <= 16 else -1.0
    except ValueError:
        return None
    return half if 0.0 <= half <= MOST_HALF else None


def _day(text: str, today: date) -> tuple[date | None, DayProblem | None]:
    if not text:
        return None, None
    try:
        on = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        on = None
    if on is None:
        return None, DayProblem.NO_DAY
    if on > today:
        return None, DayProblem.IN_THE_FUTURE
    if on < FIRST_INSTANT.date():
        return None, DayProblem.TOO_EARLY
    return (None if on == today else on), None
