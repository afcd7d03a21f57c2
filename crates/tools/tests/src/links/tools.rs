//! The tool "Link and embed": what is shared is what is restored, whatever was on screen before.

use super::page::{BASE, Page, Shown};
use super::*;
use blockstep_learn::compare::Lockstep;
use blockstep_sim::scenario::PolicyKind;
use blockstep_sim::trace::Variant;
use blockstep_tools::compare::Compare;
use blockstep_tools::quiz::{self, Quiz};
use blockstep_tools::rules::{self, Rules};
use blockstep_tools::run_tables::{RunTable, RunTables};
use blockstep_tools::share::{self, CodeForm, LinkPart, Msg, Share};
use blockstep_tools::until::{self, Until};

fn view(page: &Page) -> share::View {
    page.view::<Share>("share")
}

/// Everything but what the tool for links itself shows.
fn restored(from: &mut Page, draft: &Draft) -> Page {
    let address = from.link();
    assert!(address.starts_with(&format!("{BASE}#v2=")), "{address}");
    let mut to = Page::new(draft);
    // Something else is open there, and more.
    to.open("compare", "").open("until", "").go(3);
    (to.shown.is_presenting, to.shown.is_path_shown) = (true, true);
    to.follow(&address);
    to
}

fn comparable(page: &Page) -> Shown {
    page.shown.clone()
}

#[test]
fn share_restores_all_of_it() {
    let mut page = Page::new(&example("tx2-table-1"));
    page.shown.selected = "K5".to_owned();
    page.open("ask", "").open("compare", "policy=fifo&pin").open("until", "until=completes&row=K3").open("rules", "").open("words", "");
    page.edit::<RunTables>("words", |state| state.choose(RunTable::Blocks));
    page.shown.view = Some((100_000_000, 2_000_000_000));
    page.go(17);
    let to = restored(&mut page, &example("edf-fig-1"));
    assert_eq!(comparable(&to), comparable(&page));
    assert_eq!(to.began.as_deref(), Some("tx2-table-1"));
    // Once more, as a link of a link.
    let again = restored(&mut { to }, &example("lp-none"));
    assert_eq!(comparable(&again), comparable(&page));
}

/// A link to a changed example says which one that was, and has neither its name nor its texts.
#[test]
fn share_of_a_changed_example_says_what_it_was() {
    let mut draft = example("tx2-table-1");
    let title = std::mem::take(&mut draft.name);
    draft.policy.kind = PolicyKind::Fifo;
    let mut page = Page::new(&draft);
    page.began = Some("tx2-table-1".to_owned());
    page.go(17);
    let address = page.link();
    let (link, _) = read_link(&address).unwrap();
    assert_eq!((&*link.example, &*link.scenario.name), ("tx2-table-1", ""));
    let to = restored(&mut page, &example("edf-fig-1"));
    assert_eq!(to.began.as_deref(), Some("tx2-table-1"));
    assert!(!to.shown.scenario.contains(&title), "{}", to.shown.scenario);
    // One of another name has its texts, too; one that stands as it is built in needs no such word.
    let mut page = Page::new(&Draft { name: "Mine".to_owned(), ..example("tx2-table-1") });
    page.began = Some("tx2-table-1".to_owned());
    let (link, _) = read_link(&page.link()).unwrap();
    assert_eq!((&*link.example, &*link.scenario.name), ("tx2-table-1", "Mine"));
    let mut plain = Page::new(&example("tx2-table-1"));
    plain.began = Some("tx2-table-1".to_owned());
    assert_eq!(read_link(&plain.link()).unwrap().0.example, "");
    assert_eq!(restored(&mut page, &example("edf-fig-1")).began.as_deref(), Some("tx2-table-1"));
    // What a link calls an example, and is none, is nothing.
    let strange = Link { scenario: draft, example: "no-such".to_owned(), ..Link::default() };
    let mut to = Page::new(&example("edf-fig-1"));
    to.follow(&format!("{BASE}#{}", write_link(&strange, None).unwrap()));
    assert_eq!((to.began, to.said), (None, Vec::<String>::new()));
}

