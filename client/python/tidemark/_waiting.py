"""Waits for jobs and segments by asking for them again and again."""

from __future__ import annotations

import time
from typing import Callable, Optional, TypeVar

from . import models
from ._errors import TidemarkConnectionError, TidemarkProblem
from ._transport import is_outage

Job = TypeVar("Job")

#: Questions in a row without an answer: each has attempts of its own, so together they
#: last for about a minute.
FAILED_QUESTIONS = 10

#: Pauses between two questions, in seconds. A small export is done in a quarter of one.
LEAST_PAUSE, MOST_PAUSE = 0.1, 2.0


def ended(
    ask: Callable[[], Job],
    share_of: Callable[[Job], Optional[float]],
    timeout: Optional[float],
    on_progress: Optional[Callable[[Job], object]],
) -> Job:
    """Asks until `share_of` returns no share any more.

    A short outage, such as that of a laptop that wakes up, does not end the wait.
    """
    started = time.monotonic()
    failed = 0
    while True:
        pause = MOST_PAUSE
        try:
            job = ask()
        except (TidemarkProblem, TidemarkConnectionError) as error:
            failed += 1
            if not is_outage(error) or failed == FAILED_QUESTIONS:
                raise
        else:
            failed = 0
            if on_progress:
                on_progress(job)
            share = share_of(job)
            if share is None:
                return job
            pause = _pause_after(share, time.monotonic() - started)
        if timeout is not None:
            left = started + timeout - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"The work had not ended after {timeout} seconds.")
            pause = min(pause, left)
        time.sleep(pause)


def share_of_import(job: models.ImportJobDetail) -> Optional[float]:
    """The share of an import that is done, as far as its counts show it."""
    if job["finished"] is not None:
        return None
    counts = job["counts"]
    if counts["ingested"] == 0:
        return 0
    return 1 - counts["processing"] / counts["ingested"]


def share_of_export(job: models.ExportJob) -> Optional[float]:
    """The share of an export that is done."""
    return None if job["finished"] is not None else job["progress"]


def share_of_segment(segment: models.Segment) -> Optional[float]:
    """The share of a segment by condition that is prepared."""
    return segment.get("progress", 0) if segment.get("ready") is False else None


def _pause_after(share: float, elapsed: float) -> float:
    """A third of the estimated remaining time, within bounds."""
    pause = elapsed / 10 if share <= 0 else elapsed * (1 - share) / share / 3
    return min(MOST_PAUSE, max(LEAST_PAUSE, pause))
