//! Examples found for effects: that they show them, from the traces alone, and that they are as small as they get.

use blockstep::learn::find::{Effect, Progress, Search, without_row};
use blockstep::scenario::Draft;

/// The seed that the page begins with.
const SEED: u64 = 1;

fn found(effect: Effect, seed: u64) -> (Draft, u32) {
    let mut search = Search::new(effect, seed);
    match search.run(u32::MAX) {
        Progress::Found(draft) => (*draft, search.attempts()),
        other => panic!("{}: {other:?} after {} attempts", effect.id(), search.attempts()),
    }
}

#[test]
fn find_every_effect_and_no_row_too_many() {
    for effect in Effect::ALL {
        let (draft, _) = found(effect, SEED);
        assert!(effect.shown_by(&draft).is_some(), "{}", effect.id());
        assert!(draft.kernels.len() <= 6);
        for row in 0..draft.kernels.len() {
            assert!(effect.shown_by(&without_row(&draft, row)).is_none(), "{} without row {row}", effect.id());
        }
    }
}
