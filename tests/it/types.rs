//! The types of the package for JavaScript are those of the columns and of the JSON Schema
//! (`bindings/npm/package/rows.d.ts`, `analysis-rows.d.ts` and `scenario.d.ts`; rewritten by `BLESS=1 cargo test --test it types_`).

use std::convert::Infallible;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use blockstep_format::{read_scenario, scenario_schema};
use blockstep_report::columns::{self, Columns};
use blockstep_report::verdicts::{self, Verdicts};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_traces::{causes, files, gain, path, tables as traces};
use serde_json::Value;

/// Names of columns with their types, and the least number in those of whole numbers.
#[derive(Default)]
struct Types(Vec<(&'static str, &'static str, Option<u64>)>);

impl Types {
    fn with(mut self, name: &'static str, of: &'static str) -> Result<Self, Infallible> {
        self.0.push((name, of, None));
        Ok(self)
    }

    fn with_numbers(mut self, name: &'static str, numbers: impl Iterator<Item = u64>) -> Result<Self, Infallible> {
        self.0.push((name, "number", numbers.min()));
        Ok(self)
    }
}

impl Columns for Types {
    type Error = Infallible;

    fn numbers(self, name: &'static str, numbers: impl ExactSizeIterator<Item = u64>) -> Result<Self, Infallible> {
        self.with_numbers(name, numbers)
    }

    fn some_numbers(self, name: &'static str, _: impl Iterator<Item = Option<u64>>) -> Result<Self, Infallible> {
        self.with(name, "number | null")
    }

    fn small(self, name: &'static str, numbers: impl ExactSizeIterator<Item = u32>) -> Result<Self, Infallible> {
        self.with_numbers(name, numbers.map(u64::from))
    }

    fn truths(self, name: &'static str, _: impl Iterator<Item = bool>) -> Result<Self, Infallible> {
        self.with(name, "boolean")
    }

    fn some_truths(self, name: &'static str, _: impl Iterator<Item = Option<bool>>) -> Result<Self, Infallible> {
        self.with(name, "boolean | null")
    }

    fn texts(self, name: &'static str, _: impl Iterator<Item = String>) -> Result<Self, Infallible> {
        self.with(name, "string")
    }

    fn some_texts(self, name: &'static str, _: impl Iterator<Item = Option<String>>) -> Result<Self, Infallible> {
        self.with(name, "string | null")
    }

