"""The grammar of acts of the EU."""
