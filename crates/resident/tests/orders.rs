//! Orders that the program allows, and those that it does not.

use blockstep_resident::{Found, Refused, Search};
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Scenario};

use super::{answer, barrier, hangs, kernel, names, on_sms, report, smallest};

#[test]
fn blocks_that_all_fit_never_hang_and_one_more_does() {
    assert!(!hangs(&on_sms(4, vec![barrier("K", "S1", 4, 1024)])));
    assert!(hangs(&on_sms(4, vec![barrier("K", "S1", 5, 1024)])));
}

/// Each would fit alone. In one EE queue the second waits for the first, whichever comes first.
#[test]
fn two_barriers_that_fit_one_by_one_do_not_hang_in_one_queue() {
    assert!(!hangs(&on_sms(4, vec![barrier("A", "S1", 3, 1024), barrier("B", "S2", 3, 1024)])));
}

/// A kernel waits for one that is launched behind it in its own stream.
#[test]
fn a_flag_that_is_set_later_in_the_stream_never_comes() {
    let waits = KernelDraft { until_begun: names(&["B"]), ..kernel("A", "S1", 1, 32) };
    let draft = |stream: &str| on_sms(4, vec![waits.clone(), kernel("B", stream, 1, 32)]);
    assert!(hangs(&draft("S1")) && !hangs(&draft("S2")));
}

/// It waits for one for which there is no room beside it, in the order in which it comes first.
#[test]
fn an_order_of_two_decides() {
    let waits = KernelDraft { until_completed: names(&["B"]), ..kernel("A", "S1", 2, 1024) };
    let draft = on_sms(2, vec![kernel("B", "S2", 1, 1024), waits]);
    let report = report(&draft);
    assert!(report.hangs());
    assert_eq!(report.answer.orders, Some(2));
    assert!(
        report.text().contains("B launched before everything else") || report.text().contains("A with at most 1 block"),
        "{}",
        report.text()
    );
}

/// Calls of one thread that makes them one after another keep their order.
#[test]
fn calls_of_a_thread_stay_in_order() {
    let waits = KernelDraft { until_completed: names(&["B"]), ..kernel("A", "S1", 2, 1024) };
    let mut draft = on_sms(2, vec![kernel("B", "S2", 1, 1024), waits]);
    draft.kernels[0].call_ns = Some(1);
    assert_eq!(answer(&draft).orders, Some(1));
    assert!(!hangs(&draft));
}

/// The smallest table still hangs, and none with one row, block or SM less.
#[test]
fn shrinking_ends_where_nothing_less_hangs() {
    let draft = on_sms(9, vec![kernel("other", "S2", 7, 512), barrier("K", "S1", 13, 1024)]);
    let small = smallest(&draft);
    let sms = Scenario::new(&small).unwrap().device().sms;
    assert_eq!((small.kernels.len(), small.kernels[0].blocks, sms), (1, 2, 1));
    assert!(hangs(&small));
}

#[test]
fn a_bound_on_states_leaves_the_question_open() {
    let draft = on_sms(3, (0..3).map(|i| barrier(&format!("K{i}"), &format!("S{i}"), 2, 1024)).collect());
    let found = Search::new(&draft, true, None, 3).unwrap().finish().unwrap().found;
    assert!(matches!(found, Found::Open));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let plain = on_sms(1, vec![kernel("K", "S1", 1, 32)]);
    assert!(matches!(Search::new(&plain, true, None, 9).err(), Some(Refused::NoSpins)));
    let mut turns = on_sms(1, vec![barrier("K", "S1", 1, 32)]);
    (turns.policy.kind, turns.horizon_ns) = (PolicyKind::Runlist, Some(9));
    assert!(matches!(Search::new(&turns, true, None, 9).err(), Some(Refused::Turns(PolicyKind::Runlist))));
    let wrong = Draft { kernels: vec![barrier("K", "S1", 0, 32)], ..Draft::default() };
    assert!(matches!(Search::new(&wrong, true, None, 9).err(), Some(Refused::Invalid(_))));
}

/// A row that others come before in any case cannot be launched first, and a search in which nothing can be launched says nothing.
#[test]
fn what_cannot_come_first_is_not_advised() {
    let mut draft = on_sms(2, vec![kernel("A", "S1", 1, 32), barrier("B", "S2", 3, 1024)]);
    draft.kernels[1].after = Some("A".to_owned());
    let report = report(&draft);
    assert!(report.hangs() && report.answer.orders == Some(1));
    assert!(!report.text().contains("launched before everything else"), "{}", report.text());
    let forced = Search::new(&draft, true, Some("B"), 1_000).unwrap().finish().unwrap().found;
    assert!(matches!(forced, Found::Open));
}

/// Chains of one, two and three calls: 6! / (1! 2! 3!) orders.
#[test]
fn orders_are_counted() {
    let rows =
        ["S1", "S2", "S2", "S3", "S3", "S3"].iter().enumerate().map(|(i, stream)| barrier(&format!("K{i}"), stream, 1, 32)).collect();
    assert_eq!(answer(&on_sms(9, rows)).orders, Some(60));
}
