"""The correction page: what a change would do, before it is saved."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leagues.domain.named_weights import NamedWeight
from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import Job, League, Match, Player, Revision, Season
from leagues.services import preview_jobs
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_mode
from leagues.services.matches import void_match
from leagues.services.modes import change_named_weights, change_score_rule
from leagues.services.players import ensure_player, rename_player
from leagues.services.seasons import Step, take_step
from tests.leagues.page_texts import with_plain_scores
from tests.leagues.people import join, make_user
from tests.leagues.play import LATER, START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/m/autumn/1/"


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    league = new_club(owner=built_kim)
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3), by=built_kim)
    return league


club = read_anew("built_club")


def typed(**fields: str) -> dict[str, str]:
    """Return the first match the other way round, as the form sends it."""
    return {
        "one_1": "Ana",
        "score_one": "1",
        "two_1": "Bo",
        "score_two": "3",
        "outcome": "score",
        "played_on": "2025-10-01",
        "played_time": "20:00",
        "kind": "played",
        "version": "1",
        **fields,
    }


def moves(page: str) -> dict[str, list[str]]:
    """Return the cells of each player's row of the first table."""
    table = page.partition('<table class="t small even moves"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    texts = [[re.sub(r"<.*?>", "", cell).strip() for cell in row] for row in cells]
    return {name.split()[0]: rest for name, *rest in texts}


def test_a_preview_says_who_moves_and_stores_nothing(organizer, club):
    digest = league_digest(club)
    assert "Save the correction" not in organizer.get(f"{ADDRESS}correct/").content.decode()
    response = organizer.post(f"{ADDRESS}correct/", typed(preview="yes", reason="swapped"))
    page = response.content.decode()
    assert "Save the correction" in page
    assert response.status_code == 200
    assert league_digest(club) == digest
    assert Revision.objects.count() == 1
    assert {"Ana", "Bo"} <= set(moves(page))
    assert "ratings would change" in page
    assert "other results would be rated again." in page
    assert 'value="swapped"' in page
    assert "Preview again" in page
    assert '<bdi dir="ltr">Ana <span class="nw">3–1</span> Bo</bdi>' in page
    assert '<b><bdi dir="ltr">Bo <span class="nw">3–1</span> Ana</bdi></b>' in page
    before, after, change, rank = moves(page)["Ana"]
    assert int(before) + int(change.replace("−", "-")) == int(after)
    saved = organizer.post(f"{ADDRESS}correct/", typed(reason="swapped"))
    assert saved["Location"] == "/l/club/r/autumn/2/"
    drain()
    board = organizer.get("/l/club/").content.decode()
    assert after in board
    assert rank.startswith(("stays", "1", "2", "3", "4"))


def test_a_result_entered_the_wrong_way_round_is_turned_with_its_sets(organizer, club, kim):
    match = record(
        club, result(club, "Ana", "Bo", scores=(2, 1), at=LATER, sets="11-8 9-11 11-6"), by=kim
    )[0]
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    assert 'href="?turned=yes"' in organizer.get(address).content.decode()
    sent = inputs(organizer.get(address, {"turned": "yes"}).content.decode())
    assert (sent["score_one"], sent["score_two"]) == ("1", "2")
    assert sent["detail"] == "8–11, 11–9, 6–11"
    sent |= {"outcome": "score", "kind": "played"}
    assert organizer.post(address, sent).status_code == 302
    match.refresh_from_db()
    best = match.participants.get(rank=1)
    assert (best.player.name, best.score, match.sets) == ("Bo", 2, "8-11 11-9 6-11")
    assert match.detail == ""
    page = html.unescape(organizer.get(f"/l/club/m/autumn/{match.seq}/").content.decode())
    assert '<span class="nw">11–8,</span> <span class="nw">9–11,</span>' in page
    assert 'href="?turned=yes"' not in organizer.get(address, {"turned": ""}).content.decode()


def test_turning_is_offered_wherever_a_score_does_not_fit_its_sets(organizer, club, kim):
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    sets = "11-8 9-11 11-6 11-7"
    draft = result(club, "Ana", "Bo", scores=(3, 1), at=LATER, sets=sets)
    address = f"/l/club/m/autumn/{record(club, draft, by=kim)[0].seq}/correct/"
    sent = inputs(organizer.get(address).content.decode()) | {"outcome": "score", "kind": "played"}
    sent |= {"score_one": "1", "score_two": "3"}
    for fields, status in [({"preview": "yes"}, 200), ({}, 422)]:
        response = organizer.post(address, sent | fields)
        page = html.unescape(response.content.decode())
        assert response.status_code == status
        assert "The sets make 3–1, not 1–3. Is the score right?" in page
        assert page.count('class="btn" href="?turned=yes"') == page.count("?turned=yes") == 1
    # Neither a preview without questions nor a refusal takes it away.
    for fields in ({"detail": "", "preview": "yes"}, {"one_1": ""}):
        assert 'href="?turned=yes"' in organizer.post(address, sent | fields).content.decode()
    turned = organizer.post(f"{address}?turned=yes", sent | {"preview": "yes"})
    assert 'href="?turned=yes"' not in turned.content.decode()


def inputs(page: str) -> dict[str, str]:
    """Return what the inputs of a page hold, by name."""
    found = re.findall(r'<input[^>]* name="(\w+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


@pytest.mark.parametrize(
    ("sets", "detail", "turned"),
    [("6-4 3-2", "RET", "4-6 2-3"), ("6-4", "", "4-6"), ("6-4", "RET", "4-6")],
)
def test_a_turned_result_keeps_sets_and_words_apart(organizer, club, kim, sets, detail, turned):
    draft = result(club, "Ana", "Bo", at=LATER, sets=sets, detail=detail, kind="retirement")
    match = record(club, draft, by=kim)[0]
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    sent = inputs(organizer.get(address, {"turned": "yes"}).content.decode())
    sent |= {"outcome": "two", "kind": "retirement"}
    assert organizer.post(address, sent).status_code == 302
    match.refresh_from_db()
    assert (match.sets, match.detail) == (turned, detail)


def test_long_sets_and_words_do_not_stand_against_another_date(organizer, club, kim):
    sets, words = " ".join(["11-9"] * 40), "a" * 200
    match = record(club, result(club, "Ana", "Bo", at=LATER, sets=sets, detail=words), by=kim)[0]
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    sent = inputs(organizer.get(address).content.decode())
    sent |= {"outcome": "one", "kind": "played", "played_on": f"{START:%Y-%m-%d}"}
    longer = organizer.post(address, sent | {"detail": sent["detail"] + "a"})
    assert longer.status_code == 422
    assert "200" in longer.content.decode()
    assert organizer.post(address, sent).status_code == 302
    match.refresh_from_db()
    assert (match.sets, match.detail, match.played_at.date()) == (sets, words, START.date())


def test_sets_stay_with_their_teams_where_the_list_has_the_winner_first(organizer, club, kim):
    teams = ["Ana+Bo+Cy+Dee+Eve", "Fay+Gil+Hal+Ida+Jo"]
    draft = result(club, *teams, ranks=(2, 1), scores=(1, 2), at=LATER, sets="9-11 11-8 6-11")
    match = record(club, draft, by=kim)[0]
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    page = html.unescape(organizer.get(address).content.decode())
    assert 'value="11–9, 8–11, 11–6"' in page
    sent = {
        "places": "Fay + Gil + Hal + Ida + Kit: 2\nAna + Bo + Cy + Dee + Eve: 1",
        "detail": "11–9, 8–11, 11–6",
        "played_on": f"{LATER:%Y-%m-%d}",
        "played_time": f"{LATER:%H:%M}",
        "kind": "played",
        "version": "1",
    }
    response = organizer.post(address, sent)
    assert response.status_code == 302
    match.refresh_from_db()
    first = match.participants.filter(side=0)
    assert {row.player.name for row in first} == {"Fay", "Gil", "Hal", "Ida", "Kit"}
    assert match.sets == "11-9 8-11 11-6"


def test_a_correction_to_an_impossible_score_is_asked_about(organizer, club):
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    address, sent = f"{ADDRESS}correct/", typed(score_one="1", score_two="4")
    before = league_digest(club)
    preview = organizer.post(address, sent | {"preview": "yes"})
    assert preview.status_code == 200
    asked = organizer.post(address, sent)
    assert asked.status_code == 422
    page = html.unescape(asked.content.decode())
    assert (
        "1–4 is not possible: a best of 5 ends when a side has 3 sets. Is the score right?" in page
    )
    assert league_digest(club) == before
    (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page)
    # The preview asks the same, beside what the correction would do.
    page = html.unescape(preview.content.decode())
    assert "a best of 5 ends when a side has 3 sets. Is the score right?" in page
    assert re.findall(r'name="settled"\s+value="([^"]*)"', page) == [settled]
    assert {"Ana", "Bo"} <= set(moves(page))
    assert '<button class="btn main">' not in page
    assert page.count("autofocus") == 1
    # Who confirms one score confirms no other.
    other = sent | {"score_two": "5", "settled": settled}
    assert organizer.post(address, other).status_code == 422
    assert organizer.post(address, sent | {"settled": settled}).status_code == 302
    match = Match.objects.get(seq=1)
    assert match.version == 2
    # What stands there already is not asked about again where something else is corrected.
    later = sent | {"played_time": "20:05", "version": "2"}
    assert organizer.post(address, later).status_code == 302


def test_a_correction_to_a_winner_against_the_score_is_asked_about(organizer, club):
    address, sent = f"{ADDRESS}correct/", typed(score_one="2", score_two="3", outcome="one")
    asked = organizer.post(address, sent)
    assert asked.status_code == 422
    page = html.unescape(asked.content.decode())
    assert "With 2–3, the other side won. Is the winner right?" in page
    (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page)
    assert organizer.post(address, sent | {"settled": settled}).status_code == 302
    # What stands there already is not asked about again.
    later = sent | {"played_time": "20:05", "version": "2"}
    assert organizer.post(address, later).status_code == 302
    sides = Match.objects.get(seq=1).participants.order_by("side")
    assert [(row.rank, row.score) for row in sides] == [(1, 2), (2, 3)]


@pytest.mark.parametrize("what", ["void", "restore"])
def test_voiding_and_restoring_are_previewed(organizer, club, kim, what):
    match = club.matches.get(seq=1)
    if what == "restore":
        void_match(match=match, author=kim)
        drain()
    version = Match.objects.get(pk=match.pk).version
    page = organizer.post(f"{ADDRESS}{what}/", {"version": version, "preview": "yes"})
    assert page.status_code == 200
    assert {"Ana", "Bo"} <= set(moves(page.content.decode()))
    back = {"void": "Back without voiding", "restore": "Back without restoring"}
    assert [words for words in back.values() if words in page.content.decode()] == [back[what]]
    assert Match.objects.get(pk=match.pk).version == version


def test_pages_give_every_time_of_a_match_in_the_zone_of_their_reader(organizer, club):
    later = typed(score_one="3", score_two="1", played_time="21:30")
    preview = organizer.post(f"{ADDRESS}correct/", later | {"preview": "yes"}).content.decode()
    # The field beside it is in the league's zone.
    assert "1 Oct 2025, 21:30: Ana 3–1 Bo" in with_plain_scores(preview)
    assert "<time" not in preview
    assert organizer.post(f"{ADDRESS}correct/", later).status_code == 302
    moved = '<time datetime="2025-10-01T21:30:00+01:00" data-moment>1 Oct 2025, 21:30</time>: Ana'
    for address in (ADDRESS, "/l/club/r/autumn/2/", "/l/club/changes/"):
        page = with_plain_scores(organizer.get(address).content.decode())
        assert moved in page
        assert "21:30" not in re.sub("<time.*?</time>", "", page)


def test_who_loses_the_rank_with_a_result_is_named_before_and_after(organizer, club):
    # Each of the four has three results in three rounds; Eva comes with three of her own.
    late = [result(club, "Eva", name, at=LATER) for name in ("Ana", "Bo", "Cy")]
    match = record(club, *late)[0]
    club.ranked_after = 3
    club.save()
    drain()
    void = f"/l/club/m/autumn/{match.seq}/void/"
    preview = organizer.post(void, {"version": "1", "preview": "yes"}).content.decode()
    assert "No longer ranked: Eva." in preview
    assert moves(preview)["Eva"][-1] == "1 to not ranked"
    organizer.post(void, {"version": "1"})
    address = f"/l/club/r/autumn/{Revision.objects.latest('pk').number}/"
    waiting = organizer.get(address).content.decode()
    assert "No longer ranked" not in waiting
    drain()
    assert "No longer ranked, with too few results: Eva." in organizer.get(address).content.decode()
    organizer.post(f"/l/club/m/autumn/{match.seq}/restore/", {"version": "2"})
    drain()
    assert "No longer ranked" not in organizer.get(address).content.decode()


def test_an_undo_is_previewed(organizer, club):
    organizer.post(f"{ADDRESS}correct/", typed())
    drain()
    digest, undo = league_digest(club), "/l/club/r/autumn/2/undo/"
    page = organizer.post(undo, {"preview": "yes"})
    assert page.status_code == 200
    assert {"Ana", "Bo"} <= set(moves(page.content.decode()))
    assert "Preview again" in page.content.decode()
    part = organizer.post(undo, {"preview": "yes"}, headers={"HX-Request": "true"})
    assert part.content.decode().strip().startswith('<div id="preview"')
    assert (league_digest(club), Revision.objects.count()) == (digest, 2)
    done = organizer.post(undo, follow=True)
    assert done.redirect_chain == [("/l/club/r/autumn/3/", 302)]
    assert (
        "Change 2 (result corrected) was undone. “Correct the result again” takes that back."
        in done.content.decode()
    )
    refused = organizer.post(undo, {"preview": "yes"})
    assert refused.status_code == 422
    assert "This has already been undone." in refused.content.decode()


def test_the_page_says_how_to_change_what_was_played(client, organizer, club):
    assert "Recorded in" not in organizer.get(f"{ADDRESS}correct/").content.decode()
    add_mode(league=club, name="Cricket", actor=None)
    page = " ".join(html.unescape(organizer.get(f"{ADDRESS}correct/").content.decode()).split())
    assert (
        'Recorded in <bdi>Blitz</bdi>. If something else was played, <a href="/l/club/m/autumn/1/'
        'void/">void this match</a> and <a href="/l/club/enter/?season=autumn&mode=cricket&again=1'
        '&on=2025-10-01">enter it again</a>.'
    ) in page
    form = organizer.get("/l/club/enter/?season=autumn&mode=cricket&again=1&on=2025-10-01")
    fields = form.context["form"]
    assert [fields[name].value() for name in ("one_1", "two_1")] == ["Ana", "Bo"]
    assert fields["played_on"].value().isoformat() == "2025-10-01"
    assert re.search(r'id="mode-cricket"[^>]*aria-pressed="true"', form.content.decode())
    # Of several others one is chosen there.
    add_mode(league=club, name="Shanghai", actor=None)
    page = html.unescape(organizer.get(f"{ADDRESS}correct/").content.decode())
    assert "/l/club/enter/?season=autumn&mode=blitz&again=1&on=2025-10-01" in page


def test_pages_say_what_an_undo_undid_and_what_the_undo_of_one_brought_back(organizer, club):
    organizer.post(f"{ADDRESS}correct/", typed())
    for number in (2, 3, 4):
        organizer.post(f"/l/club/r/autumn/{number}/undo/")
    history = organizer.get(ADDRESS).content.decode().partition("History of this match")[2]
    said = re.findall(r"(\w[\w ]*) by (?:you|kim)", history)
    assert said == ["Entered", "Corrected", "Undone", "Brought back", "Undone"]
    for number, done in ((3, "undone"), (4, "brought back"), (5, "undone")):
        page = organizer.get(f"/l/club/r/autumn/{number}/").content.decode()
        heading = page.partition("<h1>")[2].partition("</h1>")[0]
        assert " ".join(heading.split()) == (
            f"Change {number}: change 2 (result corrected) was {done}"
        )


def test_an_undo_that_a_later_change_forbids_leads_to_it(organizer, club):
    for version, points in enumerate("57", start=1):
        organizer.post(f"{ADDRESS}correct/", typed(score_two=points, version=str(version)))
    for words in ({}, {"preview": "yes"}):
        refused = organizer.post("/l/club/r/autumn/2/undo/", words)
        page = refused.content.decode()
        assert refused.status_code == 422
        link = '<a href="/l/club/r/autumn/3/">change 3</a>'
        assert f"Undo that first: {link}." in page
        assert page.lower().count("change 3") == 1
        assert "Undo this correction" not in page
    assert "Undo this correction" in organizer.get("/l/club/r/autumn/3/").content.decode()


def test_a_change_of_nothing_would_do_nothing(organizer, club):
    same = typed(score_one="3", score_two="1", preview="yes")
    page = organizer.post(f"{ADDRESS}correct/", same).content.decode()
    assert "Nothing would change: this is what is already recorded." in page


@pytest.mark.parametrize(
    "fields",
    [
        {"two_1": "Ana"},
        {"two_1": ""},
        {"score_one": "nan"},
        {"score_one": "99999999999"},
        {"played_on": "2999-01-01"},
        {"played_on": "1700-01-01"},
        {"reason": "x" * 201},
        {"version": ""},
        {"version": "7"},
    ],
)
def test_a_preview_refuses_what_saving_refuses_in_the_same_words(organizer, club, fields):
    previewed = organizer.post(f"{ADDRESS}correct/", typed(**fields, preview="yes"))
    saved = organizer.post(f"{ADDRESS}correct/", typed(**fields))
    assert previewed.status_code == saved.status_code >= 400

    def refusals(response) -> list[str]:
        page = response.content.decode()
        return re.findall(r'<p class="(?:small errtext|note look)".*?</p>', page, re.DOTALL)

    assert refusals(previewed) == refusals(saved) != []


def test_unknown_names_are_asked_about_and_the_answer_is_kept_for_saving(organizer, club):
    form = typed(two_1="Anna", preview="yes")
    asked = organizer.post(f"{ADDRESS}correct/", form)
    assert asked.status_code == 422
    assert "Preview with these names" in asked.content.decode()
    answered = form | {"asked": "Anna", "answer": "new"}
    page = organizer.post(f"{ADDRESS}correct/", answered).content.decode()
    assert moves(page)["Anna"][0] == "–"
    assert '<input type="hidden" name="answer" value="new">' in page
    assert not Player.objects.filter(name="Anna").exists()


def test_a_short_name_means_its_only_player_and_the_preview_says_whom(organizer, club):
    ensure_player(league=club, name="Eve Diaz")
    page = organizer.post(f"{ADDRESS}correct/", typed(two_1="Eve", preview="yes")).content.decode()
    assert "Who these names mean" in page
    assert '<option value="" selected>Eve Diaz</option>' in page
    done = organizer.post(f"{ADDRESS}correct/", typed(two_1="Eve"), follow=True)
    assert "<b>“Eve” means Eve Diaz.</b>" in done.content.decode()
    match = Match.objects.get(season__slug="autumn", seq=1)
    assert {row.player.name for row in match.participants.all()} == {"Ana", "Eve Diaz"}


def test_a_correction_remembers_an_answer_for_another_spelling(organizer, club):
    ensure_player(league=club, name="Eve Diaz")
    answers = {"asked": "Eve Diax", "answer": "eve-diaz"}
    sent = typed(two_1="Eve Diax", **answers)
    organizer.post(f"{ADDRESS}correct/", sent | {"preview": "yes"})
    assert not club.aliases.exists()
    assert organizer.post(f"{ADDRESS}correct/", sent).status_code == 302
    assert club.aliases.get().name == "Eve Diax"


def test_a_name_short_for_whoever_it_replaces_is_asked_about(organizer, club):
    """Who types another name over a player's means somebody else, or changes nothing."""
    rename_player(player=club.players.get(name="Bo"), name="Bo Berg", actor=None)
    asked = organizer.post(f"{ADDRESS}correct/", typed(two_1="B. Berg"))
    assert asked.status_code == 422
    select = re.search("<select[^>]*name=.answer.*?</select>", asked.content.decode())[0]
    assert '<option value="bo">' in select and "selected" not in select
    new = {"asked": "B. Berg", "answer": "new"}
    assert organizer.post(f"{ADDRESS}correct/", typed(two_1="B. Berg", **new)).status_code == 302
    match = Match.objects.get(season__slug="autumn", seq=1)
    assert {row.player.name for row in match.participants.all()} == {"Ana", "B. Berg"}


def test_a_name_that_nobody_is_like_is_previewed_as_a_new_player(organizer, club):
    page = organizer.post(f"{ADDRESS}correct/", typed(two_1="Zoe", preview="yes")).content.decode()
    assert moves(page)["Zoe"][0] == "–"
    assert not Player.objects.filter(name="Zoe").exists()


def test_a_sealed_season_says_who_can_reopen_it(organizer, club, kim):
    take_step(season_of(club), Step.CLOSE, actor=kim, now=LATER)
    take_step(season_of(club), Step.SEAL, actor=kim, now=LATER)
    drain()
    response = organizer.post(f"{ADDRESS}correct/", typed(preview="yes"))
    assert response.status_code == 403
    assert "A site admin can reopen it" in response.content.decode()


class TestLargeLeagues:
    @pytest.fixture(autouse=True)
    def _small_requests(self, monkeypatch):
        monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 0)

    def ask(self, organizer: Client, **fields: str) -> str:
        return organizer.post(f"{ADDRESS}correct/", typed(preview="yes", **fields)).content.decode()

    def test_a_job_computes_the_preview_and_the_page_shows_it_then(self, organizer, club):
        digest = league_digest(club)
        page = self.ask(organizer)
        assert "Computing the preview" in page
        assert "the standings stay as they are" in page
        assert Job.objects.filter(kind="preview").count() == 1
        assert "Computing the preview" in self.ask(organizer)
        drain()
        assert league_digest(club) == digest
        by_job = self.ask(organizer)
        assert Job.objects.filter(kind="preview").count() == 1
        assert {"Ana", "Bo"} <= set(moves(by_job))

    def test_the_job_says_what_a_request_would_have_said(self, organizer, club, monkeypatch):
        self.ask(organizer)
        drain()
        by_job = moves(self.ask(organizer))
        monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 60_000)
        assert moves(self.ask(organizer)) == by_job

    def test_a_changed_league_makes_it_stale(self, organizer, club):
        self.ask(organizer)
        drain()
        record(club, result(club, "Cy", "Dee", at=START))
        assert "The league has changed since the preview" in self.ask(organizer)
        drain()
        assert {"Ana", "Bo"} <= set(moves(self.ask(organizer)))

    def test_its_result_expires(self, organizer, club):
        self.ask(organizer)
        drain()
        Job.objects.filter(kind="preview").update(finished_at=START)
        assert "Computing the preview" in self.ask(organizer)

    def test_one_that_failed_is_said_and_tried_again_later(self, organizer, club):
        self.ask(organizer)
        Job.objects.filter(kind="preview").update(state=Job.State.FAILED)
        assert "The preview has stopped." in self.ask(organizer)
        Job.objects.filter(kind="preview").update(finished_at=START)
        assert "Computing the preview" in self.ask(organizer)

    def test_a_fragment_is_the_preview_alone(self, organizer, club):
        self.ask(organizer)
        drain()
        part = organizer.post(
            f"{ADDRESS}correct/", typed(preview="yes"), headers={"HX-Request": "true"}
        ).content.decode()
        assert part.strip().startswith('<div id="preview"')
        assert {"Ana", "Bo"} <= set(moves(part))


