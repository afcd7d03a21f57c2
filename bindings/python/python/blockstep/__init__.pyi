from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Final, Literal, Protocol, TypeAlias, TypedDict, final

from .widget import RunWidget

__all__ = [
    "Analysis",
    "Error",
    "Policy",
    "PolicyReport",
    "ResidentReport",
    "Run",
    "State",
    "Study",
    "Sweep",
    "Table",
    "Trace",
    "Why",
    "__version__",
    "analyse",
    "check_resident",
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
# A kind, the name of a published policy, or a text.
_Policy: TypeAlias = Literal["fifo", "priority", "runlist", "edf", "own"] | str | Policy
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
    """A scenario, argument or file that Blockstep does not take, and why.

    It has the first problem's `field`, `value`, `limit` (a number in the unit of the field), `line` (from 1) and `message`, and all `problems` as
    dicts with the same names. What does not apply is None.
    """

    field: str | None
    value: Any
    limit: int | None
    line: int | None
    message: str | None
    problems: list[_Problem]

@final
class Table:
    """A table: columns of numbers, truths and words, which pandas, polars and pyarrow read by Arrow's PyCapsule interface.

    Columns of times end with `_ns` and hold whole nanoseconds. A missing value is None. `len` is the number of rows, and iterating gives a dict
    for each of them.
    """

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __getitem__(self, name: str, /) -> list[Any]: ...
    def to_dict(self) -> dict[str, list[Any]]:
        """A list for each column."""
    def to_list(self) -> list[dict[str, Any]]:
        """A dict for each row."""
    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`. No number is rounded.

        Where values may be missing, whole numbers are `Int64` and truths are `boolean`, with `pandas.NA`. Names are categories.

        Raises `ImportError` if pandas is not installed.
        """
    def _repr_html_(self) -> str: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Why:
    """What an operation does at an instant, and why."""

    @property
    def op(self) -> str:
        """The operation: `K5`, or `K5#2` where there are several jobs."""
    @property
    def doing(self) -> Literal["waits", "executes", "complete", "not issued"]:
        """`waits`, `executes`, `complete` or `not issued`."""
    @property
    def text(self) -> str:
        """The same in words, without the operation's name; of one that waits, why."""
    @property
    def reason(self) -> str | None:
        """The reason in a few words."""
    @property
    def rule(self) -> str | None:
        """The rule that makes it wait, if one does."""
    @property
    def blockers(self) -> list[str]:
        """What it waits for, as far as that is known operations."""
    @property
    def until_step(self) -> int | None:
        """The step that assigns it next."""
    @property
    def until_ns(self) -> int | None:
        """When that is, ns."""

@final
class State:
    """Queues, SMs and waits at an instant."""

    @property
    def step(self) -> int:
        """Steps applied."""
    @property
    def at_ns(self) -> int:
        """The instant, ns."""
    @property
    def queues(self) -> Table:
        """What stands in stream queues, EE queues and CE queues, head first."""
    @property
    def sms(self) -> Table:
        """What is free on each SM, as each address space sees it."""
    @property
    def blocks(self) -> Table:
        """The blocks that are on the SMs: each with its end if it executes, or with what is left of it if it is suspended."""
    @property
    def waiting(self) -> Table:
        """What waits and why: in issue order, then the kernels that execute and have blocks that wait."""
    def svg(self) -> str:
        """The queue diagram."""
    def _repr_html_(self) -> str: ...

@final
class ResidentReport:
    """What a search of all orders of arrival found."""

    @property
    def hangs(self) -> bool | None:
        """True if an order hangs, False if none does, and None if the search reached its bound first."""
    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
    @property
    def orders(self) -> int | None:
        """Orders of launches that the table allows, at most; None if they are too many to be counted."""
    @property
    def states(self) -> int:
        """States that were searched."""
    @property
    def residents(self) -> list[dict[str, Any]]:
        """A dict for each kernel: how many of its blocks the device holds, and how many are resident beside each other kernel."""
    @property
    def hang(self) -> dict[str, Any] | None:
        """The hang: what arrives in which order, who waits for whom in the end, and a scenario that hangs when it is run; None without one."""
    @property
    def smallest(self) -> dict[str, Any] | None:
        """The same of the smallest table that hangs, if one is smaller."""
    @property
    def repairs(self) -> list[dict[str, Any]]:
        """A dict for each change with which no order hangs."""
    def to_dict(self) -> dict[str, Any]:
        """All of it, as the command line prints it as JSON."""

@final
class Run:
    """A finished run."""

    @property
    def name(self) -> str:
        """The scenario's name."""
    @property
    def policy(self) -> str:
        """By which policy it was scheduled."""
    @property
    def device(self) -> str:
        """The device's name."""
    @property
    def end_ns(self) -> int:
        """When it ends, ns."""
    @property
    def notes(self) -> list[str]:
        """What was assumed of its file, what is doubtful, and how far the rules are known: a sentence each."""
    @property
    def blocks(self) -> Table:
        """A row for each block that was assigned."""
    @property
    def copies(self) -> Table:
        """A row for each copy that was assigned."""
    @property
    def kernels(self) -> Table:
        """A row for each kernel that was issued."""
    @property
    def jobs(self) -> Table:
        """A row for each job that was released."""
    @property
    def waits(self) -> Table:
        """A row for each wait of an operation, with its reason and rule."""
    @property
    def results(self) -> Table:
        """A row for each task, with what came of its jobs."""
    @property
    def steps(self) -> Table:
        """A row for each step."""
    def __len__(self) -> int: ...
    def state(self, at: _At) -> State:
        """Queues, SMs and waits at an instant.

        `at` is a number of steps, from 0 to `len(run)`, or a text: a time such as `1.2s`, after every step that is not later, or a step such as
        `#20`. Raises `Error` if it is none of these or is after the end.
        """
    def why(self, operation: str, at: _At) -> Why:
        """Why an operation does not execute at an instant, or what it does.

        `operation` is a name such as `K5`, which means the first job that is not complete, or `K5#2`, which means job 2. `at` is that of
        `state`. Raises `Error` if there is no such operation; the message lists all of them.
        """
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
    ) -> str:
        """A picture, as the text of an SVG.

        `figure` is `timeline`, with a line at `at`, or `queues`, at `at` or else at the end. `start` and `end` limit the timeline: whole
        nanoseconds, or texts such as `1s`. `width` is 240 to 4,000 px, `palette` is `light`, `dark` or `print`, and `title` says whether the
        scenario's name stands above the picture. Raises `Error` if any of these is wrong.
        """
    def _repr_html_(self) -> str: ...
    def text(self, form: _Form) -> str:
        """The run as the command line prints it. `form` is `trace`, `steps`, `csv`, `kernels`, `jobs`, `waits`, `results`, `chrome` or `scenario`.

        Raises `Error` if it is none of these.
        """
    def link(self, *, page: str = "", at: _At | None = None) -> str:
        """A link that opens the run in the page at this address: http, https or a relative path. `at` is where, as `state` takes it.

        Raises `Error` if the address is none of these, if the scenario is too long for a link, or if rules were changed, as no link holds that.
        """
    def widget(self, *, at: _At | None = None, max_steps: int | None = None) -> RunWidget:
        """A widget for notebooks that steps through it. It needs anywidget: `pip install "blockstep[widget]"`.

        `at` is where it begins, as `state` takes it. `max_steps` is how many steps it has at most, 1 to 100,000,000; 2,000 without it. Raises
        `ImportError` without anywidget, and `Error` if `at` is none of its steps.
        """
    def _stepper(self, at: _At, max_steps: int) -> tuple[int, str]: ...

