//! What the page of a policy shows.
//!
//! Invariant: what is lit, in lanes and in words is of the same step.

use serde::{Deserialize, Serialize};

use super::hunt;
use super::search::{Searching, refused, report};
use super::state::{HuntState, OFFERED, OWN, State};
use blockstep_policy::examples::EXAMPLES;
use blockstep_policy::{Decision, Held, PolicyError, Program, TaskNumber, TaskSet, VariableKind};
use blockstep_search::{self as policies, Finding, Property, Report, Walk};
use blockstep_sim::language::{capitalized, counted};
use blockstep_sim::trace::{Change, Trace};
use blockstep_view::quantity::format_count;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Texts to choose from, those that were published first.
    pub published: Vec<PolicyLink>,
    pub own: Vec<PolicyLink>,
    /// The word of the one on screen.
    pub chosen: String,
    /// Where it was published; empty of one's own.
    pub source: String,
    pub text: TextView,
    /// The requests as they were typed, and word by word as far as they can be followed.
    pub requests: String,
    pub words: Vec<WordView>,
    pub step: u32,
    /// Why the requests cannot be followed further.
    pub problem: Option<String>,
    pub tasks: Vec<TaskRow>,
    /// Whether time may pass now; nothing where the policy has no tick.
    pub tick: Option<bool>,
    /// Whether jobs have deadlines, which requests may say.
    pub has_deadlines: bool,
    /// What the step did.
    pub said: String,
    pub lanes: Vec<Lane>,
    /// What is wrong at the step, a sentence each.
    pub broken: Vec<String>,
    /// Whether another text was seen broken, with which this one can be compared.
    pub has_broken: bool,
    /// Not there while a bug is to be found.
    pub search: Option<SearchView>,
    pub hunt: Option<Hunt>,
}

/// A text to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyLink {
    pub word: String,
    pub title: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextView {
    pub content: String,
    pub lines: Vec<TextLine>,
    pub mistake: Option<MistakeAt>,
}

/// How a line of the text is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextLine {
    #[default]
    Plain,
    /// It changed something at the step.
    Changed,
    /// It decided the step.
    Decided,
    /// It has the first mistake.
    Wrong,
}

/// The first mistake of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MistakeAt {
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// Characters of the word, at least 1.
    pub width: u32,
    /// A sentence.
    pub message: String,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordView {
    pub text: String,
    /// Whether a property is broken after it.
    pub is_fault: bool,
}

/// A task and what may be asked for it after the step on screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    pub name: String,
    /// 0 is best effort.
    pub rank: u8,
    /// The words of its begin and end, where they may come.
    pub begin: Option<String>,
    pub end: Option<String>,
    /// Whether it has begun and not run yet, so that it cannot end.
    pub is_waiting: bool,
}

