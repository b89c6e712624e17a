"""Units: which nodes stand alone, and cutting without loss."""

from antinomy.embed.units import Part, Provision, context, joined, provisions, split
from antinomy.parse.model import Section


def words(text: str) -> int:
    return len(text.split())


def eu() -> list[Section]:
    return [
        Section("rec_1", "recital", "1", text="Banks matter."),
        Section("chp_I", "chapter", "I", heading="Governance"),
        Section("art_3", "article", "3", heading="Definitions", text="For this act:", parent_eid="chp_I"),
        Section(
            "art_3__point_1",
            "definition",
            "1",
            text="‘incident’ means an event;",
            parent_eid="art_3",
            term="incident",
        ),
        Section("art_5", "article", "5", heading="Boards", parent_eid="chp_I"),
        Section(
            "art_5__para_1",
            "paragraph",
            "1",
            text="The board shall:",
            parent_eid="art_5",
            label="Article 5(1)",
        ),
        Section("art_5__para_1__point_a", "point", "a", text="log incidents;", parent_eid="art_5__para_1"),
        Section(
            "art_5__para_1__point_a__point_i",
            "point",
            "i",
            text="daily;",
            parent_eid="art_5__para_1__point_a",
        ),
        Section(
            "art_5__para_1__subpara_2",
            "subparagraph",
            "2",
            text="It shall report.",
            parent_eid="art_5__para_1",
        ),
        Section("fn_1", "footnote", "1", text="OJ L 1.", parent_eid="art_5__para_1"),
    ]


def us() -> list[Section]:
    return [
        Section("sec_II", "section", "II", heading="Risk"),
        Section("sec_II__subpara_1", "subparagraph", text="Management should plan.", parent_eid="sec_II"),
        Section("sec_II__subpara_2", "subparagraph", text="Plans include:", parent_eid="sec_II"),
        Section("sec_II__subpara_2__item_1", "item", text="roles;", parent_eid="sec_II__subpara_2"),
        Section("app_A__obj_1", "objective", "1", parent_eid="", heading="Scope"),
        Section("app_A__obj_1__point_1", "point", "1", text="Review the plan.", parent_eid="app_A__obj_1"),
    ]


def test_a_paragraph_takes_its_points_and_further_subparagraphs() -> None:
    found = {p.eid: p for p in provisions(eu())}
    assert set(found) == {"art_3", "art_3__point_1", "art_5__para_1"}
    assert [part.text for part in found["art_5__para_1"].parts] == [
        "The board shall:", "(a) log incidents;", "(i) daily;", "It shall report.",
    ]  # fmt: skip
    assert found["art_5__para_1"].heading_path == "Governance › Boards"


def test_a_paragraph_that_goes_on_with_a_sentence_belongs_to_it() -> None:
    def below(lead: str, *texts: str) -> list[list[str]]:
        nodes = [Section("sec_1", "section", "1", text=lead)]
        nodes += [
            Section(f"sec_1__para_{n}", "paragraph", n, text=text, parent_eid="sec_1")
            for n, text in zip("abc", texts, strict=False)
        ]
        return [[part.text for part in provision.parts] for provision in provisions(nodes)]

    unless = "No keeper shall light a lamp unless"
    assert below(unless, "it is clean;", "it is full.") == [[unless, "(a) it is clean;", "(b) it is full."]]
    assert below("Lamps.", "a keeper shall log them.") == [["Lamps."], ["a keeper shall log them."]]
    assert below(unless, "Keepers shall log lamps.") == [[unless], ["Keepers shall log lamps."]]


def test_a_point_that_is_a_title_stands_before_the_rules_below_it() -> None:
    def below(title: str) -> list[list[str]]:
        nodes = [
            Section("para_2", "point", "2", text=title),
            Section("para_2__a", "point", "A", text="Logs. A school must log each lamp.", parent_eid="para_2"),
            Section("para_2__b", "point", "B", text="Oil.", parent_eid="para_2"),
            Section("para_2__b__i", "point", "i", text="Schools shall buy oil.", parent_eid="para_2__b"),
            Section("para_2__b__ii", "point", "ii", text="Schools shall store oil.", parent_eid="para_2__b"),
        ]
        return [[part.text for part in provision.parts] for provision in provisions(nodes)]

    assert below("Lamps of schools.") == [
        ["Lamps of schools.", "(A) Logs. A school must log each lamp."],
        ["Oil.", "(i) Schools shall buy oil."], ["Oil.", "(ii) Schools shall store oil."],
    ]  # fmt: skip
    assert len(below("A school shall keep lamps.")) == 3
    assert len(below("A school that has no lamp:")) == 3


