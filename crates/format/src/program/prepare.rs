//! What a process has, and how it gets ready.
//!
//! Depends on `names`. Invariant: all that can be done before the start is done before it.

use super::names::{comment, literal};
use super::writer::Writer;
use super::{Part, ProgramLine, is_kernel, number};
use blockstep_sim::scenario::Call;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::StreamId;

/// Most characters of a line that lists numbers.
const MOST_CHARS: usize = 120;

impl Part<'_> {
    /// Streams, events, kernels.
    pub(super) fn globals(&self, out: &mut Writer) {
        out.blank();
        for (place, stream) in self.process.streams.iter().enumerate() {
            let name = &self.names.streams[place];
            let line = ProgramLine::Stream(StreamId::at(stream.number));
            let value = if stream.is_null { " = cudaStreamLegacy" } else { "" };
            out.line_of(line, &format!("cudaStream_t {name}{value};"));
        }
        for &event in &self.events {
            out.line(&format!("cudaEvent_t {};", self.names.events[event]));
        }
        out.blank();
        out.line("// Name, number of its log, blocks, threads of a block, bytes of shared memory of a block, jobs.");
        let mut kernels = Vec::new();
        for (place, row) in self.process.rows.iter().enumerate().filter(|(place, row)| is_kernel(row) && self.jobs(*place) > 0) {
            let name = &self.names.rows[place];
            let stream = self.trace.layout().stream_of(self.row_id(place));
            let log = self.logs.iter().position(|log| log.stream == stream).unwrap_or(0);
            let (blocks, threads, shared, jobs) = (row.blocks, row.threads, row.shared_bytes, self.jobs(place));
            let text = format!("Kernel kernel_{name}{{{}, {log}, {blocks}, {threads}, {shared}, {jobs}}};", literal(&row.name));
            out.line_of(ProgramLine::Row(self.row_id(place)), &text);
            kernels.push(format!("&kernel_{name}"));
        }
        out.line("const std::vector<Kernel*> kernels = {");
        listed(out, "    ", &kernels);
        out.line("};");
        self.lists(out);
        self.ends(out);
        out.blank();
        out.line("// File, label, benchmark, bytes copied to the GPU in a job, release, stream.");
        out.line("const std::vector<Log> logs = {");
        for log in &self.logs {
            let (file, label, benchmark) = (literal(&log.file), literal(&log.label), literal(log.benchmark));
            let (bytes, release) = (number(log.data_bytes), number(log.release_ns));
            out.line(&format!("    {{{file}, {label}, {benchmark}, {bytes}, {release}, {}}},", log.tid));
        }
        out.line("};");
    }

    /// Times that differ from block to block or from job to job.
    fn lists(&self, out: &mut Writer) {
        for (place, row) in self.process.rows.iter().enumerate().filter(|(place, row)| is_kernel(row) && self.jobs(*place) > 0) {
            let (name, line) = (&self.names.rows[place], ProgramLine::Row(self.row_id(place)));
            if row.times.len() > 1 {
                out.line_of(line, &format!("const GpuNs* times_{name};               // of each block"));
            }
            if !row.longer.is_empty() {
                out.line_of(line, &format!("const GpuNs longer_{name}[] = {{        // in each job"));
                listed(out, "    ", &row.longer.iter().map(|&ns| number(ns)).collect::<Vec<_>>());
                out.line("};");
            }
        }
    }

    /// What is waited for, and graphs.
    fn ends(&self, out: &mut Writer) {
        for place in 0..self.process.rows.len() {
            let (name, line, jobs) = (&self.names.rows[place], ProgramLine::Row(self.row_id(place)), self.jobs(place));
            if jobs == 0 {
                continue;
            }
            if self.has_end(place) {
                out.line_of(line, &format!("End end_of_{name}[{jobs}];"));
            }
            match self.row(place).call {
                Call::LaunchGraph => {
                    out.line_of(line, &format!("cudaGraphExec_t graph_{name}[{jobs}];"));
                    let kernels = self.nodes(place).filter(|&node| is_kernel(self.row(node)));
                    let kernels: Vec<String> = kernels.map(|node| format!("&kernel_{}", self.names.rows[node])).collect();
                    if !kernels.is_empty() {
                        out.line_of(line, &format!("Kernel* const kernels_of_{name}[] = {{"));
                        listed(out, "    ", &kernels);
                        out.line("};");
                    }
                }
                Call::Free => out.line_of(line, &format!("char* memory_of_{name}[{jobs}];")),
                _ => {}
            }
        }
    }

    /// The function that makes all of it.
    pub(super) fn prepare(&self, out: &mut Writer) {
        out.blank();
        out.line("// Makes all that the threads need. In the end each kernel and each stream has been used once.");
        out.line("bool prepare() {");
        out.line("    int low, high;");
        out.line("    CHECK(cudaSetDevice(0));");
        out.line("    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));");
        for (place, stream) in self.process.streams.iter().enumerate().filter(|(_, stream)| !stream.is_null) {
            let flags = if stream.non_blocking { "cudaStreamNonBlocking" } else { "cudaStreamDefault" };
            let priority = if stream.is_high { "high" } else { "low" };
            let line = ProgramLine::Stream(StreamId::at(stream.number));
            out.line_of(line, &format!("    CHECK(cudaStreamCreateWithPriority(&{}, {flags}, {priority}));", self.names.streams[place]));
        }
        for &event in &self.events {
            out.line(&format!("    CHECK(cudaEventCreateWithFlags(&{}, cudaEventDisableTiming));", self.names.events[event]));
        }
        let most = self.process.rows.iter().map(|row| row.bytes_in.max(row.bytes_out)).max().unwrap_or(0);
        out.line(&format!("    make_memory({});", number(most.max(1))));
        for (place, row) in self.process.rows.iter().enumerate().filter(|(place, _)| self.jobs(*place) > 0) {
            let (name, line) = (&self.names.rows[place], ProgramLine::Row(self.row_id(place)));
            if is_kernel(row) {
                let (function, stream) = (self.function(place), self.stream(place));
                out.line_of(line, &format!("    make_ready(kernel_{name}, {function}, {}, {stream});", self.most_shared()));
                if row.times.len() > 1 {
                    out.line_of(line, &format!("    times_{name} = on_gpu({{"));
                    listed(out, "        ", &row.times.iter().map(|&ns| number(ns)).collect::<Vec<_>>());
                    out.line("    });");
                }
            }
            if row.call == Call::Free {
                out.line_of(line, &format!("    for (char*& memory : memory_of_{name}) CHECK(cudaMalloc(&memory, 1));"));
            }
            if self.has_end(place) && row.call.is_in_stream() {
                out.line_of(line, &format!("    for (End& end : end_of_{name}) end.create();"));
            }
        }
        for place in 0..self.process.rows.len() {
            if self.row(place).call == Call::LaunchGraph && self.jobs(place) > 0 {
                self.graph(out, place);
            }
        }
        for stream in &self.names.streams {
            out.line(&format!("    warm_up({stream});"));
        }
        out.line("    CHECK(cudaDeviceSynchronize());");
        out.line("    return true;");
        out.line("}");
    }

    /// A graph for each job, as each writes where it is its turn.
    fn graph(&self, out: &mut Writer, graph: usize) {
        let (name, line, jobs) = (&self.names.rows[graph], ProgramLine::Row(self.row_id(graph)), self.jobs(graph));
        let stream = self.row(graph).stream;
        let priority = if self.process.streams[stream].is_high { "high" } else { "low" };
        out.blank();
        out.line_of(line, &format!("    for (int job = 0; job < {jobs}; ++job) {{     // graph {}", comment(&self.row(graph).name)));
        out.line_of(line, "        cudaGraph_t graph;");
        out.line_of(line, "        CHECK(cudaGraphCreate(&graph, 0));");
        for node in self.nodes(graph) {
            self.node(out, node, priority);
        }
        out.line_of(line, &format!("        CHECK(cudaGraphInstantiate(&graph_{name}[job], graph, 0));"));
        out.line_of(line, &format!("        CHECK(cudaGraphUpload(graph_{name}[job], {}));", self.names.streams[stream]));
        out.line_of(line, "    }");
    }

    fn node(&self, out: &mut Writer, place: usize, priority: &str) {
        let (row, id, name) = (self.row(place), self.row_id(place), &self.names.rows[place]);
        let before = row.node.iter().flat_map(|node| &node.waits_for);
        let names: Vec<String> = before.map(|&before| format!("node_{}", self.names.rows[before])).collect();
        let mut behind = format!("{{{}}}", names.join(", "));
        let (into, out_of) = ("gpu_memory, host_memory", "host_memory, gpu_memory");
        let mut ops = Vec::new();
        let copy = |which: &str, bytes, way| (format!("add_copy(graph, BEHIND, {which}, {}, cudaMemcpy{way})", number(bytes)), "node");
        match row.call {
            Call::CopyToDevice => ops.push((OpKind::CopyIn, copy(into, row.bytes_in, "HostToDevice"))),
            Call::CopyToHost => ops.push((OpKind::CopyOut, copy(out_of, row.bytes_out, "DeviceToHost"))),
            Call::CopyOnDevice => ops.push((OpKind::CopyIn, copy("further_memory, gpu_memory", row.bytes_in, "DeviceToDevice"))),
            Call::Memset => {
                ops.push((OpKind::CopyIn, (format!("add_memset(graph, BEHIND, gpu_memory, {})", number(row.bytes_in)), "node")))
            }
            _ => {
                if row.bytes_in > 0 {
                    ops.push((OpKind::CopyIn, (copy(into, row.bytes_in, "HostToDevice").0, "copy_of")));
                }
                let (function, time) = (self.function(place), self.time(place, "job"));
                let kernel = format!("add_kernel(graph, BEHIND, kernel_{name}, {function}, job, {time}, {priority})");
                ops.push((OpKind::Kernel, (kernel, "launch_of")));
                if row.bytes_out > 0 {
                    ops.push((OpKind::CopyOut, copy(out_of, row.bytes_out, "DeviceToHost")));
                }
            }
        }
        // The last of them is what other nodes wait for.
        let last = ops.len();
        for (i, (kind, (call, prefix))) in ops.into_iter().enumerate() {
            let node = format!("{}_{name}", if i + 1 == last { "node" } else { prefix });
            let unused = if i + 1 == last { "[[maybe_unused]] " } else { "" };
            let call = call.replacen("BEHIND", &behind, 1);
            out.line_of(ProgramLine::Op(id, kind), &format!("        {unused}const cudaGraphNode_t {node} = {call};"));
            behind = format!("{{{node}}}");
        }
    }
}

/// Items of a list, as many in a line as it holds.
fn listed(out: &mut Writer, indent: &str, items: &[String]) {
    let mut line = String::new();
    for item in items {
        if line.len() + item.len() > MOST_CHARS {
            out.line(line.trim_end());
            line.clear();
        }
        line.push_str(if line.is_empty() { indent } else { "" });
        line.push_str(item);
        line.push_str(", ");
    }
    if !line.is_empty() {
        out.line(line.trim_end());
    }
}
