//! A process of a scenario: it gets ready, runs when it is told to, and says what it measured.
//!
//! Depends on `gpu`, `thread` and `protocol`. Invariants: all that can be done before a run is done before it: memory is allocated,
//! kernels are compiled and have run once; it ends when its orders end.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::thread;

use cudarc::driver::sys::CUdevice_attribute as Attribute;

use crate::MeasureError;
use crate::clock::{self, Reading, now};
use crate::gpu::{Buffer, Called, Device, Event, Page, Pinned, RECORD_BYTES, RECORD_NUMBERS, Stream, Way};
use crate::kernel::Kernels;
use crate::protocol::{Answer, BlockRecord, Gpu, Launch, Order};
use crate::thread::{Shared, Thread, grid};
use blockstep_format::program::{PlanError, ProcessPlan, RowPlan};
use blockstep_sim::scenario::{Call, Release};

/// Bytes of the copies by which the bus is measured.
const TRIAL_BYTES: usize = 64 << 20;
/// How often they are made; the quickest counts.
const TRIALS: usize = 3;

/// Follows orders, a line of JSON each, until there are no more; 0, or 1 if one could not be followed, which was said.
#[must_use]
pub fn serve(orders: &mut dyn BufRead, answers: &mut dyn Write) -> u8 {
    let mut process: Option<Process> = None;
    let mut line = String::new();
    loop {
        line.clear();
        match orders.read_line(&mut line) {
            Ok(0) | Err(_) => return 0,
            Ok(_) => {}
        }
        let answer = match serde_json::from_str(&line) {
            Ok(order) => follow(&mut process, order).unwrap_or_else(Answer::Failed),
            Err(e) => Answer::Failed(PlanError::NotOnAGpu(format!("an order that makes no sense: {e}")).into()),
        };
        if say(answers, &answer).is_err() || matches!(answer, Answer::Failed(_)) {
            return 1;
        }
    }
}

fn say(answers: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    serde_json::to_writer(&mut *answers, answer)?;
    writeln!(answers)?;
    answers.flush()
}

fn follow(process: &mut Option<Process>, order: Order) -> Called<Answer> {
    let too_early = || PlanError::NotOnAGpu("an order came before the plan".to_owned());
    if let Order::Prepare { plan, device } = order {
        let (made, gpu) = Process::prepare(plan, device)?;
        *process = Some(made);
        return Ok(Answer::Prepared(Box::new(gpu)));
    }
    let process = process.as_mut().ok_or_else(too_early)?;
    match order {
        Order::Prepare { .. } | Order::ReadClocks => {
            process.before = Some(process.read_clocks()?);
            Ok(Answer::Read)
        }
        Order::Run { start_ns } => process.run(start_ns).map(Answer::Ran),
        Order::RelateClocks => {
            let after = process.read_clocks()?;
            let before = process.before.replace(after).unwrap_or(after);
            Ok(Answer::Related(clock::relate(before, after)))
        }
    }
}

/// All that a run needs.
struct Process {
    plan: ProcessPlan,
    kernels: Kernels,
    page: Page,
    shared: Shared,
    before: Option<Reading>,
}

impl Process {
    fn prepare(plan: ProcessPlan, number: u32) -> Called<(Self, Gpu)> {
        let device = crate::gpu::open(number)?;
        let mut gpu = describe(device)?;
        check_rows(&plan, &gpu)?;
        let capability = device.number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10
            + device.number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        let mut kernels = Kernels::new(device, capability)?;
        let functions = load_functions(&plan, &mut kernels, &mut gpu)?;
        let (copied, pinned) = copy_memory(&plan, device)?;
        gpu.copy_bytes_per_s = (bus_speed(Way::ToDevice, copied, pinned)?, bus_speed(Way::ToHost, copied, pinned)?);
        let (blocks, first_record) = place_records(&plan);
        let jobs = |task: usize| plan.tasks[task].jobs as usize;
        let ends = plan.rows.iter().map(|row| {
            let count = if needs_end(&plan, row) { jobs(row.task) } else { 0 };
            (0..count).map(|_| Event::create()).collect()
        });
        let shared = Shared {
            device,
            streams: make_streams(&plan, gpu.priorities)?,
            events: (0..plan.events).map(|_| Event::create()).collect::<Called<_>>()?,
            functions,
            times: plan.rows.iter().map(|row| write_times(row, device)).collect::<Called<_>>()?,
            zeros: kernels.zeros,
            records: device.allocate(blocks * RECORD_BYTES)?,
            first_record,
            ends: ends.collect::<Called<_>>()?,
            copied,
            pinned,
            graphs: plan.rows.iter().map(|_| Vec::new()).collect(),
            complete: plan.tasks.iter().map(|_| AtomicU32::new(0)).collect(),
            has_failed: AtomicBool::new(false),
        };
        let mut process = Self { plan, kernels, page: Page::new(device)?, shared, before: None };
        process.warm_up()?;
        process.make_graphs(gpu.priorities)?;
        Ok((process, gpu))
    }

