//! The tools beside the run.
//!
//! Each is a folder: what it remembers (`State`), what the reader can do (`Msg`), what its panel shows (`View`), and the pure
//! functions `update` and `view`; and an entry in the table below. Its component is on the page, in `src/panels/`. Invariant:
//! nobody outside knows which tools there are but by [`ToolId::ALL`].

// Half of a page, whose fields and functions say by their names what they are.
#![allow(missing_docs)]

pub mod ask;
pub mod batch;
pub mod class;
pub mod commands;
pub mod compare;
pub mod exercise;
pub mod export;
pub mod figure;
pub mod find;
pub mod glossary;
pub mod hang;
pub mod measured;
pub mod notes;
pub mod own;
pub mod pasted;
pub mod program;
pub mod quiz;
pub mod rules;
pub mod run_tables;
pub mod runs;
pub mod share;
pub mod stored;
pub mod sweep;
pub mod tool;
pub mod tour;
pub mod trace;
pub mod until;

use serde::{Deserialize, Serialize};

use crate::runs::Runs;
use blockstep_protocol::{self as protocol, Effect, ToolAnswer, ToolEvent};
use blockstep_sim::examples;
use tool::{Context, Event, Info, Pair, ReaderPlace, Serve, SharedPlace, Tool, ToolError, answer_apart, known, pairs, stored};

macro_rules! tools {
    ($($(#[$doc:meta])* $id:ident: $tool:ty, $info:expr;)*) => {
        /// A tool.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ToolId { $($(#[$doc])* $id),* }

        impl ToolId {
            /// Every tool, in the order of their panels.
            pub const ALL: &'static [Self] = &[$(Self::$id),*];

            /// What the page knows of it.
            #[must_use]
            pub const fn info(self) -> &'static Info {
                match self { $(Self::$id => const { &$info }),* }
            }

            fn serve(self, request: &ToolEvent, context: &mut Context<'_>, is_hidden: bool) -> Result<ToolAnswer, ToolError> {
                match self { $(Self::$id => <$tool as Serve>::serve(request, context, is_hidden)),* }
            }

            /// What it may remember of what a link has it remember.
            fn known(self, memory: &str) -> String {
                match self { $(Self::$id => known::<$tool>(memory)),* }
            }

            /// The pairs that links open it with.
            #[must_use]
            pub const fn pairs(self) -> &'static [Pair] {
                match self { $(Self::$id => <$tool as Tool>::PAIRS),* }
            }

            /// What it remembers of a text that was stored; `None` if no tool could have written that.
            #[must_use]
            pub fn stored(self, text: &str) -> Option<String> {
                match self { $(Self::$id => stored::<$tool>(text)),* }
            }
        }
    };
}

/// A tool beside the run, from which the entries of the table differ.
const PLAIN: Info = Info {
    name: "",
    title: "",
    help: "",
    menu: None,
    key: "",
    hides: false,
    leaves: false,
    keeps: false,
    wide: None,
    answer_apart: None,
    stays: false,
    below_kernels: false,
    follows_selection: false,
    makes_links: false,
    travels_closed: false,
    is_waiting: |_| false,
    place: None,
    tabs: &[],
};

