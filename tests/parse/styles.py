"""One invented text, numbered in the styles in which rules are published, set in the formats in which they come.

``source(seed)`` makes the text, ``STYLES[name]`` numbers it, ``FORMATS[name]`` sets it; the key is made from the same
blocks, so what a parser should find is known exactly. The seed varies what publications vary: labels stacked on one
line, contents lists, running heads, the width of lines, lists as paragraphs or as lists.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_WHO = ("The harbour office", "A keeper", "Each pilot station", "The lamp owner", "A signal company", "The dockmaster")
_DUTY = (
    "shall keep a record of every lamp that went out and of the hour at which it was lit again",
    "must test the reserve engine at least twice in each quarter and write the result into the engine book",
    "shall inform the port board of any collision within 36 hours after it became known",
    "must hold spare parts worth not less than 2 million crowns or 4 percent of its yearly outlay",
    "shall appoint a deputy who can take over the watch without further training",
    "must have its charts checked by a surveyor who did not take part in drawing them",
    "shall not let any person aboard who has not shown the card that section 12 of the Pilots Act prescribes",
    "must store signed tide tables for 5 years, counted from the end of 2031 or of the season, if later",
    "shall publish its tariff in a form that 12 CFR 30 or a like rule of another country would allow",
    "must agree with its neighbours on who answers calls for help in the roads (see paragraph (a) of the annexed plan)",
    "shall review the plan for fog once a year and after every winter in which the ice closed the channel",
    "must be able to show at any time which vessels it guided, when, and at whose order",
)
_ADD = (
    "", "", " The board may ask for a copy.", " A copy is sent to the pilots.", " This does not apply to rowing boats.",
    " Records on paper are enough. They need not be bound.",
    " For this purpose, a season has not more than 200 days and the tariff of 12 March 2031 is used.",
)  # fmt: skip
_ITEM = (
    "the name of the vessel and of its owner", "the draught, measured at the stern",
    "the hour of arrival and of departure",
    "any damage to the quay that exceeds 3 000 crowns", "the pilots who were on watch", "the state of the tide",
    "letters that were exchanged with the insurer", "the reserve lamps and the oil in store", "drills held in the year",
    "each order that was given by whistle",
)  # fmt: skip
_TITLES = (
    "Scope and purpose", "Keeping of records", "Watch and crew", "Reserve engines", "Notice of incidents",
    "Charts and tables",
    "Tariffs", "Review by the board", "Outsourced towing", "Training of pilots", "Fog signals", "Ice season",
    "Lamps and oil",
    "Access to the quay", "Drills", "Insurance cover", "Complaints", "Final provisions",
)  # fmt: skip


@dataclass
class Item:
    """A numbered provision with its list."""

    text: str
    items: list[Item] = field(default_factory=list)


@dataclass
class Part:
    """A headed part: smaller parts, or provisions."""

    title: str
    parts: list[Part] = field(default_factory=list)
    provisions: list[Item] = field(default_factory=list)


def source(seed: int) -> list[Part]:
    """Make the invented text: chapters of sections of provisions, at least 80 numbered ones."""
    rng = random.Random(seed)
    titles = iter(rng.sample(_TITLES, len(_TITLES)))
    chapters = []
    for _ in range(4):
        sections = [
            Part(next(titles), provisions=[_provision(rng) for _ in range(rng.randint(4, 6))]) for _ in range(3)
        ]
        chapters.append(Part(next(titles), parts=sections))
    # The ninth letter beside a Roman one: the trap of every reader.
    chapters[1].parts[1].provisions[1] = Item(
        f"{_WHO[0]} shall enter into the book:", [Item(f"{text};") for text in _ITEM[:9]] + [Item(f"{_ITEM[9]}.")]
    )
    return chapters


def _sentence(rng: random.Random) -> str:
    return f"{rng.choice(_WHO)} {rng.choice(_DUTY)}.{rng.choice(_ADD)}"


def _provision(rng: random.Random, deep: bool = True) -> Item:
    if rng.random() < 0.55:
        return Item(_sentence(rng))
    texts = rng.sample(_ITEM, rng.randint(2, 4))
    items = [Item(f"{text};") for text in texts]
    items[-1].text = f"{texts[-1]}."
    if deep and rng.random() < 0.4:
        inner = [Item(f"{text};") for text in rng.sample(_ITEM, rng.randint(2, 3))]
        inner[-1].text = inner[-1].text[:-1] + ";"
        items[0] = Item("where the vessel is under tow:", inner)
    return Item(f"{rng.choice(_WHO)} {rng.choice(_DUTY)}, and shall hold on file:", items)


@dataclass
class Block:
    """A printed paragraph.

    Attributes:
        labels: as printed, outermost first.
        text: heading or words.
        level: 0 for the outermost heading or provision.
        heading: it is set as a heading.
        path: the numbers of the key, outermost first; empty for what has no number.
        kind: of a list item, how HTML counts it ("a", "1", "i"), else "".
        margin: its number stands in the margin.
        above: paths of the labels before the last one on its line.
    """

    labels: list[str]
    text: str
    level: int
    heading: bool = False
    path: tuple[str, ...] = ()
    kind: str = ""
    margin: bool = False
    above: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The labels as they are printed together: Section 900.3 (a)(1)."""
        first, *rest = self.labels or [""]
        space = " " if rest and not first.endswith(")") else ""
        return first + space + "".join(rest)


