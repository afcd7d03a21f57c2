//! Published policies against traces made by hand from what their sources say: who may run after each request.

use crate::decisions::Told;
use blockstep_policy::examples::{EXAMPLES, find};

/// Tasks A, B... of these priorities (0 is best effort; period and deadline are shorter for a higher one), what is asked, and who is
/// admitted after each request; `.` is nobody.
#[track_caller]
fn trace(id: &str, priorities: &[i64], steps: &[(&str, &str)]) {
    let mut told = Told::new(find(id).unwrap().text, priorities);
    for (i, (request, admitted)) in steps.iter().enumerate() {
        let found = told.tell(request).admitted();
        assert_eq!(found, admitted.replace('.', ""), "{id}: request {i}, {request}");
    }
}

/// Figure 3 of the paper: a higher priority takes the GPU, and the one below gets it back.
#[test]
fn published_gcaps() {
    let figure = [("+A", "A"), ("+B", "B"), ("-B", "A"), ("-A", ".")];
    for id in ["gcaps", "gcaps-union", "gcaps-driver", "gcaps-driver-mended"] {
        trace(id, &[1, 2], &figure);
        trace(id, &[1, 3, 2], &[("+A", "A"), ("+B", "B"), ("+C", "B"), ("-B", "C"), ("-C", "A"), ("-A", ".")]);
        // Best effort shares the GPU, and waits for real time.
        trace(id, &[0, 0, 1], &[("+A", "A"), ("+B", "AB")]);
        trace(id, &[0, 1], &[("+B", "B"), ("+A", "B"), ("-B", "A")]);
    }
    // The two deadlocks of the authors' notes, and without them.
    trace("gcaps-driver", &[0, 0], &[("+A", "A"), ("+B", "AB"), ("-A", ".")]);
    trace("gcaps-driver-mended", &[0, 0], &[("+A", "A"), ("+B", "AB"), ("-A", "B")]);
    let third = [("+A", "A"), ("+C", "C"), ("+B", "C")];
    trace("gcaps-driver", &[1, 2, 3], &[&third[..], &[("-A", "B")]].concat());
    trace("gcaps-driver-mended", &[1, 2, 3], &[&third[..], &[("-A", "C"), ("-C", "B"), ("-B", ".")]].concat());
}

#[test]
fn published_locks() {
    let begin = [("+A", "A"), ("+B", "A"), ("+C", "A")];
    trace("fifo-lock", &[1, 2, 3], &[&begin[..], &[("-A", "B"), ("+A", "B"), ("-B", "C"), ("-C", "A")]].concat());
    trace("mpcp", &[1, 2, 3], &[&begin[..], &[("-A", "C"), ("+A", "C"), ("-C", "B"), ("-B", "A"), ("-A", ".")]].concat());
    // Of equal priorities the first that came.
    trace("mpcp", &[3, 1, 1], &[("+C", "C"), ("+B", "C"), ("+A", "C"), ("-C", "A"), ("+C", "A"), ("-A", "B")]);
    trace(
        "k-exclusion",
        &[1, 2, 3, 4],
        &[("+A", "A"), ("+B", "AB"), ("+C", "AB"), ("+D", "AB"), ("-B", "AC"), ("+B", "AC"), ("-A", "CD"), ("-C", "BD")],
    );
}

#[test]
fn published_by_rank() {
    for id in ["hpf", "rate-monotonic", "edf"] {
        trace(id, &[1, 3, 2, 0], &[("+D", "D"), ("+A", "A"), ("+B", "B"), ("+C", "B"), ("-B", "C"), ("-C", "A"), ("-A", "D")]);
    }
    trace("k-edf", &[1, 3, 2, 0], &[("+D", "D"), ("+A", "AD"), ("+B", "AB"), ("+C", "BC"), ("-B", "AC"), ("-C", "AD")]);
    // Only between blocks, here at a tick or an end.
    trace("effisha", &[1, 2], &[("+A", "A"), ("+B", "A"), ("~", "B"), ("-B", "A"), ("+B", "A"), ("-A", "B")]);
}

