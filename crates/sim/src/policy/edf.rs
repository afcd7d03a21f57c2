//! `edf`: the process of the pending real-time job with the earliest deadline is resident; below
//! all of those, best-effort tasks by fixed priority.
//!
//! Depends on the trait; which jobs are pending, and by which deadline, the state tells. Invariant:
//! the job chosen and the servers' budgets and deadlines are part of the state. Comments number the lines of
//! docs/semantics.md, section 4. Sources: [EDF] section IV, [LP] section IV; docs/semantics.md, sections 7 and 8.

use std::marker::PhantomData;

use super::runlist::expiry_time;
use super::{About, Action, AsTheRun, Decision, Entry, Plain, Policy, Ruling, Setting, View, has_to_finish};
use crate::scenario::{PolicyKind, Preemption, Scenario};
use crate::snapshot::{Claim, Residency};
use crate::trace::{Change, Rule, Variant, Variants};
use crate::units::{ClaimantId, JobNo, SpaceId, Span, Time};

/// What it is called and looks at.
const ABOUT: About = About {
    kind: PolicyKind::Edf,
    title: "EDF",
    name: "EDF",
    help: "Earliest deadline first",
    uses: &[
        Setting::SwitchCost,
        Setting::Signals,
        Setting::RunlistUpdate,
        Setting::Chain,
        Setting::Watchdog,
        Setting::Servers,
        Setting::Preemption,
        Setting::Timeslice,
        Setting::Class,
        Setting::Budget,
        Setting::Rank,
        Setting::PixelLatency,
        Setting::Batch,
        Setting::StreamPriority,
    ],
};

/// Its line in the table of policies.
pub(super) const ENTRY: Entry = Entry { about: &ABOUT, plain: &Edf::<Plain>::NEW, varied: &Edf::<AsTheRun>::NEW };

/// The policy.
struct Edf<V>(PhantomData<V>);

impl<V> Edf<V> {
    const NEW: Self = Self(PhantomData);
}

impl<V: Ruling> Policy for Edf<V> {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn has_servers(&self, scenario: &Scenario) -> bool {
        scenario.policy().cbs
    }

    /// The exhaustion of the budget that decreases: signal C. The end of a timeslice for which others of a chain wait. While a process drains, the end of a pixel and that of the watchdog's time.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        if let Some(since) = view.state.drains_since() {
            return drain_timer(view, since);
        }
        let exhaustion = if heeds_budgets::<V>(view) { view.state.exhaustion(view.now) } else { None };
        [exhaustion, expiry_time::<V>(view)].into_iter().flatten().min()
    }

    fn arrival(&self, view: View<'_>, claimant: ClaimantId) -> Option<Decision> {
        if !view.state.is_renewed(view.trace, claimant, view.now) {
            return None;
        }
        let deadline = view.trace.scenario().claimant(claimant).deadline.and_then(|relative| view.now.after(relative));
        let renewed = |deadline| Action::Note(Change::ServerRenewed { claimant, deadline });
        let action = deadline.map_or(Action::TooLate(claimant), renewed);
        Some(Decision { rule: Rule::Q1, action })
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        if is_settled(view) {
            return None;
        }
        let (rule, action) = exhausted::<V>(view).or_else(|| turn::<V>(view))?;
        Some(Decision { rule, action })
    }
}

/// True if nothing has happened since the last decision that could lead to another: a block that
/// ends neither makes a job pending nor ends one, unless its kernel completes with it; and the job
/// that was chosen is still the one when its process has entered at once.
fn is_settled(view: View<'_>) -> bool {
    let Residency::Resident { since, draining: false, .. } = view.state.residency() else { return false };
    let Some((claimant, _)) = view.state.edf().chosen else { return false };
    let leads_to_none = |change: &Change| {
        matches!(change, Change::BlockEnded { .. } | Change::Entered { .. } | Change::BlockResumed { .. } | Change::CopyResumed { .. })
    };
    let mut changes = view.trace.steps().iter().rev().take_while(|s| s.at == view.now).map(|s| s.change);
    let is_settled = match changes.find(|change| !leads_to_none(change)) {
        Some(change) => matches!(change, Change::Chosen { .. }),
        // Jobs may have been released while the switch went on.
        None => since < view.now,
    };
    let is_used_up = || view.trace.scenario().has_server(claimant) && view.state.server(claimant, view.now).budget == Span::ZERO;
    is_settled && !is_used_up() && !is_turn_over(view, view.trace.variants())
}

