//! All states that can be reached for one assignment of priorities, breadth first.
//!
//! Depends on `facts`, `property` and the language. Invariants: states are numbered in the order in which they were reached, so a lower
//! number is no deeper; two states are one exactly if policy, requests and what may still be asked are the same.

use blockstep_policy::{Decision, Draw, Event, Failure, Program, Range, State, TaskFacts, TaskNumber, VariableKind, World};
use blockstep_sim::work::{Budget, Progress};

use super::facts::{Ranks, RequestFacts, bit, mask, number, set};
use super::property::Property;
use super::report::Stopped;

/// Outcomes of the draws of one decision.
const MAX_OUTCOMES: usize = 256;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A task's job begins. Where deadlines count, its own comes in at this place: even numbers are before, odd ones with a deadline that
    /// is there.
    Begin(TaskNumber, Option<u8>),
    /// A task's job ends.
    End(TaskNumber),
    /// Time passes.
    Tick,
}

/// A request, and which outcome its draws had, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What is asked.
    pub request: Request,
    /// 0 where nothing is drawn.
    pub outcome: u16,
}

/// Draws that try everything, one run after the other.
#[derive(Default)]
pub(super) struct Script {
    /// Of each draw what it gives, and out of how many.
    draws: Vec<(usize, usize)>,
    at: usize,
}

impl Draw for Script {
    fn draw(&mut self, weights: &[u64]) -> usize {
        if self.at == self.draws.len() {
            self.draws.push((0, weights.len()));
        }
        self.at += 1;
        self.draws[self.at - 1].0
    }
}

impl Script {
    /// Begins the next run; false if all have been.
    pub(super) fn next(&mut self) -> bool {
        self.at = 0;
        while let Some((given, of)) = self.draws.pop() {
            if given + 1 < of {
                self.draws.push((given + 1, of));
                return true;
            }
        }
        false
    }
}

/// What a step leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) step: Step,
}

/// A fault of this assignment.
#[derive(Clone, Debug)]
pub(super) struct FoundFault {
    pub(super) property: Property,
    pub(super) about: TaskNumber,
    pub(super) steps: Vec<Step>,
    pub(super) cycle: Vec<Step>,
    pub(super) failure: Option<Failure>,
}

#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) ranks: Vec<u8>,
    pub(super) order: Ranks,
    layout: Layout,
    /// The states, each of as many bytes as the layout has.
    bytes: Vec<u8>,
    /// Places of states by what their bytes scatter to, plus 1.
    table: Vec<u32>,
    /// How each state was reached first.
    from: Vec<(u32, Step)>,
    depth: Vec<u32>,
    /// The edges of state i are those from `starts[i]` to `starts[i + 1]`; outcomes of a request are side by side.
    pub(super) starts: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    pub(super) found: Vec<FoundFault>,
    pub(super) has_draws: bool,
}

impl Graph {
    pub(super) fn new(program: &Program, ranks: &[u8]) -> Self {
        let layout = Layout::new(program, ranks.len());
        let mut graph = Self {
            ranks: ranks.to_vec(),
            order: Ranks::new(program, ranks),
            layout,
            bytes: Vec::new(),
            table: vec![0; 64],
            from: Vec::new(),
            depth: Vec::new(),
            starts: vec![0],
            edges: Vec::new(),
            found: Vec::new(),
            has_draws: false,
        };
        let mut first = Vec::new();
        graph.layout.write(&program.start(ranks.len()), &RequestFacts::NOTHING, &mut first);
        graph.state_of(&first, (0, Step { request: Request::Tick, outcome: 0 }));
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.from.len()
    }

    pub(super) fn deepest(&self) -> u32 {
        self.depth.last().copied().unwrap_or(0)
    }

    pub(super) fn asked(&self, state: usize) -> RequestFacts {
        self.layout.asked(&self.bytes[state * self.layout.bytes..][..self.layout.bytes])
    }

