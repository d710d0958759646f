"""What a person calls the slices: dimensions and their values, PolQA's own labels with their Polish names."""

from polqa_demo.errors import Lang
from polqa_demo.evaluation.slices import OTHERS
from polqa_demo.reports.tables import foreign
from polqa_demo.reports.texts import TEXTS, say

# PolQA's labels are what papers name, so they stay beside their translation.
_IN_POLISH = {
    # question_formulation
    "QUESTION": "pytanie",
    "COMMAND": "polecenie",
    "COMPOUND": "złożone",
    # question_type
    "SINGLE ENTITY": "jedna encja",
    "MULTIPLE ENTITIES": "kilka encji",
    "ENTITY CHOICE": "wybór",
    "YES/NO": "tak/nie",
    "OTHER NAME": "inna nazwa",
    "GAP FILLING": "luka",
    # entity_type
    "NAMED": "nazwana",
    "UNNAMED": "nienazwana",
    # entity_subtype
    "ANIMAL": "zwierzę",
    "ARCHIPELAGO": "archipelag",
    "BAND": "zespół",
    "CELESTIAL_BODY": "ciało niebieskie",
    "CENTURY": "wiek",
    "CITY": "miasto",
    "COMPANY": "firma",
    "CONTINENT": "kontynent",
    "COUNT": "liczba sztuk",
    "COUNTRY": "państwo",
    "DATE": "data",
    "DYNASTY": "dynastia",
    "EVENT": "wydarzenie",
    "ISLAND": "wyspa",
    "MOUNTAIN": "góra",
    "NAME": "imię lub przydomek",
    "NATIONALITY": "narodowość",
    "ORGANISATION": "organizacja",
    "PERIOD": "okres, lata",
    "PERSON": "osoba",
    "PLACE": "miejsce",
    "QUANTITY": "wielkość",
    "RANGE": "pasmo górskie",
    "RIVER": "rzeka",
    "SEA": "morze",
    "STATE": "stan lub kraj związkowy",
    "SURNAME": "nazwisko",
    "TIME": "dzień lub miesiąc",
    "TITLE": "tytuł",
    "VEHICLE": "pojazd",
    "YEAR": "rok",
}


def slice_name(name: str, lang: Lang) -> str:
    """What a person calls a dimension; a label of the gold keeps its own name."""
    return say(f"slice.{name}", lang) if f"slice.{name}" in TEXTS else foreign(name, 40)


def slice_value(name: str, value: str, lang: Lang, *, brief: bool = False) -> str:
    """What a person calls a slice of a dimension: `osoba (PERSON)`, in brief `osoba`; others' values stay."""
    if not value:
        return say("value.none", lang)
    if value == OTHERS:
        return say("value.others", lang)
    if name in ("gold_length", "gold_count"):
        return value
    if name == "gold_kind":
        return say(f"value.{value}", lang)
    if lang == "pl" and value in _IN_POLISH:
        return _IN_POLISH[value] if brief else f"{_IN_POLISH[value]} ({value})"
    return foreign(value, 40)
