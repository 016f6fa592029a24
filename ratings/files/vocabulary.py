"""The words people write over the columns of results files, and what they suggest."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.meanings import SIDES, Meaning
from ratings.files.names import normalized, without_accents

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIGITS = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_NOT_WORD = re.compile(r"[^\w#<>%]+|_+")

_PHRASES: Final[dict[Meaning, tuple[str, ...]]] = {
    Meaning.DATE: (
        "date", "datum", "dato", "fecha", "data", "spieldatum", "match date", "game date", "played",
        "played at", "played on", "when", "timestamp", "time stamp", "datetime", "date time",
        "created at", "end time", "start time", "time utc", "date utc", "started at", "ended at",
        "completed at", "finished at", "start", "day", "dag", "tidspunkt", "zeitpunkt",
    ),
    Meaning.TIME: (
        "time", "zeit", "uhrzeit", "kickoff", "kick off", "heure", "hora", "tid", "klokkeslett",
        "tijd", "ora", "anstoss",
    ),
    Meaning.MATCH_ID: (
        "match id", "game id", "matchid", "gameid", "uuid", "set id", "bout id",
        "id", "match no", "match number", "match num", "match nr", "game no", "game number",
        "game nr", "game num", "game", "match", "spiel nr", "spielnr", "spiel", "partie", "kamp",
        "nr", "no", "number", "#", "event id", "round id", "race", "race id", "partida",
    ),
    Meaning.EXTERNAL_ID: ("external id",),
    Meaning.ORDER: ("order", "seq", "sequence", "source order", "file order", "order hint",
                    "same time order", "reihenfolge", "rekkefolge"),
    Meaning.SCORE: (
        "score", "scores", "scores csv", "ergebnis", "resultado", "risultato", "uitslag", "stand",
        "final score", "endstand", "points", "punkte", "poeng", "puntos", "punti", "pts", "frags",
        "vp", "victory points", "kills", "spielstand", "poang", "satze", "saetze",
        "satzergebnis",
    ),
    Meaning.SET: tuple(
        words
        for word in ("set", "satz", "sett")
        for number in range(1, 8)
        for words in (f"{word} {number}", f"{number} {word}")
    ),
    Meaning.RESULT: ("result", "outcome", "ftr", "res", "winner side", "winning side", "resultat",
                     "winner index", "winner number", "won", "is winner", "victory"),
    Meaning.RANK: (
        "rank", "place", "placement", "position", "pos", "rang", "platz", "plass", "plats",
        "finish", "final placement", "standing", "ranking", "class", "classement", "platzierung",
        "puesto", "plassering", "finishing position",
    ),
    Meaning.TEAM: ("team", "side", "squad", "mannschaft", "lag", "equipe", "equipo", "squadra",
                   "team name", "team id"),
    Meaning.PLAYER: (
        "player", "name", "player name", "spieler", "spiller", "spelare", "joueur", "jugador",
        "giocatore", "speler", "participant", "competitor", "nick", "nickname", "gamer",
        "username", "user", "nom", "nombre", "who", "driver", "nome", "naam", "navn", "gamertag",
        "entrant", "last name", "lastname", "surname", "family name", "nachname", "familienname",
        "nom de famille", "apellido", "apellidos", "cognome", "achternaam", "etternavn",
        "efternavn", "efternamn",
    ),
    Meaning.FIRST_NAME: (
        "first name", "firstname", "given name", "forename", "vorname", "prenom", "fornavn",
        "fornamn", "voornaam",
    ),
    Meaning.PLAYER_ID: ("player id", "user id", "participant id", "gamer id", "competitor id",
                        "entrant id", "player key"),
    Meaning.PLAYING_SHARE: ("playing share",),
    Meaning.HANDICAP: ("handicap points",),
    Meaning.ALIASES: ("aliases", "other names"),
    Meaning.PRIVATE_ALIASES: ("private aliases",),
    Meaning.MATCH_EVENTS: ("match events",),
    Meaning.MATCH_START: ("match start",),
    Meaning.BIRTH_YEAR: (
        "birth year", "birthyear", "year of birth", "yob", "born", "date of birth", "birth date",
        "birthdate", "birthday", "dob", "jahrgang", "geburtsjahr", "geburtsdatum",
        "annee de naissance", "date de naissance", "ano de nacimiento", "fecha de nacimiento",
        "anno di nascita", "data di nascita", "geboortejaar", "geboortedatum", "fodselsar",
        "fodselsdato", "fodelsear",
    ),
    Meaning.CLUB: (
        "club", "club name", "verein", "vereinsname", "klub", "klubb", "klubnavn", "forening",
        "vereniging", "societa", "circolo",
    ),
    Meaning.PLAYER_TEAM: ("player team", "team of the player"),
    Meaning.COUNTRY: (
        "country", "country code", "nation", "nationality", "nationalitat", "nationalite",
        "nacionalidad", "nazionalita", "nationaliteit", "nationalitet", "land", "pays", "pais",
        "paese", "federation", "fed", "ioc", "noc", "verband", "federacion", "federazione",
        "forbund",
    ),
    Meaning.IS_ACTIVE: ("active", "is active", "aktiv", "actif", "activo", "attivo", "actief"),
    Meaning.LEFT_AT: ("left at", "left on", "austritt", "ausgetreten"),
    Meaning.STARTING_RATINGS: ("starting ratings",),
    Meaning.TIEBREAK: ("tiebreak star", "tiebreak", "tie break", "star", "tiebreaker",
                       "tie breaker", "tie break star"),
    Meaning.FLAG: (
        "flag", "dq", "status", "walkover", "forfeit", "wo", "w o", "w o flag", "disqualified",
    ),
    Meaning.COMMENT: (
        "comment", "comments", "remark", "remarks", "note", "notes", "kind", "type", "bemerkung",
        "bemerkungen", "anmerkung", "anmerkungen", "kommentar", "commentaire", "comentario",
        "merknad",
    ),
    Meaning.RATED: ("rated", "is rated", "gewertet", "counts"),
    Meaning.WEIGHT: ("weight", "match weight", "gewicht", "poids", "peso", "vekt"),
    Meaning.SET_LIST: ("set list",),
    Meaning.DETAIL: ("detail", "details", "set scores", "sets detail"),
    Meaning.MODE: ("mode",),
    Meaning.side(2): ("opponent", "opponent name", "gegner", "adversaire", "rival", "motstander",
                      "motspiller", "tegenstander", "avversario", "vs"),
    Meaning.score(1): ("fthg", "hg", "heimtore", "heimsatze", "heimpunkte", "goals for",
                       "own score", "my score", "player score"),
    Meaning.score(2): ("ftag", "ag", "gasttore", "gastsatze", "gastpunkte", "goals against",
                       "opponent score", "opponents score", "their score"),
}  # fmt: skip
_EXACT: Final = {phrase: meaning for meaning, all_ in _PHRASES.items() for phrase in all_}

_WINNER = frozenset(
    ("winner", "winners", "winning", "win", "w", "vinner", "vinnere", "vinder", "sieger",
     "gewinner", "ganador", "vainqueur", "gagnant", "vincitore", "winnaar", "vinnare", "vencedor")
)  # fmt: skip
_LOSER = frozenset(
    ("loser", "losers", "losing", "lose", "l", "taper", "tapere", "verlierer", "perdedor",
     "perdant", "perdente", "verliezer", "forlorare", "defeated", "looser")
)  # fmt: skip
_HOME = frozenset(
    ("home", "heim", "heimteam", "heimmannschaft", "heimspieler", "hometeam", "local", "locale",
     "domicile", "hjemme", "hjemmelag", "hjemmespiller", "thuis", "thuisspeler", "casa", "white",
     "weiss", "weiß", "blancs", "blancas", "hvit")
)  # fmt: skip
_AWAY = frozenset(
    ("away", "gast", "gastteam", "gastmannschaft", "gastspieler", "awayteam", "gaste", "auswarts",
     "bortespiller", "uitspeler", "visitor", "visitors", "visitante", "exterieur", "borte",
     "bortelag", "uit", "ospite", "black", "schwarz", "noirs", "negras", "svart")
)  # fmt: skip
_ENTRANT = frozenset(
    ("player", "p", "spieler", "spiller", "spelare", "joueur", "jugador", "giocatore", "speler",
     "team", "t", "side", "equipe", "equipo", "squadra", "mannschaft", "lag", "name", "contestant",
     "competitor", "entrant", "fighter", "participant", "opponent", "user")
)  # fmt: skip
_SCORE_WORDS = frozenset(
    ("score", "scores", "points", "goals", "wins", "sets", "games", "pts", "tore", "punkte",
     "poeng", "puntos", "punti", "maal", "mal", "goles", "buts", "frames", "legs", "final",
     "satze", "saetze")
)  # fmt: skip
_SCORE_OF_SIDE: Final = {
    **dict.fromkeys(("fthg", "ftag", "hg", "ag"), "goals"),
    **dict.fromkeys(("heimtore", "gasttore"), "tore"),
    **dict.fromkeys(("heimsatze", "gastsatze"), "satze"),
    **dict.fromkeys(("heimpunkte", "gastpunkte"), "punkte"),
}
"""Words that say in one whose score it is, and of what."""
_MEMBER_WORDS = frozenset(
    ("offense", "offence", "defense", "defence", "attack", "attacker", "defender", "goalie",
     "keeper", "forward", "front", "back", "left", "right", "partner", "o", "d", "a", "b", "c")
)  # fmt: skip
_LEADING = frozenset(("set", "match", "game", "the", "winner", "loser"))
_NUMBERS: Final = {
    **{str(number): number for number in range(1, SIDES + 1)},
    **{"a": 1, "b": 2, "c": 3, "d": 4, "one": 1, "two": 2, "three": 3, "four": 4, "i": 1, "ii": 2},
}
_WEAK_IDS = frozenset(
    ("game", "match", "spiel", "partie", "kamp", "nr", "no", "number", "#", "id", "race",
     "event id", "round id", "partida")
)  # fmt: skip
_HANDICAP_WORDS: Final = ["handicap", "points"]
ENTERED_WORDS = frozenset(("created at", "timestamp", "time stamp"))
OWN_SCORE_WORDS = frozenset(("own score",))
"""The score of the first side, or of the player whose row it is."""
FOUR_SEATS = frozenset(("wo", "wd", "lo", "ld"))


def header_words(text: str) -> str:
    """Return a header in plain words: "HomeTeam", "home_team" and "Home team" are the same."""
    text = _CAMEL.sub(" ", normalized("NFKC", text))
    plain = without_accents(text.casefold())
    return " ".join(_NOT_WORD.sub(" ", _DIGITS.sub(" ", plain)).split())


def is_weak_id(words: str) -> bool:
    """Say whether these words name a match only if the column's values bear it out."""
    return words in _WEAK_IDS