    /// Runs each kernel once, for no time, and the bus's way of each stream.
    fn warm_up(&self) -> Called<()> {
        let shared = &self.shared;
        let no_time = shared.device.allocate(crate::gpu::TIME_BYTES)?;
        no_time.write(&[0])?;
        for (row, function) in self.plan.rows.iter().zip(&shared.functions) {
            let Some(function) = function else { continue };
            let one = crate::gpu::Grid { blocks: 1, ..grid(row) };
            function.launch_spin(&one, shared.streams[row.stream], shared.records, 0, no_time, shared.zeros)?;
        }
        for &stream in &shared.streams {
            stream.copy(Way::ToDevice, shared.copied, shared.pinned, 1)?;
            stream.copy(Way::ToHost, shared.copied, shared.pinned, 1)?;
        }
        shared.device.synchronize()
    }

    /// Makes the graph of each job of the rows that launch one: blocks of another job write elsewhere.
    fn make_graphs(&mut self, priorities: (i32, i32)) -> Called<()> {
        for graph in 0..self.plan.rows.len() {
            let row = &self.plan.rows[graph];
            if row.call == Call::LaunchGraph {
                let stream = create_stream(true, self.plan.streams[row.stream].is_high, priorities)?;
                let made = (0..self.plan.tasks[row.task].jobs).map(|job| self.shared.capture_graph(&self.plan, graph, job, stream));
                self.shared.graphs[graph] = made.collect::<Called<_>>()?;
            }
        }
        self.shared.device.synchronize()
    }

    fn read_clocks(&self) -> Called<Reading> {
        clock::read(&self.kernels, self.page, Stream::NULL)
    }

    /// One run, from its start on.
    fn run(&mut self, start_ns: u64) -> Called<Vec<Launch>> {
        // An event that no run has recorded yet is no wait; one of the run before would be complete, which is the same.
        self.shared.complete.iter_mut().for_each(|count| *count.get_mut() = 0);
        let (shared, plan) = (&self.shared, &self.plan);
        let run = |task| Thread { shared, plan, task, start_ns, launches: Vec::new() }.run();
        let ran: Vec<Called<Vec<Launch>>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..plan.tasks.len()).map(|task| scope.spawn(move || run(task))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
        });
        let mut launches: Vec<Launch> = ran.into_iter().collect::<Called<Vec<_>>>()?.into_iter().flatten().collect();
        shared.device.synchronize()?;
        self.take_blocks(&mut launches)?;
        launches.sort_by_key(|launch| launch.called_ns);
        Ok(launches)
    }

    /// Adds to each launch what its blocks wrote.
    fn take_blocks(&self, launches: &mut [Launch]) -> Called<()> {
        let records = self.shared.records.read()?;
        let places: HashMap<usize, usize> = self.plan.rows.iter().map(|row| row.number).zip(0..).collect();
        for launch in launches {
            let Some(&row) = places.get(&launch.row) else { continue };
            if self.plan.rows[row].call != Call::Kernel {
                continue;
            }
            let (first, blocks) = (self.shared.first_record[row][launch.job as usize], self.plan.rows[row].blocks as usize);
            let own = &records[first * RECORD_NUMBERS..(first + blocks) * RECORD_NUMBERS];
            launch.blocks = own.as_chunks().0.iter().map(|&record| BlockRecord::new(record)).collect();
        }
        Ok(())
    }
}

fn panicked() -> MeasureError {
    PlanError::NotOnAGpu("a thread of the run stopped before its end".to_owned()).into()
}

/// Whether something waits for the operations of a row.
fn needs_end(plan: &ProcessPlan, row: &RowPlan) -> bool {
    let task = &plan.tasks[row.task];
    row.call.is_in_stream() && row.node.is_none() && (row.has_followers || task.is_consumed || task.release == Release::Continuous)
}

/// How many blocks there are, and where the first one of each row and job writes.
fn place_records(plan: &ProcessPlan) -> (usize, Vec<Vec<usize>>) {
    let mut blocks = 0;
    let mut places = Vec::new();
    for row in &plan.rows {
        let jobs = plan.tasks[row.task].jobs;
        let mut take = |_| {
            let first = blocks;
            blocks += row.blocks as usize;
            first
        };
        places.push((0..jobs).map(&mut take).collect());
    }
    // Warming up writes one, too.
    (blocks.max(1), places)
}

fn create_stream(non_blocking: bool, is_high: bool, (lowest, highest): (i32, i32)) -> Called<Stream> {
    Stream::create(non_blocking, if is_high { highest } else { lowest })
}

