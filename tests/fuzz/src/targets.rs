//! What is tried: every way in which a text of somebody else comes in. Invariant: a target asks what a page or a command line can ask, with
//! less patience.

use std::fmt::{Debug, Display};
use std::sync::Arc;

use blockstep_analysis::sweep::Counts;
use blockstep_batch::run::Comparison;
use blockstep_batch::task::Workload;
use blockstep_format::{self as format, ImportOptions};
use blockstep_learn::find::Effect;
use blockstep_learn::tour::Tour;
use blockstep_protocol::{
    self as protocol, self, Ask, CheckStudy, CountStudy, Cursor, FailingSets, LoadExample, Message, OpenFile, OpenSet, OpenStudyForm,
    OpenTypedSet, ResultsCsv, ResultsOf, RunId, Screen, Simulate, StudyCsv, StudyFigure, StudySvg, ToolEvent, TypedSet, Verdicts,
};
use blockstep_sim::check::measured::{CheckSettings, check};
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{Limits, Run, Simulation};
use blockstep_sim::measured::{self, Measured};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{OpId, RowId, Time};
use blockstep_sim::work::Budget;
use blockstep_tools::ToolId;
use blockstep_tools::runs::Runs;
use blockstep_tools::tool::Event;
use blockstep_tools_tests::{ask, charts};
use blockstep_view::panels::study::{CurvePoint, Progress};
use blockstep_worker::Worker;

use super::mutate::{mutate, name, number, pick, tweak};
use super::seeds::{Seeds, draft, is_short, one};
use blockstep_testing::logs::logs_of;

/// Steps of a run of what was opened; how long it may go on is not what is tried.
const STEPS: Limits = Limits { max_steps: 400 };

/// What is on screen.
const RUN: RunId = RunId(1);

/// One of the threads that try.
pub struct Bench {
    /// What damage is done to.
    pub seeds: Arc<Seeds>,
    /// As in the page: one for many requests.
    pub worker: Worker,
    /// The same for what goes to tools.
    pub runs: Runs,
    /// What is being tried, for the report.
    pub tried: String,
    /// Inputs that were taken, and that were refused.
    pub counts: [u64; 2],
    /// Work of the runs, in units of `blockstep_sim::work`.
    pub work: u64,
}

/// Tries one input.
pub type Target = fn(&mut Bench, &mut Dice);

/// Each with its name and how often it is tried, of about a hundred times.
pub const TARGETS: [(&str, u64, Target); 13] = [
    ("files", 20, files),
    ("scenarios", 12, scenarios),
    ("links", 8, super::links::links),
    ("logs", 14, logs),
    ("batches", 4, batches),
    ("studies", 12, studies),
    ("verdicts", 3, verdicts),
    ("tools", 16, tools),
    ("exports", 3, exports),
    ("profiles", 6, super::profiles::profiles),
    ("requests", 2, requests),
    ("dear", 6, super::dear::dear),
    ("stored", 4, super::dear::stored),
];

impl Bench {
    /// What was refused was refused in words.
    pub fn take<T, E: std::fmt::Display>(&mut self, what: Result<T, E>) -> Option<T> {
        match what {
            Ok(taken) => {
                self.counts[0] += 1;
                Some(taken)
            }
            Err(error) => {
                self.counts[1] += 1;
                assert_words(&error.to_string());
                None
            }
        }
    }

    /// Asks the worker, perhaps about a run.
    pub fn request<A: Ask + Debug>(&mut self, scenario: Option<&str>, request: A) -> Option<A::Answer> {
        self.tried = format!("{request:#?}\n{}", scenario.unwrap_or_default());
        let answer = ask(&mut self.worker, scenario.map(|text| (RUN, text)), request);
        self.take(answer)
    }
}

