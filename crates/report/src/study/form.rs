//! A study as the fields of a form, all of them texts, and as a link.
//!
//! Depends on `analysis`. Invariants: every preset as a form is the same study again; what is wrong
//! is told by field, with the value and the limit; a link holds what differs from its preset.

use blockstep_analysis::curves::decimal;
use blockstep_analysis::edf::{EdfTest, Sections};
use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::generate::{Generator, Recipe};
use blockstep_analysis::presets::{self, EDF_RUN_US, Preset, RUNLIST_SWITCH_US};
use blockstep_analysis::runlist::RunlistTest;
use blockstep_analysis::signal_run::SignalRun;
use blockstep_analysis::sweep::{Figure, MAX_TESTS, Sweep, Test, Utilisations};
use blockstep_analysis::switch_run::SwitchRun;
use blockstep_format::percent::{self, encode_query};
use blockstep_sim::scenario::{Choice, Preemption, SwitchCharge};
use blockstep_view::panels::study::FIELDS;

/// Both charges of switches, each as a test of its own.
const BOTH: &str = "both";

/// The texts of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyTexts {
    /// By place in [`FIELDS`].
    texts: Vec<String>,
    /// What a link says that is no field.
    unknown: Vec<String>,
}

/// What is wrong with a field: its name, and a sentence.
pub type FieldProblem = (&'static str, String);

impl StudyTexts {
    /// The form of a preset.
    #[must_use]
    pub fn from_preset(preset: &Preset) -> Self {
        let mut form = Self { texts: vec![String::new(); FIELDS.len()], unknown: Vec::new() };
        form.set("preset", preset.id.to_owned());
        form.fill(&(preset.sweep)());
        form
    }

    /// The form that a link describes: names and values as in the query of an
    /// address. What it does not name is as in its preset.
    #[must_use]
    pub fn read(query: &str) -> Self {
        let pairs: Vec<(String, String)> = percent::pairs(query).collect();
        let preset = pairs.iter().find(|(name, _)| name == "preset").map(|(_, id)| &**id);
        let mut form = Self::from_preset(preset.and_then(presets::find).unwrap_or(&presets::ALL[0]));
        for (name, value) in pairs {
            match name.as_str() {
                "preset" if presets::find(&value).is_none() => form.unknown.push(format!("study \"{value}\"")),
                _ if form.set(&name, value) => {}
                _ => form.unknown.push(format!("field \"{name}\"")),
            }
        }
        form
    }

    /// The form with these texts, by place in [`FIELDS`]; what is missing is empty.
    #[must_use]
    pub fn with(mut texts: Vec<String>) -> Self {
        texts.resize(FIELDS.len(), String::new());
        Self { texts, unknown: Vec::new() }
    }

    /// The texts, by place in [`FIELDS`].
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// What the link names that is not known, as `study "lp-9"`.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// What differs from the preset, as [`StudyTexts::read`] takes it.
    #[must_use]
    pub fn link(&self) -> String {
        let preset = self.get("preset");
        let plain = Self::from_preset(presets::find(preset).unwrap_or(&presets::ALL[0]));
        let mut link = format!("preset={}", encode_query(preset));
        for (field, (ours, theirs)) in FIELDS.iter().zip(self.texts.iter().zip(&plain.texts)) {
            if ours.trim() != theirs {
                link.push_str(&format!("&{}={}", field.name, encode_query(ours.trim())));
            }
        }
        link
    }

    /// The text of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        FIELDS.iter().position(|f| f.name == name).map_or("", |i| &self.texts[i])
    }

    /// False if there is no such field.
    fn set(&mut self, name: &str, text: String) -> bool {
        let place = FIELDS.iter().position(|f| f.name == name);
        if let Some(i) = place {
            self.texts[i] = text;
        }
        place.is_some()
    }

    fn fill(&mut self, sweep: &Sweep) {
        let Recipe { generator, tasks, periods, seed } = sweep.recipe;
        let Utilisations { from, to, step } = sweep.utilisation;
        let (figure, above) = match sweep.figure {
            Figure::ByUtilisation => ("utilisation", 900),
            Figure::ByParameter => ("parameter", 900),
            Figure::Above(thousandths) => ("above", thousandths),
        };
        let texts = [
            ("tasks", tasks.to_string()),
            ("generator", generator.word().to_owned()),
            ("from", decimal(from)),
            ("to", decimal(to)),
            ("step", decimal(step)),
            ("sets", sweep.sets.to_string()),
            ("period_from", periods.0.to_string()),
            ("period_to", periods.1.to_string()),
            ("seed", seed.to_string()),
            ("figure", figure.to_owned()),
            ("above", decimal(above * 1000)),
            ("groups", "5-500".to_owned()),
            ("blocking", "cost_and_switches".to_owned()),
            ("run_us", EDF_RUN_US.to_string()),
            ("charge", SwitchCharge::Every.word().to_owned()),
            ("run_charge", SwitchCharge::Expiries.word().to_owned()),
            ("runlist_switch", RUNLIST_SWITCH_US.to_string()),
        ];
        for (name, text) in texts {
            self.set(name, text);
        }
        self.fill_tests(&sweep.tests);
    }

    fn fill_tests(&mut self, tests: &[Test]) {
        let mut lists: Vec<(&str, Vec<u64>)> = Vec::new();
        let mut add = |name: &'static str, number: u64| match lists.iter_mut().find(|l| l.0 == name) {
            Some((_, list)) if !list.contains(&number) => list.push(number),
            Some(_) => {}
            None => lists.push((name, vec![number])),
        };
        let mut groups: Vec<(u32, u32)> = Vec::new();
        let mut runs: Vec<String> = Vec::new();
        let mut charges = [("charge", Vec::new()), ("run_charge", Vec::new())];
        for test in tests {
            match test {
                Test::RunlistBound(runlist) => charges[0].1.push(runlist.charge),
                Test::RunlistRun(runlist) => charges[1].1.push(runlist.charge),
                _ => {}
            }
            match test {
                Test::Edf(edf) => {
                    add(edf_field(edf.preemption), edf.switch);
                    match edf.sections {
                        Sections::Groups(least, most) if !groups.contains(&(least, most)) => groups.push((least, most)),
                        Sections::Cost => drop(self.set("blocking", "cost".to_owned())),
                        _ => {}
                    }
                }
                Test::EdfDelay { overhead } => add("delay", *overhead),
                Test::EdfRun(run) => add("run", run.overhead),
                Test::SignalRun(run) => add("signals", run.signal),
                Test::SwitchRun(run) if run.longest > run.average => runs.push(format!("{}-{}", run.average, run.longest)),
                Test::SwitchRun(run) => runs.push(run.average.to_string()),
                Test::RunlistBound(runlist) => add("bound", runlist.timeslice),
                Test::RunlistRun(runlist) => add("slices", runlist.timeslice),
            }
        }
        for (name, list) in lists {
            self.set(name, write_list(&list));
        }
        if !runs.is_empty() {
            self.set("np_run", runs.join(", "));
        }
        for (name, charges) in charges {
            if let [first, others @ ..] = &charges[..] {
                let word = if others.iter().any(|charge| charge != first) { BOTH } else { first.word() };
                self.set(name, word.to_owned());
            }
        }
        if groups.iter().all(|(least, most)| least == most) && !groups.is_empty() {
            let list: Vec<u64> = groups.iter().map(|g| u64::from(g.0)).collect();
            self.set("groups", write_list(&list));
        } else if !groups.is_empty() {
            self.set("groups", groups.iter().map(|(least, most)| format!("{least}-{most}")).collect::<Vec<_>>().join(", "));
        }
    }

    /// The study.
    ///
    /// # Errors
    /// Everything that is wrong with it, by field.
    pub fn sweep(&self) -> Result<Sweep, Vec<FieldProblem>> {
        let mut problems: Vec<FieldProblem> = Vec::new();
        if let [first, ..] = &self.unknown[..] {
            problems.push(("preset", format!("The link has a {first}, which this version does not know")));
        }
        let mut reader = Reader { form: self, problems: &mut problems };
        let figure = match self.get("figure") {
            "parameter" => Figure::ByParameter,
            "above" => Figure::Above(reader.share("above") / 1000),
            "utilisation" => Figure::ByUtilisation,
            _ => reader.say("figure", "is not one of the choices", Figure::ByUtilisation),
        };
        let sweep = Sweep {
            name: self.get("preset").to_owned(),
            recipe: Recipe {
                generator: reader.choice("generator", Generator::UUniFast),
                tasks: clipped(reader.number("tasks")),
                periods: (reader.number("period_from"), reader.number("period_to")),
                seed: reader.number("seed"),
            },
            utilisation: Utilisations { from: reader.share("from"), to: reader.share("to"), step: reader.share("step") },
            sets: reader.number("sets"),
            tests: Vec::new(),
            figure,
        };
        let (tests, fields): (Vec<Test>, Vec<&'static str>) = reader.tests().into_iter().unzip();
        let sweep = Sweep { tests, ..sweep };
        if let Figure::Above(share) = sweep.figure
            && !(1..1000).contains(&share)
        {
            reader.say("above", "is not a share from 0.001 to 0.999", ());
        }
        if sweep.figure != Figure::ByUtilisation && sweep.tests.iter().any(|t| is_other_kind(t, &sweep.tests[0])) {
            reader.say("figure", "needs tests of one kind, which differ in one parameter", ());
        }
        // What cannot be read has been told, and its value here means nothing.
        for problem in sweep.problems() {
            let name = field_of(&problem.path, &fields);
            if !problems.iter().any(|p| p.0 == name) {
                problems.push((name, format!("{} {}", title(name), problem.message)));
            }
        }
        if problems.is_empty() { Ok(sweep) } else { Err(problems) }
    }
}

