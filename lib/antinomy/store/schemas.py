"""The columns of every table, in one place; every stage checks its input against these before it starts."""

from __future__ import annotations

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)  # fmt: skip

#: A text's vector of ``dim`` numbers, and the vectors of its clauses, one after the other; all of unit length.
_EMBEDDINGS = """
    text_sha256 string, model string, revision string, dim int, vector array<float>, clause_vectors array<float>
"""
_DDL: dict[str, str] = {
    # One row per source file, read or not.
    "documents": """
        doc_id string, regime string, title string, source_uri string, sha256 string, media_type string,
        status string, error string, in_force_from string, in_force_to string, pages int, n_sections int,
        body_words long, tree_words long, coverage double, warnings array<string>, breaks array<string>,
        structure double, faults array<string>, grammar string, chosen_because string,
        seconds double
    """,
    # One row per node of a document's tree.
    "sections": """
        section_id string, doc_id string, eid string, type string, number string, heading string, label string,
        text string, depth int, position int, parent_id string, page_start int, page_end int, term string,
        text_sha256 string
    """,
    # An edge CITES; start and end are offsets into the source section's text.
    "citations": """
        citation_id string, src_section_id string, start int, end int, raw_text string, kind string,
        doc_ref string, target_eid string, target_section_id string, resolution string, confidence double,
        group_id string, rule string, reason string
    """,
    # What gets compared: a provision with its list items, or a piece of a long one.
    "units": """
        unit_id string, section_id string, doc_id string, regime string, label string, heading_path string,
        unit_text string, context string, piece int, unit_sha256 string, text_sha256 string,
        context_sha256 string, type string, binds string, demands string
    """,
    "embeddings": _EMBEDDINGS,
    # By the model of the channel ``mpnet``, without clauses.
    "mpnet_embeddings": _EMBEDDINGS,
    # An edge SIMILAR_TO between two sections, with the nearest pair of their units, and what each channel says of it:
    # its score, and the rank among the candidates of the side that asked (the better one if both did).
    "similar": """
        left_id string, right_id string, left_unit_id string, right_unit_id string, score double,
        rank_left int, rank_right int, channels array<string>, own double, clauses double, context double,
        lexical double, mpnet double, own_rank int, clauses_rank int, context_rank int, lexical_rank int, mpnet_rank int
    """,
    # One row per candidate pair: a verdict or an error with its reason.
    "verdicts": """
        pair_key string, left_id string, right_id string, left_unit_id string, right_unit_id string,
        left_sha256 string, right_sha256 string, judge string, model string, prompt_sha256 string,
        status string, relation string, kind string, governs string, p_conflict double, p_related double,
        p_relation double, evidence_left string, evidence_right string, evidence_verified boolean,
        order_consistent boolean, label_mass double,
        rationale string, input_tokens long, cached_tokens long, output_tokens long, calls int, explain_calls int,
        explain_tokens long, latency_ms double,
        error string, judged_at string, reused boolean
    """,
    # What an analyst reads: conflicts first, the rest by score. p_judge is what the judge said, p_conflict what
    # a calibration makes of it; equal without one.
    "findings": """
        finding_id string, pair_key string, rank int, state string, changed string, relation string, kind string,
        governs string, p_conflict double, p_related double, p_relation double, p_judge double, weight double,
        score double, status string,
        rationale string, left_id string, right_id string, left_doc string, right_doc string, left_label string,
        right_label string, left_chapter string, right_chapter string, left_path string, right_path string,
        left_text string, right_text string, left_context string, right_context string, left_page int, right_page int,
        left_sha256 string, right_sha256 string,
        evidence_left string, evidence_right string, evidence_verified boolean, order_consistent boolean,
        cosine double, judge string, model string, prompt_sha256 string, cluster_id string, topic string,
        decision string, decided_by string, decided_at string, decided_note string
    """,
    # One row per provision and other side that it may meet: what the other side has on the same duty. For two sides
    # there is one other side. See ``coverage.states`` for the states.
    "coverage": """
        coverage_id string, section_id string, doc_id string, side string, other string, label string, chapter string,
        path string, text string, text_sha256 string, page int, binds string, demands string,
        state string, reason string, p_state double, p_covered double, counterparts int,
        decision string, decided_by string, decided_at string, decided_note string
    """,
    # Up to five counterparts of each such row, what its state rests on first, then the best; a pair occurs twice, once
    # from each of its sides. For a row without counterpart, its nearest misses.
    "counterparts": """
        section_id string, other string, place int, counterpart_id string, counterpart_doc string,
        counterpart_label string, counterpart_text string, counterpart_text_sha256 string, counterpart_page int,
        relation string, relationship string, governs string, kind string,
        p_related double, p_relation double, p_conflict double, score double,
        evidence string, counterpart_evidence string, value string, counterpart_value string,
        pair_key string, rationale string
    """,
    # A reviewer's decision; append only and kept across runs. decision_id is the hash of the other columns; p_conflict
    # is what the judge said.
    "decisions": """
        decision_id string, finding_id string, pair_key string, decision string, reviewer string, note string,
        decided_at string, run_id string, left_id string, right_id string, left_sha256 string,
        right_sha256 string, judge string, model string, prompt_sha256 string, relation string, p_conflict double
    """,
    # A fact with the words that state it: start and end are offsets into the unit's text. origin is ``norms`` (by
    # grammar) or ``served`` (by a model).
    "facts": """
        fact_id string, section_id string, unit_id string, doc_id string, regime string, subject string,
        subject_type string, predicate string, object string, object_type string, condition string, start int, end int,
        quote string, confidence double, origin string, modality string, role string, bound string, dimension string,
        low double, high double, model string, prompt_sha256 string
    """,
    # One row per question of a file; query, value, quotes and rows are JSON.
    "answers": """
        question_id string, question string, route string, status string, kind string, query string, answer string,
        value string, sections array<string>, quotes string, rows string, tokens long, input_tokens long,
        output_tokens long, unverified int, error string
    """,
    # One manifest per run.
    "runs": """
        run_id string, started_at string, finished_at string, code_version string, settings string, stages string,
        documents int, quarantined int, sections long, citations long, units long, pairs long,
        pairs_judged long, judge_calls long,
        calls_saved_by_cache long, full_comparison_calls long, findings long, conflicts long, input_tokens long,
        cached_tokens long, output_tokens long, errors long, seconds double
    """,
}


