//! The page of application-level schedulers: what it shows, what it takes, what it keeps.

mod helps;
mod keeps;

use blockstep::examples;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};

/// The panel, as the page keeps it.
struct Page {
    lab: Lab,
    state: String,
    html: String,
    place: String,
    acts: Vec<(String, String)>,
}

impl Page {
    fn new() -> Self {
        let mut page =
            Self { lab: Lab::default(), state: String::new(), html: String::new(), place: "width=1100".to_owned(), acts: Vec::new() };
        page.ask("open:", &[]);
        page
    }

    fn at(state: &str) -> Self {
        let mut page = Self::new();
        page.ask(&format!("open:{state}"), &[]);
        page
    }

    fn send(&mut self, event: &str, fields: &str, files: &[&str]) {
        let scenario = examples::find("tx2-table-1").unwrap().json;
        let mut asked: Vec<String> = ["batch", event, fields, &self.state, scenario, &self.place].map(str::to_owned).into();
        asked.extend(files.iter().map(|text| (*text).to_owned()));
        let parts = self.lab.answer("tool", &asked).unwrap();
        let mut texts = parts.into_iter().map(|p| if let Part::Text(text) = p { text } else { panic!("only text") });
        self.state = texts.next().unwrap();
        self.html = texts.next().unwrap();
        self.acts.clear();
        while let (Some(kind), Some(value)) = (texts.next(), texts.next()) {
            self.acts.push((kind, value));
        }
    }

    fn ask(&mut self, event: &str, fields: &[(&str, &str)]) {
        let fields: Query = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.send(event, &fields.write(), &[]);
    }

    fn act(&self, kind: &str) -> &str {
        self.acts.iter().find(|(k, _)| k == kind).map_or("", |(_, value)| value)
    }
}

/// Whether every element is ended in its order.
fn is_well_formed(html: &str) -> bool {
    let (mut open, mut rest) = (Vec::new(), html);
    while let Some((_, after)) = rest.split_once('<') {
        let Some((tag, after)) = after.split_once('>') else { return false };
        rest = after;
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            Some(_) => {}
            None => {
                let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
                if name != "input" && !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    open.is_empty()
}

/// Tags of a kind, each with what follows it.
fn tags<'a>(html: &'a str, tag: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    html.match_indices(tag).filter_map(move |(at, _)| html[at + tag.len()..].split_once('>'))
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let rest = tag.split_once(&format!(" {name}="))?.1;
    match rest.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next(),
        None => rest.split(' ').next(),
    }
}

/// What is wrong with a panel for those who cannot see it or have no mouse.
fn flaws(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !is_well_formed(html) {
        found.push("is not well formed".to_owned());
    }
    let mut kept: Vec<&str> = html.match_indices(" data-keep=").filter_map(|(at, _)| attribute(&html[at..], "data-keep")).collect();
    let count = kept.len();
    kept.sort_unstable();
    kept.dedup();
    if kept.len() < count {
        found.push("has two elements of one data-keep".to_owned());
    }
    for (tag, rest) in tags(html, "<button") {
        let text = rest.split("</button>").next().unwrap_or_default();
        if text.trim().is_empty() && attribute(tag, "aria-label").is_none() {
            found.push(format!("button without words: {tag}"));
        }
        if attribute(tag, "type") != Some("button") || attribute(tag, "data-keep").is_none() || attribute(tag, "data-do").is_none() {
            found.push(format!("button: {tag}"));
        }
    }
    for kind in ["<input", "<select"] {
        for (at, _) in html.match_indices(kind) {
            let label = html[..at].rfind("<label").map(|from| &html[from..at]);
            // The label may come first, or the words after a box.
            if label.is_none_or(|label| label.contains("</label>") || !html[at..].contains("</label>")) {
                found.push(format!("control without a label: {}", &html[at..(at + 60).min(html.len())]));
            }
        }
    }
    for (tag, _) in tags(html, "<svg") {
        if attribute(tag, "aria-label").is_none() {
            found.push("picture without words".to_owned());
        }
    }
    found
}

const STATES: [&str; 12] = [
    "",
    "from=tables&off=none",
    "from=tables&tab=all",
    "from=Case-1&by=GPUAtomics&at=30",
    "from=Case-2&by=GPUAtomics",
    "from=Case-5&by=CPUConcurrent&open=as-tables",
    "from=Case-1+on+TX1&off=no-stop-events",
    "from=Case-2&tab=all&open=family+figures",
    "from=Case-4&tab=all&span=all",
    "from=Case-2&tab=paper&open=assumed+fermi",
    "from=Case-2&tab=tasks&open=costs",
    "from=own&until=x&task=name%3D",
];

