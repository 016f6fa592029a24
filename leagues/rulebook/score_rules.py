"""Score rules in words, and those that well-known games have."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.domain.score_rules import ScoreKind, ScoreRule, read_rule
from leagues.domain.score_sentences import (
    describe_best_of,
    describe_deciding_set,
    describe_match,
    describe_set,
    describe_winner,
)


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game, and the score rule that it is usually played by."""

    slug: str
    title: Promise
    words: str

    @property
    def rule(self) -> ScoreRule:
        return read_rule(self.words)


KNOWN_GAMES = (
    KnownGame("table-tennis", gettext_lazy("Table tennis"), "sets 5 to 11+2"),
    KnownGame("badminton", gettext_lazy("Badminton"), "sets 3 to 21+2<30"),
    KnownGame("squash", gettext_lazy("Squash"), "sets 5 to 11+2"),
    KnownGame("tennis", gettext_lazy("Tennis"), "sets 3 to 6+2<7"),
    KnownGame(
        "tennis-tie-break",
        gettext_lazy("Tennis with a match tie-break"),
        "sets 3 to 6+2<7 last 10+2",
    ),
    KnownGame("volleyball", gettext_lazy("Volleyball"), "sets 5 to 25+2 last 15+2"),
    KnownGame("foosball", gettext_lazy("Foosball"), "points to 10"),
    KnownGame("darts", gettext_lazy("Darts"), "frames 5"),
    KnownGame("pool", gettext_lazy("Pool"), "frames 9"),
    KnownGame("snooker", gettext_lazy("Snooker"), "frames 5"),
    KnownGame("chess", gettext_lazy("Chess, or any other game"), ""),
)


def game_named(slug: str) -> KnownGame | None:
    """The known game of an address."""
    return next((game for game in KNOWN_GAMES if game.slug == slug), None)


def describe_score_rule(rule: ScoreRule) -> str:
    """A score rule in sentences; empty where any score is taken."""
    if rule.kind is ScoreKind.ANY:
        return ""
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        return describe_match(rule.game)
    sentences = [describe_best_of(rule), describe_winner(rule)]
    if rule.has_even_frames:
        sentences.append(_("%(half)s–%(half)s is a draw.") % {"half": rule.best_of // 2})
    if rule.game is not None:
        sentences.append(describe_set(rule.game))
    if rule.decider is not None:
        sentences.append(describe_deciding_set(rule.decider))
    return " ".join(sentences)