tools! {
    /// Guided walks through the papers' figures.
    Tour: tour::Tour, Info { name: "tour", title: "Tours", key: "t", leaves: true, stays: true, help: "Guided walks through the papers' figures", menu: Some("Tours"), ..PLAIN };
    /// Questions about what comes next.
    Quiz: quiz::Quiz, Info { name: "quiz", title: "Predict", key: "q", keeps: true, stays: true, help: "What does the scheduler do next?", menu: Some("Predict"), ..PLAIN };
    /// A quiz of a teacher's own.
    Exercise: exercise::Exercise, Info { name: "exercise", title: "Make an exercise", keeps: true, hides: true, help: "Your questions about this run; results of a class", menu: Some("Make an exercise"), ..PLAIN };
    /// The results of a class.
    Class: class::Class, Info { name: "class", title: "Class results", help: "Saved results of students as one table", ..PLAIN };
    /// The runs of a sweep.
    Sweep: sweep::Sweep, Info { name: "sweep", title: "Runs of a sweep", help: "A number of the table with many values: a chart, and each run", ..PLAIN };
    /// Chains of causes.
    Ask: ask::Ask, Info { name: "ask", title: "Why not now?", hides: true, follows_selection: true, help: "What a kernel waits for; or click anything that waits", ..PLAIN };
    /// Two runs beside each other.
    Compare: compare::Compare, Info { name: "compare", title: "Compare runs", key: "c", hides: true, keeps: true, wide: Some("Runs side by side"), help: "Policies, devices, rules, before and after", ..PLAIN };
    /// On or back to what is looked for.
    Until: until::Until, Info { name: "until", title: "Run until", key: "u", hides: true, help: "Go to the next or previous event of a kind", ..PLAIN };
    /// The rules, how often each was used, and what changes without one.
    Rules: rules::Rules, Info { name: "rules", title: "Rules", place: Some(SharedPlace::Rules), tabs: &[("rules", "Rules")], key: "r", hides: true, help: "What each rule did; switch one off; all definitions", menu: Some("Rules and terms"), ..PLAIN };
    /// A small table that shows an effect.
    Find: find::Find, Info { name: "find", title: "Find an example", leaves: true, help: "A small table that shows an effect", menu: Some("Find an example"), ..PLAIN };
    /// Orders of arrival that hang.
    Hang: hang::Hang, Info { name: "hang", title: "Can it hang?", leaves: true, help: "All orders of launches, searched for one in which blocks wait for each other forever", menu: Some("Can it hang?"), ..PLAIN };
    /// Blocks, kernels and copies as text.
    RunTables: run_tables::RunTables, Info { name: "words", title: "The run in tables", place: Some(SharedPlace::Share), tabs: &[("tables", "As text")], help: "Blocks, kernels and copies as text", ..PLAIN };
    /// The table as a program of CUDA.
    Program: program::Program, Info { name: "program", title: "Program", below_kernels: true, help: "The table as CUDA C++; lines light up as they run. Save it as .cu", ..PLAIN };
    /// Definitions of all terms.
    Glossary: glossary::Glossary, Info { name: "glossary", title: "Glossary", place: Some(SharedPlace::Rules), tabs: &[("terms", "Terms")], key: "g", answer_apart: Some(answer_apart::<glossary::Glossary>), help: "Definitions of all terms", ..PLAIN };
    /// Logs of a real GPU, checked against the rules.
    Measured: measured::Measured, Info { name: "measured", title: "Measured traces", hides: true, wide: Some("Measured blocks"), help: "Logs of a real GPU, checked against the rules", ..PLAIN };
    /// A profiler's trace.
    Trace: trace::Trace, Info { name: "trace", title: "Profiler trace", answer_apart: Some(answer_apart::<trace::Trace>), help: "A profiler's, or the logs of blocks on a GPU", menu: Some("Open a trace"), ..PLAIN };
    /// Pictures for papers and slides.
    Figure: figure::Figure, Info { name: "figure", title: "Figures", hides: true, place: Some(SharedPlace::Share), tabs: &[("image", "Image"), ("latex", "LaTeX")], help: "SVG, PNG, TikZ, slides", ..PLAIN };
    /// Files for other programs.
    Export: export::Export, Info { name: "export", title: "Other formats", leaves: true, place: Some(SharedPlace::Share), tabs: &[("data", "Data")], help: "JSON, CSV, Perfetto, examiner, SimSo", ..PLAIN };
    /// A link to what is on screen.
    Share: share::Share, Info { name: "share", title: "Link and embed", leaves: true, makes_links: true, is_waiting: share::is_waiting, place: Some(SharedPlace::Share), tabs: &[("link", "Link"), ("embed", "Embed")], help: "What you see, for others and for other pages", ..PLAIN };
    /// The reader's own words at a step.
    Notes: notes::Notes, Info { name: "notes", title: "Notes", place: Some(SharedPlace::Share), keeps: true, travels_closed: true, help: "Your text at a step; included in links", ..PLAIN };
    /// The six application-level schedulers of [MT].
    Batch: batch::Batch, Info { name: "batch", title: "Batch schedulers", keeps: true, help: "Six application-level schedulers of [MT]", ..PLAIN };
    /// A scheduling policy as a text, and what can go wrong with it.
    OwnPolicy: own::OwnPolicy, Info { name: "policy", title: "A policy of your own", keeps: true, help: "Type one, step through requests, search it for faults", menu: Some("A policy of your own"), ..PLAIN };
}

