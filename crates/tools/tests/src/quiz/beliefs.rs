//! What is told of a wrong choice is so: by that belief, or that variant of the rules, it would be the
//! answer from the very state. Beliefs are known by their sentences; one that is not known fails.

use blockstep_learn::quiz::{QuizAnswer, QuizChoice};
use blockstep_sim::engine::next_block;
use blockstep_sim::scenario::{Call, Class, Interleave, Placement, PolicyKind, StreamPriority};
use blockstep_sim::snapshot::{Claim, Progress, Residency, SmState, Snapshot, Stuck};
use blockstep_sim::trace::{Change, Level, OpKind, Rule, Step, Told, Trace, Variant, Variants};
use blockstep_sim::units::{OpId, SmId, SpaceId, StreamId, TaskId, Time};

/// Where a question is asked.
pub(super) struct QuestionSite<'a> {
    pub(super) trace: &'a Trace,
    pub(super) state: &'a Snapshot,
    pub(super) right: QuizAnswer,
    /// The instant of the decision.
    pub(super) now: Time,
}

impl QuestionSite<'_> {
    pub(super) fn check(&self, choice: &QuizChoice) {
        let text = format!("{choice:#?}");
        if let Some(variant) = choice.variant {
            assert!(self.varied(variant, choice.answer), "{text}");
        }
        if let Some(belief) = choice.belief {
            assert!(self.believed(belief, choice.answer), "{text}");
        }
        assert!(choice.perhaps.is_none() || choice.misconception().is_none(), "{text}");
    }

    fn space(&self) -> SpaceId {
        self.spaces().find(|&space| self.state.assigns(space)).unwrap()
    }

    fn spaces(&self) -> impl Iterator<Item = SpaceId> + use<> {
        (0..self.state.spaces().len()).map(SpaceId::at)
    }

    fn streams(&self, space: SpaceId) -> impl Iterator<Item = StreamId> + '_ {
        self.trace.layout().space(space).streams.iter().copied()
    }

    fn priority(&self, op: OpId) -> StreamPriority {
        self.trace.layout().stream(self.trace.op(op).stream).priority
    }

    fn level(&self, op: OpId) -> Level {
        let heeds = self.trace.scenario().policy().kind != PolicyKind::Fifo;
        if heeds && self.priority(op) == StreamPriority::High { Level::High } else { Level::Low }
    }

    /// The kernels in EE queues, in their order.
    fn queued(&self) -> Vec<(Level, OpId)> {
        let space = self.state.space(self.space());
        [Level::High, Level::Low].into_iter().flat_map(|level| space.ee(level).iter().map(move |&op| (level, op))).collect()
    }

    /// What the rules serve if these stand in the EE queues.
    fn next_of(&self, queues: &[(Level, OpId)]) -> Option<OpId> {
        let mut state = self.state.clone();
        let mut apply = |change: Change| state.apply(self.trace, &Step { at: self.now, rule: Rule::X1, change });
        for (level, op) in self.queued() {
            apply(Change::EeLeft { op, level });
        }
        for &(level, op) in queues {
            apply(Change::EeJoined { op, level });
        }
        next_block(self.trace, &state, Variants::NONE).map(|(op, _)| op)
    }

    fn varied(&self, variant: Variant, answer: QuizAnswer) -> bool {
        let next = || next_block(self.trace, self.state, Variants::NONE.with(variant));
        match (variant, answer) {
            (Variant::WorkConserving | Variant::PriorityByKernel | Variant::FairShare, QuizAnswer::Kernel(op)) => {
                next().is_some_and(|(next, _)| next == op)
            }
            (Variant::LastFit, QuizAnswer::Sm(sm) | QuizAnswer::Fits(sm)) => next().is_some_and(|(_, next)| next == sm),
            (Variant::NoOverlap, QuizAnswer::Nothing) => next().is_none(),
            (Variant::OneKernel, QuizAnswer::Nothing) => {
                // What executes and has left its queue would still be at the head of it.
                let mut queues: Vec<(Level, OpId)> = Vec::new();
                let queued = self.queued();
                for op in self.state.space(self.space()).sms.iter().flat_map(|sm| &sm.blocks).map(|block| block.op) {
                    if queued.iter().all(|q| q.1 != op) {
                        queues.push((self.level(op), op));
                    }
                }
                queues.extend(queued);
                let level = queues.iter().map(|q| q.0).min().unwrap();
                let first = queues.iter().find(|q| q.0 == level).unwrap().1;
                !self.state.has_blocks_left(self.trace, first)
            }
            (Variant::NoNullBarrier, QuizAnswer::Kernel(op)) => {
                let joining = self.streams(self.space()).filter_map(|s| self.state.promotable_without_barrier(self.trace, s));
                let mut joining: Vec<OpId> = joining.filter(|&op| self.trace.op(op).kind == OpKind::Kernel).collect();
                joining.sort();
                let mut queues = self.queued();
                queues.extend(joining.into_iter().map(|op| (self.level(op), op)));
                self.next_of(&queues) == Some(op)
            }
            (Variant::ListRestarts, QuizAnswer::Space(space)) => self.first_from(0) == Some(space),
            (Variant::FixedPriority | Variant::NoInheritance, QuizAnswer::Job(task, job)) => {
                let variants = Variants::NONE.with(variant);
                let mut claims = self.claims(variants);
                claims.sort_by_key(|c| (c.rank(variants), !self.state.is_chosen(c.claimant, c.job), c.claimant));
                claims.first().is_some_and(|c| (c.task, c.job) == (task, job))
            }
            _ => panic!("{variant:?} of {answer:?}"),
        }
    }

    /// Who is ready follows from the decision before, and from what the policy is told now.
    fn believed_of_policy(&self, belief: &str, tasks: u64) -> bool {
        let next = self.trace.step(blockstep_sim::units::StepId(self.state.applied()));
        let Change::PolicyTold { decision } = next.change else { panic!("{belief}") };
        let (ready, admitted) = self.state.own().made().map_or((0, 0), |made| (made.ready.0, made.decision.admitted.0));
        let ready = match self.trace.made(decision).told {
            Told::Request(task, _) => ready | 1 << task.index(),
            Told::End(task, _) => ready & !(1 << task.index()),
            Told::Tick | Told::Launch(..) | Told::Finish(..) => ready,
        };
        match belief {
            "Every task that asks for the GPU may use it." => tasks == ready,
            "A task that may use the GPU keeps it until the end of the job." => tasks > 0 && tasks == admitted & ready,
            "Only the most urgent of the ready tasks is admitted." => {
                let tasks_of = |mask: u64| (0..64).map(TaskId::at).filter(move |task| mask >> task.index() & 1 == 1);
                let rank = |task: TaskId| {
                    let task = self.trace.scenario().task(task);
                    (task.class == Class::BestEffort, task.priority)
                };
                let others = || tasks_of(ready & !tasks);
                tasks.count_ones() == 1 && tasks_of(tasks).all(|task| others().all(|other| rank(task) < rank(other)))
            }
            _ => panic!("{belief}"),
        }
    }

    fn believed(&self, belief: &str, answer: QuizAnswer) -> bool {
        match answer {
            QuizAnswer::Kernel(op) => self.believed_of_kernel(belief, op),
            QuizAnswer::Sm(sm) | QuizAnswer::Fits(sm) => self.believed_of_sm(belief, sm),
            QuizAnswer::Space(space) => self.believed_of_process(belief, space),
            QuizAnswer::Job(task, _) => self.believed_of_task(belief, task),
            QuizAnswer::Awaited(op) => self.believed_of_call(belief, op),
            QuizAnswer::Admitted(tasks) => self.believed_of_policy(belief, tasks.0),
            QuizAnswer::AtOnce => belief == "Every call returns as soon as it is made.",
            QuizAnswer::Ends | QuizAnswer::Hangs(_) => self.believed_of_end(belief, answer),
            QuizAnswer::NotAllFit if belief == "A kernel is served only when there is room for all of its blocks." => {
                let QuizAnswer::Fits(_) = self.right else { panic!("{:?}", self.right) };
                let (_, op) = self.state.space(self.space()).ee_head().unwrap();
                let mut state = self.state.clone();
                // Assigned until there is no room or no block: some are left.
                while let Some((next, sm)) = next_block(self.trace, &state, Variants::NONE).filter(|&(next, _)| next == op) {
                    let block = state.stream(self.trace.op(next).stream).assigned;
                    if u64::from(block) == self.trace.row_of(op).blocks {
                        return false;
                    }
                    state.apply(self.trace, &Step { at: self.now, rule: Rule::R1, change: Change::BlockAssigned { op, block, sm } });
                }
                state.has_blocks_left(self.trace, op)
            }
            QuizAnswer::NotAlone if belief == "The GPU executes one kernel at a time." => {
                let (_, head) = self.state.space(self.space()).ee_head().unwrap();
                self.state.space(self.space()).sms.iter().flat_map(|sm| &sm.blocks).any(|block| block.op != head)
            }
            _ => panic!("{belief} of {answer:?}"),
        }
    }

    fn believed_of_end(&self, belief: &str, answer: QuizAnswer) -> bool {
        let blocks = self.state.spaces().iter().flat_map(|space| space.sms.iter()).flat_map(|sm| &sm.blocks);
        let spins = |op: OpId| blocks.clone().any(|block| block.op == op && block.progress == Progress::Spins);
        let waits = |what: fn(&Stuck) -> bool| {
            let mut end = self.state.clone();
            self.trace.steps()[self.state.applied() as usize..].iter().for_each(|step| end.apply(self.trace, step));
            end.dead_end(self.trace).is_some_and(|chain| chain.iter().any(what))
        };
        match (belief, answer) {
            ("If what a block spins for cannot begin at once, it never does.", QuizAnswer::Hangs(op)) => spins(op),
            ("While blocks spin, nothing else on the GPU goes on.", QuizAnswer::Hangs(op)) => !spins(op),
            ("A block that spins gives its room to blocks that find none.", QuizAnswer::Ends) => {
                waits(|what| matches!(what, Stuck::Begin(_) | Stuck::AllBegin(_)))
            }
            ("No call waits for a kernel whose blocks spin.", QuizAnswer::Ends) => waits(|what| matches!(what, Stuck::Call(..))),
            _ => panic!("{belief} of {answer:?}"),
        }
    }

    fn believed_of_call(&self, belief: &str, op: OpId) -> bool {
        let Change::HostWaits { row, .. } = self.trace.steps()[self.state.applied() as usize].change else { panic!("{belief}") };
        let info = self.trace.scenario().row(row);
        let space = |stream: StreamId| self.trace.layout().address_space(self.trace.layout().stream(stream).space);
        let stream = |op: OpId| self.trace.layout().launched_into(self.trace.op(op).stream);
        let (own, its) = (self.trace.layout().stream_of(row), stream(op));
        match belief {
            "A call waits for the work of other processes too." => space(own) != space(its),
            "A call that waits for one stream waits for all work of its process." => {
                assert!(!info.call.waits_for_device() && info.call != Call::SynchronizeEvent);
                own != its && space(own) == space(its)
            }
            "A call that waits for an event waits for all work of its process." => {
                info.call == Call::SynchronizeEvent && space(own) == space(its)
            }
            "Waiting for an event waits for all that is in its stream." => {
                // An operation of this stream records an event that the call waits for, or the launch of its graph does.
                let mut before = self.trace.steps()[..self.state.applied() as usize].iter().filter_map(|step| step.change.op());
                let rows = |op: OpId| [self.trace.op(op).row, self.trace.scenario().call_of(self.trace.op(op).row)];
                let records = |row| self.trace.scenario().row(row).records.is_some_and(|event| info.waits_for.contains(&event));
                info.call == Call::SynchronizeEvent && before.any(|op| stream(op) == its && rows(op).into_iter().any(records))
            }
            _ => panic!("{belief}"),
        }
    }

    fn believed_of_kernel(&self, belief: &str, op: OpId) -> bool {
        let mut queues = self.queued();
        match belief {
            "Operations of one stream may overlap." => {
                let is_ready = |stream: StreamId, op: OpId| {
                    // Of all channels of the process.
                    let layout = self.trace.layout();
                    let address_space = |s: StreamId| layout.address_space(layout.stream(s).space);
                    let all = self.spaces().flat_map(|space| self.streams(space));
                    let mut earlier = all.filter(|&s| s != stream && address_space(s) == address_space(stream));
                    let is_null = self.trace.layout().stream(stream).is_null;
                    let null = |s: StreamId| self.trace.layout().stream(s).is_null;
                    let is_before = |s: StreamId| self.state.head(s).is_some_and(|head| head < op);
                    let is_blocking = |s: StreamId| !self.trace.layout().stream(s).non_blocking;
                    let is_barred = is_blocking(stream) && earlier.any(|s| (is_null || null(s)) && is_blocking(s) && is_before(s));
                    let is_held = [
                        self.state.event_barrier(self.trace, op),
                        self.state.graph_barrier(self.trace, op),
                        self.state.ahead_in_connection(self.trace, op),
                    ] != [None; 3];
                    let is_kernel = self.trace.op(op).kind == OpKind::Kernel;
                    is_kernel && !is_barred && !is_held && self.state.missing_producer(self.trace, op).is_none()
                };
                for stream in self.streams(self.space()) {
                    let queue = self.state.stream(stream);
                    let rest = queue.queue.iter().copied().skip(queue.promoted.into());
                    queues.extend(rest.filter(|&op| is_ready(stream, op)).map(|op| (self.level(op), op)));
                }
                queues.sort_by_key(|&(_, op)| op);
                self.next_of(&queues) == Some(op)
            }
            "The kernel that was launched first is served first, whatever its priority." => {
                queues.sort_by_key(|&(_, op)| op);
                let one: Vec<(Level, OpId)> = queues.into_iter().map(|(_, op)| (Level::Low, op)).collect();
                self.next_of(&one) == Some(op)
            }
            "Stream priorities have an effect under every policy." => {
                let is_high = |op: OpId| self.priority(op) == StreamPriority::High;
                let two: Vec<(Level, OpId)> =
                    queues.into_iter().map(|(_, op)| (if is_high(op) { Level::High } else { Level::Low }, op)).collect();
                self.next_of(&two) == Some(op)
            }
            "Stream priorities have an effect between processes too." => {
                let here = self.space();
                let head = |s: SpaceId| self.state.space(s).ee(Level::High).front().copied();
                let others = self.spaces().filter_map(|s| Some((head(s)?, s)));
                let (first, space) = others.min().unwrap();
                let needs = &self.trace.row_of(op).needs;
                first == op && head(here).is_none() && self.state.space(space).sms.iter().any(|sm| sm.fits(needs))
            }
            "Kernels of several processes share the SMs, and the one launched first goes first." => {
                let of = |level: Level| self.spaces().flat_map(move |s| self.state.space(s).ee(level).iter().copied());
                of(Level::High).next().is_none() && of(Level::Low).min() == Some(op) && self.fits_beside_all(op)
            }
            _ => panic!("{belief}"),
        }
    }

    /// Whether a block fits on an SM on which the blocks of every process hold what they need.
    fn fits_beside_all(&self, op: OpId) -> bool {
        let (device, needs) = (self.trace.scenario().device(), &self.trace.row_of(op).needs);
        (0..self.state.space(SpaceId(0)).sms.len()).any(|sm| {
            let ops = self.state.spaces().iter().flat_map(|space| &space.sms[sm].blocks).map(|block| block.op);
            let all: Vec<_> = ops.map(|op| &self.trace.row_of(op).needs).chain([needs]).collect();
            let sum = |of: &dyn Fn(&blockstep_sim::scenario::Needs) -> u64| all.iter().map(|n| of(n)).sum::<u64>();
            sum(&|n| n.threads.into()) <= device.threads_per_sm
                && sum(&|_| 1) <= device.blocks_per_sm
                && sum(&|n| n.shared_memory) <= device.shared_memory_per_sm
                && sum(&|n| n.registers) <= device.registers_per_sm
        })
    }

    fn believed_of_sm(&self, belief: &str, sm: SmId) -> bool {
        let space = self.state.space(self.space());
        let needs = &self.trace.row_of(space.ee_head().unwrap().1).needs;
        let fitting: Vec<SmId> = space.sm_ids().filter(|sm| space.sms[sm.index()].fits(needs)).collect();
        let threads = |sm: &SmId| space.sms[sm.index()].threads;
        let turn = |sm: &SmId| (space.last_sm.is_some_and(|last| *sm <= last), *sm);
        match belief {
            "A block goes to the lowest-numbered SM on which it fits." => fitting.first() == Some(&sm),
            "A block goes to the SM with the most free threads." => {
                fitting.contains(&sm) && fitting.iter().all(|other| threads(other) <= threads(&sm))
            }
            "The SMs take turns, one block each." => fitting.iter().min_by_key(|sm| turn(sm)) == Some(&sm),
            "Blocks are packed: one SM is filled before the next one gets a block." => {
                fitting.contains(&sm) && fitting.iter().all(|other| threads(other) >= threads(&sm))
            }
            "A block goes where the one before it went." => fitting.contains(&sm) && space.last_sm == Some(sm),
            "Free resources on several SMs add up for one block." => {
                let sum = |free: &dyn Fn(&SmState) -> u64| space.sms.iter().map(free).sum::<u64>();
                fitting.is_empty()
                    && sum(&|sm| sm.threads.into()) >= needs.threads.into()
                    && sum(&|sm| sm.shared_memory) >= needs.shared_memory
                    && sum(&|sm| sm.registers) >= needs.registers
                    && sum(&|sm| sm.slots.into()) >= 1
            }
            "Threads are all that a block needs of an SM." => {
                let mut having: Vec<SmId> = space.sm_ids().filter(|sm| threads(sm) >= needs.threads).collect();
                match self.trace.scenario().placement() {
                    Placement::FirstFit => {}
                    Placement::MostFree => having.sort_by_key(|sm| std::cmp::Reverse(threads(sm))),
                    Placement::MostRoom => having.sort_by_key(|sm| std::cmp::Reverse(threads(sm) / needs.threads)),
                    Placement::RoundRobin => having.sort_by_key(turn),
                }
                fitting.is_empty() && having.first() == Some(&sm)
            }
            _ => panic!("{belief}"),
        }
    }

    /// The first process with work from an entry of the runlist on.
    fn first_from(&self, entry: u64) -> Option<SpaceId> {
        let list = self.trace.scenario().runlist();
        let mut entries = (0..list.len()).map(|i| list.entry((entry + i) % list.len()));
        entries.find(|&space| self.state.has_work(space))
    }

    fn believed_of_process(&self, belief: &str, space: SpaceId) -> bool {
        let (state, scenario) = (self.state, self.trace.scenario());
        let QuizAnswer::Space(taken) = self.right else { panic!("{:?}", self.right) };
        let pointer = state.runlist().pointer;
        assert_eq!(self.first_from(pointer), Some(taken));
        let Residency::Idle { last, .. } = state.residency() else { panic!() };
        let working: Vec<SpaceId> = self.spaces().filter(|&s| state.has_work(s)).collect();
        let moved_on = |s: SpaceId| self.streams(s).filter(|&s| state.stream(s).promoted).filter_map(|s| state.head(s)).collect::<Vec<_>>();
        let has_high = |s: SpaceId| moved_on(s).iter().any(|&op| self.priority(op) == StreamPriority::High);
        let place = |i: Interleave| [Interleave::High, Interleave::Medium, Interleave::Low].iter().position(|&other| other == i);
        let rank = |s: SpaceId| place(scenario.process_of(s).interleave);
        match belief {
            "The Host waits for the process of the next entry even if that process has no work." => {
                scenario.runlist().entry(pointer).0 == space.0
            }
            "The interleaving level is a strict priority: the highest process with work is served." => {
                working.iter().all(|&other| rank(other) >= rank(space)) && working.contains(&space) && rank(space) < rank(taken)
            }
            "A process with a high-priority stream goes first." => has_high(space) && !has_high(taken),
            "The process that was resident continues as long as it has work." => working.contains(&space) && last == Some(space),
            "Processes take turns in the order of the table." => {
                let turn = |s: SpaceId| (last.is_some_and(|last| s <= last), s);
                working.iter().copied().min_by_key(|&s| turn(s)) == Some(space)
            }
            "The process whose work was launched first is served." => {
                let earliest = |s: SpaceId| moved_on(s).into_iter().min().unwrap();
                working.iter().copied().min_by_key(|&s| earliest(s)) == Some(space)
            }
            _ => panic!("{belief}"),
        }
    }

    fn claims(&self, variants: Variants) -> Vec<Claim> {
        let tasks = (0..self.trace.scenario().tasks().len()).map(TaskId::at);
        tasks.filter_map(|task| self.state.claim_with(self.trace, variants, task.into(), self.now)).collect()
    }

    fn believed_of_task(&self, belief: &str, task: TaskId) -> bool {
        let scenario = self.trace.scenario();
        let claims = self.claims(Variants::NONE);
        let mine = claims.iter().find(|c| c.task == task);
        let release = |c: &Claim| self.state.task(c.task).job(c.job).unwrap().release;
        let info = |c: &Claim| scenario.task(c.task);
        let is_first = |all: Vec<&Claim>, key: &dyn Fn(&Claim) -> u64| {
            let mine = mine.unwrap();
            all.iter().any(|c| c.task == task) && all.iter().all(|c| key(c) >= key(mine))
        };
        let real_time = || claims.iter().filter(|c| c.deadline.is_some()).collect::<Vec<_>>();
        match belief {
            "A job is scheduled by its own deadline, not by the deadline of its server." => {
                assert!(scenario.policy().cbs && claims.iter().all(|c| c.inherited_from.is_none()));
                is_first(real_time(), &|c| release(c).after(info(c).deadline.unwrap()).unwrap().ns())
            }
            "The task with the shortest period is served first." => {
                is_first(claims.iter().filter(|c| info(c).period.is_some()).collect(), &|c| info(c).period.unwrap().ns())
            }
            "The priority number of a task counts among real-time tasks too." => {
                is_first(real_time(), &|c| (i128::from(info(c).priority) - i128::from(i64::MIN)) as u64)
            }
            "Jobs are served in the order of their releases." => is_first(claims.iter().collect(), &|c| release(c).ns()),
            "The process that was resident continues as long as it has a job." => {
                let resident = match self.state.residency() {
                    Residency::Resident { space, .. } | Residency::Idle { last: Some(space), .. } => space.0,
                    other => panic!("{other:?}"),
                };
                let its = claims.iter().filter(|c| info(c).process.0 == resident).collect();
                is_first(its, &|c| c.deadline.map_or(u64::MAX, Time::ns))
            }
            "The task that is higher in the table is served first." => claims.first().map(|c| c.task) == Some(task),
            "A job that waits for a producer can be chosen." => {
                assert!(mine.is_none());
                let QuizAnswer::Job(chosen, _) = self.right else { panic!("{:?}", self.right) };
                let chosen = claims.iter().find(|c| c.task == chosen).unwrap();
                let job = self.state.task(task).open.iter().find(|j| j.live > 0).unwrap();
                let info = scenario.task(task);
                let deadline = match info.class {
                    blockstep_sim::scenario::Class::RealTime if scenario.has_server(task) => {
                        Some(self.state.server(task, self.now).deadline)
                    }
                    blockstep_sim::scenario::Class::RealTime => job.release.after(info.deadline.unwrap()),
                    blockstep_sim::scenario::Class::BestEffort => None,
                };
                match (deadline, chosen.deadline) {
                    (Some(mine), Some(other)) => (mine, task) < (other, chosen.task),
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => (info.priority, task) < (scenario.task(chosen.task).priority, chosen.task),
                }
            }
            _ => panic!("{belief}"),
        }
    }
}
