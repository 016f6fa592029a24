"""Names of days and months as people write them above results, in several languages."""

from __future__ import annotations

from typing import Final

from ratings.files.names import fold_kind

_TODAY: Final = (
    "today", "heute", "aujourd'hui", "hoy", "oggi", "hoje", "vandaag", "i dag", "idag",
)  # fmt: skip
_YESTERDAY: Final = (
    "yesterday", "gestern", "hier", "ayer", "ieri", "ontem", "gisteren", "i går", "igår",
)  # fmt: skip
_TWO_DAYS_AGO: Final = (
    "the day before yesterday", "day before yesterday", "vorgestern", "avant-hier", "anteayer",
    "l'altro ieri", "anteontem", "eergisteren", "i forgårs", "i förrgår",
)  # fmt: skip
DAYS_AGO: Final = {
    fold_kind(word): days
    for days, words in enumerate((_TODAY, _YESTERDAY, _TWO_DAYS_AGO))
    for word in words
}
HERE: Final = "hier"
"""It means yesterday in French and here in German."""
_WEEKDAYS: Final = (
    "monday mon montag mo lundi lun lunes lunedì segunda segunda-feira seg maandag ma mandag "
    "måndag man mån",
    "tuesday tue tues dienstag di mardi mar martes martedì terça terça-feira ter dinsdag tirsdag "
    "tisdag tir tis",
    "wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì quarta quarta-feira qua "
    "woensdag wo onsdag ons",
    "thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio quinta quinta-feira "
    "qui donderdag torsdag tor",
    "friday fri freitag fr vendredi ven viernes vie venerdì sexta sexta-feira sex vrijdag vr "
    "fredag fre",
    "saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sab zaterdag za lørdag lördag "
    "lør lör",
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo søndag söndag søn sön",
)
WEEKDAY_OF: Final = {
    fold_kind(word): number for number, words in enumerate(_WEEKDAYS) for word in words.split()
}
"""The days of a week by their names, Monday 0, as `date.weekday` counts them."""
_MONTHS: Final = (
    "january jan januar jänner janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar feber février févr fév febrero febbraio fevereiro fev februari",
    "march mar märz mär mars marzo março mrt maart marts",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei maj",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aou agosto ago augustus augusti",
    "september sep sept septembre septiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des",
)
MONTH_OF: Final = {
    fold_kind(word): number
    for number, words in enumerate(_MONTHS, start=1)
    for word in words.split()
}
BESIDE_DAYS: Final = frozenset(
    ("the", "of", "on", "den", "dem", "der", "am", "le", "el", "de", "del", "il", "do", "em", "op",
     "vom")
)  # fmt: skip
"""Small words of dates, such as those of “Mittwoch, den 25. November”."""
OCCASIONS: Final = frozenset(
    map(
        fold_kind,
        (
            "club", "league", "tournament", "training", "practice", "championship", "matchday",
            "vereinsabend", "spielabend", "clubabend", "klubabend", "trainingsabend", "ligaabend",
            "verein", "klub", "turnier", "liga", "meisterschaft", "vereinsmeisterschaft",
            "clubmeisterschaft", "spieltag", "pokal",
            "soirée", "entraînement", "tournoi", "championnat", "ligue",
            "entrenamiento", "torneo", "campeonato", "allenamento", "serata", "campionato",
            "treino", "torneio", "clubavond", "speelavond", "toernooi", "competitie",
            "klubbkveld", "klubbkväll", "klubaften", "trening", "träning", "træning", "turnering",
        ),
    )
)  # fmt: skip
"""What people play at, as they write it before the day of an evening."""
