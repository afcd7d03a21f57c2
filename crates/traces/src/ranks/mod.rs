//! The ranks of a job, of which each has a recording of its own: what the time of each went to, and which of them holds the others up.
//!
//! Each recording has a clock of its own: durations are compared, and never instants. Invariants: the times of a rank are those of its
//! recording alone; a rank is named only where the recordings have the same collectives, each of all ranks. A collective ends together on
//! all ranks, so whoever spends least time in one came last. Bounds are our choice.

mod collectives;
mod compared;
pub mod words;

use serde::{Deserialize, Serialize};

use crate::communication::CollectiveKind;
use crate::flaws::bearing;
use crate::path::DevicePath;
use crate::path::groups::{PathShare, shares};
use crate::path::overlap::Overlap;
pub use blockstep_traces_messages::MOST_RANKS;

use crate::{Flaw, Job, Recording};
use collectives::Collectives;
use compared::compared;

/// Durations may be off by so much, ns: twice what each of their ends may be off by.
const SAME_NS: u64 = 10_000;

/// What the time of a rank went to: that of its GPU which ended last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTimes {
    /// What the file says of the job.
    pub job: Job,
    /// The number of the GPU.
    pub device: u64,
    /// How many GPUs the file has on which something ran.
    pub devices: u64,
    /// The length of the path, ns.
    pub wall_clock_ns: u64,
    /// The GPU worked, ns.
    pub working_ns: u64,
    /// A kernel ran that communicates, ns.
    pub communication_ns: u64,
    /// Such a kernel ran beside one that computes, ns.
    pub overlapped_ns: u64,
    /// The GPU was idle, and its next work had not been called, ns.
    pub host_ns: u64,
    /// Operations of the GPU.
    pub operations: u64,
    /// Kernels of the GPU that communicate.
    pub communications: u64,
    /// What they are, by kind.
    pub kinds: Vec<KindTimes>,
    /// The end of its file is missing.
    pub is_cut: bool,
    /// What is wrong with its file and may be why its times differ from those of others.
    pub flaws: Vec<Flaw>,
    collectives: Collectives,
}

/// Communication of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindTimes {
    /// What it does.
    pub kind: CollectiveKind,
    /// How many kernels.
    pub count: u64,
    /// How long they ran, each for itself, ns.
    pub ns: u64,
}

/// The communication of a device by kind, those that there is.
fn of_kinds(recording: &Recording, device: u32) -> Vec<KindTimes> {
    let mut all = CollectiveKind::ALL.map(|kind| KindTimes { kind, count: 0, ns: 0 });
    for of in &recording.communications {
        let operation = &recording.operations[of.operation as usize];
        if recording.stream(operation).device == device {
            let sum = &mut all[of.kind as usize];
            sum.count += 1;
            sum.ns = sum.ns.saturating_add(operation.duration().ns());
        }
    }
    all.into_iter().filter(|of| of.count > 0).collect()
}

impl RankTimes {
    /// Takes them from a recording, for the GPU of this path.
    #[must_use]
    pub fn new(recording: &Recording, path: &DevicePath, together: &Overlap) -> Self {
        let shares = shares(recording, path);
        let of_device = || recording.operations.iter().filter(|operation| recording.stream(operation).device == path.device);
        let kinds = of_kinds(recording, path.device);
        Self {
            job: recording.job,
            device: recording.devices[path.device as usize].id,
            devices: recording.used_devices().into_iter().filter(|used| *used).count() as u64,
            wall_clock_ns: shares.iter().fold(0, |sum, ns| sum.saturating_add(*ns)),
            working_ns: shares[PathShare::Working as usize],
            communication_ns: together.communication_ns,
            overlapped_ns: together.communication_and_computation_ns,
            host_ns: shares[PathShare::Host as usize],
            operations: of_device().count() as u64,
            communications: kinds.iter().map(|of| of.count).sum(),
            kinds,
            flaws: bearing(recording),
            is_cut: recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::CutOff(_))),
            collectives: Collectives::new(recording, path.device),
        }
    }

    /// A kernel communicated and none computed, ns.
    #[must_use]
    pub const fn exposed_ns(&self) -> u64 {
        self.communication_ns.saturating_sub(self.overlapped_ns)
    }

    /// Nothing ran on the GPU, ns.
    #[must_use]
    pub const fn idle_ns(&self) -> u64 {
        self.wall_clock_ns.saturating_sub(self.working_ns)
    }

    /// The GPU did something else than to communicate alone, ns.
    const fn other_work_ns(&self) -> u64 {
        self.working_ns.saturating_sub(self.exposed_ns())
    }
}

/// A file: its name, and what the time of its rank went to, or why that is not known.
pub type RankFile = (String, Result<RankTimes, String>);

/// The rank of a file: as it says itself, else the number after `rank` in its name.
#[must_use]
pub fn rank_of(name: &str, times: Option<&RankTimes>) -> Option<u64> {
    // A process alone is its own rank 0, whatever it is part of.
    let said = times.and_then(|times| times.job.rank.filter(|_| times.job.world_size != Some(1)));
    said.or_else(|| {
        let small = name.to_ascii_lowercase();
        let after = small.rsplit(['/', '\\']).next()?.rsplit_once("rank")?.1.trim_start_matches(['-', '_', '.', ' ', '=']);
        after[..after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len())].parse().ok()
    })
}

/// The places of files in the order of their ranks; those without one come last, by their names.
#[must_use]
pub fn ordered(files: &[RankFile]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..files.len()).collect();
    places.sort_by_key(|&place| {
        let rank = rank_of(&files[place].0, files[place].1.as_ref().ok());
        (rank.is_none(), rank, &files[place].0)
    });
    places
}

