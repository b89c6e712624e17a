"""Tables and where they are stored."""