impl Bench {
    /// Tells a tool something, as the page does; what it remembers from then on.
    pub fn tell(&mut self, tool: &str, event: Vec<u8>, memory: String, scenario: &str, dice: &mut Dice) -> Option<String> {
        self.tried = format!("{tool} {event:?} {memory} {scenario}");
        let some = |dice: &mut Dice| (dice.below(2) == 0).then(|| dice.below(14) as u32);
        let request = ToolEvent {
            tool: tool.to_owned(),
            event,
            memory,
            run: RUN,
            cursor: Cursor {
                position: dice.below(300) as u32,
                at: Time(dice.below(5_000_000_000)),
                row: some(dice).map(RowId),
                op: some(dice).map(OpId),
                block: some(dice),
            },
            screen: Screen {
                is_future_hidden: dice.below(4) == 0,
                width_px: dice.below(3_000) as u32,
                left_px: dice.below(500) as u32,
                plot_px: dice.below(20_000) as u32,
                end: Time(dice.number() >> dice.below(64)),
                shown: (dice.below(3) == 0).then(|| (dice.number() as i64, dice.number() as i64)),
                ..Screen::default()
            },
            example: (dice.below(2) == 0).then(|| "tx2-table-1".to_owned()),
            page: Some(("http://localhost/b/".to_owned(), vec![("until".to_owned(), "until=completes&row=K1".to_owned())])),
        };
        let answer = blockstep_tools::answer(&request, scenario, &mut self.runs);
        self.take(answer).map(|answer| answer.memory)
    }
}

/// Any tool with any memory, opened with any word, told of any message; a message is bytes, so most of these are one.
fn tools(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let scenario = one(dice, &seeds.short).to_owned();
    let tool = ToolId::ALL[dice.below(ToolId::ALL.len() as u64) as usize].info().name;
    let mut memory = if dice.below(2) == 0 { String::new() } else { opening(dice) };
    for _ in 0..1 + dice.below(5) {
        let event = match dice.below(4) {
            0 => protocol::encode(&Event::<()>::Opened(opening(dice))).unwrap(),
            1 => protocol::encode(&Event::<()>::Moved).unwrap(),
            _ => {
                let mut event = protocol::encode(&Event::Message(())).unwrap();
                for _ in 0..1 + dice.below(6) {
                    let most = if dice.below(3) == 0 { 256 } else { 12 };
                    event.push(dice.below(most) as u8);
                }
                event
            }
        };
        let told = bench.tell(tool, event, memory.clone(), &scenario, dice);
        memory = told.unwrap_or(memory);
    }
}

/// A sentence, and not what only a programmer reads.
fn assert_words(message: &str) {
    let words = message.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 1).count();
    assert!(words >= 3, "no sentence: {message:?}");
    for debug in ["Some(", "Err(", "called `", "panicked"] {
        assert!(!message.contains(debug), "not for readers: {message:?}");
    }
}

/// Of the names that the inputs hold, none has become an element.
fn assert_no_markup(html: &str) {
    for element in ["<img", "<script"] {
        assert!(!html.contains(element), "{element} in {html}");
    }
}

/// Any file, as the page and the command line open it.
fn files(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let (text, other) = (seeds.any(dice), seeds.any(dice));
    bench.tried = if dice.below(3) == 0 { tweak(text, dice) } else { mutate(text, other, dice) };
    let file = bench.tried.clone();
    let duration = if dice.below(2) == 0 { String::new() } else { number(dice) };
    let options = ImportOptions { default_duration_ns: duration.parse().ok(), ..ImportOptions::default() };
    if let Some((run, records)) = run(bench, &file, &options) {
        write(&run, &records);
    }
    let _ = bench.take(format::read_sweep(&file));
    let _ = bench.take(format::read_results(&file));
    let _ = bench.take(format::open_scenario(&file));
    bench.request(None, OpenFile { text: file, default_duration_ns: duration.parse().ok() });
}