def form_values(page: str) -> dict[str, str]:
    """What the form of a correction has, as a browser sends it."""
    form = page.partition('id="change"')[2].partition("</form>")[0]
    values = {}
    for tag in re.findall(r"<input[^>]*>", form):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        is_chosen = said.get("type") != "radio" or " checked" in tag
        if "name" in said and is_chosen and said["name"] != "csrfmiddlewaretoken":
            values[said["name"]] = html.unescape(said.get("value", ""))
    for name, options in re.findall(r'<select name="(\w+)"(.*?)</select>', form, re.DOTALL):
        values[name] = re.search(r'value="([^"]*)" selected', options)[1]
    return values


def version_cells(page: str) -> dict[str, tuple[str, str]]:
    """What both versions say, by the heading of the row; a row that differs has a star."""
    table = page.partition('<table class="t small">')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    versions = {}
    for row in rows:
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        label, *rest = (" ".join(re.sub(r"<.*?>", "", cell).split()) for cell in cells)
        versions[label.replace(" differs", "*")] = (rest[0], rest[1])
    return versions


@pytest.mark.parametrize("words", [{}, {"preview": "yes"}])
def test_who_comes_second_sees_both_versions_and_replaces_the_stored_one(organizer, club, words):
    theirs = typed(score_one="2", detail="11-8", kind="unrated", reason="misread")
    organizer.post(f"{ADDRESS}correct/", theirs)
    digest = league_digest(club)
    mine = typed(score_two="0", one_1="ana", played_time="21:30")
    response = organizer.post(f"{ADDRESS}correct/", mine | words)
    page = html.unescape(response.content.decode())
    assert response.status_code == 409
    assert league_digest(club) == digest
    assert version_cells(page) == {
        "Result*": ("ana 1–0 Bo", "Bo 3–2 Ana"),
        "Played*": ("Wednesday 1 Oct 2025, 21:30", "Wednesday 1 Oct 2025, 20:00"),
        "Kind": ("not rated", "not rated"),
        "Details*": ("–", "11-8"),
    }
    assert "all else in it is as stored now" in page
    assert "Corrected by kim" in page
    assert "“<bdi>misread</bdi>”" in page
    assert "Replace it with my version" in page
    merged = form_values(page)
    assert merged["version"] == "2"
    saved = organizer.post(f"{ADDRESS}correct/", merged)
    assert saved["Location"] == "/l/club/r/autumn/3/"
    match = club.matches.get(seq=1)
    assert (match.kind, match.detail, match.version) == ("unrated", "", 3)
    assert match.played_at.astimezone(club.zone).hour == 21


