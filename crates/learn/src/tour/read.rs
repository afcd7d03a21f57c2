//! The reader of a tour's file: strict, every problem with its place.
//!
//! Depends on the reader of `format`. Invariant: what a stop leaves out is as in the stop before where
//! that makes sense (scenario, place), and plain where not (selection, zoom, veil, tools).

use super::{Paragraph, PictureKind, Setting, TOOLS, Tour, TourAnswer, TourPlace, TourQuestion, TourStop};
use blockstep_format::{Document, FormatError, JsonKind, Node, Path, Reader};
use blockstep_sim::examples;
use blockstep_sim::scenario::PolicyKind;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::units::{Time, TimeRange};

const TOUR: &[&str] = &["id", "paper", "figure", "title", "about", "scenarios", "stops"];
const NEEDED: &[&str] = &["id", "paper", "figure", "title", "about", "stops"];
const STOP: &[&str] = &[
    "title", "text", "code", "picture", "scenario", "policy", "device", "step", "at_ns", "select", "show_ns", "veil", "path", "tool",
    "study", "ask", "claims",
];
const ASK: &[&str] = &["question", "choices", "inset_at_ns"];
const CHOICE: &[&str] = &["text", "right", "why"];

/// A stop as it stands in the file.
#[derive(Default)]
struct Raw {
    stop: Option<TourStop>,
    scenario: Option<String>,
    policy: Option<PolicyKind>,
    device: Option<String>,
    place: Option<TourPlace>,
}

/// Reads a tour.
pub(super) fn tour(text: &str) -> Result<Tour, FormatError> {
    let doc = Document::parse(text).map_err(|e| FormatError::syntax(text, &e))?;
    let mut reader = Reader::default();
    let root = Path::Root;
    let mut tour = Tour {
        id: String::new(),
        paper: String::new(),
        figure: String::new(),
        title: String::new(),
        about: String::new(),
        scenarios: Vec::new(),
        stops: Vec::new(),
    };
    let mut stops = None;
    for (name, value) in reader.object(doc.root(), &root, TOUR, NEEDED) {
        let at = root.field(name);
        match name {
            "id" => tour.id = reader.text(value, &at),
            "paper" => tour.paper = reader.text(value, &at),
            "figure" => tour.figure = reader.text(value, &at),
            "title" => tour.title = reader.text(value, &at),
            "about" => tour.about = reader.text(value, &at),
            "scenarios" => {
                if value.kind() != JsonKind::Object {
                    reader.expected(value, &at, "an object of scenarios by name");
                }
                for (key, value) in value.fields() {
                    let name = key.text().into_owned();
                    if examples::find(&name).is_some() || tour.scenarios.iter().any(|(known, _)| *known == name) {
                        reader.problem(key, &at.field(&name), || "is the name of another scenario".to_owned());
                    }
                    tour.scenarios.push((name, value.raw().to_owned()));
                }
            }
            _ => stops = Some(value),
        }
    }
    if let Some(value) = stops {
        let at = root.field("stops");
        let raws = reader.table(value, &at, stop);
        for (i, (raw, node)) in raws.into_iter().zip(value.items()).enumerate() {
            resolve(&mut reader, &mut tour, raw, node, &at.item(i));
        }
    }
    reader.finish(tour)
}

/// Takes over what a stop has from the stop before.
fn resolve(reader: &mut Reader, tour: &mut Tour, raw: Raw, node: Node<'_>, path: &Path<'_>) {
    let Some(mut stop) = raw.stop else { return };
    let before = tour.stops.last();
    let setting = match (raw.scenario, before) {
        (Some(scenario), _) => Setting { scenario, policy: raw.policy, device: raw.device },
        (None, Some(before)) => Setting {
            scenario: before.setting.scenario.clone(),
            policy: raw.policy.or(before.setting.policy),
            device: raw.device.or_else(|| before.setting.device.clone()),
        },
        (None, None) => {
            reader.problem(node, &path.field("scenario"), || "is missing; the first stop needs one".to_owned());
            return;
        }
    };
    let is_known = tour.scenarios.iter().any(|(own, _)| *own == setting.scenario) || examples::find(&setting.scenario).is_some();
    if !is_known {
        let message = || format!("is \"{}\"; there is no such example or scenario of the tour", setting.scenario);
        reader.problem(node, &path.field("scenario"), message);
    }
    match (raw.place, before.filter(|b| b.setting == setting)) {
        (Some(place), _) => stop.place = place,
        (None, Some(before)) => stop.place = before.place,
        (None, None) => reader.problem(node, &path.field("step"), || "is missing, and so is at_ns; the scenario is another one".to_owned()),
    }
    stop.setting = setting;
    tour.stops.push(stop);
}

