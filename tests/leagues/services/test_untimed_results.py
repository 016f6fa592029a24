"""Results without a time: they count after what they follow, on every way to enter them."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from leagues.jobs.runner import drain
from leagues.models import Match, Revision
from leagues.services.entry import Entered, enter_results
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.errors import Refused
from leagues.services.started_matches import lose_overdue
from tests.leagues.play import START, mode_of, season_of
from tests.leagues.services.test_started_matches import (
    DAY,
    HOUR,
    LATE,
    PROGRAM,
    assert_sound,
    club_of,
    kind_of,
    played,
    start,
)

pytestmark = pytest.mark.django_db


def untimed(one: str, other: str, *, days: int = 0, **more: object) -> MatchEntry:
    sides = tuple(
        SideEntry(rank, None, (PlayerEntry(name=name),)) for rank, name in ((1, one), (2, other))
    )
    midnight = START.replace(hour=0, minute=0) + days * DAY
    return MatchEntry(midnight, sides, date_only=True, **more)  # type: ignore[arg-type]


def enter(club, *entries: MatchEntry, sent=START + 4 * HOUR) -> Entered:  # type: ignore[no-untyped-def]
    with time_machine.travel(sent, tick=False):
        return enter_results(
            season=season_of(club),
            mode=mode_of(club),
            entries=entries,
            enterer=PROGRAM,
            kind=Revision.Kind.API,
            answers=Answers(creates_players=True),
        )


def test_the_result_of_a_started_match_counts_from_its_start() -> None:
    club = club_of()
    played(club, "Bo", "Cy", at=START - HOUR)
    begun = start(club, "Ana", "Bo").match
    drain()
    entered = enter(club, untimed("Ana", "Bo"))
    (match,) = entered.matches
    match.refresh_from_db()
    assert (match.played_at, match.date_only) == (START, False)
    assert kind_of(begun) == Match.Kind.ENDED
    order = Match.objects.results().order_by("played_at", "same_time_order", "seq")
    assert [one.seq for one in order] == [1, 3], "what was rated before its start still is"
    assert_sound(club)


def test_what_is_entered_below_it_counts_after_it() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    one, two, three = enter(
        club, untimed("Cy", "Dee"), untimed("Ana", "Bo"), untimed("Bo", "Ana")
    ).matches
    assert one.date_only
    assert (two.played_at, three.played_at) == (START, START)
    assert two.seq < three.seq  # type: ignore[operator]


def test_results_of_other_days_and_players_stay_at_the_beginning_of_their_day() -> None:
    club = club_of("elo")
    begun = start(club, "Ana", "Bo").match
    entered = enter(club, untimed("Ana", "Cy"), untimed("Ana", "Bo", days=1), sent=START + DAY)
    assert all(match.date_only for match in entered.matches)
    assert kind_of(begun) == Match.Kind.ENDED, "it was open on the next day, too"


def test_a_loss_is_taken_back_by_a_result_of_its_day() -> None:
    club = club_of("elo")
    begun = start(club, "Ana", "Bo").match
    lose_overdue(LATE)
    assert kind_of(begun) == Match.Kind.LEFT
    (match,) = enter(club, untimed("Ana", "Bo"), sent=LATE).matches
    assert match.played_at == START
    assert kind_of(begun) == Match.Kind.ENDED
    assert_sound(club)


def test_sent_again_it_is_there_already() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    entry = untimed("Ana", "Bo", external_id="a1")
    first = enter(club, entry)
    again = enter(club, entry, sent=START + 5 * HOUR)
    assert (again.already_there, again.matches[0].pk) == (1, first.matches[0].pk)
    with pytest.raises(Refused):
        enter(club, untimed("Bo", "Ana", external_id="a1"))
    with pytest.raises(Refused):
        enter(club, untimed("Ana", "Bo", days=1, external_id="a1"), sent=START + DAY)


def test_what_is_sent_with_one_that_is_there_counts_after_it() -> None:
    """A program that sends the whole evening again and again gets the order of one sending."""
    club = club_of("elo")
    start(club, "Ana", "Bo")
    first, second = (
        untimed("Ana", "Bo", external_id="a1"),
        untimed("Bo", "Ana", external_id="a2"),
    )
    enter(club, first)
    one, two = enter(club, first, second).matches
    assert (one.played_at, two.played_at, two.date_only) == (START, START, False)
    assert one.seq < two.seq  # type: ignore[operator]
    assert enter(club, first, second).already_there == 2
    assert_sound(club)


@pytest.mark.parametrize(("count", "hours"), [(1, [1]), (2, [0, 1]), (3, [0, 1, 1])])
def test_several_results_end_several_matches_of_the_same_players(
    count: int, hours: list[int]
) -> None:
    """One result is that of the last match; two are those of both, in their order."""
    club = club_of("elo")
    begun = [start(club, "Ana", "Bo", at=START + number * HOUR).match for number in (0, 1)]
    entries = [untimed("Ana", "Bo"), untimed("Bo", "Ana"), untimed("Ana", "Bo")][:count]
    moments = [match.played_at for match in enter(club, *entries).matches]
    assert moments == [START + number * HOUR for number in hours]
    lose_overdue(LATE)
    kinds = [kind_of(one) for one in begun]
    assert kinds == [Match.Kind.LEFT if count == 1 else Match.Kind.ENDED, Match.Kind.ENDED]
    assert_sound(club)


def test_a_line_below_a_time_counts_after_it_and_never_before_its_start() -> None:
    club = club_of("elo")
    begun = start(club, "Ana", "Bo").match
    early, late = START - HOUR, START + timedelta(minutes=30)
    entries = [
        untimed("Cy", "Dee", follows=early),
        untimed("Ana", "Bo", follows=early),
        untimed("Cy", "Dee", follows=late),
    ]
    matches = enter(club, *entries).matches
    assert [match.played_at for match in matches] == [early, START, late]
    assert kind_of(begun) == Match.Kind.ENDED