#[test]
fn batch_page_every_view_is_well_formed_and_labelled() {
    for state in STATES {
        for width in ["340", "1000", "1400"] {
            let mut page = Page::new();
            page.place = format!("width={width}&dark=1");
            page.ask(&format!("open:{state}"), &[]);
            let found = flaws(&page.html);
            assert!(found.is_empty(), "{state}: {found:#?}");
        }
    }
}

#[test]
fn batch_page_state_is_kept() {
    for state in STATES {
        let page = Page::at(state);
        let (kept, html) = (page.state.clone(), page.html.clone());
        let mut again = Page::at(&kept);
        again.ask("move", &[]);
        assert_eq!((again.state, again.html), (kept, html), "{state}");
    }
}

#[test]
fn batch_page_the_false_dependency_comes_and_goes_with_the_switch() {
    let mut page = Page::new();
    assert_eq!(page.html.matches("is-false\"").count(), 1, "one bold line");
    assert!(page.html.contains("s1_Kexe_t1 could run, but follows s1_start_Kexe_t1"));
    assert!(page.html.contains("False dependency, 1 ms to 5 ms"));
    page.ask("do:use set-event-queue", &[]);
    assert!(!page.html.contains("is-false\""));
    assert!(page.html.contains("Nothing in this batch is held up without need."));
    assert!(page.html.contains("s3_W_s1_stop_HDcpy_t1"));
    page.ask("do:End", &[]);
    assert!(page.act("say").contains("5 ms"), "{}", page.act("say"));
    page.ask("do:drop set-event-queue", &[]);
    page.ask("do:End", &[]);
    assert!(page.act("say").contains("7 ms"), "{}", page.act("say"));
    // On a GPU with a queue for each stream there is none either way.
    page.ask("change:gpu", &[("gpu", "kepler")]);
    assert!(page.html.contains("Nothing in this batch is held up without need."));
}

#[test]
fn batch_page_each_step_has_its_sentence() {
    for state in
        ["from=tables", "from=Case-1&by=GPUAtomics", "from=Case-1&by=GPUSynchronize", "from=Case-2&by=CPUOrder", "from=Case-1+on+TX1"]
    {
        let mut page = Page::at(state);
        page.ask("do:Home", &[]);
        assert_eq!(page.act("say").split(". ").nth(1), Some("Nothing is issued yet."), "{state}");
        let mut before = page.html.clone();
        let mut steps = 0;
        loop {
            page.ask("do:ArrowRight", &[]);
            if page.html == before {
                break;
            }
            steps += 1;
            let said = page.act("say");
            assert!(said.starts_with(&format!("Step {steps} of ")) && said.contains("s: ") && said.ends_with('.'), "{said}");
            before.clone_from(&page.html);
        }
        assert!(page.act("say").starts_with(&format!("Step {steps} of {steps}. ")), "{state}");
        page.ask("do:ArrowLeft", &[]);
        assert!(page.act("say").starts_with(&format!("Step {} of {steps}. ", steps - 1)), "{state}");
    }
}

#[test]
fn batch_page_bad_input_is_named_and_stays() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    let cases = [
        ("kernel.0", "soon", "Task 1 (higher), Kernel time: \"soon\" is not a number"),
        ("blocks.1", "0", "Task 2 (lower), Blocks: is 0; it must lie between 1 and"),
        ("threads.0", "2,000", "Task 1 (higher), Threads: is 2,000; it must lie between 1 and 1,024"),
        ("in.1", "-3 ms", "Task 2 (lower), Input copy: \"-3 ms\" is negative"),
        ("after.0", "nobody", "\"nobody\", which is no task"),
        ("in.0", "0", "Task 1 (higher), Input copy: is 0; a copy takes a time, such as 1 ms, or has a size, such as 6 MB"),
        ("name.1", "higher", "Task 2 (higher), Name: is also the name of task 1"),
        ("every.0", "0", "Task 1 (higher), Interval: is 0 s; it must lie between 1 ns and 1,000 s"),
        ("out.0", "0 B", "Task 1 (higher), Output copy: is 0; a copy takes"),
        ("until", "0", "Inputs until: is 0 s; it must lie between 1 ns and 1,000 s"),
        ("until", "", "Inputs until: is empty"),
        ("poll_ns", "2000000000", "Seeing a counter (ns): is 2000000000; it must lie between 0 and 1000000000"),
    ];
    for (field, text, message) in cases {
        let mut page = Page::at(&page.state);
        page.ask(&format!("change:{field}"), &[(field, text)]);
        assert!(page.html.contains(&message.replace('"', "&quot;")), "{field}: {message}\n{}", page.html);
        assert!(page.html.contains("cannot run"));
        page.ask("move", &[]);
        page.ask("do:tab step", &[]);
        assert!(page.html.contains("cannot run"));
        page.ask("do:tab tasks", &[]);
        if !text.is_empty() {
            assert!(page.html.contains(&format!("value=\"{text}\"")), "{field} stays");
        }
    }
    page.ask("change:kernel.0", &[("kernel.0", "2 ms")]);
    assert!(!page.html.contains("cannot run"));
    assert!(page.state.contains("from=own"));
}

