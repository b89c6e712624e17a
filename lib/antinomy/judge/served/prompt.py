"""Prompts are YAML files; a layout turns them and a pair into the messages of a request.

The order of the parts suits the server's prefix cache: rules and examples, the first side with its context, the second
side, the question. Pairs with the same left side share all but the end.

Texts are data, not instructions. Each stands between two delimiters that do not occur in it. Invisible characters are
dropped, and a space breaks strings that look like special tokens of a chat template. Nothing is cut.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from antinomy.errors import SettingsError
from antinomy.judge.evidence import verbatim
from antinomy.judge.protocol import Provision
from antinomy.judge.served.explain import Explanation
from antinomy.text.characters import CONTROL, INVISIBLE
from antinomy.vocabulary import Relation

#: Version of the messages that are made from a pair, part of the prompt's hash.
LAYOUT = 1
#: The same for messages with facts.
FACTS_LAYOUT = 2
#: Control tokens of chat templates: <|im_end|>, </s>, <think>, <｜User｜>, [INST], [/INST].
_SPECIAL = re.compile(r"<(?=[|｜/a-zA-Z_<])|(?<=[|｜])(?=>)|\[(?=/?[A-Z_]{2,}\])")

Message = dict[str, str]
#: Returns the facts of a provision, "" if there are none.
FactReader = Callable[[Provision], str]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Label(_Frozen):
    """What a label stands for; ``explain`` says that it is worth the second question."""

    relation: str
    explain: bool = False


class Example(_Frozen):
    """A pair with its answers; without ``explanation`` it is an example for the screen only."""

    first: str
    second: str
    label: str
    explanation: Explanation | None = None


class Question(_Frozen):
    """A question: ``rules`` end the system message, ``ask`` ends the message with the pair."""

    rules: str
    ask: str


class Prompt(_Frozen):
    """A prompt file.

    Attributes:
        name: of the file.
        about: what it is for; not part of any message.
        rules: beginning of the system message of both questions.
        labels: single-token labels of the screen.
        screen: the first question.
        explain: the second question.
        examples: earlier turns of the conversation.
    """

    name: str
    about: str
    rules: str
    labels: dict[str, Label] = Field(min_length=2)
    screen: Question
    explain: Question
    examples: tuple[Example, ...]

    @model_validator(mode="after")
    def _consistent(self) -> Prompt:
        faults = [f"label {token!r} is not one capital letter" for token in self.labels if not _is_letter(token)]
        faults += [
            f"label {token}: relation {label.relation!r} is none of {', '.join(Relation)}"
            for token, label in self.labels.items()
            if label.relation not in tuple(Relation)
        ]
        relations = [label.relation for label in self.labels.values()]
        if len(set(relations)) < len(relations) or "conflict" not in relations:
            faults.append("labels: each relation once, conflict among them")
        if all(label.explain for label in self.labels.values()) or not any(
            label.explain for label in self.labels.values()
        ):
            faults.append("labels: some must have explain: true and some not")
        for number, example in enumerate(self.examples, start=1):
            if example.label not in self.labels:
                faults.append(f"example {number}: unknown label {example.label!r}")
            shown = example.explanation
            if shown and not (
                verbatim(shown.quote_first, example.first) and verbatim(shown.quote_second, example.second)
            ):
                faults.append(f"example {number}: a quote is not in its text")
        if faults:
            raise ValueError("; ".join(faults))
        return self

    @cached_property
    def sha256(self) -> str:
        """Hash of all that the prompt contributes to a request."""
        content = self.model_dump(mode="json", exclude={"name", "about"})
        return hashlib.sha256(json.dumps([LAYOUT, content], sort_keys=True).encode()).hexdigest()


def _is_letter(token: str) -> bool:
    return len(token) == 1 and "A" <= token <= "Z"


def clean(text: str) -> str:
    """Return a text that is safe for a model: no invisible or control characters, no special tokens."""
    text = CONTROL.sub(" ", INVISIBLE.sub("", text.replace("\r\n", "\n")))
    return _SPECIAL.sub(lambda found: f"{found[0]} ", text)


class Layout:
    """Turns pairs into messages; what all pairs share is built once.

    Args:
        prompt: the prompt file.
        read_facts: returns the facts that the screen reads instead of text and context; None for text and context.

    Attributes:
        prompt: as given.
    """

    def __init__(self, prompt: Prompt, read_facts: FactReader | None = None) -> None:
        self.prompt = prompt
        self._read_facts = read_facts
        self._screen = [_system(prompt, prompt.screen)]
        self._explain = [_system(prompt, prompt.explain)]
        for example in prompt.examples:
            first, second = (Provision("", "", "", text, "", "") for text in (example.first, example.second))
            self._screen += _turn(_pair(first, second, prompt.screen.ask, read_facts), example.label)
            if example.explanation:
                answer = example.explanation.model_dump_json()
                self._explain += _turn(_pair(first, second, prompt.explain.ask, None), answer)

    def screen(self, first: Provision, second: Provision) -> list[Message]:
        """Return the messages of the first question, with the sides in this order."""
        return self._messages(self._screen, first, second, self.prompt.screen.ask, self._read_facts)

    def explain(self, first: Provision, second: Provision) -> list[Message]:
        """Return the messages of the second question, which always has the texts, since it quotes them."""
        return self._messages(self._explain, first, second, self.prompt.explain.ask, None)

    @staticmethod
    def _messages(
        shared: list[Message],
        first: Provision,
        second: Provision,
        ask: str,
        read_facts: FactReader | None,
    ) -> list[Message]:
        return [*shared, {"role": "user", "content": _pair(first, second, ask, read_facts)}]


def _system(prompt: Prompt, question: Question) -> Message:
    return {"role": "system", "content": f"{prompt.rules.strip()}\n\n{question.rules.strip()}"}


def _turn(shown: str, answer: str) -> list[Message]:
    return [{"role": "user", "content": shown}, {"role": "assistant", "content": answer}]


def _pair(first: Provision, second: Provision, ask: str, read_facts: FactReader | None) -> str:
    bodies = (_body(first, read_facts), _body(second, read_facts))
    # The first delimiter depends on the first side only, so pairs with the same left side share it.
    delimiters = (delimiter(bodies[0]), delimiter(*bodies))
    blocks = [f"[[{sign}]]\n{body}\n[[/{sign}]]" for sign, body in zip(delimiters, bodies, strict=True)]
    return f"First provision:\n{blocks[0]}\n\nSecond provision:\n{blocks[1]}\n\n{ask.strip()}"


def delimiter(*bodies: str) -> str:
    """Return a delimiter that occurs in none of the texts; short, since every digit costs a token."""
    candidates = (hashlib.sha256("\0".join([str(attempt), *bodies]).encode()).hexdigest()[:6] for attempt in count())
    return next(delimiter for delimiter in candidates if not any(delimiter in body for body in bodies))


def _body(provision: Provision, read_facts: FactReader | None) -> str:
    facts = clean(read_facts(provision)).strip() if read_facts else ""
    if facts:
        # Without the context, which would cost as many tokens as the facts save.
        return f"Norms: {facts}"
    body = f"Text: {clean(provision.text).strip()}"
    return f"Context: {clean(provision.context).strip()}\n{body}" if provision.context.strip() else body


def load(name: str) -> Prompt:
    """Load a prompt by its name in this package, or by the path of a YAML file.

    Raises:
        SettingsError: if there is none, or it is faulty; the message lists every fault.
    """
    if name.endswith((".yaml", ".yml")):
        source: Path | Traversable = Path(name)
    else:
        # Not by file path: on a cluster the package may come as a zip.
        folder = resources.files("antinomy.judge.served") / "prompts"
        known = sorted(p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name.endswith(".yaml"))
        if name not in known:
            raise SettingsError(
                f"judge.openai.prompt: {name!r} is none of {', '.join(known)}, nor the path of a .yaml file"
            )
        source = folder / f"{name}.yaml"
    try:
        return Prompt.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"judge.openai.prompt: cannot read {source}: {error}") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"judge.openai.prompt: {source} is no YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'prompt'}: {e['msg']}" for e in error.errors())
        raise SettingsError(f"judge.openai.prompt: {source}: {faults}") from error
