//! The tool: what it shows and asks the page for, as the page talks to it.

use blockstep_format as format;
use blockstep_protocol::{Cursor, Effect};
use blockstep_sim::scenario::Draft;
use blockstep_sim::trace::Rule;
use blockstep_sim::units::Time;
use blockstep_tools::measured::{
    Checked, Fold, LegendSign, LogsView, MEASURED_EXAMPLES, MarkKind, Measured, MeasuredContent, MeasuredWide, Msg, State, View,
    unpack_example,
};
use blockstep_tools::tool::{Event, Tool, memory};

use crate::tool::{OnPage, Told};

/// The page's side of the tool, with what was told last.
struct Page {
    on: OnPage<Measured>,
    told: Told<Measured>,
}

impl Page {
    fn new(draft: &Draft) -> Self {
        let mut on = OnPage::new("measured", &format::write_scenario(draft));
        let told = on.tell(Event::Opened(String::new())).unwrap();
        Self { on, told }
    }

    fn example(id: &str) -> Self {
        Self::new(&super::example(id))
    }

    fn tell(&mut self, event: Event<Msg>) -> &mut Self {
        self.told = self.on.tell(event).unwrap();
        self
    }

    fn send(&mut self, message: Msg) -> &mut Self {
        self.tell(Event::Message(message))
    }

    /// What the controls show and change.
    fn state(&self) -> State {
        Measured::remembered(&self.on.memory)
    }

    fn edit(&mut self, change: impl FnOnce(&mut State)) -> &mut Self {
        self.told = self.on.edit(change);
        self
    }

    fn give(&mut self, files: &[(String, String)]) -> &mut Self {
        self.tell(Event::OpenedWith(files.to_vec()))
    }

    fn moved(&mut self) -> &mut Self {
        self.tell(Event::Moved)
    }

    fn view(&self) -> &View {
        self.told.view.as_ref().unwrap()
    }

    fn problem(&self) -> String {
        self.view().problem.join("\n")
    }

    fn logs(&self) -> &LogsView {
        match &self.view().content {
            MeasuredContent::Logs(logs) => logs,
            MeasuredContent::Empty(_) => panic!("there are no logs: {:?}", self.view()),
        }
    }

    /// Whether there are logs.
    fn has_logs(&self) -> bool {
        assert_eq!(matches!(self.view().content, MeasuredContent::Logs(_)), self.view().wide.is_some());
        self.view().wide.is_some()
    }

    fn wide(&self) -> &MeasuredWide {
        self.view().wide.as_ref().unwrap()
    }

    /// What is said of the run on screen: the summary, that nothing differs, and what does.
    fn against(&self) -> String {
        let Some(against) = &self.logs().against else { return String::new() };
        let mut lines: Vec<String> = against.summary.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        lines.extend(against.agrees.clone());
        for group in &against.groups {
            lines.push(group.title.clone());
            lines.extend(group.remarks.iter().map(|remark| remark.text.clone()));
        }
        lines.join("\n")
    }

    fn marks(&self, kind: MarkKind) -> usize {
        self.wide().marks.iter().filter(|mark| mark.kind == kind).count()
    }

    /// Signs of the legend that are no kernel's.
    fn signs(&self) -> Vec<&str> {
        self.wide().legend.iter().filter(|line| !matches!(line.sign, LegendSign::Kernel(_))).map(|line| line.text.as_str()).collect()
    }

    fn says(&self) -> Option<&str> {
        self.told.effects.iter().find_map(|effect| if let Effect::Announce(text) = effect { Some(text.as_str()) } else { None })
    }

    fn scenario(&self) -> Option<&str> {
        self.told
            .effects
            .iter()
            .find_map(|effect| if let Effect::OpenScenario { scenario, .. } = effect { Some(scenario.as_str()) } else { None })
    }

    /// Where the page is to go.
    fn at(&self) -> Option<Time> {
        self.told.effects.iter().find_map(|effect| if let Effect::GoToTime(at) = effect { Some(*at) } else { None })
    }

    /// How far the page's timeline is to reach, if that is another time.
    fn reach(&self) -> Option<Time> {
        self.told.effects.iter().find_map(|effect| if let Effect::ExtendTimeline(to) = effect { Some(*to) } else { None })
    }

