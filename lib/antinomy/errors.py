"""The errors that a user can act on."""


class AntinomyError(Exception):
    """An error that the user can fix; the message says what is wrong, where, and what to do.

    The command line prints the message on one line and exits with code 2. Any other exception is a bug of Antinomy and
    keeps its traceback.
    """


class SettingsError(AntinomyError):
    """One or more settings are wrong; the message lists every one with its path."""


class DocumentError(AntinomyError):
    """One document cannot be read: it is quarantined with this reason and the others go on."""


class StorageError(AntinomyError):
    """A table or file cannot be read or written where the settings say."""


class LockError(AntinomyError):
    """Another process works on the same run."""


class QualityError(AntinomyError):
    """The tables of a finished stage are outside the bounds of ``quality`` in the settings."""


class EnvironmentFault(AntinomyError):
    """Something outside Python is missing: Java, a jar, a model, an endpoint."""


class JudgeError(AntinomyError):
    """The judge cannot work at all (no endpoint, no model); a single bad answer is a verdict with an error instead."""
