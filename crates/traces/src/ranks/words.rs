//! What is said of the ranks of a job.
//!
//! Invariant: a sentence names a rank by its number, and a file without one by its name.

use crate::communication::{CollectiveKind, plural};

use super::{CannotTell, Longer, RankFile, RankTimes, Slowest, of_one_job, ordered, rank_of, slowest, world_size};
pub use blockstep_traces_messages::too_many;

use crate::flaws::of_file;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_count;

/// The headings of the times in a table.
pub const HEADINGS: [&str; 7] = ["Wall clock", "GPU working", "Communication", "beside computation", "alone", "GPU idle", "of it the host"];

/// The times of a rank below these headings.
#[must_use]
pub const fn times(of: &RankTimes) -> [Span; HEADINGS.len()] {
    [
        Span(of.wall_clock_ns),
        Span(of.working_ns),
        Span(of.communication_ns),
        Span(of.overlapped_ns),
        Span(of.exposed_ns()),
        Span(of.idle_ns()),
        Span(of.host_ns),
    ]
}

/// A rank as a label; a file without one is called by its name.
#[must_use]
pub fn label(file: &RankFile) -> String {
    rank_of(&file.0, file.1.as_ref().ok()).map_or_else(|| file.0.clone(), |rank| format!("Rank {}", format_count(rank)))
}

/// Which rank is slow, and what is to be known of the table, sentences; the first is the answer.
#[must_use]
pub fn said(files: &[RankFile], time: &dyn Fn(Span) -> String) -> Vec<String> {
    let mut said = match slowest(files) {
        Ok(slowest) => answer(files, slowest, time),
        Err(why) => vec![format!("We cannot say which rank is slow: {}.", cannot_tell(files, why))],
    };
    if let Some(world) = world_size(files).filter(|&world| of_one_job(files).is_ok() && world > files.len() as u64) {
        said.push(format!("Of {} ranks of the job these are {}.", format_count(world), format_count(files.len() as u64)));
    }
    if files.iter().any(|file| file.1.as_ref().is_ok_and(|times| times.devices > 1)) {
        said.push("Of a file with several GPUs, the times are of the one that ended last.".to_owned());
    }
    said.push("Each file has a clock of its own: durations are compared, never instants.".to_owned());
    said.extend(not_compared(files));
    said.extend(flaws(files));
    said
}

/// So many files have a line of their own for what is wrong with them.
const MOST_LINES: usize = 8;

/// What is wrong with the files, lines in the order of the ranks.
fn flaws(files: &[RankFile]) -> Vec<String> {
    let line = |place: usize| files[place].1.as_ref().ok().and_then(|times| of_file(&files[place].0, &times.flaws));
    let mut all: Vec<String> = ordered(files).into_iter().filter_map(line).collect();
    if all.len() > MOST_LINES {
        let others = all.len() - MOST_LINES + 1;
        all.truncate(MOST_LINES - 1);
        all.push(format!("{} other files have gaps of such kinds.", format_count(others as u64)));
    }
    all
}

/// Which communication says nothing of who came last, a sentence; `None` if all of it does.
fn not_compared(files: &[RankFile]) -> Option<String> {
    let most = |kind: CollectiveKind| {
        let counts = files.iter().filter_map(|file| file.1.as_ref().ok()).flat_map(|times| &times.kinds);
        counts.filter(|of| of.kind == kind).map(|of| of.count).max().unwrap_or(0)
    };
    let kinds = CollectiveKind::ALL.into_iter().filter(|kind| !kind.is_left_together() && most(*kind) > 0);
    let each: Vec<String> = kinds.map(|kind| format!("{} {}", format_count(most(kind)), plural(kind))).collect();
    let all = each.join(", ");
    (!each.is_empty())
        .then(|| format!("These count as communication and do not show who came last, as ranks may leave them one by one: {all}."))
}

