//! Application-level schedulers: a page of its own for the fourth paper's system.
//!
//! Invariants: what is shown follows from what the tool remembers alone, so a link carries it whole; what was typed stays as it was
//! typed, also if it is refused. Source: [MT], Muyan-Özçelik and Owens 2016.

mod cells;
mod change;
mod choices;
mod compare;
mod draft;
mod files;
mod holds;
mod memory;
mod msg;
mod paper;
mod pictures;
mod problem;
mod scene;
mod state;
mod step;
mod table;
mod view;
mod workload;

pub use choices::{Choices, MethodView, MethodsView, Problems};
pub use compare::{AdviceView, CompareView, ComparisonView, Figures, SchedulerView, Score, ShownComparison, Verdict};
pub use files::Saved;
pub use holds::{Help, HoldView};
pub use msg::{Msg, WorkloadChange};
pub use paper::{CaseView, PaperView};
pub use pictures::{BatchPicture, Drawing};
pub use state::{Section, Setup, Source, State, Tab, Work};
pub use step::{BatchView, CommandView, Progress, SceneView, StepAbout, StepPlace, StepRule, StepView, Tables};
pub use table::{COLUMNS, LATENCY, THROUGHPUT, TaskColumn, TypedRow};
pub use view::{Body, View};
pub use workload::{TypedCell, WorkloadView};

use crate::tool::{Context, Effects, Event, Pair, Tool, ToolError, link};
use blockstep_batch::task::MAX_TASKS;
use blockstep_protocol::Effect;
use blockstep_view::history::History;
use scene::Scene;

pub const SAVE_WORKLOAD: &str = "Save workload (JSON)";

/// Titles of costs, in the order of [`blockstep_batch::arch::Costs::FIELDS`].
pub const COSTS: [&str; 6] = [
    "Issuing a command (ns)",
    "Seeing a counter (ns)",
    "A message (ns)",
    "A decision on the GPU (ns)",
    "A launch on the GPU (ns)",
    "Threads of a scheduler on the GPU",
];

pub const NAME_OF_WORKLOAD: &str = "Name of the workload";

/// Where sizes differ, and why: which, reason.
pub const WHY: [(&str, &str); 6] = [
    (
        "All ratios above 1",
        "Ratios grow with the number of inputs, because CPUTraditional falls further behind with each input. The paper does not \
            give that number. In Case-2, CPUConcurrent has 1.96 with 5 inputs. It has 3.89 with the 15 inputs here, and 12.54 with \
            60. So the sizes are not evidence, but the order is: it is the same with 5, 15 and 60 inputs.",
    ),
    (
        "Case-1, Case-4 and TX1",
        "The paper's values are in brackets. With 10 inputs, Case-1 has 3.62 for CPUConcurrent (3.55). With 5 inputs, Case-4 has \
            1.65 for both CPUInterleave and CPUConcurrent (1.75 and 1.78). With 5 inputs, TX1 has 1.65 for CPUInterleave (1.66) \
            and 1.96 for CPUConcurrent (2.22).",
    ),
    (
        "Case-2 and Case-3, CPUInterleave",
        "Compared with the other schedulers, our ratios are smaller than the paper's. Here kernels and copies take the same time \
            on all GPUs, so the load is the same. In the paper, the load on Fermi differed from the load on Kepler.",
    ),
    (
        "Case-6, CPUOrder",
        "On Fermi, counting the threads of a large kernel takes many times the interval of inputs. So CPUOrder falls behind more \
            and more here, while CPUTraditional keeps up. In the paper CPUTraditional was late too, so its inputs arrived \
            relatively faster or its kernels were longer.",
    ),
    (
        "Case-1, GPUAtomics",
        "Messages and decisions of 20 µs cost little compared with kernels of milliseconds. The paper gives no numbers for them.",
    ),
    (
        "Slack in brackets",
        "If the paper counts slack as we do, its times bound the work: no job uses up less than it takes alone. In Case-1, 34.61 ms \
            are enough for 3 inputs of our tasks, and we run 15. So its tasks were shorter, or its inputs were fewer.",
    ),
];

pub(super) const NOT_ISSUED: &str = "not issued";

pub const GPU: &str = "GPU";

pub struct Batch;

