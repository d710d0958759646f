"""Reports to write down: a plain one, and one in which every text of others is an attack."""

from collections.abc import Callable

from polqa_demo.errors import Bilingual, Problem
from polqa_demo.evaluation.report import Report, build_report
from polqa_demo.records import GoldSet, Judgement, Question, Ranking

ATTACKS = (
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    "[link](https://evil.example/?a=1&b=2)",
    "![x](http://evil.example/x.png)",
    "www.evil.example @somebody me@evil.example",
    "a | b || c \\| d \\",
    "`code` ``more`` ```",
    "# head\n\n- list\n1. one\r\n> quote",
    "**bold** _it_ ~~gone~~ $x^2$ <!-- c -->",
    "\\input{/etc/passwd} \\end{tabular} \\\\ \\write18{x}",
    "100 % & 50 # _ ^ ~ { } $ \"x\" 'y' `z`",
    "[1] * x -- y --- z ,, ''",
    "\u202eodwrócone\u202c \u200bzero\x00\x1b[31m",
    "&lt;b&gt; &amp; &#x3c;",
    "zażółć gęślą jaźń „ŻÓŁĆ” – … −",
    "'; DROP TABLE x; --",
    "javascript:alert(1) data:text/html,x url(http://evil.example)",
)
PROBLEMS = (
    Problem("warning", "x", Bilingual("Puste: <b>x</b> | www.evil.example", "Blank: <b>x</b> @you"), 2, (3, 4)),
    Problem("note", "y", Bilingual("Zwykła \\uwaga.", "A plain \\note."), 1),
)


def plain_report(n: int = 80, rule: str = "poleval", text_of: Callable[[str], str | None] | None = None) -> Report:
    """Enough questions for slices: answers by fours right, near, wrong and missing; rankings with ties and misses."""
    questions = [
        Question(
            str(number),
            f"Jak nazywa się miasto numer {number}?",
            ("Kraków", "w Krakowie"),
            {"question_type": ("SINGLE ENTITY", "BOOLEAN")[number % 2], "entity_type": "NAMED"},
        )
        for number in range(n)
    ]
    answers = {
        str(number): ("Krakow", "„Odpowiedź: Kraków”.", "Szczecin")[number % 4] for number in range(n) if number % 4 < 3
    }
    judgements = [Judgement(str(number), f"g{number}", grade=1) for number in range(0, n, 2)]
    rankings = {
        str(number): Ranking(
            str(number),
            tuple(f"g{number}" if place == number % 14 else f"x{place}" for place in range(12)),
            (1.0,) * 12,
        )
        for number in range(n)
    }
    return build_report(
        GoldSet("zbior", "test", tuple(questions), tuple(judgements)),
        answers,
        rankings,
        rule,
        "auto",
        answers,
        text_of=text_of,
    )


def hostile_report(copies: int = 40) -> Report:
    """Every text is an attack: gold name, ids, questions, golds, answers, labels and passages."""
    questions, answers, judgements, rankings = [], {}, [], {}
    for copy in range(copies):
        for place, attack in enumerate(ATTACKS):
            one = f"{attack} {copy}"
            other = ATTACKS[(place + 1) % len(ATTACKS)]
            # The labels repeat, so that some slices are large enough to be shown.
            label = ATTACKS[place % 3]
            questions.append(
                Question(
                    one,
                    attack,
                    (f"„{attack}”.", other),
                    {attack[:30]: attack, "question_type": label, "entity_type": other},
                )
            )
            answers[one] = (attack, f"{attack}.", other[:7])[copy % 3]
            judgements.append(Judgement(one, attack, grade=1))
            rankings[one] = Ranking(one, (other, attack))
    gold = GoldSet(ATTACKS[0], ATTACKS[2], tuple(questions), tuple(judgements))
    # Every text is the passage's id, which is an attack as well.
    return build_report(gold, answers, rankings, answers_from_gold=answers, text_of=str)
