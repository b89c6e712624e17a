"""Patterns of the words with which questions say what they ask for, and their meanings."""

from __future__ import annotations

import re

TYPES = {
    "article": "article", "chapter": "chapter", "recital": "recital", "annex": "annex", "annexes": "annex",
    "appendix": "appendix", "appendices": "appendix", "paragraph": "paragraph", "subparagraph": "subparagraph",
    "point": "point", "footnote": "footnote", "subsection": "subsection", "section": "section", "part": "part",
    "objective": "objective", "title": "title", "table": "table", "item": "item", "heading": "heading",
    "subpart": "subpart", "schedule": "schedule",
}  # fmt: skip
TYPE = (
    r"(?P<type>articles?|chapters?|recitals?|annex(?:es)?|appendi(?:x|ces)|subparagraphs?|paragraphs?"
    r"|points?|footnotes?|subsections?|sections?|parts?|objectives?|tables?|items?|headings?|subparts?"
    r"|schedules?)"
)
HOW_MANY = re.compile(
    r"\b(?:how many|(?:the )?(?:total )?number of|(?:^|(?<=the ))count(?: of| the| all)?(?! as)|total of)"
    r"\s+(?P<rest>.*)"
)
GROUPED = re.compile(
    r"\b(?:per|by|for each|of each|by each|grouped by|(?:for|in) every|across)\s+(?:the\s+)?"
    r"(?P<by>relations?|kinds?|regimes?|documents?|sides?|topics?|decisions?|section types?|types?"
    r"|addressees?|part(?:y|ies))\b"
)
BY = {"relation": "relation", "kind": "kind", "regime": "regime", "document": "regime", "side": "regime",
       "topic": "topic", "decision": "decision", "section type": "type", "type": "type", "addressee": "party",
       "party": "party"}  # fmt: skip
DOWN = re.compile(r"\b(?:break\w*\s+(?:.+\s)?down|breakdown|distribution|grouped|split)\b")
LISTING = re.compile(r"^\s*(?:please\s+)?(?:list|show|give|name|enumerate|which|what)\b")
CONFLICT = r"(?:conflicts?|contradictions?|incompatibilit(?:y|ies)|clash(?:es)?)"
FINDING = re.compile(
    rf"\b(?:(?P<conflict>{CONFLICT}|conflicting)|(?P<finding>findings?)"
    rf"|(?P<pair>(?:candidate )?pairs?|verdicts?|judge?ments?|overlaps?))\b"
)
_PROVISION = r"(?:provisions?|requirements?|rules?|duties|obligations?|articles?|sections?|paragraphs?)"
#: States of the crosswalk by the words that ask for them, the more particular first.
COVERAGE = (
    ("gap", re.compile(
        rf"\b{_PROVISION}\b.*\b(?:no|without (?:an? |any )?|lacks? (?:an? |any )?)\s*(?:counterpart|equivalent|match)"
        rf"|\b{_PROVISION}\b.*\b(?:uncovered|not (?:covered|matched|addressed))\b|\b(?:coverage|crosswalk) gaps?\b"
    )),
    ("partly", re.compile(rf"\b{_PROVISION}\b.*\b(?:partly|partially|only in part) (?:covered|matched|met)\b")),
    ("covered", re.compile(rf"\b{_PROVISION}\b.*\b(?:(?:has|have|with) (?:an? )?counterparts?|covered by)\b")),
)  # fmt: skip
CITING = re.compile(
    r"\b(?:cit(?:e|es|ed|ing)|refer(?:s|red|ring)?(?: back)?(?: to)?|reference(?:s|d)?|point(?:s|ed"
    r"|ing)? to|mention(?:s|ed)?|quotes|quoted"
    r"|rel(?:y|ies) on|link(?:s|ed)? to|cross-refer\w*)\b"
)
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|being|be|been|gets?)\s+(?:\w+\s+)?(?:cited|referred to|referenced"
    r"|mentioned|quoted|linked to|pointed to)\b|\bcited (?:by|in)\b"
)
MOST = re.compile(r"\b(?:most(?: often| frequently)?|the most)\b")
FEWEST = re.compile(r"\b(?:fewest|least(?: often| frequently)?)\b")
OUTSIDE = re.compile(r"\b(?:outside|external|other (?:law|acts|instruments|documents)|foreign)\b")
INSIDE = re.compile(r"\b(?:internal|within the (?:same )?documents?|inside)\b")
UNRESOLVED = re.compile(r"\b(?:unresolved|ambiguous|not resolved|could not be resolved)\b")
KINDS = ("deadline", "threshold", "frequency", "retention", "modality", "actor", "procedure", "scope", "definition")
STRICTER = re.compile(r"\b(?:stricter|tighter|more demanding|strictest)\b")
DECISIONS = {"confirmed": "confirm", "rejected": "reject", "unsure": "unsure", "not sure": "unsure"}
#: States of findings by which they are not counted.
UNCOUNTED = re.compile(
    r"\b(?:not (?:yet )?(?:decided|reviewed)|undecided|deferred)\b"
    r"|\b(?:new|open|resolved|carried-over)(?= (?:findings?|conflicts?|definitions|stricter)\b)"
    r"|(?<=\bare )(?:still )?(?:new|open|resolved|carried over)(?=\s*\??$)"
)
PARTIES = {"firm": "firm", "firms": "firm", "authority": "authority", "authorities": "authority",
            "examiner": "examiner", "examiners": "examiner", "commission": "commission",
            "member state": "member_state", "member states": "member_state", "nobody": "nobody"}  # fmt: skip
