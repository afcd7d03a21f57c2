//! The recommendations of [MT] Fig. 3, as far as the text has them.

use blockstep_batch::advice::{Advice, LEAVES, Next, QUESTIONS, best};
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::{ASSUMED, CASES};
use blockstep_batch::methods::Methods;
use blockstep_batch::run::Comparison;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{TaskDraft, Workload};

use super::stage::{MS, task, workload};

/// In each case the advice is what did best in the paper, and what does best here.
#[test]
fn batch_advice_is_what_did_best_in_each_case() {
    for case in &CASES {
        let (workload, arch) = (Workload::new(case.workload(&ASSUMED)).unwrap(), case.arch.arch());
        let advice = Advice::new(&workload, &arch);
        assert_eq!(advice.traits.small, !case.large, "{}", case.name);
        assert_eq!(advice.traits.is_balanced(), case.balanced, "{}", case.name);
        assert_eq!(advice.traits.higher_is_longer(), case.higher_is_longer, "{}", case.name);
        assert!(advice.leaf().best.contains(&case.published_ranking()[0]), "{}: {:?}", case.name, advice.leaf());
        let ours = Comparison::new(&workload, &arch, Methods::ALL);
        assert!(advice.agrees(&ours), "{}: {:?} did best", case.name, best(&ours));
    }
}

/// Each leaf is reached from one question, and questions form a tree.
#[test]
fn batch_advice_is_a_tree() {
    let mut ways: Vec<Next> = QUESTIONS.iter().flat_map(|q| [q.no, q.yes]).collect();
    let mut expected: Vec<Next> = (1..QUESTIONS.len()).map(Next::Ask).chain((0..LEAVES.len()).map(Next::Use)).collect();
    let key = |next: &Next| match *next {
        Next::Ask(place) => (0, place),
        Next::Use(place) => (1, place),
    };
    ways.sort_by_key(key);
    expected.sort_by_key(key);
    assert_eq!(ways, expected);
}

/// Small and large follow from the GPU: what fits twice into a Kepler fills a Fermi.
#[test]
fn batch_small_depends_on_the_gpu() {
    let two = workload(vec![task("a", MS, MS, MS, 20), task("b", MS, MS, MS, 20)]);
    let small = ArchId::ALL.map(|id| Advice::new(&two, &id.arch()).traits.small);
    assert_eq!(small, [false, true, false]);
    let one = workload(vec![task("a", MS, MS, MS, 18)]);
    let small = ArchId::ALL.map(|id| Advice::new(&one, &id.arch()).traits.small);
    assert_eq!(small, [true, true, false]);
}

/// Where the simulation does not follow the advice it says so: a kernel that is longer by less than
/// the other's input copy ends first all the same, and finding that out only costs.
#[test]
fn batch_advice_can_differ_from_what_does_best() {
    let higher = TaskDraft { deadline_ns: Some(5 * MS), ..task("higher", MS, 2 * MS, MS, 8) };
    let two = workload(vec![higher, task("lower", MS, 19 * MS / 10, MS, 8)]);
    let arch = ArchId::Fermi.arch();
    let advice = Advice::new(&two, &arch);
    let ours = Comparison::new(&two, &arch, Methods::ALL);
    assert_eq!(advice.leaf().best, [SchedulerId::CpuOrder]);
    assert_eq!(best(&ours), [SchedulerId::CpuConcurrent]);
    assert!(!advice.agrees(&ours));
}
