"""What the command line prints: answers, scores, problems and rankings as text."""

from collections.abc import Sequence

from polqa_demo.comparison import Compared
from polqa_demo.errors import Bilingual, Lang, Problem, number
from polqa_demo.evaluation.attribution import CELLS, Attribution, ReaderBeside
from polqa_demo.evaluation.audit import audit
from polqa_demo.evaluation.fuzzy_match import rule_measure
from polqa_demo.evaluation.ranking import HEADLINE
from polqa_demo.evaluation.report import AnswerScores, Report
from polqa_demo.evaluation.shares import Share
from polqa_demo.pipeline import Asked, Hit
from polqa_demo.reports.score_texts import (
    difference_ends,
    difference_text,
    interval,
    mean_text,
    measure_name,
    measure_text,
    p_value,
    percent,
    rule_name,
    score_text,
)

ERROR = Bilingual("błąd", "error")
STOPPED = Bilingual(
    "Przerwano. To samo polecenie podejmie pracę tam, gdzie stanęła.",
    "Stopped. The same command goes on where it was.",
)
INDEXING = Bilingual("Indeksuję korpus", "Indexing the corpus")
NOTHING_TO_SCORE = Bilingual("Podaj --answers lub --rankings.", "Give --answers or --rankings.")
RANKINGS_AND_GOLD = Bilingual(
    "Podaj --rankings albo --gold-passages, nie oba naraz.", "Give --rankings or --gold-passages, not both."
)
COMPARISON_LEGEND = Bilingual(
    "Pary: różnica pierwszego i drugiego (odsetków w punktach procentowych), przedział 95 % (odsetków: Newcombe dla "
    "par, innych średnich: bootstrap, a przy samych równych różnicach granica Cloppera–Pearsona), p po poprawce Holma, "
    "pytania lepsze/równe/gorsze. Wyrocznia: najlepszy z nich przy każdym pytaniu. RRF: połączone rankingi.",
    "Pairs: difference of the first and the second (of shares in points), 95 % interval (of shares: Newcombe’s for "
    "pairs, of other means: bootstrap, of nothing but equal differences: Clopper and Pearson’s limit), p after Holm, "
    "questions better/equal/worse. Oracle: the best of them each time. RRF: the rankings fused.",
)
GOLD_OR_SPLIT = Bilingual("Podaj --gold albo --split, jedno z nich.", "Give --gold or --split, one of the two.")
ONE_STDIN = Bilingual(
    "Standardowe wejście (-) można podać tylko raz. Pozostałe dane podaj jako pliki.",
    "The standard input (-) can be given only once. Give the other inputs as files.",
)
ONE_SIGN = Bilingual("--separator to jeden znak albo słowo tab.", "--separator is one sign, or the word tab.")
WRITING = Bilingual("zapis kosztuje", "the writing costs")
AFFECTED = Bilingual("pkt po naprawie", "points if mended")
# Kinds of damage that are shown; the report has all of them.
_DAMAGES = 3
ROLES = {
    "gold": Bilingual("złoty zbiór", "gold"),
    "questions": Bilingual("pytania", "questions"),
    "answers": Bilingual("odpowiedzi", "answers"),
    "rankings": Bilingual("rankingi", "rankings"),
    "answers_from_gold": Bilingual("odpowiedzi na złotych fragmentach", "answers on gold passages"),
}
ANSWERABLE = Bilingual("pytania z odpowiedzią", "questions with an answer")
UNANSWERABLE = Bilingual("pytania bez odpowiedzi (dobra jest pusta)", "questions without one (empty is right)")
NO_ANSWER = Bilingual("Nie znajduję odpowiedzi w tych fragmentach.", "No answer in these passages.")
NO_PASSAGES = Bilingual(
    "Żadne słowo pytania nie występuje w korpusie. Zadaj pytanie po polsku innymi słowami.",
    "No word of the question occurs in the corpus. Ask in Polish, in other words.",
)
LINE, LINES = Bilingual("wiersz", "line"), Bilingual("wiersze", "lines")
SEVERITY = {
    "error": Bilingual("błąd", "error"),
    "warning": Bilingual("uwaga", "warning"),
    "note": Bilingual("informacja", "note"),
}


def asked(found: Asked, lang: Lang) -> str:
    """An answer with its passages."""
    lines = [found.answer.text or (NO_ANSWER if found.hits else NO_PASSAGES).say(lang)]
    times = " + ".join(f"{number(value, 1, lang)} ms" for value in found.timings.values())
    if found.answer.text:
        sure, source = ("pewność", "z fragmentu") if lang == "pl" else ("confidence", "from passage")
        lines.append(
            f"{sure} {number(found.answer.confidence, 2, lang)} · {source} {found.answer.passage_id} · {times}"
        )
    for hit in found.hits:
        lines += ["", *_hit(hit, lang)]
    return "\n".join(lines)


