//! Policies with a few words changed are searched or refused, and their faults have a story.

use proptest::prelude::*;

use blockstep_policy::Program;
use blockstep_search::{Property, Search, Verdict};
use blockstep_sim::work::Budget;
use blockstep_testing::arbitrary::{cases, garbled_policies};

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn random_changes_of_policies_are_searched_or_refused(text in garbled_policies()) {
        if let Ok(program) = Program::new(&text)
            && let Ok(search) = Search::new(&program, 3, &Property::for_program(&program))
        {
            let mut search = search.with_max_bytes(200_000);
            search.advance(&mut Budget::new(5000));
            for finding in search.report().findings {
                if let Verdict::Fault(fault) = finding.verdict {
                    prop_assert!(!fault.requests(&program).is_empty() && fault.story(&program).ends_with('.'));
                }
            }
        }
    }
}