def test_who_comes_second_with_a_score_alone_keeps_the_time_of_the_first(organizer, club):
    opened = form_values(organizer.get(f"{ADDRESS}correct/").content.decode())
    organizer.post(f"{ADDRESS}correct/", opened | {"played_time": "21:30"})
    mine = opened | {"score_one": "4"}
    page = html.unescape(organizer.post(f"{ADDRESS}correct/", mine).content.decode())
    differing = [label for label in version_cells(page) if label.endswith("*")]
    assert differing == ["Result*"]
    assert organizer.post(f"{ADDRESS}correct/", form_values(page)).status_code == 302
    match = club.matches.get(seq=1)
    local = match.played_at.astimezone(club.zone)
    assert (f"{local:%H:%M}", match.participants.get(side=0).score) == ("21:30", 4)


def test_a_result_is_never_put_together_from_two_corrections(organizer, club):
    opened = form_values(organizer.get(f"{ADDRESS}correct/").content.decode())
    one, two = int(opened["score_one"]), int(opened["score_two"])
    turned = opened | {"score_one": str(two), "score_two": str(one)}
    organizer.post(f"{ADDRESS}correct/", turned)
    mine = opened | {"score_one": str(one + 7)}
    page = organizer.post(f"{ADDRESS}correct/", mine).content.decode()
    merged = form_values(page)
    assert (merged["score_one"], merged["score_two"]) == (str(one + 7), str(two))