/// Why it cannot be told which rank is slow; files by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotTell {
    /// Fewer than two of them could be read.
    TooFew,
    /// This one does not say its rank.
    NoRank(usize),
    /// Two say the same rank.
    SameRank(usize, usize),
    /// Two say that the job has other numbers of ranks.
    OtherSize(usize, usize),
    /// Some ranks communicate among so few, in this one.
    Groups(usize, u64),
    /// The end of this one is missing.
    CutOff(usize),
    /// The profiler lost events of this one.
    Lost(usize),
    /// Two have other collectives.
    OtherCollectives(usize, usize),
    /// There are too many.
    TooMany,
    /// Kernels communicate, and none says that all ranks wait in it.
    NoCollectives,
    /// Nothing communicates, and two have other numbers of operations.
    OtherWork(usize, usize),
}

/// Which rank is slow; files by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slowest {
    /// It comes last, so that the others wait for it.
    HoldsUp {
        /// The file.
        file: usize,
        /// The others spend at least so much more in collectives, ns.
        behind_ns: u64,
        /// In so many collectives it came last.
        last_in: u64,
        /// Of so many.
        of: u64,
        /// What took it longer than the median of the others, and by how much, ns.
        longer: Option<(Longer, u64)>,
        /// How many ranks the group has in which it does, if that is not all of the job.
        group: Option<u64>,
    },
    /// None holds the others up by 1 % of its wall clock, or none in most collectives.
    Nobody {
        /// The file that came last most often, if one ever did.
        file: Option<usize>,
        /// In so many collectives.
        last_in: u64,
        /// Of so many.
        of: u64,
    },
    /// Nothing communicates. It takes longest.
    Longest {
        /// The file.
        file: usize,
        /// By so much longer than the median of the others, ns.
        by_ns: u64,
    },
    /// Nothing communicates, and none takes 1 % longer than the median of the others.
    Alike,
}

/// What takes a rank longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Longer {
    /// Apart from communication that ran alone, its GPU works more.
    OtherWork,
    /// Its GPU is idle.
    Idle,
}

/// Whether these are different ranks of one job, by what they say and by their names.
///
/// # Errors
///
/// Why not.
pub fn of_one_job(files: &[RankFile]) -> Result<(), CannotTell> {
    let read = read(files);
    if read.len() < 2 {
        return Err(CannotTell::TooFew);
    }
    let mut ranks: Vec<(u64, usize)> = Vec::with_capacity(read.len());
    let mut size: Option<(u64, usize)> = None;
    for &(file, times) in &read {
        let rank = rank_of(&files[file].0, Some(times)).ok_or(CannotTell::NoRank(file))?;
        ranks.push((rank, file));
        if let Some(world) = times.job.world_size.filter(|&world| world > 1) {
            let &mut (first, other) = size.get_or_insert((world, file));
            if first != world {
                return Err(CannotTell::OtherSize(other, file));
            }
        }
    }
    ranks.sort_unstable();
    let same = ranks.windows(2).find(|pair| pair[0].0 == pair[1].0);
    same.map_or(Ok(()), |pair| Err(CannotTell::SameRank(pair[0].1, pair[1].1)))
}

/// The files that could be read, with their places.
fn read(files: &[RankFile]) -> Vec<(usize, &RankTimes)> {
    files.iter().enumerate().filter_map(|(place, file)| Some((place, file.1.as_ref().ok()?))).collect()
}

/// How many ranks the job has, as far as a file says.
#[must_use]
pub fn world_size(files: &[RankFile]) -> Option<u64> {
    read(files).into_iter().find_map(|(_, times)| times.job.world_size.filter(|&world| world > 1))
}

/// Which rank is slow.
///
/// # Errors
///
/// Why that cannot be told.
pub fn slowest(files: &[RankFile]) -> Result<Slowest, CannotTell> {
    of_one_job(files)?;
    let read = read(files);
    if let Some(&(file, _)) = read.iter().find(|(_, times)| times.is_cut) {
        return Err(CannotTell::CutOff(file));
    }
    if let Some(&(file, _)) = read.iter().find(|(_, times)| times.flaws.iter().any(|flaw| matches!(flaw, Flaw::Lost(_)))) {
        return Err(CannotTell::Lost(file));
    }
    if read.iter().all(|(_, times)| times.communications == 0) {
        return longest(&read);
    }
    compared(&read, world_size(files).unwrap_or(read.len() as u64))
}

/// Which takes longest, where nothing communicates.
fn longest(read: &[(usize, &RankTimes)]) -> Result<Slowest, CannotTell> {
    let (first, model) = read[0];
    if let Some(&(other, _)) = read.iter().find(|(_, times)| times.operations != model.operations) {
        return Err(CannotTell::OtherWork(first, other));
    }
    let Some(&(file, times)) = read.iter().max_by_key(|(file, times)| (times.wall_clock_ns, std::cmp::Reverse(*file))) else {
        return Err(CannotTell::TooFew);
    };
    let others = read.iter().filter(|other| other.0 != file).map(|other| other.1.wall_clock_ns).collect();
    let by_ns = times.wall_clock_ns.saturating_sub(median(others));
    Ok(if is_much(by_ns, times.wall_clock_ns) { Slowest::Longest { file, by_ns } } else { Slowest::Alike })
}

/// Whether a time is at least a hundredth of a wall clock.
fn is_much(ns: u64, wall_clock_ns: u64) -> bool {
    ns > 0 && u128::from(ns) * 100 >= u128::from(wall_clock_ns)
}

/// The middle of some times; the lower one of two.
fn median(mut all: Vec<u64>) -> u64 {
    all.sort_unstable();
    all.get(all.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}
