//! A scenario as a program of CUDA C++, for reading and for running on a real GPU.
//!
//! Depends on `plan`, which says what each process does, and on the examiner's logs, whose heads the program writes. Invariants: the calls of
//! a thread stand in the order in which it makes them; each line knows what it belongs to; whatever names a scenario has, the text has
//! the form that is meant. Source of what is called when: docs/semantics.md, section 2.

mod names;
mod plan;
mod prepare;
mod task;
mod writer;

pub use plan::{MAX_COPY_BYTES, MAX_PROCESSES, MAX_TASKS, NodePlan, Plan, PlanError, ProcessPlan, RowPlan, StreamPlan, TaskPlan};

use std::collections::BTreeSet;

use crate::examiner::{LogHead, log_heads};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Release, Turns};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{RowId, StreamId, TaskId};
use names::{Names, comment, literal};
use writer::Writer;

/// What runs on the GPU, the clocks, and the logs.
const HEAD: &str = include_str!("head.cu");
/// Calls at times of their own.
const AGENDA: &str = include_str!("agenda.cu");
const GRAPH: &str = include_str!("graph.cu");
/// Most threads of a block in CUDA.
const MOST_THREADS: u32 = 1024;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its text: one file.
    pub text: String,
    /// By line, from the first on: what it belongs to.
    pub lines: Vec<Option<ProgramLine>>,
    /// Before which line the table begins, from 0: what stands above says how blocks run and logs are written, whatever the table.
    pub table: usize,
}

/// What a line of a program belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramLine {
    /// A CPU thread.
    Task(TaskId),
    /// Where the thread of a task comes to the release of its jobs.
    Release(TaskId),
    /// A stream.
    Stream(StreamId),
    /// A row of the kernel table.
    Row(RowId),
    /// The call of a row without operations of its own: one that waits, or launches a graph.
    Call(RowId),
    /// The call that issues an operation of a row.
    Op(RowId, OpKind),
}

/// The program of a scenario; `trace` is a simulated run of it, which says how many jobs there are.
///
/// # Errors
/// As [`Plan::new`], and blocks with more threads than CUDA has.
pub fn write_program(trace: &Trace, records: &Records) -> Result<Program, PlanError> {
    let plan = Plan::new(trace, records)?;
    if let Some(row) = plan.processes.iter().flat_map(|process| &process.rows).find(|row| row.threads > MOST_THREADS) {
        let what = format!("{} threads of a block are too many for CUDA, the limit is {MOST_THREADS}", row.threads);
        return Err(PlanError::TooMuch { row: row.name.clone(), what });
    }
    let mut out = Writer::default();
    opening(&mut out, trace, &plan);
    let table = out.count();
    let several = plan.processes.len() > 1;
    let mut entries = Vec::new();
    out.line("// ---------------------------------------------------------------- the table");
    let heads = log_heads(trace, records);
    for (number, process) in plan.processes.iter().enumerate() {
        let part = Part::new(trace, process, number, plan.processes.len(), &heads);
        if several {
            out.blank();
            out.line(&format!("// ================================================================ process {}", comment(&process.name)));
            out.blank();
            out.line(&format!("namespace process_{number} {{"));
        }
        part.write(&mut out);
        if several {
            out.blank();
            out.line(&format!("}} // namespace process_{number}"));
        }
        entries.push(if several { format!("process_{number}::run") } else { "run".to_owned() });
    }
    main(&mut out, &plan, &entries);
    Ok(out.finish(table))
}

