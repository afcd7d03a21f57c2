//! The texts of "Application-level schedulers": every word that a reader meets there, but for what `batch` says of schedulers,
//! methods and cases, and `view::batch` of steps. Depends on how units write messages.

// Many are shown on the page alone.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

use crate::units::written::said_of;

// The page, above what is below the tabs.

pub(super) const WHAT: &str = "A real-time program sends two tasks at a time to a GPU that does not know their deadlines. This page \
                               compares six ways to do so and shows the GPU's hardware queues for each.";

pub(super) const TABS: &str = "Views";
pub(super) const TAB_STEP: &str = "Step by step";
pub(super) const TAB_ALL: &str = "Compare all six";
pub(super) const TAB_PAPER: &str = "Compare with the paper";
pub(super) const TAB_WORKLOAD: &str = "Workload";
pub(super) const COPY_LINK: &str = "Copy link";

// What came of opening a file.

pub(super) const NO_FILE: &str = "No file was given.";

pub(super) fn opened(file: &str) -> String {
    format!("Opened {file}.")
}

pub(super) fn not_opened(file: &str, why: &str) -> String {
    format!("{file} was not opened; the workload is unchanged. {why}")
}

// Choices of workload, GPU and scheduler.

pub(super) const WORKLOAD: &str = "Workload";
pub(super) const GPU: &str = "GPU";
pub(super) const SCHEDULER: &str = "Scheduler";
pub(super) const TABLES_CHOICE: &str = "Tables I and II: two tasks with one false dependency";

pub(super) fn own_choice(name: &str) -> String {
    let name = if name.is_empty() { "without a name" } else { name };
    format!("Yours: {name}")
}

// What is wrong with a workload. A message follows the name of its place.

pub(super) const CANNOT_RUN: &str = "This workload cannot run. Your input is kept until you change it.";

pub(super) fn wrong_cell(task: usize, name: &str, column: &str, message: &str) -> String {
    let row = if name.is_empty() { format!("task {task}") } else { format!("task {task} ({name})") };
    said_of(&format!("\"{column}\" of {row}"), message)
}

pub(super) const TASKS: &str = "The tasks";

pub(super) fn wrong(place: &str, message: &str) -> String {
    said_of(place, message)
}

pub(super) fn beyond(value: &str, least: &str, most: &str) -> String {
    format!("is {value}; it must lie between {least} and {most}")
}

pub(super) const NO_COPY: &str = "is 0; give a time, such as 1 ms, or a size, such as 6 MB";

pub(super) fn name_taken(task: usize) -> String {
    format!("is also the name of task {task}")
}

pub(super) fn no_input(until: &str) -> String {
    format!("is {until}, before the first input arrives")
}

pub(super) fn other_interval(name: &str, theirs: &str, own: &str) -> String {
    format!("is \"{name}\", whose inputs arrive every {theirs}; this task's arrive every {own}")
}

pub(super) fn fewer_inputs(name: &str) -> String {
    format!("is \"{name}\", which has fewer inputs than this task")
}

// Why there is no batch.

pub(super) fn refused(scheduler: &str, why: &str) -> String {
    format!("{scheduler} cannot run this: {why}.")
}

pub(super) fn wait_in_circle(heads: &[String]) -> String {
    format!("Commands wait for each other: {}", heads.join(", "))
}

pub(super) const NO_BATCH_RUNS: &str = "no input arrives";

// The switches.

pub(super) const METHODS: &str = "Methods: options that change the issued commands";

pub(super) fn no_effect_under(scheduler: &str) -> String {
    format!("no effect in this batch under {scheduler}")
}

pub(super) const NO_EFFECT: &str = "no effect under any scheduler here";

// Step by step: what it is a batch of.

pub(super) const TABLES: &str = "The paper's example: task t1 copies its input and runs a kernel, with events around both to time \
                                 them; task t2 is independent of t1 and copies too. Stepping shows which queue each \
                                 command lands in.";

/// The scheduler, what it does, and its tasks.
#[cfg(target_arch = "wasm32")]
pub(super) fn batch_of(scheduler: String, says: String, tasks: Vec<String>) -> impl IntoView {
    let task = |(i, task): (usize, String)| {
        let before = if i == 0 { format!("In this batch {} is ", task_no(i)) } else { format!(", {} is ", task_no(i)) };
        view! { {before} <b>{task}</b> }
    };
    view! {
        <b>{scheduler}</b>
        ": "
        {says}
        " "
        {tasks.into_iter().enumerate().map(task).collect_view()}
        "."
    }
}

