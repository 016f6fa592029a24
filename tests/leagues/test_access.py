"""The permission matrix of reliability 4.3, as a pure question of who may do what."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import RequestFactory
from django.utils import timezone

from leagues import access
from leagues.access import Action
from leagues.domain.backdating import is_backdated
from leagues.models import League, Match, Season
from tests.leagues.people import (
    join,
    make_league,
    make_match,
    make_player,
    make_token,
    make_user,
)

pytestmark = pytest.mark.django_db
OWN = {Action.CORRECT, Action.VOID, Action.RESTORE, Action.UNDO}


def ask(user: object, auth: object = None) -> object:
    request = RequestFactory().get("/")
    request.user = user
    if auth is not None:
        request.auth = auth
    return request


def member(league: League, role: str) -> User:
    user = make_user(f"{role}-of-{league.slug}")
    join(league, user, role)
    return user


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_anybody_reads_a_visible_league_and_does_nothing_else(visibility: str) -> None:
    league = make_league(visibility=visibility)
    assert access.rights(AnonymousUser(), league) == {Action.VIEW}
    assert access.rights(make_user("plain"), league) == {Action.VIEW}


def test_a_private_league_is_nothing_to_strangers_and_readable_to_members() -> None:
    league = make_league(visibility="private")
    elsewhere = make_league("elsewhere")
    assert access.rights(AnonymousUser(), league) == set()
    assert access.rights(make_user("plain"), league) == set()
    assert access.rights(member(elsewhere, "organizer"), league) == set()
    assert access.rights(member(league, "player"), league) == {Action.VIEW}


def test_a_scorer_enters_results_and_an_organizer_does_all_but_break_a_seal() -> None:
    league = make_league()
    assert access.rights(member(league, "scorer"), league) == {Action.VIEW, Action.ENTER}
    assert access.rights(member(league, "organizer"), league) == set(Action) - {Action.REOPEN}
    assert access.rights(make_user("admin", is_superuser=True), league) == set(Action)


def test_staff_without_being_site_admin_has_no_say_in_leagues() -> None:
    assert access.rights(make_user("staff", is_staff=True), make_league()) == {Action.VIEW}


def test_a_role_taken_away_is_gone_at_once() -> None:
    league = make_league(visibility="private")
    user = member(league, "organizer")
    assert Action.SETTINGS in access.rights(user, league)
    league.memberships.filter(user=user).delete()
    assert access.rights(user, league) == set()


def test_a_switched_off_account_has_no_rights() -> None:
    league = make_league(visibility="private")
    user = member(league, "organizer")
    user.is_active = False
    assert access.rights(user, league) == set()
    admin = make_user("admin", is_superuser=True, is_active=False)
    assert access.rights(admin, league) == set()
    assert list(access.visible_leagues(admin)) == []


@pytest.mark.parametrize(
    ("scope", "recent_only", "expected"),
    [
        ("read", False, {Action.VIEW}),
        ("results", False, {Action.VIEW, Action.ENTER, Action.BACKDATE}),
        ("results", True, {Action.VIEW, Action.ENTER}),
    ],
)
def test_a_token_has_its_scope_in_its_league_only(
    scope: str, recent_only: bool, expected: set[Action]
) -> None:
    league, other = make_league(visibility="private"), make_league("other", "private")
    token = make_token(league, scope, recent_only=recent_only)
    assert access.rights(token, league) == expected
    assert access.rights(token, other) == set()


@pytest.mark.parametrize(
    "ended",
    [
        {"revoked_at": timezone.now()},
        {"expires_at": timezone.now() - timedelta(seconds=1)},
    ],
)
def test_a_token_that_has_ended_is_a_stranger(ended: dict[str, datetime]) -> None:
    league = make_league(visibility="private")
    assert access.rights(make_token(league, **ended), league) == set()


def test_scorers_change_their_own_entries_for_a_day() -> None:
    league = make_league()
    scorer, other = member(league, "scorer"), make_user("other")
    mine, theirs = make_match(league, by=scorer), make_match(league, seq=2, by=other)
    assert access.rights(scorer, league, match=mine) >= OWN
    assert not access.rights(scorer, league, match=theirs) & OWN
    assert access.rights(scorer, league, revision=mine.revision) >= OWN
    assert not access.rights(scorer, league, revision=theirs.revision) & OWN
    with time_machine.travel(timezone.now() + timedelta(hours=24, seconds=5)):
        assert not access.rights(scorer, league, match=mine) & OWN
        assert not access.rights(scorer, league, revision=mine.revision) & OWN


def test_who_entered_a_match_and_lost_the_role_cannot_change_it() -> None:
    league = make_league()
    scorer = member(league, "scorer")
    match = make_match(league, by=scorer)
    league.memberships.update(role="player")
    assert access.rights(scorer, league, match=match) == {Action.VIEW}


def test_a_match_without_an_author_belongs_to_no_scorer() -> None:
    league = make_league()
    match = make_match(league, by=None)
    assert not access.rights(member(league, "scorer"), league, match=match) & OWN


def test_a_token_changes_what_its_own_source_has_sent() -> None:
    league = make_league()
    token = make_token(league)
    mine = make_match(league, source="token:bot")
    theirs = make_match(league, seq=2, source="token:other")
    assert access.rights(token, league, match=mine) >= OWN
    assert not access.rights(token, league, match=theirs) & OWN
    reader = make_token(league, "read")
    assert not access.rights(reader, league, match=mine) & OWN


def test_only_organizers_change_results_of_a_season_that_is_closing() -> None:
    league = make_league()
    scorer, organizer = member(league, "scorer"), member(league, "organizer")
    token = make_token(league)
    for seq, (principal, author, source) in enumerate(
        ((scorer, scorer, "browser"), (token, None, "token:bot")), start=1
    ):
        match = make_match(league, seq=seq, by=author, source=source)
        match.season.state = Season.State.CLOSING
        assert not access.rights(principal, league, match=match) & OWN
        assert access.rights(organizer, league, match=match) >= OWN


@pytest.mark.parametrize("state", ["draft", "closed", "archived"])
def test_nobody_writes_to_a_season_that_takes_no_results(state: str) -> None:
    league = make_league()
    organizer = member(league, "organizer")
    match = make_match(league, by=organizer)
    match.season.state = state
    for principal in (organizer, make_user("admin", is_superuser=True)):
        held = access.rights(principal, league, match=match)
        assert not held & (OWN | {Action.ENTER, Action.IMPORT})
        assert Action.VIEW in held


def test_an_object_of_another_league_gives_no_rights() -> None:
    mine, other = make_league(), make_league("other")
    organizer = member(mine, "organizer")
    assert access.rights(organizer, mine, match=make_match(other)) == set()


def test_dates_before_yesterday_are_backdated_and_organizers_may_enter_them() -> None:
    league = make_league(time_zone="Asia/Tokyo")
    now = timezone.now()
    yesterday = league.midnight(now.astimezone(league.zone).date() - timedelta(days=1))
    assert not is_backdated(league, yesterday, now)
    assert not is_backdated(league, now - timedelta(hours=23), now)
    assert is_backdated(league, yesterday - timedelta(seconds=1), now)
    for role, may in (("scorer", False), ("organizer", True)):
        assert access.is_allowed(member(league, role), Action.BACKDATE, league) == may


class TestDoors:
    def test_the_league_door_tells_missing_from_forbidden(self) -> None:
        league = make_league()
        assert access.league(ask(AnonymousUser()), "club", Action.VIEW) == league
        with pytest.raises(PermissionDenied):
            access.league(ask(AnonymousUser()), "club", Action.ENTER)

    def test_a_private_league_is_missing_for_every_action(self) -> None:
        make_league(visibility="private")
        texts = set()
        for slug in ("club", "never-was"):
            for action in Action:
                with pytest.raises(Http404) as refusal:
                    access.league(ask(AnonymousUser()), slug, action)
                texts.add(str(refusal.value))
        assert len(texts) == 1

    def test_a_token_of_a_request_counts_instead_of_its_user(self) -> None:
        league = make_league(visibility="private")
        admin = make_user("admin", is_superuser=True)
        token = make_token(make_league("other"))
        with pytest.raises(Http404):
            access.league(ask(admin, auth=token), "club", Action.VIEW)
        assert access.league(ask(AnonymousUser(), make_token(league)), "club", Action.ENTER)

    def test_a_match_is_found_inside_its_league_only(self) -> None:
        match = make_match(make_league())
        make_league("other")
        request = ask(AnonymousUser())
        assert access.match(request, "club", "first", 1, Action.VIEW) == match
        for slug, season, seq in (
            ("other", "first", 1),
            ("club", "second", 1),
            ("club", "first", 2),
            ("club", "first", 10**30),
        ):
            with pytest.raises(Http404):
                access.match(request, slug, season, seq, Action.VIEW)

    def test_a_staged_match_does_not_exist(self) -> None:
        league = make_league()
        match = make_match(league)
        Match.objects.filter(pk=match.pk).update(
            status="staged", seq=None, touched_in_revision=None
        )
        with pytest.raises(Http404):
            access.match(ask(AnonymousUser()), "club", "first", 1, Action.VIEW)

    def test_a_voided_match_can_be_read(self) -> None:
        match = make_match(make_league())
        Match.objects.filter(pk=match.pk).update(status="void")
        assert access.match(ask(AnonymousUser()), "club", "first", 1, Action.VIEW) == match

    def test_correcting_another_ones_match_is_denied_to_a_scorer(self) -> None:
        league = make_league()
        scorer = member(league, "scorer")
        make_match(league, by=scorer)
        make_match(league, seq=2)
        assert access.match(ask(scorer), "club", "first", 1, Action.CORRECT)
        with pytest.raises(PermissionDenied):
            access.match(ask(scorer), "club", "first", 2, Action.CORRECT)

    def test_a_player_is_found_by_key_when_listed(self) -> None:
        league = make_league()
        player = make_player(league, "ana")
        make_player(league, "hidden", is_listed=False)
        request = ask(AnonymousUser())
        assert access.player(request, "club", "ana", Action.VIEW) == player
        for key in ("hidden", "bo", "an\x00a"):
            with pytest.raises(Http404):
                access.player(request, "club", key, Action.VIEW)

    def test_a_revision_is_found_by_its_number(self) -> None:
        league = make_league()
        match = make_match(league)
        request = ask(AnonymousUser())
        assert access.revision(request, "club", "first", 1, Action.VIEW) == match.revision
        with pytest.raises(PermissionDenied):
            access.revision(request, "club", "first", 1, Action.UNDO)
        with pytest.raises(Http404):
            access.revision(request, "club", "first", 2, Action.VIEW)

    def test_tokens_and_members_of_another_league_do_not_exist(self) -> None:
        league, other = make_league(), make_league("other")
        organizer = member(league, "organizer")
        stranger = member(other, "scorer")
        foreign = make_token(other)
        own = make_token(league)
        request = ask(organizer)
        assert access.token(request, "club", own.public_id, Action.TOKENS) == own
        with pytest.raises(Http404):
            access.token(request, "club", foreign.public_id, Action.TOKENS)
        assert access.member(request, "club", organizer.pk, Action.ROLES).user == organizer
        with pytest.raises(Http404):
            access.member(request, "club", stranger.pk, Action.ROLES)

    def test_season_and_board_are_found_inside_their_owner(self) -> None:
        league = make_league()
        request = ask(AnonymousUser())
        season = access.season(request, league, "first")
        assert season.league == league
        for slug in ("second", "a\x00"):
            with pytest.raises(Http404):
                access.season(request, league, slug)
            with pytest.raises(Http404):
                access.board(season, slug)


def test_lists_name_public_leagues_and_ones_own() -> None:
    public, unlisted = make_league("public"), make_league("unlisted", "unlisted")
    private = make_league("private", "private")
    user = make_user("plain")
    assert list(access.visible_leagues(AnonymousUser())) == [public]
    assert list(access.visible_leagues(user)) == [public]
    join(private, user, "player")
    assert list(access.visible_leagues(user)) == [private, public]
    assert list(access.own_leagues(user)) == [private]
    assert list(access.own_leagues(AnonymousUser())) == []
    admin = make_user("admin", is_superuser=True)
    assert list(access.visible_leagues(admin)) == [private, public, unlisted]
    assert list(access.visible_leagues(make_token(unlisted))) == [public, unlisted]


def test_pages_for_everybody_with_an_account_refuse_the_others() -> None:
    user = make_user("plain")
    assert access.signed_in(ask(user)) == user
    user.is_active = False
    for nobody in (AnonymousUser(), user):
        with pytest.raises(PermissionDenied):
            access.signed_in(ask(nobody))
