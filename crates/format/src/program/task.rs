//! The thread of a task: its calls, each when it is due.
//!
//! Depends on `names`. Invariant: a thread calls what `measure` calls, in the same order. Source: docs/semantics.md, section 2.

use super::names::comment;
use super::writer::Writer;
use super::{Part, ProcessPlan, ProgramLine, TaskPlan, is_kernel, number};
use blockstep_sim::scenario::{Call, Class, Release, Turns};
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{ClaimantId, Span, TaskId};

/// Whether the order of a task's calls shows only when it runs: a call waits for an end while others are due, or jobs overlap.
pub(super) fn needs_agenda(process: &ProcessPlan, task: &TaskPlan) -> bool {
    if task.calls_in_turn || task.jobs == 0 {
        return false;
    }
    let rows = || task.rows.iter().map(|&row| &process.rows[row]);
    let starts = || rows().map(|row| row.start_ns);
    let spread = starts().max().unwrap_or(0) - starts().min().unwrap_or(0);
    let overlaps = task.release == Release::Periodic && task.jobs > 1 && spread > task.period_ns;
    overlaps || rows().any(|row| row.after.is_some())
}

/// A time in microseconds, exact.
fn micros(time: Span) -> String {
    let (whole, rest) = (time.ns() / 1_000, time.ns() % 1_000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

impl Part<'_> {
    pub(super) fn task(&self, out: &mut Writer, place: usize) {
        let plan = &self.process.tasks[place];
        let line = ProgramLine::Task(TaskId::at(plan.number));
        let task = self.trace.scenario().task(TaskId::at(plan.number));
        out.blank();
        out.line_of(line, &format!("// Task {}", comment(&task.name)));
        out.line_of(line, &format!("void {}(Ns start) {{", self.names.tasks[place]));
        out.line_of(line, "    CHECK(cudaSetDevice(0));");
        let has_loop = plan.jobs > 1;
        let job = if has_loop { "job" } else { "0" };
        let indent = if has_loop { "        " } else { "    " };
        let first = if plan.offset_ns > 0 { format!("start + {}", number(plan.offset_ns)) } else { "start".to_owned() };
        let is_continuous = plan.release == Release::Continuous;
        let has_agenda = needs_agenda(self.process, plan);
        if has_agenda && !is_continuous {
            out.line_of(line, "    Agenda agenda;");
        }
        if let Some(call) = self.frame_target(plan) {
            out.line_of(line, &format!("    {call}"));
        }
        let release = ProgramLine::Release(TaskId::at(plan.number));
        if has_loop && is_continuous {
            out.line_of(line, &format!("    Ns release = {first};"));
        }
        if has_loop {
            out.line_of(line, &format!("    for (int job = 0; job < {}; ++job) {{", plan.jobs));
        }
        match (has_loop, is_continuous) {
            (true, true) => {}
            (true, false) => out.line_of(release, &format!("{indent}const Ns release = {first} + job * {}ll;", number(plan.period_ns))),
            (false, _) => out.line_of(release, &format!("{indent}const Ns release = {first};")),
        }
        if has_agenda && is_continuous {
            out.line_of(line, &format!("{indent}Agenda agenda;"));
        }
        let mut rows: Vec<usize> = plan.rows.clone();
        if plan.calls_in_turn {
            out.line_of(line, &format!("{indent}spin_until(release);"));
        } else if !has_agenda {
            rows.sort_by_key(|&row| self.row(row).start_ns);
        }
        let batch = self.batch(plan);
        for begin in batch.iter().map(|(begin, _)| begin) {
            out.line_of(release, &format!("{indent}{begin}"));
        }
        // The claimant whose batch is open in each stream.
        let mut open: Vec<(&str, ClaimantId)> = Vec::new();
        for &row in &rows {
            for comment in self.between_batches(plan, &mut open, row) {
                out.line_of(ProgramLine::Row(self.row_id(row)), &format!("{indent}{comment}"));
            }
            if has_agenda { self.at_its_time(out, row, job, indent) } else { self.due(out, plan, row, job, indent) }
        }
        let ends = open.iter().map(|(stream, _)| end_of_batch(stream));
        for end in batch.iter().map(|(_, end)| end.clone()).chain(ends) {
            out.line_of(line, &format!("{indent}{end}"));
        }
        if has_agenda && is_continuous {
            out.line_of(line, &format!("{indent}agenda.run();"));
        }
        if is_continuous {
            for &row in &rows {
                out.line_of(line, &format!("{indent}end_of_{}[{job}].wait();", self.names.rows[row]));
            }
            if has_loop {
                out.line_of(line, &format!("{indent}release = now();"));
            }
        }
        if has_loop {
            out.line_of(line, "    }");
        }
        if has_agenda && !is_continuous {
            out.line_of(line, "    agenda.run();");
        }
        out.line_of(line, "}");
    }

    /// The one call of a graphics task with frames under `edf`, before they are drawn, as a comment. Source: [EDF] section V, Listing 1.
    fn frame_target(&self, plan: &TaskPlan) -> Option<String> {
        let id = TaskId::at(plan.number);
        let task = self.trace.scenario().task(id);
        let has_deadlines = self.trace.scenario().policy().kind.turns() == Turns::Deadlines;
        let period = task.period.filter(|_| has_deadlines && task.class == Class::RealTime && task.pixel_latency.is_some())?;
        let frames = 1_000_000_000_u64.checked_div(period.ns())?;
        Some(format!("// [EDF] V: glSetFrameTarget({frames}, {}), number of frames per second and budget", self.budget(id)))
    }

    /// The budget of a task's server as a program has it.
    fn budget(&self, id: TaskId) -> String {
        // Without servers a budget is not looked at, and may be unknown.
        let budget = Some(self.trace.budget(id)).filter(|budget| *budget > Span::ZERO);
        budget.or(self.trace.scenario().task(id).budget).map_or_else(|| "none".to_owned(), micros)
    }

    /// Where a job of a real-time task is a batch of commands under `edf`: its begin and end in each stream, as comments; not of a
    /// graphics task, whose frames are batches by themselves. Source: [EDF] section V, Listing 2.
    fn batch(&self, plan: &TaskPlan) -> Vec<(String, String)> {
        let id = TaskId::at(plan.number);
        let task = self.trace.scenario().task(id);
        let (true, Class::RealTime, Some(deadline)) =
            (self.trace.scenario().policy().kind.turns() == Turns::Deadlines, task.class, task.deadline)
        else {
            return Vec::new();
        };
        // Where some rows are batches of their own, each row says where one begins.
        if task.pixel_latency.is_some() || !task.batches.is_empty() {
            return Vec::new();
        }
        let times = self.times(id.into(), deadline);
        let mut streams: Vec<&str> = Vec::new();
        for stream in plan.rows.iter().filter(|&&row| self.row(row).call.is_in_stream()).map(|&row| self.stream(row)) {
            if !streams.contains(&stream) {
                streams.push(stream);
            }
        }
        streams.into_iter().map(|stream| (begin_of_batch(stream, &times), end_of_batch(stream))).collect()
    }

    /// The ends and begins of batches before a row's call, where its task has batches with times of their own.
    fn between_batches<'s>(&'s self, plan: &TaskPlan, open: &mut Vec<(&'s str, ClaimantId)>, row: usize) -> Vec<String> {
        let task = self.trace.scenario().task(TaskId::at(plan.number));
        let claimant = self.trace.scenario().row(self.row_id(row)).claimant;
        let deadline = self.trace.scenario().claimant(claimant).deadline;
        let (false, true, Some(deadline)) = (task.batches.is_empty(), self.row(row).call.is_in_stream(), deadline) else {
            return Vec::new();
        };
        let stream = self.stream(row);
        let mut comments = Vec::new();
        match open.iter_mut().find(|(of, _)| *of == stream) {
            Some((_, of)) if *of == claimant => return comments,
            Some((_, of)) => {
                comments.push(end_of_batch(stream));
                *of = claimant;
            }
            None => open.push((stream, claimant)),
        }
        comments.push(begin_of_batch(stream, &self.times(claimant, deadline)));
        comments
    }

    /// The times of a batch as its begin has them.
    fn times(&self, claimant: ClaimantId, deadline: Span) -> String {
        let of = self.trace.scenario().claimant(claimant);
        let budget = match &of.batch {
            Some(batch) => micros(batch.budget),
            None => self.budget(of.task),
        };
        format!("deadline {}, budget {budget}, period {} us", micros(deadline), micros(of.period.unwrap_or(deadline)))
    }

    /// A call in an agenda.
    fn at_its_time(&self, out: &mut Writer, row: usize, job: &str, indent: &str) {
        let (plan, line) = (self.row(row), ProgramLine::Row(self.row_id(row)));
        let start = number(plan.start_ns);
        let when = match plan.after {
            None => format!("at(release + {start}"),
            Some(after) => format!("after(end_of_{}[{job}], {start}", self.names.rows[after]),
        };
        out.line_of(line, &format!("{indent}agenda.{when}, {job}, {}, [=] {{     // {}", plan.number, comment(&plan.name)));
        let inner = format!("{indent}    ");
        self.producers(out, row, job, &inner);
        self.call(out, row, job, &inner);
        out.line_of(line, &format!("{indent}}});"));
    }

    /// A call when it is due.
    fn due(&self, out: &mut Writer, task: &TaskPlan, row: usize, job: &str, indent: &str) {
        let (plan, line) = (self.row(row), ProgramLine::Row(self.row_id(row)));
        out.blank();
        out.line_of(line, &format!("{indent}// {}", comment(&plan.name)));
        match plan.after {
            Some(after) => {
                out.line_of(line, &format!("{indent}end_of_{}[{job}].wait();", self.names.rows[after]));
                if plan.start_ns > 0 {
                    out.line_of(line, &format!("{indent}spin_until(now() + {});", number(plan.start_ns)));
                }
            }
            None if plan.start_ns > 0 => out.line_of(line, &format!("{indent}spin_until(release + {});", number(plan.start_ns))),
            None if !task.calls_in_turn => out.line_of(line, &format!("{indent}spin_until(release);")),
            None => {}
        }
        if task.calls_in_turn && plan.call_ns > 0 {
            out.line_of(line, &format!("{indent}spin_until(now() + {});     // what the call costs", number(plan.call_ns)));
        }
        self.producers(out, row, job, indent);
        self.call(out, row, job, indent);
    }

    /// Waits for the same job of the tasks that are consumed.
    fn producers(&self, out: &mut Writer, row: usize, job: &str, indent: &str) {
        let line = ProgramLine::Row(self.row_id(row));
        for &producer in &self.process.tasks[self.row(row).task].consumes {
            let jobs = self.process.tasks[producer].jobs;
            for &end in self.process.tasks[producer].rows.iter().filter(|&&end| self.has_end(end)) {
                let wait = format!("end_of_{}[{job}].wait();", self.names.rows[end]);
                let guard = if job == "job" && jobs < self.jobs(row) { format!("if (job < {jobs}) ") } else { String::new() };
                out.line_of(line, &format!("{indent}{guard}{wait}"));
            }
        }
    }

    /// The calls of a row.
    fn call(&self, out: &mut Writer, row: usize, job: &str, indent: &str) {
        let (plan, id, name, stream) = (self.row(row), self.row_id(row), &self.names.rows[row], self.stream(row));
        let line = ProgramLine::Row(id);
        let events: Vec<&String> = plan.waits_for.iter().map(|&event| &self.names.events[event]).collect();
        if plan.call != Call::SynchronizeEvent {
            for event in &events {
                out.line_of(line, &format!("{indent}CHECK(cudaStreamWaitEvent({stream}, {event}, 0));"));
            }
        }
        let call = ProgramLine::Call(id);
        match plan.call {
            Call::Kernel => self.launch(out, row, job, indent),
            Call::CopyToDevice | Call::CopyToHost | Call::CopyOnDevice | Call::Memset => self.copy(out, row, indent),
            Call::SynchronizeStream => out.line_of(call, &format!("{indent}CHECK(cudaStreamSynchronize({stream}));")),
            Call::SynchronizeEvent => {
                for event in &events {
                    out.line_of(call, &format!("{indent}CHECK(cudaEventSynchronize({event}));"));
                }
            }
            Call::SynchronizeDevice => out.line_of(call, &format!("{indent}CHECK(cudaDeviceSynchronize());")),
            Call::Allocate => {
                out.line_of(line, &format!("{indent}void* memory_of_{name};"));
                out.line_of(call, &format!("{indent}CHECK(cudaMalloc(&memory_of_{name}, 1));"));
            }
            Call::Free => out.line_of(call, &format!("{indent}CHECK(cudaFree(memory_of_{name}[{job}]));")),
            Call::LaunchGraph => self.launch_graph(out, row, job, indent),
        }
        if let Some(event) = plan.records {
            out.line_of(line, &format!("{indent}CHECK(cudaEventRecord({}, {stream}));", self.names.events[event]));
        }
        if self.has_end(row) {
            let end = if plan.call.is_in_stream() { format!("record({stream})") } else { "returned()".to_owned() };
            out.line_of(line, &format!("{indent}end_of_{name}[{job}].{end};"));
        }
    }

    fn launch(&self, out: &mut Writer, row: usize, job: &str, indent: &str) {
        let (plan, id, name, stream) = (self.row(row), self.row_id(row), &self.names.rows[row], self.stream(row));
        let kernel = ProgramLine::Op(id, OpKind::Kernel);
        if plan.bytes_in > 0 {
            let bytes = number(plan.bytes_in);
            let copy = format!("{indent}CHECK(cudaMemcpyAsync(gpu_memory, host_memory, {bytes}, cudaMemcpyHostToDevice, {stream}));");
            out.line_of(ProgramLine::Op(id, OpKind::CopyIn), &copy);
        }
        let (blocks, threads, shared) = (plan.blocks, plan.threads, plan.shared_bytes);
        let (function, time) = (self.function(row), self.time(row, job));
        out.line_of(ProgramLine::Row(id), &format!("{indent}kernel_{name}.calls({job});"));
        out.line_of(
            kernel,
            &format!("{indent}{function}<<<{blocks}, {threads}, {shared}, {stream}>>>(kernel_{name}.of_job({job}), {time});"),
        );
        out.line_of(ProgramLine::Row(id), &format!("{indent}kernel_{name}.returns();"));
        out.line_of(ProgramLine::Row(id), &format!("{indent}CHECK(cudaGetLastError());"));
        if plan.bytes_out > 0 {
            let bytes = number(plan.bytes_out);
            let copy = format!("{indent}CHECK(cudaMemcpyAsync(host_memory, gpu_memory, {bytes}, cudaMemcpyDeviceToHost, {stream}));");
            out.line_of(ProgramLine::Op(id, OpKind::CopyOut), &copy);
        }
    }

    fn launch_graph(&self, out: &mut Writer, row: usize, job: &str, indent: &str) {
        let (line, name, stream) = (ProgramLine::Row(self.row_id(row)), &self.names.rows[row], self.stream(row));
        let has_kernels = self.nodes(row).any(|node| is_kernel(self.row(node)));
        let launch = format!("{indent}CHECK(cudaGraphLaunch(graph_{name}[{job}], {stream}));");
        if !has_kernels {
            out.line_of(ProgramLine::Call(self.row_id(row)), &launch);
            return;
        }
        out.line_of(line, &format!("{indent}const Ns called_{name} = now();"));
        out.line_of(ProgramLine::Call(self.row_id(row)), &launch);
        out.line_of(line, &format!("{indent}const Ns returned_{name} = now();"));
        let launched = format!("kernel->launched({job}, called_{name}, returned_{name});");
        out.line_of(line, &format!("{indent}for (Kernel* kernel : kernels_of_{name}) {launched}"));
    }

    /// A copy or a memset of its own.
    fn copy(&self, out: &mut Writer, row: usize, indent: &str) {
        let (plan, id, stream) = (self.row(row), self.row_id(row), self.stream(row));
        let is_synchronous = self.trace.scenario().row(id).synchronous;
        let (what, kind, bytes) = match plan.call {
            Call::CopyToDevice => ("gpu_memory, host_memory, N, cudaMemcpyHostToDevice", OpKind::CopyIn, plan.bytes_in),
            Call::CopyToHost => ("host_memory, gpu_memory, N, cudaMemcpyDeviceToHost", OpKind::CopyOut, plan.bytes_out),
            Call::CopyOnDevice => ("further_memory, gpu_memory, N, cudaMemcpyDeviceToDevice", OpKind::CopyIn, plan.bytes_in),
            _ => ("gpu_memory, 0, N", OpKind::CopyIn, plan.bytes_in),
        };
        let what = what.replacen('N', &number(bytes), 1);
        let line = ProgramLine::Op(id, kind);
        // Without a stream it goes into the NULL stream of the process, which is not that of a thread's own.
        let is_null = self.process.streams[plan.stream].is_null;
        if is_synchronous && is_null {
            out.line_of(line, &format!("{indent}CHECK({}({what}));", plan.call.function(true)));
            return;
        }
        out.line_of(line, &format!("{indent}CHECK({}({what}, {stream}));", plan.call.function(false)));
        if plan.synchronous {
            out.line_of(line, &format!("{indent}CHECK(cudaStreamSynchronize({stream}));"));
        }
    }
}

fn begin_of_batch(stream: &str, times: &str) -> String {
    format!("// [EDF] V: cudaStreamDeadlineBegin({stream}, {times})")
}

fn end_of_batch(stream: &str) -> String {
    format!("// [EDF] V: cudaStreamDeadlineEnd({stream})")
}