/// Reads fields, and notes what cannot be read.
struct Reader<'a> {
    form: &'a StudyTexts,
    problems: &'a mut Vec<FieldProblem>,
}

impl Reader<'_> {
    fn say<T>(&mut self, name: &'static str, what: &str, instead: T) -> T {
        let value = self.form.get(name);
        self.problems.push((name, format!("{}: \"{}\" {what}", title(name), value.chars().take(60).collect::<String>())));
        instead
    }

    fn number(&mut self, name: &'static str) -> u64 {
        number(self.form.get(name)).unwrap_or_else(|| self.say(name, "is not a whole number of at most 64 bits", 1))
    }

    /// In millionths.
    fn share(&mut self, name: &'static str) -> u32 {
        share(self.form.get(name)).unwrap_or_else(|| self.say(name, "is not a number with at most six decimals, such as 0.05", 1))
    }

    fn choice<C: Choice + Copy>(&mut self, name: &'static str, instead: C) -> C {
        let word = self.form.get(name);
        let found = C::ALL.iter().copied().find(|c| c.word() == word);
        found.unwrap_or_else(|| self.say(name, "is not one of the choices", instead))
    }

    /// One charge or both.
    fn charges(&mut self, name: &'static str) -> Vec<SwitchCharge> {
        if self.form.get(name) == BOTH { SwitchCharge::ALL.to_vec() } else { vec![self.choice(name, SwitchCharge::Every)] }
    }

    fn list(&mut self, name: &'static str) -> Vec<u64> {
        read_list(self.form.get(name)).unwrap_or_else(|why| self.say(name, &why.to_string(), Vec::new()))
    }

    fn groups(&mut self) -> Vec<(u32, u32)> {
        let mut groups = Vec::new();
        for item in self.form.get("groups").split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let pair = item.split_once('-').and_then(|(least, most)| Some((number(least)?, number(most)?)));
            match (pair, read_list(item)) {
                (Some((least, most)), _) => groups.push((clipped(least), clipped(most))),
                (None, Ok(list)) => groups.extend(list.into_iter().map(|g| (clipped(g), clipped(g)))),
                (None, Err(_)) => {
                    return self.say("groups", "is not a list such as 5-500 (each task its own) or 2..30 (a test for each)", groups);
                }
            }
        }
        if groups.is_empty() {
            self.say("groups", "is empty; limited preemption needs the work-groups per SM", ());
        }
        groups
    }

    /// Averages and maxima of switches: `22`, of which the maximum is the average, or `22-80`.
    fn switches(&mut self) -> Vec<(u64, u64)> {
        let mut switches = Vec::new();
        for item in self.form.get("np_run").split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (average, longest) = item.split_once('-').unwrap_or((item, item));
            let Some(pair) = number(average).zip(number(longest)) else {
                return self.say("np_run", "is not a list such as 22, 80, 22-80 (22 on average, 80 at most)", Vec::new());
            };
            switches.push(pair);
        }
        switches
    }

    /// The tests, each with the field that it comes from.
    fn tests(&mut self) -> Vec<(Test, &'static str)> {
        let mut tests = Vec::new();
        for preemption in EdfTest::MODES {
            let name = edf_field(preemption);
            let switches = self.list(name);
            if switches.is_empty() {
                continue;
            }
            let groups = if preemption == Preemption::Block { self.groups() } else { vec![(1, 1)] };
            let sections = match (preemption, self.form.get("blocking")) {
                (Preemption::None, "cost") => Some(Sections::Cost),
                (Preemption::None, "cost_and_switches") => Some(Sections::InflatedCost),
                (Preemption::None, _) => self.say("blocking", "is not one of the choices", None),
                _ => None,
            };
            // Checked first, as the product may be huge.
            if switches.len().saturating_mul(groups.len()) > MAX_TESTS {
                self.say(name, &format!("with these work-groups makes more than {MAX_TESTS} tests"), ());
                continue;
            }
            for switch in switches {
                for &groups in &groups {
                    let test = EdfTest::for_preemption(preemption, switch, groups);
                    tests.push((Test::Edf(EdfTest { sections: sections.unwrap_or(test.sections), ..test }), name));
                }
            }
        }
        tests.extend(self.list("delay").into_iter().map(|overhead| (Test::EdfDelay { overhead }, "delay")));
        let runs = self.list("run");
        if !runs.is_empty() {
            let until = self.number("run_us");
            tests.extend(runs.into_iter().map(|overhead| (Test::EdfRun(EdfRun { overhead, until }), "run")));
        }
        let signals = self.list("signals");
        if !signals.is_empty() {
            let until = self.number("run_us");
            tests.extend(signals.into_iter().map(|signal| (Test::SignalRun(SignalRun { signal, until }), "signals")));
        }
        let switches = self.switches();
        if !switches.is_empty() {
            let until = self.number("run_us");
            let run = |(average, longest)| (Test::SwitchRun(SwitchRun { average, longest, until }), "np_run");
            tests.extend(switches.into_iter().map(run));
        }
        let (slices, bounds) = (self.list("slices"), self.list("bound"));
        if !slices.is_empty() || !bounds.is_empty() {
            let switch = self.number("runlist_switch");
            let lower = if self.form.get("lower").trim().is_empty() { None } else { Some(self.number("lower")) };
            let test = |timeslice: u64, charge| RunlistTest { timeslice, lower: lower.unwrap_or(timeslice), switch, charge };
            for charge in self.charges("run_charge") {
                tests.extend(slices.iter().map(|&us| (Test::RunlistRun(test(us, charge)), "slices")));
            }
            for charge in self.charges("charge") {
                tests.extend(bounds.iter().map(|&us| (Test::RunlistBound(test(us, charge)), "bound")));
            }
        }
        tests
    }
}

