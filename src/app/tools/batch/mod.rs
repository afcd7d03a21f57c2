//! Application-level schedulers: a page of its own for the fourth paper's system.
//!
//! Depends on `batch`, `format` and `view::batch`. Invariants: what is shown follows from what the tool remembers
//! alone, so a link carries it whole; what was typed stays as it was typed, also if it is refused.
//! Source: [MT], Muyan-Özçelik and Owens 2016.

mod cells;
mod choices;
mod compare;
mod draft;
mod files;
mod holds;
mod memory;
mod msg;
#[cfg(target_arch = "wasm32")]
mod panel;
mod paper;
mod pictures;
mod problem;
mod scene;
mod state;
mod step;
mod table;
mod texts;
mod view;
mod workload;

pub use choices::{Choices, MethodView, MethodsView, Problems};
pub use compare::{AdviceView, CompareView, ComparisonView, Figures, SchedulerView, Score, Shown, Verdict};
pub use files::Saved;
pub use holds::{Help, HoldView};
pub use msg::{Change, Msg, StepTarget};
pub use paper::{CaseView, PaperView};
pub use pictures::{Drawing, Sheet};
pub use state::{Section, Setup, Source, State, Tab, Waiting};
pub use step::{About, BatchView, CommandView, Progress, SceneView, StepRule, StepView, Tables, Transport};
pub use table::{COLUMNS, Column, LATENCY, Row, THROUGHPUT};
pub use texts::{COSTS, WHY};
pub use view::{Body, View};
pub use workload::{Cell, WorkloadView};

use crate::app::tool::{Context, Effects, Event, Tool, link};
use crate::batch::task::MAX_TASKS;
use crate::protocol::Effect;
use scene::Scene;

/// The tool.
pub struct Batch;

impl Tool for Batch {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, String> {
        let mut effects = Effects::new();
        match event {
            Event::Opened(word) if !word.is_empty() => state.go_to(Setup::read(&word)),
            Event::OpenedWith(files) => {
                let note = files::open(state, &files);
                effects.push(Effect::Announce(note.clone()));
                state.note = Some(note);
            }
            Event::Message(message) => state.take(message, context, &mut effects)?,
            Event::Opened(_) | Event::Moved | Event::Continued | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        Ok(View::new(state, &context.place.options))
    }
}

impl State {
    fn take(&mut self, message: Msg, context: &Context<'_>, effects: &mut Effects) -> Result<(), String> {
        let tab = self.setup.tab;
        match message {
            Msg::Show(tab) => self.setup.tab = tab,
            Msg::Choose(from) => self.choose(from, tab),
            Msg::Compare(from) => self.choose(from, Tab::All),
            Msg::SetGpu(gpu) => self.keep_time(|setup| setup.gpu = gpu),
            Msg::SetScheduler(by) => self.keep_time(|setup| setup.by = by),
            Msg::StepThrough(by) => {
                self.keep_time(|setup| setup.by = by);
                self.setup.tab = Tab::Step;
            }
            Msg::SetMethod(method, is_on) => self.keep_time(|setup| setup.methods = setup.methods.with(method, is_on)),
            Msg::Apply(change) => {
                self.keep_time(|setup| change.apply(setup));
                effects.extend(Scene::new(&self.setup).ok().as_ref().map(announced));
            }
            Msg::SetBatch(run) => (self.setup.run, self.setup.at) = (run, None),
            Msg::GoTo(target) => effects.extend(self.go_to_step(target)),
            Msg::ShowWholeRun(is_whole) => self.setup.is_whole = is_whole,
            Msg::SetCell { row, column, text } => self.set_cell(row, column, text),
            Msg::SetName(text) => self.set_name(text),
            Msg::SetUntil(text) => self.set_until(text),
            Msg::SetCost(place, text) => self.set_cost(place, text),
            Msg::Paste { row, column, text } => effects.extend(cells::paste(self, Waiting { row, column, text }).map(Effect::Announce)),
            Msg::TakeCells => effects.extend(cells::take(self).map(Effect::Announce)),
            Msg::DropCells => self.waiting = None,
            Msg::AddTask => self.add_row(None),
            Msg::DuplicateTask(place) if self.setup.rows.len() < MAX_TASKS => self.add_row(Some(place)),
            Msg::DuplicateTask(_) => effects.push(Effect::Announce(texts::most_tasks(MAX_TASKS))),
            Msg::MoveTask { row, is_down } => self.move_row(row, is_down),
            Msg::RemoveTask(place) if self.setup.rows.len() > 1 => self.remove_row(place),
            Msg::RemoveTask(_) => effects.push(Effect::Announce(texts::LAST_TASK.to_owned())),
            Msg::TakeBack => {
                let was_back = self.take_back();
                effects.push(Effect::Announce(if was_back { texts::UNDONE } else { texts::NOTHING_TO_UNDO }.to_owned()));
            }
            Msg::Toggle(section) => self.setup.toggle(section),
            Msg::CopyLink => effects.push(link::copy(&context.place, "batch", self.setup.write()?)),
            Msg::Save(what) => effects.push(files::save(self, what)),
        }
        Ok(())
    }

    /// Goes to a step, where the steps are in sight; says which it is.
    fn go_to_step(&mut self, target: StepTarget) -> Option<Effect> {
        let scene = Scene::new(&self.setup).ok().filter(|_| self.setup.tab == Tab::Step)?;
        let (at, last) = (scene.at, scene.run.steps.len());
        let scene = scene.at(match target {
            StepTarget::First => 0,
            StepTarget::Back => at.saturating_sub(1),
            StepTarget::Next => at + 1,
            StepTarget::Last => last,
            StepTarget::At(at) => at,
        });
        self.setup.at = Some(scene.at);
        Some(announced(&scene))
    }

    /// Changes something while the reader stays at the same instant of the batch.
    fn keep_time(&mut self, change: impl FnOnce(&mut Setup)) {
        let at = Scene::new(&self.setup).ok().map(|scene| scene.time());
        change(&mut self.setup);
        self.setup.at = None;
        if let (Some(at), Ok(scene)) = (at, Scene::new(&self.setup)) {
            self.setup.at = Some(scene.steps_until(at));
        }
    }
}

/// Says where the reader stands.
fn announced(scene: &Scene) -> Effect {
    Effect::Announce(texts::said_step(scene.at, scene.run.steps.len(), &scene.sentence()))
}
