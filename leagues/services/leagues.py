"""Leagues and what they are made of: modes, seasons, boards, settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Least
from django.utils.text import slugify
from django.utils.translation import gettext as _

from leagues import bridge
from leagues.domain.age_classes import (
    MAX_CLASSES,
    UnreadableClass,
    read_classes,
    write_classes,
)
from leagues.domain.civil_days import day_of
from leagues.domain.score_rules import ANY_SCORE, ScoreRule
from leagues.models import Board, League, Membership, Mode, Season
from leagues.models.league import RESERVED_SLUGS
from leagues.services.audit import record_audit
from leagues.services.ratings import request_rating
from leagues.services.revisions import lock_season, lock_seasons
from leagues.services.rosters import latin_letters
from leagues.services.texts import DESCRIPTION_LENGTH, clean_label, clean_text
from leagues.store.prepared import prepare
from ratings.files.names import fold_name

SHORTEST_ADDRESS = 3
DEFAULT_MODE = "Matches"
DEFAULT_SEASON = "First season"
DEFAULT_SYSTEMS = ("glicko2", "elo")
EVENT_SYSTEMS = ("becker", "zerosum", "trueskill")
"""Two that rate every frag, and one that rates the same games by their results."""
RANKED_AFTER = 5
"""Results that rank a player of a new league: after fewer, luck leads a table."""
MAX_SHOWN = 20
"""Letters of a word that a message quotes."""
UNSEALED = (Season.State.DRAFT, Season.State.OPEN, Season.State.CLOSING)
EDITABLE = (
    "name",
    "slug",
    "description",
    "visibility",
    "time_zone",
    "draws_allowed",
    "negative_scores",
    "walkovers",
    "counts_broken_off",
    "active_days",
    "ranked_after",
    "age_classes",
)


@transaction.atomic
def create_league(
    *,
    name: str,
    slug: str,
    owner: User | None = None,
    mode: str = DEFAULT_MODE,
    season: str = DEFAULT_SEASON,
    played_by: str = Mode.PlayedBy.ANYONE,
    score_rule: ScoreRule = ANY_SCORE,
    **settings: Any,
) -> League:
    """Make a league with one mode, one open season and the default boards.

    Players are ranked after 5 results unless `settings` say otherwise.
    Raises ValidationError, by field, where a setting is not valid.
    """
    league = _save_league(
        owner, {"name": name, "slug": slug, "ranked_after": RANKED_AFTER} | settings
    )
    ensure_mode(league=league, name=mode, played_by=played_by, score_rule=score_rule)
    create_season(league=league, name=season, actor=owner)
    record_audit(league=league, actor=owner, action="league.create", after=_settings_of(league))
    return league


@transaction.atomic
def create_empty_league(*, owner: User | None = None, **settings: Any) -> League:
    """Make a league without modes and seasons, which whoever makes it has to add.

    Raises ValidationError, by field, where a setting is not valid.
    """
    league = _save_league(owner, settings)
    record_audit(league=league, actor=owner, action="league.create", after=_settings_of(league))
    return league


def _save_league(owner: User | None, settings: Mapping[str, Any]) -> League:
    league = League(**settings)
    _clean_words(league)
    league.save()
    if owner is not None and owner.pk:
        Membership.objects.create(league=league, user=owner, role=Membership.Role.ORGANIZER)
    return league


@transaction.atomic
def update_league(*, league: League, changes: Mapping[str, Any], actor: User | None) -> League:
    """Change settings; unknown ones are refused, equal ones leave no trace.

    What changes the meaning of results (walkovers) lets every board be rated again. The time zone
    stays once there are results: dates without a time are midnights of it.
    """
    # Seasons are the first of all locks; none is sealed while its boards are sent back.
    lock_seasons(league.pk)
    league = League.objects.select_for_update(no_key=True).get(pk=league.pk)
    before = _settings_of(league)
    for field, value in changes.items():
        if field not in EDITABLE:
            raise ValidationError({field: _("This cannot be changed.")})
        setattr(league, field, value)
    if league.time_zone != before["time_zone"] and league.matches.exists():
        raise ValidationError(
            {"time_zone": _("The time zone can’t be changed once there are results.")}
        )
    _clean_words(league)
    after = _settings_of(league)
    if before == after:
        return league
    league.save()
    if before["time_zone"] != after["time_zone"]:
        _keep_days(league, ZoneInfo(before["time_zone"]))
    record_audit(league=league, actor=actor, action="league.settings", before=before, after=after)
    if before["walkovers"] != after["walkovers"]:
        for board in boards_by_present_rules(league):
            restart_board(board)
    return league


def boards_by_present_rules(league: League) -> QuerySet[Board]:
    """The boards that a change of the league's rules rates again.

    Seasons that were sealed keep their rules, reopened ones too.
    """
    return league.boards.filter(
        season__sealed_walkovers="", season__state__in=UNSEALED
    ).select_related("season")


def _clean_words(league: League) -> None:
    """Check a league as a whole, its words by the rules for words."""
    with at_field("name"):
        league.name = clean_label(league.name)
    with at_field("description"):
        league.description = clean_text(league.description, most=DESCRIPTION_LENGTH, lines=True)
    with at_field("age_classes"):
        league.age_classes = _clean_classes(league.age_classes)
    league.full_clean()


def _clean_classes(text: str) -> str:
    """A list of age classes as it is stored; raises ValidationError for one that is none."""
    try:
        classes = read_classes(text)
    except UnreadableClass as unreadable:
        words = _("“%(word)s” is no age class. Write U15 for under 15, 40+ for 40 and older.")
        raise ValidationError(words % {"word": str(unreadable)[:MAX_SHOWN]}) from unreadable
    if len(classes) > MAX_CLASSES:
        words = _("A league has at most %(most)d age classes.")
        raise ValidationError(words % {"most": MAX_CLASSES})
    return write_classes(classes)


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Name the field at which anything within was refused."""
    try:
        yield
    except ValidationError as error:
        raise ValidationError({field: error}) from error