def counts_scores(words: str) -> bool:
    """Say whether these words name a score if the column's values bear it out."""
    return words in _SCORE_WORDS


def score_words(words: str) -> str:
    """Return what a score counts by its header, the same words for every side."""
    counted = {_SCORE_OF_SIDE.get(word, word) for word in words.split()}
    return " ".join(sorted(counted & _SCORE_WORDS))


def suggested_meaning(words: str) -> Meaning | None:
    """Return what a header alone suggests; the columns around it may decide otherwise."""
    if words in _EXACT:
        return _EXACT[words]
    if words in FOUR_SEATS:
        return Meaning.WINNER if words[0] == "w" else Meaning.LOSER
    tokens = words.split()
    if len(tokens) > 1 and tokens[0] in _LEADING and tokens[1] in _WINNER | _LOSER:
        tokens = tokens[1:]
    if not tokens:
        return None
    side, rest = _leading_side(tokens)
    if side is None:
        return _trailing_score(tokens) or _trailing_handicap(tokens)
    return _side_column(side, rest, alone_allowed=len(tokens[0]) > 1 or tokens[0] in "pt")


def _leading_side(tokens: list[str]) -> tuple[str | None, list[str]]:
    head = tokens[0]
    if head in _WINNER:
        return "winner", tokens[1:]
    if head in _LOSER:
        return "loser", tokens[1:]
    if head in _HOME:
        return "1", tokens[1:]
    if head in _AWAY:
        return "2", tokens[1:]
    if head in _ENTRANT and len(tokens) > 1:
        if tokens[1] in _NUMBERS:
            return str(_NUMBERS[tokens[1]]), tokens[2:]
        if tokens[1] in _HOME | _AWAY:
            return _leading_side(tokens[1:])
    return None, tokens