impl Tool for Batch {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = memory::PAIRS;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Effects::new();
        match event {
            Event::Opened(word) if !word.is_empty() => {
                state.go_to(Setup::read(&word));
                let problems = state.setup().workload().err();
                if let Some(first) = problems.as_ref().and_then(|problems| problems.first()) {
                    let sentence = first.sentence(state.setup());
                    effects.push(Effect::Complain(format!("This link's workload has a mistake. {}.", sentence.trim_end_matches('.'))));
                }
            }
            Event::OpenedWith(files) => {
                let note = files::open(state, &files);
                effects.push(Effect::Announce(note.clone()));
                state.note = Some(note);
            }
            Event::Message(message) => state.take(message, context, &mut effects)?,
            Event::Opened(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(View::new(state, &context.place.options))
    }
}

impl State {
    fn take(&mut self, message: Msg, context: &Context<'_>, effects: &mut Effects) -> Result<(), ToolError> {
        let tab = self.setup().tab;
        match message {
            Msg::Show(tab) => self.setup_mut().tab = tab,
            Msg::Choose(from) => self.choose(from, tab),
            Msg::Compare(from) => self.choose(from, Tab::All),
            Msg::SetGpu(gpu) => self.keep_time(|setup| setup.gpu = gpu),
            Msg::SetScheduler(by) => self.keep_time(|setup| setup.by = by),
            Msg::StepThrough(by) => {
                self.keep_time(|setup| setup.by = by);
                self.setup_mut().tab = Tab::Step;
            }
            Msg::SetMethod(method, is_on) => self.keep_time(|setup| setup.methods = setup.methods.with(method, is_on)),
            Msg::Apply(change) => self.keep_time(|setup| change.apply(setup)),
            Msg::SetBatch(run) => {
                let setup = self.setup_mut();
                (setup.run, setup.at) = (run, None);
            }
            Msg::GoTo(position) => self.go_to_step(position),
            Msg::ShowWholeRun(is_whole) => self.setup_mut().is_whole = is_whole,
            Msg::SetCell { row, column, text } => self.set_cell(row, column, text),
            Msg::SetName(text) => self.set_name(text),
            Msg::SetUntil(text) => self.set_until(text),
            Msg::SetCost(place, text) => self.set_cost(place, text),
            Msg::Paste { row, column, text } => {
                effects.extend(cells::paste(self, row, column, text).err().map(|why| Effect::Announce(why.to_string())));
            }
            Msg::ReadCells(choice) => cells::choose(self, choice),
            Msg::TakeCells => effects.extend(cells::take(self).map(Effect::Announce)),
            Msg::DropCells => self.waiting = None,
            Msg::AddTask => self.add_row(None),
            Msg::DuplicateTask(place) if self.setup().rows.len() < MAX_TASKS => self.add_row(Some(place)),
            Msg::DuplicateTask(_) => effects.push(Effect::Announce(format!("A workload has at most {MAX_TASKS} tasks."))),
            Msg::MoveTask { row, is_down } => self.move_row(row, is_down),
            Msg::RemoveTask(place) if self.setup().rows.len() > 1 => self.remove_row(place),
            Msg::RemoveTask(_) => effects.push(Effect::Announce("A workload has at least one task.".to_owned())),
            Msg::Undo | Msg::Redo => effects.push(Effect::Announce(self.undo_or_redo(message == Msg::Undo).to_owned())),
            Msg::Toggle(section) => self.setup_mut().toggle(section),
            Msg::CopyLink => effects.push(link::copy(&context.place, "batch", self.setup().write()?)),
            Msg::Save(what) => effects.push(files::save(self, what)),
        }
        Ok(())
    }

    /// What came of it, in words.
    fn undo_or_redo(&mut self, is_undo: bool) -> &'static str {
        match (is_undo, self.history.can_undo(), self.history.can_redo()) {
            (true, true, _) => {
                self.travel(History::undo);
                "The last change of the workload was undone."
            }
            (true, false, _) => "There is nothing to undo.",
            (false, _, true) => {
                self.travel(History::redo);
                "The last change of the workload was made again."
            }
            (false, _, false) => "There is nothing to redo.",
        }
    }

    /// Goes to a number of steps applied, or to the last one.
    fn go_to_step(&mut self, position: usize) {
        if let Ok(scene) = Scene::new(self.setup()) {
            self.setup_mut().at = Some(position.min(scene.run.steps.len()));
        }
    }

    /// Changes something while the reader stays at the same instant of the batch.
    fn keep_time(&mut self, change: impl FnOnce(&mut Setup)) {
        let at = Scene::new(self.setup()).ok().map(|scene| scene.time());
        change(self.setup_mut());
        self.setup_mut().at = None;
        if let (Some(at), Ok(scene)) = (at, Scene::new(self.setup())) {
            self.setup_mut().at = Some(scene.steps_until(at));
        }
    }
}

pub fn task_no(place: usize) -> String {
    format!("t{}", place + 1)
}

/// A rule: what it says, and who says so.
pub fn rule_words(says: &str, source: &str) -> String {
    format!("{says} ({source})")
}
