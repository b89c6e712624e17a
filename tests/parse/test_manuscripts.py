"""Rules in the styles of authorities, invented: in six formats, against keys made from their sources."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document
from antinomy.settings.source import Source
from parse.manuscript import FORMATS, NAMES, blocks, entries, key
from parse.scored import missed


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_a_text_as_an_authority_sets_it_gives_its_tree(name: str, form: str) -> None:
    found = entries(name)
    wanted = key(found, tables=form != "txt")
    assert len(wanted) >= 25
    document = parse_document(Source("text", f"text.{form}", "any"), FORMATS[form](blocks(found)))
    lost = missed(document, wanted)
    assert len(lost) <= 0.03 * len(wanted), lost
    assert document.coverage >= 0.995
    assert document.structure >= 0.93
