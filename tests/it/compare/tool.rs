//! The tool: what it shows and asks the page for, as the page talks to it.

use blockstep::examples;
use blockstep::format;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};
use blockstep::scenario::{Draft, PolicyKind, TaskDraft};

use crate::markup::is_well_formed;

/// The page's side of the tool.
pub struct Page {
    lab: Lab,
    pub scenario: String,
    pub state: String,
    pub html: String,
    /// Kind and value of what the page was asked for last.
    pub acts: Vec<(String, String)>,
    pub place: Query,
}

impl Page {
    pub fn new(draft: &Draft) -> Self {
        let mut place = Query::new();
        place.set("left", "84").set("plot", "700");
        Self {
            lab: Lab::default(),
            scenario: format::write_scenario(draft),
            state: String::new(),
            html: String::new(),
            acts: Vec::new(),
            place,
        }
    }

    pub fn example(id: &str) -> Self {
        Self::new(&super::example(id))
    }

    pub fn ask(&mut self, event: &str, fields: &str) -> &mut Self {
        let arguments = ["compare", event, fields, &self.state, &self.scenario, &self.place.write()].map(str::to_owned);
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

    pub fn act(&self, kind: &str) -> Option<&str> {
        self.acts.iter().rev().find(|(k, _)| k == kind).map(|(_, value)| value.as_str())
    }

    /// Goes where the page was sent.
    pub fn follow(&mut self) -> &mut Self {
        if let Some(position) = self.act("go").map(str::to_owned) {
            let run = super::made(&format::read_scenario(&self.scenario).unwrap());
            let at = blockstep::view::position::time_at(&run.run.trace, position.parse().unwrap());
            self.place.set("position", position).set("at", at.ns().to_string());
        }
        if let Some(at) = self.act("at").map(str::to_owned) {
            let run = super::made(&format::read_scenario(&self.scenario).unwrap());
            let position = blockstep::view::position::at_time(&run.run.trace, blockstep::units::Time(at.parse().unwrap()));
            self.place.set("position", position.to_string()).set("at", at);
        }
        self.ask("move", "")
    }
}

#[test]
fn compare_opens_with_what_tells_most() {
    let mut page = Page::example("tx2-table-4");
    page.ask("open:", "");
    assert_eq!(page.state, "run=policy%3Dfifo");
    assert!(page.html.contains("The runs agree so far. They differ at 7 instants, first at 300 ms."), "{}", page.html);
    let wide = page.act("wide").unwrap();
    assert!(wide.contains("Policy: FIFO") && wide.contains("<svg") && is_well_formed(wide), "{wide}");
    assert!(is_well_formed(&page.html));
    // Both runs end at 4 s, so the page's timeline need not be longer.
    assert_eq!(page.act("extend"), Some("0"));
    // Under FIFO the other way round.
    let fifo = super::under(&super::example("tx2-table-4"), PolicyKind::Fifo);
    assert_eq!(Page::new(&fifo).ask("open:", "").state, "run=policy%3Dpriority");
    // With processes: the runlist; where it makes no difference, something that does.
    assert_eq!(Page::example("tx2-fig-9-processes").ask("open:", "").state, "run=policy%3Dpriority");
}

/// Nobody is left with two pictures that are the same.
#[test]
fn compare_says_why_two_runs_are_the_same_and_offers_another() {
    let mut page = Page::example("tx2-table-1");
    page.ask("open:", "");
    assert!(page.html.contains("do the same at every instant. No stream here has high priority, so FIFO and priority are the same."));
    assert!(is_well_formed(&page.html));
    let word = |page: &Page| page.html.split("data-do=\"instead ").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    let instead = word(&page).unwrap_or_else(|| panic!("{}", page.html));
    assert_eq!(instead, "variant=work-conserving");
    // It is not looked for again.
    let known = page.state.clone();
    page.ask("move", "");
    assert_eq!(page.state, known);
    page.ask(&format!("do:instead {instead}"), "");
    assert!(page.html.contains("differ at") && !page.html.contains("Policy: FIFO"), "{}", page.html);
    assert_eq!(word(&page), None);
    // Another policy goes before a changed rule.
    let mut page = Page::example("tx2-fig-9-processes");
    page.ask("open:device=tx2", "");
    assert!(word(&page).is_none_or(|word| word.starts_with("policy=")), "{}", page.html);
    // High priorities there are, but they change nothing: no reason is made up.
    let mut draft = super::example("tx2-table-4");
    draft.kernels.truncate(1);
    for stream in &mut draft.streams {
        stream.priority = blockstep::scenario::StreamPriority::High;
    }
    draft.kernels[0].stream = draft.streams[0].name.clone();
    let mut page = Page::new(&draft);
    page.ask("open:policy=fifo", "");
    assert!(!page.html.contains("No stream here"), "{}", page.html);
}

#[test]
fn compare_goes_from_difference_to_difference() {
    let mut page = Page::example("tx2-table-4");
    page.ask("open:policy=fifo", "").ask("do:first", "");
    let mut heads = Vec::new();
    for _ in 0..10 {
        assert!(page.act("say").is_none_or(|said| said.starts_with("Difference ")));
        page.follow();
        heads.push(page.html.split("<p class=\"compare-head\">").nth(1).unwrap().split('<').next().unwrap().to_owned());
        page.ask("do:next", "");
        if page.act("go").is_none() && page.act("at").is_none() {
            break;
        }
    }
    let at = ["300 ms", "500 ms", "1 s", "1.5 s", "2 s", "2.5 s", "3 s"];
    let expected: Vec<String> = at.iter().enumerate().map(|(i, at)| format!("Difference {} of 7, at {at}", i + 1)).collect();
    assert_eq!(heads, expected);
    // Back again.
    for i in (0..6).rev() {
        page.ask("do:previous", "").follow();
        assert!(page.html.contains(&heads[i]), "{i}: {}", page.html);
    }
    page.ask("do:previous", "");
    assert!(page.act("go").is_none() && page.act("at").is_none());
}

#[test]
fn compare_marks_changed_rules_everywhere() {
    let mut page = Page::example("tx2-table-4");
    page.ask("open:variant=work-conserving,last-fit&device=tx1", "");
    let wide = page.act("wide").unwrap();
    assert!(wide.contains("Rules changed: X1 work-conserving; Last-fit placement") && wide.contains("Not what the GPU does."));
    assert!(wide.contains("On the Jetson TX1"));
    page.ask("do:csv", "");
    let (head, csv) = page.act("save").unwrap().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(head, "comparison-varied.csv");
    let of_variant: Vec<&str> = csv.lines().filter(|line| line.contains("Rules changed")).collect();
    assert!(!of_variant.is_empty() && of_variant.iter().all(|line| line.contains("\"work-conserving, last-fit\"")), "{csv}");
    let columns = |line: &str| line.replace("work-conserving, last-fit", "").split(',').count();
    assert!(csv.lines().skip(1).all(|line| columns(line) == columns(csv.lines().nth(1).unwrap())), "{csv}");
    page.ask("do:figure", "");
    let figure = page.act("save").unwrap();
    assert!(figure.starts_with("comparison-varied.svg\nimage/svg+xml\n<svg"), "{}", &figure[..200]);
    assert!(figure.contains("Rules changed: X1 work-conserving; Last-fit placement"));
    // Without it the files are named as ever.
    page.ask("do:toggle variant=work-conserving,last-fit", "").ask("do:csv", "");
    assert!(page.act("save").unwrap().starts_with("comparison.csv\n"));
}

#[test]
fn compare_sets_an_edit_beside_what_was_before() {
    let mut page = Page::example("tx2-table-4");
    page.ask("open:pin", "");
    assert!(page.html.contains("The two runs do the same at every instant."));
    let mut edited = super::example("tx2-table-4");
    edited.kernels[0].blocks = 80;
    edited.kernels[0].name = "<i>K\"1</i>".to_owned();
    let before = std::mem::replace(&mut page.scenario, format::write_scenario(&edited));
    page.ask("move", "");
    let wide = page.act("wide").unwrap().to_owned();
    assert!(wide.contains("Before the edit") && wide.contains("not in this run"));
    assert!(!page.html.contains("<i>") && !wide.contains("<i>") && wide.contains("&lt;i&gt;K"));
    page.ask("do:queues pin", "");
    let wide = page.act("wide").unwrap().to_owned();
    assert!(is_well_formed(&wide) && wide.contains("diagram-grid") && wide.contains("aria-expanded=\"true\""));
    // The longer run on screen is now the shorter one: the page's timeline is asked to reach further.
    page.ask("do:pin", "");
    page.scenario = before;
    page.ask("move", "");
    assert!(page.act("extend").unwrap().parse::<u64>().unwrap() > 4_000_000_000);
    page.ask("move", "");
    assert_eq!(page.act("extend"), None);
    page.ask("do:close", "");
    assert_eq!(page.act("extend"), Some("0"));
    assert_eq!(page.act("wide"), Some(""));
    assert!(page.act("close").is_some());
}

#[test]
fn compare_says_what_cannot_be_run() {
    let mut draft = super::example("tx2-table-4");
    let mut task = TaskDraft::named("T");
    task.class = Some(blockstep::scenario::Class::RealTime);
    draft.tasks.push(task);
    let mut page = Page::new(&draft);
    page.ask("open:policy=edf&policy=fifo", "");
    let wide = page.act("wide").unwrap();
    assert!(wide.contains("This run cannot be made:") && wide.contains("deadline"), "{wide}");
    assert!(page.html.contains("There is no such run"), "{}", page.html);
    page.ask("change:with", "with=policy%3Dfifo");
    assert!(page.html.contains("They differ at 7 instants"));
    // At most four.
    page.ask("open:policy=edf&policy=fifo&device=tx1&device=k5000&device=titanv&variant=last-fit", "");
    assert_eq!(page.state.matches("run=").count(), 4);
    // Words of no run are passed over; then there is what tells most.
    let mut page = Page::example("tx2-table-4");
    page.ask("open:policy=none&device=x&variant=", "");
    assert_eq!(page.state, "run=policy%3Dfifo");
}

#[test]
fn compare_clicks_in_other_runs_select_on_screen() {
    let mut page = Page::example("tx2-table-4");
    // At 2.2 s K2 runs under priority, and K3 under FIFO.
    let run = super::made(&super::example("tx2-table-4"));
    let at = blockstep::units::Time(2_200_000_000);
    page.place.set("at", "2200000000").set("position", blockstep::view::position::at_time(&run.run.trace, at).to_string());
    page.ask("open:policy=fifo", "").ask("do:queues policy=fifo", "");
    let ids: Vec<String> = (0..run.run.trace.ops().len()).map(|i| run.run.trace.op_name(blockstep::units::OpId::at(i))).collect();
    let wide = page.act("wide").unwrap();
    let blocks: Vec<&str> = wide.split("data-block=\"").skip(1).collect();
    assert!(blocks.iter().any(|part| part.starts_with("K3")), "{wide}");
    for part in wide.split("<li").filter(|part| part.contains("data-op=")) {
        let id: usize = part.split("data-op=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let named = ids.iter().position(|name| part.contains(&format!(">{name}<")) || part.contains(&format!("data-item=\"{name}\"")));
        assert!(named.is_none_or(|named| named == id), "{part}");
    }
}

