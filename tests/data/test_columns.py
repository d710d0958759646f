"""The one table of column names."""

import pytest

from polqa_demo.data.columns import COLUMNS, names_of, plain_name


def test_names_are_plain_and_each_stands_once_in_its_column() -> None:
    for column in COLUMNS.values():
        assert all(name == plain_name(name) for name in column.names)
        assert len(set(column.names)) == len(column.names)


@pytest.mark.parametrize(
    ("one", "other"),
    [("question_id", "passage_id"), ("score", "rank"), ("score", "distance"), ("prediction", "golds"),
     ("prediction", "question"), ("passages", "golds")],
)  # fmt: skip
def test_no_name_means_two_things_in_one_file(one: str, other: str) -> None:
    assert not set(names_of(one)) & set(names_of(other))


def test_a_passage_may_be_called_id_in_a_corpus_alone() -> None:
    corpus = names_of("corpus_passage_id")
    assert corpus[:2] == ("id", "_id")
    assert set(corpus[2:]) <= set(names_of("passage_id"))
    assert not {"id", "_id"} & set(names_of("passage_id"))


def test_the_first_name_is_believed_first() -> None:
    ids, passages = names_of("question_id"), names_of("passage_id")
    # An annotator's tool numbers its own rows by `id`; an index numbers its documents by `docid`.
    assert ids.index("question_id") < ids.index("id")
    assert passages.index("docno") < passages.index("docid")
