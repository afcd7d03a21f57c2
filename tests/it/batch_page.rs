//! The page of application-level schedulers: what it shows, what it takes, what it keeps.

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
        let parts = self.lab.answer("tool", &asked, &mut |_, _| ()).unwrap();
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

#[test]
fn batch_page_dump() {
    let Ok(dir) = std::env::var("DUMP") else { return };
    let width = std::env::var("DUMPW").unwrap_or_else(|_| "1390".to_owned());
    let dark = std::env::var("DUMPD").unwrap_or_default();
    let page = |name: &str, state: &str, events: &[&str]| {
        let mut page = Page::new();
        page.place = format!("width={width}&dark={dark}");
        page.ask(&format!("open:{state}"), &[]);
        for event in events {
            page.ask(event, &[]);
        }
        std::fs::write(format!("{dir}/{name}.frag"), &page.html).unwrap();
        println!("{name}: {} bytes, state {}", page.html.len(), page.state);
    };
    page("1", "", &["move"]);
    page("2", "", &["do:use set-event-queue"]);
    page("3", "from=Case-2&tab=all", &[]);
    page("4", "from=Case-2&tab=paper&open=assumed", &[]);
    page("5", "from=Case-2&tab=tasks", &[]);
    page("6", "from=Case-1&by=GPUAtomics", &["do:ArrowRight"]);
    page("7", "from=Case-2", &[]);
}
