"""A widget that steps through a run in a notebook: `run.widget()`. It needs anywidget: `pip install "blockstep[widget]"`."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from uuid import uuid4

try:
    import anywidget
    import traitlets
except ImportError as _why:
    raise ImportError('a widget needs anywidget: pip install "blockstep[widget]"', name=_why.name) from _why

if TYPE_CHECKING:
    from . import Run, _At

__all__ = ["RunWidget"]


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


# Its metaclass is named for mypy, as ipywidgets has no types.
class RunWidget(anywidget.AnyWidget, metaclass=traitlets.MetaHasTraits):
    """Shows a run at a step: its timeline with a line, the step's sentence, and the queues. Whoever steps asks nothing of Python.

    `at` is where it begins, as `run.state(at)` takes it. Its steps are the first `max_steps` of the run, 1 to 100,000,000, as all of them are sent
    at once. Raises `Error` of what is wrong with these; `step` raises `traitlets.TraitError` of what is none of its steps.
    """

    _esm = _text("widget.js")
    _css = _text("widget.css")
    # What is shown of every step, made by the run and never changed.
    _stepper = traitlets.Dict().tag(sync=True)
    # The class of the picture that stands where there is no widget.
    _still = traitlets.Unicode().tag(sync=True)

    #: Steps applied: of the run's, those that were sent. It follows the reader, and the reader follows it.
    step = traitlets.Int(0).tag(sync=True)

    def __init__(self, run: Run, *, at: _At = 0, max_steps: int = 2_000) -> None:
        self.run = run
        step, stepper = run._stepper(at, max_steps)
        super().__init__(_stepper=json.loads(stepper), step=step, _still=f"blockstep-still-{uuid4().hex}")

    @traitlets.validate("step")
    def _within(self, proposal: dict[str, Any]) -> int:
        step: int = proposal["value"]
        last = len(self._stepper["said"]) - 1
        if 0 <= step <= last:
            return step
        more = f" of the run's {len(self.run):,}; max_steps sends more" if last < len(self.run) else ""
        raise traitlets.TraitError(f"step is {step}; the widget has steps 0 to {last:,}{more}")

    def __repr__(self) -> str:
        return f"<blockstep.widget.RunWidget: step {self.step} of {self.run!r}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """With the run's picture, for those who ask for its forms and do not display it."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({"text/plain": repr(self)}, {})
        return {**data, "text/html": self.run._repr_html_()}, metadata

    def _ipython_display_(self) -> None:
        """Shows the picture as an output of its own, which the widget hides when it is there.

        A page that nbconvert makes of a notebook has the widget's state and never asks for another form, but without a network no widget.
        """
        from IPython.display import display

        data, metadata = self._repr_mimebundle_()
        display({"text/html": f'<div class="{self._still}">{data["text/html"]}</div>', "text/plain": repr(self.run)}, raw=True)
        display({**data, "text/html": ""}, metadata=metadata, raw=True)
