//! Does this run end, or does it hang?

use std::collections::BTreeMap;

use blockstep_learn::quiz::{QuestionKind, Spot, question_at, quiz};

use super::{is_right, is_well_formed, premise_holds, settings};

/// Of the examples of blocks that spin, some end and some hang; each is asked about once, and the answer says in what circle.
#[test]
fn quiz_asks_whether_runs_hang() {
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    for example in blockstep_sim::examples::all().filter(|example| example.id.starts_with("spin-")) {
        let run = super::example(example.id);
        let made = quiz(&run, &settings(1, 5));
        let hang: Vec<Spot> = made.spots.iter().copied().filter(|spot| spot.kind == QuestionKind::Hang).collect();
        // Cooperative kernels begin together, so that nothing spins for any time.
        assert_eq!(hang.len(), usize::from(example.id != "spin-cooperative"), "{}", example.id);
        if hang.is_empty() {
            continue;
        }
        let question = question_at(&mut run.replay(), hang[0], 1).unwrap();
        let shown = question.spot.position + 1..question.shown_at;
        assert!(made.spots.iter().all(|spot| !shown.contains(&spot.position)), "{}: nothing is asked of what its answer shows", example.id);
        is_well_formed(&question);
        is_right(&run, &question);
        premise_holds(&run, &question);
        told.insert(example.id, format!("{} {}", question.answer().text, question.answer().why));
    }
    let ends: Vec<&str> = told.iter().filter(|(_, told)| told.starts_with("It ends: ")).map(|(id, _)| *id).collect();
    assert_eq!(ends, ["spin-barrier", "spin-collective"]);
    assert_eq!(
        told["spin-workers"],
        "It hangs: S never completes Some work hangs forever: S waits for 80 blocks of S that spin on SM 0 to 79, which wait for 60 blocks \
         of W that find no room, which wait for 80 blocks of S that spin on SM 0 to 79."
    );
    assert_eq!(told["spin-barrier"], "It ends: everything completes The blocks of K go on at 50 µs: all its blocks have begun.");
    assert_eq!(
        told["spin-free"],
        "It hangs: Poll never completes Some work hangs forever: Poll waits for the block of Poll that spins on SM 0, which waits for the \
         launch of Send, which waits for free, which waits for Poll."
    );
}

/// What may still wait longer than the horizon is neither: nothing is asked of it.
#[test]
fn quiz_asks_nothing_of_a_run_that_stops_before_it_is_known() {
    let json = blockstep_sim::examples::find("spin-barrier").unwrap().json;
    let at = |horizon: Option<u64>| {
        let mut draft = blockstep_format::read_scenario(json).unwrap();
        draft.horizon_ns = horizon;
        let run = super::run(&draft);
        quiz(&run, &settings(1, 5)).spots.iter().filter(|spot| spot.kind == QuestionKind::Hang).count()
    };
    assert_eq!([at(None), at(Some(40_000)), at(Some(100_000)), at(Some(150_000))], [1, 0, 0, 1]);
}
