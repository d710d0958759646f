"""A packed model as the folder that sentence-transformers reads: weights, tokenizer and the small files beside them.

Needs neither torch nor transformers.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from polqa_demo.retrieval.packed_model import PackedModel, Sizes, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer


def write_folder(weights: Path, folder: Path) -> None:
    """Write the sentence-transformers folder of a packed file.

    Raises:
        OSError: it cannot be written.
        ValueError: the file is not of the packed form.
    """
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    packed = PackedModel(weights)
    save_file(_tensors(packed), folder / "model.safetensors", metadata={"format": "pt"})
    _tokenizer(packed.vocabulary).save(str(folder / "tokenizer.json"), pretty=False)
    for name, content in _configurations(packed.sizes, packed.vocabulary).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _tensors(packed: PackedModel) -> "dict[str, NDArray[np.float32]]":
    """The weights under the names that transformers gives them."""
    sizes = packed.sizes
    hidden, inner = sizes.hidden, sizes.feed_forward
    found = {
        "embeddings.word_embeddings.weight": packed.matrix("emb.word", sizes.vocabulary, hidden),
        "embeddings.position_embeddings.weight": packed.floats("emb.pos", sizes.positions, hidden),
        "embeddings.token_type_embeddings.weight": packed.floats("emb.type", sizes.token_types, hidden),
        "embeddings.LayerNorm.weight": packed.floats("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": packed.floats("emb.ln.b", hidden),
    }
    dense = {
        "q": ("attention.self.query", hidden, hidden),
        "k": ("attention.self.key", hidden, hidden),
        "v": ("attention.self.value", hidden, hidden),
        "ao": ("attention.output.dense", hidden, hidden),
        "fi": ("intermediate.dense", inner, hidden),
        "fo": ("output.dense", hidden, inner),
    }
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for layer in range(sizes.layers):
        for short, (long, rows, columns) in dense.items():
            found[f"encoder.layer.{layer}.{long}.weight"] = packed.matrix(f"l{layer}.{short}.w", rows, columns)
            found[f"encoder.layer.{layer}.{long}.bias"] = packed.floats(f"l{layer}.{short}.b", rows)
        for short, long in norms.items():
            found[f"encoder.layer.{layer}.{long}.weight"] = packed.floats(f"l{layer}.{short}.w", hidden)
            found[f"encoder.layer.{layer}.{long}.bias"] = packed.floats(f"l{layer}.{short}.b", hidden)
    return found


def _tokenizer(vocabulary: Vocabulary) -> "Tokenizer":
    """XLM-RoBERTa's Unigram tokenizer. The packed table holds NFKC and some characters beyond it, mostly blanks."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = [(piece, float(score)) for piece, score in zip(vocabulary.pieces, vocabulary.scores, strict=True)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=vocabulary.unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(_class_of(vocabulary, "")), ""),
            normalizers.Replace(Regex(_class_of(vocabulary, " ")), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    start, end = vocabulary.pieces[vocabulary.start], vocabulary.pieces[vocabulary.end]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}",
        pair=f"{start} $A {end} {end} $B {end}",
        special_tokens=[(start, vocabulary.start), (end, vocabulary.end)],
    )
    return tokenizer


def _class_of(vocabulary: Vocabulary, replacement: str) -> str:
    """A character class of all that the normaliser replaces by this."""
    codes = sorted(ord(one) for one, other in vocabulary.replacements.items() if other == replacement)
    return "[" + "".join(f"\\x{{{code:X}}}" for code in codes) + "]"


def _configurations(sizes: Sizes, vocabulary: Vocabulary) -> dict[str, object]:
    """The small files, in the form that sentence-transformers has written for years."""
    kind = "sentence_transformers.models"
    special = {
        "bos_token": vocabulary.pieces[vocabulary.start],
        "cls_token": vocabulary.pieces[vocabulary.start],
        "eos_token": vocabulary.pieces[vocabulary.end],
        "sep_token": vocabulary.pieces[vocabulary.end],
        "pad_token": vocabulary.pieces[vocabulary.padding],
        "unk_token": vocabulary.pieces[vocabulary.unknown],
    }
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": sizes.hidden,
            "intermediate_size": sizes.feed_forward,
            "layer_norm_eps": sizes.epsilon,
            "max_position_embeddings": sizes.positions,
            "num_attention_heads": sizes.heads,
            "num_hidden_layers": sizes.layers,
            "pad_token_id": vocabulary.padding,
            "type_vocab_size": sizes.token_types,
            "vocab_size": sizes.vocabulary,
            "dtype": "float32",
        },
        "tokenizer_config.json": {
            **special,
            "model_input_names": ["input_ids", "attention_mask"],
            "model_max_length": sizes.positions,
            "tokenizer_class": "PreTrainedTokenizerFast",
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{kind}.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{kind}.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": f"{kind}.Normalize"},
        ],
        "sentence_bert_config.json": {"max_seq_length": sizes.positions, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": sizes.hidden,
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
            "pooling_mode_max_tokens": False,
            "pooling_mode_mean_sqrt_len_tokens": False,
        },
        "2_Normalize/config.json": {},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    }
