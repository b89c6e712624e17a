"""Characters, marks and numbers of print, each in one place."""
