"""Forms of an import: the file itself, and what was understood of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leagues.domain.civil_days import day_of
from leagues.forms.fields import TOO_LONG, DayField, choice_field
from leagues.models import League, Mode, Season
from leagues.services.import_reading import ImportOptions
from leagues.services.log_reading import LogOptions, LogProblem, is_log
from leagues.services.log_uploads import LOG_BYTES, packed_log
from leagues.services.uploads import PASTE_BYTES, UPLOAD_BYTES, refuse_unreadable
from ratings.files.columns import Layout
from ratings.files.meanings import Meaning
from ratings.files.names import fold_name
from ratings.files.problems import FileProblem, shown

NAME_LENGTH = 120
NEW_MODE = ""
TOO_LARGE = "too_large"
PASTE_TOO_LARGE = _("The pasted text is larger than 5 MB. Upload it as a file, or split it.")
FILE_TOO_LARGE = _(
    "The file is larger than 50 MB. Compress it with gzip, remove columns you do not need, or "
    "split it: rows that are already here are not added twice."
)
LOG_TOO_LARGE = _(
    "The log is larger than 10 MB. Split it, or let a site admin import it on the command line."
)
LOG_CHOICES = ("with_bots", "with_broken_off", "is_unrated")
MAX_ANSWER = 300
"""Letters of a name in a file together with the player who is meant by it."""


class UploadForm(forms.Form):
    """A file or pasted text, and where its results belong."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_(
            "Results or a list of players: CSV, TSV, XLSX, ODS, click-TT XML, start.gg JSON or a "
            "text with one result per line; 50 MB and 500,000 rows at most. Or the log of a game "
            "server, 10 MB at most. Each also compressed with gzip."
        ),
        widget=forms.FileInput(
            attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods,.xml,.json,.gz,.log,text/csv,text/plain"}
        ),
    )
    paste = forms.CharField(
        label=_("Or paste it here"),
        required=False,
        strip=False,
        help_text=_(
            "A table with its line of column names, as copied from a spreadsheet; one result per "
            "line, such as “ana bo 3-1”; or lines of a log, from the beginning of a game."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )
    mode = forms.ChoiceField(label=_("What was played"), required=False)
    new_mode = forms.CharField(
        label=_("Its name, if it is new"),
        required=False,
        max_length=Mode._meta.get_field("name").max_length,
        error_messages=TOO_LONG,
        help_text=_(
            "Each is rated separately. It will be added when you import. The games of a log go "
            "where it says what was played, unless you enter a name here."
        ),
    )
    day = DayField(
        label=_("Day of results without a date"),
        required=False,
        help_text=_("Leave it empty for the day of the import. Dates in the file always count."),
    )
    season = forms.ChoiceField(label=_("Season"))
    with_bots = forms.BooleanField(label=_("Bots are players too"), required=False)
    with_broken_off = forms.BooleanField(label=_("Games that broke off count too"), required=False)
    is_unrated = forms.BooleanField(
        label=_("No board rates these games; they only have their pages"), required=False
    )

    def __init__(self, league: League, seasons: list[Season], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.use_required_attribute = False
        self.today = day_of(timezone.now(), league.zone)
        self.modes = {mode.slug: mode for mode in league.modes.all()}
        self.seasons = {season.slug: season for season in seasons}
        choice_field(self, "mode").choices = [
            *((slug, mode.name) for slug, mode in self.modes.items()),
            (NEW_MODE, _("something new")),
        ]
        self.fields["mode"].initial = next(iter(self.modes))
        self.fields["with_broken_off"].initial = league.counts_broken_off
        choice_field(self, "season").choices = [
            (slug, season.name) for slug, season in self.seasons.items()
        ]
        if len(seasons) == 1:
            del self.fields["season"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self._clean_mode(cleaned)
        if "file" not in self.errors:
            self._clean_content(cleaned)
        return cleaned

    def _clean_mode(self, cleaned: dict[str, Any]) -> None:
        name = cleaned.get("new_mode", "")
        known = next(
            (mode for mode in self.modes.values() if mode.name.casefold() == name.casefold()), None
        )
        if known is not None:
            cleaned |= {"mode": known.slug, "new_mode": ""}
        elif not name and "new_mode" not in self.errors and cleaned.get("mode") == NEW_MODE:
            self.add_error("new_mode", gettext("Choose what was played, or enter a new name."))

    def _clean_content(self, cleaned: dict[str, Any]) -> None:
        file, text = cleaned.get("file"), cleaned.get("paste", "")
        if bool(file) == bool(text.strip()):
            words = (
                gettext("Choose a file or paste text, not both.")
                if file
                else gettext("Choose a file, or paste the results.")
            )
            self.add_error("file", words)
            return
        field = "file" if file else "paste"
        size = file.size if file else len(text.encode(errors="replace"))
        if size > (UPLOAD_BYTES if file else PASTE_BYTES):
            refusal = FILE_TOO_LARGE if file else PASTE_TOO_LARGE
            self.add_error(field, ValidationError(refusal, code=TOO_LARGE))
            return
        cleaned["name"] = shown(file.name, NAME_LENGTH) if file else gettext("pasted text")
        cleaned["content"] = file.read() if file else text.encode(errors="replace")
        cleaned["is_log"] = is_log(cleaned["content"])
        if cleaned["is_log"]:
            self._clean_log(cleaned, field)
            return
        try:
            refuse_unreadable(name=cleaned["name"], content=cleaned["content"], today=self.today)
        except FileProblem as problem:
            self.add_error(field, words_of(problem.reason, problem.line))

    def _clean_log(self, cleaned: dict[str, Any], field: str) -> None:
        """Keep the games of a log in its place: chat and addresses are stored nowhere."""
        if len(cleaned["content"]) > LOG_BYTES:
            self.add_error(field, ValidationError(LOG_TOO_LARGE, code=TOO_LARGE))
            return
        options = LogOptions(
            with_bots=cleaned["with_bots"], with_broken_off=cleaned["with_broken_off"]
        )
        try:
            cleaned["content"] = packed_log(cleaned["name"], cleaned["content"], options)
        except LogProblem as problem:
            self.add_error(field, str(problem))

    def clean_day(self) -> date | None:
        return _past_day(self.cleaned_data["day"], self.today)

    @property
    def has_log_choices(self) -> bool:
        """Whether something was chosen that only logs have."""
        return any(self[name].value() for name in LOG_CHOICES)

    @property
    def is_too_large(self) -> bool:
        return any(self.has_error(field, TOO_LARGE) for field in ("file", "paste"))

    @property
    def chosen_season(self) -> Season:
        slug = self.cleaned_data.get("season")
        return self.seasons[slug] if slug else next(iter(self.seasons.values()))

    @property
    def chosen_mode(self) -> Mode:
        slug = self.cleaned_data["mode"]
        return self.modes[slug] if slug else next(iter(self.modes.values()))


def iso_day(day: date | None) -> str:
    """A day as import options keep it."""
    return "" if day is None else day.isoformat()


def _past_day(day: date | None, today: date) -> date | None:
    if day is not None and day > today:
        raise ValidationError(gettext("This date is in the future."))
    return day


def words_of(reason: str, line: int) -> str:
    """What is wrong with a file, with the line where there is one."""
    if not line:
        return reason
    return gettext("Line %(line)d: %(reason)s") % {"line": line, "reason": reason}


class CheckForm(forms.Form):
    """What each column means, in which order dates are written, and whether to write it now."""

    check = forms.IntegerField(required=False)
    day = DayField(required=False)
    dates = forms.ChoiceField(
        required=False, choices=[("dmy", _("day first")), ("mdy", _("month first"))]
    )
    skip_bad = forms.BooleanField(required=False)
    others_are_new = forms.BooleanField(required=False)
    is_right_mode = forms.BooleanField(required=False)
    may_repeat = forms.BooleanField(required=False)

    def __init__(
        self,
        layout: Layout | None,
        *args: Any,
        today: date,
        answered: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        """`answered` is whom the names of the check mean as it stands, by folded name."""
        super().__init__(*args, **kwargs)
        self.layout, self.today, self.answered = layout, today, answered
        for column in layout.columns if layout else ():
            self.fields[f"column_{column.index}"] = forms.ChoiceField(
                required=False, choices=[(meaning.value, meaning.value) for meaning in Meaning]
            )

    def clean_day(self) -> date | None:
        return _past_day(self.cleaned_data["day"], self.today)

    @property
    def refusal(self) -> str:
        """What is wrong with an answer, in a sentence."""
        return str(next(iter(self.errors.get("day", ())), _("Choose one of the options.")))

    def winners(self) -> dict[str, str]:
        """Who is meant by winners who are nobody in their rows, as answered."""
        return self._answers("winner", "meant")

    def names(self) -> dict[str, str]:
        """Whom names mean that no player bears, where that is answered anew."""
        answers = self._answers("asked", "answer")
        return {name: key for name, key in answers.items() if self.answered.get(name) != key}

    def _answers(self, asked: str, answer: str) -> dict[str, str]:
        """The answers to questions of one kind, by the folded name that each is about."""
        data = cast(QueryDict, self.data)
        pairs = zip(data.getlist(asked), data.getlist(answer), strict=False)
        return {
            fold_name(name): meant
            for name, meant in pairs
            if name and meant and len(name + meant) <= MAX_ANSWER and (name + meant).isprintable()
        }

    @property
    def wants_writing(self) -> bool:
        return self.data.get("do") == "write"

    def options(self, stored: ImportOptions) -> ImportOptions:
        """The stored options with what the form says otherwise."""
        changed = replace(
            stored,
            dates=self.cleaned_data["dates"] or stored.dates,
            skip_bad=self.cleaned_data["skip_bad"],
            winners={**stored.winners, **self.winners()},
            others_are_new=self.cleaned_data["others_are_new"],
            is_right_mode=self.cleaned_data["is_right_mode"],
            may_repeat=self.cleaned_data["may_repeat"],
        )
        if stored.names is not None:
            changed = replace(changed, names={**stored.names, **self.names()})
        if "day" in self.data:
            changed = replace(changed, day=iso_day(self.cleaned_data["day"]))
        meanings = {
            column.index: Meaning(value)
            for column in (self.layout.columns if self.layout else ())
            if (value := self.cleaned_data.get(f"column_{column.index}"))
            and value != column.meaning
        }
        if self.layout is None or not meanings:
            return changed
        return replace(changed, layout=self.layout.with_meanings(meanings).to_json())
