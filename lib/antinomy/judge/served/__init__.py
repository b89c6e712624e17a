"""A judge behind an HTTP API."""
