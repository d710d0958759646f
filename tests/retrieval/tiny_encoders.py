"""Tiny encoders that the tests build and save themselves: a BERT folder, and the packed file of the embedded form."""

import json
import struct
from pathlib import Path

import numpy as np

WORDS = (
    "query : passage pytanie zapytanie tytuł tekst kto napisał lalkę prus bolesław wisła rzeka toruń a b c d".split()
)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "</s>"]


def save_bert(
    folder: Path,
    *,
    prompts: dict[str, str] | None = None,
    plain: bool = False,
    positions: int = 32,
    max_length: int | None = 16,
    seed: int = 0,
    pooling: str = "mean",
) -> Path:
    """A one-layer BERT of fixed random weights as a sentence-transformers folder; `plain`: as transformers saves it."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers import models as modules
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    tokens = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokens.normalizer = normalizers.Lowercase()
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokens.add_special_tokens(["</s>"])
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    limit = {} if max_length is None else {"model_max_length": max_length}
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        initializer_range=0.5,
    )
    bare = folder if plain else folder.with_name(folder.name + "-bare")
    BertModel(config, add_pooling_layer=False).save_pretrained(bare)
    PreTrainedTokenizerFast(tokenizer_object=tokens, **names, **limit).save_pretrained(bare)
    if plain:
        return folder
    transformer = modules.Transformer(str(bare))
    model = SentenceTransformer(
        modules=[transformer, modules.Pooling(16, pooling_mode=pooling)], device="cpu", prompts=prompts or {}
    )
    model.save(str(folder), create_model_card=False)
    return folder


def spoil(folder: Path) -> Path:
    """The same model with a weight that is not a number."""
    from safetensors.numpy import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    name = next(name for name in weights if name.endswith("output.LayerNorm.bias"))
    weights[name] = np.full_like(weights[name], np.nan)
    save_file(weights, path, metadata={"format": "pt"})
    return folder


def as_cached(hub: Path, repository: str, folder: Path) -> Path:
    """The folder's files as a model in a hub cache; returns the snapshot."""
    storage = hub / f"models--{repository.replace('/', '--')}"
    commit = "0123456789abcdef0123456789abcdef01234567"
    (storage / "refs").mkdir(parents=True)
    (storage / "refs" / "main").write_text(commit, encoding="utf-8")
    snapshot = storage / "snapshots" / commit
    snapshot.parent.mkdir()
    folder.rename(snapshot)
    entries = {
        path.relative_to(snapshot).as_posix(): {"size": path.stat().st_size, "blob_id": "0" * 40}
        for path in snapshot.rglob("*")
        if path.is_file()
    }
    (storage / "trees").mkdir()
    (storage / "trees" / f"{commit}.json").write_text(
        json.dumps({"format_version": 1, "files": entries}), encoding="utf-8"
    )
    return snapshot


PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", *("▁" + word for word in WORDS), *"abcdefghijklmnoprstuwyząęółśćżźń:"]
HIDDEN, INNER, POSITIONS = 64, 128, 32


def save_packed(path: Path, seed: int = 0) -> Path:
    """A one-layer model in the embedded form (4-bit blocks, Unigram vocabulary), as its native engine reads it."""
    random = np.random.default_rng(seed)
    # The engine takes unlisted pieces at ten less than the least score.
    scores = np.array([-1.0 - 0.01 * row for row in range(len(PIECES))], "<f4")
    vocabulary = len(PIECES)
    tensors: list[tuple[str, bytes, int]] = []

    def floats(name: str, values: np.ndarray) -> None:
        tensors.append((name, values.astype("<f4").tobytes(), 0))

    def matrix(name: str, rows: int, columns: int) -> None:
        blocks = np.zeros(rows * columns // 32, np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)]))
        blocks["scale"] = random.uniform(0.01, 0.05, len(blocks))
        blocks["nibbles"] = random.integers(0, 256, (len(blocks), 16))
        tensors.append((name, blocks.tobytes(), 1))

    matrix("emb.word", vocabulary, HIDDEN)
    floats("emb.pos", random.normal(0, 0.1, (POSITIONS, HIDDEN)))
    floats("emb.type", random.normal(0, 0.1, (2, HIDDEN)))
    floats("emb.ln.w", np.ones(HIDDEN))
    floats("emb.ln.b", np.zeros(HIDDEN))
    for short, rows, columns in (
        *((name, HIDDEN, HIDDEN) for name in ("q", "k", "v", "ao")),
        ("fi", INNER, HIDDEN),
        ("fo", HIDDEN, INNER),
    ):
        matrix(f"l0.{short}.w", rows, columns)
        floats(f"l0.{short}.b", random.normal(0, 0.1, rows))
    for short in ("aln", "oln"):
        floats(f"l0.{short}.w", np.ones(HIDDEN))
        floats(f"l0.{short}.b", np.zeros(HIDDEN))
    path.write_bytes(_assembled(vocabulary, scores, tensors))
    return path


def _assembled(vocabulary: int, scores: np.ndarray, tensors: list[tuple[str, bytes, int]]) -> bytes:
    joined = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, joined)]).astype("<u4")
    replaced = {"\t": " ", "\n": " ", "\u200b": " ", "▁": " ", "\x07": "", "ﬁ": "fi"}
    table = b"".join(
        struct.pack(f"<IB{len(to)}I", ord(one), len(to), *map(ord, to)) for one, to in sorted(replaced.items())
    )
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, 1, 2, INNER, vocabulary, POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(joined), 0, 2, 1, 3, sum(map(len, joined)))
    head += offsets.tobytes() + scores.tobytes() + b"".join(joined)
    head += struct.pack("<iI", len(replaced), len(table)) + table + struct.pack("<i", len(tensors))
    place = len(head) + sum(2 + len(name) + 21 for name, _, _ in tensors)
    directory, body = b"", b""
    for name, raw, kind in tensors:
        start = place + len(body)
        padding = -start % 64
        body += b"\0" * padding
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, len(raw) // (18 if kind else 4), start + padding, len(raw))
        body += raw
    return head + directory + body