pub(super) const ON_GPU: &str = "The stream query that lets the host see the scheduler's messages ([MT] section 5.2) is issued once, \
                                 right after the scheduler's kernel is launched and before the first batch. So no batch shows it. \
                                 It could only delay a finish signal, and nothing here waits for one.";

pub(super) const BATCH_OF: &str = "Batch of";

/// Those of the batches that are alike.
pub(super) fn batch_choice(tasks: &[String], times: usize, of: usize, first: &str) -> String {
    format!("{}: {times} of {of}, first at {first}", tasks.join(" and "))
}

/// A task of a batch, by its place.
pub(super) fn task_no(place: usize) -> String {
    format!("t{}", place + 1)
}

// Step by step: where the reader stands.

pub(super) const TO_FIRST: &str = "Go to the first step (Home)";
pub(super) const STEP_BACK: &str = "Step back (←)";
pub(super) const STEP_FORWARD: &str = "Step forward (→)";
pub(super) const TO_LAST: &str = "Go to the last step (End)";
pub(super) const STEP: &str = "Step";

pub(super) fn position(at: usize, of: usize, time: &str) -> String {
    format!("Step {at} of {of} · {time}")
}

/// The same aloud, with what the step did.
pub(super) fn said_step(at: usize, of: usize, sentence: &str) -> String {
    format!("Step {at} of {of}. {sentence}")
}

pub(super) const NOTHING_ISSUED: &str = "Nothing is issued yet.";

/// A rule: what it says, and who says so.
pub(super) fn rule(says: &str, source: &str) -> String {
    format!("{says} ({source})")
}

pub(super) fn host(does: &str) -> String {
    format!("The host {does}.")
}

// Step by step: the commands.

pub(super) const COMMANDS: &str = "Commands";
pub(super) const COMMANDS_IN_ORDER: &str = "Commands in the order they are issued";
pub(super) const NOT_ISSUED: &str = "not issued";
pub(super) const WAITS: &str = "waits";
pub(super) const RUNS: &str = "runs";
pub(super) const ENDED: &str = "ended, no signal yet";
pub(super) const DONE: &str = "done";

/// How far a command is, after its name.
pub(super) fn progress(words: &str) -> String {
    format!(", {words}")
}

pub(super) const NO_QUEUE: &str = "no queue";

/// What a command is, where it lands, and why it waits.
pub(super) fn command(what: &str, queue: &str, wait: Option<&str>) -> String {
    match wait {
        Some(wait) => format!("{what}: {queue}. {wait}"),
        None => format!("{what}: {queue}"),
    }
}

// Step by step: the hardware queues.

pub(super) const QUEUES: &str = "Hardware queues";

/// The heading: what is on top, and what the lines are.
#[cfg(target_arch = "wasm32")]
pub(super) fn queues_heading() -> impl IntoView {
    view! {
        "Hardware queues, heads on top "
        <span class="batch-key">
            <i class="is-true"></i>
            "true dependency "
            <i class="is-false"></i>
            "false dependency"
        </span>
    }
}

pub(super) const QUEUES_LABEL: &str = "Hardware queues at this step; a list below has the same data";

// Step by step: what is held up.

pub(super) const FALSE_DEPENDENCY: &str = "False dependency";
pub(super) const DELAYED_SIGNAL: &str = "Delayed signal";
pub(super) const BLOCKING_QUERY: &str = "Blocking query";

pub(super) fn hold(kind: &str, from: &str, to: &str) -> String {
    format!("{kind}, {from} to {to}")
}

pub(super) fn learns_late(from: &str, to: &str) -> String {
    format!("The host learns of the end too late: {from} to {to}")
}

/// `why` is one of the next two.
pub(super) fn why_late(kernel: &str, task: usize, why: &str) -> String {
    format!("{kernel} has ended, but the host does not know, so it does not issue the output copy of {}. {why}", task_no(task))
}

