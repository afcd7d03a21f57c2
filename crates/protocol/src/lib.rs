//! What the page and its worker say to each other: requests, responses, and what a tool has the page do.
//!
//! Depends on serde and postcard, on the words of the simulator and of `analysis`, and on view models. Invariants: a message is read back as it was written;
//! a request names its run by a [`RunId`], whose scenario the worker has been told before; a response carries values, never
//! HTML of ours.

mod bytes;
mod pooled;
#[cfg(target_arch = "wasm32")]
pub mod wire;

pub use bytes::{WireError, decode, encode};
pub use pooled::{
    CheckStudy, CheckedStudy, CountStudy, CountedPart, FailingSets, FieldProblem, OpenSet, OpenStudyForm, OpenedSet, RunSweep, StudyCsv,
    StudyFigure, StudyForm, StudyPlan, StudySvg, SweptRuns,
};

use serde::{Deserialize, Serialize};

use blockstep_sim::trace::Cut;
use blockstep_sim::units::{OpId, RowId, Span, Time};
use blockstep_view::panels::results::ResultsPanel;
use blockstep_view::panels::study::{FailingPanel, FigurePanel};
use blockstep_view::panels::verdicts::VerdictsPanel;

/// A run on screen. The page counts them from 1 on and never uses a number twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunId(pub u32);

/// What the page sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The scenario file of the request's run, where the worker has not been told it yet.
    pub scenario: Option<(RunId, String)>,
    /// What is asked.
    pub request: Request,
}

/// What the worker sends. Steps are too many to be coded: their words travel beside, in a buffer that is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Reply {
    /// On the way: more replies follow.
    Progress(Progress),
    /// The last one.
    Done(Response),
    /// The last one, too: why there is no response, as a sentence for the reader.
    Failed(String),
}

/// What is known of a simulation before it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// It begins, with this budget for the server of each task.
    Begin {
        /// By task; zero for a task without a server.
        budgets: Vec<Span>,
    },
    /// Further steps, whose words travel beside.
    Steps {
        /// The time of the last step so far.
        at: Time,
    },
}

/// A request with a response of its own type.
pub trait Ask: Sized {
    /// The response.
    type Answer: 'static;
    /// The request as a message.
    fn into_request(self) -> Request;
    /// The response of a message; `None` if it belongs to another request.
    fn answer(response: Response) -> Option<Self::Answer>;
}

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident -> $answer:ty;)*) => {
        /// Everything that the page asks of its worker.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(target_pointer_width = "64", expect(clippy::large_enum_variant, reason = "there is one at a time"))]
        pub enum Request { $($(#[$doc])* $name($name)),* }

        /// The response to the request of the same name.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[expect(clippy::large_enum_variant, reason = "there is one at a time")]
        pub enum Response { $($(#[$doc])* $name($answer)),* }

        $(impl Ask for $name {
            type Answer = $answer;
            fn into_request(self) -> Request {
                Request::$name(self)
            }
            fn answer(response: Response) -> Option<$answer> {
                match response {
                    Response::$name(answer) => Some(answer),
                    _ => None,
                }
            }
        })*
    };
}

messages! {
    /// Simulates a run; its steps come on the way.
    Simulate -> Simulated;
    /// A built-in scenario with its texts.
    LoadExample -> ExampleText;
    /// A file that is no scenario of ours.
    OpenFile -> Opened;
    /// Something that happened to a tool.
    ToolEvent -> ToolAnswer;
    /// What a run came to.
    ResultsOf -> ResultsPanel;
    /// The same as a file.
    ResultsCsv -> String;
    /// What the schedulability tests say of a scenario.
    Verdicts -> VerdictsPanel;
    /// What they say of a task set that is typed in.
    TypedSet -> VerdictsPanel;
    /// Such a set as a scenario file.
    OpenTypedSet -> String;
    /// The form of a study.
    OpenStudyForm -> StudyForm;
    /// What a form comes to.
    CheckStudy -> CheckedStudy;
    /// Counts a part of a study.
    CountStudy -> CountedPart;
    /// The figure of a study.
    StudyFigure -> FigurePanel;
    /// The same as a picture to be saved.
    StudySvg -> String;
    /// The same as a file.
    StudyCsv -> String;
    /// Sets that fail at a point of a study.
    FailingSets -> FailingPanel;
    /// One of them as a scenario.
    OpenSet -> OpenedSet;
    /// Makes some runs of a sweep.
    RunSweep -> SweptRuns;
}

/// Has a run simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulate {
    /// The run.
    pub run: RunId,
    /// Most steps; `None` for the engine's own limit.
    pub max_steps: Option<u32>,
}

/// How a simulation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// The end of the run.
    pub end: Time,
    /// Why it was cut short, if it was.
    pub cut: Option<Cut>,
}

/// Asks for a built-in scenario, by its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadExample(pub String);

/// A built-in scenario with its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleText {
    /// The scenario file.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// Paper and figure.
    pub source: String,
    /// What to look for.
    pub text: String,
    /// Moments worth seeing: when, a short name, what is to be seen.
    pub bookmarks: Vec<(Time, String, String)>,
}

/// Has a file read that may be anything but a scenario of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenFile {
    /// What is in it.
    pub text: String,
    /// Execution time of a block, ns, where the file states none.
    pub default_duration_ns: Option<u64>,
}

/// What a file turned out to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opened {
    /// A scenario, with what was assumed.
    Scenario {
        /// As a file of ours.
        scenario: String,
        /// A sentence each.
        notes: Vec<String>,
    },
    /// It states no execution time, so the reader is asked for one.
    NeedsDuration {
        /// What to ask.
        question: String,
    },
    /// A table of a spreadsheet: its cells, with tabs between them and a line for each row.
    Table(String),
    /// Something for a tool, by its name.
    ForTool(String),
}