/// Each tool by itself, in the middle of what it does.
#[test]
fn share_restores_each_tool() {
    type Walk = (&'static str, &'static str, fn(&mut Page));
    let walks: [Walk; 7] = [
        ("compare", "policy=fifo", |page| {
            page.edit::<Compare>("compare", |state| state.by = Lockstep::Decision);
        }),
        ("until", "until=free-threads&sm=1&below=600", |page| {
            page.send::<Until>("until", until::Msg::Next);
        }),
        ("rules", "", |page| {
            page.send::<Rules>("rules", rules::Msg::Change(Variant::LastFit, true));
        }),
        ("find", "", |_| ()),
        ("glossary", "", |_| ()),
        ("words", "", |page| {
            page.edit::<RunTables>("words", |state| state.choose(RunTable::Jobs));
        }),
        ("tour", "tx2-fig-4/3", |_| ()),
    ];
    for (tool, word, walk) in walks {
        let mut page = Page::new(&example("tx2-table-1"));
        if tool == "tour" && page.open_tour(word).is_none() {
            continue;
        }
        if tool != "tour" {
            page.open(tool, word);
        }
        walk(&mut page);
        page.moved();
        let to = restored(&mut page, &example("tx2-table-4"));
        assert_eq!(comparable(&to), comparable(&page), "{tool} {word}");
    }
}

impl Page {
    /// A tour's stop, if it is in the scenario on screen.
    fn open_tour(&mut self, _: &str) -> Option<()> {
        let tour = blockstep_learn::tour::Tour::all().unwrap().into_iter().find(|tour| tour.id.contains("tx2"))?;
        let stop = tour.stops.iter().position(|stop| stop.ask.is_some())?;
        let text = tour.scenario(&tour.stops[stop].setting).unwrap();
        *self = Page::new(&read_scenario(&text).unwrap());
        self.open("tour", &format!("{}/{}", tour.id, stop + 1));
        Some(())
    }
}

/// How far a reader has walked tours is nobody else's, and stays.
#[test]
fn share_leaves_what_is_the_readers_own() {
    let mut page = Page::new(&example("tx2-table-1"));
    page.memories.insert("tour".to_owned(), "tour=&left=tx2-fig-4%2F2&done=secret".to_owned());
    page.open("tour", "");
    page.shown.tools.entry("measured".to_owned()).or_default();
    page.memories.insert("measured".to_owned(), "file=secret".to_owned());
    let address = page.link();
    let (link, _) = read_link(&address).unwrap();
    assert_eq!(link.tools, [("tour".to_owned(), String::new())]);
    let mut to = Page::new(&example("tx2-table-1"));
    to.memories.insert("tour".to_owned(), "done=mine".to_owned());
    to.follow(&address);
    assert_eq!(memory::fields(&to.memories["tour"])["done"], serde_json::json!(["mine"]));
}

