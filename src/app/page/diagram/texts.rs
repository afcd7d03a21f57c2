//! The texts of the panel of queues. Depends on Leptos, for the legend with its samples.

use leptos::prelude::*;

pub(super) const TITLE: &str = "Queues";

pub(super) fn legend() -> impl IntoView {
    view! {
        <span class="item sample">"K1"</span> " waits " <span class="item sample dispatched">"K1"</span> " partly "
        <span class="item sample dispatched fully">"K1"</span> " fully dispatched "
        <span class="item sample changed">"K1"</span> " changed by this step"
    }
}
