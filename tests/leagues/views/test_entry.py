from __future__ import annotations

import html
import re
import uuid
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leagues.forms.places import read_places, written_places
from leagues.forms.results import ListForm
from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, Player
from leagues.selectors.names import known_names
from leagues.services.leagues import create_season
from leagues.services.stored_drafts import draft_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    league = new_club(owner=built_kim)
    record(league, result(league, "Ana Ruiz", "Bo Lindqvist", scores=(3, 1)), by=built_kim)
    return league


club = read_anew("built_club")


def typed(**fields: Any) -> dict[str, Any]:
    return {
        "form_id": str(uuid.uuid4()),
        "one_1": "ana ruiz",
        "two_1": "Bo Lindqvist",
        "score_one": "3",
        "score_two": "2",
        "outcome": "score",
        "played_on": "2025-11-02",
        "kind": "played",
        **fields,
    }


def button(body: str, name: str) -> str:
    """Return what a button of a page sends."""
    return re.search(f'<button[^>]*name="{name}" value="([^"]*)"', body)[1]


def newest() -> Match:
    return Match.objects.order_by("-seq")[0]


def test_a_result_is_recorded_and_its_page_shows_what_it_did(organizer, club):
    response = organizer.post("/l/club/enter/", typed(played_time="20:15"))
    match = newest()
    assert response["Location"] == f"/l/club/m/autumn/{match.seq}/"
    assert match.played_at.isoformat() == "2025-11-02T20:15:00+00:00"
    assert not match.date_only
    drain()
    assert "Before and after" in organizer.get(response["Location"]).content.decode()


def test_a_result_goes_into_the_season_that_its_date_belongs_to(organizer, club):
    winter = create_season(
        league=club, name="Winter", starts_at=club.midnight(date(2025, 12, 1)), actor=None
    )
    club.seasons.exclude(pk=winter.pk).update(ends_at=winter.starts_at)
    for on, season in (("2025-11-30", "autumn"), ("2025-12-01", "winter")):
        response = organizer.post("/l/club/enter/", typed(played_on=on, another="yes"))
        assert response.status_code == 302
        assert newest_of(season).played_at.date() <= date.fromisoformat(on)
        assert organizer.get(response["Location"]).status_code == 200
    refused = organizer.post("/l/club/enter/?season=autumn", typed(played_on="2025-12-02"))
    assert "outside the season “Autumn”" in refused.content.decode()


def newest_of(season: str) -> Match:
    return Match.objects.filter(season__slug=season).order_by("-recorded_at", "-pk")[0]


def test_the_same_form_sent_twice_records_one_match(organizer, club):
    form = typed()
    first = organizer.post("/l/club/enter/", form)
    second = organizer.post("/l/club/enter/", form)
    assert first["Location"] == second["Location"]
    assert Match.objects.count() == 2


def test_a_used_form_with_another_result_asks_before_it_records_again(organizer, club):
    form = typed()
    organizer.post("/l/club/enter/", form)
    response = organizer.post("/l/club/enter/", form | {"score_two": "0"})
    assert response.status_code == 422
    body = response.content.decode()
    assert "This form has already recorded a result." in body
    assert form["form_id"] not in body


class TestTheSameAgain:
    """An identical result within two hours is asked about (reliability B-41)."""

    def test_it_is_recorded_once_somebody_says_that_it_is_meant(self, organizer, club):
        organizer.post("/l/club/enter/", typed())
        form = typed(another="yes")
        response = organizer.post("/l/club/enter/", form)
        assert response.status_code == 422
        assert Match.objects.count() == 2
        at = newest().recorded_at.astimezone(club.zone).strftime("%H:%M")
        body = response.content.decode()
        assert f"This was already entered at {at}. Enter it again?" in body
        settled = button(body, "settled")
        done = organizer.post("/l/club/enter/", form | {"settled": settled})
        assert "recorded=3" in done["Location"]
        assert Match.objects.count() == 3

    def test_whoever_names_the_sides_the_other_way_round_enters_the_same(self, organizer, club):
        organizer.post("/l/club/enter/", typed())
        turned = typed(one_1="Bo Lindqvist", two_1="Ana Ruiz", score_one="2", score_two="3")
        assert "already entered" in organizer.post("/l/club/enter/", turned).content.decode()

    @pytest.mark.parametrize("fields", [{"score_two": "1"}, {"played_on": "2025-11-03"}])
    def test_another_result_is_not_asked_about(self, organizer, club, fields):
        organizer.post("/l/club/enter/", typed())
        assert organizer.post("/l/club/enter/", typed(**fields)).status_code == 302

    def test_an_answer_holds_for_no_other_result(self, organizer, club):
        for score in ("0", "1"):
            organizer.post("/l/club/enter/", typed(score_two=score))
        asked = organizer.post("/l/club/enter/", typed(score_two="0")).content.decode()
        other = typed(score_two="1", settled=button(asked, "settled"))
        assert organizer.post("/l/club/enter/", other).status_code == 422

    def test_what_was_voided_or_corrected_since_is_not_the_same(self, organizer, club):
        organizer.post("/l/club/enter/", typed())
        organizer.post("/l/club/m/autumn/2/void/", {"version": "1"})
        assert organizer.post("/l/club/enter/", typed()).status_code == 302
        organizer.post("/l/club/m/autumn/3/correct/", typed(score_two="0", version="1"))
        assert organizer.post("/l/club/enter/", typed()).status_code == 302

    def test_without_a_time_it_is_the_same_all_day_whenever_it_was_entered(self, organizer, club):
        """Before, only what was entered within two hours was, and never one with a time."""
        organizer.post("/l/club/enter/", typed())
        Match.objects.filter(seq=2).update(recorded_at=timezone.now() - timedelta(days=3))
        assert organizer.post("/l/club/enter/", typed()).status_code == 422
        body = organizer.post("/l/club/enter/", typed(played_time="19:40")).content.decode()
        assert "The same result of that day, without a time, was entered on" in body

    def test_without_a_time_it_may_be_one_with_a_time(self, organizer, club):
        organizer.post("/l/club/enter/", typed(played_time="19:40"))
        body = organizer.post("/l/club/enter/", typed()).content.decode()
        assert "The same result, played at 19:40, was already entered at" in body

    def test_a_result_with_a_time_is_the_same_for_two_hours_of_play(self, organizer, club):
        """Before, only one of the very same moment was."""
        organizer.post("/l/club/enter/", typed(played_time="19:00"))
        Match.objects.filter(seq=2).update(recorded_at=timezone.now() - timedelta(days=3))
        body = organizer.post("/l/club/enter/", typed(played_time="20:40")).content.decode()
        assert "The same result, played at 19:00, was already entered on" in body
        assert organizer.post("/l/club/enter/", typed(played_time="21:01")).status_code == 302

    def test_answers_about_names_are_kept_while_it_is_asked(self, organizer, club):
        form = typed(two_1="Zed", asked="Zed", answer="new", played_on="1990-01-01")
        body = organizer.post("/l/club/enter/", form).content.decode()
        assert '<input type="hidden" name="answer" value="new">' in body


