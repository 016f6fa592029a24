"""What the words mean from which a parameter is chosen."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

CHOICES = {
    "average": gettext_lazy("average over opponents"),
    "exact": gettext_lazy("exact minimum"),
    "bradley-terry": gettext_lazy("pair by pair, logistic (Bradley–Terry)"),
    "plackett-luce": gettext_lazy("place by place (Plackett–Luce)"),
    "thurstone-mosteller": gettext_lazy("pair by pair, normal (Thurstone–Mosteller)"),
    "ignore": gettext_lazy("left out"),
    "subtract": gettext_lazy("taken off the strength"),
    "distribute": gettext_lazy("counted for the opponents"),
    "scores": gettext_lazy("the share of the points"),
    "results": gettext_lazy("who won"),
    "all": gettext_lazy("everyone"),
    "idle": gettext_lazy("who has not played"),
    "constant": gettext_lazy("always the same"),
    "games": gettext_lazy("a different one for the first matches"),
    "fide": gettext_lazy("by FIDE’s rules"),
    "logistic": gettext_lazy("logistic curve"),
    "gaussian": gettext_lazy("normal distribution"),
    "mean": gettext_lazy("by the mean"),
    "duel": gettext_lazy("as duels, everyone against everyone"),
    "full": gettext_lazy("each by itself"),
    "raw": gettext_lazy("the number itself"),
    "offset": gettext_lazy("stretched and shifted"),
    "fixed-range": gettext_lazy("between 0 and 10000"),
    "swap": gettext_lazy("both change places"),
    "insert": gettext_lazy("those between move down"),
    "inversus": gettext_lazy("those of INVERSUS, between 450 and 2550; Rank Points need them"),
    "glickman": gettext_lazy("none, as in Glickman’s paper"),
    "per-match": gettext_lazy("after every match"),
    "calendar": gettext_lazy("after a stretch of days"),
    "individual": gettext_lazy("each opponent separately"),
    "composite-opponent": gettext_lazy("the opponents’ mean strength"),
    "composite-team": gettext_lazy("as far away as the other side’s mean"),
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
