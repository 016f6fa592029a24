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
DAYS_AGO: Final = {fold_kind(word): 0 for word in _TODAY} | {
    fold_kind(word): 1 for word in _YESTERDAY
}
HERE: Final = "hier"
"""It means yesterday in French and here in German."""
_WEEKDAYS: Final = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri "
    "sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr "
    "sa so lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim lunes "
    "martes miércoles jueves viernes sábado domingo mié jue vie sáb dom lunedì martedì mercoledì "
    "giovedì venerdì sabato domenica gio sab segunda terça quarta quinta sexta segunda-feira "
    "terça-feira quarta-feira quinta-feira sexta-feira seg ter qua qui sex maandag dinsdag "
    "woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo mandag tirsdag onsdag torsdag "
    "fredag lørdag søndag måndag tisdag lördag söndag man tir ons tor fre lør søn mån tis lör sön"
)
WEEKDAYS: Final = frozenset(map(fold_kind, _WEEKDAYS.split()))
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
    ("the", "of", "on", "den", "dem", "der", "am", "le", "el", "de", "del", "il", "do", "em", "op")
)
"""Small words of dates, such as those of “Mittwoch, den 25. November”."""
