//! Predict: the right answer is what the run does, the wrong ones are wrong, and a quiz follows
//! from run and settings.

mod beliefs;
mod ending;
mod inset;
mod tool;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use blockstep_learn::quiz::{MAX_CHOICES, Question, QuestionKind, QuizAnswer, QuizChoice, QuizSettings, Spot, question_at, quiz};
use blockstep_sim::engine::{self, Limits, Run, next_block};
use blockstep_sim::language::all_of;
use blockstep_sim::scenario::{Call, Draft, KernelDraft, Placement, PolicyDraft, PolicyKind, Scenario, StreamDraft, StreamPriority};
use blockstep_sim::snapshot::{Progress, Residency, Shortage};
use blockstep_sim::trace::{Change, Rule, Step, Trace, Variant, Variants};
use blockstep_sim::units::{OpId, RowId, SpaceId, StreamId};
use blockstep_view::quantity::format_time;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use blockstep_testing::arbitrary::{any_drafts, cases, turns};

fn run(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn example(id: &str) -> Run {
    let text = blockstep_sim::examples::find(id).unwrap().json;
    let draft = blockstep_format::read_scenario(text).unwrap();
    run(&draft)
}

fn settings(seed: u64, count: usize) -> QuizSettings {
    let kinds = QuestionKind::ALL.into_iter().filter(|kind| kind.has_choices()).collect();
    QuizSettings { seed, count, kinds }
}

fn every_question(run: &Run, seed: u64) -> Vec<Question> {
    let mut replay = run.replay();
    let positions = 0..=run.trace.steps().len() as u32;
    let spots = positions.flat_map(|position| QuestionKind::ALL.map(|kind| Spot { position, kind }));
    spots.filter_map(|spot| question_at(&mut replay, spot, seed)).collect()
}

/// What the run does at a spot, told without the quiz's own code.
fn done(trace: &Trace, question: &Question) -> QuizAnswer {
    let next = trace.steps().get(question.spot.position as usize).map(|s| s.change);
    match (question.spot.kind, next) {
        (QuestionKind::Sm, Some(Change::BlockAssigned { sm, .. })) => QuizAnswer::Sm(sm),
        (QuestionKind::Kernel, Some(Change::BlockAssigned { op, .. })) => QuizAnswer::Kernel(op),
        (QuestionKind::Fit, Some(Change::BlockAssigned { sm, .. })) => QuizAnswer::Fits(sm),
        (QuestionKind::Resident, Some(Change::EntryVisited { space, .. })) => QuizAnswer::Space(space),
        (QuestionKind::Resident, Some(Change::Chosen { claimant, job })) => QuizAnswer::Job(trace.scenario().claimant(claimant).task, job),
        (QuestionKind::Resident, Some(Change::PolicyTold { decision })) => QuizAnswer::Admitted(trace.made(decision).decision.admitted),
        (QuestionKind::Thread, Some(Change::HostWaits { row, .. })) => {
            let awaited = awaited(trace, question.spot.position, row);
            match question.answer().answer {
                QuizAnswer::Awaited(op) if awaited.contains(&op) => QuizAnswer::Awaited(op),
                other => panic!("{other:?}, none of {awaited:?}"),
            }
        }
        (QuestionKind::Hang, _) => match question.answer().answer {
            QuizAnswer::Ends if never_complete(trace).is_empty() => QuizAnswer::Ends,
            QuizAnswer::Hangs(op) if never_complete(trace).contains(&op) => QuizAnswer::Hangs(op),
            other => panic!("{other:?}, and never complete {:?}", never_complete(trace)),
        },
        (QuestionKind::Kernel, _) => QuizAnswer::Nothing,
        (QuestionKind::Fit, _) => match question.answer().answer {
            // Which want it is, is checked with the state.
            QuizAnswer::Short(shortage) => QuizAnswer::Short(shortage),
            other => panic!("{other:?} where nothing is assigned"),
        },
        other => panic!("asked at {other:?}"),
    }
}

/// What is issued and does not complete in the run.
fn never_complete(trace: &Trace) -> Vec<OpId> {
    let issued = trace.steps().iter().filter_map(|step| if let Change::Issued { op } = step.change { Some(op) } else { None });
    issued.filter(|&op| !completes(trace.steps(), op)).collect()
}

/// What was issued before a step and what a call of this row waits for, complete or not, told by its event, stream or process.
fn awaited(trace: &Trace, position: u32, row: RowId) -> Vec<OpId> {
    let info = trace.scenario().row(row);
    let own = trace.layout().stream_of(row);
    let space = |stream: StreamId| trace.layout().address_space(trace.layout().stream(stream).space);
    let issued = trace.steps()[..position as usize].iter().filter_map(|step| match step.change {
        Change::Issued { op } => Some(op),
        _ => None,
    });
    let is_waited_for = |op: &OpId| {
        let row = trace.op(*op).row;
        // A node is where its graph was launched, and is complete for what is recorded behind that.
        let launch = trace.scenario().row(row).node.as_ref().map_or(row, |node| node.graph);
        let (its, of) = (trace.layout().stream_of(launch), trace.scenario().row(launch));
        match info.call {
            Call::SynchronizeEvent => info.waits_for.iter().any(|event| of.records == Some(*event)),
            Call::SynchronizeDevice | Call::Allocate | Call::Free => space(its) == space(own),
            _ => its == own,
        }
    };
    issued.filter(is_waited_for).collect()
}

fn is_right(run: &Run, question: &Question) {
    let trace = &run.trace;
    let (right, steps) = (question.answer(), trace.steps());
    assert_eq!(right.answer, done(trace, question), "{question:#?}");
    assert!(right.variant.is_none() && right.belief.is_none());
    let mut replay = run.replay();
    let state = replay.seek(question.spot.position);
    let plain = next_block(trace, state, Variants::NONE);
    match right.answer {
        QuizAnswer::Kernel(op) => assert_eq!(plain.map(|(next, _)| next), Some(op)),
        QuizAnswer::Sm(sm) | QuizAnswer::Fits(sm) => assert_eq!(plain.map(|(_, next)| next), Some(sm)),
        QuizAnswer::Nothing | QuizAnswer::Short(_) => {
            assert_eq!(plain, None);
            // Nothing is assigned before time has gone on.
            let last = steps[question.spot.position as usize - 1].at;
            let later = &steps[question.spot.position as usize..];
            assert!(later.iter().all(|s| s.at > last), "{question:#?}");
        }
        _ => {}
    }
    if let QuizAnswer::Short(shortage) = right.answer {
        let space = state.spaces().iter().zip(0..).find(|(_, i)| state.assigns(blockstep_sim::units::SpaceId(*i))).unwrap().0;
        let (_, head) = space.ee_head().unwrap();
        assert_eq!(space.shortage(&trace.row_of(head).needs), Some(shortage));
    }
    let shown = question.shown_at - question.spot.position;
    if question.spot.kind == QuestionKind::Hang {
        let goes_on = matches!(steps[..question.shown_at as usize].last().unwrap().change, Change::SpinEnded { .. });
        assert!(if right.answer == QuizAnswer::Ends { goes_on } else { question.shown_at as usize == steps.len() }, "{question:#?}");
    } else {
        assert_eq!(shown, u32::from(!matches!(right.answer, QuizAnswer::Nothing | QuizAnswer::Short(_))));
    }
    for wrong in question.choices.iter().filter(|c| c.answer != right.answer) {
        is_wrong(run, question, wrong.answer);
    }
    let spot = steps.get(question.spot.position as usize);
    // Where nothing is decided, nothing happens at this instant any more.
    let now = if question.shown_at > question.spot.position { spot.unwrap().at } else { state.now() };
    let asked = beliefs::QuestionSite { trace, state, right: right.answer, now };
    question.choices.iter().filter(|c| c.answer != right.answer).for_each(|wrong| asked.check(wrong));
}

/// Whether an operation completes in these steps.
fn completes(steps: &[Step], op: OpId) -> bool {
    let is_end = |step: &Step| matches!(step.change, Change::KernelCompleted { op: of } | Change::CopyCompleted { op: of, .. } if of == op);
    steps.iter().any(is_end)
}

/// A wrong choice does not hold.
fn is_wrong(run: &Run, question: &Question, answer: QuizAnswer) {
    let mut replay = run.replay();
    let state = replay.seek(question.spot.position);
    let trace = &run.trace;
    let plain = next_block(trace, state, Variants::NONE);
    match answer {
        QuizAnswer::Kernel(op) => assert_ne!(plain.map(|(next, _)| next), Some(op), "{question:#?}"),
        QuizAnswer::Nothing => assert!(plain.is_some(), "{question:#?}"),
        QuizAnswer::Sm(sm) | QuizAnswer::Fits(sm) => assert_ne!(plain.map(|(_, next)| next), Some(sm), "{question:#?}"),
        QuizAnswer::Short(shortage) => {
            let space = state.spaces().iter().zip(0..).find(|(_, i)| state.assigns(blockstep_sim::units::SpaceId(*i))).unwrap().0;
            let needs = &trace.row_of(space.ee_head().unwrap().1).needs;
            let has = |sm: &blockstep_sim::snapshot::SmState| match shortage {
                Shortage::Threads => sm.threads >= needs.threads,
                Shortage::SharedMemory => sm.shared_memory >= needs.shared_memory,
                Shortage::Registers => sm.registers >= needs.registers,
                Shortage::Slots => sm.slots > 0,
                Shortage::AllAtOnce => sm.fits(needs),
            };
            assert!(space.sms.iter().any(has), "{question:#?}");
        }
        QuizAnswer::NotAllFit | QuizAnswer::NotAlone => assert!(plain.is_some()),
        QuizAnswer::Awaited(op) => {
            // It is still incomplete when the call returns.
            let steps = &trace.steps()[question.spot.position as usize..];
            let Change::HostWaits { row, job } = steps[0].change else { panic!("{question:#?}") };
            let returned = steps.iter().position(|step| step.change == Change::HostReturned { row, job }).unwrap();
            assert!(!completes(&trace.steps()[..question.spot.position as usize + returned], op), "{question:#?}");
        }
        QuizAnswer::AtOnce => {
            let QuizAnswer::Awaited(op) = question.answer().answer else { panic!("{question:#?}") };
            assert!(!completes(&trace.steps()[..question.spot.position as usize], op), "{question:#?}");
        }
        QuizAnswer::Ends => assert!(!never_complete(trace).is_empty(), "{question:#?}"),
        QuizAnswer::Hangs(op) => assert!(completes(trace.steps(), op), "{question:#?}"),
        QuizAnswer::Space(_) | QuizAnswer::Job(..) | QuizAnswer::Admitted(_) => assert_ne!(answer, question.answer().answer),
    }
}

fn is_well_formed(question: &Question) {
    let choices = &question.choices;
    assert!((2..=MAX_CHOICES).contains(&choices.len()), "{question:#?}");
    assert!(question.right < choices.len());
    let texts: BTreeSet<&str> = choices.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts.len(), choices.len(), "{question:#?}");
    let answers: BTreeSet<String> = choices.iter().map(|c| format!("{:?}", c.answer)).collect();
    assert_eq!(answers.len(), choices.len(), "{question:#?}");
    assert!(choices.iter().all(|c| !c.text.is_empty() && c.why.len() > 10 && c.why.ends_with('.')), "{question:#?}");
    assert!(choices.iter().all(|c| !c.why.contains("..") && !c.why.contains("  ")), "{question:#?}");
    assert!(question.text.ends_with('?') && (1..=3).contains(&question.worth));
}