/// The field with the switch costs of EDF with this preemption.
fn edf_field(preemption: Preemption) -> &'static str {
    match preemption {
        Preemption::Thread => "thread",
        Preemption::Block => "block",
        Preemption::Kernel => "kernel",
        Preemption::None => "none",
    }
}

/// Whether two tests cannot stand on one axis.
fn is_other_kind(a: &Test, b: &Test) -> bool {
    match (a, b) {
        (Test::Edf(a), Test::Edf(b)) => matches!(a.sections, Sections::Groups(..)) != matches!(b.sections, Sections::Groups(..)),
        (Test::RunlistRun(a), Test::RunlistRun(b)) | (Test::RunlistBound(a), Test::RunlistBound(b)) => a.charge != b.charge,
        _ => std::mem::discriminant(a) != std::mem::discriminant(b),
    }
}

/// The field that a problem of a study is about; `tests` by place.
fn field_of(path: &str, tests: &[&'static str]) -> &'static str {
    let test = path.strip_prefix("tests[").and_then(|rest| rest.split_once("]."));
    if let Some((place, field)) = test {
        let own = place.parse().ok().and_then(|i: usize| tests.get(i).copied()).unwrap_or("thread");
        return match field {
            "groups" => "groups",
            "run_us" => "run_us",
            "switch_us" if ["slices", "bound"].contains(&own) => "runlist_switch",
            _ => own,
        };
    }
    match path {
        "tasks" => "tasks",
        "period_us" => "period_to",
        "utilisation.from" => "from",
        "utilisation.step" => "step",
        "utilisation" | "utilisation.to" => "to",
        "sets" => "sets",
        _ => "thread",
    }
}

fn title(name: &str) -> &'static str {
    FIELDS.iter().find(|f| f.name == name).map_or("", |f| f.title)
}

fn clipped(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A whole number; commas between digits are not taken, as they part the items of lists.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// A share in millionths, exactly.
fn share(text: &str) -> Option<u32> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let is_number = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    if part.len() > 6 || !is_number(whole) || !is_number(part) || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole: u32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: u32 = format!("{part:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(part)
}

/// Why a text is no list. The sentence goes on after the name of its field.
#[derive(Debug, thiserror::Error)]
enum ListError {
    #[error("is not a list of whole numbers such as 0, 27, 44 or 100..1500/100 (from, to, step)")]
    NotAList,
    #[error("has a step of 0; it must be positive")]
    StepOfZero,
    #[error("has an empty range: {from} is more than {to}")]
    EmptyRange { from: u64, to: u64 },
    #[error("has more than {MAX_TESTS} numbers; as many tests are possible")]
    LongRange,
    #[error("has {0} numbers; at most {MAX_TESTS} are possible")]
    TooMany(usize),
}

/// Numbers and ranges: `0, 27, 44`, `100..1500/100`, `2..30`.
fn read_list(text: &str) -> Result<Vec<u64>, ListError> {
    let mut list = Vec::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let Some((from, rest)) = item.split_once("..") else {
            list.push(number(item).ok_or(ListError::NotAList)?);
            continue;
        };
        let (to, step) = rest.split_once('/').unwrap_or((rest, "1"));
        let bound = |text| number(text).ok_or(ListError::NotAList);
        let (from, to, step) = (bound(from)?, bound(to)?, bound(step)?);
        if step == 0 {
            return Err(ListError::StepOfZero);
        }
        if to < from {
            return Err(ListError::EmptyRange { from, to });
        }
        if (to - from) / step >= MAX_TESTS as u64 {
            return Err(ListError::LongRange);
        }
        list.extend((0..=(to - from) / step).map(|i| from + i * step));
    }
    if list.len() > MAX_TESTS { Err(ListError::TooMany(list.len())) } else { Ok(list) }
}

/// What [`read_list`] reads; four numbers and more at equal distances are a range.
fn write_list(list: &[u64]) -> String {
    if let [first, second, .., last] = *list
        && list.len() > 3
        && second > first
        && list.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(second - first))
    {
        let step = second - first;
        return if step == 1 { format!("{first}..{last}") } else { format!("{first}..{last}/{step}") };
    }
    list.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
