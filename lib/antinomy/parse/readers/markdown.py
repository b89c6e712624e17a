"""Markdown of any dialect → printed lines without its signs: CommonMark, GitHub's, the static sites', Pandoc's."""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import BLOCKS, is_margin, is_withdrawn, sets_numbers
from antinomy.parse.numbered.heading_words import OPEN
from antinomy.parse.readers.html import html_lines
from antinomy.parse.readers.markdown_tables import BORDER, PIPES, set_tables
from antinomy.text.typography import RAISE, RAISED_DIGITS

_LONGEST_HEADING = 500
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(\S.*?)\s*#*$")
_INDENTED = re.compile(r"^ {1,3}(?=#{1,6}\s)")
#: "##Article 4" is a heading for some converters.
_CLOSE = re.compile(r"^(#{2,6})(?=[A-Z])")
#: A heading that is set as an item of a list: "1. ## Oil", "- ## Oil".
_HEADING_ITEM = re.compile(r"\s{0,3}(?:[*+-]|(?P<number>\d{1,3}[.)]))\s+(?P<sign>#{1,6})\s+(?=\S)")
#: Stands behind the emphasised words that a line begins with.
_LEAD = "\uf8fe"
#: What only indents a label: "- (a) Oil", "- 1(1) Oil", "- **1** Oil", "- 6-1-1301. Oil".
_BULLET = re.compile(
    r"^[*+-]\s+(?=(?:\([\w.]{1,7}\)|\d{1,3}[a-z]?[.)(]|[a-zA-Z][.)]|[ivxlc]{1,6}[.)]|\d+(?:\.\d+)+"
    rf"|\d{{1,3}}{_LEAD}|\d+[A-Z]?(?:-\d+[A-Z]?)+(?:\.\d+)?(?=\.\s))\S*\s)"
)
_ITEM = re.compile(r"^[*+-]\s+")
#: A number of an ordered list; "1. (2)" has one of its own.
_COUNTED = re.compile(r"\s*(\d{1,3})(?=([.)])\s+[^\s(])")
_EMPHASIS = re.compile(
    rf"(\*\*|\*|__|(?<!\w)_|`)(?=\S)([^*_`]{{1,3000}}|[^*_]{{1,500}}?)(?<=\S)\1(?![^\W{RAISED_DIGITS}])"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ATTRIBUTES = r"\{(?:: ?(?=[#.\w])|(?=[#.]|[\w-]+=))[^{}]{0,500}\}"
_IMAGE = re.compile(rf"!\[[^\[\]]{{0,500}}\]\([^()]{{0,2000}}\)(?:{_ATTRIBUTES})?")
#: [words]{.class}
_SPAN = re.compile(rf"\[([^\[\]]{{0,2000}})\]({_ATTRIBUTES})")
#: [words](address), [words](file.md), [words](), but not the paragraphs [5](1). The number of a rule that is cited at
#: the beginning of a line is printed behind the line before, where it is no number of a paragraph.
_LINK = re.compile(
    r"(?:(?<=[a-z,])\n\s*(?=\[))?\[((?:[^\[\]]|\[[^\[\]]{1,100}\]){1,500})\]"
    r"\((?:(?:https?:|mailto:|/|\.{1,2}/|#|(?:[\w%-]{1,100}/){0,20}[\w%-]{1,100}\.[a-z]{2,4}(?=[#)\s]))"
    r"[^\s()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,20}"
    rf"(?:\s\"[^\"]{{0,500}}\")?|)\)(?:{_ATTRIBUTES})?"
)
#: Nothing but [words](#heading); the name that a heading or a place is given: {#oil .lamp}.
_LINK_INSIDE = re.compile(r"\s*\[([^\[\]]{1,500})\]\(#([^\s()]{1,300})\)\s*")
_NAMED = re.compile(r"\{#([^\s{}]{1,300})")
_NOTE = re.compile(r"\[\^([^\s\[\]]{1,60})\]")
_NOTED = re.compile(rf"{_NOTE.pattern}:")
_HEADING_END = re.compile(rf"\s+{_ATTRIBUTES}(?=\s*#*$)")
_RAISED = re.compile(r"<sup>\s*(\d{1,4})\s*</sup>|\^(\d{1,4})\^|(?:(?<=[^\W\d_])|(?<=[.,;)*]))\^(\d{1,3})(?![\w^])")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]{0,1000})?/?>|<((?:https?:|mailto:)[^\s<>]{1,500})>")
_INLINE_TAGS = frozenset({
    "a", "abbr", "b", "big", "br", "center", "cite", "code", "del", "dfn", "em", "font", "hr", "i", "img", "ins",
    "kbd", "link", "mark", "meta", "q", "s", "small", "span", "strong", "sub", "sup", "u", "var", "wbr",
})  # fmt: skip
#: ~~words~~, <del>words</del>, within a paragraph: deleted, and what may stand before a number that is struck.
_STRUCK = re.compile(
    r"(?<![\\~])~~(?=[^\s~])((?:[^~\n]|\n(?!\s*\n)){1,5000})(?<=\S)~~(?!~)"
    r"|<(del|s|strike)(?:\s[^<>]{0,500})?>((?:[^\n]|\n(?!\s*\n)){0,5000}?)</\2>",
    re.IGNORECASE,
)
_BEFORE_LABEL = re.compile(r"[\s#*_>+|-]*")
#: What Markdown cannot say is said in HTML.
_HTML_BLOCK = re.compile(r"\s*<(table|ol|ul|dl)\b", re.IGNORECASE)
#: Dashes as they are typed; "a--b" may be an address.
_DASHES = re.compile(r"(?<=\d)--(?=\d)|(?<=\w)---(?=\w)|(?:(?<=\s)|^)-{2,3}(?=\s|$)")
#: A thematic break, or the attributes of the block above, and nothing else.
_RULE = re.compile(rf"\s*(?:([-*_])(?:\s*\1){{2,}}|{_ATTRIBUTES})\s*")
_UNDERLINE = re.compile(r"(=+|-{3,})\s*")
#: What begins a line that goes on with nothing before it.
_START = re.compile(r"\s*(?:[*+-]\s|\||#{1,6}\s|[:~]\s|\[\^)")
#: Words in the middle of a sentence.
_GOES_ON = re.compile(r"[a-z]{2,}[,.]?\s")
_ENDED = re.compile(r"(?:^|[.;:!?)”\"]| {2})$")
#: So many characters around emphasised words tell whether they begin a line.
_NEAR = 600
_DEFINITION = re.compile(r" {0,3}[:~]\s+(?=\S)")
#: A line that is broken at a margin is so long.
_WRAPPED = range(45, 121)
#: A line that leaves so much of the width free is broken for another reason.
_SHORT = 0.8
#: A line break that is meant.
_BREAK = re.compile(r" {2}$|\\$|<br ?/?>\s*$")
#: What may stand before a label that begins a line.
_ITEM_ENDED = re.compile(r"(?:[.,;:!?)”\"*—–-]|\b(?:and|or))\s*$")
_AROUND_TERM = " *_`“”\"'"
_INDENTS = str.maketrans({"\u2002": "  ", "\u2003": "    "})
_QUOTED = re.compile(r"^ {0,3}(?:> ?)+")
#: What opens or closes a note, a division or code: "[!NOTE]", '!!! tip "Oil"', ":::caution Oil", "```json"
_FENCE = re.compile(
    r"^\s*(?:\[!(\w+)\]|(?:!!!|\?\?\?\+?) (?:[\w -]{1,60} \"(.{0,100})\"|(\w{1,30}))"
    r"|:::+ ?(?:\{[^{}]*\}|[\w-]*)(.*?):*|(?:```+|~~~+) ?(?:[\w-]*|\{[^{}]*\}))\s*$"
)
#: Converters of PDF set a footnote as code below its number, and this as a heading.
_CODED_NOTE = re.compile(r"^#{1,6} (\d{1,3})\n\s*\n```\n((?:[^\n`]{1,500}\n){1,20})```$", re.MULTILINE)
_NOTE_TITLE = re.compile(r"^\*\*([^*]{1,60})\*\*\s*$")
_DIVISION = re.compile(r":::+ ?[\w{]")
#: A label in a quotation or behind an escape; words in heavy type; so many lines with these, or links, are Markdown's.
_SIGN = re.compile(r" {0,3}(?:> ?)+\(\w{1,5}\)|\s*\\\(\w{1,5}\\?\)")
_STRONG = re.compile(r"\*\*(?=[^\s*])[^*]{1,200}(?<=\S)\*\*")
_ENOUGH = 3
#: Escaped signs, and those of other formats, are letters for private use until all signs are read.
_PRIVATE = 0xE000
_HIDE = {code: chr(_PRIVATE + code) for code in map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")}
_SHOW = {ord(hidden): chr(code) for code, hidden in _HIDE.items()}


def is_markdown(printed: Iterable[str]) -> bool:
    """Tell whether a text has a heading, a division, a table, a span or a note that is set in Markdown.

    Of the other signs, which may stand in any text, it takes several.
    """
    signs = 0
    for raw in printed:
        if (
            _HEADING.match(raw[:_LONGEST_HEADING])
            or _CLOSE.match(raw)
            or _DIVISION.match(raw)
            or BORDER.fullmatch(raw)
            or PIPES.fullmatch(raw)
            or _NOTED.match(raw)
            or _SPAN.search(raw)
        ):
            return True
        signs += bool(_SIGN.match(raw) or _STRONG.search(raw) or _LINK.search(raw))
    return signs >= _ENOUGH


def printed_lines(printed: Sequence[str]) -> list[str]:
    """Take the signs of Markdown out of a file's lines, but for those that ``take`` reads."""
    printed = [_CLOSE.sub(r"\1 ", _INDENTED.sub("", raw)) for raw in printed]
    lines = set_tables(_without_html(_without_signs(printed)), _plain)
    lines = [_ESCAPED.sub(lambda sign: sign[1].translate(_HIDE), raw) for raw in lines]
    lines = _with_numbered_notes(_without_navigation(lines))
    lines = _unwrapped(_with_items(_with_terms(_without_layout(_with_headings(lines)))))
    kept: list[str] = []
    group: list[str] = []
    for raw in [*lines, ""]:
        if not raw.strip() or _START.match(raw):
            kept += _words("\n".join(group)).split("\n") if group else []
            group = []
        if not raw.strip():
            kept.append("")
        else:
            group.append(raw)
    return kept


def _without_navigation(printed: Sequence[str]) -> list[str]:
    """Leave out lines that stand alone and hold nothing but links to other files or places, several of them."""
    listed = _contents(printed)
    kept: list[str] = []
    for at, (before, raw, after) in enumerate(zip(["", *printed], printed, [*printed[1:], ""], strict=False)):
        rest, links = _LINK.subn("", raw) if not (before.strip() or after.strip()) else ("", 0)
        kept.append("" if at in listed or (links > 1 and not re.search(r"\w", rest)) else raw)
    return kept


def _contents(printed: Sequence[str]) -> set[int]:
    """Return the lines that are each a link to a heading of the file and no more: several, or one with its words.

    A link back to the first heading may have others: "[top](#lamps)".
    """
    headings = [_HEADING_END.sub("", heading[2]) for raw in printed if (heading := _headed(raw))]
    slugs = set(map(_slug, [*headings, *(name for raw in printed for name in _NAMED.findall(raw))]))
    first = _slug(headings[0]) if headings else ""
    found = ((at, _LINK_INSIDE.fullmatch(raw)) for at, raw in enumerate(printed))
    links = {at: (_slug(link[1]), _slug(link[2])) for at, link in found if link}
    listed: set[int] = set()
    for linked, run in groupby((at for at, raw in enumerate(printed) if raw.strip()), key=links.__contains__):
        entries = list(run) if linked else []
        if len(entries) > 1 and any(links[at][1] in slugs for at in entries):
            listed.update(entries)
        own = (at for at in entries if links[at][0] == links[at][1] and links[at][1] in slugs)
        listed.update(own, (at for at in entries if links[at][1] == first))
    return listed


def _slug(heading: str) -> str:
    """Return the name by which a page links to a heading, but for the signs and first digits that not all keep."""
    name = "".join(filter(str.isalnum, heading.lower()))
    return name.lstrip("0123456789") or name


def _headed(raw: str) -> re.Match[str] | None:
    return _HEADING.match(raw) if raw[:1] == "#" and len(raw) <= _LONGEST_HEADING else None


def _with_numbered_notes(printed: Sequence[str]) -> list[str]:
    """Number the footnotes that are marked with names, "[^wick]", in the order of their marks."""
    marks = dict.fromkeys(mark for raw in printed for mark in _NOTE.findall(raw))
    highest = max((int(mark) for mark in marks if mark.isdecimal()), default=0)
    named = {mark: at for at, mark in enumerate((m for m in marks if not m.isdecimal()), start=highest + 1)}
    return [_NOTE.sub(lambda mark: f"[^{named.get(mark[1], mark[1])}]", raw) for raw in printed]


def _unwrapped(printed: Sequence[str]) -> list[str]:
    """Join the lines of wrapped paragraphs, except where an item of a list may begin.

    What begins with a label behind a word, "Article / 21(1)", is no item. Lines of other lengths are not wrapped.
    """
    kept: list[list[str]] = []
    before = ""
    lengths = sorted(len(raw) for raw in printed if len(raw) in _WRAPPED)
    width = lengths[9 * len(lengths) // 10] if lengths else 0
    for raw in printed:
        words = raw.strip()
        wrapped = len(before) in _WRAPPED and not (before.startswith(("#", "|")) or _BREAK.search(before))
        ended = _ITEM_ENDED.search(before) or len(before) + len(words.split(" ", 1)[0]) < _SHORT * width
        begins = _START.match(raw) or (ended and leading_labels(_plain(words)))
        if words and wrapped and not begins:
            kept[-1].append(words)
        else:
            kept.append([raw])
        before = raw
    return [" ".join(parts) for parts in kept]


def _with_items(printed: Sequence[str]) -> list[str]:
    """Set the items of ordered lists apart; count on where one has the number before it, as where they all say 1.

    So a page with them is printed.
    """
    kept: list[str] = []
    #: Of each open list: its indent, the sign behind its numbers, the last number as typed and as printed.
    lists: list[tuple[int, str, int, int]] = []
    before = ""
    numbers = deque(found[1] for raw in printed if (found := _COUNTED.match(raw)))
    for raw in printed:
        item, indent = _COUNTED.match(raw), len(raw) - len(raw.lstrip())
        if item or (raw.strip() and len(before) not in _WRAPPED):
            lists = [open_ for open_ in lists if open_[0] < indent or (item and open_[0] == indent)]
        if item:
            number = count = int(item[1])
            deeper = bool(lists) and lists[-1][0] < indent
            _, sign, typed, last = lists.pop() if lists and not deeper else (indent, "", 0, 0)
            if sign != item[2]:
                typed = last = 0
            numbers.popleft()
            following = numbers[0] if numbers else ""
            # "1. Scope", and below it paragraphs 1 and 2, are no such list; nor is "3. Oil" below a blank line.
            tight = bool(before.strip()) and number > 1
            again = number == typed and (tight or (number == 1 and following != "2"))
            # What follows one that is typed twice moves on.
            if again or (tight and last > typed > 1 and number == typed + 1):
                count = last + 1
                raw = f"{raw[: item.start(1)]}{count}{raw[item.end() :]}"
            if (count == last + 1 if last else deeper and number == 1) and before.strip():
                # It interrupts any paragraph.
                kept.append("")
            lists.append((indent, item[2], number, count))
        kept.append(raw)
        before = raw
    return kept


def take(text: str) -> tuple[str, int, int]:
    """Return the words of a printed line, the level of the heading that it is, or 0, and its ``lead``."""
    heading = _HEADING.match(text) if len(text) <= _LONGEST_HEADING else None
    text = heading[2] if heading else _ITEM.sub("• ", _BULLET.sub("", text))
    lead = 0 if heading else max(text.find(_LEAD), 0)
    return text.replace(_LEAD, "").translate(_SHOW), len(heading[1]) if heading else 0, lead


def _without_signs(printed: Sequence[str]) -> list[str]:
    """Leave out comments and the signs of quotations, notes and code; a note begins with its title and a colon."""
    first, *rest = "\n".join(printed).split("<!--")
    commented = (part.partition("-->") for part in rest)
    text = first + "".join(after if end else f"<!--{before}" for before, end, after in commented)
    text = _STRUCK.sub(_left_of_struck, text)
    text = _CODED_NOTE.sub(lambda note: f"{note[1].translate(RAISE)} {' '.join(note[2].split())}\n", text)
    kept: list[str] = []
    title, indent, of_quotation = "", "", False
    for raw in text.split("\n"):
        words = _QUOTED.sub("", raw)
        sign = _FENCE.match(words) or (_NOTE_TITLE.match(words) if words != raw else None)
        if sign:
            title, of_quotation = " ".join(filter(None, sign.groups())).strip(" .:[]"), words != raw
            title = title.capitalize() if title.isupper() else title
            indent = words[: len(words) - len(words.lstrip())]
            kept.append("")
        elif words.strip():
            # Nothing else was quoted; or a provision follows, whose number stands at the beginning of its line.
            if title and ((of_quotation and words == raw) or leading_labels(_plain(words))):
                kept += [title, ""]
                title = ""
            kept.append(f"{indent}{title}: {words.lstrip()}" if title else words)
            title = ""
        elif not title:
            kept.append("")
    return kept


def _left_of_struck(part: re.Match[str]) -> str:
    text, words = part.string, part[1] or part[3]
    begins = _BEFORE_LABEL.fullmatch(text, text.rfind("\n", 0, part.start()) + 1, part.start())
    behind = text[part.end() : part.end() + _NEAR].partition("\n")[0]
    return words if begins and is_withdrawn(words, words + behind) else ""


def _without_html(printed: Sequence[str]) -> list[str]:
    """Print tables and lists that are set in HTML as a page with them is printed."""
    kept: list[str] = []
    held: list[str] = []
    name, depth = "", 0
    for raw in printed:
        if not held and (opened := _HTML_BLOCK.match(raw)):
            name, depth = opened[1].lower(), 0
        elif not held:
            kept.append(raw)
            continue
        held.append(raw)
        depth += len(re.findall(rf"<{name}\b", raw.lower())) - raw.lower().count(f"</{name}")
        if depth <= 0:
            kept.append("")
            for text in html_lines("\n".join(held)):
                # The signs of Markdown are none in HTML, but for the bars of the rows that are printed here.
                kept += [text] if text.startswith("|") else [text.translate(_HIDE), ""]
            held = []
    return kept + held


def _with_headings(printed: Sequence[str]) -> list[str]:
    """Print underlined headings, and those in lists, as the others, without attributes; leave out thematic breaks."""
    kept: list[str] = []
    for raw in printed:
        if item := _HEADING_ITEM.match(raw):
            kept += ["", " ".join(filter(None, (item["sign"], item["number"], raw[item.end() :].rstrip()))), ""]
            continue
        alone = bool(kept and kept[-1].strip()) and not (kept[-2:-1] and kept[-2].strip())
        if alone and _UNDERLINE.fullmatch(raw) and not _START.match(kept[-1]):
            kept[-1:] = [f"{'#' if raw[0] == '=' else '##'} {kept[-1].strip()}", ""]
        elif _RULE.fullmatch(raw):
            kept.append("")
        else:
            kept.append(raw)
    return _with_whole_headings(
        _HEADING_END.sub("", raw) if raw[:1] == "#" and len(raw) <= _LONGEST_HEADING else raw for raw in kept
    )


def _with_whole_headings(printed: Iterable[str]) -> list[str]:
    """Join what goes on with the sentence of a line above, but is set as a heading, to that line."""
    kept: list[str] = []
    before, at = "", 0
    for raw in printed:
        heading = _headed(raw)
        goes_on = heading and (_GOES_ON.match(heading[2]) or OPEN.search(before))
        if heading and goes_on and len(before) in _WRAPPED and not _ENDED.search(before):
            kept[at:] = [f"{kept[at]} {heading[2]}"]
        else:
            at = len(kept) if raw.strip() else at
            kept.append(raw)
        before = raw if raw.strip() else before
    return kept


def _with_terms(printed: Sequence[str]) -> list[str]:
    """Print the terms of a list of definitions before their definitions, the way a page's are: “term”: definition."""
    kept: list[str] = []
    for raw in printed:
        if found := _DEFINITION.match(raw):
            at = len(kept) - (1 if kept and kept[-1].strip() else 2)
            term = kept[at] if at >= 0 and (not at or not kept[at - 1].strip()) else ""
            raw = raw[found.end() :]
            if term.strip() and not (term[0] == " " or term.startswith("“") or _START.match(term)):
                raw = f"“{term.strip(_AROUND_TERM)}”: {raw}"
                del kept[at:]
            kept.append("")
        kept.append(raw)
    return kept


def _without_layout(printed: Sequence[str]) -> list[str]:
    """Print the rows of tables that only set numbers beside their paragraphs as these."""
    kept: list[str] = []
    for barred, group in groupby(printed, key=lambda raw: bool(raw.strip()) and "|" in raw):
        lines = list(group)
        if barred and len(lines) > 1 and PIPES.fullmatch(lines[1]):
            # The bars at both ends may be left out. A table for each point may follow on the one before.
            lines = [f"| {raw.strip().removeprefix('|').removesuffix('|').strip(' ')} |" for raw in lines]
            cells = [[cell.strip() for cell in raw[1:-1].split("|")] for raw in lines if not PIPES.fullmatch(raw)]
            rows = [part for row in cells if any(row) for part in _beside_numbers(row)]
            if sets_numbers([[_plain(cell) for cell in row] for row in rows]):
                lines = [part for row in rows for part in ("", " ".join(filter(None, row)))] + [""]
        kept += lines
    return kept


def _beside_numbers(row: Sequence[str]) -> list[Sequence[str]]:
    """Part the first row of a table that is set in a cell, (16) | term: | (a) | words |, from the row that holds it."""
    pairs = [row[at : at + 2] for at in range(0, len(row), 2)]
    return pairs if len(row) > 2 and all(len(pair) == 2 and is_margin(pair[0]) for pair in pairs) else [row]


def _plain(text: str) -> str:
    return take(_words(_ESCAPED.sub(lambda sign: sign[1].translate(_HIDE), text)).strip())[0]


def _words(text: str) -> str:
    """Take the signs out of a run of lines; emphasis, links, spans and tags may begin on one and end on another."""
    if PIPES.fullmatch(text):
        return text
    text = _IMAGE.sub("", re.sub(r"\\(?=\n|$)", "", text))
    # The names in tags have signs of their own: class="key_terms".
    text = _RAISED.sub(lambda mark: next(filter(None, mark.groups())).translate(RAISE), text)
    text = _TAG.sub(_tag, text)
    for _ in range(4):
        before = text
        text = _SPAN.sub(_span, text)
        text = _LINK.sub(lambda link: (" " if link[0][0] != "[" else "") + link[1].replace("\n", " "), text)
        text = _EMPHASIS.sub(_emphasised, text)
        if text == before:
            break
    text = _DASHES.sub(lambda dash: "–—"[len(dash[0]) - 2], text)
    return html.unescape(text).translate(_INDENTS)


def _span(span: re.Match[str]) -> str:
    raised = span[1].isdecimal() and re.search(r"\.(?:[\w-]*-)?super(?:script)?\b", span[2])
    return span[1].translate(RAISE) if raised else span[1]


def _emphasised(part: re.Match[str]) -> str:
    text, at = part.string, part.start()
    *above, begun = text[max(0, at - _NEAR) : at].split("\n")
    # An item of a list may print its own number: "- **2** Lamps".
    begun = _ITEM.sub("", begun.lstrip()) if part[2].isdecimal() else begun
    leads = not begun.strip() and text[part.end() : part.end() + _NEAR].partition("\n")[0].strip()
    # A line that goes on with the sentence of the line before begins with nothing.
    goes_on = above and not (_ENDED.search(above[-1]) or above[-1].startswith(part[1]))
    return part[2] + (_LEAD if leads and not goes_on and "\n" not in part[2] and _LEAD not in part[2] else "")


def _tag(tag: re.Match[str]) -> str:
    if tag[2]:
        return tag[2].translate(_HIDE)
    name = tag[1].lower()
    if name in BLOCKS or name == "br":
        return " "
    return "" if name in _INLINE_TAGS else tag[0]
