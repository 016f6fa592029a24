"""Started matches on pages: the button, the pending loss, the result, calling off."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Match, Membership, Mode, Player
from leagues.services.leagues import add_board, add_mode
from leagues.services.started_matches import lose_overdue
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def built_kim(shared_rows: None) -> User:
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim: User) -> League:
    league = new_club(owner=built_kim)
    season_of(league).boards.all().delete()
    for system in ("elo", "becker"):
        add_board(season=season_of(league), mode=mode_of(league), system=system)
    now = timezone.now() - timedelta(days=5)
    drafts = [result(league, "Ana", other, at=now) for other in ("Bo", "Cy")]
    record(league, *drafts, by=built_kim)
    return league


club = read_anew("built_club")


def started(organizer: Client, one: str = "ana", other: str = "bo") -> str:
    """Start a match on the compare page, and return the address that it leads to."""
    page = text(organizer, f"/l/club/compare/?a={one}&b={other}")
    assert "Start this match" in page
    form_id = re.search(r'name="form_id" value="([^"]+)"', page)
    assert form_id
    fields = {
        "a": one,
        "b": other,
        "form_id": form_id[1],
        "seen_open": re.findall(r'name="seen_open" value="([^"]+)"', page),
    }
    sent = organizer.post("/l/club/start/", fields)
    assert sent.status_code == 302
    return sent["Location"]


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_pending_loss_stands_on_every_page(organizer: Client) -> None:
    """Ana has won twice by K 40: 1520, then 40/(1 + 10^(20/400)) more, so 1538.85; Bo has 1480.

    Against him she loses 40/(1 + 10^(-58.85/400)) = 23.36 of that: 1515.49, shown as 24 less; and
    he 16.64.
    """
    address = started(organizer)
    drain()
    page = text(organizer, address)
    assert "Ana v Bo" in page
    assert "has no result yet" in page
    losses = re.findall(rf'<td class="num mute">({MINUS}\d+)</td>', page)
    assert losses == [f"{MINUS}24", f"{MINUS}17"]
    assert "Not on the board" in page
    assert re.search(rf"{MINUS}24 <span[^>]*>while a match is open", text(organizer, "/l/club/"))
    profile = text(organizer, "/l/club/p/ana/")
    assert "Open match against Bo" in profile
    assert f"{MINUS}24 while it is open" in profile
    results = text(organizer, "/l/club/results/")
    assert f"{losses[0]} / {losses[1]} while it is open" in results
    assert results.count("started") == 1


def test_results_show_the_pending_loss_whatever_stands_first_in_the_league(
    club: League, organizer: Client
) -> None:
    started(organizer)
    drain()
    blitz = mode_of(club)
    add_mode(league=club, name="Rapid", actor=None)
    Mode.objects.filter(pk=blitz.pk).update(position=9)
    assert f"{MINUS}24 / {MINUS}17 while it is open" in text(organizer, "/l/club/results/")


def test_from_start_to_forfeit_to_late_result(organizer: Client) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=3)):
        address = started(organizer)
    lose_overdue(timezone.now())
    drain()
    page = text(organizer, address)
    assert "Ana and Bo left their match" in page
    assert "counts as lost by who left it" in page
    assert "lost by leaving" in page
    assert "Left" in text(organizer, "/l/club/p/ana/")
    assert "while" not in text(organizer, "/l/club/results/")
    link = re.search(r'<a class="btn main" href="([^"]+)">Enter its result', page)
    assert link
    form_address = html.unescape(link[1])
    form = text(organizer, form_address)
    assert 'value="Ana"' in form
    day = re.search(r"on=([0-9-]+)", form_address)
    assert day
    said = {
        **{"one_0": "Ana", "two_0": "Bo", "score_one": "1", "score_two": "3"},
        **{"outcome": "score", "played_on": day[1], "kind": "played"},
    }
    said |= dict(re.findall(r'name="((?:one|two)[^"]*)"[^>]*value="([^"]+)"', form))
    answer = organizer.post(form_address, said, follow=True)
    assert answer.status_code == 200, answer.content
    assert "Bo beat Ana" in answer.content.decode()
    drain()
    page = text(organizer, address)
    assert "has its result" in page
    match = Match.objects.get(started_at__isnull=False)
    assert match.kind == "ended"
    assert address not in text(organizer, "/l/club/results/")


def test_a_second_start_shows_who_left_whom(organizer: Client) -> None:
    first = started(organizer)
    started(organizer, "ana", "cy")
    drain()
    page = text(organizer, first)
    assert "Ana left the match against Bo" in page
    assert "No loss for: Bo." in page
    assert "was left by" in text(organizer, "/l/club/results/")


def test_calling_off_needs_the_version_that_was_read(organizer: Client) -> None:
    address = started(organizer)
    page = text(organizer, address)
    assert "Call it off" in page
    answer = organizer.post(f"{address}release/", {"version": "9"}, follow=True)
    assert "Someone else changed this first" in answer.content.decode()
    said = {"version": "1", "left_by": "bo", "reason": "Power cut"}
    page = organizer.post(f"{address}release/", said, follow=True).content.decode()
    assert "Power cut" in page
    assert "No loss for: Ana." in re.sub(r"\s+", " ", page)
    page = organizer.post(f"{address}release/", {"version": "2"}, follow=True).content.decode()
    assert "was called off" in re.sub(r"\s+", " ", page)
    assert Match.objects.get(started_at__isnull=False).kind == Match.Kind.ENDED


def test_players_let_the_other_side_go_by_the_rule_of_the_mode(
    organizer: Client, club: League
) -> None:
    address = started(organizer)
    join(club, ana := make_user("ana"), Membership.Role.PLAYER)
    Player.objects.filter(key="ana").update(user=ana)
    player = Client()
    player.force_login(ana)
    assert "Call it off" not in text(player, address)
    assert player.post(f"{address}release/", {"version": "1"}).status_code == 403
    rules = {"start_hours": "2", "released_by": "players", "start_rungs": "3"}
    saved = organizer.post(f"/l/club/settings/modes/{mode_of(club).slug}/", rules)
    assert saved.status_code == 302, saved.content
    assert Mode.objects.get().start_hours == 2
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"mode.start_hours", "mode.released_by", "mode.start_rungs"} <= actions
    assert "each for the other side" in text(organizer, "/l/club/changes/")
    page = text(player, address)
    assert "You can only let the other side go: Bo" in page
    assert player.post(f"{address}release/", {"version": "1"}).status_code == 302
    assert "No loss for: Bo." in text(player, address)
    assert f"Ana {MINUS}24 while it is open" in text(player, "/l/club/results/")
    assert Match.objects.get(started_at__isnull=False).kind == Match.Kind.STARTED


def test_the_button_says_who_loses_by_another_start(organizer: Client) -> None:
    started(organizer)
    page = text(organizer, "/l/club/compare/?a=ana&b=cy")
    assert "Ana v Bo is still open. Starting this match counts it as lost by Ana." in page


def test_a_page_of_before_another_start_ends_no_match_that_it_did_not_show(
    organizer: Client,
) -> None:
    started(organizer)
    fields = {"a": "ana", "b": "bo", "form_id": "b" * 32}
    again = organizer.post("/l/club/start/", fields, follow=True)
    assert "was started in the meantime" in again.content.decode()
    assert "Ana v Bo is still open." in re.sub(r"\s+", " ", again.content.decode())
    assert [match.kind for match in Match.objects.starts()] == [Match.Kind.STARTED]
    for odd in ("x", "0", "99999999999999999999", "\x00"):
        sent = organizer.post("/l/club/start/", {**fields, "form_id": "c" * 32, "seen_open": odd})
        assert sent.status_code == 302
    assert Match.objects.starts().count() == 1
    started(organizer)
    assert Match.objects.starts().count() == 2


def test_a_match_starts_with_a_handicap_that_its_result_has_too(
    organizer: Client, club: League
) -> None:
    """By hand, with 64 points: 1538.85 and 1480, 40/(1 + 10^(-122.85/400)) = 26.79; he 13.21."""
    page = text(organizer, "/l/club/compare/?a=ana&b=bo")
    even = re.search(rf'name="handicap" value="(-\d+)"> Start even at ({MINUS}\d+)', page)
    assert even and even[1] == even[2].replace(MINUS, "-")
    assert "Handicap of Ana, in rating points" in page
    sides = {"a": "ana", "b": "bo", "form_id": ""}
    bad = organizer.post("/l/club/start/", {**sides, "handicap": "4001"}, follow=True)
    assert "whole number of points" in bad.content.decode()
    assert not Match.objects.starts().exists()
    address = organizer.post("/l/club/start/", {**sides, "handicap": "64"})["Location"]
    drain()
    page = text(organizer, address)
    assert "With a handicap, in rating points: Ana +64." in page
    note = "“Opponent at the start” includes the handicap, in rating points: Ana +64."
    assert note in page
    opponents = re.findall(r"([0-9]{4}) \(([+−]64) handicap\)", page)
    assert [sign for _rating, sign in opponents] == ["−64", "+64"]
    losses = re.findall(rf'<td class="num mute">({MINUS}\d+)</td>', page)
    assert losses == [f"{MINUS}27", f"{MINUS}13"]
    link = re.search(r'<a class="btn main" href="([^"]+)">Enter its result', page)
    assert link
    form = organizer.get(html.unescape(link[1])).context["form"]
    assert form["handicap_one"].value() == 64
    # The button has its own number, whatever stands in the field.
    seen = Match.objects.started().get().seq
    sent = {"a": "ana", "b": "cy", "handicap": ["", even[1]], "seen_open": seen}
    organizer.post("/l/club/start/", sent)
    rows = Match.objects.started().latest("pk").participants
    assert rows.get(player__key="ana").handicap == int(even[1])


def test_bad_input_is_told_in_words(organizer: Client, club: League) -> None:
    answer = organizer.post("/l/club/start/", {"a": "ana", "b": "ana"}, follow=True)
    assert answer.status_code == 200
    assert "twice" in answer.content.decode()
    assert organizer.post("/l/club/start/", {}, follow=True).status_code == 200
    rules = {"start_hours": "0", "released_by": "nobody", "start_rungs": "-1"}
    refused = organizer.post(f"/l/club/settings/modes/{mode_of(club).slug}/", rules)
    assert refused.status_code == 422
    assert Mode.objects.get().start_hours == 24


def test_a_visitor_neither_starts_nor_finishes(organizer: Client) -> None:
    address = started(organizer)
    visitor = Client()
    assert "Start this match" not in text(visitor, "/l/club/compare/?a=ana&b=bo")
    page = text(visitor, address)
    assert "Enter its result" not in page
    assert "Call it off" not in page
    assert visitor.post(f"{address}release/", {"version": "1"}).status_code in (302, 403)
    assert Match.objects.started().exists()


def test_an_open_match_is_no_result_of_a_profile(organizer: Client) -> None:
    started(organizer)
    words = text(organizer, "/l/club/p/ana/")
    assert "results and 1 match without a result" in words
    assert "not rated:" not in words and "besides" not in words


def entered_for(organizer: Client, address: str, at: datetime) -> HttpResponse:
    """Press “Enter its result” and type a result at a minute of UTC, the zone of the club."""
    link = re.search(
        r'<a class="btn main" href="([^"]+)">Enter its result', text(organizer, address)
    )
    assert link
    form_address = html.unescape(link[1])
    form = text(organizer, form_address)
    assert "This is the result of match 3, Ana v Bo, which started on" in form
    said = dict(re.findall(r'name="((?:one|two|form_id)[^"]*)"[^>]*value="([^"]+)"', form))
    said |= {"score_one": "3", "score_two": "0", "outcome": "score", "kind": "played"}
    said |= {"played_on": f"{at:%Y-%m-%d}", "played_time": f"{at:%H:%M}"}
    first = organizer.post(form_address, said)
    if first.status_code == 302:
        assert organizer.post(form_address, said)["Location"] == first["Location"]
    return first


def test_a_result_in_the_minute_of_its_start_ends_it(organizer: Client, club: League) -> None:
    """The start has seconds, the form has not; sent again, it is entered once."""
    at = timezone.now().replace(second=27, microsecond=5) - timedelta(hours=1)
    with time_machine.travel(at, tick=False):
        address = started(organizer)
    assert entered_for(organizer, address, at).status_code == 302
    assert "has its result" in text(organizer, address)
    assert Match.objects.get(kind="ended").started_at == at
    assert Match.objects.results().filter(played_at=at).count() == 1


def test_a_result_before_its_start_is_refused(organizer: Client, club: League) -> None:
    at = timezone.now().replace(second=27) - timedelta(hours=1)
    with time_machine.travel(at, tick=False):
        address = started(organizer)
    answer = entered_for(organizer, address, at - timedelta(minutes=1))
    assert answer.status_code == 422
    assert "is played while that match is open" in answer.content.decode()
    assert "has no result yet" in text(organizer, address)


def test_a_result_by_another_way_in_the_minute_of_its_start_ends_it(
    organizer: Client, club: League
) -> None:
    at = timezone.now().replace(second=27) - timedelta(hours=1)
    with time_machine.travel(at, tick=False):
        address = started(organizer)
    record(club, result(club, "Ana", "Bo", at=at.replace(second=0, microsecond=0)))
    assert "has its result" in text(organizer, address)


def test_a_result_may_come_before_its_start(organizer: Client, club: League) -> None:
    """What arrives late began when it says; the result of that minute is its result."""
    at = timezone.now().replace(second=27, microsecond=0) - timedelta(hours=1)
    record(club, result(club, "Ana", "Bo", at=at.replace(second=0)))
    with time_machine.travel(at, tick=False):
        address = started(organizer)
    assert "has its result" in text(organizer, address)
