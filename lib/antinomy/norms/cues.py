"""The table of deontic cues: words that demand, forbid, permit or release."""

from __future__ import annotations

import re

_MODAL = r"(?:shall|must|should|may|can|could|will|would|might)"
_BE = r"(?:is|are|be|was|were|been|being|remains?|stays?|becomes?|shall be|must be|should be|will be|may be)"
_ADVERBS = (
    r"(?:\s+(?:[a-z]+ly|also|in (?:any|no) (?:case|event)|at all times|at (?:any|no) time|then|therefore|thus"
    r"|however|in turn|further|each))*"
)

#: (modality, strength, precedes_action, expression), see ``modality.Cue``; of two overlapping matches the earlier row
#: wins.
_ROWS: tuple[tuple[str, float, bool, str], ...] = (
    # releases
    ("need_not", 1.0, True,
        rf"\b(?:need|needs){_ADVERBS}\s+not(?:\s+to)?\b|\bneedn't\b|\b(?:does|do|shall|will|should|would"
        rf"|did) not (?:have|need) to\b|\bno(?:body)? [a-z ]{{0,25}}?(?:needs? to|has to|have to)\b"),
    ("need_not", 0.9, True,
        rf"\b{_BE}\s+not{_ADVERBS}\s+(?:required|obliged|bound|obligated|expected|compelled|under (?:an"
        r"|any) (?:obligation|duty))(?:\s+to)?\b|\b(?:without (?:having|needing) to)\b"),
    ("need_not", 0.9, True,
        r"\b(?:no (?:obligation|duty|need|requirement) (?:to|for|exists|is)|(?:is"
        r"|are) (?:under )?no (?:obligation|duty|requirement))\b|\bthere is no need\b|\bat liberty not to\b"),
    ("need_not", 0.9, False,
        rf"\b{_BE}\s+(?:not (?:required|mandatory|compulsory|necessary|obligatory|needed)|optional|voluntary"
        r"|exempt(?:ed)?|unnecessary|dispensed with|waived|superfluous)\b|\b(?:may|can) be (?:omitted|waived"
        rf"|dispensed with|foregone|skipped|left out)\b|\bno [a-z -]{{1,30}}? (?:is|are) (?:required|needed"
        r"|necessary)\b|\b(?:can|may) (?:dispense with|forgo|skip|do without|omit)\b"),
    # bans
    ("must_not", 1.0, True,
        rf"\b(?:shall|must|should|may|can|will|could|would|ought){_ADVERBS}\s+(?:not|never|no longer|neither"
        r"|in no (?:case|event)|under no circumstances)\b(?! only)(?:\s+to)?\b|\b(?:cannot|can't|mustn't"
        r"|shan't|shouldn't|won't)\b"),
    ("must_not", 1.0, True,
        rf"\b(?:{_MODAL}|to|has to|have to|is to|are to|must)\s+(?:refrain|abstain|desist|keep|stay away"
        r"|stop short|shy away|hold back)\s+from\b|\b(?:refrains?|abstains?|desists?)\s+from\b"),
    ("must_not", 1.0, True,
        rf"\b{_BE}\s+(?:strictly |expressly |hereby |absolutely |also )*(?:prohibited|forbidden|barred|banned"
        r"|precluded|prevented|excluded|debarred|disqualified) from\b"),
    ("must_not", 1.0, True,
        rf"\b{_BE}\s+(?:not|never|no longer){_ADVERBS}\s+(?:permitted|allowed|authori[sz]ed|entitled|free"
        r"|at liberty|empowered|licensed) to\b|\b(?:is|are)\s+not\s+to\b|\b(?:has|have) no (?:right|power"
        r"|authority|entitlement|permission) to\b|\b(?:has|have|had) not to\b"),
    ("must_not", 1.0, False,
        rf"\b{_BE}\s+(?:(?:strictly|expressly|hereby|also|always|absolutely|altogether|generally|therefore"
        r"|in any case) )*(?:prohibited|forbidden|barred|banned|precluded|proscribed|outlawed|ruled out"
        r"|off limits|out of the question|excluded|unlawful|inadmissible|impermissible|disallowed|unacceptable"
        r"|void)\b"),
    ("must_not", 1.0, False,
        rf"\b{_BE}\s+(?:not|never|no longer){_ADVERBS}\s+(?:permitted|allowed|authori[sz]ed|acceptable|admissible"
        r"|permissible|tolerated|possible|accepted|available|lawful|an option)\b"),
    ("must_not", 0.9, True, r"(?<!so as )(?<!or )(?<!in order )(?<!is )(?<!are )\bnot to (?=[a-z])|\bto not\b"),
    ("must_not", 0.9, True,
        r"\bprohibit(?:s|ed|ing)?\b|\bforbid(?:s|den|ding)?\b|\bbans?\b|\b(?:a|the) (?:prohibition|ban) (?:on"
        r"|of|against)\b"),
    ("must_not", 0.9, True,
        rf"\b{_MODAL}(?=\s+(?!have\b|be\b)[a-z]+\s+(?:none|nothing|nobody|no one|no (?!later|more|less|fewer"
        r"|longer|earlier|sooner|greater|higher|lower)[a-z]+))"),
    ("must_not", 1.0, True,
        rf"\b(?:{_MODAL}|is to|are to|has to|have to|needs? to|ought to)\s+(?:stay|keep|remain)\s+(?:out of"
        r"|away from|clear of|off|outside)\b"),
    ("must_not", 0.8, False,
        r"\b(?:is|are|constitutes?|amounts? to|shall be|will be)\s+(?:an? |in )?(?:violation|breach"
        r"|infringement|offence|unsafe|improper|unsound)\b"),
    ("must", 0.8, False,
        r"\b(?:is|are|be)\s+(?:reserved (?:to|for)|confined to|restricted to|limited to|left to)\b|\b(?:rests?"
        r"|lies?) (?:solely |exclusively |only )?with\b|\b(?:is|are) (?:a matter for|the (?:sole )?(?:task"
        r"|duty|responsibility|business|job) of)\b"),
    ("must_not", 0.7, True,
        r"\b(?:has|have|had) no (?:say|role|part|access|voice|vote|means|place|influence|business)\b"),
    # permissions
    ("may", 1.0, True,
        rf"\b{_BE}\s+(?:{_ADVERBS}\s*)?(?:permitted|allowed|authori[sz]ed|entitled|free|at liberty|empowered"
        r"|welcome) to\b|\b(?:has|have) (?:the|a) (?:right|power|option|freedom|choice|discretion) (?:to|of)\b"
        r"|\b(?:at|in) (?:its|their|his|her|the) (?:own |sole |absolute )?(?:discretion|option|choice)\b"
        r"|\breserves? the right\b"),
    ("may", 0.9, False,
        rf"\b{_BE}\s+(?:{_ADVERBS}\s*)?(?:permitted|allowed|acceptable|permissible|admissible|tolerated|optional"
        r"|lawful|up to|left to|enough)\b"),
    ("may", 0.7, True,
        rf"\b(?:{_BE}\s+)?(?:encouraged|invited|recommended|advisable|advised)(?:\s+to)?\b|\bcan (?:choose"
        r"|decide|elect|opt)\b"),
    # possibility rather than permission
    ("may", 0.4, True,
        r"\b(?:may|might|can|could)(?=\s+(?:also\s+|not\s+|then\s+|well\s+|still\s+)?(?:have|include|occur"
        r"|change|vary|result|arise|cause|lead|affect|need|differ|become|contain|consist|exist|appear|indicate"
        r"|happen|fail|require|range|impact|increase|pose|prevent|help|suffer|harm|disrupt|threaten)\b)"),
    # duties
    ("must", 1.0, True, r"\b(?:shall|must)\b"),
    ("must", 0.9, True, r"\bshould\b|\bought to\b"),
    ("may", 1.0, True, r"\bmay\b|\bmight\b"),
    ("must", 0.8, True,
        rf"\b{_BE}\s+(?:{_ADVERBS}\s*)?(?:required|obliged|bound|obligated|expected|compelled|supposed|liable"
        r"|responsible|under (?:a|an) (?:duty|obligation)|duty-bound|called upon)(?:\s+(?:to|for))?\b"
        r"|\b(?:requires?|demands?|calls? for|obliges?|compels?)\b"),
    ("must", 0.8, True,
        r"\b(?:has|have|had|needs?)\s+to\b|\b(?:undertakes?|agrees?|commits?|covenants?|warrants?"
        r"|promises?)\s+(?:to|that|not)\b|\bit is (?:the|its|their) (?:duty|responsibility|task|job)\b"),
    ("must", 0.8, False,
        rf"\b{_BE}\s+(?:{_ADVERBS}\s*)?(?:mandatory|compulsory|obligatory|required|necessary|essential"
        r"|indispensable|due)\b"),
    ("must", 0.8, True, r"\b(?:is|are)\s+to\b(?=\s+[a-z])"),
    ("must", 0.7, True, r"\bwill\b"),
    # the descriptive present, negated
    ("must_not", 0.6, True,
        r"\b(?:do|does|is|are)\s+(?:not|never|no longer)\b(?! (?:only|merely|later|more|less|fewer|longer"
        r"|earlier|sooner|before|applicable|limited)\b)"),
    ("may", 0.8, True, r"\bcan\b|\bcould\b"),
)  # fmt: skip
#: The rows with their expressions compiled.
CUES = tuple(
    (modality, strength, precedes_action, re.compile(expression))
    for modality, strength, precedes_action, expression in _ROWS
)
