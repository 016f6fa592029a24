"""The pages of a merge: whom, what it would do, doing it, and where it is told afterwards."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Job, Player, Revision, Season
from leagues.services import preview_jobs
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.players import create_player
from tests.leagues.api.calls import Caller
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/p/bo/merge/"


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    league = new_club(owner=built_kim)
    record(league, *rounds(league, ("Ana Ruiz", "Bo", "Cy", "Dee"), 2), by=built_kim)
    record(league, result(league, "Bob", "Cy", scores=(3, 0), at=START + timedelta(hours=30)))
    return league


club = read_anew("built_club")


def form(**fields: str) -> dict[str, str]:
    return {
        "other": "bob",
        "keep": "bo",
        "own_results": "6",
        "other_results": "1",
        "reason": "one person",
        **fields,
    }


def moves(page: str) -> list[str]:
    table = page.partition('<table class="t small even moves"')[2].partition("</table>")[0]
    return re.findall(r"<bdi>(.*?)</bdi>", table)


def test_the_profile_leads_there_and_similar_names_come_first(club, organizer):
    create_player(league=club, name="Ruiz, Ana")
    create_player(league=club, name="Anna Ruiz")
    assert ADDRESS in organizer.get("/l/club/p/bo/").content.decode()
    page = organizer.get("/l/club/p/ana-ruiz/merge/")
    assert page.status_code == 200
    content = page.content.decode()
    assert "Suggested duplicates" in content
    assert "?key=ruiz-ana" in content
    assert "?key=anna-ruiz" in content
    assert "Dee" in content.partition("<datalist")[2]


def test_whoever_met_is_not_suggested(club, organizer):
    create_player(league=club, name="Anna Ruiz")
    record(club, result(club, "Anna Ruiz", "Ana Ruiz", at=START + timedelta(days=9)))
    assert "Suggested" not in organizer.get("/l/club/p/ana-ruiz/merge/").content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Nobody", "There is no player “Nobody” here."),
        ("Bo", "Choose another player: this is the same one."),
        ("\x00", "the other name of Bo"),
        ("x" * 500, "There is no player"),
    ],
)
def test_a_name_that_is_nobody_else_is_asked_for_again(club, organizer, typed, words):
    assert words in words_of(organizer.get(ADDRESS, {"other": typed}))


def test_a_short_name_means_the_only_other_player_it_can_mean(club, organizer):
    # Bo is the player who is merged, and Bob is not short for anybody.
    for name in ("Bo Tamang", "Robert Tamang", "Robert Berg", "Siri Moe"):
        create_player(league=club, name=name)
    for typed, other in (("Siri", "Siri Moe"), ("ana", "Ana Ruiz"), ("Robert B", "Robert Berg")):
        assert f"Bo (6 results) {other}" in words_of(organizer.get(ADDRESS, {"other": typed})), (
            typed
        )
    page = organizer.get(ADDRESS, {"other": "Robert"})
    assert page.status_code == 422
    assert "We don’t know “Robert” yet. Who is it? Robert Berg" in words_of(page)
    assert "?key=robert-berg" in page.content.decode()
    assert "?key=robert-tamang" in page.content.decode()
    # A slip is asked about.
    page = organizer.get(ADDRESS, {"other": "Siiri Moe"})
    assert "We don’t know “Siiri Moe” yet." in words_of(page)
    assert "?key=siri-moe" in page.content.decode()


def test_of_several_players_of_one_name_one_is_chosen(club, organizer):
    for key in ("twin-1", "twin-2"):
        Player.objects.create(league=club, key=key, name="Twin", folded="twin")
    page = organizer.get(ADDRESS, {"other": "Twin"})
    assert page.status_code == 422
    assert "?key=twin-2" in page.content.decode()
    assert "Bo (6 results)" in words_of(organizer.get(ADDRESS, {"key": "twin-2"}))


def test_a_key_of_the_form_is_no_name(club, organizer):
    twin, _is_new = create_player(league=club, name="bob ", key="other")
    Player.objects.filter(key="bob").update(name="Robert", folded="robert")
    Player.objects.filter(pk=twin.pk).update(name="bob", folded="bob")
    assert "Bo and Robert" in words_of(organizer.get(ADDRESS, {"key": "bob"}))
    assert "Bo and bob" in words_of(organizer.get(ADDRESS, {"other": "bob"}))
    assert "“Robert” was merged into “Bo”." in words_of(
        organizer.post(ADDRESS, form(), follow=True)
    )


def test_a_player_without_results_is_merged_after_a_preview_of_nothing(club, organizer):
    create_player(league=club, name="Bobby")
    sent = form(other="bobby", other_results="0")
    text = words_of(organizer.post(ADDRESS, {**sent, "preview": "yes"}))
    assert "No result changes: “Bobby” has none." in text
    assert "would change" not in text
    assert organizer.post(ADDRESS, sent).status_code == 302


def test_the_player_with_more_results_stays_unless_one_says_otherwise(club, organizer):
    page = organizer.get("/l/club/p/bob/merge/", {"other": "Bo"}).content.decode()
    assert re.search(r'value="bo"[^>]*checked', page)
    assert "Bo (6 results)" in page
    assert "Bob (1 result)" in page


def test_the_preview_says_who_moves_and_saves_nothing(club, organizer):
    digest, revisions = league_digest(club), Revision.objects.count()
    page = organizer.post(ADDRESS, form(preview="yes"))
    assert page.status_code == 200
    text = words_of(page)
    assert "1 result of “Bob” will name “Bo”." in text
    assert "Blitz, Glicko-2; Blitz, Elo: Bo will have 7 rated results: 5 won, 2 lost." in text
    assert "would change" in text
    assert {"Bo", "Bob", "Cy"} <= set(moves(page.content.decode()))
    assert "Merge the players" in text
    assert (league_digest(club), Revision.objects.count()) == (digest, revisions)
    organizer.post(ADDRESS, form())
    drain()
    for board in club.boards.all():
        standing = board.standings.get(generation=board.generation, player__key="bo")
        assert (standing.games, standing.won, standing.lost) == (7, 5, 2)


def test_a_merge_leads_to_the_profile_which_names_the_revision_with_its_undo(club, organizer):
    page = organizer.post(ADDRESS, form(), follow=True)
    assert page.redirect_chain == [("/l/club/p/bo/", 302)]
    revision = Revision.objects.latest("pk")
    assert (revision.kind, revision.reason, revision.author.username) == (
        "merge",
        "one person",
        "kim",
    )
    address = f"/l/club/r/autumn/{revision.number}/"
    content = page.content.decode()
    assert f'<a href="{address}">change {revision.number}</a>' in content
    assert "“Bob” was merged into “Bo”." in words_of(page)
    drain()
    told = organizer.get(address)
    assert "“Bob” was merged into “Bo”" in words_of(told)
    assert "one person" in words_of(told)
    preview = organizer.post(f"{address}undo/", {"preview": "yes"})
    assert {"Bo", "Bob"} <= set(moves(preview.content.decode()))
    undone = organizer.post(f"{address}undo/", follow=True)
    assert "“Bob” and “Bo” are two players again" in words_of(undone)
    assert Player.objects.get(name="Bob").is_listed


def test_the_address_of_the_merged_player_leads_on_for_everybody(club, organizer):
    organizer.post(ADDRESS, form())
    drain()
    visitor = Client()
    page = visitor.get("/l/club/p/bob/?tab=opponents", follow=True)
    assert page.redirect_chain == [("/l/club/p/bo/?tab=opponents", 302)]
    assert "“Bob” was merged into “Bo”." in words_of(page)
    assert visitor.get("/l/club/p/nobody/").status_code == 404
    assert visitor.get("/l/club/p/bob%00/").status_code == 404
    club.visibility = "private"
    club.save()
    assert visitor.get("/l/club/p/bob/").status_code == 404


def test_the_edit_page_of_the_merged_player_leads_to_that_of_the_other_one(club, organizer):
    organizer.post(ADDRESS, form())
    page = organizer.get("/l/club/p/bob/edit/", follow=True)
    assert page.redirect_chain == [("/l/club/p/bo/edit/", 302)]
    assert "“Bob” was merged into “Bo”." in words_of(page)
    # A page that was open before the merge changes nothing of the other player.
    names = {"do": "add", "name": "Bobby"}
    for address, sent in (("edit/", {"name": "Bobby"}), ("names/", names)):
        sent_late = organizer.post(f"/l/club/p/bob/{address}", sent)
        assert sent_late["Location"] == "/l/club/p/bo/edit/"
    assert not Player.objects.filter(name="Bobby").exists()
    assert not club.aliases.filter(name="Bobby").exists()
    assert organizer.get("/l/club/p/nobody/edit/").status_code == 404
    assert Client().get("/l/club/p/bob/edit/").status_code == 403


def test_the_changes_tell_it_in_words_to_everybody(club, organizer):
    organizer.post(ADDRESS, form())
    organizer.post(f"/l/club/r/autumn/{Revision.objects.latest('pk').number}/undo/")
    text = words_of(Client().get("/l/club/changes/"))
    assert "Players merged : change 3, Autumn by an organizer" in text
    assert "one person" in text
    assert "“Bob” was merged into “Bo”" in text
    assert "“Bob” and “Bo” are two players again" in text
    for name in ("Bo", "Bob"):
        about = words_of(Client().get("/l/club/changes/", {"player": name, "kind": "merge"}))
        assert "“Bob” was merged into “Bo”" in about
    assert "No changes match" in words_of(
        Client().get("/l/club/changes/", {"player": "Dee", "kind": "merge"})
    )


def test_profiles_and_matches_say_that_a_merge_moved_them(club, organizer):
    organizer.post(ADDRESS, form())
    drain()
    for key in ("bo", "cy"):
        tab = words_of(organizer.get(f"/l/club/p/{key}/?tab=revisions"))
        assert "an organizer merged two players" in tab
    history = words_of(organizer.get("/l/club/m/autumn/13/"))
    assert "Players merged by kim" in history


def test_players_who_met_are_refused_with_links_to_their_matches(club, organizer):
    for response in (
        organizer.get(ADDRESS, {"other": "Cy"}),
        organizer.post(ADDRESS, form(other="cy", other_results="7", preview="yes")),
        organizer.post(ADDRESS, form(other="cy", other_results="7")),
    ):
        content = response.content.decode()
        assert "played in the same match 2 times" in words_of(response)
        assert "Matches with both players" in content
        assert content.count('<a class="small" href="/l/club/m/autumn/') == 2
        assert "Merge the players" not in content
    assert Player.objects.get(name="Cy").is_listed


def test_players_who_met_are_merged_when_each_match_is_ticked(club, organizer):
    record(club, result(club, "Bo", "Bob", scores=(3, 0), at=START + timedelta(days=9)))
    drain()
    (both,) = club.matches.filter(participants__player__key="bob", seq=14)
    sent = form(own_results="7", other_results="2")
    opened = organizer.get(ADDRESS, {"key": "bob"}).content.decode()
    assert f'value="{both.pk}">' in opened
    assert organizer.post(ADDRESS, sent).status_code == 422
    ticked = {**sent, "mistakes": [str(both.pk)]}
    page = organizer.post(ADDRESS, {**ticked, "preview": "yes"})
    text = words_of(page)
    assert f'value="{both.pk}" checked>' in page.content.decode()
    assert "1 result with both players becomes void" in text
    assert "1 result of “Bob” will name “Bo”." in text
    assert "Blitz, Glicko-2; Blitz, Elo: Bo will have 7 rated results: 5 won, 2 lost." in text
    assert organizer.post(ADDRESS, ticked).status_code == 302
    both.refresh_from_db()
    assert both.status == "void"
    drain()
    for board in club.boards.all():
        standing = board.standings.get(generation=board.generation, player__key="bo")
        assert (standing.games, standing.won, standing.lost) == (7, 5, 2)
    revision = Revision.objects.latest("pk")
    told = words_of(organizer.get(f"/l/club/r/autumn/{revision.number}/"))
    assert "“Bob” was merged into “Bo”" in told
    assert "match 14" in told and "void" in told
    organizer.post(f"/l/club/r/autumn/{revision.number}/undo/")
    both.refresh_from_db()
    assert both.status == "live"


def test_players_who_met_often_have_nothing_to_tick(club, organizer, monkeypatch):
    monkeypatch.setattr("leagues.services.player_merging.MAX_MEETINGS", 1)
    monkeypatch.setattr("leagues.pages.player_merging.MAX_MEETINGS", 1)
    page = organizer.get(ADDRESS, {"other": "Cy"})
    assert "That many results are no mistake" in words_of(page)
    assert 'name="mistakes"' not in page.content.decode()
    assert page.content.decode().count('<a href="/l/club/m/autumn/') == 2


@pytest.mark.parametrize("value", ["x", "-1", "9" * 30, "٣"])
def test_a_tick_that_no_page_sends_is_refused(club, organizer, value):
    assert organizer.post(ADDRESS, form(mistakes=value)).status_code == 422


def test_whoever_comes_second_is_told_and_looks_again(club, organizer):
    organizer.get(ADDRESS, {"other": "bob"})
    record(club, result(club, "Bob", "Dee", at=START + timedelta(days=9)))
    late = organizer.post(ADDRESS, form())
    assert late.status_code == 409
    assert "have changed since you opened this page" in words_of(late)
    assert 'name="other_results" value="2"' in late.content.decode()
    assert 'value="one person"' in late.content.decode()
    assert organizer.post(ADDRESS, form(other_results="2")).status_code == 302
    again = organizer.post(ADDRESS, form(other_results="2"))
    assert again.status_code == 409
    assert "“Bob” has been merged into “Bo”." in words_of(again)
    other_way = organizer.post("/l/club/p/bob/merge/", form(other="dee", keep="dee"), follow=True)
    assert other_way.redirect_chain == [("/l/club/p/bo/", 302)]
    assert "“Bob” was merged into “Bo”." in words_of(other_way)


@pytest.mark.parametrize(
    "fields",
    [{"keep": "cy"}, {"keep": ""}, {"own_results": "x"}, {"other_results": ""}, {"reason": "\n"}],
)
def test_what_no_page_sends_is_refused_or_read_as_words(club, organizer, fields):
    response = organizer.post(ADDRESS, form(**fields))
    assert response.status_code == (302 if "reason" in fields else 422)


def test_a_merge_in_two_seasons_is_previewed_in_both_and_says_so(club, organizer):
    second = Season.objects.create(league=club, slug="second", name="Second")
    add_board(season=second, mode=mode_of(club), system="elo")
    drafts = [result(club, "Bob", "Dee", at=START + timedelta(days=40))]
    record_matches(season=second, mode=mode_of(club), drafts=drafts)
    drain()
    page = organizer.post(ADDRESS, form(other_results="2", preview="yes"))
    text = words_of(page)
    assert "What would change in the standings" in text
    assert "Glicko-2, Autumn" in text
    assert "Elo, Second" in text
    organizer.post(ADDRESS, form(other_results="2"))
    first = Revision.objects.get(season__slug="autumn", kind="merge")
    address = f"/l/club/r/autumn/{first.number}/"
    told = organizer.get(address)
    assert "“Bob” was merged into “Bo”, in 1 other season too" in words_of(told)
    assert '<a href="/l/club/r/second/2/">change 2, Second</a>' in told.content.decode()
    assert "Elo, Second" in words_of(organizer.post(f"{address}undo/", {"preview": "yes"}))
    organizer.post(f"{address}undo/")
    assert Revision.objects.filter(kind="revert").count() == 2


def test_a_large_preview_is_computed_in_the_background(club, organizer, monkeypatch):
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 0)
    page = organizer.post(ADDRESS, form(preview="yes")).content.decode()
    assert "Computing the preview" in page
    assert Job.objects.filter(kind="preview").count() == 1
    drain()
    part = organizer.post(ADDRESS, form(preview="yes"), HTTP_HX_REQUEST="true").content.decode()
    assert part.lstrip().startswith('<div id="preview"')
    assert "Bob" in moves(part)


def test_a_merge_of_too_many_results_says_what_will_happen_and_what_is_not_previewed(
    club, organizer, monkeypatch
):
    monkeypatch.setattr("leagues.pages.player_merging.MAX_MATCHES", 0)
    page = organizer.post(ADDRESS, form(preview="yes"))
    text = words_of(page)
    assert "1 result of “Bob” will name “Bo”." in text
    assert "a preview covers up to 0 results, and this merge renames 1" in text
    assert "Merge the players" in text
    assert not moves(page.content.decode())
    late = organizer.post(ADDRESS, form(other_results="5", preview="yes"))
    assert late.status_code == 409
    assert organizer.post(ADDRESS, form()).status_code == 302


def test_results_that_both_have_are_named_before_the_merge(club, organizer):
    first = result(club, "Bo", "Cy", scores=(3, 1), at=START + timedelta(days=9))
    again = result(club, "Bob", "Cy", scores=(3, 1), at=START + timedelta(days=9, minutes=20))
    other = result(club, "Bob", "Cy", scores=(3, 2), at=START + timedelta(days=9))
    much_later = result(club, "Bob", "Cy", scores=(3, 1), at=START + timedelta(days=9, hours=3))
    record(club, first, again, other, much_later)
    sent = form(own_results="7", other_results="4", preview="yes")
    page = organizer.post(ADDRESS, sent)
    text = words_of(page)
    assert "1 result would be there twice" in text
    assert "Bo 3–1 Cy" in text
    for number in (14, 15):
        assert f'<a class="nw" href="/l/club/m/autumn/{number}/">match {number}</a>' in (
            page.content.decode()
        )
    assert "void one of the two" in text
    organizer.post("/l/club/m/autumn/15/void/", {"version": 1})
    sent = form(own_results="7", other_results="4", preview="yes")
    assert "there twice" not in words_of(organizer.post(ADDRESS, sent))


def test_a_preview_speaks_of_draws_and_ranks_only_where_there_are_any(kim, client):
    league = new_club("fresh", owner=kim, ranked_after=9)
    record(league, result(league, "Bo", "Cy"), result(league, "Bob", "Dee"))
    client.force_login(kim)
    sent = form(own_results="1", other_results="1", preview="yes")
    text = words_of(client.post("/l/fresh/p/bo/merge/", sent))
    assert "Bo will have 2 rated results: 2 won, 0 lost." in text
    assert "rating would change" in text or "ratings would change" in text
    assert "rank would change" not in text
    assert "ranks would change" not in text


def test_nobody_is_offered_to_be_merged_with_himself(club, organizer):
    page = organizer.get(ADDRESS).content.decode()
    offered = re.findall(r'<option value="([^"]*)"', page.partition("<datalist")[2])
    assert "Bob" in offered
    assert "Bo" not in offered
    assert "?key=bo" not in page.replace("?key=bob", "")


def test_only_organizers_merge(club):
    client = Client()
    scorer = make_user("lee")
    join(club, scorer, "scorer")
    client.force_login(scorer)
    assert client.get(ADDRESS).status_code == 403
    assert client.post(ADDRESS, form()).status_code == 403
    assert ADDRESS not in client.get("/l/club/p/bo/").content.decode()
    assert Player.objects.get(name="Bob").is_listed


def test_the_api_lists_the_other_spellings_of_a_merged_player(club, organizer):
    organizer.post(ADDRESS, form())
    answer = Caller().get("leagues/club/players/bo/").json()
    assert answer["aliases"] == ["Bob"]