def test_points_that_are_rules_by_their_own_words_are_provisions_behind_the_words_that_introduce_them() -> None:
    def below(*texts: str) -> list[Section]:
        lead = Section("para_1", "paragraph", "1", text="A keeper must, in accordance with rule 2:", label="1")
        return [lead] + [
            Section(f"para_1__point_{n}", "point", f"{n}", text=text, parent_eid="para_1", label=f"1({n})")
            for n, text in enumerate(texts, start=1)
        ]

    rules = below("Lamps. Keep each lamp lit.", "", "A keeper shall reply within a week, on paper.")
    rules.insert(3, Section("para_1__point_2__point_i", "point", "i", text="Put it out.", parent_eid="para_1__point_2"))
    found = {p.label: [part.text for part in p.parts] for p in provisions(rules)}
    lead = "A keeper must, in accordance with rule 2:"
    assert found == {
        "1(1)": [lead, "(1) Lamps. Keep each lamp lit."],
        "1(2)": [lead, "(i) Put it out."],
        "1(3)": [lead, "(3) A keeper shall reply within a week, on paper."],
    }
    bullets = [Section(f"para_1__item_{n}", "item", "", text="Sell oil.", parent_eid="para_1") for n in (1, 2)]
    assert [p.label for p in provisions([*below("Keep lamps. Sell oil.", "Sell oil. Keep lamps."), *bullets])] == ["1"]
    for listed in (("keep lamps;", "sell oil."), ("Keep lamps.", "Lamps. Sell oil to those that must have it.")):
        assert [p.label for p in provisions(below(*listed))] == ["1"]


def test_recitals_and_footnotes_are_no_provisions() -> None:
    assert not {"rec_1", "fn_1"} & {p.eid for p in provisions(eu())}


def test_notes_on_what_made_or_changed_a_provision_are_not_compared() -> None:
    notes = (
        "History: Eff. 3-1-2031.",
        "(Source: Added at 46 Reg. 2210, effective March 1, 2031)",
        "[Notice 14 (Amendment) 2032]",
    )
    duty = Section("sec_1", "section", "1", text="A keeper must light each lamp.")
    below = [Section(f"n{k}", "subparagraph", text=note, parent_eid="sec_1") for k, note in enumerate(notes)]
    beside = [Section(f"m{k}", "subparagraph", text=note) for k, note in enumerate(notes)]
    assert provisions([duty, *below, *beside]) == [Provision("sec_1", "", "", [Part("sec_1", duty.text)])]
    duties = (
        "[The keeper must log changes.]",
        "[Each log must be amended within 2 days.]",
        "Authority: The Warden must approve more than 3 lamps.",
    )
    assert [p.eid for p in provisions([Section(text, "paragraph", text=text) for text in duties])] == list(duties)


def test_definitions_of_used_terms_are_attached_but_not_to_themselves() -> None:
    found = {p.eid: p for p in provisions(eu())}
    assert found["art_5__para_1"].definitions == ["‘incident’ means an event;"]
    assert found["art_3__point_1"].definitions == []


def test_handbook_blocks_stand_alone_and_procedures_under_bare_headings_too() -> None:
    found = {p.eid: p for p in provisions(us())}
    assert set(found) == {"sec_II__subpara_1", "sec_II__subpara_2", "app_A__obj_1__point_1"}
    assert [part.text for part in found["sec_II__subpara_2"].parts] == ["Plans include:", "• roles;"]


def test_a_short_provision_is_one_piece() -> None:
    provision = Provision("e", "", "", [Part("e", "one two"), Part("f", "three")])
    assert split(provision, 3, words) == ["one two\nthree"]


def test_a_long_list_is_cut_between_items_and_repeats_its_lead() -> None:
    items = [Part(str(n), f"item {n} has five words") for n in range(4)]
    pieces = split(Provision("e", "", "", [Part("e", "The bank shall:"), *items]), 14, words)
    assert joined(pieces) == "\n".join(["The bank shall:", *(item.text for item in items)])
    assert len(pieces) == 2
    assert all(piece.startswith("The bank shall:\n") for piece in pieces)
    assert [n for piece in pieces for n in range(4) if f"item {n} " in piece] == [0, 1, 2, 3]


def test_no_word_is_ever_lost_and_no_piece_is_too_long() -> None:
    sentence = " ".join(f"w{n}" for n in range(97)) + ". Then x. Then y."
    pieces = split(Provision("e", "", "", [Part("e", sentence), Part("f", "tail " * 30)]), 20, words)
    assert max(map(words, pieces)) <= 20
    assert " ".join(" ".join(piece.split()) for piece in pieces).split() == (sentence + " " + "tail " * 30).split()


def test_context_leaves_out_whole_lines_that_do_not_fit() -> None:
    provision = Provision("e", "", "A › B", [Part("e", "x")], ["a definition of six words here", "short one"])
    made = context(provision, ["Article 1: opening"], ("headings", "definitions", "cited"), 6, words)
    assert made == "A › B\nshort one"


def test_a_definition_says_its_term_whether_it_stands_in_the_text_before_it_or_apart() -> None:
    given = {"a": "Agent. Any person that acts as agent.", "b": "Any person.", "c": "Agent: any person."}
    given |= {"d": "A helper. A broker is no agent.", "e": "Agent―any person."}
    nodes = [Section(eid, "definition", text=text, term="Agent") for eid, text in given.items()]
    assert [p.parts[0].text for p in provisions(nodes)] == [
        "‘Agent’ means Any person that acts as agent.", "‘Agent’ means Any person.", "Agent: any person.",
        "‘Agent’ means A helper. A broker is no agent.", "‘Agent’ means any person.",
    ]  # fmt: skip
