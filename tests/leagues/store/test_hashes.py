"""Hashes of matches are those of JSON, whoever writes it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.store.hashes import hash_match, micros

WORDS = st.text(max_size=12)
WHOLE = st.integers(-(2**53), 2**53)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
MOMENTS = st.datetimes(datetime(1800, 1, 1), datetime(2199, 1, 1), timezones=st.just(UTC))
MEMBERS = st.tuples(WORDS, st.none() | WHOLE, FLOATS)
SIDES = st.tuples(
    st.integers(1, 9),
    st.none() | WHOLE,
    st.lists(MEMBERS, min_size=1, max_size=3, unique_by=lambda one: one[0]),
)
EVENTS = st.tuples(WORDS, WORDS, st.none() | WORDS, FLOATS, st.none() | WHOLE)
FIELDS = st.fixed_dictionaries(
    {
        "league_id": WHOLE,
        "mode_id": WHOLE,
        "played_at": MOMENTS,
        "date_only": st.booleans(),
        "same_time_order": WHOLE,
        "kind": WORDS,
        "weight": FLOATS | st.integers(1, 9),
        "detail": WORDS,
        "source": WORDS,
        "external_id": st.none() | WORDS,
        "payload_hash": WORDS,
        "recorded_at": MOMENTS,
        "sets": st.just(""),
        **dict.fromkeys(("started_at", "deadline_at"), st.none() | MOMENTS),
        "rungs_lost": st.integers(0, 2),
    }
)
LEAVING = st.lists(st.tuples(WORDS, st.integers(0, 2)), max_size=2)


def encoded(fields: dict[str, Any], sides: Any, events: Any, leaving: Any, handicaps: Any) -> bytes:
    """The hash of what the standard library's encoder writes; of no start as if none could be."""
    ordered = sorted(
        (
            (rank, score, sorted((key, own, float(share)) for key, own, share in members))
            for rank, score, members in sides
        ),
        key=lambda side: (side[0], side[2][0][0]),
    )
    said = [
        *(fields["league_id"], fields["mode_id"], micros(fields["played_at"])),
        *(fields["date_only"], fields["same_time_order"], fields["kind"]),
        *(float(fields["weight"]), fields["detail"], fields["source"], fields["external_id"]),
        *(fields["payload_hash"], micros(fields["recorded_at"]), ordered),
    ]
    if events:
        said.append(events)
    moments = [fields["started_at"], fields["deadline_at"]]
    if leaving or fields["rungs_lost"] or moments != [None, None]:
        started = [None if at is None else micros(at) for at in moments]
        gone = sorted(leaving)
        said.append({"leaving": gone, "rungs": fields["rungs_lost"], "started": started})
    if any(handicaps):
        beside = zip(sides, handicaps, strict=True)
        places = sorted((side[0], min(side[2])[0], points) for side, points in beside)
        said.append({"handicaps": [points for *_place, points in places]})
    text = json.dumps(said, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


@given(
    FIELDS,
    st.lists(SIDES, min_size=1, max_size=3, unique_by=lambda side: min(side[2])[0]),
    st.lists(EVENTS, max_size=2),
    LEAVING,
    st.lists(st.integers(-4000, 4000), min_size=3, max_size=3),
    st.booleans(),
)
def test_a_hash_is_that_of_the_encoded_content(fields, sides, events, leaving, points, has_any):
    handicaps = points[: len(sides)] if has_any else ()
    said = fields, sides, events, leaving
    assert hash_match(*said, handicaps) == encoded(*said, handicaps)
    assert hash_match(*said, [0] * len(sides)) == hash_match(*said)


@pytest.mark.parametrize("forged", [True, "1", 1.0, None])
def test_a_rank_of_another_type_has_another_hash(forged):
    fields = {
        **dict.fromkeys(("league_id", "mode_id", "same_time_order"), 1),
        **dict.fromkeys(("kind", "detail", "source", "external_id", "payload_hash", "sets"), ""),
        **dict.fromkeys(("played_at", "recorded_at"), datetime(2026, 1, 1, tzinfo=UTC)),
        **dict.fromkeys(("started_at", "deadline_at"), None),
        "date_only": False,
        "weight": 1.0,
        "rungs_lost": 0,
    }
    one = hash_match(fields, [(1, 3, [("ana", None, 1.0)])])
    assert hash_match(fields, [(forged, 3, [("ana", None, 1.0)])]) != one


def test_what_is_no_number_has_no_hash():
    fields = {"weight": float("nan"), "league_id": 1, "mode_id": 1, "date_only": False}
    with pytest.raises((ValueError, KeyError)):
        hash_match(fields, [(1, None, [("ana", None, float("inf"))])])


def test_the_hour_that_comes_twice_has_two_instants_an_hour_apart():
    earlier = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Oslo"))
    later = earlier.replace(fold=1)
    assert earlier == later
    assert micros(later) - micros(earlier) == 3_600_000_000