@final
class Analysis:
    """What the schedulability tests say of a scenario."""

    @property
    def verdict(self) -> Literal["schedulable", "not guaranteed", "no verdict", "nothing due"]:
        """`schedulable`, `not guaranteed`, `no verdict` or `nothing due`: of the scenario under its own policy."""
    @property
    def sentence(self) -> str:
        """The same as a sentence, with the test or with why there is none."""
    @property
    def missed(self) -> int:
        """Jobs that miss their deadline in the scenario's own run."""
    @property
    def judged(self) -> int:
        """Jobs of that run that have a deadline and are judged."""
    @property
    def utilization(self) -> float:
        """The load of the real-time tasks, each job alone on the device; 1 is all there is. Rounded down to a millionth."""
    @property
    def not_covered(self) -> list[str]:
        """What the EDF tests do not cover, a sentence each."""
    @property
    def tasks(self) -> Table:
        """The real-time tasks as the tests see them."""
    @property
    def edf(self) -> Table:
        """What every EDF test says."""
    @property
    def bounds(self) -> Table:
        """Bounds on response times."""

@final
class Policy:
    """A scheduling policy that was read."""

    @property
    def name(self) -> str:
        """What it is called."""
    @property
    def text(self) -> str:
        """Its text."""
    def check(self, *, tasks: int = 4, properties: str | Sequence[str] | None = None) -> PolicyReport:
        """Searches all orders of requests of up to so many `tasks`, 1 to 8, for one that breaks it; where deadlines are looked for, task sets too.

        `properties` names what to look for, as `--property` of `blockstep policy check` does; without it, the search looks for what the text
        expects. Raises `Error` if there is no such property, or if this policy cannot be searched.
        """

