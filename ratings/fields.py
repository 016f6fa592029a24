"""Parameters that several systems have, each worded once."""

from __future__ import annotations

from typing import Any, Final

from ratings.parameters import choice, integer, number

SMALLEST: Final = 1e-6
LARGEST: Final = 1e6


def size_advantage(meaning: str) -> Any:
    """Declare what a side gains for each of its players; `meaning` says in which units."""
    return number(0.0, "Size advantage", meaning, least=-LARGEST, most=LARGEST)


def pending_hours(
    meaning: str = "Hours after which a started match without a reported result counts as lost.",
) -> Any:
    """Declare how long a match that was started may stay without a result."""
    return integer(24, "Time limit", meaning, least=1, most=720)


def fairly_sure_from(
    meaning: str = "Number of matches after which a rating is fairly certain.",
) -> Any:
    """Declare from which number on a rating is fairly certain."""
    return integer(10, "Fairly certain", meaning, least=0, most=100_000)


def sure_from(meaning: str = "Number of matches after which a rating is certain.") -> Any:
    """Declare from which number on a rating is certain."""
    return integer(30, "Certain", meaning, least=0, most=100_000)


# Glicko's family.


def new_rating() -> Any:
    """Declare the rating of a newcomer on Glickman's public scale."""
    return number(
        1500.0,
        "New rating",
        "The rating of a newcomer.",
        symbol="R",
        least=-LARGEST,
        most=LARGEST,
    )


def composite_teams() -> Any:
    """Declare whom a member of a team is taken to play."""
    return choice(
        "composite-team",
        ("individual", "composite-opponent", "composite-team"),
        "Teams",
        "How team matches are rated: against each opponent separately, against one "
        "opponent with the other side's mean strength, or against one opponent whose "
        "distance from the player equals the distance between the two sides' means.",
    )


def pairs_of_sides() -> Any:
    """Declare what the comparisons of a match of more than two sides weigh."""
    return choice(
        "mean",
        ("mean", "full"),
        "More than two sides",
        "Whether all comparisons of a match count as one match together, or as one match each.",
    )


def fairly_sure_deviation() -> Any:
    """Declare up to which deviation a rating is fairly certain."""
    meaning = "Largest deviation at which a rating is fairly certain."
    return number(110.0, "Fairly certain", meaning, over=0, most=1000)


def sure_deviation() -> Any:
    """Declare up to which deviation a rating is certain."""
    return number(
        75.0, "Certain", "Largest deviation at which a rating is certain.", over=0, most=1000
    )


# Systems of normal skills.


def skill_mean() -> Any:
    """Declare the mean of a newcomer."""
    return number(
        25.0, "Start", "The mean of a newcomer.", symbol="mu", least=-LARGEST, most=LARGEST
    )


def skill_deviation() -> Any:
    """Declare the deviation of a newcomer."""
    return number(
        25.0 / 3.0,
        "Start deviation",
        "The deviation of a newcomer.",
        symbol="sigma",
        least=SMALLEST,
        most=LARGEST,
    )


def performance_deviation() -> Any:
    """Declare how much performances vary around the skill."""
    return number(
        25.0 / 6.0,
        "Performance deviation",
        "How much a player's performance varies from match to match.",
        symbol="beta",
        least=SMALLEST,
        most=LARGEST,
    )


def change_per_match() -> Any:
    """Declare by how much a skill may change from match to match."""
    return number(
        25.0 / 300.0,
        "Change per match",
        "The deviation by which a skill may change from match to match.",
        symbol="tau",
        least=0,
        most=LARGEST,
    )


def fairly_sure_part() -> Any:
    """Declare up to which part of a newcomer's deviation a rating is fairly certain."""
    return number(
        0.4,
        "Fairly certain",
        "Largest deviation at which a rating is fairly certain, as a share of a newcomer's.",
        over=0,
        most=1,
    )


def sure_part() -> Any:
    """Declare up to which part of a newcomer's deviation a rating is certain."""
    meaning = "Largest deviation at which a rating is certain, as a share of a newcomer's."
    return number(0.25, "Certain", meaning, over=0, most=1)
