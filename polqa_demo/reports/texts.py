"""What a written-out report says, in Polish and in English: the same words in Markdown, LaTeX and HTML."""

from polqa_demo.errors import Bilingual, Lang

TEXTS: dict[str, Bilingual] = {
    "title": Bilingual("Raport z oceny", "Evaluation report"),
    "gold": Bilingual("Złoty zbiór", "Gold set"),
    "signature": Bilingual("Sygnatura", "Signature"),
    "signature.note": Bilingual(
        "Wyniki o równych sygnaturach wolno porównywać.", "Scores with equal signatures may be compared."
    ),
    "contents": Bilingual("Spis treści", "Contents"),
    "show": Bilingual("pokaż", "show"),
    # Problems
    "problems": Bilingual("Uwagi", "Problems"),
    "problems.none": Bilingual("Brak uwag do plików.", "There are no problems with the files."),
    "problems.line": Bilingual("wiersz", "line"),
    "problems.lines": Bilingual("wiersze", "lines"),
    "severity.error": Bilingual("błąd", "error"),
    "severity.warning": Bilingual("uwaga", "warning"),
    "severity.note": Bilingual("informacja", "note"),
    # Scores
    "scores": Bilingual("Wyniki", "Scores"),
    "scores.measure": Bilingual("miara", "measure"),
    "scores.value": Bilingual("wynik", "score"),
    "scores.interval": Bilingual("przedział 95 %", "95 % interval"),
    "scores.hits": Bilingual("trafień", "hits"),
    "scores.over": Bilingual("liczone pytania", "questions counted"),
    "scores.n": Bilingual("N", "N"),
    "over.answers": Bilingual("ze złotą odpowiedzią", "with a gold answer"),
    "over.both": Bilingual("wszystkie, także bez odpowiedzi", "all, those without an answer too"),
    "over.unanswerable": Bilingual("bez odpowiedzi", "without an answer"),
    "over.passages": Bilingual("ze złotym fragmentem", "with a gold passage"),
    "over.all": Bilingual("wszystkie", "all"),
    "scores.on_gold": Bilingual("na złotych fragmentach", "on gold passages"),
    "scores.ties_best": Bilingual("równe wyniki na korzyść", "ties in favour"),
    "scores.ties_worst": Bilingual("równe wyniki na niekorzyść", "ties against"),
    "scores.answered": Bilingual("Pytania z odpowiedzią", "Questions answered"),
    "scores.missing": Bilingual(
        "bez odpowiedzi w pliku (liczą się jako błędne)", "absent from the file (count as wrong)"
    ),
    "scores.abstained": Bilingual("pusta, gdzie odpowiedzi nie ma", "empty where there is no answer"),
    "scores.without_gold": Bilingual("bez złotej odpowiedzi (poza wynikiem)", "without a gold answer (left out)"),
    "scores.secret": Bilingual(
        "Ten złoty zbiór jest tajny: są tylko sumy, bez wyników poszczególnych pytań.",
        "This gold is secret: there are totals alone, no results of single questions.",
    ),
    "scores.unranked": Bilingual(
        "Pytania bez rankingu (liczą się jako chybione)", "Questions without a ranking (count as misses)"
    ),
    "scores.short": Bilingual("rankingi krótsze niż 10", "rankings shorter than 10"),
    "scores.longest": Bilingual("najdłuższy", "longest"),
    "scores.duplicates": Bilingual("pominięte powtórzenia fragmentów", "repeated passages left out"),
    "explain.fuzzy_match": Bilingual(
        "fuzzy_match: odsetek pytań, na które odpowiedź pasuje do którejś ze złotych. Liczba musi być ta sama, tekst "
        "może różnić się najwyżej o połowę długości złotej odpowiedzi (reguła poleval). Pozostałe reguły to inne "
        "odczyty tej samej: readme – opis konkursu, card – karta PolQA, exact – dokładna równość.",
        "fuzzy_match: the share of questions whose answer matches any of the golds. A number must be the same, a text "
        "may differ by half of the gold's length at most (the rule poleval). The other rules are other readings of it: "
        "readme is the text of the challenge, card PolQA's card, exact plain equality.",
    ),
    "explain.intervals": Bilingual(
        "Przedziały odsetków: Wilson; przedziały średnich: bootstrap percentylowy",
        "Intervals of shares: Wilson; of means: percentile bootstrap",
    ),
    "explain.bound": Bilingual(
        "Gdy miara ma przy każdym pytaniu tę samą wartość, bootstrap nie ma czego losować. Przedział sięga wtedy tam, "
        "dokąd średnią mogłyby przesunąć pytania o innych wartościach, na które przy tylu pytaniach mogło się nie "
        "trafić (granica Cloppera–Pearsona).",
        "Where a measure has the same value for every question, the bootstrap has nothing to draw. The interval then "
        "reaches as far as questions of other values could move the mean that so many questions may have missed "
        "(Clopper and Pearson’s limit).",
    ),
    "explain.draws": Bilingual("losowań", "resamples"),
    "explain.seed": Bilingual("ziarno", "seed"),
    # Causes
    "causes": Bilingual("Odpowiedzi według przyczyny", "Answers by cause"),
    "causes.cause": Bilingual("przyczyna", "cause"),
    "causes.answers": Bilingual("odpowiedzi", "answers"),
    "causes.share": Bilingual("udział", "share"),
    "causes.note": Bilingual(
        "Każda odpowiedź trafia do jednej grupy, pierwszej, która pasuje. „Zapis”: dobra po jednej z napraw z audytu "
        "albo po wszystkich razem.",
        "Each answer falls into one group, the first that fits. “Format”: right after one of the audit's repairs, or "
        "after all of them together.",
    ),
    # Whose fault
    "attribution": Bilingual("Czytnik czy wyszukiwarka", "Reader or retriever"),
    "attribution.cell": Bilingual("komórka", "cell"),
    "attribution.meaning": Bilingual("co się stało", "what happened"),
    "attribution.questions": Bilingual("pytania", "questions"),
    "attribution.ceilings": Bilingual("Pułapy: co dała wyszukiwarka", "Ceilings: what the retriever gave"),
    "attribution.passage": Bilingual("złoty fragment w dziesiątce", "a gold passage among the ten"),
    "attribution.answer": Bilingual("złota odpowiedź w tekstach dziesiątki", "a gold answer in the ten texts"),
    "attribution.either": Bilingual("jedno lub drugie", "either"),
    "attribution.note": Bilingual(
        "Każde pytanie ze złotą odpowiedzią i złotym fragmentem trafia do jednej z ośmiu komórek. Liczy się pierwszych "
        "dziesięć fragmentów. Odpowiedź stoi w tekście, gdy stoją w nim blisko siebie jej słowa w jakiejkolwiek "
        "formie; samych „tak” i „nie” nie szukano.",
        "Every question with a gold answer and a gold passage is in one of eight cells. The first ten passages count. "
        "A text holds an answer when the answer's words stand in it near one another, in any form; a bare yes or no "
        "is not looked for.",
    ),
    "attribution.unread": Bilingual(
        "Fragmentów z dziesiątek, których tekstu brak: {count}. Odpowiedzi w nich nie szukano, więc pułapy mogą być "
        "wyższe, a wyszukiwarka mniej winna.",
        "Passages among the ten whose text is not at hand: {count}. No answer was looked for in them, so that the "
        "ceilings may be higher and the retriever less at fault.",
    ),
    "attribution.without": Bilingual(
        "Pytania ze złotą odpowiedzią, lecz bez złotego fragmentu (poza komórkami)",
        "Questions with a gold answer but no gold passage (in no cell)",
    ),
    # The reader on gold passages
    "beside": Bilingual(
        "Czytnik na złotych i na wyszukanych fragmentach", "The reader on gold and on retrieved passages"
    ),
    "beside.on_gold": Bilingual("na złotych fragmentach", "on gold passages"),
    "beside.on_retrieved": Bilingual("na wyszukanych fragmentach", "on retrieved passages"),
    "beside.right": Bilingual("dobrych", "right"),
    "beside.together": Bilingual("Te same pytania obok siebie", "The same questions side by side"),
    "beside.group": Bilingual("dobra odpowiedź", "right answer"),
    "beside.both": Bilingual("na obu", "on both"),
    "beside.only_gold": Bilingual("tylko na złotych", "only on gold"),
    "beside.only_retrieved": Bilingual("tylko na wyszukanych", "only on retrieved"),
    "beside.neither": Bilingual("na żadnych", "on neither"),
    "beside.note": Bilingual(
        "„Tylko na złotych” to pytania, które może zyskać lepszy wybór fragmentów; „na żadnych” to te, którym on nie "
        "pomoże.",
        "“Only on gold” is what a better choice of passages could win, “on neither” what it could not.",
    ),
    # Rankings, drawn
    "plots": Bilingual("Rankingi na wykresach", "The rankings drawn"),
    "curve": Bilingual("accuracy@k zależnie od głębokości k", "accuracy@k by the depth k"),
    "curve.depth": Bilingual("k", "k"),
    "ranks": Bilingual("Miejsce pierwszego złotego fragmentu", "Rank of the first gold passage"),
    "ranks.rank": Bilingual("miejsce", "rank"),
    "ranks.questions": Bilingual("pytania", "questions"),
    "ranks.none": Bilingual("brak", "none"),
    # Slices
    "slices": Bilingual("Przekroje", "Slices"),
    "slices.slice": Bilingual("przekrój", "slice"),
    "slices.value": Bilingual("wartość", "value"),
    "slices.difference": Bilingual("różnica (pkt)", "difference (points)"),
    "slices.p": Bilingual("p (Holm)", "p (Holm)"),
    "slices.note": Bilingual(
        "Różnica względem pozostałych pytań w punktach procentowych; p z dokładnego testu Fishera, poprawione metodą "
        "Holma na liczbę przekrojów. Wyróżnione: p < 0,05.",
        "Difference from the rest in points; p of Fisher's exact test, corrected by Holm for the number of slices. "
        "Emphasised: p < 0.05.",
    ),
    "slices.small": Bilingual("pominięte przekroje poniżej 30 pytań", "slices of fewer than 30 questions, left out"),
    "slices.whole": Bilingual("cały zbiór", "the whole set"),
    "slices.count": Bilingual("przekrojów", "slices"),
    "slices.sure": Bilingual("z pewną różnicą", "with a sure difference"),
    "two_way.all": Bilingual("razem", "all"),
    "two_way.cut": Bilingual("pominięte najrzadsze kolumny tabeli krzyżowej", "rarest columns left out of the table"),
    "words": Bilingual("Słowa pytań, przy których częściej są błędy", "Question words that go with errors"),
    "words.word": Bilingual("słowo", "word"),
    "words.with": Bilingual("błędy ze słowem", "errors with it"),
    "words.without": Bilingual("błędy bez słowa", "errors without it"),
    "slice.question_formulation": Bilingual("sformułowanie pytania", "question formulation"),
    "slice.question_type": Bilingual("typ pytania", "question type"),
    "slice.entity_type": Bilingual("typ encji", "entity type"),
    "slice.entity_subtype": Bilingual("podtyp encji", "entity subtype"),
    "slice.gold_kind": Bilingual("złota odpowiedź", "gold answer"),
    "slice.gold_length": Bilingual("długość złotej", "gold length"),
    "slice.gold_count": Bilingual("liczba złotych", "number of golds"),
    "value.number": Bilingual("liczba", "number"),
    "value.text": Bilingual("tekst", "text"),
    "value.mixed": Bilingual("liczba i tekst", "number and text"),
    "value.none": Bilingual("(brak)", "(none)"),
    "value.others": Bilingual("(pozostałe)", "(others)"),
    # Uncertainty
    "uncertainty": Bilingual("Niepewność", "Uncertainty"),
    "uncertainty.what": Bilingual("co", "what"),
    "uncertainty.value": Bilingual("wartość", "value"),
    "uncertainty.bounds": Bilingual(
        "wynik, jakiekolwiek byłyby brakujące odpowiedzi lub rankingi",
        "the score, whatever the missing answers or rankings are",
    ),
    "uncertainty.unpaired": Bilingual(
        "najmniejsza różnica, jaką przy tylu pytaniach można wykryć (systemy na różnych pytaniach)",
        "the smallest difference that so many questions show (systems on different questions)",
    ),
    "uncertainty.paired": Bilingual(
        "to samo dla dwóch systemów na tych samych pytaniach, w najlepszym razie",
        "the same for two systems on the same questions, at best",
    ),
    "uncertainty.points": Bilingual("pkt proc.", "points"),
    "uncertainty.yes": Bilingual("próg szumu: „tak” na każde pytanie", "noise floor: “tak” to every question"),
    "uncertainty.commonest": Bilingual(
        "próg szumu: najczęstsza złota odpowiedź na każde pytanie",
        "noise floor: the commonest gold answer to every question",
    ),
    "uncertainty.another": Bilingual(
        "próg szumu: złota odpowiedź innego pytania", "noise floor: the gold answer of another question"
    ),
    "uncertainty.flips": Bilingual("werdykty inne według reguły", "verdicts that differ by the rule"),
    "uncertainty.lost": Bilingual("dobre stają się złe", "right become wrong"),
    "uncertainty.gained": Bilingual("złe stają się dobre", "wrong become right"),
    "uncertainty.like_gold": Bilingual(
        "odpowiedzi identyczne ze złotymi, co do litery", "answers identical with a gold, letter by letter"
    ),
    "uncertainty.is_gold": Bilingual("to najpewniej sam złoty zbiór", "this is most likely the gold itself"),
    "uncertainty.note": Bilingual(
        "Moc 80 %, poziom istotności 5 %. Próg szumu: wynik kogoś, kto nie czyta pytań.",
        "Power 80 %, level 5 %. Noise floor: the score of somebody who does not read the questions.",
    ),
    # Audit
    "audit": Bilingual("Audyt pliku odpowiedzi", "Audit of the answers' file"),
    "audit.damage": Bilingual("usterka zapisu", "flaw of writing"),
    "audit.affected": Bilingual("odpowiedzi", "answers"),
    "audit.points": Bilingual("pkt po naprawie", "points if repaired"),
    "audit.net": Bilingual("netto", "net"),
    "audit.examples": Bilingual("pierwsze przypadki", "first cases"),
    "audit.clean": Bilingual("Zapis odpowiedzi nic nie kosztuje.", "The writing of the answers costs nothing."),
    "audit.note": Bilingual(
        "Wynik liczy się zawsze z pliku takiego, jaki jest; tu widać, ile punktów kosztuje sam zapis. Odpowiedź, którą "
        "naprawa czyni dobrą, ma przyczynę „zapis”.",
        "The score is always that of the file as it is; this shows how many points the writing alone costs. An answer "
        "that a repair makes right has the cause “format”.",
    ),
    # Items
    "items": Bilingual("Pytania", "Questions"),
    "items.count": Bilingual("pytań", "questions"),
    "items.right": Bilingual("dobrych odpowiedzi", "right answers"),
    "items.id": Bilingual("id", "id"),
    "items.question": Bilingual("pytanie", "question"),
    "items.prediction": Bilingual("odpowiedź", "answer"),
    "items.golds": Bilingual("złote", "gold"),
    "items.verdict": Bilingual("werdykt", "verdict"),
    "items.why": Bilingual("dlaczego", "why"),
    "items.rank": Bilingual("złoty fragment", "gold passage"),
    "items.miss": Bilingual("brak", "none"),
    "items.cut": Bilingual(
        "Dłuższe teksty są tu skrócone (…); całe są w pliku CSV i w raporcie JSON.",
        "Longer texts are cut here (…); the CSV and the JSON report hold them whole.",
    ),
    "why.number": Bilingual("ta sama liczba", "the same number"),
    "why.exact": Bilingual("dokładnie złota odpowiedź", "exactly a gold answer"),
    "why.distance": Bilingual("odległość", "distance"),
    "why.allowed": Bilingual("wolno najwyżej", "at most"),
    "why.below": Bilingual("wolno mniej niż", "less than"),
    # What a drawing says to those who do not see it
    "drawn.curve": Bilingual(
        "Krzywa rośnie od {first} przy k = 1 do {last} przy k = {depth}; pas to przedziały 95 %.",
        "The curve rises from {first} at k = 1 to {last} at k = {depth}; the band shows the 95 % intervals.",
    ),
    "drawn.ranks": Bilingual(
        "Złoty fragment stoi na pierwszym miejscu w pytaniach: {first} z {n}; nie znaleziono go w pytaniach: {missed}.",
        "Questions with a gold passage in first place: {first} of {n}; with none found: {missed}.",
    ),
    "published.own": Bilingual("ten plik", "this file"),
    "drawn.published": Bilingual(
        "Opublikowane wartości leżą między {low} a {high}; ten plik: {own}.",
        "The published values lie between {low} and {high}; this file: {own}.",
    ),
    "drawn.forest": Bilingual(
        "Wynik każdego przekroju z przedziałem 95 %; pionowa linia to wynik całego zbioru, {share}. Liczby są w "
        "tabeli.",
        "The score of each slice with its 95 % interval; the upright line is the whole set's, {share}. The numbers "
        "stand in the table.",
    ),
}


def say(key: str, lang: Lang) -> str:
    """A text of the report in one language."""
    return TEXTS[key].say(lang)
