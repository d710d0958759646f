"""The chat reader: a model behind any OpenAI-compatible server answers from the passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from polqa_demo.reading import chat_errors
from polqa_demo.reading.chat_client import ChatClient
from polqa_demo.reading.chat_prompt import ChatPrompt, build_prompt, read_reply
from polqa_demo.reading.chat_spending import PROCESS, Spending
from polqa_demo.reading.generated_text import NO_ANSWER, rest_on, short_answer
from polqa_demo.records import Answer, Passage
from polqa_demo.settings import Settings, settings

# A chat server tells no probability. These say where the answer was found: letter by letter, in other forms or by the
# model's own word, nowhere.
_LITERAL, _OTHER_FORMS, _NOWHERE = 0.8, 0.6, 0.3
_KNOBS = ("chat_answer_tokens", "chat_prompt_chars")


@dataclass(frozen=True, slots=True)
class ChatCounts:
    """What a reader has asked since it was made, and how often that was too long."""

    questions: int = 0
    cut_questions: int = 0
    cut_passages: int = 0
    left_out_passages: int = 0


class ChatReader:
    """Answers in a chat model's words; a `Reader`, safe to use from several threads.

    Address, key and limits come from the operator's settings (POLQA_CHAT_…), never from who asks. The confidence is no
    probability: 0.8 for an answer that stands in its passage, 0.6 for one in other forms, 0.3 for one found nowhere.
    """

    name = "chat"

    def __init__(self, knobs: Settings | None = None, model: str | None = None, spending: Spending = PROCESS) -> None:
        """Takes the settings, and another model than theirs; what is spent counts for the whole process.

        :raises UserError: address or model are not set, or address or key are impossible
        """
        self._knobs = knobs or settings()
        self.client = ChatClient(self._knobs, model, spending)
        self._lock = Lock()
        self._counts = ChatCounts()

    @property
    def counts(self) -> ChatCounts:
        """What was asked until now."""
        return self._counts

    @property
    def identity(self) -> Mapping[str, str]:
        """The server's address and model, and the settings of the prompt; limits of spending change no answer."""
        return {
            "endpoint": self.client.endpoint,
            "model": self.client.model,
            **{name: str(getattr(self._knobs, name)) for name in _KNOBS},
        }

    def describe(self) -> None:
        """Nothing: what the server's model does with the prompt is not seen from here."""

    def close(self) -> None:
        """Closes the connections to the server."""
        self.client.close()

    def read(self, question: str, passages: Sequence[Passage], scores: Sequence[float] = ()) -> Answer:
        """The model's short answer; no answer when it says that it does not know.

        :raises UserError: the spending limit is reached, or the server does not answer as it should
        """
        if not question.strip() or not passages:
            return NO_ANSWER
        prompt = build_prompt(question, passages, self._knobs.chat_prompt_chars)
        self._count(prompt)
        completion = self.client.complete(prompt.messages())
        reply = read_reply(completion.text, len(passages) - prompt.left_out)
        if completion.cut and not reply.text:
            raise chat_errors.cut(self._knobs.chat_answer_tokens)
        answer = short_answer(reply.text, question)
        if not answer:
            return NO_ANSWER
        found = rest_on(answer, question, passages, reply.passage)
        literal, somewhere = found.start is not None, found.passage_id is not None
        return replace(found, confidence=_LITERAL if literal else _OTHER_FORMS if somewhere else _NOWHERE)

    def _count(self, prompt: ChatPrompt) -> None:
        with self._lock:
            known = self._counts
            self._counts = ChatCounts(
                known.questions + 1,
                known.cut_questions + prompt.cut_question,
                known.cut_passages + prompt.cut_passages,
                known.left_out_passages + prompt.left_out,
            )
