"""What can come of a command, as exceptions that tell Airflow what to do next."""

from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException


class TrawlUsageError(AirflowFailException):
    """Exit 2, or a program that cannot be started: to do it again would not help, so Airflow does not retry."""


class TrawlFailed(AirflowException):
    """Exit 3, or an end that Trawl does not know, such as a signal. A retry goes on where the command was."""


class TrawlNothingFetched(AirflowFailException):
    """The round is over and recorded, and no page came of what it asked for. A retry would only hear it again."""


class TrawlOvertaken(AirflowException):
    """Exit 4: another command was faster. A retry finds what that one has left."""


class TrawlStopped(AirflowException):
    """Exit 75: the command was stopped, or its task is. A retry goes on where it was."""
