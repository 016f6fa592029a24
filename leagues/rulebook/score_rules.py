"""Score rules in words, and those that well-known games have."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues.domain.impossible_scores import target_words, winning_words
from leagues.domain.score_rules import ScoreKind, ScoreRule, read_rule


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
    KnownGame("pool", gettext_lazy("Pool"), "frames 9"),
    KnownGame("snooker", gettext_lazy("Snooker"), "frames 5"),
    KnownGame("chess", gettext_lazy("Chess, or any other game"), ""),
)


def game_named(slug: str) -> KnownGame | None:
    """The known game of an address."""
    return next((game for game in KNOWN_GAMES if game.slug == slug), None)


def describe_score_rule(rule: ScoreRule) -> str:
    """A score rule as a sentence; empty where any score is taken."""
    if rule.kind is ScoreKind.ANY:
        return ""
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        return _("A match is played %(target)s.") % {"target": target_words(rule.game)}
    words = {"count": rule.best_of, "wins": winning_words(rule), "half": rule.best_of // 2}
    if rule.has_even_frames:
        sentence = _(
            "A match is the best of %(count)s frames: the first side with %(wins)s wins, and "
            "%(half)s–%(half)s is a draw."
        )
        return sentence % words
    if rule.kind is ScoreKind.FRAMES:
        length = ngettext(
            "A match is the best of %(count)s frame: the first side with %(wins)s wins.",
            "A match is the best of %(count)s frames: the first side with %(wins)s wins.",
            rule.best_of,
        )
        return length % words
    sentences = [
        ngettext(
            "A match is the best of %(count)s set: the first side with %(wins)s wins.",
            "A match is the best of %(count)s sets: the first side with %(wins)s wins.",
            rule.best_of,
        )
        % words
    ]
    if rule.game is not None and rule.decider is not None:
        words = {"target": target_words(rule.game), "last": target_words(rule.decider)}
        sentences.append(_("A set is played %(target)s, the deciding set %(last)s.") % words)
    elif rule.game is not None:
        sentences.append(_("A set is played %(target)s.") % {"target": target_words(rule.game)})
    return " ".join(sentences)