/// The rectangles and texts of a picture.
fn drawn(svg: &str) -> &str {
    svg.split("</desc>").nth(1).unwrap().split("</svg>").next().unwrap()
}

#[test]
fn compare_draws_in_line_with_the_page() {
    use blockstep::units::Time;
    use blockstep::view::time_scale::TimeScale;
    let mut draft = super::example("tx2-table-4");
    // The page shows what happens, not all of the time that is simulated.
    draft.horizon_ns = Some(9_000_000_000);
    let mut page = Page::new(&draft);
    let run = super::made(&draft);
    let timeline = blockstep::view::timeline::Timeline::new(&run.run.trace, &std::sync::Arc::new(run.records.clone()));
    page.place.set("end", timeline.end().ns().to_string()).set("at", "1200000000").set("position", "30");
    page.ask("open:policy=priority", "");
    let whole = TimeScale::fit(timeline.end(), 84.0, 700.0);
    let picture = |scale: &TimeScale| {
        let frame = timeline.frame(scale, timeline.natural_height_px(false), Some(Time(1_200_000_000)), None);
        blockstep::draw::stacked(&[("", &frame)], "", "", false)
    };
    assert_eq!(drawn(page.act("wide").unwrap()), drawn(&picture(&whole)));
    page.place.set("from", "1000000000").set("to", "2000000000");
    page.ask("move", "");
    let part = whole.showing((1_000_000_000, 2_000_000_000), timeline.end());
    assert_eq!(drawn(page.act("wide").unwrap()), drawn(&picture(&part)));
}