def test_a_date_long_before_all_other_results_is_asked_about(organizer, club):
    form = typed(played_on="1900-01-01")
    response = organizer.post("/l/club/enter/", form)
    body = response.content.decode()
    assert response.status_code == 422
    assert "1 Jan 1900 is more than a year before the first result of “Autumn”." in body
    assert "Don’t enter it" not in body
    preview = organizer.post("/l/club/enter/", form | {"preview": "yes"})
    assert preview.status_code == 200
    assert button(preview.content.decode(), "settled") == button(body, "settled")
    assert "1 Jan 1900 is more than a year before" in preview.content.decode()
    done = organizer.post("/l/club/enter/", form | {"settled": button(body, "settled")})
    assert done.status_code == 302
    assert organizer.post("/l/club/enter/", typed(played_on="1900-06-01")).status_code == 302


def test_the_first_result_of_a_season_is_asked_about_where_it_is_old(organizer, kim):
    new_club("fresh", owner=kim)
    body = organizer.post("/l/fresh/enter/", typed(played_on="1990-01-01")).content.decode()
    assert "1 Jan 1990 is more than a year ago." in body


def test_a_form_begins_at_its_first_player_and_after_a_result_reads_it_out(organizer, club):
    first = organizer.get("/l/club/enter/").content.decode()
    assert "autofocus" in re.search('<input[^>]*name="one_1"[^>]*>', first)[0]
    assert "recorded" not in first
    done = organizer.post("/l/club/enter/", typed(another="yes"))
    body = organizer.get(done["Location"]).content.decode()
    assert body.count("autofocus") == 1
    field = re.search('<input[^>]*name="one_1"[^>]*>', body)[0]
    assert "autofocus" in field
    assert 'aria-describedby="recorded"' in field
    assert 'id="recorded"' in body
    refused = organizer.post(done["Location"], typed(score_one="")).content.decode()
    assert "Saved." not in refused
    places = organizer.get("/l/club/enter/?shape=list&recorded=2").content.decode()
    assert "autofocus" in re.search("<textarea[^>]*>", places)[0]


MATE = 'name="one_2"'


def test_a_league_of_single_players_is_not_asked_for_team_mates(organizer, club):
    body = organizer.get("/l/club/enter/").content.decode()
    assert MATE not in body
    assert "Kinds of result" not in body
    other = body.partition("Something else was played?")[2].partition("</p>")[0]
    assert re.findall(">([^<]+)</button>", other) == ["Two teams", "Three or more"]
    assert MATE in organizer.get("/l/club/enter/?shape=teams").content.decode()


def test_a_league_of_teams_begins_with_team_mates(organizer, club, kim):
    record(club, result(club, "Ana Ruiz+Cy", "Bo Lindqvist+Dee", scores=(3, 1)), by=kim)
    body = organizer.get("/l/club/enter/").content.decode()
    assert MATE in body
    assert '<input type="hidden" name="shape" value="teams">' in body


def test_a_league_of_free_for_alls_begins_with_places(organizer, kim):
    league = new_club("hearts", owner=kim)
    first = organizer.get("/l/hearts/enter/").content.decode()
    assert 'name="one_1"' in first
    assert "Three or more" in first.partition("Kinds of result")[2].partition("</div>")[0]
    record(league, result(league, "Ana", "Bo", "Cy"), result(league, "Bo", "Cy", "Ana"), by=kim)
    body = organizer.get("/l/hearts/enter/").content.decode()
    assert 'name="places"' in body
    other = body.partition("Something else was played?")[2].partition("</p>")[0]
    assert re.findall(">([^<]+)</button>", other) == ["Two players", "Two teams"]
    form = typed(shape="list", places="Cy\nAna\nBo")
    assert organizer.post("/l/hearts/enter/", form).status_code == 302
    assert newest().participants.count() == 3


def test_team_mates_who_were_typed_stay_in_sight(organizer, club):
    body = organizer.post("/l/club/enter/", typed(one_2="Cy", score_one="x")).content.decode()
    assert 'name="one_2" value="Cy"' in body


