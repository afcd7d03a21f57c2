//! A call that holds the host while its operation waits for other work: both are said, and which to act on first.

use blockstep_sim::units::Span;
use blockstep_traces::both::call_and_work;
use blockstep_traces::words::beside_call;
use serde_json::json;

use super::Made;

/// A kernel from 0 to 1,000 us, and one behind it in its stream whose call takes so long from 100 us on and which begins at this instant.
fn behind(call_us: u64, starts: u64) -> Option<(Span, Span, String)> {
    let mut made = Made::default();
    made.kernel("first", 20, 0, (10, 1_000));
    made.launch("kernel", "second", 20, (100, call_us), (starts, starts + 100), json!({ "grid": [1, 1, 1], "block": [32, 1, 1] }));
    let (recording, analysis) = made.read();
    let place = recording.operations.iter().position(|operation| recording.name(operation) == "second").unwrap();
    let (operation, parts) = (&recording.operations[place], analysis.parts(place as u32));
    let both = call_and_work(&recording, operation, parts)?;
    let said = beside_call(&recording, operation, parts, &|span| format!("{} us", span.ns() / 1_000)).unwrap();
    Some((both.call, both.call_after, said))
}

#[test]
fn profile_a_call_beside_the_work_of_its_stream_is_second() {
    let (call, after, said) = behind(500, 1_002).unwrap();
    assert_eq!((call, after), (Span(500_000), Span::ZERO));
    assert_eq!(
        said,
        "Its call held the host for 500 us meanwhile. Act on what it waited for first: a shorter call alone would not start it earlier."
    );
}

#[test]
fn profile_a_call_that_goes_on_after_the_work_of_its_stream_is_first() {
    let (call, after, said) = behind(1_500, 1_605).unwrap();
    assert_eq!((call.ns(), after.ns() / 1_000), (1_500_000, 599));
    assert_eq!(
        said,
        "Its call held the host for 1500 us, 599 us longer than the rest. Act on the call first: with a shorter one it starts up to 599 us earlier."
    );
}

#[test]
fn profile_a_short_call_is_no_second_cause() {
    assert_eq!(behind(5, 1_002), None);
}
