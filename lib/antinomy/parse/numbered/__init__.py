"""The grammar of any other document whose provisions are numbered."""