fn opening(out: &mut Writer, trace: &Trace, plan: &Plan) {
    let name = trace.scenario().name();
    let title = if name.is_empty() { "A scenario".to_owned() } else { comment(name) };
    out.line(&format!("// {title}: a table of Blockstep as a program of CUDA. Each kernel spins for the time of its row."));
    out.line("//");
    out.line("//     nvcc -O2 -std=c++17 -arch=native FILE.cu -o program");
    out.line("//     ./program FOLDER");
    out.line("//     blockstep validate --config SCENARIO.json FOLDER/*.json");
    out.line("//");
    out.line("// It writes a log for each stream into the folder (the working directory, if none is given), in the JSON of");
    out.line("// cuda_scheduling_examiner.");
    if trace.scenario().policy().kind.turns() == Turns::Deadlines {
        out.line("//");
        out.line(
            "// The policy of the table is edf, and the scheduler of [EDF] is in no public driver: wherever this runs, processes take",
        );
        out.line(
            "// turns. Comments say where the calls of [EDF] section V would stand, by which a batch has deadline, budget and period.",
        );
    }
    if trace.scenario().policy().kind.turns() == Turns::Text {
        out.line("//");
        out.line("// The policy of the table is own, a text that is in no driver: wherever this runs, processes take turns as the driver has them.");
    }
    out.blank();
    // What it includes stands first.
    let (includes, rest) = HEAD.split_once("\n// Ends the program").unwrap_or((HEAD, ""));
    out.text(includes);
    out.blank();
    out.line(&format!("const char* const VERSION = {};", literal(env!("CARGO_PKG_VERSION"))));
    out.line(&format!("const char* const SCENARIO = {};", literal(&crate::examiner::title(trace))));
    out.line(&format!("const int CONNECTIONS = {};                 // hardware connections that streams share", plan.connections));
    out.line(&format!("const int PROCESSES = {};", plan.processes.len()));
    out.line(&format!("const unsigned MOST_SECONDS = {};           // then it is stopped", plan.most_seconds()));
    out.blank();
    out.text(&format!("// Ends the program{rest}"));
    if plan.processes.iter().any(|process| process.tasks.iter().any(|task| task::needs_agenda(process, task))) {
        out.text(AGENDA);
    }
    if trace.scenario().has_graphs() {
        out.text(GRAPH);
    }
    out.blank();
}