def _keep_days(league: League, zone: ZoneInfo) -> None:
    """Let the seasons of a league that was in `zone` begin and end on the same days as there.

    Sealed ones stay: their bounds are a part of what was sealed.
    """
    for season in league.seasons.all():
        if not season.is_sealed:
            season.starts_at, season.ends_at = (
                at and league.midnight(day_of(at, zone))
                for at in (season.starts_at, season.ends_at)
            )
            season.save(update_fields=["starts_at", "ends_at"])


def _settings_of(league: League) -> dict[str, Any]:
    return {field: getattr(league, field) for field in EDITABLE}


def ensure_mode(
    *,
    league: League,
    name: str,
    rated_by: str = Mode.RatedBy.RESULTS,
    played_by: str = Mode.PlayedBy.ANYONE,
    score_rule: ScoreRule = ANY_SCORE,
    slug: str = "",
) -> Mode:
    """Find the league's mode of this name, or create it with its rules.

    Without a `slug` its address is made from the name.
    """
    with at_field("mode"):
        name = clean_label(name)
    existing = league.modes.filter(name__iexact=name).first()
    if existing:
        return existing
    mode = Mode(
        league=league,
        name=name,
        slug=slug or _free_slug(name, league.modes.values_list("slug", flat=True)),
        position=league.modes.count(),
        rated_by=rated_by,
        played_by=played_by,
        score_rule=score_rule.words,
    )
    mode.full_clean()
    mode.save()
    seasons = league.seasons.filter(state=Season.State.OPEN).order_by("pk")
    with transaction.atomic():
        # All seasons before the log, which is the last of all locks.
        for season in seasons:
            lock_season(season.pk)
        for season in seasons:
            ensure_boards(season=season, mode=mode)
    return mode


@transaction.atomic
def add_mode(
    *,
    league: League,
    name: str,
    actor: User | None,
    played_by: str = Mode.PlayedBy.ANYONE,
    score_rule: ScoreRule | None = None,
) -> Mode:
    """Let something more be played in a league, with boards in its open seasons.

    Without a `score_rule` it begins with that of the league's first mode: it is mostly one game.
    """
    with at_field("name"):
        name = clean_label(name)
        if league.modes.filter(name__iexact=name).exists():
            raise ValidationError(_("“%(name)s” is among what is played already.") % {"name": name})
    if score_rule is None:
        first = league.modes.first()
        score_rule = first.rule_of_scores if first else ANY_SCORE
    mode = ensure_mode(league=league, name=name, played_by=played_by, score_rule=score_rule)
    record_audit(league=league, actor=actor, action="mode.create", subject=mode.name)
    return mode


@transaction.atomic
def create_season(
    *,
    league: League,
    name: str,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
    state: str = Season.State.OPEN,
    follows: Season | None = None,
    actor: User | None = None,
    slug: str = "",
) -> Season:
    """Create a season with a board for each there was before; without bounds it takes any date.

    One that follows another gets its boards from whoever makes it. Without a `slug` its address is
    made from the name.
    """
    if starts_at and ends_at and ends_at <= starts_at:
        raise ValidationError({"ends_at": _("A season must end after it starts.")})
    with at_field("name"):
        name = season_name(league, name)
    season = Season(
        league=league,
        name=name,
        slug=slug or _free_slug(name, league.seasons.values_list("slug", flat=True)),
        starts_at=starts_at,
        ends_at=ends_at,
        state=state,
        follows=follows,
    )
    season.full_clean()
    season.save()
    if follows is None:
        for mode in league.modes.all():
            ensure_boards(season=season, mode=mode)
    record_audit(
        league=league, actor=actor, action="season.create", subject=season.name, season=season
    )
    return season


