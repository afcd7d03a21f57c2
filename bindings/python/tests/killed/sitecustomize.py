"""Python begins with this in every process of a recipe: the first part that any of them counts dies in the middle.

That part counts a study that nobody waits for, and the process kills itself when it writes how far it is.
"""

import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

import blockstep

CLAIM, SAID = (Path(os.environ["BLOCKSTEP_KILLED"]) / name for name in ("claim", "said"))
study = blockstep.study


class Dies(io.StringIO):
    def write(self, text: str) -> int:
        if text.strip():
            SAID.write_text(text)
            os.kill(os.getpid(), signal.SIGKILL)
        return len(text)


def dies(*args: Any, **named: Any) -> blockstep.Study:
    try:
        CLAIM.touch(exist_ok=False)
    except FileExistsError:
        return study(*args, **named)
    sys.stderr = Dies()
    return study("lp-3", sets=1_000_000_000, progress=True)


blockstep.study = dies
