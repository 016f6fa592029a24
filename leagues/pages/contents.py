"""What a match said at each of its versions, in lines that people can compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.html import format_html
from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Match, Participant
from leagues.models.match import STARTED_KINDS
from leagues.pages.handicaps import handicap_tag
from leagues.pages.match_kinds import times
from leagues.pages.set_scores import shown_details
from leagues.selectors.contents import Content
from leagues.store.stored_words import HANDICAP, SETS, STARTED


def line_of(content: Content, names: Mapping[str, str], *, with_weight: bool = False) -> str:
    """A result in one line, with the state that a reader must know of."""
    sides = sorted(content["sides"], key=lambda side: int(side["rank"]))
    labels = [
        " + ".join(wording.isolated(names.get(one["player"], "?")) for one in side["members"])
        for side in sides
    ]
    if len(sides) == 2 and sides[0]["score"] is not None and sides[1]["score"] is not None:
        text = f"{labels[0]} {wording.tally(sides[0]['score'], sides[1]['score'])} {labels[1]}"
    else:
        text = labels[0]
        has_result = content["kind"] not in STARTED_KINDS
        for one, other, label in zip(sides, sides[1:], labels[1:], strict=False):
            sign = " > " if one["rank"] != other["rank"] else " = " if has_result else " v "
            text += sign + label
    detail = details_of(content)
    tags = [detail] if detail else []
    if content["kind"] != Match.Kind.PLAYED:
        tags.append(str(Match.Kind(content["kind"]).label))
    given = (side.get(HANDICAP, 0) for side in sides)
    if handicaps := handicap_tag(zip(labels, given, strict=True)):
        tags.append(handicaps)
    tags += _who_left(content, names)
    if with_weight:
        tags.append(_("weight %(times)s") % {"times": times(content["weight"])})
    if content["status"] == Match.Status.VOID:
        tags.append(_("void"))
    return f"{text} ({', '.join(tags)})" if tags else text


def _who_left(content: Content, names: Mapping[str, str]) -> list[str]:
    """Who left a started match, and who was let go."""
    if content["kind"] not in STARTED_KINDS:
        return []
    gone = content[STARTED]["leaving"]
    leaving = Participant.Leaving
    words = (leaving.LEFT, _("left: %(names)s")), (leaving.RELEASED, _("let go: %(names)s"))
    return [
        text % {"names": wording.listing(names.get(key, "?") for key in keys)}
        for value, text in words
        if (keys := sorted(key for key, said in gone.items() if said == value))
    ]


def details_of(content: Content) -> str:
    """The sets and the details, for the sides in the order in which a line names them."""
    sides = sorted(content["sides"], key=lambda side: int(side["rank"]))
    return shown_details(
        content[SETS],
        content["detail"],
        [side["score"] for side in sides],
        is_turned=sides[0] is not content["sides"][0],
    )


def lines_between(
    before: Content,
    after: Content,
    names: Mapping[str, str],
    zone: ZoneInfo,
    moment: Callable[[datetime, ZoneInfo], str] = wording.moment_element,
) -> tuple[str, str]:
    """Both contents as lines; they name the weight and the time of play where these differ.

    They do so in the time zone of their reader, as the rest of a page does. Beside a form, whose
    fields are in the league's, `wording.moment` keeps to that.
    """
    is_weighted = before["weight"] != after["weight"]
    lines = (
        line_of(before, names, with_weight=is_weighted),
        line_of(after, names, with_weight=is_weighted),
    )
    if before["played_at"] == after["played_at"] and lines[0] != lines[1]:
        return lines
    return (
        _with_date(lines[0], before, zone, moment),
        _with_date(lines[1], after, zone, moment),
    )


def _with_date(
    line: str, content: Content, zone: ZoneInfo, moment: Callable[[datetime, ZoneInfo], str]
) -> str:
    at = datetime.fromisoformat(content["played_at"])
    day = wording.day(day_of(at, zone)) if content["date_only"] else moment(at, zone)
    return format_html("{}: {}", day, line)
