"""What the settings pages list: boards, seasons and tokens, as prepared rows."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.models import ApiToken, League, Mode, Season
from leagues.pages.match_kinds import kind_and_weight
from leagues.pages.openings import OpeningLink, opening_link
from leagues.pages.seasons import season_results
from leagues.rulebook.score_rules import describe_score_rule
from leagues.selectors.boards import boards_of, modes_of
from leagues.selectors.seasons import seasons_of, void_results, walkovers_on
from leagues.selectors.tokens import tokens_of
from leagues.services.leagues import boards_by_present_rules


@dataclass(frozen=True, slots=True)
class BoardRow:
    name: str
    slug: str
    mode: str
    system: str
    opening: OpeningLink | None
    """What its players can begin with together, where that can be chosen or undone."""


@dataclass(frozen=True, slots=True)
class ModeRow:
    name: str
    slug: str
    boards: str
    players: str
    rated: str
    scores: str
    kinds: str


@dataclass(frozen=True, slots=True)
class SeasonRow:
    name: str
    slug: str
    state: str
    span: str
    results: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    name: str
    public_id: str
    scope: str
    created_on: str
    last_used: str
    state: str
    is_valid: bool


def board_rows(season: Season) -> tuple[BoardRow, ...]:
    """A season's boards in their order."""
    return tuple(
        BoardRow(
            board.name,
            board.slug,
            board.mode.name,
            bridge.system_info(board.system).title,
            opening_link(board),
        )
        for board in boards_of(season)
    )


def mode_rows(league: League) -> tuple[ModeRow, ...]:
    """What is played in a league, with the boards that rated it in any season."""
    return tuple(
        ModeRow(
            name=mode.name,
            slug=mode.slug,
            boards=wording.count(boards),
            players=mode.get_played_by_display(),
            rated=mode.get_rated_by_display(),
            scores=describe_score_rule(mode.rule_of_scores) or _("any score"),
            kinds=", ".join(map(kind_and_weight, mode.weights)) or _("none"),
        )
        for mode, boards in modes_of(league)
    )


def mode_added_notice(mode: Mode, league: League) -> SafeString:
    """What was added to what is played, and which scores are possible in it from now on."""
    words = _("“%(mode)s” was added, with ratings of its own.") % {"mode": mode.name}
    rule = describe_score_rule(mode.rule_of_scores)
    if not rule:
        return format_html("{}", words)
    return format_html(
        _('{words} Possible scores: {rule} <a href="{url}#scores">Change them</a>'),
        words=words,
        rule=rule,
        url=reverse("leagues:settings_mode", args=[league.slug, mode.slug]),
    )


def rated_by_lines(mode: Mode) -> tuple[str, ...]:
    """What another choice of what is rated will do, in sentences."""
    names = "; ".join(
        f"{board.name} ({board.season.name})"
        for board in boards_by_present_rules(mode.league)
        if board.mode_id == mode.pk
    )
    if not names:
        return (_("No board is rated again: every season is sealed."),)
    return (
        _("Rated again from the first result, in the background: %(boards)s.") % {"boards": names},
        _("Ratings and ranks may change for everyone there. Sealed seasons stay as they are."),
    )


def season_rows(league: League) -> tuple[SeasonRow, ...]:
    """A league's seasons, newest first."""
    seasons = list(seasons_of(league))
    void = void_results(seasons)
    return tuple(
        SeasonRow(
            name=season.name,
            slug=season.slug,
            state=season.get_state_display(),
            span=season_days(season),
            results=season_results(season, void.get(season.pk, 0)),
        )
        for season in seasons
    )


def token_rows(league: League) -> tuple[TokenRow, ...]:
    """A league's tokens, newest first; nothing of them but the public part."""
    now = timezone.now()
    return tuple(_token_row(token, league, token.expires_at > now) for token in tokens_of(league))


def season_days(season: Season) -> str:
    """The first and the last day of a season, in the league's zone."""
    first, last = (wording.day(on) if on else "" for on in (season.first_day, season.last_day))
    if first and last:
        return wording.span(first, last)
    if first:
        return _("from %(day)s") % {"day": first}
    return _("to %(day)s") % {"day": last} if last else _("results of any date")


def walkover_lines(league: League, walkovers: str) -> tuple[str, ...]:
    """What counting walkovers in another way will do, in sentences."""
    boards = boards_by_present_rules(league)
    rule = _("From now on: %(rule)s.") % {"rule": League.Walkovers(walkovers).label}
    names = "; ".join(f"{board.name} ({board.season.name})" for board in boards)
    if not names:
        return (rule, _("No board is rated again: every season is sealed."))
    number = walkovers_on(boards)
    return (
        rule,
        ngettext("%(count)s walkover is affected.", "%(count)s walkovers are affected.", number)
        % {"count": wording.count(number)},
        _("Rated again from the first result, in the background: %(boards)s.") % {"boards": names},
        _("Ratings and ranks may change for everyone there. Sealed seasons stay as they are."),
    )


def _token_row(token: ApiToken, league: League, is_fresh: bool) -> TokenRow:
    zone = league.zone
    if token.revoked_at:
        state = _("revoked")
    elif is_fresh:
        state = _("until %(day)s") % {"day": wording.day(token.expires_at.astimezone(zone))}
    else:
        state = _("expired")
    return TokenRow(
        name=token.name,
        public_id=token.public_id,
        scope=token.get_scope_display(),
        created_on=wording.day(token.created_at.astimezone(zone)),
        last_used=wording.moment(token.last_used_at, zone) if token.last_used_at else _("never"),
        state=state,
        is_valid=is_fresh and token.revoked_at is None,
    )
