//! The types of the package for JavaScript are those of the columns and of the JSON Schema
//! (`bindings/npm/package/rows.d.ts` and `scenario.d.ts`; rewritten by `BLESS=1 cargo test --test it types_`).

use std::convert::Infallible;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use blockstep_format::{read_scenario, scenario_schema};
use blockstep_report::columns::{self, Columns, MEANINGS};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
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

/// Tables of a run and of an instant of it: name, what a row is, and columns.
fn tables() -> [(&'static str, &'static str, Types); 11] {
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
    tables.map(|(name, what, Ok(types))| (name, what, types))
}

fn meaning(name: &str) -> &'static str {
    MEANINGS.iter().find(|(of, _)| *of == name).unwrap_or_else(|| panic!("MEANINGS lacks {name}")).1
}

fn rows() -> String {
    let mut out = "// Made from the columns (tests/it/types.rs): not to be edited.\n".to_owned();
    for (name, what, Types(fields)) in tables() {
        write!(out, "\n/** {what} */\nexport interface {name} {{\n").unwrap();
        for (name, of, _) in fields {
            let meaning = meaning(name);
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
    for (table, _, Types(fields)) in tables() {
        for (name, _, least) in fields {
            let said = meaning(name).split_once(", from ").map(|(_, from)| from.trim_end_matches('.').parse::<u64>().unwrap());
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
    for (name, made) in [("rows.d.ts", rows()), ("scenario.d.ts", scenario())] {
        let file = Path::new(blockstep_testing::ROOT).join("bindings/npm/package").join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &made).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == made, "{name} is another one. If this is meant: BLESS=1 cargo test --test it types_");
    }
}