    /// Name and text of the file that is saved.
    fn saved(&self) -> (&str, &str) {
        let [Effect::SaveFile { name, kind, text }] = &self.told.effects[..] else { panic!("{:?}", self.told.effects) };
        assert_eq!(kind, "text/csv");
        (name, text)
    }

    /// Opens the scenario that the tool asked for.
    fn follow(&mut self) -> &mut Self {
        self.on.scenario = self.scenario().unwrap().to_owned();
        self.moved()
    }

    /// The rules and checks of what is violated.
    fn violated(&self) -> Vec<String> {
        let name = |check: &Checked| match check {
            Checked::Rule(rule) => rule.id().to_owned(),
            Checked::Other(id, _) => id.clone(),
        };
        self.logs().violations.iter().map(|violated| name(&violated.check)).collect()
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
    assert_eq!((page.view().content.clone(), page.has_logs()), (MeasuredContent::Empty(false), false));
    assert_eq!(page.reach(), Some(Time::ZERO), "whatever the page showed before");
    // A link of another day.
    page.on.memory = "logs=123".to_owned();
    page.moved();
    assert_eq!((page.view().content.clone(), page.reach()), (MeasuredContent::Empty(true), None));
}

#[test]
fn measured_tool_opens_logs_builds_the_scenario_and_lays_them_over_it() {
    let mut page = Page::example("tx2-table-1");
    page.give(&two());
    assert_eq!(page.says(), Some("2 logs were read."));
    assert_eq!((page.logs().name.as_deref(), page.logs().count.as_str()), (Some("Small"), "2 logs, 2 kernels, 6 blocks in 4 ms."));
    assert_eq!((page.logs().devices[0].1.as_str(), page.state().device()), ("From the logs: Jetson TX2 (Pascal gp10b)", ""));
    assert_eq!(page.logs().against, None, "the scenario on screen has no kernel of these logs");
    assert!(page.wide().svg.starts_with("<svg") && page.wide().description.contains("6 blocks on 2 SMs."));
    assert_eq!((page.wide().heading.as_str(), page.signs()), ("Measured blocks, by SM", vec!["arrows: when launches were called"]));
    let names: Vec<&str> = page.wide().legend.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(names[..2], ["A", "<b>B</b>"]);
    assert!(!page.wide().svg.contains("<b>B") && page.wide().svg.contains("&lt;b&gt;B"), "names are text in the picture");
    page.send(Msg::Build);
    assert_eq!(page.says(), Some("The scenario is built: 2 kernels."));
    page.follow();
    let against = page.against();
    assert!(against.contains("2 of 2 kernels, 6 of 6 blocks; by the logs' labels"), "{against}");
    assert!(against.contains("0.001100000 s of the logs is 0 s of the run"), "{against}");
    assert!(against.contains("All matched blocks start and end within 10 µs of the simulation."), "{against}");
    assert!(page.logs().built.as_ref().is_some_and(|notes| notes.is_open && !notes.items.is_empty()), "what it assumes");
    // What was built from the logs knows no more than they do; a scenario that somebody wrote does.
    let untold = |page: &Page| page.logs().unjudged.as_ref().is_some_and(|of| of.items.iter().any(|(rules, _)| rules.contains("A1, A2")));
    assert!(untold(&page), "{:?}", page.logs().unjudged);
    let built = page.on.scenario.clone();
    let mut own = format::read_scenario(&built).unwrap();
    own.name = "Own".to_owned();
    page.on.scenario = format::write_scenario(&own);
    assert!(!untold(page.moved()), "{:?}", page.logs().unjudged);
    page.on.scenario = built;
    page.moved();
    assert_eq!((page.signs()[0], page.wide().outlines.len()), ("dashed: as simulated", 6));
    // The same as the page's timeline has it.
    let at_2_ms: Vec<&str> = page.wide().pointed.iter().filter(|of| of.at == Some(Time(2_000_000))).map(|of| of.tip.as_str()).collect();
    let tip = "<b>B</b>, block 0, on SM 0: 2 ms to 4 ms; compared with the simulation: started at the same time, ended at the same time";
    assert!(at_2_ms.len() == 2 && at_2_ms.contains(&tip), "{at_2_ms:?}");
    page.send(Msg::SaveCsv);
    let (name, csv) = page.saved();
    assert_eq!((name, csv.lines().count()), ("measured.csv", 7));
    assert_eq!(csv.lines().nth(1).unwrap(), "A.json,A,0,0,1100000,3100000,A,0,0,0,2000000,1100000,0,0");
    // Zoomed as the page is.
    page.on.screen.shown = Some((0, 1_000_000));
    page.on.cursor = Cursor { position: 3, at: Time(500_000), ..Cursor::default() };
    assert_eq!(page.moved().wide().outlines.len(), 4);
    page.edit(|state| state.toggle(Fold::Table));
    let table = &page.wide().table;
    assert!(table.heads.contains(&"Start difference".to_owned()) && table.more.is_none());
    assert!(table.rows.items.len() == 6 && table.rows.items.iter().all(|row| row.len() == table.heads.len()), "{table:?}");
    assert_eq!(table.rows.items[0], ["A", "0", "0", "0 s", "2 ms", "at the same time", "at the same time", "SM 0"]);
    let table = &page.edit(|state| state.toggle(Fold::Table)).wide().table;
    assert!(!table.rows.is_open && table.rows.items.is_empty());
    assert!(!page.send(Msg::Forget).has_logs() && !page.on.memory.contains("logs"), "{}", page.on.memory);
}

#[test]
fn measured_tool_lists_differences() {
    let mut page = Page::example("tx2-table-1");
    page.give(&two()).send(Msg::Build).follow();
    let mut draft = format::read_scenario(&page.on.scenario).unwrap();
    draft.kernels[1].block_time_ns = blockstep_sim::scenario::BlockTimes::Each(2_500_000);
    page.on.scenario = format::write_scenario(&draft);
    page.moved();
    let groups = &page.logs().against.as_ref().unwrap().groups;
    let said: Vec<_> = groups.iter().flat_map(|group| &group.remarks).collect();
    let of = said.iter().find(|said| said.text == "<b>B</b>, block 0: ended 500 µs earlier than simulated (4.5 ms).");
    assert_eq!(of.unwrap_or_else(|| panic!("{said:?}")).at, Some(Time(4_500_000)));
    page.edit(|state| state.set_tolerance("1 ms".to_owned()));
    assert!(page.against().contains("All matched blocks start and end within 1 ms of the simulation."), "{}", page.against());
    page.edit(|state| state.set_tolerance("soon".to_owned()));
    let problem = page.logs().tolerance_problem.as_ref().unwrap();
    assert!(problem.contains("Until then it is 10 µs.") && page.state().tolerance_text() == "soon", "{problem}");
    // On a device that has not the SMs, those that were measured have lanes of their own.
    page.edit(|state| state.set_device("k5000".to_owned()));
    assert!(page.wide().svg.contains("SM 7") && page.logs().found_device.is_none() && page.state().device() == "k5000");
}

#[test]
fn measured_tool_takes_what_was_run_with_the_logs() {
    let scenario = ("run.json".to_owned(), format::write_scenario(&super::example("tx2-table-1")));
    let mut page = Page::example("tx2-table-5");
    let mut files = two();
    files.push(scenario.clone());
    page.give(&files);
    assert!(page.scenario().is_some() && page.logs().count.starts_with("2 logs"));
    // Neither is opened if either is wrong.
    files.push(("second.json".to_owned(), scenario.1.clone()));
    page.send(Msg::Forget).give(&files);
    assert!(page.problem().contains("run.json, second.json: not logs") && page.scenario().is_none() && !page.has_logs());
    for (name, text) in [("a.json", r#"{"times": 1}"#), ("x.json", "{")] {
        page.give(&[(name.to_owned(), text.to_owned())]);
        assert!(page.problem().contains(&format!("{name}: ")), "{}", page.problem());
        assert_eq!(page.view().content, MeasuredContent::Empty(false));
    }
    let problem = page.problem();
    assert_eq!(page.moved().problem(), problem, "it stays until something is done");
    assert_eq!(page.give(&two()).problem(), "");
}

#[test]
fn measured_tool_can_be_tried_without_a_gpu() {
    for id in ["tx2-table-1", "tx2-fig-9-processes", "lp-thread", "edf-fig-2a"] {
        let mut page = Page::example(id);
        page.send(Msg::Try);
        assert!(page.logs().is_generated, "{id}");
        assert_eq!((page.wide().heading.as_str(), page.signs().contains(&"dashed: as simulated")), ("Generated blocks, by SM", true));
        assert!(page.against().contains("All matched blocks start and end within 10 µs of the simulation."), "{id}: {}", page.against());
        assert_eq!(page.send(Msg::SaveCsv).saved().0, "measured-made-up.csv");
    }
}

#[test]
fn measured_tool_shows_what_breaks_a_rule() {
    // Fourteen blocks of 1024 threads where eight fit, on an SM that there is not, and with an end before its start.
    let mut files = two();
    files[1].1 = files[1].1.replace("\"block_smids\": [0,1]", "\"block_smids\": [0,99]");
    files[0].1 = files[0].1.replace("0.0011, 0.0031, 0.0011, 0.0031]", "0.0011, 0.0031, 0.0031, 0.0011]");
    let mut page = Page::example("tx2-table-1");
    page.give(&files);
    assert_eq!((page.logs().conforms, page.logs().verdict.as_str()), (false, "2 violations, with a tolerance of 10 µs."));
    let violated = page.violated();
    assert!(violated.contains(&"sm-id".to_owned()) && violated.contains(&"block-times".to_owned()), "{violated:?}");
    assert!(page.logs().violations.iter().any(|violated| violated.sentence.contains("SM 99")), "{:?}", page.logs().violations);
    assert!(page.wide().description.contains("2 violations are marked.") && page.signs().contains(&"breaks a rule"));
    assert!(page.marks(MarkKind::Broken) >= 2 && page.wide().svg.contains("SM 99"), "{:?}", page.wide());
    // Each can be visited: in the logs alone by zooming in on it.
    page.send(Msg::See(1));
    assert!(page.marks(MarkKind::Chosen) > 0 && page.wide().is_part && page.at().is_none());
    assert_eq!(page.logs().violations.iter().map(|violated| violated.is_shown).collect::<Vec<_>>(), [true, false]);
    assert_eq!(page.says(), Some(page.logs().violations[0].sentence.as_str()));
    page.edit(State::show_all);
    assert!(page.marks(MarkKind::Chosen) == 0 && !page.wide().is_part);
    for number in [77, 0] {
        page.send(Msg::See(number));
        assert!(page.marks(MarkKind::Chosen) == 0 && page.says().is_none());
    }
    // Another tolerance or device may leave others.
    page.send(Msg::See(1)).edit(|state| state.set_tolerance("9 µs".to_owned()));
    assert!(page.logs().violations.iter().all(|violated| !violated.is_shown));
    // Also where they were chosen before the page had the answer.
    let edits: [fn(&mut State); 2] = [|state| state.set_device("k5000".to_owned()), |state| state.set_tolerance("8 µs".to_owned())];
    for edit in edits {
        let (earlier, mut state) = (page.state(), page.state());
        edit(&mut state);
        let changes = memory::since(&state, &earlier).unwrap();
        page.send(Msg::See(1)).tell(Event::Edit(changes));
        assert!(page.logs().violations.iter().all(|violated| !violated.is_shown) && page.marks(MarkKind::Chosen) == 0);
    }
    // Laid over a run by going there.
    page.give(&two()).send(Msg::Build).follow().give(&files);
    page.send(Msg::See(2));
    assert!(page.at().is_some() && page.marks(MarkKind::Chosen) > 0, "{:?}", page.told.effects);
    // Stream order: the second kernel of a log before its first has ended.
    let first = small("A", "GPUSpin", "0.001, 0.0012, 0.009", "0.0011, 0.0031", "0").1;
    let kernel = first.split("{}, ").nth(1).unwrap().split("}]").next().unwrap().to_owned();
    let second = kernel.replace("0.001, 0.0012, 0.009", "0.0013, 0.0014, 0.009").replace("0.0011, 0.0031", "0.0021, 0.0041");
    let text = first.replace(&kernel, &format!("{kernel}}}, {second}"));
    page.give(&[("a.json".to_owned(), text)]);
    let of_order = page.logs().violations.iter().find(|violated| violated.check == Checked::Rule(Rule::G2));
    let number = of_order.unwrap_or_else(|| panic!("{:?}", page.logs().violations)).number;
    page.send(Msg::See(number));
    assert!(page.marks(MarkKind::Awaited) > 0 && page.signs().contains(&"what it should have waited for"), "{:?}", page.wide());
}

/// The page's timeline reaches as far as what was measured, and no further once the logs or the panel are closed.
#[test]
fn measured_tool_has_the_timeline_reach_to_the_last_block() {
    let mut page = Page::example("tx2-table-1");
    page.give(&two());
    assert_eq!(page.reach(), Some(Time::ZERO), "they are not laid over it");
    page.send(Msg::Build).follow();
    let mut draft = format::read_scenario(&page.on.scenario).unwrap();
    draft.kernels[1].block_time_ns = blockstep_sim::scenario::BlockTimes::Each(1_000);
    page.on.scenario = format::write_scenario(&draft);
    page.moved();
    assert_eq!(page.reach(), Some(Time(4_000_000)));
    assert_eq!(page.moved().reach(), None, "it is asked for once");
    assert_eq!(page.send(Msg::Forget).reach(), Some(Time::ZERO));
    page.give(&two());
    assert_eq!(page.reach(), Some(Time(4_000_000)));
    assert_eq!(page.tell(Event::Closed).told.effects, [Effect::ExtendTimeline(Time::ZERO)]);
    // Opened anew, it does not rely on what the page has shown since.
    assert_eq!(page.tell(Event::Opened(String::new())).reach(), Some(Time(4_000_000)));
}

#[test]
fn measured_tool_shows_the_real_run() {
    let Some(files) = blockstep_testing::shared::logs() else { return };
    let mut page = Page::example("tx2-table-1");
    (page.on.screen.width_px, page.on.screen.plot_px) = (320, 900);
    page.give(&files);
    assert_eq!(page.logs().count, "4 logs, 4 kernels, 32 blocks in 1.000898923 s.");
    assert_eq!(page.logs().devices[0].1, "From the logs: Quadro K5000 (Kepler gk104)");
    page.send(Msg::Build).follow();
    let against = page.against();
    assert!(against.contains("4 of 4 kernels, 32 of 32 blocks; by the logs' labels"), "{against}");
    assert!(against.contains("All matched blocks start and end within 10 µs of the simulation."), "{against}");
    assert!(page.logs().conforms && page.logs().verdict.starts_with("No violations found"), "{}", page.logs().verdict);
    assert!(page.logs().unjudged.as_ref().is_some_and(|of| of.is_open), "what these logs cannot tell");
    let light = page.wide().svg.clone();
    page.on.screen.is_dark = true;
    page.edit(|state| state.toggle(Fold::Table));
    assert!(page.wide().svg != light && page.wide().table.rows.items.len() == 32);
}

#[test]
fn the_runs_that_the_page_offers_lie_over_their_scenarios() {
    for of in MEASURED_EXAMPLES {
        let path = format!("{}/public/measured/{}.json", blockstep_testing::ROOT, of.name);
        let files = unpack_example(of.name, &std::fs::read_to_string(path).unwrap()).unwrap();
        let mut page = Page::example("tx2-table-1");
        page.give(&files);
        assert_eq!(page.problem(), "", "{}", of.name);
        let name = page.follow().logs().name.clone().unwrap();
        assert!(name.starts_with(of.title) && name.contains("NVIDIA H200, driver"), "{name}");
        let against = page.against();
        let matched = against.lines().find_map(|line| line.strip_prefix("Matched: ")).unwrap();
        let all = |of: &str| of.split_once(" of ").is_some_and(|(some, all)| all.split(' ').next() == Some(some));
        assert!(matched.split(", ").take(2).all(all), "{}: {matched}", of.name);
    }
    assert!(unpack_example("x", "{}").unwrap_err().to_string().starts_with("x.json"));
}
