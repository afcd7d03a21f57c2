//! What is shown of a batch at a step.
//!
//! Depends on `scene` and `view::batch`. Invariant: commands, queues, timeline and sentence are all of the same step.

use serde::{Deserialize, Serialize};

use super::choices::{Choices, MethodsView, Problems};
use super::holds::{HoldView, holds, waiting};
use super::pictures::{Drawing, Look, batch_drawing, queue_drawing};
use super::scene::{NoScene, Scene, time};
use super::state::{Section, Setup, State};
use blockstep_batch::command::{CommandNo, Program};
use blockstep_batch::methods::Method;
use blockstep_batch::state::{Change, State as Batch, Status};
use blockstep_batch::waits;
use blockstep_view::batch::words;

/// The tab of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// What can be chosen.
    pub choices: Choices,
    /// The batch.
    pub batch: BatchView,
}

/// A batch, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BatchView {
    /// It runs.
    Shown(Box<SceneView>),
    /// The workload is wrong.
    Wrong(Problems),
    /// The scheduler cannot run it.
    Refused {
        /// Why, in a sentence.
        why: String,
        /// The switches.
        methods: MethodsView,
    },
}

/// A batch at a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneView {
    /// What it is a batch of.
    pub about: About,
    /// Where the reader stands.
    pub transport: Transport,
    /// Commands in order of issue.
    pub commands: Vec<CommandView>,
    /// The hardware queues.
    pub queues: Drawing,
    /// What is held up: now, and in the rest of the batch.
    pub holds: Vec<HoldView>,
    /// Whether the method that keeps everything from being held up can be switched off to see what it does.
    pub can_drop: bool,
    /// Why heads of queues wait.
    pub waits: Vec<String>,
    /// Copies and kernels over time.
    pub timeline: Drawing,
    /// The switches.
    pub methods: MethodsView,
    /// Both pictures as tables.
    pub tables: Tables,
}

/// What a batch is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum About {
    /// The paper's example.
    Tables,
    /// Tasks of a workload.
    Batch {
        /// The scheduler's name and what it does.
        scheduler: (String, String),
        /// Names of the tasks.
        tasks: Vec<String>,
        /// Whether the scheduler is on the GPU.
        is_on_gpu: bool,
        /// The different batches of the run, in words.
        batches: Vec<String>,
        /// Which of them this is.
        batch: usize,
    },
}

/// Where the reader stands, and what happened there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transport {
    /// Steps applied.
    pub at: usize,
    /// All steps.
    pub last: usize,
    /// The instant.
    pub time: String,
    /// The rule of the latest step.
    pub rule: Option<StepRule>,
    /// What that step did.
    pub sentence: String,
    /// What the host does, in a few words.
    pub host: String,
}

/// A rule of batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRule {
    /// Its id.
    pub id: String,
    /// The rule in a sentence.
    pub says: String,
    /// Paper and section, or "ours".
    pub source: String,
}

/// A command in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandView {
    /// Steps applied once it is issued.
    pub at: usize,
    /// Its name.
    pub label: String,
    /// How far it is.
    pub progress: Progress,
    /// Whether the latest step is about it.
    pub is_latest: bool,
    /// What it is, where it lands, and why it waits.
    pub title: String,
}

/// How far a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// The host has not issued it.
    NotIssued,
    /// In a queue.
    Waits,
    /// It runs.
    Runs,
    /// It has ended, and its signal is held back.
    Ended,
    /// It is done.
    Done,
}

/// Both pictures as tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// Whether they are shown.
    pub is_open: bool,
    /// Copies and kernels: command, from, to, what events report.
    pub times: Vec<[String; 4]>,
    /// Queues with their commands.
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

impl From<Status> for Progress {
    fn from(status: Status) -> Self {
        match status {
            Status::NotIssued => Self::NotIssued,
            Status::Waits => Self::Waits,
            Status::Runs(_) => Self::Runs,
            Status::Ended(_) => Self::Ended,
            Status::Done(_) => Self::Done,
        }
    }
}

impl StepView {
    pub(super) fn new(state: &State, look: Look) -> Self {
        let setup = &state.setup;
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
    fn new(setup: &Setup, scene: &Scene, look: Look) -> Self {
        let state = scene.state();
        let holds = holds(setup, scene);
        Self {
            about: about(setup, scene),
            transport: transport(scene, &state),
            commands: commands(scene, &state),
            queues: queue_drawing(scene, &state, look),
            can_drop: holds.is_empty() && setup.is_tables() && setup.methods.has(Method::SetEventQueue),
            holds,
            waits: waiting(scene, &state),
            timeline: batch_drawing(scene, look),
            methods: MethodsView::new(setup, &scene.idle, format!("no effect in this batch under {}", setup.by.name())),
            tables: tables(setup, scene, &state),
        }
    }
}

fn about(setup: &Setup, scene: &Scene) -> About {
    if setup.is_tables() {
        return About::Tables;
    }
    About::Batch {
        scheduler: (setup.by.name().to_owned(), setup.by.scheduler().says().to_owned()),
        tasks: scene.names.clone(),
        is_on_gpu: scene.run.program.on_gpu,
        batches: scene.batches.clone(),
        batch: setup.run,
    }
}

fn transport(scene: &Scene, state: &Batch) -> Transport {
    let rule = |rule: blockstep_batch::state::Rule| StepRule {
        id: rule.id().to_owned(),
        says: rule.says().to_owned(),
        source: rule.source().to_owned(),
    };
    Transport {
        at: scene.at,
        last: scene.run.steps.len(),
        time: time(scene.time()),
        rule: scene.latest().map(|step| rule(step.rule)),
        sentence: scene.sentence(),
        host: words::host(&scene.run.program, state.host),
    }
}

fn commands(scene: &Scene, state: &Batch) -> Vec<CommandView> {
    let program = &scene.run.program;
    let latest = scene.latest_command();
    let view = |(at, step): (usize, &blockstep_batch::state::Step)| {
        let Change::Issue(no, queue) = step.change else { return None };
        let wait = waits::why(program, &scene.arch, state, no).map(|wait| words::wait(program, no, wait));
        let queue = queue.map_or("no queue".to_owned(), |queue| queue.name());
        let title = told(&words::command(program, no), &queue, wait.as_deref());
        let (label, progress) = (program.label(no), state.status(no).into());
        Some(CommandView { at: at + 1, label, progress, is_latest: latest == Some(no), title })
    };
    scene.run.steps.iter().enumerate().filter_map(view).collect()
}

fn tables(setup: &Setup, scene: &Scene, state: &Batch) -> Tables {
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