/// Line 5, CBS: a server without budget whose claimant has a job pending.
fn exhausted<V: Ruling>(view: View<'_>) -> Option<(Rule, Action)> {
    if !heeds_budgets::<V>(view) {
        return None;
    }
    let claimant = view.state.first_used_up(view.trace, view.now)?;
    let postponed = view.state.server(claimant, view.now).deadline.after(period(view, claimant));
    let action = postponed.map_or(Action::TooLate(claimant), |deadline| Action::Note(Change::DeadlinePostponed { claimant, deadline }));
    Some((Rule::Q2, action))
}

/// Who is to be resident: lines 6 to 25.
fn turn<V: Ruling>(view: View<'_>) -> Option<(Rule, Action)> {
    let preemption = view.trace.scenario().policy().preemption;
    let chosen = view.state.edf().chosen;
    match view.state.residency() {
        // Line 6.
        Residency::Submitting { .. } | Residency::Switching { .. } | Residency::Shared => None,
        // Line 23, and then 24 and 25.
        Residency::Idle { .. } => match chosen {
            Some((claimant, _)) => Some((Rule::S1, Action::Enter(space_of(view, claimant)))),
            None => view.state.choice(view.trace, V::variants(view), view.now).map(|next| (rule::<V>(view, &next), choose(next))),
        },
        Residency::Resident { space, draining: true, .. } => drained(view, space),
        Residency::Resident { space, .. } => {
            // Line 16.
            if preemption == Preemption::None && chosen.is_some_and(|(claimant, job)| goes_on(view, claimant, job)) {
                return None;
            }
            match view.state.choice(view.trace, V::variants(view), view.now) {
                // Line 20.
                Some(next) if space_of(view, next.claimant) == space && chosen == Some((next.claimant, next.job)) => {
                    is_turn_over(view, V::variants(view)).then(|| (Rule::E7, make_room(view, space, None)))
                }
                // Line 19.
                Some(next) if space_of(view, next.claimant) == space => Some((rule::<V>(view, &next), choose(next))),
                // Line 18.
                Some(next) => Some(give_way(view, space, preemption, &next)),
                // Line 17: what runs may be of a job that the manager does not know of yet.
                None => Some((Rule::E5, make_room(view, space, None))),
            }
        }
    }
}

/// Line 16, `none`: whether the job that runs keeps the GPU. It gives way when it is complete, and when all that it
/// has issued waits for a producer; not in a gap, in which nothing of it is issued, unless its CPU thread waits then: for the work of
/// other jobs, which may need the GPU. Of a batch, and of what a task issues outside of batches, that part counts. All this as far as the
/// manager knows.
fn goes_on(view: View<'_>, claimant: ClaimantId, job: JobNo) -> bool {
    if view.state.knows(claimant, job) {
        return view.state.is_pending(view.trace, claimant, job);
    }
    let Some(open) = view.state.claimant(claimant).job(job) else { return false };
    let task = view.trace.scenario().claimant(claimant).task;
    let waits_for_others = view.state.task(task).host.as_ref().is_some_and(|wait| wait.job == job);
    view.state.has_rows_left(view.trace, claimant, job) && (open.live > 0 || !waits_for_others)
}