/// The program's own begin and end.
fn main(out: &mut Writer, plan: &Plan, entries: &[String]) {
    out.text(
        "
// ---------------------------------------------------------------- the begin of the program

void stop(int) {
    const char words[] = \"the program did not end in time and was stopped\\n\";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
    _exit(1);
}

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : \".\";
    mkdir(folder.c_str(), 0777);
    // CUDA reads these when it is called first.
    setenv(\"CUDA_DEVICE_MAX_CONNECTIONS\", std::to_string(CONNECTIONS).c_str(), 1);
    setenv(\"CUDA_MODULE_LOADING\", \"EAGER\", 1);
    void* memory = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    meeting = new (memory) Meeting;
    signal(SIGALRM, stop);
",
    );
    if plan.processes.len() == 1 {
        out.text("    alarm(MOST_SECONDS);\n    run(0, folder);\n    return 0;\n}\n");
        return;
    }
    out.line("    // A process each, made before any call of CUDA: a context cannot be shared by fork.");
    out.line(&format!("    void (*const runs[])(int, const std::string&) = {{{}}};", entries.join(", ")));
    out.text(
        "    pid_t children[PROCESSES];
    for (int place = 0; place < PROCESSES; ++place) {
        children[place] = fork();
        if (children[place] < 0) {
            std::perror(\"fork\");
            for (int i = 0; i < place; ++i) kill(children[i], SIGKILL);
            return 1;
        }
        if (children[place] == 0) {
            alarm(MOST_SECONDS);
            runs[place](place, folder);
            return 0;
        }
    }
    // If one fails, the others would wait for it.
    int failed = 0;
    for (int left = PROCESSES; left > 0; --left) {
        int status;
        wait(&status);
        if (status == 0) continue;
        failed = 1;
        for (const pid_t child : children) kill(child, SIGKILL);
    }
    return failed;
}
",
    );
}

/// What writes one process.
struct Part<'t> {
    trace: &'t Trace,
    process: &'t ProcessPlan,
    number: usize,
    of: usize,
    names: Names,
    /// Of this process, with the streams that they are of.
    logs: Vec<&'t LogHead>,
    /// Events that a row records or waits for.
    events: BTreeSet<usize>,
}

impl<'t> Part<'t> {
    fn new(trace: &'t Trace, process: &'t ProcessPlan, number: usize, of: usize, heads: &'t [LogHead]) -> Self {
        let into = |head: &LogHead| trace.layout().launched_into(head.stream).index();
        let is_own = |head: &&LogHead| process.streams.iter().any(|stream| stream.number == into(head));
        let events = process.rows.iter().flat_map(|row| row.waits_for.iter().copied().chain(row.records)).collect();
        Self { trace, process, number, of, names: Names::new(trace, process), logs: heads.iter().filter(is_own).collect(), events }
    }

    fn write(&self, out: &mut Writer) {
        self.globals(out);
        self.prepare(out);
        for (place, task) in self.process.tasks.iter().enumerate() {
            if runs(task) {
                self.task(out, place);
            }
        }
        self.run(out);
    }

    /// Gets ready, runs all threads, writes the logs.
    fn run(&self, out: &mut Writer) {
        let (place, of) = (self.number, self.of);
        out.blank();
        out.line("void run(int place, const std::string& folder) {");
        out.line("    in_turn(place, prepare);");
        out.line("    const Reading before = in_turn(PROCESSES + place, read_clocks);");
        if place + 1 == of {
            out.line("    meeting->start = now() + 20'000'000;");
        } else {
            out.line("    while (meeting->start == 0) usleep(20);");
        }
        out.line("    const Ns start = meeting->start;");
        let tasks: Vec<usize> = (0..self.process.tasks.len()).filter(|&task| runs(&self.process.tasks[task])).collect();
        for &task in &tasks {
            let name = &self.names.tasks[task];
            let line = ProgramLine::Task(TaskId::at(self.process.tasks[task].number));
            out.line_of(line, &format!("    std::thread thread_of_{name}({name}, start);"));
        }
        for &task in &tasks {
            out.line(&format!("    thread_of_{}.join();", self.names.tasks[task]));
        }
        out.line("    CHECK(cudaDeviceSynchronize());");
        out.line("    ++meeting->done;");
        out.line("    while (meeting->done < PROCESSES) usleep(20);");
        out.line("    const Clock clock{before, in_turn(2 * PROCESSES + place, read_clocks)};");
        out.line("    write_logs(folder, start, clock, logs, kernels);");
        out.line("}");
    }

    fn row(&self, place: usize) -> &'t RowPlan {
        &self.process.rows[place]
    }

    fn row_id(&self, place: usize) -> RowId {
        RowId::at(self.row(place).number)
    }

    /// The nodes of a graph, by place.
    fn nodes(&self, graph: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.process.rows.len()).filter(move |&row| self.row(row).node.as_ref().is_some_and(|node| node.graph == graph))
    }

    /// The stream that a row's call is made on.
    fn stream(&self, row: usize) -> &str {
        &self.names.streams[self.row(row).stream]
    }

    fn jobs(&self, row: usize) -> u32 {
        self.process.tasks[self.row(row).task].jobs
    }

    /// Whether something waits for the end of a row.
    fn has_end(&self, row: usize) -> bool {
        let plan = self.row(row);
        let task = &self.process.tasks[plan.task];
        let waited = plan.has_followers || task.is_consumed || task.release == Release::Continuous;
        waited && plan.node.is_none() && task.jobs > 0
    }

    /// The kernel with the threads and registers of a row.
    fn function(&self, row: usize) -> String {
        /// Registers of `spin` beside those that it holds, about: it depends on the compiler.
        const OWN: u32 = 20;
        const MOST_HELD: u32 = 232;
        let plan = self.row(row);
        format!("spin<{}, {}>", plan.threads, plan.registers.saturating_sub(OWN).min(MOST_HELD))
    }

    fn most_shared(&self) -> u32 {
        self.process.rows.iter().map(|row| row.shared_bytes).max().unwrap_or(0)
    }

    /// The time of a row's blocks in a job, and their list, as arguments of the kernel.
    fn time(&self, row: usize, job: &str) -> String {
        let (plan, name) = (self.row(row), &self.names.rows[row]);
        let longer = (!plan.longer.is_empty()).then(|| format!("longer_{name}[{job}]"));
        match &plan.times[..] {
            [ns] => format!("{}, nullptr", longer.map_or(number(*ns), |longer| format!("{} + {longer}", number(*ns)))),
            _ => format!("{}, times_{name}", longer.unwrap_or_else(|| "0".to_owned())),
        }
    }
}

/// Whether a task has a thread.
fn runs(task: &TaskPlan) -> bool {
    task.jobs > 0 && !task.rows.is_empty()
}

fn is_kernel(row: &RowPlan) -> bool {
    row.call == Call::Kernel
}

/// A number with marks between groups of three digits: `1'000'000`.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\'');
        }
        out.push(c);
    }
    out
}