@pytest.mark.parametrize(
    ("fields", "is_open"),
    [
        ({}, False),
        ({"kind": "walkover"}, True),
        ({"kind": "nonsense"}, True),
        ({"played_time": "late"}, True),
        ({"detail": "21-18"}, True),
    ],
)
def test_what_is_rarely_entered_is_folded_unless_it_says_something(
    organizer, club, fields, is_open
):
    body = organizer.post("/l/club/enter/", typed(**({"score_one": "x"} | fields))).content.decode()
    folded = body[: body.index('name="kind"')].rpartition("<details")[2]
    assert folded.startswith(' class="more" open>' if is_open else ' class="more">')
    assert 'name="played_on"' not in folded


def test_without_a_time_the_date_is_kept_as_such(organizer, club):
    organizer.post("/l/club/enter/", typed(played_on="2025-07-05"))
    match = newest()
    assert match.date_only
    assert match.played_at.isoformat() == "2025-07-04T23:00:00+00:00"


@pytest.mark.parametrize(
    ("fields", "ranks"),
    [
        ({"score_one": "1"}, [2, 1]),
        ({"score_one": "2"}, [1, 1]),
        ({"score_one": "", "score_two": "", "outcome": "two"}, [2, 1]),
        ({"score_one": "", "score_two": "", "outcome": "draw"}, [1, 1]),
        ({"score_one": "1", "outcome": "one", "kind": "retirement"}, [1, 2]),
    ],
)
def test_the_score_or_a_word_says_who_won(organizer, club, fields, ranks):
    organizer.post("/l/club/enter/", typed(**fields))
    rows = newest().participants.order_by("side")
    assert [row.rank for row in rows] == ranks


SETS = "11:8 9:11 11:6 11:7"


@pytest.mark.parametrize("outcome", ["score", "one"])
def test_set_scores_alone_make_the_score(organizer, club, outcome):
    form = typed(score_one="", score_two="", detail=SETS, outcome=outcome)
    assert organizer.post("/l/club/enter/", form).status_code == 302
    match = newest()
    assert [(row.rank, row.score) for row in match.participants.order_by("side")] == [
        (1, 3),
        (2, 1),
    ]
    assert (match.sets, match.detail) == ("11-8 9-11 11-6 11-7", "")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "retirement"}, "Enter the score, or choose who won."),
        ({"detail": "11:8 9:11"}, "Enter the score, or choose who won."),
        ({"score_one": "3"}, "Enter both scores, or leave both empty."),
        ({"score_one": "x"}, "A score must be a whole number."),
    ],
)
def test_set_scores_that_leave_the_score_open_are_refused(organizer, club, fields, words):
    form = typed(**({"score_one": "", "score_two": "", "detail": SETS} | fields))
    response = organizer.post("/l/club/enter/", form)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("shape", "fields", "words"),
    [
        ("pair", {"outcome": "two"}, "With 3–2, the other side won."),
        ("pair", {"outcome": "draw"}, "3–2 is not a draw."),
        (
            "pair",
            {"score_one": "2", "outcome": "one"},
            "2–2 is a draw, but a side is said to have won.",
        ),
        (
            "pair",
            {"score_one": "", "score_two": "", "detail": SETS, "outcome": "two"},
            "With 3–1, the other side won.",
        ),
        (
            "list",
            {"places": "Ana Ruiz: 3\nBo Lindqvist: 5\nCy: 1"},
            "The points put the sides in another order than their places.",
        ),
        (
            "list",
            {"places": "Ana Ruiz: 3\nBo Lindqvist: 3"},
            "3–3 is a draw, but a side is said to have won.",
        ),
    ],
)
def test_a_winner_against_the_score_is_asked_about(organizer, club, shape, fields, words):
    address, form = f"/l/club/enter/?shape={shape}", typed(**fields)
    if "Cy" in form.get("places", ""):
        form |= {"asked": ["Cy"], "answer": ["new"]}
    before = Match.objects.count()
    asked = organizer.post(address, form)
    assert asked.status_code == 422
    body = html.unescape(asked.content.decode())
    assert f"{words} Is the winner right?" in body
    assert "The winner is right, record it" in body
    assert Match.objects.count() == before
    done = organizer.post(address, form | {"settled": button(body, "settled")})
    assert done.status_code == 302
    assert Match.objects.count() == before + 1


def test_a_typed_score_stays_beside_set_scores(organizer, club):
    form = typed(detail="11:8 11:6")
    asked = organizer.post("/l/club/enter/", form).content.decode()
    organizer.post("/l/club/enter/", form | {"settled": button(asked, "settled")})
    assert [row.score for row in newest().participants.order_by("side")] == [3, 2]


def test_pairs_that_do_not_make_the_score_stay_words(organizer, club):
    organizer.post("/l/club/enter/", typed(detail="2:1 1:1"))
    assert (newest().sets, newest().detail) == ("", "2:1 1:1")


