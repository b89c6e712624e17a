"""Prompts: YAML files, and how a pair becomes the messages of a request.

The layout serves the server's prefix cache: rules and examples, then the side shown first with its context,
then the other side, then the question. Pairs that share their left side share all but the end.

Texts are data. Each stands between two marks that do not occur in it; invisible characters are dropped; strings that
look like a chat template's special tokens are broken by a space. Nothing is cut.
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

#: Part of the version hash: raise it when the messages made from a pair change.
LAYOUT = 1
#: The same for facts mode alone.
FACTS_LAYOUT = 2
#: Control tokens of chat templates: <|im_end|>, </s>, <think>, <｜User｜>, [INST], [/INST].
_SPECIAL = re.compile(r"<(?=[|｜/a-zA-Z_<])|(?<=[|｜])(?=>)|\[(?=/?[A-Z_]{2,}\])")

Message = dict[str, str]
#: Gives the facts of a provision, "" if there are none.
Read = Callable[[Provision], str]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Label(_Frozen):
    """What a label token stands for; ``explain`` marks those worth the second question."""

    relation: str
    explain: bool = False


class Example(_Frozen):
    """A pair with its answers; without ``explanation`` it serves the screen only."""

    first: str
    second: str
    label: str
    explanation: Explanation | None = None


class Question(_Frozen):
    """``rules`` end the system message, ``ask`` ends every pair."""

    rules: str
    ask: str


class Prompt(_Frozen):
    """A prompt file.

    Attributes:
        name: of the file.
        rules: opening of both questions' system messages.
        labels: single-token labels of the screen.
        screen: first question.
        explain: second question.
        examples: shown as earlier turns of the conversation.
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
        """Hash of all that this prompt adds to a request."""
        content = self.model_dump(mode="json", exclude={"name", "about"})
        return hashlib.sha256(json.dumps([LAYOUT, content], sort_keys=True).encode()).hexdigest()


def _is_letter(token: str) -> bool:
    return len(token) == 1 and "A" <= token <= "Z"


def clean(text: str) -> str:
    """Return a text that is safe for a model: no invisible or control characters, no special tokens."""
    text = CONTROL.sub(" ", INVISIBLE.sub("", text.replace("\r\n", "\n")))
    return _SPECIAL.sub(lambda found: f"{found[0]} ", text)


class Layout:
    """Turns pairs into messages; what all pairs share is made once.

    Args:
        prompt: the prompt file.
        read: gives what the screen reads of a provision instead of text and context (facts mode); None for text and
            context.

    Attributes:
        prompt: as given.
    """

    def __init__(self, prompt: Prompt, read: Read | None = None) -> None:
        self.prompt = prompt
        self._read = read
        self._screen = [_system(prompt, prompt.screen)]
        self._explain = [_system(prompt, prompt.explain)]
        for example in prompt.examples:
            first, second = (Provision("", "", "", text, "", "") for text in (example.first, example.second))
            self._screen += _turn(_pair(first, second, prompt.screen.ask, read), example.label)
            if example.explanation:
                answer = example.explanation.model_dump_json()
                self._explain += _turn(_pair(first, second, prompt.explain.ask, None), answer)

    def screen(self, first: Provision, second: Provision) -> list[Message]:
        """Return the messages of the first question; ``first`` is the side shown first."""
        return self._asked(self._screen, first, second, self.prompt.screen.ask, self._read)

    def explain(self, first: Provision, second: Provision) -> list[Message]:
        """Return the messages of the second question; it always reads the texts, since it quotes them."""
        return self._asked(self._explain, first, second, self.prompt.explain.ask, None)

    @staticmethod
    def _asked(
        shared: list[Message],
        first: Provision,
        second: Provision,
        ask: str,
        read: Read | None,
    ) -> list[Message]:
        return [*shared, {"role": "user", "content": _pair(first, second, ask, read)}]


def _system(prompt: Prompt, question: Question) -> Message:
    return {"role": "system", "content": f"{prompt.rules.strip()}\n\n{question.rules.strip()}"}


def _turn(shown: str, answer: str) -> list[Message]:
    return [{"role": "user", "content": shown}, {"role": "assistant", "content": answer}]


def _pair(first: Provision, second: Provision, ask: str, read: Read | None) -> str:
    bodies = (_body(first, read), _body(second, read))
    # The first mark depends on the first side only, or pairs with the same left side would not share it.
    marks = (mark(bodies[0]), mark(*bodies))
    blocks = [f"[[{sign}]]\n{body}\n[[/{sign}]]" for sign, body in zip(marks, bodies, strict=True)]
    return f"First provision:\n{blocks[0]}\n\nSecond provision:\n{blocks[1]}\n\n{ask.strip()}"


def mark(*bodies: str) -> str:
    """Return a mark that occurs in none of the texts; short, since every digit costs a token."""
    candidates = (hashlib.sha256("\0".join([str(attempt), *bodies]).encode()).hexdigest()[:6] for attempt in count())
    return next(mark for mark in candidates if not any(mark in body for body in bodies))


def _body(provision: Provision, read: Read | None) -> str:
    facts = clean(read(provision)).strip() if read else ""
    if facts:
        # Facts alone: the context is raw text too, and costs as much as the norms save.
        return f"Norms: {facts}"
    # Raw mode, or a provision without facts: it is read as it stands.
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
