//! Typical mistakes, each with its place, its word and its sentence.

use blockstep_policy::{MAX_COLUMNS, MAX_LINES, MAX_NESTING, Program};

const DECLARED: &str = "running, pending: set\nwaiting: queue\nholder: task\nrounds: number\nlate: flag\ncredit: number for each task\n";

/// Line, column, word and sentence of the mistake in an action of a request.
#[track_caller]
fn action(action: &str, column: u32, word: &str, message: &str) {
    let text = format!("{DECLARED}on request(t):\n  {action}\nadmit running\n");
    mistake(&text, 8, column + 2, word, message);
}

#[track_caller]
fn mistake(text: &str, line: u32, column: u32, word: &str, message: &str) {
    let e = Program::new(text).unwrap_err();
    assert_eq!((e.message.as_str(), e.word.as_str(), e.line, e.column), (message, word, line, column), "{text}");
}

#[test]
fn mistakes_in_declarations() {
    mistake("running: sett\n", 1, 10, "sett", "there is no kind sett; a variable is a set, queue, task, number or flag; did you mean set?");
    mistake("a: set\na: queue\n", 2, 1, "a", "a is declared twice");
    mistake("set: set\n", 1, 1, "set", "set is a word of the language and cannot be the name of a variable");
    mistake("n: number from 3 to 1\n", 1, 21, "1", "the range from 3 to 1 is empty");
    mistake("n: number from 0 to 3 = 4\n", 1, 25, "4", "4 is not in the range from 0 to 3");
    mistake("a, b, c, d, e, f, g, h, i: set\n", 1, 31, "", "9 sets and queues are too many; the limit is 8");
    mistake("on end(t):\n  n = 1\nx: set\n", 3, 1, "x", "declarations come first, above every on");
    mistake("n: number\nn = 1\n", 2, 1, "n", "n is set outside of an event: indent it under on");
    let expected = "a policy may be expected to have preemption, separation, turns, deadlines, or at most 1; did you mean preemption?; there is preemtion";
    mistake("expect preemtion\n", 1, 8, "preemtion", expected);
    mistake("running: set\n", 2, 1, "", "the policy admits nothing: end it with admit and a set, as in: admit running");
}

#[test]
fn mistakes_in_events() {
    let events = "the events are request(t), end(t), launch(t), finish(t) and tick every 1 ms";
    mistake("on requst(t):\n", 1, 4, "requst", &format!("{events}; did you mean request?; there is requst"));
    mistake("on begin(t):\n", 1, 4, "begin", &format!("{events}; did you mean request?; there is begin"));
    mistake("on lunch(t):\n", 1, 4, "lunch", &format!("{events}; did you mean launch?; there is lunch"));
    mistake("on submit(t):\n", 1, 4, "submit", &format!("{events}; did you mean launch?; there is submit"));
    mistake("launch ready\nlaunch ready\n", 2, 1, "launch", "launch stands in line 1 already; what is launched holds at all times");
    mistake("n: number\nlaunch n\n", 2, 8, "n", "n is a number; a set or a task is launched");
    mistake("launch ready\n", 2, 1, "", "the policy admits nothing: end it with admit and a set, as in: admit running");
    mistake("on request:\n", 1, 11, ":", "( is missing after request; there is :");
    mistake("on tick every 5:\n", 1, 16, ":", "a time has a unit: ns, us, ms or s; there is :");
    mistake("on tick every 5us:\n", 1, 15, "5us", "5us is neither a number nor a name; write 5 us");
    mistake("on tick every 1.5 ms:\n", 1, 15, "1.5", "1.5: numbers are whole; 1.5 ms is 1500 us");
    mistake("on end(t)\n  n = 1\n", 1, 10, "", "a colon is missing after the event; the line ends here");
    mistake("on end(t):\nadmit ready\n", 1, 11, "", "nothing belongs to the event: indent its actions below it");
    mistake("on end(t):\n  n = 1\non end(t):\n  n = 1\n", 3, 9, ")", "this event has its actions already");
    mistake("s: set\non end(s):\n  remove s from s\n", 2, 8, "s", "s is declared above; give the task of the event another name");
    mistake("admit ready\nadmit ready\n", 2, 1, "admit", "admit stands in line 1 already; what is admitted holds at all times");
}