def test_a_correction_of_something_else_gives_no_score(organizer, club, kim):
    """What was imported with set scores and no score is changed only where somebody types."""
    draft = result(club, "Ana Ruiz", "Bo Lindqvist", ranks=(2, 1), detail="11:8 11:6")
    (match,) = record(club, draft, by=kim)
    form = typed(score_one="", score_two="", outcome="two", detail=draft.detail, version="1")
    form |= {"played_on": "2025-10-02", "reason": "a day later"}
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    assert organizer.post(address, form).status_code == 302
    assert [row.score for row in match.participants.all()] == [None, None]
    form |= {"version": "2", "outcome": "one"}
    assert organizer.post(address, form).status_code == 302
    assert [row.score for row in match.participants.order_by("side")] == [2, 0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"score_one": ""}, "Enter both scores, or leave both empty."),
        ({"score_one": "", "score_two": ""}, "Enter the score, or choose who won."),
        ({"two_1": ""}, "Who played?"),
        ({"two_1": "ANA RUIZ"}, "is in this match twice"),
        ({"played_on": "2190-01-01"}, "is in the future"),
        ({"played_on": "0001-01-01"}, "The date must be from 1800 to 2199."),
        ({"played_on": "9999-12-31"}, "The date must be from 1800 to 2199."),
        ({"played_on": "soon"}, "Enter a date such as 2026-11-12."),
        ({"played_on": ""}, "The date is missing."),
        ({"played_time": "late"}, "Enter a time such as 19:30."),
        ({"two_1": "a\u202eb"}, "errtext"),
        ({"score_one": "99999999"}, "A score can have at most 6 digits."),
        ({"score_one": "9" * 5000}, "A score can have at most 6 digits."),
        ({"score_one": "1_000"}, "A score must be a whole number."),
        ({"score_one": "\u0663"}, "A score must be a whole number."),
        ({"score_one": "1.0"}, "A score must be a whole number."),
        ({"detail": "6\u20144\x00"}, "invisible character (U+0000)"),
        ({"detail": "x" * 201}, "Enter at most 200 characters"),
        (
            {"played_on": "2026-03-29", "played_time": "01:30"},
            "This time does not exist: the clocks went forward that night.",
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(organizer, club, fields, words):
    response = organizer.post("/l/club/enter/", typed(**fields))
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Match.objects.count() == 1


def test_errors_are_tied_to_their_fields(organizer, club):
    body = organizer.post("/l/club/enter/", typed(score_one="")).content.decode()
    assert 'aria-describedby="id_score_one_error"' in body
    assert 'id="id_score_one_error"' in body
    assert 'aria-invalid="true"' in body


def test_new_names_are_asked_about_with_what_was_probably_meant(organizer, club):
    form = typed(two_1="Bo Lindqist")
    response = organizer.post("/l/club/enter/", form)
    body = response.content.decode()
    assert response.status_code == 422
    assert "no player has exactly this name" in body
    assert '<option value="bo-lindqvist">Bo Lindqvist</option>' in body
    assert Player.objects.count() == 2
    answered = form | {"asked": "Bo Lindqist", "answer": "bo-lindqvist"}
    assert organizer.post("/l/club/enter/", answered).status_code == 302
    assert Player.objects.count() == 2
    new = typed(two_1="Bo Lindqust", asked="Bo Lindqust", answer="new")
    assert organizer.post("/l/club/enter/", new).status_code == 302
    assert Player.objects.filter(name="Bo Lindqust").exists()


def test_in_a_league_without_players_the_first_names_are_new_ones(organizer, kim):
    new_club("fresh", owner=kim)
    today = timezone.now().date().isoformat()
    assert organizer.post("/l/fresh/enter/", typed(played_on=today)).status_code == 302
    assert set(Player.objects.filter(league__slug="fresh").values_list("name", flat=True)) == {
        "Ana Ruiz",
        "Bo Lindqvist",
    }


def test_names_that_nobody_is_like_are_new_players_and_that_is_said(organizer, club):
    done = organizer.post("/l/club/enter/", typed(one_2="Yara", two_2="Zed"))
    body = organizer.get(done["Location"]).content.decode()
    assert "Yara and Zed were added as new players." in body
    assert 'or choose “<a href="/l/club/r/autumn/2/">Undo this result</a>”.' in body
    assert '<a href="/l/club/m/autumn/2/correct/">correct the result</a>' in body


def test_one_notice_names_the_recorded_result_and_its_new_players(organizer, club):
    done = organizer.post("/l/club/enter/", typed(one_2="Yara", two_1="Zed", another="yes"))
    body = organizer.get(done["Location"]).content.decode()
    assert body.count('class="note"') == 1
    link = '<a href="/l/club/m/autumn/2/"><bdi dir="ltr">Ana Ruiz + Yara 3–2 Zed</bdi></a>.'
    assert f"<b>Saved.</b> {link}" in body
    assert "Yara and Zed were added as new players." in body
    assert "Enter the next result below." in body
    unknown = organizer.get("/l/club/enter/?recorded=99").content.decode()
    assert "Saved." not in unknown


def test_a_recorded_result_without_a_score_says_who_won(organizer, club):
    places = "Cy\nAna Ruiz\nBo Lindqvist"
    done = organizer.post("/l/club/enter/", typed(shape="list", places=places, another="yes"))
    assert "Cy won, ahead of 2 others</bdi>" in organizer.get(done["Location"]).content.decode()


def test_whoever_undoes_a_result_is_rid_of_its_new_player(organizer, club):
    organizer.post("/l/club/enter/", typed(two_1="Zed"))
    organizer.post("/l/club/r/autumn/2/undo/")
    assert "Zed" not in known_names(club)
    organizer.post("/l/club/r/autumn/3/undo/")
    assert "Zed" in known_names(club)


def test_whoever_corrects_a_misspelt_name_is_rid_of_its_player(organizer, club):
    organizer.post("/l/club/enter/", typed(two_1="Zed"))
    form = typed(two_1="Zoltan", version="1")
    done = organizer.post("/l/club/m/autumn/2/correct/", form)
    assert "Zoltan was added" in organizer.get(done["Location"]).content.decode()
    assert known_names(club) == ["Ana Ruiz", "Bo Lindqvist", "Zoltan"]


def test_a_new_player_who_plays_again_outlives_the_first_result(organizer, club):
    organizer.post("/l/club/enter/", typed(two_1="Zed"))
    organizer.post("/l/club/enter/", typed(two_1="Zed", score_two="1"))
    organizer.post("/l/club/r/autumn/2/undo/")
    assert "Zed" in known_names(club)


@pytest.mark.parametrize("name", ["Bo Lindqist", "Bo Lindqvist-Berg"])
def test_a_name_like_a_known_one_is_asked_about_with_no_answer_chosen(organizer, club, name):
    response = organizer.post("/l/club/enter/", typed(two_1=name))
    select = re.search("<select[^>]*name=.answer.*?</select>", response.content.decode())[0]
    assert "selected" not in select
    assert '<option value="bo-lindqvist">' in select


def test_a_word_for_nobody_is_no_new_player_without_a_question(organizer, club):
    response = organizer.post("/l/club/enter/", typed(two_1="Gast"))
    assert response.status_code == 422
    assert "if no one played here, there is no result to enter" in response.content.decode()


SHORT = ["Bo", "Lindqvist, Bo", "Bo L.", "B. Lindqvist", "Bo Líndqvist"]


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("another", ["", "yes"])
def test_a_name_short_for_one_player_means_that_one(organizer, club, name, another):
    before = known_names(club)
    done = organizer.post("/l/club/enter/", typed(two_1=name, another=another), follow=True)
    assert newest().participants.get(side=1).player.name == "Bo Lindqvist"
    assert known_names(club) == before
    body = done.content.decode()
    assert f"<b>“{name}” means Bo Lindqvist.</b>" in body
    assert 'If someone else played, <a href="/l/club/m/autumn/2/correct/">' in body
    assert "added as a new player" not in body


def test_all_short_names_of_a_result_are_said_in_one_sentence(organizer, club):
    done = organizer.post("/l/club/enter/", typed(one_1="ana", two_1="bo"), follow=True)
    assert "“ana” means Ana Ruiz and “bo” means Bo Lindqvist." in done.content.decode()


def test_a_name_short_for_two_players_is_asked_about(organizer, club):
    record(club, result(club, "Bo Berg", "Cy"))
    body = organizer.post("/l/club/enter/", typed(two_1="Bo")).content.decode()
    select = re.search("<select[^>]*name=.answer.*?</select>", body)[0]
    assert re.findall('<option value="([^"]+)"', select) == ["bo-berg", "bo-lindqvist", "new"]
    assert "selected" not in select


@pytest.mark.parametrize("names", [("Ana", "Ana Ruiz"), ("Ana", "A. Ruiz"), ("Ana", "ana R.")])
def test_a_short_name_beside_its_player_is_asked_about(organizer, club, names):
    form = typed(one_1=names[0], two_1=names[1])
    body = organizer.post("/l/club/enter/", form).content.decode()
    selects = re.findall("<select[^>]*name=.answer.*?</select>", body)
    assert all("selected" not in select for select in selects)
    assert re.findall('name="asked" value="([^"]*)"', body) == [
        name for name in names if name != "Ana Ruiz"
    ]


def test_an_answer_for_another_spelling_is_remembered(organizer, club):
    record(club, result(club, "Bo Berg", "Cy"))
    names = {"one_1": "Bo", "two_1": "Ana Ruis"}
    answers = {"asked": ["Bo", "Ana Ruis", "Elsewhere"]}
    answers["answer"] = ["bo-berg", "ana-ruiz", "ana-ruiz"]
    assert organizer.post("/l/club/enter/", typed(**names, **answers)).status_code == 302
    aliases = club.aliases.values_list("name", "player__name", "is_public")
    assert list(aliases) == [("Ana Ruis", "Ana Ruiz", False)], "short names are asked again"
    again = typed(one_1="Cy", two_1="Ana Ruis")
    assert organizer.post("/l/club/enter/", again).status_code == 302
    assert newest().participants.get(side=1).player.name == "Ana Ruiz"


def test_a_refused_result_remembers_nothing(organizer, club):
    answers = {"asked": "Bo Lindqist", "answer": "bo-lindqvist"}
    form = typed(two_1="Bo Lindqist", played_on="2999-01-01", **answers)
    assert organizer.post("/l/club/enter/", form).status_code == 422
    assert not club.aliases.exists()


def test_beside_a_misspelt_name_a_short_one_is_chosen_already(organizer, club):
    form = typed(one_1="Ana", two_1="Bo Lindqist")
    body = organizer.post("/l/club/enter/", form).content.decode()
    one, two = re.findall("<select[^>]*name=.answer.*?</select>", body)
    assert '<option value="ana-ruiz" selected>' in one
    assert "only this player can be meant" in body
    assert "selected" not in two
    assert body.count("btn main") == 1, "what to press is beside the question"


def test_a_preview_says_whom_a_short_name_means_and_lets_that_be_changed(organizer, club):
    form = typed(two_1="Bo", preview="yes")
    body = organizer.post("/l/club/enter/", form).content.decode()
    assert "Who these names mean" in body
    assert '<option value="" selected>Bo Lindqvist</option>' in body
    assert newest().seq == 1
    kept = {"asked": "Bo", "answer": ""}
    organizer.post("/l/club/enter/", typed(two_1="Bo", **kept))
    assert newest().participants.get(side=1).player.name == "Bo Lindqvist"
    other = {"asked": "Bo", "answer": "new"}
    organizer.post("/l/club/enter/", typed(two_1="Bo", score_two="1", **other))
    assert newest().participants.get(side=1).player.name == "Bo"


@pytest.mark.parametrize("name", ["Bo Berg", "Anders Lindqvist", "Bob", "Ben"])
def test_somebody_else_of_one_equal_name_is_not_asked_about(organizer, club, name):
    assert organizer.post("/l/club/enter/", typed(two_1=name)).status_code == 302
    assert newest().participants.get(side=1).player.name == name


def test_all_names_of_a_result_are_asked_about_on_one_page(organizer, club):
    form = typed(one_1="Ana", one_2="Zed", two_1="Bo Lindqist")
    body = organizer.post("/l/club/enter/", form).content.decode()
    assert re.findall('name="asked" value="([^"]*)"', body) == ["Ana", "Bo Lindqist"]
    assert "because no name in this league is similar: <bdi>Zed</bdi>" in body
    answered = form | {"asked": ["Ana", "Bo Lindqist"], "answer": ["ana-ruiz", "new"]}
    assert organizer.post("/l/club/enter/", answered).status_code == 302
    names = newest().participants.order_by("side", "player__key")
    assert [row.player.name for row in names] == ["Ana Ruiz", "Zed", "Bo Lindqist"]


def test_in_a_league_of_very_many_players_everybody_is_compared(organizer, club, monkeypatch):
    monkeypatch.setattr("leagues.services.likeness.MOST_COMPARED", 1)
    assert organizer.post("/l/club/enter/", typed(two_1="Bo Lindqist")).status_code == 422
    for name, score in (("Lindqvist", "0"), ("Lindqvist, Bo", "1")):
        form = typed(two_1=name, score_two=score)
        assert organizer.post("/l/club/enter/", form).status_code == 302
        assert newest().participants.get(side=1).player.name == "Bo Lindqvist"


def test_an_answer_for_another_league_is_no_answer(organizer, club):
    other = new_club("other")
    record(other, result(other, "Stranger", "Alien"))
    form = typed(two_1="Bo Lindqist", asked="Bo Lindqist", answer="stranger")
    assert organizer.post("/l/club/enter/", form).status_code == 422


def test_a_refused_result_makes_no_players(organizer, club):
    form = typed(two_1="Zed", asked="Zed", answer="new", played_on="2999-01-01")
    assert organizer.post("/l/club/enter/", form).status_code == 422
    assert not Player.objects.filter(name="Zed").exists()


def test_teams_have_up_to_four_members(organizer, club):
    form = typed(one_2="Cy", one_3="Dina", asked=["Cy", "Dina"], answer=["new", "new"])
    organizer.post("/l/club/enter/", form)
    assert newest().participants.filter(side=0).count() == 3


def test_a_list_of_places_has_ties_teams_and_points(organizer, club):
    form = {
        "form_id": str(uuid.uuid4()),
        "places": "Ana Ruiz: 31\nCy = Bo Lindqvist: 24\n\nDina + Emil: 3",
        "played_on": "2025-11-02",
        "kind": "played",
        "asked": ["Cy", "Dina", "Emil"],
        "answer": ["new", "new", "new"],
    }
    response = organizer.post("/l/club/enter/?shape=list", form)
    assert response.status_code == 302
    rows = newest().participants.order_by("side", "player__key")
    assert [(row.player.name, row.rank, row.score) for row in rows] == [
        ("Ana Ruiz", 1, 31),
        ("Cy", 2, 24),
        ("Bo Lindqvist", 2, 24),
        ("Dina", 4, 3),
        ("Emil", 4, 3),
    ]


WHOLE = "A score must be a whole number."


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ("", "errtext"),
        ("Ana Ruiz", "A match needs at least two sides."),
        ("Ana Ruiz: 3\nBo Lindqvist", "Enter points for every side, or for none."),
        ("=\n+", "The name is empty."),
        ("Ana Ruiz: 3.5\nBo Lindqvist: 1", WHOLE),
        ("Ana Ruiz: \u0663\nBo Lindqvist: 1", WHOLE),
        ("Ana Ruiz: 1_0\nBo Lindqvist: 1", WHOLE),
        (f"Ana Ruiz: {'9' * 5000}\nBo Lindqvist: 1", "A score can have at most 6 digits."),
        (
            "Ana Ruiz: 12\nBo: 9 = Cy : 9",
            "“Bo: 9 = Cy : 9”: enter points once, at the end of the line, as in “Bo = Cy: 24”.",
        ),
    ],
)
def test_a_list_that_makes_no_match_is_refused(organizer, club, places, words):
    form = {"places": places, "played_on": "2025-11-02", "kind": "played"}
    response = organizer.post("/l/club/enter/?shape=list", form)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("shape", "fields", "field"),
    [
        ("pair", {"score_two": "3"}, "outcome"),
        ("pair", {"score_one": "", "score_two": "", "outcome": "draw"}, "outcome"),
        ("list", {"places": "Ana Ruiz = Bo Lindqvist"}, "places"),
    ],
)
def test_a_walkover_without_a_winner_is_refused_at_its_field(organizer, club, shape, fields, field):
    """Before, it was stored, and rated as a draw where walkovers count."""
    response = organizer.post(f"/l/club/enter/?shape={shape}", typed(kind="walkover", **fields))
    assert response.status_code == 422
    (problem,) = response.context["form"].errors[field]
    assert (
        problem == "A walkover needs a winner. If neither side came, enter the match as not rated."
    )
    assert Match.objects.count() == 1


