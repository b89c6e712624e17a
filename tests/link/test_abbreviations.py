"""Abbreviations in full: what a text introduces is found, what it does not is left alone."""

import pytest

from antinomy.link.abbreviations import expand, learned


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("‘lantern-led resilience testing (LLRT)’ means a test", "LLRT", "lantern-led resilience testing"),
        ("The recovery time objective (RTO) is set yearly.", "RTO", "recovery time objective"),
        ("Each Bureau of Lamp Safety (BLS) rule", "BLS", "Bureau of Lamp Safety"),
        ("all service level agreements (SLAs) with keepers", "SLA", "service level agreements"),
        ("hub-and-spoke design (H-S D) is old; business impact analysis (BIA)", "BIA", "business impact analysis"),
    ],
)
def test_what_is_introduced_is_learned(text: str, short: str, long: str) -> None:
    assert learned([text])[short] == long


@pytest.mark.parametrize("text", ["see point (B)", "the lamp (see Annex II) burns", "a keeper (or any OTHER)", "(ABC)"])
def test_other_brackets_introduce_nothing(text: str) -> None:
    assert not learned([text])


def test_a_rare_abbreviation_is_spelt_out_and_a_common_one_is_not() -> None:
    texts = [
        "lantern-led resilience testing (LLRT) means a test",
        "information lamp technology (ILT) means any lamp",
        "The keeper carries out LLRT.",
        *["The keeper uses ILT."] * 20,
    ]
    full = expand(texts)
    assert full[2] == "The keeper carries out LLRT lantern-led resilience testing."
    assert full[3] == texts[3]
    assert expand(["no abbreviation"]) == ["no abbreviation"]
    assert expand([]) == []