def _hit(hit: Hit, lang: Lang) -> list[str]:
    title = hit.passage.title or "—"
    lines = [f"{hit.rank}  {title}  [{hit.passage.id}]  {number(hit.score, 1, lang)}", f"   {hit.passage.text}"]
    if hit.explanation:
        why = " · ".join(f"{term.word} {number(term.score, 1, lang)}" for term in hit.explanation.terms)
        lines.append(f"   {'dlaczego' if lang == 'pl' else 'why'}: {why}")
    return lines


def share_line(share: Share, lang: Lang) -> str:
    """`75,0 % [46,8–91,1] 9 z 12`."""
    of = "z" if lang == "pl" else "of"
    ends = interval(*share.interval, lang)
    return _plain(f"{score_text(share.value, lang)} {ends}  {share.hits} {of} {share.n}")


def report(found: Report, lang: Lang) -> str:
    """The scores of a report, one a line."""
    lines = [f"{'złoty zbiór' if lang == 'pl' else 'gold'}: {found.gold}"]
    if found.answers:
        rules = found.answers.rules
        lines.append(f"{rule_name(found.rule)}  {share_line(rules[found.rule], lang)}")
        lines += [f"  {rule:<8} {share_line(share, lang)}" for rule, share in rules.items() if rule != found.rule]
        lines += _abstentions(found.answers, found.rule, lang)
        lines += _audit(found, lang)
    if found.answers_from_gold:
        label = "na złotych fragmentach" if lang == "pl" else "on gold passages"
        lines.append(f"{rule_name(found.rule)}, {label}  {share_line(found.answers_from_gold.rules[found.rule], lang)}")
    if found.rankings:
        scores = found.rankings
        everything = "wszystkie pytania" if lang == "pl" else "all questions"
        lines += [f"{measure_name(code)}  {share_line(share, lang)}" for code, share in scores.shares.items()]
        lines.append(f"{measure_name(HEADLINE)} ({everything})  {share_line(scores.accuracy_all_questions, lang)}")
        means = [f"{measure_name(code)} {mean_text(mean.value, lang)}" for code, mean in scores.means.items()]
        lines.append(" · ".join(means))
    if found.attribution:
        lines += _attribution(found.attribution, lang)
    if found.beside:
        lines += _beside(found.beside, lang)
    return "\n".join([*lines, found.signature])


def _abstentions(scores: AnswerScores, rule: str, lang: Lang) -> list[str]:
    """Questions with and without an answer, where both count."""
    if scores.unanswerable is None:
        return []
    answerable, unanswerable = ANSWERABLE.say(lang), UNANSWERABLE.say(lang)
    return [
        f"  {answerable}  {share_line(scores.answerable[rule], lang)}",
        f"  {unanswerable}  {share_line(scores.unanswerable, lang)}",
    ]


def _audit(found: Report, lang: Lang) -> list[str]:
    """What the writing of the answers costs, dearest first; nothing where it costs nothing."""
    predictions = {item.question.id: item.prediction for item in found.items if item.prediction}
    damages = audit([item.question for item in found.items], predictions, found.rule).damages
    measure = rule_measure(found.rule)
    return [
        f"  {WRITING.say(lang)}: {damage.title.say(lang)} ({damage.affected}; {AFFECTED.say(lang)} "
        f"{difference_text(measure, damage.gained / damage.n, lang)})"
        for damage in damages
        if damage.gained
    ][:_DAMAGES]


def _attribution(found: Attribution, lang: Lang) -> list[str]:
    """The cells that are not empty, the ceilings, and how many texts nobody could look into."""
    n, counts = len(found.items), found.counts
    head = Bilingual("wyszukiwarka × czytnik", "retriever × reader").say(lang)
    lines = [f"{head} (n = {n})"]
    lines += [f"  {_of(counts[cell.code], n, lang)}  {cell.name.say(lang)}" for cell in CELLS if counts[cell.code]]
    ceilings = {
        Bilingual("złoty fragment w dziesiątce", "gold passage among the ten"): found.passage_ceiling,
        Bilingual("złota odpowiedź w tekstach", "gold answer in the texts"): found.answer_ceiling,
        Bilingual("jedno lub drugie", "either"): found.either_ceiling,
    }
    told = " · ".join(f"{name.say(lang)} {_plain(score_text(share.value, lang))}" for name, share in ceilings.items())
    lines.append(f"  {Bilingual('pułapy', 'ceilings').say(lang)}: {told}")
    if found.unread:
        unread = Bilingual("fragmenty bez znanego tekstu", "passages without a text at hand")
        lines.append(f"  {unread.say(lang)}: {found.unread}")
    return lines


