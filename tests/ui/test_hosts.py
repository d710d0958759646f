"""Which hosts an app answers to and which pages may send to it, by how it is bound and set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.settings import load_settings
from polqa_demo.ui.hosts import Address, Hosts

LOOPBACK = ["127.0.0.1", "localhost", "::1", "127.0.0.2"]
ANYWHERE = ["0.0.0.0", "::", "192.168.1.5"]


@pytest.fixture(autouse=True)
def _no_space(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPACE_HOST", "POLQA_ALLOWED_HOSTS", "GRADIO_SERVER_NAME"):
        monkeypatch.delenv(name, raising=False)


def hosts(bound: str, allowed: str = "") -> Hosts:
    return Hosts.of(load_settings(allowed_hosts=allowed, server_name=bound))


@pytest.mark.parametrize("bound", LOOPBACK)
@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("localhost", True),
        ("localhost:7860", True),
        ("LOCALHOST.:7860", True),
        ("127.0.0.1:7860", True),
        ("[::1]", True),
        ("[::1]:7860", True),
        ("", False),
        ("evil.example", False),
        ("evil.example:7860", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("evil-localhost", False),
        ("0.0.0.0:7860", False),
        ("[::1", False),
        ("[::2]", False),
        ("[::1]7860", False),
        ("[::1]:7860@evil", False),
        ("user@localhost", False),
        ("localhost:80:80", False),
        ("localhost:7860@evil", False),
        ("localhost:evil", False),
        ("localhost:7860/", False),
        ("localhost:", True),
        ("localhost..", False),
    ],
)
def test_bound_to_loopback(bound: str, host: str, answered: bool) -> None:
    assert hosts(bound).answer(host) is answered


def test_the_operators_names_are_answered_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_HOST", "owner-name.hf.space")
    monkeypatch.setenv("POLQA_ALLOWED_HOSTS", "qa.example.org, *.lab.example.org ,other.example:8443,")
    found = Hosts.of(load_settings())
    for host in ("owner-name.hf.space", "qa.example.org:443", "a.lab.example.org", "other.example:8443", "localhost"):
        assert found.answer(host)
    for host in ("lab.example.org", "other.example", "x.qa.example.org", "evillab.example.org"):
        assert not found.answer(host)


@pytest.mark.parametrize("bound", ANYWHERE)
def test_bound_elsewhere_any_host_is_answered_unless_some_are_named(bound: str) -> None:
    assert hosts(bound).answer("whatever.example")
    named = hosts(bound, "qa.example.org")
    assert named.answer("qa.example.org")
    assert named.answer("localhost:7860")
    assert named.answer(f"[{bound}]:7860" if ":" in bound else f"{bound}:7860")
    assert not named.answer("whatever.example")
    assert hosts(bound, "*").answer("whatever.example")


@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize(
    ("origin", "host", "taken"),
    [
        ("http://localhost:7860", "localhost:7860", True),
        ("http://127.0.0.1:7860", "localhost:7860", True),
        ("http://[::1]:7860", "[::1]:7860", True),
        ("https://owner.hf.space", "owner.hf.space", True),
        # TLS may end before the app, and a proxy may leave the port out.
        ("https://qa.example.org", "qa.example.org:443", True),
        ("https://qa.example.org:8443", "qa.example.org", True),
        ("http://localhost:3000", "localhost:7860", False),
        ("http://evil.example", "localhost:7860", False),
        ("https://huggingface.co", "owner.hf.space", False),
        ("https://other.hf.space", "owner.hf.space", False),
        ("http://evil.example:7860", "localhost:7860", False),
        ("http://localhost:7860.evil.example", "localhost:7860", False),
        ("null", "localhost:7860", False),
        ("", "localhost:7860", False),
        ("file://", "localhost:7860", False),
        ("http://[bad", "localhost:7860", False),
    ],
)
def test_origins(bound: str, origin: str, host: str, taken: bool) -> None:
    assert hosts(bound).take(origin, [host]) is taken


def test_an_allowed_page_may_send() -> None:
    found = hosts("0.0.0.0", "front.example,localhost:3000")
    assert found.take("https://front.example", ["qa.example.org"])
    assert found.take("http://localhost:3000", ["qa.example.org"])
    assert not found.take("http://localhost:3001", ["qa.example.org"])
    assert not found.take("null", ["qa.example.org"])


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_none(text: str) -> None:
    found = hosts("127.0.0.1")
    assert found.answer(text) == (Address.of(text).name in ("localhost", "127.0.0.1", "::1"))
    assert not found.take(text, ["qa.example.org"]) or Address.of_origin(text).name == "qa.example.org"
