//! The engine against the oracle: two implementations of the contract, one trace.

use blockstep::engine::{self, Limits};
use blockstep::format::write_trace;
use blockstep::record::Records;
use blockstep::scenario::{Draft, Scenario};
use proptest::prelude::*;
use serde_json::Value;

use crate::arbitrary::{cases, drafts};
use crate::oracle;

fn engine_trace(draft: &Draft) -> Value {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default()).unwrap();
    assert_eq!(run.trace.cut(), None);
    serde_json::from_str(&write_trace(&run.trace, &Records::new(&run.trace)).unwrap()).unwrap()
}

fn difference(draft: &Draft) -> Option<String> {
    let (ours, theirs) = (engine_trace(draft), oracle::simulate(draft).to_json());
    let text = |v: &Value| serde_json::to_string_pretty(v).unwrap();
    (ours != theirs)
        .then(|| similar::TextDiff::from_lines(text(&theirs), text(&ours)).unified_diff().header("oracle", "engine").to_string())
}

proptest! {
    #![proptest_config(cases(3000))]
    #[test]
    fn differential_engine_and_oracle_agree(draft in drafts()) {
        if let Some(diff) = difference(&draft) {
            return Err(TestCaseError::fail(diff));
        }
    }
}
