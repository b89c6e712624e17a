"""EU acts as plain text: one small act per difficulty."""

from __future__ import annotations

import textwrap

import pytest

from antinomy.errors import DocumentError
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

HEAD = "REGULATION (EU) 2040/1\n\nof 2 May 2040\n\nHAVE ADOPTED THIS REGULATION:\n\n"


def parse(text: str) -> ParsedDocument:
    return parse_document(Source("x", "x.txt", "eu"), text.encode())


def provisions(text: str) -> dict[str, str]:
    """Parse an act's body and return what stands below its articles and annexes, by id."""
    document = parse(HEAD + text)
    return {s.eid: s.text for s in document.sections if s.eid not in ("title", "preamble")}


#: What is difficult, the act's body, and what it holds.
CASES = {
    "a signature with an initial": (
        """
        Article 1

        Lamps are lit.

        Done at Varn, 2 May 2040.

        For the Council

        The President

        B. Oyelaran
        """,
        {
            "art_1": "Lamps are lit.",
            "concl": "Done at Varn, 2 May 2040.\nFor the Council\nThe President\nB. Oyelaran",
        },
    ),
    "an article without a heading": (
        """
        Article 1

        Scope

        1. One.

        2. Two.

        Article 2

        The text has no heading.
        """,
        {
            "art_1": "",
            "art_1__para_1": "One.",
            "art_1__para_2": "Two.",
            "art_2": "The text has no heading.",
        },
    ),
    "no paragraph 2 without a paragraph 1": (
        """
        Article 1

        Scope

        This covers ships of

        2. class, as it happens.
        """,
        {
            "art_1": "This covers ships of",
            "art_1__subpara_2": "2. class, as it happens.",
        },
    ),
    "(i) after (h) goes on": (
        """
        Article 1

        Scope

        Ships with:

        (a) aaa;

        (b) bbb;

        (c) ccc;

        (d) ddd;

        (e) eee;

        (f) fff;

        (g) ggg;

        (h) hhh;

        (i) iii;

        (j) jjj;
        """,
        {
            "art_1": "Ships with:",
            "art_1__point_a": "aaa;",
            "art_1__point_b": "bbb;",
            "art_1__point_c": "ccc;",
            "art_1__point_d": "ddd;",
            "art_1__point_e": "eee;",
            "art_1__point_f": "fff;",
            "art_1__point_g": "ggg;",
            "art_1__point_h": "hhh;",
            "art_1__point_i": "iii;",
            "art_1__point_j": "jjj;",
        },
    ),
    "(i) after (h) begins a list, then (i) goes on": (
        """
        Article 1

        Scope

        Ships with:

        (a) aaa;

        (b) bbb;

        (c) ccc;

        (d) ddd;

        (e) eee;

        (f) fff;

        (g) ggg;

        (h) either:

        (i) one;

        (ii) two;

        (i) third.
        """,
        {
            "art_1": "Ships with:",
            "art_1__point_a": "aaa;",
            "art_1__point_b": "bbb;",
            "art_1__point_c": "ccc;",
            "art_1__point_d": "ddd;",
            "art_1__point_e": "eee;",
            "art_1__point_f": "fff;",
            "art_1__point_g": "ggg;",
            "art_1__point_h": "either:",
            "art_1__point_h__point_i": "one;",
            "art_1__point_h__point_ii": "two;",
            "art_1__point_i": "third.",
        },
    ),
    "a point that has been deleted": (
        """
        Article 1

        Scope

        Ships:

        (a) big;

        (c) small.
        """,
        {
            "art_1": "Ships:",
            "art_1__point_a": "big;",
            "art_1__point_c": "small.",
        },
    ),
    "no list begins at (y)": (
        """
        Article 1

        Scope

        Ships:

        (y) big;
        """,
        {
            "art_1": "Ships:",
            "art_1__subpara_2": "(y) big;",
        },
    ),
    "numbers of an amended act": (
        """
        Article 1

        Scope

        1. One.

        1a. One and a half.

        2. Two:

        (a) x;

        (aa) xx;

        (b) y.
        """,
        {
            "art_1": "",
            "art_1__para_1": "One.",
            "art_1__para_1a": "One and a half.",
            "art_1__para_2": "Two:",
            "art_1__para_2__point_a": "x;",
            "art_1__para_2__point_aa": "xx;",
            "art_1__para_2__point_b": "y.",
        },
    ),
    "hard-wrapped without blank lines": (
        """
        Article 1
        Scope
        1. Wrapped by hand, this paragraph runs
        over two lines.
        2. So does
        this one:
        (a) first point,
        wrapped;
        (b) second.
        """,
        {
            "art_1": "",
            "art_1__para_1": "Wrapped by hand, this paragraph runs over two lines.",
            "art_1__para_2": "So does this one:",
            "art_1__para_2__point_a": "first point, wrapped;",
            "art_1__para_2__point_b": "second.",
        },
    ),
    "an inserted article that bears this act's next number": (
        """
        Article 1

        Amendment

        Article 9 is replaced by the following:

        ‘Article 9

        New

        1. Inserted.

        Article 2

        2. Inserted too.’

        Article 2

        End

        The end.
        """,
        {
            "art_1": (
                "Article 9 is replaced by the following:\n‘Article 9\nNew\n1. Inserted.\nArticle 2\n2. Inserted too.’"
            ),
            "art_2": "The end.",
        },
    ),
    "an inserted article": (
        """
        Article 1

        Amendment

        Article 9 is replaced by the following:

        ‘Article 9

        New

        1. Inserted.

        2. Inserted too.’

        Article 2

        End

        The end.
        """,
        {
            "art_1": ("Article 9 is replaced by the following:\n‘Article 9\nNew\n1. Inserted.\n2. Inserted too.’"),
            "art_2": "The end.",
        },
    ),
    "a quotation that nobody closes": (
        """
        Article 1

        Amendment

        The following is added:

        ‘3. Nobody closes this.

        Article 2

        End

        The end.
        """,
        {
            "art_1": "The following is added:\n‘3. Nobody closes this.",
            "art_2": "The end.",
        },
    ),
    "definitions without numbers are no inserted provisions": (
        """
        Article 1

        Words

        The following definitions apply:

        ‘ship’ means a boat;

        ‘boat’ means a ship.
        """,
        {
            "art_1": "The following definitions apply:",
            "art_1__subpara_2": "‘ship’ means a boat;",
            "art_1__subpara_3": "‘boat’ means a ship.",
        },
    ),
    "chapters that begin anew in each title": (
        """
        TITLE I

        FIRST

        CHAPTER 1

        ALPHA

        Article 1

        X

        x.

        TITLE II

        SECOND

        CHAPTER 1

        BETA

        Article 2

        Y

        y.
        """,
        {
            "title_I": "",
            "title_I__chp_1": "",
            "art_1": "x.",
            "title_II": "",
            "title_II__chp_1": "",
            "art_2": "y.",
        },
    ),
    "an annex with articles of its own": (
        """
        Article 1

        X

        x.

        ANNEX I

        Protocol

        Article 1

        Seat

        1. The seat is here.
        """,
        {
            "art_1": "x.",
            "anx_I": "",
            "anx_I__art_1": "",
            "anx_I__art_1__para_1": "The seat is here.",
        },
    ),
    "an annex with parts": (
        """
        Article 1

        X

        x.

        ANNEX II

        Forms

        PART A

        Lights

        1. White.

        1.1. Bright.

        2. Red.

        PART B

        Horns

        1. Loud.
        """,
        {
            "art_1": "x.",
            "anx_II": "",
            "anx_II__part_A": "",
            "anx_II__part_A__point_1": "White.",
            "anx_II__part_A__point_1__point_1-1": "Bright.",
            "anx_II__part_A__point_2": "Red.",
            "anx_II__part_B": "",
            "anx_II__part_B__point_1": "Loud.",
        },
    ),
    "a table with numbers, and what the journal prints at the end": (
        """
        Article 1

        It counts lamps.

        ANNEX

        LIMITS

        | No | Lamp | Limit |

        | --- | --- | --- |

        | 1 | Lamps of harbours | two jars |

        | 2 | Other lamps | one jar |

        ELI: http://data.europa.eu/eli/reg/2040/1/oj

        ISSN 1977-0677 (electronic edition)
        """,
        {
            "art_1": "It counts lamps.",
            "anx": "No | Lamp | Limit",
            "anx__point_1": "Lamps of harbours | two jars",
            "anx__point_2": "Other lamps | one jar",
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_provisions(case: str) -> None:
    text, expected = CASES[case]
    assert provisions(textwrap.dedent(text).strip("\n")) == expected


def test_indents_past_the_words_for_their_number_are_counted_as_one_counts() -> None:
    body = "\n\n".join(["Article 1", "A keeper shall keep:", *(f"— lamp {n};" for n in range(1, 114))])
    labels = [section.label for section in parse(HEAD + body).sections if section.type == "item"]
    assert labels[0] == "Article 1, first indent"
    for number in ("13th", "20th", "21st", "22nd", "23rd", "24th", "101st", "111th", "112th", "113th"):
        assert labels[int(number[:-2]) - 1] == f"Article 1, {number} indent"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("It shall apply from 1 July 2041.", "2041-07-01", ""),
        ("This Regulation shall apply from 17 January 2042.", "2042-01-17", ""),
        ("This Regulation shall enter into force on 9 May 2041.", "2041-05-09", ""),
        ("It shall apply from 1 July 2041.\n\nIt shall expire on 30 June 2046.", "2041-07-01", "2046-06-30"),
        ("It shall enter into force soon.", "", ""),
    ],
)
def test_dates(text: str, start: str, end: str) -> None:
    document = parse(f"{HEAD}Article 1\n\nEntry into force and application\n\n{text}")
    assert (document.in_force_from, document.in_force_to) == (start, end)


def test_dates_of_other_articles_are_not_the_acts() -> None:
    body = "Article 1\n\nFees\n\nIt shall apply from 1 May 2050.\n\nArticle 2\n\nEntry into force\n\nSoon."
    document = parse(HEAD + body)
    assert document.in_force_from == ""
    assert document.warnings == ["no date of application or entry into force was found in the text"]


def test_headings_on_the_same_line() -> None:
    document = parse(f"{HEAD}CHAPTER I – General\n\nArticle 1: Scope\n\nText.")
    assert [(s.eid, s.heading) for s in document.sections[2:]] == [("chp_I", "General"), ("art_1", "Scope")]
    assert document.coverage == 1.0


def test_a_text_without_provisions_is_refused() -> None:
    with pytest.raises(DocumentError, match="found no provision"):
        parse("Dear all,\n\nplease find attached the minutes.\n\nRegards")


def test_an_unknown_grammar_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"set grammar to one of .*eu"):
        parse_document(Source("x", "x", "eu", grammar="mars"), b"Article 1")


