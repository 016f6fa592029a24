"""What a league exports gives, imported into an empty one, the same facts and ratings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leagues import bridge
from leagues.domain.leaving import has_left
from leagues.domain.named_weights import only_name_of
from leagues.domain.set_scores import sets_from_numbers
from leagues.jobs.runner import drain
from leagues.models import (
    Job,
    League,
    Match,
    MatchEvent,
    PlayerAlias,
    PlayerGroup,
    StartingState,
)
from leagues.selectors.player_columns import PlayersFile
from leagues.selectors.result_files import ResultFile
from leagues.selectors.spellings import other_names_by_player
from leagues.selectors.standings_files import standings_json
from leagues.selectors.starts import boards_with_starts
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft, content_of
from leagues.services.import_ids import CONTENT_ID
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import board_digest
from leagues.services.leaving import set_left
from leagues.services.log_imports import GameOptions, import_logs
from leagues.services.log_reading import LogOptions, read_logs
from leagues.services.matches import record_matches, revert_revision, void_match
from leagues.services.modes import change_rated_by
from leagues.services.player_groups import set_groups
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player, rename_player
from leagues.services.started_matches import lose_overdue
from leagues.services.starts import Start, set_start
from leagues.services.stored_drafts import drafts_of
from ratings.files.names import fold_name
from ratings.files.problems import FileProblem
from ratings.files.tables import UPLOAD_LIMITS, open_table
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_correction_preview import with_all_systems
from tests.leagues.services.test_started_matches import played, release, start
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

FORMATS: dict[str, Callable[[ResultFile], Iterator[str | bytes]]] = {
    "results.csv": ResultFile.csv,
    "results.json": ResultFile.json,
    "results.xlsx": ResultFile.workbook,
}
REAL = {
    "club/foosball_2v2.csv": "results.csv",
    "club/catan.csv": "results.json",
    "club/ntnu_table_tennis.csv": "results.xlsx",
    "messy/football_data_E0.csv": "results.json",
    "messy/tennis_vereinsliga.csv": "results.csv",
}
"""Real files, and the format in which each is exported and imported again."""
NAMES = ("Ana", "Bo; the 2nd", '"Cy" | Di', "=1+1", "'=x", "_x0041_", "Zoë 007", "⛄️")
OTHER_NAMES = ("@ana", "A; B", 'the "boss"', "'-x", "Åse", "x" * 64)


def export(league: League, name: str, *, is_private: bool = True) -> bytes:
    pieces = FORMATS[name](ResultFile(season_of(league), is_private=is_private))
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def take(league: League, name: str, content: bytes, **options: Any) -> dict[str, Any]:
    """Import a file, and return the report of the job."""
    number = start_import(
        season=season_of(league),
        mode=mode_of(league),
        name=name,
        content=content,
        options=ImportOptions(**options),
    )
    drain()
    return dict(Job.objects.get(pk=number).result or {})


def copy_of(league: League, name: str, **rules: Any) -> League:
    """A new league of the same rules with what a file of the other one says."""
    copy = new_club(f"copy-{name[8:]}", time_zone=league.time_zone, **rules)
    report = take(copy, name, export(league, name))
    # Scores against the winner or the sets come back too, and are warned of again.
    known = ("the winner or the ranks", "possible by the score rule")
    notes = [note for note in report["notes"] if not any(words in note for words in known)]
    assert (report["errors"], report["ignored_columns"], notes) == ([], [], [])
    return copy


def facts(league: League) -> list[Any]:
    """What results say, in their order, and the ids they have at their source."""
    order = ("played_at", "same_time_order", "seq")
    matches = list(season_of(league).matches.live().order_by(*order))
    return [
        (
            content_of(draft),
            [member.player.key for side in draft.sides for member in side.members],
            None if (match.external_id or "").startswith(CONTENT_ID) else match.external_id,
            match.kind,
        )
        for match, draft in zip(matches, drafts_of(matches), strict=True)
    ]


def people(league: League) -> dict[str, Any]:
    """Those in results, with all that is known of them."""
    names = other_names_by_player(league)
    groups: defaultdict[int, list[Any]] = defaultdict(list)
    for row in PlayerGroup.objects.filter(league=league).order_by("kind"):
        groups[row.player_id].append((row.kind, row.name))
    starts: defaultdict[int, list[Any]] = defaultdict(list)
    for one in StartingState.objects.filter(league=league).order_by("board__slug"):
        starts[one.player_id].append(
            (one.board.slug, one.rating, one.deviation, one.source, bytes(one.state))
        )
    players = league.players.filter(participations__match__status=Match.Status.LIVE).distinct()
    return {
        player.key: (
            player.name,
            player.birth_year,
            sorted((one.name, one.is_public) for one in names.get(player.pk, ())),
            groups[player.pk],
            starts[player.pk],
            player.left_at,
            has_left(player),
        )
        for player in players
    }


def digests(league: League) -> list[tuple[str, str]]:
    boards = league.boards.order_by("system", "name")
    return [(board.system, board_digest(board)) for board in boards]


def assert_same(league: League, copy: League) -> None:
    assert facts(copy) == facts(league)
    assert people(copy) == people(league)
    assert digests(copy) == digests(league)


def a_club(**rules: Any) -> League:
    """A league with one of everything that a result can say."""
    league = new_club(time_zone="Europe/Oslo", **rules)
    ana, bo, cy, di = (ensure_player(league=league, name=name) for name in NAMES[:4])
    ensure_player(league=league, name="Kid", birth_year=2014)
    night = START + timedelta(days=1, microseconds=7)
    drafts = [
        result(
            *(league, "Ana", "Kid"),
            scores=(3, 1),
            detail="11-4 9-11  11-6 11-0",
            handicaps=(-64, 4000),
        ),
        result(league, "Ana", "Kid", kind="walkover", external_id="tt:1"),
        result(league, "Kid", "Ana", kind="retirement", same_time_order=-(2**40)),
        result(league, "Ana", "Kid", kind="unrated", weight=1e-9),
        result(league, "Ana", "Kid", ranks=(1, 1), scores=(2, 2), weight=1 / 3, at=night),
        result(
            *(league, *NAMES[4:], "Ana"),
            ranks=(1, 2, 2, 4, 5),
            handicaps=(0, 0, 7, 0, -8),
            at=night,
        ),
        result(league, "Ana", "Kid", scores=(1, 2), ranks=(2, 1), sets="6-4 6-7(5) 3-6", at=night),
        result(
            league, "Kid", "Ana", kind="retirement", sets="11-9 3-11 1-0", detail="a knee", at=night
        ),
        MatchDraft(
            played_at=datetime(2025, 10, 9, 22, tzinfo=UTC),
            date_only=True,
            sides=(
                SideDraft(2, (MemberDraft(cy, 4, 0.1), MemberDraft(di, None, 2 / 3)), score=5),
                SideDraft(1, (MemberDraft(bo, -1), MemberDraft(ana, 9)), score=8, handicap=33),
            ),
        ),
    ]
    record(league, *drafts)
    return league


@pytest.mark.parametrize("name", FORMATS)
def test_started_matches_come_back_with_what_became_of_them(name: str) -> None:
    """Lost ones, one that ended by its result, and one whose players were let go in part."""
    league = a_club()
    with_all_systems(league)
    start(league, "Ana", "Kid", at=START + timedelta(days=3), external_id="g1")
    start(league, "Ana", NAMES[4], at=START + timedelta(days=3, hours=1), weight=2.0)
    played(league, NAMES[4], "Ana", at=START + timedelta(days=3, hours=2))
    match = start(league, "Kid+Ana", f"{NAMES[5]}+{NAMES[6]}", at=START + timedelta(days=5)).match
    release(league, match, NAMES[6], sent=START + timedelta(days=5))
    lose_overdue(timezone.now())
    drain()
    kinds = Match.objects.filter(started_at__isnull=False).order_by("seq")
    assert list(kinds.values_list("kind", flat=True)) == ["left", "ended", "left"]
    copy = new_club(f"copy-{name[8:]}", time_zone=league.time_zone)
    with_all_systems(copy)
    report = take(copy, name, export(league, name))
    assert (report["errors"], report["ignored_columns"]) == ([], [])
    assert_same(league, copy)


def test_each_start_of_a_file_is_checked() -> None:
    """Also one that says what an earlier one has said, but for its time limit."""
    league = a_club()
    with_all_systems(league)
    for days in (3, 5):
        start(league, "Ana", "Kid", at=START + timedelta(days=days))
    second = (START + timedelta(days=6)).isoformat().encode()
    content = export(league, "results.json")
    assert content.count(second) == 1
    late = (START + timedelta(days=5, hours=721)).isoformat().encode()
    copy = new_club("copy", time_zone=league.time_zone)
    report = take(copy, "results.json", content.replace(second, late))
    (problem,) = report["errors"]
    assert "at most 720 hours" in problem["reason"]
    assert not copy.matches.exists()


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_imports_back_to_the_same_facts_and_ratings(name: str) -> None:
    league = a_club()
    rename_player(player=league.players.get(name="Kid"), name="Kim", actor=None)
    for other in OTHER_NAMES:
        PlayerAlias.objects.create(
            league=league,
            player=league.players.get(name=NAMES[1]),
            name=other,
            folded=fold_name(other),
            is_public=other < "a",
        )
    copy = copy_of(league, name)
    assert people(copy)["kid"][:3] == ("Kim", 2014, [("Kid", False)])
    assert_same(league, copy)
    assert facts(copy)[2][2] == "tt:1"


@pytest.mark.parametrize("name", FORMATS)
def test_all_systems_rate_a_copy_alike(name: str) -> None:
    league = a_club(walkovers=League.Walkovers.WIN)
    with_all_systems(league)
    drain()
    copy = new_club(f"copy-{name[8:]}", time_zone="Europe/Oslo", walkovers=League.Walkovers.WIN)
    with_all_systems(copy)
    take(copy, name, export(league, name))
    assert_same(league, copy)


def know_players(league: League) -> None:
    """Say of players what organizers can say of them."""
    ana, bo, cy, di = (league.players.get(name=name) for name in NAMES[:4])
    kid = league.players.get(name="Kid")
    set_groups(player=ana, groups={"club": "=SV | Nord", "country": "ESP"}, actor=None)
    set_groups(player=bo, groups={"club": "=sv | nord", "team": "1; 2"}, actor=None)
    left_at = timezone.now() - timedelta(days=2, microseconds=3)
    set_left(player=di, left_at=left_at, was=None, actor=None)
    set_left(player=cy, left_at=START + timedelta(hours=1), was=None, actor=None)
    for board in boards_with_starts(league):
        if bridge.start_obstacle(board) is None:
            newcomer = bridge.newcomer_start(board)
            start = Start(newcomer.rating + 1 / 3, newcomer.deviation, "FIDE list; “Nov”")
            for player in (ana, kid):
                set_start(board=board, player=player, start=start, actor=None, was=None)
                start = replace(start, deviation=None)
    league.refresh_from_db()


def players_file(league: League) -> PlayersFile:
    """The players as organizers get them."""
    return PlayersFile(league, is_private=True, seasons=league.seasons.all())


def lines_of_players(league: League) -> list[str]:
    """The players as their file has them, without the line that names the league."""
    return "".join(players_file(league).json()).splitlines()[1:]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_known_of_players_comes_back_with_the_same_ratings(name: str) -> None:
    rules = {"walkovers": League.Walkovers.WIN, "age_classes": "U15, 40+"}
    league = a_club(**rules)
    with_all_systems(league)
    know_players(league)
    drain()
    assert sum(len(one[4]) for one in people(league).values()) > 8
    copy = new_club(f"copy-{name[8:]}", time_zone="Europe/Oslo", **rules)
    with_all_systems(copy)
    take(copy, name, export(league, name))
    drain()
    assert_same(league, copy)
    left = {key for key, one in people(copy).items() if one[-1]}
    assert left == {league.players.get(name=NAMES[3]).key}
    copy.refresh_from_db()
    assert lines_of_players(copy) == lines_of_players(league)
    # Undone, nothing is left of it; brought back, everything is.
    revert_revision(revision=copy.revisions.get(), author=None)
    assert not PlayerGroup.objects.filter(league=copy).exists()
    assert not StartingState.objects.filter(league=copy).exists()
    revert_revision(revision=copy.revisions.get(number=2), author=None)
    drain()
    assert_same(league, copy)


@pytest.mark.parametrize("name", ["players.csv", "players.json", "players.xlsx"])
def test_players_and_their_starts_come_before_the_results(name: str) -> None:
    league = a_club()
    with_all_systems(league)
    know_players(league)
    drain()
    pieces = {"csv": PlayersFile.csv, "json": PlayersFile.json, "xlsx": PlayersFile.workbook}
    file = players_file(league)
    content = b"".join(
        piece.encode() if isinstance(piece, str) else piece for piece in pieces[name[8:]](file)
    )
    copy = new_club("copy", time_zone="Europe/Oslo")
    with_all_systems(copy)
    report = take(copy, name, content)
    assert (report["errors"], report["notes"], report["players_created"]) == (
        [], ["The file has players and no results: what it says of them is taken over."], 9,
    )  # fmt: skip
    take(copy, "results.csv", export(league, "results.csv"))
    assert_same(league, copy)


@pytest.mark.parametrize("name", FORMATS)
def test_kinds_of_match_come_back_by_their_weights(name: str) -> None:
    league = a_club()
    kinds = [["Cup", 1.5], ["Practice", 1 / 3]]
    league.modes.update(named_weights=kinds)
    record(league, result(league, "Ana", "Kid", weight=1.5, at=START + timedelta(days=4)))
    copy = copy_of(league, name)
    assert_same(league, copy)
    assert not copy.modes.get().weights
    copy.modes.update(named_weights=kinds)
    match = copy.matches.get(weight=1.5)
    assert only_name_of(match.mode.weights, match.weight) == "Cup"


@pytest.mark.parametrize("name", REAL)
def test_real_results_come_back_as_they_were(name: str) -> None:
    path = shared_data(name)
    league = new_club(time_zone="Europe/Oslo")
    take(league, path.name, path.read_bytes(), skip_bad=True)
    assert season_of(league).matches.live().count() > 40
    assert_same(league, copy_of(league, REAL[name]))


def rated_by_events(league: League) -> League:
    """A league with a board of every system, which rates events where it can."""
    change_rated_by(mode=mode_of(league), rated_by="events", actor=None)
    with_all_systems(league)
    return league


def test_events_come_back_and_are_rated_alike() -> None:
    league = rated_by_events(new_club(time_zone="Europe/Oslo"))
    teams = game(league, "Ana+Bo Cy+Di", "Ana>Cy AnaxBo Cyw Di! Ana* Di>Bo")
    odd = replace(teams.events[0], points=0.25, milliseconds=None)
    record(
        league,
        result(league, "Ana", "Cy"),
        replace(teams, events=(odd, *teams.events), external_id="quake3:1"),
        game(league, "Cy Ana", "Cy>Ana", at=START - timedelta(days=1)),
        result(league, "Di", "Cy", at=START + timedelta(days=1)),
    )
    copy = rated_by_events(new_club("copy-json", time_zone="Europe/Oslo"))
    report = take(copy, "results.json", export(league, "results.json"))
    assert (report["imported"], report["errors"], report["ignored_columns"]) == (4, [], [])
    assert_same(league, copy)
    assert facts(copy)[2][2] == "quake3:1"
    assert b"events" not in export(league, "results.csv")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("quake/osp_ffa_office.log", None),
        ("gamelogs/openarena/oa_insta_ctf.log", None),
        ("quake/urt_ctf_lan.log", date(2012, 3, 1)),
    ],
)
def test_a_real_log_comes_back_with_every_frag(name: str, day: date | None) -> None:
    league = rated_by_events(new_club(time_zone="Europe/Oslo"))
    contents = read_logs([shared_data(name)], LogOptions(with_bots=True))
    into = GameOptions(mode="Blitz", day=day)
    import_logs(season=season_of(league), contents=contents, options=into)
    drain()
    assert MatchEvent.objects.count() > 400
    copy = rated_by_events(new_club("copy-json", time_zone="Europe/Oslo"))
    report = take(copy, "results.json", export(league, "results.json"))
    assert (report["errors"], report["ignored_columns"]) == ([], [])
    assert_same(league, copy)


def test_a_match_of_ten_thousand_events_comes_back() -> None:
    league = rated_by_events(new_club(time_zone="Europe/Oslo"))
    draft = game(league, "Ana Bo", "Ana>Bo Bo>Ana")
    record(league, replace(draft, events=draft.events * 5000), result(league, "Bo", "Ana"))
    copy = rated_by_events(new_club("copy-json", time_zone="Europe/Oslo"))
    assert take(copy, "results.json", export(league, "results.json"))["errors"] == []
    assert facts(copy) == facts(league)


EVENT = {"kind": "frag", "player": "ana", "opponent": "bo"}


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ("frags", "must be a list"),
        ([1], "must be a list of objects"),
        ([EVENT | {"weapon": "axe"}], "must be a list of objects"),
        ([EVENT | {"points": "1"}], "must be a list of objects"),
        ([EVENT | {"player": "cy"}], "cy is not in this match"),
        ([EVENT | {"player": "x\0\ud800"}], r"x\x00\ud800 is not in this match"),
        ([EVENT | {"kind": "dance"}], "Event 1: The kind must be one of"),
        (
            [EVENT, EVENT | {"opponent": None}],
            "Event 2: A frag, a team kill, damage or an assist has",
        ),
        ([EVENT | {"points": 1e7}], "Event 1: The points must be from 0 to"),
        ([EVENT] * 10_001, "at most 10000 events"),
    ],
)
def test_events_of_a_file_that_cannot_be_are_named(events: Any, reason: str) -> None:
    league = new_club()
    record(league, game(league, "Ana Bo", "Ana>Bo"))
    said = json.loads(export(league, "results.json"))
    said["results"][0]["match_events"] = events
    copy = new_club("copy")
    try:
        report = take(copy, "results.json", json.dumps(said).encode())
        words = [*report["problems"], *(error["reason"] for error in report["errors"])]
    except FileProblem as problem:
        words = [str(problem)]
    assert any(reason in word for word in words), words
    assert not copy.matches.exists()


@pytest.mark.parametrize("name", FORMATS)
def test_void_results_are_left_out(name: str) -> None:
    league = a_club()
    for match in list(league.matches.order_by("seq"))[1::2]:
        void_match(match=match, author=None)
    drain()
    assert_same(league, copy_of(league, name))


def test_the_names_of_merged_players_mean_the_one_who_is_left() -> None:
    league = a_club()
    drop, keep = league.players.get(name=NAMES[5]), league.players.get(name=NAMES[2])
    merge_players(league=league, keep=keep, drop=drop, author=None)
    drain()
    copy = copy_of(league, "results.csv")
    assert_same(league, copy)
    assert people(copy)[keep.key][2] == [(NAMES[5], True)]


def test_only_organizers_get_private_names_and_years_of_birth() -> None:
    league = a_club()
    rename_player(player=league.players.get(name="Kid"), name="Kim", actor=None)
    rename_player(player=league.players.get(name="Ana"), name="Anna", actor=None, shows_former=True)
    for name in ("results.csv", "results.json"):
        text = export(league, name, is_private=False).decode()
        assert not any(word in text for word in ("2014", "private", "Kid", "birth_year")), name
        assert '"Ana"' in text
        assert "2014" in export(league, name).decode()


def test_an_id_that_two_sources_use_is_kept_once() -> None:
    league = a_club()
    sent = result(league, "Ana", "Kid", external_id="tt:1", at=START + timedelta(days=9))
    record_matches(season=season_of(league), mode=mode_of(league), drafts=[sent], source="club-app")
    drain()
    copy = copy_of(league, "results.csv")
    assert digests(copy) == digests(league)
    assert [one[2] for one in facts(copy)].count("tt:1") == 1


def test_results_of_several_modes_are_announced() -> None:
    league = a_club()
    record_matches(
        season=season_of(league),
        mode=league.modes.create(name="Rapid", slug="rapid"),
        drafts=[result(league, "Ana", "Kid")],
    )
    copy = new_club("copy", time_zone="Europe/Oslo")
    report = take(copy, "results.csv", export(league, "results.csv"))
    (note,) = report["notes"]
    assert note.startswith("The file has results of several modes (Blitz, Rapid).")


def test_standings_are_not_taken_for_results() -> None:
    board = a_club().boards.first()
    text = "".join(standings_json(board, START + timedelta(days=30)))
    with pytest.raises(FileProblem, match="These are standings, not results"):
        open_table(text.encode(), limits=UPLOAD_LIMITS)


PLAYERS = st.permutations(range(len(NAMES)))
WEIGHTS = st.sampled_from((1.0, 0.1, 1 / 3, 1e-9, 10.0))
SHARES = st.sampled_from((1.0, 0.25, 1e-9, 2 / 3))
SCORES = st.integers(-999_999, 999_999)
DETAILS = st.text(st.sampled_from("ab 7-=+'\",;|é&<_x"), max_size=12).map(str.strip)


SETS = st.lists(st.lists(st.integers(0, 999), min_size=2, max_size=3), max_size=12).map(
    sets_from_numbers
)


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    """What one result says; players are numbers of names."""
    players = draw(PLAYERS)
    sizes = draw(st.lists(st.integers(1, 2), min_size=2, max_size=4))
    has_scores, has_own = draw(st.booleans()), draw(st.booleans())
    places = draw(st.lists(st.integers(0, 2), min_size=len(sizes), max_size=len(sizes)))
    kind = draw(st.sampled_from(("played", "played", "unrated", "retirement", "walkover")))
    if kind == "walkover":
        places = list(range(len(sizes)))
    return {
        "sides": [
            {
                "rank": 1 + sum(other < place for other in places),
                "score": draw(SCORES) if has_scores else None,
                "members": [
                    (players.pop(), draw(SCORES) if has_own else None, draw(SHARES))
                    for _member in range(size)
                ],
            }
            for size, place in zip(sizes, places, strict=True)
        ],
        "minute": draw(st.sampled_from((None, 0, 1, 60 * 24))),
        "kind": kind,
        "weight": draw(WEIGHTS),
        "detail": draw(DETAILS),
        "sets": draw(SETS) if len(sizes) == 2 else "",
        "order": draw(st.sampled_from((0, 0, 1, -1, 2**53))),
        "has_id": draw(st.booleans()),
    }


def draft_of(league: League, said: dict[str, Any], number: int) -> MatchDraft:
    midnight = league.midnight(START.date())
    minute = said["minute"]
    sides = tuple(
        SideDraft(
            side["rank"],
            tuple(
                MemberDraft(ensure_player(league=league, name=NAMES[index]), own, share)
                for index, own, share in side["members"]
            ),
            side["score"],
        )
        for side in said["sides"]
    )
    return MatchDraft(
        played_at=midnight if minute is None else START + timedelta(minutes=minute),
        date_only=minute is None,
        sides=sides,
        kind=said["kind"],
        weight=said["weight"],
        detail=said["detail"],
        sets=said["sets"],
        same_time_order=said["order"],
        external_id=f"id:{number}" if said["has_id"] else None,
    )


@settings(
    # Each example is two leagues.
    max_examples=settings().max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(said=st.lists(results(), min_size=1, max_size=6), name=st.sampled_from(sorted(FORMATS)))
def test_any_results_come_back_as_they_were(said: list[dict[str, Any]], name: str) -> None:
    with transaction.atomic():
        league = new_club(time_zone="Europe/Oslo")
        record(league, *(draft_of(league, one, number) for number, one in enumerate(said)))
        assert_same(league, copy_of(league, name))
        transaction.set_rollback(True)