def test_a_score_means_the_sides_that_it_was_typed_for(organizer, club):
    opened = form_values(organizer.get(f"{ADDRESS}correct/").content.decode())
    changed_sides = {"one_1": opened["two_1"], "two_1": opened["one_1"]}
    organizer.post(f"{ADDRESS}correct/", opened | changed_sides | {"played_time": "21:30"})
    mine = opened | {"score_one": "9"}
    merged = form_values(organizer.post(f"{ADDRESS}correct/", mine).content.decode())
    assert [merged[name] for name in ("one_1", "two_1", "score_one", "played_time")] == [
        *(opened["one_1"], opened["two_1"], "9", "21:30"),
    ]


def test_both_versions_name_the_kind_of_match_and_another_season(organizer, club):
    kinds = [NamedWeight("League", 1.0), NamedWeight("Cup", 1.5), NamedWeight("Final", 2.0)]
    change_named_weights(mode=mode_of(club), weights=kinds, actor=None)
    Season.objects.create(league=club, slug="winter", name="Winter")
    organizer.post(f"{ADDRESS}correct/", typed(match_kind="1.5 Cup"))
    mine = typed(match_kind="2.0 Final", season="winter")
    response = organizer.post(f"{ADDRESS}correct/", mine)
    assert response.status_code == 409
    rows = version_cells(html.unescape(response.content.decode()))
    assert rows["Kind of match*"] == ("Final ×2", "Cup ×1.5")
    assert rows["Season*"] == ("Winter", "Autumn")
    same = organizer.post(f"{ADDRESS}correct/", mine | {"match_kind": "1.5 Cup"})
    rows = version_cells(html.unescape(same.content.decode()))
    assert rows["Kind of match"] == ("Cup ×1.5", "Cup ×1.5")