/// Scenarios whose form is mostly right, with odd numbers and names.
fn scenarios(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    bench.tried = match dice.below(6) {
        0 => format::write_scenario(&draft(dice)),
        _ => tweak(one(dice, &seeds.scenarios), dice),
    };
    if let Some((run, records)) = run(bench, &bench.tried.clone(), &ImportOptions::default()) {
        for csv in write(&run, &records) {
            // A spreadsheet takes what begins so for a formula. No name that is put in has a comma.
            let is_formula = |cell: &str| cell.trim_start_matches('"').starts_with(['=', '@', '+']);
            assert!(!csv.split([',', '\n']).any(is_formula), "{csv}");
        }
        // What left as logs comes back, unless it lasted for centuries.
        let logs = logs_of(&run.trace, &records);
        let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (&**name, &**text)).collect();
        if let Some(measured) = bench.take(format::read_logs(&files)) {
            judge(&measured, 0);
        }
    }
}

/// Logs of a real GPU, one or more of a run.
fn logs(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let mut files = Vec::new();
    for _ in 0..=dice.below(3) {
        let log = one(dice, &seeds.logs);
        let text = match dice.below(8) {
            0 => log.to_owned(),
            1 => mutate(log, seeds.any(dice), dice),
            _ => tweak(log, dice),
        };
        files.push((name(dice), text));
    }
    bench.tried = format!("{files:#?}");
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    if let Some(measured) = bench.take(format::read_logs(&files)) {
        judge(&measured, number(dice).parse().unwrap_or(1000));
    }
}

/// Workloads of batches, and what the six schedulers make of them.
fn batches(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let seed = one(dice, &seeds.batches);
    bench.tried = if dice.below(3) == 0 { mutate(seed, seeds.any(dice), dice) } else { tweak(seed, dice) };
    let Some(file) = bench.take(format::read_batch(&bench.tried)) else { return };
    assert_eq!(format::read_batch(&format::write_batch(&file)).ok().as_ref(), Some(&file), "what is written is read as it was");
    let arch = file.arch();
    if let Some(workload) = bench.take(Workload::new(file.workload)) {
        let compared = Comparison::new(&workload, &arch, file.methods);
        assert!(compared.ranking().len() <= 6);
    }
}

/// What is said of measured runs is said in words.
fn judge(run: &Measured, tolerance_ns: u64) {
    let (known, notes) = measured::known(run, None, false, &[]);
    let found = measured::infer_device(run);
    let settings = CheckSettings { tolerance_ns, ..CheckSettings::inferred(&found, known) };
    let judged = check(run, &settings);
    let sentences =
        judged.violations.iter().map(|violation| &violation.sentence).chain(judged.unjudged.iter().map(|unjudged| &unjudged.why));
    sentences.chain(&notes).chain(&found.notes).chain(&run.notes()).chain(&judged.assumptions).for_each(|sentence| assert_words(sentence));
}

/// Opens, checks and simulates.
fn run(bench: &mut Bench, file: &str, options: &ImportOptions) -> Option<(Run, Records)> {
    let opened = bench.take(format::open(file, options))?;
    opened.notes.iter().for_each(|note| assert_words(note));
    let written = format::write_scenario(&opened.draft);
    assert_eq!(format::read_scenario(&written).ok().as_ref(), Some(&opened.draft), "what is written is read as it was");
    let scenario = Scenario::new(&opened.draft).map_err(|error| opened.explain(&error, file));
    let scenario = bench.take(scenario)?;
    let mut simulation = Simulation::new(&scenario, Variants::NONE, STEPS);
    let mut budget = Budget::new(u64::MAX);
    simulation.run_for(&mut budget);
    bench.work += budget.spent();
    let run = simulation.finish();
    let records = Records::new(&run.trace);
    Some((run, records))
}

/// Writes a run in every form; gives the tables.
fn write(run: &Run, records: &Records) -> [String; 3] {
    let mut files = vec![format::write_chrome(&run.trace, records).to_string()];
    files.extend(format::write_trace(&run.trace, records).ok().map(|text| text.to_string()));
    files.extend(logs_of(&run.trace, records).into_iter().map(|(_, text)| text));
    for json in files {
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "the export is not JSON: {json}");
    }
    format::log_losses(&run.trace, records).iter().for_each(|loss| assert_words(loss));
    let trace = &run.trace;
    let tables: [&dyn Display; 3] =
        [&format::write_csv(trace, records), &format::write_kernels_csv(trace, records), &format::write_jobs_csv(trace, records)];
    tables.map(ToString::to_string)
}

