"""Time zones by the words that people have for them."""

from __future__ import annotations

import pytest

from leagues.forms.zones import find_zones


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("England", "Europe/London"),
        ("united  kingdom", "Europe/London"),
        ("Germany", "Europe/Berlin"),
        ("Holland", "Europe/Amsterdam"),
        ("Lisbon", "Europe/Lisbon"),
        ("UTC", "UTC"),
    ],
)
def test_a_city_or_a_country_is_its_zone(typed: str, zone: str) -> None:
    assert find_zones(typed) == [zone]


def test_a_country_of_many_zones_names_them_all() -> None:
    assert {"America/New_York", "America/Chicago"} <= set(find_zones("USA"))
    assert find_zones("Atlantis") == []
