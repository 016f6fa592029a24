"""The admin shows everything to site admins, and edits nothing that is rated or recorded (S-24)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.templatetags.admin_list import result_headers
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues.models import AuditEntry, League, Match, Player, Season, Standing
from leagues.services.leagues import create_league
from leagues.services.members import set_role
from leagues.services.tokens import create_token
from tests.leagues.people import PASSWORD, make_match, make_user
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
EDITABLE = {Player}
admin.autodiscover()
OURS = [
    model for model in apps.get_app_config("leagues").get_models() if model in admin.site._registry
]


@pytest.fixture(scope="module")
def built_boss(shared_rows: None) -> User:
    return make_user("boss", is_superuser=True, is_staff=True)


boss = read_anew("built_boss")


@pytest.fixture
def client(boss: User) -> Client:
    client = Client()
    client.force_login(boss, BACKEND)
    return client


@pytest.fixture
def league(boss: User) -> League:
    """Return a league with a row in most tables."""
    league = create_league(name="Club", slug="club", owner=boss)
    player = Player.objects.create(league=league, key="ana", name="Ana", folded="ana")
    make_match(league, by=boss).participants.create(league=league, player=player, side=0, rank=1)
    create_token(league=league, name="Bot", scope="read", actor=boss)
    Standing.objects.create(
        league=league,
        board=league.boards.first(),
        generation=1,
        player=player,
        state=b"12345678",
        shown=1500,
        place_value=1500,
        games=1,
        won=1,
        drawn=0,
        lost=0,
        form="W",
        streak=1,
        last_played_at=timezone.now(),
    )
    return league


def address(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_a_table_is_shown_and_cannot_be_edited(client: Client, league: League, model: type) -> None:
    changelist = address(model, "changelist")
    assert client.get(changelist).status_code == 200
    assert client.get(changelist, {"q": "club"}).status_code == 200
    assert client.get(address(model, "add")).status_code == 403
    row = model.objects.first()
    if row is None:
        return
    before = list(model.objects.values())
    assert client.get(address(model, "change", row.pk)).status_code == 200
    if model not in EDITABLE:
        hostile = {field.name: "1" for field in model._meta.fields}
        assert client.post(address(model, "change", row.pk), hostile).status_code == 403
    assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    client.post(changelist, {"action": "delete_selected", "_selected_action": row.pk, "post": "1"})
    assert list(model.objects.values()) == before


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_an_address_asks_only_what_the_filters_ask(
    client: Client, league: League, model: type
) -> None:
    named = [field.name for field in model._meta.get_fields()]
    offered = admin.site._registry[model].offered_lookups()
    for field in (*named, *(f"{name}__in" for name in named), "league__name__startswith"):
        expected = 302 if field in offered else 400
        response = client.get(address(model, "changelist"), {field: "9" * 40})
        assert response.status_code in (200, expected), field


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model.__name__)
def test_the_search_box_says_what_it_searches(client: Client, league: League, model: type) -> None:
    found = client.get(address(model, "changelist")).context["cl"]
    assert found.search_help_text.startswith("Searches ")
    assert client.get(address(model, "changelist"), {"q": "9" * 5000}).status_code == 200


def test_the_days_of_a_season_are_those_of_its_league(client: Client, league: League) -> None:
    league.time_zone = "Europe/London"
    league.save()
    season = league.seasons.get()
    season.starts_at = datetime(2026, 9, 9, 23, tzinfo=UTC)
    season.ends_at = datetime(2026, 12, 1, tzinfo=UTC)
    season.save()
    page = client.get(address(Season, "changelist")).content.decode()
    assert "10 Sep 2026" in page and "30 Nov 2026" in page
    assert "p.m." not in page
    found = client.get(address(Season, "changelist")).context["cl"]
    headings = [column["text"] for column in result_headers(found)]
    assert headings[1:] == ["league", "name", "state", "first day", "last day", "results entered"]


def test_the_tables_are_those_to_run_a_league_by_and_records(
    client: Client, league: League
) -> None:
    groups = {group["name"]: group for group in client.get("/admin/").context["app_list"]}
    names = {name: [row["object_name"] for row in groups[name]["models"]] for name in groups}
    assert list(names) == ["Run", "Records"]
    assert names["Run"][:3] == ["League", "Season", "Board"]
    assert {"User", "Job", "Match"} <= set(names["Run"])
    assert {"Revision", "AuditEntry", "Standing"} <= set(names["Records"])
    assert sum(map(len, names.values())) == len(admin.site._registry)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_lists_and_pages_name_the_league_first(client: Client, league: League, model: type) -> None:
    found = client.get(address(model, "changelist")).context["cl"]
    if model is not League:
        columns = [column for column in found.list_display if column != "action_checkbox"]
        assert columns[0] == "league"
        assert found.list_display_links[0] != "league"
    row = model.objects.first()
    if row is not None and model is not League and row.league is not None:
        page = client.get(address(model, "change", row.pk))
        assert page.context["subtitle"].startswith("Club · ")


def test_a_page_tells_times_by_the_clocks_of_its_league(client: Client, league: League) -> None:
    League.objects.update(time_zone="Asia/Tokyo")
    Player.objects.update(created_at=datetime(2026, 11, 1, 18, tzinfo=UTC))
    page = client.get(address(Player, "change", league.players.get().pk)).content.decode()
    assert "2 Nov 2026, 03:00" in page


def test_the_admin_has_the_colours_of_the_pages() -> None:
    """One palette in two files: the admin's own rules are not in layers."""
    styles = settings.BASE / "static" / "css"
    tokens, used = (
        set(re.findall(r"#[0-9a-f]{3,8}\b", (styles / name).read_text()))
        for name in ("rungs.css", "admin.css")
    )
    assert used and used <= tokens