#[test]
fn share_leaves_out_what_is_not_ticked() {
    let mut page = Page::new(&example("tx2-table-1"));
    page.shown.selected = "K5".to_owned();
    page.shown.view = Some((100_000_000, 2_000_000_000));
    page.open("ask", "").open("compare", "policy=fifo").go(17);
    let tick = |page: &mut Page, part: LinkPart, is_in: bool| {
        page.edit::<Share>("share", |state| state.include(part, is_in));
        let parts = view(page).parts;
        (read_link(&page.link()).unwrap().0, parts.iter().map(|offer| (offer.part, offer.is_in)).collect::<Vec<_>>())
    };
    page.open("share", "");
    let labels: Vec<String> = view(&page).parts.into_iter().map(|offer| offer.label).collect();
    assert_eq!(labels, ["the visible part of the timeline", "the selected kernel, K5", "the tools that are open"]);
    let (link, parts) = tick(&mut page, LinkPart::Selection, false);
    assert_eq!((link.selected.as_str(), link.view.is_some()), ("", true));
    assert_eq!(link.tools.iter().map(|(tool, _)| tool.as_str()).collect::<Vec<_>>(), ["compare"]);
    assert_eq!(parts, [(LinkPart::Zoom, true), (LinkPart::Selection, false), (LinkPart::Tools, true)]);
    page.edit::<Share>("share", |state| state.include(LinkPart::Selection, true))
        .edit::<Share>("share", |state| state.include(LinkPart::Tools, false));
    let (link, _) = tick(&mut page, LinkPart::Zoom, false);
    assert_eq!((link.selected.as_str(), link.view.is_some()), ("K5", false));
    assert_eq!(link.tools.iter().map(|(tool, _)| tool.as_str()).collect::<Vec<_>>(), ["ask"]);
    assert_eq!(page.memories["share"], r#"{"without":["zoom","tools"]}"#);
    page.edit::<Share>("share", |state| state.include(LinkPart::Zoom, true));
    let (link, _) = tick(&mut page, LinkPart::Tools, true);
    assert_eq!(link.tools.len(), 2);
    assert_eq!(page.memories["share"], "");
}

#[test]
fn share_says_what_is_wrong_with_a_link_and_changes_nothing() {
    let invalid = Draft { kernels: vec![blockstep_sim::scenario::KernelDraft::named("K<1>", 0, 64, 5)], ..Draft::default() };
    let invalid = write_link(&Link { scenario: invalid, ..Link::default() }, None).unwrap();
    for (address, said) in [
        ("#v1=abc", "This link is damaged"),
        ("#v4=abc", "made by a later version"),
        ("#v1", "This is not a Blockstep link"),
        (&*format!("#{invalid}"), "The scenario in this link cannot be run: "),
    ] {
        let mut page = Page::new(&example("tx2-table-1"));
        page.open("until", "").go(5);
        let before = page.shown.clone();
        page.follow(address);
        let problem = page.shown.tools.remove("share").unwrap().view::<Share>().problem.unwrap();
        assert_eq!(page.shown, before, "{address}");
        assert!(problem.contains(said), "{problem}");
        assert!(page.said.iter().any(|s| s.contains(said)));
        // It is gone once the panel is used.
        page.open("share", "");
        assert_eq!(view(&page).problem, None);
    }
}

/// What the page makes in the background is waited for; what is done meanwhile is not undone.
#[test]
fn share_waits_for_a_long_run() {
    let long = blockstep_testing::large::large("tx2", 130_000, false);
    let mut page = Page::new(&long);
    page.go(123_456);
    page.shown.selected = page.trace().scenario().rows()[2].name.clone();
    page.shown.view = Some((5, 5_000));
    page.open("rules", "");
    assert!(page.trace().steps().len() > 250_000);
    let address = page.link();
    let mut to = Page::new(&example("tx2-table-1"));
    to.is_slow = true;
    to.follow(&address);
    assert!(to.coming.is_some() && !to.memories["share"].is_empty());
    assert!(to.shown.tools.is_empty());
    to.moved();
    assert!(to.shown.tools.is_empty());
    to.arrive();
    assert_eq!(to.shown, page.shown);
    assert_eq!(to.memories["share"], "");
    // What it hides is not seen before the rest is there.
    page.shown.is_future_hidden = true;
    let mut to = Page::new(&example("tx2-table-1"));
    to.is_slow = true;
    to.follow(&page.link());
    assert!(to.coming.is_some() && to.shown.is_future_hidden);
}

#[test]
fn share_skips_tools_that_it_does_not_know() {
    let tools = ["<b>oracle", "measured", "share", "rules"].map(|tool| (tool.to_owned(), String::new())).to_vec();
    let link = Link { scenario: example("tx2-table-1"), position: u32::MAX, at_ns: u64::MAX, tools, ..Link::default() };
    let mut page = Page::new(&example("tx2-table-1"));
    page.follow(&write_link(&link, None).unwrap());
    assert_eq!(page.shown.tools.keys().collect::<Vec<_>>(), ["rules"]);
    assert_eq!(page.said, ["The link opens tools that this version does not have: \"<b>oracle\". They are left out."]);
    assert_eq!(page.shown.position as usize, page.trace().steps().len());
}

#[test]
fn share_gives_the_code_of_a_frame() {
    let name = "\"><script>alert(1)</script>\u{202e}";
    let mut page = Page::new(&Draft { name: name.to_owned(), ..example("tx2-table-1") });
    page.open("share", "").edit::<Share>("share", |state| state.form = CodeForm::Frame).send::<Share>("share", Msg::CopyCode);
    let code = page.clips.pop().unwrap();
    assert_eq!(view(&page).frame.code, Ok(code.clone()), "as it is shown");
    assert!(code.starts_with(&format!("<iframe src=\"{BASE}#v2=")), "{code}");
    assert!(code.contains("&amp;embed=both\" title=\"Blockstep: &quot;&gt;&lt;script&gt;alert(1)"), "{code}");
    assert!(code.contains("width=\"100%\" height=\"940\"") && code.ends_with("></iframe>") && !code.contains("sandbox"), "{code}");
    let src = code.split('"').nth(1).unwrap().replace("&amp;", "&");
    assert_eq!(read_link(&src).unwrap().1, Some(Embed::Both));
    page.edit::<Share>("share", |state| (state.view, state.width, state.sandbox) = (Some(Embed::Queues), " 500".to_owned(), true));
    page.send::<Share>("share", Msg::CopyCode);
    let code = page.clips.pop().unwrap();
    assert!(
        code.contains("embed=queues\"") && code.contains("width=\"500\" height=\"840\"") && code.contains("sandbox=\"allow-scripts "),
        "{code}"
    );
    for (width, height, said) in [
        ("wide", "", "Width: \"wide\" is not a whole number of pixels from 240 to 4,000, nor 100%."),
        ("239", "", "Width: \"239\""),
        ("", "4001", "Height: \"4001\" is not a whole number of pixels from 120 to 4,000."),
        ("100%", "<b>", "Height: \"<b>\""),
    ] {
        page.edit::<Share>("share", |state| (state.width, state.height) = (width.to_owned(), height.to_owned()));
        let problem = view(&page).frame.code.unwrap_err();
        assert!(problem.starts_with(said), "{problem}");
        page.send::<Share>("share", Msg::CopyCode);
        assert!(page.clips.is_empty());
    }
}

#[test]
fn share_gives_the_code_of_a_picture_that_becomes_the_page() {
    let name = "\"><script>alert(1)</script>\u{202e}";
    let mut page = Page::new(&Draft { name: name.to_owned(), ..example("tx2-table-1") });
    page.go(17).open("share", "").send::<Share>("share", Msg::CopyCode);
    let code = page.clips.pop().unwrap();
    assert_eq!(view(&page).frame.code, Ok(code.clone()), "as it is shown");
    // Two elements; no line is empty, so that Markdown takes it as it is.
    let lines: Vec<&str> = code.lines().collect();
    assert_eq!(lines[0], format!("<script src=\"{BASE}blockstep-run.js\" defer></script>"));
    assert!(lines[1].starts_with(&format!("<blockstep-run src=\"{BASE}#v2=")), "{}", lines[1]);
    assert!(
        lines[1].ends_with("&amp;embed=both\" title=\"Blockstep: &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\u{202e}\">"),
        "{}",
        lines[1]
    );
    assert!(lines[2].starts_with("<svg slot=\"poster\" role=\"img\" ") && lines[2].ends_with("</svg>"), "{}", lines[2]);
    assert!(lines[3].starts_with("<p slot=\"step\">Step 17 of ") && lines[3].ends_with("</p>"), "{}", lines[3]);
    assert_eq!(lines[4..], ["</blockstep-run>"]);
    assert!(code.len() < 60_000 && !code.contains("<script>"), "{}", code.len());
    let src = lines[1].split('"').nth(1).unwrap().replace("&amp;", "&");
    assert_eq!(read_link(&src).unwrap().0.position, 17);

    page.edit::<Share>("share", |state| (state.is_separate, state.sandbox) = (true, true)).send::<Share>("share", Msg::CopyCode);
    let without = page.clips.pop().unwrap();
    assert!(!without.contains("<svg") && without.contains(" poster=\"poster.svg\" sandbox>\n"), "{without}");
    page.send::<Share>("share", Msg::SavePoster);
    let (file, saved) = page.saved.pop().unwrap();
    assert_eq!(file, "poster.svg");
    assert_eq!(saved.replacen("<svg ", "<svg slot=\"poster\" ", 1), lines[2], "the same picture");

    // What a reader is not to see yet is not in the picture.
    page.edit::<Share>("share", |state| (state.is_separate, state.view) = (false, Some(Embed::Timeline)));
    let picture = |page: &Page| view(page).frame.code.unwrap().lines().nth(2).unwrap().to_owned();
    assert!(picture(&page).contains(">SM 0</text>"));
}

/// The height that a frame of this view of the page gets, of this width and height if its author chooses them.
fn height(page: &mut Page, show: Embed, [width, height]: [&str; 2]) -> u32 {
    page.open("share", "");
    page.edit::<Share>("share", |state| {
        (state.form, state.view) = (CodeForm::Frame, Some(show));
        (state.width, state.height) = (width.to_owned(), height.to_owned());
    });
    page.send::<Share>("share", Msg::CopyCode);
    let code = page.clips.pop().unwrap();
    code.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
}

const USUAL: [&str; 2] = ["", ""];

#[test]
fn share_gives_a_frame_the_room_that_it_needs() {
    // Measured in a browser, 760 px wide: Table 1 needs 440 px for the timeline, 570 px for the queues and 965 px for both.
    let mut page = Page::new(&example("tx2-table-1"));
    for (show, needed) in [(Embed::Timeline, 440), (Embed::Queues, 570), (Embed::Both, 965)] {
        let height = height(&mut page, show, USUAL);
        assert!((needed..needed + 60).contains(&height), "{show:?}: {height}");
        assert_eq!(view(&page).frame.usual_height, height.to_string());
    }
    let timeline = height(&mut page, Embed::Timeline, USUAL);
    assert!(height(&mut page, Embed::Timeline, ["400", ""]) < timeline);
    assert_eq!(height(&mut page, Embed::Timeline, ["", "360"]), 360);
    // Nine streams instead of three, and SMs below each other.
    assert!(height(&mut Page::new(&example("tx2-table-5")), Embed::Queues, USUAL) > height(&mut page, Embed::Queues, USUAL) + 300);
    let wide = Draft { device: blockstep_sim::scenario::DeviceDraft::BuiltIn("titanv".to_owned()), ..example("tx2-table-1") };
    assert!(height(&mut Page::new(&wide), Embed::Timeline, USUAL) > timeline);
    // Several processes would be higher than a screen.
    assert_eq!(height(&mut Page::new(&example("edf-fig-1")), Embed::Queues, USUAL), 1_200);
    // A note goes below; what is left out of the link takes no room.
    page.go(3).open("notes", "");
    super::notes::write(&mut page, "Look");
    let with_note = height(&mut page, Embed::Timeline, USUAL);
    assert!((80..=130).contains(&(with_note - timeline)), "{with_note} and {timeline}");
    page.edit::<Share>("share", |state| state.include(LinkPart::Notes, false));
    assert_eq!(height(&mut page, Embed::Timeline, USUAL), timeline);
}

/// In a frame nothing of the panel is shown but what is wrong with the link.
#[test]
fn share_says_what_is_wrong_with_the_link_of_a_frame() {
    let mut page = Page::new(&example("tx2-table-1"));
    page.follow("#v1=abc&embed=both");
    assert!(view(&page).problem.is_some());
    page.open("share", "");
    assert_eq!(view(&page).problem, None);
}

#[test]
fn share_warns_of_long_links() {
    let warning = |rows: usize| {
        let mut draft = example("tx2-table-1");
        let mut seed = 1_u64;
        draft.kernels = (0..rows)
            .map(|i| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                blockstep_sim::scenario::KernelDraft::named(format!("K{i}"), 1 + (seed >> 60), 64, 1 + (seed >> 40))
            })
            .collect();
        draft.tasks.clear();
        let mut page = Page::new(&draft);
        page.open("share", "");
        let link = view(&page).link.unwrap();
        assert!(link.address.starts_with(BASE) && link.length.ends_with(" characters"));
        link.warning
    };
    assert_eq!(warning(10), None);
    assert!(warning(250).unwrap().starts_with("Longer than 2,000 characters"));
    assert!(warning(1_200).unwrap().starts_with("Longer than 8,000 characters"));
}