#: Columns that a verdict has in a run alone: in the cache it is about texts, not places.
OF_A_RUN = ("left_id", "right_id", "left_unit_id", "right_unit_id", "left_sha256", "right_sha256", "reused")


def _fields(ddl: str) -> list[tuple[str, str]]:
    pairs = [field.split() for field in ddl.split(",")]
    return [(name, kind) for name, kind in pairs]


#: What a cache holds per row, where that is not the table itself.
_CACHE_DDL: dict[str, str] = {
    "verdicts": ", ".join(
        [
            *(f"{name} {kind}" for name, kind in _fields(_DDL["verdicts"]) if name not in OF_A_RUN),
            "call_id string",
            "logits array<float>",
            "logits_sha256 string",
        ]
    ),
    # What a served model was asked for facts: task is ``extract`` or ``merge``, key the hash of what it was told and
    # shown, answer JSON.
    "facts": """
        key string, task string, model string, answer string, dropped int, calls int, input_tokens long,
        cached_tokens long, output_tokens long, error string, asked_at string, call_id string
    """,
}


#: The types that the tables use. Spark's own DDL parser needs a running session; this needs none.
_TYPES: dict[str, DataType] = {
    "string": StringType(), "int": IntegerType(), "long": LongType(), "double": DoubleType(),
    "boolean": BooleanType(), "array<string>": ArrayType(StringType()), "array<float>": ArrayType(FloatType()),
}  # fmt: skip


def _struct(ddl: str) -> StructType:
    return StructType([StructField(name, _TYPES[kind]) for name, kind in _fields(ddl)])


def schema(table: str) -> StructType:
    """Return the Spark schema of a table."""
    return _struct(_DDL[table])


def cache_schema(table: str) -> StructType:
    """Return the Spark schema of a table's cache."""
    return _struct(_CACHE_DDL.get(table, _DDL[table]))


def columns(table: str) -> list[str]:
    """Return the column names of a table in order."""
    return [name for name, _ in _fields(_DDL[table])]


#: Names of all tables, in the order of the data flow.
TABLES: tuple[str, ...] = tuple(_DDL)