pub(super) const BY_QUERY: &str = "It uses a stream query, which returns when the longest kernel is done.";
pub(super) const NO_FLUSH: &str =
    "Nothing flushes the memory that holds the counter, so the host sees the counter only when all kernels are done.";

/// A hold: its title, and why it is one.
#[cfg(target_arch = "wasm32")]
pub(super) fn hold_says(title: String, why: String) -> impl IntoView {
    view! { <b>{title}</b> ". " {why} }
}

pub(super) fn remedy(what: &str) -> String {
    format!("Remedy: {what}. ")
}

pub(super) fn counting(longer: &str) -> String {
    format!("Counting its threads makes the kernel {longer} longer. ")
}

pub(super) const NO_REMEDY: &str = "No method removes it from this fixed command sequence. ";

pub(super) fn switch_on(methods: &str) -> String {
    format!("Switch {methods} on")
}

pub(super) fn use_scheduler(name: &str) -> String {
    format!("Use {name}")
}

pub(super) fn use_and_switch_on(name: &str, methods: &str) -> String {
    format!("Use {name} and turn {methods} on")
}

/// `a, b and c`.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [most @ .., one, last] => [most, &[&*format!("{one} and {last}")]].concat().join(", "),
        words => words.concat(),
    }
}

pub(super) const SHOW_HOLD: &str = "Show it";
pub(super) const NO_HOLD: &str = "No command in this batch is held back by a false dependency or a delayed signal.";
pub(super) const WHY_NO_HOLD: &str = " Each event is in the queue of the command that it measures. ";
pub(super) const SWITCH_OFF: &str = "Turn set-event-queue off";

pub(super) const WHY_HEADS_WAIT: &str = "Why queue heads wait";
pub(super) const NO_HEAD_WAITS: &str = "No queue head waits.";

// Step by step: the timeline.

pub(super) const OVER_TIME: &str = "Copies and kernels over time";
pub(super) const OVER_TIME_LABEL: &str = "Copies and kernels over time; a table below has the same data";
/// Lanes of a GPU with one copy engine.
pub(super) const LANES_OF_ONE: &[&str] = &["Copies", "Kernels"];
/// Lanes of a GPU with two.
pub(super) const LANES_OF_TWO: &[&str] = &["Copy in", "Copy out", "Kernels"];
pub(super) const IN: &str = "in";
pub(super) const OUT: &str = "out";

pub(super) const HELD_UP: &str = "held up";

pub(super) fn bar_held_up(task: &str, operation: &str) -> String {
    format!("{task} {operation} {HELD_UP}")
}

pub(super) fn bar_not_issued(task: &str, operation: &str) -> String {
    format!("{task} {operation} {NOT_ISSUED}")
}

// Step by step: the pictures as tables.

pub(super) const AS_TABLES: &str = "Queues and times as tables";
pub(super) const TIMES: &str = "Times";
pub(super) const TIMES_CAPTION: &str = "Copies, kernels and the times that their events report";
pub(super) const COMMAND: &str = "Command";
pub(super) const FROM: &str = "From";
pub(super) const TO: &str = "To";
pub(super) const EVENTS_REPORT: &str = "Events report";
pub(super) const QUEUES_CAPTION: &str = "Queues at this step, heads first";
pub(super) const QUEUE: &str = "Queue";
pub(super) const EMPTY: &str = "empty";

pub(super) fn reported(from: &str, to: &str) -> String {
    format!("{from} to {to}")
}

// Compare all six: the verdict.

pub(super) const NO_SCHEDULER: &str = "Tables I and II are one sequence of commands, with no scheduler to compare. ";
pub(super) const COMPARE_CASE: &str = "Compare on Case-2";

/// `conclusion` is one of the next two.
#[cfg(target_arch = "wasm32")]
pub(super) fn verdict(best: String, are_equal: bool, advised: String, conclusion: String) -> impl IntoView {
    view! {
        "Simulated: " <b>{best}</b> {if are_equal { " are equally good. " } else { " is best. " }}
        "Advice from the paper's results: " <b>{advised}</b> ". "
        {conclusion}
    }
}

pub(super) const AGREE: &str = "They agree.";
pub(super) const DIFFER: &str =
    "They differ. The advice is a rule of thumb from seven cases; the simulation runs this workload under our assumptions.";

// Compare all six: the schedulers.

