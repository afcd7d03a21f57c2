//! The tool that offers every form of file.

use blockstep::format::write_scenario;
use blockstep::lab::{Lab, Part};
use blockstep::scenario::*;

use super::with_hostile_names;

struct Tool {
    lab: Lab,
    scenario: String,
    state: String,
    html: String,
    acts: Vec<(String, String)>,
}

impl Tool {
    fn new(draft: &Draft) -> Self {
        Self { lab: Lab::default(), scenario: write_scenario(draft), state: String::new(), html: String::new(), acts: Vec::new() }
    }

    fn ask(&mut self, event: &str) -> &mut Self {
        let arguments = ["export", event, "", &self.state, &self.scenario, "position=0&at=0"].map(str::to_owned);
        let parts = self.lab.answer("tool", &arguments).unwrap();
        let mut texts = parts.into_iter().map(|part| match part {
            Part::Text(text) => text,
            Part::Words(_) => panic!("a tool answers in texts"),
        });
        self.state = texts.next().unwrap();
        self.html = texts.next().unwrap();
        let rest: Vec<String> = texts.collect();
        self.acts = rest.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        self
    }

    /// Name, type and text of the file that is saved.
    fn saved(&self) -> (&str, &str, &str) {
        let (_, value) = self.acts.iter().find(|(kind, _)| kind == "save").unwrap_or_else(|| panic!("{:?}", self.html));
        let mut parts = value.splitn(3, '\n');
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    }
}

/// Two periodic tasks on streams of their own under `edf`.
fn two_tasks() -> Draft {
    let task = |name: &str, period| TaskDraft {
        process: Some(format!("P {name}")),
        release: Release::Periodic,
        period_ns: Some(period),
        ..TaskDraft::named(name)
    };
    let row = |name: &str, task: &str, stream: &str, time| KernelDraft {
        task: Some(task.to_owned()),
        stream: stream.to_owned(),
        ..KernelDraft::named(name, 2, 1024, time)
    };
    Draft {
        name: "Two/tasks: <EDF>".to_owned(),
        policy: PolicyDraft { kind: PolicyKind::Edf, ..PolicyDraft::default() },
        processes: vec![ProcessDraft::named("P camera"), ProcessDraft::named("P lidar")],
        tasks: vec![task("camera", 10_000_000), task("lidar", 15_000_000)],
        kernels: vec![row("K1", "camera", "S1", 4_000_000), row("K2", "lidar", "S2", 5_000_000)],
        ..Draft::default()
    }
}

const FORMS: [(&str, &str, &str); 9] = [
    ("trace", "Two-tasks-EDF-trace.json", "application/json"),
    ("steps", "Two-tasks-EDF-steps.txt", "text/plain"),
    ("blocks", "Two-tasks-EDF-blocks.csv", "text/csv"),
    ("kernels", "Two-tasks-EDF-kernels.csv", "text/csv"),
    ("jobs", "Two-tasks-EDF-jobs.csv", "text/csv"),
    ("waits", "Two-tasks-EDF-waits.csv", "text/csv"),
    ("results", "Two-tasks-EDF-results.csv", "text/csv"),
    ("chrome", "Two-tasks-EDF-chrome.json", "application/json"),
    ("simso", "Two-tasks-EDF-simso.xml", "application/xml"),
];

#[test]
fn exports_tool_saves_every_form() {
    let mut tool = Tool::new(&two_tasks());
    tool.ask("open:");
    for (id, name, kind) in FORMS {
        assert!(tool.html.contains(&format!("data-do=\"save:{id}\"")), "{id}");
        tool.ask(&format!("do:save:{id}"));
        let (saved, as_kind, text) = tool.saved();
        assert_eq!((saved, as_kind), (name, kind));
        assert!(text.len() > 50, "{text}");
    }
}

#[test]
fn exports_tool_saves_logs_together_or_one_by_one() {
    let mut tool = Tool::new(&two_tasks());
    tool.ask("do:save:logs");
    assert_eq!(tool.acts.iter().filter(|(kind, _)| kind == "save").count(), 2);
    tool.ask("do:show:logs");
    assert!(tool.html.contains("Two-tasks-EDF-log1.json") && tool.html.contains("save:logs:1"), "{}", tool.html);
    assert!(tool.html.contains("What does not carry over"));
    tool.ask("do:save:logs:1");
    let (name, _, text) = tool.saved();
    assert_eq!(name, "Two-tasks-EDF-log2.json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(text).unwrap()["label"], "lidar");
}

#[test]
fn exports_tool_shows_one_form_at_a_time() {
    let mut tool = Tool::new(&two_tasks());
    tool.ask("open:kernels");
    assert!(tool.html.contains("kernel,task,process") && tool.html.contains("id=\"export-kernels\""), "{}", tool.html);
    tool.ask("do:show:jobs");
    assert!(tool.html.contains("task,process,class") && !tool.html.contains("kernel,task,process"));
    let html = tool.html.clone();
    assert_eq!(tool.ask("move").html, html);
    assert!(!tool.ask("do:show:jobs").html.contains("task,process,class"));
}

#[test]
fn exports_tool_says_why_there_is_no_file() {
    let draft = Draft { kernels: vec![KernelDraft::named("K1", 1, 32, 5)], ..Draft::default() };
    let mut tool = Tool::new(&draft);
    tool.ask("do:save:simso");
    assert!(tool.html.contains("no real-time task") && tool.html.contains("role=\"alert\""), "{}", tool.html);
    tool.ask("do:show:simso");
    assert_eq!(tool.html.matches("no real-time task").count(), 1);
}

#[test]
fn exports_tool_writes_names_as_text() {
    let mut tool = Tool::new(&with_hostile_names(two_tasks()));
    for (id, ..) in FORMS {
        tool.ask(&format!("do:show:{id}"));
        assert!(!tool.html.contains("</task>") && !tool.html.contains("<x "), "{id}");
    }
}
