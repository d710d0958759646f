"""What a Polish question asks for: the type of the answer wanted, the words that lead to it, the alternatives named."""

import re
from dataclasses import dataclass
from enum import StrEnum

from polqa_demo.polish.words import sentences
from polqa_demo.reading.passage_tokens import PREPOSITIONS, tokenize, word_of

# The rest of a longer text is not read: the longest questions of quizzes have some 300 characters.
MAX_CHARACTERS = 1_500


class Asked(StrEnum):
    """The type of answer a question wants (its form, not PolQA's own classes)."""

    YES_NO = "yes_no"
    CHOICE = "choice"
    YEAR = "year"
    WHEN = "when"
    CENTURY = "century"
    HOW_MANY = "how_many"
    WHERE = "where"
    WHO = "who"
    NAME = "name"
    WHY = "why"
    HOW = "how"
    WHAT = "what"
    WHAT_IS = "what_is"
    WORK = "work"
    BODY = "body"
    PROPERTY = "property"
    WHICH = "which"
    EXPANSION = "expansion"
    COMPLETION = "completion"


@dataclass(frozen=True, slots=True)
class Understood:
    """A question taken apart.

    `weights` maps the stems of its content words to their weight; `focus` is the stem of the noun behind "jaki" or
    "który" ("w jakim filmie"), `anchor` the stem of the next content word, mostly the verb; `preposition` is the one
    in front of the question word; `case` is what the form of the question word calls for; `alternatives` are the
    things to choose between, as named.
    """

    text: str
    asked: Asked
    weights: dict[str, float]
    focus: str = ""
    focus_form: str = ""
    anchor: str = ""
    preposition: str = ""
    case: str = ""
    plural: bool = False
    alternatives: tuple[str, ...] = ()


_WH_CASE = {
    "nominative": "kto co jaki jaka jakie który która które którzy jacy",
    "genitive": "kogo czego jakiego jakiej jakich którego której których czyjego",
    "dative": "komu czemu jakiemu któremu",
    "accusative": "jaką którą",
    "instrumental": "kim czym jakim którym jakimi którymi",
}
_CASE_OF = {form: case for case, forms in _WH_CASE.items() for form in forms.split()}
_WHICH = re.compile(r"(?:jak(?:i|a|ie|ą|iego|iej|im|iemu|ich|imi|cy)|jacy|któr\w+|jkie)")
_QUESTION_WORD = re.compile(
    r"(?:kto|kogo|komu|kim|co|czego|czemu|czym|gdzie|skąd|dokąd|kiedy|ile|ilu|iloma|dlaczego|jak|czyj\w*|"
    + _WHICH.pattern
    + r")"
)
_ASKING = re.compile(rf"czy|{_QUESTION_WORD.pattern}")
_COMMAND = re.compile(
    r"\W*(?:(?:proszę\s+)?(?:podać|podaj(?:cie)?|wymienić|wymień(?:cie)?|wskazać|wskaż|nazwać|nazwij|określić|określ)"
    r"|proszę\s+\w+)\b",
    re.IGNORECASE,
)
_EXPANSION = re.compile(
    r"\brozwi(?:ń|nąć|jcie)\s+skrót|\bjak\s+(?:rozwija\s+się|brzmi\s+rozwinięcie)\s+skrót"
    r"|\bco\s+(?:o?znaczy|oznacza)\s+(?:skrót|akronim)",
    re.IGNORECASE,
)
_COMPLETION = re.compile(r"\b(?:dokończ|dokończyć|uzupełnij|uzupełnić|dopowiedz)", re.IGNORECASE)
# Words that lead to the answer's type and stand in every second question: they do not tell where it stands.
_LIGHT = frozenset(
    "nazywa nazywał nazywała nazywało nazywały nazywają nazwa nazwę nazwisko imię znajduje znajdował znajdowała "
    "znajdują roku rok wieku wiek został została zostało zostały zostali jest było miejsce dzień dnia sposób powodu"
    " podczas pochodzi pochodziła pochodził miał miała miało mieli mają ma jakie państwie państwo kraju kraj"
    " mieście miasto pierwszy pierwsza pierwsze pierwszym pierwszą raz według względu około między można"
    " proszę podać podaj brzmi".split()
)