pub(super) const SPAN: &str = "Timelines show";
pub(super) const SPAN_FIRST: &str = "the first two batches";
pub(super) const SPAN_WHOLE: &str = "the whole run";

pub(super) const PERFORMANCE: &str = "Performance is the slack that CPUTraditional uses up, divided by the slack that the scheduler \
                                      uses up; higher is better. It measures how early the outputs are overall, not how many are late. \
                                      Used slack counts from an input, or a task's turn, to its output. A longer deadline changes \
                                      which outputs are late and which task has priority; only the change of priority affects \
                                      performance.";

pub(super) const BEST: &str = "★ best here";

pub(super) fn outputs(late: u64, of: usize, done: &str) -> String {
    format!("{late} of {of} outputs late, done at {done}")
}

pub(super) const STEP_THROUGH: &str = "Step through";

pub(super) fn not_here(why: &str) -> String {
    format!("Not on this GPU: {why}")
}

pub(super) fn timeline_label(scheduler: &str) -> String {
    format!("Timeline of {scheduler}; the table below has its numbers")
}

// Compare all six: the figures.

pub(super) const FIGURES_OF_TASKS: &str = "Numbers for each task";
pub(super) const FIGURES: &str = "Figures";
pub(super) const TASK: &str = "Task";
pub(super) const OUTPUTS: &str = "Outputs";
pub(super) const LATE: &str = "Late";
pub(super) const LATENESS: &str = "Worst lateness";
pub(super) const LONGEST: &str = "Longest time from input to output";

// Compare all six: the advice.

pub(super) const ADVICE: &str = "Advice from our decision tree";

#[cfg(target_arch = "wasm32")]
pub(super) fn advised(best: impl IntoView, reason: impl IntoView) -> impl IntoView {
    view! { "For this workload: " <b>{best}</b> ". " {reason} }
}

/// What the answers rest on; of `pairs` of tasks, the one of higher priority has the longer kernel in `longer`.
pub(super) fn traits(are_small: bool, copies: &str, kernels: &str, longer: usize, pairs: usize) -> String {
    let size = if are_small { "small" } else { "large" };
    format!(
        "Inputs: {size} kernels. Copies take {copies} in total and kernels {kernels}. \
         In {longer} of {pairs} pairs of tasks, the task of higher priority has the longer kernel."
    )
}

pub(super) const HERE: &str = " (recommended here)";

pub(super) const ORIGIN: &str = "[MT] Fig. 3 also recommends schedulers. Our copy of the paper lacks that figure, so this tree is our \
                                 own, based on Table III, section 7 and the conclusions.";

pub(super) const FAMILY: &str = "The six schedulers as a family tree ([MT] Fig. 1)";

// Compare with the paper: the table.

pub(super) fn headline(same: usize, of: usize) -> String {
    format!("In {same} of {of} cases no pair of schedulers is reversed compared with the paper.")
}

pub(super) const HOW_TO_READ: &str =
    " Performance relative to CPUTraditional: our results above, the paper's below. Higher is better; the best is bold.";

pub(super) const RESULTS: &str = "Our results and the paper's";
pub(super) const RESULTS_CAPTION: &str = "Performance of each scheduler by case, our results and the paper's";
pub(super) const CASE: &str = "Case";
pub(super) const SOURCE: &str = "Source";
pub(super) const ORDER: &str = "Order";

pub(super) const OPEN_CASE: &str = "Open";
pub(super) const OURS: &str = "ours";
pub(super) const THEIRS: &str = "paper";
pub(super) const SAME_ORDER: &str = "✓ no pair reversed";

pub(super) fn equal_here(one: &str, other: &str) -> String {
    format!("{one} and {other} are equal here")
}

pub(super) fn reversed(better: &str, worse: &str) -> String {
    format!("{better} before {worse} in the paper, after it here")
}

pub(super) fn advice_is(best: &str) -> String {
    format!("the advice is {best}")
}

// Compare with the paper: where sizes differ.

pub(super) const WHY_SIZES: &str = "Differences in size and their causes";

