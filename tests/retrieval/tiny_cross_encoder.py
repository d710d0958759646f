"""Tiny networks, built and saved by the tests: word-level tokens, one layer, weights that mean something."""

import json
from pathlib import Path
from typing import Any

WORDS = "gdzie leży urodził się toruń kopernik łódź rzeka wisła w nad".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def save(folder: Path, labels: int = 1, head: bool = True, positions: int = 64, max_length: int | None = 64) -> Path:
    """A BERT of random but fixed weights with a tokenizer; `head` False leaves the scoring layer out."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, BertModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    tokens = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokens.normalizer = normalizers.Lowercase()
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    limit: dict[str, Any] = {} if max_length is None else {"model_max_length": max_length}
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=tokens, **names, **limit).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        num_labels=labels,
        initializer_range=0.8,
    )
    (BertForSequenceClassification(config) if head else BertModel(config)).save_pretrained(folder)
    return folder


def shift(folder: Path, logits: float, bfloat16: bool = False) -> Path:
    """All scores higher, as a loss over orders leaves them; perhaps stored in half of the bits."""
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["classifier.bias"][:] = logits
    if bfloat16:
        weights = {name: values.to(torch.bfloat16) for name, values in weights.items()}
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps({**config, "dtype": "bfloat16"}), encoding="utf-8")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def spoil(folder: Path) -> Path:
    """The same network with a weight that is not a number, as half-precision training can leave it."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["classifier.bias"][:] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder
