"""Texts of the interface, in Polish and in English: plots, published figures, and what each measure means."""

from polqa_demo.errors import Bilingual

CONTEXT: dict[str, Bilingual] = {
    "analysis.ranks": Bilingual("Miejsca złotych fragmentów", "Ranks of the gold passages"),
    "analysis.published": Bilingual("Na tle publikacji", "Beside published figures"),
    "explain.curve": Bilingual(
        "Krzywa: odsetek pytań, dla których złoty fragment stoi wśród k pierwszych, z 95-procentowym przedziałem "
        "Wilsona (pas). Gdzie krzywa jeszcze rośnie, tam reranker albo głębsze czytanie ma co zyskać.",
        "The curve: share of questions with a gold passage among the first k, with its 95 % Wilson interval (the "
        "band). Where it still rises, a reranker or deeper reading has something to gain.",
    ),
    "explain.ranks": Bilingual(
        "Słupki: na którym miejscu stoi pierwszy złoty fragment. Ostatni słupek to pytania, w których go nie ma.",
        "The bars: at which rank the first gold passage stands. The last bar counts the questions without one.",
    ),
    "published.split": Bilingual("Ten złoty zbiór to", "This gold set is"),
    "published.polqa/test": Bilingual("PolQA, część testowa", "PolQA, test split"),
    "published.allegro-faq": Bilingual("Allegro FAQ", "Allegro FAQ"),
    "published.poleval2021/test-B": Bilingual("PolEval 2021, test-B", "PolEval 2021, test-B"),
    "published.other": Bilingual("inny", "another"),
    "published.none": Bilingual(
        "Dla tego zbioru nie ma opublikowanych wartości. Jeśli to jeden ze zbiorów powyżej, wskaż go.",
        "Nothing is published on this gold set. If it is one of those above, say which.",
    ),
    "published.why_not": Bilingual(
        "Tego wyniku nie wolno zestawić z opublikowanymi:", "This score may not stand beside the published ones:"
    ),
    "published.source": Bilingual("Źródło", "Source"),
    "explain.published": Bilingual(
        "Pas opublikowanych wartości pojawia się tylko wtedy, gdy zgadzają się miara, część zbioru, źródło złotych "
        "fragmentów, liczba pytań i mianownik. Że to naprawdę ten zbiór, wiesz tylko Ty.",
        "The band of published values appears only when measure, split, gold source, number of questions and "
        "denominator agree. That it really is this set, only you know.",
    ),
}