/// What a question takes for granted holds in the run, told from its steps and the state alone.
fn premise_holds(run: &Run, question: &Question) {
    let (trace, position) = (&run.trace, question.spot.position as usize);
    let mut replay = run.replay();
    let state = replay.seek(question.spot.position);
    let (now, rest) = (state.now(), &trace.steps()[position..]);
    // What starts now, in order.
    let starting: Vec<OpId> = rest
        .iter()
        .take_while(|step| step.at == now)
        .filter_map(|step| match step.change {
            Change::BlockAssigned { op, .. } => Some(op),
            _ => None,
        })
        .collect();
    let assigning: Vec<u32> = (0..state.spaces().len()).filter(|&i| state.assigns(SpaceId::at(i))).map(|i| i as u32).collect();
    let head = |op: OpId| {
        let space = trace.layout().stream(trace.op(op).stream).space;
        assert_eq!(assigning, [space.index() as u32], "{question:#?}");
        assert_eq!(state.space(space).ee_head().map(|(_, head)| head), Some(op), "{question:#?}");
    };
    match question.spot.kind {
        QuestionKind::Kernel => {
            assert_eq!(question.text, "Can a block start now? If so, whose is next?");
            assert_eq!(question.hint, format!("It is {}.", format_time(now.ns())));
            match question.answer().answer {
                QuizAnswer::Kernel(op) => assert_eq!(starting.first(), Some(&op), "{question:#?}"),
                _ => assert!(starting.is_empty(), "{question:#?}"),
            }
            // By the rules, whose blocks may start is told by the head of a queue.
            let rule = question.answer().rule;
            assert!(matches!(rule, Rule::X1 | Rule::A2), "{question:#?}");
            for choice in &question.choices {
                let is_next = match choice.answer {
                    QuizAnswer::Kernel(op) => starting.first() == Some(&op),
                    _ => starting.is_empty(),
                };
                assert_eq!(is_next, choice == question.answer(), "{question:#?}");
            }
        }
        QuestionKind::Fit => {
            let asks = |op: &OpId| question.text.starts_with(&format!("{} is at the head of its EE queue, and only", trace.op_label(*op)));
            assert!(starting.first().is_none_or(&asks), "{question:#?}");
            let named: Vec<OpId> = (0..trace.ops().len()).map(OpId::at).filter(asks).collect();
            let is_head = |op: &&OpId| state.spaces().iter().any(|space| space.ee_head().is_some_and(|(_, head)| head == **op));
            head(*named.iter().find(is_head).unwrap_or_else(|| panic!("{question:#?}")));
        }
        QuestionKind::Sm => {
            let op = starting[0];
            assert!(question.text.contains(&format!(" of {} is about to be assigned.", trace.op_label(op))), "{question:#?}");
            head(op);
        }
        QuestionKind::Resident => match question.answer().answer {
            QuizAnswer::Space(taken) => {
                assert!(matches!(state.residency(), Residency::Idle { .. }), "{question:#?}");
                // Whom the Host comes to next, after this.
                let next = rest.iter().skip(1).take_while(|step| !matches!(step.change, Change::EntryVisited { .. }));
                let mut entered = next.filter_map(|step| if let Change::Entered { space } = step.change { Some(space) } else { None });
                assert!(entered.next().is_none_or(|space| space == taken), "{question:#?}");
            }
            // Its process may be resident already, or another job may be chosen before it is.
            QuizAnswer::Job(..) => {
                assert_eq!(question.text, "The scheduler now decides which job is served next. Which job does it choose?")
            }
            _ => {}
        },
        QuestionKind::Hang => {
            let blocks = || state.spaces().iter().flat_map(|space| space.sms.iter()).flat_map(|sm| &sm.blocks);
            let mut spins: Vec<OpId> = blocks().filter(|block| block.progress == Progress::Spins).map(|block| block.op).collect();
            spins.sort();
            spins.dedup();
            let names: Vec<String> = spins.iter().map(|&op| trace.op_label(op)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(question.text, format!("Blocks of {} spin now. Does this run end, or does it hang?", all_of(&names)));
            assert_eq!(question.hint, format!("It is {}.", format_time(now.ns())));
            assert!(starting.is_empty() && rest.iter().all(|step| step.at > now), "the instant is over");
        }
        // The call is the next step, which is compared elsewhere.
        QuestionKind::Thread | QuestionKind::Inset => {}
    }
}

#[test]
fn quiz_takes_nothing_for_granted_that_does_not_hold() {
    for example in blockstep_sim::examples::all() {
        let draft = blockstep_format::read_scenario(example.json).unwrap();
        let run = run(&draft);
        let mut replay = run.replay();
        for spot in quiz(&run, &settings(1, 50)).spots {
            premise_holds(&run, &question_at(&mut replay, spot, 1).unwrap());
        }
    }
    let table_1 = example("tx2-table-1");
    let told = told_of(&table_1, QuestionKind::Kernel, 200, "No block can start now");
    assert_eq!((told.answer, told.rule), (QuizAnswer::Nothing, Rule::X1));
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn quiz_questions_of_any_table_have_true_premises(draft in any_drafts(), seed in any::<u64>()) {
        let run = run(&draft);
        for question in every_question(&run, seed) {
            premise_holds(&run, &question);
        }
    }
}

proptest! {
    #![proptest_config(cases(120))]
    #[test]
    fn quiz_questions_are_about_what_the_run_does(draft in any_drafts(), seed in any::<u64>()) {
        let run = run(&draft);
        for question in every_question(&run, seed) {
            is_well_formed(&question);
            is_right(&run, &question);
        }
    }

    #[test]
    fn quiz_follows_from_run_and_settings(draft in any_drafts(), seed in any::<u64>(), count in 1..20_usize) {
        let run = run(&draft);
        let made = quiz(&run, &settings(seed, count));
        prop_assert_eq!(&made, &quiz(&run, &settings(seed, count)));
        prop_assert!(made.spots.len() <= count);
        let positions: BTreeSet<u32> = made.spots.iter().map(|s| s.position).collect();
        prop_assert_eq!(positions.len(), made.spots.len());
        let mut replay = run.replay();
        for &spot in &made.spots {
            let question = question_at(&mut replay, spot, seed).unwrap();
            prop_assert_eq!(Some(question), question_at(&mut run.replay(), spot, seed));
        }
        // If there is anything to ask, something is asked.
        prop_assert_eq!(made.spots.is_empty(), every_question(&run, seed).is_empty());
    }
}

/// Where a run with a variant parts from the plain one at such a decision, it does there what the quiz
/// says that the variant would do.
#[test]
fn quiz_knows_what_variants_do() {
    let of_blocks = [Variant::WorkConserving, Variant::PriorityByKernel, Variant::LastFit, Variant::FairShare];
    let of_turns = [Variant::ListRestarts, Variant::FixedPriority, Variant::NoInheritance];
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    // Deadlines are inherited rarely, so that there are more runs under `edf`.
    let drafts = prop_oneof![3 => any_drafts(), 2 => turns(PolicyKind::Edf)];
    for _ in 0..2000 {
        let scenario = Scenario::new(&drafts.new_tree(&mut runner).unwrap().current()).unwrap();
        let plain = engine::simulate(&scenario, Limits::default());
        for variant in of_blocks.into_iter().chain(of_turns) {
            let varied = engine::simulate_varied(&scenario, Variants::NONE.with(variant), Limits::default());
            let (steps, others) = (plain.trace.steps(), varied.trace.steps());
            let Some(divergence) = steps.iter().zip(others).position(|(a, b)| a != b) else { continue };
            let mut replay = plain.replay();
            if let Change::BlockAssigned { op, sm, .. } = others[divergence].change {
                let next = next_block(&plain.trace, replay.seek(divergence as u32), Variants::NONE.with(variant));
                assert_eq!(next, Some((op, sm)), "{variant:?}");
                *compared.entry(variant.id()).or_default() += 1;
                let spot = Spot { position: divergence as u32, kind: QuestionKind::Kernel };
                let plain_op = steps[divergence].change.op();
                if variant != Variant::LastFit && matches!(steps[divergence].change, Change::BlockAssigned { .. }) && plain_op != Some(op) {
                    let question = question_at(&mut replay, spot, 1).unwrap();
                    let choice = question.choices.iter().find(|c| c.answer == QuizAnswer::Kernel(op)).unwrap();
                    assert!(choice.variant.is_some(), "{question:#?}");
                }
            }
            let answer = match others[divergence].change {
                Change::EntryVisited { space, .. } => QuizAnswer::Space(space),
                Change::Chosen { claimant, job } => QuizAnswer::Job(scenario.claimant(claimant).task, job),
                _ => continue,
            };
            let Some(question) = question_at(&mut replay, Spot { position: divergence as u32, kind: QuestionKind::Resident }, 1) else {
                continue;
            };
            if question.answer().answer != answer {
                let choice = question.choices.iter().find(|c| c.answer == answer).unwrap();
                assert!(choice.variant.is_some(), "{variant:?} {question:#?}");
                *compared.entry(variant.id()).or_default() += 1;
            }
        }
    }
    println!("{compared:?}");
    for variant in of_blocks.into_iter().chain(of_turns) {
        assert!(compared.get(variant.id()).is_some_and(|&n| n >= 1), "{}: {compared:?}", variant.id());
    }
}

/// A question that never comes up proves nothing.
#[test]
fn quiz_kinds_answers_variants_and_beliefs_all_come_up() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..1200 {
        let draft = any_drafts().new_tree(&mut runner).unwrap().current();
        for question in every_question(&run(&draft), 1) {
            let right = format!("{:?}", question.answer().answer);
            *seen.entry(format!("{:?} {}", question.spot.kind, right.split('(').next().unwrap())).or_default() += 1;
            for wrong in &question.choices {
                let perhaps = wrong.perhaps.map(|p| format!("perhaps: {p}"));
                for name in wrong.variant.map(|v| v.id().to_owned()).into_iter().chain(wrong.belief.map(str::to_owned)).chain(perhaps) {
                    *seen.entry(name).or_default() += 1;
                }
            }
        }
    }
    for (what, count) in &seen {
        println!("{count:6} {what}");
    }
    let asked = "work-conserving priority-by-kernel no-null-barrier last-fit fair-share one-kernel no-overlap list-restarts fixed-priority no-inheritance";
    for id in asked.split(' ') {
        assert!(seen.contains_key(id), "{id}");
    }
    for what in [
        "Sm Sm",
        "Kernel Kernel",
        "Kernel Nothing",
        "Fit Fits",
        "Fit Short",
        "Resident Space",
        "Resident Job",
        "Resident Admitted",
        "Thread Awaited",
        "Hang Ends",
        "Hang Hangs",
    ] {
        // Where blocks spin at random, most runs hang.
        let least = if what == "Hang Ends" { 5 } else { 20 };
        assert!(seen.get(what).is_some_and(|&n| n >= least), "{what}");
    }
}

