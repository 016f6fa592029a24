"""Other names of players: organizers add, hide and remove them, and undo it in the log."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.models import AuditEntry, League, Player, PlayerAlias
from leagues.services.history import check_league
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player, rename_player
from leagues.services.rosters import Roster
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

EDIT, NAMES = "/l/club/p/ana/edit/", "/l/club/p/ana/names/"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana", "Bo"), result(league, "Bo", "Cy"))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(club: League) -> Client:
    client = Client()
    client.force_login(club.memberships.get().user)
    return client


def meant(club: League, name: str, *, only_public: bool = False) -> list[str]:
    roster = Roster.of_names(club, names=[name], only_public=only_public)
    return [player.key for player in roster.meant_by(name=name)]


def post(client: Client, do: str, name: str, **words: str) -> str:
    """Send a change of names and return the text of the page that follows."""
    response = client.post(NAMES, {"do": do, "name": name, **words}, follow=True)
    assert response.redirect_chain == [(f"{EDIT}#names", 302)], response.content.decode()
    return " ".join(response.content.decode().split())


def aliases(client: Client) -> list[str]:
    return list(client.get("/api/v1/leagues/club/players/ana/").json()["aliases"])


def undo(client: Client, name: str) -> None:
    """Press “Undo” beside the newest entry about a name."""
    rows = client.get("/l/club/changes/").context["page"].rows
    row = next(row for row in rows if row.undo_words.get("name") == name)
    assert client.post(row.undo_url, row.undo_words).status_code == 302


@pytest.mark.parametrize("name", ["Во", "Вo", "bо"])
def test_what_looks_as_the_name_of_another_player_is_refused(
    club: League, kim: Client, name: str
) -> None:
    page = kim.post(NAMES, {"do": "add", "name": name})
    assert page.status_code == 422
    said = f"“{name}” looks the same as Bo but has other characters."
    assert said in " ".join(page.content.decode().split())
    assert not club.aliases.exists()


def test_what_looks_as_the_own_name_is_another_name(club: League, kim: Client) -> None:
    name = "Аna"
    assert f"“{name}” now means Ana." in post(kim, "add", name)
    assert meant(club, name) == ["ana"]


def test_an_organizer_lists_adds_and_removes_names(club: League, kim: Client) -> None:
    assert "“Annie” now means Ana." in post(kim, "add", "Annie")
    page = post(kim, "add", " ANNA  R ", is_public="on")
    assert "<bdi>Annie</bdi>" in page and "known to those who enter results" in page
    assert "<bdi>ANNA R</bdi>" in page and "everyone can see it" in page
    assert meant(club, "annie") == meant(club, "anna r") == ["ana"]
    assert "“Annie” no longer means Ana." in post(kim, "remove", "Annie")
    assert meant(club, "Annie") == []
    assert [entry.action for entry in AuditEntry.objects.order_by("pk")][-3:] == [
        "player.spelling",
        "player.spelling",
        "player.spelling_removed",
    ]
    assert check_league(club.pk).differences == 0


def test_removing_and_adding_are_undone_in_the_changes(club: League, kim: Client) -> None:
    post(kim, "add", "Annie", is_public="on")
    post(kim, "remove", "Annie")
    undo(kim, "Annie")
    alias = PlayerAlias.objects.get()
    assert (alias.name, alias.player.key, alias.is_public) == ("Annie", "ana", True)
    undo(kim, "Annie")
    assert not PlayerAlias.objects.exists()
    PlayerAlias.objects.create(
        league=club, player=club.players.get(key="bo"), name="Annie", folded="annie"
    )
    rows = kim.get("/l/club/changes/").context["page"].rows
    assert not any(row.undo_words for row in rows)
    visitor = Client().get("/l/club/changes/").content.decode()
    assert "Annie" not in visitor


def test_a_hidden_name_is_known_to_those_who_enter_results(club: League, kim: Client) -> None:
    post(kim, "add", "Annie")
    visitor, scorer = Client(), Client()
    user = make_user("sam")
    join(club, user, "scorer")
    scorer.force_login(user)
    address = "/l/club/compare/?a=Annie&b=Bo"
    assert aliases(visitor) == [] and aliases(kim) == ["Annie"]
    assert meant(club, "Annie", only_public=True) == []
    assert "No player is called Annie." in visitor.get(address).content.decode()
    assert "No player is called Annie." not in scorer.get(address).content.decode()
    assert visitor.get("/l/club/changes/?player=Annie").status_code == 422
    assert kim.get("/l/club/changes/?player=Annie").status_code == 200
    assert "Everyone can see “Annie” now." in post(kim, "show", "Annie", is_public="on")
    assert aliases(visitor) == ["Annie"]
    assert "No player is called Annie." not in visitor.get(address).content.decode()
    post(kim, "show", "Annie")
    assert aliases(visitor) == []


@pytest.mark.parametrize("shows", [True, False])
def test_the_old_name_of_a_renamed_player_is_shown_by_choice(
    club: League, kim: Client, shows: bool
) -> None:
    words = {"name": "Zoe", "birth_year": "", **({"shows_former": "on"} if shows else {})}
    assert kim.post(EDIT, words).status_code == 302
    assert aliases(Client()) == (["Ana"] if shows else [])
    assert meant(club, "Ana") == ["ana"]
    kim.post(EDIT, {"name": "Ana", "birth_year": ""})
    kim.post(EDIT, {"name": "Zoe", "birth_year": "", **({} if shows else {"shows_former": "on"})})
    assert ("Ana" in aliases(Client())) is not shows


def test_a_name_that_is_the_present_one_again_is_no_other_name(club: League, kim: Client) -> None:
    kim.post(EDIT, {"name": "Zoe"})
    assert "<bdi>Ana</bdi>" in kim.get(EDIT).content.decode().partition('id="names"')[2]
    kim.post(EDIT, {"name": "Ana"})
    assert [alias.name for alias in PlayerAlias.objects.all()] == ["Zoe"]
    assert meant(club, "Ana") == meant(club, "Zoe") == ["ana"]


@pytest.mark.parametrize("name", ["Anna Ruiz", "Ana Ruíz", "Ruiz, Ana", "Ana Ru"])
def test_a_new_name_like_another_players_is_asked_about(
    club: League, kim: Client, name: str
) -> None:
    edit = "/l/club/p/bo/edit/"
    rename_player(player=club.players.get(key="ana"), name="Ana Ruiz", actor=None)
    shown = kim.get(edit).content.decode()
    assert 'type="checkbox" name="is_another"' not in shown
    response = kim.post(edit, {"name": name})
    assert response.status_code == 422
    page = response.content.decode()
    assert "This name is like that of Ana Ruiz: tick below if it is another player." in page
    assert 'type="checkbox" name="is_another"' in page
    assert Player.objects.get(key="bo").name == "Bo"
    assert kim.post(edit, {"name": name, "is_another": "on"}).status_code == 302
    assert Player.objects.get(key="bo").name == name
    # Whoever has the name already is not asked again about capitals or what else is changed.
    assert kim.post(edit, {"name": name.upper(), "birth_year": "1999"}).status_code == 302


def test_a_players_own_names_are_no_other_players(club: League, kim: Client) -> None:
    for name in ("Ana Ruiz", "Ana Ruíz", "Anna Ruiz", "Ana R", "Аna Ruiz", "Ana Ruiz"):
        assert kim.post(EDIT, {"name": name}).status_code == 302
        assert Player.objects.get(key="ana").name == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Оle Andreas", "looks the same as Ole Andreas but has other characters."),
        ("Ole Andreаs", "looks the same as Ole Andreas but has other characters."),
        ("Ole Andreas \u0301", "looks the same as Ole Andreas but has other characters."),
        ("Ole Andreas\xb4", "looks the same as Ole Andreas but has other characters."),
        ("ＯＬＥ Andreas", "“ＯＬＥ Andreas” already means Ole Andreas."),
        ("Ole Andreas", "Another player has this name."),
        ("Ole", "“Ole” already means Ole Andreas."),
    ],
)
def test_nobody_gets_a_name_that_cannot_be_told_from_another_players(
    club: League, kim: Client, name: str, words: str
) -> None:
    rename_player(player=club.players.get(key="ana"), name="Ole", actor=None)
    rename_player(player=club.players.get(key="ana"), name="Ole Andreas", actor=None)
    for address in ("/l/club/p/bo/edit/", "/l/club/players/add/"):
        response = kim.post(address, {"name": name, "is_another": "on"})
        assert response.status_code == 422
        assert words in response.content.decode()
    assert set(club.players.values_list("name", flat=True)) == {"Ole Andreas", "Bo", "Cy"}


@pytest.mark.parametrize(
    ("do", "name", "words"),
    [
        ("add", "Bo", "“Bo” already means Bo."),
        ("add", "ana", "“ana” already means Ana."),
        ("add", "", "The name is empty."),
        ("add", "x\u202ey", "invisible character"),
        ("add", "x" * 65, "at most 64 characters"),
        ("remove", "Bo", "“Bo” is not another name of Ana."),
        ("remove", "Bobby", "“Bobby” is not another name of Ana."),
        ("show", "nobody", "“nobody” is not another name of Ana."),
        ("burn", "Annie", "This page is too old."),
        ("", "Annie", "This page is too old."),
    ],
)
def test_what_cannot_be_done_is_refused_beside_the_field(
    club: League, kim: Client, do: str, name: str, words: str
) -> None:
    rename_player(player=club.players.get(key="bo"), name="Bobby", actor=None)
    rename_player(player=club.players.get(key="bo"), name="Bo", actor=None)
    before = list(PlayerAlias.objects.values_list("name", "player__key"))
    response = kim.post(NAMES, {"do": do, "name": name})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert list(PlayerAlias.objects.values_list("name", "player__key")) == before


def test_names_of_a_merged_player_go_with_the_merge(club: League, kim: Client) -> None:
    rename_player(player=club.players.get(key="cy"), name="Cyril", actor=None)
    drop, keep = club.players.get(key="cy"), club.players.get(key="ana")
    merge_players(league=club, keep=keep, drop=drop, author=None)
    page = kim.get(EDIT).content.decode()
    assert "merged player; undo the merge to remove it" in page
    assert "“Cy” no longer means Ana." in post(kim, "remove", "Cy")
    assert kim.post(NAMES, {"do": "remove", "name": "Cyril"}).status_code == 422


def test_only_organizers_change_names(club: League) -> None:
    scorer = Client()
    user = make_user("sam")
    join(club, user, "scorer")
    scorer.force_login(user)
    assert scorer.post(NAMES, {"do": "add", "name": "Annie"}).status_code == 403
    assert scorer.get(EDIT).status_code == 403
    assert not PlayerAlias.objects.exists()


@pytest.mark.parametrize("name", ["Bó", "Вo Riuz", "Cy Adey"])
def test_a_name_like_another_players_is_asked_about(club: League, kim: Client, name: str) -> None:
    """Also one in letters that look the same, here Cyrillic."""
    rename_player(player=club.players.get(key="bo"), name="Bo Ruiz", actor=None)
    rename_player(player=club.players.get(key="cy"), name="Cy", actor=None)
    sent = {"name": name, "birth_year": ""}
    response = kim.post(EDIT, sent)
    assert response.status_code == 422
    page = response.content.decode()
    assert "This name is like" in page and "This is another player" in page
    assert club.players.get(key="ana").name == "Ana"
    assert kim.post(EDIT, {**sent, "is_another": "on"}).status_code == 302
    assert club.players.get(key="ana").name == name
    # The own name in another form, and its former ones, are like nobody else's.
    for own in (name.upper(), "Ana", "Anna"):
        assert kim.post(EDIT, {"name": own, "birth_year": ""}).status_code == 302


def test_the_present_name_is_no_other_one(club: League, kim: Client) -> None:
    for name in ("Zoe", "Ana"):
        assert kim.post(EDIT, {"name": name, "birth_year": ""}).status_code == 302
    page = kim.get(EDIT)
    assert [other.name for other in page.context["other_names"]] == ["Zoe"]


def test_a_renaming_is_undone_in_the_changes_and_once_more(club: League, kim: Client) -> None:
    """As if it had never been: the name that was given by mistake means nobody then."""
    address = "/l/club/p/ana/edit/"
    kim.post(address, {"name": "Zoe", "birth_year": ""})
    assert (meant(club, "Ana"), meant(club, "Zoe")) == (["ana"], ["ana"])
    undo(kim, "Ana")
    assert "Zoe is called Ana again. You can undo this, too." in kim.get(address).content.decode()
    assert (club.players.get(key="ana").name, meant(club, "Zoe")) == ("Ana", [])
    assert not PlayerAlias.objects.exists()
    undo(kim, "Zoe")
    assert (club.players.get(key="ana").name, meant(club, "Ana")) == ("Zoe", ["ana"])
    assert check_league(club.pk).differences == 0
    assert not any(row.undo_words for row in Client().get("/l/club/changes/").context["page"].rows)


@pytest.mark.parametrize("is_public", [False, True])
def test_another_name_that_became_the_name_is_one_again_where_that_is_undone(
    club: League, kim: Client, is_public: bool
) -> None:
    post(kim, "add", "Annie", **({"is_public": "on"} if is_public else {}))
    for _again in range(2):
        kim.post(EDIT, {"name": "Annie", "birth_year": ""})
        assert list(PlayerAlias.objects.values_list("name", "is_public")) == [("Ana", False)]
        undo(kim, "Ana")
        assert list(PlayerAlias.objects.values_list("name", "is_public")) == [("Annie", is_public)]
        assert meant(club, "Annie") == meant(club, "Ana") == ["ana"]
    assert check_league(club.pk).differences == 0


def test_a_renaming_is_not_undone_where_somebody_else_has_the_name(
    club: League, kim: Client
) -> None:
    kim.post("/l/club/p/ana/edit/", {"name": "Zoe", "birth_year": ""})
    words = {"do": "back", "name": "Ana", "was": "Zoe"}
    PlayerAlias.objects.all().delete()
    ensure_player(league=club, name="Ana", key="other")
    response = kim.post("/l/club/p/ana/names/", words)
    assert response.status_code == 422
    assert "Another player has this name." in response.content.decode()
    late = kim.post("/l/club/p/ana/names/", {**words, "was": "Zora"})
    assert late.status_code == 422
    assert "Zoe was renamed again. Undo that first." in late.content.decode()