def _trailing_score(tokens: list[str]) -> Meaning | None:
    if tokens[0] not in _SCORE_WORDS or len(tokens) == 1:
        return None
    rest = tokens[1:]
    if len(rest) == 1 and rest[0] in _NUMBERS:
        return Meaning.score(_NUMBERS[rest[0]])
    side, left = _leading_side(rest)
    if side is None or left:
        return None
    return Meaning.score({"winner": 1, "loser": 2}.get(side) or int(side))


def _trailing_handicap(tokens: list[str]) -> Meaning | None:
    if tokens[:2] != _HANDICAP_WORDS or len(tokens) != len(_HANDICAP_WORDS) + 1:
        return None
    number = _NUMBERS.get(tokens[-1], SIDES + 1)
    return Meaning.handicap(number) if number <= SIDES else None


def _side_column(side: str, rest: list[str], *, alone_allowed: bool) -> Meaning | None:
    if rest and all(token in _SCORE_WORDS for token in rest):
        return Meaning.score({"winner": 1, "loser": 2}.get(side) or int(side))
    if rest == _HANDICAP_WORDS:
        return Meaning.handicap({"winner": 1, "loser": 2}.get(side) or int(side))
    is_id = rest[-1:] == ["id"]
    if is_id or rest[-1:] == ["name"]:
        rest = rest[:-1]
    if not rest and not alone_allowed:
        return None
    if not _is_member(rest):
        return None
    if side in ("winner", "loser"):
        return Meaning(f"{side}_id" if is_id else side)
    return Meaning.side_id(int(side)) if is_id else Meaning.side(int(side))


def _is_member(rest: list[str]) -> bool:
    if not rest:
        return True
    if rest[0] in _ENTRANT:
        return len(rest) == 1 or (len(rest) == 2 and rest[1] in _NUMBERS)
    return len(rest) == 1 and (rest[0] in _MEMBER_WORDS or rest[0] in _NUMBERS)
