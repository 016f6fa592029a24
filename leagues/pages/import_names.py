"""The names of a file that no player bears, as its check asks about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.services.entry_drafts import NEW
from leagues.services.import_names import NOBODY, PAIR

MAX_NAMES_ASKED = 100
"""Names that are asked about at once; the next check asks about the others."""


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """A name, where it stands, what is odd about it, and the answers: value and words."""

    name: str
    where: str
    remark: str
    choices: tuple[tuple[str, str], ...]
    answer: str


@dataclass(frozen=True, slots=True)
class NameQuestions:
    """The names that wait for an answer, then those whose meaning can be changed."""

    open: tuple[NameQuestion, ...]
    answered: tuple[NameQuestion, ...]
    more: str
    """How many wait for an answer beyond those listed."""
    others: str
    """What somebody agrees to who answers no more of them; empty where none waits."""


def name_questions(report: Mapping[str, Any]) -> NameQuestions | None:
    """What the check of a file asks about names; None where it asks nothing."""
    asked: Sequence[Mapping[str, Any]] = report.get("name_questions", ())
    if not asked:
        return None
    shown = [(bool(one["answer"]), _question(one)) for one in asked[:MAX_NAMES_ASKED]]
    waiting = tuple(question for is_answered, question in shown if not is_answered)
    count = report["open_names"]
    more = count - len(waiting)
    return NameQuestions(
        open=waiting,
        answered=tuple(question for is_answered, question in shown if is_answered),
        more=ngettext(
            "%(count)s more name waits for an answer: answer these first, then check again.",
            "%(count)s more names wait for an answer: answer these first, then check again.",
            more,
        )
        % {"count": wording.count(more)}
        if more > 0
        else "",
        others=ngettext(
            "The name without an answer is a new player",
            "All %(count)s names without an answer are new players",
            count,
        )
        % {"count": wording.count(count)}
        if count
        else "",
    )


def _question(asked: Mapping[str, Any]) -> NameQuestion:
    choices = [(key, name) for key, name in asked["candidates"]]
    if asked["may_be_nobody"]:
        choices.append((NOBODY, _("no one: leave the place empty")))
    pair = asked.get("pair", ())
    if pair:
        words = {"first": pair[0], "second": pair[1]}
        choices.append((PAIR, _("%(first)s and %(second)s, two players") % words))
    choices.append((NEW, _("%(name)s, a new player") % {"name": asked["name"]}))
    remark = ""
    if asked["is_short"]:
        remark = _("only this player can be meant")
    elif pair:
        remark = _("two names in one cell may be two players")
    elif asked["may_be_nobody"]:
        remark = _("this may not be a player")
    elif not asked["answer"]:
        remark = _("no player has exactly this name")
    return NameQuestion(
        name=asked["name"],
        where=_("line %(line)s") % {"line": wording.count(asked["line"])},
        remark=remark,
        choices=tuple(choices),
        answer=asked["answer"],
    )
