//! What the page keeps of the reader's own work, and the pictures that it saves.

use resvg::usvg::{Options, Tree};

use super::{Page, is_well_formed};

#[test]
fn batch_page_ones_own_workload_stays_and_changes_are_taken_back() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    page.ask("change:kernel.0", &[("kernel.0", "2 ms"), ("name", "mine")]);
    page.ask("change:from", &[("from", "Case-5")]);
    assert!(page.html.contains("Yours: mine") && page.html.contains("8,100"));
    page.ask("do:copy", &[]);
    assert!(!page.act("copy").contains("mine"), "a link takes along what is shown");
    page.ask("do:case Case-1", &[]);
    page.ask("open:from=tables", &[]);
    page.ask("change:from", &[("from", "own")]);
    page.ask("do:tab tasks", &[]);
    assert!(page.html.contains("value=\"2 ms\"") && page.state.contains("from=own"), "{}", page.state);
    // One step back for each change.
    page.ask("do:remove 1", &[]);
    assert!(!page.html.contains("value=\"lower\""));
    page.ask("do:add", &[]);
    page.ask("do:back", &[]);
    page.ask("do:back", &[]);
    assert!(page.html.contains("value=\"lower\"") && page.html.contains("value=\"2 ms\""));
    // Another edited in its place, and taken back: there it is again.
    page.ask("change:from", &[("from", "Case-3")]);
    page.ask("change:kernel.0", &[("kernel.0", "3 ms")]);
    assert!(page.html.contains("Yours: After Case-3"));
    page.ask("do:back", &[]);
    assert!(page.html.contains("Yours: mine"));
    page.ask("do:back", &[]);
    assert!(page.act("say").contains("taken back"));
    for _ in 0..3 {
        page.ask("do:back", &[]);
    }
    assert!(page.act("say").contains("nothing to take back"));
}

#[test]
fn batch_page_saves_every_picture() {
    let mut page = Page::at("from=Case-2&by=CPUConcurrent&name=x");
    for (word, name, parts) in [
        ("svg", "batch-timeline.svg", vec!["held up"]),
        ("queues-svg", "batch-queues.svg", vec!["class=\"is-false\"", "s6_DHcpy_t2"]),
        ("compare-svg", "batch-compare.svg", vec!["CPUTraditional: 1.00×", "CPUOrder: 4.", "GPUAtomics: not on this GPU"]),
        ("advice-svg", "batch-advice.svg", vec!["yes: CPUOrder", "Case-2"]),
        ("family-svg", "batch-family.svg", vec!["Run the scheduler logic on the GPU?", "yes: GPUAtomics"]),
    ] {
        page.ask(&format!("do:{word}"), &[]);
        let saved = page.act("save").to_owned();
        let [file, kind, svg] = saved.splitn(3, '\n').collect::<Vec<_>>()[..] else { panic!("{saved}") };
        assert_eq!((file, kind), (name, "image/svg+xml"));
        assert!(is_well_formed(svg), "{word}");
        for part in parts {
            assert!(svg.contains(part), "{word}: {part}\n{svg}");
        }
        let tree = Tree::from_str(svg, &Options::default()).unwrap();
        assert!(tree.size().height() > 50.0);
        page.ask(&format!("do:{}", word.replace("svg", "png")), &[]);
        let picture = page.act("picture").to_owned();
        let [file, scale, of_png] = picture.splitn(3, '\n').collect::<Vec<_>>()[..] else { panic!("{picture}") };
        assert_eq!((file, scale, of_png), (&*name.replace("svg", "png"), "2", svg));
    }
}
