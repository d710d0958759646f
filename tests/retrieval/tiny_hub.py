"""A small hub on loopback: repositories are folders, each with revisions; files alone, as git keeps no empty folders.

It speaks what the hub's own library asks for: the description of a model, its refs, its tree, and its files (HEAD and
GET with ranges).
"""

import hashlib
import http.server
import json
import re
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.local_server import on_loopback

MAIN = "main"


class TinyHub:
    """Models by name and revision; `asked` are the paths of all requests."""

    def __init__(self) -> None:
        self.models: dict[str, dict[str, Path]] = {}
        self.asked: list[str] = []
        self.endpoint = ""

    def add(self, name: str, folder: Path, revision: str = MAIN) -> None:
        self.models.setdefault(name, {})[revision] = folder

    def commit(self, name: str, revision: str) -> str:
        return hashlib.sha1(f"{name}@{revision}".encode(), usedforsecurity=False).hexdigest()

    def folder(self, name: str, revision: str) -> Path | None:
        """By the name of a revision or by its commit."""
        revisions = self.models.get(name, {})
        return next((at for rev, at in revisions.items() if revision in (rev, self.commit(name, rev))), None)

    def refs(self, name: str) -> dict[str, Any]:
        def ref(revision: str) -> dict[str, str]:
            full = revision if revision.startswith("refs/") else f"refs/heads/{revision}"
            short = revision.removeprefix("refs/pr/")
            return {"name": short, "ref": full, "targetCommit": self.commit(name, revision)}

        proposed = [revision for revision in self.models[name] if revision.startswith("refs/pr/")]
        branches = [revision for revision in self.models[name] if revision not in proposed]
        return {
            "branches": list(map(ref, branches)),
            "tags": [],
            "converts": [],
            "pullRequests": list(map(ref, proposed)),
        }


@contextmanager
def serving() -> Iterator[TinyHub]:
    """The hub at its endpoint until the block ends."""
    hub = TinyHub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with on_loopback(handler) as hub.endpoint:
        yield hub


@contextmanager
def only_hub(cache: Path) -> Iterator[TinyHub]:
    """The only hub that the hub's library asks until the block ends, with `cache` before it."""
    from huggingface_hub import constants

    with serving() as hub:
        template = hub.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        with (
            patch.object(constants, "HF_HUB_CACHE", str(cache)),
            patch.object(constants, "HF_HUB_OFFLINE", False),
            patch.object(constants, "ENDPOINT", hub.endpoint),
            patch.object(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template),
        ):
            yield hub


def files_of(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


class _Handler(http.server.BaseHTTPRequestHandler):
    hub: TinyHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = urllib.parse.unquote(self.path.split("?")[0])
        self.hub.asked.append(f"{self.command} {path}")
        if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)(/refs|/revision/(.+?)|/tree/([^/]+)/?(.*))?", path):
            return self._described(found)
        if found := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([0-9a-f]{40}|refs/pr/\d+|[^/]+)/(.+)", path):
            return self._file(*found.groups())
        return self._json({"error": path}, 404)

    do_HEAD = do_GET  # noqa: N815

    def _described(self, found: "re.Match[str]") -> None:
        name, what, revision, commit, _ = found.groups()
        if name not in self.hub.models:
            return self._json({"error": "no"}, 404, {"X-Error-Code": "RepoNotFound"})
        if what == "/refs":
            return self._json(self.hub.refs(name))
        wanted = commit or revision or MAIN
        folder = self.hub.folder(name, wanted)
        if folder is None:
            return self._json({"error": "no"}, 404, {"X-Error-Code": "RevisionNotFound"})
        if commit:
            return self._json([_entry(folder, file) for file in files_of(folder)])
        sha = wanted if re.fullmatch("[0-9a-f]{40}", wanted) else self.hub.commit(name, wanted)
        siblings = [{"rfilename": file} for file in files_of(folder)]
        return self._json({"id": name, "sha": sha, "private": False, "tags": [], "siblings": siblings})

    def _file(self, name: str, revision: str, file: str) -> None:
        folder = self.hub.folder(name, revision)
        if folder is None or not (folder / file).is_file():
            return self._json({"error": "no"}, 404, {"X-Error-Code": "EntryNotFound"})
        body = (folder / file).read_bytes()
        headers = {"ETag": f'"{_oid(body)}"', "X-Repo-Commit": revision, "Accept-Ranges": "bytes"}
        first, size = 0, len(body)
        if asked := re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
            first, last = int(asked[1]), int(asked[2] or size - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            body = body[first : last + 1]
        return self._send(body, 206 if asked else 200, headers)

    def _json(self, content: Any, code: int = 200, headers: dict[str, str] | None = None) -> None:
        self._send(json.dumps(content).encode(), code, {"Content-Type": "application/json", **(headers or {})})

    def _send(self, body: bytes, code: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _entry(folder: Path, file: str) -> dict[str, Any]:
    body = (folder / file).read_bytes()
    return {"type": "file", "path": file, "size": len(body), "oid": _oid(body)}


def _oid(body: bytes) -> str:
    return hashlib.sha1(body, usedforsecurity=False).hexdigest()
