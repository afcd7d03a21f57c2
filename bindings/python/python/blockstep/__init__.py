"""Shows, step by step, how a GPU schedules kernels, thread blocks and copies.

>>> import blockstep as bs
>>> run = bs.simulate(bs.example("tx2-table-1"))
>>> run.kernels["kernel"]
['K1', 'K2', 'K3', 'K4', 'K5', 'K6']
"""

from ._blockstep import (
    Analysis,
    Error,
    Policy,
    PolicyReport,
    ResidentReport,
    Run,
    State,
    Study,
    Sweep,
    Table,
    Trace,
    Why,
    __version__,
    analyse,
    check_resident,
    edf_schedulable,
    example,
    examples,
    merge,
    policies,
    policy,
    simulate,
    studies,
    study,
    sweep,
    trace,
)

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
