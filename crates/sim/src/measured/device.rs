//! The device that a run was measured on, as far as its logs tell.
//!
//! Depends on `scenario::device`. Invariant: what was assumed is said. The logs have the GPU's
//! greatest number of resident threads and the SM of each block; only those of `blockstep measure` name the GPU.

use std::collections::BTreeMap;

use super::names::plain;
use super::{Measured, Occupant, walk};
use crate::language::{counted, one_or};
use crate::scenario::Device;
use crate::scenario::device::{BUILT_IN, MAX_SMS};

/// Threads per SM of NVIDIA's GPUs so far, the most frequent first.
const THREADS_PER_SM: [u64; 3] = [2048, 1536, 1024];

/// Overlaps up to this long are noise of the clock.
const NOISE_NS: u64 = 10_000;

/// A device found from logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredDevice {
    /// Its limits.
    pub device: Device,
    /// The built-in device that it is, if it is one. The limits of another on blocks, shared memory
    /// and registers are those of the TX2, for want of any better.
    pub built_in: Option<&'static str>,
    /// What was found and what was assumed, a sentence each.
    pub notes: Vec<String>,
}

/// What the logs show of the device.
struct Evidence {
    /// The GPU's name, as the first log with one has it, fit to be shown.
    gpu: Option<String>,
    /// What most logs tell.
    resident: Option<u64>,
    highest_sm: Option<u64>,
    /// Threads of the largest block, and most threads at once on one SM.
    threads: u128,
}

/// The device whose number of SMs and threads fit the logs best: a built-in one, else one of whole
/// SMs. SM ids that fit no such device do not count.
#[must_use]
pub fn infer_device(run: &Measured) -> InferredDevice {
    let evidence = Evidence::from_run(run);
    let mut notes = vec![evidence.sentence()];
    notes.extend(evidence.resident.and_then(|resident| others(run, resident)));
    let fits = |sms: u64, threads: u64| {
        evidence.resident.is_none_or(|resident| sms.checked_mul(threads) == Some(resident))
            && evidence.highest_sm.is_none_or(|sm| if evidence.resident.is_some() { sm < sms } else { sm + 1 == sms })
            && evidence.threads <= u128::from(threads)
    };
    let built_in: Vec<_> = BUILT_IN.iter().map(|b| (b, b.device())).collect();
    let known = evidence.resident.is_some() || evidence.highest_sm.is_some();
    let mut fitting: Vec<_> = built_in.iter().filter(|(_, d)| known && fits(d.sms, d.threads_per_sm)).collect();
    fitting.sort_by_key(|(b, _)| !evidence.names(b.name));
    if let [(first, device), others @ ..] = &fitting[..] {
        let others: Vec<_> = others.iter().map(|(b, _)| b.name).collect();
        let also = if others.is_empty() { String::new() } else { format!("; so does {}", others.join(", ")) };
        let another = if evidence.gpu.is_some() { String::new() } else { format!(" Another GPU of {} SMs would too.", device.sms) };
        notes.push(format!("The built-in {} fits them{also}.{another}", first.name));
        return InferredDevice { device: evidence.named(device.clone()), built_in: Some(first.id), notes };
    }
    if let Some(threads) = THREADS_PER_SM.into_iter().find(|&threads| evidence.sms(threads).is_some_and(|sms| fits(sms, threads))) {
        notes.push(format!("An SM is taken to hold {threads} threads."));
        return evidence.custom(threads, notes);
    }
    let same_size = built_in.iter().find(|(_, d)| Some(d.sms * d.threads_per_sm) == evidence.resident);
    if let Some((first, device)) = same_size {
        notes.push(format!("The built-in {} has this number of threads, but other data in the logs does not fit it.", first.name));
        return InferredDevice { device: evidence.named(device.clone()), built_in: Some(first.id), notes };
    }
    let threads = THREADS_PER_SM.into_iter().find(|&threads| evidence.sms(threads).is_some()).unwrap_or(THREADS_PER_SM[0]);
    notes.push(format!("No GPU of whole SMs fits all of this; an SM is taken to hold {threads} threads."));
    evidence.custom(threads, notes)
}