/// A quiz about a table of one's own is in the link.
#[test]
fn share_links_to_a_quiz() {
    let mut page = Page::new(&Draft { name: "Mine".to_owned(), ..example("tx2-table-1") });
    page.open("quiz", "seed=3&n=5&kinds=all").send::<Quiz>("quiz", quiz::Msg::CopyLink);
    let address = page.clips.pop().unwrap();
    let (link, _) = read_link(&address).unwrap();
    assert_eq!(link.tools, [("quiz".to_owned(), text(&[("open", "seed=3&n=5&kinds=all")]))]);
    let mut to = Page::new(&example("edf-fig-1"));
    to.follow(&address);
    assert_eq!((&to.shown.scenario, &to.shown.tools), (&page.shown.scenario, &page.shown.tools));
}

/// In the middle of what it does.
#[test]
fn share_restores_a_quiz() {
    for messages in [vec![], vec![quiz::Msg::Pass], vec![quiz::Msg::Pass, quiz::Msg::Next]] {
        let mut page = Page::new(&example("tx2-table-1"));
        page.open("quiz", "seed=3&n=5&kinds=all");
        for message in messages {
            page.send::<Quiz>("quiz", message);
        }
        page.moved();
        let to = restored(&mut page, &example("tx2-table-4"));
        assert_eq!(comparable(&to), comparable(&page));
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Whatever the state, following it leads to words or to a page that stands.
    #[test]
    fn share_follows_any_state(link in states(), known in prop::sample::select(vec!["notes", "tour", "quiz", "until", "compare", "words", "find", "rules", "ask", "glossary"])) {
        let mut link = link;
        if let Some((tool, _)) = link.tools.first_mut() {
            known.clone_into(tool);
        }
        let mut page = Page::new(&example("tx2-table-1"));
        page.follow(&write_link(&link, None).unwrap());
        prop_assert_eq!(&read_scenario(&page.shown.scenario).unwrap().name, &link.scenario.name);
        prop_assert!(page.shown.tools.values().all(|html| !html.contains("<script")));
    }
}

/// What a link has a tool remember: names that the tool knows, none with a value that is too long.
#[test]
fn share_takes_only_what_tools_know_and_not_too_much() {
    let tools = |value: &str| vec![("until".to_owned(), text(&[("until", "completes"), ("row", value), ("theirs", "x")]))];
    for value in ["K3".to_owned(), "x".repeat(30_000)] {
        let link = Link { scenario: example("tx2-table-1"), tools: tools(&value), ..Link::default() };
        let mut page = Page::new(&example("edf-fig-1"));
        page.follow(&format!("{BASE}#{}", write_link(&link, None).unwrap()));
        let memory = &page.memories["until"];
        assert!(memory.contains(r#""until":"completes""#) && !memory.contains("theirs"), "{memory}");
        assert!(memory.len() < 1_000, "{} characters", memory.len());
    }
}

#[test]
fn the_page_of_traces_remembers_nothing() {
    use blockstep_tools::trace::Trace;
    let mut page = crate::tool::OnPage::<Trace>::on("trace", "tx2-table-1");
    let told = page.tell(blockstep_tools::tool::Event::Opened(String::new())).unwrap();
    assert!(told.effects.is_empty(), "{:?}", told.effects);
    assert_eq!(page.memory, "", "nothing goes into links or is stored");
}