    fn words<W: AsRef<str>>(
        self,
        name: &'static str,
        _: impl Iterator<Item = W>,
        _: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, Infallible> {
        self.with(name, "string")
    }

    fn some_words<W: AsRef<str>>(
        self,
        name: &'static str,
        _: impl Iterator<Item = W>,
        _: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, Infallible> {
        self.with(name, "string | null")
    }

    fn found_words<W: AsRef<str>>(self, name: &'static str, _: impl Iterator<Item = W>) -> Result<Self, Infallible> {
        self.with(name, "string")
    }

    fn some_found_words<W: AsRef<str>>(self, name: &'static str, _: impl Iterator<Item = Option<W>>) -> Result<Self, Infallible> {
        self.with(name, "string | null")
    }
}

/// The name of a row's type, what a row is, its columns, and what these hold.
type TableTypes = (&'static str, &'static str, Types, &'static [(&'static str, &'static str)]);

/// Tables of a run and of an instant of it.
fn tables() -> Vec<TableTypes> {
    let draft = read_scenario(examples::find("tx2-table-1").unwrap().json).unwrap();
    let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let (trace, records, new) = (&run.trace, &Records::new(&run.trace), Types::default);
    let state = run.replay().seek(10).clone();
    let tables = [
        ("Block", "A block that was assigned.", columns::blocks(new(), trace, records)),
        ("Copy", "A copy that was assigned.", columns::copies(new(), trace, records)),
        ("Kernel", "A kernel that was issued.", columns::kernels(new(), trace, records)),
        ("Job", "A job that was released.", columns::jobs(new(), trace, &records.jobs)),
        ("Wait", "A wait of an operation.", columns::waits(new(), &run, records)),
        ("TaskResult", "What came of a task's jobs.", columns::results(new(), &run, records)),
        ("Step", "A step of the run.", columns::steps(new(), trace)),
        ("Queued", "An operation in a queue at an instant.", columns::queues(new(), trace, &state)),
        ("SmRoom", "What is free on an SM at an instant.", columns::sms(new(), trace, &state)),
        ("BlockOnSm", "A block on an SM at an instant.", columns::on_sms(new(), trace, &state)),
        ("Waiting", "An operation that waits at an instant.", columns::waiting(new(), trace, records, &state)),
    ];
    tables.map(|(name, what, Ok(types))| (name, what, types, columns::MEANINGS)).into()
}

/// Tables of an analysis and of a trace.
fn analysis_tables() -> Vec<TableTypes> {
    let (limits, new) = (Limits::default(), Types::default);
    let draft = read_scenario(examples::find("lp-block").unwrap().json).unwrap();
    let found = Verdicts::new(&draft, &Scenario::new(&draft).unwrap(), limits, &mut |scenario| Some(simulate(scenario, limits)));
    let found = found.unwrap();
    let trace = Path::new(blockstep_testing::ROOT).join("tests/data/traces/43-behind-head-or-connection.json");
    let recording = files::read_profile_file(&trace, &mut |_| true).unwrap();
    let analysis = causes::Analysis::new(&recording, causes::KnownSettings::default(), &mut |_| true).unwrap();
    let paths = path::paths(&recording, &analysis);
    let gains = gain::gains(&recording, &analysis, &paths).unwrap();
    let of_verdicts = [
        ("RealTimeTask", "A real-time task as the tests see it.", verdicts::tasks(new(), &found)),
        ("EdfVerdict", "What an EDF test says.", verdicts::edf(new(), &found)),
        ("Bound", "A bound on the response time of a task.", verdicts::bounds(new(), &found)),
    ];
    let of_traces = [
        ("PathPiece", "A piece of what the end of a device's work waited for.", traces::path(new(), &recording, &paths)),
        ("Cause", "A part of a wait, and its cause.", traces::causes(new(), &recording, &analysis)),
        ("Gain", "A change of the program that was tried.", traces::gains(new(), &recording, &gains)),
    ];
    let of_verdicts = of_verdicts.map(|(name, what, Ok(types))| (name, what, types, verdicts::MEANINGS));
    let of_traces = of_traces.map(|(name, what, Ok(types))| (name, what, types, traces::MEANINGS));
    of_verdicts.into_iter().chain(of_traces).collect()
}

fn meaning(meanings: &'static [(&str, &str)], name: &str) -> &'static str {
    meanings.iter().find(|(of, _)| *of == name).unwrap_or_else(|| panic!("MEANINGS lacks {name}")).1
}

fn rows(tables: Vec<TableTypes>) -> String {
    let mut out = "// Made from the columns (tests/it/types.rs): not to be edited.\n".to_owned();
    for (name, what, Types(fields), meanings) in tables {
        write!(out, "\n/** {what} */\nexport interface {name} {{\n").unwrap();
        for (name, of, _) in fields {
            let meaning = meaning(meanings, name);
            // What is always there is not said to be missing.
            let meaning = match meaning.split_once("; missing") {
                Some((always, _)) if !of.ends_with("null") => format!("{always}."),
                _ => meaning.to_owned(),
            };
            write!(out, "  /** {meaning} */\n  readonly {name}: {of};\n").unwrap();
        }
        out.push_str("}\n");
    }
    out
}

/// The type of a value that a part of the schema describes.
fn typed(of: &Value) -> String {
    if let Some(name) = of["$ref"].as_str() {
        return name.rsplit('/').next().unwrap().to_owned();
    }
    if of["const"].is_string() {
        return of["const"].to_string();
    }
    let choice = |values: &[Value], one: fn(&Value) -> String| values.iter().map(one).collect::<Vec<_>>().join(" | ");
    if let Some(values) = of["enum"].as_array() {
        return choice(values, Value::to_string);
    }
    if let Some(values) = of["oneOf"].as_array().or(of["anyOf"].as_array()) {
        return choice(values, typed);
    }
    match of["type"].as_str().unwrap() {
        "integer" | "number" => "number".to_owned(),
        "string" => "string".to_owned(),
        "boolean" => "boolean".to_owned(),
        "array" => {
            let item = typed(&of["items"]);
            if item.contains(' ') { format!("readonly ({item})[]") } else { format!("readonly {item}[]") }
        }
        other => panic!("{other} has no type"),
    }
}

fn comment(out: &mut String, indent: &str, of: &Value) {
    let mut text = of["description"].as_str().unwrap_or_default().replace('\n', " ");
    for choice in of["oneOf"].as_array().into_iter().flatten() {
        if let Some(meaning) = choice["description"].as_str() {
            write!(text, " `{}`: {meaning}", choice["const"].as_str().unwrap()).unwrap();
        }
    }
    if !text.is_empty() {
        writeln!(out, "{indent}/** {text} */").unwrap();
    }
}

fn declare(out: &mut String, name: &str, of: &Value) {
    out.push('\n');
    comment(out, "", of);
    let Some(properties) = of["properties"].as_object() else {
        writeln!(out, "export type {name} = {};", typed(of)).unwrap();
        return;
    };
    let required: Vec<&str> = of["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    writeln!(out, "export interface {name} {{").unwrap();
    for (field, property) in properties {
        comment(out, "  ", property);
        let may_lack = if required.contains(&field.as_str()) { "" } else { "?" };
        writeln!(out, "  {}{may_lack}: {};", if field.starts_with('$') { format!("\"{field}\"") } else { field.clone() }, typed(property))
            .unwrap();
    }
    out.push_str("}\n");
}

fn scenario() -> String {
    let schema: Value = serde_json::from_str(&scenario_schema()).unwrap();
    let mut out = "// Made from the JSON Schema of scenario files (tests/it/types.rs): not to be edited.\n".to_owned();
    declare(&mut out, "Scenario", &schema);
    for (name, of) in schema["$defs"].as_object().unwrap() {
        declare(&mut out, name, of);
    }
    out
}

#[test]
fn types_say_from_which_number_things_are_counted() {
    let mut seen = 0;
    for (table, _, Types(fields), meanings) in tables() {
        for (name, _, least) in fields {
            let said = meaning(meanings, name).split_once(", from ").map(|(_, from)| from.trim_end_matches('.').parse::<u64>().unwrap());
            if let (Some(said), Some(least)) = (said, least) {
                assert_eq!(least, said, "{name} of {table}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen} columns");
}

#[test]
fn types_of_the_package_are_those_of_columns_and_schema() {
    let made = [("rows.d.ts", rows(tables())), ("analysis-rows.d.ts", rows(analysis_tables())), ("scenario.d.ts", scenario())];
    for (name, made) in made {
        let file = Path::new(blockstep_testing::ROOT).join("bindings/npm/package").join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &made).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == made, "{name} is another one. If this is meant: BLESS=1 cargo test --test it types_");
    }
}
