//! A batch at a step: what ran, what is held up, and where the reader stands in it.
//!
//! Invariant: everything that the view of a step shows is of the same step.

use super::NOT_ISSUED;
use super::problem::WorkloadProblem;
use super::state::Setup;
use blockstep_batch::arch::Arch;
use blockstep_batch::command::{CommandNo, Op};
use blockstep_batch::holds::Hold;
use blockstep_batch::late::{self, Late};
use blockstep_batch::methods::Method;
use blockstep_batch::simulate::{BatchRun, simulate};
use blockstep_batch::state::{BatchChange, BatchState, BatchStep, Replay};
use blockstep_batch::task::Task;
use blockstep_batch::{example, run};
use blockstep_sim::units::{Time, TimeRange};
use blockstep_view::batch::timeline::Bar;
use blockstep_view::batch::{row_of, words};
use blockstep_view::quantity::format_time;

const HELD_UP: &str = "held up";

pub(super) struct Scene {
    pub(super) run: BatchRun,
    pub(super) arch: Arch,
    pub(super) names: Vec<String>,
    pub(super) late: Vec<Late>,
    pub(super) idle: Vec<Method>,
    pub(super) batches: Vec<String>,
    pub(super) at: usize,
}

/// Why there is none.
pub(super) enum NoScene {
    Wrong(Vec<WorkloadProblem>),
    Refused(String),
}

impl Scene {
    pub(super) fn new(setup: &Setup) -> Result<Self, NoScene> {
        let arch = setup.arch();
        let (run, names, batches, idle) = if setup.is_tables() {
            let program = example::tables(setup.methods.has(Method::SetEventQueue));
            let run =
                simulate(&program, &arch).map_err(|e| NoScene::Refused(format!("Commands wait for each other: {}", e.heads.join(", "))))?;
            (run, vec![super::task_no(0), super::task_no(1)], Vec::new(), Vec::new())
        } else {
            let workload = setup.workload().map_err(NoScene::Wrong)?;
            let outcome = run::run(&workload, &arch, setup.methods, setup.by).map_err(|e| NoScene::Refused(e.to_string()))?;
            let name = |task: &usize| workload.tasks()[*task].name.clone();
            let batch_of = |run: usize| outcome.batches.iter().find(|batch| batch.run == run);
            let in_words = |run: usize| {
                let tasks: Vec<String> = batch_of(run).map(|batch| batch.tasks.iter().map(name).collect()).unwrap_or_default();
                let times = outcome.batches.iter().filter(|batch| batch.run == run).count();
                let first = batch_of(run).map_or(Time::ZERO, |batch| batch.start);
                format!("{}: {times} of {}, first at {}", tasks.join(" and "), outcome.batches.len(), time(first))
            };
            let batches: Vec<String> = (0..outcome.runs.len()).map(in_words).collect();
            let chosen = setup.run.min(outcome.runs.len().saturating_sub(1));
            let of = batch_of(chosen).map(|batch| batch.tasks.clone()).unwrap_or_default();
            let names = of.iter().map(name).collect();
            let tasks: Vec<&Task> = of.iter().map(|task| &workload.tasks()[*task]).collect();
            let program = |methods| run::program(&tasks, &arch, methods, setup.by);
            let now = program(setup.methods);
            let changes = |method: &Method| program(setup.methods.with(*method, !setup.methods.has(*method))) != now;
            let idle = Method::ALL.into_iter().filter(|method| !changes(method)).collect();
            let run = outcome.runs.into_iter().nth(chosen).ok_or_else(|| NoScene::Refused("no input arrives".to_owned()))?;
            (run, names, batches, idle)
        };
        let late = late::late(&run, &arch);
        // Where something is held up first, or learned too late.
        let first = run.holds.first().map(|hold| hold.time).or(late.first().map(|late| late.time));
        let held = || first.map(|time| steps_until(&run, time.start));
        let at = setup.at.or_else(held).unwrap_or(0).min(run.steps.len());
        Ok(Self { run, arch, names, late, idle, batches, at })
    }

