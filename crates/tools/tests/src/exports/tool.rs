//! The tool that offers every form of file.

use blockstep_format::write_scenario;
use blockstep_protocol::Effect;
use blockstep_sim::scenario::*;
use blockstep_tools::export::{Export, FormId, FormPreview, Lacks, Msg, View};
use blockstep_tools::tool::Event;

use blockstep_testing::long_name;

use super::with_hostile_names;
use crate::tool::OnPage;

fn on(draft: &Draft) -> OnPage<Export> {
    OnPage::new("export", &write_scenario(draft))
}

/// Name, type and text of each file that is saved.
fn saved(effects: &[Effect]) -> Vec<(&str, &str, &str)> {
    let mut files = Vec::new();
    for effect in effects {
        if let Effect::SaveFile { name, kind, text } = effect {
            files.push((name.as_str(), kind.as_str(), text.as_str()));
        }
    }
    files
}

/// The form that is looked at, and what is seen.
fn looked_at(view: &View) -> Option<(FormId, &FormPreview)> {
    let mut all = view.forms.iter().filter_map(|offer| Some((offer.form, offer.look.as_ref()?)));
    let first = all.next();
    assert!(all.next().is_none(), "{view:?}");
    first
}

fn first_line(look: &FormPreview) -> &str {
    &look.files[0].head[0]
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

const FORMS: [(FormId, &str, &str); 9] = [
    (FormId::Trace, "Two-tasks-EDF-trace.json", "application/json"),
    (FormId::Steps, "Two-tasks-EDF-steps.txt", "text/plain"),
    (FormId::Blocks, "Two-tasks-EDF-blocks.csv", "text/csv"),
    (FormId::Kernels, "Two-tasks-EDF-kernels.csv", "text/csv"),
    (FormId::Jobs, "Two-tasks-EDF-jobs.csv", "text/csv"),
    (FormId::Waits, "Two-tasks-EDF-waits.csv", "text/csv"),
    (FormId::Results, "Two-tasks-EDF-results.csv", "text/csv"),
    (FormId::Chrome, "Two-tasks-EDF-chrome.json", "application/json"),
    (FormId::Simso, "Two-tasks-EDF-simso.xml", "application/xml"),
];

#[test]
fn exports_tool_saves_every_form() {
    let mut page = on(&two_tasks());
    let view = page.open("");
    assert_eq!((view.forms.len(), view.cut.as_ref(), looked_at(&view)), (FORMS.len() + 1, None, None));
    for (form, name, kind) in FORMS {
        assert!(view.forms.iter().any(|offer| offer.form == form && offer.about.contains(" Opens in ")), "{form:?}");
        let told = page.send(Msg::Save(form));
        let [(saved, as_kind, text)] = saved(&told.effects)[..] else { panic!("{:?}", told.effects) };
        assert_eq!((saved, as_kind), (name, kind));
        assert!(text.len() > 50, "{text}");
        assert_eq!(told.effects[0], Effect::Announce(format!("Saved {name}.")));
    }
}

#[test]
fn exports_tool_saves_logs_together_or_one_by_one() {
    let mut page = on(&two_tasks());
    let told = page.send(Msg::Save(FormId::Logs));
    assert_eq!(saved(&told.effects).len(), 2);
    assert_eq!(told.effects[0], Effect::Announce("Saved 2 files.".to_owned()));
    let told = page.edit(|state| state.look(FormId::Logs));
    let view = told.view.unwrap();
    let (_, look) = looked_at(&view).unwrap();
    assert_eq!(
        look.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["Two-tasks-EDF-log1.json", "Two-tasks-EDF-log2.json"]
    );
    assert!(matches!(&look.lacks, Lacks::InThisRun(losses) if !losses.is_empty()), "{look:?}");
    assert_eq!(told.effects, [Effect::Announce("The preview of Examiner logs is below its name.".to_owned())]);
    let told = page.send(Msg::SaveFile(FormId::Logs, 1));
    let [(name, _, text)] = saved(&told.effects)[..] else { panic!("{:?}", told.effects) };
    assert_eq!(name, "Two-tasks-EDF-log2.json");
    assert_eq!(serde_json::from_str::<serde_json::Value>(text).unwrap()["label"], "lidar");
}

#[test]
fn exports_tool_shows_one_form_at_a_time() {
    let mut page = on(&two_tasks());
    let view = page.open("kernels");
    let (form, look) = looked_at(&view).unwrap();
    assert_eq!(form, FormId::Kernels);
    assert!(first_line(look).starts_with("kernel,task,process"), "{look:?}");
    assert_eq!(look.lacks, Lacks::Always("Not included: Individual blocks and copies.".to_owned()));
    assert_eq!(page.memory, r#"{"shown":"kernels"}"#);
    let view = page.edit(|state| state.look(FormId::Jobs)).view.unwrap();
    let (form, look) = looked_at(&view).unwrap();
    assert!(form == FormId::Jobs && first_line(look).starts_with("task,process,class"), "{look:?}");
    assert_eq!(page.moved(), view);
    let told = page.edit(|state| state.look(FormId::Jobs));
    assert_eq!((looked_at(&told.view.unwrap()), told.effects.len()), (None, 0));
    // What no form is called changes nothing.
    page.memory = "shown=jobs".to_owned();
    assert_eq!(looked_at(&page.open("a form")).unwrap().0, FormId::Jobs);
    page.memory = "shown=a+form".to_owned();
    assert_eq!(looked_at(&page.moved()), None);
}

#[test]
fn exports_tool_says_why_there_is_no_file() {
    let draft = Draft { kernels: vec![KernelDraft::named("K1", 1, 32, 5)], ..Draft::default() };
    let mut page = on(&draft);
    let problems = |view: &View| {
        let said = view
            .forms
            .iter()
            .filter(|offer| offer.form == FormId::Simso)
            .flat_map(|offer| [offer.problem.clone(), offer.look.as_ref().and_then(|look| look.problem.clone())]);
        said.collect::<Vec<_>>()
    };
    let told = page.send(Msg::Save(FormId::Simso));
    assert_eq!(saved(&told.effects), []);
    let [Some(why), None] = &problems(&told.view.unwrap())[..] else { panic!("it is said, and not twice") };
    assert!(why.contains("no real-time task"), "{why}");
    let [None, Some(seen)] = &problems(&page.edit(|state| state.look(FormId::Simso)).view.unwrap())[..] else {
        panic!("it is said with the look")
    };
    assert_eq!(seen, why);
    let [Some(_), None] = &problems(&page.send(Msg::Save(FormId::Simso)).view.unwrap())[..] else { panic!("it is not said twice") };
    assert!(matches!(problems(&page.moved())[..], [None, Some(_)]));
}

#[test]
fn exports_tool_says_that_a_run_was_cut_short() {
    assert_eq!(on(&two_tasks()).open("").cut, None);
    // The server of the task has used up its budget, and the deadline that it then gets is past the last instant.
    let task = TaskDraft { budget_ns: Some(2), deadline_ns: Some(u64::MAX - 1), ..TaskDraft::named("a") };
    let draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Edf, cbs: true, ..PolicyDraft::default() },
        tasks: vec![task],
        kernels: vec![KernelDraft { task: Some("a".to_owned()), ..KernelDraft::named("K1", 1, 32, 5) }],
        ..Draft::default()
    };
    let cut = on(&draft).open("").cut.unwrap();
    assert!(cut.starts_with("This run was cut short: ") && cut.ends_with(". Files hold the run up to that point."), "{cut}");
}