fn make_streams(plan: &ProcessPlan, priorities: (i32, i32)) -> Called<Vec<Stream>> {
    let make = |stream: &blockstep_format::program::StreamPlan| {
        if stream.is_null { Ok(Stream::NULL) } else { create_stream(stream.non_blocking, stream.is_high, priorities) }
    };
    plan.streams.iter().map(make).collect()
}

/// How long the blocks of a row run, in each job where that differs.
fn write_times(row: &RowPlan, device: Device) -> Called<Vec<Buffer>> {
    let write = |longer: u64| {
        let times: Vec<u64> = row.times.iter().map(|time| time.saturating_add(longer)).collect();
        let buffer = device.allocate(times.len() * crate::gpu::TIME_BYTES)?;
        buffer.write(&times)?;
        Ok(buffer)
    };
    if row.longer.is_empty() { Ok(vec![write(0)?]) } else { row.longer.iter().map(|&longer| write(longer)).collect() }
}

fn load_functions(plan: &ProcessPlan, kernels: &mut Kernels, gpu: &mut Gpu) -> Called<Vec<Option<crate::gpu::Function>>> {
    let most_shared = plan.rows.iter().map(|row| row.shared_bytes).max().unwrap_or(0);
    let mut functions = Vec::new();
    for row in &plan.rows {
        if row.call != Call::Kernel {
            functions.push(None);
            continue;
        }
        let function = kernels.spin(row.registers)?;
        function.allow_shared(most_shared)?;
        let taken = function.registers()?;
        if function.blocks_per_sm(&grid(row))? == 0 {
            let what = format!(
                "a block of {} threads with {taken} registers each and {} bytes of shared memory does not fit an SM of this GPU, {}",
                row.threads, row.shared_bytes, gpu.name
            );
            return Err(PlanError::TooMuch { row: row.name.clone(), what }.into());
        }
        gpu.registers_taken.push((row.number, taken));
        functions.push(Some(function));
    }
    Ok(functions)
}

/// What blocks of this GPU cannot have, which the driver would refuse with fewer words.
fn check_rows(plan: &ProcessPlan, gpu: &Gpu) -> Called<()> {
    const MOST_THREADS: u32 = 1024;
    for row in &plan.rows {
        let what = if row.threads > MOST_THREADS {
            format!("{} threads of a block are too many for this GPU, {}; the limit is {MOST_THREADS}", row.threads, gpu.name)
        } else if u64::from(row.shared_bytes) > gpu.max_shared_memory_per_block {
            let (bytes, most) = (row.shared_bytes, gpu.max_shared_memory_per_block);
            format!("{bytes} bytes of shared memory of a block are too many for this GPU, {}; the limit is {most}", gpu.name)
        } else {
            continue;
        };
        return Err(PlanError::TooMuch { row: row.name.clone(), what }.into());
    }
    Ok(())
}

/// Memory for the largest copy, twice on the GPU: for copies within it.
fn copy_memory(plan: &ProcessPlan, device: Device) -> Called<(Buffer, Pinned)> {
    let most = plan.rows.iter().map(|row| row.bytes_in.max(row.bytes_out)).max().unwrap_or(0);
    let bytes = usize::try_from(most).unwrap_or(usize::MAX).max(TRIAL_BYTES);
    Ok((device.allocate(bytes.saturating_mul(2))?, device.pin(bytes)?))
}

/// Bytes that the bus moves in a second.
fn bus_speed(way: Way, copied: Buffer, pinned: Pinned) -> Called<u64> {
    let mut quickest = u64::MAX;
    for _ in 0..=TRIALS {
        let begin = now();
        Stream::NULL.copy(way, copied, pinned, TRIAL_BYTES)?;
        Stream::NULL.synchronize()?;
        quickest = quickest.min((now() - begin).max(1));
    }
    Ok(TRIAL_BYTES as u64 * 1_000_000_000 / quickest)
}

fn describe(device: Device) -> Called<Gpu> {
    let number = |attribute| device.number(attribute);
    let version = device.driver_version()?;
    let module = std::fs::read_to_string("/sys/module/nvidia/version").unwrap_or_default();
    Ok(Gpu {
        name: device.name()?,
        compute_capability: format!(
            "{}.{}",
            number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        ),
        sms: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        threads_per_sm: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
        blocks_per_sm: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
        shared_memory_per_sm: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
        max_shared_memory_per_block: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        registers_per_sm: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
        copy_engines: number(Attribute::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
        priorities: device.priorities()?,
        sm_clock_khz: number(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        cuda: format!("{}.{}", version / 1000, version % 1000 / 10),
        driver: module.trim().to_owned(),
        copy_bytes_per_s: (0, 0),
        registers_taken: Vec::new(),
    })
}
