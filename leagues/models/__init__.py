"""Facts (what happened) and what is computed from them; see ARCHITECTURE.md."""

from __future__ import annotations

from leagues.models.board import (
    Board,
    BoardDay,
    BoardRules,
    PackedStandings,
    RatingSegment,
    RevisedRating,
    Standing,
    StartingState,
    Trial,
)
from leagues.models.job import Job
from leagues.models.league import League, Membership, Mode, Season
from leagues.models.ledger import AuditEntry, Imprint, LedgerEntry, LogHead, Revision
from leagues.models.limit import LimitUse
from leagues.models.match import Match, MatchEvent, MatchVersion, Participant
from leagues.models.night_sheet import NightSheet
from leagues.models.player import Player, PlayerAlias
from leagues.models.player_group import PlayerGroup
from leagues.models.token import ApiToken, Invitation, RequestKey, SetupLink
from leagues.models.upload import Upload

__all__ = [
    "ApiToken",
    "AuditEntry",
    "Board",
    "BoardDay",
    "BoardRules",
    "Imprint",
    "Invitation",
    "Job",
    "League",
    "LedgerEntry",
    "LimitUse",
    "LogHead",
    "Match",
    "MatchEvent",
    "MatchVersion",
    "Membership",
    "Mode",
    "NightSheet",
    "PackedStandings",
    "Participant",
    "Player",
    "PlayerAlias",
    "PlayerGroup",
    "RatingSegment",
    "RequestKey",
    "RevisedRating",
    "Revision",
    "Season",
    "SetupLink",
    "Standing",
    "StartingState",
    "Trial",
    "Upload",
]
