"""Kinds of match with weights: named in the settings, chosen wherever results are entered."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from leagues.domain.named_weights import NamedWeight
from leagues.models import AuditEntry, League, Match, Mode
from leagues.services.integrity import check_board
from leagues.services.modes import change_named_weights
from tests.leagues.api.calls import browser
from tests.leagues.imports.sender import Sender
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db

ENTER, SETTINGS = "/l/club/enter/", "/l/club/settings/modes/blitz/"
KINDS = (NamedWeight("League", 1.0), NamedWeight("Cup", 1.5), NamedWeight("Practice", 0.5))


@pytest.fixture
def club(client: Client) -> League:
    kim = make_user("kim")
    league = new_club(owner=kim)
    record(league, result(league, "Ana", "Bo"))
    client.force_login(kim)
    return league


@pytest.fixture
def kinds(club: League) -> League:
    change_named_weights(mode=mode_of(club), weights=KINDS, actor=None)
    return club


def text(client: Client, address: str) -> str:
    return " ".join(html.unescape(client.get(address).content.decode()).split())


def form(**more: Any) -> dict[str, Any]:
    values = {"played_on": "2025-10-03", "kind": "played", "outcome": "one", "shape": "pair"}
    return {**values, "one_1": "Ana", "two_1": "Bo", **more}


def last_weight() -> float:
    return Match.objects.latest("seq").weight


def test_rows_of_the_settings_become_the_kinds_of_a_mode(client: Client, club: League) -> None:
    sent = {"name_1": "League", "weight_1": "", "name_2": " Cup ", "weight_2": "1.5"}
    assert client.post(SETTINGS, sent).status_code == 302
    assert mode_of(club).named_weights == [["League", 1.0], ["Cup", 1.5]]
    assert "League ×1, Cup ×1.5" in text(client, "/l/club/settings/modes/")
    page = client.get(SETTINGS)
    assert [row.name.value() for row in page.context["kinds"].rows][:3] == ["League", "Cup", ""]
    client.post(SETTINGS, sent)
    entry = AuditEntry.objects.get(action="mode.named_weights")
    assert entry.after == {"named_weights": [["League", 1.0], ["Cup", 1.5]]}
    assert "kinds of match changed" in text(client, "/l/club/changes/")
    assert "League ×1; Cup ×1.5" in text(client, "/l/club/changes/")
    client.post(SETTINGS, {"name_1": "", "weight_1": ""})
    assert mode_of(club).named_weights == []


@pytest.mark.parametrize(
    "sent",
    [
        {"name_1": "Cup", "weight_1": "0"},
        {"name_1": "Cup", "weight_1": "10.5"},
        {"name_1": "Cup", "weight_1": "much"},
        {"name_1": "Cup", "weight_1": "nan"},
        {"name_1": "", "weight_1": "2"},
        {"name_1": "Cup", "name_2": "cup"},
        {"name_1": "x" * 25},
        # Words that a night sheet reads as something else.
        *(
            {"name_1": name}
            for name in ("friendly", "WO", "Ret", "3-1", "a > b", "vs", "7", "½", "#", "=")
        ),
    ],
)
def test_kinds_that_cannot_be_are_refused_at_their_row(
    client: Client, club: League, sent: dict[str, str]
) -> None:
    response = client.post(SETTINGS, sent)
    assert response.status_code == 422
    assert response.context["kinds"].errors
    assert mode_of(club).named_weights == []


def test_the_service_refuses_the_same(club: League) -> None:
    for names in (("Friendly",), ("Cup", "CUP")):
        with pytest.raises(ValidationError):
            change_named_weights(
                mode=mode_of(club), weights=[NamedWeight(name, 1.0) for name in names], actor=None
            )


def test_without_kinds_no_page_says_anything_of_them(client: Client, club: League) -> None:
    record(club, result(club, "Ana", "Bo", weight=2.0))
    for address in (f"{ENTER}?a=Ana&b=Bo", "/l/club/m/autumn/2/", "/l/club/results/"):
        page = text(client, address)
        assert "Kind of match" not in page and "×" not in page.replace("× 2", "")
    assert client.post(ENTER, form()).status_code == 302
    assert last_weight() == 1.0


def test_a_kind_is_chosen_in_the_form_and_changed_by_a_correction(
    client: Client, kinds: League
) -> None:
    page = text(client, f"{ENTER}?a=Ana&b=Bo")
    assert "Cup ×1.5" in page and "At stake for Ana (Cup ×1.5)" in page
    assert client.get(ENTER).context["form"]["match_kind"].value() == "1.0 League"
    client.post(ENTER, form(match_kind="1.5 Cup"))
    assert last_weight() == 1.5
    match = "/l/club/m/autumn/2/"
    assert "Cup ×1.5" in text(client, match)
    assert "League ×1" in text(client, "/l/club/m/autumn/1/")
    results = text(client, "/l/club/results/")
    assert "Cup ×1.5" in results and "League ×1" not in results
    correct = "/l/club/m/autumn/2/correct/"
    assert client.get(correct).context["form"]["match_kind"].value() == "1.5 Cup"
    sent = form(version=1, match_kind="0.5 Practice")
    preview = client.post(correct, {**sent, "preview": "yes"})
    assert preview.status_code == 200 and preview.context["preview"]
    client.post(correct, sent)
    assert last_weight() == 0.5
    assert "weight ×0.5" in text(client, match)
    revision = text(client, "/l/club/r/autumn/3/")
    assert "weight ×1.5" in revision and "weight ×0.5" in revision
    # Without a choice the weight stays.
    client.post(correct, form(version=2, detail="well played"))
    assert last_weight() == 0.5
    for board in kinds.boards.all():
        assert check_board(board).differences == ()


def test_a_weight_of_no_kind_is_kept_and_named_as_a_number(client: Client, kinds: League) -> None:
    record(kinds, result(kinds, "Ana", "Bo", weight=3.0))
    assert "weight ×3" in text(client, "/l/club/m/autumn/2/")
    correct = "/l/club/m/autumn/2/correct/"
    assert "weight ×3" in text(client, correct)
    client.post(correct, form(version=1, match_kind="", detail="close"))
    assert last_weight() == 3.0
    # Two kinds of the same weight leave open which one it was.
    change_named_weights(
        mode=mode_of(kinds), weights=[*KINDS, NamedWeight("Final", 3.0)], actor=None
    )
    assert "Final ×3" in text(client, "/l/club/m/autumn/2/")
    change_named_weights(
        mode=mode_of(kinds),
        weights=[NamedWeight("Final", 3.0), NamedWeight("Derby", 3.0)],
        actor=None,
    )
    assert "weight ×3" in text(client, "/l/club/m/autumn/2/")


def test_the_form_refuses_a_kind_that_is_gone(client: Client, kinds: League) -> None:
    response = client.post(ENTER, form(match_kind="1.5 Derby"))
    assert response.status_code == 422
    assert "not played here" in response.content.decode()


def test_a_kind_of_another_mode_is_not_ignored_in_silence(client: Client, kinds: League) -> None:
    """Without script, what was played may be chosen after the kind of match."""
    Mode.objects.create(league=kinds, slug="doubles", name="Doubles", position=1)
    sent = form(match_kind="1.5 Cup", mode="doubles")
    before = Match.objects.count()
    response = client.post(ENTER, sent)
    assert response.status_code == 422
    words = "There are no kinds of match here, so this result would count as a usual one."
    assert words in response.content.decode()
    assert 'name="match_kind"' not in response.content.decode()
    assert Match.objects.count() == before
    # A usual match is one there too, and so is what is sent again as the page has it.
    for again in (sent | {"match_kind": "1.0 League"}, form(mode="doubles", two_1="Cy")):
        response = client.post(ENTER, again)
        assert response.status_code == 302, response.content.decode()
        assert last_weight() == 1.0


def test_a_line_of_a_night_sheet_ends_with_a_kind(client: Client, kinds: League) -> None:
    desk = Desk(client, kinds)
    page = desk.check("Ana Bo 3-1 cup\nAna > Bo (practice)\nBo Ana 3-0\nAna > Bo cup")
    assert "Cup ×1.5" in page and "Practice ×0.5" in page
    assert "Write (Cup) in brackets" in page
    page = desk.check("Ana Bo 3-1 cup\nAna > Bo (practice)\nBo Ana 3-0")
    assert desk.enter("Ana Bo 3-1 cup\nAna > Bo (practice)\nBo Ana 3-0").status_code == 200
    assert list(Match.objects.order_by("seq").values_list("weight", flat=True)) == [
        *(1.0, 1.5, 0.5, 1.0)
    ]
    assert "ana bo 3-1 cup" in text(client, desk.address), "the examples have a kind of the league"


def test_programs_may_name_a_kind(kinds: League) -> None:
    bot = browser(kinds.memberships.get().user)
    assert bot.get("leagues/club/").json()["modes"][0]["match_kinds"][1] == {
        **{"name": "Cup", "weight": 1.5}
    }
    sides = [{"rank": rank, "players": [{"name": name}]} for rank, name in ((1, "Ana"), (2, "Bo"))]
    body = {"played_on": "2025-10-03", "sides": sides}
    path = "leagues/club/matches/"
    assert bot.send(path, {**body, "weight": "cup"}).status_code == 201
    assert last_weight() == 1.5
    refused = bot.send(path, {"matches": [body, {**body, "weight": "Derby"}]})
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert (error["field"], error["code"], error["index"]) == ("weight", "unknown_kind", 1)
    match = "leagues/club/matches/autumn/2/"
    bot.send(match, {"version": 1, "weight": "practice"}, method="PATCH")
    assert last_weight() == 0.5
    assert bot.send(path, {**body, "weight": True}).status_code == 400


def test_a_column_of_weights_may_name_kinds(client: Client, kinds: League) -> None:
    sender = Sender(client, kinds)
    head = "date,player1,player2,score1,score2,weight\n"
    rows = "2025-10-04,Ana,Bo,3,1,Cup\n2025-10-05,Ana,Bo,3,1,0.5\n2025-10-06,Ana,Bo,3,1,\n"
    page = sender.page(sender.checked(f"{head}{rows}2025-10-07,Ana,Bo,3,1,Derby\n"))
    assert "A weight must be a number such as 1 or 0.5, or: League, Cup, Practice." in page
    sender.written(sender.checked(head + rows))
    assert list(Match.objects.order_by("played_at").values_list("weight", flat=True)) == [
        *(1.0, 1.5, 0.5, 1.0)
    ]


def test_a_kind_that_counts_otherwise_by_now_is_asked_again(client: Client, kinds: League) -> None:
    client.post(ENTER, form(match_kind="1.5 Cup"))
    seq = Match.objects.latest("seq").seq
    change_named_weights(mode=mode_of(kinds), weights=[NamedWeight("Cup", 2.0)], actor=None)
    correct = f"/l/club/m/autumn/{seq}/correct/"
    sent = form(version=1, match_kind="1.5 Cup", detail="close")
    assert client.post(correct, sent).status_code == 422
    assert client.post(ENTER, form(match_kind="1.5 Cup")).status_code == 422
    assert last_weight() == 1.5


def test_saving_what_is_shown_changes_nothing(client: Client, club: League) -> None:
    third = NamedWeight("Cup", 0.3333333)
    change_named_weights(mode=mode_of(club), weights=[third], actor=None)
    shown = client.get(SETTINGS).context["kinds"]
    sent = {field.name: field.value() for field in shown}
    assert client.post(SETTINGS, sent).status_code == 302
    assert mode_of(club).weights == (third,)


def test_no_kind_is_called_as_a_number_or_as_another_one(kinds: League) -> None:
    with pytest.raises(ValidationError):
        change_named_weights(mode=mode_of(kinds), weights=[NamedWeight("1.5", 3.0)], actor=None)
    twice = [NamedWeight("Café", 1.0), NamedWeight("cafe", 2.0)]
    with pytest.raises(ValidationError):
        change_named_weights(mode=mode_of(kinds), weights=twice, actor=None)
