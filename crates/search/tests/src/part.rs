//! Parts of a search say together what the whole says, and refuse what is none.

use blockstep_policy::examples::EXAMPLES;
use blockstep_policy::{Program, TaskNumber};
use blockstep_search::{Fault, JoinError, Property, Report, Search, Verdict, search};

fn part(program: &Program, tasks: usize, properties: &[Property], part: usize, of: usize) -> (usize, usize, Report) {
    (part, of, Search::new(program, tasks, properties).unwrap().with_part(part, of).finish())
}

fn parts(program: &Program, tasks: usize, properties: &[Property], of: usize) -> Vec<(usize, usize, Report)> {
    (1..=of).map(|number| part(program, tasks, properties, number, of)).collect()
}

/// Of every published policy that requests can judge, in as many parts as there are, and more than there are assignments.
#[test]
fn parts_say_together_what_the_whole_says() {
    for example in EXAMPLES {
        let program = Program::new(example.text).unwrap();
        let properties: Vec<Property> =
            Property::for_program(&program).into_iter().filter(|property| *property != Property::Missed).collect();
        let Ok(whole) = search(&program, 3, &properties) else { continue };
        for of in [1, 2, 3, 40] {
            let mut found = parts(&program, 3, &properties, of);
            found.reverse();
            assert_eq!(Report::join(&program, &found).unwrap(), whole, "{} in {of}", example.id);
        }
    }
}

/// Task sets are run in the first part.
#[test]
fn parts_run_task_sets_once() {
    for text in ["expect deadlines\nadmit highest priority in ready\n", "expect deadlines\nadmit lowest deadline in ready\n"] {
        let program = Program::new(text).unwrap();
        let properties = Property::for_program(&program);
        let whole = search(&program, 2, &properties).unwrap();
        let found = parts(&program, 2, &properties, 3);
        assert_eq!(found.iter().filter(|(.., report)| report.times.is_some()).count(), 1);
        assert_eq!(Report::join(&program, &found).unwrap(), whole, "{text}");
        let missed = [Property::Missed];
        let whole = search(&program, 2, &missed).unwrap();
        assert_eq!(Report::join(&program, &parts(&program, 2, &missed, 2)).unwrap(), whole, "{text}");
    }
}

#[test]
fn parts_that_are_not_of_one_search_are_refused() {
    let program = Program::new("admit ready\n").unwrap();
    let found = parts(&program, 2, &[Property::Idle], 3);
    let join = |parts: &[(usize, usize, Report)]| Report::join(&program, parts).unwrap_err();
    assert_eq!(join(&[]), JoinError::Nothing);
    let missing = join(&found[1..2]);
    assert_eq!(missing.to_string(), "of 3 parts these are missing: 1, 3");
    // Of however many parts, a few are named.
    let many = join(&[part(&program, 2, &[Property::Idle], 2, usize::MAX)]);
    assert_eq!(many.to_string(), format!("of {} parts these are missing: 1, 3, 4, 5, 6 and {} more", usize::MAX, usize::MAX - 6));
    assert_eq!(join(&[found.clone(), found[..1].to_vec()].concat()), JoinError::Twice(1));
    let others = parts(&program, 2, &[Property::Lost], 3);
    assert_eq!(join(&[&found[..2], &others[2..]].concat()), JoinError::Differ);
    assert_eq!(join(&[&found[..2], &parts(&program, 3, &[Property::Idle], 3)[2..]].concat()), JoinError::Differ);
}

/// A fault is decided anew from its steps: one that cannot be followed, or shows nothing, is none.
#[test]
fn parts_have_no_faults_that_are_none() {
    let gcaps = Program::new(EXAMPLES[0].text).unwrap();
    let report = search(&gcaps, 3, &Property::for_program(&gcaps)).unwrap();
    for finding in &report.findings {
        let Verdict::Fault(fault) = &finding.verdict else { continue };
        let Fault { ranks, about, steps, cycle, .. } = (**fault).clone();
        let of = |ranks: &[u8], about, steps: &[_], cycle: &[_]| {
            Fault::from_steps(&gcaps, finding.property, ranks.to_vec(), about, steps.to_vec(), cycle.to_vec())
        };
        assert_eq!(of(&ranks, about, &steps, &cycle).as_ref(), Some(&**fault), "{}", finding.property);
        assert_eq!(of(&ranks, about, &[], &[]), None);
        assert_eq!(of(&[], about, &steps, &cycle), None);
        assert_eq!(of(&ranks, TaskNumber(9), &steps, &cycle), None);
        // The same task cannot begin twice.
        assert_eq!(of(&ranks, about, &[&steps[..1], &steps[..1]].concat(), &[]), None);
        if finding.property == Property::Idle {
            assert_eq!(of(&ranks, about, &steps[..1], &[]), None);
        }
    }
}