class TestMatches:
    @pytest.mark.parametrize("asked", ["ana", "ANA RU", "1", "sheet-7"])
    def test_a_match_is_found_by_a_player_its_number_or_its_id(
        self, client: Client, league: League, asked: str
    ) -> None:
        Player.objects.update(name="Ana Ruiz", folded="ana ruiz")
        Match.objects.update(external_id="sheet-7")
        make_match(league, seq=2)
        found = client.get(address(Match, "changelist"), {"q": asked}).context["cl"]
        assert [match.seq for match in found.result_list] == [1]

    @pytest.mark.parametrize("asked", ["ana bo", "ruiz", "9" * 40, "\u200b"])
    def test_what_nobody_is_called_finds_nothing(
        self, client: Client, league: League, asked: str
    ) -> None:
        found = client.get(address(Match, "changelist"), {"q": asked}).context["cl"]
        assert not found.result_list

    def test_times_are_those_of_the_league(self, client: Client, league: League) -> None:
        league.time_zone = "Asia/Tokyo"
        league.save()
        make_match(league, seq=2)
        Match.objects.filter(seq=2).update(date_only=True)
        page = client.get(address(Match, "changelist")).content.decode()
        assert "2 Nov 2026, 03:00</td>" in page and "2 Nov 2026</td>" in page


def test_what_proves_a_token_is_not_shown(client: Client, league: League) -> None:
    token = league.tokens.get()
    page = client.get(address(type(token), "change", token.pk)).content.decode()
    assert token.public_id in page and token.secret_hash not in page


class TestPlayer:
    def test_a_name_is_changed_by_the_service(
        self, client: Client, league: League, boss: User
    ) -> None:
        player = Player.objects.get()
        page = address(Player, "change", player.pk)
        assert client.post(page, {"name": "Ana Ruiz", "key": "x"}).status_code == 302
        player.refresh_from_db()
        assert (player.name, player.folded, player.key) == ("Ana Ruiz", "ana ruiz", "ana")
        assert player.aliases.get().name == "Ana"
        assert AuditEntry.objects.get(action="player.rename").actor == boss

    def test_a_refused_name_is_said_in_the_form(self, client: Client, league: League) -> None:
        player = Player.objects.get()
        response = client.post(address(Player, "change", player.pk), {"name": "a\u202eb"})
        assert response.status_code == 200
        assert "name" in response.context["adminform"].form.errors
        player.refresh_from_db()
        assert player.name == "Ana"


class TestAccount:
    def test_an_account_is_made_and_made_site_admin_with_a_trace(self, client: Client) -> None:
        sent = {
            "username": "ana",
            "email": "ana@example.org",
            "password1": PASSWORD,
            "password2": PASSWORD,
        }
        assert client.post(address(User, "add"), sent).status_code == 302
        ana = User.objects.get(username="ana")
        assert ana.check_password(PASSWORD) and not ana.is_staff
        change = {"username": "ana", "email": "", "is_active": "on", "is_superuser": "on"}
        assert client.post(address(User, "change", ana.pk), change).status_code == 302
        ana.refresh_from_db()
        assert ana.is_staff and ana.is_superuser
        entry = AuditEntry.objects.get(action="account.change")
        assert (entry.before["is_superuser"], entry.after["is_superuser"]) == (False, True)
        assert "password" not in repr((entry.before, entry.after))

    def test_nobody_is_deleted(self, client: Client, boss: User) -> None:
        ana = make_user("ana")
        assert client.post(address(User, "delete", ana.pk), {"post": "yes"}).status_code == 403
        assert User.objects.filter(pk=ana.pk).exists()


def test_a_league_leads_to_its_dashboard(client: Client, league: League) -> None:
    page = client.get(address(League, "change", league.pk)).content.decode()
    assert reverse("leagues:dashboard", args=["club"]) in page


def test_staff_who_are_no_site_admins_stay_outside(league: League) -> None:
    staff = make_user("staff", is_staff=True)
    set_role(league=league, user=staff, role="organizer", actor=None)
    browser = Client()
    browser.force_login(staff, BACKEND)
    assert browser.get("/admin/", follow=True).status_code == 403
    assert browser.get(address(League, "changelist"), follow=True).status_code == 403


def test_every_page_has_the_icon_of_the_site(client: Client) -> None:
    assert '<link rel="icon"' in client.get("/admin/").content.decode()
