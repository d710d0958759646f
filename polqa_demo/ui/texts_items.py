"""Texts of the interface, in Polish and in English: the table of items and the detail of one."""

from polqa_demo.errors import Bilingual

ITEMS: dict[str, Bilingual] = {
    "eval.other": Bilingual("inne błędne", "other wrong"),
    "items.search": Bilingual(
        "Szukaj w pytaniach, odpowiedziach, złotych i id", "Search questions, answers, golds, id"
    ),
    "items.search_hint": Bilingual("wielkość liter i ogonki bez znaczenia", "case and diacritics do not matter"),
    "items.table": Bilingual("Pytania z odpowiedziami i werdyktami", "Questions with answers and verdicts"),
    "items.open_hint": Bilingual("Naciśnij pytanie, aby zobaczyć, dlaczego.", "Press a question to see why."),
    "items.nothing": Bilingual(
        "Nic nie pasuje do tego filtra i wyszukiwania.", "Nothing matches this filter and search."
    ),
    "items.pages": Bilingual("Strony tabeli", "Pages of the table"),
    "items.page": Bilingual("strona", "page"),
    "items.first": Bilingual("Pierwsza", "First"),
    "items.previous": Bilingual("Poprzednia", "Previous"),
    "items.next": Bilingual("Następna", "Next"),
    "items.last": Bilingual("Ostatnia", "Last"),
    # The detail of one item
    "item.question": Bilingual("Pytanie", "Question"),
    "item.close": Bilingual("Zamknij", "Close"),
    "item.ask": Bilingual("Zapytaj o to", "Ask this"),
    "item.back": Bilingual("← Wróć do oceny", "← Back to the evaluation"),
    "item.prediction": Bilingual("odpowiedź", "answer"),
    "item.no_prediction": Bilingual("plik nie ma odpowiedzi na to pytanie", "the file has no answer to this question"),
    "item.blank": Bilingual("(pusta)", "(blank)"),
    "item.golds": Bilingual("złote odpowiedzi", "gold answers"),
    "item.no_golds": Bilingual("pytanie bez złotej odpowiedzi, nie liczy się", "no gold answer, it does not count"),
    "item.accepting": Bilingual("✓ ta pasuje", "✓ this one matches"),
    "item.nearest": Bilingual("najbliższa", "the nearest"),
    "item.verdict": Bilingual("werdykt", "verdict"),
    "item.rule": Bilingual("reguła", "rule"),
    "item.decides": Bilingual("co rozstrzyga", "what decides"),
    "item.number": Bilingual(
        "liczba: porównuje się same liczby, reszta tekstu się nie liczy",
        "the number: only the numbers are compared, the rest of the text does not count",
    ),
    "item.text": Bilingual(
        "tekst: ile liter trzeba zmienić, a wolno połowę długości złotej odpowiedzi",
        "the text: how many letters have to change; half of the gold's length is allowed",
    ),
    "item.exact": Bilingual("dokładna równość tekstów", "exact equality of the texts"),
    "item.empty": Bilingual("nie ma czego porównać", "there is nothing to compare"),
    "item.unanswerable": Bilingual(
        "pytanie bez odpowiedzi: dobra jest pusta", "a question without an answer: an empty one is right"
    ),
    "item.distance": Bilingual("odległość", "distance"),
    "item.at_most": Bilingual("wolno najwyżej", "allowed: at most"),
    "item.less_than": Bilingual("wolno mniej niż", "allowed: less than"),
    "item.too_long": Bilingual("ponad limit; teksty zbyt długie, by liczyć dalej", "beyond the limit, not measured"),
    "item.numbers": Bilingual("liczby", "numbers"),
    "item.in_prediction": Bilingual("w odpowiedzi", "in the answer"),
    "item.in_gold": Bilingual("w złotej", "in the gold"),
    "item.none": Bilingual("brak", "none"),
    "item.bucket": Bilingual("rodzaj", "kind"),
    "item.from_gold": Bilingual("na złotych fragmentach", "on gold passages"),
    "item.alignment": Bilingual("Litera po literze", "Letter by letter"),
    "item.compared": Bilingual("Porównanie z", "Compared with"),
    "item.legend": Bilingual(
        "Góra: odpowiedź, dół: złota. ≠ inna litera, − litera zbędna, + litera, której brakuje.",
        "Top: the answer, bottom: the gold. ≠ another letter, − a surplus letter, + a missing letter.",
    ),
    "item.no_difference": Bilingual("Bez różnic.", "No differences."),
    "item.undecided": Bilingual(
        "O werdykcie rozstrzyga liczba; litery są tu tylko dla obrazu.",
        "The number decides the verdict; the letters are only shown for the picture.",
    ),
    "item.coarse": Bilingual(
        "Teksty są zbyt długie, by pokazać najkrótszą drogę.", "The texts are too long for the shortest way."
    ),
    "item.cut": Bilingual("Dalszych liter nie pokazano.", "Further letters are not shown."),
    "item.same": Bilingual("bez zmian", "unchanged"),
    "item.replaced": Bilingual("zamiana", "replaced"),
    "item.by": Bilingual("na", "by"),
    "item.deleted": Bilingual("zbędne", "surplus"),
    "item.inserted": Bilingual("brakuje", "missing"),
    "item.cell": Bilingual("Wyszukiwarka × czytnik", "Retriever × reader"),
    "item.held": Bilingual(
        "złota odpowiedź stoi we fragmencie na miejscu", "a gold answer stands in the passage at rank"
    ),
    "item.ranking": Bilingual("Pierwsze fragmenty rankingu", "First passages of the ranking"),
    "item.no_ranking": Bilingual("Plik nie ma rankingu do tego pytania.", "The file has no ranking for this question."),
    "item.gold_ranks": Bilingual("Złote fragmenty", "Gold passages"),
    "item.rank": Bilingual("miejsce", "rank"),
    "item.grade": Bilingual("stopień", "grade"),
    "item.not_ranked": Bilingual("nie ma w rankingu", "not in the ranking"),
    "item.no_gold_passage": Bilingual("Pytanie bez złotego fragmentu.", "A question without a gold passage."),
    "item.gold": Bilingual("✓ złoty", "✓ gold"),
    "item.other_golds": Bilingual("Złote fragmenty poza tą listą", "Gold passages beyond this list"),
    "item.unknown_passage": Bilingual("nie ma go w korpusie", "not in the corpus"),
    "item.corpus": Bilingual("Tytuły i teksty z korpusu", "Titles and texts are those of the corpus"),
    "item.no_corpus": Bilingual(
        "Tekstów fragmentów nie pokazano, bo wczytany korpus nie należy do tego złotego zbioru.",
        "The passages' texts are not shown: the corpus that is loaded does not belong to this gold.",
    ),
}