def test_recitals_under_a_heading_of_their_own_are_no_part_of_the_title() -> None:
    document = parse(
        "# REGULATION (EU) 2041/12\n\n## Recitals\n\n(1) Bells ring.\n\n(2) Ropes wear.\n\n### Article 1\n\nRing.\n"
    )
    assert document.title == "REGULATION (EU) 2041/12"
    assert [section.eid for section in document.sections] == ["title", "preamble", "rec_1", "rec_2", "art_1"]


def test_a_regime_of_any_name_needs_no_grammar() -> None:
    act = b"Article 1\n\nA ringer shall ring.\n\nArticle 2\n\nOften.\n"
    document = parse_document(Source("act", "x", "mars"), act)
    assert [section.eid for section in document.sections if section.type == "article"] == ["art_1", "art_2"]
    handbook = parse_document(Source("book", "x", "mars"), b"# Bells\n\n## I. Ropes\n\nRopes must be inspected.\n")
    assert any(section.text == "Ropes must be inspected." for section in handbook.sections)


def test_an_act_that_was_copied_from_a_page_has_its_numbers_on_lines_of_their_own() -> None:
    late = " A ship that hears a bell late is, in one case of nine, already among the rocks when its crew turns."
    document = parse(
        f"""COMMISSION REGULATION (EU) 2041/31
of 3 June 2041
THE EUROPEAN COMMISSION,
Having regard to the Treaty on the Functioning of the European Union,
Whereas:
(1)
Bells that ring late mislead ships, as the report on the winter of the year before last has shown.{late}
(2)
Ropes wear,
HAS ADOPTED THIS REGULATION:
Article 1

Ringers

1.   A ringer shall, under Council Regulation (EC) No 12/2001 (1), keep:
(a)
a log, with the hour of each bell;
(b)
ropes:
(i)
of hemp; or
(ii)
of wire.
The log is kept in the tower.
2.
A rope that is worn shall be replaced before the next bell is rung.
Done at Brussels, 3 June 2041.
For the Commission
(1)  OJ L 3, 6.1.2001, p. 1.
"""
    )
    assert {section.eid: section.text for section in document.sections if section.eid != "preamble"} == {
        "title": "",
        "cit_1": "Having regard to the Treaty on the Functioning of the European Union,",
        "rec_1": "Bells that ring late mislead ships, as the report on the winter of the year before last has shown."
        + late,
        "rec_2": "Ropes wear,",
        "art_1": "",
        "art_1__para_1": "A ringer shall, under Council Regulation (EC) No 12/2001 (1), keep:",
        "art_1__para_1__point_a": "a log, with the hour of each bell;",
        "art_1__para_1__point_b": "ropes:",
        "art_1__para_1__point_b__point_i": "of hemp; or",
        "art_1__para_1__point_b__point_ii": "of wire.",
        "art_1__para_1__subpara_2": "The log is kept in the tower.",
        "art_1__para_2": "A rope that is worn shall be replaced before the next bell is rung.",
        "concl": "Done at Brussels, 3 June 2041.\nFor the Commission",
        "fn_1": "OJ L 3, 6.1.2001, p. 1.",
    }