def test_two_equal_corrections_leave_nothing_to_save(organizer, club):
    organizer.post(f"{ADDRESS}correct/", typed())
    page = organizer.post(f"{ADDRESS}correct/", typed()).content.decode()
    assert "Both versions say the same, so there is nothing to save." in page
    assert "Replace it with my version" not in page
    assert not any(label.endswith("*") for label in version_cells(page))


def test_a_match_that_was_voided_meanwhile_stays_void(organizer, club, kim):
    void_match(match=club.matches.get(seq=1), author=kim, reason="never played")
    response = organizer.post(f"{ADDRESS}correct/", typed())
    page = response.content.decode()
    assert response.status_code == 409
    assert "Voided by kim" in page
    assert "Saving your version does not restore it." in page
    assert organizer.post(f"{ADDRESS}correct/", typed(version="2")).status_code == 302
    assert club.matches.get(seq=1).status == Match.Status.VOID


def test_both_versions_of_a_free_for_all_are_shown(organizer, club):
    match = record(club, result(club, "Ana", "Bo", "Cy", "Dee", at=START))[0]
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    form = {
        "places": "Bo\nAna = Cy\nDee",
        "played_on": "2025-10-01",
        "played_time": "20:00",
        "kind": "played",
        "version": "1",
    }
    assert organizer.post(address, form).status_code == 302
    response = organizer.post(address, form | {"places": "Dee\nBo\nAna + Cy"})
    assert response.status_code == 409
    rows = version_cells(html.unescape(response.content.decode()))
    assert rows["Result*"] == ("Dee > Bo > Ana + Cy", "Bo > Ana = Cy > Dee")