/// Forms and files of studies.
fn studies(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let form = one(dice, &seeds.forms);
    if dice.below(2) == 0 {
        let form = query(form, dice);
        let Some(form) = bench.request(None, OpenStudyForm(form)) else { return };
        let mut texts = form.texts;
        for _ in 0..dice.below(3) {
            let place = dice.below(texts.len() as u64) as usize;
            texts[place] = if dice.below(2) == 0 { name(dice) } else { number(dice) };
        }
        texts.truncate(texts.len() + 1 - dice.below(2) as usize);
        if let Some(checked) = bench.request(None, CheckStudy { texts }) {
            checked.plan.err().iter().flatten().for_each(|problem| assert!(!problem.problem.is_empty() && !problem.field.is_empty()));
        }
        return;
    }
    let sweep = match dice.below(3) {
        0 => mutate(one(dice, &seeds.sweeps), form, dice),
        _ => tweak(one(dice, &seeds.sweeps), dice),
    };
    let first = dice.below(1000);
    let at = CurvePoint { test: dice.below(10) as u32, point: dice.below(12) as u32 };
    match dice.below(6) {
        0 => {
            let to = if dice.below(8) == 0 { first + (1 << 40) } else { first + dice.below(12) };
            bench.request(None, CountStudy { study: sweep, point: dice.below(12) as u32, from: first, to });
        }
        1 => {
            let set = number(dice).parse().unwrap_or(first);
            bench.request(None, OpenSet { study: sweep, at, set });
        }
        2 => {
            let counts = counts(&sweep, dice);
            if let Some(svg) = bench.request(None, StudySvg { study: sweep, counts }) {
                assert_no_markup(&svg);
            }
        }
        3 => {
            let counts = counts(&sweep, dice);
            bench.request(None, StudyCsv { study: sweep, counts });
        }
        // How long many sets take is not what is tried.
        4 if format::read_sweep(&sweep).is_ok_and(|sweep| sweep.sets <= 40) => {
            bench.request(None, FailingSets { study: sweep, at });
        }
        _ => {
            let counts = counts(&sweep, dice);
            let progress = [Progress::Running, Progress::Paused, Progress::Cancelled, Progress::Whole][dice.below(4) as usize];
            let width_px = number(dice).parse().unwrap_or(760);
            let request = StudyFigure { study: sweep, counts, progress, has_table: true, width_px, is_dark: dice.below(2) == 0 };
            if let Some(panel) = bench.request(None, request) {
                assert_no_markup(&panel.picture.chart.svg);
            }
        }
    }
}

/// Mostly as many counts as the study has.
fn counts(sweep: &str, dice: &mut Dice) -> Vec<Counts> {
    let (points, tests) = format::read_sweep(sweep).map_or((0, 0), |sweep| (sweep.utilisation.count().min(200), sweep.tests.len()));
    let points = points + u64::from(dice.below(10) == 0);
    let mut count = || Counts { sets: 20, undrawn: dice.below(3), passed: (0..tests).map(|_| dice.below(22)).collect() };
    (0..points).map(|_| count()).collect()
}

/// What is said of a scenario without running it, and of a set that is typed in.
fn verdicts(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let (width_px, is_dark, line) = (number(dice).parse().unwrap_or(760), dice.below(2) == 0, number(dice).parse().ok());
    let panel = if dice.below(3) == 0 {
        let typed = "5 ms, 10 ms\n9 ms, 20 ms, 15 ms\n0.5, 1s\n100us, 7 ms\n";
        let text = mutate(typed, typed, dice);
        bench.request(None, OpenTypedSet(text.clone()));
        bench.request(None, TypedSet { text, width_px, is_dark, line })
    } else {
        let file = tweak(one(dice, &seeds.scenarios), dice);
        bench.request(Some(&file), Verdicts { run: RUN, width_px, is_dark, line })
    };
    if let Some(figure) = panel.and_then(|panel| panel.edf).and_then(|tests| tests.figure) {
        assert_no_markup(&figure.chart.svg);
    }
}

