//! The tool: what it shows and asks the page for, as the page talks to it.

use blockstep::format;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};
use blockstep::scenario::Draft;

use crate::markup::is_well_formed;

/// The page's side of the tool.
struct Page {
    lab: Lab,
    scenario: String,
    state: String,
    html: String,
    /// Kind and value of what the page was asked for last.
    acts: Vec<(String, String)>,
    place: Query,
}

impl Page {
    fn new(draft: &Draft) -> Self {
        let mut place = Query::new();
        place.set("left", "84").set("plot", "700");
        let [state, html] = [const { String::new() }; 2];
        Self { lab: Lab::default(), scenario: format::write_scenario(draft), state, html, acts: Vec::new(), place }
    }

    fn example(id: &str) -> Self {
        Self::new(&super::example(id))
    }

    fn ask(&mut self, event: &str, fields: &str) -> &mut Self {
        self.give(event, fields, &[])
    }

    fn give(&mut self, event: &str, fields: &str, files: &[(String, String)]) -> &mut Self {
        let mut arguments = ["measured", event, fields, &self.state, &self.scenario, &self.place.write()].map(str::to_owned).to_vec();
        arguments.extend(files.iter().flat_map(|(name, text)| [name.clone(), text.clone()]));
        let parts = self.lab.answer("tool", &arguments).unwrap();
        let mut texts = parts.into_iter().map(|part| match part {
            Part::Text(text) => text,
            Part::Words(_) => panic!("a tool answers in texts"),
        });
        self.state = texts.next().unwrap();
        self.html = texts.next().unwrap();
        let rest: Vec<String> = texts.collect();
        self.acts = rest.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        assert!(is_well_formed(&self.html), "{}", self.html);
        assert!(is_well_formed(self.wide()), "{}", self.wide());
        self
    }

    fn act(&self, kind: &str) -> Option<&str> {
        self.acts.iter().rev().find(|(k, _)| k == kind).map(|(_, value)| value.as_str())
    }

    fn wide(&self) -> &str {
        self.act("wide").unwrap_or("")
    }

    /// Opens the scenario that the tool asked for.
    fn follow(&mut self) -> &mut Self {
        self.scenario = self.act("scenario").unwrap().split_once('\n').unwrap().1.to_owned();
        self.ask("move", "")
    }
}

/// A small log of an own run.
fn small(label: &str, name: &str, launch: &str, blocks: &str, sms: &str) -> (String, String) {
    let count = sms.split(',').count();
    // Each thread writes one log.
    let tid = 8 + label.len();
    let text = format!(
        r#"{{ "scenario_name": "Small", "benchmark_name": "Timer Spin", "label": "{label}", "max_resident_threads": 4096, "data_size": 0, "release_time": 0.0, "PID": 7, "TID": {tid},
        "times": [{{}}, {{"kernel_name": "{name}", "block_count": {count}, "thread_count": 1024, "shared_memory": 0, "cuda_launch_times": [{launch}], "block_times": [{blocks}], "block_smids": [{sms}], "cpu_core": 1}}] }}"#
    );
    (format!("{}.json", label.replace(['<', '>', '/'], "")), text)
}

fn two() -> Vec<(String, String)> {
    vec![
        small("A", "GPUSpin", "0.001, 0.0012, 0.004", "0.0011, 0.0031, 0.0011, 0.0031, 0.0011, 0.0031, 0.0011, 0.0031", "0,1,0,1"),
        small("<b>B</b>", "GPUSpin", "0.002, 0.0021, 0.009", "0.0031, 0.0051, 0.0031, 0.0051", "0,1"),
    ]
}

#[test]
fn measured_tool_says_what_it_takes() {
    let mut page = Page::example("tx2-table-1");
    page.ask("open:", "");
    assert!(page.html.contains("Open…") && page.html.contains("data-do=\"try\"") && page.wide().is_empty());
    // A link of another day.
    page.state = "logs=123".to_owned();
    page.ask("move", "");
    assert!(page.html.contains("These logs are not here any more: open them again."));
}

