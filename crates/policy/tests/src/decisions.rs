//! What decisions do, construct by construct: the new state, who is admitted, by which line, with which changes.

use blockstep_policy::{Change, Decision, Draw, Event, FUEL, Failure, Happened, Program, State, TaskFacts, TaskNumber, TaskSet, World};

pub(crate) struct Place(pub(crate) usize);

impl Draw for Place {
    fn draw(&mut self, weights: &[u64]) -> usize {
        self.0 % weights.len()
    }
}

/// A policy with its tasks, told of requests as `+A -B`, a tick as `~`.
pub(crate) struct Told {
    program: Program,
    facts: Vec<TaskFacts>,
    state: State,
    ready: TaskSet,
    pub(crate) last: Result<Decision, Failure>,
}

impl Told {
    /// Of tasks A, B... with these priorities; none is best effort. Period and deadline follow from it: 100 less 10 for each.
    pub(crate) fn new(text: &str, priorities: &[i64]) -> Self {
        let program = Program::new(text).unwrap();
        let time = |priority: i64| (priority > 0).then(|| (100 - 10 * priority).unsigned_abs());
        let facts = priorities.iter().map(|&priority| TaskFacts {
            realtime: priority > 0,
            priority,
            period: time(priority),
            deadline: time(priority),
            sms: 2,
            duration: 5,
        });
        let facts: Vec<_> = facts.collect();
        let state = program.start(facts.len());
        let last = Ok(Decision { state: state.clone(), admitted: TaskSet::EMPTY, line: 0, launching: None, changes: Vec::new() });
        Self { program, facts, state, ready: TaskSet::EMPTY, last }
    }

    pub(crate) fn tell(&mut self, requests: &str) -> &mut Self {
        for request in requests.split_whitespace() {
            let task = TaskNumber(request.as_bytes().get(1).map_or(0, |letter| letter - b'A'));
            let event = match &request[..1] {
                "+" => Event::Request(task),
                "-" => Event::End(task),
                ">" => Event::Launch(task),
                "<" => Event::Finish(task),
                _ => Event::Tick,
            };
            match event {
                Event::Request(task) => self.ready = self.ready.with(task),
                Event::End(task) => self.ready = self.ready.without(task),
                Event::Tick | Event::Launch(_) | Event::Finish(_) => {}
            }
            let world = World { tasks: &self.facts, ready: self.ready };
            self.last = self.program.decide(&self.state, event, world, &mut Place(0));
            if let Ok(decision) = &self.last {
                self.state = decision.state.clone();
            }
        }
        self
    }

    /// With these numbers of SMs.
    pub(crate) fn with_sms(mut self, sms: &[i64]) -> Self {
        self.facts.iter_mut().zip(sms).for_each(|(facts, sms)| facts.sms = *sms);
        self
    }

    /// With these durations.
    pub(crate) fn with_durations(mut self, durations: &[i64]) -> Self {
        self.facts.iter_mut().zip(durations).for_each(|(facts, duration)| facts.duration = *duration);
        self
    }

    /// The letters of those whose kernels may be launched.
    pub(crate) fn launching(&self) -> String {
        let (launching, _) = self.last.as_ref().unwrap().launching.unwrap();
        launching.iter().map(|task| char::from(b'A' + task.0)).collect()
    }

    /// The letters of those admitted.
    pub(crate) fn admitted(&self) -> String {
        self.last.as_ref().unwrap().admitted.iter().map(|task| char::from(b'A' + task.0)).collect()
    }
}

const PRINTED: &str = "running, pending: set
on request(t):
  if any in running:
    move t to pending
  else:
    move t to running
on end(t):
  k = highest priority in pending where realtime
  if k is none:
    running = pending
    pending = {}
  else:
    move k to running
    remove t from running
admit running
";

#[test]
fn decisions_list_changes_with_their_lines() {
    let mut told = Told::new(PRINTED, &[0, 1, 2]);
    told.tell("+A +B +C");
    let change = |line, what| Change { line, what };
    let [a, c] = [0, 2].map(TaskNumber);
    assert_eq!(told.last.as_ref().unwrap().changes, [change(4, Happened::Added(1, c, false))]);
    assert_eq!(told.last.as_ref().unwrap().line, 15, "admit, as running did not change");
    told.tell("-A");
    let decision = told.last.clone().unwrap();
    let changes = [change(13, Happened::Removed(1, c)), change(13, Happened::Added(0, c, false)), change(14, Happened::Removed(0, a))];
    assert_eq!(decision.changes, changes);
    assert_eq!((decision.line, told.admitted().as_str()), (14, "C"));
    told.tell("-C -B");
    let decision = told.last.clone().unwrap();
    let changes = [change(10, Happened::Replaced(0, TaskSet::EMPTY, Some(1)))];
    assert_eq!((decision.line, &decision.changes[..]), (10, &changes[..]));
}

#[test]
fn decisions_are_values() {
    let mut told = Told::new(PRINTED, &[1, 2]);
    told.tell("+A +B -A -B");
    assert_eq!(told.state, told.program.start(2));
    let (a, b) = (told.state.clone(), told.program.start(3));
    assert!(a == b, "sets do not depend on the number of tasks");
}

/// Who is admitted after these requests by a policy of these actions on a request.
#[track_caller]
fn does(declared: &str, actions: &[&str], requests: &str, admitted: &str) {
    let body: String = actions.iter().map(|line| format!("  {line}\n")).collect();
    let text = format!("s: set\n{declared}\non request(t):\n{body}on end(t):\n  remove t from s\nadmit s\n");
    let mut told = Told::new(&text, &[1, 3, 0, 3, 2]);
    assert_eq!(told.tell(requests).admitted(), admitted, "{text}");
}

