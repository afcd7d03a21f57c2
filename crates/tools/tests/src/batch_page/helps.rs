//! What the page says of what is held up and of what waits, and what its buttons do about it.

use blockstep_batch::methods::Method;
use blockstep_tools::batch::{Body, Help, MethodsView, Msg, Saved};

use super::{BatchView, Page, beside, on};

/// When the output copies of t1 and t2 end, by the table of times.
fn outputs(page: &mut Page) -> [u64; 2] {
    let (_, _, csv) = page.saved(Saved::Times);
    ["t1", "t2"].map(|task| {
        let row = csv.lines().find(|line| line.split(',').next().is_some_and(|name| name.ends_with(&format!("DHcpy_{task}")))).unwrap();
        row.split(',').nth(4).unwrap().parse().unwrap()
    })
}

/// The changes that are offered.
fn offered(page: &Page) -> Vec<Help> {
    page.scene().holds.iter().filter_map(|hold| hold.help.clone()).collect()
}

fn use_cpu_order(page: &mut Page) {
    let help = offered(page).into_iter().find(|help| help.title.starts_with("Use CPUOrder")).unwrap();
    page.send(Msg::Apply(help.change));
}

/// A remedy is taken, and what it is offered for is there earlier; nothing is called well before.
#[test]
fn batch_page_a_remedy_makes_the_output_earlier() {
    for off in ["flush-zero", "atmCnt-kernel", "atmCnt-CPUsched", "set-event-queue", "flush-zero+atmCnt-kernel+atmCnt-CPUsched"] {
        let mut page = Page::at(&format!("from=Case-2&off={off}"));
        let before = outputs(&mut page);
        use_cpu_order(&mut page);
        let after = outputs(&mut page);
        assert!(after[1] < before[1], "{off}: {before:?}, then {after:?}");
        assert!(page.scene().holds.is_empty(), "{off}");
    }
    // The scheduler alone is not enough, and that is said.
    for off in ["flush-zero", "atmCnt-kernel"] {
        let mut page = Page::at(&format!("from=Case-2&by=CPUOrder&off={off}"));
        let [late] = &page.scene().holds[..] else { panic!("{off}: {:?}", page.scene().holds) };
        assert!(late.title.starts_with("The host learns of the end too late: "), "{off}: {}", late.title);
        assert!(late.is_now && late.seen_at.is_none(), "it opens there: {off}");
        assert!(page.scene().timeline.bars.iter().any(|bar| bar.label == "t2 output copy not issued"), "{off}");
        let before = outputs(&mut page);
        page.send(on(Method::from_word(off).unwrap()));
        assert!(outputs(&mut page)[1] < before[1]);
        assert!(page.scene().holds.is_empty());
    }
}

#[test]
fn batch_page_on_tx1_there_is_a_way_out() {
    for off in ["none", "no-polling", "no-stop-events", "no-polling+no-stop-events"] {
        let mut page = Page::at(&format!("from=Case-1+on+TX1&by=CPUConcurrent&off={off}"));
        let before = outputs(&mut page);
        use_cpu_order(&mut page);
        assert!(outputs(&mut page)[1] < before[1], "{off}");
        assert!(page.scene().holds.is_empty(), "{off}");
    }
    // The paper's own example has no scheduler to be changed.
    for gpu in ["fermi", "kepler", "tx1"] {
        for off in ["none", "set-event-queue"] {
            let page = Page::at(&format!("from=tables&gpu={gpu}&off={off}"));
            assert!(offered(&page).iter().all(|help| help.change.scheduler.is_none()), "{gpu} {off}");
        }
    }
}

/// What is held up elsewhere in the batch leads there.
#[test]
fn batch_page_a_hold_is_seen_where_it_leads() {
    let mut page = Page::new();
    page.send(Msg::GoTo(0));
    let hold = page.scene().holds[0].clone();
    assert!(!hold.is_now, "nothing is issued yet");
    page.send(Msg::GoTo(hold.seen_at.unwrap()));
    assert!(page.scene().holds[0].is_now && page.scene().holds[0].seen_at.is_none());
    assert!(page.scene().place.sentence.starts_with("1 ms: "), "{}", page.scene().place.sentence);
}

#[test]
fn batch_page_each_waiting_head_has_its_reason() {
    let mut page = Page::at("from=Case-1&by=GPUAtomics");
    page.send(Msg::GoTo(0));
    let mut seen = 0;
    for _ in 0..40 {
        page.send(beside(&page, 1));
        let waits = &page.scene().waits;
        assert!(waits.iter().all(|wait| wait.ends_with('.')), "{waits:?}");
        seen += usize::from(!waits.is_empty());
    }
    assert!(seen > 10, "{seen}");
    let page = Page::at("from=Case-4&by=CPUConcurrent&at=60");
    assert!(page.scene().waits.iter().any(|wait| wait.contains("threads on one SM")), "{:?}", page.scene().waits);
}

#[test]
fn batch_page_switches_say_where_they_change_nothing() {
    let methods = |state: &str| -> MethodsView {
        let page = Page::at(state);
        match &page.view.body {
            Body::Step(step) => match &step.batch {
                BatchView::Shown(scene) => scene.methods.clone(),
                other => panic!("{other:?}"),
            },
            _ => page.compared().1.methods.clone(),
        }
    };
    let idle = |state: &str| methods(state).methods.iter().filter(|of| of.is_idle).count();
    assert_eq!(idle("from=Case-1&by=GPUAtomics"), 4, "[MT] has them for schedulers on the CPU, or as part of this one");
    assert_eq!(idle("from=Case-1&by=CPUConcurrent"), 3, "there is no order to be found out");
    assert_eq!(idle("from=Case-2&by=CPUOrder"), 0);
    assert_eq!(idle("from=Case-2&tab=all"), 0);
    assert_eq!(idle("from=Case-1+on+TX1&tab=all"), 3, "nothing is polled on TX1");
    assert_eq!(methods("from=Case-1").here, "no effect in this batch under CPUConcurrent");
    assert_eq!(methods("from=Case-2&tab=all").here, "no effect under any scheduler here");
    // What is not on another GPU is not offered there.
    assert_eq!((methods("from=tables").methods.len(), methods("from=Case-2").methods.len()), (1, 4));
    assert_eq!(methods("from=Case-1+on+TX1").methods.len(), 7);
}

/// Whoever changes something stays at the instant where they were.
#[test]
fn batch_page_a_change_keeps_the_instant() {
    let mut page = Page::at("from=Case-2&by=CPUConcurrent&at=40");
    let now = |page: &Page| page.scene().place.times[page.scene().place.at - 1];
    let before = now(&page);
    for message in [Msg::SetMethod(Method::FlushZero, false), Msg::SetGpu(blockstep_batch::arch::ArchId::Tx1)] {
        page.send(message);
        let place = page.scene().place.clone();
        assert!(now(&page) <= before && place.times.get(place.at).is_none_or(|next| *next > before), "the last step that is not later");
    }
    page.send(Msg::SetGpu(blockstep_batch::arch::ArchId::Fermi));
    page.send(Msg::SetMethod(Method::FlushZero, true));
    assert!(now(&page) <= before);
}