def test_the_menus_above_an_act_are_no_part_of_its_title() -> None:
    document = parse(
        """# Law of the Union

Directive 2031/58/EC of the Council of 12 July 2031 on bells

Select your language

Document 32031L0058

Council Directive 2031/58/EC

of 12 July 2031

on bells

THE COUNCIL OF THE EUROPEAN UNION,

HAS ADOPTED THIS DIRECTIVE:

Article 1

Member States shall ring their bells.

Done at Brussels, 12 July 2031.

(1) OJ C 7, 9.1.2031, p. 4.

(3) OJ C 8, 9.2.2031, p. 5.
"""
    )
    assert document.title == "Council Directive 2031/58/EC of 12 July 2031 on bells"
    notes = {section.eid: section.text for section in document.sections if section.type == "footnote"}
    assert notes == {"fn_1": "OJ C 7, 9.1.2031, p. 4.", "fn_3": "OJ C 8, 9.2.2031, p. 5."}


def test_wrapped_paragraphs_among_lists_whose_items_are_whole() -> None:
    whole = "a log of every bell, of the hour at which it was rung, of the weather, of the ships that were in sight, "
    body = f"""Article 1

Ringers and their duties in the towers of the ports of the Union

1. Without prejudice to the second sentence, a ringer who is on duty in
Varn shall tell the warden of each bell that was rung late, as well as of
the reason, keep:

(a) {whole}and of those that were not, with the name of the ringer;
(b) ropes.

2. A warden to whom a ringer has spoken shall write down what was said in
Regulation (EU) 2031/4.
"""
    assert provisions(body) == {
        "art_1": "",
        "art_1__para_1": "Without prejudice to the second sentence, a ringer who is on duty in Varn shall tell the "
        "warden of each bell that was rung late, as well as of the reason, keep:",
        "art_1__para_1__point_a": f"{whole}and of those that were not, with the name of the ringer;",
        "art_1__para_1__point_b": "ropes.",
        "art_1__para_2": "A warden to whom a ringer has spoken shall write down what was said in Regulation (EU) "
        "2031/4.",
    }