def test_whoever_retires_may_have_had_more_points(club):
    form = ListForm(
        club,
        {"places": "Ana Ruiz: 3\nBo: 5", "played_on": "2025-11-02", "kind": "retirement"},
    )
    assert form.is_valid()


def test_the_example_of_a_list_is_a_valid_one(club):
    example = ListForm(club).fields["places"].widget.attrs["placeholder"]
    assert ListForm(
        club, {"places": example, "played_on": "2025-11-02", "kind": "played"}
    ).is_valid()


def test_of_a_time_that_came_twice_the_first_is_taken_and_that_is_said(organizer, club):
    form = typed(played_on="2025-10-26", played_time="01:30")
    response = organizer.post("/l/club/enter/", form)
    assert newest().played_at.isoformat() == "2025-10-26T00:30:00+00:00"
    assert "so 01:30 occurred twice" in organizer.get(response["Location"]).content.decode()


def test_a_refused_form_opens_at_the_first_field_or_note_that_says_why(organizer, club):
    def focused(**fields: Any) -> list[str]:
        body = organizer.post("/l/club/enter/", typed(**fields)).content.decode()
        return re.findall(r"<[^>]*\sautofocus[^>]*>", body)

    (field,) = focused(score_one="x", played_on="soon")
    assert 'name="score_one"' in field
    (note,) = focused(two_1="ANA RUIZ", played_on="2190-01-01", score_one="1", score_two="0")
    assert 'role="alert"' in note or 'name="played_on"' in note
    (note,) = focused(two_1="Bo Lindqist")
    assert 'role="alert"' in note


