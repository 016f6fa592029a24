"""Section 5 of the reliability page: each bad result through every way in, with one verdict.

A way in that cannot say something is left out of its row, and one that decides otherwise is named
with the reason. `test_bad_requests.py` has what is more than one match, and says where the rows
are that are in neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from leagues.domain.score_rules import read_rule
from leagues.models import League, Match, Mode, PlayerAlias, Season
from leagues.services.integrity import league_digest
from leagues.services.leagues import update_league
from leagues.services.modes import change_played_by, change_score_rule
from tests.leagues.doors import ASKED, DOORS, STORED, STORED_WITH, Said
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db

PlayedBy = Mode.PlayedBy
TYPED = ("form", "file", "api")
"""The ways in with a field for each thing: a line of the night sheet cannot say everything."""
LOCAL = ("night", "form", "file")
"""The ways in with local times: a program sends the offset."""


@dataclass(frozen=True)
class Row:
    """One bad result, and the code by which it is refused, if it is."""

    said: Said
    code: str = STORED
    doors: tuple[str, ...] = tuple(DOORS)
    otherwise: dict[str, str] = field(default_factory=dict)
    """The codes of ways in that decide otherwise."""
    rules: dict[str, Any] = field(default_factory=dict)
    scores: str = ""
    """The score rule of the mode."""
    played_by: str = PlayedBy.ANYONE
    """Who plays in the mode."""

    def code_at(self, door: str) -> str:
        return self.otherwise.get(door, self.code)


def scored(one: str, two: str = "1", **words: Any) -> Said:
    return Said(scores=(one, two), **words)


def impossible(said: Said, scores: str, doors: tuple[str, ...] = tuple(DOORS)) -> Row:
    """A score that people are asked about, and programs are told of."""
    told = dict.fromkeys(("file", "api"), f"{STORED_WITH} impossible_score")
    return Row(said, f"{ASKED} score", doors, told, scores=scores)


def contradictory(said: Said, scores: str = "") -> Row:
    """A winner against the score, whom people are asked about, and programs are told of."""
    told = dict.fromkeys(("file", "api"), f"{STORED_WITH} contradiction")
    return Row(said, f"{ASKED} contradiction", otherwise=told, scores=scores)


def given(
    one: str, two: str = "", code: str = STORED, otherwise: dict[str, str] | None = None
) -> Row:
    """Handicaps; on a line of the night sheet what is no whole number is none."""
    is_whole = all(re.fullmatch(r"[+−-]?[0-9]*", text) for text in (one, two))
    doors = tuple(DOORS) if is_whole else TYPED
    return Row(Said(handicaps=(one, two)), code, doors, otherwise or {})


def of_another_mode(said: Said, played_by: str, doors: tuple[str, ...] = tuple(DOORS)) -> Row:
    """A result with other sides than the mode is for: people are asked, and programs are told."""
    told = dict.fromkeys(("file", "api"), f"{STORED_WITH} wrong_mode")
    return Row(said, f"{ASKED} mode", doors, told, played_by=played_by)


NO_DRAWS = {"draws_allowed": False}
NO_NEGATIVES = {"negative_scores": False}
ROWS = {
    "B-15 a negative score": Row(scored("-1"), "score_negative", TYPED, rules=NO_NEGATIVES),
    "B-15 a negative score where allowed": Row(scored("-1"), STORED, TYPED),
    "B-16 nil all": Row(scored("0", "0")),
    "B-16 nil all without draws": Row(scored("0", "0"), "draw", rules=NO_DRAWS),
    "B-17 a draw where there are none": Row(
        Said(scores=None, winner="draw"), "draw", ("night", "api"), rules=NO_DRAWS
    ),
    "B-18 no number": Row(scored("nan"), "score", TYPED),
    "B-18 infinity": Row(scored("Infinity"), "score", TYPED),
    "B-18 an exponent": Row(scored("1e400"), "score", TYPED),
    "B-19 a truth": Row(scored("true"), "score", TYPED),
    "B-19 an underscore": Row(scored("1_000"), "score", TYPED),
    "B-19 digits of another script": Row(scored("٣"), "score", TYPED),
    "B-19 a fraction": Row(scored("1.9"), "score", TYPED),
    "B-19 hexadecimal": Row(scored("0x10"), "score", TYPED),
    # Spreadsheets write whole numbers so.
    "B-19 a whole number with a point": Row(scored("3.0"), "score", TYPED, {"file": STORED}),
    # People and spreadsheets leave blanks around numbers; a program has no reason to.
    "B-19 blanks": Row(scored(" 3 "), "score", TYPED, {"form": STORED, "file": STORED}),
    "B-19 a plus": Row(scored("+3"), "score", TYPED, {"form": STORED, "file": STORED}),
    "B-20 thirty zeros in front": Row(
        scored(f"{'0' * 30}3"), "score", TYPED, {"form": STORED, "file": STORED}
    ),
    "B-20 too large by one": Row(scored("1000000"), "score_range"),
    "B-20 2^31": Row(scored("2147483648"), "score_range"),
    # So many digits are not read at all (B-57).
    "B-20 thousands of digits": Row(
        scored("9" * 4000), "score_range", TYPED, {"api": "parse_error"}
    ),
    "B-21 oneself": Row(Said(two="Ana"), "player_twice"),
    "B-21 oneself in capitals": Row(Said(two="ANA"), "player_twice"),
    "B-22 twice in a team": Row(Said("Ana+Ana", "Bo+Cy"), "player_twice"),
    "B-22 in both teams": Row(Said("Ana+Bo", "Ana+Cy"), "player_twice"),
    "B-23 oneself by another name": Row(Said(two="Annie"), "player_twice"),
    "B-24 an empty side": Row(Said(two=""), "name", TYPED),
    "B-25 two against three": Row(Said("Ana+Bo", "Cy+Dee+Eve")),
    # A winner or a rank decides, and the score beside it is kept.
    "B-27 a draw against the score": contradictory(scored("3", "1", winner="draw")),
    "B-28 a winner against the score": contradictory(scored("1", "3", winner="one")),
    "B-28 a winner of a level score": contradictory(scored("2", "2", winner="two")),
    "B-28 a winner against the score of a rule": contradictory(
        scored("1", "3", winner="one"), "sets 5"
    ),
    "B-28 a winner against a score that can't be": Row(
        scored("1", "2", winner="one"),
        f"{ASKED} score contradiction",
        otherwise=dict.fromkeys(("file", "api"), f"{STORED_WITH} impossible_score contradiction"),
        scores="sets 5",
    ),
    "B-28 a friendly's winner against the score": contradictory(
        scored("1", "3", winner="one", kind="unrated")
    ),
    "B-28 a retirement of the side that led": Row(
        scored("1", "3", winner="one", kind="retirement")
    ),
    "a possible score": Row(scored("11", "9"), scores="points to 11+2"),
    "a game that isn't over": impossible(scored("9", "7"), "points to 11+2"),
    "one point clear": impossible(scored("11", "10"), "points to 11+2"),
    "beyond the end": impossible(scored("12", "3"), "points to 10"),
    "too few sets": impossible(scored("2", "1"), "sets 5"),
    "level sets": impossible(scored("2", "2"), "sets 5"),
    "level frames that are a draw": Row(scored("4", "4"), scores="frames 8"),
    "too many frames": impossible(scored("5", "4"), "frames 8"),
    "a set that can't be": impossible(
        scored("3", "0", detail="11-9 11-10 11-3"), "sets 5 to 11+2", TYPED
    ),
    "sets of another score": impossible(
        scored("3", "1", detail="11-9 11-7 11-3"), "sets 5 to 11+2", TYPED
    ),
    "an impossible score of a friendly": impossible(
        scored("4", "1", kind="unrated"), "sets 5", TYPED
    ),
    "a score on the way of a retirement": Row(
        scored("2", "1", kind="retirement"), scores="sets 5", doors=TYPED
    ),
    "a walkover without a score": Row(
        Said(scores=None, winner="one", kind="walkover"), scores="sets 5", doors=("night", *TYPED)
    ),
    "two players": Row(Said(), played_by=PlayedBy.TWO_PLAYERS),
    "two teams": Row(Said("Ana+Bo", "Cy+Dee"), played_by=PlayedBy.TWO_TEAMS),
    "one against two, where teams play": Row(
        Said("Ana", "Bo+Cy"),
        f"{ASKED} sides",
        tuple(DOORS),
        dict.fromkeys(("file", "api"), f"{STORED_WITH} uneven_sides"),
        played_by=PlayedBy.TWO_TEAMS,
    ),
    "a doubles where two players play": of_another_mode(
        Said("Ana+Bo", "Cy+Dee"), PlayedBy.TWO_PLAYERS
    ),
    "one against two, where two players play": of_another_mode(
        Said("Ana", "Bo+Cy"), PlayedBy.TWO_PLAYERS
    ),
    "a friendly doubles where two players play": of_another_mode(
        Said("Ana+Bo", "Cy+Dee", kind="unrated"), PlayedBy.TWO_PLAYERS
    ),
    "a single where teams play": of_another_mode(Said(), PlayedBy.TWO_TEAMS),
    "two sides where several play": of_another_mode(Said(), PlayedBy.SEVERAL),
    "a handicap": given("64"),
    "a handicap that takes points off": given("-64"),
    "handicaps on both sides": given("64", "-4000"),
    "the same handicap on both sides": given("64", "64"),
    "no handicap": given("0"),
    "a handicap too large by one": given("4001", code="handicap"),
    "a handicap too small by one": given("", "-4001", code="handicap"),
    "a handicap of 10^9": given("1000000000", code="handicap"),
    "a handicap that is no number": given("nan", code="handicap"),
    "an infinite handicap": given("Infinity", code="handicap"),
    "a handicap with an exponent": given("1e9", code="handicap"),
    "a handicap in words": given("two stones", code="handicap"),
    "a handicap that is a truth": given("true", code="handicap"),
    "a fraction of a point as handicap": given("64.5", code="handicap"),
    "a handicap of other digits": given("٣", code="handicap"),
    "bad handicaps on both sides": given("abc", "4001", code="handicap"),
    # People and spreadsheets write these; a program has no reason to.
    "a handicap with a plus": given("+64", code="handicap", otherwise=dict.fromkeys(LOCAL, STORED)),
    "a handicap with a minus sign": given(
        "−64", code="handicap", otherwise=dict.fromkeys(LOCAL, STORED)
    ),
    "B-31 the future": Row(Said(day="2126-01-07"), "in_future"),
    "B-32 long before there were results": Row(Said(day="1700-01-01"), "out_of_range"),
    "B-32 year 1": Row(Said(day="0001-01-01"), "out_of_range"),
    # The sheet says both, the first of them at the line of the day.
    "B-32 a year after the last": Row(
        Said(day="2200-01-01"), "out_of_range", otherwise={"night": "in_future out_of_range"}
    ),
    "B-33 year 10000": Row(Said(day="10000-01-01"), "date"),
    "B-34 a time that was skipped": Row(
        Said(day="2026-03-29", clock="01:30"), "skipped_time", LOCAL
    ),
    "B-35 30 February": Row(Said(day="2026-02-30"), "date"),
    "B-35 month 13": Row(Said(day="2026-13-01"), "date"),
    "B-35 a week": Row(Said(day="2026-W02-3"), "date"),
    "B-35 Unix time": Row(Said(day="1759341000000"), "date"),
    "B-35 a leap second": Row(Said(clock="23:59:60"), "time", ("form", "file")),
    "B-35 a time of other digits": Row(Said(clock="٠١:٣٠"), "time", ("form", "file")),
    "B-35 a minute of one digit": Row(Said(clock="1:5"), "time", ("form", "file")),
    "B-19 B-35 a date of other digits": Row(Said(day="٢٠٢٥-10-01"), "date"),
    # A file is asked once which of its numbers is the month.
    "B-73 day or month first": Row(Said(day="01/02/2026"), "date", ("night", "form", "api")),
    "B-73 a serial number": Row(Said(day="46054"), "date"),
    # People and spreadsheets leave zeros out; a program has no reason to.
    "B-73 digits left out": Row(Said(day="2026-1-2"), STORED, otherwise={"api": "date"}),
    "B-36 before the season": Row(Said(day="2024-01-05"), "outside_season"),
    # Codes are taken out of the names of logs only: here they are letters, which can be seen.
    "B-48 colour codes": Row(Said(two="^1Zed^7"), STORED, ("form", "file", "api")),
    "B-48 colour codes alone": Row(Said(two="^1" * 32), STORED, TYPED),
    "B-48 more colour codes than letters": Row(Said(two="^1" * 1000), "name", TYPED),
    "B-48 a code that is none": Row(Said(two="^xZZZ")),
    "B-48 a section sign": Row(Said(two="§kZed")),
    "B-48 an escape character": Row(Said(two="a\x1b[31mb"), "name", otherwise={"night": "line"}),
    "B-49 blank": Row(Said(two="\u00a0"), "name", TYPED),
    "B-49 an isolate": Row(Said(two="a\u2066b"), "name"),
    "B-49 a line separator": Row(Said(two="a\u2028b"), "name", otherwise={"night": "line"}),
    "B-50 full width": Row(Said(two="Ａｎａ"), "player_twice"),
    # On a night sheet, a name that looks the same as a player's is that player's.
    "B-50 a Cyrillic twin": Row(Said(two="Аna"), "name_taken", otherwise={"night": "player_twice"}),
    "B-50 a ligature": Row(Said(two="ﬁn")),
    "B-50 sharp s": Row(Said(two="Weiß")),
    "B-50 a Turkish capital": Row(Said(two="İnan")),
    "B-49 right to left": Row(Said(two="a\u202eb"), "name"),
    "B-49 invisible": Row(Said(two="\u200b\u200b"), "name"),
    "B-49 a filler": Row(Said(two="\u3164"), "name"),
    "B-49 a soft hyphen": Row(Said(two="a\u00adb"), "name"),
    "B-51 Zalgo": Row(Said(two="a" + "\u0301" * 9), "name"),
    "B-51 a flag": Row(Said(two="🇩🇪")),
    "B-51 twenty skin tones": Row(Said(two="👍🏽" * 20)),
    # A file is refused as a whole (B-69).
    "B-52 a null character": Row(
        Said(two="a\0b"),
        "line",
        ("night", "form", "api"),
        {"form": "null_characters_not_allowed", "api": "parse_error"},
    ),
    "B-52 a private character": Row(Said(two="a\ue000b"), "name"),
    "B-52 no character": Row(Said(two="a\uffffb"), "name"),
    "B-51 an emoji family": Row(Said(two="👨\u200d👩\u200d👧")),
    "B-53 a long name": Row(Said(two="x" * 65), "name"),
    "B-53 a very long name": Row(Said(two="x" * 4000), "name", TYPED),
    "B-47 markup": Row(Said(two="<script>alert(1)</script>"), STORED, TYPED),
    "B-54 null": Row(Said(two="null")),
    "B-54 a statement": Row(Said(two="'; DROP TABLE x"), STORED, TYPED),
    "B-54 a path": Row(Said(two="../"), STORED, TYPED),
    "B-54 None": Row(Said(two="None")),
    "B-54 NaN": Row(Said(two="NaN")),
    # Only addresses of leagues are reserved (B-12): a player may have any name that can be read.
    "B-54 admin": Row(Said(two="admin")),
    "B-54 a dash": Row(Said(two="-"), STORED, TYPED),
    "B-54 a number": Row(Said(two="0"), STORED, TYPED),
    "B-54 an encoded null": Row(Said(two="%00"), STORED, TYPED),
    "B-54 a formula": Row(Said(two="=HYPERLINK(1)"), STORED, TYPED),
    # Files keep details as a line in which everything can be seen, and no longer than it may be.
    "B-52 details turned round": Row(Said(detail="\u202e6:4"), "detail", TYPED, {"file": STORED}),
    "a long detail": Row(Said(detail="x" * 201), "detail", TYPED, {"file": STORED}),
    # In a comment, only words for kinds count.
    "an unknown kind": Row(Said(kind="cancelled"), "kind", TYPED, {"file": STORED}),
    "a walkover of nobody": Row(
        Said(scores=None, winner="draw", kind="walkover"), "walkover_draw", TYPED
    ),
}


@pytest.fixture
def club() -> League:
    cache.clear()
    league = new_club(owner=make_user("kim"))
    record(
        league, *(result(league, one, two, at=START) for one, two in (("Ana", "Bo"), ("Cy", "Dee")))
    )
    PlayerAlias.objects.create(
        league=league, player=league.players.get(key="ana"), name="Annie", folded="annie"
    )
    Season.objects.update(starts_at=league.midnight(START.date().replace(month=1, day=1)))
    return league


@pytest.mark.parametrize("name", ROWS)
def test_every_way_in_has_the_same_verdict_and_nothing_moves(club: League, name: str) -> None:
    row = ROWS[name]
    update_league(league=club, changes=row.rules, actor=None)
    change_score_rule(mode=club.modes.get(), rule=read_rule(row.scores), actor=None)
    change_played_by(mode=club.modes.get(), played_by=row.played_by, actor=None)
    before = league_digest(club), club.players.count(), Match.objects.count()
    verdicts = {}
    for door in row.doors:
        with transaction.atomic():
            verdicts[door] = DOORS[door](club, row.said)
            after = league_digest(club), club.players.count(), Match.objects.count()
            assert (after != before) is verdicts[door].startswith(STORED), door
            transaction.set_rollback(True)
        cache.clear()
    expected = {door: row.code_at(door) for door in row.doors}
    assert verdicts == expected
