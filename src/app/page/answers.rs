//! Questions that follow the state: the worker is asked once nothing has changed for a while.
//!
//! Depends on the client. Invariants: while an answer is on its way the last one stays, with the question that it belongs to;
//! an answer that was overtaken is not shown.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::client;
use crate::protocol::Ask;

/// The last answer, with its question.
pub(super) type Answered<Q, A> = LocalResource<Option<(Q, Result<A, String>)>>;

/// Asks whenever the question is another one, and has stayed the same for `rest`; nothing is asked while there is none.
pub(super) fn at_rest<Q, R>(
    question: Memo<Option<Q>>,
    rest: Duration,
    request: impl Fn(&Q) -> R + Copy + 'static,
) -> Answered<Q, R::Answer>
where
    Q: Clone + PartialEq + Send + Sync + 'static,
    R: Ask + 'static,
{
    let asked = RwSignal::new(None::<Q>);
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        let is_some = question.with(Option::is_some);
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        let ask = move || {
            // The page may be gone in tests.
            if let Some(question) = question.try_get_untracked() {
                asked.set(question);
            }
        };
        pending.set_value(if is_some { set_timeout_with_handle(ask, rest).ok() } else { None });
    });
    LocalResource::new(move || {
        let question = asked.get();
        async move {
            let question = question?;
            let answer = client::request(request(&question)).await;
            Some((question, answer))
        }
    })
}