/// Where the reader stands in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Steps applied.
    pub position: u32,
    /// The time shown; not before that of the last step applied.
    pub at: Time,
    /// The kernel row selected.
    pub row: Option<RowId>,
    /// The operation asked about.
    pub op: Option<OpId>,
    /// The block of it that was pointed at, if one was.
    pub block: Option<u32>,
}

/// What decides how things look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// Whether what comes after the step is hidden, because a question is open.
    pub is_future_hidden: bool,
    /// While a quiz is going on: steps that may be applied.
    pub held: Option<u32>,
    /// The wall clock, in ms since 1970; 0 if it is not known.
    pub now_ms: u64,
    /// Whether only timeline and queues are shown, and large.
    pub is_presenting: bool,
    /// Whether the path of a submission is shown in place of the queues, where processes take turns.
    pub is_path_shown: bool,
    /// Width of the tools' column, px; 0 while it has none.
    pub width_px: u32,
    /// The timeline's left margin, px.
    pub left_px: u32,
    /// Width of its plot, px.
    pub plot_px: u32,
    /// Height of its picture, px; 0 if that is not known.
    pub timeline_px: u32,
    /// How far the whole timeline reaches.
    pub end: Time,
    /// The part of it in sight, ns from the start of the run, if that is not all.
    pub shown: Option<(i64, i64)>,
}

/// Something happened to a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolEvent {
    /// The tool, by its name.
    pub tool: String,
    /// The event, in the tool's own types.
    pub event: Vec<u8>,
    /// What the tool remembers, as JSON; of a link of version 1, names with values.
    pub memory: String,
    /// The run on screen.
    pub run: RunId,
    /// Where the reader stands in it.
    pub cursor: Cursor,
    /// How things look.
    pub screen: Screen,
    /// The built-in scenario that it began as, by its id.
    pub example: Option<String>,
    /// For the tool that makes links: the address of the page, and each other tool that is open with what it remembers.
    pub page: Option<(String, Vec<(String, String)>)>,
}

/// What comes of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// What the tool remembers from here on.
    pub memory: String,
    /// What its panel shows, in the tool's own type.
    pub view: Vec<u8>,
    /// What the page is to do, in order.
    pub effects: Vec<Effect>,
}

/// What a quiz that is going on keeps the reader from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Steps that may be applied.
    pub limit: u32,
    /// Whether a question is open.
    pub is_asking: bool,
}

