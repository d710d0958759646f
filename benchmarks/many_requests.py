"""Claim: 2,000 requests (questions, scores, visits with uploads) leave no more memory and no more files than 500.

One app in a process of its own is asked in turns, each caller new, as on a public page: over HTTP, as an MCP tool, and
by visits that load the page, upload a file, evaluate it and write the downloads. There is no peer: the bound is the app
itself after the first 500, when models are open and caches full. Files are those that the process holds open; what
visitors upload lies on the disk for an hour by design, and is told beside.

    python -m benchmarks.many_requests [--requests 2000] [--record]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

import httpx

from benchmarks.recording import record
from benchmarks.start_and_memory import ROOT, WITHOUT_MODELS, free_port, resident_megabytes, wait_for_page
from polqa_demo.submissions.gold import load_gold

STEPS = 4
MOST_GROWTH = 1.1
GOLD = load_gold("polqa-demo-sample/test")
ANSWERS = "\n".join(
    json.dumps({"question_id": question.id, "answer": (question.answers or ("",))[0]}) for question in GOLD.questions
)
MCP_HEADERS = {"accept": "application/json, text/event-stream"}


def main() -> None:
    """Asks, prints memory and files at every quarter, and ends with 1 where they grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    found = measure(args.requests)
    first, last = found[0], found[-1]
    result: dict[str, object] = {
        "measured_at": found,
        "memory_ratio": round(last["megabytes"] / first["megabytes"], 3),
        "open_files_more": last["open_files"] - first["open_files"],
        "threads_more": last["threads"] - first["threads"],
        "targets": {"memory_ratio": MOST_GROWTH, "open_files_more": 5, "threads_more": 5},
    }
    print(json.dumps(result, indent=2))
    if args.record:
        record("many_requests", result)
    grown = last["open_files"] - first["open_files"] > 5 or last["threads"] - first["threads"] > 5
    if last["megabytes"] > MOST_GROWTH * first["megabytes"] or grown:
        sys.exit("the app grows")


def measure(requests: int) -> list[dict[str, Any]]:
    """Memory (resident megabytes), open files, threads and files on disk at every quarter of the requests."""
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            **os.environ,
            **WITHOUT_MODELS,
            "PORT": str(port),
            "GRADIO_ANALYTICS_ENABLED": "False",
            "HF_HUB_OFFLINE": "1",
            "POLQA_CACHE_DIR": str(folder / "cache"),
            "GRADIO_TEMP_DIR": str(folder / "uploads"),
        }
        process = subprocess.Popen(
            [sys.executable, "app.py"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        found = []
        try:
            wait_for_page(port, process)
            url = f"http://127.0.0.1:{port}"
            callers = (_visit, _ask, _score, _ask_as_tool, _retrieve)
            for number in range(1, requests + 1):
                callers[number % len(callers)](url, number)
                if number % (requests // STEPS) == 0:
                    found.append({"requests": number, **_state(process.pid, folder)})
                    print(found[-1], file=sys.stderr)
        finally:
            process.terminate()
            process.wait(timeout=20)
        return found


def _state(pid: int, folder: Path) -> dict[str, Any]:
    return {
        "megabytes": round(resident_megabytes(pid), 1),
        "open_files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        "threads": len(list(Path(f"/proc/{pid}/task").iterdir())),
        "files_on_disk": sum(path.is_file() for path in folder.rglob("*")),
    }


def _called(url: str, name: str, body: dict[str, object]) -> str:
    sent = httpx.post(f"{url}/gradio_api/call/v2/{name}", json=body, timeout=60)
    sent.raise_for_status()
    stream = httpx.get(f"{url}/gradio_api/call/v2/{name}/{sent.json()['event_id']}", timeout=60).text
    if "event: complete" not in stream:
        raise RuntimeError(stream[:500])
    return stream


def _question(number: int) -> str:
    return GOLD.questions[number % len(GOLD.questions)].text


def _ask(url: str, number: int) -> None:
    _called(url, "ask", {"question": _question(number)})


def _retrieve(url: str, number: int) -> None:
    _called(url, "retrieve", {"question": _question(number), "top_k": 5})


def _score(url: str, number: int) -> None:
    _called(url, "score", {"predictions": ANSWERS})


def _ask_as_tool(url: str, number: int) -> None:
    call = {"name": "ask", "arguments": {"question": _question(number)}}
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
    httpx.post(f"{url}/gradio_api/mcp", json=body, headers=MCP_HEADERS, timeout=60).raise_for_status()


def _visit(url: str, number: int) -> None:
    """A page that is loaded, given a file, and closed."""
    session = uuid.uuid4().hex[:10]
    httpx.get(url, timeout=60).raise_for_status()
    config = httpx.get(f"{url}/config", timeout=60).json()
    files = {"files": (f"answers-{number}.jsonl", ANSWERS.encode())}
    stored = httpx.post(f"{url}/gradio_api/upload", files=files, timeout=60).json()[0]
    upload = {"path": stored, "orig_name": f"answers-{number}.jsonl", "meta": {"_type": "gradio.FileData"}}
    events = config["dependencies"]
    evaluate = next(event for event in events if event["api_name"] == "evaluate")
    values = {part["id"]: part["props"].get("value") for part in config["components"]}
    state = next(
        part["id"] for part in config["components"] if part["type"] == "state" and part["id"] in evaluate["outputs"]
    )
    given = [values.get(component) for component in evaluate["inputs"]]
    given[0], given[2] = "polqa-demo-sample/test", [upload]
    written = [event for event in events if state in event["inputs"] and event["api_name"] == "write"]
    with httpx.stream("GET", f"{url}/gradio_api/heartbeat/{session}", timeout=60):
        _fire(url, session, evaluate["id"], given)
        for event in written:
            _fire(url, session, event["id"], [values.get(component) or "" for component in event["inputs"]])


def _fire(url: str, session: str, event: int, values: list[object]) -> None:
    body = {"fn_index": event, "data": values, "session_hash": session}
    httpx.post(f"{url}/gradio_api/queue/join", json=body, timeout=60).raise_for_status()
    with httpx.stream("GET", f"{url}/gradio_api/queue/data?session_hash={session}", timeout=60) as stream:
        for line in stream.iter_lines():
            message = json.loads(line.removeprefix("data:") or "{}")
            if message.get("msg") == "process_completed":
                if not message["success"]:
                    raise RuntimeError(line[:500])
                return


if __name__ == "__main__":
    main()
