"""Tiny models that write text, built and saved by the tests; some are taught a few answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WORDS = """
pytanie fragment kto napisał Lalkę Lalka powieść Bolesław Prus Bolesława Prusa . , : ? 1 2 3 4 5 1890 roku w którym
wydano Czy to jest tak nie wiem Odpowiedź Jan III Sobieski król Wisła rzeka płynie przez Polskę
""".split()
PAD, END, UNKNOWN, START = 0, 1, 2, 3


def write_tokenizer(folder: Path, length: int | None = None) -> int:
    """Whole words, then letters, as SentencePiece models have them; the size of the vocabulary."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = sorted({letter for word in WORDS for letter in word} | set("abcdefghijklmnoprstuwyz"))
    pieces = ["▁", *(f"▁{word}" for word in dict.fromkeys(WORDS)), *letters]
    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -20.0), ("<s>", 0.0)]
    vocabulary += [(piece, -2.0 if len(piece) > 2 else -6.0) for piece in dict.fromkeys(pieces)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=UNKNOWN, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", END)])
    more: dict[str, Any] = {} if length is None else {"model_max_length": length}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", bos_token="<s>", **more
    ).save_pretrained(folder)
    return len(vocabulary)


def write_spiece(folder: Path) -> int:
    """A tokenizer in SentencePiece's own form alone, as plT5's folders have it; the size of the vocabulary."""
    import io

    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([" ".join(WORDS)] * 50),
        model_writer=written,
        vocab_size=90,
        hard_vocab_limit=False,
        character_coverage=1.0,
        pad_id=PAD,
        eos_id=END,
        unk_id=UNKNOWN,
        bos_id=-1,
        minloglevel=2,
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spiece.model").write_bytes(written.getvalue())
    config = {"tokenizer_class": "T5Tokenizer", "extra_ids": 0}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return sentencepiece.SentencePieceProcessor(model_proto=written.getvalue()).get_piece_size()


def write_t5(folder: Path, multilingual: bool = False, spiece: bool = False) -> Path:
    """A T5, or an mT5 (another class and activation, embeddings of their own), of random weights."""
    import torch
    from transformers import MT5Config, MT5ForConditionalGeneration, T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    sizes: dict[str, Any] = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 1, "num_heads": 4, "dropout_rate": 0.0}
    sizes |= {"vocab_size": write_spiece(folder) if spiece else write_tokenizer(folder), "decoder_start_token_id": PAD}
    model = (
        MT5ForConditionalGeneration(MT5Config(**sizes))
        if multilingual
        else T5ForConditionalGeneration(T5Config(**sizes))
    )
    model.save_pretrained(folder)
    return folder


def write_bart(folder: Path, positions: int = 64) -> Path:
    """A BART with a table of positions, told to begin with a certain token and to write long, as for summaries."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=write_tokenizer(folder, length=positions),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=positions,
        dropout=0.0,
        pad_token_id=PAD,
        eos_token_id=END,
        bos_token_id=START,
        decoder_start_token_id=END,
        forced_bos_token_id=START,
        forced_eos_token_id=END,
    )
    model = BartForConditionalGeneration(config)
    model.generation_config.min_length = 20
    model.generation_config.max_length = 60
    model.save_pretrained(folder)
    return folder


def teach(folder: Path, pairs: Sequence[tuple[str, str]], steps: int = 300) -> Path:
    """Trains the folder's model until it answers these texts; seconds on one core."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForSeq2SeqLM.from_pretrained(folder)
    texts = tokenizer([text for text, _ in pairs], padding=True, return_tensors="pt", return_token_type_ids=False)
    start = [START] if model.config.model_type == "bart" else []
    answers = [[*start, *tokenizer(answer)["input_ids"]] for _, answer in pairs]
    longest = max(map(len, answers))
    labels = torch.tensor([[*answer, *[-100] * (longest - len(answer))] for answer in answers])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    model.train()
    for _ in range(steps):
        loss = model(**texts, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.01:
            break
    model.save_pretrained(folder)
    return folder
