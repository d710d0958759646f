"""The chat reader against transformers' own server, which serves a tiny chat model that is built and taught here."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polqa_demo.errors import UserError
from polqa_demo.reading.chat import ChatReader
from polqa_demo.reading.chat_prompt import build_prompt
from polqa_demo.reading.chat_spending import Spending
from polqa_demo.records import Passage
from polqa_demo.settings import Settings, load_settings

PASSAGES = [
    Passage("20-1", "Wisła", "Wisła to rzeka."),
    Passage("10-1", "Lalka", "Lalka to powieść. Napisał ją Bolesław Prus."),
]
WHO, REPLY = "Kto napisał Lalkę?", "Odpowiedź: Bolesław Prus\nFragment: 2"
TEMPLATE = (
    "{% for message in messages %}{{ '<s>' + message['role'] + '\n' + message['content'] + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<s>assistant\n' }}{% endif %}"
)


def write_chat_model(folder: Path) -> Path:
    """A small Llama over single words that has learnt one reply."""
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    asked = build_prompt(WHO, PASSAGES, 24_000).messages()
    splitter = pre_tokenizers.Split(Regex(r"\s|\w+|[^\w\s]"), "isolated")
    texts = [*(message["content"] for message in asked), REPLY, "system user assistant\n "]
    pieces = {piece for text in texts for piece, _ in splitter.pre_tokenize_str(text)}
    vocabulary = {piece: number for number, piece in enumerate(["<pad>", "<s>", "</s>", "<unk>", *sorted(pieces)])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = splitter
    words.decoder = decoders.Fuse()
    tokenizer: Any = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    model: Any = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(vocabulary),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            max_position_embeddings=2048,
            pad_token_id=0,
            bos_token_id=1,
            eos_token_id=2,
        )
    )
    prompt = tokenizer.apply_chat_template(asked, add_generation_prompt=True, tokenize=False)
    start = tokenizer(prompt)["input_ids"]
    end = [*tokenizer(REPLY)["input_ids"], tokenizer.eos_token_id]
    ids, labels = torch.tensor([start + end]), torch.tensor([[-100] * len(start) + end])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    for _ in range(100):
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.02:
            break
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Address and model of the running server."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a network this small loses more by waiting for another core than it gains
    folder = write_chat_model(tmp_path_factory.mktemp("serve") / "tiny")
    torch.set_num_threads(threads)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(folder)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder.parent / "hf"), "OMP_NUM_THREADS": "1"}
    log = folder.parent / "serve.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(command, env=environment, stdout=stream, stderr=subprocess.STDOUT)
    try:
        _wait_for(port, process, log)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(2400):
        assert process.poll() is None, log.read_text(encoding="utf-8")[-2000:]
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8")[-2000:])


def knobs(served: tuple[str, str], **more: Any) -> Settings:
    return load_settings(chat_url=served[0], chat_model=served[1], **more)


def test_a_real_server_answers_with_the_passage_and_the_price(
    served: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    reader = ChatReader(knobs(served), spending=Spending())
    answer = reader.read(WHO, PASSAGES)
    reader.close()
    assert (answer.text, answer.passage_id) == ("Bolesław Prus", "10-1")
    assert PASSAGES[1].text[answer.start : answer.end] == "Bolesław Prus"
    spent = reader.client.spending
    assert (spent.requests, spent.estimated) == (1, False)
    assert 200 < spent.tokens < 1000


def test_a_reply_cut_short_is_read_as_far_as_it_goes(served: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    reader = ChatReader(knobs(served, chat_answer_tokens=4), spending=Spending())
    answer = reader.read(WHO, PASSAGES)
    reader.close()
    assert answer.text == "Bolesław"


def test_a_model_that_the_server_has_not_is_told(served: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    reader = ChatReader(knobs(served), model="nie-ma", spending=Spending())
    with pytest.raises(UserError) as refused:
        reader.read(WHO, PASSAGES)
    reader.close()
    assert refused.value.code == "chat-refused"
    assert "nie-ma" in refused.value.say("pl")
