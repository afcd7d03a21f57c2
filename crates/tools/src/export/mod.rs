//! Other formats: every form in which a run can leave the page, with a look at it before it is saved.
//!
//! Invariants: a file is what the command line writes; what a form cannot hold is said beside it.

mod forms;

pub use forms::FormId;

use forms::{ExportForm, FORMS, FormFiles, form};
use serde::{Deserialize, Serialize};

use crate::runs::Simulation;
use crate::runs::glance::{Glance, Head};
use crate::runs::whole::{MAX_SAVED, wholes};
use crate::tool::{Context, Effects, Event, Tool, ToolError};
use blockstep_protocol::Effect;
use blockstep_view::quantity::{format_bytes, format_count};

/// Files of one form that are offered one by one.
const MOST_FILES: usize = 40;

/// The tool.
pub struct Export;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The form whose files are shown.
    pub shown: Option<FormId>,
    /// The form that was to be saved last, if it could not be; until the next event.
    pub failed: Option<FormId>,
    /// Why not.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Save every file of a form.
    Save(FormId),
    /// Save one of a form's files, counted from 0.
    SaveFile(FormId, usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub cut: Option<String>,
    /// The forms, in order.
    pub forms: Vec<Offer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub form: FormId,
    pub title: String,
    pub about: String,
    pub problem: Option<String>,
    /// A look at its files, if that is wanted.
    pub look: Option<FormPreview>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormPreview {
    /// Why there are none, if that is not said already.
    pub problem: Option<String>,
    pub lacks: Lacks,
    /// The first files.
    pub files: Vec<ExportFile>,
    pub more: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lacks {
    Nothing,
    /// What no file of this form holds, a sentence.
    Always(String),
    /// What of this run does not carry over, a sentence each.
    InThisRun(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportFile {
    pub name: String,
    pub size: String,
    pub head: Vec<String>,
}

impl State {
    /// Looks at what a form makes of the run, or away again.
    pub fn look(&mut self, form: FormId) {
        self.shown = Some(form).filter(|_| self.shown != Some(form));
    }
}

impl Tool for Export {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        (state.failed, state.why) = (None, String::new());
        let mut effects = Vec::new();
        match event {
            Event::Opened(word) => {
                if let Some(form) = FORMS.iter().find(|form| form.id.word() == word) {
                    state.shown = Some(form.id);
                }
            }
            Event::Edit(_) => {
                let said = |id| Effect::Announce(format!("The preview of {} is below its name.", form(id).words.title));
                effects.extend(state.shown.map(said));
            }
            Event::Message(Msg::Save(id)) => save(state, id, None, &context.place.simulation, &mut effects),
            Event::Message(Msg::SaveFile(id, number)) => save(state, id, Some(number), &context.place.simulation, &mut effects),
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let simulation = &context.place.simulation;
        let cut = simulation.run.trace.cut();
        let offer = |form: &ExportForm| {
            let problem = (state.failed == Some(form.id)).then(|| state.why.clone());
            let look = (state.shown == Some(form.id)).then(|| {
                let glance = context.runs.glance(simulation, form.id.word(), || glance(form, simulation));
                look(form, &glance, problem.is_some())
            });
            Offer {
                form: form.id,
                title: form.words.title.to_owned(),
                about: format!("{} Opens in {}.", form.words.purpose, form.words.opens),
                problem,
                look,
            }
        };
        let forms = FORMS.iter().map(offer).collect();
        Ok(View { cut: cut.map(|cut| format!("This run was cut short: {cut}. Files hold the run up to that point.")), forms })
    }
}

/// Saves every file, or the one of this number.
fn save(state: &mut State, id: FormId, number: Option<usize>, simulation: &Simulation, effects: &mut Effects) {
    let form = form(id);
    let FormFiles { files, .. } = match form.files(simulation) {
        Ok(files) => files,
        Err(why) => {
            (state.failed, state.why) = (Some(id), why.to_string());
            return;
        }
    };
    let count = files.len();
    let wanted = files.into_iter().enumerate().filter(|(i, _)| number.is_none_or(|number| number == *i));
    let (names, texts): (Vec<_>, Vec<_>) = wanted.map(|(_, file)| file).unzip();
    let texts = match wholes(texts) {
        Ok(texts) => texts,
        Err(why) => {
            (state.failed, state.why) = (Some(id), why.to_string());
            return;
        }
    };
    for (name, text) in names.into_iter().zip(texts) {
        let said = if count > 1 && number.is_none() { format!("Saved {count} files.") } else { format!("Saved {name}.") };
        effects.push(Effect::Announce(said));
        effects.push(Effect::SaveFile { name, kind: form.kind.to_owned(), text });
    }
}

fn glance(form: &ExportForm, simulation: &Simulation) -> Glance {
    match form.files(simulation) {
        Ok(FormFiles { files, losses }) => {
            Glance { files: files.iter().map(|(name, text)| Head::new(name, text)).collect(), losses, problem: None }
        }
        Err(why) => Glance { files: Vec::new(), losses: Vec::new(), problem: Some(why.to_string()) },
    }
}

/// What is not in the files, and how they begin.
fn look(form: &ExportForm, glance: &Glance, is_said: bool) -> FormPreview {
    let lacks = match &glance.losses[..] {
        [] if form.words.lacks.is_empty() || glance.problem.is_some() => Lacks::Nothing,
        [] => Lacks::Always(format!("Not included: {}", form.words.lacks)),
        losses => Lacks::InThisRun(losses.to_vec()),
    };
    let file = |file: &Head| ExportFile { name: file.name.clone(), size: size(file.count, file.bytes), head: file.lines.clone() };
    let rest = glance.files.len().saturating_sub(MOST_FILES);
    FormPreview {
        problem: glance.problem.clone().filter(|_| !is_said),
        lacks,
        files: glance.files.iter().take(MOST_FILES).map(file).collect(),
        more: (rest > 0)
            .then(|| format!("And {rest} more files, which the command line writes: blockstep simulate --format examiner -o FOLDER.")),
    }
}

pub(super) fn size(lines: usize, bytes: usize) -> String {
    if bytes > MAX_SAVED {
        return format!("more than {}, the most that the page saves at once", format_bytes(MAX_SAVED as u64));
    }
    let unit = if lines == 1 { "line" } else { "lines" };
    format!("{} {unit}, {}", format_count(lines as u64), format_bytes(bytes as u64))
}