/// What most logs tell of the GPU's threads; of numbers as frequent the larger, as it leaves room for more.
fn resident(run: &Measured) -> Option<u64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for resident in run.logs.iter().filter_map(|log| log.max_resident_threads).filter(|&n| n > 0) {
        *counts.entry(resident).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(resident, count)| (count, resident)).map(|(resident, _)| resident)
}

/// Which logs tell something else, if any do.
fn others(run: &Measured, taken: u64) -> Option<String> {
    let is_other = |log: &usize| run.logs[*log].max_resident_threads.is_some_and(|resident| resident != taken);
    let others: Vec<usize> = (0..run.logs.len()).filter(is_other).collect();
    let first = *others.first()?;
    let resident = run.logs[first].max_resident_threads.unwrap_or(0);
    let more = match others.len() - 1 {
        0 => String::new(),
        more => format!(", nor is what {more} more {}", one_or(more, "log tells", "logs tell")),
    };
    Some(format!("{} tells of {resident} resident threads instead, which is not used{more}.", run.log_name(first)))
}

impl Evidence {
    fn from_run(run: &Measured) -> Self {
        let mut by_sm: BTreeMap<(Option<u64>, u32), Vec<Occupant>> = BTreeMap::new();
        let mut threads = 0;
        for log in &run.logs {
            for kernel in &log.kernels {
                threads = threads.max(u128::from(kernel.thread_count));
                for block in &kernel.blocks {
                    if let Some(sm) = block.sm {
                        let occupant = Occupant { start_ns: block.start_ns, end_ns: block.end_ns, amount: kernel.thread_count };
                        by_sm.entry((log.pid, sm)).or_default().push(occupant);
                    }
                }
            }
        }
        for occupants in by_sm.values() {
            walk(occupants, NOISE_NS, |_, amount, _| threads = threads.max(amount));
        }
        let gpu = run.logs.iter().find_map(|log| log.gpu.as_deref()).map(plain);
        Self { gpu, resident: resident(run), highest_sm: by_sm.keys().map(|&(_, sm)| u64::from(sm)).max(), threads }
    }

    fn sentence(&self) -> String {
        let sms = self.highest_sm.map_or_else(|| "without SM ids".to_owned(), |sm| format!("with SM ids up to {sm}"));
        match (&self.gpu, self.resident) {
            (Some(gpu), Some(resident)) => format!("The logs name the GPU {gpu}; they tell of {resident} resident threads, {sms}."),
            (Some(gpu), None) => format!("The logs name the GPU {gpu}, but not how many threads it holds; they come {sms}."),
            (None, Some(resident)) => format!("The logs do not name the GPU; they tell of {resident} resident threads, {sms}."),
            (None, None) => format!("The logs do not name the GPU, nor how many threads it holds; they come {sms}."),
        }
    }

    /// Whether the GPU's name has the model, the first word of a built-in device's name.
    fn names(&self, built_in: &str) -> bool {
        let model = built_in.split_whitespace().next().unwrap_or(built_in);
        self.gpu.as_ref().is_some_and(|gpu| gpu.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(model)))
    }

    /// The device under the name that the logs give it, if they do.
    fn named(&self, device: Device) -> Device {
        match &self.gpu {
            Some(gpu) => Device { name: gpu.clone(), ..device },
            None => device,
        }
    }

    /// How many SMs there are if each holds so many threads, if that is a whole number.
    fn sms(&self, threads: u64) -> Option<u64> {
        let sms = match self.resident {
            Some(resident) => (resident % threads == 0).then_some(resident / threads),
            None => Some(self.highest_sm.map_or(1, |sm| sm + 1)),
        };
        sms.filter(|sms| (1..=MAX_SMS).contains(sms))
    }

    fn custom(&self, threads: u64, mut notes: Vec<String>) -> InferredDevice {
        let rounded = self.resident.map_or(1, |resident| resident.div_ceil(threads)).clamp(1, MAX_SMS);
        let sms = self.sms(threads).unwrap_or(rounded);
        notes.push("We do not know the block slots, shared memory and registers of its SMs.".to_owned());
        let name = format!("GPU of {} (from the logs)", counted(sms, "SM"));
        let device = self.named(Device { name, sms, threads_per_sm: threads, ..Device::default() });
        InferredDevice { device, built_in: None, notes }
    }
}
