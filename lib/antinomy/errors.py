"""The errors that a user can act on."""


class AntinomyError(Exception):
    """Something the user can mend; the message says what, where and what to do.

    The command line prints the message on one line and exits with code 2. Anything else that is
    raised is a defect of ours and keeps its traceback.
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
    """What a stage left in storage is out of the bounds of ``quality`` in the settings."""


class EnvironmentFault(AntinomyError):
    """Something outside Python is missing: Java, a jar, a model, an endpoint."""


class JudgeError(AntinomyError):
    """The judge as a whole cannot work (no endpoint, no model); one bad answer is a row, not this."""
