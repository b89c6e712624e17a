"""Addressee of a provision (whom it binds) and how (a duty, a permission), by patterns, without a model.

``binding`` decides for a whole document, ``demands`` reads sentences, ``subjects`` knows the names of parties
(``words.yaml``), ``style`` tells how a document states its duties, ``authorities`` finds what it calls its authority.
"""

from antinomy.embed.addressee.binding import NOBODY, Addressee, find_addressee, find_addressees
from antinomy.embed.addressee.style import states_duties_in_present

__all__ = ["NOBODY", "Addressee", "find_addressee", "find_addressees", "states_duties_in_present"]
