"""A player's profile: the rating with its doubt, how it came about, and the matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.models import Board, Player
from leagues.pages.boards import Choice, board_address, player_address
from leagues.pages.player_chart import (
    chart_label,
    fresh_start_sentence,
    profile_chart,
    steps_sentence,
)
from leagues.pages.player_head import (
    StakeLine,
    former_profile,
    has_carried_rating,
    last_played,
    place_sentence,
    rated_results,
    recent_form,
    stake_line,
    unplaced_reason,
)
from leagues.pages.player_matches import (
    Filters,
    MatchHistoryRow,
    kind_choices,
    match_rows,
    outcome_choices,
)
from leagues.pages.player_opponents import (
    OpponentRow,
    opponent_rows,
    opponents_note,
    tally_heading,
)
from leagues.pages.player_profile import Profile
from leagues.pages.player_records import Tile, record_tiles, summary_tiles
from leagues.pages.player_revisions import RevisionRow, lasting, revision_row
from leagues.pages.ratings import Rating, rating, shown_as
from leagues.pages.sides import compare_address
from leagues.pages.timelines import RANGES, PastRating, Timeline, past_ratings
from leagues.pages.uncertainty import range_sentence
from leagues.selectors.authors import authors_of

TABS = ("matches", "opponents", "records", "revisions")


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """The same player on another board of the season."""

    name: str
    url: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class PlayerPage:
    key: str
    name: str
    board: str
    board_url: str
    rating: Rating
    is_rated: bool
    is_carried: bool
    """Not rated yet, with what was brought from the season before."""
    former: Choice | None
    """The profile in the last season before, of who is not rated in this one."""
    start_sentence: str
    """With what the player began that an organizer gave, and where it comes from."""
    unplaced_reason: str
    """Why there is no rating although there are results."""
    place: str
    range_sentence: str
    """Of what day the range is, if not of today."""
    results: str
    last: str
    stake: StakeLine | None
    is_me: bool
    compare: Choice
    form: charts.Form | None
    chart: charts.RatingChart | None
    chart_label: str
    chart_note: str
    """What a step of the chart is."""
    is_cut: bool
    ranges: tuple[Choice, ...]
    range: str
    """The range that was asked for."""
    shared_query: str
    """What of the address other boards show too."""
    past: tuple[PastRating, ...]
    tiles: tuple[Tile, ...]
    tab: str
    tabs: tuple[Choice, ...]
    filters: Filters
    kinds: tuple[Choice, ...]
    outcomes: tuple[Choice, ...]
    clear_url: str
    matches: tuple[MatchHistoryRow, ...]
    match_count: str
    limit_note: str
    """Says that there are more matches than are looked at, if so."""
    newer_url: str
    older_url: str
    opponents: tuple[OpponentRow, ...]
    opponents_heading: str
    """Of the column of wins and losses against each."""
    opponents_note: str
    records: tuple[Tile, ...]
    revisions: tuple[RevisionRow, ...]
    others: tuple[OtherBoard, ...]
    has_range: bool
    has_expected: bool
    shown_as: str

    @property
    def announcement(self) -> str:
        """The rating, for those who hear the page change."""
        return f"{self.name}: {self.rating.value} {self.rating.plus_minus}".strip()

    @property
    def newest_revision(self) -> RevisionRow | None:
        """The newest that was not taken back."""
        return next((row for row in self.revisions if row.is_lasting), None)

    @property
    def judges_opponents(self) -> bool:
        """Whether matches of two sides say what was expected against somebody."""
        return any(row.score for row in self.opponents)


def player_page(
    *,
    player: Player,
    board: Board,
    boards: Sequence[Board],
    everywhere: Sequence[Board],
    words: Mapping[str, str],
    me: Player | None,
    hides_stakes: bool,
    now: datetime,
) -> PlayerPage:
    """A profile as of one board; deviations are those of the league's last midnight.

    The chart goes through the boards of the same system and mode in all seasons.
    """
    profile = Profile(player, board, boards, everywhere, words, now)
    return _page(profile, me, None if hides_stakes else stake_line(profile, me))


def _page(profile: Profile, me: Player | None, stake: StakeLine | None) -> PlayerPage:
    """The page, part by part."""
    board, player, address_words = profile.board, profile.player, profile.words
    value, filters = profile.current_value(), Filters.from_address(address_words)
    tab = _one_of(TABS, address_words.get("tab", "")) or TABS[0]
    chosen = _one_of(RANGES, address_words.get("range", ""))
    drawn = profile_chart(profile, value, chosen)
    revised = _revision_rows(profile)
    opponents = opponent_rows(profile) if tab == "opponents" else ()
    words, known = _kept_words(filters, chosen, tab)
    matches = match_rows(profile, filters, known)
    return PlayerPage(
        key=player.key,
        name=player.name,
        board=board.name,
        board_url=board_address(board),
        rating=rating(value),
        is_rated=profile.row is not None,
        is_carried=has_carried_rating(profile),
        former=former_profile(profile),
        start_sentence=profile.start_sentence,
        unplaced_reason=unplaced_reason(profile),
        place=place_sentence(profile),
        range_sentence=range_sentence(board, profile.now, has_stakes=bool(stake or opponents)),
        results=rated_results(profile),
        last=last_played(profile),
        stake=stake,
        is_me=me is not None and me.pk == player.pk,
        compare=_comparison(profile, me),
        form=recent_form(profile),
        chart=drawn.chart if drawn else None,
        chart_label=chart_label(profile),
        chart_note=_chart_note(profile, drawn) if drawn else "",
        is_cut=drawn is not None and drawn.is_cut,
        ranges=_ranges(profile, drawn, known),
        range=chosen,
        shared_query=f"&{urlencode(known)}" if known else "",
        past=past_ratings(drawn.days, profile.today) if drawn else (),
        tiles=summary_tiles(profile) if profile.row is not None else (),
        tab=tab,
        tabs=_tabs(profile, tab, len(revised), words),
        filters=filters,
        kinds=kind_choices(filters),
        outcomes=outcome_choices(filters, has_draws=board.league.draws_allowed),
        clear_url=profile.address({"range": chosen} if chosen else {}),
        matches=matches.rows,
        match_count=matches.count,
        limit_note=matches.limit_note,
        newer_url=matches.newer_url,
        older_url=matches.older_url,
        opponents=opponents,
        opponents_heading=tally_heading(profile),
        opponents_note=opponents_note(profile, opponents),
        records=record_tiles(profile) if tab == "records" else (),
        revisions=revised,
        others=_other_boards(profile),
        has_range=value.half is not None,
        has_expected=any(one.expected is not None for one in profile.rated),
        shown_as=shown_as(board),
    )


def _chart_note(profile: Profile, drawn: Timeline) -> str:
    steps = steps_sentence(shown_as(profile.board), drawn)
    sentences = steps, profile.start_sentence, fresh_start_sentence(profile)
    return " ".join(sentence for sentence in sentences if sentence)


def _revision_rows(profile: Profile) -> tuple[RevisionRow, ...]:
    ids = (row.revision.author_id for row in profile.revisions)
    authors = authors_of(profile.board.league, ids)
    kept = lasting(profile.revisions)
    return tuple(
        revision_row(profile, row, authors, is_lasting=row in kept) for row in profile.revisions
    )


def _kept_words(filters: Filters, chosen: str, tab: str) -> tuple[dict[str, str], dict[str, str]]:
    """The words of the address that links of the page keep, and those with the tab shown."""
    words = {**filters.parameters(), **({"range": chosen} if chosen else {})}
    return words, {**words, **({"tab": tab} if tab != TABS[0] else {})}


def _one_of(words: Iterable[str], word: str) -> str:
    return word if word in words else ""


def _comparison(profile: Profile, me: Player | None) -> Choice:
    """Where the player is compared: with the viewer, else with whom one chooses there."""
    own = [profile.player.key]
    if me is None or me.pk == profile.player.pk:
        return Choice("", _("Compare"), False, url=compare_address(profile.board, [own]))
    url = compare_address(profile.board, [[me.key], own])
    return Choice("", _("Compare with me"), False, url=url)


def _ranges(
    profile: Profile, drawn: Timeline | None, words: Mapping[str, str]
) -> tuple[Choice, ...]:
    return tuple(
        Choice(value, label, is_chosen, url=profile.address({**words, "range": value}))
        for value, label, is_chosen in (drawn.ranges if drawn else ())
    )


def _tabs(profile: Profile, tab: str, revised: int, words: Mapping[str, str]) -> tuple[Choice, ...]:
    entries = (
        ("matches", _("Matches"), len(profile.encounters)),
        ("opponents", _("Opponents"), profile.opponent_count()),
        ("records", _("Records"), 0),
        ("revisions", _("Corrections"), revised),
    )
    return tuple(
        Choice(
            value,
            label,
            value == tab,
            url=f"{profile.address({**words, 'tab': value})}#details",
            count=wording.count(count) if count else "",
        )
        for value, label, count in entries
    )


def _other_boards(profile: Profile) -> tuple[OtherBoard, ...]:
    boards = []
    for other in profile.boards:
        series = profile.all_series.get(other.pk)
        if other.pk == profile.board.pk or series is None:
            continue
        url = player_address(other, profile.player.key)
        moment = bridge.display_moment(other, profile.now)
        boards.append(OtherBoard(other.name, url, rating(series.now(moment))))
    return tuple(boards)
