"""The counts of the sides in words, and names in place of left and right."""

from __future__ import annotations

import pytest

from antinomy.findings.document_names import named, names, without_figure
from antinomy.report.coverage_summary import count_views, summary_sentences

NAMES = {"eu": "the Act", "us": "the Handbook"}


def _said(states: dict[str, int], likely: int = 0, possible: int = 0) -> str:
    rows = [
        {"side": "eu", "other": "us", "state": state, "reason": "", "doc_id": "eu", "chapter": ""}
        for state, n in states.items()
        for _ in range(n)
    ]
    (sentence,) = summary_sentences(count_views(rows), NAMES, likely, possible)
    return sentence


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ({"covered": 119, "stricter_there": 12, "partly": 40, "gap": 43},
         "Of 214 duties of the Act, 131 have a counterpart in the Handbook, 40 partly or "
         "perhaps, 43 none; 12 are stricter in the "
         "Handbook; no conflict is likely."),
        ({"covered": 1, "gap": 1},
         "Of 2 duties of the Act, 1 has a counterpart in the Handbook, 1 none; no conflict is likely."),
        ({"covered": 2}, "Of 2 duties of the Act, all have a counterpart in the Handbook; no conflict is likely."),
        ({"gap": 2}, "Of 2 duties of the Act, none has a counterpart in the Handbook; no conflict is likely."),
        ({"partly": 1, "gap": 2},
         "Of 3 duties of the Act, none has a full counterpart in the Handbook, 1 has one in part or "
         "perhaps; no conflict is likely."),
        ({"gap": 1}, "The one duty of the Act has no counterpart in the Handbook; no conflict is likely."),
        ({"covered": 1, "left_out": 9}, "The one duty of the Act has a counterpart in the Handbook; "
         "no conflict is likely."),
        ({"not_decidable": 1}, "Whether the one duty of the Act has a counterpart in the Handbook is open; "
         "no conflict is likely."),
        ({"covered": 1, "not_decidable": 2},
         "Of 3 duties of the Act, 1 has a counterpart in the Handbook, 2 are open; no conflict is likely."),
        ({"left_out": 3}, "No provision of the Act demands anything of a firm; no conflict is likely."),
        ({"stricter_here": 1, "stricter_there": 2},
         "Of 3 duties of the Act, all have a counterpart in the Handbook; 2 are stricter in the Handbook and 1 in "
         "the Act; no conflict is likely."),
        ({"covered": 1200, "gap": 1},
         "Of 1\u202f201 duties of the Act, 1\u202f200 have a counterpart in the Handbook, 1 none; "
         "no conflict is likely."),
    ],
)  # fmt: skip
def test_the_sentence_is_right_at_none_one_and_many(states: dict[str, int], said: str) -> None:
    assert _said(states) == said


@pytest.mark.parametrize(
    ("likely", "possible", "said"),
    [
        (1, 0, "one conflict is likely."),
        (9, 0, "9 conflicts are likely."),
        (0, 1, "no conflict is likely, one is possible."),
        (0, 3, "no conflict is likely, 3 are possible."),
        (1, 1, "one conflict is likely, one more is possible."),
        (2, 3, "2 conflicts are likely, 3 more are possible."),
    ],
)
def test_conflicts_are_likely_or_possible(likely: int, possible: int, said: str) -> None:
    assert _said({"gap": 2}, likely, possible).endswith(f"; {said}")


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (
            "the left requires (“keep the left lane”); the right requires it",
            "A requires (“keep the left lane”); B requires it",
        ),
        ("The left provision demands more", "the provision of A demands more"),
        ("left text changed; right context changed", "the text of A changed; the context of B changed"),
        ("who has the right to refuse", "who has the right to refuse"),
        ("a limit of “1 day” on the left, of “2 days” on the right", "a limit of “1 day” in A, of “2 days” in B"),
        ("right provision gone", "the provision of B gone"),
    ],
)
def test_names_stand_in_the_place_of_sides_outside_of_quotes(said: str, names: str) -> None:
    assert named(said, "A", "B") == names


def test_the_judges_figure_is_taken_out_of_its_reason_and_figures_of_the_law_stay() -> None:
    said = "Possible conflict (31%): a share of “at most (5%) of it” against (20 hours)"
    assert without_figure(said) == "A share of “at most (5%) of it” against (20 hours)"


def test_long_titles_are_cited_by_what_stands_before_their_subject() -> None:
    titles = {
        "a": "Regulation (EU) 2041/77 of the Parliament of Atlantis of 3 May 2041 on the keeping of lamps",
        "b": "Handbook on the supervision of everybody who keeps a lamp, a bell or a horn on the coast of the realm",
        "c": "Act on Lamps",
        "d": "Order 5/41 on the colour of lamps that are lit in fog and of those that are lit at all other times",
        "e": "Order 5/41 on the height of lamps that are lit in fog and of those that are lit at all other times",
    }
    called = names([{"doc_id": doc, "title": title} for doc, title in titles.items()])
    assert called["a"] == "Regulation (EU) 2041/77"
    assert called["b"] == "Handbook on the supervision of everybody who …"
    assert called["c"] == "Act on Lamps"
    # Two that would be called the same keep their titles.
    assert (called["d"], called["e"]) == (titles["d"], titles["e"])
