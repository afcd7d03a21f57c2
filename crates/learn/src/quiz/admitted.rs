//! Whom a policy of one's own lets use the GPU from a decision on.
//!
//! Depends on the rest of `quiz`. Invariant: a wrong choice is of other tasks than the policy admits here, all of whom are ready. Source: docs/semantics.md, section 14.

use blockstep_policy::{TaskNumber, TaskSet};

use super::{QuestionDraft, QuizAnswer, QuizChoice, Site};
use blockstep_sim::language::{all_of, capitalized};
use blockstep_sim::scenario::Class;
use blockstep_sim::trace::{Change, Told, Trace};
use blockstep_sim::units::TaskId;
use blockstep_view::sentence;

/// Who believes that everybody is admitted.
pub(super) const EVERYBODY: &str = "Every task that asks for the GPU may use it.";
/// Who believes that nobody is preempted.
pub(super) const KEEPS: &str = "A task that may use the GPU keeps it until the end of the job.";
/// Who believes in priorities alone.
pub(super) const MOST_URGENT: &str = "Only the most urgent of the ready tasks is admitted.";

/// Before the policy is told of something, where somebody is ready and more than one answer is possible.
pub(super) fn whom_it_admits(site: &Site<'_>) -> Option<QuestionDraft> {
    let (trace, step) = (site.trace, site.next?);
    let Change::PolicyTold { decision } = step.change else { return None };
    let made = trace.made(decision);
    let (right, ready) = (made.decision.admitted, made.ready);
    let before = site.state.own().made().map_or(TaskSet::EMPTY, |made| made.decision.admitted);
    // What it is told of kernels is mostly about launches, not about who is admitted.
    let is_about_launches = made.told.kernel().is_some() && right == before;
    if ready.is_empty() || (ready.len() == 1 && right == ready) || is_about_launches {
        return None;
    }
    let scenario = trace.scenario();
    let urgency = |task: TaskNumber| {
        let task = scenario.task(place(task));
        (task.class == Class::BestEffort, task.priority)
    };
    let most = ready.iter().map(urgency).min();
    let most_urgent = ready.iter().filter(|task| Some(urgency(*task)) == most).fold(TaskSet::EMPTY, TaskSet::with);
    let kept = before.and(ready);
    let beliefs = [
        (kept, (!kept.is_empty()).then_some(KEEPS)),
        (ready, Some(EVERYBODY)),
        (most_urgent, (most_urgent.len() == 1).then_some(MOST_URGENT)),
    ];
    let others = ready.iter().map(|task| (TaskSet::single(task), None)).chain([(TaskSet::EMPTY, None)]);
    let deciding = sentence::sentence(trace, step);
    let mut wrong: Vec<QuizChoice> = Vec::new();
    for (tasks, belief) in beliefs.into_iter().filter(|(_, belief)| belief.is_some()).chain(others) {
        let is_known = |choice: &QuizChoice| choice.answer == QuizAnswer::Admitted(tasks);
        if tasks != right && !wrong.iter().any(is_known) {
            let choice = QuizChoice::new(QuizAnswer::Admitted(tasks), words(trace, tasks), step.rule, deciding.clone());
            wrong.push(choice.believing(belief));
        }
    }
    let name = |task: TaskId| &scenario.task(task).name;
    let told = match made.told {
        Told::Request(task, _) => format!("that task {} asks for the GPU", name(task)),
        Told::End(task, _) => format!("that task {} gives the GPU back", name(task)),
        Told::Tick => "that time has passed".to_owned(),
        Told::Launch(task, ..) => format!("that a kernel of task {} is launched", name(task)),
        Told::Finish(task, ..) => format!("that a kernel of task {} has finished", name(task)),
    };
    Some(QuestionDraft {
        text: format!("The policy now learns {told}. Which tasks may use the GPU from then on?"),
        hint: format!("Ready then: {}. Admitted before: {}.", listed(trace, ready), listed(trace, before)),
        right: QuizChoice::new(QuizAnswer::Admitted(right), words(trace, right), step.rule, deciding),
        wrong,
    })
}

/// A task of the table.
fn place(task: TaskNumber) -> TaskId {
    TaskId::at(usize::from(task.0))
}

/// Names of tasks, or nobody.
fn listed(trace: &Trace, tasks: TaskSet) -> String {
    let names: Vec<&str> = tasks.iter().map(|task| trace.scenario().task(place(task)).name.as_str()).collect();
    if names.is_empty() { "nobody".to_owned() } else { all_of(&names) }
}

fn words(trace: &Trace, tasks: TaskSet) -> String {
    let names = listed(trace, tasks);
    if tasks.is_empty() { capitalized(&names) } else { names }
}
