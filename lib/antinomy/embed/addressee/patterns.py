"""The patterns by which this package reads demands in a provision."""

from __future__ import annotations

import re

#: Words that demand or allow; the group that matches says which.
CUE = re.compile(
    r"(?<!-)\b(?:"
    r"(?P<permission>(?:shall|must|should) (?:also "
    r"|further )?(?:have (?:all of )?(?:at least )?(?:(?:the|a) (?:following )?)?"
    r"(?:[a-z-]+ )?(?:right|power)s?|be exempt(?:ed)?"
    r"|be (?:entitled|allowed|permitted|empowered|free|authori[sz]ed) (?:not )?to)"
    r"|(?:has|have) (?:the )?(?:right|power) to|do(?:es)?(?: not|n[’']t) have to"
    r"|(?:is|are) (?:hereby )?(?:entitled|permitted|allowed"
    r"|empowered|authori[sz]ed) (?:not )?to"
    r"|(?:(?:is|are) not|(?:shall|must|should|does|do|will) not be) (?:required|obliged|obligated|bound) to"
    r"|(?:is|shall be) (?:conferred|delegated) (?:on|to)|need (?:not|only)|(?:is|are) exempt(?:ed)? from|(?<!\d )may)"
    r"|(?P<duty>shall|must|should|(?:must|should|can)n?[’']t|ought to|cannot|(?:is|are) (?:also )?(?:required"
    r"|obliged|expected|bound) to"
    r"|(?:is|are) required(?=\s*[.;])"
    r"|(?:is|are) (?:prohibited|forbidden)(?: from)?|(?:has|have) to"
    r"|(?:is|are) (?:not|only) (?:permitted|allowed|permissible|admissible)(?: to)?"
    r"|(?:is|are) (?:permitted|allowed|permissible|admissible) only"
    r"|(?<!\ba )(?<!\bno )(?<!\bthe )needs? to"
    r"|(?:is|are) (?:(?:not|also|therefore|thus|then|always|only) )?to"
    r"|(?:is|are) (?:also )?responsible for"
    r"|(?:is|are) accountable for"
    r"|(?:remains?|stays?|continues? to be) (?:as )?(?:\w+ly )?(?:responsible|accountable|answerable|liable)"
    r"|(?:is|are) not relieved of|(?:do(?:es)?|shall|may|will) not relieve"
    r"|responsib\w+ (?:falls?|rests?|lies?) (?:to|with|on)"
    r"|remains? with)"
    r"|(?P<will>will)"
    r")\b",
    re.IGNORECASE,
)
#: After "may": a possibility, not a permission.
EPISTEMIC = re.compile(
    r"\s+(?:(?:also|not|still|well|then|even|often|sometimes) )*(?:be (?!used|made|given|kept|granted"
    r"|taken|released|sub-?outsourced"
    r"|postponed|submitted|published|held|carried|adopted|shown|waived|extended|omitted|combined"
    r"|delegated|exercised|required|collected|processed|disclosed|transferred|registered)"
    r"|have|face|need|find|choose|result|cause|include|lead|occur|arise|vary|differ|want|become"
    r"|expose|contain|help|suffer"
    r"|wish|consist|experience|pose|introduce|create|provide|increase|reduce|affect|allow|require"
    r"|indicate|know|rely)\b"
)
#: After "may": no ban either ("the controls may not be adequate").
FALLS_SHORT = re.compile(
    r"\s+not (?:(?:always|yet|also|necessarily|fully) )*be (?:as |so |very |readily )?(?:adequate|appropriate|apparent"
    r"|available|aware|able|complete|effective|evident|feasible|possible|practica(?:l|ble)|sufficient|suitable|true)\b"
)
#: "The purpose of the plan is to …" demands nothing.
PURPOSE = re.compile(
    r"\b(?:purposes?|goals?|aims?|objectives?|intent|roles?|function|reason|focus|way|step|approach"
    r"|method|alternative|option|characteristics?)\b",
    re.IGNORECASE,
)
#: What turns a permission into a ban or a restriction.
RESTRICTS = re.compile(r"\s+(?:[a-z]+ly )?(?:not|only)\b")
RESTRICTED = re.compile(
    r"^[^.;]{0,160}?\b(?:only(?::| (?:where|if|when|in|after|with|for|to|by|through|on|upon|once|under|from|within"
    r"|at)\b)|(?:to|by|with|for) (?:nobody|no one|none|no other)\b)"
)
NO_SUBJECT = re.compile(r"^(?:no|nobody|nothing|neither|none|only)\b", re.IGNORECASE)
#: A condition or a relative clause has opened and not closed before the cue.
SUBORDINATE = re.compile(
    r"(?:^|[\s(])(?:(?:where|when|whenever|if|whether|unless|until|because|since|although|while)\s"
    # Of a relative clause only one whose subject follows at once: "records that the firm must keep", but not
    # "a board that meets rarely may".
    r"|(?:which|that|who|whom|whose)\s(?:the|an?|its?|their|this|these|such|each|every|any|all|no"
    r"|they|he|she|one)\s(?![^,;]*\b(?:is|are|was|were|has|have|had|do|does|[a-z]{3,}s|[a-z]{3,}ed"
    r"|arose|began|came|fell|gave|held|led|made|took)\b))[^,;]*$",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"(?:^|[\s,(])(?:which|that|who|whom|as)\s*$", re.IGNORECASE)