def test_who_is_no_organizer_learns_no_names_of_accounts(club, kim):
    sam = make_user("sam")
    join(club, sam, "scorer")
    match = record(club, result(club, "Ana", "Bo", at=timezone.now()), by=sam)[0]
    match.season.matches.filter(pk=match.pk).update(entered_by=sam)
    void_match(match=match, author=kim)
    client = Client()
    client.force_login(sam)
    today = timezone.now().astimezone(club.zone).date().isoformat()
    response = client.post(
        f"/l/club/m/autumn/{match.seq}/correct/", typed(played_on=today, played_time="")
    )
    page = response.content.decode()
    assert response.status_code == 409
    assert "Voided by" in page
    assert "kim" not in page


def test_on_a_first_night_a_preview_has_no_empty_columns(client: Client, kim) -> None:
    league = new_club("fresh", owner=kim, ranked_after=5)
    client.force_login(kim)
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 1), by=kim)
    page = client.post("/l/fresh/m/autumn/1/correct/", typed(preview="yes")).content.decode()
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    assert "Result now: Ana 3–1 Bo Result after: Bo 3–1 Ana" in words
    assert "Player Rating now Rating after Change Ana" in words
    assert "not ranked" not in words.partition("Result now")[2]


def test_who_would_have_no_result_or_a_first_one_is_told_in_words(
    organizer: Client, club: League, kim: User
) -> None:
    (match,) = record(club, result(club, "Zed", "Ana", at=LATER), by=kim)
    page = organizer.post(f"/l/club/m/autumn/{match.seq}/void/", {"version": 1, "preview": "yes"})
    assert moves(page.content.decode())["Zed"][1:3] == ["–", "no result left"]
    organizer.post(f"/l/club/m/autumn/{match.seq}/void/", {"version": 1})
    drain()
    number = Revision.objects.latest("pk").number
    page = organizer.post(f"/l/club/r/autumn/{number}/undo/", {"preview": "yes"})
    row = moves(page.content.decode())["Zed"]
    assert (row[0], row[2]) == ("–", "first rating")


def test_what_an_undone_change_brings_back_is_said_on_its_button(
    organizer: Client, club: League, kim: User
) -> None:
    void_match(match=club.matches.get(seq=1), author=kim)
    for number, (button, words) in enumerate(
        (
            ("Undo this change", "The result will count again."),
            ("Void the result again", "The result will be void again and no longer count."),
            ("Undo this change", "The result will count again."),
        ),
        start=2,
    ):
        page = organizer.get(f"/l/club/r/autumn/{number}/").content.decode()
        assert f'<button class="btn">{button}</button>' in page
        assert words in page
        organizer.post(f"/l/club/r/autumn/{number}/undo/")
    log = organizer.get("/l/club/changes/").content.decode()
    assert "Void the result again" in log