def season_name(league: League, name: str, *, of: Season | None = None) -> str:
    """The name for a season, which no other one of the league may have."""
    name = clean_label(name)
    others = league.seasons.filter(name__iexact=name)
    if of is not None:
        others = others.exclude(pk=of.pk)
    if others.exists():
        raise ValidationError(_("Another season already has this name."))
    return name


def current_season(league: League, now: datetime) -> Season | None:
    """The newest season that has begun and takes results, else the newest that has begun."""
    seasons = _seasons(league=league.pk)
    return max(seasons, key=lambda season: season.turn(now), default=None)


@prepare
def _seasons(*, league: int) -> QuerySet[Season, Season]:
    return Season.objects.filter(league=league)


def ensure_boards(*, season: Season, mode: Mode) -> None:
    """Add boards to a season and mode that has none.

    They are like those of the season before, else of the default systems.
    """
    if _any_boards(season=season.pk, mode=mode.pk):
        return
    former = Board.objects.filter(mode=mode).order_by("-season", "position").first()
    if former is None:
        for system in EVENT_SYSTEMS if mode.rates_events else DEFAULT_SYSTEMS:
            add_board(season=season, mode=mode, system=system)
        return
    for board in Board.objects.filter(season_id=former.season_id, mode=mode):
        add_board(
            season=season,
            mode=mode,
            system=board.system,
            name=board.name,
            parameters=board.parameters,
        )


@prepare
def _any_boards(*, season: int, mode: int) -> QuerySet[Board, tuple[int]]:
    return Board.objects.filter(season=season, mode=mode).order_by().values_list("pk")[:1]


@transaction.atomic
def add_board(
    *,
    season: Season,
    mode: Mode,
    system: str,
    name: str = "",
    parameters: Mapping[str, Any] | None = None,
    actor: User | None = None,
    slug: str = "",
) -> Board:
    """Let one more system rate a season's matches of a mode, from its first one on.

    Without `parameters` it has those of a new board; named ones stand beside the system's own.
    Without a `slug` its address is made from the name.
    Raises ValidationError, by parameter, where a parameter is not valid or the season is sealed.
    """
    if lock_season(season.pk).is_sealed:
        words = {"season": season.name, "state": season.get_state_display()}
        problem = _(
            "“%(season)s” is %(state)s, so its boards can’t be changed. A site admin can reopen "
            "the season."
        )
        raise ValidationError(problem % words)
    info = bridge.system_info(system)
    with at_field("name"):
        name = clean_label(name) if name.strip() else f"{mode.name}, {info.title}"
    board = Board(
        league_id=season.league_id,
        season=season,
        mode=mode,
        system=system,
        name=name[:64],
        slug=slug or _free_slug(name, season.boards.values_list("slug", flat=True)),
        position=season.boards.filter(mode=mode).count(),
        parameters=bridge.new_board_parameters(system)
        if parameters is None
        else bridge.checked_parameters(system, parameters),
    )
    board.full_clean()
    try:
        with transaction.atomic():
            board.save()
            record_audit(
                league=season.league,
                actor=actor,
                action="board.create",
                subject=board.name,
                season=season,
                after={"system": system, "parameters": board.parameters},
            )
            request_rating(season=season, mode_id=mode.pk)
    except IntegrityError as error:
        raise ValidationError({"name": _("Another board already has this name.")}) from error
    return board


def restart_board(board: Board) -> None:
    """Let a board be computed again from its first match, beside what it shows now.

    Its revision becomes a number that no rating under way has read, so that it notices. What is
    sealed stays as it is. Called in a transaction, which holds the season from then on.
    """
    if lock_season(board.season_id).is_sealed:
        return
    Board.objects.filter(pk=board.pk).update(
        rated_through_revision=Least(F("rated_through_revision"), 0) - 1
    )
    request_rating(season=board.season, mode_id=board.mode_id)


def free_address(name: str) -> str:
    """An address for a league of this name that nobody has; empty where it has no letters a–z."""
    base = slugify(latin_letters(fold_name(name)))[:36].strip("-")
    if base and len(base) < SHORTEST_ADDRESS:
        base = f"{base}-league"
    taken = League.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    return base and _numbered(base, {*taken, *RESERVED_SLUGS})


def _free_slug(name: str, taken: Iterable[str]) -> str:
    return _numbered(slugify(name)[:36] or "x", set(taken))


def _numbered(base: str, taken: Collection[str]) -> str:
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