#: Sentences about the act itself.
FORMAL = re.compile(
    r"^(?:\W*(?:\(?[a-z0-9]{1,3}[.)]\s*)?)(?:for (?:the )?purposes? of (?:this|that"
    r"|these)\b[^.;]*\b(?:means?|definitions?|referred to as|is limited to"
    r"|be (?:considered|deemed|understood|treated|construed|regarded))\b"
    r"|(?:the (?:handbook|circular)\b|(?:nothing in )?(?:this|these|the present) (?:regulation|directive|decision"
    r"|part|chapter|(?:sub)?section|subpart|subdivision|article|(?:sub)?paragraph|rule|notice|code|module|ordinance"
    r"|sourcebook|law|guidelines?|guidance|standard|circular|act|title|annex|directions?|booklet|handbook|instrument)s?\b)"
    r"[^.;:]{0,60}?\b(?:appl(?:y|ies)|enters?|takes? effect|lays? down|establish(?:es)?|sets? out|is"
    r"|are|shall be binding"
    r"|carries out|(?:does|shall) not (?:require|oblige|prohibit|prevent)"
    r"|covers?|concerns?|repeals?|amends?|provides?|describes?|contains?|explains?|discusses|sets?|states?|tells?"
    r"|comes? into force)\b"
    r"|(?:(?:where|if|subject to|without prejudice to)\b[^.;:]{0,200}?, )?"
    r"(?:articles?|paragraphs?|chapters?|sections?|the (?:requirements?|provisions?|designation"
    r"|obligations?|exemptions?|rules?)) [^.;:]{0,120}?"
    r"\b(?:shall|do|does|must) (?:also )?(?:not )?(?:apply|take effect)\b"
    r"|references? (?:in this \w+ )?to\b[^.;]*\b(?:shall be construed|are to)\b|it shall apply from\b"
    r"|[^.;:]{0,200}?\b(?:shall be|is|are) without prejudice to\b"
    r"|nothing (?:in|under) (?:this|these|(?:section|article|paragraph|rule)s?)\b(?:[^.;:]|\.\d){0,60}?"
    r"\b(?:(?:shall |may )?(?:affect|limit|prevent|preclude|prejudice|restrict|require|oblige|prohibit)s?"
    r"|(?:shall|may) (?:not )?be (?:construed|interpreted|deemed|read))\b"
    r"|the (?:following )?definitions\b|if any provision of)",
    re.IGNORECASE,
)
#: "Shall be deemed to be an issuer" says what somebody is in law, "shall be guilty of an offence" what becomes of him,
#: "shall be construed" how a text is to be read: the duties stand elsewhere.
DEEMS = re.compile(
    r"\s+(?:(?:also |not )?be (?:deemed|presumed|considered (?:as|to (?:be|have|fall)|an?)|construed"
    r"|interpreted|read\b|effective\b|(?:known|cited)\b[^.;]{0,30}? as"
    r"|(?P<penalty>guilty of"
    r"|liable,? (?:(?:up)?on (?:\w+ )?conviction,? )?to (?:an? |the )?(?:\w+ )?(?:fine|penalt|imprisonment)))"
    r"|have the (?:same )?meanings?\b|become (?:effective|operative)\b|come into operation\b|expire\b)",
    re.IGNORECASE,
)
AMENDS = re.compile(
    r"\b(?:articles?|paragraphs?|points?|sections?|annex|sentence|subparagraph|following"
    r"|words?)\b[^.;]{0,80}?\b(?:is|are)"
    r" (?:hereby )?(?:replaced by|inserted|deleted|added|amended as follows)\b"
    r"|\b(?:regulation|directive|act|notice|circular|guidelines?)s?\b[^.;]{0,60}\b(?:is"
    r"|are) (?:hereby )?(?:repealed|superseded|amended)\b"
    r"|\bstands? repealed\b|^in article \d+[^.]{0,120}\bthe following\b",
    re.IGNORECASE,
)
#: Who is bound stands behind the verb: "it is the duty of a keeper to …", "the supervisor expects keepers to …".
OBLIGES = re.compile(
    r"\b(?:(?P<anybody>it is the (?:duty|responsibility) of)|expects?|(?<!measures )requires?|obliges?)\s+"
    r"(?P<who>(?:the|an?|each|every|any|all)?\s*(?:[\w()-]+\s+){1,8}?)(?:\([^()]{1,200}\)\s+)?to (?=[a-z])",
    re.IGNORECASE,
)
#: How guidance recommends without a modal verb.
COMMENDS = re.compile(
    r"\b(?:it is (?:also )?(?:important|critical|essential|necessary|imperative|prudent|advisable) (?:to|that|for)"
    r"|it is an offence (?:\([^()]{1,40}\) )?(?:to|for)"
    r"|(?:effective|sound|prudent|good|best) (?:(?!(?:if|it|that|which) )[a-z-]+ ){0,4}?(?:includes?|have|has|requires?"
    r"|addresses|secures?|ensures?|involves?"
    r"|keeps?|speaks?)"
    r"|(?:sound|prudent|good|best|leading) practices? (?:includes?|is|are)"
    r"|require(?:s)? (?:additional|appropriate|adequate|strong))\b",
    re.IGNORECASE,
)
#: Verbs that open a direction to the reader ("Keep the minutes …").
IMPERATIVE = re.compile(
    r"^(?:\W*(?:action summary\.?\s*)?)(?:keep|put|map|walk|make|ensure|establish|maintain|implement"
    r"|develop|identify|test|document"
    r"|assign|define|report|notify|record|train|retain|store|encrypt|give|take|do not|don[’']t|never|always"
    r"|use|verify|obtain|conduct)\s"
    r"(?!(?:is|are|was|may|can|of|and)\b)[a-z]",
    re.IGNORECASE,
)
_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety"
#: What makes a rule of the present tense: "the operator notifies the agency within two hours".
INDICATIVE = re.compile(
    r"\b(?:within|no later than|not later than|at least|at most|no more than|no less than"
    r"|not less than|or more|or less|every|each"
    r"|once|twice|after|for|until|by|on the)\s+(?:[a-z]+\s+){0,2}?(?:\d[\d.,]*"
    rf"|{_NUMBERS}|a|an|next|following|same|first|last|each|every)\s+(?:(?!several|few)[a-z]+\s+)?"
    r"(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?|working|business)\b"
    # A cell below the name of its column: "Time limit: 4 hours".
    r"|\b(?:limits?|deadlines?|due(?: date)?|periods?|retention|frequency|when|time): (?:[a-z]+ ){0,3}?"
    rf"(?:\d[\d.,]*|{_NUMBERS}) (?:[a-z]+ )?(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b"
    r"|\b(?:of|in) (?:each|every) (?:calendar |financial )?(?:year|quarter|month|week)\b"
    r"|\b(?:needs|requires|is subject to) (?:the )?(?:[a-z]+ ){0,2}(?:approval|consent|authori[sz]ation) of\b"
    r"|\b(?:at once|without (?:undue )?delay|the same day|on request|alone|nobody else|by nobody"
    r"|by no other|never|in no case)\b",
    re.IGNORECASE,
)
_ADVERBS = r"\s+(?:(?:also|then|always|never|not|[a-z]+ly)\s+)*"
#: What a subject does, right behind it: "the bank keeps", "banks keep", "an order is carried out".
ONE_ACTS = re.compile(
    rf"{_ADVERBS}(?:does not|has|(?!(?:is|was|its|this|as|does|thus|across|plus|less|unless|perhaps|sometimes|business"
    r"|process|access|whose)\b)[a-z]{2,}(?<!s)s)\b"
)
THEY_ACT = re.compile(
    rf"{_ADVERBS}(?!(?:are|were|of|in|on|at|by|for|to|with|under|from|that|which|who|whose|whom|and|or|as|than|if"
    r"|can|could|would|might|did|had|not|may|will|[a-z]+ed|[a-z]+ing)\b)[a-z]{3,}\b"
)
#: "Orders are carried out": of what is done, but not of how a text is to be read.
PASSIVE = re.compile(
    r"\b(?:is|are)\s+(?:(?:not|also|then|always|never|first|[a-z]+ly)\s+){0,3}"
    r"(?!required|permitted|allowed|entitled|prohibited|deemed|based|related|concerned|located|used|called|known|defined"
    r"|described|set\b|laid|listed|referred|considered|intended|designed|subject)"
    r"(?:[a-z]{2,}(?:ed|en)|kept|made|held|sent|put|given|drawn|shown|met|sought|paid|told)\b"
)
#: "The policy takes effect only once the board has endorsed it", "each post needs a deputy".
CONDITION = re.compile(
    r"\bonly (?:if|when|where|once|after|by|with|on|upon|through)\b|\bneeds an?\b|\b(?:is|are) liable for\b",
    re.IGNORECASE,
)
#: What says how things are or tend to be: a rule does not hedge. A handbook that describes does so all the time.
HEDGES = re.compile(
    r"\b(?:can|could|might|would|often|typical(?:ly)?|generally|usually|sometimes|frequently|commonly|example|such as"
    r"|includ(?:es?|ing)|many|some|various)\b",
    re.IGNORECASE,
)
#: What things of a kind are: "“Lamp” means …", "A tunnel is a link …", "An institution is small if …".
DESCRIBES = re.compile(
    r"[^.;:,]{2,50}\bmeans\b(?! (?:of|to|by)\b)|an? (?:[\w-]+ ){1,3}is (?:an?|(?!\w+(?:ed|en)\b)\w+ if)\b",
    re.IGNORECASE,
)
#: "It keeps a log", of whom a sentence before named.
IT_ACTS = re.compile(
    r"(?:it|he|she)\b(?! applies)" + ONE_ACTS.pattern + r"|they\b(?! apply)" + THEY_ACT.pattern, re.IGNORECASE
)
#: A subject that a sentence before named.
PRONOUN = re.compile(r"(?:it|they|he|she)\b", re.IGNORECASE)
#: What a paragraph before it introduced: a report, a list, a process.
CONTINUES = re.compile(r"^\W*(?P<what>the (?:[\w-]+ ){1,4})referred to in paragraph (?P<number>\d+)\b", re.IGNORECASE)
#: The id of a row, and of what holds its table; a caption; words at a provision's end that introduce a table.
ROW = re.compile(r"(?P<holder>.+)__table_\d+(?:_\d+)?__(?:sub)?para_[^_]+(?:_\d+)?$")
CAPTION = re.compile(r"table\b", re.IGNORECASE)
INTRODUCES = re.compile(r"(?::|\b(?:tables?|below|following|these|limits?)\b[^.;:]*[.;]?)\s*$", re.IGNORECASE)
#: Between the matters of a heading: "Supervision, enforcement and sanctions".
LIST = re.compile(r",\s*(?:and\s+)?|\s+and\s+")
#: Matters that say nothing of whom such a chapter concerns.
CLOSING = re.compile(
    r"(?:(?:general|final|transitional|transitory|miscellaneous|other) )?provisions|transition|hearings?|appeals?"
    r"|examinations?|entry into force|repeals?"
)
LAST_NUMBER = re.compile(r"(?<=para_)\d+$")
#: The passive with its agent, right behind the cue: "shall be adopted by the …". Who must be certified sees to it.
AGENT = re.compile(
    r"(?:\s+\w+)?\s+be(?!\s+(?:accredited|certified|licen[cs]ed|registered)\b)(?:\s+\w+){1,2}\s+by\s+", re.IGNORECASE
)
#: "The authority must be given in writing" is a permission, and nobody's duty; "the authority must be told" is a duty
#: of whoever knows.
DONE_TO_IT = re.compile(
    r"\s+(?:also |then |first |not )?(?:be\s+(?:\w+ly\s+|also\s+)?"
    r"(?:given|granted|obtained|conferred|withdrawn|revoked|told|informed|notified|advised|alerted|warned|briefed"
    r"|sent|shown|supplied|furnished|asked|kept\s+(?:\w+ly\s+)?(?:abreast|informed|aware|up))|receive|hear)\b",
    re.IGNORECASE,
)
#: A directive binds firms through its Member States: "Member States shall ensure that, where …, banks notify …".
PASSES_ON = re.compile(
    r"(?:\s*,[^,;:]{1,160},)?\s+(?:also |further )?"
    r"(?:(?:ensure|provide|stipulate) that|(?:require|oblige|prohibit)(?: that)?)"
)
#: Whom firms serve or employ. What these have a right to, the firm has to grant.
ENTITLED = re.compile(
    r"(?:^|[,;:]\s*|\b(?:and|that) )(?:(?:the|an?|each|every|any|all|such|no)\s+)*(?:(?!of\b)[\w-]+\s+){0,2}?"
    r"(?:data subject|individual|natural person|consumer|customer|client|depositor|policyholder|investor|borrower|payer"
    r"|service user|patient|employee)s?\b[^,;:]*$",
    re.IGNORECASE,
)
CLAIMS = re.compile(r"\s+(?:invoke|exercise|request|withdraw|revoke|object|opt out|cancel|stop payment)\b")
#: What such a person may do by law: "… that the payer can request a refund".
ENTITLES = re.compile(r"\s(?:can|may|(?:shall )?(?:has|have) (?:the|a) right|(?:is|are|shall be) entitled)\b")
#: "Where a bank is in doubt, it shall …"
IT_MUST = re.compile(r",?\s*(?:where|if|when)\s+(?P<who>[^;:]{1,400}?),\s+(?:it|they) (?:shall|must|is|are)\b")
#: "that, in a fog, banks shall …"
BETWEEN = re.compile(r"\s*(?:,[^,;:]*,\s*)?")
#: A commission that is paid: without "the", or with "a" and the like in small letters. "The commission" is a body.
PAY = re.compile(
    r"\b(?i:an?|any|no|such|all|his|her|its|their|this)\s+commissions?$|\bcommissions$|^\W*[Cc]ommissions?$"
)
#: "The commission received by a dealer", "the commission, incentive or bonus".
PAID = re.compile(
    r"\bcommissions?(?:\s+(?:received|paid|payable|earned|charged|due)\b"
    r"|(?:,| or| and)\s+(?:incentives?|fees?|bonus|brokerage|remuneration|rebates?|discounts?|charges?)\b)"
)
#: "An ABC must": of its kind there are many. The authorities of all countries are many, too.
ONE_OF_MANY = re.compile(
    r"\b(?:(?:[Aa]n?|[Ee]ach|[Ee]very|[Nn]o)\s+(?!FIU|NCA|DPA)([A-Z]{2,6})|(?!FIU|NCA|DPA|ESA)([A-Z]{2,6})s)"
    r"\s+(?:shall|must|should|(?:is|are) (?:required|expected) to)\b"
)
#: "“Facilitator” means a person that boards merchants", and what such a person must do.
DEFINED_PERSON = re.compile(
    r"[“\"‘'](?P<term>[A-Za-z][a-z-]{3,30})[”\"’'],? means an? (?:(?:legal|natural|body|or|and) ){0,3}"
    r"(?:person|undertaking|entity|company|corporate|business|institution|firm|partnership)\b"
)
A_PERSON_MUST = re.compile(
    r"\b(?:[Aa]n?|[Ee]ach|[Ee]very|[Nn]o|[Tt]he) (?P<term>[A-Za-z][a-z-]{3,30}) (?:shall|must|may not)\b"
)
#: How a rule speaks to those whom it binds, in the name of who made it; a firm that speaks so says what it must do.
YOU_MUST = re.compile(r"\b[Yy]ou (?:must|shall|are required to)\b")
YOU = re.compile(r"\b[Yy]ou(?= (?:also )?(?:must|shall|should|may|are)\b)")
WE = re.compile(r"\b[Ww]e\b")
WE_MUST = re.compile(r"\b[Ww]e (?:must|shall|should|have to|are required to)\b")
YOURS = re.compile(r"your?\b", re.IGNORECASE)
#: Words before a noun that make it no subject: "the consent of the bank".
NO_HEAD = re.compile(
    r"about|against|as|at|between|by|for|from|in|of|on|over|than|that|to|under|upon|with|within|without", re.IGNORECASE
)
#: Heads that firms and authorities alike have.
ANYBODYS = re.compile(r"\b(?:boards?|directors?|staff|persons?|chair|members?)$")
ITEM = re.compile(r"^\s*(?:[•▪●◦\uf0b7*-]\s|\(?[a-z0-9]{1,4}[.)-]\s)", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[a-z0-9)\]”’\"][.;:?!])\s+(?=[A-Z“\"‘(•])|\n+")
LEADING = (
    r"(?:(?P<opens>^(?:\(?[a-z0-9]{1,4}[.)-]\s)?|[,;:]\s*)|\band (?:that )?|\bthat )"
    r"(?:(?:then|also|otherwise|however|therefore"
    r"|in addition|or|and|but)\b,?\s*)*"
    r"(?:(?:the|an?|each|every|any|all|no|such|that|this|those|these|its|their|both|either|neither"
    r"|other|relevant|critical|host|home"
    r"|essential|important|insured|lead|foreign|internal|external|senior|supervised|regulated"
    r"|affected|designated|members? of)\s+)*"
)