LEAST = re.compile(
    r"\b(?:shortest|smallest|lowest|earliest|least|minimum|tightest|quickest|fastest|nearest"
    r"|most (?:often|frequent(?:ly)?))\b"
)
GREATEST = re.compile(
    r"\b(?:longest|largest|highest|latest|greatest|biggest|maximum|farthest|furthest|slowest|rarest"
    r"|least (?:often|frequent(?:ly)?)|most money)\b"
)
#: Nouns and ways of asking that name a role, the more particular first.
ROLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "notice",
        re.compile(
            r"\b(?:notice periods?|(?:how (?:long|far|much|many days)) (?:in advance|ahead|before)"
            r"|advance (?:notice|warning)s?|periods? of notice)\b"
        ),
    ),
    (
        "retention",
        re.compile(
            r"\b(?:retention(?: periods?| times?| limits?)?|(?:how long|(?:for )?what (?:period|time)"
            r"|until when)\b.*\b(?:kept|keep|stored?|retain(?:ed)?|preserved?|remain|stay|archived?"
            r"|held|hold|available|searchable|erased?|deleted?|destroyed))\b"
        ),
    ),
    (
        "frequency",
        re.compile(
            r"\b(?:frequenc(?:y|ies)|how (?:often|frequently|regularly)|(?:testing |review "
            r"|reporting )?intervals?|at what intervals?|how many times (?:a|per|each)|(?:exercise"
            r"|test|review|update|inspection)s? cycles?)\b"
        ),
    ),
    ("distance", re.compile(r"\b(?:distances?|how (?:far|close|near)|kilomet(?:re|er)s?|miles)\b")),
    ("percentage", re.compile(r"\b(?:percentages?|per ?cent(?:ages)?|what share|which share|shares?)\b|%")),
    (
        "money",
        re.compile(
            r"\b(?:amounts? of money|sums?(?: of money)?|monetary (?:amounts?|thresholds?)|money"
            r"|how much money|amounts?)\b"
        ),
    ),
    (
        "deadline",
        re.compile(
            r"\b(?:(?:reporting |notification )?deadlines?|time limits?|by when|how (?:soon|quickly"
            r"|fast|promptly|early)|within (?:what|which|how (?:long|many))|when (?:must|should|shall"
            r"|do|does|is|are)|how (?:long|much time)|how many (?:hours|days|months|minutes|weeks"
            r"|years))\b"
        ),
    ),
)
QUANTITY_NOUN = re.compile(
    r"\b(?P<noun>deadlines?|time limits?|retention periods?|retention times?|frequenc(?:y|ies)"
    r"|intervals?|notice periods?"
    r"|percentages?|distances?|amounts? of money|sums? of money|amounts?)\b"
)
DEFINITION = (
    re.compile(
        r"\b(?:defin(?:e|es|ed|ition|itions)|meaning)\s+(?:of\s+|for\s+)?(?:the\s+)?(?:term\s+|word\s+)?(?P<term>.+)"
    ),
    re.compile(
        r"\bwhat\s+(?:exactly\s+)?(?:does|do"
        r"|is meant by)\s+(?:the\s+)?(?:term\s+)?(?P<term>.+?)(?:\s+mean\b.*)?[?.!]*$"
    ),
    re.compile(r"\bwhat\s+(?:exactly\s+)?(?:counts as|qualifies as|is|are)\s+(?P<term>.+)"),
    re.compile(r"(?P<term>.+?)\s+(?:is|are)\s+defined\b"),
)
HOW_DEFINED = re.compile(
    r"\b(?:how (?:is|are|do|does)\b.*?\bdefin|define[ds]?\b|definitions?\b|meaning of|mean(?:s|t)?\b)"
)
ARTICLE = re.compile(r"^(?:an?|the|each|every|its|their)\s+")
SAYS = re.compile(
    r"\b(?:what (?:does|do|is|are|stands?)|show|text|read|print|display|say|says|require|requires"
    r"|contain|contains|content"
    r"|wording|quote|look up|give me|tell me|provide|open)\b"
)
STATISTIC = re.compile(
    r"^(?:what is |give )?(?:the )?(?:average|mean|median|standard deviation|ratio|sum of)\b"
    r"|\b(?:average|mean|median) (?:number|length|share)\b"
)
NO_TOPIC = re.compile(
    r"(?<![\w-])(?:what|which|who|whose|how|when|where|is|are|was|were|the|a|an|of|in|on|for|to|by|at"
    r"|and|or|must|should|shall|may"
    r"|can|do|does|did|be|it|its|they|them|that|this|these|those|there|with|from|under|per|both"
    r"|either|each|all|any|between|document|documents"
    r"|regime|regimes|run|names?|named|stands?|sets?|give|show|list|say|says|me|us|tell|please|many|much"
    r"|long|often|soon|far"
    r"|shortest|smallest|lowest|earliest|least|minimum|tightest|longest|largest|highest|latest"
    r"|greatest|biggest|maximum"
    r"|most|frequent|frequently|quickly|fast|deadlines?|time|limits?|retention|periods?|frequenc(?:y"
    r"|ies)|intervals?|notice periods?"
    r"|percentages?|per ?cent|amounts?|sums?|money|distances?|hours?|days?|months?|minutes?|weeks?|years?|kept|keep"
    r"|have|has|provisions?|provision|rules?|within|whether|across|texts?|require[sd]?|required"
    r"|contains?|text|order|ordered|found|value|values|mentioned|mentions?|regulations?)(?![\w-])"
)
OUTSIDE_NAME = re.compile(
    r"(?:“[^”]+”|\"[^\"]+\")(?:\s+booklet)?|(?:(?:Commission |Council |Delegated "
    r"|Implementing )*(?:Regulation|Directive|Decision)s?"
    r"\s+(?:\((?:EU|EC|EEC)\)\s+)?(?:No\.?\s+)?\d+/\d+(?:/EU|/EC)?)|\d+\s+(?:CFR"
    r"|U\.?S\.?C\.?)(?:\s+(?:part\s+)?[\w.()]+)?"
    r"|(?:NIST\s+)?SP\s+800-\w+|[A-Z]{2,}(?:\s+(?:Bulletin|Letter|Circular))?\s+\d[\w-]*|NIST|ISO(?:/IEC)?\s+\d+"
)
