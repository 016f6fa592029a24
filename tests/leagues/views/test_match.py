"""One match: why everybody moved, for whom, and under which system."""

from __future__ import annotations

import re
from datetime import timedelta

import numpy as np
import pytest

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Player, StartingState
from leagues.services.leagues import add_board, restart_board
from leagues.services.matches import correct_match
from leagues.services.ratings import enqueue_rating
from leagues.services.stored_drafts import draft_of
from leagues.store import segments
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None):
    return new_club()


club = read_anew("built_club")


def board(league: League, system: str, **parameters) -> Board:
    return add_board(
        season=season_of(league),
        mode=mode_of(league),
        system=system,
        name=system.title(),
        parameters=parameters,
    )


def page_of(client, match: Match, words: str = "") -> str:
    response = client.get(f"/l/club/m/autumn/{match.seq}/{words}")
    assert response.status_code == 200
    return response.content.decode()


def sums(body: str) -> list[float]:
    found = re.findall(r'<td class="num">([^<]*)</td><td class="wf', body)
    return [float(number.replace("\N{MINUS SIGN}", "-")) for number in found]


def test_whoever_played_reads_why_the_own_rating_moved(client, club):
    record(club, result(club, "Ana", "Bo", scores=(3, 1)))
    match = record(club, result(club, "Bo", "Ana", scores=(5, 3), at=START + timedelta(days=1)))[0]
    client.cookies["me"] = "ana"
    body = page_of(client, match)
    heading = re.search(r"<h1><bdi dir=.ltr.>Why your rating went down by (\d+)</bdi></h1>", body)
    assert heading
    *reasons, total = sums(body)
    assert sum(reasons) == total == -float(heading[1])
    assert "Your chance to win was" in body
    assert "These standings count who won, not by how much." in body
    assert "You lost" in body
    assert "what happened" in body
    assert "Show the formula" in body
    other = page_of(client, match, "?of=bo")
    assert '<rect class="fill-me" x="0"' in body
    assert re.search(r'<rect class="fill-ink" x="0".*?<rect class="fill-me" x="[^0]', other)
    assert not re.search("[a-z,] You would", other)
    assert "Why the rating of Bo went up by" in other
    assert '<h1><bdi dir="ltr">Bo beat Ana</bdi></h1>' in other


def test_where_the_formula_expects_something_else_than_was_foretold_it_says_why(client, club):
    match = record(club, result(club, "Ana", "Bo"), result(club, "Ana", "Bo"))[1]
    for words, differs in (("?board=blitz-glicko-2", True), ("?board=blitz-elo", False)):
        body = page_of(client, match, words)
        (told,) = set(re.findall(r"Ana’s chance to win was (\d+)", body))
        (factor,) = re.findall(r", E = (0\.\d+)", body)
        used = f"{100 * float(factor):.0f}"
        assert (used != told) == differs
        assert ("The prediction of" in body) == differs
        assert not differs or f"E in the formula, {used} of 100" in body


@pytest.mark.parametrize(
    ("first", "said"), [(40.0, "more than"), (20.0, "as much as"), (10.0, "less than")]
)
def test_early_matches_are_said_to_move_as_they_do(client, club, first, said):
    board(club, "elo", k=20.0, k0=first)
    match = record(club, result(club, "Ana", "Bo"))[0]
    body = page_of(client, match, "?board=elo")
    assert f"arly matches move a rating {said} later ones." in body
    reasons = dict(re.findall(r"<tr><td>([^<]*)<p>[^<]*</p></td><td class=\"num\">([^<]*)", body))
    early = float(reasons["The 1st rated match"].replace("\N{MINUS SIGN}", "-"))
    assert early == (first - 20.0) / 2.0


def test_each_partner_of_a_doubles_has_a_share(client, club):
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Dina", at=START))
    match = record(club, result(club, "Ana+Bo", "Cy+Dina", at=START + timedelta(days=1)))[0]
    body = page_of(client, match)
    assert "Each partner’s share" in body
    table = body.partition('class="t small shares"')[2].partition("</table>")[0]
    rows = [re.findall(r'<td class="num">(?:<b>)?([^<]*)', row) for row in table.split("<tr>")[2:]]
    columns = [
        [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in column]
        for column in zip(*rows, strict=True)
    ]
    assert len(columns) == 2
    assert all(sum(column[:-1]) == column[-1] for column in columns)
    assert body.count("±") > 8
    client.cookies["me"] = "bo"
    assert "Ana + you could win anything from" in page_of(client, match)


def test_a_ladder_and_a_fit_say_in_words_what_they_do(client, club):
    board(club, "ladder")
    board(club, "static", least_opponents=0, least_events=0)
    match = record(club, result(club, "Ana", "Bo"))[0]
    ladder = page_of(client, match, "?board=ladder&of=bo")
    assert "Ana was new on the ladder and joined at the bottom, on rung 1." in ladder
    assert "Ana was already above Bo, on rung 1: no one moves." in ladder
    assert "Certain" not in ladder
    static = page_of(client, match, "?board=static")
    assert "fits all results of the season together" in static
    assert "Before and after" not in static
    second = record(club, result(club, "Bo", "Ana", at=START + timedelta(days=1)))[0]
    body = page_of(client, second, "?board=ladder")
    assert "Bo was on rung 2 and beat Ana, who was on rung 1: they swap places." in body
    assert "rung 2 to 1" in page_of(client, second)
    assert "does not predict" in body