/// The resident process makes room for a job of another one: at once, or when what its preemption mode
/// lets run on has completed. A job is preempted if the process still has work.
fn give_way(view: View<'_>, space: SpaceId, preemption: Preemption, next: &Claim) -> (Rule, Action) {
    let rule = match preemption {
        _ if !view.state.has_work(space) => Rule::S4,
        Preemption::None => Rule::E6,
        Preemption::Thread | Preemption::Block | Preemption::Kernel => Rule::E4,
    };
    (rule, make_room(view, space, Some(next.claimant)))
}

/// Lines 28 and 29: it leaves at once, or drains first: for the job of a claimant, if it is known whose is next.
fn make_room(view: View<'_>, space: SpaceId, next: Option<ClaimantId>) -> Action {
    if stays_for_now(view, space) { Action::Drain(next) } else { Action::Leave }
}

/// Whether the timeslice of the resident process has expired, and others of the chosen job's chain have work (docs/semantics.md, section 8).
fn is_turn_over(view: View<'_>, variants: Variants) -> bool {
    view.state.timeslice_left_with(view.trace, variants, view.now) == Some(Span::ZERO)
}

/// Whether a process that has to give way, or drains, still executes something that its preemption mode lets run on: under `thread` the
/// blocks of graphics tasks, to the end of a pixel.
fn stays_for_now(view: View<'_>, space: SpaceId) -> bool {
    match view.trace.scenario().policy().preemption {
        Preemption::Thread => {
            let since = view.state.drains_since().unwrap_or(view.now);
            view.state.pixel_end(view.trace, space, since).is_some_and(|end| end > view.now)
        }
        Preemption::Block | Preemption::Kernel | Preemption::None => has_to_finish(view, space),
    }
}

/// Lines 9 to 11, what a process does that drains: it leaves when nothing of it runs on, and is reset when the watchdog's time is up.
fn drained(view: View<'_>, space: SpaceId) -> Option<(Rule, Action)> {
    if view.state.is_space_reset(space) {
        return Some((Rule::S7, Action::Leave));
    }
    if !stays_for_now(view, space) {
        return Some((Rule::S3, Action::Leave));
    }
    let watchdog = view.trace.scenario().policy().watchdog()?;
    let is_over = view.state.drains_since().is_some_and(|since| view.now.since(since) >= watchdog);
    is_over.then_some((Rule::S7, Action::Note(Change::ChannelReset { space })))
}

/// When a process that drains since an instant has to be looked at although nothing of it completes.
fn drain_timer(view: View<'_>, since: Time) -> Option<Time> {
    let policy = view.trace.scenario().policy();
    let Residency::Resident { space, .. } = view.state.residency() else { return None };
    let pixel = if policy.preemption == Preemption::Thread { view.state.pixel_end(view.trace, space, since) } else { None };
    let watchdog = policy.watchdog().and_then(|watchdog| since.after(watchdog));
    pixel.into_iter().chain(watchdog).filter(|&at| at > view.now).min()
}

/// By which rule a job is the one.
fn rule<V: Ruling>(view: View<'_>, next: &Claim) -> Rule {
    match (next.deadline, next.inherited_from) {
        (Some(_), _) if V::variants(view).has(Variant::FixedPriority) => Rule::E1,
        (_, Some(_)) => Rule::E3,
        (Some(_), None) => Rule::E1,
        (None, None) => Rule::E2,
    }
}

fn choose(next: Claim) -> Action {
    Action::Note(Change::Chosen { claimant: next.claimant, job: next.job })
}

/// Whether something happens when a budget is used up.
fn heeds_budgets<V: Ruling>(view: View<'_>) -> bool {
    !V::variants(view).has(Variant::NoBudgets)
}

/// T of a server.
fn period(view: View<'_>, claimant: ClaimantId) -> Span {
    view.trace.scenario().claimant(claimant).period.unwrap_or(Span::ZERO)
}

/// Every process has an address space of its own.
fn space_of(view: View<'_>, claimant: ClaimantId) -> SpaceId {
    SpaceId(view.trace.scenario().claims_for(claimant).process.0)
}