/// Where sizes differ, and why: which, reason.
pub const WHY: [(&str, &str); 5] = [
    (
        "All ratios above 1",
        "Ratios grow with the number of inputs, because CPUTraditional falls further behind with each input. The paper does not give that number. In Case-2, CPUConcurrent has 1.96 with 5 inputs. It has 3.89 with the 15 inputs here, and 12.54 with 60. So the sizes are not evidence, but the order is: it is the same with 5, 15 and 60 inputs.",
    ),
    (
        "Case-1, Case-4 and TX1",
        "The paper's values are in brackets. With 10 inputs, Case-1 has 3.62 for CPUConcurrent (3.55). With 5 inputs, Case-4 has 1.65 for both CPUInterleave and CPUConcurrent (1.75 and 1.78). With 5 inputs, TX1 has 1.65 for CPUInterleave (1.66) and 1.96 for CPUConcurrent (2.22).",
    ),
    (
        "Case-2 and Case-3, CPUInterleave",
        "Compared with the other schedulers, our ratios are smaller than the paper's. Here kernels and copies take the same time on all GPUs, so the load is the same. In the paper, the load on Fermi differed from the load on Kepler.",
    ),
    (
        "Case-6, CPUOrder",
        "On Fermi, counting the threads of a large kernel takes many times the interval of inputs. So CPUOrder falls behind more and more here, while CPUTraditional keeps up. In the paper CPUTraditional was late too, so its inputs arrived relatively faster or its kernels were longer.",
    ),
    (
        "Case-1, GPUAtomics",
        "Messages and decisions of 20 µs cost little compared with kernels of milliseconds. The paper gives no numbers for them.",
    ),
];

// Compare with the paper: what is assumed.

pub(super) const ASSUMED: &str = "Assumptions: one set of numbers for all cases";
pub(super) const ASSUMED_WHY: &str =
    "The paper describes each case in one line without numbers. These numbers are ours, and every case uses them:";
pub(super) const DEFINITIONS: &str = "The task whose output is due soonest has priority. Used slack counts from an input, or a task's \
                                      turn, to its output. The paper refers to another paper for both, so both definitions are ours too.";
pub(super) const PARAMETER: &str = "Parameter";
pub(super) const VALUE: &str = "Value";

// Workload.

pub(super) const BEGIN_FROM_CASE: &str =
    "Tables I and II are a fixed sequence of commands, not a workload. Start from Case-2 below and edit it.";
pub(super) const NAME_OF_WORKLOAD: &str = "Name of the workload";
pub(super) const UNTIL: &str = "Inputs until";

/// The name of a workload that was edited, after the one that it was.
pub(super) fn after_edit(of: &str) -> String {
    format!("After {of}")
}

pub(super) const ADD_TASK: &str = "Add task";
pub(super) const UNDO: &str = "Undo";
pub(super) const UNDO_LAST: &str = "Undo the last change";
pub(super) const UNDONE: &str = "The last change of the workload was undone.";
pub(super) const NOTHING_TO_UNDO: &str = "There is nothing to undo.";
pub(super) const LAST_TASK: &str = "A workload has at least one task.";

pub(super) fn most_tasks(most: usize) -> String {
    format!("A workload has at most {most} tasks.")
}

/// What cells of a spreadsheet add, in the dialog that asks before they are taken.
pub(super) const NEW_TASK: &str = "task";

pub(super) fn pasted(told: &str) -> String {
    format!("Pasted {told}")
}

pub(super) fn left_out(lines: usize, most: usize) -> String {
    format!("{lines} of the pasted lines are left out: the maximum is {most} tasks.")
}

pub(super) const HOW_TO_OPEN: &str = "To open a saved workload, drop its file here, or close this page with × and choose Open…. Times \
                                      without a unit are in seconds. The inputs of a task arrive at its interval, starting with the \
                                      first input. The blocks and threads of a kernel decide whether it is small or large on the \
                                      chosen GPU.";

// Workload: the columns of its table, each with its help.

