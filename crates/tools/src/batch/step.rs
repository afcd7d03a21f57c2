//! What is shown of a batch at a step.
//!
//! Invariant: commands, queues, timeline and sentence are all of the same step.

use serde::{Deserialize, Serialize};

use super::choices::{Choices, MethodsView, Problems};
use super::holds::{HoldView, holds, waiting};
use super::pictures::{Drawing, PictureLook, batch_timeline, queue_drawing};
use super::scene::{NoScene, Scene, time};
use super::state::{Section, Setup, State};
use blockstep_batch::command::{CommandNo, Program};
use blockstep_batch::methods::Method;
use blockstep_batch::state::{BatchChange, BatchState, CommandStatus};
use blockstep_batch::waits;
use blockstep_sim::units::Time;
use blockstep_view::batch::timeline::BatchTimeline;
use blockstep_view::batch::words;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    pub choices: Choices,
    pub batch: BatchView,
}

/// A batch, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BatchView {
    Shown(Box<SceneView>),
    Wrong(Problems),
    Refused { why: String, methods: MethodsView },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneView {
    pub about: StepAbout,
    pub place: StepPlace,
    pub commands: Vec<CommandView>,
    pub queues: Drawing,
    /// What is held up: now, and in the rest of the batch.
    pub holds: Vec<HoldView>,
    /// Whether the method that keeps everything from being held up can be switched off to see what it does.
    pub can_drop: bool,
    pub waits: Vec<String>,
    pub timeline: BatchTimeline,
    pub methods: MethodsView,
    pub tables: Tables,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepAbout {
    Tables,
    Batch { scheduler: (String, String), tasks: Vec<String>, is_on_gpu: bool, batches: Vec<String>, batch: usize },
}

/// Where the reader stands, and what happened there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepPlace {
    /// Steps applied.
    pub at: usize,
    /// When each step of the batch happens.
    pub times: Vec<Time>,
    pub rule: Option<StepRule>,
    pub sentence: String,
    pub host: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRule {
    pub id: String,
    pub says: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandView {
    /// Steps applied once it is issued.
    pub at: usize,
    pub label: String,
    pub progress: Progress,
    pub is_latest: bool,
    /// What it is, where it lands, and why it waits.
    pub title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    NotIssued,
    Waits,
    Runs,
    Ended,
    Done,
}

/// Both pictures as tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    pub is_open: bool,
    /// Copies and kernels: command, from, to, what events report.
    pub times: Vec<[String; 4]>,
    pub queues: Vec<[String; 2]>,
}

impl Progress {
    /// In a sign and in words.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::NotIssued => ("·", super::NOT_ISSUED),
            Self::Waits => ("◦", "waits"),
            Self::Runs => ("▶", "runs"),
            Self::Ended => ("‖", "ended, no signal yet"),
            Self::Done => ("✓", "done"),
        }
    }
}

impl From<CommandStatus> for Progress {
    fn from(status: CommandStatus) -> Self {
        match status {
            CommandStatus::NotIssued => Self::NotIssued,
            CommandStatus::Waits => Self::Waits,
            CommandStatus::Runs(_) => Self::Runs,
            CommandStatus::Ended(_) => Self::Ended,
            CommandStatus::Done(_) => Self::Done,
        }
    }
}

impl StepView {
    pub(super) fn new(state: &State, look: PictureLook) -> Self {
        let setup = state.setup();
        let batch = match Scene::new(setup) {
            Ok(scene) => BatchView::Shown(Box::new(SceneView::new(setup, &scene, look))),
            Err(NoScene::Wrong(problems)) => BatchView::Wrong(Problems::new(setup, &problems)),
            Err(NoScene::Refused(why)) => BatchView::Refused {
                why: format!("{} cannot run this: {why}.", setup.by.name()),
                methods: MethodsView::new(setup, &[], String::new()),
            },
        };
        Self { choices: Choices::new(state), batch }
    }
}

impl SceneView {
    fn new(setup: &Setup, scene: &Scene, look: PictureLook) -> Self {
        let state = scene.state();
        let holds = holds(setup, scene);
        Self {
            about: about(setup, scene),
            place: place(scene, &state),
            commands: commands(scene, &state),
            queues: queue_drawing(scene, &state, look),
            can_drop: holds.is_empty() && setup.is_tables() && setup.methods.has(Method::SetEventQueue),
            holds,
            waits: waiting(scene, &state),
            timeline: batch_timeline(scene),
            methods: MethodsView::new(setup, &scene.idle, format!("no effect in this batch under {}", setup.by.name())),
            tables: tables(setup, scene, &state),
        }
    }
}

fn about(setup: &Setup, scene: &Scene) -> StepAbout {
    if setup.is_tables() {
        return StepAbout::Tables;
    }
    StepAbout::Batch {
        scheduler: (setup.by.name().to_owned(), setup.by.scheduler().says().to_owned()),
        tasks: scene.names.clone(),
        is_on_gpu: scene.run.program.on_gpu,
        batches: scene.batches.clone(),
        batch: setup.run,
    }
}

fn place(scene: &Scene, state: &BatchState) -> StepPlace {
    let rule = |rule: blockstep_batch::state::BatchRule| StepRule {
        id: rule.id().to_owned(),
        says: rule.says().to_owned(),
        source: rule.source().to_owned(),
    };
    StepPlace {
        at: scene.at,
        times: scene.run.steps.iter().map(|step| step.at).collect(),
        rule: scene.latest().map(|step| rule(step.rule)),
        sentence: scene.sentence(),
        host: words::host(&scene.run.program, state.host),
    }
}

fn commands(scene: &Scene, state: &BatchState) -> Vec<CommandView> {
    let program = &scene.run.program;
    let latest = scene.latest_command();
    let view = |(at, step): (usize, &blockstep_batch::state::BatchStep)| {
        let BatchChange::Issue(no, queue) = step.change else { return None };
        let wait = waits::why(program, &scene.arch, state, no).map(|wait| words::wait(program, no, wait));
        let queue = queue.map_or("no queue".to_owned(), |queue| queue.name());
        let title = told(&words::command(program, no), &queue, wait.as_deref());
        let (label, progress) = (program.label(no), state.status(no).into());
        Some(CommandView { at: at + 1, label, progress, is_latest: latest == Some(no), title })
    };
    scene.run.steps.iter().enumerate().filter_map(view).collect()
}

fn tables(setup: &Setup, scene: &Scene, state: &BatchState) -> Tables {
    let program = &scene.run.program;
    let times = scene.run.timings().into_iter().map(|timing| {
        let reported = timing.reported.map_or("–".to_owned(), |r| format!("{} to {}", time(r.start), time(r.end)));
        [program.label(timing.command), time(timing.actual.start), time(timing.actual.end), reported]
    });
    let queues = state.queues.iter().map(|(queue, waiting)| [queue.name(), listed(program, waiting)]);
    Tables { is_open: setup.is_open(Section::Tables), times: times.collect(), queues: queues.collect() }
}

fn listed(program: &Program, commands: &[CommandNo]) -> String {
    let labels: Vec<String> = commands.iter().map(|no| program.label(*no)).collect();
    if labels.is_empty() { "empty".to_owned() } else { labels.join(", ") }
}

/// What a command is, where it lands, and why it waits.
pub(super) fn told(what: &str, queue: &str, wait: Option<&str>) -> String {
    match wait {
        Some(wait) => format!("{what}: {queue}. {wait}"),
        None => format!("{what}: {queue}"),
    }
}
