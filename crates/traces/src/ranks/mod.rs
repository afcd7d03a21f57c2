//! The ranks of a job, of which each has a recording of its own: what the time of each went to, and which of them holds the others up.
//!
//! Each recording has a clock of its own: durations are compared, and never instants. Invariants: the times of a rank are those of its
//! recording alone; a rank is named only where the recordings have the same collectives, each of all ranks. A collective ends together on
//! all ranks, so whoever spends least time in one came last. Bounds are our choice.

pub mod words;

use serde::{Deserialize, Serialize};

use crate::flaws::bearing;
use crate::path::DevicePath;
use crate::path::groups::{PathShare, shares};
use crate::path::overlap::{Overlap, is_communication};
use crate::words::short_name;
pub use blockstep_traces_messages::MOST_RANKS;

use crate::{Flaw, Job, Operation, OperationKind, Recording};

/// Durations may be off by so much, ns: twice what each of their ends may be off by.
const SAME_NS: u64 = 10_000;
/// Of more collectives none are compared.
const MOST_COLLECTIVES: usize = 100_000;

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
    /// The end of its file is missing.
    pub is_cut: bool,
    /// What is wrong with its file and may be why its times differ from those of others.
    pub flaws: Vec<Flaw>,
    collectives: Collectives,
}

/// What ran in which a rank waits for all others, in the order of the calls of each stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Collectives {
    /// How many there are, by stream.
    by_stream: Vec<u64>,
    /// What they are called, each once.
    names: Vec<String>,
    /// The name of each, a place in `names`, and how long it ran, ns; none if there are too many.
    each: Vec<(u32, u64)>,
}

impl Collectives {
    fn count(&self) -> u64 {
        self.by_stream.iter().sum()
    }

    /// Whether those of another recording are the same, but for their durations.
    fn are_those_of(&self, other: &Self) -> bool {
        let places = |of: &Self| of.each.iter().map(|each| each.0).collect::<Vec<_>>();
        self.by_stream == other.by_stream && self.names == other.names && places(self) == places(other)
    }

    fn ns(&self) -> u64 {
        self.each.iter().fold(0, |sum, each| sum.saturating_add(each.1))
    }
}

/// Whether a kernel of this name ends on no rank of its group before all of them have begun it.
#[must_use]
pub fn is_collective(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    is_communication(name) && ["allreduce", "allgather", "reducescatter"].iter().any(|what| plain.contains(what))
}

impl RankTimes {
    /// Takes them from a recording, for the GPU of this path.
    #[must_use]
    pub fn new(recording: &Recording, path: &DevicePath, together: &Overlap) -> Self {
        let shares = shares(recording, path);
        let of_device = || recording.operations.iter().filter(|operation| recording.stream(operation).device == path.device);
        let communicates = |operation: &&Operation| operation.kind == OperationKind::Kernel && is_communication(recording.name(operation));
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
            communications: of_device().filter(communicates).count() as u64,
            flaws: bearing(recording),
            is_cut: recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::CutOff(_))),
            collectives: collectives(recording, path.device),
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

fn collectives(recording: &Recording, device: u32) -> Collectives {
    let is_one: Vec<bool> = recording.names.iter().map(|name| is_collective(name)).collect();
    let mut streams: Vec<_> = recording.streams.iter().filter(|stream| stream.device == device).collect();
    streams.sort_by_key(|stream| (stream.process, stream.context, stream.id));
    let mut found = Collectives::default();
    let mut places = vec![None; recording.names.len()];
    for stream in streams {
        let operations = stream.operations.iter().map(|&place| &recording.operations[place as usize]);
        let mut count = 0;
        for operation in operations.filter(|of| of.kind == OperationKind::Kernel && is_one[of.name as usize]) {
            count += 1;
            let place = *places[operation.name as usize].get_or_insert_with(|| {
                let name = short_name(recording.name(operation));
                let known = found.names.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    found.names.push(name);
                    found.names.len() - 1
                })
            });
            if found.each.len() <= MOST_COLLECTIVES {
                found.each.push((place as u32, operation.duration().ns()));
            }
        }
        found.by_stream.extend((count > 0).then_some(count));
    }
    if found.each.len() > MOST_COLLECTIVES {
        (found.each, found.names) = (Vec::new(), Vec::new());
    }
    found
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
    let (first, model) = read[0];
    if read.iter().all(|(_, times)| times.communications == 0) {
        return longest(&read);
    }
    if let Some(&(other, _)) = read.iter().find(|(_, times)| !times.collectives.are_those_of(&model.collectives)) {
        return Err(CannotTell::OtherCollectives(first, other));
    }
    let count = model.collectives.count();
    if count == 0 {
        return Err(CannotTell::NoCollectives);
    }
    if model.collectives.each.is_empty() {
        return Err(CannotTell::TooMany);
    }
    let world = world_size(files).unwrap_or(read.len() as u64);
    let groups = read.iter().find_map(|&(file, times)| Some((file, times.job.smallest_group.filter(|&group| group < world)?)));
    if let Some((file, group)) = groups {
        return Err(CannotTell::Groups(file, group));
    }
    // In how many collectives each came last: it alone spent least time in them, by more than times may be off.
    let mut last_in = vec![0_u64; read.len()];
    for place in 0..model.collectives.each.len() {
        let ns = |of: usize| read[of].1.collectives.each[place].1;
        let Some(least) = (0..read.len()).min_by_key(|&of| ns(of)) else { continue };
        if (0..read.len()).all(|of| of == least || ns(of) - ns(least) > SAME_NS) {
            last_in[least] += 1;
        }
    }
    let most = (0..read.len()).max_by_key(|&of| (last_in[of], std::cmp::Reverse(of))).unwrap_or(0);
    let (file, times) = read[most];
    let others: Vec<&RankTimes> = read.iter().filter(|of| of.0 != file).map(|of| of.1).collect();
    let least = others.iter().map(|of| of.collectives.ns()).min().unwrap_or(0);
    let behind_ns = least.saturating_sub(times.collectives.ns());
    if last_in[most] * 2 <= count || !is_much(behind_ns, times.wall_clock_ns) {
        return Ok(Slowest::Nobody { file: (last_in[most] > 0).then_some(file), last_in: last_in[most], of: count });
    }
    let by = |of: &dyn Fn(&RankTimes) -> u64| of(times).saturating_sub(median(others.iter().map(|other| of(other)).collect()));
    let longer = [(Longer::OtherWork, by(&RankTimes::other_work_ns)), (Longer::Idle, by(&RankTimes::idle_ns))];
    let longer = longer.into_iter().filter(|&(_, ns)| ns >= behind_ns / 2).max_by_key(|&(_, ns)| ns);
    Ok(Slowest::HoldsUp { file, behind_ns, last_in: last_in[most], of: count, longer })
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