pub(super) const NAME: (&str, &str) = ("Name", "a unique name");
pub(super) const KIND: (&str, &str) = ("Kind", "latency: each output soon after its input; throughput: outputs at a steady pace");
pub(super) const COPY_IN: (&str, &str) = ("Input copy", "a time, such as 1 ms, or a size, such as 6 MB");
pub(super) const KERNEL: (&str, &str) = ("Kernel time", "alone on the GPU");
pub(super) const BLOCKS: (&str, &str) = ("Blocks", "of the kernel");
pub(super) const THREADS: (&str, &str) = ("Threads", "of each block");
pub(super) const COPY_OUT: (&str, &str) = ("Output copy", "a time or a size");
pub(super) const FIRST: (&str, &str) = ("First input", "when it arrives");
pub(super) const INTERVAL: (&str, &str) = ("Interval", "from one input to the next");
pub(super) const WITHIN: (&str, &str) = ("Deadline / separation", "latency: the deadline; throughput: from one output to the next");
pub(super) const AFTER: (&str, &str) = ("After", "tasks whose job of the same number must complete first, separated by ;");
pub(super) const AFTER_NONE: &str = "none";

pub(super) fn cell(column: &str, task: usize) -> String {
    format!("{column}, task {task}")
}

/// The name of a task that was added.
pub(super) fn new_task(number: usize) -> String {
    format!("task {number}")
}

// Workload: the costs.

pub(super) const COSTS_TITLE: &str = "Costs of the host and of schedulers on the GPU";

/// Titles of costs, in the order of [`crate::batch::arch::Costs::FIELDS`].
pub const COSTS: [&str; 6] = [
    "Issuing a command (ns)",
    "Seeing a counter (ns)",
    "A message (ns)",
    "A decision on the GPU (ns)",
    "A launch on the GPU (ns)",
    "Threads of a scheduler on the GPU",
];

pub(super) const COSTS_WHENCE: &str = "The paper names these costs without numbers; the defaults are ours.";

// What is saved.

pub(super) const SAVE_TIMELINE: [&str; 2] = ["Save timeline (SVG)", "Save timeline (PNG)"];
pub(super) const SAVE_QUEUES: [&str; 2] = ["Save queues (SVG)", "Save queues (PNG)"];
pub(super) const SAVE_TIMES: &str = "Save times (CSV)";
pub(super) const SAVE_STEPS: &str = "Save steps (text)";
pub(super) const SAVE_WORKLOAD: &str = "Save workload (JSON)";
pub(super) const SAVE_TIMELINES: [&str; 2] = ["Save timelines (SVG)", "Save timelines (PNG)"];
pub(super) const SAVE_COMPARISON: &str = "Save comparison (CSV)";
pub(super) const SAVE_ADVICE: [&str; 2] = ["Save this tree (SVG)", "Save this tree (PNG)"];
pub(super) const SAVE_FAMILY: [&str; 2] = ["Save the family tree (SVG)", "Save the family tree (PNG)"];
pub(super) const SAVE_CASES: &str = "Save this table (CSV)";
pub(super) const CORRECT_FIRST: &str = "Correct the workload first.";
pub(super) const NO_BATCH: &str = "There is no batch to save.";

pub(super) const TIMES_FILE: &str = "batch-times.csv";
pub(super) const STEPS_FILE: &str = "batch-steps.txt";
pub(super) const COMPARISON_FILE: &str = "batch-schedulers.csv";
pub(super) const CASES_FILE: &str = "batch-cases.csv";
pub(super) const WORKLOAD_FILE: &str = "batch-workload.json";

pub(super) fn picture_file(sheet: &str, extension: &str) -> String {
    format!("batch-{sheet}.{extension}")
}

// In the pictures that are saved.

pub(super) const TITLE_OF_TABLES: &str = "Tables I and II";

/// Of what, on which GPU, and where the reader stands.
pub(super) fn title_at(of: &str, gpu: &str, at: usize, last: usize, time: &str) -> String {
    format!("{of} · {gpu}: step {at} of {last}, {time}")
}

pub(super) const QUEUES_NOTE: &str = "Hardware queues, heads on top. Thin lines: true dependencies. Bold: false dependencies.";

pub(super) fn title_not_here(scheduler: &str, why: &str) -> String {
    format!("{scheduler}: not on this GPU: {why}")
}

pub(super) fn title_of_advice(workload: &str) -> String {
    format!("Which scheduler for \"{workload}\"")
}

pub(super) const ADVICE_NOTE: &str = "Drawn from [MT] Table III, section 7 and the conclusions; the path of this workload is bold.";
pub(super) const TITLE_OF_FAMILY: &str = "The six schedulers, after [MT] Fig. 1";
