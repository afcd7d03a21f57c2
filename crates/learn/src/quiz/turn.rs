//! Whose turn is next: whom the Host finds on the runlist, whose job has the earliest deadline, or whom a text admits.
//!
//! Depends on the rest of `quiz`. Invariant: a wrong choice is a process or job that the run does
//! not take here.

use super::beliefs::Behind;
use super::{QuestionDraft, QuizAnswer, QuizChoice, Site};
use blockstep_sim::language::one_or;
use blockstep_sim::scenario::{Class, Interleave, StreamPriority, Task};
use blockstep_sim::snapshot::{Claim, Residency};
use blockstep_sim::trace::{Change, Rule, Trace, Variant, Variants};
use blockstep_sim::units::{JobNo, OpId, SpaceId, Span, TaskId, Time};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence;

const CAN_BE_CHOSEN: &str = "A job that waits for a producer can be chosen.";
/// Processes and tasks looked at.
const MAX_OTHERS: usize = 256;

/// Before the Host finds work, or the deadline scheduler chooses.
pub(super) fn who_is_next(site: Site<'_>) -> Option<QuestionDraft> {
    match site.next?.change {
        Change::PolicyTold { .. } => super::admitted::whom_it_admits(&site),
        // Those whom a text admits take turns, which is none of its decisions.
        _ if site.trace.scenario().own().is_some() => None,
        Change::EntryVisited { space, .. } => on_the_runlist(&site, space),
        Change::Chosen { claimant, job } => by_deadline(&site, site.trace.scenario().claimant(claimant).task, job),
        _ => None,
    }
}