/// A set, queue or variable, with what the step changed of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    pub name: String,
    /// What it is: a set, a queue and so on.
    pub kind: String,
    pub chips: Vec<Chip>,
    /// A number or flag instead of tasks.
    pub value: Option<String>,
    pub is_changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    pub name: String,
    /// Whether it came with the step, or went; else it stayed.
    pub came: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchView {
    pub tasks: u8,
    pub offered: Vec<u8>,
    pub properties: Vec<PropertyTick>,
    /// Whether they are as the text expects.
    pub is_expected: bool,
    /// Why it cannot be searched.
    pub refused: Option<String>,
    pub is_going: bool,
    /// How far it is, in a sentence; empty before it.
    pub status: String,
    pub findings: Vec<FindingRow>,
    /// What a clean verdict assumes; empty if there is none.
    pub assumed: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyTick {
    pub word: String,
    pub label: String,
    pub is_on: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Fault,
    Warning,
    Clean,
    /// In the task sets that were tried.
    NoneFound,
    Open,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRow {
    /// The word of its property.
    pub word: String,
    pub verdict: Verdict,
    pub title: String,
    /// How it comes; empty if nothing was found.
    pub story: String,
    pub requests: String,
    /// The task set whose run shows it, in words; empty if requests do.
    pub set: String,
}

/// A bug is to be found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunt {
    pub sentence: String,
    pub is_found: bool,
    /// What the text promises, each a tick of what a bug may break.
    pub promises: Vec<String>,
}

pub(super) fn view(state: &State, searching: &Searching) -> View {
    let text = state.text();
    let link = |word: &str, title: String| PolicyLink { word: word.to_owned(), title };
    let published = EXAMPLES.iter().map(|example| link(example.id, example.title.to_owned())).collect();
    let own = state.own.iter().enumerate().map(|(place, text)| link(&format!("{OWN}{place}"), title_of(place, text))).collect();
    let source = state.example().map_or_else(String::new, |example| example.source.to_owned());
    let count = text.split('\n').count().max(1);
    let plain =
        View { published, own, chosen: state.word(), source, requests: state.requests.clone(), step: state.step, ..View::default() };
    let program = match Program::new(text) {
        Ok(program) => program,
        Err(wrong) => {
            let said = "The text has a mistake, so requests are not decided.".to_owned();
            return View { text: mistaken(text, wrong), said, ..plain };
        }
    };
    let walk = state.walk(&program);
    let steps = (state.step as usize).min(walk.len());
    let properties = if state.is_hunting() { Property::for_program(&program) } else { state.looked_for(&program) };
    let faults: Vec<Property> = properties.iter().copied().filter(|property| !property.is_warning()).collect();
    let word = |(i, word): (usize, &str)| WordView { text: word.to_owned(), is_fault: !walk.broken(i + 1, &faults).is_empty() };
    let here = Walk::new(&program, &walk.words().take(steps).collect::<Vec<_>>().join(" "), walk.tasks().max(state.tasks().into()));
    View {
        text: TextView {
            content: text.to_owned(),
            lines: marked(count, walk.decision(steps).and_then(Result::ok), failed_line(&walk, steps)),
            mistake: None,
        },
        words: walk.words().enumerate().map(word).collect(),
        step: steps as u32,
        problem: walk.mistake().map(|mistake| capitalized(&format!("{mistake}."))),
        tasks: tasks(state, &here, &walk),
        tick: program.tick_every().map(|_| here.may_tick()),
        has_deadlines: program.reads().deadline,
        said: said(&program, &walk, steps),
        lanes: lanes(&program, &walk, steps),
        has_broken: state.broken().is_some(),
        broken: walk.broken(steps, &properties).into_iter().map(|(_, told)| told).collect(),
        search: (!state.is_hunting()).then(|| searched(state, searching, &program)),
        hunt: hunted(state, &program),
        ..plain
    }
}

/// A text with its first mistake.
fn mistaken(text: &str, wrong: PolicyError) -> TextView {
    let count = text.split('\n').count().max(1);
    let line = (wrong.line as usize).clamp(1, count);
    let mut lines = vec![TextLine::Plain; count];
    lines[line - 1] = TextLine::Wrong;
    let width = wrong.word.chars().count().max(1) as u32;
    let message = if wrong.message.ends_with('?') { wrong.message } else { format!("{}.", wrong.message) };
    let mistake = MistakeAt { line: line as u32, column: wrong.column, width, message };
    TextView { content: text.to_owned(), lines, mistake: Some(mistake) }
}

/// The text of a scenario's own policy: its first mistake, or what its last decision did in a run of it that has come so many steps far.
#[must_use]
pub fn text_in_run(text: &str, trace: &Trace, position: u32) -> TextView {
    let is_of_run = trace.scenario().own().is_some() && trace.scenario().policy().text == text;
    // A text that has run has no mistake.
    if !is_of_run && let Err(wrong) = Program::new(text) {
        return mistaken(text, wrong);
    }
    let steps = trace.steps().iter().take(if is_of_run { position as usize } else { 0 });
    let made =
        steps.rev().find_map(|step| if let Change::PolicyTold { decision } = step.change { Some(trace.made(decision)) } else { None });
    let lines = marked(text.split('\n').count().max(1), made.map(|made| &made.decision), None);
    TextView { content: text.to_owned(), lines, mistake: None }
}

/// What the last request did; of what requests do not have, that it is nothing here.
fn said(program: &Program, walk: &Walk<'_>, steps: usize) -> String {
    let sentence = walk.sentence(steps);
    let has_no_sizes = program.reads().sizes && !sentence.is_empty();
    if has_no_sizes { format!("{sentence} Requests have no kernels, so sms and duration are 0 here.") } else { sentence }
}

/// A text of one's own by what its first comment says.
fn title_of(place: usize, text: &str) -> String {
    let comment = text.lines().find_map(|line| line.trim().strip_prefix('#'));
    let words: String = comment.unwrap_or_default().trim().chars().take(40).collect();
    if words.is_empty() { format!("Own {}", place + 1) } else { format!("Own {}: {words}", place + 1) }
}

fn failed_line(walk: &Walk<'_>, steps: usize) -> Option<u32> {
    use blockstep_policy::Failure;
    match walk.decision(steps) {
        Some(Err(Failure::Fuel { line } | Failure::NoTask { line } | Failure::TooManyTasks { line })) => Some(line),
        _ => None,
    }
}

fn marked(count: usize, decision: Option<&Decision>, failed: Option<u32>) -> Vec<TextLine> {
    let mut lines = vec![TextLine::Plain; count];
    let mut mark = |line: u32, as_what: TextLine| {
        if let Some(place) = (line as usize).checked_sub(1).and_then(|line| lines.get_mut(line)) {
            *place = as_what;
        }
    };
    if let Some(decision) = decision {
        decision.changes.iter().for_each(|change| mark(change.line, TextLine::Changed));
        for line in decision.launching.map(|(_, line)| line).into_iter().chain([decision.line]) {
            mark(line, TextLine::Decided);
        }
    }
    if let Some(line) = failed {
        mark(line, TextLine::Decided);
    }
    lines
}

/// `here` goes as far as the step; `walk` knows the priorities of tasks that come later.
fn tasks(state: &State, here: &Walk<'_>, walk: &Walk<'_>) -> Vec<TaskRow> {
    let named = state.requests.to_ascii_uppercase();
    // Then nothing may follow, whoever has run.
    let has_failed = matches!(here.decision(here.len()), Some(Err(_)));
    (0..here.tasks().max(walk.tasks()))
        .map(|task| {
            let number = TaskNumber(task as u8);
            let name = walk.name(number);
            let is_named = named.contains(&format!("+{name}"));
            let rank = if is_named { walk.rank(number) } else { state.rank(task as u8) };
            let rank = if walk.is_by_deadline() { rank.min(1) } else { rank };
            let digit = if rank == 0 { String::new() } else { rank.to_string() };
            let begin = here.may(number, true).then(|| format!("+{name}{digit}"));
            let end = here.may(number, false).then(|| format!("-{name}"));
            let is_waiting = !has_failed && begin.is_none() && end.is_none();
            TaskRow { begin, end, is_waiting, name, rank }
        })
        .collect()
}

fn lanes(program: &Program, walk: &Walk<'_>, steps: usize) -> Vec<Lane> {
    let held = |steps: usize| program.held(walk.state(steps), walk.tasks());
    let (before, now) = (held(steps.saturating_sub(1)), held(steps));
    let set = |tasks: TaskSet| tasks.iter().collect::<Vec<_>>();
    let of_tasks = |name: &str, kind: &str, before: &[TaskNumber], now: &[TaskNumber]| {
        let came = |task: &TaskNumber| if before.contains(task) { None } else { Some(true) };
        let mut chips: Vec<Chip> = now.iter().map(|task| Chip { name: walk.name(*task), came: came(task) }).collect();
        chips.extend(before.iter().filter(|task| !now.contains(task)).map(|task| Chip { name: walk.name(*task), came: Some(false) }));
        Lane { name: name.to_owned(), kind: kind.to_owned(), chips, value: None, is_changed: before != now }
    };
    let of_value = |name: &str, kind: &str, before: String, now: String| {
        let (is_changed, value) = (before != now, Some(now));
        Lane { name: name.to_owned(), kind: kind.to_owned(), chips: Vec::new(), value, is_changed }
    };
    let mut found = vec![of_tasks("ready", "have asked and not ended", &set(walk.ready(steps.saturating_sub(1))), &set(walk.ready(steps)))];
    for ((variable, before), now) in program.variables().iter().zip(before).zip(now) {
        let (kind, is_flag) = match variable.kind {
            VariableKind::Set => ("set", false),
            VariableKind::Queue => ("queue, its head first", false),
            VariableKind::Task => ("task", false),
            VariableKind::Number(_) => ("number", false),
            VariableKind::Flag(_) => ("flag", true),
            VariableKind::NumberOfTask(_) => ("number of each task", false),
            VariableKind::FlagOfTask(_) => ("flag of each task", true),
        };
        let said = |number: i64| match (is_flag, number) {
            (true, 0) => "false".to_owned(),
            (true, _) => "true".to_owned(),
            (false, number) => number.to_string(),
        };
        let all = |numbers: Vec<i64>| {
            let each =
                numbers.into_iter().enumerate().map(|(task, number)| format!("{} {}", walk.name(TaskNumber(task as u8)), said(number)));
            each.collect::<Vec<_>>().join(", ")
        };
        found.push(match (before, now) {
            (Held::Tasks(before), Held::Tasks(now)) => of_tasks(&variable.name, kind, &before, &now),
            (Held::Task(before), Held::Task(now)) => {
                of_tasks(&variable.name, kind, &before.into_iter().collect::<Vec<_>>(), &now.into_iter().collect::<Vec<_>>())
            }
            (Held::Number(before), Held::Number(now)) => of_value(&variable.name, kind, said(before), said(now)),
            (Held::Numbers(before), Held::Numbers(now)) => of_value(&variable.name, kind, all(before), all(now)),
            // A variable keeps its kind.
            _ => continue,
        });
    }
    let admitted = |steps| set(walk.admitted(steps));
    found.push(of_tasks("admitted", "may run", &admitted(steps.saturating_sub(1)), &admitted(steps)));
    if let (Some(before), Some(now)) = (walk.launching(steps.saturating_sub(1)), walk.launching(steps)) {
        found.push(of_tasks("launching", "may launch kernels", &set(before), &set(now)));
    }
    found
}

/// A property as a reader ticks it.
fn label(property: Property) -> String {
    match property {
        Property::Fails => "The policy fails".to_owned(),
        Property::Idle => "The GPU idles while a task waits".to_owned(),
        Property::Lost => "A task never runs again".to_owned(),
        Property::Starved => "A task waits forever while jobs of equal or lower priority run and end".to_owned(),
        Property::Hogged => "A task waits forever for a job of equal or lower priority that does not end".to_owned(),
        Property::Outranked => "A task waits while a less urgent one runs".to_owned(),
        Property::Mixed => "Best effort runs beside real time".to_owned(),
        Property::TooMany(most, false) => format!("More than {} at once", counted(most, "task")),
        Property::TooMany(most, true) => format!("More than {} at once", counted(most, "real-time task")),
        Property::Missed => "A deadline is missed that the test of EDF promises".to_owned(),
        Property::NoWork => "A task is admitted without work (a warning)".to_owned(),
    }
}

fn searched(state: &State, searching: &Searching, program: &Program) -> SearchView {
    let on = state.looked_for(program);
    let at_most_one = [Property::TooMany(1, false), Property::TooMany(1, true)];
    let mut all: Vec<Property> =
        Property::PLAIN.into_iter().chain(at_most_one).chain(Property::for_program(program)).chain(on.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    // The search looks for decisions that fail whatever is ticked.
    all.retain(|property| *property != Property::Fails);
    let tick = |property: Property| PropertyTick { word: property.to_string(), label: label(property), is_on: on.contains(&property) };
    let report = report(state, searching, program);
    let is_held = |finding: &Finding| matches!(finding.verdict, policies::Verdict::Clean | policies::Verdict::NoneFound);
    let has_clean = report.as_ref().is_some_and(|report| report.findings.iter().any(is_held));
    SearchView {
        tasks: state.tasks(),
        offered: OFFERED.collect(),
        properties: all.into_iter().map(tick).collect(),
        is_expected: state.properties.is_none(),
        refused: refused(state, program).map(|why| capitalized(&format!("{why}."))),
        is_going: state.is_going,
        status: report.as_ref().map_or_else(|| "Press Search to try all requests.".to_owned(), |report| status(state, report)),
        findings: report.iter().flat_map(|report| report.findings.iter().map(|finding| row(finding, program, report))).collect(),
        assumed: report.filter(|_| has_clean).map_or_else(String::new, |report| report.assumed()),
    }
}

fn status(state: &State, report: &Report) -> String {
    let what = if state.is_going { "Searching" } else { "Stopped" };
    let (tasks, states) = (counted(report.tasks, "task"), format_count(report.states() as u64));
    let requests = match (report.stopped, report.is_over) {
        (Some(stopped), _) => format!("The search ended early: {stopped}."),
        (None, _) if !report.has_requests => String::new(),
        (None, true) => format!("Up to {tasks}, {states} states, all of them."),
        (None, false) => {
            let level = report.levels.last().map_or_else(String::new, |level| {
                let (assignments, tasks) = (counted(level.assignments, "assignment"), counted(level.tasks, "task"));
                format!(" {} of {assignments} of priorities to {tasks} are searched to the end;", level.closed)
            });
            format!("{what}:{level} what is searched has {states} states.")
        }
    };
    let Some(times) = report.times else { return requests };
    let sets = format!("{} of {} task sets run.", format_count(times.sets as u64), format_count(times.of as u64));
    if requests.is_empty() && state.is_going { format!("{what}: {sets}") } else { format!("{requests} {sets}").trim_start().to_owned() }
}

fn row(finding: &Finding, program: &Program, report: &Report) -> FindingRow {
    let property = finding.property;
    let plain = FindingRow {
        word: property.to_string(),
        verdict: Verdict::Open,
        title: format!("{}: nothing was found so far.", label(property)),
        story: String::new(),
        requests: String::new(),
        set: String::new(),
    };
    match &finding.verdict {
        policies::Verdict::Fault(fault) => FindingRow {
            verdict: if property.is_warning() { Verdict::Warning } else { Verdict::Fault },
            title: fault.title(program, property),
            story: fault.story(program),
            requests: fault.requests(program),
            ..plain
        },
        policies::Verdict::TaskSet(fault) => {
            FindingRow { verdict: Verdict::Fault, title: fault.title(), story: fault.story(program.text()), set: fault.set(), ..plain }
        }
        policies::Verdict::NoneFound => {
            let said = report.times.map_or_else(String::new, |times| times.none_found(property));
            FindingRow { verdict: Verdict::NoneFound, title: capitalized(&format!("{said}.")), ..plain }
        }
        policies::Verdict::Clean => {
            FindingRow { verdict: Verdict::Clean, title: capitalized(&format!("{}.", report.clean(property))), ..plain }
        }
        policies::Verdict::Open => plain,
    }
}

fn hunted(state: &State, program: &Program) -> Option<Hunt> {
    let is_found = state.hunt == HuntState::Found;
    let sentence = match state.hunt {
        HuntState::None | HuntState::Over => return None,
        HuntState::Asked => {
            "This policy has a bug. Add requests until a promise below is broken at the step on screen. Each request is checked.".to_owned()
        }
        HuntState::Found => match hunt::found(state, program) {
            Some((steps, told)) => format!("Found, by {}. {told}", counted(steps, "request")),
            None => "Found. The requests on screen do not show it any more.".to_owned(),
        },
    };
    // What a state alone can show.
    let shows = |property: &Property| {
        !property.is_warning() && !matches!(property, Property::Lost | Property::Starved | Property::Hogged | Property::Missed)
    };
    let promises =
        Property::for_program(program).into_iter().filter(shows).map(|property| capitalized(&format!("{}.", property.clean()))).collect();
    Some(Hunt { sentence, is_found, promises })
}