fn stop(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Raw {
    let mut raw = Raw::default();
    let mut stop = TourStop {
        title: String::new(),
        text: Vec::new(),
        code: None,
        picture: None,
        setting: Setting { scenario: String::new(), policy: None, device: None },
        place: TourPlace::Step(0),
        select: None,
        show: None,
        is_future_hidden: false,
        is_path_shown: false,
        tool: None,
        study: None,
        ask: None,
        claims: Vec::new(),
    };
    for (name, value) in reader.object(node, path, STOP, &["title", "text"]) {
        let at = path.field(name);
        match name {
            "title" => stop.title = reader.text(value, &at),
            "text" => {
                let text = reader.text(value, &at);
                stop.text = text.split("\n\n").map(|part| paragraph(reader, value, &at, part)).collect();
            }
            "code" => {
                let lines = reader.table(value, &at, Reader::text);
                if lines.is_empty() {
                    reader.expected(value, &at, "a list of lines");
                }
                stop.code = Some(lines.join("\n"));
            }
            "picture" => {
                stop.picture = PictureKind::read(&reader.text(value, &at));
                if stop.picture.is_none() {
                    reader.expected(value, &at, "chip, chip: with a part, or switch: with a phase");
                }
            }
            "scenario" => raw.scenario = Some(reader.text(value, &at)),
            "policy" => raw.policy = Some(reader.choice(value, &at)),
            "device" => raw.device = device(reader, value, &at),
            "step" | "at_ns" if raw.place.is_some() => reader.problem(value, &at, || "cannot stand beside the other place".to_owned()),
            "step" => raw.place = Some(TourPlace::Step(u32::try_from(reader.number(value, &at)).unwrap_or(u32::MAX))),
            "at_ns" => raw.place = Some(TourPlace::At(Time(reader.number(value, &at)))),
            "select" => stop.select = Some(reader.text(value, &at)),
            "show_ns" => match reader.table(value, &at, Reader::number)[..] {
                [from, to] if from < to => stop.show = Some(TimeRange::new(Time(from), Time(to))),
                _ => reader.expected(value, &at, "a list of two times, the earlier first,"),
            },
            "path" => stop.is_path_shown = reader.truth(value, &at),
            "veil" => stop.is_future_hidden = reader.truth(value, &at),
            "tool" => stop.tool = tool(reader, value, &at),
            "study" => stop.study = Some(reader.text(value, &at)),
            "ask" => stop.ask = Some(ask(reader, value, &at)),
            _ => stop.claims = reader.table(value, &at, |_, node, _| node.raw().to_owned()),
        }
    }
    raw.stop = Some(stop);
    raw
}

fn device(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Option<String> {
    let id = reader.text(node, path);
    if BUILT_IN.iter().all(|d| d.id != id) {
        reader.expected(node, path, "the id of a built-in device");
    }
    Some(id)
}

fn tool(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Option<(&'static str, String)> {
    let text = reader.text(node, path);
    let (name, word) = text.split_once(':').unwrap_or((&text, ""));
    let found = TOOLS.iter().find(|known| **known == name).map(|known| (*known, word.to_owned()));
    if found.is_none() {
        reader.problem(node, path, || format!("is \"{name}\"; there are {}", TOOLS.join(", ")));
    }
    found
}

fn ask(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> TourQuestion {
    let mut ask = TourQuestion { question: Paragraph::default(), choices: Vec::new(), inset: None };
    for (name, value) in reader.object(node, path, ASK, &["question"]) {
        let at = path.field(name);
        match name {
            "question" => ask.question = said(reader, value, &at),
            "inset_at_ns" => ask.inset = Some(Time(reader.number(value, &at))),
            _ => {
                ask.choices = reader.table(value, &at, choice);
                if ask.choices.iter().filter(|c| c.is_right).count() != 1 || ask.choices.len() < 2 {
                    reader.expected(value, &at, "two or more choices, exactly one of them right,");
                }
            }
        }
    }
    if ask.choices.is_empty() != ask.inset.is_some() {
        reader.expected(node, path, "an object with either choices or inset_at_ns");
    }
    ask
}

fn choice(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> TourAnswer {
    let mut answer = TourAnswer { text: Paragraph::default(), is_right: false, why: Paragraph::default() };
    for (name, value) in reader.object(node, path, CHOICE, &["text", "why"]) {
        let at = path.field(name);
        match name {
            "text" => answer.text = said(reader, value, &at),
            "right" => answer.is_right = reader.truth(value, &at),
            _ => answer.why = said(reader, value, &at),
        }
    }
    answer
}

fn said(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Paragraph {
    let text = reader.text(node, path);
    paragraph(reader, node, path, &text)
}

fn paragraph(reader: &mut Reader, node: Node<'_>, path: &Path<'_>, text: &str) -> Paragraph {
    Paragraph::read(text).unwrap_or_else(|why| {
        reader.problem(node, path, || why.to_string());
        Paragraph::default()
    })
}