#[test]
fn quiz_of_table_1_asks_for_what_the_paper_shows() {
    let run = example("tx2-table-1");
    let made = quiz(&run, &settings(1, 10));
    let mut replay = run.replay();
    let questions: Vec<Question> = made.spots.iter().map(|&s| question_at(&mut replay, s, 1).unwrap()).collect();
    for q in &questions {
        println!("{:?} {} {}", q.spot, q.text, q.hint);
        for (i, c) in q.choices.iter().enumerate() {
            println!("  {} {} [{}] {} / {:?}", if i == q.right { "*" } else { " " }, c.text, c.rule.id(), c.why, c.misconception());
        }
    }
    assert_eq!(questions.len(), 10);
}

/// The only question of a kind at an instant, of a table of kernels on the TX2: name, stream, launch in
/// ms, blocks, threads and KiB of shared memory of one.
type Rows<'a> = &'a [(&'a str, &'a str, u64, u64, u64, u64)];

fn table(rows: Rows<'_>, policy: PolicyKind, placement: Placement) -> Run {
    let kernel = |&(name, stream, ms, blocks, threads, kib): &(&str, &str, u64, u64, u64, u64)| KernelDraft {
        stream: stream.to_owned(),
        start_ns: ms * 1_000_000,
        shared_memory_bytes: kib * 1024,
        ..KernelDraft::named(name, blocks, threads, 1_000_000_000)
    };
    let high = |name: &str| StreamDraft { process: None, name: name.to_owned(), priority: StreamPriority::High, non_blocking: false };
    run(&Draft {
        policy: PolicyDraft { kind: policy, ..PolicyDraft::default() },
        placement,
        kernels: rows.iter().map(kernel).collect(),
        streams: rows.iter().map(|r| r.1).filter(|s| s.starts_with('H')).collect::<BTreeSet<_>>().into_iter().map(high).collect(),
        ..Draft::default()
    })
}

