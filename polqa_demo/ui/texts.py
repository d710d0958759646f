"""Every text of the interface, in Polish and in English."""

from polqa_demo.errors import Bilingual, Lang
from polqa_demo.ui.texts_compare import COMPARE
from polqa_demo.ui.texts_context import CONTEXT
from polqa_demo.ui.texts_items import ITEMS
from polqa_demo.ui.texts_runs import RUNS

TEXTS: dict[str, Bilingual] = {
    **ITEMS,
    **COMPARE,
    **CONTEXT,
    **RUNS,
    "app.subtitle": Bilingual(
        "Odpowiada na polskie pytania na podstawie fragmentów tekstów i ocenia odpowiedzi oraz rankingi innych "
        "systemów.",
        "Answers Polish questions from passages and scores the answers and rankings of other systems.",
    ),
    "tab.ask": Bilingual("Zapytaj", "Ask"),
    "tab.evaluate": Bilingual("Oceń", "Evaluate"),
    # Ask
    "ask.question": Bilingual("Pytanie", "Question"),
    "ask.placeholder": Bilingual("Zadaj pytanie po polsku", "Ask a question in Polish"),
    "ask.button": Bilingual("Zapytaj", "Ask"),
    "ask.settings": Bilingual("Ustawienia", "Settings"),
    "ask.retriever": Bilingual("Wyszukiwarka", "Retriever"),
    "ask.reader": Bilingual("Czytnik", "Reader"),
    "ask.top_k": Bilingual("Liczba fragmentów", "Number of passages"),
    "ask.passages_count": Bilingual("fragmenty", "passages"),
    "ask.start": Bilingual(
        "Wpisz pytanie. Odpowiedź i fragmenty, z których pochodzi, pojawią się tutaj.",
        "Type a question. The answer and the passages behind it will appear here.",
    ),
    "ask.sample": Bilingual(
        "Korpus to wbudowany polqa-demo-sample: niecałe 400 fragmentów o geografii, historii Polski, literaturze, "
        "muzyce, przyrodzie i technice. Na pytania o wszystko inne nie zna odpowiedzi. Spróbuj na przykład:",
        "The corpus is the embedded polqa-demo-sample: nearly 400 passages on geography, Polish history, literature, "
        "music, nature and technology. It knows nothing of anything else. Try, for example:",
    ),
    "ask.loading": Bilingual(
        "Wczytuję modele. Pierwsze pytanie po starcie programu czeka na nie kilka sekund.",
        "Loading the models. The first question after the start waits for them some seconds.",
    ),
    "ask.searching": Bilingual("Szukam odpowiedzi…", "Looking for the answer…"),
    "ask.asked": Bilingual("Pytanie:", "Question:"),
    "part.lexical": Bilingual("słowa", "words"),
    "part.dense": Bilingual("wektory", "vectors"),
    "part.hybrid": Bilingual("połączenie", "fusion"),
    "part.rerank": Bilingual("reranker", "reranker"),
    "ask.rank": Bilingual("pozycja", "rank"),
    "ask.part_score": Bilingual("wynik", "score"),
    "ask.part_added": Bilingual("wkład", "share"),
    "ask.fold": Bilingual("Zwiń prawie takie same fragmenty", "Fold passages that are nearly the same"),
    "ask.folded": Bilingual("prawie takie same", "nearly the same"),
    "ask.unsure": Bilingual("Niepewna odpowiedź, raczej domysł:", "Unsure, rather a guess:"),
    "ask.no_answer": Bilingual("Nie znajduję odpowiedzi w tych fragmentach", "No answer in these passages"),
    "ask.no_passages": Bilingual(
        "Żadne ze słów pytania nie występuje w korpusie. Zadaj pytanie po polsku, innymi słowami.",
        "No word of the question occurs in the corpus. Ask in Polish, in other words.",
    ),
    "ask.confidence": Bilingual("pewność", "confidence"),
    "ask.from_passage": Bilingual("z fragmentu", "from passage"),
    "ask.retrieval": Bilingual("wyszukiwanie", "retrieval"),
    "ask.reading": Bilingual("czytanie", "reading"),
    "ask.score": Bilingual("wynik", "score"),
    "ask.why": Bilingual("dlaczego", "why"),
    "ask.matched_nothing": Bilingual("żadne słowo pytania", "no word of the question"),
    "ask.passages": Bilingual("Fragmenty", "Passages"),
    "ask.gold_right": Bilingual("Zgodne ze złotą odpowiedzią", "Agrees with the gold answer"),
    "ask.gold_wrong": Bilingual("Niezgodne ze złotą odpowiedzią", "Does not agree with the gold answer"),
    "ask.gold_rank": Bilingual("złoty fragment na miejscu", "gold passage at rank"),
    "ask.gold_not_found": Bilingual("złotego fragmentu tu nie ma", "the gold passage is not here"),
    "ask.gold_none": Bilingual("pytanie bez złotego fragmentu", "a question without a gold passage"),
    "ask.wikipedia": Bilingual("Wikipedia (otwiera nową kartę)", "Wikipedia (opens a new tab)"),
    # Evaluate
    "eval.gold": Bilingual("1. Złoty zbiór", "1. Gold set"),
    "eval.gold_file": Bilingual(
        "Złoty zbiór: CSV, TSV, JSONL, Excel, parquet", "Gold set: CSV, TSV, JSONL, Excel, parquet"
    ),
    "eval.own_gold": Bilingual("własny plik", "a file of your own"),
    "eval.report_alone": Bilingual(
        "Wśród plików jest zapisany raport JSON. Otwiera się go osobno: usuń pozostałe pliki albo usuń raport.",
        "One of the files is a saved JSON report. It is opened alone: remove the other files, or the report.",
    ),
    "eval.report_opened": Bilingual(
        "To zapisany raport: wyniki policzono na nowo z jego pozycji, względem złotych odpowiedzi, które w nim stoją. "
        "Wybrany powyżej złoty zbiór nie ma tu znaczenia.",
        "This is a saved report: the scores were counted again from its items, against the gold answers in it. The "
        "gold set chosen above does not matter here.",
    ),
    "eval.files": Bilingual("2. Predykcje", "2. Predictions"),
    "eval.files_hint": Bilingual(
        "Upuść plik odpowiedzi, plik rankingów albo oba: CSV, TSV, JSONL, TREC, Excel, parquet lub jedna odpowiedź "
        "w wierszu. "
        "Nie masz pliku? Wypróbuj predykcje do wbudowanego zbioru:",
        "Drop a file of answers, of rankings, or both: CSV, TSV, JSONL, TREC, Excel, parquet or one answer a line. "
        "No file at hand? Try predictions for the embedded set:",
    ),
    "eval.good": Bilingual("dobre", "good"),
    "eval.weak": Bilingual("słabe", "weak"),
    "eval.broken": Bilingual("zepsute", "broken"),
    "eval.recognition": Bilingual(
        "Jak odczytać pliki (rozpoznawane z treści; tu można to zmienić)",
        "How to read the files (recognised by content; change it here)",
    ),
    "eval.as_kind": Bilingual("Co to jest", "What it is"),
    "eval.as_encoding": Bilingual("Kodowanie", "Encoding"),
    "eval.as_form": Bilingual("Postać", "Form"),
    "eval.as_header": Bilingual("Pierwszy wiersz", "First row"),
    "eval.as_quotes": Bilingual("Cudzysłowy komórek (TSV)", "Quotes of cells (TSV)"),
    "eval.as_answer_column": Bilingual("Kolumna odpowiedzi (nazwa)", "Column of the answers (name)"),
    "eval.as_duplicates": Bilingual("Różne odpowiedzi na pytanie", "Different answers to a question"),
    "eval.as_gold_kind": Bilingual("Własne złoto bez nagłówka to", "Own gold without a header is"),
    "eval.as_unanswerable": Bilingual("Pytania bez złotej odpowiedzi", "Questions without a gold answer"),
    "choice.quoted": Bilingual("jak w CSV: zdjąć", "as in CSV: take off"),
    "choice.unquoted": Bilingual("należą do tekstu", "part of the text"),
    "choice.refuse": Bilingual("odrzuć plik", "refuse the file"),
    "choice.first": Bilingual("liczy się pierwsza", "the first counts"),
    "choice.last": Bilingual("liczy się ostatnia", "the last counts"),
    "choice.gold-answers": Bilingual("odpowiedzi", "answers"),
    "choice.gold-passages": Bilingual("fragmenty", "passages"),
    "choice.leave-out": Bilingual("pomiń", "leave out"),
    "choice.abstain": Bilingual("trafna jest pusta odpowiedź", "an empty answer is right"),
    "choice.ranks": Bilingual("ranking długi z pozycjami", "long ranking with ranks"),
    "choice.distances": Bilingual("ranking długi z odległościami", "long ranking with distances"),
    "choice.auto": Bilingual("z treści pliku", "by content"),
    "choice.answers": Bilingual("odpowiedzi", "answers"),
    "choice.rankings": Bilingual("rankingi", "rankings"),
    "choice.header": Bilingual("nagłówek", "a header"),
    "choice.data": Bilingual("dane", "data"),
    "choice.lines": Bilingual("jedna odpowiedź w wierszu", "one answer a line"),
    "choice.semicolon": Bilingual("CSV ze średnikami", "CSV with semicolons"),
    "choice.wide": Bilingual("ranking szeroki (pytanie w wierszu)", "wide ranking (a question a line)"),
    "choice.long": Bilingual("ranking długi (fragment w wierszu)", "long ranking (a passage a line)"),
    "eval.html": Bilingual("Pobierz HTML", "Download HTML"),
    "eval.markdown": Bilingual("Pobierz Markdown", "Download Markdown"),
    "eval.latex": Bilingual("Pobierz LaTeX", "Download LaTeX"),
    "eval.trec": Bilingual("Pobierz wyniki pytań (trec_eval)", "Download per question (trec_eval)"),
    "eval.kept": Bilingual(
        "Pliki służą tylko Twojej sesji. Jeśli zaznaczysz to pole, gospodarz strony zachowa na stałe wynik z datą, "
        "raport (pytania, Twoje odpowiedzi, uwagi) oraz nazwy i sumy kontrolne plików. Samych plików, Twojego imienia "
        "ani adresu nie zapisuje.",
        "Your files serve your session alone. If you tick this box, the operator of this page keeps for good the "
        "score with its date, the report (questions, your answers, problems), and the names and checksums of the "
        "files. Neither the files themselves nor your name or address are stored.",
    ),
    "eval.keep": Bilingual(
        "Zachowaj tę ocenę u gospodarza strony", "Let the operator of this page keep this evaluation"
    ),
    "eval.kept_done": Bilingual(
        "Ocenę zachowano u gospodarza strony.", "The operator of this page has kept this evaluation."
    ),
    "eval.not_kept": Bilingual(
        "Tej oceny nie udało się zachować u gospodarza strony. Wynik jest pełny; pobierz raport.",
        "This evaluation could not be kept by the operator of this page. The score is complete; download the report.",
    ),
    "eval.secret": Bilingual(
        "Ten złoty zbiór jest tajny: są tylko sumy, bez wyników poszczególnych pytań.",
        "This gold is secret: there are totals alone, no results of single questions.",
    ),
    "eval.button": Bilingual("3. Oceń", "3. Evaluate"),
    "eval.start": Bilingual(
        "Wybierz złoty zbiór, upuść pliki z predykcjami i naciśnij „Oceń”. Najpierw pokażą się uwagi, potem wynik.",
        "Choose the gold set, drop files of predictions and press “Evaluate”. Problems come first, then the score.",
    ),
    "eval.changed": Bilingual(
        "Zmieniono pliki lub złoty zbiór. Naciśnij „Oceń”.",
        "The files or the gold set have changed. Press “Evaluate”.",
    ),
    "eval.gone": Bilingual(
        "Tego wyniku nie ma już na serwerze: uruchomiono go ponownie, wczytano na nowo stronę albo minęła godzina. "
        "Złoty zbiór i wybory zostały. Upuść pliki jeszcze raz i naciśnij „Oceń”.",
        "The server has this result no longer: it was restarted, the page was loaded anew, or an hour has passed. The "
        "gold set and your choices are kept. Drop the files once more and press “Evaluate”.",
    ),
    "eval.files_gone": Bilingual(
        "Tych plików nie ma już na serwerze: uruchomiono go ponownie albo minęła godzina. Złoty zbiór i wybory "
        "zostały. Usuń pliki z pola, upuść je jeszcze raz i naciśnij „Oceń”.",
        "The server has these files no longer: it was restarted, or an hour has passed. The gold set and your choices "
        "are kept. Remove the files from their box, drop them once more and press “Evaluate”.",
    ),
    "eval.no_files": Bilingual(
        "Upuść najpierw plik odpowiedzi lub rankingów.", "Drop a file of answers or of rankings first."
    ),
    "eval.no_gold": Bilingual("Upuść najpierw plik złotego zbioru.", "Drop the file of the gold set first."),
    "eval.refused": Bilingual("Nie mogę tego ocenić", "This cannot be scored"),
    "eval.problems": Bilingual("Uwagi", "Problems"),
    "eval.line": Bilingual("wiersz", "line"),
    "eval.lines": Bilingual("wiersze", "lines"),
    "eval.of": Bilingual("z", "of"),
    "eval.recognised": Bilingual("rozpoznano", "recognised"),
    "eval.answerable": Bilingual("pytania z odpowiedzią", "questions with an answer"),
    "eval.unanswerable": Bilingual("bez odpowiedzi (dobra jest pusta)", "without one (empty is right)"),
    "eval.answers": Bilingual("odpowiedzi", "answers"),
    "eval.rankings": Bilingual("rankingi", "rankings"),
    "eval.all_questions": Bilingual("wszystkie pytania", "all questions"),
    "eval.signature": Bilingual(
        "sygnatura (równe sygnatury – porównywalne wyniki)", "signature (equal signatures – comparable scores)"
    ),
    "eval.copy": Bilingual("Kopiuj sygnaturę", "Copy the signature"),
    "eval.items": Bilingual("Pytania", "Questions"),
    "eval.filter": Bilingual("Pokaż", "Show"),
    "eval.all": Bilingual("wszystkie", "all"),
    "eval.wrong": Bilingual("błędne odpowiedzi", "wrong answers"),
    "eval.right": Bilingual("poprawne odpowiedzi", "right answers"),
    "eval.near": Bilingual("bliskie", "near misses"),
    "eval.stem": Bilingual("odmiana", "inflected"),
    "eval.format": Bilingual("zapis", "format"),
    "eval.number_elsewhere": Bilingual("liczba gdzie indziej", "number elsewhere"),
    "eval.empty": Bilingual("puste", "empty"),
    "eval.missed": Bilingual("bez złotego fragmentu w dziesiątce", "no gold passage in the ten"),
    "eval.csv": Bilingual("Pobierz CSV", "Download CSV"),
    "eval.json": Bilingual("Pobierz raport JSON", "Download JSON report"),
    "eval.two_of_a_kind": Bilingual(
        "Upuszczono kilka plików jednego rodzaju. Wynik pokazuje pierwszy z nich; wszystkie porównuje część "
        "„Porównanie” pod wynikiem.",
        "Several files of one kind were dropped. The score is that of the first; the part “Comparison” under it "
        "compares them all.",
    ),
    "explain.fuzzy_match": Bilingual(
        "Odsetek pytań, na które odpowiedź pasuje do którejś ze złotych.",
        "Share of questions whose answer matches any of the golds.",
    ),
    "rule.poleval": Bilingual(
        "Reguła poleval (PolEval 2021): liczba musi być ta sama, tekst może różnić się najwyżej o połowę długości "
        "złotej odpowiedzi.",
        "The rule poleval (PolEval 2021): a number must be the same, a text may differ by half of the gold's length at "
        "most.",
    ),
    "rule.readme": Bilingual(
        "Reguła readme (opis konkursu): tekst różni się o mniej niż połowę długości złotej odpowiedzi, liczby "
        "porównuje się, gdy są po obu stronach.",
        "The rule readme (the text of the challenge): a text differs by less than half of the gold's length, numbers "
        "are compared where both sides have one.",
    ),
    "rule.card": Bilingual(
        "Reguła card (karta PolQA): wielkość liter ma znaczenie, o pytaniu o liczbę rozstrzyga pierwsza złota "
        "odpowiedź.",
        "The rule card (PolQA's card): case counts, and the first gold decides whether a number is asked for.",
    ),
    "rule.exact": Bilingual(
        "Reguła exact: równość bez względu na wielkość liter i odstępy na brzegach.",
        "The rule exact: equality, whatever the case and the blanks at the ends.",
    ),
    "eval.other_rules": Bilingual("inne reguły", "other rules"),
    "explain.accuracy": Bilingual(
        "Odsetek pytań, dla których w pierwszej dziesiątce stoi złoty fragment. Liczą się pytania, które taki fragment "
        "mają; obok wynik dla wszystkich pytań.",
        "Share of questions with a gold passage among the first ten. The questions that have one count; the value "
        "over all questions stands beside it.",
    ),
    "explain.rules": Bilingual(
        "Pozostałe reguły to inne odczyty tej samej miary, podawane osobno: poleval – PolEval 2021, readme – opis "
        "konkursu, card – karta PolQA, exact – dokładna równość.",
        "The other rules are other readings of the measure, never mixed in: poleval is PolEval 2021's, readme the text "
        "of the challenge, card PolQA's card, exact plain equality.",
    ),
    "explain.interval": Bilingual(
        "W nawiasie 95-procentowy przedział Wilsona.", "In brackets the 95 % Wilson interval."
    ),
    # Columns of the table of items
    "column.id": Bilingual("id", "id"),
    "column.question": Bilingual("pytanie", "question"),
    "column.prediction": Bilingual("odpowiedź", "answer"),
    "column.golds": Bilingual("złote", "gold"),
    "column.verdict": Bilingual("werdykt", "verdict"),
    "column.why": Bilingual("dlaczego", "why"),
    "column.rank": Bilingual("złoty fragment", "gold passage"),
    "verdict.right": Bilingual("poprawna", "right"),
    "verdict.wrong": Bilingual("błędna", "wrong"),
    "verdict.hit": Bilingual("miejsce", "rank"),
    "verdict.miss": Bilingual("nie ma w rankingu", "not ranked"),
    "verdict.unjudged": Bilingual("bez złotego fragmentu", "none known"),
    "why.empty": Bilingual("brak odpowiedzi lub złota", "no answer or no gold"),
    "why.number": Bilingual("liczba", "number"),
    "why.no_number": Bilingual("brak liczby", "no number"),
    "why.text": Bilingual("odległość", "distance"),
    "why.limit": Bilingual("limit", "limit"),
    "why.exact": Bilingual("dokładna równość", "exact equality"),
    # Behind the score
    "analysis.slices": Bilingual("Przekroje", "Slices"),
    "analysis.uncertainty": Bilingual("Niepewność", "Uncertainty"),
    "analysis.audit": Bilingual("Audyt pliku", "Audit of the file"),
    "analysis.slice": Bilingual("przekrój", "slice"),
    "analysis.value": Bilingual("wartość", "value"),
    "analysis.result": Bilingual("wynik", "score"),
    "analysis.difference": Bilingual("różnica (pkt)", "difference (points)"),
    "analysis.small": Bilingual("mało", "small"),
    "analysis.small_slices": Bilingual("Małe przekroje, poniżej 30 pytań", "Small slices, below 30 questions"),
    "analysis.total": Bilingual("razem", "all"),
    "analysis.words": Bilingual("Słowa pytań, przy których częściej są błędy", "Question words that go with errors"),
    "analysis.word": Bilingual("słowo", "word"),
    "analysis.errors_with": Bilingual("błędy ze słowem", "errors with it"),
    "analysis.errors_without": Bilingual("błędy bez słowa", "errors without it"),
    "analysis.bounds": Bilingual(
        "Jakiekolwiek byłyby brakujące odpowiedzi lub rankingi, wynik leży między",
        "Whatever the missing answers or rankings are, the score lies between",
    ),
    "analysis.smallest_unpaired": Bilingual(
        "Najmniejsza różnica, jaką przy tylu pytaniach można odróżnić (wyniki z różnych pytań)",
        "The smallest difference that so many questions can tell apart (scores on different questions)",
    ),
    "analysis.smallest_paired": Bilingual(
        "To samo dla dwóch systemów na tych samych pytaniach, w najlepszym razie",
        "The same for two systems on the same questions, at best",
    ),
    "analysis.points": Bilingual("pkt proc.", "points"),
    "analysis.floor": Bilingual("Próg szumu", "Noise floor"),
    "analysis.floor_yes": Bilingual("„tak” wszędzie", "“tak” everywhere"),
    "analysis.floor_everywhere": Bilingual("wszędzie", "everywhere"),
    "analysis.floor_another": Bilingual("złota odpowiedź innego pytania", "another question's gold"),
    "analysis.flips": Bilingual("Werdykty inne według reguły", "Verdicts that differ by the rule"),
    "analysis.lost": Bilingual("dobre stają się złe:", "right become wrong:"),
    "analysis.gained": Bilingual("złe stają się dobre:", "wrong become right:"),
    "analysis.like_gold": Bilingual(
        "Odpowiedzi identyczne ze złotymi, co do litery", "Answers identical with a gold, letter by letter"
    ),
    "analysis.is_gold": Bilingual("to najpewniej sam złoty zbiór", "this is most likely the gold itself"),
    "analysis.no_answers": Bilingual(
        "Audyt dotyczy odpowiedzi; oceniono same rankingi.", "The audit is about answers."
    ),
    "analysis.clean": Bilingual("Zapis odpowiedzi nic nie kosztuje.", "The writing of the answers costs nothing."),
    "analysis.damage": Bilingual("co", "what"),
    "analysis.affected": Bilingual("odpowiedzi", "answers"),
    "analysis.if_repaired": Bilingual("pkt po naprawie", "points if repaired"),
    "analysis.net": Bilingual("netto", "net"),
    "analysis.examples": Bilingual("pierwsze przypadki", "first cases"),
    "explain.slices": Bilingual(
        "Różnica względem pozostałych pytań w punktach procentowych; p z dokładnego testu Fishera, poprawione metodą "
        "Holma na liczbę przekrojów. „Mało”: mniej niż 30 pytań.",
        "Difference from the rest in points; p of Fisher's exact test, corrected by Holm for the number of slices. "
        "“Small”: fewer than 30 questions.",
    ),
    "explain.words": Bilingual(
        "Rdzenie słów, które stoją w co najmniej 5 pytaniach; pełna lista jest w raporcie JSON.",
        "Stems that stand in at least 5 questions; the whole list is in the JSON report.",
    ),
    "explain.bootstrap": Bilingual(
        "Przedziały 95 % średnich metodą bootstrap", "95 % intervals of the means by bootstrap"
    ),
    "explain.smallest": Bilingual(
        "Moc 80 %, poziom istotności 5 %. Próg szumu: ile dostałby na tym zbiorze ktoś, kto nie czyta pytań.",
        "Power 80 %, level 5 %. Noise floor: what somebody who does not read the questions would get on this gold.",
    ),
    "explain.audit": Bilingual(
        "Wynik liczy się zawsze z pliku takiego, jaki jest; tu widać, ile punktów kosztuje sam zapis. Odpowiedź, którą "
        "naprawa czyni dobrą, ma przyczynę „zapis”.",
        "The score is always that of the file as it is; this shows how many points the writing alone costs. An answer "
        "that a repair makes right has the cause “format”.",
    ),
    # About
    "about.title": Bilingual("O danych i licencjach", "About the data and licences"),
    "about.text": Bilingual(
        "Wbudowany zbiór **polqa-demo-sample** napisano dla tego programu w układzie PolQA (CC BY-SA 4.0); to nie jest "
        "PolQA i jego wyników nie wolno z PolQA porównywać. **PolQA**: P. Rybak, P. Przybyła, M. Ogrodniczuk, "
        "arXiv 2212.08897, CC BY-SA 4.0; fragmenty pochodzą z polskiej Wikipedii (CC BY-SA). Miara fuzzy_match: "
        "PolEval 2021, zadanie 4. Program: Apache-2.0. Przesłane pliki są używane tylko w Twojej sesji, potem usuwane.",
        "The embedded set **polqa-demo-sample** was written for this program in PolQA's layout (CC BY-SA 4.0); it is "
        "not PolQA, and its scores may not be compared with PolQA's. **PolQA**: P. Rybak, P. Przybyła, M. Ogrodniczuk, "
        "arXiv 2212.08897, CC BY-SA 4.0; its passages come from Polish Wikipedia (CC BY-SA). The measure fuzzy_match: "
        "PolEval 2021, task 4. The program: Apache-2.0. Uploaded files serve your session alone and are deleted.",
    ),
    "error.unexpected": Bilingual(
        "Coś poszło nie tak po stronie programu. Twoje pliki i pytanie są nietknięte; spróbuj ponownie.",
        "Something went wrong inside the program. Your files and question are untouched; try again.",
    ),
}


def say(key: str, lang: Lang) -> str:
    """A text of the interface in one language."""
    return TEXTS[key].say(lang)


def language(value: object) -> Lang:
    """The interface language for a browser's: Polish for Polish, English for everything else."""
    return "pl" if str(value or "").lower().startswith("pl") else "en"