def test_answers_about_new_names_begin_with_a_choice_and_are_kept(organizer, club):
    form = typed(one_1="Bo Lindqist", two_1="Anna Ruiz")
    body = organizer.post("/l/club/enter/", form).content.decode()
    assert body.count('<option value="">choose</option>') == 2
    assert "selected>Bo" not in body
    halfway = form | {"asked": ["Bo Lindqist", "Anna Ruiz"], "answer": ["bo-lindqvist", ""]}
    body = organizer.post("/l/club/enter/", halfway).content.decode()
    assert '<option value="bo-lindqvist" selected>' in body
    whole = form | {"asked": ["Bo Lindqist", "Anna Ruiz"], "answer": ["bo-lindqvist", "new"]}
    assert organizer.post("/l/club/enter/", whole).status_code == 302


def test_an_answer_with_a_nul_is_none(organizer, club):
    form = typed(two_1="Bo Lindqist", asked="Bo Lindqist", answer="a\x00")
    assert organizer.post("/l/club/enter/", form).status_code == 422


def test_a_number_of_many_digits_in_the_address_is_none(organizer, club):
    page = organizer.get(f"/l/club/enter/?recorded={'9' * 5000}")
    assert page.status_code == 200
    assert "Saved." not in page.content.decode()
    assert organizer.get(f"/?page={'9' * 5000}").status_code == 200


