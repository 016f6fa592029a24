"""The form of a score rule, in numbers that people know from their game."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.domain.score_rules import (
    ANY_SCORE,
    MAX_BEST_OF,
    MAX_TARGET,
    Game,
    ScoreKind,
    ScoreRule,
)

KINDS = (
    (ScoreKind.ANY.value, gettext_lazy("any score")),
    (ScoreKind.POINTS.value, gettext_lazy("points or goals")),
    (ScoreKind.SETS.value, gettext_lazy("sets won")),
    (ScoreKind.FRAMES.value, gettext_lazy("frames or legs won")),
)

NUMBERS = {
    ScoreKind.ANY: frozenset[str](),
    ScoreKind.POINTS: frozenset(("target", "cap")),
    ScoreKind.SETS: frozenset(("best_of", "target", "cap", "last_target")),
    ScoreKind.FRAMES: frozenset(("best_of",)),
}
"""The numbers that a kind needs."""


def _number(label: Any, most: int, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, required=False, min_value=1, max_value=most, help_text=help_text
    )


class ScoreRuleForm(forms.Form):
    """Which scores are possible in a mode; numbers that the kind does not need are ignored.

    A deciding set is typed as one number. One that is stored with another end, or without two
    clear points, stays so where its number does: `decider` is among the first values for that.
    """

    kind = forms.ChoiceField(
        label=gettext_lazy("What a score counts"), choices=KINDS, widget=forms.RadioSelect
    )
    best_of = _number(
        gettext_lazy("Best of"),
        MAX_BEST_OF,
        gettext_lazy(
            "Sets or frames at most: best of 5 ends when a side has 3. An even number of frames "
            "can end in a draw."
        ),
    )
    target = _number(
        gettext_lazy("Played to"),
        MAX_TARGET,
        gettext_lazy("The points that win the match or, if sets are counted, a set."),
    )
    is_two_clear = forms.BooleanField(label=gettext_lazy("by two clear points"), required=False)
    cap = _number(
        gettext_lazy("At the latest at"),
        MAX_TARGET,
        gettext_lazy("With two clear points: 30 in badminton, 7 in a set of tennis."),
    )
    last_target = _number(
        gettext_lazy("Deciding set played to"),
        MAX_TARGET,
        gettext_lazy("By two clear points. Leave empty if it is a set like the others."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        decider = self.initial.get("decider")
        if decider and decider != Game(decider.target, 2):
            self.fields["last_target"].help_text = _(
                "Leave empty if it is a set like the others. If you enter another number, it is "
                "won by two clear points."
            )

    @property
    def rule(self) -> ScoreRule:
        """The rule of a valid form."""
        rule = self.cleaned_data["rule"]
        assert isinstance(rule, ScoreRule)  # noqa: S101
        return rule

    def clean(self) -> dict[str, Any]:
        """Put the numbers together, and refuse those that make no rule."""
        cleaned = super().clean() or self.cleaned_data
        kind = ScoreKind(cleaned["kind"]) if cleaned.get("kind") else ScoreKind.ANY
        for name in self.errors.keys() & (set(self.fields) - NUMBERS[kind] - {"kind"}):
            del self.errors[name]
        if kind in (ScoreKind.SETS, ScoreKind.FRAMES):
            self._check_best_of(kind, cleaned.get("best_of"))
        game = self._game(kind, cleaned)
        if not self.errors:
            cleaned["rule"] = _rule(kind, cleaned, game, self._decider(cleaned))
        return cleaned

    def _decider(self, cleaned: dict[str, Any]) -> Game | None:
        """What the deciding set is played to, if it is another game than the others."""
        last, stored = cleaned.get("last_target"), self.initial.get("decider")
        if not last:
            return None
        return stored if stored and stored.target == last else Game(last, 2)

    def _check_best_of(self, kind: ScoreKind, best_of: int | None) -> None:
        if "best_of" in self.errors:
            return
        if best_of is None:
            self.add_error("best_of", _("Enter how many are played at most."))
        elif kind is ScoreKind.SETS and best_of % 2 == 0:
            words = _("Enter an odd number: with an even one, sets could end level.")
            self.add_error("best_of", words)

    def _game(self, kind: ScoreKind, cleaned: dict[str, Any]) -> Game | None:
        """What the match or a set is played to, if that is said."""
        if kind not in (ScoreKind.POINTS, ScoreKind.SETS) or "target" in self.errors:
            return None
        target, cap = cleaned.get("target"), cleaned.get("cap")
        if target is None:
            if kind is ScoreKind.POINTS or cap or cleaned.get("last_target"):
                self.add_error("target", _("Enter the points that win."))
            return None
        if not cleaned["is_two_clear"]:
            if cap:
                words = _("Only a game that is won by two clear points has such an end.")
                self.add_error("cap", words)
            return Game(target)
        if cap is not None and cap <= target:
            words = _("Enter a number above the points that win, or leave it empty.")
            self.add_error("cap", words)
        return Game(target, 2, cap or 0)


def _rule(
    kind: ScoreKind, cleaned: dict[str, Any], game: Game | None, decider: Game | None
) -> ScoreRule:
    if kind is ScoreKind.ANY:
        return ANY_SCORE
    if kind is ScoreKind.FRAMES:
        return ScoreRule(kind, cleaned["best_of"])
    if kind is ScoreKind.POINTS:
        return ScoreRule(kind, game=game)
    return ScoreRule(kind, cleaned["best_of"], game, decider if game else None)


def score_rule_values(rule: ScoreRule) -> dict[str, Any]:
    """What the form shows of a rule, and the deciding set that it keeps."""
    game, decider = rule.game, rule.decider
    return {
        "kind": rule.kind.value,
        "best_of": rule.best_of or None,
        "target": game.target if game else None,
        "is_two_clear": game is not None and game.lead == 2,
        "cap": (game.cap if game else 0) or None,
        "last_target": decider.target if decider else None,
        "decider": decider,
    }