#[test]
fn compare_keeps_the_colours_of_the_run_on_screen() {
    let mut page = Page::example("tx2-table-4");
    page.ask("open:pin", "");
    let mut edited = super::example("tx2-table-4");
    let mut first = edited.kernels[0].clone();
    first.name = "New".to_owned();
    edited.kernels.insert(0, first);
    page.scenario = format::write_scenario(&edited);
    page.place.set("at", "1000000000").set("position", "20");
    page.ask("do:queues pin", "");
    // K1 is the second row now, so it is orange in the picture and in the queues of the run before, too.
    let colours = |html: &str, of: &str| {
        let item = html.split("<li").find(|part| part.contains(&format!("data-item=\"{of}\""))).unwrap().to_owned();
        item.split("--k:").nth(1).unwrap().split(';').next().unwrap().to_owned()
    };
    let wide = page.act("wide").unwrap();
    assert_eq!(colours(wide, "K1"), "#e69f00");
    assert!(wide.contains("fill=\"#E69F00\"") && !drawn(wide).contains("fill=\"#0072B2\""), "{wide}");
}

#[test]
fn every_example_can_be_set_beside_everything() {
    for example in examples::all() {
        let mut page = Page::example(example.id);
        for word in [
            "",
            "policy=fifo&policy=runlist&policy=edf&policy=priority",
            "device=titanv&device=tx1",
            "variant=no-null-barrier&variant=work-conserving",
            "pin",
        ] {
            page.ask(&format!("open:{word}"), "").ask("do:first", "").follow().ask("change:by", "by=decision").ask("do:next", "").follow();
            assert!(is_well_formed(&page.html), "{}: {}", example.id, page.html);
            assert!(is_well_formed(page.act("wide").unwrap()), "{} {word}", example.id);
        }
    }
}