def _which(beginnings: str) -> re.Pattern[str]:
    """Matches "jaki" or "który" with a noun that begins so; one word may stand between."""
    return re.compile(rf"\b(?:jak|któr|jac)\w+\s+(?:\w+\s+)?(?:{'|'.join(beginnings.split())})")


_TYPES = (
    (Asked.EXPANSION, _EXPANSION),
    (Asked.COMPLETION, _COMPLETION),
    (Asked.CENTURY, re.compile(r"\b(?:któr|jak)\w+\s+(?:wiek(?:u|iem|ach)?|stuleci\w+)\b")),
    (
        Asked.YEAR,
        re.compile(
            r"\b(?:któr|jak)\w+(?:\s+\w+)?\s+(?:rok|roku|rokiem)\b|\brok(?:iem)?\s+(?:urodzenia|śmierci|założenia)"
        ),
    ),
    (
        Asked.WHEN,
        re.compile(
            r"\bkiedy\b|\b(?:któr|jak)\w+\s+(?:dniu|dnia|dzień|miesiąc\w*|latach|lat|okres\w*|czasie|czasu|czasach|dekad\w+|"
            r"epo(?:ka|ce|ki|kę)|porze|por[aęy])\b|\b(?:podaj|podać|jaka|jaką)\s+dat[aęy]\b|\bdata\b"
        ),
    ),
    (
        Asked.HOW_MANY,
        re.compile(
            r"\bil(?:e|u|oma|okrotnie)\b|\bjak\s+(?:wiel\w+|dług\w+|wysok\w+|daleko|szerok\w+|głębok\w+|często|dużo|duż\w+)\b"
            r"|\bjak(?:a|ą|iej|i|im|ie)\s+(?:\w+\s+)?(?:liczb|powierzchni|wysokoś|długoś|szerokoś|głębokoś|odległoś|prędkoś|"
            r"temperatur|mas|wag|kwot|cen|moc|pojemnoś|wzrost|wynik|wymiar|średnic|gęstoś|populacj)\w*"
            r"|\b(?:podaj|podać)\s+liczb"
        ),
    ),
    (
        Asked.WHERE,
        re.compile(
            r"\b(?:gdzie|skąd|dokąd)\b|\b(?:któr|jak)(?:im|iej|iego|ich|ego|ej|ym|ych|ie|ą|a|i)\s+(?:\w+\s+)?(?:miast|mieście"
            r"|kraj|państw|miejscowoś|województw|miejsc|dzielnic|region|wsi|wieś|stolic|kontynen|wysp|rzek|ulic|stan\b|stanie\b"
            r"|krain|góra|gór|prowincj|hrabstw|powiat|gmin|port|morz|jezior|ocean)\w*"
        ),
    ),
    (
        Asked.WHY,
        re.compile(
            r"\b(?:dlaczego|czemu|po\s+co|w\s+jakim\s+celu|jaki(?:ego)?\s+(?:był\s+)?(?:powod\w+|powód|cel\w*))\b|\bprzyczyn(?:a|ą|y|ę)?\b"
        ),
    ),
    (Asked.HOW, re.compile(r"\bw\s+jaki\s+sposób\b")),
    (
        Asked.WHAT_IS,
        re.compile(
            r"\b(?:kim|czym)\s+(?:z\s+zawodu\s+|dla\s+\w+\s+)?(?:jest|był|była|było|byli|były|są|został\w*)\b|\bco\s+to\s+(?:jest|są)\b"
        ),
    ),
    (
        Asked.NAME,
        re.compile(
            r"\bjak\w?\s+(?:\w+\s+){0,4}?(?:nazyw\w+|nazwan\w+|zwan\w+|imię|nazwisko|brzmi\w*|zatytułowan\w+)|\b(?:tytuł|nazw[aęy]|nazwisko|imię)\b"
        ),
    ),
    (
        Asked.WHO,
        re.compile(
            r"\b(?:kto|kogo|komu|kim|czyj\w*)\b|\b(?:któr|jak)\w+\s+(?:osob|aktor|reżyser|pisarz|pisark|poet|król|cesarz"
            r"|prezydent|malarz|kompozytor|piosenkar|zawodni|polityk|naukow|postać|postaci|bohater|księ|władc|generał|trener|piłkarz"
            r"|autor|święt)\w*"
        ),
    ),
    (
        Asked.WORK,
        _which(
            "film utw pios album płyt książ powieś serial program gr(?:a|ę|ze|y|ą)\\b spektakl sztuk dzieł czasopis"
            " gazet dzienni nagrod konkurs festiwal mecz turniej zawod(?:y|ach|ów)\\b bitw wojn wydarze"
            " wersj seri święt"
        ),
    ),
    (
        Asked.BODY,
        _which(
            "klub drużyn zespo zespó firm organiz parti uczelni uniwersyt szko stud stacj instytuc organ redakc wytw"
            " przedsiębior korporac zakład stowarzysz bank lig urzędz armi wojsk dywizj ugrupowa państw lud\\b grup"
        ),
    ),
    (
        Asked.PROPERTY,
        _which(
            "funkc stanowisk urząd\\b urzęd zaw[oó]d(?:em|u|zie|)\\b stop[ni] rol[ęąai]\\b narodowoś wyznan"
            " gatun rodzaj"
            " typ kolor barw materiał język status styl charakter cech zadan temat obraże profes"
            " specjaln struktur form kształt"
        ),
    ),
    (Asked.WHAT, re.compile(r"\b(?:co|czym|czego|czemu)\b")),
    (Asked.HOW, re.compile(r"\bjak\b")),
)


