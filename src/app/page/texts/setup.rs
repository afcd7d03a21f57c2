//! The texts of what is set outside the tables: policy settings, device, placement, horizon. Depends on nothing.

// Policy settings; of a list, each value of the file format with its name.

pub(crate) const POLICY_SETTINGS: &str = "Policy settings";
pub(crate) const SWITCH_COST: &str = "Switch cost";

pub(crate) const MEASURED_COSTS: &str = "Measured costs";
pub(crate) const MEASURED_IN: &str = "[LP] Table II:";

/// Measured costs of a switch, [LP] Table II: what is typed, what the button says, its tooltip.
pub(crate) const COSTS: [(&str, &str, &str); 4] = [
    ("27us", "27 µs", "lpEDF and npEDF, average"),
    ("44us", "44 µs", "lpEDF and npEDF, maximum"),
    ("263us", "263 µs", "EDF with registers and local memory, average"),
    ("434us", "434 µs", "EDF with registers and local memory, maximum"),
];

pub(crate) const PREEMPTION: &str = "Preemption";
pub(crate) const PREEMPTIONS: [(&str, &str); 4] = [
    ("thread", "thread: at once"),
    ("block", "block: when the running blocks end"),
    ("kernel", "kernel: when the started kernels end"),
    ("none", "none"),
];

pub(crate) const BUDGETS: &str = "Budgets (CBS)";
pub(crate) const BUDGETS_ON: [(&str, &str); 2] = [("on", "on"), ("off", "off")];

pub(crate) const CHARGED: &str = "Charged switches";
pub(crate) const CHARGED_HELP: &str = "expiries: only switches from a process whose timeslice has expired, as in [EDF] VI-C";
pub(crate) const CHARGES: [(&str, &str); 2] =
    [("every", "every: all switches to another process"), ("expiries", "expiries: as [EDF] VI-C")];

pub(crate) const PER_PROCESS: &str = "Set interleaving, timeslice and preemption for each process in the table below.";

// Above the table of processes.

pub(crate) const ARRANGE: &str = "Processes of the tasks";
pub(crate) const ONE_PROCESS: &str = "One process";
pub(crate) const ONE_PROCESS_HELP: &str = "Moves all tasks into one process; their streams stay separate";
pub(crate) const PROCESS_EACH: &str = "One process per task";
pub(crate) const PROCESS_EACH_HELP: &str = "Moves each task into its own process, with its streams and their priorities";

// Device, placement, horizon, seed.

pub(crate) const LIMITS: &str = "Device, placement and horizon";
pub(crate) const PLACEMENT: &str = "Block placement";
pub(crate) const MOST_FREE: &str = "Most free SM";
pub(crate) const FIRST_FIT: &str = "First fit";
pub(crate) const ROUND_ROBIN: &str = "Round robin";
pub(crate) const CONNECTIONS: &str = "Hardware connections";
pub(crate) const A_CONNECTION_EACH: &str = "one for each stream";
pub(crate) const HORIZON: &str = "Horizon (end of the run)";
pub(crate) const NO_HORIZON: &str = "when all work is done";
pub(crate) const SEED: &str = "Seed for varying times";
