//! The texts of the verdicts on a task set, in the panel of schedulability. Depends on nothing.

// The scenario on screen.

pub(crate) const THIS_SCENARIO: &str = "This scenario";

// Demand tests.

pub(crate) const EDF_TESTS: &str = "Real-time tasks under EDF: demand tests";
pub(crate) const NO_EDF_TESTS: &str = "There are no real-time tasks with a deadline and a period, so the EDF tests do not apply.";
pub(crate) const EDF_CAPTION: &str = "Verdicts of the EDF tests";
/// A head that begins with `#` is that of numbers.
pub(crate) const EDF_HEADS: [&str; 5] = ["EDF", "#switch cost", "Every deadline met", "First failing instant", "Demand"];
pub(crate) const DRAW: &str = "Draw";
pub(crate) const PARAMETERS: &str = "Task parameters in the tests";
pub(crate) const ASSUMPTIONS: &str = "Assumptions of the tests";

// Theorem 1.

pub(crate) const THEOREM: &str = "Tasks under the runlist: [EDF] Theorem 1";
pub(crate) const THEOREM_CAPTION: &str = "Theorem 1 bounds and deadlines";
pub(crate) const THEOREM_HEADS: [&str; 6] = ["Task", "#free switches", "#one per expiry (eq. 3)", "#every switch", "#deadline", "Verdict"];
pub(crate) const THEOREM_HELP: &str = "The theorem bounds the response time of a task that is alone in a process of the high level \
     with preemption mode thread. Before each of its stays, the task waits for one stay of every other high process and of one \
     lower process. The table of processes sets interleaving, timeslice and preemption.";

// A task set that is typed in.

pub(crate) const TYPED: &str = "Test another task set";
pub(crate) const TYPED_HELP: &str = "One task per line: execution time, period, and the deadline if it differs from the period";
pub(crate) const TYPED_EXAMPLE: &str = "3 ms, 10 ms\n5 ms, 20 ms, 15 ms";
pub(crate) const OPEN_TYPED: &str = "Open in the stepper";
/// What the scenario made of it is called in messages.
pub(crate) const TASK_SET: &str = "task set";
