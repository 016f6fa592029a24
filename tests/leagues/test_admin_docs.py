"""The way that docs/admin.md describes is there: every word that it quotes stands on a page."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from leagues.jobs.runner import drain
from leagues.models import Season
from leagues.services.leagues import add_board
from leagues.services.matches import void_match
from leagues.services.seasons import Step, carry_over, start_next_season, take_step
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, rounds, season_of

pytestmark = pytest.mark.django_db
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "admin.md"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_what_the_guide_quotes_stands_on_the_pages() -> None:
    boss = make_user("boss", is_superuser=True, is_staff=True)
    league = new_club(owner=boss)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=boss)
    season = season_of(league)
    client = Client()
    client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    shown: list[str] = []

    def look(name: str, *words: object) -> None:
        response = client.get(reverse(name, args=words))
        assert response.status_code == 200, name
        shown.append(html.unescape(response.content.decode()))

    look("admin:index")
    for table in ("season", "board", "match", "player", "job", "revision", "auditentry"):
        look(f"admin:leagues_{table}_changelist")
    board = league.boards.first()
    look("admin:leagues_board_change", board.pk)
    look("admin:leagues_board_rules", board.pk)
    look("leagues:dashboard", league.slug)
    look("admin:leagues_season_change", season.pk)
    look("leagues:player_add", league.slug)
    look("leagues:player", league.slug, "ana")
    look("leagues:player_edit", league.slug, "ana")
    zero_sum = add_board(season=season, mode=mode_of(league), system="zerosum")
    look("leagues:settings_rules", league.slug, season.slug, zero_sum.slug)
    look("leagues:player_starts", league.slug, "ana")
    league.players.filter(key="ana").update(left_at=NOW)
    look("leagues:player_edit", league.slug, "ana")
    match = (league.slug, season.slug, 1)
    look("leagues:match", *match)
    look("leagues:compare", league.slug)
    client.post(reverse("leagues:start", args=[league.slug]), {"a": "ana", "b": "bo"})
    started = league.matches.started().get()
    look("leagues:match", league.slug, season.slug, started.seq)
    # A season with an open match is not sealed.
    void_match(match=started, author=boss)
    look("leagues:settings_mode", league.slug, league.modes.get().slug)
    preview = client.post(reverse("leagues:void", args=match), {"version": "1", "preview": "yes"})
    shown.append(html.unescape(preview.content.decode()))
    void_match(match=league.matches.get(seq=1), author=boss)
    look("leagues:match", *match)
    for step in (Step.CLOSE, Step.SEAL, Step.ARCHIVE):
        take_step(Season.objects.get(pk=season.pk), step, actor=boss, now=NOW)
        drain()
        look("admin:leagues_season_change", season.pk)
    following = start_next_season(season, carryover="keep", actor=boss)
    carry_over(following, carryover="soft", share=0.5, deviation=0.5, actor=boss)
    look("admin:leagues_season_change", following.pk)
    look("admin:leagues_season_step", following.pk, "carry")
    look("admin:leagues_season_step", following.pk, "next")

    text = "\n".join(shown)
    quoted = set(re.findall("“([^”]+)”", GUIDE.read_text())) - {"quotation marks"}
    assert len(quoted) > 30
    assert {words for words in quoted if words not in text} == set()