#[test]
fn mistakes_in_actions() {
    action("add t to runing", 10, "runing", "nothing is called runing; did you mean running?");
    action(
        "push t to running",
        1,
        "push",
        "push is not an action; actions are add, remove, move, if, for each, and name = value; did you mean add?",
    );
    action("add t in running", 7, "in", "to is missing after the task to add; there is in");
    action("add running to pending", 5, "running", "running is a set; a task is needed here");
    action("add t to holder", 10, "holder", "holder is a task; tasks are kept in a set or a queue");
    action("add t to front of running", 19, "running", "running is a set, which has no front; declare it as a queue");
    action("add t to ready", 10, "ready", "ready is what it is: a task is in it from its request to its end");
    action("running = t", 11, "t", "t is a task; a set is needed here, as in {t}");
    action("running = running + t", 19, "+", "a set and a task cannot be added or subtracted; write the task as a set: {t}");
    action("waiting = running", 11, "running", "waiting is a queue, and this has no order; add its tasks by for each");
    action("rounds = t", 10, "t", "rounds is a number, and this is a task");
    action("credit = 1", 1, "credit", "each task has its own credit; write credit of t = ...");
    action("rounds of t = 1", 1, "rounds", "rounds is not a field of a task; declare it: rounds: number for each task");
    action("t = holder", 1, "t", "t is the task of the event and stays so; use another name");
    action("x = {}", 1, "x", "x would be a set; declare it at the top: x: set");
    action("p = priority of t", 5, "priority", "priorities, periods and deadlines are compared where they stand and have no names");
    action("rounds = credit", 10, "credit", "credit of which task? Write credit of t");
    action("holder = highest in waiting", 18, "in", "highest what? Write highest priority in ...");
    action("holder = highest priority of waiting", 30, "waiting", "waiting is a set; a task is needed here");
    action("holder = first waiting", 16, "waiting", "in and a set are missing after first; there is waiting");
    action("remove t from running; add t to pending", 22, ";", "the language has no \";\"; every action stands on its own line");
    action("admit running", 1, "admit", "admit stands at the margin, once: what is admitted holds at all times");
    action("else:", 1, "else", "else without an if just above it, as far in");
    action("rounds = rounds * 2", 17, "*", "the language has no \"*\"; numbers are added and subtracted");
    action("rounds = 2000000", 10, "2000000", "2000000 is over the largest number, 1000000");
}

#[test]
fn mistakes_in_conditions() {
    action("if holder = none:", 11, "=", "is, in, == or != is missing after a task; = sets, == or is compares; there is =");
    action("if rounds = 1:", 11, "=", "= sets a value; == compares");
    action(
        "if t > holder:",
        6,
        ">",
        "is, in, == or != is missing after a task; compare something of it, as in priority of t > priority of k; there is >",
    );
    action(
        "if priority of t > 1:",
        20,
        "1",
        "a priority and a number cannot be compared; a priority is compared with that of another task",
    );
    action("if realtime:", 4, "realtime", "realtime of which task? Write t is realtime");
    action("if running is none:", 15, "none", "a set is never none; write is empty");
    action("if running == {}:", 12, "==", "is empty is missing after a set; sets are compared with empty alone; there is ==");
    action("if holder is empty:", 14, "empty", "a task is never empty; write is none");
    action("if late and:", 12, ":", "a value is missing; there is :");
    action("if late", 8, "", "a colon is missing after if; the line ends here");
    action("if late: add t to running", 10, "add", "what belongs to if stands on the next lines, further in");
    action("if late & holder is none:", 9, "&", "the language has no \"&\"; write and");
    action("if t ∈ running:", 6, "∈", "the language has no \"∈\"; write in");
    action("if k is none:", 4, "k", "nothing is called k; give it a value first, or declare it at the top");
}

#[test]
fn mistakes_in_layout() {
    mistake("on end(t):\n\tn = 1\n", 2, 1, "", "a tab: indent by spaces, as a tab is as wide as each editor likes");
    mistake("n: number\non end(t):\n  n = 1\n    n = 2\n", 4, 5, "n", "is indented by 4, the lines above it by 2");
    mistake("n: number\n  on end(t):\n", 2, 3, "on", "stands too far in: declarations, on, admit and launch begin at the margin");
    mistake("add t to running\n", 1, 1, "add", "add stands within an event: indent it under on");
}

#[test]
fn mistakes_of_size() {
    let lines = "# a line\n".repeat(MAX_LINES + 1);
    mistake(&lines, 201, 1, "", "a policy has at most 200 lines");
    let long = format!("# {}\n", "x".repeat(MAX_COLUMNS));
    mistake(&long, 1, 201, "", "a line has at most 200 characters");
    let not = "not ".repeat(MAX_NESTING);
    action(&format!("if {not}late:"), 4 * 19 + 4, "not", "more than 20 levels stand within one another");
    let deep: String = (0..=MAX_NESTING).map(|i| format!("{:i$} if 1 == 1:\n", "")).collect();
    mistake(&format!("on end(t):\n{deep}"), 22, 22, "if", "more than 20 levels stand within one another");
}