#[test]
fn decisions_choose() {
    does("", &["s = {highest priority in ready}"], "+A +B +D", "B");
    does("", &["s = {lowest priority in ready}"], "+A +B +C", "C");
    does("", &["s = {lowest deadline in ready}"], "+C +E +A", "E");
    does("", &["s = {first in ready where realtime}"], "+E +C", "E");
    does("", &["s = highest 2 priority in ready"], "+A +B +C +D", "BD");
    does("q: queue", &["add t to front of q", "s = {highest priority in q}"], "+A +B +D", "D");
    does("q: queue", &["add t to q", "s = {highest priority in q}"], "+A +D +B", "D");
    does("n: number for each task", &["n of t = count of ready", "s = {highest n in ready}"], "+C +B +A", "A");
    does("n: number for each task", &["n of t = 2 - count of ready", "s = {draw by n in ready}"], "+C +B +A", "C");
    does("", &["s = {lowest id in ready}"], "+C +B", "B");
}

/// Best-effort tasks are below all others, and their priorities order them among themselves.
#[test]
fn decisions_heed_priorities_of_best_effort() {
    let chosen = |pick: &str, requests: &str| {
        let text = format!("s: set\non request(t):\n  s = {{{pick} priority in ready}}\nadmit s\n");
        Told::new(&text, &[-5, -1, 3, -1]).tell(requests).admitted()
    };
    assert_eq!(["+A +B", "+B +A", "+D +B", "+A +B +C"].map(|requests| chosen("highest", requests)), ["B", "B", "B", "C"]);
    assert_eq!(["+A +B", "+C +B"].map(|requests| chosen("lowest", requests)), ["A", "B"]);
    // The extremes of 64 bits are still told apart, and from real-time ones.
    let text = "s: set\non request(t):\n  s = {highest priority in ready}\nadmit s\n";
    assert_eq!(Told::new(text, &[i64::MIN, i64::MIN + 1]).tell("+A +B").admitted(), "B");
}

#[test]
fn decisions_keep_sets_queues_and_numbers() {
    does("", &["s = ready - {t}"], "+A +B +C", "AB");
    does("q, r: queue", &["add t to q", "r = q + r", "s = {first in r}"], "+C +A", "C");
    does("q: queue", &["add t to q", "move first in q to q", "s = {first in q}"], "+A +B +C", "A");
    does("n: number from 0 to 2", &["n = n + 1", "if n == 2:", "  add t to s"], "+A +B +C", "BC");
    does("n: number from -1 to 2 = 2", &["n = n - 2", "if n < 0:", "  add t to s"], "+A +B +C", "BC");
    does("f: flag = true", &["if f:", "  add t to s", "f = not f"], "+A +B +C", "AC");
    does("f: flag for each task", &["f of t = true", "for each w in ready where f and not in s:", "  add w to s"], "+A +B", "AB");
    does("h: task", &["if h is none or priority of t > priority of h:", "  h = t", "s = {h}"], "+A +E +C", "E");
    does("h: task", &["if h is none:", "  h = t", "if t is not h and t is realtime:", "  add t to s"], "+A +E +C", "E");
    does("", &["n = 0", "for each w in ready:", "  n = n + 1", "if n > 1 and not (t is realtime):", "  add t to s"], "+A +C", "C");
    does("", &["if sms of t + 3 == duration of t:", "  add t to s"], "+A", "A");
    does("", &["if t is besteffort:", "  add t to s", "else if any in s where besteffort:", "  s = s + {t}"], "+A +C +B", "BC");
}

#[test]
fn decisions_fail_where_a_task_is_needed() {
    let mut told = Told::new("h: task\ns: set\non request(t):\n  s = {t}\n  if priority of t > priority of h:\n    h = t\nadmit s\n", &[1]);
    let before = told.state.clone();
    assert_eq!(told.tell("+A").last, Err(Failure::NoTask { line: 5 }));
    assert_eq!(told.state, before, "nothing has changed");
    assert_eq!(Failure::NoTask { line: 5 }.to_string(), "line 5: a task is needed here, and it is none");
    let none = "s: set\non request(t):\n  add none to s\nadmit s\n";
    assert_eq!(Told::new(none, &[1]).tell("+A").last, Err(Failure::NoTask { line: 3 }));
}

#[test]
fn decisions_end() {
    let loops: String = (0..6).map(|i| format!("{:1$}for each x{i} in ready:\n", "", i + 1)).collect();
    let text = format!("n: number\non request(t):\n{loops}       n = n + 1\nadmit ready\n");
    let mut told = Told::new(&text, &[1; 8]);
    assert!(told.tell("+A +B +C").last.is_ok());
    assert!(matches!(told.tell("+D +E +F").last, Err(Failure::Fuel { line: 3..=9 })), "{FUEL} operations");
}

#[test]
fn decisions_know_nothing_of_tasks_that_are_not_there() {
    let program = Program::new("admit ready").unwrap();
    let world = World { tasks: &[], ready: TaskSet::EMPTY };
    let decided = program.decide(&program.start(0), Event::End(TaskNumber(0)), world, &mut Place(0));
    assert_eq!(decided, Err(Failure::TooManyTasks { line: 1 }));
}