#[test]
fn measured_tool_opens_logs_builds_the_scenario_and_lays_them_over_it() {
    let mut page = Page::example("tx2-table-1");
    page.give("open:files", "", &two());
    assert!(page.html.contains("Small") && page.html.contains("2 logs, 2 kernels, 6 blocks in 4 ms."), "{}", page.html);
    assert!(page.html.contains("From the logs: Jetson TX2 (Pascal gp10b)"), "{}", page.html);
    assert!(page.html.contains("The scenario on screen has no kernel of these logs."));
    assert!(page.wide().contains("<svg") && page.wide().contains("6 blocks on 2 SMs.") && !page.wide().contains("dashed: as simulated"));
    assert!(!page.html.contains("<b>B") && !page.wide().contains("<b>B") && page.wide().contains("&lt;b&gt;B"));
    page.ask("do:build", "").follow();
    assert!(page.html.contains("2 of 2 kernels, 6 of 6 blocks; by the logs' labels"), "{}", page.html);
    assert!(page.html.contains("0.001100000 s of the logs is 0 s of the run"), "{}", page.html);
    assert!(page.html.contains("No matched block starts or ends more than 10 µs off."), "{}", page.html);
    assert!(page.html.contains("What the scenario built from the logs assumes"));
    // What was built from the logs knows no more than they do; a scenario that somebody wrote does.
    assert!(page.html.contains("A1, A2"), "{}", page.html);
    let built = page.scenario.clone();
    let mut own = format::read_scenario(&built).unwrap();
    own.name = "Own".to_owned();
    page.scenario = format::write_scenario(&own);
    assert!(!page.ask("move", "").html.contains("A1, A2"), "{}", page.html);
    page.scenario = built;
    page.ask("move", "");
    assert!(page.wide().contains("dashed: as simulated") && page.wide().matches("measured-simulated\"").count() == 6, "{}", page.wide());
    // The same as the page's timeline has it.
    assert!(page.wide().contains("data-go-time=\"2000000\""), "{}", page.wide());
    page.ask("do:csv", "");
    let (head, csv) = page.act("save").unwrap().split_once("\ntext/csv\n").unwrap();
    assert_eq!((head, csv.lines().count()), ("measured.csv", 7));
    assert_eq!(csv.lines().nth(1).unwrap(), "A.json,A,0,0,1100000,3100000,A,0,0,0,2000000,1100000,0,0");
    // Zoomed as the page is.
    page.place.set("from", "0").set("to", "1000000").set("at", "500000").set("position", "3");
    page.ask("move", "");
    assert_eq!(page.wide().matches("measured-simulated\"").count(), 4);
    page.ask("do:fold table", "");
    assert!(page.wide().contains("<th scope=\"col\">Start, than simulated</th>") && page.wide().matches("<tr>").count() == 7);
    assert_eq!(page.ask("do:fold table", "").wide().matches("<tr>").count(), 0);
    page.ask("do:forget", "");
    assert!(page.wide().is_empty() && page.html.contains("data-do=\"try\"") && !page.state.contains("logs"));
}

#[test]
fn measured_tool_lists_differences() {
    let mut page = Page::example("tx2-table-1");
    page.give("open:files", "", &two()).ask("do:build", "").follow();
    let mut draft = format::read_scenario(&page.scenario).unwrap();
    draft.kernels[1].block_time_ns = blockstep::scenario::BlockTimes::Each(2_500_000);
    page.scenario = format::write_scenario(&draft);
    page.ask("move", "");
    assert!(page.html.contains("&lt;b&gt;B&lt;/b&gt;, block 0: ended 500 µs earlier than simulated (4.5 ms)."), "{}", page.html);
    assert!(page.html.contains("data-go-time=\"4500000\""));
    page.ask("change:tolerance", "tolerance=1+ms");
    assert!(page.html.contains("No matched block starts or ends more than 1 ms off."), "{}", page.html);
    page.ask("change:tolerance", "tolerance=soon");
    assert!(page.html.contains("role=\"alert\"") && page.html.contains("Until then it is 10 µs."), "{}", page.html);
    // On a device that has not the SMs, those that were measured have lanes of their own.
    page.ask("change:device", "device=k5000");
    assert!(page.wide().contains("SM 7"));
}