/// What is told of a choice in the questions of a kind after the last step at an instant.
fn told_of(run: &Run, kind: QuestionKind, ms: u64, text: &str) -> QuizChoice {
    let position = run.trace.steps().iter().filter(|s| s.at.ns() <= ms * 1_000_000).count() as u32;
    let question = question_at(&mut run.replay(), Spot { position, kind }, 1).unwrap();
    is_right(run, &question);
    question.choices.iter().find(|c| c.text == text).unwrap_or_else(|| panic!("{question:#?}")).clone()
}

/// What one who answers so believes is told only where it would do for the answer.
#[test]
fn quiz_tells_no_belief_that_would_not_do() {
    // K1 was launched first, and K3 is of high priority: who is behind K1 would be with one queue, too.
    let table_4 = example("tx2-table-4");
    assert_eq!(told_of(&table_4, QuestionKind::Kernel, 500, "K2").misconception(), None);
    // Without the NULL barrier they would stand behind K1 all the same; but one may not know of it.
    let table_2 = example("tx2-table-2");
    for name in ["K2", "K3"] {
        let told = told_of(&table_2, QuestionKind::Kernel, 200, name);
        assert_eq!((told.misconception(), told.perhaps), (None, Some(Variant::NoNullBarrier.sentence())), "{name}");
    }
    // Where only the barrier is in the way, it would do.
    let null = table(&[("K1", "S1", 0, 1, 64, 0), ("K2", "NULL", 0, 1, 64, 0)], PolicyKind::Priority, Placement::MostFree);
    assert_eq!(told_of(&null, QuestionKind::Kernel, 0, "K2").variant, Some(Variant::NoNullBarrier));
    let rows: Rows<'_> = &[("K1", "H1", 0, 6, 1024, 0), ("K2", "S2", 100, 1, 64, 0), ("K3", "S3", 200, 1, 64, 0)];
    let own = table(rows, PolicyKind::Priority, Placement::MostFree);
    for name in ["K2", "K3"] {
        assert_eq!(told_of(&own, QuestionKind::Kernel, 300, name).misconception(), None, "{name}");
    }
    let rows: Rows<'_> = &[("K1", "H1", 0, 6, 1024, 0), ("K2", "H2", 100, 1, 64, 0)];
    let fifo = table(rows, PolicyKind::Fifo, Placement::MostFree);
    assert_eq!(told_of(&fifo, QuestionKind::Kernel, 300, "K2").misconception(), None);
}

