"""What a column of a results file can mean."""

from __future__ import annotations

from enum import StrEnum

SIDES = 8


class Meaning(StrEnum):
    """The meaning of a column. Columns that share a side's meaning are members of one team.

    FLAG says of every match how it ended; in a COMMENT a word such as "friendly" does so too, and
    any other text says nothing. Where MATCH_ID only shows which rows belong together, EXTERNAL_ID
    has the ids that matches keep; with OWN_SCORE beside it, SCORE is that of the whole side. TEAM
    joins the players of a side; PLAYER_TEAM is the one that a player belongs to. With FIRST_NAME
    beside it, PLAYER is the family name.
    """

    DATE = "date"
    TIME = "time"
    MATCH_ID = "match_id"
    EXTERNAL_ID = "external_id"
    ORDER = "order"
    WINNER = "winner"
    LOSER = "loser"
    WINNER_ID = "winner_id"
    LOSER_ID = "loser_id"
    SIDE_1 = "side_1"
    SIDE_2 = "side_2"
    SIDE_3 = "side_3"
    SIDE_4 = "side_4"
    SIDE_5 = "side_5"
    SIDE_6 = "side_6"
    SIDE_7 = "side_7"
    SIDE_8 = "side_8"
    SIDE_1_ID = "side_1_id"
    SIDE_2_ID = "side_2_id"
    SIDE_3_ID = "side_3_id"
    SIDE_4_ID = "side_4_id"
    SIDE_5_ID = "side_5_id"
    SIDE_6_ID = "side_6_id"
    SIDE_7_ID = "side_7_id"
    SIDE_8_ID = "side_8_id"
    SCORE_1 = "score_1"
    SCORE_2 = "score_2"
    SCORE_3 = "score_3"
    SCORE_4 = "score_4"
    SCORE_5 = "score_5"
    SCORE_6 = "score_6"
    SCORE_7 = "score_7"
    SCORE_8 = "score_8"
    HANDICAP_1 = "handicap_1"
    HANDICAP_2 = "handicap_2"
    HANDICAP_3 = "handicap_3"
    HANDICAP_4 = "handicap_4"
    HANDICAP_5 = "handicap_5"
    HANDICAP_6 = "handicap_6"
    HANDICAP_7 = "handicap_7"
    HANDICAP_8 = "handicap_8"
    HANDICAP = "handicap"
    SCORE = "score"
    SET = "set"
    RESULT = "result"
    RANK = "rank"
    TEAM = "team"
    PLAYER = "player"
    PLAYER_ID = "player_id"
    OWN_SCORE = "own_score"
    PLAYING_SHARE = "playing_share"
    ALIASES = "aliases"
    PRIVATE_ALIASES = "private_aliases"
    BIRTH_YEAR = "birth_year"
    FIRST_NAME = "first_name"
    CLUB = "club"
    PLAYER_TEAM = "player_team"
    COUNTRY = "country"
    IS_ACTIVE = "is_active"
    LEFT_AT = "left_at"
    STARTING_RATINGS = "starting_ratings"
    MATCH_EVENTS = "match_events"
    MATCH_START = "match_start"
    TIEBREAK = "tiebreak"
    FLAG = "flag"
    COMMENT = "comment"
    RATED = "rated"
    WEIGHT = "weight"
    DETAIL = "detail"
    SET_LIST = "set_list"
    MODE = "mode"
    IGNORE = "ignore"

    HOME = "side_1"
    AWAY = "side_2"

    @classmethod
    def side(cls, number: int) -> Meaning:
        """Return the meaning "name of side `number`", from 1."""
        return cls(f"side_{number}")

    @classmethod
    def side_id(cls, number: int) -> Meaning:
        """Return the meaning "id of the player of side `number`", from 1."""
        return cls(f"side_{number}_id")

    @classmethod
    def score(cls, number: int) -> Meaning:
        """Return the meaning "score of side `number`", from 1."""
        return cls(f"score_{number}")

    @classmethod
    def handicap(cls, number: int) -> Meaning:
        """Return the meaning "handicap of side `number`", from 1."""
        return cls(f"handicap_{number}")


FACTS_OF_PLAYERS = frozenset(
    (
        Meaning.ALIASES,
        Meaning.PRIVATE_ALIASES,
        Meaning.BIRTH_YEAR,
        Meaning.CLUB,
        Meaning.PLAYER_TEAM,
        Meaning.COUNTRY,
        Meaning.IS_ACTIVE,
        Meaning.LEFT_AT,
        Meaning.STARTING_RATINGS,
    )
)
"""What a row says of its player beside the match, or without any."""
OF_A_PLAYER = FACTS_OF_PLAYERS | {Meaning.OWN_SCORE, Meaning.PLAYING_SHARE, Meaning.FIRST_NAME}
"""What only files with a player a row can say."""
REPEATABLE = frozenset(
    (
        Meaning.WINNER,
        Meaning.LOSER,
        Meaning.WINNER_ID,
        Meaning.LOSER_ID,
        Meaning.SET,
        Meaning.IGNORE,
        *(Meaning.side(number) for number in range(1, SIDES + 1)),
        *(Meaning.side_id(number) for number in range(1, SIDES + 1)),
    )
)
