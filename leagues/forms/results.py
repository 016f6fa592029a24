"""A result as somebody types it: two sides, or a list of places.

The form turns words into names and names into a draft; services decide whether it may be stored.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, ClassVar, Self

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.domain.civil_days import came_twice
from leagues.domain.named_weights import USUAL_WEIGHT, NamedWeight, only_name_of, usual_kind
from leagues.domain.score_rules import ANY_SCORE
from leagues.domain.set_scores import SETS_LENGTH, score_of_sets, sets_and_words
from leagues.domain.who_plays import MOST_MEMBERS
from leagues.forms.fields import (
    TOO_LONG,
    ClockField,
    DayField,
    HandicapField,
    ScoreField,
    VersionField,
    WordsField,
    choice_field,
    show_sets,
)
from leagues.forms.places import TypedSide, clean_player, read_places
from leagues.models import League, Match, Mode, Season
from leagues.models.match import ENTERED_CHOICES
from leagues.pages.match_kinds import kind_and_weight
from leagues.services.entry import Correction
from leagues.services.entry_drafts import MatchEntry, PlayerEntry, SideEntry
from leagues.services.texts import DETAIL_LENGTH, REASON_LENGTH
from leagues.services.validation import skipped_problem
from ratings.files.names import fold_name

MOST_LINES = 64
SIDES = ("one", "two")


class ResultForm(forms.Form):
    """What both ways to type a result share."""

    PROBLEM_FIELDS: ClassVar[Mapping[str, str]]
    """At which field the form says what a service refuses at a field of the result."""

    played_on = DayField(label=gettext_lazy("Date"))
    match_kind = forms.ChoiceField(
        label=gettext_lazy("Kind of match"),
        required=False,
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": gettext_lazy("This kind of match is not played here. Choose another.")
        },
    )
    played_time = ClockField(label=gettext_lazy("Time, if known"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=ENTERED_CHOICES)
    detail = WordsField(
        label=gettext_lazy("Set scores or other details"),
        most=2 * SETS_LENGTH + DETAIL_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, league: League, *args: Any, mode: Mode | None = None, **kwargs: Any) -> None:
        self.league, self.rule = league, mode.rule_of_scores if mode else ANY_SCORE
        self.kinds = mode.weights if mode else ()
        super().__init__(*args, **kwargs)
        self.use_required_attribute = False
        if self.kinds:
            self._offer_kinds()
        else:
            del self.fields["match_kind"]

    def clean(self) -> dict[str, Any]:
        """Refuse a time that the clocks of the league never showed, and a kind of another mode."""
        cleaned = super().clean() or self.cleaned_data
        if not self.kinds and _is_unusual(self.data.get("match_kind", "")):
            words = _(
                "There are no kinds of match here, so this result would count as a usual one. Send "
                "it again if that is right, or choose what was played."
            )
            self.add_error(None, ValidationError(words, "match_kind"))
        if cleaned.get("played_on") and cleaned.get("played_time"):
            problem = skipped_problem(self.played_at())
            if problem is not None:
                self.add_error("played_time", ValidationError(problem.message, problem.code))
        return cleaned

    def _offer_kinds(self) -> None:
        """Let a kind of match be chosen, or the weight stay that no kind has alone."""
        stored, chosen = self.initial.get("weight"), self.initial.get("match_kind")
        name = usual_kind(self.kinds) if stored is None else only_name_of(self.kinds, stored)
        weight = USUAL_WEIGHT if stored is None else stored
        self.initial["match_kind"] = _value(NamedWeight(name, weight)) if name else ""
        choices = [(_value(kind), kind_and_weight(kind)) for kind in self.kinds]
        other_name = _("usual match") if weight == USUAL_WEIGHT else _("weight")
        other = [] if name else [("", kind_and_weight(NamedWeight(other_name, weight)))]
        choice_field(self, "match_kind").choices = [*other, *choices]
        if chosen in dict(choices):
            self.initial["match_kind"] = chosen

    def weight(self) -> float:
        """The weight of the chosen kind of match; without a choice that of the stored match."""
        by_value = {_value(kind): kind.weight for kind in self.kinds}
        stored = self.initial.get("weight", USUAL_WEIGHT)
        return float(by_value.get(self.cleaned_data.get("match_kind", ""), stored))

    def came_twice(self) -> bool:
        """Whether a valid form names a time that the clocks showed twice that day."""
        return bool(self.cleaned_data["played_time"]) and came_twice(self.played_at())

    def has_particulars(self) -> bool:
        """Whether a field that most results leave as it is has something to show."""
        is_usual = self["kind"].value() in (None, Match.Kind.PLAYED) and not self["kind"].errors
        fields = (self["played_time"], self["detail"])
        return not is_usual or any(field.value() or field.errors for field in fields)

    def typed_sides(self) -> Sequence[TypedSide]:
        """The sides of a valid form."""
        raise NotImplementedError

    def played_at(self) -> datetime:
        """When it was played: a date without a time stands at its midnight.

        Of a time that came twice it is the first.
        """
        on, at = self.cleaned_data["played_on"], self.cleaned_data["played_time"]
        return datetime.combine(on, at or time(), tzinfo=self.league.zone)

    def entry(self, external_id: str) -> MatchEntry:
        """The result of a valid form, under the name that it is stored once by."""
        data = self.cleaned_data
        sets, words = self._sets_and_words()
        return MatchEntry(
            played_at=self.played_at(),
            sides=self._side_entries(),
            date_only=data["played_time"] is None,
            kind=data["kind"],
            weight=self.weight(),
            detail=words,
            sets=sets,
            external_id=external_id,
        )

    def correction(self, season: Season | None = None) -> Correction:
        """What a valid form changes of a match; what it does not ask is kept.

        `season` is another one where the match belongs.
        """
        data = self.cleaned_data
        fields: dict[str, Any] = {"kind": data["kind"]}
        if "match_kind" in self.changed_data:
            fields["weight"] = self.weight()
        if "detail" in self.changed_data:
            sets, words = self._sets_and_words()
            fields |= {"detail": words, "sets": sets}
        if self.is_dated():
            fields |= {"played_at": self.played_at(), "date_only": data["played_time"] is None}
        return Correction(self._side_entries(), fields, keeps_members=True, season=season)

    def _sets_and_words(self) -> tuple[str, str]:
        """What was typed as details: the sets of two sides, and words."""
        detail, sides = self.cleaned_data["detail"], self.typed_sides()
        if len(sides) != 2:
            return "", detail
        one, two = (side.score for side in sides)
        score = None if one is None or two is None else (one, two)
        return sets_and_words(detail, score, has_sets=bool(self.initial.get("sets")))

    def is_dated(self) -> bool:
        """Whether a date or time was typed, other than the form came with."""
        return bool({"played_on", "played_time"} & set(self.changed_data))

    def _side_entries(self) -> tuple[SideEntry, ...]:
        return tuple(
            SideEntry(side.rank, side.score, tuple(map(PlayerEntry, side.names)), side.handicap)
            for side in self.typed_sides()
        )


class PairForm(ResultForm):
    """Two sides of one to four players, with a score or a word on who won."""

    shape = "pair"
    PROBLEM_FIELDS: ClassVar = {
        "played_at": "played_on",
        "rank": "outcome",
        "score": "score_one",
        "handicap": "handicap_one",
    }

    OUTCOMES = (
        ("score", gettext_lazy("decide by the score")),
        ("one", gettext_lazy("first side won")),
        ("draw", gettext_lazy("draw")),
        ("two", gettext_lazy("second side won")),
    )

    score_one = ScoreField(label=gettext_lazy("Score"), required=False)
    score_two = ScoreField(label=gettext_lazy("Score"), required=False)
    handicap_one = HandicapField(label=gettext_lazy("First side’s handicap, in rating points"))
    handicap_two = HandicapField(label=gettext_lazy("Second side’s handicap, in rating points"))
    outcome = forms.ChoiceField(
        label=gettext_lazy("Who won?"),
        choices=OUTCOMES,
        required=False,
        initial="score",
        widget=forms.RadioSelect,
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(league, *args, **kwargs)
        show_sets(self.fields["detail"], self.rule)
        for side in SIDES:
            for number in range(1, MOST_MEMBERS + 1):
                self.fields[f"{side}_{number}"] = forms.CharField(
                    label=_("Player") if number == 1 else _("Team-mate"),
                    required=False,
                    max_length=64,
                    error_messages=TOO_LONG,
                    widget=forms.TextInput(attrs={"list": "names", "autocomplete": "off"}),
                )
        self.order_fields(
            [
                *(
                    field
                    for side in SIDES
                    for field in (
                        f"{side}_1",
                        f"score_{side}",
                        *(f"{side}_{number}" for number in range(2, MOST_MEMBERS + 1)),
                    )
                ),
                "outcome",
            ]
        )
        if not league.draws_allowed:
            choice_field(self, "outcome").choices = [
                choice for choice in self.OUTCOMES if choice[0] != "draw"
            ]

    def handicap_fields(self) -> list[forms.BoundField]:
        """The fields of what each side was given."""
        return [self[f"handicap_{side}"] for side in SIDES]

    def has_particulars(self) -> bool:
        given = any(field.value() or field.errors for field in self.handicap_fields())
        return given or super().has_particulars()

    def side_fields(self) -> list[dict[str, Any]]:
        """The fields by side, the first player apart from the team-mates."""
        labels = {"one": _("First side"), "two": _("Second side")}
        sides = []
        for side in SIDES:
            players = [self[f"{side}_{number}"] for number in range(1, MOST_MEMBERS + 1)]
            sides.append(
                {
                    "label": labels[side],
                    "first": players[0],
                    "mates": players[1:],
                    "is_team": any(field.value() or field.errors for field in players[1:]),
                    "is_large_team": any(field.value() or field.errors for field in players[2:]),
                    "score": self[f"score_{side}"],
                }
            )
        return sides

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for side in SIDES:
            self._clean_side(side, cleaned)
        self._take_score_of_sets(cleaned)
        scores = [cleaned.get(f"score_{side}") for side in SIDES]
        outcome = cleaned.get("outcome") or "score"
        if self.errors:
            return cleaned
        if scores.count(None) == 1:
            missing = SIDES[scores.index(None)]
            words = _("Enter both scores, or leave both empty.")
            self.add_error(f"score_{missing}", ValidationError(words, "score_missing"))
        elif outcome == "score" and None in scores:
            words = _("Enter the score, or choose who won.")
            self.add_error("outcome", ValidationError(words, "no_result"))
        return cleaned

    def _take_score_of_sets(self, cleaned: dict[str, Any]) -> None:
        """Let set scores make the score where none was typed.

        Not of a match that ended early, whose last set nobody won, and not of a stored one without
        a score while a correction is about something else.
        """
        is_typed = {"detail", "outcome", "score_one", "score_two"} & set(self.changed_data)
        is_empty = not any(self[f"score_{side}"].value() not in (None, "") for side in SIDES)
        ended_early = cleaned.get("kind") in (Match.Kind.RETIREMENT, Match.Kind.WALKOVER)
        if not is_typed or not is_empty or ended_early:
            return
        detail = cleaned.get("detail", "")
        sets, _words = sets_and_words(detail, None)
        score = score_of_sets(sets or detail)
        if score is not None:
            cleaned["score_one"], cleaned["score_two"] = score

    def _clean_side(self, side: str, cleaned: dict[str, Any]) -> None:
        names = []
        for number in range(1, MOST_MEMBERS + 1):
            field = f"{side}_{number}"
            if cleaned.get(field):
                try:
                    names.append(clean_player(cleaned[field]))
                except ValidationError as error:
                    self.add_error(field, error)
        if not names and not any(
            f"{side}_{number}" in self.errors for number in range(1, MOST_MEMBERS + 1)
        ):
            self.add_error(f"{side}_1", ValidationError(_("Who played?"), "name"))
        cleaned[side] = tuple(names)

    def typed_sides(self) -> Sequence[TypedSide]:
        """Both sides."""
        data = self.cleaned_data
        scores = [data["score_one"], data["score_two"]]
        outcome = data["outcome"] or "score"
        if outcome == "score":
            outcome = outcome_of(scores)
        ranks = {"one": (1, 2), "two": (2, 1), "draw": (1, 1)}[outcome]
        return [
            TypedSide(rank, data[side], score, self._handicap(side))
            for side, rank, score in zip(SIDES, ranks, scores, strict=True)
        ]

    def _handicap(self, side: str) -> int | None:
        """What was typed as the handicap of a side; None where nobody was asked."""
        field = f"handicap_{side}"
        return (self.cleaned_data[field] or 0) if field in self.data else None


def _value(kind: NamedWeight) -> str:
    """What is sent for a kind of match: with its weight, so that what was shown is what counts."""
    return f"{kind.weight!r} {kind.name}"


def _is_unusual(value: str) -> bool:
    """Whether what was sent for a kind of match names another weight than the usual one."""
    weight, _space, _name = value.partition(" ")
    return bool(value) and weight != repr(USUAL_WEIGHT)


def outcome_of(scores: Sequence[Any]) -> str:
    if scores[0] == scores[1]:
        return "draw"
    return "one" if scores[0] > scores[1] else "two"


class ListForm(ResultForm):
    """Any number of sides, the best first: one line a place."""

    shape = "list"
    PROBLEM_FIELDS: ClassVar = {
        **{"played_at": "played_on"},
        **dict.fromkeys(("rank", "score", "handicap"), "places"),
    }

    places = forms.CharField(
        label=gettext_lazy("Players or teams, best first"),
        help_text=gettext_lazy(
            "One line per place. “=” means a tie, “ + ” joins team-mates, “: 12” gives points, "
            "“ +64” behind a name is a handicap."
        ),
        max_length=20_000,
        error_messages=TOO_LONG,
        widget=forms.Textarea(
            attrs={"rows": 8, "placeholder": "Ana: 31\nBo = Cy: 24\nDina: 8", "spellcheck": "false"}
        ),
    )

    def clean_places(self) -> str:
        """Read the lines, so that what is wrong with one is said at the field."""
        text = self.cleaned_data["places"]
        sides = list(read_places(text))
        if len(sides) < 2:
            raise ValidationError(_("A match needs at least two sides."), code="sides")
        if len(sides) > MOST_LINES:
            raise ValidationError(
                _("A match can have at most %(most)d sides."), "sides", {"most": MOST_LINES}
            )
        if 0 < [side.score for side in sides].count(None) < len(sides):
            raise ValidationError(_("Enter points for every side, or for none."), "score_missing")
        return str(text)

    def typed_sides(self) -> Sequence[TypedSide]:
        """The sides in the order of their lines."""
        return list(read_places(self.cleaned_data["places"]))


class CorrectionForm(forms.Form):
    """What whoever corrects, voids or restores a match says beside the result."""

    reason = WordsField(
        label=gettext_lazy("Reason (optional), shown to everyone"),
        most=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    version = VersionField()

    def for_version(self, version: int) -> Self:
        """The form to be sent again, once the match is at another version."""
        return type(self)(initial={**self.cleaned_data, "version": version})


class MatchCorrectionForm(CorrectionForm):
    """What whoever corrects a match says beside the result: where it belongs, too."""

    season = forms.ChoiceField(
        label=gettext_lazy("Season"),
        help_text=gettext_lazy("Another season moves the result there; ratings change in both."),
        required=False,
    )

    def __init__(self, match: Match, seasons: Iterable[Season], *args: Any, **kwargs: Any) -> None:
        """`seasons` are those of the league that whoever corrects may see."""
        super().__init__(*args, **kwargs)
        self.match = match
        self.seasons = {season.slug: season for season in seasons}
        self.initial.setdefault("season", match.season.slug)
        choice_field(self, "season").choices = [
            (slug, _season_name(season)) for slug, season in self.seasons.items()
        ]
        if len(self.seasons) == 1:
            del self.fields["season"]

    def for_version(self, version: int) -> Self:
        """The form to be sent again, once the match is at another version."""
        initial = {**self.cleaned_data, "version": version}
        return type(self)(self.match, self.seasons.values(), initial=initial)

    def target(self) -> Season | None:
        """The other season that a valid form moves the match to."""
        season = self.seasons.get(self.cleaned_data.get("season", ""))
        return None if season is None or season.pk == self.match.season_id else season


def _season_name(season: Season) -> str:
    """A season's name, and its state where it takes no results."""
    if season.takes_results:
        return season.name
    return _("%(season)s (%(state)s)") % {
        "season": season.name,
        "state": season.get_state_display(),
    }


def first_values(on: date) -> dict[str, Any]:
    """What an empty form begins with."""
    return {"played_on": on, "kind": Match.Kind.PLAYED, "outcome": "score"}


def focus_first_player(form: ResultForm, *, is_next: bool) -> None:
    """Let the page open at the first player who is not there yet, else at the score.

    After a result, that one is read out there.
    """
    fields = ("places",) if "places" in form.fields else ("one_1", "two_1", "score_one")
    free = next((field for field in fields if not form.initial.get(field)), fields[0])
    attributes = form.fields[free].widget.attrs
    attributes["autofocus"] = True
    if is_next:
        attributes["aria-describedby"] = "recorded"


def new_form_id() -> str:
    """The name under which a form's result is stored, so that it is stored once."""
    return str(uuid.uuid4())


def read_form_id(given: str) -> str:
    """The name that a form came with; a new one where it is none."""
    try:
        return str(uuid.UUID(given))
    except ValueError:
        return new_form_id()


def read_answers(asked: Sequence[str], answers: Sequence[str]) -> dict[str, str]:
    """What was answered about unknown names: a player's key, or `new`; by folded name."""
    return {
        fold_name(name): answer
        for name, answer in zip(asked, answers, strict=False)
        if name and answer
    }