/// Only the head of a queue may have blocks assigned, whether some of its own are assigned already or none.
#[test]
fn quiz_says_by_which_rule_nothing_more_can_start() {
    const NONE: &str = "No block can start now";
    let table_1 = example("tx2-table-1");
    let second = question_at(&mut table_1.replay(), Spot { position: 15, kind: QuestionKind::Kernel }, 0).unwrap();
    assert_eq!((second.answer().text.as_str(), second.answer().rule), (NONE, Rule::X1), "{second:#?}");
    let rows: Rows<'_> = &[("K1", "S1", 0, 4, 1024, 0), ("K2", "S2", 100, 1, 1024, 0), ("K3", "S3", 200, 1, 64, 0)];
    let full = table(rows, PolicyKind::Priority, Placement::MostFree);
    assert_eq!(told_of(&full, QuestionKind::Kernel, 200, NONE).rule, Rule::X1);
    let rows: Rows<'_> = &[("K1", "S1", 0, 5, 1024, 0), ("K2", "S2", 100, 1, 64, 0)];
    let begun = table(rows, PolicyKind::Priority, Placement::MostFree);
    assert_eq!(told_of(&begun, QuestionKind::Kernel, 100, NONE).rule, Rule::X1);
}

/// Threads are not all that is wanting on an SM that has too few.
#[test]
fn quiz_says_threads_are_not_all_only_where_there_are_enough() {
    let rows: Rows<'_> = &[
        ("K1", "S1", 0, 1, 64, 48),
        ("K2", "S2", 0, 1, 1024, 0),
        ("K3", "S3", 0, 1, 1, 0),
        ("K4", "S4", 0, 1, 1024, 0),
        ("K5", "S5", 100, 1, 512, 32),
    ];
    let run = table(rows, PolicyKind::Priority, Placement::RoundRobin);
    let told = told_of(&run, QuestionKind::Fit, 100, "Yes, on SM 0");
    assert_eq!(told.belief, Some("Threads are all that a block needs of an SM."), "{told:#?}");
    assert!(told.why.contains("16 KiB"), "{told:#?}");
}