#[test]
fn published_by_turns() {
    trace(
        "round-robin",
        &[1, 2, 0],
        &[("+A", "A"), ("+B", "A"), ("+C", "A"), ("~", "B"), ("~", "C"), ("~", "A"), ("-A", "B"), ("+A", "B"), ("~", "C")],
    );
    // Best effort takes turns; real time comes at once, and the turns go on after it.
    trace(
        "gpreempt",
        &[0, 0, 1, 2],
        &[("+A", "A"), ("+B", "A"), ("~", "B"), ("+C", "C"), ("~", "C"), ("+D", "D"), ("-D", "C"), ("-C", "B"), ("~", "A")],
    );
    // A draw of the first: who holds the first ticket.
    trace("lottery", &[0, 1], &[("+B", "B"), ("+A", "B"), ("~", "A"), ("-A", "B"), ("-B", ".")]);
}

#[test]
fn published_by_class_and_group() {
    trace("reef", &[0, 1, 2, 0], &[("+A", "A"), ("+D", "A"), ("+B", "B"), ("+C", "B"), ("-B", "C"), ("-C", "A"), ("-A", "D")]);
    // A lower group that is out stays out; one that comes is held back, and all of a group go together.
    trace("timegraph-ht", &[1, 2, 1, 1], &[("+A", "A"), ("+B", "AB"), ("+C", "AB"), ("+D", "AB"), ("-B", "ACD"), ("+B", "ABCD")]);
    trace("timegraph-ht", &[3, 2, 1], &[("+A", "A"), ("+C", "A"), ("+B", "A"), ("-A", "B"), ("-B", "C")]);
}

/// Credit falls by a job and rises by a period; who has none waits for those who have.
#[test]
fn published_credit() {
    let begin = [("+A", "A"), ("+B", "A"), ("+C", "A"), ("-A", "B")];
    trace("gdev-credit", &[0, 0, 0], &[&begin[..], &[("+A", "B"), ("-B", "C"), ("-C", "A")]].concat());
    // A period for B and C alone, then A comes before a second job of B, but B still has credit.
    trace("gdev-credit", &[0, 0, 0], &[("+B", "B"), ("+C", "B"), ("~", "B"), ("+A", "B"), ("-B", "C"), ("+B", "C"), ("-C", "A")]);
    trace("gdev-credit", &[0, 0, 0], &[("+A", "A"), ("+B", "A"), ("~", "A"), ("+C", "A"), ("-A", "B"), ("-B", "C")]);
    trace(
        "gdev-credit",
        &[0, 0, 0],
        &[("+A", "A"), ("+B", "A"), ("+C", "A"), ("-A", "B"), ("-B", "C"), ("+A", "C"), ("+B", "C"), ("~", "C"), ("-C", "A")],
    );
}

/// Whose kernels may be launched after each of these; `>A` is a kernel of A that is launched, `<A` one that has finished.
#[track_caller]
fn launches(mut told: Told, steps: &[(&str, &str)]) {
    for (i, (what, launching)) in steps.iter().enumerate() {
        assert_eq!(told.tell(what).launching(), launching.replace('.', ""), "step {i}, {what}");
    }
}

/// Only what is not launched yet is held back: the one that is out stays admitted.
#[test]
fn published_by_kernels() {
    let text = find("hpf-launch").unwrap().text;
    launches(Told::new(text, &[1, 2]), &[("+A", "A"), ("+B", "B"), ("-B", "A"), ("-A", ".")]);
    assert_eq!(Told::new(text, &[1, 2]).tell("+A +B").admitted(), "AB");
    // A and B are best effort, of one SM and two; C is real time.
    let orion = |durations| Told::new(find("orion").unwrap().text, &[0, 0, 1]).with_sms(&[1, 2, 2]).with_durations(durations);
    launches(
        orion(&[5, 5, 5]),
        &[("+A", "A"), ("+B", "AB"), (">A", "AB"), (">B", "AB"), ("+C", "C"), ("<B", "C"), ("<A", "AC"), (">A", "C"), ("-C", "AB")],
    );
    // Past the budget of time all that are out have to finish first, but those of real time.
    let long = [300_000, 300_000, 300_000];
    launches(orion(&long), &[("+A", "A"), (">A", "A"), ("+B", "AB"), (">B", "."), ("+C", "C"), (">C", "C"), ("<A", "C"), ("<B", "AC")]);
}

#[test]
fn published_policies_have_traces() {
    let traces = include_str!("published.rs");
    let without: Vec<_> = EXAMPLES.iter().filter(|example| !traces.contains(&format!("\"{}\"", example.id))).collect();
    assert!(without.is_empty(), "{without:?}");
}
