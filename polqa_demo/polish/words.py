"""Words, stems, stop words, sentence ends, numerals and plurals of Polish."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

WORD = re.compile(r"\w+")

# Function words, and the question words that a retriever must not look for.
STOP_WORDS = frozenset(
    """
    a aby albo ale ani bo być był była było były by co czy czyli do dla gdy gdyby gdzie i ich im innych jak jaka jaką
    jakie jaki jakim jakiego jakiej jakich jako je jego jej jest jestem już ją której którego który która które którym
    których którą kto kim kogo komu kiedy ku lub ma mają mi mu na nad nie niej nich nim nimi niego o od oraz on ona
    one oni ono po pod przez przy przed są się ta tak tam te tego tej ten też to tą tę tych tym tymi u w we więc z za
    ze że żeby ile czego czym czemu
    """.split()
)

MONTHS = (
    ("styczeń", "stycznia", "styczniu"),
    ("luty", "lutego", "lutym"),
    ("marzec", "marca", "marcu"),
    ("kwiecień", "kwietnia", "kwietniu"),
    ("maj", "maja", "maju"),
    ("czerwiec", "czerwca", "czerwcu"),
    ("lipiec", "lipca", "lipcu"),
    ("sierpień", "sierpnia", "sierpniu"),
    ("wrzesień", "września", "wrześniu"),
    ("październik", "października", "październiku"),
    ("listopad", "listopada", "listopadzie"),
    ("grudzień", "grudnia", "grudniu"),
)

# Number words in the cases they are written in; the collective forms (dwoje, trójkę) count people and children.
_NUMERAL_FORMS = {
    0: "zero zera",
    1: "jeden jedna jedno jednego jednej jednym jedną",
    2: "dwa dwie dwóch dwu dwoje dwojga dwiema dwoma dwaj dwójka dwójkę",
    3: "trzy trzech trzema trzej troje trojga trójka trójkę",
    4: "cztery czterech czterema czterej czworo czworga czwórka czwórkę",
    5: "pięć pięciu pięcioro pięciorga piątka piątkę",
    6: "sześć sześciu sześcioro szóstka szóstkę",
    7: "siedem siedmiu siedmioro siódemka",
    8: "osiem ośmiu ośmioro ósemka",
    9: "dziewięć dziewięciu dziewięcioro",
    10: "dziesięć dziesięciu dziesięcioro",
    11: "jedenaście jedenastu",
    12: "dwanaście dwunastu",
    13: "trzynaście trzynastu",
    14: "czternaście czternastu",
    15: "piętnaście piętnastu",
    16: "szesnaście szesnastu",
    17: "siedemnaście siedemnastu",
    18: "osiemnaście osiemnastu",
    19: "dziewiętnaście dziewiętnastu",
    20: "dwadzieścia dwudziestu",
    30: "trzydzieści trzydziestu",
    40: "czterdzieści czterdziestu",
    50: "pięćdziesiąt pięćdziesięciu",
    60: "sześćdziesiąt sześćdziesięciu",
    70: "siedemdziesiąt siedemdziesięciu",
    80: "osiemdziesiąt osiemdziesięciu",
    90: "dziewięćdziesiąt dziewięćdziesięciu",
    100: "sto stu",
    200: "dwieście dwustu",
    300: "trzysta trzystu",
    400: "czterysta czterystu",
    500: "pięćset pięciuset",
    600: "sześćset sześciuset",
    700: "siedemset siedmiuset",
    800: "osiemset ośmiuset",
    900: "dziewięćset dziewięciuset",
    1000: "tysiąc tysiące tysięcy tysiąca",
    1_000_000: "milion miliony milionów miliona",
    1_000_000_000: "miliard miliardy miliardów miliarda",
}
NUMERALS = {form: value for value, forms in _NUMERAL_FORMS.items() for form in forms.split()}

# Words after which a full stop does not end a sentence.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(„])(?:ok|r|w|np|tzw|m\.in|im|św|ul|prof|dr|gen|płk|tj|ur|zm|ang|niem|łac|gr|fr|ros|wł|hiszp|tys|mln|mld"
    r"|dł|wys|pow|woj|pl|al|os|mjr|kpt|por|inż|mgr|ks|bp|abp|red|tzn|zob|por|ps|cd|nr|t|s|pkt|godz|min|[A-ZŁŚŻ])\.$"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\s”\"]+(?=[A-ZĄĆĘŁŃÓŚŹŻ„\"(\d])")

_stemmer = Stemmer.Stemmer("polish")
_LONGEST_WORD = 40


def words(text: str) -> list[str]:
    """Lower-cased runs of word characters, in order."""
    return WORD.findall(text.lower())


def folded(text: str) -> str:
    """A text as it is compared with another of the same words: composed letters, single blanks, no case."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def stem(word: str) -> str:
    """The Snowball stem of one lower-cased word (PyStemmer's `polish`)."""
    # No word is so long; remembering hostile ones would fill the memory.
    return _cached_stem(word) if len(word) <= _LONGEST_WORD else str(_stemmer.stemWord(word))


@lru_cache(maxsize=200_000)
def _cached_stem(word: str) -> str:
    return str(_stemmer.stemWord(word))


# Function words of questions in other languages that are no Polish words.
_FOREIGN = frozenset(
    """
    who what when where which why how is are was were the of did does did has have many much wer wie wann wo welche
    welcher welches ist war waren der die das und qui quand où quel quelle est quién qué cuándo dónde cuál es chi
    quando dove quale perché
    """.split()
)


def looks_polish(text: str) -> bool:
    """Whether a question can be Polish: Latin letters, and not more function words of other languages than Polish ones.

    Names alone count as Polish; the test is for a hint, not for a refusal.
    """
    letters = [sign for sign in text if sign.isalpha()]
    if letters and sum(sign <= "\u024f" for sign in letters) < len(letters) / 2:
        return False
    found = words(text)
    if any(sign in "ąćęłńśźż" for sign in text.lower()):
        return True
    return sum(word in _FOREIGN for word in found) <= sum(word in STOP_WORDS for word in found)


def content_stems(text: str) -> list[str]:
    """Stems of the words that are not stop words, in order."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Character spans of the sentences, covering the text from its first to its last character."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        # No abbreviation of the list is longer: looking further back would be quadratic on texts full of them.
        if _ABBREVIATION.search(text[max(start, match.start() - 10) : match.start()]):
            continue
        yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def plural(count: int, one: str, few: str, many: str) -> str:
    """The count with its noun in the right form: 1 pytanie, 2 pytania, 5 pytań, 12 pytań, 22 pytania."""
    if count == 1:
        form = one
    elif count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14):
        form = few
    else:
        form = many
    return f"{count} {form}"
