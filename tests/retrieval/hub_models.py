"""Tiny models laid out file by file as those of the hub are: the families of the table, and models of other kinds."""

import json
from pathlib import Path
from typing import Any

WORDS = """
query : passage pytanie zapytanie [query] instruct given a web search retrieve relevant passages that answer the query
tytuł tekst kto napisał lalkę lalka prus bolesław wisła rzeka toruń w nad yes no
""".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "</s>"]
LIBRARY = "sentence_transformers.models"
SIZE = 16


def write_network(folder: Path, kind: str = "BertModel", **settings: Any) -> Path:
    """Weights of a network of fixed random numbers, its config.json and a tokenizer of words."""
    import torch
    import transformers

    size = _write_tokenizer(folder)
    torch.manual_seed(0)
    config_of = getattr(transformers, kind.partition("For")[0].removesuffix("Model") + "Config")
    sizes = {"vocab_size": size, "hidden_size": SIZE, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = config_of(
        **sizes, intermediate_size=32, max_position_embeddings=64, initializer_range=0.5, pad_token_id=0, **settings
    )
    network = getattr(transformers, kind)(config)
    network.save_pretrained(folder)
    return folder


def lay_out(
    folder: Path,
    network: str = "BertModel",
    *,
    pooling: str = "mean",
    normalize: bool = True,
    prompts: dict[str, str] | None = None,
    settings: dict[str, Any] | None = None,
    trained_from: str = "",
    **more: Any,
) -> Path:
    """An encoder as git keeps it: modules.json names 2_Normalize, and there is no such folder."""
    write_network(folder, network, **more)
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), *([("2_Normalize", "Normalize")] if normalize else [])]
    write_modules(folder, [(f"{LIBRARY}.{kind}", path) for path, kind in modules])
    modes = {"cls": "cls_token", "mean": "mean_tokens", "lasttoken": "lasttoken"}
    pooled = {f"pooling_mode_{name}": mode == pooling for mode, name in modes.items()}
    write_json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": SIZE, **pooled})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 48, "do_lower_case": False})
    versions = {"__version__": {"sentence_transformers": "2.2.2", "transformers": "4.30.0", "pytorch": "2.0.0"}}
    named = {"prompts": prompts, "default_prompt_name": None} if prompts else {}
    write_json(folder / "config_sentence_transformers.json", {**versions, **named, **(settings or {})})
    if trained_from:
        change_json(folder / "config.json", _name_or_path=trained_from)
    return folder


def write_modules(folder: Path, modules: list[tuple[str, str]]) -> None:
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": kind} for number, (kind, path) in enumerate(modules)
    ]
    write_json(folder / "modules.json", listed)


def write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def change_json(path: Path, **values: Any) -> None:
    write_json(path, {**json.loads(path.read_text(encoding="utf-8")), **values})


def pickled(folder: Path) -> Path:
    """The same model with weights that could be a program in the place of safetensors."""
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"PK\x03\x04")
    return folder


def _write_tokenizer(folder: Path) -> int:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *WORDS]))}
    tokens = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokens.normalizer = normalizers.Lowercase()
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokens.add_special_tokens(["</s>"])
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(
        tokenizer_object=tokens, model_max_length=48, model_input_names=["input_ids", "attention_mask"], **names
    ).save_pretrained(folder)
    return len(vocabulary)