def understand(question: str) -> Understood:
    """Takes a question apart; anything is accepted, without a type it asks `WHICH`."""
    whole = " ".join(question[:MAX_CHARACTERS].split())
    core = _core(whole)
    alternatives = _alternatives(core)
    asked = _asked(core, alternatives)
    tokens = [form for form, _, _ in tokenize(core)]
    place = _question_word(tokens)
    focus, focus_form, anchor = _focus_and_anchor(tokens, place)
    before = tokens[place - 1].lower() if place > 0 else ""
    word = tokens[place].lower() if place < len(tokens) else ""
    return Understood(
        text=core,
        asked=asked,
        weights=_weights(whole, core),
        focus=focus,
        focus_form=focus_form,
        anchor=anchor,
        preposition=before if before in PREPOSITIONS else "",
        case=_CASE_OF.get(word, ""),
        plural=bool(re.fullmatch(r"jak(?:ie|ich|imi)|jacy|któr(?:e|zy|ych|ymi)", word)),
        alternatives=alternatives if asked is Asked.CHOICE else (),
    )


def _core(text: str) -> str:
    """The sentence that asks: the last with a question mark and a question word, else the last that commands; or all.

    A full stop inside a question ("Czy św. Jan ...") can leave a piece with neither.
    """
    pieces = [text[start:end] for start, end in sentences(text)]
    asking = [piece for piece in pieces if any(_ASKING.fullmatch(form.lower()) for form, _, _ in tokenize(piece))]
    for piece in reversed(asking):
        if piece.rstrip(' "”»').endswith("?"):
            return piece
    commanding = [piece for piece in pieces if _COMMAND.match(piece) or _EXPANSION.search(piece)]
    return (commanding or asking or [text])[-1]


def _asked(text: str, alternatives: tuple[str, ...]) -> Asked:
    lower = text.lower()
    if alternatives:
        return Asked.CHOICE
    if re.match(r"\W*czy\b", lower):
        return Asked.YES_NO
    for asked, pattern in _TYPES:
        if pattern.search(lower):
            return asked
    if not _WHICH.search(lower) and re.search(r"\bczy\b(?!\s+też)", lower):
        return Asked.YES_NO
    return Asked.WHICH


def _question_word(tokens: list[str]) -> int:
    """The place of the first question word; a relative "który" behind a comma does not count. Else the end."""
    for place, form in enumerate(tokens):
        if _QUESTION_WORD.fullmatch(form.lower()) and not (place > 0 and tokens[place - 1] == ","):
            return place
    return len(tokens)