@final
class PolicyReport:
    """What a search of a policy found."""

    @property
    def has_fault(self) -> bool:
        """Whether something of it is broken; a warning is no fault."""
    @property
    def is_closed(self) -> bool:
        """Whether every state was visited, so that what is not broken holds; false if only task sets were run."""
    @property
    def stopped(self) -> str | None:
        """Why the search ended early, if it did."""
    @property
    def states(self) -> int:
        """States that were visited."""
    @property
    def properties(self) -> list[dict[str, Any]]:
        """A dict for each property: its verdict, and of a fault the requests and what happens."""
    def to_dict(self) -> dict[str, Any]:
        """All of it, as the command line prints it as JSON."""

@final
class Study:
    """What was counted of a study."""

    @property
    def name(self) -> str:
        """What it is called."""
    @property
    def points(self) -> Table:
        """A row for each utilization and test: sets that were tested, could not be drawn, and passed."""
    @property
    def curves(self) -> Table:
        """A row for each point of each curve of its figure, with the band at 95 %."""
    def csv(self) -> str:
        """The counts as a table that `merge` and `blockstep sweep-merge` read."""

@final
class Sweep:
    """What was measured of the runs of a sweep."""

    @property
    def rows(self) -> Table:
        """A row a run: its number, the value of each field, and each measure; `problem` says why a run could not be made."""
    def scenario(self, run: int) -> str:
        """The scenario of a run, counted from 0, as a text. Raises `Error` if there is no such run, or if it could not be made."""
    def csv(self) -> str:
        """The rows as a table that `merge` and `blockstep sweep-merge` read."""
    def svg(self, measure: str = "end") -> str:
        """A measure against the fields, as the text of an SVG. Raises `Error` if it was not measured."""

@final
class Trace:
    """A trace of a profiler, explained."""

    @property
    def answer(self) -> list[str]:
        """Where the time went, a sentence for each device."""
    @property
    def path(self) -> Table:
        """What the end of each device's work waited for, a row a piece."""
    @property
    def causes(self) -> Table:
        """Why operations waited, a row for each part of each wait."""
    @property
    def gains(self) -> Table:
        """What changes of the program would gain, a row for each change. Raises `Error`, which says why, if this trace does not show that."""
    def __len__(self) -> int: ...
    def compare(self, after: Trace) -> dict[str, Any]:
        """Compares it with the trace of the program after a change: what the command line prints of the two as JSON. `verdict` says by how much a
        step, or the run, is faster or slower; `changes` has what changed; `promises` what this trace promised, beside what the other leaves of it.
        """
    def to_dict(self, *, top: int = 10) -> dict[str, Any]:
        """What the command line prints of it as JSON, with at most so many rows of each list."""

def analyse(
    source: _Source,
    *,
    policy: _Policy | None = None,
    device: str | None = None,
    duration: _Time | None = None,
) -> Analysis:
    """Puts a scenario to the schedulability tests.

    `source`, `policy`, `device` and `duration` are those of `simulate`. Raises `Error` if any of these is wrong, and `OSError` if the file cannot
    be read.
    """

def check_resident(
    source: _Source, *, policy: _Policy | None = None, device: str | None = None, duration: _Time | None = None
) -> ResidentReport:
    """Searches all orders in which kernels may arrive for one that hangs; for scenarios whose blocks spin (`barrier`, `until_begun`,
    `until_all_begun`, `until_completed`).

    `source`, `policy`, `device` and `duration` are those of `simulate`. Raises `Error` if any of these is wrong, if nothing spins, or if
    processes take turns, and `OSError` if the file cannot be read.
    """

def edf_schedulable(
    costs: _Numbers,
    periods: _Numbers,
    deadlines: _Numbers | None = None,
    *,
    preemptive: bool = True,
    switch: int = 0,
) -> Table:
    """Tests task sets under EDF: a row of each array is a set.

    `costs`, `periods` and `deadlines` have the same shape: (sets, tasks), or (tasks,) for a single set. They are arrays, other buffers or lists
    of whole numbers from 0 in one unit of time; zeros in all of them fill up short sets. Without `deadlines` the periods are taken. `preemptive`
    says whether a job gives way at once or runs to its end. `switch` is what a switch costs, in the same unit: a job pays for two, or for one
    if it is not preempted ([LP] IV-A).

    The table has a row for each set. `schedulable` is True if every deadline is met for certain, however far apart the releases are. It is False
    if the demand by the instant `fails_at` may be more than fits, and None if the search reached its limit.

    Raises `Error` if shapes differ, if a number is negative, not whole or beyond 64 bits, and if a task has no cost or no period.
    """