def test_a_system_says_why_it_does_not_rate_a_match(client, club):
    board(club, "ladder")
    match = record(club, result(club, "Ana+Bo", "Cy+Dina"))[0]
    body = page_of(client, match, "?board=ladder")
    assert "A ladder rates single players, not teams" in body
    assert "not rated" in page_of(client, match)


def outcomes_of(body: str) -> list[str]:
    """Return what is said of each outcome that could have been."""
    table = body.partition("Other possible outcomes</h2>")[2].partition("</tbody>")[0]
    cells = re.findall(r'<th scope="row">(.*?)</th>', table)
    return [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in cells]


def test_places_that_were_not_reached_are_told_too(client, club):
    match = record(club, result(club, "Ana", "Bo", "Cy", "Dina", ranks=(1, 2, 3, 3)))[0]
    body = page_of(client, match, "?of=bo")
    assert "2nd of 4 among equals with certain ratings" in body
    assert "The others keep the order in which they finished." in body
    assert outcomes_of(body) == ["1st", "2nd what happened", "4th"]
    assert outcomes_of(page_of(client, match, "?of=cy")) == [
        *("1st", "2nd", "3rd", "3rd= what happened", "4th"),
    ]


@pytest.mark.parametrize("words", ["?of=nobody", "?board=nowhere", "?of=%00", "?board=%00&of=1e99"])
def test_an_address_that_names_nothing_shows_the_match_as_usual(client, club, words):
    match = record(club, result(club, "Ana", "Bo"))[0]
    assert "Why the rating of Ana went up" in page_of(client, match, words)


def test_what_was_carried_over_is_what_the_first_match_found(club):
    record(club, result(club, "Ana", "Bo"))
    glicko = Board.objects.get(system="glicko2")
    brought = (0.7, 0.9, 0.06, float(-(1 << 62)))
    ana = Player.objects.get(key="ana")
    StartingState.objects.create(
        league=club, board=glicko, player=ana, state=segments.pack_state(np.array(brought))
    )
    restart_board(glicko)
    enqueue_rating(glicko)
    drain()
    match = Match.objects.select_related("league").get()
    boards, rated = bridge.rated_everywhere(match)
    movers = {mover.row.player_id: mover for mover in rated[glicko.pk].movers}
    assert movers[ana.pk].before == brought
    assert rated[glicko.pk].after([0, 1]) == {
        mover.row.player.key: mover.after for mover in movers.values()
    }
    assert next(one.pk for one in boards) == glicko.pk
    fresh = Board.objects.select_related("league", "season").get(pk=glicko.pk)
    assert bridge.start_of(fresh, ana.pk).value == pytest.approx(1500 + 0.7 * 173.7178)


def test_six_queries_show_a_match_however_many_boards_there_are(
    client, club, django_assert_max_num_queries
):
    kim = make_user("kim")
    join(club, kim, "organizer")
    match = record(club, result(club, "Ana", "Bo", scores=(3, 1)))[0]
    Player.objects.filter(key="ana").update(user=kim)
    draft = draft_of(Match.objects.get(pk=match.pk))
    correct_match(match=match, draft=draft, author=kim, expected_version=1)
    for number in range(8):
        add_board(season=season_of(club), mode=mode_of(club), system="elo", name=f"Elo {number}")
    drain()
    client.force_login(kim)
    page_of(client, match)  # The first page of a session writes the session.
    with django_assert_max_num_queries(6):
        body = page_of(client, match)
    assert "Why your rating went up" in body
    assert body.count("of=ana") >= 8


def test_what_was_expected_needs_no_article_before_its_number(client, club):
    days = [START + timedelta(days=day) for day in range(5)]
    match = record(club, *(result(club, "Ana", "Bo", at=day) for day in days))[-1]
    expected = r"By the ratings before the match, the chance that Ana would win was (\d+)"
    said = re.search(expected, page_of(client, match, "?board=blitz-elo"))
    assert said
    client.cookies["me"] = "ana"
    body = page_of(client, match, "?board=blitz-elo")
    assert f"By the ratings before the match, your chance to win was {said[1]}" in body


def test_of_three_nobodys_chance_against_another_is_called_one_to_win(client, club):
    match = record(club, result(club, "Ana", "Bo", "Cy"))[0]
    body = page_of(client, match)
    # One of three newcomers wins a third of the matches.
    assert "Ana’s chance to finish ahead of another was 50\u202f% on average." in body
    client.cookies["me"] = "ana"
    body = page_of(client, match)
    assert "Your chance to finish ahead of another was 50\u202f% on average." in body
    teams = record(club, result(club, "Ana+Bo", "Cy+Dee", "Eve+Flo"))[0]
    body = page_of(client, teams, "?of=eve")
    assert "The side’s chance to finish ahead of another was" in body
    assert "chance to win" not in body
