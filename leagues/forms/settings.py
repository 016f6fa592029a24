"""Forms of new leagues and of league settings. They read; services check once more and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from leagues import bridge, wording
from leagues.domain.score_rules import ANY_SCORE, ScoreRule
from leagues.domain.who_plays import EntryShape
from leagues.forms.fields import WordsField, choice_field
from leagues.forms.own_words import list_own_words
from leagues.forms.parameters import begin_at, parameter_field
from leagues.forms.zones import ZonePlace, find_zones, suggested_zone
from leagues.models import ApiToken, League, Membership, Mode
from leagues.models.league import SHAPES
from leagues.pages.entry_warnings import example_name
from leagues.rulebook.score_rules import KNOWN_GAMES, describe_score_rule, game_named
from leagues.services.leagues import DEFAULT_MODE, free_address

if TYPE_CHECKING:
    LeagueModelForm = forms.ModelForm[League]
    ModeModelForm = forms.ModelForm[Mode]
    ModeField = forms.ModelChoiceField[Mode]
else:
    LeagueModelForm, ModeField = forms.ModelForm, forms.ModelChoiceField
    ModeModelForm = forms.ModelForm

# A private league's address must not be told apart from a word that the site itself uses.
ADDRESS_TAKEN = _("This address is taken or reserved.")
WHO_PLAYS = _("Who plays")
WHO_PLAYS_HELP = _(
    "Other results, such as a doubles among singles, are asked about before they are recorded."
)
NEGATIVE_SCORES = _("Only for games with minus points, such as golf or some card games.")
ZONE_WANTED = _("Choose a time zone from the list.")
ZONE_SHARED = _("Several time zones have this name. Choose one: %(zones)s.")
MAX_ZONES = 12
ZONE_UNKNOWN = _(
    "No time zone has this name. Type a larger city with the same time, such as Berlin for Munich, "
    "or choose from the list."
)


def add_errors(form: forms.BaseForm, error: ValidationError, prefix: str = "") -> None:
    """Show what a service refused; what belongs to no field of the form stands above it.

    `prefix` is what the form's fields are called in front of the names that the service knows.
    """
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, reasons in error.error_dict.items():
        field = next((known for known in (prefix + name, name) if known in form.fields), None)
        form.add_error(field, ValidationError(reasons))


SELDOM_CHANGED = ("slug", "negative_scores")


class LeagueForm(LeagueModelForm):
    """The settings that both a new and an old league have."""

    class Meta:
        model = League
        fields: tuple[str, ...] = ("name", "slug", "time_zone", "visibility", "draws_allowed")
        widgets: dict[str, forms.Widget] = {
            "time_zone": forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        }
        labels = {"slug": _("Address in links")}
        help_texts: dict[str, Any] = {"negative_scores": NEGATIVE_SCORES}
        error_messages = {"slug": {"unique": ADDRESS_TAKEN, "reserved": ADDRESS_TAKEN}}

    def clean_time_zone(self) -> str:
        """Accept a city or a country where it names one zone."""
        found = find_zones(self.cleaned_data["time_zone"].strip())
        if len(found) > 1:
            words = {"zones": wording.listing(found[:MAX_ZONES])}
            raise ValidationError(ZONE_SHARED, code="zone", params=words)
        if not found:
            raise ValidationError(ZONE_UNKNOWN, code="zone")
        return found[0]


class NewLeagueForm(LeagueForm):
    """A new league; the address may be left to us."""

    mode = forms.CharField(
        label=_("What is played"),
        max_length=Mode._meta.get_field("name").max_length,
        initial=DEFAULT_MODE,
        help_text=_(
            "A name for one kind of match: type “Singles”, “Blitz” or “8-ball”, or leave it as it "
            "is. Add others later, such as “Doubles”: each is rated separately."
        ),
    )
    played_by = forms.ChoiceField(
        label=WHO_PLAYS,
        choices=Mode.PlayedBy.choices,
        initial=Mode.PlayedBy.TWO_PLAYERS,
        help_text=WHO_PLAYS_HELP,
    )
    score_rule = forms.ChoiceField(
        label=_("Possible scores"),
        required=False,
        help_text=_(
            "A score that the game does not know is then asked about. It can be set later, too."
        ),
    )

    class Meta(LeagueForm.Meta):
        fields = (*LeagueForm.Meta.fields, "negative_scores")

    def __init__(self, *args: Any, languages: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True
        games = [(game.slug, game.title) for game in KNOWN_GAMES if game.words]
        choice_field(self, "score_rule").choices = [("", _("any score")), *games]
        self.order_fields(["name", "mode", "played_by", "score_rule", "draws_allowed", "time_zone"])
        self.fields["time_zone"].help_text = _zone_help(suggested_zone(languages))
        # Whoever does not look would make a league of another zone than their own.
        self.initial.update(time_zone="", negative_scores=False, draws_allowed=False)
        self.fields["draws_allowed"].help_text = _(
            "Chess or football: yes. Table tennis, badminton or darts: no."
        )
        self.fields["time_zone"].error_messages["required"] = ZONE_WANTED
        self.fields["time_zone"].widget.attrs["data-zone"] = True
        self.fields["slug"].required = False
        self.fields["slug"].help_text = _(
            "The end of the league’s link. Leave empty to use the name."
        )

    @property
    def main_fields(self) -> list[BoundField]:
        """What every league has to say."""
        return [field for field in self.visible_fields() if field.name not in SELDOM_CHANGED]

    @property
    def more_fields(self) -> list[BoundField]:
        """What most leagues leave as it is."""
        return [field for field in self.visible_fields() if field.name in SELDOM_CHANGED]

    @property
    def has_more(self) -> bool:
        """Whether one of those fields says something, or has an error."""
        return any(field.errors or field.value() for field in self.more_fields)

    def clean_score_rule(self) -> ScoreRule:
        """The rule of the chosen game."""
        game = game_named(self.cleaned_data["score_rule"])
        return game.rule if game else ANY_SCORE

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("slug") and "slug" not in self.errors:
            cleaned["slug"] = free_address(cleaned.get("name", ""))
            if not cleaned["slug"]:
                self.add_error("slug", _("Choose an address: the name has no letters a–z."))
        return cleaned


def _zone_help(suggestion: ZonePlace | None) -> str:
    """What to type where a league's zone is asked for, and that it stays."""
    words = _(
        "Type a large city or a country. Days begin and end in this zone. It can’t be changed once "
        "there are results; everything else can."
    )
    if suggestion is None:
        return str(words)
    words = _(
        "Type a large city or a country, such as %(city)s. Days begin and end in this zone. It "
        "can’t be changed once there are results; everything else can."
    )
    return words % {"city": suggestion.city}