    pub(super) fn edges_of(&self, state: usize) -> &[Edge] {
        &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The requests that lead to a state.
    pub(super) fn path(&self, state: u32) -> Vec<Step> {
        let (mut steps, mut at) = (Vec::new(), state);
        while at != 0 {
            let (before, step) = self.from[at as usize];
            steps.push(step);
            at = before;
        }
        steps.reverse();
        steps
    }

    pub(super) fn has_found(&self, property: Property) -> bool {
        self.found.iter().any(|found| found.property == property)
    }

    /// Visits states until the budget is spent.
    pub(super) fn advance(
        &mut self,
        program: &Program,
        properties: &[Property],
        max_bytes: usize,
        budget: &mut Budget,
    ) -> Result<Progress, Stopped> {
        let (mut facts, mut bytes) = (Vec::new(), Vec::new());
        let mut state = program.start(self.ranks.len());
        while self.starts.len() <= self.len() {
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            let at = self.starts.len() - 1;
            let asked = self.asked(at);
            self.layout.read(&self.bytes[at * self.layout.bytes..][..self.layout.bytes], &mut state);
            for request in requests(&self.order, &asked, program.tick_every().is_some()) {
                self.ask(program, properties, &state, (at as u32, request), &asked, &mut facts, &mut bytes, budget)?;
            }
            self.starts.push(self.edges.len() as u32);
            self.room(max_bytes, 0)?;
        }
        Ok(Progress::Done)
    }

    /// Bytes that are left of so many, beside what is held and these.
    pub(super) fn room(&self, max_bytes: usize, more: usize) -> Result<usize, Stopped> {
        max_bytes.checked_sub(self.cost() + more).ok_or_else(|| self.too_large(max_bytes))
    }

    /// That there is no more room.
    pub(super) fn too_large(&self, max_bytes: usize) -> Stopped {
        Stopped::Memory { states: self.len(), bytes: max_bytes }
    }

    /// Bytes that are held, about.
    fn cost(&self) -> usize {
        self.bytes.len() + self.table.len() * 4 + self.edges.len() * 16 + self.len() * 28
    }

    #[expect(clippy::too_many_arguments, reason = "what is reused from request to request")]
    fn ask(
        &mut self,
        program: &Program,
        properties: &[Property],
        state: &State,
        (at, request): (u32, Request),
        before: &RequestFacts,
        facts: &mut Vec<TaskFacts>,
        bytes: &mut Vec<u8>,
        budget: &mut Budget,
    ) -> Result<(), Stopped> {
        let (event, asked) = after(before, request);
        self.order.facts(&asked, facts);
        let world = World { tasks: facts, ready: set(asked.active) };
        let mut script = Script::default();
        for outcome in 0.. {
            if usize::from(outcome) == MAX_OUTCOMES {
                return Err(Stopped::Draws);
            }
            budget.spend(1);
            let step = Step { request, outcome };
            match program.decide(state, event, world, &mut script) {
                Ok(decision) => {
                    let mut asked = asked.clone();
                    asked.admitted = mask(decision.admitted);
                    asked.started |= asked.running();
                    self.layout.write(&decision.state, &asked, bytes);
                    let (to, is_new) = self.state_of(bytes, (at, step));
                    self.edges.push(Edge { to, step });
                    if is_new {
                        self.hold(properties, to, &asked);
                    }
                }
                Err(failure) => {
                    if properties.contains(&Property::Fails) && !self.has_found(Property::Fails) {
                        let mut steps = self.path(at);
                        steps.push(step);
                        let about = event_task(event);
                        self.found.push(FoundFault { property: Property::Fails, about, steps, cycle: Vec::new(), failure: Some(failure) });
                    }
                }
            }
            self.has_draws |= !script.draws.is_empty();
            if !script.next() {
                break;
            }
        }
        Ok(())
    }

    /// Holds a new state against the properties that a state has or has not.
    fn hold(&mut self, properties: &[Property], state: u32, asked: &RequestFacts) {
        for property in properties {
            if !self.has_found(*property)
                && let Some(about) = broken(*property, &self.order, asked)
            {
                self.found.push(FoundFault { property: *property, about, steps: self.path(state), cycle: Vec::new(), failure: None });
            }
        }
    }

    /// The number of a state, and whether it is new.
    fn state_of(&mut self, bytes: &[u8], from: (u32, Step)) -> (u32, bool) {
        if self.from.len() * 2 >= self.table.len() {
            self.grow();
        }
        let size = self.layout.bytes;
        let mut place = scattered(bytes) & (self.table.len() - 1);
        loop {
            match self.table[place] {
                0 => break,
                known => {
                    let start = (known as usize - 1) * size;
                    if self.bytes[start..start + size] == *bytes {
                        return (known - 1, false);
                    }
                }
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        let state = self.from.len() as u32;
        self.table[place] = state + 1;
        self.bytes.extend_from_slice(bytes);
        let depth = if state == 0 { 0 } else { self.depth[from.0 as usize] + 1 };
        self.from.push(from);
        self.depth.push(depth);
        (state, true)
    }

    fn grow(&mut self) {
        let mut table = vec![0_u32; self.table.len() * 2];
        for (state, bytes) in self.bytes.chunks_exact(self.layout.bytes).enumerate() {
            let mut place = scattered(bytes) & (table.len() - 1);
            while table[place] != 0 {
                place = (place + 1) & (table.len() - 1);
            }
            table[place] = state as u32 + 1;
        }
        self.table = table;
    }
}

/// The same for the same bytes, on every machine (FNV-1a, and its higher bits folded in).
fn scattered(bytes: &[u8]) -> usize {
    let sum = bytes.iter().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (sum ^ (sum >> 15)) as usize
}

fn event_task(event: Event) -> TaskNumber {
    match event {
        Event::Request(task) | Event::End(task) | Event::Launch(task) | Event::Finish(task) => task,
        Event::Tick => TaskNumber(0),
    }
}

/// What may be asked: a task that has not begun may begin, one that has run may end, and time may pass while a task is ready
/// (docs/semantics.md, section 14, P3).
pub(super) fn requests(order: &Ranks, asked: &RequestFacts, ticks: bool) -> Vec<Request> {
    let mut found = Vec::new();
    for task in 0..order.ranks.len() {
        if asked.active & bit(task) == 0 {
            if order.reads_deadline && order.is_realtime(task) {
                found.extend((0..=2 * asked.deadlines()).map(|at| Request::Begin(number(task), Some(at))));
            } else {
                found.push(Request::Begin(number(task), None));
            }
        } else if asked.started & bit(task) != 0 {
            found.push(Request::End(number(task)));
        }
    }
    found.extend((ticks && asked.active != 0).then_some(Request::Tick));
    found
}

/// The event of a request, and who has asked then.
pub(super) fn after(before: &RequestFacts, request: Request) -> (Event, RequestFacts) {
    let mut asked = before.clone();
    let event = match request {
        Request::Begin(task, due) => {
            asked.active |= bit(task.0.into());
            if let Some(at) = due {
                asked.due_at(task.0.into(), at);
            }
            Event::Request(task)
        }
        Request::End(task) => {
            asked.active &= !bit(task.0.into());
            asked.started &= !bit(task.0.into());
            asked.not_due(task.0.into());
            Event::End(task)
        }
        Request::Tick => Event::Tick,
    };
    (event, asked)
}

/// What a policy decides at a step, and what has been asked then. The error is how many outcomes the draws have.
pub(super) fn decide_step(
    program: &Program,
    order: &Ranks,
    state: &State,
    before: &RequestFacts,
    step: Step,
) -> Result<(Result<Decision, Failure>, RequestFacts), u16> {
    let (event, mut next) = after(before, step.request);
    let mut facts: Vec<TaskFacts> = Vec::new();
    order.facts(&next, &mut facts);
    let world = World { tasks: &facts, ready: set(next.active) };
    let decided = decide_outcome(program, state, event, world, step.outcome)?;
    if let Ok(decision) = &decided {
        next.admitted = mask(decision.admitted);
        next.started |= next.running();
    }
    Ok((decided, next))
}

/// The task that shows that a state breaks a property, if it does.
pub(super) fn broken(property: Property, order: &Ranks, asked: &RequestFacts) -> Option<TaskNumber> {
    let (running, waiting) = (asked.running(), asked.waiting());
    let tasks = |mask: u8| set(mask).iter().map(|task| usize::from(task.0));
    let realtime = |mask: u8| tasks(mask).filter(|task| order.is_realtime(*task));
    let first = |mask: u8| set(mask).iter().next();
    match property {
        Property::Idle => first(waiting).filter(|_| running == 0),
        Property::Outranked => {
            let least = tasks(running).map(|task| order.urgency(task, asked)).min()?;
            tasks(waiting).find(|task| order.urgency(*task, asked) > least).map(number)
        }
        Property::Mixed => realtime(running).next().and_then(|_| tasks(running).find(|task| !order.is_realtime(*task)).map(number)),
        Property::TooMany(most, true) => realtime(running).nth(most as usize).map(number),
        Property::TooMany(most, false) => tasks(running).nth(most as usize).map(number),
        Property::NoWork => first(asked.admitted & !asked.active),
        Property::Fails | Property::Lost | Property::Starved | Property::Hogged | Property::Missed => None,
    }
}

/// Decides with this outcome of the draws, from 0, in the order in which a search tries them.
///
/// # Errors
/// How many outcomes there are, if this is none of them.
pub(super) fn decide_outcome(
    program: &Program,
    state: &State,
    event: Event,
    world: World<'_>,
    outcome: u16,
) -> Result<Result<Decision, Failure>, u16> {
    let mut script = Script::default();
    for tried in 0..outcome {
        // What it decides does not matter, but which draws it makes.
        let _ = program.decide(state, event, world, &mut script);
        if !script.next() {
            return Err(tried + 1);
        }
    }
    Ok(program.decide(state, event, world, &mut script))
}

/// A state as bytes.
#[derive(Clone, Debug)]
struct Layout {
    tasks: usize,
    queues: usize,
    /// How wide each number is: as a byte, or as four.
    narrow: Vec<bool>,
    sets: usize,
    ones: usize,
    has_deadlines: bool,
    bytes: usize,
}

impl Layout {
    fn new(program: &Program, tasks: usize) -> Self {
        let mut layout = Self { tasks, queues: 0, narrow: Vec::new(), sets: 0, ones: 0, has_deadlines: program.reads().deadline, bytes: 0 };
        let fits = |range: Range| i8::try_from(range.least).is_ok() && i8::try_from(range.most).is_ok();
        for variable in program.variables() {
            match variable.kind {
                VariableKind::Set => layout.sets += 1,
                VariableKind::Queue => layout.queues += 1,
                VariableKind::Task => layout.ones += 1,
                VariableKind::Number(range) => layout.narrow.push(fits(range)),
                VariableKind::Flag(_) => layout.narrow.push(true),
                VariableKind::NumberOfTask(range) => layout.narrow.extend(std::iter::repeat_n(fits(range), tasks)),
                VariableKind::FlagOfTask(_) => layout.narrow.extend(std::iter::repeat_n(true, tasks)),
            }
        }
        let numbers: usize = layout.narrow.iter().map(|narrow| if *narrow { 1 } else { 4 }).sum();
        let due = if layout.has_deadlines { tasks } else { 0 };
        layout.bytes = 3 + due + layout.sets + layout.ones + layout.queues * tasks + numbers;
        layout
    }

    fn write(&self, state: &State, asked: &RequestFacts, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.extend([asked.active, asked.started, asked.admitted]);
        if self.has_deadlines {
            bytes.extend(&asked.due[..self.tasks]);
        }
        bytes.extend(state.sets.iter().map(|set| mask(*set)));
        bytes.extend(state.tasks.iter().map(|task| task.map_or(0, |task| task.0 + 1)));
        for queue in &state.queues {
            bytes.extend((0..self.tasks).map(|place| queue.get(place).map_or(0, |task| task.0 + 1)));
        }
        for (number, narrow) in state.numbers.iter().zip(&self.narrow) {
            if *narrow {
                bytes.push(*number as i8 as u8);
            } else {
                bytes.extend((*number as i32).to_le_bytes());
            }
        }
        debug_assert_eq!(bytes.len(), self.bytes);
    }

    fn asked(&self, bytes: &[u8]) -> RequestFacts {
        let mut asked = RequestFacts { active: bytes[0], started: bytes[1], admitted: bytes[2], ..RequestFacts::NOTHING };
        if self.has_deadlines {
            asked.due[..self.tasks].copy_from_slice(&bytes[3..3 + self.tasks]);
        }
        asked
    }

    fn read(&self, bytes: &[u8], state: &mut State) {
        let mut rest = &bytes[3 + if self.has_deadlines { self.tasks } else { 0 }..];
        let mut take = |count: usize| {
            let (taken, after) = rest.split_at(count);
            rest = after;
            taken
        };
        let task = |byte: u8| byte.checked_sub(1).map(TaskNumber);
        state.sets.clear();
        state.sets.extend(take(self.sets).iter().map(|byte| set(*byte)));
        state.tasks.clear();
        state.tasks.extend(take(self.ones).iter().map(|byte| task(*byte)));
        for queue in &mut state.queues {
            queue.clear();
            queue.extend(take(self.tasks).iter().filter_map(|byte| task(*byte)));
        }
        state.numbers.clear();
        for narrow in &self.narrow {
            let number = match take(if *narrow { 1 } else { 4 }) {
                [byte] => i64::from(*byte as i8),
                [a, b, c, d] => i64::from(i32::from_le_bytes([*a, *b, *c, *d])),
                _ => 0,
            };
            state.numbers.push(number);
        }
    }
}