def test_a_closed_season_leads_to_the_open_one(organizer, club):
    club.seasons.update(state="closed")
    body = organizer.get("/l/club/enter/?season=autumn").content.decode()
    assert "The season “Autumn” does not accept results: it is closed." in body
    assert 'name="one_1"' not in body
    assert '<a href="/l/club/settings/seasons/autumn/next/">' in body
    create_season(league=club, name="Winter")
    body = organizer.get("/l/club/enter/?season=autumn").content.decode()
    assert '<a href="/l/club/enter/?season=winter">' in body
    refused = organizer.post("/l/club/enter/?season=autumn", typed())
    assert refused.status_code == 422
    assert 'value="ana ruiz"' in refused.content.decode()


@pytest.mark.parametrize("what", ["correct", "void", "restore"])
def test_who_may_change_results_hears_that_the_season_is_closed(organizer, client, club, what):
    address = f"/l/club/m/autumn/{newest().seq}/{what}/"
    club.seasons.update(state="closed")
    response = organizer.get(address)
    assert response.status_code == 403
    assert "The season “Autumn” does not accept results: it is closed." in response.content.decode()
    organizer.logout()
    assert "Sign in first" in organizer.get(address).content.decode()


def test_lines_of_places_are_read_as_they_are_written(club):
    match = record(
        club,
        result(club, "Ana Ruiz+Cy", "Bo Lindqvist", "Dina", ranks=(1, 2, 2), scores=(5, 4, 4)),
    )[0]
    text = written_places(draft_of(match))
    assert text == "Ana Ruiz + Cy: 5\nBo Lindqvist = Dina: 4"
    assert [(side.rank, side.names, side.score) for side in read_places(text)] == [
        (1, ("Ana Ruiz", "Cy"), 5),
        (2, ("Bo Lindqvist",), 4),
        (2, ("Dina",), 4),
    ]
    assert [side.names for side in read_places('"A=B" = "C: 3"\nD')] == [
        ("A=B",),
        ("C: 3",),
        ("D",),
    ]


def test_another_result_begins_with_the_same_date(organizer, club):
    response = organizer.post("/l/club/enter/", typed(another="yes"))
    page = organizer.get(response["Location"]).content.decode()
    assert "Saved." in page
    assert 'value="2025-11-02"' in page


def test_scorers_enter_what_was_played_yesterday_and_nothing_older(client, club):
    scorer = make_user("sam")
    join(club, scorer, Membership.Role.SCORER)
    client.force_login(scorer)
    today = timezone.now().astimezone(club.zone).date()
    old = client.post("/l/club/enter/", typed(played_on=(today - timedelta(days=3)).isoformat()))
    assert old.status_code == 422
    assert "Only organizers can enter results older than yesterday." in old.content.decode()
    fresh = typed(played_on=(today - timedelta(days=1)).isoformat())
    assert client.post("/l/club/enter/", fresh).status_code == 302


def test_visitors_are_asked_to_sign_in(client, club):
    response = client.get("/l/club/enter/")
    assert response.status_code == 403
    assert "/account/sign-in/?next=/l/club/enter/" in response.content.decode()


