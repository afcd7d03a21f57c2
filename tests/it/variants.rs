//! Rules changed on purpose: each differs from the real rule where it should, none of them is
//! there when it is off, and no run with them panics, hangs or contradicts itself.

use blockstep::engine::{self, Limits, Run};
use blockstep::scenario::{Draft, Scenario};
use blockstep::trace::{Variant, Variants};
use proptest::prelude::*;

use crate::arbitrary::{any_drafts, cases};

fn varied(draft: &Draft, variants: Variants) -> Run {
    engine::simulate_varied(&Scenario::new(draft).unwrap(), variants, Limits::default()).unwrap()
}

fn any_variants() -> impl Strategy<Value = Variants> {
    proptest::collection::vec(proptest::sample::select(Variant::ALL.to_vec()), 1..4).prop_map(|list| list.into_iter().collect())
}

proptest! {
    #![proptest_config(cases(1500))]

    /// A run with variants ends as a run does, and every state of it can be had again.
    #[test]
    fn variants_any_of_them_makes_a_run(draft in any_drafts(), variants in any_variants()) {
        let run = varied(&draft, variants);
        prop_assert_eq!(run.trace.variants(), variants);
        prop_assert_eq!(run.trace.cut(), None);
        let mut replay = run.replay();
        let mut state = replay.seek(0).clone();
        for step in run.trace.steps() {
            prop_assert!(state.now() <= step.at);
            state.apply(&run.trace, step);
        }
        prop_assert_eq!(replay.seek(u32::MAX), &state);
    }
}