#[test]
fn measured_tool_takes_what_was_run_with_the_logs() {
    let scenario = ("run.json".to_owned(), format::write_scenario(&super::example("tx2-table-1")));
    let mut page = Page::example("tx2-table-5");
    let mut files = two();
    files.push(scenario.clone());
    page.give("open:files", "", &files);
    assert!(page.act("scenario").is_some() && page.html.contains("2 logs"));
    // Neither is opened if either is wrong.
    files.push(("second.json".to_owned(), scenario.1.clone()));
    page.ask("do:forget", "").give("open:files", "", &files);
    assert!(page.html.contains("run.json, second.json: these are no logs") && page.act("scenario").is_none() && page.wide().is_empty());
    page.give("open:files", "", &[("a.json".to_owned(), r#"{"times": 1}"#.to_owned())]);
    assert!(page.html.contains("a.json: ") && page.html.contains("role=\"alert\""), "{}", page.html);
    page.give("open:files", "", &[("x.json".to_owned(), "{".to_owned())]);
    assert!(page.html.contains("x.json: "), "{}", page.html);
    page.give("open:files", "", &two());
    assert!(!page.html.contains("role=\"alert\""), "{}", page.html);
}

#[test]
fn measured_tool_can_be_tried_without_a_gpu() {
    for id in ["tx2-table-1", "tx2-fig-9-processes", "lp-thread", "edf-fig-2a"] {
        let mut page = Page::example(id);
        page.ask("open:", "").ask("do:try", "");
        assert!(page.html.contains("Made up: these logs were made of a simulated run"), "{id}: {}", page.html);
        assert!(page.wide().contains("Made-up blocks") && page.wide().contains("dashed: as simulated"));
        assert!(page.html.contains("No matched block starts or ends more than 10 µs off."), "{id}: {}", page.html);
        page.ask("do:csv", "");
        assert!(page.act("save").unwrap().starts_with("measured-made-up.csv\n"));
    }
}

#[test]
fn measured_tool_shows_what_breaks_a_rule() {
    // Fourteen blocks of 1024 threads where eight fit, on an SM that there is not, and with an end before its start.
    let mut files = two();
    files[1].1 = files[1].1.replace("\"block_smids\": [0,1]", "\"block_smids\": [0,99]");
    files[0].1 = files[0].1.replace("0.0011, 0.0031, 0.0011, 0.0031]", "0.0011, 0.0031, 0.0031, 0.0011]");
    let mut page = Page::example("tx2-table-1");
    page.give("open:files", "", &files);
    assert!(page.html.contains("2 violations, with a tolerance of 10 µs."), "{}", page.html);
    assert!(
        page.html.contains(">sm-id</span>") && page.html.contains(">block-times</span>") && page.html.contains("SM 99"),
        "{}",
        page.html
    );
    assert!(page.wide().contains("2 violations are marked.") && page.wide().contains("breaks a rule"));
    assert!(page.wide().matches("\"measured-broken\"").count() >= 2 && page.wide().contains("SM 99"), "{}", page.wide());
    // Each can be visited: in the logs alone by zooming in on it.
    page.ask("do:see 1", "");
    assert!(page.wide().contains("measured-broken is-chosen") && page.wide().contains("Show the whole run") && page.act("at").is_none());
    assert!(page.html.contains("aria-pressed=\"true\"") && page.act("say").is_some());
    page.ask("do:whole", "");
    assert!(!page.wide().contains("is-chosen") && !page.wide().contains("Show the whole run"));
    page.ask("do:see 77", "");
    assert!(!page.wide().contains("is-chosen"));
    // Laid over a run by going there.
    page.give("open:files", "", &two()).ask("do:build", "").follow().give("open:files", "", &files);
    page.ask("do:see 2", "");
    assert!(page.act("at").is_some_and(|at| at.parse::<u64>().is_ok()) && page.wide().contains("is-chosen"), "{:?}", page.acts);
    dump(&page, "broken", false);
    // Stream order: the second kernel of a log before its first has ended.
    let first = small("A", "GPUSpin", "0.001, 0.0012, 0.009", "0.0011, 0.0031", "0").1;
    let kernel = first.split("{}, ").nth(1).unwrap().split("}]").next().unwrap().to_owned();
    let second = kernel.replace("0.001, 0.0012, 0.009", "0.0013, 0.0014, 0.009").replace("0.0011, 0.0031", "0.0021, 0.0041");
    let text = first.replace(&kernel, &format!("{kernel}}}, {second}"));
    page.give("open:files", "", &[("a.json".to_owned(), text)]);
    assert!(page.html.contains("data-rule=\"G2\""), "{}", page.html);
    let number =
        page.html.split("data-rule=\"G2\"").nth(1).unwrap().split("data-do=\"see ").nth(1).unwrap().split('"').next().unwrap().to_owned();
    page.ask(&format!("do:see {number}"), "");
    assert!(page.wide().contains("measured-awaited") && page.wide().contains("what it should have waited for"), "{}", page.wide());
}

#[test]
fn measured_tool_shows_the_real_run() {
    let Some(files) = crate::logs::real() else { return };
    let mut page = Page::example("tx2-table-1");
    page.place.set("width", "320").set("plot", "900");
    page.give("open:files", "", &files);
    assert!(page.html.contains("4 logs, 4 kernels, 32 blocks in 1.000898923 s."), "{}", page.html);
    assert!(page.html.contains("From the logs: Quadro K5000 (Kepler gk104)"));
    page.ask("do:build", "").follow();
    assert!(page.html.contains("4 of 4 kernels, 32 of 32 blocks; by the logs' labels"), "{}", page.html);
    assert!(page.html.contains("No matched block starts or ends more than 10 µs off."), "{}", page.html);
    assert!(
        page.html.contains("Nothing that can be judged breaks a rule") && page.html.contains("What these logs cannot tell"),
        "{}",
        page.html
    );
    dump(&page, "real", false);
    page.place.set("dark", "1");
    page.ask("do:fold table", "");
    dump(&page, "real", true);
}

/// For looking at.
fn dump(page: &Page, name: &str, dark: bool) {
    let Some(folder) = std::env::var_os("B_DUMP") else { return };
    let style = |name: &str| std::fs::read_to_string(format!("{}/style/{name}.css", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let css: String = ["main", "learn", "measured"].map(style).concat();
    let theme = if dark { " data-theme=\"dark\"" } else { "" };
    let wide = page.wide();
    let html = format!(
        "<!doctype html><html data-ready=\"1\"{theme}><meta charset=\"utf-8\"><style>{css}body{{overflow:auto;display:block}}</style><body><div style=\"width:340px\"><section class=\"panel tool\"><form class=\"tool-body\">{}</form></section></div><section class=\"panel tool-wide\" style=\"width:1016px\">{wide}</section></body></html>",
        page.html
    );
    let to = std::path::Path::new(&folder).join(format!("{name}-{}", u8::from(dark)));
    std::fs::create_dir_all(&to).unwrap();
    std::fs::write(to.join("index.html"), html).unwrap();
}
