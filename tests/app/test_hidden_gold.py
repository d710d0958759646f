"""The operator's gold in the running app. Of a secret one nothing but totals comes out, whichever way it is asked."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError
from running_app import RunningApp, running

N = 30
MARK = "Żółwinoga"
SECRET, SHOWN = "organisers/final", "organisers/jawny"


def question(n: int) -> str:
    return f"Kto zna {MARK} numer {n}?"


def row(n: int) -> dict[str, Any]:
    """Each question has an answer and a passage without the mark, so that files can be right without holding it."""
    return {
        "question_id": f"q{n}",
        "question": question(n),
        "answers": [f"{MARK} wariant {n}", f"odpowiedź {n:03} krótka"],
        "passage_ids": [f"{MARK}-{n}", f"p{n}"],
        "question_type": f"{MARK} typ",
        "entity_type": f"{MARK} encja",
    }


def answers(right: int) -> str:
    return "id,answer\n" + "\n".join(f"q{n},{f'odpowiedź {n:03} krótka' if n < right else 'qqqq'}" for n in range(N))


def rankings(right: int) -> str:
    rows = [f"q{n}\t{'p' if n < right else 'x'}{n}\t2\nq{n}\ty{n}\t1" for n in range(N)]
    return "qid\tpid\tscore\n" + "\n".join(rows)


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """The app of an organiser who put the secret file into the worst place, the folder that Gradio serves from."""
    folder = tmp_path_factory.mktemp("contest")
    hidden, shown = folder / "uploads" / "final.jsonl", folder / "jawny.jsonl"
    hidden.parent.mkdir()
    for path in (hidden, shown):
        lines = (json.dumps(row(n), ensure_ascii=False) for n in range(N))
        path.write_text("\n".join(lines), encoding="utf-8")
    with running(folder, POLQA_HIDDEN_GOLD=str(hidden), POLQA_GOLD=str(shown), POLQA_HIDDEN_KEY="klucz") as started:
        yield started
        # Events sent by hand may fail there with a traceback; that must quote nothing either.
        assert MARK not in started.printed()


@pytest.fixture(scope="module")
def visitor(contest: RunningApp) -> Iterator[Client]:
    connected = Client(contest.url, verbose=False)
    yield connected
    connected.close()


def test_the_operators_open_gold_is_a_gold_set_like_the_others(visitor: Client) -> None:
    report = visitor.predict(answers(12), SHOWN, api_name="/score")
    assert report["answers"]["fuzzy_match"]["correct"] == 12
    assert len(report["items"]) == N
    assert MARK in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_the_api_gives_totals_of_a_secret_gold(visitor: Client, lang: str) -> None:
    for text, part, measure, counted in (
        (answers(12), "answers", "fuzzy_match", "correct"),
        (rankings(9), "rankings", "accuracy@10", "hits"),
    ):
        report = visitor.predict(text, SECRET, "auto", "poleval", "auto", lang, api_name="/score")
        assert report[part][measure][counted] == (12 if part == "answers" else 9)
        assert report["secret"] is True
        assert report["gold"] == SECRET
        assert not {"items", "slices", "audit", "attribution", "question_words", "uncertainty"} & report.keys()
        assert MARK not in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        answers(N),
        "\n".join(f"odpowiedź {n - 1:03} krótka" for n in range(N)),
        "tak\n",
        "id,answer\nz,a\n",
        "id,answer\nq1,a\nq1,b\n",
        "q1\tp1\tabc\n",
        "{",
        "",
    ],
)
@pytest.mark.parametrize("kind", ["auto", "answers", "rankings"])
def test_odd_files_make_nothing_leak(visitor: Client, text: str, kind: str) -> None:
    for rule in ("poleval", "exact"):
        report = visitor.predict(text, SECRET, kind, rule, "all", "pl", api_name="/score")
        assert MARK not in json.dumps(report, ensure_ascii=False)
        assert "items" not in report


def test_runs_are_compared_without_a_question_named(visitor: Client) -> None:
    for runs in ({"a": answers(20), "b": answers(4)}, {"a": rankings(20), "b": rankings(4)}):
        report = visitor.predict(runs, SECRET, api_name="/compare")
        found = report["comparisons"][0]
        assert found["differences"][0]["difference"] == 0.5333
        assert set(found) == {"measure", "n", "runs", "differences"}
        assert not {"won", "lost", "wins", "losses", "ties"} & found["differences"][0].keys()
        told = json.dumps(report, ensure_ascii=False)
        assert MARK not in told
        assert '"q1"' not in told
        assert {"wins", "oracle"} <= set(json.dumps(visitor.predict(runs, SHOWN, api_name="/compare")).split('"'))


def decimals(value: object) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from decimals(one)


def test_totals_have_four_digits_and_ties_stay_inside(visitor: Client) -> None:
    """More would tell the ranks of single questions, file by file."""
    tied = "qid\tpid\tscore\n" + "".join(
        f"q{n}\t{place}{n}\t1\n" for n in range(N) for place in "abcdefghijkp"[n % 7 :]
    )
    for gold in (SECRET, SHOWN):
        found = [visitor.predict(text, gold, api_name="/score") for text in (answers(7), rankings(7), tied)]
        found.append(visitor.predict({"a": tied, "b": rankings(7), "c": rankings(11)}, gold, api_name="/compare"))
        assert all(value == round(value, 4) for value in decimals(found)) == (gold == SECRET)
        assert ("ties" in found[2]["rankings"]) == (gold == SHOWN)
        assert any("tie" in problem["code"] for problem in found[2]["problems"]) == (gold == SHOWN)


def test_an_unknown_name_lists_the_operators_sets(visitor: Client) -> None:
    with pytest.raises(AppError, match=r"organisers/jawny.*organisers/final"):
        visitor.predict("tak", "organisers/nie-ma", api_name="/score")


def test_a_question_of_the_secret_gold_is_not_checked_when_it_is_asked(contest: RunningApp, visitor: Client) -> None:
    """The open gold has the same questions, so the page may know them; the name of the secret one must not appear."""
    told = json.dumps(visitor.predict(question(3), api_name="/ask"), ensure_ascii=False)
    page = httpx.get(f"{contest.url}/?q={question(3)}").text
    assert SECRET not in told
    assert "wariant" not in told + page


def test_the_files_are_not_served(contest: RunningApp) -> None:
    folder = contest.log.parent
    beside = httpx.post(f"{contest.url}/gradio_api/upload", files={"files": ("a.csv", b"a")}).json()[0]
    assert httpx.get(f"{contest.url}/gradio_api/file={beside}").status_code == 200
    for name in ("uploads/final.jsonl", "uploads/./final.jsonl", "uploads/x/../final.jsonl", "jawny.jsonl"):
        for path in (f"{folder}/{name}", f"{folder}/{name}".replace("/", "%2F")):
            assert httpx.get(f"{contest.url}/gradio_api/file={path}").status_code in (403, 404)


class Page:
    """One visitor's page: its events are sent by hand and everything that comes back is gathered."""

    def __init__(self, app: RunningApp) -> None:
        self.app = app
        self.config = httpx.get(f"{app.url}/config").json()
        self.received = ""

    def fire(self, event: dict[str, Any], data: list[object]) -> dict[str, Any]:
        body = {"fn_index": event["id"], "data": data, "session_hash": "hidden"}
        assert httpx.post(f"{self.app.url}/gradio_api/queue/join", json=body).status_code == 200
        with httpx.stream("GET", f"{self.app.url}/gradio_api/queue/data?session_hash=hidden", timeout=60) as stream:
            for line in stream.iter_lines():
                message = json.loads(line.removeprefix("data:") or "{}")
                if message.get("msg") == "process_completed":
                    self.received += json.dumps(message, ensure_ascii=False)
                    return dict(message)
        raise AssertionError("the event did not end")

    def drop(self, name: str, text: str) -> dict[str, Any]:
        stored = httpx.post(f"{self.app.url}/gradio_api/upload", files={"files": (name, text.encode())}).json()[0]
        return {"path": stored, "orig_name": name, "meta": {"_type": "gradio.FileData"}}

    def default(self, component: int) -> object:
        found = next(part for part in self.config["components"] if part["id"] == component)
        return "" if found["type"] == "textbox" else found["props"].get("value")


