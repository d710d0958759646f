"""A BERT of random weights with a tokenizer of single words, small enough to be made in a test."""

from pathlib import Path

WORDS = """
query : Kto Kiedy Gdzie Ile Czy Jak W którym roku napisał urodził się autor mieszka ma lat jest był Adam Ewa Jan Anna
Warszawie Krakowie Gdańsku Łodzi 1834 1901 1999 2004 trzy cztery dom kot pies Pan Tadeusz Lalka Kordian . , ? ( ) wiek
""".split()


def write_tokenizer(folder: Path, types: bool = False) -> int:
    """Writes a fast word tokenizer; the size of its vocabulary."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *dict.fromkeys(WORDS)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_input_names=names,
    ).save_pretrained(folder)
    return len(vocabulary)


def configuration(vocabulary: int):
    from transformers import BertConfig

    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=512,
        pad_token_id=0,
        attention_probs_dropout_prob=0.0,
        hidden_dropout_prob=0.0,
    )


def write_encoder(folder: Path) -> Path:
    """Writes the encoder's folder."""
    import torch
    from transformers import BertModel

    torch.manual_seed(1)
    size = write_tokenizer(folder)
    BertModel(configuration(size), add_pooling_layer=False).save_pretrained(folder)
    return folder


def write_reader(folder: Path, heads: bool = True) -> Path:
    """Writes an extractive model in the hub's layout; without `heads` one that never learnt to answer."""
    import torch
    from transformers import BertForQuestionAnswering, BertModel

    torch.manual_seed(2)
    size = write_tokenizer(folder, types=True)
    made = BertForQuestionAnswering if heads else BertModel
    made(configuration(size)).save_pretrained(folder)
    return folder