def test_a_correction_leads_to_its_revision_and_keeps_what_was_said(organizer, club):
    match = newest()
    page = organizer.get(f"/l/club/m/autumn/{match.seq}/correct/").content.decode()
    assert 'value="Ana Ruiz"' in page
    form = typed(
        score_one="1",
        score_two="3",
        played_on="2025-10-01",
        played_time="20:00",
        version="1",
        reason="the wrong way round",
    )
    response = organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    assert response["Location"] == "/l/club/r/autumn/2/"
    revision = organizer.get(response["Location"]).content.decode()
    assert (
        "<b>Saved.</b> Back to the match: "
        '<a href="/l/club/m/autumn/1/"><bdi dir="ltr">Bo Lindqvist 3–1 Ana Ruiz</bdi></a>.'
    ) in revision
    assert 'Ana Ruiz <span class="nw">3–1</span> Bo Lindqvist' in revision
    assert 'Bo Lindqvist <span class="nw">3–1</span> Ana Ruiz' in revision
    assert "the wrong way round" in revision
    page = organizer.get(f"/l/club/m/autumn/{match.seq}/").content.decode()
    assert "Corrected by kim" in page
    match.refresh_from_db()
    assert match.played_at == START


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"version": "9" * 5000}, "This page is out of date."),
        ({"version": ""}, "This page is out of date."),
        ({"reason": "x" * 201}, "Enter at most 200 characters"),
        ({"reason": "a\u202eb"}, "invisible character (U+202E)"),
        ({"reason": "\u3164"}, "invisible character (U+3164)"),
    ],
)
def test_what_is_wrong_beside_a_change_is_said(organizer, club, fields, words):
    form = typed(version="1", **fields) if "version" not in fields else typed(**fields)
    for what in ("correct", "void"):
        response = organizer.post(f"/l/club/m/autumn/{newest().seq}/{what}/", form)
        assert response.status_code == 422
        assert words in response.content.decode()
    newest_one = newest()
    assert (newest_one.version, newest_one.status) == (1, Match.Status.LIVE)


def test_an_undoing_with_an_unreadable_reason_is_refused(organizer, club):
    response = organizer.post("/l/club/r/autumn/1/undo/", {"reason": "x" * 201})
    assert response.status_code == 422
    assert newest().status == Match.Status.LIVE


def test_a_correction_that_changes_nothing_writes_nothing(organizer, club):
    match = newest()
    form = typed(score_two="1", played_on="2025-10-01", played_time="20:00", version="1")
    response = organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    assert response["Location"] == f"/l/club/m/autumn/{match.seq}/"
    match.refresh_from_db()
    assert match.version == 1
    said = organizer.get(response["Location"]).content.decode()
    assert "Nothing was changed: this is what is already recorded." in said


def test_a_correction_of_something_corrected_meanwhile_shows_both(organizer, club):
    match = newest()
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    form = typed(score_two="0", played_on="2025-10-01", played_time="20:00", version="1")
    organizer.post(address, form)
    response = organizer.post(address, form | {"score_two": "2"})
    assert response.status_code == 409
    body = response.content.decode()
    assert "Someone else changed this first." in body
    assert 'name="version" value="2"' in body
    assert organizer.post(address, form | {"score_two": "2", "version": "2"}).status_code == 302


def test_own_points_and_shares_survive_a_correction(organizer, club):
    match = newest()
    row = match.participants.get(side=0)
    row.playing_share, row.own_score = 0.5, 7
    row.save()
    form = typed(score_two="0", played_on="2025-10-01", played_time="20:00", version="1")
    organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    row = match.participants.get(player=row.player)
    assert (row.playing_share, row.own_score) == (0.5, 7)


def test_no_name_breaks_out_of_the_page(organizer, club):
    name = '"><img src=x onerror=1>'
    form = typed(two_1=name, asked=name, answer="new")
    body = organizer.post("/l/club/enter/", typed(two_1=name, score_one="x")).content.decode()
    assert "<img" not in body
    response = organizer.post("/l/club/enter/", form)
    assert response.status_code == 302
    drain()
    for address in (response["Location"], "/l/club/", "/l/club/results/", "/l/club/enter/"):
        assert "<img" not in organizer.get(address).content.decode()


def test_an_emoji_as_a_name_is_asked_about(organizer: Client, club: League) -> None:
    sent = typed(one_1="🎯", two_1="🏆")
    response = organizer.post("/l/club/enter/", sent)
    assert response.status_code == 422
    assert [question.name for question in response.context["questions"]] == ["🎯", "🏆"]
    assert club.players.count() == 2
    answers = {"asked": ["🎯", "🏆"], "answer": ["ana-ruiz", "new"]}
    assert organizer.post("/l/club/enter/", {**sent, **answers}).status_code == 302
    assert set(club.players.values_list("name", flat=True)) == {"Ana Ruiz", "Bo Lindqvist", "🏆"}


@pytest.mark.parametrize(
    ("shape", "field", "limit"), [("sides", "one_1", 64), ("list", "places", 20_000)]
)
def test_a_text_that_is_too_long_is_refused_with_its_limit(organizer, club, shape, field, limit):
    response = organizer.post(f"/l/club/enter/?shape={shape}", {field: "x" * (limit + 1)})
    page = response.content.decode()
    assert f"Enter at most {limit} characters; there are {limit + 1}." in page


def test_sets_that_do_not_make_the_score_are_asked_about_without_a_rule(organizer, club) -> None:
    said = {
        **{"one_1": "Ana", "two_1": "Bo", "score_one": "10", "score_two": "3", "outcome": "score"},
        **{"played_on": "2025-10-02", "kind": "played", "detail": "10-3 5-10 10-2"},
    }
    answer = organizer.post("/l/club/enter/?shape=pair", said)
    assert answer.status_code == 422
    assert "The sets make 2–1, not 10–3. Is the score right?" in answer.content.decode()


def test_a_name_that_is_spoken_as_a_players_is_asked_about(organizer, club) -> None:
    record(club, result(club, "Max", "Bo"))
    said = {
        **{"one_1": "Maks", "two_1": "Bo", "score_one": "3", "score_two": "1", "outcome": "score"},
        **{"played_on": "2025-10-02", "kind": "played"},
    }
    answer = organizer.post("/l/club/enter/?shape=pair", said)
    assert answer.status_code == 422
    assert "Max" in answer.content.decode()