def paths_in(value: object) -> Iterator[str]:
    """Every file that an answer of the app hands out."""
    if isinstance(value, dict):
        if isinstance(value.get("path"), str):
            yield value["path"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from paths_in(item)


@pytest.mark.parametrize("gold", [SECRET, SHOWN])
def test_every_event_of_the_tab(contest: RunningApp, gold: str) -> None:
    """The button, then every event that looks into its result, and every file that any of them offers."""
    page = Page(contest)
    events = page.config["dependencies"]
    evaluate = next(event for event in events if event["api_name"] == "evaluate")
    files = [page.drop(f"{name}.tsv", text) for name, text in _dropped().items()]
    given = [page.default(component) for component in evaluate["inputs"]]
    given[0], given[2] = gold, files
    ended = page.fire(evaluate, given)
    assert ended["success"], ended
    assert "40" in page.received
    state = next(
        part["id"]
        for part in page.config["components"]
        if part["type"] == "state" and part["id"] in evaluate["outputs"]
    )
    asked = [event for event in events if state in event["inputs"]]
    assert len(asked) > 3
    for event in asked:
        page.fire(event, [page.default(component) for component in event["inputs"]])
    paths = sorted(set(paths_in(json.loads("[" + page.received.replace("}{", "},{") + "]"))))
    offered = {path: httpx.get(f"{contest.url}/gradio_api/file={path}") for path in paths}
    endings = {path.rpartition(".")[2] for path, file in offered.items() if file.status_code == 200}
    assert endings >= {"json", "html", "md", "tex"}
    assert ("csv" in endings) == (gold == SHOWN)
    everything = page.received + "".join(file.text for file in offered.values())
    for told in (MARK, "oracle", "better / equal / worse"):
        assert (told in everything) == (gold == SHOWN)


def _dropped() -> dict[str, str]:
    return {"a": answers(12), "b": answers(20), "r": rankings(9), "s": rankings(4)}