    pub(super) fn time(&self) -> Time {
        self.latest().map_or(Time::ZERO, |step| step.at)
    }

    pub(super) fn latest(&self) -> Option<&BatchStep> {
        self.at.checked_sub(1).and_then(|at| self.run.steps.get(at))
    }

    pub(super) fn latest_command(&self) -> Option<CommandNo> {
        match self.latest()?.change {
            BatchChange::Issue(no, _)
            | BatchChange::Start(no)
            | BatchChange::Blocks(no, ..)
            | BatchChange::Leave(no)
            | BatchChange::End(no)
            | BatchChange::Done(no) => Some(no),
            BatchChange::Host(_) => None,
        }
    }

    pub(super) fn state(&self) -> BatchState {
        Replay::new(&self.run.program, &self.run.steps).go(self.at).clone()
    }

    /// What the latest step did.
    pub(super) fn sentence(&self) -> String {
        let Some(step) = self.latest() else { return "Nothing is issued yet.".to_owned() };
        let mut replay = Replay::new(&self.run.program, &self.run.steps);
        let before = replay.go(self.at - 1);
        format!("{}: {}", time(step.at), words::change(&self.run.program, before, step.change))
    }

    /// Steps until an instant, those at it too.
    pub(super) fn steps_until(&self, at: Time) -> usize {
        steps_until(&self.run, at)
    }

    /// What is held up as things stand: between this step's instant and the next.
    pub(super) fn held(&self) -> Vec<&Hold> {
        let now = self.time();
        // While steps of this instant are still to come, what will be held is not settled.
        let is_settled = self.run.steps.get(self.at).is_none_or(|next| next.at > now);
        let holds = |hold: &&Hold| {
            if is_settled { hold.time.start <= now && now < hold.time.end } else { hold.time.start < now && now < hold.time.end }
        };
        self.run.holds.iter().filter(holds).collect()
    }

    pub(super) fn bars(&self) -> Vec<Bar> {
        let name = super::task_no;
        let mut bars: Vec<Bar> = self.run.timings().iter().map(|t| bar(&self.arch, t.op, t.task, t.actual, &name(t.task))).collect();
        for hold in &self.run.holds {
            let command = self.run.program.command(hold.held);
            if let Some(op) = command.op() {
                let task = command.task.unwrap_or(0);
                let label = format!("{} {} {HELD_UP}", name(task), words::op(op));
                bars.push(Bar { is_held_up: true, label, short: HELD_UP.to_owned(), ..bar(&self.arch, op, task, hold.time, "") });
            }
        }
        for late in &self.late {
            let label = format!("{} {} {NOT_ISSUED}", name(late.task), words::op(Op::CopyOut));
            let bar = bar(&self.arch, Op::CopyOut, late.task, late.time, "");
            bars.push(Bar { is_held_up: true, label, short: super::NOT_ISSUED.to_owned(), ..bar });
        }
        bars
    }
}

fn steps_until(run: &BatchRun, at: Time) -> usize {
    run.steps.iter().filter(|step| step.at <= at).count()
}

pub(super) fn time(at: Time) -> String {
    format_time(at.ns())
}

/// Names of a GPU's lanes.
pub(super) fn lanes(arch: &Arch) -> Vec<String> {
    let names: &[&str] = if arch.copy_engines > 1 { &["Copy in", "Copy out", "Kernels"] } else { &["Copies", "Kernels"] };
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub(super) fn bar(arch: &Arch, op: Op, task: usize, time: TimeRange, name: &str) -> Bar {
    let lane = if op == Op::Kernel { arch.copy_engines as usize } else { arch.copy_engine(op) as usize };
    let short = match op {
        Op::Kernel => name,
        Op::CopyIn => "in",
        Op::CopyOut => "out",
    };
    Bar { lane, row: row_of(task), time, label: format!("{name} {}", words::op(op)), short: short.to_owned(), is_held_up: false }
}
