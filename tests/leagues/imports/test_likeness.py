"""Names that may be one name."""

from __future__ import annotations

import pytest

from leagues.services.likeness import similar_names


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Fredric C", "Fredrik C"),
        ("Fabian S. Roenningen", "Fabian S. Rønningen"),
        ("Ana Ruis", "ana ruiz"),
        ("Zoe Muller", "Zoë Müller"),
        ("Bo Lindqvist", "Lindqvist, Bo"),
        ("Lindqvist", "Lindqvst"),
    ],
)
def test_a_letter_an_accent_or_the_order_may_differ(one: str, two: str) -> None:
    assert similar_names([one], [one, two]) == {one: [two]}
    assert similar_names([two], [one, two]) == {two: [one]}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ana", "Ann"),
        ("Håkon M.", "Håkon B."),
        ("FC Rheineck 1", "FC Rheineck 2"),
        ("Player 12", "Player 21"),
        ("Bo Lindqvist", "Bo Lundgren"),
        ("Ana", "ANA"),
        ("李", "王"),
        ("!!!", "???"),
    ],
)
def test_numbers_initials_and_short_names_tell_people_apart(one: str, two: str) -> None:
    assert similar_names([one], [two]) == {}


def test_at_most_three_are_offered_in_order() -> None:
    names = [f"Lindqvis{letter}" for letter in "edcba"]
    assert similar_names(["Lindqvist"], names) == {
        "Lindqvist": ["Lindqvisa", "Lindqvisb", "Lindqvisc"]
    }
