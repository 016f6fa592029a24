"""What the lines of a night sheet can say: an example each, the league's own kind of play first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.domain.named_weights import USUAL_WEIGHT, NamedWeight
from leagues.domain.score_examples import example_score, example_sets
from leagues.domain.score_rules import ANY_SCORE, ScoreRule
from leagues.domain.who_plays import EntryShape
from leagues.models import Mode
from leagues.pages.match_kinds import kind_and_weight
from leagues.services.sheet_headings import heading
from ratings.files.scores import sets_won


@dataclass(frozen=True, slots=True)
class Example:
    """A line, and what it means."""

    line: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PlayedShape:
    """A kind of match that is played in a league, and the score rule that it goes by there."""

    shape: EntryShape
    rule: ScoreRule = ANY_SCORE

    @property
    def line(self) -> str:
        """A line of a match of this kind, with a score that it can have."""
        match self.shape:
            case EntryShape.PAIR:
                return f"ana bo {self.score}"
            case EntryShape.TEAMS:
                return f"ana+cy bo+di {self.sets or self.score}"
            case EntryShape.LIST:
                return "ana, bo, cy=di, eve"

    @property
    def score(self) -> str:
        """A score as it is typed."""
        return "-".join(map(str, example_score(self.rule)))

    @property
    def sets(self) -> str:
        """The scores of sets as they are typed; empty where there are none."""
        return " ".join(f"{one}-{other}" for one, other in example_sets(self.rule))

    def examples(self, *, has_draws: bool) -> list[Example]:
        """What lines of this kind can say."""
        match self.shape:
            case EntryShape.PAIR:
                return _of_pairs(self, has_draws=has_draws)
            case EntryShape.TEAMS:
                words = _("doubles, with the score of each set") if self.sets else _("doubles")
                return [Example(self.line, words)]
            case EntryShape.LIST:
                return [Example(self.line, _("a free-for-all, best first, with a tie for third"))]


def placeholder(shapes: Sequence[PlayedShape]) -> str:
    """The lines that an empty sheet shows: one for each kind of match that is played here."""
    return "\n".join(one.line for one in shapes)


def what_lines_can_say(
    shapes: Sequence[PlayedShape],
    *,
    has_draws: bool,
    kinds: Sequence[NamedWeight] = (),
    other_mode: Mode | None = None,
) -> list[Example]:
    """Everything that a line can say; what is not played here comes last.

    `other_mode` is one that a line can name for those below it.
    """
    known = {one.shape for one in shapes}
    first = next(iter(shapes), PlayedShape(EntryShape.PAIR))
    others = [PlayedShape(shape, first.rule) for shape in EntryShape if shape not in known]
    of_modes = []
    if other_mode is not None:
        words = _("the lines below are recorded in “%(mode)s”") % {"mode": other_mode.name}
        of_modes = [Example(heading(other_mode), words)]
    return [
        *_of_shapes(shapes, has_draws=has_draws),
        *_of_kinds(kinds, first.score),
        *_of_any(first.score),
        *of_modes,
        *_of_shapes(others, has_draws=has_draws),
    ]


def _of_shapes(shapes: Sequence[PlayedShape], *, has_draws: bool) -> list[Example]:
    return [example for one in shapes for example in one.examples(has_draws=has_draws)]


def _of_pairs(played: PlayedShape, *, has_draws: bool) -> list[Example]:
    score, sets = played.score, example_sets(played.rule)
    without_score = Example("ana > bo", _("a win without a score"))
    if has_draws:
        without_score = Example("ana > bo · ana = bo", _("a win, a draw, without a score"))
    examples = [
        Example(played.line, _("Ana beat Bo %(score)s") % {"score": score.replace("-", "–")}),
        without_score,
    ]
    if len(sets) > 1:
        won = "–".join(map(str, sets_won(sets)))
        words = _("the score of each set: Ana won %(score)s") % {"score": won}
        examples.append(Example(f"ana bo {played.sets}", words))
    words = _("names of two words, with a dash between the sides")
    return [*examples, Example(f"ana ruiz - bo li {score}", words)]


def _of_kinds(kinds: Sequence[NamedWeight], score: str) -> list[Example]:
    """Lines of the kind of match that counts most unlike a usual one."""
    unusual = max(kinds, key=lambda kind: abs(kind.weight - USUAL_WEIGHT), default=None)
    if unusual is None:
        return []
    name = unusual.name.casefold()
    words = _("another kind of match: %(kind)s") % {"kind": kind_and_weight(unusual)}
    return [Example(f"ana bo {score} {name} · ana > bo ({name})", words)]


def _of_any(score: str) -> list[Example]:
    return [
        Example("ana bo wo · ana bo ret 2-1", _("a walkover for Ana; a retirement of Bo at 2–1")),
        Example(f"ana bo {score} friendly", _("a match that is not rated")),
        Example(f"ana +64 bo {score}", _("a handicap of 64 rating points for Ana")),
        Example(f"19:40 ana bo {score}", _("with the time; lines without one follow it")),
        Example("@12.11.", _("the day of the lines below")),
        Example(f'" {score}', _("the same two again")),
    ]
