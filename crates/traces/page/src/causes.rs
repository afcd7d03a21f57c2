//! Colors of causes and shares, and a time with its shares as a bar.
//!
//! Invariant: a part of a bar has its words beside it, so that color is never the only sign.

use leptos::prelude::*;

use blockstep_traces_messages::{Cause, PathShare, ShareOf, TimeShare, percent};

/// The color of a share of a path.
pub(crate) const fn share_colour(share: PathShare) -> &'static str {
    match share {
        PathShare::Working => "#2f7d4f",
        PathShare::OtherDevice => "#5fbf9f",
        PathShare::Host => HOST,
        PathShare::Launching => LAUNCHING,
        PathShare::Waiting => WAITING,
        PathShare::After => "#a9afb8",
        PathShare::Unknown => UNKNOWN,
    }
}

/// Colors that a path has in the timeline, too.
pub(crate) const HOST: &str = "#d98e04";
pub(crate) const LAUNCHING: &str = "#56b4e9";
pub(crate) const WAITING: &str = "#b3261e";
pub(crate) const UNKNOWN: &str = "#7d8591";

/// The color of a cause; of time that is no wait.
pub(crate) const fn colour(cause: Option<Cause>) -> &'static str {
    match cause {
        None => "#7d8591",
        Some(Cause::Launch) => LAUNCHING,
        Some(Cause::Call) => "#999999",
        Some(Cause::StreamOrder) => "#0072b2",
        Some(Cause::Event) => "#cc79a7",
        Some(Cause::NullBarrier) => "#d55e00",
        Some(Cause::ImplicitSync) => "#a0522d",
        Some(Cause::Connection) => "#8f6bc0",
        Some(Cause::NoRoom) => "#009e73",
        Some(Cause::BehindHead) => "#5fbf9f",
        Some(Cause::CopyEngine) => "#e69f00",
        Some(Cause::FirstUse) => "#b8a800",
        Some(Cause::QueueFull) => "#6b4f00",
        Some(Cause::OtherProcess) => "#b3261e",
        Some(Cause::Overlap) => "#7ab7a0",
        Some(Cause::GraphOrder) => "#4a5fa5",
        Some(Cause::CannotTell) => "#5b616b",
    }
}

/// How operations queued: of many that wait at the same time, the times of all.
#[component]
pub(crate) fn Queued(causes: Vec<TimeShare>) -> impl IntoView {
    let note = "From the calls to the starts of all operations. They wait at the same time, mostly while the GPU works, so this is no time \
                lost.";
    (!causes.is_empty()).then(|| bar("Queued by cause", &[note.to_owned()], &causes))
}

/// The color of a part of a time.
pub(crate) const fn colour_of(part: ShareOf) -> &'static str {
    match part {
        ShareOf::Cause(cause) => colour(Some(cause)),
        ShareOf::Path(share) => share_colour(share),
    }
}

/// A time with its shares as a bar.
pub(crate) fn strip(shares: &[TimeShare]) -> AnyView {
    let parts = shares.iter().map(|share| {
        view! { <i style=format!("flex-grow:{};background:{}", share.permille.max(1), colour_of(share.of))></i> }
    });
    view! { <div class="trace-bar" aria-hidden="true">{parts.collect_view()}</div> }.into_any()
}

/// A time with its shares as a bar and as words, and notes below.
pub(crate) fn bar(title: &str, notes: &[String], shares: &[TimeShare]) -> AnyView {
    let lines = shares.iter().map(|share| {
        view! {
            <li title=share.help.clone()>
                <i style=format!("background:{}", colour_of(share.of))></i>
                <b>{share.label.clone()}</b>
                <span>{percent(share.permille)}</span>
                <span class="quiet">{share.time.clone()}</span>
            </li>
        }
    });
    view! {
        <section>
            <h3>{title.to_owned()}</h3>
            {strip(shares)}
            <ul class="trace-shares">{lines.collect_view()}</ul>
            {notes.iter().map(|note| view! { <p class="tool-note">{note.clone()}</p> }).collect_view()}
        </section>
    }
    .into_any()
}