#[test]
fn batch_page_names_come_out_as_text() {
    let name = "</text><script>alert(1)</script>\"'\u{202e}\n&amp;";
    let mut page = Page::at("from=Case-2&tab=tasks");
    page.ask("change:name.0", &[("name.0", name), ("name", name)]);
    for tab in ["tasks", "step", "all", "paper"] {
        page.ask(&format!("do:tab {tab}"), &[]);
        assert!(!page.html.contains("<script"), "{tab}");
        assert!(flaws(&page.html).is_empty(), "{tab}: {:?}", flaws(&page.html));
    }
    page.ask("do:csv", &[]);
    assert!(page.act("save").contains("\"</text><script>"));
    page.ask("do:save", &[]);
    let text = page.act("save").splitn(3, '\n').nth(2).unwrap().to_owned();
    let file = blockstep::format::read_batch(&text).unwrap();
    assert_eq!(file.workload.tasks[0].name, name);
}

#[test]
fn batch_page_opens_what_it_saves() {
    let mut page = Page::at("from=Case-3&gpu=tx1&off=no-polling&message_ns=7");
    page.ask("do:save", &[]);
    let text = page.act("save").splitn(3, '\n').nth(2).unwrap().to_owned();
    let parts = Lab::default().answer("open", &[text.clone(), String::new()]).unwrap();
    assert_eq!(parts, [Part::Text("batch".to_owned())]);
    let mut other = Page::new();
    other.send("open:files", "", &["mine.json", &text]);
    assert!(other.html.contains("Opened mine.json."));
    other.ask("do:save", &[]);
    assert_eq!(other.act("save").splitn(3, '\n').nth(2), Some(text.as_str()));
    let before = other.state.clone();
    other.send("open:files", "", &["bad.json", "{\"kind\": \"batch\"}"]);
    assert!(other.html.contains("bad.json was not opened, what was here stays."));
    assert_eq!(other.state, before);
}

#[test]
fn batch_page_saves_tables_and_a_picture() {
    let mut page = Page::new();
    page.ask("do:csv", &[]);
    assert!(page.act("save").contains("s1_Kexe_t1,t1,kernel,5000000,7000000,5000000,7000000\n"), "{}", page.act("save"));
    page.ask("do:svg", &[]);
    assert!(is_well_formed(page.act("save").splitn(3, '\n').nth(2).unwrap()));
    page.ask("do:paper-csv", &[]);
    assert_eq!(page.act("save").lines().count(), 2 + 1 + 7 * 6);
    assert!(page.act("save").contains("Case-2,CPUOrder,4.79,4.26\n"));
    page.ask("do:copy", &[]);
    assert!(page.act("copy").contains("from=tables"));
}

#[test]
fn batch_page_compares_and_shows_both_where_advice_differs() {
    let page = Page::at("from=Case-2&tab=all");
    assert_eq!(page.html.matches("★ best here").count(), 1);
    assert_eq!(page.html.matches("Not on this GPU").count(), 2);
    assert!(page.html.contains("They agree."));
    let mut seen = Vec::new();
    for kernel in ["0.1 ms", "0.5 ms", "1.5 ms", "3 ms"] {
        for gpu in ["fermi", "kepler", "tx1"] {
            let mut page = Page::at(&format!("from=Case-2&tab=all&gpu={gpu}"));
            page.ask("do:submit", &[("kernel.1", kernel)]);
            let between = |from: &str, to: &str| page.html.split_once(from).unwrap().1.split_once(to).unwrap().0.to_owned();
            let (ours, theirs) = (between("Simulated: <b>", "</b>"), between("results: <b>", "</b>"));
            let agrees = ours.split(" or ").any(|name| theirs.split(" or ").any(|other| name == other));
            assert_eq!(page.html.contains("They agree."), agrees, "{kernel} on {gpu}: {ours}, {theirs}");
            assert_eq!(page.html.contains("They differ: "), !agrees);
            assert_eq!(page.html.matches("batch-best").count(), ours.split(" or ").count());
            seen.push(agrees);
        }
    }
    assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
}