def _beside(found: ReaderBeside, lang: Lang) -> list[str]:
    gold, retrieved = (_plain(score_text(share.value, lang)) for share in (found.on_gold, found.on_retrieved))
    both, only_gold, only_retrieved, neither = map(
        len, (found.both, found.only_gold, found.only_retrieved, found.neither)
    )
    scores = Bilingual(
        f"na złotych fragmentach {gold}, na wyszukanych {retrieved}",
        f"on gold passages {gold}, on retrieved {retrieved}",
    )
    counts = Bilingual(
        f"dobra odpowiedź na obu: {both}, tylko na złotych: {only_gold}, tylko na wyszukanych: {only_retrieved}, na "
        f"żadnych: {neither}",
        f"right on both: {both}, only on gold: {only_gold}, only on retrieved: {only_retrieved}, on neither: {neither}",
    )
    return [scores.say(lang), f"  {counts.say(lang)}"]


def _of(count: int, n: int, lang: Lang) -> str:
    """A count and its share, in columns."""
    return f"{count:>6}  {_plain(percent(count / n, lang)):>7}"


def _plain(text: str) -> str:
    """A text with plain blanks, since not every terminal has the hard one."""
    return text.replace("\u00a0", " ")


def problem_line(problem: Problem, lang: Lang, file: str = "") -> str:
    """A problem with its severity and the lines where it stands; behind the name of a file where several are read."""
    label = LINE if len(problem.lines) == 1 else LINES
    where = f" ({label.say(lang)}: {', '.join(map(str, problem.lines))})" if problem.lines else ""
    named = f"{file}: " if file and file not in problem.message.say(lang) else ""
    return f"{SEVERITY[problem.severity].say(lang)}: {named}{problem.message.say(lang)}{where}"


def recognised(role: str, form: str, lang: Lang) -> str:
    """What a file was taken for; of several files of one role the name says which."""
    return f"{ROLES[role].say(lang) if role in ROLES else role}: {form}"


def comparison(found: Compared, lang: Lang) -> str:
    """Every measure: its runs, best first, and every pair with its test."""
    lines: list[str] = []
    for one in found.comparisons:
        lines.append(f"{measure_name(one.measure)}  (n = {one.n})")
        best_first = sorted(one.runs, key=lambda run: -run.mean)
        lines += [f"  {_plain(measure_text(one.measure, run.mean, lang))}  {run.name}" for run in best_first]
        for pair in one.differences:
            test, seen = pair.test, pair.test.outcomes
            ends = difference_ends(one.measure, test.low, test.high, lang)
            outcomes = "" if found.secret else f"  {seen.wins}/{seen.ties}/{seen.losses}"
            lines.append(
                f"  {pair.first} − {pair.second}: {difference_text(one.measure, test.difference, lang)} {ends}  "
                f"p (Holm) {p_value(pair.adjusted_p, lang)}{outcomes}"
            )
        label = "wyrocznia" if lang == "pl" else "oracle"
        oracle = [] if found.secret else [f"  {label}: {_plain(measure_text(one.measure, one.oracle.value, lang))}"]
        lines += [*oracle, ""]
    return "\n".join([*lines, COMPARISON_LEGEND.say(lang), found.signature])


def fetching(address: str, lang: Lang) -> str:
    """Said before a download."""
    return Bilingual(f"Pobieram {address}", f"Downloading {address}").say(lang)


def namesake(gold: str, lang: Lang) -> str:
    """Said where a name stands for a gold set although there is a file of that path."""
    return Bilingual(
        f"„{gold}” to nazwa złotego zbioru i jego dotyczy to polecenie. Jest też taki plik: wskaże go ./{gold}",
        f"{gold!r} is the name of a gold set, which is the one taken. There is such a file, too: ./{gold} names it.",
    ).say(lang)


def files_left_out(names: Sequence[str], lang: Lang) -> str:
    """Said below a comparison that some of the files have no part in."""
    shown = ", ".join(names)
    return Bilingual(
        f"Bez tych plików, bo nie dało się ich odczytać ({len(names)}): {shown}",
        f"Without the files that could not be read ({len(names)}): {shown}",
    ).say(lang)


def index_line(folder: str, passages: int, lang: Lang) -> str:
    """Said of a whole index."""
    return Bilingual(
        f"{folder}: indeks kompletny, fragmentów: {passages}", f"{folder}: whole, passages: {passages}"
    ).say(lang)


def begun_anew(path: str) -> Bilingual:
    """Said when an unfinished file is there that other questions, passages, parts or settings were at work on."""
    return Bilingual(
        f"Przerwana praca nad {path} dotyczy innych pytań, fragmentów, modeli, ustawień albo innej wersji programu, "
        "więc zaczyna się od nowa.",
        f"The unfinished work on {path} is of other questions, passages, models, settings or another version of the "
        "program, so it begins anew.",
    )


def written(path: str, count: int, resumed: int, lang: Lang) -> str:
    """Said when a batch is complete."""
    pl, en = f"Zapisano {path}, pytań: {count}", f"Wrote {path}, questions: {count}"
    if resumed:
        pl, en = f"{pl} (z wcześniejszej pracy: {resumed})", f"{en} (of an earlier run: {resumed})"
    return Bilingual(pl, en).say(lang)