def letter(n: int) -> str:
    """1 → a."""
    return chr(96 + n)


def roman(n: int) -> str:
    """1 → i, up to 39."""
    return ("", "x", "xx", "xxx")[n // 10] + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[n % 10]


def _items(
    items: list[Item], path: tuple[str, ...], level: int, forms: list[tuple[str, Callable[[int], str], str]]
) -> Iterator[Block]:
    form, number, kind = forms[0]
    for n, item in enumerate(items, 1):
        own = (*path, number(n))
        yield Block([form.replace("#", number(n))], item.text, level, path=own, kind=kind)
        if item.items:
            yield from _items(item.items, own, level + 1, forms[1:])


_LETTERS = ("(#)", letter, "a")
_DIGITS = ("(#)", str, "1")
_ROMANS = ("(#)", roman, "i")
_CAPITALS = ("(#)", lambda n: letter(n).upper(), "A")


def part500(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a part of a US code of regulations: Section 900.1, (a), (1), (i)."""
    sign = rng.choice(["Section ", "§ "])
    found = [Block(["PART 900"], "RULES FOR HARBOURS", 0, True, ("900",))]
    count = 0
    for chapter in chapters:
        for section in chapter.parts:
            count += 1
            path = ("900", f"900.{count}")
            stop = "." if sign == "§ " else ""
            headed = rng.random() < 0.8
            title = f"{section.title}{stop}" if headed else ""
            found.append(Block([f"{sign}900.{count}"], title, 1, True, path))
            provisions = list(section.provisions)
            if not headed or rng.random() < 0.4:
                # "(a)(1) …", "(2) …": a provision that is nothing but its own paragraphs.
                provisions[0] = Item("", [_provision(rng, deep=False) for _ in range(3)])
            found.extend(_items(provisions, path, 2, [_LETTERS, _DIGITS, _ROMANS, _CAPITALS]))
    return _stacked(found)


def _stacked(blocks: list[Block]) -> list[Block]:
    """Print a label that no words follow on the line of the next one: Section 900.3 (a)(1)."""
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if before is not None and before.labels and not before.text:
            found[-1] = Block(
                [*before.labels, *block.labels],
                block.text,
                before.level,
                path=block.path,
                above=[*before.above, before.path],
            )
        else:
            found.append(block)
    return found


def rulebook(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a rulebook: 2, 2.1, 2.1.1 R, (1), (a)."""
    found = []
    gap = rng.choice([" ", ""])
    for c, chapter in enumerate(chapters, 1):
        found.append(Block([str(c)], chapter.title, 0, True, (str(c),)))
        for s, section in enumerate(chapter.parts, 1):
            found.append(Block([f"{c}.{s}"], section.title, 1, True, (str(c), f"{c}.{s}")))
            for p, provision in enumerate(section.provisions, 1):
                kind = rng.choice("RRRG")
                path = (str(c), f"{c}.{s}", f"{c}.{s}.{p}{kind}")
                found.append(Block([f"{c}.{s}.{p}{gap}{kind}"], provision.text, 2, path=path))
                found.extend(_items(provision.items, path, 3, [_DIGITS, _LETTERS, _ROMANS]))
    return found


def notice(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a notice of an Asian authority: 3, 3.1, 3.1.2, (a), (i)."""
    found = []
    for c, chapter in enumerate(chapters, 1):
        found.append(Block([f"{c}." if rng.random() < 0 else str(c)], chapter.title.upper(), 0, True, (str(c),)))
        for s, section in enumerate(chapter.parts, 1):
            found.append(Block([f"{c}.{s}"], section.title, 1, True, (str(c), f"{c}.{s}")))
            for p, provision in enumerate(section.provisions, 1):
                path = (str(c), f"{c}.{s}", f"{c}.{s}.{p}")
                found.append(Block([f"{c}.{s}.{p}"], provision.text, 2, path=path))
                found.extend(_items(provision.items, path, 3, [_LETTERS, _ROMANS]))
    return found


def swiss(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a Swiss circular: I., A., margin numbers through the document, a)."""
    found, margin = [], 0
    closing = rng.choice(["#)", "#."])
    for c, chapter in enumerate(chapters, 1):
        top = roman(c).upper()
        found.append(Block([f"{top}."], chapter.title, 0, True, (top,)))
        for s, section in enumerate(chapter.parts, 1):
            path = (top, letter(s).upper())
            found.append(Block([f"{letter(s).upper()}."], section.title, 1, True, path))
            for provision in section.provisions:
                margin += 1
                own = (*path, str(margin))
                found.append(Block([str(margin)], provision.text, 2, path=own, margin=True))
                found.extend(_items(provision.items, own, 3, [(closing, letter, "a"), _ROMANS, _DIGITS]))
    return found


def handbook(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a US handbook: I, I.A, unnumbered paragraphs, bullets."""
    found = []
    for c, chapter in enumerate(chapters, 1):
        top = roman(c).upper()
        found.append(Block([top], chapter.title, 0, True, (top,)))
        found.append(Block([], "This section describes what examiners look for. It is not a rule.", 1, path=(top, "")))
        for s, section in enumerate(chapter.parts, 1):
            path = (top, letter(s).upper())
            found.append(Block([f"{top}.{letter(s).upper()}"], section.title, 1, True, path))
            for provision in section.provisions:
                found.append(Block([], provision.text, 2, path=(*path, "")))
                for item in provision.items:
                    found.append(Block(["•"], item.text.replace(":", ";"), 3, path=(*path, "", "•"), kind="•"))
    return found


def eu(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as an EU act: Chapter, Article, 1., (a), (i)."""
    found = [
        Block([], "REGULATION (EU) 2041/77 OF THE PARLIAMENT AND OF THE COUNCIL of 3 May 2041 on harbours", 0, True),
        Block([], "THE PARLIAMENT AND THE COUNCIL OF THE UNION,", 0),
        Block([], "Having regard to the Treaty on Harbours,", 0),
        Block([], "Whereas:", 0),
        Block(["(1)"], "Harbours are busy, and their keepers are few.", 0),
        Block([], "HAVE ADOPTED THIS REGULATION:", 0),
    ]
    article = 0
    for c, chapter in enumerate(chapters, 1):
        top = roman(c).upper()
        found.append(Block([f"CHAPTER {top}"], chapter.title, 0, True, (top,)))
        for section in chapter.parts:
            article += 1
            path = (top, str(article))
            found.append(Block([f"Article {article}"], section.title, 1, True, path))
            found.extend(_items(section.provisions, path, 2, [("#.", str, "1"), _LETTERS, _ROMANS]))
    return found


def instrument(chapters: list[Part], rng: random.Random) -> list[Block]:
    """Number as a UK statutory instrument: PART 1, a heading above each regulation, 3.—(1), (2), (a), (i)."""
    found, number = [], 0
    for c, chapter in enumerate(chapters, 1):
        found.append(Block([f"PART {c}"], chapter.title, 0, True, (str(c),)))
        for section in chapter.parts:
            number += 1
            path = (str(c), str(number))
            found.append(Block([], section.title, 1, True, path))
            items = list(_items(section.provisions, path, 2, [_DIGITS, _LETTERS, _ROMANS]))
            items[0].labels = [f"{number}.—(1)"]
            items[0].kind = ""
            found.extend(items)
            if rng.random() < 0.5:
                number += 1
                whole, title = _provision(rng), f"{section.title}: further rules"
                found.append(Block([], title, 1, True, (str(c), str(number))))
                found.append(Block([f"{number}."], whole.text, 2, path=(str(c), str(number))))
                found.extend(_items(whole.items, (str(c), str(number)), 3, [_LETTERS, _ROMANS]))
    return found


#: Name of a style → how it numbers.
STYLES: dict[str, Callable[[list[Part], random.Random], list[Block]]] = {
    "part500": part500, "rulebook": rulebook, "notice": notice, "swiss": swiss, "handbook": handbook, "eu": eu,
    "instrument": instrument,
}  # fmt: skip


def numbered(style: str, seed: int) -> list[Block]:
    """Return the blocks of a text in a style."""
    return STYLES[style](source(seed), random.Random(seed))


def key(blocks: list[Block]) -> list[tuple[tuple[str, ...], str]]:
    """Return what a parser should find: (numbers from the outermost, words) of each numbered provision."""
    found = []
    for block in blocks:
        found += [(path, "") for path in block.above]
        if block.path:
            found.append((block.path, block.text))
    return found
