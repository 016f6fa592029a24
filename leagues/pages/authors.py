"""Who is answerable for something, in words: for everybody, and for organizers."""

from __future__ import annotations

import re

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext as _

from leagues.models import Membership, Revision
from leagues.selectors.authors import Authors


def author_label(author: AbstractBaseUser | None, source: str) -> str:
    """The name of an account, or the way in: for those who look after a league."""
    return str(author.get_username()) if author is not None else _source_label(source)


def public_author_label(author_id: int | None, source: str, authors: Authors) -> str:
    """What everybody reads: the account's player in the league, else its role there.

    An account's name is what one signs in with, and often an address.
    """
    author = None if author_id is None else authors.get(author_id)
    if author is None:
        return _source_label(source)
    if author.player_name:
        return author.player_name
    if author.role:
        return role_words(author.role)
    return _("a site admin") if author.is_site_admin else _("a former member")


def revision_author_label(revision: Revision, authors: Authors | None) -> str:
    """Who is answerable for a revision; without `authors`, for readers who may know accounts."""
    if authors is None:
        return author_label(revision.author, revision.source)
    return public_author_label(revision.author_id, revision.source, authors)


def role_words(role: str) -> str:
    """A role as it stands in a sentence."""
    return {
        Membership.Role.ORGANIZER: _("an organizer"),
        Membership.Role.SCORER: _("a scorer"),
        Membership.Role.PLAYER: _("a player"),
    }[Membership.Role(role)]


def is_from_file(author_id: int | None, source: str) -> bool:
    """Whether a file brought something that nobody signed in is answerable for."""
    return author_id is None and _way_in(source) == "import"


def _source_label(source: str) -> str:
    way_in, _colon, name = source.partition(": ")
    if way_in == "demo" and name:
        return name
    labels = {
        "demo": _("the simulation"),
        "import": _("an import"),
        "token": _("a program"),
        "api": _("a program"),
        "browser": _("a deleted account"),
    }
    return labels.get(_way_in(source), source)


def _way_in(source: str) -> str:
    return re.split(r"[^a-z]", source, maxsplit=1)[0]
