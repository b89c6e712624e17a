"""Whose provisions are compared: a firm's duty with firms' duties only, a definition with definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from antinomy import vocabulary

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray
    from pyspark.sql import Column

    from antinomy.settings.link import Party

#: Whom a provision binds that is a duty of firms: steps of an examination check what these have to do.
FIRM_PARTIES = (vocabulary.Party.FIRM, vocabulary.Party.EXAMINER)
#: Party → whom its provisions bind.
_BINDS: dict[Party, tuple[str, ...]] = {
    "firm": FIRM_PARTIES,
    "authority": ("authority", "member_state", "commission"),
}


def party_numbers(frame: pd.DataFrame, parties: tuple[Party, ...]) -> NDArray[np.int64]:
    """Return for each unit the number of its section's party in ``parties``, -1 for another party.

    Args:
        frame: section_id, type, binds; the pieces of a section together.
        parties: that are compared.
    """
    first = frame.groupby("section_id", sort=False)[["type", "binds"]].transform("first")
    found = np.full(len(frame), -1, dtype=np.int64)
    defines = (first["type"] == "definition").to_numpy()
    for number, party in enumerate(parties):
        if party == "definition":
            own = defines
        elif party == "nobody":
            own = (first["binds"] == "nobody").to_numpy() & ~defines
        else:
            own = first["binds"].isin(_BINDS[party]).to_numpy() & ~defines
        found[own] = number
    return found


def are_compared(parties: tuple[Party, ...]) -> Column:
    """Return whether a row of ``units`` is of one of these parties, as ``party_numbers`` has it."""
    from pyspark.sql import functions as F

    defines, binds = F.col("type") == "definition", F.col("binds")
    found = F.lit(False)
    for party in parties:
        found |= defines if party == "definition" else ~defines & binds.isin(*_BINDS.get(party, (party,)))
    return found
