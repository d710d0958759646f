"""Texts of the interface, in Polish and in English: retriever times reader, and the comparison of runs."""

from polqa_demo.errors import Bilingual

COMPARE: dict[str, Bilingual] = {
    # Retriever times reader
    "analysis.attribution": Bilingual("Wyszukiwarka × czytnik", "Retriever × reader"),
    "explain.attribution": Bilingual(
        "Trzy fakty o każdym pytaniu, bez modelu-sędziego: czy złoty fragment jest w pierwszej dziesiątce rankingu, "
        "czy złota odpowiedź stoi w tekstach tej dziesiątki (z dokładnością do odmiany) i czy odpowiedź jest dobra. "
        "Razem dają osiem przypadków. Naciśnij przypadek, a tabela pytań powyżej pokaże tylko jego pytania.",
        "Three facts about each question, without a judge model: is a gold passage among the first ten of the ranking, "
        "does a gold answer stand in the texts of these ten (up to inflection), and is the answer right. Together they "
        "make eight cases. Press a case, and the table of questions above shows its questions alone.",
    ),
    "attribution.unknown": Bilingual(
        "Błędów nie da się tu rozdzielić między wyszukiwarkę i czytnik: potrzebne są teksty fragmentów z rankingu, a "
        "ten program zna tylko korpus {corpus}. Potrzebne są też pytania, które mają i złotą odpowiedź, i złoty "
        "fragment.",
        "Errors cannot be divided between retriever and reader here: the texts of the ranked passages are needed, and "
        "this program knows the corpus {corpus} alone. Questions with both a gold answer and a gold passage are needed "
        "as well.",
    ),
    "attribution.passage_yes": Bilingual("Złoty fragment: w dziesiątce", "Gold passage: in the ten"),
    "attribution.passage_no": Bilingual("Złoty fragment: brak", "Gold passage: missing"),
    "attribution.answer_yes": Bilingual("złota odpowiedź: w tekstach", "gold answer: in the texts"),
    "attribution.answer_no": Bilingual("złota odpowiedź: brak", "gold answer: missing"),
    "attribution.right": Bilingual("odpowiedź dobra", "answer right"),
    "attribution.wrong": Bilingual("odpowiedź błędna", "answer wrong"),
    "attribution.ceiling": Bilingual("Sufit wyszukiwarki", "The retriever’s ceiling"),
    "attribution.passage": Bilingual("złoty fragment w dziesiątce", "gold passage in the ten"),
    "attribution.answer": Bilingual("złota odpowiedź w tekstach dziesiątki", "gold answer in the texts of the ten"),
    "attribution.either": Bilingual("jedno lub drugie", "either"),
    "explain.ceiling": Bilingual(
        "Przy tylu pytaniach wyszukiwarka dała czytnikowi szansę. Czytnik, który tylko czyta dziesiątkę, rzadko "
        "odpowie dobrze częściej; wyżej sięga tym, co wie sam, albo trafem.",
        "For so many questions the retriever gave the reader a chance. A reader that only reads the ten is seldom "
        "right more often; it gets higher by what it knows itself, or by luck.",
    ),
    "attribution.without": Bilingual(
        "Pytania bez złotego fragmentu, pominięte", "Questions without a gold passage, left out"
    ),
    "attribution.unread": Bilingual(
        "Fragmenty z dziesiątek, których tekstu brak w korpusie",
        "Passages of the tens whose text is not in the corpus",
    ),
    "eval.pool": Bilingual("Pobierz nieocenione fragmenty z odpowiedzią", "Download unjudged passages with an answer"),
    "explain.pool": Bilingual(
        "Plik puli: fragmenty z pierwszych dziesiątek, których nikt nie ocenił, choć stoi w nich złota odpowiedź. "
        "Kolumny jak w PolQA; relevant wypełnia oceniający.",
        "The pool file: passages of the first tens that nobody judged though a gold answer stands in them. Columns as "
        "in PolQA; the annotator fills in relevant.",
    ),
    # The same reader on gold passages
    "eval.on_gold_box": Bilingual(
        "Odpowiedzi tego samego czytnika na złotych fragmentach (opcjonalnie)",
        "The same reader’s answers on gold passages (optional)",
    ),
    "eval.on_gold": Bilingual("Odpowiedzi na złotych fragmentach", "Answers on gold passages"),
    "eval.on_gold_hint": Bilingual(
        "Jeden plik odpowiedzi, które ten sam czytnik dał, gdy zamiast znalezionych dostał złote fragmenty. Pokaże, "
        "ile dałby lepszy wybór fragmentów.",
        "One file of the answers that the same reader gave when it got the gold passages instead of the retrieved "
        "ones. It shows what a better choice of passages would bring.",
    ),
    "eval.on_gold_alone": Bilingual(
        "Odpowiedzi na złotych fragmentach porównuje się z odpowiedziami na znalezionych. Dodaj plik odpowiedzi w polu "
        "„2. Predykcje” albo usuń plik odpowiedzi na złotych fragmentach.",
        "Answers on gold passages are compared with answers on retrieved ones. Add a file of answers in the box “2. "
        "Predictions”, or remove the file of answers on gold passages.",
    ),
    "eval.answers_from_gold": Bilingual("odpowiedzi na złotych fragmentach", "answers on gold passages"),
    "beside.title": Bilingual(
        "Ten sam czytnik na złotych fragmentach i na znalezionych",
        "The same reader on gold passages and on retrieved ones",
    ),
    "beside.on_gold": Bilingual("na złotych fragmentach", "on gold passages"),
    "beside.on_retrieved": Bilingual("na znalezionych fragmentach", "on retrieved passages"),
    "beside.both": Bilingual("dobra na jednych i drugich", "right on both"),
    "beside.only_gold": Bilingual("dobra tylko na złotych", "right on gold only"),
    "beside.only_retrieved": Bilingual("dobra tylko na znalezionych", "right on retrieved only"),
    "beside.neither": Bilingual("błędna na jednych i drugich", "wrong on both"),
    "beside.both_why": Bilingual(
        "Ani wyszukiwarka, ani czytnik nie przeszkodziły.", "Neither the retriever nor the reader stood in the way."
    ),
    "beside.only_gold_why": Bilingual(
        "Czytnik umie, gdy dostaje same złote fragmenty: w znalezionych ich zabrakło albo przeszkodziły mu inne.",
        "The reader can with gold passages alone: among the retrieved they were missing, or others misled it.",
    ),
    "beside.only_retrieved_why": Bilingual(
        "Pomógł inny fragment niż złoty, albo to traf.", "A passage other than the gold one helped, or it is luck."
    ),
    "beside.neither_why": Bilingual(
        "Nawet złoty fragment nie pomógł: to sprawa czytnika albo złotej odpowiedzi.",
        "Even the gold passage did not help: a matter of the reader or of the gold answer.",
    ),
    "beside.gain": Bilingual(
        "Lepszy wybór fragmentów mógłby dać najwyżej {points} pkt proc. (pytań: {count}). Sam czytnik, nawet ze złotym "
        "fragmentem, myli się przy {wrong} pytań.",
        "A better choice of passages could win {points} points at most (questions: {count}). The reader itself, even "
        "with the gold passage, is wrong on {wrong} of the questions.",
    ),
    # The comparison
    "analysis.comparison": Bilingual("Porównanie", "Comparison"),
    "explain.comparison": Bilingual(
        "Wszystkie pliki jednego rodzaju, pytanie po pytaniu na tym samym złotym zbiorze. Różnica i jej 95-procentowy "
        "przedział dotyczą tych samych pytań; p poprawiono metodą Holma na liczbę par, pogrubienie: poniżej 0,05.",
        "All files of one kind, question by question against the same gold. The difference and its 95 % interval are "
        "about the same questions; p is corrected by Holm for the number of pairs, bold: below 0.05.",
    ),
    "measure.fuzzy_match": Bilingual(
        "Odsetek dobrych odpowiedzi; przedział Wilsona.", "Share of right answers; Wilson’s interval."
    ),
    "interval.wilson": Bilingual("przedział Wilsona", "Wilson’s interval"),
    "interval.bootstrap": Bilingual("przedział metodą bootstrap", "bootstrap interval"),
    "test.mcnemar": Bilingual("dokładny test McNemara", "McNemar’s exact test"),
    "test.randomisation": Bilingual(
        "losowanie przybliżone ({draws} prób, ziarno {seed})", "approximate randomisation ({draws} draws, seed {seed})"
    ),
    "explain.mcnemar": Bilingual(
        "Dokładny test McNemara: czy pytań, które ma dobrze tylko jeden z dwóch plików, jest po obu stronach tyle, ile "
        "przy rzucie monetą.",
        "McNemar’s exact test: do the questions that just one of the two files has right fall to both sides as by the "
        "toss of a coin.",
    ),
    "explain.randomisation": Bilingual(
        "Losowanie przybliżone: jak często równie duża różnica średnich wychodzi, gdy przy każdym pytaniu losuje się, "
        "który wynik jest czyj.",
        "Approximate randomisation: how often as large a difference of means comes out when for each question it is "
        "drawn by lot whose value is whose.",
    ),
    "ends.newcombe": Bilingual(
        "Przedział różnicy: metoda Newcombe’a dla par (1998, nr 10).",
        "The interval of the difference: Newcombe’s for pairs (1998, method 10).",
    ),
    "ends.bootstrap": Bilingual(
        "Przedział różnicy: metoda bootstrap.", "The interval of the difference: the bootstrap’s."
    ),
    "ends.bound": Bilingual(
        "Gdy wszystkie wartości (różnice) są równe, bootstrap nie ma czego losować: przedział sięga tam, dokąd średnią "
        "mogłyby przesunąć inne pytania, na które przy tylu pytaniach mogło się nie trafić (granica "
        "Cloppera–Pearsona).",
        "Where all values (or differences) are equal, the bootstrap has nothing to draw: the interval reaches as far "
        "as other questions could move the mean that so many questions may have missed (Clopper and Pearson’s limit).",
    ),
    "comparison.run": Bilingual("plik", "file"),
    "comparison.fused": Bilingual("połączone rankingi", "fused rankings"),
    "explain.fused": Bilingual(
        "RRF to dodatkowy przebieg: wszystkie rankingi połączone metodą reciprocal rank fusion (k = 60). Jego wynik "
        "mówi, co dałoby ich użycie razem.",
        "RRF is a further run: all rankings joined by reciprocal rank fusion (k = 60). Its score says what using them "
        "together would bring.",
    ),
    "comparison.pairs": Bilingual("Pary", "Pairs"),
    "comparison.pair": Bilingual("para", "pair"),
    "comparison.difference": Bilingual("różnica", "difference"),
    "comparison.test": Bilingual("test", "test"),
    "comparison.outcomes": Bilingual("lepiej / tak samo / gorzej", "better / equal / worse"),
    "comparison.oracle": Bilingual("wyrocznia", "oracle"),
    "explain.oracle": Bilingual(
        "Wyrocznia bierze przy każdym pytaniu najlepszy z plików: tyle dałby doskonały wybór między nimi.",
        "The oracle takes the best of the files for each question: what a perfect choice between them would give.",
    ),
    "comparison.gain": Bilingual("ponad najlepszy plik", "above the best file"),
    "comparison.alone": Bilingual(
        "Najlepszy jest tylko {run} (pytań: {count}):", "Only {run} does best (questions: {count}):"
    ),
    "comparison.unreached": Bilingual(
        "Pytania, przy których żaden plik nie trafił", "Questions on which no file scores"
    ),
    "comparison.secret": Bilingual(
        "Złoty zbiór jest tajny: są tylko sumy, bez wykazu pytań.",
        "The gold is secret: there are totals alone, no list of questions.",
    ),
    # Questions that part two runs
    "flips.title": Bilingual("Które pytania je różnią", "Which questions part them"),
    "flips.measure": Bilingual("Miara", "Measure"),
    "flips.pair": Bilingual("Para", "Pair"),
    "flips.side": Bilingual("Kto lepiej", "Who is better"),
    "flips.slice": Bilingual("Przekrój", "Slice"),
    "flips.page": Bilingual("Wiersze", "Rows"),
    "flips.both": Bilingual("oba kierunki", "both ways"),
    "flips.better": Bilingual("lepiej", "better"),
    "flips.same": Bilingual("tak samo", "equal"),
    "flips.all": Bilingual("wszystkie pytania", "all questions"),
    "flips.rows": Bilingual("{first}–{last} z {total}", "{first}–{last} of {total}"),
    "flips.none": Bilingual(
        "Żadne pytanie ich tu nie różni. Wybierz inną parę, miarę albo przekrój.",
        "No question parts them here. Choose another pair, measure or slice.",
    ),
    "flips.question": Bilingual("pytanie", "question"),
    "flips.gold": Bilingual("złote", "gold"),
    "flips.rank": Bilingual("miejsce", "rank"),
    "flips.no_rank": Bilingual("brak", "none"),
    "flips.press": Bilingual(
        "Naciśnij numer pytania, a wszystkie pliki staną obok siebie na dole.",
        "Press a question’s number, and all files stand side by side below.",
    ),
    # One question, all runs
    "beside_runs.title": Bilingual("Jedno pytanie, wszystkie pliki", "One question, all files"),
    "beside_runs.id": Bilingual("Numer (id) pytania", "Id of a question"),
    "beside_runs.show": Bilingual("Pokaż", "Show"),
    "beside_runs.start": Bilingual(
        "Wpisz id pytania albo naciśnij je w tabeli powyżej.", "Type the id of a question or press it in the table."
    ),
    "beside_runs.unknown": Bilingual(
        "W złotym zbiorze nie ma pytania o takim id. Przepisz je z tabeli powyżej.",
        "The gold has no question of this id. Take one from the table above.",
    ),
    "beside_runs.gold_answers": Bilingual("złote odpowiedzi", "gold answers"),
    "beside_runs.no_answers": Bilingual("brak złotej odpowiedzi", "no gold answer"),
    "beside_runs.answer": Bilingual("odpowiedź", "answer"),
    "beside_runs.no_answer": Bilingual("(brak odpowiedzi)", "(no answer)"),
    "beside_runs.passage": Bilingual("złoty fragment", "gold passage"),
    "beside_runs.gold": Bilingual("złoty", "gold"),
    "beside_runs.gold_ranks": Bilingual("Miejsca złotych fragmentów", "Ranks of the gold passages"),
    "beside_runs.no_gold": Bilingual("To pytanie nie ma złotego fragmentu.", "This question has no gold passage."),
    "explain.beside_runs": Bilingual(
        "Pierwsze dziesiątki rankingów kolumna przy kolumnie; pod fragmentem jego miejsca w pozostałych rankingach "
        "(–: nie ma go tam).",
        "The first tens of the rankings, column by column; below each passage its ranks in the others (–: not there).",
    ),
}