def test_a_capital_letter_begins_no_paragraph_where_blank_lines_part_these() -> None:
    whole = "a log of every bell, of the hour at which it was rung, of the weather, of the ships that were in sight, "
    body = f"""Article 1

Ringers

1. A ringer of the port shall, after he has asked the Warden of the Bells of
Varn (the \u2018Warden\u2019), ring each bell that is rung in a storm of the first kind.
Each bell is rung twice, and the first of the bells is rung by a ringer
whose name is in the log. The second is rung by a ringer who has not rung
a bell since the last storm, unless there is none, and the log says what
ringer it was.

2. The log shall hold:

(a) {whole}and of those that were not, with the name of the ringer;

(b) ropes.
"""
    assert provisions(body) == {
        "art_1": "",
        "art_1__para_1": "A ringer of the port shall, after he has asked the Warden of the Bells of Varn (the "
        "\u2018Warden\u2019), ring each bell that is rung in a storm of the first kind. Each bell is rung twice, and "
        "the first of the bells is rung by a ringer whose name is in the log. The second is rung by a ringer who has "
        "not rung a bell since the last storm, unless there is none, and the log says what ringer it was.",
        "art_1__para_2": "The log shall hold:",
        "art_1__para_2__point_a": f"{whole}and of those that were not, with the name of the ringer;",
        "art_1__para_2__point_b": "ropes.",
    }


def test_lines_of_any_width_go_on_where_blank_lines_part_the_paragraphs() -> None:
    """Some are broken later than others, or right before a number that they cite; others are whole."""
    whole = "a log of every bell, of the hour at which it was rung, of the weather, of the ships that were in sight, "
    text = f"""HAVE ADOPTED THIS REGULATION:

Article 1

Bells

1. Ringers keep {whole}and of those that were not, with the name of the ringer.

2. Ringers ring each bell of a tower that stands within sight of a harbour at the hours that are set by the warden,
or by a deputy of the warden.

3. A bell is rung
by hand only, unless a rope is torn or
the ringer is one of those who are named in paragraph 4, in which case it may be rung as is said in point
(a) of that paragraph.

4. The following may ring a bell by a machine:

(a) ringers who have rung bells for more than thirty years in towers of a height of
more than ten metres, and who have been told so by the warden of the harbour or
by a deputy of the warden;

(b) wardens.
"""
    document = parse_document(Source("text", "text.txt", "any"), text.encode())
    found = {section.eid: section.text for section in document.sections}
    assert list(found) == [
        "preamble", "art_1", *(f"art_1__para_{n}" for n in range(1, 5)),
        "art_1__para_4__point_a", "art_1__para_4__point_b",
    ]  # fmt: skip
    assert found["art_1__para_2"].endswith("set by the warden, or by a deputy of the warden.")
    assert found["art_1__para_3"].endswith("as is said in point (a) of that paragraph.")