#[test]
fn exports_tool_shows_files_of_any_names() {
    let mut page = on(&with_hostile_names(two_tasks()));
    for (form, ..) in FORMS {
        let view = page.edit(|state| state.look(form)).view.unwrap();
        let (_, look) = looked_at(&view).unwrap();
        assert!(look.problem.is_none() && !look.files[0].head.is_empty(), "{look:?}");
        assert!(look.files.iter().flat_map(|file| &file.head).all(|line| line.chars().count() <= 161), "{look:?}");
    }
    assert!(page.tell(Event::Closed).unwrap().effects.is_empty());
}

/// A link can hold a run whose file would not fit into memory: it is looked at, and not saved.
#[test]
fn exports_tool_refuses_what_is_too_large() {
    let mut page = on(&Draft { kernels: vec![KernelDraft::named(long_name(), 40_000, 1024, 5)], ..Draft::default() });
    let view = page.open("blocks");
    let (_, look) = looked_at(&view).unwrap();
    assert_eq!((look.files[0].size.as_str(), look.files[0].head.len()), ("more than 128 MiB, the most that the page saves at once", 8));
    let told = page.send(Msg::Save(FormId::Blocks));
    assert_eq!(saved(&told.effects), []);
    let view = told.view.unwrap();
    let problem = view.forms.iter().find(|offer| offer.form == FormId::Blocks).unwrap().problem.clone().unwrap();
    assert!(problem.contains("128 MiB") && problem.contains("command line"), "{problem}");
    // What is smaller is saved as ever.
    assert_eq!(saved(&page.send(Msg::Save(FormId::Kernels)).effects).len(), 1);
}
