//! What the page says of what is held up and of what waits, and what its buttons do about it.

use super::{Page, attribute, tags};

/// The words of the buttons with `data-do`, by what they say.
fn buttons(html: &str) -> Vec<(String, String)> {
    let of = |(tag, rest): (&str, &str)| {
        let text = rest.split("</button>").next().unwrap_or_default();
        (text.to_owned(), attribute(tag, "data-do").unwrap_or_default().to_owned())
    };
    tags(html, "<button").map(of).collect()
}

/// When the output copies of t1 and t2 end, by the table of times.
fn outputs(page: &mut Page) -> [u64; 2] {
    page.ask("do:csv", &[]);
    let csv = page.act("save").to_owned();
    ["t1", "t2"].map(|task| {
        let row = csv.lines().find(|line| line.split(',').next().is_some_and(|name| name.ends_with(&format!("DHcpy_{task}")))).unwrap();
        row.split(',').nth(4).unwrap().parse().unwrap()
    })
}

/// A remedy is pressed, and what it is offered for is there earlier; nothing is called well before.
#[test]
fn batch_page_a_remedy_makes_the_output_earlier() {
    for off in ["flush-zero", "atmCnt-kernel", "atmCnt-CPUsched", "set-event-queue", "flush-zero+atmCnt-kernel+atmCnt-CPUsched"] {
        let mut page = Page::at(&format!("from=Case-2&off={off}"));
        let before = outputs(&mut page);
        let (_, word) = buttons(&page.html).into_iter().find(|(text, _)| text.starts_with("Use CPUOrder")).unwrap();
        page.ask(&format!("do:{word}"), &[]);
        let after = outputs(&mut page);
        assert!(after[1] < before[1], "{off}: {before:?}, then {after:?}");
        assert!(page.html.contains("Nothing in this batch is held up without need."), "{off}");
    }
    // The scheduler alone is not enough, and that is said.
    for off in ["flush-zero", "atmCnt-kernel"] {
        let mut page = Page::at(&format!("from=Case-2&by=CPUOrder&off={off}"));
        assert!(page.html.contains("The host learns too late") && !page.html.contains("held up without need."), "{off}");
        assert!(page.html.contains("<li class=\"is-now\">") && page.html.contains("t2 output copy not issued"), "it opens there: {off}");
        let before = outputs(&mut page);
        page.ask(&format!("do:use {off}"), &[]);
        assert!(outputs(&mut page)[1] < before[1]);
        assert!(!page.html.contains("The host learns too late"));
    }
}

#[test]
fn batch_page_on_tx1_there_is_a_way_out() {
    for off in ["none", "no-polling", "no-stop-events", "no-polling+no-stop-events"] {
        let mut page = Page::at(&format!("from=Case-1+on+TX1&by=CPUConcurrent&off={off}"));
        let before = outputs(&mut page);
        let (_, word) = buttons(&page.html).into_iter().find(|(text, _)| text.starts_with("Use CPUOrder")).unwrap();
        page.ask(&format!("do:{word}"), &[]);
        assert!(outputs(&mut page)[1] < before[1], "{off}");
        assert!(page.html.contains("Nothing in this batch is held up without need."), "{off}");
    }
    // The paper's own example has no scheduler to be changed.
    for gpu in ["fermi", "kepler", "tx1"] {
        for off in ["none", "set-event-queue"] {
            let page = Page::at(&format!("from=tables&gpu={gpu}&off={off}"));
            assert!(buttons(&page.html).iter().all(|(text, _)| !text.starts_with("Use ")), "{gpu} {off}");
        }
    }
}

#[test]
fn batch_page_each_waiting_head_has_its_reason() {
    let mut page = Page::at("from=Case-1&by=GPUAtomics");
    page.ask("do:Home", &[]);
    let mut seen = 0;
    for _ in 0..40 {
        page.ask("do:ArrowRight", &[]);
        let list = page.html.split_once("Why heads of queues wait").unwrap().1.split_once("</ul>").unwrap().0;
        seen += usize::from(!list.contains("None waits."));
        assert!(list.contains("<li"));
    }
    assert!(seen > 10, "{seen}");
    let page = Page::at("from=Case-4&by=CPUConcurrent&at=60");
    assert!(page.html.contains("threads on one multiprocessor"), "{}", page.html);
}

#[test]
fn batch_page_switches_say_where_they_change_nothing() {
    let idle = |state: &str| Page::at(state).html.matches("class=\"batch-idle\"").count();
    assert_eq!(idle("from=Case-1&by=GPUAtomics"), 4, "[MT] has them for schedulers on the CPU, or as part of this one");
    assert_eq!(idle("from=Case-1&by=CPUConcurrent"), 3, "there is no order to be found out");
    assert_eq!(idle("from=Case-2&by=CPUOrder"), 0);
    assert_eq!(idle("from=Case-2&tab=all"), 0);
    assert_eq!(idle("from=Case-1+on+TX1&tab=all"), 3, "nothing is polled on TX1");
}