def _focus_and_anchor(tokens: list[str], place: int) -> tuple[str, str, str]:
    """Stem and form of the noun behind "jaki", and the stem of the content word that follows."""
    content = [word_of(form) for form in tokens[place + 1 :] if word_of(form).is_word and not word_of(form).stop]
    if place >= len(tokens) or not content:
        return "", "", content[0].stem if content else ""
    if not _WHICH.fullmatch(tokens[place].lower()) or content[0].verb:
        return "", "", content[0].stem
    focus = 1 if len(content) > 1 and content[0].adjective and not content[1].verb else 0
    anchor = content[focus + 1].stem if len(content) > focus + 1 else ""
    return content[focus].stem, content[focus].lower, anchor


def _weights(whole: str, core: str) -> dict[str, float]:
    """Stems of the content words: names and long words weigh more, light words and those outside the core less."""
    weights: dict[str, float] = {}
    core_words = {form.lower() for form, _, _ in tokenize(core)}
    for number, (form, _, _) in enumerate(tokenize(whole)):
        word = word_of(form)
        if not word.is_word or (word.stop and not (word.capital and number)) or word.lower == "czy":
            continue
        weight = 0.5 + min(len(form), 10) / 10 + (0.5 if (word.capital and number) or word.digit else 0.0)
        if word.lower in _LIGHT:
            weight *= 0.3
        if word.lower not in core_words:
            weight *= 0.6
        weights[word.stem] = max(weight, weights.get(word.stem, 0.0))
    return weights


_OPENERS = re.compile(
    r"(?:[:–—]|\s-\s|\bto\b(?!\s+jest\b)|\b(?:jest|są|był|była|było|były|oznacza|znaczy|nazywamy)\b)(?:\s+to\b)?\s*"
)


_CZY_FIRST = re.compile(r"^\W*czy\b\s*", re.IGNORECASE)
_JOINT = re.compile(r"\sczy(?:\s(?:też|może))?\s", re.IGNORECASE)


def _inside_quotes(text: str, place: int) -> bool:
    before = text[:place]
    return before.count("„") > before.count("”") or before.count('"') % 2 == 1


def _alternatives(text: str) -> tuple[str, ...]:
    """The things a question offers: "A, B czy C"; empty when it offers none.

    The last one stands behind the last "czy" that follows no comma; the first begins behind "to", "jest", a dash or a
    colon, or has as many words as the last.
    """
    asked_body = text.strip().rstrip(" ?!.")
    body = _CZY_FIRST.sub("", asked_body)
    # "Nie wiadomo, czy" opens a clause; behind "Czy ..." or "X to ..." a comma before "czy" still parts alternatives.
    comma_allowed = body != asked_body or " to " in body
    joints = [
        match
        for match in _JOINT.finditer(body)
        if (comma_allowed or body[match.start() - 1] != ",") and not _inside_quotes(body, match.start())
    ]
    if not joints:
        return ()
    joint = joints[-1]
    last = re.split(r"[,;:?]|\s[–—-]\s", body[joint.end() :])[0].strip()
    head = body[: joint.start()].rstrip(" ,").strip()
    if not last or not head:
        return ()
    size = len(last.split())
    opened = [match for match in _OPENERS.finditer(head) if match.end() < len(head)]
    if opened:
        tail = head[opened[-1].end() :]
    else:
        parts = head.split(",")
        tail = " ".join(parts[-1].split()[-size:])
        listed = [part.strip() for part in parts[1:-1]]
        if listed:
            tail = ", ".join([" ".join(parts[0].split()[-size:]), *listed, parts[-1].strip()])
    first = last.split()[0]
    named = [piece.strip(" ,") for piece in re.split(r",|\s+czy(?:\s+też|\s+może)?\s+|\s+lub\s+|\s+albo\s+", tail)]
    named = [piece for piece in named if piece]
    if first.lower() in PREPOSITIONS and named and f" {first} " in f" {named[-1]}":
        named[-1] = named[-1][f" {named[-1]}".rindex(f" {first} ") :]
    return (*named, last) if named else ()