impl ToolId {
    /// The tool of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.info().name == name)
    }

    /// Whether a word of a link has the form of those that it is opened with. What such a word names may still be unknown, which
    /// [`answer`] says.
    #[must_use]
    pub fn takes(self, word: &str) -> bool {
        let is_number = |number: &str| number.parse::<u32>().is_ok();
        word.is_empty()
            || match self {
                // They say of any word what it finds.
                Self::Tour | Self::Glossary => true,
                Self::Ask => word.strip_prefix("op:").or_else(|| word.strip_prefix("gap:")).is_some_and(is_number),
                Self::Find => blockstep_learn::find::Effect::from_id(word).is_some(),
                Self::Export => export::FormId::is_word(word),
                Self::Notes => word.starts_with("take "),
                Self::Quiz | Self::Compare | Self::Until | Self::Rules | Self::Figure | Self::Batch | Self::OwnPolicy => {
                    word.split('&').all(|pair| pair.contains('='))
                }
                Self::Exercise
                | Self::Class
                | Self::Sweep
                | Self::Hang
                | Self::RunTables
                | Self::Program
                | Self::Measured
                | Self::Trace
                | Self::Share => false,
            }
    }

    /// What it does not take of a word that consists of pairs, in sentences; `None` if it takes all, or any other word. The page, where
    /// nobody asks, does without what there is.
    #[must_use]
    pub fn refused(self, word: &str) -> Option<String> {
        if self.pairs().is_empty() { None } else { pairs::refused(self.info().title, word, self.pairs()) }
    }

    /// The tools that share its panel, itself among them; none if it has its own.
    pub fn sharers(self) -> impl Iterator<Item = Self> {
        let shares = |tool: Self| tool.info().shares_panel();
        Self::ALL.iter().copied().filter(move |&other| shares(self) && shares(other) && other.info().place == self.info().place)
    }

    /// The tools of a place that have panels of their own.
    pub fn beside(place: SharedPlace) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |tool| tool.info().place == Some(place) && !tool.info().shares_panel())
    }

    /// Its place among all.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Who it is where runs are asked for.
    const fn asker(self) -> u32 {
        self as u32
    }
}

/// Answers an event of a tool about the run of this scenario file.
///
/// # Errors
/// What is wrong.
pub fn answer(request: &ToolEvent, scenario: &str, runs: &mut Runs) -> Result<ToolAnswer, ToolError> {
    let tool = ToolId::from_name(&request.tool).ok_or_else(|| ToolError::NoTool(request.tool.clone()))?;
    let answer = runs.asked_by(tool.asker(), |runs| {
        let mut place = ReaderPlace::new(scenario, request.cursor, request.screen, runs)?;
        place.example = request.example.as_deref().and_then(examples::find);
        place.known_tools = ToolId::ALL.iter().map(|tool| tool.info().name).collect();
        if let Some((base, tools)) = &request.page {
            (place.base, place.tools) = (base.clone(), tools.clone());
        }
        let is_hidden = place.is_future_hidden && tool.info().hides || place.held.is_some() && tool.info().leaves;
        tool.serve(request, &mut Context { place, runs }, is_hidden)
    });
    let answer = answer.map(|mut answer| {
        for effect in &mut answer.effects {
            if let Effect::RestoreTool { name, memory } = effect {
                *memory = ToolId::from_name(name).map(|tool| tool.known(memory)).unwrap_or_default();
            }
        }
        answer
    });
    // A message reads as one without content here; a tool that is closed shows no run any more.
    if protocol::decode::<Event<()>>(&request.event) == Ok(Event::Closed) {
        runs.release(tool.asker());
    }
    answer
}
