"""All reads of a snapshot see the same commits, however it begins and ends."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from django.db import InternalError, OperationalError, connection

from leagues.models import League
from leagues.store.snapshot import snapshot
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db(transaction=True)


def add_meanwhile(slug: str) -> None:
    """Let somebody else create a league."""

    def add() -> None:
        new_club(slug)
        connection.close()

    thread = threading.Thread(target=add)
    thread.start()
    thread.join()


def slugs() -> set[str]:
    return set(League.objects.values_list("slug", flat=True))


def test_what_is_committed_meanwhile_is_seen_after_it() -> None:
    new_club()
    with snapshot():
        before = slugs()
        add_meanwhile("other")
        assert slugs() == before == {"club"}
        # By a cursor of the server's, too.
        assert [league.slug for league in League.objects.iterator()] == ["club"]
    assert slugs() == {"club", "other"}


def test_one_inside_another_is_the_same() -> None:
    new_club()
    with snapshot():
        with snapshot():
            before = slugs()
        add_meanwhile("other")
        assert slugs() == before
    assert slugs() == {"club", "other"}


def test_another_thread_has_one_of_its_own() -> None:
    new_club()
    seen: list[set[str]] = []

    def look() -> None:
        with snapshot():
            seen.append(slugs())
        connection.close()

    with snapshot():
        before = slugs()
        add_meanwhile("other")
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert slugs() == before
    assert seen == [{"club", "other"}]


def test_nothing_that_is_written_inside_stays() -> None:
    """It is a mistake: PostgreSQL says so, SQLite has no word for it."""
    new_club()
    with suppress(InternalError), snapshot():
        League.objects.update(name="Written inside")
    assert not League.objects.filter(name="Written inside").exists()


def test_an_error_inside_leaves_nothing_open() -> None:
    new_club()
    with pytest.raises(KeyError), snapshot():
        slugs()
        raise KeyError
    add_meanwhile("other")
    with snapshot():
        assert slugs() == {"club", "other"}
    new_club("third")


def test_what_ended_it_is_heard_and_another_connection_is_opened() -> None:
    new_club()
    if connection.vendor == "sqlite":
        # As an error of the disk does.
        with pytest.raises(KeyError), snapshot():
            slugs()
            connection.connection.execute("ROLLBACK")
            raise KeyError
    else:
        with (
            pytest.raises(OperationalError, match="terminating"),
            snapshot(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    with snapshot():
        assert slugs() == {"club"}