#[test]
fn quiz_of_a_huge_run_is_made_at_once() {
    let draft = blockstep_testing::large::large("gtx1070", 300_000, false);
    let run = run(&draft);
    assert!(run.trace.steps().len() > 500_000, "{}", run.trace.steps().len());
    let begun = Instant::now();
    let made = quiz(&run, &settings(3, 20));
    let took = begun.elapsed();
    println!("{} steps, {} questions, {took:?}", run.trace.steps().len(), made.spots.len());
    assert!(!made.spots.is_empty());
    // A quarter of a second where nothing else runs.
    assert!(took.as_secs() < 4, "{took:?}");
}

#[test]
fn quiz_says_so_where_there_is_nothing_to_ask() {
    let empty = run(&Draft::default());
    assert!(quiz(&empty, &settings(1, 5)).spots.is_empty());
    assert!(quiz(&example("tx2-table-1"), &QuizSettings { kinds: Vec::new(), ..settings(1, 5) }).spots.is_empty());
    // Which process is next is no question where there is one.
    assert!(quiz(&example("tx2-table-1"), &QuizSettings { kinds: vec![QuestionKind::Resident], ..settings(1, 5) }).spots.is_empty());
}

#[test]
fn quiz_never_asks_about_a_run_with_other_rules() {
    let plain = example("tx2-table-2");
    assert!(!quiz(&plain, &settings(1, 5)).spots.is_empty());
    let scenario = Arc::clone(plain.trace.scenario());
    let varied = engine::simulate_varied(&scenario, Variants::NONE.with(Variant::LastFit), Limits::default());
    assert!(quiz(&varied, &settings(1, 5)).spots.is_empty());
    assert!(question_at(&mut plain.replay(), Spot { position: u32::MAX, kind: QuestionKind::Sm }, 1).is_none());
}
