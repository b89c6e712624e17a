"""Who is bound: forms that drafters use, and the labelled provisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import f1_score

from antinomy import section_ids as ids
from antinomy import settings
from antinomy.embed import units
from antinomy.embed.addressee import NOBODY, Addressee, find_addressee, find_addressees
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source
from antinomy.vocabulary import Party
from growth import assert_linear

_DATA = Path(__file__).parent / "data"
_ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "binds", "demands"),
    [
        ("A firm must test its plan.", "firm", "duty"),
        ("A conversion into another currency is not permitted without the customer's consent.", "firm", "duty"),
        ("A bank is not allowed to charge fees on a dormant account.", "firm", "duty"),
        ("Sub-outsourcing is permitted only if the bank consents.", "firm", "duty"),
        ("The supervisor is not permitted to disclose the report.", "authority", "duty"),
        ("If a transfer is not permitted, nothing follows.", "nobody", "nothing"),
        ("No bank may lend to its auditor.", "firm", "duty"),
        ("The name is therefore to be treated as secret.", "firm", "duty"),
        ("The name may be passed on to nobody save the court.", "firm", "duty"),
        ("Records shall be kept for five years.", "firm", "duty"),
        ("A firm may keep the record in electronic form.", "firm", "permission"),
        ("Accounts may be closed only after notice to the customer.", "firm", "duty"),
        ("A person that uses two networks must name both.", "firm", "duty"),
        ("Where the firm has informed the supervisor, the supervisor shall reply.", "authority", "duty"),
        ("Where the supervisor so requests, the firm shall reply within a week.", "firm", "duty"),
        ("The plan shall be approved by the competent authority.", "authority", "duty"),
        ("EBA shall, after consulting ESMA, develop draft standards.", "authority", "duty"),
        ("Member States shall ensure that operators take measures.", "firm", "duty"),
        ("Member States shall ensure that, in a fog, the operators of lamps reply.", "firm", "duty"),
        ("Member States shall ensure that competent authorities have lamps.", "member_state", "duty"),
        ("Member States shall ensure that penalties are set.", "member_state", "duty"),
        ("Member States may require operators to take measures.", "member_state", "permission"),
        ("A buyer of lamps has the right to return them.", "firm", "permission"),
        ("The consumer shall have the right to return a lamp.", "firm", "duty"),
        ("A customer may withdraw an order at any time.", "firm", "duty"),
        ("A customer may hold two accounts.", "firm", "permission"),
        ("The Commission is empowered to adopt a delegated act.", "commission", "permission"),
        ("Examiners should review the minutes.", "examiner", "duty"),
        ("The operator notifies the agency within two hours.", "firm", "duty"),
        ("This Regulation shall enter into force on the day after its publication.", "nobody", "nothing"),
        ("The notice shall be without prejudice to the supervisor's own inquiries.", "nobody", "nothing"),
        ("Point (b) of Article 4 is deleted and the firm shall be told.", "nobody", "nothing"),
        ("A tunnel connects two networks.", "nobody", "nothing"),
        ("The goal of an exercise is to find gaps.", "nobody", "nothing"),
        ("An outage may result in a loss of trust.", "nobody", "nothing"),
        ("By 31 March of each year a licensee publishes the number of its loans.", "firm", "duty"),
        ("By 31 March of each year the regulator publishes the number of loans.", "authority", "duty"),
        ("A payment of more than 900 crowns needs the approval of two officers.", "firm", "duty"),
        ("The fact that a gap existed shall not be made known to its victims.", "firm", "duty"),
        ("Accounts may be opened only on its authority. The authority must be given in writing.", "firm", "duty"),
        ("The authority must be told at once.", "firm", "duty"),
        ("While the mill stands still, the authority shall be kept abreast of it by a bulletin.", "firm", "duty"),
        ("The authority must be heard by the court at once.", "authority", "duty"),
        ("The supervisor must receive the plan within a week.", "firm", "duty"),
        ("The auditor may be removed only by a vote of all members.", "firm", "duty"),
        ("Nobody who lights lamps may own an oil mill.", "firm", "duty"),
        ("Clearing agencies must keep the books of their members.", "firm", "duty"),
        ("A keeper remains fully responsible for lamps that others light.", "firm", "duty"),
        ("Nothing may be withdrawn until two keepers have signed.", "firm", "duty"),
        ("An official of the bank shall visit the borrower.", "firm", "duty"),
        ("The head of the unit in which the matter arose must settle it.", "firm", "duty"),
        ("You can’t lend the key to anybody.", "firm", "duty"),
        ("Don't lend the key to anybody.", "firm", "duty"),
        (
            "The courts of the Union shall have sole jurisdiction, and what says otherwise shall be left out.",
            "firm",
            "duty",
        ),
        ("The holder of a season ticket does not have to sign.", "firm", "permission"),
        ("The Council shall adopt the list.", "authority", "duty"),
        ("The council shall elect its president from among the insured.", "firm", "duty"),
        ("Commission shall be paid to an agent after the sale.", "firm", "duty"),
        ("A commission must not exceed five per cent.", "firm", "duty"),
        ("The commission received by a dealer from a mill shall not exceed five per cent.", "firm", "duty"),
        ("The commission, bonus or other reward which the dealer is to receive shall be shown.", "firm", "duty"),
        ("The Commission shall adopt delegated acts.", "commission", "duty"),
        ("The commission may examine the books of any dealer.", "commission", "permission"),
        ("A local government shall, in view of its size, take lamps into its care.", "authority", "duty"),
        ("The court may order a keeper to put out a lamp.", "authority", "permission"),
        ("Government bonds shall be valued each month.", "firm", "duty"),
        ("The Lamp Office shall draw up a form.", "authority", "duty"),
        ("The Head Office shall keep the forms.", "firm", "duty"),
        ("Nothing in this chapter shall be construed as requiring a keeper to sell lamps.", "nobody", "nothing"),
        ("A keeper that lights a lamp shall be deemed to own it.", "nobody", "nothing"),
        ("An importer shall be considered to be a maker and shall keep the plans.", "firm", "duty"),
        ("The risk of fire shall be considered when a lamp is bought.", "firm", "duty"),
        ("The rule above covers cases in which there is a need to save a life.", "nobody", "nothing"),
        ("A keeper will need to buy a lamp.", "firm", "duty"),
        ("A keeper with fewer than ten lamps shall be exempt from rule 3.", "firm", "permission"),
        ("A government-owned company must keep its lamps lit.", "firm", "duty"),
        ("Keepers shall be allowed not to light a lamp by day.", "firm", "permission"),
        ("A keeper shall not be required to light a lamp by day.", "firm", "permission"),
        ("The consumer shall not be required to pay for a call.", "firm", "duty"),
        ("The supervisor has power to enter a tower. A visit must be announced.", "authority", "permission"),
        ("(3) The supervisor shall publish a list.", "authority", "duty"),
        (
            "Whoever lights no lamp shall be guilty of an offence and liable to a fine for each day.",
            "nobody",
            "nothing",
        ),
        ("The exemption shall take effect once the list is out.", "nobody", "nothing"),
        ("A new price shall take effect on the first day of a month.", "firm", "duty"),
        ("The loss of a lamp must be considered as a case at the least once a year.", "firm", "duty"),
        ("Where a tower is dark by day, the requirements of paragraph 1 shall not apply to it.", "nobody", "nothing"),
        ("Nothing in sections 41.1402 to 41.1409 shall prevent an agreement among keepers.", "nobody", "nothing"),
        ("This act may not be construed to give anybody a claim.", "nobody", "nothing"),
        ("Sections 41.1402 to 41.1409 shall be known and may be cited as the Lamp Act.", "nobody", "nothing"),
        ("References to a lamp shall be construed as references to a lantern.", "nobody", "nothing"),
        ("A keeper is not required to light a lamp at noon.", "firm", "permission"),
        ("A bank shall not be required to mend a lamp that it lends.", "firm", "permission"),
        ("Nothing in this section shall require a bank to sell lamps.", "nobody", "nothing"),
        ("This subdivision shall not prohibit a bank from lending lamps.", "nobody", "nothing"),
        ("References in this part to lamps are to lamps of oil.", "nobody", "nothing"),
        ("For a lamp of a new make, a permit is required.", "firm", "duty"),
        ("It is an offence (“dousing”) to put out the lamp of another.", "firm", "duty"),
        ("The care for lamps that are lent remains with the bank.", "firm", "duty"),
        ("A consumer may stop payment of an order.", "firm", "duty"),
        ("A bank may lend a lamp only:\n(a) to a keeper; or\n(b) at dusk.", "firm", "duty"),
        ("Member States shall, besides the measures of Article 3, require banks to keep lamps.", "firm", "duty"),
        (
            "Member States shall require that, where a bank owns lamps of oil, gas or wax, it shall list them.",
            "firm",
            "duty",
        ),
        ("Member States shall ensure that the consumer can return a lamp.", "firm", "duty"),
        ("Member States shall prohibit banks from selling lamps.", "firm", "duty"),
        ("It is the duty of every keeper (also of a substitute) to clean the lamps.", "firm", "duty"),
        ("The supervisor expects a bank to have a second lamp.", "firm", "duty"),
        ("Rule 4 requires a bank to have a second lamp.", "firm", "duty"),
        ("In promoting safety at sea the central bank shall work with other states.", "authority", "duty"),
        ("The consent of the central bank shall be kept.", "firm", "duty"),
        ("3- The competent court may put out a lamp.", "authority", "permission"),
        ("The Regulations shall set out the size of a lamp.", "authority", "duty"),
        ("The Federal Council may set the size of a lamp.", "authority", "permission"),
        ("The authority must not be told of the visit.", "firm", "duty"),
        ("Lamps shall be certified by an accreditation body.", "firm", "duty"),
        ("Certification authorities shall keep a log.", "firm", "duty"),
        ("The use of a helper does not relieve the keeper of any duty.", "firm", "duty"),
        ("A keeper need only name the larger lamp.", "firm", "permission"),
        ("Names of buyers may be disclosed to a court.", "firm", "permission"),
        ("A keeper that steals oil shall be liable upon conviction to a fine.", "nobody", "nothing"),
        ("The notice shall be effective on the day it is sent.", "nobody", "nothing"),
        ("In this rule, lamp shall have the same meaning as in rule 2.", "nobody", "nothing"),
    ],
)
def test_by_the_words(text: str, binds: str, demands: str) -> None:
    assert find_addressee(text) == Addressee(binds, demands)


@pytest.mark.parametrize(
    ("lead", "row", "bound"),
    [
        ("A bank must report within the limits of this table:", "Report: first; Limit: 31 March", ("firm", "duty")),
        ("The authority must reply within these limits:", "Reply: first; Limit: within 2 days", ("authority", "duty")),
        ("A bank may use the forms below.", "Form: A; Size: small", ("firm", "permission")),
        ("A bank must keep lamps.", "Class: A; Length: 20 metres", ("nobody", "nothing")),
        ("These are the classes of lamps:", "Class: A; Length: 20 metres", ("nobody", "nothing")),
        ("", "Record: log; Period: five years", ("firm", "duty")),
        ("", "Report: first; Time limit: 4 hours after detection", ("firm", "duty")),
        ("", "Lamp: small; Fee: 20 crowns", ("nobody", "nothing")),
    ],
)
def test_a_row_of_a_table_binds_whom_the_words_before_it_bind(lead: str, row: str, bound: tuple[str, str]) -> None:
    texts = {"anx_A": lead, "anx_A__table_1__subpara_1": row, "anx_A__table_1__para_2": row}
    provisions = [units.Provision(eid, eid, "Reports", [units.Part(eid, text)]) for eid, text in texts.items() if text]
    found = find_addressees(provisions, dict.fromkeys(texts, "paragraph"))
    assert found[-2:] == [Addressee(*bound)] * 2


def test_a_caption_between_a_table_and_the_words_before_it_parts_them_not() -> None:
    texts = {"para_1": ("", "The authority must reply within the limits of table 1."),
             "hd_table-1__table_1__subpara_1": ("Table 1: limits", "Reply: first; Limit: 31 March")}  # fmt: skip
    provisions = [units.Provision(eid, eid, head, [units.Part(eid, text)]) for eid, (head, text) in texts.items()]
    assert find_addressees(provisions, dict.fromkeys(texts, "paragraph"))[1] == Addressee("authority", "duty")


@pytest.mark.parametrize(
    ("names", "acts", "binds"),
    [
        ("This Rule sets out what the Harbour Office of Lamp Supervision (HOLS) expects.", "HOLS", "authority"),
        ("This Rule applies to a HLRA-regulated keeper.", "HLRA", "authority"),
        ("The keeper names a Chief Lamp Officer (CLO) and tells the Lamp Authority.", "CLO", "firm"),
    ],
    ids=["long name", "regulated by it", "an office of the firm"],
)
def test_the_abbreviation_of_an_authority_is_one(names: str, acts: str, binds: str) -> None:
    texts = {"para_1": names, "para_2": f"{acts} may grant an exemption from paragraph 1."}
    provisions = [units.Provision(eid, eid, "", [units.Part(eid, text)]) for eid, text in texts.items()]
    found = find_addressees(provisions, dict.fromkeys(texts, "paragraph"))
    assert found[1] == Addressee(binds, "permission")


@pytest.mark.parametrize(
    ("defines", "acts", "binds"),
    [
        ('"Director", the director of the department of lamps and oil;', "The director shall visit", "authority"),
        ("“Board” means the Board of the Federal Lamp Fund.", "The Board shall visit", "authority"),
        ("“Board” means the Board of the Federal Lamp Fund.", "The board of a keeper shall visit", "firm"),
        ("“Board” means the board of directors of a keeper or an agency.", "The Board shall visit", "firm"),
        ('"Director", the director of the department of lamps and oil;', "A director of a keeper shall visit", "firm"),
    ],
)
def test_the_office_that_a_document_defines_is_an_authority(defines: str, acts: str, binds: str) -> None:
    texts = [defines, f"{acts} each tower once a year.", f"{acts.removesuffix(' visit')} keep a log."]
    assert [who.binds for who in _in_one_document(texts)[1:]] == [binds, binds]


@pytest.mark.parametrize(
    ("tells", "binds"),
    [
        (["The Lamp Warden may revoke a licence."], "authority"),
        (["A keeper may appeal to the Lamp Warden."], "authority"),
        (["The Lamp Warden may by order exempt a keeper."], "authority"),
        (["The lamp warden may revoke a licence."], "firm"),
        (["The Lamp Warden may buy oil.", "A keeper pays the Lamp Warden."], "firm"),
    ],
)
def test_whoever_licenses_or_hears_appeals_is_the_authority_of_a_document(tells: list[str], binds: str) -> None:
    found = _in_one_document([*tells, "The Lamp Warden shall keep a list within a month."])
    assert found[-1] == Addressee(binds, "duty")


def test_a_name_in_small_letters_must_do_so_more_often() -> None:
    tells = ["The department shall issue permits.", "A keeper may apply for it to the department."]
    acts = "The department shall keep a list."
    assert _in_one_document([*tells, acts])[-1].binds == "authority"
    assert _in_one_document([tells[1], acts])[-1].binds == "firm"
    managers = ["The management shall issue permits.", "A keeper may apply for it to the management."]
    assert _in_one_document([*managers, "The management shall keep a list."])[-1].binds == "firm"


def test_by_its_place() -> None:
    duty = "Fines shall be published on the website."
    assert find_addressee(duty).binds == "firm"
    assert find_addressee(duty, "Competent authorities › Penalties").binds == "authority"
    step = "Determine whether the firm tests its plan."
    assert find_addressee(step, "Examination Procedures › Objective 2") == Addressee("examiner", "duty")
    assert find_addressee("The firm shall pay.", "Final provisions › Entry into force").binds == "nobody"
    assert find_addressee("a plan which the firm must test;", "Definitions", "definition").binds == "nobody"


def test_a_thing_that_its_owner_must_keep_may_be_designated() -> None:
    heading = "Designation of important lamps"
    assert find_addressee("The owner of an important lamp must light it.", heading) == Addressee("firm", "duty")
    assert find_addressee("The list shall be published.", heading) == Addressee("authority", "duty")
    assert find_addressee("The name shall be published.", "Designation of a lamp officer") == Addressee("firm", "duty")


def test_before_a_loan_is_sanctioned_the_lender_has_duties() -> None:
    text = "The sum shall be credited within a day."
    assert find_addressee(text, "Conduct before and at Sanction") == Addressee("firm", "duty")
    assert find_addressee(text, "Fines and sanctions") == Addressee("authority", "duty")


@pytest.mark.parametrize("heading", ["Financial sanctions", "Reports and law enforcement requests"])
def test_what_states_impose_or_ask_for_is_no_chapter_of_the_authority(heading: str) -> None:
    assert find_addressee("Names shall be checked.", heading) == Addressee("firm", "duty")


def test_resources_are_what_a_firm_has_to_hold() -> None:
    assert find_addressee("Two lamps must stand apart.", "Resources › Lamps") == Addressee("firm", "duty")


def test_items_follow_their_lead() -> None:
    text = "The supervisor may order the firm to:\n(a) stop a practice;\n(b) publish what it must disclose."
    assert find_addressee(text) == Addressee("authority", "permission")


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("The joint report referred to in paragraph 1 shall set out the risks of one hub.", "authority"),
        ("The joint report referred to in paragraph 1 shall be shown by the bank.", "firm"),
        ("The firms referred to in paragraph 1 shall set out the risks of one hub.", "firm"),
        ("The joint report referred to in paragraph 2 shall set out the risks of one hub.", "firm"),
        ("A joint report shall set out the risks of one hub.", "firm"),
    ],
)
def test_what_a_paragraph_says_of_the_report_of_another_binds_whom_that_one_binds(text: str, binds: str) -> None:
    texts = {
        "art_1__para_1": "The authority shall write a report.",
        "art_1__para_2": "Hubs are costly.",
        "art_1__para_3": text,
    }
    provisions = [units.Provision(eid, "", "", [units.Part(eid, words)]) for eid, words in texts.items()]
    assert find_addressees(provisions, dict.fromkeys(texts, "paragraph"))[2].binds == binds


_PRESENT = {
    "The institution appoints a head of risk control.": Addressee("firm", "duty"),
    "Banks keep a register of the functions that they outsource.": Addressee("firm", "duty"),
    "The board approves the strategy and reviews it.": Addressee("firm", "duty"),
    "The operator does not pass on client data.": Addressee("firm", "duty"),
    "Orders are carried out in the sequence in which they come in.": Addressee("firm", "duty"),
    "The supervisor publishes a list of the registers.": Addressee("authority", "duty"),
    "The management body defines the appetite for risk.": Addressee("firm", "duty"),
    "A provider informs the bank of each outage.": Addressee("firm", "duty"),
    "The Legal Department reviews every contract.": Addressee("firm", "duty"),
    "The owner of a service obtains three offers.": Addressee("firm", "duty"),
    "Staff of the provider gain access only where the bank has agreed.": Addressee("firm", "duty"),
    "The request goes to the supervisor. He answers it in writing.": Addressee("firm", "duty"),
    "No tunnel opens before it has been tested.": Addressee("firm", "duty"),
    "Lamps of another make are inadmissible.": Addressee("firm", "duty"),
    "A record of each outage reaches the head of risk control.": Addressee("firm", "duty"),
    "The regulator examines tunnels. It pays for the first visit.": Addressee("authority", "duty"),
    "This rule is issued under the Tunnel Act. It binds each operator.": NOBODY,
    "Storms can often damage a tunnel.": NOBODY,
    "An institution is small if it has fewer than fifty employees.": NOBODY,
    "A tunnel is a link between two networks.": NOBODY,
}
#: Duties with a word for it, which make a document state its duties so.
_MODAL = [f"The firm must test system {n} once a quarter." for n in range(40)]


def _in_one_document(texts: Iterable[str]) -> list[Addressee]:
    provisions = [units.Provision(f"para_{n}", "", "", [units.Part("", text)]) for n, text in enumerate(texts)]
    return find_addressees(provisions, {provision.eid: "paragraph" for provision in provisions})


def test_a_document_may_state_its_duties_in_the_present_tense() -> None:
    assert dict(zip(_PRESENT, _in_one_document(_PRESENT), strict=True)) == _PRESENT


def test_half_of_the_duties_may_have_modal_verbs() -> None:
    found = _in_one_document([*_MODAL[: len(_PRESENT)], *_PRESENT])
    assert dict(zip(_PRESENT, found[len(_PRESENT) :], strict=True)) == _PRESENT


def test_notes_between_duties_are_no_rules_of_the_present_tense() -> None:
    notes = [f"Compare: the old act of the year {2000 + n}." for n in range(len(_MODAL))]
    says = {
        "The bank keeps a second log.": Addressee("firm", "duty"),
        "Logs are kept in a safe.": Addressee("firm", "duty"),
        "A second log needs a second keeper.": Addressee("firm", "duty"),
        "This act binds the Crown.": NOBODY,
        notes[0]: NOBODY,
    }
    found = _in_one_document([*_MODAL, *notes, *says])
    assert dict(zip(says, found[-len(says) :], strict=True)) == says


def test_titles_are_no_rules_of_the_present_tense() -> None:
    assert _in_one_document([*_PRESENT, "164.3 – Lamp Care and Cleaning of Towers"])[-1] == NOBODY


def test_a_policy_may_promise_what_is_done() -> None:
    promises = [f"The bank will test lamp {n}." for n in range(12)]
    found = _in_one_document([*promises, "Spare lamps will be kept.", "The keepers must log them."])
    assert found == [Addressee("firm", "duty")] * len(found)
    assert _in_one_document([*promises, *_MODAL])[0] == NOBODY


def test_where_duties_have_modal_verbs_the_present_tense_only_tells() -> None:
    assert {who.binds for who in _in_one_document([*_MODAL, *_PRESENT])[len(_MODAL) :]} == {"nobody"}


def test_words_that_head_a_paragraph_on_its_line_are_no_statements() -> None:
    headed = [f"Care of lamps of make {n}. A bank must clean them." for n in range(12)]
    assert _in_one_document([*headed, "Lamps of tin. Their oil burns all night."])[-1] == NOBODY


def test_a_rule_may_speak_to_those_whom_it_binds() -> None:
    told = [f"You must clean lamp {n}." for n in range(4)]
    says = [f"You own lamp {n} if you light it." for n in range(8)]
    asks = ["We may ask you for a list of your lamps.", "If we ask you for a list, you must send it at once."]
    *_, owns, may, must = _in_one_document([*told, *says, *asks])
    assert owns == NOBODY
    assert may == Addressee("authority", "permission")
    assert must == Addressee("firm", "duty")
    assert _in_one_document([*told, "We must keep a list.", "We may give you a lamp."])[-1].binds == "firm"


def test_an_abbreviation_of_which_there_are_many_is_those_whom_a_document_binds() -> None:
    texts = ["An LKR should check each name.", "No LKR must sell lamps.", "LKRs should keep a list."]
    provisions = [units.Provision(text, "", "Sanctions", [units.Part("", text)]) for text in texts]
    assert find_addressees(provisions, dict.fromkeys(texts, "paragraph")) == [Addressee("firm", "duty")] * 3


def test_a_person_that_a_document_defines_and_binds_is_no_authority_under_whatever_heading() -> None:
    texts = [
        "“Lamplighter” means a legal or natural person that lights lamps of others.",
        "A lamplighter shall keep a log.",
        "Each lamplighter shall name a deputy.",
        "A lamplighter may not enter a house. It shall be heard before a fine is imposed.",
    ]
    provisions = [
        units.Provision(f"para_{n}", f"sec_{n}", "Enforcement", [units.Part("", text)]) for n, text in enumerate(texts)
    ]
    found = find_addressees(provisions, {one.eid: "paragraph" for one in provisions})
    assert [who.binds for who in found[1:]] == ["firm"] * 3


@pytest.mark.parametrize(
    ("heading", "binds"),
    [("Incidents, records and enforcement", "firm"), ("Supervision, enforcement and penalties", "authority")],
)
def test_a_heading_of_several_matters_is_an_authority_s_if_all_are(heading: str, binds: str) -> None:
    assert find_addressee("Logs are to be kept for a year.", heading).binds == binds


def test_what_describes_how_things_tend_to_be_states_no_duties() -> None:
    tends = [f"Tunnels of type {n} are often dark, and a lamp can fail." for n in range(len(_PRESENT))]
    assert {who.binds for who in _in_one_document([*_PRESENT, *tends])} == {"nobody"}


def test_a_catalogue_states_its_controls_in_numbered_paragraphs_and_explains_them_in_others() -> None:
    controls = [
        "Lamps are inspected by a second keeper.",
        "Keepers use two keys.",
        "Logs contain the hour of each visit.",
        "Oil is kept apart from food.",
        "Towers are locked at night.",
        "A register of lamps is maintained.",
    ]
    guidance = [f"Towers of type {n} can often be entered. Locks, for example, keep thieves out." for n in range(9)]
    texts = {f"para_L-{n}": text for n, text in enumerate(controls)}
    texts |= {f"hd_towers__subpara_{n}": text for n, text in enumerate(guidance)}
    provisions = [units.Provision(eid, eid, "", [units.Part(eid, text)]) for eid, text in texts.items()]
    types = {eid: "paragraph" if eid.startswith("para") else "subparagraph" for eid in texts}
    found = find_addressees(provisions, types)
    assert found == [Addressee("firm", "duty")] * len(controls) + [NOBODY] * len(guidance)


def test_where_words_that_demand_are_in_capitals_other_sentences_demand_nothing() -> None:
    demands = [f"Verifiers SHALL test lamp {n}." for n in range(6)]
    found = _in_one_document([*_PRESENT, *demands, "A verifier MAY test it again."])
    assert found == [NOBODY] * len(_PRESENT) + [Addressee("firm", "duty")] * 6 + [Addressee("firm", "permission")]


def test_a_cell_in_capitals_is_no_verb() -> None:
    cells = [f"Level: MUST; Requirement: Keepers clean lamp {n}." for n in range(6)]
    found = _in_one_document([*_PRESENT, *cells])
    assert dict(zip(_PRESENT, found, strict=False)) == _PRESENT


def test_only_a_paragraph_is_looked_up_by_the_number_of_a_paragraph() -> None:
    texts = {
        "art_1": "The authority shall write a report.",
        "art_9": "The report referred to in paragraph 1 shall be kept.",
    }
    provisions = [units.Provision(eid, "", "", [units.Part(eid, words)]) for eid, words in texts.items()]
    assert [who.binds for who in find_addressees(provisions, dict.fromkeys(texts, "article"))] == ["authority", "firm"]


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "must " * n,
        lambda n: "which the a " * n + "must",
        lambda n: "where a, " * n + "shall",
        lambda n: "x" * 7 * n + " shall",
    ],
)
def test_hostile_text_takes_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda n: find_addressee(make(n)), 3000)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "The bank " + "only " * n + "!",
        lambda n: "The order is " + "only " * n,
        lambda n: "The bank keeps " * n,
        lambda n: "the head of the " * n,
    ],
)
def test_a_document_of_hostile_texts_takes_linear_time(make: Callable[[int], str]) -> None:
    assert_linear(lambda n: _in_one_document([make(n)] * 6), 3000)


def test_a_document_with_a_new_authority_in_each_provision_takes_linear_time() -> None:
    letters = "abcdefghijklmnop"
    names = [f"{first.upper()}{second}{third}xen" for first in letters for second in letters for third in letters]
    texts = [f"The {name} may revoke a licence. The {name} shall keep a list." for name in names]
    assert_linear(lambda n: _in_one_document(texts[:n]), 4000)


def _read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_DATA / name).read_text("utf-8").splitlines()]


def _held_out(sha256: str) -> bool:
    return int(sha256[:8], 16) % 2 == 1


def _shares(rows: list[tuple[str, str]]) -> tuple[float, float]:
    firm = sum((said == "firm") == (label == "firm") for label, said in rows) / len(rows)
    labels, said = zip(*rows, strict=True)
    present = [name for name in Party if name in labels]
    return firm, float(f1_score(labels, said, labels=present, average="macro"))


def test_invented_provisions() -> None:
    rows = [
        (row["binds"], find_addressee(row["text"], row["heading_path"], row["type"]).binds)
        for row in _read("bound_invented.jsonl")
        if _held_out(hashlib.sha256(row["text"].encode()).hexdigest())
    ]
    firm, macro = _shares(rows)
    assert len(rows) > 30
    assert firm >= 0.93
    assert macro >= 0.9


@pytest.mark.long
@pytest.mark.slow
def test_real_provisions(regulations: Path, parsed: Callable[[Path, str], ParsedDocument]) -> None:
    labels = {row["section_id"]: row for row in _read("bound_labels.jsonl")}
    sources = settings.load(str(_ROOT / "conf" / "dora_ffiec.yaml"), [f"data_root={regulations}"]).sources()
    corpus = regulations.parent / "corpora" / "dev_a"
    sources += [
        Source(f"dev_a-{name}", str(corpus / f"{name}.md"), name) for name in ("eu", "us") if corpus.is_dir()
    ]  # fmt: skip
    rows = []
    for source in sources:
        nodes = parsed(Path(source.uri), source.regime).sections
        types = {node.eid: node.type for node in nodes}
        provisions = units.provisions(nodes)
        for provision, said in zip(provisions, find_addressees(provisions, types), strict=True):
            text = "\n".join(part.text for part in provision.parts)
            label = labels.get(ids.section_id(source.doc_id, provision.eid))
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            if label and label["sha256"] == sha256 and _held_out(sha256):
                rows.append((label["binds"], said.binds))
    firm, macro = _shares(rows)
    # A reader that is changed changes texts; most must stay as they were labelled for the figure to mean something.
    assert len(rows) >= 150
    assert firm >= 0.93
    assert macro >= 0.9