/// A word with which a tool may be opened.
fn opening(dice: &mut Dice) -> String {
    let tours: Vec<&str> = Tour::ids().collect();
    let effects: Vec<&str> = Effect::ALL.iter().map(|effect| effect.id()).collect();
    let known = match dice.below(5) {
        0 => format!("{}/{}", pick(dice, &tours), dice.below(14)),
        1 => pick(dice, &effects).to_owned(),
        2 => pick(dice, &["policy=fifo", "variant=no-null-barrier", "policy=edf&device=k5000", "rule=X1", "files", "timeline"]).to_owned(),
        3 => "n=5&seed=1&kinds=kernel,blocks".to_owned(),
        _ => String::new(),
    };
    if dice.below(3) == 0 { query(&known, dice) } else { known }
}

/// Files that are saved.
fn exports(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let file = tweak(one(dice, &seeds.short), dice);
    if is_short(&file) {
        let file = Some(file.as_str());
        let beside =
            pick(dice, &["", "policy=fifo", "policy=runlist", "policy=none", "example=tx2-table-1", "example=", "=", "x"]).to_owned();
        match dice.below(3) {
            0 => drop(bench.request(file, ResultsCsv { run: RUN, beside })),
            1 => drop(bench.request(file, Simulate { run: RUN, max_steps: number(dice).parse().ok() })),
            _ => {
                let width_px = number(dice).parse().unwrap_or(760);
                if let Some(panel) = bench.request(file, ResultsOf { run: RUN, width_px, is_dark: true, beside }) {
                    charts(&panel).iter().for_each(|chart| assert_no_markup(&chart.svg));
                }
            }
        }
    }
}

/// What no page asks.
fn requests(bench: &mut Bench, dice: &mut Dice) {
    let text = if dice.below(2) == 0 { name(dice) } else { number(dice) };
    let at = CurvePoint { test: dice.number() as u32, point: dice.number() as u32 };
    match dice.below(7) {
        0 => drop(bench.request(None, LoadExample(text))),
        1 => drop(bench.request(None, FailingSets { study: text, at })),
        2 => drop(bench.request(None, OpenSet { study: text, at, set: dice.number() })),
        3 => drop(bench.request(None, CountStudy { study: text, point: at.point, from: dice.number(), to: dice.number() })),
        4 => drop(bench.request(None, ResultsCsv { run: RunId(dice.number() as u32), beside: String::new() })),
        5 => {
            let bytes: Vec<u8> = (0..dice.below(12)).map(|_| dice.below(40) as u8).collect();
            bench.tried = format!("{bytes:?}");
            drop(bench.take(protocol::decode::<Message>(&bytes)));
        }
        _ => {
            let tool = pick(dice, &["nothing", "", "Tour"]);
            bench.tell(tool, vec![dice.below(8) as u8], text, "", dice);
        }
    }
}

/// A query with some damage to a name, a value or the whole.
fn query(text: &str, dice: &mut Dice) -> String {
    let mut pairs: Vec<String> = text.split('&').map(str::to_owned).collect();
    for _ in 0..=dice.below(3) {
        let i = dice.below(pairs.len() as u64) as usize;
        let field = pairs[i].split('=').next().unwrap_or_default().to_owned();
        pairs[i] = match dice.below(6) {
            0 => format!("{field}={}", escaped(&name(dice))),
            1 => mutate(&pairs[i], text, dice),
            2 => format!("{}&{}", pairs[i], pairs[i]),
            _ => format!("{field}={}", number(dice)),
        };
    }
    pairs.join("&")
}

fn escaped(text: &str) -> String {
    text.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
