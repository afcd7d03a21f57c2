//! Whether logs are of one run, and which are given twice.
//!
//! Depends on nothing but the logs. Invariant: logs are told apart only by what cannot be so within a run; what
//! may be, such as another SM or an odd time, is for the rules to judge. Source: the examiner's
//! `task_host.c`: every thread writes one log; all threads wait for each other before the first iteration,
//! then sleep their release times.

use std::collections::BTreeMap;

use super::{Log, Measured};

/// First iterations of one run begin, each less its release time, within this: a thread wakes up some
/// microseconds late, some milliseconds if its core is busy. Two runs differ by how long CUDA took to begin.
const WAKE_UP_NS: u64 = 10_000_000;

impl Measured {
    /// Takes out logs that say the same as an earlier one; of each its file and that of the earlier one.
    pub fn take_copies(&mut self) -> Vec<(String, String)> {
        let (mut kept, mut copies): (Vec<Log>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        let mut alike: BTreeMap<(Option<u64>, Option<u64>, String), Vec<usize>> = BTreeMap::new();
        for log in self.logs.drain(..) {
            let same = alike.entry((log.pid, log.tid, log.label.clone())).or_default();
            // A log without kernels may well be like another one.
            let earlier = same.iter().find(|&&i| !log.kernels.is_empty() && says_the_same(&kept[i], &log));
            if let Some(&i) = earlier {
                copies.push((log.file, kept[i].file.clone()));
                continue;
            }
            same.push(kept.len());
            kept.push(log);
        }
        self.logs = kept;
        copies
    }

    /// Why the logs cannot all be of one run, as a sentence that names two of them; `None` if they may be.
    #[must_use]
    pub fn apart(&self) -> Option<String> {
        self.by_gpu().or_else(|| self.by_name()).or_else(|| self.by_thread()).or_else(|| self.by_benchmarks()).or_else(|| self.by_start())
    }

    /// Two logs as messages call them: by file, or by place where the files' names are the same.
    fn pair(&self, a: usize, b: usize) -> String {
        if self.logs[a].file == self.logs[b].file {
            format!("logs {} and {} of {}", a + 1, b + 1, self.logs[a].file)
        } else {
            format!("{} and {}", self.logs[a].file, self.logs[b].file)
        }
    }

    /// The GPU.
    fn by_gpu(&self) -> Option<String> {
        let told = |i: &usize| self.logs[*i].max_resident_threads.filter(|&threads| threads > 0);
        let first = (0..self.logs.len()).find(|i| told(i).is_some())?;
        let other = (first..self.logs.len()).find(|i| told(i).is_some_and(|threads| Some(threads) != told(&first)))?;
        let [a, b] = [first, other].map(|i| told(&i).unwrap_or(0));
        Some(format!("{} are of different GPUs: one holds {a} threads, the other {b}.", self.pair(first, other)))
    }

    /// The scenario's name. Within a process it may differ: a task host runs configs of their own.
    fn by_name(&self) -> Option<String> {
        let name = |i: usize| self.logs[i].scenario.trim();
        let first = (0..self.logs.len()).find(|&i| !name(i).is_empty())?;
        let is_one_process = |i: usize| self.logs[i].pid.is_some() && self.logs[i].pid == self.logs[first].pid;
        let other = (first..self.logs.len()).find(|&i| !name(i).is_empty() && name(i) != name(first) && !is_one_process(i))?;
        let [a, b] = [first, other].map(|i| super::names::plain(name(i)));
        Some(format!("{} are of different scenarios, “{a}” and “{b}”.", self.pair(first, other)))
    }

    /// The thread: it writes one log.
    fn by_thread(&self) -> Option<String> {
        let mut of: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        self.logs.iter().enumerate().find_map(|(i, log)| {
            let (pid, tid) = (log.pid?, log.tid?);
            let first = *of.entry((pid, tid)).or_insert(i);
            (first != i)
                .then(|| format!("{} are both of thread {tid} of process {pid}, which writes one log in a run.", self.pair(first, i)))
        })
    }

    /// The benchmarks: every one has been run as often as the others, by other processes.
    fn by_benchmarks(&self) -> Option<String> {
        let mut of: BTreeMap<Benchmark<'_>, Vec<usize>> = BTreeMap::new();
        for (i, log) in self.logs.iter().enumerate() {
            of.entry(Benchmark::from_log(log)?).or_default().push(i);
        }
        let [first, second, ..] = *of.values().next()?.as_slice() else { return None };
        let count = of.values().next()?.len();
        let are_apart = |logs: &Vec<usize>| {
            let mut pids: Vec<_> = logs.iter().map(|&i| self.logs[i].pid).collect();
            pids.sort_unstable();
            pids.dedup();
            pids.len() == count && !pids.contains(&None)
        };
        // A single benchmark may have been asked for twice under one name.
        let are_several = of.len() > 1 || self.logs.iter().all(|log| log.tid.is_some());
        (are_several && of.values().all(|logs| logs.len() == count && are_apart(logs)))
            .then(|| format!("{} are of the same benchmark in different processes, and so is every other log.", self.pair(first, second)))
    }

    /// When the first iterations began.
    fn by_start(&self) -> Option<String> {
        let starts: Vec<(usize, i64, i64)> =
            self.logs.iter().enumerate().filter_map(|(i, log)| start(log).map(|s| (i, s.0, s.1))).collect();
        // With sync_every_iteration all begin together, whatever their release times.
        let spread = |of: fn(&(usize, i64, i64)) -> i64| {
            let (least, greatest) = (starts.iter().min_by_key(|s| of(s))?, starts.iter().max_by_key(|s| of(s))?);
            Some((of(greatest).abs_diff(of(least)), least.0, greatest.0))
        };
        let (apart, a, b) = spread(|s| s.2)?;
        (apart > WAKE_UP_NS && spread(|s| s.1)?.0 > WAKE_UP_NS).then(|| {
            format!(
                "{} did not begin together: their first iterations, less the release times, are {}.{:03} s apart.",
                self.pair(a.min(b), a.max(b)),
                apart / 1_000_000_000,
                apart / 1_000_000 % 1_000
            )
        })
    }
}

/// What a log is of, as far as a config says it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Benchmark<'l> {
    program: &'l str,
    label: &'l str,
    release_ns: Option<u64>,
    data_bytes: Option<u64>,
    kernels: Vec<(&'l str, u64, u64)>,
}

impl<'l> Benchmark<'l> {
    /// `None` without a label, which alone tells benchmarks of one program apart.
    fn from_log(log: &'l Log) -> Option<Self> {
        let label = log.label.trim();
        // How often it was repeated may depend on time.
        let mut kernels: Vec<_> = log.kernels.iter().map(|k| (k.name.as_str(), k.block_count, k.thread_count)).collect();
        kernels.sort_unstable();
        kernels.dedup();
        (!label.is_empty()).then_some(Self {
            program: &log.benchmark,
            label,
            release_ns: log.release_ns,
            data_bytes: log.data_bytes,
            kernels,
        })
    }
}

/// When the first iteration began, and the same less the release time; logs that we wrote of a simulation
/// begin when their first job does.
fn start(log: &Log) -> Option<(i64, i64)> {
    let release = i64::try_from(log.release_ns?).ok()?;
    let host = log.host.first().and_then(|host| host.cpu.or(host.copy_in));
    let begin = host.map(|times| times.0).or_else(|| Some(log.kernels.first()?.issued()?.0))?;
    (!log.benchmark.starts_with("Blockstep")).then_some((begin, begin.saturating_sub(release)))
}

fn says_the_same(a: &Log, b: &Log) -> bool {
    let content = |log: &Log| Log { file: String::new(), ..log.clone() };
    a.kernels.len() == b.kernels.len() && content(a) == content(b)
}
