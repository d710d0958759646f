"""Texts of the interface, in Polish and in English: runs over a whole gold set."""

from polqa_demo.errors import Bilingual

RUNS: dict[str, Bilingual] = {
    "runs.box": Bilingual("Nie masz plików? Uruchom na zbiorze", "No files? Run over a gold set"),
    "runs.lead": Bilingual(
        "Program sam odpowie na wszystkie pytania zbioru: wyszuka fragmenty, przeczyta je, przeczyta też złote "
        "fragmenty, a potem oceni jedno i drugie. Wynik pokaże się niżej. Gotowe przebiegi są wspólne dla wszystkich "
        "odwiedzających.",
        "The program itself answers all questions of the set: it retrieves passages, reads them, reads the gold "
        "passages as well, and scores both. The result appears below. Finished runs are shared by all visitors.",
    ),
    "runs.gold": Bilingual("Złoty zbiór", "Gold set"),
    "runs.start": Bilingual("Uruchom", "Run"),
    "runs.pause": Bilingual("Wstrzymaj", "Pause"),
    "runs.no_gold": Bilingual(
        "Żaden z jawnych złotych zbiorów nie należy do przeszukiwanego korpusu.",
        "None of the public gold sets belongs to the corpus that is searched.",
    ),
    "runs.choose": Bilingual("Wybierz najpierw złoty zbiór.", "Choose a gold set first."),
    "runs.opening": Bilingual("Otwieram wyszukiwarkę i czytnik…", "Opening retriever and reader…"),
    "runs.waiting": Bilingual(
        "Trwa inny przebieg. Ten zacznie się zaraz po nim; można zostawić tę stronę otwartą.",
        "Another run is under way. This one starts right after it; the page may stay open.",
    ),
    "runs.busy": Bilingual(
        "Ten przebieg jest właśnie liczony, u Ciebie albo u kogoś innego, lub jeszcze się zatrzymuje. Poczekaj chwilę "
        "i naciśnij „Uruchom” ponownie: gotowa praca nie przepada i jest wspólna.",
        "This run is being computed at this moment, by you or by somebody else, or is still coming to a stop. Wait a "
        "little and press “Run” again: finished work is kept and shared.",
    ),
    "runs.paused": Bilingual(
        "Wstrzymano. To, co gotowe, zostaje; „Uruchom” podejmie pracę w tym miejscu.",
        "Paused. What is done is kept; “Run” goes on from here.",
    ),
    "runs.stage": Bilingual("Etap", "Stage"),
    "runs.of": Bilingual("z", "of"),
    "runs.rankings": Bilingual("wyszukiwanie fragmentów", "retrieving passages"),
    "runs.answers": Bilingual("czytanie znalezionych fragmentów", "reading the retrieved passages"),
    "runs.answers-from-gold": Bilingual("czytanie złotych fragmentów", "reading the gold passages"),
    "runs.questions": Bilingual("pytania", "questions"),
    "runs.left": Bilingual("do końca etapu około", "left in this stage: about"),
    "runs.minutes": Bilingual("min", "min"),
    "runs.under_a_minute": Bilingual("do końca etapu mniej niż minuta", "left in this stage: less than a minute"),
    "runs.done": Bilingual("Przebieg gotowy, oceniam go.", "The run is finished and is being scored."),
    "runs.scored": Bilingual(
        "Przebieg oceniony: pliki są wyżej, wynik niżej.", "The run is scored: its files are above, the result below."
    ),
}