def example(id: str) -> str:
    """The built-in scenario with this `id`, one of `examples()`, as a text: JSON of docs/file-format.md.

    Raises `Error` if there is no such example; the message lists all of them.
    """

def examples() -> list[str]:
    """The ids of the scenarios that are built in."""

def merge(parts: Sequence[str]) -> str:
    """Joins parts, the texts of `csv()` or of `blockstep sweep`, in any order, to the text that one process would have given.

    Raises `Error`, which names them, if sets, runs or parts are missing, and if a part is of another study or sweep or is there twice.
    """

def policies() -> list[str]:
    """The names of the published policies, which `policy` reads and `policy=` takes."""

def policy(text: str, *, name: str = "policy") -> Policy:
    """Reads a policy.

    `text` is the name of a published policy (`policies()`), or a text in the language of docs/policy-language.md, which reports call by `name`.

    Raises `Error` if there is no policy of that name, and if the text has a mistake: its `line` counts from 1, and its `value` is the word.
    """

def simulate(
    source: _Source,
    *,
    policy: _Policy | None = None,
    device: str | None = None,
    duration: _Time | None = None,
    variants: str | Sequence[str] = ...,
    max_steps: int | None = None,
) -> Run:
    """Runs a scenario.

    `source` is a path, a text or a dict: a scenario (docs/file-format.md), a config of cuda_scheduling_examiner, or a task set of SimSo.

    `policy` replaces the file's: `priority`, `fifo`, `runlist`, `edf` or `own` (the text in the file), the name of a published one
    (`policies()`), a text, or what `policy(…)` gives. `device` is the id of a built-in device and replaces the file's. `duration` is how long a
    block runs where the file does not say: at least 1 ns, as whole nanoseconds or a text such as `10ms`. `variants` are ids of rules to change
    on purpose. `max_steps` limits the run: 1 to 100,000,000, by default 5,000,000.

    Raises `Error` if any of these is wrong or the run is cut, and `OSError` if the file cannot be read.
    """

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
    """Draws random task sets and counts those that pass the tests, on all cores.

    `source` is the id of a built-in study (`studies()`), or parameters as a path, a text or a dict (docs/studies.md). `sets`, the number of sets
    at each utilization, and `seed` replace its own. `part=(i, n)` counts part i of n alone, with i from 1 to n. `progress` says whether a line
    shows how far it is; by default it does in terminals and notebooks.

    Raises `Error` if any of these is wrong or there is no such study, and `OSError` if the file cannot be read.
    """

def sweep(
    source: _Source,
    vary: dict[str, Any],
    *,
    measure: str | Sequence[str] | None = None,
    policy: _Policy | None = None,
    device: str | None = None,
    duration: _Time | None = None,
    part: tuple[int, int] | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Runs a scenario with each value of some of its fields, or with each combination of them, on all cores.

    `source`, `policy`, `device` and `duration` are those of `simulate`. `vary` has the values of each field: a list, or a text as
    `blockstep sweep --vary` takes it; at most 1,000,000 combinations. `measure` is one of these or a list of them: `end`, `steps`,
    `real-time-misses`, `best-effort-late`, `misses`, `utilization`, `first-difference`, `response:NAME` of a task or kernel. Times are in ns, the
    utilization is in percent. `part=(i, n)` makes part i of n alone, with i from 1 to n. `progress` says whether a line shows how far it is; by
    default it does in terminals and notebooks.

    Raises `Error` if any of these is wrong, and `OSError` if the file cannot be read. A run that cannot be made is a row with its `problem`.
    """

def trace(path: str | PathLike[str], *, gpu: str | None = None, connections: int | None = None) -> Trace:
    """Reads a trace of the PyTorch profiler (Kineto) or of JAX, an export of Nsight Systems or the output of rocprofv3, and explains it
    (docs/traces.md).

    `path` is the file. `gpu` is the id of a built-in device, for a trace that does not name one. `connections` is the number of connections
    that the program had to the GPU, 1 to 32 (`CUDA_DEVICE_MAX_CONNECTIONS`), if you know it.

    Raises `Error` if the file is not such a trace, and `OSError` if it cannot be read.
    """
