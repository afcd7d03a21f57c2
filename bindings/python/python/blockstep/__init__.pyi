from collections.abc import Sequence
from os import PathLike
from typing import Any, Final, Literal, Protocol, TypeAlias, TypedDict, final

from .widget import RunWidget

__all__ = [
    "Analysis",
    "Error",
    "Policy",
    "PolicyReport",
    "Run",
    "State",
    "Study",
    "Sweep",
    "Table",
    "Trace",
    "Why",
    "__version__",
    "analyse",
    "edf_schedulable",
    "example",
    "examples",
    "merge",
    "policies",
    "policy",
    "simulate",
    "studies",
    "study",
    "sweep",
    "trace",
]

__version__: Final[str]

_Source: TypeAlias = str | PathLike[str] | dict[str, Any]

class _Index(Protocol):
    def __index__(self, /) -> int: ...

class _Buffer(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tobytes(self) -> bytes: ...

# Steps, or a time such as "1.2s", or a step as "#12".
_At: TypeAlias = _Index | str
# Whole nanoseconds, or a text such as "10ms".
_Time: TypeAlias = int | str
_Numbers: TypeAlias = _Buffer | memoryview | Sequence[int] | Sequence[Sequence[int]]
_Policy: TypeAlias = Literal["fifo", "priority", "runlist", "edf", "own"] | str
_Figure: TypeAlias = Literal["timeline", "queues"]
_Palette: TypeAlias = Literal["light", "dark", "print"]
_Form: TypeAlias = Literal["trace", "steps", "csv", "kernels", "jobs", "waits", "results", "chrome", "scenario"]

class _Problem(TypedDict):
    field: str | None
    value: Any
    limit: int | None
    line: int | None
    message: str

class Error(ValueError):
    """A scenario, argument or file that Blockstep does not take, and why."""

    field: str | None
    value: Any
    limit: int | None
    line: int | None
    message: str | None
    problems: list[_Problem]

@final
class Table:
    """A table of a run: columns of numbers, truths and words."""

    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> list[Any]: ...
    def to_dict(self) -> dict[str, list[Any]]: ...
    def to_list(self) -> list[dict[str, Any]]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Why:
    """What an operation does at an instant, and why."""

    @property
    def op(self) -> str: ...
    @property
    def doing(self) -> Literal["waits", "executes", "complete", "not issued"]: ...
    @property
    def text(self) -> str: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def blockers(self) -> list[str]: ...
    @property
    def until_step(self) -> int | None: ...
    @property
    def until_ns(self) -> int | None: ...

@final
class State:
    """Queues, SMs and waits at an instant."""

    @property
    def step(self) -> int: ...
    @property
    def at_ns(self) -> int: ...
    @property
    def queues(self) -> Table: ...
    @property
    def sms(self) -> Table: ...
    @property
    def blocks(self) -> Table: ...
    @property
    def waiting(self) -> Table: ...
    def svg(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Run:
    """A finished run."""

    @property
    def name(self) -> str: ...
    @property
    def policy(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def end_ns(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def blocks(self) -> Table: ...
    @property
    def copies(self) -> Table: ...
    @property
    def kernels(self) -> Table: ...
    @property
    def jobs(self) -> Table: ...
    @property
    def waits(self) -> Table: ...
    @property
    def results(self) -> Table: ...
    @property
    def steps(self) -> Table: ...
    def __len__(self) -> int: ...
    def state(self, at: _At) -> State: ...
    def why(self, operation: str, at: _At) -> Why: ...
    def svg(
        self,
        *,
        figure: _Figure = "timeline",
        at: _At | None = None,
        start: _Time | None = None,
        end: _Time | None = None,
        width: int = 1200,
        palette: _Palette = "light",
        title: bool = True,
    ) -> str: ...
    def _repr_html_(self) -> str: ...
    def text(self, form: _Form) -> str: ...
    def link(self, *, page: str = "", at: _At | None = None) -> str: ...
    def widget(self, *, at: _At | None = None, max_steps: int | None = None) -> RunWidget: ...
    def _stepper(self, max_steps: int) -> str: ...

@final
class Analysis:
    """What the schedulability tests say of a scenario."""

    @property
    def verdict(self) -> Literal["schedulable", "not guaranteed", "no verdict", "nothing due"]: ...
    @property
    def sentence(self) -> str: ...
    @property
    def missed(self) -> int: ...
    @property
    def judged(self) -> int: ...
    @property
    def utilization(self) -> float: ...
    @property
    def not_covered(self) -> list[str]: ...
    @property
    def tasks(self) -> Table: ...
    @property
    def edf(self) -> Table: ...
    @property
    def bounds(self) -> Table: ...

@final
class Policy:
    """A scheduling policy that was read."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    def check(self, *, tasks: int = 4, properties: Sequence[str] | None = None) -> PolicyReport: ...

@final
class PolicyReport:
    """What a search of a policy found."""

    @property
    def has_fault(self) -> bool: ...
    @property
    def is_closed(self) -> bool: ...
    @property
    def stopped(self) -> str | None: ...
    @property
    def states(self) -> int: ...
    @property
    def properties(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Study:
    """What was counted of a study."""

    @property
    def name(self) -> str: ...
    @property
    def points(self) -> Table: ...
    @property
    def curves(self) -> Table: ...
    def csv(self) -> str: ...

@final
class Sweep:
    """What was measured of the runs of a sweep."""

    @property
    def rows(self) -> Table: ...
    def scenario(self, run: int) -> str: ...
    def csv(self) -> str: ...
    def svg(self, measure: str = "end") -> str: ...

@final
class Trace:
    """A trace of a profiler, explained."""

    @property
    def answer(self) -> list[str]: ...
    @property
    def path(self) -> Table: ...
    @property
    def causes(self) -> Table: ...
    @property
    def gains(self) -> Table: ...
    def __len__(self) -> int: ...
    def to_dict(self, *, top: int = 10) -> dict[str, Any]: ...

def analyse(
    source: _Source,
    *,
    policy: _Policy | None = None,
    device: str | None = None,
    duration: _Time | None = None,
) -> Analysis:
    """Puts a scenario to the schedulability tests."""

def edf_schedulable(
    costs: _Numbers,
    periods: _Numbers,
    deadlines: _Numbers | None = None,
    *,
    preemptive: bool = True,
    switch: int = 0,
) -> Table:
    """Tests task sets under EDF: a row of each array is a set."""

def example(id: str) -> str:
    """A scenario that is built in, as a text."""

def examples() -> list[str]:
    """The ids of the scenarios that are built in."""

def merge(parts: Sequence[str]) -> str:
    """Joins parts, the texts of csv() or of `blockstep sweep`, in any order, to the text that one process would have given.

    Raises Error, which names them, if sets, runs or parts are missing, and if a part is of another study or sweep or is there twice.
    """

def policies() -> list[str]:
    """The names of the policies that are built in."""

def policy(text: str, *, name: str = "policy") -> Policy:
    """Reads a policy: a text in the language of docs/policy-language.md, or the name of one that is built in."""

def simulate(
    source: _Source,
    *,
    policy: _Policy | None = None,
    device: str | None = None,
    duration: _Time | None = None,
    variants: Sequence[str] = ...,
    max_steps: int | None = None,
) -> Run:
    """Runs a scenario: a path, a text or a dict."""

def studies() -> list[str]:
    """The ids of the studies that are built in."""

def study(
    source: _Source,
    *,
    sets: int | None = None,
    seed: int | None = None,
    part: tuple[int, int] | None = None,
    progress: bool | None = None,
) -> Study:
    """Tests random task sets: a study that is built in, or its parameters as a path, a text or a dict.

    part=(i, n) counts part i of n alone, from 1 to n.
    """

def sweep(
    source: _Source,
    vary: dict[str, Any],
    *,
    measure: Sequence[str] | None = None,
    part: tuple[int, int] | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Runs a scenario with each value of some of its fields, or with each combination of them.

    part=(i, n) makes part i of n alone, from 1 to n.
    """

def trace(path: str | PathLike[str], *, gpu: str | None = None, connections: int | None = None) -> Trace:
    """Reads a trace of the PyTorch profiler or an export of Nsight Systems, and explains it."""
