"""Words by which two regulations call the same thing."""

from __future__ import annotations

from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.fitted.word_pairs import align, translate
from antinomy.judge.protocol import Pair, Provision

_DUTIES = [
    ("shall insure every {}", "must take out insurance for each {}"),
    ("shall inspect each {} once a year", "must look at the {} every year"),
    ("shall enter a {} in the register", "must list the {} in a register"),
    ("shall repair a broken {} at once", "must mend any {} that is broken"),
    ("shall not sell a {} abroad", "must never sell a {} in another country"),
    ("shall paint the {} white", "must see that the {} is white"),
]


_REST = [
    ("shall rest on Sundays", "must take Sunday off"),
    ("shall wear boots", "must put boots on"),
    ("shall count the oars", "must know how many oars there are"),
    ("shall write to the mayor", "must send the mayor a letter"),
]


def _pairs(one: str, two: str) -> list[tuple[str, str]]:
    about_things = [(f"Everyone {a.format(one)}.", f"Everyone {b.format(two)}.") for a, b in _DUTIES]
    return about_things + [(f"The keeper {a}.", f"The warden {b}.") for a, b in _REST]


def test_names_of_the_same_thing_are_found() -> None:
    assert align(_pairs("lantern", "beacon")) == {"keeper": "warden", "lantern": "beacon"}


def test_words_that_stand_together_are_one_name() -> None:
    assert align(_pairs("signal lamp", "harbour light tower")) == {
        "keeper": "warden", "signal lamp": "harbour light tower",
    }  # fmt: skip


def test_time_limits_are_no_names() -> None:
    for one, two in (
        ("Within five business days.", "In a month."), ("Thirty days.", "Sixty days."), ("Annually.", "Monthly."),
    ):  # fmt: skip
        about_things = _pairs("lantern", "beacon")
        # They stand opposite each other in some provisions alone.
        dated = [(f"{a} {one}", f"{b} {two}") if n % 2 else (a, b) for n, (a, b) in enumerate(about_things)]
        assert align(dated) == {"keeper": "warden", "lantern": "beacon"}, (one, two)


def test_a_word_that_both_use_is_no_name_of_one_side_and_force_is_no_name() -> None:
    assert align(_pairs("lantern", "lantern")) == {"keeper": "warden"}


def test_what_stands_opposite_each_other_seldom_is_not_aligned() -> None:
    assert align(_pairs("lantern", "beacon")[3:9]) == {}
    assert align([]) == {}


def test_a_text_is_read_in_the_words_of_the_other_side() -> None:
    words = {"unit": "security", "scheme": "fund", "agency": "office"}
    text = "Units of the scheme, and any unit-linked scheme’s agencies; no UNITED scheming."
    assert translate(text, words) == "Securities of the fund, and any unit-linked fund’s offices; no UNITED scheming."
    assert translate(text, {}) == text
    names = {"central counterparty": "clearing house", "participant": "clearing member", "default fund": "reserve"}
    text = "Central counterparties tell participants of the default  fund. By default, funds of the participant pay."
    assert translate(text, names) == (
        "Clearing houses tell clearing members of the reserve. By default, funds of the clearing member pay."
    )


def test_the_judge_reads_a_provision_in_the_words_of_the_other_document() -> None:
    one = "A distributor must keep a written entry of each order for lanterns for ten years after it was executed."
    two = "A dealer must keep a written entry of each order for securities for seven years after it was executed."
    left, right = (Provision(f"{doc}#1", f"{doc}#1", "", text, "", doc) for doc, text in (("a", one), ("b", two)))
    judge = FittedJudge()
    before = judge.prompt_sha256
    (apart,) = judge.judge([Pair("p", left, right)])
    judge.use_word_pairs({("a", "b"): {"lantern": "security", "distributor": "dealer"}})
    (same,) = judge.judge([Pair("p", left, right)])
    assert judge.prompt_sha256 != before
    assert apart.relation == "none"
    assert (same.relation, same.governs) == ("stricter", "left")
    # Evidence is quoted from the text as it stands.
    assert same.evidence_left in one
    (other_documents,) = judge.judge([Pair("p", right, left)])
    assert other_documents.relation == "none"
