"""Markdown as Pandoc, GitHub and site generators write it: divisions, drawn tables, terms, spans, lines that wrap."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def _read(text: str) -> ParsedDocument:
    return parse_document(Source("text", "text.md", "any"), text.encode())


def _texts(text: str) -> list[tuple[str, str]]:
    return [(section.number, section.text or section.heading) for section in _read(text).sections]


def test_an_act_that_is_converted_from_a_page() -> None:
    text = r"""
+-----------------------------------------+--------+
| ![Arms of                               | EN     |
| Varn](https://varn.example/arms.png)    |        |
+-----------------------------------------+--------+

:::::::::::::::::::: act-container
::: {#title .main-title}
REGULATION (EU) 2041/7 OF THE COMMISSION

of 3 May 2041

on lamps of quays
:::

Whereas:

::: {#rec_1}
+-------+-------------------------------------------------+
| \(1\) | Lamps that fail at sea [([1]{.x-super           |
|       | .x-tag})](#note-1){#mark-1} are a danger --- to |
|       | ships, and to those on them.                    |
+-------+-------------------------------------------------+
:::

HAS ADOPTED THIS REGULATION:

:::::: {#art_1 .part}
Article 1

::: {#art_1.tit .title}
[[Duties of keepers]{.x-italic}]{.x-bold}
:::

1.   A keeper of a lamp shall, within the time that is set by
Article 2, and
at all other times:

+-------+-------------------------------------------------+
| \(a\) | light it at dusk;                               |
+-------+-------------------------------------------------+

+-------+-------------------------------------------------------+
| \(b\) | keep a log of:                                        |
|       |                                                       |
|       | +--------+------------------------------------------+ |
|       | | \(i\)  | its oil, as referred to in               | |
|       | |        | paragraph 2;                             | |
|       | +--------+------------------------------------------+ |
|       |                                                       |
|       | +--------+------------------------------------------+ |
|       | | \(ii\) | its wicks.                               | |
|       | +--------+------------------------------------------+ |
+-------+-------------------------------------------------------+

2.   Oil shall be weighed.
::::::

Article 2

**Entry into force**

This Regulation shall enter into force on 1 June 2041.
::::::::::::::::::::

------------------------------------------------------------------------

[([1]{.x-super})](#mark-1){#note-1}  See the report on
lamps of 2040.
"""
    document = _read(text)
    found = {section.eid: section.text for section in document.sections}
    assert found["rec_1"] == "Lamps that fail at sea are a danger — to ships, and to those on them."
    assert found["art_1__para_1"].startswith(
        "A keeper of a lamp shall, within the time that is set by Article 2, and at"
    )
    assert found["art_1__para_1__point_a"] == "light it at dusk;"
    assert found["art_1__para_1__point_b__point_i"] == "its oil, as referred to in paragraph 2;"
    assert found["art_1__para_1__point_b__point_ii"] == "its wicks."
    assert found["art_1__para_2"] == "Oil shall be weighed."
    assert next(section.heading for section in document.sections if section.eid == "art_1") == "Duties of keepers"
    assert "See the report on lamps of 2040." in found.values()
    assert not any(sign in words for words in found.values() for sign in (":::", "{", "+--", "\\", "[(", "arms"))


def test_an_act_whose_points_are_tables_of_a_row_each() -> None:
    text = r"""
REGULATION (EU) 2041/8 OF THE COMMISSION

HAS ADOPTED THIS REGULATION:

Article 1

Ropes

1\. A ringer shall keep:

(a) |  ropes of hemp that are dry;
---|---
(b) |  a knife.
---|---

2\. For the purposes of this Article:

(1) |  ‘rope’ means a cord:  | (a) |  of hemp; or
---|---
(b) |  of wire;
---|---
---|---
(2) |  ‘knife’ means a blade of a hand’s length.
---|---
"""
    assert _texts(text)[2:] == [
        ("1", "Ropes"),
        ("1", "A ringer shall keep:"),
        ("a", "ropes of hemp that are dry;"),
        ("b", "a knife."),
        ("2", "For the purposes of this Article:"),
        ("1", "‘rope’ means a cord:"),
        ("a", "of hemp; or"),
        ("b", "of wire;"),
        ("2", "‘knife’ means a blade of a hand’s length."),
    ]


def test_terms_spans_links_and_notes_of_underlined_chapters() -> None:
    text = r"""
Harbour Lamp Order {#order}
==================

Scope and terms
---------------

**1.** A keeper must keep [every [lamp]{.term}]{.strong} in the *harbour
of Varn* clean, as [rule 4 of the Oil
Order](https://example.org/oil "Oil") says.[^wick]

**2.** In this order:

[beacon]{#t-beacon}

:   a lamp of more than 40&nbsp;candles that stands on
    a quay;

*wick*
: what burns in a lamp:

    - (a) of cotton; or
    - (b) of hemp &amp; flax.

<!-- an old
text -->

3\.  <a id="log"></a>A keeper must log its _oil_.\
The log is open to <span class="who">all</span>.

[^wick]: Since 2031.
"""
    assert _texts(text) == [
        ("", "Harbour Lamp Order"),
        ("", "Scope and terms"),
        (
            "1",
            "A keeper must keep every lamp in the harbour of Varn clean, as rule 4 of the Oil Order says.",
        ),
        ("2", "In this order:"),
        ("", "“beacon”: a lamp of more than 40 candles that stands on a quay;"),
        ("", "“wick”: what burns in a lamp:"),
        ("a", "of cotton; or"),
        ("b", "of hemp & flax."),
        ("3", "A keeper must log its oil.\nThe log is open to all."),
        ("1", "Since 2031."),
    ]


@pytest.mark.parametrize(
    "table",
    [
        """
+-----------+------------------+
| Side      | Colour           |
+===========+==================+
| *Port*    | red, or where a  |
|           | wreck lies, blue |
+-----------+------------------+
| Starboard | green            |
+-----------+------------------+
""",
        """
---------------------------
 Side       Colour
---------- ----------------
 Port       red, or where a
            wreck lies, blue

 Starboard  green
---------------------------
""",
        """
  Side                        Colour
  ----------- ----------------------
  Port        red, or where a wreck lies, blue
  Starboard                    green
""",
        """
Side | Colour
:--- | ---:
**Port** | red, or where a wreck lies, blue
Starboard | green
""",
        """
<table>
<tr><th>Side</th><th>Colour</th></tr>
<tr><td><em>Port</em></td><td>red, or where a
wreck lies, blue</td></tr>
<tr><td>Starboard</td><td>green</td></tr>
</table>
""",
    ],
    ids=["grid", "several lines", "simple", "pipes", "html"],
)
def test_a_table_is_the_same_however_it_is_set(table: str) -> None:
    text = f"# Lamp Order\n\n**1.** The colours are:\n{table}\n**2.** A keeper must clean each lamp.\n"
    assert _texts(text) == [
        ("", "Lamp Order"),
        ("1", "The colours are:"),
        ("", ""),
        ("", "Side: Port; Colour: red, or where a wreck lies, blue"),
        ("", "Side: Starboard; Colour: green"),
        ("2", "A keeper must clean each lamp."),
    ]


def test_a_line_that_wraps_begins_nothing() -> None:
    text = """# Lamp Rules

## 4 Oil

**4.1** The oil of a lamp, and of a *harbour lantern*, must be kept in the
store that is named in [rule
4.2](#r4-2), or in one that is approved under
[4.3](#r4-3). It must be of the kind that is listed by the *Office of
Lamps*, and

- (1) be approved by a person who is authorised under the laws of the *Republic of
  Varn*; and
- (2) be whale oil.

**4.2** The store is the one at
the quay.

**4.3** The Office approves others.
"""
    assert _texts(text) == [
        ("", "Lamp Rules"),
        ("4", "Oil"),
        (
            "4.1",
            "The oil of a lamp, and of a harbour lantern, must be kept in the store that is named in rule 4.2, or in "
            "one that is approved under 4.3. It must be of the kind that is listed by the Office of Lamps, and",
        ),
        ("1", "be approved by a person who is authorised under the laws of the Republic of Varn; and"),
        ("2", "be whale oil."),
        ("4.2", "The store is the one at the quay."),
        ("4.3", "The Office approves others."),
    ]


def test_what_is_struck_through_is_deleted() -> None:
    """Of a provision that is withdrawn the number stays; "~~~" sets off code."""
    text = (
        "# Lamps\n\n1. A lamp burns ~~all day~~ at night.\n\n2. A keeper <del>may</del> must trim\n   ~~the wick\n"
        "   and~~ the glass.\n\n~~3.~~ Withdrawn.\n\n4. ~~Old~~ Oil costs ~5 a can.\n"
    )
    assert [words for _, words in _texts(text)] == [
        "Lamps", "A lamp burns at night.", "A keeper must trim the glass.", "Withdrawn.", "Oil costs ~5 a can.",
    ]  # fmt: skip


def test_an_act_whose_pages_a_converter_marked_and_whose_sections_have_bold_numbers() -> None:
    rule = "-" * 48
    text = f"""
{{0}}{rule}

# **LANTERNS ACT**

# *Table of Contents*

- **1** Terms
- **2** Duty to light

# **Part 1**

# **Care of Lanterns**

## **Division 1**

### **Oil**

- **3** Purchase
- **3.1** Storage

# **Part 2 Inspection**

## **Division 1 Visits**

- **4** Visits by day

HIS MAJESTY enacts as follows:

#### **Terms**

- **1(1)** In this Act,
- (a) "keeper" means a person who minds
- (i) a lantern, or
- (i.1) a beacon;
- (b) "wick" means a cord.

{{1}}{rule}

**(2)** For the purposes of section 3(1.1), a cord that a keeper has

{{2}}{rule}

cut is a wick.

2019 cL-4.2 s1;2024 c18 s3(2);AR 12/2025

### **Duty to light**

- **2** Where it is dark, a keeper must light the lantern. 2019 cL-4.2 s2

# **Part 1 Care of Lanterns**

## **Division 1 Oil**

### **Purchase**

- **3(1)** A keeper must buy oil.
  - **(1.1)** Oil is bought in drums.
- **(2)** Drums are returned.

### **Storage**

**3.1(1)** A keeper must store oil in a shed.

**(2)** A shed is of stone.

# **Part 2 Inspection**

## **Division 1 Visits**

### **Visits by day**

**4** An inspector may visit a lantern by day.
"""
    document = _read(text)
    provisions = [(s.eid, s.heading, s.text) for s in document.sections if s.number and not s.eid.startswith("part")]
    assert provisions == [
        ("sec_1", "Terms", ""),
        ("sec_1__para_1", "", "In this Act,"),
        ("sec_1__para_1__point_a", "", '"keeper" means a person who minds'),
        ("sec_1__para_1__point_a__point_i", "", "a lantern, or"),
        ("sec_1__para_1__point_a__point_i-1", "", "a beacon;"),
        ("sec_1__para_1__point_b", "", '"wick" means a cord.'),
        ("sec_1__para_2", "", "For the purposes of section 3(1.1), a cord that a keeper has cut is a wick."),
        ("sec_2", "Duty to light", "Where it is dark, a keeper must light the lantern."),
        ("sec_3", "Purchase", ""),
        ("sec_3__para_1", "", "A keeper must buy oil."),
        ("sec_3__para_1-1", "", "Oil is bought in drums."),
        ("sec_3__para_2", "", "Drums are returned."),
        ("sec_3-1", "Storage", ""),
        ("sec_3-1__para_1", "", "A keeper must store oil in a shed."),
        ("sec_3-1__para_2", "", "A shed is of stone."),
        ("sec_4", "Visits by day", "An inspector may visit a lantern by day."),
    ]
    parts = [s.label for s in document.sections if s.type == "part"]
    assert parts == ["Part 1", "Part 1, Division 1", "Part 2", "Part 2, Division 1"]


def _tree(text: str) -> list[tuple[str, str, str]]:
    """Return for each section with a number or none its parent's number, its own and its words."""
    document = _read(text)
    numbers = {section.eid: section.number for section in document.sections}
    return [(numbers.get(s.parent_eid, ""), s.number, s.text or s.heading) for s in document.sections]


def test_items_that_all_say_one_are_counted_as_a_page_prints_them() -> None:
    """Also around the items inside one; a heading ends the list."""
    text = """# Lamp Policy

## Care

1. A keeper trims each wick.
1. A keeper cleans the glass of a lamp, of which there
   are two in each tower.

    * One faces the sea.

1. A keeper fills the lamp.

## Oil

1. Oil is kept below.

**Winter**

1. Oil is warmed.
1. Wicks are dried
"""
    assert _tree(text)[1:] == [
        ("", "", "Care"),
        ("", "1", "A keeper trims each wick."),
        ("", "2", "A keeper cleans the glass of a lamp, of which there are two in each tower."),
        ("2", "", "One faces the sea."),
        ("", "3", "A keeper fills the lamp."),
        ("", "", "Oil"),
        ("", "1", "Oil is kept below."),
        ("", "", "Winter"),
        ("", "1", "Oil is warmed."),
        ("", "2", "Wicks are dried"),
    ]


def test_an_item_with_the_number_of_the_one_before_moves_the_others_on() -> None:
    text = "# Lamps\n\nA log holds:\n\n1. the lamp;\n2. the wick;\n2. the oil;\n3. the hour; and\n4. the keeper.\n"
    assert _texts(text)[-5:] == [
        ("1", "the lamp;"),
        ("2", "the wick;"),
        ("3", "the oil;"),
        ("4", "the hour; and"),
        ("5", "the keeper."),
    ]


def test_numbers_in_front_of_those_of_paragraphs_are_not_counted() -> None:
    text = "# Lamps\n\n## 1 Care\n\n1. (1) A wick is dry.\n\n1. (2) A lamp is lit.\n\n## 2 Oil\n\n2. (1) Oil is kept.\n"
    assert [number for number, _ in _texts(text) if number] == ["1", "1", "2", "2", "1"]


def test_an_item_follows_one_that_ends_without_a_stop() -> None:
    """However long that is: a list's next number and the first number further right begin items."""
    text = """# Lamp Policy

1. **Owner of this policy:** the head of the lights of the western harbour
2. **Reader:** the keepers
3. A keeper of a lamp on a quay must, where the wind is so strong that it burns low, take
    1. oil from the store, which the warden of the harbour keeps locked at night, as well as
    2. a glass
4. Nobody else may
"""
    assert _tree(text)[1:] == [
        ("", "1", "Owner of this policy: the head of the lights of the western harbour"),
        ("", "2", "Reader: the keepers"),
        ("", "3", "A keeper of a lamp on a quay must, where the wind is so strong that it burns low, take"),
        ("3", "1", "oil from the store, which the warden of the harbour keeps locked at night, as well as"),
        ("3", "2", "a glass"),
        ("", "4", "Nobody else may"),
    ]


def test_a_list_further_right_is_below_the_only_item_of_another() -> None:
    text = "# Lamps\n\n"
    for number in ("I", "II", "III"):
        text += f"## {number} - Watch\n\n1. The keeper looks at the lamp.\n\n"
        text += "".join(f"    {n}. The keeper checks part {n}.\n" for n in range(1, 5)) + "\n"
    watch = [("I", "1"), *(("1", n) for n in "1234")]
    assert [(above, number) for above, number, _ in _tree(text)][2:7] == watch
    assert _read(text).structure == 1


def test_a_note_that_is_set_off_begins_with_its_title() -> None:
    text = """# Lamp Handbook

!!! warning

    Oil burns.

1. A keeper must have:

    * oil;
    * wicks.

    !!! tip "In winter"

        Oil may be warmed.

2. A keeper must not sleep.
"""
    assert _tree(text)[1:] == [
        ("", "", "warning: Oil burns."),
        ("", "1", "A keeper must have:"),
        ("1", "", "oil;"),
        ("1", "", "wicks."),
        ("1", "", "In winter: Oil may be warmed."),
        ("", "2", "A keeper must not sleep."),
    ]


@pytest.mark.parametrize(
    "link",
    [
        "[store\n   list](stores.md)",
        "[store list](../oil/stores.html#north)",
        "[store list](oil/stores.pdf)",
        "[store list]()",
        '[store list](stores.md "Stores")',
    ],
)
def test_a_link_to_a_file_is_read_as_its_words(link: str) -> None:
    text = f"# Lamps\n\n1. Oil is kept as the {link} says.\n\n2. See paragraphs [1](2) and [5](1).\n"
    assert _texts(text)[1:] == [
        ("1", "Oil is kept as the store list says."),
        ("2", "See paragraphs [1](2) and [5](1)."),
    ]


def test_a_link_may_hold_brackets_and_a_block_may_state_attributes_below_it() -> None:
    text = """# Lamps {#lamps}

## 1. Oil

Oil is kept as in [[SL 7]](#SL7) and [Sec. 2 of [SL 8]](../sl/8.md#oil){:print-href="#SL8"}.
{: .printed}

## 2. Wicks

1. A wick is dry.
2. A wick is cut.
\t{:.letter-list}
"""
    assert _texts(text)[-4:] == [
        ("1", "Oil is kept as in [SL 7] and Sec. 2 of [SL 8]."),
        ("2", "Wicks"),
        ("1", "A wick is dry."),
        ("2", "A wick is cut."),
    ]


def test_links_to_the_headings_of_a_file_are_its_contents() -> None:
    text = """# Lamp Standard

[Rule 1: Oil](#rule-1-oil)

## Rule 1: Oil

### SECTIONS 1

[1.1 Stores](#about-11)

[1.2 Jars](#about-12)

[top](#lamp-standard)

### About 1.1

1.1 A store is locked.

[The keys are counted.](#keys)

1.1.1 A key is kept.

### About 1.2

1.2 A jar is shut.

[rule 1 oil](#rule-1-oil)
"""
    assert _texts(text)[1:] == [
        ("1", "Oil"),
        ("", "SECTIONS 1"),
        ("", "About 1.1"),
        ("1.1", "A store is locked.\nThe keys are counted."),
        ("1.1.1", "A key is kept."),
        ("", "About 1.2"),
        ("1.2", "A jar is shut."),
    ]


@pytest.mark.parametrize(
    ("links", "given"),
    [(("oil-wicks", "jars-lids"), ("", "")), (("_Toc81", "_Toc82"), (" {#_Toc81 .title}", "[]{#_Toc82 .anchor}"))],
    ids=["by their words", "as the file says"],
)
def test_programs_name_the_headings_that_a_contents_list_links_to(
    links: tuple[str, str], given: tuple[str, str]
) -> None:
    text = f"""[1 Oil & Wicks 3](#{links[0]})

[2 Jars & Lids 4](#{links[1]})

# 1 Oil & Wicks{given[0]}

1.1 A store is locked.

# 2 Jars & Lids{given[1]}

2.1 A lid is shut.
"""
    assert _texts(text) == [
        ("1", "Oil & Wicks"), ("1.1", "A store is locked."), ("2", "Jars & Lids"), ("2.1", "A lid is shut."),
    ]  # fmt: skip


def test_a_line_of_a_sentence_that_is_set_as_a_heading_goes_on_with_it() -> None:
    text = """# Lamp Directions

1. A keeper whose lamp has gone out during the night of a storm

# shall light it again within the hour and shall then enter the hour in

# the log.

## 2. Duties of keepers who are named by the harbour office for the

## care of a lamp

3. A log is kept.
"""
    assert _texts(text)[1:] == [
        (
            "1",
            "A keeper whose lamp has gone out during the night of a storm shall light it again within the hour and "
            "shall then enter the hour in the log.",
        ),
        ("2", "Duties of keepers who are named by the harbour office for the care of a lamp"),
        ("3", "A log is kept."),
    ]


def test_a_short_line_above_a_number_is_not_wrapped() -> None:
    """A text of a printed page in a file of Markdown leaves no lines blank."""
    text = """# Copied texts

## LAMP 2: Oil

Providing oil in the winter months on the quay
LAMP 2.1.1 A keeper must take oil from the store whose key the warden of the harbour keeps
at night, and may take more.
Selling what is left of the oil at the end of it
LAMP 2.1.2 A keeper must not sell the oil that is left when the winter is over, except to the
warden of another harbour.
"""
    assert [(number, words) for number, words in _texts(text) if "." in number] == [
        (
            "2.1.1",
            "A keeper must take oil from the store whose key the warden of the harbour keeps at night, and may take "
            "more.",
        ),
        (
            "2.1.2",
            "A keeper must not sell the oil that is left when the winter is over, except to the warden of another "
            "harbour.",
        ),
    ]


def test_the_number_of_a_file_is_none_of_its_title() -> None:
    document = _read(
        "# 04. Lamps of the harbour\n\n## Care\n\nA wick is dry.\n\n## Oil\n\nOil is kept.\n\n(a) It burns.\n"
    )
    assert document.title == "Lamps of the harbour"
    assert "04" not in {section.number for section in document.sections}


def test_a_section_whose_paragraphs_are_quoted_has_no_other_signs() -> None:
    text = """(a) A keeper must, under [§ 20.3](/lamps/20-3-duties/):

> (1)

> > (i) Light each lamp.

> > (ii) Keep:

> > > (A) Oil.

> > > (B) Wicks.

> > > &#40;C) Glass.

> (2) Log each lamp.

(b) No lamp may be sold.
"""
    document = _read(text)
    assert {section.eid: section.text for section in document.sections} == {
        "para_a": "A keeper must, under § 20.3:", "para_a__point_1": "",
        "para_a__point_1__point_i": "Light each lamp.", "para_a__point_1__point_ii": "Keep:",
        "para_a__point_1__point_ii__point_A": "Oil.", "para_a__point_1__point_ii__point_B": "Wicks.",
        "para_a__point_1__point_ii__point_C": "Glass.", "para_a__point_2": "Log each lamp.",
        "para_b": "No lamp may be sold.",
    }  # fmt: skip


def test_escaped_labels_and_long_emphasis_are_markdown() -> None:
    long = "A keeper shall log each lamp that fails, and each that is lit. " * 12
    text = f"20.1. Duties of Keepers\n\n\\(a) A keeper shall:\n\n\\(1) light *each* lamp;\n\n*(2) {long.strip()}*\n\n"
    document = _read(text + "\\(b) Nobody\\'s lamp shall be sold.\n\n20.2. Oil\n\n\\(a) Oil shall be dry.\n")
    texts = {section.eid: section.text for section in document.sections}
    assert texts["sec_20-1__para_a__point_2"] == long.strip()
    assert texts["sec_20-1__para_b"] == "Nobody's lamp shall be sold."
    assert texts["sec_20-2__para_a"] == "Oil shall be dry."


def test_two_signs_that_any_text_may_have_are_no_markdown() -> None:
    text = "1. Lamps\n\n1.1 A lamp **of brass** is dear.\n\n1.2 Oil is * cheap *.\n\n2. Oil\n\n2.1 It is 2 ** 3 dry.\n"
    assert "A lamp **of brass** is dear." in [section.text for section in _read(text).sections]


def test_a_table_behind_the_paragraphs_that_follow_a_list_is_not_in_the_list() -> None:
    text = """# Lamps

## 1 Oil

A lamp burns:

* oil; or
* fat.

Both are kept dry.

| # | Requirement |
| --- | --- |
| **1.1** | A keeper keeps oil. |
| **1.2** | A keeper keeps fat. |
"""
    document = _read(text)
    table = next(section for section in document.sections if section.type == "table")
    assert table.parent_eid == "sec_1"
    assert [section.text for section in document.sections if section.text] == [
        "A lamp burns:",
        "oil; or",
        "fat.",
        "Both are kept dry.",
        "Requirement: A keeper keeps oil.",
        "Requirement: A keeper keeps fat.",
    ]


def test_headings_that_are_items_of_a_list() -> None:
    text = """# Lamp Agreement

1. ## Care

    1.1 A keeper trims each wick.

    1.2 **If <span class="key_term">oil</span> is low, the keeper fills the <span class="key_term">lamp</span>.**

2. ## Oil & Wicks
The keeper keeps oil below.
"""
    assert [(s.type, s.number, s.heading, s.text) for s in _read(text).sections[1:]] == [
        ("section", "1", "Care", ""),
        ("paragraph", "1.1", "", "A keeper trims each wick."),
        ("paragraph", "1.2", "", "If oil is low, the keeper fills the lamp."),
        ("section", "2", "Oil & Wicks", "The keeper keeps oil below."),
    ]


def test_an_act_whose_headings_and_paragraphs_are_indented() -> None:
    text = """---
source:
  title: "Regulation (EU) 2041/7"
---
 ## Article 4

  ### Keepers

   1. A keeper shall keep a log, in which stand:

 (a) each lamp;

 (b) each fault.

   2. The log shall be shown to the authority.

 ## Article 5

  ### Lamps

   1. Lamps shall be lit at dusk.
"""
    assert [(s.label, s.heading or s.text) for s in _read(text).sections] == [
        ("Article 4", "Keepers"),
        ("Article 4(1)", "A keeper shall keep a log, in which stand:"),
        ("Article 4(1), point (a)", "each lamp;"),
        ("Article 4(1), point (b)", "each fault."),
        ("Article 4(2)", "The log shall be shown to the authority."),
        ("Article 5", "Lamps"),
        ("Article 5(1)", "Lamps shall be lit at dusk."),
    ]


def test_a_note_that_a_converter_set_as_code_below_a_heading_of_its_number() -> None:
    text = """# Lamp Directions

**1. Scope**
These Directions provide a frame for lamps.

# 2. Licences^5

## 5

```
Vide Circular 9
dated June 24, 2031.
```

**(1) Fees**^6
(a) A fee is due.

# (b) not more than one fee is due in a year for each lamp, and it may be

```
that none is due;
```
"""
    assert [(s.eid, s.heading, s.text) for s in _read(text).sections[1:]] == [
        ("sec_1", "Scope", "These Directions provide a frame for lamps."),
        ("sec_2", "Licences", ""),
        ("sec_2__para_1", "", "Fees"),
        ("sec_2__para_1__point_a", "", "A fee is due."),
        (
            "sec_2__para_1__point_b",
            "",
            "not more than one fee is due in a year for each lamp, and it may be that none is due;",
        ),
        ("fn_5", "", "Vide Circular 9 dated June 24, 2031."),
    ]


def test_what_was_inserted_in_the_type_of_a_heading_is_a_provision_like_those_around_it() -> None:
    text = """# Lamp Directions

**1. Title:**
(1) These Directions are the Lamp Directions.
(2) These Directions come into force.
**2. Scope**
These Directions shall apply to lamps.

# 2A. Layers

# A lamp shall have two layers, which are set by size, and the lower of them is the

# Base Layer. No lamp shall have more.

**3. Oil**
A keeper shall keep oil.
"""
    assert [(s.eid, s.parent_eid, s.heading, s.text) for s in _read(text).sections[1:]] == [
        ("para_1", "", "Title", ""),
        ("para_1__point_1", "para_1", "", "These Directions are the Lamp Directions."),
        ("para_1__point_2", "para_1", "", "These Directions come into force."),
        ("para_2", "", "Scope", "These Directions shall apply to lamps."),
        (
            "para_2A",
            "",
            "Layers",
            "A lamp shall have two layers, which are set by size, and the lower of them is the Base Layer. "
            "No lamp shall have more.",
        ),
        ("para_3", "", "Oil", "A keeper shall keep oil."),
    ]


def test_a_table_that_says_which_standards_the_sections_meet_does_not_count_its_rows() -> None:
    text = "# Lamp Policy\n\n## 1 Care\n\n1.1 Lamps are lit.\n\n1.2 Wicks are dry.\n\n## 2 Standards\n\n"
    rows = [("1.1", "Lamp Code"), ("1.1", "Oil Code"), ("1.1", "Wick Code"), ("1.2", "Wick Code")]
    text += "| Section | Standard |\n|---|---|\n" + "".join(f"| {number} | {name} |\n" for number, name in rows)
    table = [section for section in _read(text).sections if section.parent_eid == "sec_2__table_1"]
    wanted = [("", f"Section: {number}; Standard: {name}") for number, name in rows]
    assert [(section.number, section.text) for section in table] == wanted


def test_a_heading_may_stand_close_to_its_sign() -> None:
    text = "<meta charset='utf-8'>\n\n##Article 1\n\nKeepers light lamps.\n\n##Article 2\n\nKeepers buy oil.\n"
    assert [(s.type, s.number, s.text) for s in _read(text).sections] == [
        ("article", "1", "Keepers light lamps."), ("article", "2", "Keepers buy oil."),
    ]  # fmt: skip


def test_numbered_paragraphs_in_a_note_are_provisions_below_its_title() -> None:
    text = """## 3.1 Lamps

**18.** Keepers light lamps.

!!! warning "Code of Practice"

    **19.** A keeper must log each lamp.

    **20.** A keeper must buy oil from:

    - a dealer; or
    - another keeper.

!!! info "Guidance"

    A log on paper will do.

**21.** A keeper may lend a lamp.
"""
    assert _texts(text) == [
        ("3.1", "Lamps"), ("18", "Keepers light lamps."), ("19", "A keeper must log each lamp."),
        ("20", "A keeper must buy oil from:"), ("", "a dealer; or"), ("", "another keeper."),
        ("", "Guidance: A log on paper will do."), ("21", "A keeper may lend a lamp."),
    ]  # fmt: skip
    assert "Code of Practice" in [section.heading for section in _read(text).sections]