/// What a tool has the page do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Go to a number of steps applied.
    GoToStep(u32),
    /// Go to a time, after every step that is not later.
    GoToTime(Time),
    /// Select the kernel row of this name; none if it is empty.
    SelectRow(String),
    /// Show another scenario.
    OpenScenario {
        /// Where the reader then stands.
        at: Time,
        /// The scenario file.
        scenario: String,
        /// The built-in scenario that it began as, by its id, so that its texts belong to it.
        began_as: Option<String>,
    },
    /// Open a built-in scenario, by its id.
    OpenExample(String),
    /// Show this part of the timeline; all of it if both are equal.
    ShowRange {
        /// First instant.
        from: Time,
        /// End, excluded.
        to: Time,
    },
    /// Have the whole timeline reach to this time at least, as a run beside it does.
    ExtendTimeline(Time),
    /// Hide what comes after the current step, or show it again.
    HideFuture(bool),
    /// Keep the reader before a step and the scenario as it is, as a quiz is going on; or no longer.
    Hold(Option<Hold>),
    /// Show timeline and queues alone, and large, or everything again.
    Present(bool),
    /// Show the path of a submission in place of the queues, where processes take turns, or the queues again.
    ShowPath(bool),
    /// Close every other tool.
    CloseOthers,
    /// Keep the scenario on screen if it is the reader's own, as another takes its place.
    KeepWork,
    /// Bring what was kept back, if anything was and this scenario file is still what is on screen.
    RestoreWork(String),
    /// Open another tool with a word for it.
    OpenTool {
        /// Its name.
        name: String,
        /// The word.
        word: String,
    },
    /// Open another tool with what it is to remember, and have it told that the reader has moved.
    RestoreTool {
        /// Its name.
        name: String,
        /// What it remembers.
        memory: String,
    },
    /// Make the runs of a sweep on a pool of workers, and give the rows to the tool.
    RunSweep {
        /// The sweep, as [`RunSweep::plan`] has it.
        plan: String,
        /// How many runs it has.
        count: u64,
    },
    /// Open the panel of schedulability with a study, as its link has it.
    OpenStudy(String),
    /// Say this to screen readers.
    Announce(String),
    /// Say this where every reader sees it.
    Say(String),
    /// Say what went wrong, where every reader sees it.
    Complain(String),
    /// Save a file.
    SaveFile {
        /// Its name.
        name: String,
        /// Its media type.
        kind: String,
        /// What is in it.
        text: String,
    },
    /// Save a file of bytes: its name, its media type, and what is in it.
    SaveBytes(String, String, Vec<u8>),
    /// Save what a GIF shows as a video: the name of the file, and the GIF.
    SaveVideo(String, Vec<u8>),
    /// Save an SVG as a PNG.
    SavePicture {
        /// The file's name.
        name: String,
        /// Pixels of the PNG for each of the SVG.
        scale: u32,
        /// The SVG.
        svg: String,
    },
    /// Put the link to this tool with this word on the clipboard.
    CopyLink(String),
    /// Put this text on the clipboard.
    CopyText(String),
    /// Close the tool's panel.
    Close,
    /// Send the tool `Event::Continued` at once, unless the reader has done something else since: so that
    /// long work is done in portions.
    Continue,
}

/// Asks what a run came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsOf {
    /// The run.
    pub run: RunId,
    /// The width that charts can take, px.
    pub width_px: u32,
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The run that its distributions are drawn with, as `blockstep_tools::runs::beside` names it.
    pub beside: String,
}

/// Asks for what a run came to as comma-separated values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsCsv {
    /// The run.
    pub run: RunId,
    /// The run that stands beside it in the file, as `blockstep_tools::runs::beside` names it.
    pub beside: String,
}

/// Asks what the schedulability tests say of a run's scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdicts {
    /// The run.
    pub run: RunId,
    /// The width that the chart can take, px.
    pub width_px: u32,
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The line whose demand is drawn; `None` for that of the scenario's own preemption.
    pub line: Option<u32>,
}

/// The same of a task set that is typed in, a task a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedSet {
    /// What is typed.
    pub text: String,
    /// The width that the chart can take, px.
    pub width_px: u32,
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The line whose demand is drawn; `None` for that of the scenario's own preemption.
    pub line: Option<u32>,
}

/// Asks for a task set that is typed in as a scenario file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTypedSet(pub String);

impl Request {
    /// The run that it is about.
    #[must_use]
    pub fn run(&self) -> Option<RunId> {
        match self {
            Self::Simulate(request) => Some(request.run),
            Self::ToolEvent(request) => Some(request.run),
            Self::ResultsOf(request) => Some(request.run),
            Self::ResultsCsv(request) => Some(request.run),
            Self::Verdicts(request) => Some(request.run),
            Self::LoadExample(_)
            | Self::OpenFile(_)
            | Self::TypedSet(_)
            | Self::OpenTypedSet(_)
            | Self::OpenStudyForm(_)
            | Self::CheckStudy(_)
            | Self::CountStudy(_)
            | Self::StudyFigure(_)
            | Self::StudySvg(_)
            | Self::StudyCsv(_)
            | Self::FailingSets(_)
            | Self::OpenSet(_)
            | Self::RunSweep(_) => None,
        }
    }
}
