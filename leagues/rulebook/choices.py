"""What the words mean from which a parameter is chosen."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

CHOICES = {
    "average": gettext_lazy("average over opponents"),
    "exact": gettext_lazy("exact fit"),
    "bradley-terry": gettext_lazy("pair by pair, logistic (Bradley–Terry)"),
    "plackett-luce": gettext_lazy("place by place (Plackett–Luce)"),
    "thurstone-mosteller": gettext_lazy("pair by pair, normal (Thurstone–Mosteller)"),
    "ignore": gettext_lazy("ignored"),
    "subtract": gettext_lazy("subtracted from the strength"),
    "distribute": gettext_lazy("credited to the opponents"),
    "scores": gettext_lazy("each side’s share of the score"),
    "results": gettext_lazy("who won"),
    "all": gettext_lazy("everyone"),
    "idle": gettext_lazy("only players without a match"),
    "constant": gettext_lazy("always the same"),
    "games": gettext_lazy("a different one for the first matches"),
    "fide": gettext_lazy("by FIDE’s rules"),
    "logistic": gettext_lazy("logistic curve"),
    "gaussian": gettext_lazy("normal distribution"),
    "mean": gettext_lazy("by the mean"),
    "duel": gettext_lazy("as duels, everyone against everyone"),
    "full": gettext_lazy("each on its own"),
    "raw": gettext_lazy("the rating as it is"),
    "offset": gettext_lazy("scaled and shifted"),
    "fixed-range": gettext_lazy("between 0 and 10000"),
    "swap": gettext_lazy("both swap places"),
    "insert": gettext_lazy("everyone in between moves down"),
    "inversus": gettext_lazy("between 450 and 2550, as in INVERSUS; needed for Rank Points"),
    "glickman": gettext_lazy("none, as in Glickman’s paper"),
    "per-match": gettext_lazy("after every match"),
    "calendar": gettext_lazy("after a period of days"),
    "individual": gettext_lazy("each opponent separately"),
    "composite-opponent": gettext_lazy("one opponent with their mean strength"),
    "composite-team": gettext_lazy("one opponent as far away as the other side’s mean"),
    "rating": gettext_lazy("the rating"),
    "points": gettext_lazy("Rank Points"),
}
"""Every word that a system knows."""

_OF_ONE_PARAMETER = {
    ("pairs", "mean"): gettext_lazy("all together as one"),
    ("curve", "fide"): gettext_lazy("FIDE’s printed table"),
}
"""Words that mean something else in one parameter, by its name."""


def choice_words(parameter: str, word: str) -> str:
    """The meaning of a choice; a word of another release stands for itself."""
    return str(_OF_ONE_PARAMETER.get((parameter, word), CHOICES.get(word, word)))