fn answer(files: &[RankFile], slowest: Slowest, time: &dyn Fn(Span) -> String) -> Vec<String> {
    let read = files.iter().filter(|file| file.1.is_ok()).count();
    let (others, verb) = if read == 2 { ("the other", "spends") } else { ("the others", "spend") };
    let who = |file: usize| label(&files[file]);
    let in_of = |last_in: u64, of: u64| format!("{} of {} collectives", format_count(last_in), format_count(of));
    match slowest {
        Slowest::HoldsUp { file, behind_ns, last_in, of, longer, group } => {
            let (rank, more) = (who(file), time(Span(behind_ns)));
            let read = group.map_or(read, |ranks| if ranks == 2 { 2 } else { 3 });
            let at_least = if read == 2 { "" } else { "at least " };
            let holds_up = match group {
                Some(2) => {
                    format!("{rank} holds up the other rank of its group of 2 (consistent): that one spends {more} more in collectives.")
                }
                Some(ranks) => format!(
                    "{rank} holds up the other ranks of its group of {} (consistent): they spend {at_least}{more} more in collectives.",
                    format_count(ranks)
                ),
                None => format!("{rank} holds {others} up (consistent): {others} {verb} {at_least}{more} more in collectives than it."),
            };
            let mut said = vec![holds_up, format!("It spends the least time in {}, so it came last there.", in_of(last_in, of))];
            let what = |longer: Longer| match longer {
                Longer::OtherWork => "Apart from communication, its GPU works",
                Longer::Idle => "Its GPU is idle",
            };
            let than = if read == 2 { "that of the other" } else { "the median of the others" };
            said.extend(longer.map(|(longer, ns)| format!("{} {} longer than {than}.", what(longer), time(Span(ns)))));
            said
        }
        Slowest::Nobody { file: Some(file), last_in, of } if last_in * 2 > of => vec![format!(
            "No rank holds {others} up by 1 % of the wall clock (consistent): {} comes last most often, in {}.",
            who(file),
            in_of(last_in, of)
        )],
        Slowest::Nobody { file: Some(file), last_in, of } => vec![format!(
            "No rank holds {others} up most of the time (consistent): {} comes last most often, in {}.",
            who(file),
            in_of(last_in, of)
        )],
        Slowest::Nobody { file: None, of, .. } => {
            vec![format!("No rank holds {others} up (consistent): no rank comes last in any of {} collectives.", format_count(of))]
        }
        Slowest::Longest { file, by_ns } => vec![
            format!("{} takes longest: {} more than the median of the others.", who(file), time(Span(by_ns))),
            "No communication is recorded, so we do not know whether others wait for it.".to_owned(),
        ],
        Slowest::Alike => {
            vec!["No rank takes 1 % longer than the median of the others. No communication is recorded.".to_owned()]
        }
    }
}

/// Why we cannot say which rank is slow, after "We cannot say which rank is slow: ".
fn cannot_tell(files: &[RankFile], why: CannotTell) -> String {
    let name = |file: usize| files[file].0.as_str();
    match why {
        CannotTell::TooFew => "fewer than two traces could be read".to_owned(),
        CannotTell::NoRank(file) => format!("neither {} nor its name says its rank", name(file)),
        CannotTell::SameRank(first, second) => format!("{} and {} have the same rank", name(first), name(second)),
        CannotTell::OtherSize(first, second) => format!("{} and {} are of jobs with other numbers of ranks", name(first), name(second)),
        CannotTell::Groups(file, group) => {
            format!("in {} some collectives are of {} ranks, and not of all", name(file), format_count(group))
        }
        CannotTell::CutOff(file) => format!("{} was cut off", name(file)),
        CannotTell::Lost(file) => format!("the profiler lost events of {}", name(file)),
        CannotTell::OtherCollectives(first, second) => {
            format!("{} and {} do not have the same collectives, so they are not of the same steps", name(first), name(second))
        }
        CannotTell::TooMany => "there are more than 100,000 collectives".to_owned(),
        CannotTell::NoCollectives => "no kernel's name says that all ranks wait for each other in it".to_owned(),
        CannotTell::OtherWork(first, second) => {
            format!("{} and {} do not have as many operations, and none communicates", name(first), name(second))
        }
    }
}