fn on_the_runlist(site: &Site<'_>, taken: SpaceId) -> Option<QuestionDraft> {
    let (trace, state) = (site.trace, site.state);
    let (list, pointer) = (trace.scenario().runlist(), state.runlist().pointer);
    let away = |space: SpaceId| list.distance(pointer, space);
    let others: Vec<SpaceId> = (0..state.spaces().len()).map(SpaceId::at).filter(|&space| space != taken).take(MAX_OTHERS).collect();
    let with_work = || others.iter().copied().filter(|&space| state.has_work(space));
    let rank = |space: SpaceId| match trace.scenario().process_of(space).interleave {
        Interleave::High => 0,
        Interleave::Medium => 1,
        Interleave::Low => 2,
    };
    let last = match state.residency() {
        Residency::Idle { last, .. } => last,
        _ => None,
    };
    let first_op =
        |space: SpaceId| -> Option<OpId> { trace.layout().space(space).streams.iter().filter_map(|&stream| state.head(stream)).min() };
    // What has moved on waits for nothing but its turn.
    let moved_on = |space: SpaceId| trace.layout().space(space).streams.iter().filter(|&&stream| state.stream(stream).promoted);
    let earliest = |space: SpaceId| moved_on(space).filter_map(|&stream| state.head(stream)).min();
    let high = |space: SpaceId| moved_on(space).any(|&stream| trace.layout().stream(stream).priority == StreamPriority::High);
    let at_pointer = Some(list.entry(pointer)).filter(|&space| space != taken);
    let table = last.map_or(0, |last| last.index() + 1);
    let beliefs: [(Option<SpaceId>, &'static str); 6] = [
        (at_pointer, "The Host waits for the process of the next entry even if that process has no work."),
        (
            with_work().filter(|&s| rank(s) < rank(taken)).min_by_key(|&s| rank(s)),
            "The interleaving level is a strict priority: the highest process with work is served.",
        ),
        (with_work().find(|&s| high(s) && !high(taken)), "A process with a high-priority stream goes first."),
        (last.filter(|&s| s != taken && state.has_work(s)), "The process that was resident continues as long as it has work."),
        (
            with_work().min_by_key(|&s| (s.index() < table, s)).filter(|&s| (s.index() < table, s) < (taken.index() < table, taken)),
            "Processes take turns in the order of the table.",
        ),
        (
            with_work().min_by_key(|&s| earliest(s)).filter(|&s| earliest(s) < earliest(taken)),
            "The process whose work was launched first is served.",
        ),
    ];
    let restarted = with_work().chain([taken]).min_by_key(|&space| list.distance(0, space));
    let wrong = others.iter().map(|&space| {
        let name = trace.space_name(space);
        let why = if state.has_work(space) {
            let first = match away(taken) {
                0 => "the pointer is at that entry".to_owned(),
                n => format!("its distance is {}", format_count(n)),
            };
            let taken = trace.space_name(taken);
            format!(
                "{name} has work, but the distance from the pointer to its next entry is {}. The Host comes to {taken}'s first: {first}.",
                format_count(away(space))
            )
        } else {
            format!("{name} has no work now. The Host skips its entries, at no cost.")
        };
        let belief = beliefs.iter().find(|b| b.0 == Some(space)).map(|b| b.1);
        let variant = (Some(space) == restarted).then_some(Variant::ListRestarts);
        (
            state.has_work(space),
            QuizChoice::new(QuizAnswer::Space(space), name, Rule::L1, why).about(first_op(space)).under_variant(variant).believing(belief),
        )
    });
    let mut wrong: Vec<(bool, QuizChoice)> = wrong.collect();
    wrong.sort_by_key(|(has_work, _)| !has_work);
    let who = if trace.scenario().has_channels() { "channel" } else { "process" };
    let step = sentence::sentence(trace, site.next?);
    let skipped = match away(taken) {
        0 => "The pointer is at its entry.".to_owned(),
        n => format!("Between the pointer and its entry, {} {} without work.", format_count(n), one_or(n, "entry is", "entries are")),
    };
    Some(QuestionDraft {
        text: format!("The GPU is free, and the Host looks for work on the runlist. Which {who} is resident next?"),
        hint: format!("The pointer is at entry {} of {}.", format_count(pointer), format_count(list.len())),
        right: QuizChoice::new(QuizAnswer::Space(taken), trace.space_name(taken), Rule::L1, format!("{step} {skipped}")),
        wrong: wrong.into_iter().map(|(_, choice)| choice).collect(),
    })
}

fn by_deadline(site: &Site<'_>, task: TaskId, job: JobNo) -> Option<QuestionDraft> {
    let (trace, state, now) = (site.trace, site.state, site.now());
    let step = site.next?;
    let scenario = trace.scenario();
    // Where signals take time, the choice is among jobs that the RunList Manager knows of: that is another question.
    if scenario.policy().signal_time() > Span::ZERO {
        return None;
    }
    // An answer is a job, of which several batches may be candidates.
    if scenario.has_batches() {
        return None;
    }
    let claims: Vec<Claim> =
        state.live_claimants().take(MAX_OTHERS).filter_map(|t| state.claim(trace, t, now)).filter(|c| c.task != task).collect();
    let chosen = state.claim(trace, task, now)?;
    let info = |c: &Claim| scenario.task(c.task);
    let release = |c: &Claim| state.task(c.task).job(c.job).map(|j| j.release);
    let own = |c: &Claim| release(c)?.after(info(c).deadline?);
    let period = |c: &Claim| info(c).period;
    let resident = match state.residency() {
        Residency::Resident { space, .. } | Residency::Idle { last: Some(space), .. } => Some(space.0),
        _ => None,
    };
    let ahead = |key: &dyn Fn(&Claim) -> Option<u64>| {
        // Only what one believes in must come before the one that is chosen.
        let mine = key(&chosen);
        claims.iter().filter(|c| key(c).is_some() && (mine.is_none() || key(c) < mine)).min_by_key(|c| key(c)).map(|c| c.task)
    };
    let real_time = |c: &Claim| info(c).class == Class::RealTime;
    let has_heirs = claims.iter().chain([&chosen]).any(|c| c.inherited_from.is_some());
    // Who inherits would inherit own deadlines too.
    let own_first = match scenario.policy().cbs && !has_heirs {
        true => ahead(&|c| own(c).filter(|_| real_time(c)).map(Time::ns)),
        false => None,
    };
    let number = |c: &Claim| info(c).priority.cast_unsigned() ^ (1 << 63);
    let beliefs: [(Option<TaskId>, &'static str); 6] = [
        (own_first, "A job is scheduled by its own deadline, not by the deadline of its server."),
        (ahead(&|c| period(c).map(|p| p.ns())), "The task with the shortest period is served first."),
        (ahead(&|c| c.deadline.map(|_| number(c))), "The priority number of a task counts among real-time tasks too."),
        (ahead(&|c| release(c).map(Time::ns)), "Jobs are served in the order of their releases."),
        (
            claims
                .iter()
                .filter(|c| Some(info(c).process.0) == resident && info(&chosen).process != info(c).process)
                .min_by_key(|c| c.rank(trace.variants()))
                .map(|c| c.task),
            "The process that was resident continues as long as it has a job.",
        ),
        (claims.first().map(|c| c.task).filter(|&first| first < task), "The task that is higher in the table is served first."),
    ];
    let text = |task: TaskId, job: JobNo| job_name(trace, task, job);
    let varied = |variant: Variant| {
        let variants = Variants::NONE.with(variant);
        let claims = state.live_claimants().take(MAX_OTHERS).filter_map(|t| state.claim_with(trace, variants, t, now));
        Some((claims.min_by_key(|claim| state.order_of(claim, variants))?.task, variant))
    };
    let varied: Vec<(TaskId, Variant)> = [Variant::NoInheritance, Variant::FixedPriority].into_iter().filter_map(varied).collect();
    let mut wrong: Vec<QuizChoice> = claims
        .iter()
        .map(|c| {
            let belief = beliefs.iter().find(|b| b.0 == Some(c.task)).map(|b| b.1);
            let variant = varied.iter().find(|(task, _)| *task == c.task).map(|(_, variant)| *variant);
            let (rule, why) = against(trace, &chosen, c, step.rule);
            QuizChoice::new(QuizAnswer::Job(c.task, c.job), text(c.task, c.job), rule, why)
                .about(first_of(site, c.task, c.job))
                .under_variant(variant)
                .believing(belief)
        })
        .collect();
    wrong.extend(waiting(site, &chosen, step.rule));
    let why = format!("{} {}", sentence::sentence(trace, step), standing(trace, &chosen));
    Some(QuestionDraft {
        text: "The scheduler now decides which job is served next. Which job does it choose?".to_owned(),
        hint: String::new(),
        right: QuizChoice::new(QuizAnswer::Job(task, job), text(task, job), step.rule, why.trim_end().to_owned()),
        wrong,
    })
}

/// The jobs that wait for a producer, which cannot be chosen.
fn waiting(site: &Site<'_>, chosen: &Claim, rule: Rule) -> Vec<QuizChoice> {
    let (trace, state) = (site.trace, site.state);
    let scenario = trace.scenario();
    let live = state.live_claimants().take(MAX_OTHERS);
    let waiting = live.map(|claimant| scenario.claimant(claimant).task);
    let waiting = waiting.filter(|&task| task != chosen.task && state.first_pending(trace, task).is_none());
    let first = |task: TaskId| state.task(task).open.iter().find(|j| j.live > 0);
    // What it would be ranked by if it could be chosen.
    let rank = |task: TaskId| {
        let info = scenario.task(task);
        let deadline = || match scenario.has_server(task) {
            true => Some(state.server(task, site.now()).deadline),
            false => first(task)?.release.after(info.deadline?),
        };
        let deadline = if info.class == Class::RealTime { deadline() } else { None };
        (deadline.map_or((true, info.priority.cast_unsigned() ^ (1 << 63)), |at| (false, at.ns())), task)
    };
    let waiting: Vec<TaskId> = waiting.collect();
    let is_heir = |&task: &TaskId| !scenario.task(task).consumers.is_empty();
    // Which of those with consumers would inherit is not computed.
    let earliest = waiting.iter().copied().filter(|_| !waiting.iter().any(is_heir)).min_by_key(|&task| rank(task));
    let earliest = earliest.filter(|&task| rank(task) < (chosen.rank(trace.variants()), chosen.task));
    let choice = |&task: &TaskId| {
        let job = first(task)?.job;
        let producer = state.unfinished_producer(trace, task, job).map(|p| scenario.task(p).name.as_str());
        let cause = producer.map_or_else(|| "an operation before it waits for one".to_owned(), |p| format!("task {p} has yet to complete"));
        let why = format!("It cannot continue: {cause}. A job that waits for a producer is not pending.");
        let choice = QuizChoice::new(QuizAnswer::Job(task, job), job_name(trace, task, job), rule, why).about(first_of(site, task, job));
        let behind = match earliest == Some(task) {
            true => Behind { belief: Some(CAN_BE_CHOSEN), ..Behind::default() },
            false => Behind { perhaps: Some(CAN_BE_CHOSEN), ..Behind::default() },
        };
        Some(choice.standing_on(behind))
    };
    waiting.iter().filter_map(choice).collect()
}

/// The first operation of a job that is issued and incomplete.
fn first_of(site: &Site<'_>, task: TaskId, job: JobNo) -> Option<OpId> {
    let is_its = |op: &OpId| site.trace.op(*op).job == job && site.trace.row_of(*op).task == task;
    let rows = &site.trace.scenario().task(task).rows;
    let streams = rows.iter().map(|&row| site.trace.layout().stream_of(row));
    streams.filter_map(|stream| site.state.stream(stream).queue.iter().copied().find(is_its)).min()
}

/// `task T1`, `job 2 of task T1`, and whose it is.
fn job_name(trace: &Trace, id: TaskId, job: JobNo) -> String {
    let Task { name, process, jobs, .. } = trace.scenario().task(id);
    let process = &trace.scenario().processes()[process.index()].name;
    match jobs {
        Some(1) => format!("Task {name} ({process})"),
        _ => format!("Task {name}, job {} ({process})", job.0),
    }
}

/// What a job is ranked by.
fn standing(trace: &Trace, claim: &Claim) -> String {
    let scenario = trace.scenario();
    let name = &scenario.task(claim.task).name;
    match (claim.deadline, claim.inherited_from) {
        (Some(at), Some(consumer)) => {
            format!("{name} inherits the deadline of {}, {}.", scenario.task(consumer).name, format_time(at.ns()))
        }
        (Some(at), None) if scenario.has_server(claim.task) => format!("The deadline of {name}'s server is {}.", format_time(at.ns())),
        (Some(at), None) => format!("The deadline of {name} is {}.", format_time(at.ns())),
        (None, _) => format!("{name} is best effort, with priority {}.", scenario.task(claim.task).priority),
    }
}

/// Why the chosen one goes before another.
fn against(trace: &Trace, chosen: &Claim, other: &Claim, rule: Rule) -> (Rule, String) {
    let both = format!("{} {}", standing(trace, chosen), standing(trace, other));
    let tie = chosen.rank(trace.variants()) == other.rank(trace.variants());
    match (chosen.deadline, other.deadline) {
        (Some(_), None) => (Rule::E2, format!("{both} Best effort is served only when no real-time job is pending.")),
        _ if tie => (
            rule,
            format!(
                "{both} In a tie, a job that is already chosen stays chosen. Otherwise the task that is higher in the table goes first."
            ),
        ),
        (None, _) => (Rule::E2, format!("{both} The smaller number goes first.")),
        _ => (rule, both),
    }
}