class LeagueSettingsForm(LeagueForm):
    """All settings of a league that exists."""

    class Meta(LeagueForm.Meta):
        fields = (
            "name",
            "slug",
            "description",
            "time_zone",
            "visibility",
            "draws_allowed",
            "negative_scores",
            "walkovers",
            "counts_broken_off",
            "active_days",
            "ranked_after",
            "age_classes",
        )
        widgets = {
            **LeagueForm.Meta.widgets,
            "description": forms.Textarea(attrs={"rows": 3}),
        }
        help_texts = {
            **LeagueForm.Meta.help_texts,
            "slug": _("In links: /l/address/. Old links stop working when it changes."),
            "time_zone": _(
                "Days begin and end in this zone. It can’t be changed once there are results."
            ),
            "counts_broken_off": _(
                "Games that ended because another began or the server stopped. Each import can "
                "choose otherwise; games imported before stay as they are."
            ),
            "ranked_after": _(
                "Results in the season; players with fewer are listed separately. "
                "0: ranked from the first result."
            ),
            "age_classes": _(
                "Such as U15, U18, 40+, 60+: standings can be narrowed to each. Everyone then sees "
                "roughly how old its players are, and can work out the year of birth of some by "
                "comparing years. Who turns 15 this year is no longer U15; who turns 40 is 40+. "
                "Leave empty for none."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.matches.exists():
            zone = self.fields["time_zone"]
            zone.widget.attrs["readonly"] = True
            zone.help_text = _(
                "Days begin and end in this zone. It can’t be changed, because there are results."
            )


class NewModeForm(forms.Form):
    """Something more that is played in a league."""

    name = WordsField(
        label=_("Name"),
        most=Mode._meta.get_field("name").max_length or 0,
        help_text=_("Such as Doubles, Blitz or Free for all."),
    )
    played_by = forms.ChoiceField(
        label=WHO_PLAYS,
        choices=Mode.PlayedBy.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose who plays.")},
        help_text=WHO_PLAYS_HELP,
    )
    scores = forms.ChoiceField(
        label=_("Possible scores"),
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = league.modes.first()
        if first is None or first.rule_of_scores == ANY_SCORE:
            del self.fields["scores"]
            return
        words = {"mode": first.name, "rule": describe_score_rule(first.rule_of_scores)}
        choice_field(self, "scores").choices = [
            ("", gettext("as in “%(mode)s”") % words),
            ("any", gettext("any score")),
        ]
        self.fields["scores"].help_text = (
            gettext("“%(mode)s”: %(rule)s You can change this afterwards.") % words
        )

    @property
    def score_rule(self) -> ScoreRule | None:
        """The rule of a valid form; None where it is that of the first mode."""
        return ANY_SCORE if self.cleaned_data.get("scores") else None


def new_mode_values(league: League, shape: EntryShape | None) -> dict[str, Any]:
    """What the form for something more to play begins with, where it is for results of a shape."""
    if shape is None:
        return {}
    played_by = next(value for value, known in SHAPES.items() if known is shape)
    name = example_name(shape)
    is_free = not league.modes.filter(name__iexact=name).exists()
    return {"played_by": played_by} | ({"name": name} if is_free else {})


class PlayedByForm(forms.Form):
    """Who plays in a mode."""

    played_by = forms.ChoiceField(
        label=WHO_PLAYS, choices=Mode.PlayedBy.choices, widget=forms.RadioSelect
    )


class ModeForm(forms.Form):
    """What boards of a mode rate."""

    rated_by = forms.ChoiceField(
        label=_("What is rated"),
        choices=Mode.RatedBy.choices,
        widget=forms.RadioSelect,
        help_text=_(
            "Events, such as frags, come with the logs of game servers. Ladder, zero-sum and "
            "Becker boards can rate them one by one; all other boards rate results anyway."
        ),
    )


class StartRulesForm(ModeModelForm):
    """What holds in a mode for matches whose start is reported."""

    class Meta:
        model = Mode
        fields = ("start_hours", "released_by", "start_rungs")


class BoardForm(forms.Form):
    """Add a board: a system with its parameters, as the system describes them."""

    mode = ModeField(None, label=_("What is played"), empty_label=None)
    name = forms.CharField(
        label=_("Name"),
        max_length=64,
        required=False,
        help_text=_("Leave empty to name it after what is played and the rating system."),
    )

    def __init__(
        self,
        system: str,
        league: League,
        data: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, prefix="board")
        self.system = system
        mode = self.fields["mode"]
        assert isinstance(mode, forms.ModelChoiceField)  # noqa: S101
        mode.queryset = league.modes.all()
        self.descriptions = bridge.offered_parameters(system)
        for description in self.descriptions:
            self.fields[f"x_{description.name}"] = parameter_field(description)
        for name, value in (bridge.NEW_BOARD.get(system, {}) | dict(parameters or {})).items():
            begin_at(self.fields[f"x_{name}"], value)
        list_own_words(self, league)

    @property
    def usual_fields(self) -> list[forms.BoundField]:
        """What everybody fills in."""
        return [self["mode"], self["name"]]

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        """What only those change who know the system."""
        return [self[name] for name in self.fields if name.startswith("x_")]

    @property
    def has_parameter_errors(self) -> bool:
        return any(name.startswith("x_") for name in self.errors)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were typed, as text; the system itself reads them."""
        return {
            description.name: self.cleaned_data[f"x_{description.name}"]
            for description in self.descriptions
        }

    def refuse(self, error: ValidationError) -> None:
        """Show what the system refused at the parameter it refused."""
        add_errors(self, error, prefix="x_")


class MemberForm(forms.Form):
    """Who gets which role."""

    who = forms.CharField(
        label=_("Username"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.SCORER
    )


class InvitationForm(forms.Form):
    """The role that an invitation gives."""

    role = forms.ChoiceField(
        label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.SCORER
    )


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=48,
        help_text=_(
            "The program that will use it. A token with the same name as an old one counts as the "
            "same sender: results it has already sent are not added again."
        ),
    )
    scope = forms.ChoiceField(
        label=_("Access"), choices=ApiToken.Scope.choices, initial=ApiToken.Scope.RESULTS
    )
    recent_only = forms.BooleanField(
        label=_("Results of yesterday and today only"),
        required=False,
        help_text=_("For game servers: a stolen key cannot change old results."),
    )
