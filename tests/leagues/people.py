"""Leagues and people for tests of who may do what: as small as they can be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from leagues.models import ApiToken, League, Match, Membership, Mode, Player, Revision, Season

PASSWORD = "correct-horse-battery"


def make_user(name: str, **fields: object) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **fields)


def make_league(slug: str = "club", visibility: str = "public", **fields: object) -> League:
    league = League.objects.create(
        slug=slug, name=fields.pop("name", slug.title()), visibility=visibility, **fields
    )
    Mode.objects.create(league=league, slug="all", name="All games")
    Season.objects.create(league=league, slug="first", name="First")
    return league


def join(league: League, user: User, role: str) -> Membership:
    return Membership.objects.create(league=league, user=user, role=role)


def make_player(league: League, key: str, **fields: object) -> Player:
    return Player.objects.create(league=league, key=key, name=key.title(), folded=key, **fields)


def make_match(league: League, *, seq: int = 1, by: User | None = None, source: str = "browser"):
    season = league.seasons.get()
    revision = Revision.objects.create(
        league=league, season=season, number=seq, kind="entry", source=source, author=by
    )
    return Match.objects.create(
        league=league,
        season=season,
        mode=league.modes.get(),
        seq=seq,
        played_at=datetime(2026, 11, 1, 18, tzinfo=UTC),
        source=source,
        revision=revision,
        touched_in_revision=seq,
        entered_by=by,
    )


def make_token(league: League, scope: str = "results", **fields: object) -> ApiToken:
    values = {
        "name": "bot",
        "source": "token:bot",
        "public_id": f"id{ApiToken.objects.count():06d}",
        "secret_hash": "0" * 64,
        "expires_at": timezone.now() + timedelta(days=1),
    }
    return ApiToken.objects.create(league=league, scope=scope, **(values | fields))
