//! Questions that follow the state: the worker is asked once nothing has changed for a while.
//!
//! Invariants: while an answer is on its way the last one stays, with the question that it belongs to; an answer that was overtaken is
//! not shown.

use std::time::Duration;

use leptos::prelude::*;

use blockstep_protocol::Ask;
use blockstep_ui::client::{self, PlaceOf};

/// The last answer, with its question; and what is on its way.
pub(super) struct Answers<Q: 'static, A: 'static> {
    pub(super) answer: LocalResource<Option<(Q, Result<A, String>)>>,
    pub(super) on_its_way: PlaceOf,
}

/// Asks whenever the question is another one, and has stayed the same for `rest`; nothing is asked while there is none.
pub(super) fn at_rest<Q, R>(question: Memo<Option<Q>>, rest: Duration, request: impl Fn(&Q) -> R + Copy + 'static) -> Answers<Q, R::Answer>
where
    Q: Clone + PartialEq + Send + Sync + 'static,
    R: Ask + 'static,
{
    let asked = RwSignal::new(None::<Q>);
    let on_its_way: PlaceOf = RwSignal::new(None);
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        let is_some = question.with(Option::is_some);
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        // What takes long and is of no use any more keeps nobody waiting.
        if !is_some {
            client::give_up(on_its_way);
        }
        let ask = move || {
            client::give_up(on_its_way);
            // The page may be gone in tests.
            if let Some(question) = question.try_get_untracked() {
                asked.set(question);
            }
        };
        pending.set_value(if is_some { set_timeout_with_handle(ask, rest).ok() } else { None });
    });
    let answer = LocalResource::new(move || {
        let question = asked.get();
        async move {
            let question = question?;
            let answer = client::request_at(on_its_way, request(&question)).await;
            Some((question, answer))
        }
    });
    Answers { answer, on_its_way }
}
