//! The ranks of a job, each with a file and a clock of its own: jobs made at random, with one rank that is slow or none.

use blockstep_sim::dice::Dice;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use blockstep_traces::Job;
use blockstep_traces::answers::Tracer;
use blockstep_traces::files::write_waits_json;
use blockstep_traces::gain::NoGains;
use blockstep_traces::path::overlap::overlaps;
use blockstep_traces::path::paths;
use blockstep_traces::ranks::{CannotTell, Longer, RankFile, RankTimes, Slowest, ordered, rank_of, slowest, words};
use blockstep_traces::summary::Summary;
use blockstep_traces_messages::{KeptRank, TraceAnswer, TraceAsk};
use serde_json::{Value, json};

use super::{Made, public_of_pytorch, read, texts};

pub(super) const ALL_REDUCE: &str = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)";

/// The files of a job of so many ranks and steps. In each a rank works for so long, us, and then waits for all others in a collective of
/// this name, which takes 60 us once all have come. `slower` of rank and step is what it works longer, or else is idle for before it.
pub(super) fn job(ranks: u64, steps: u64, name: &str, dice: &mut Dice, slower: &dyn Fn(u64, u64) -> (u64, bool)) -> Vec<String> {
    let mut made: Vec<Made> = (0..ranks).map(|_| Made::default()).collect();
    let mut now = 10;
    for step in 0..steps {
        let mut came = Vec::new();
        for (rank, made) in (0..).zip(&mut made) {
            // Each has its own clock.
            let clock = 7_000_000 * rank;
            let (more, is_idle) = slower(rank, step);
            let works = 700 + dice.below(6) + if is_idle { 0 } else { more };
            let begins = now + 8 + if is_idle { more } else { 0 };
            made.kernel("gemm", 7, clock + begins - 8, (clock + begins, clock + begins + works));
            came.push((clock, begins + works + 2 + dice.below(5)));
        }
        now = came.iter().map(|came| came.1).max().unwrap() + 60;
        for ((clock, came), made) in came.into_iter().zip(&mut made) {
            made.kernel(name, 20, clock + came - 10, (clock + came, clock + now));
        }
    }
    let text = |(rank, made): (usize, &Made)| {
        let of_job = json!({ "backend": "nccl", "rank": rank, "world_size": ranks, "pg_config": [{ "ranks": [0, 1] }] });
        made.text().replacen('{', &format!("{{\"distributedInfo\":{of_job},"), 1)
    };
    made.iter().enumerate().map(text).collect()
}

/// The times of a file.
pub(super) fn times(text: &str) -> RankTimes {
    let (recording, analysis) = read(text);
    let path = &paths(&recording, &analysis)[0];
    RankTimes::new(&recording, path, &overlaps(&recording)[path.device as usize])
}

/// Files with names that say nothing of a rank.
pub(super) fn files(texts: &[String]) -> Vec<RankFile> {
    texts.iter().enumerate().map(|(place, text)| (format!("worker-{place}.json"), Ok(times(text)))).collect()
}

fn said(files: &[RankFile]) -> Vec<String> {
    words::said(files, &|span: Span| format_time_short(span.ns()))
}

/// Nobody is slow.
const fn alike(_: u64, _: u64) -> (u64, bool) {
    (0, false)
}

#[test]
fn ranks_have_the_times_of_their_files_alone() {
    let dice = &mut Dice::new(1, &[61]);
    let mut all = job(3, 5, ALL_REDUCE, dice, &alike);
    all.extend(texts());
    let made: Vec<_> = all.iter().map(|text| read(text)).collect();
    let public = public_of_pytorch().map(|trace| (&trace.recording, &trace.analysis));
    let mut communicating = 0;
    for (recording, analysis) in made.iter().map(|(recording, analysis)| (recording, analysis)).chain(public) {
        let paths = paths(recording, analysis);
        let times = RankTimes::new(recording, &paths[0], &overlaps(recording)[paths[0].device as usize]);
        let alone = write_waits_json((recording, analysis), &Summary::new(recording, analysis), &paths, Err(&NoGains::Turns), 0);
        let alone: Value = serde_json::from_str(&alone).unwrap();
        let (path, overlap) = (&alone["paths"][0], &alone["paths"][0]["overlap"]);
        assert_eq!(times.device, path["device"]);
        assert_eq!(times.wall_clock_ns, path["wall_clock_ns"]);
        assert_eq!(times.working_ns, path["shares_ns"]["working"]);
        assert_eq!(times.working_ns, overlap["busy_ns"]);
        assert_eq!(times.host_ns, path["shares_ns"]["host"]);
        assert_eq!(times.communication_ns, overlap["communication_ns"]);
        assert_eq!(times.overlapped_ns, overlap["communication_and_computation_ns"]);
        assert_eq!(times.exposed_ns() + times.overlapped_ns, times.communication_ns);
        assert_eq!(times.idle_ns() + times.working_ns, times.wall_clock_ns);
        assert!(times.host_ns <= times.idle_ns() && times.exposed_ns() <= times.working_ns);
        assert_eq!(times.devices, alone["devices"]);
        communicating += u32::from(times.communications > 0);
    }
    assert!(communicating >= 3);
}

#[test]
fn ranks_the_slow_one_is_named_and_nobody_else() {
    let (mut named, mut why_named) = (0, 0);
    for number in 0..200 {
        let dice = &mut Dice::new(number, &[62]);
        let (ranks, steps) = (2 + dice.below(7), 3 + dice.below(8));
        let (slow, by, is_idle) = (dice.below(ranks), 40 + dice.below(300), dice.below(2) == 0);
        let files = files(&job(ranks, steps, ALL_REDUCE, dice, &|rank, _| (if rank == slow { by } else { 0 }, is_idle)));
        let Ok(Slowest::HoldsUp { file, behind_ns, last_in, of, longer, group: None }) = slowest(&files) else {
            panic!("job {number}: {:?}", said(&files))
        };
        assert_eq!((file as u64, last_in, of), (slow, steps, steps), "job {number}");
        // Each step by as much as it was slower, but for what is drawn.
        assert!(behind_ns.abs_diff(by * steps * 1_000) <= 12_000 * steps, "job {number}: {behind_ns} of {by} us in {steps} steps");
        let expected = if is_idle { Longer::Idle } else { Longer::OtherWork };
        why_named += u32::from(longer.is_some_and(|(longer, _)| longer == expected));
        named += 1;
        // No order of the files changes it.
        let mut turned = files.clone();
        turned.reverse();
        let Ok(Slowest::HoldsUp { file: same, .. }) = slowest(&turned) else { panic!("job {number}") };
        assert_eq!(turned[same], files[file]);
    }
    assert_eq!((named, why_named), (200, 200));
    for number in 0..200 {
        let dice = &mut Dice::new(number, &[63]);
        let (ranks, steps) = (2 + dice.below(7), 3 + dice.below(8));
        let equal = files(&job(ranks, steps, ALL_REDUCE, dice, &alike));
        assert!(matches!(slowest(&equal), Ok(Slowest::Nobody { .. })), "equal job {number}: {:?}", said(&equal));
        // Each is slow in its turn.
        let turns = files(&job(ranks, 2 * ranks, ALL_REDUCE, dice, &|rank, step| (if step % ranks == rank { 400 } else { 0 }, false)));
        assert!(matches!(slowest(&turns), Ok(Slowest::Nobody { .. })), "job {number} in turns: {:?}", said(&turns));
    }
}

#[test]
fn ranks_are_said_in_words() {
    let dice = &mut Dice::new(0, &[64]);
    let slow = |rank: u64, _: u64| (if rank == 2 { 300 } else { 0 }, false);
    let four = files(&job(4, 6, ALL_REDUCE, dice, &slow));
    let all = said(&four);
    assert!(all[0].starts_with("Rank 2 holds the others up (consistent): the others spend at least 1.7"), "{all:?}");
    assert!(all[0].ends_with(" ms more in collectives than it."), "{all:?}");
    assert_eq!(all[1], "It spends the least time in 6 of 6 collectives, so it came last there.");
    assert!(
        all[2].starts_with("Apart from communication, its GPU works 1.") && all[2].ends_with("than the median of the others."),
        "{all:?}"
    );
    assert_eq!(all[3], "Each file has a clock of its own: durations are compared, never instants.");
    // Three of the four.
    let three = said(&four[1..]);
    assert!(three[0].starts_with("Rank 2 holds the others up"), "{three:?}");
    assert_eq!(three[3], "Of 4 ranks of the job these are 3.");
    let equal = said(&files(&job(2, 6, ALL_REDUCE, dice, &alike)));
    assert!(equal[0].starts_with("No rank holds the other up ") && equal[0].contains("(consistent)"), "{equal:?}");
    // One that cannot be read keeps nothing from the others.
    let mut damaged = four;
    damaged[0].1 = Err("it is damaged".to_owned());
    assert!(said(&damaged)[0].starts_with("Rank 2 holds the others up"));
}

#[test]
fn ranks_cannot_be_told_apart_where_the_files_do_not_say_enough() {
    let dice = &mut Dice::new(0, &[65]);
    let slow = |rank: u64, _: u64| (if rank == 1 { 300 } else { 0 }, false);
    let job_of = |name: &str, dice: &mut Dice| files(&job(3, 4, name, dice, &slow));
    let good = job_of(ALL_REDUCE, dice);
    let changed = |change: &dyn Fn(&mut RankTimes)| {
        let mut files = good.clone();
        change(files[2].1.as_mut().unwrap());
        slowest(&files)
    };
    assert!(matches!(slowest(&good), Ok(Slowest::HoldsUp { file: 1, .. })));
    assert_eq!(slowest(&good[..1]), Err(CannotTell::TooFew));
    assert_eq!(changed(&|times| times.job.rank = Some(0)), Err(CannotTell::SameRank(0, 2)));
    assert_eq!(changed(&|times| times.job.rank = None), Err(CannotTell::NoRank(2)));
    assert_eq!(changed(&|times| times.job.world_size = Some(4)), Err(CannotTell::OtherSize(0, 2)));
    assert_eq!(changed(&|times| times.job.smallest_group = Some(2)), Err(CannotTell::Groups(2, 2)));
    assert!(matches!(changed(&|times| times.job.smallest_group = Some(3)), Ok(Slowest::HoldsUp { file: 1, .. })));
    // In what is sent to one rank the others do not wait.
    assert_eq!(slowest(&job_of("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)", dice)), Err(CannotTell::NoCollectives));
    // Recordings of other steps.
    let mut other = good.clone();
    other[1] = files(&job(3, 5, ALL_REDUCE, dice, &slow)).swap_remove(1);
    assert_eq!(slowest(&other), Err(CannotTell::OtherCollectives(0, 1)));
    other[1] = job_of("ncclDevKernel_AllGather_RING_LL", dice).swap_remove(1);
    assert_eq!(slowest(&other), Err(CannotTell::OtherCollectives(0, 1)));
    // Nothing communicates: the longest is told if the work is the same.
    let mut alone = job_of("sum", dice);
    assert_eq!(slowest(&alone), Ok(Slowest::Alike));
    let times = alone[1].1.as_mut().unwrap();
    times.wall_clock_ns += 300_000;
    assert!(
        matches!(slowest(&alone), Ok(Slowest::Longest { file: 1, by_ns }) if by_ns.abs_diff(300_000) < 10_000),
        "{:?}",
        slowest(&alone)
    );
    let mut other = alone;
    other[2].1.as_mut().unwrap().operations += 1;
    assert_eq!(slowest(&other), Err(CannotTell::OtherWork(0, 2)));
    // Too many collectives are not kept.
    let (mut recording, analysis) = read(&job(2, 3, ALL_REDUCE, dice, &alike)[0]);
    let path = &paths(&recording, &analysis)[0];
    let (place, of) = recording.operations.iter().enumerate().find(|(_, of)| recording.name(of) == ALL_REDUCE).unwrap();
    let stream = of.stream as usize;
    recording.streams[stream].operations.extend(vec![place as u32; 100_000]);
    let many = RankTimes::new(&recording, path, &overlaps(&recording)[0]);
    let many = |rank: u64| {
        let mut times = many.clone();
        times.job.rank = Some(rank);
        (String::new(), Ok(times))
    };
    assert_eq!(slowest(&[many(0), many(1)]), Err(CannotTell::TooMany));
    // Every reason has words.
    for files in [&good[..1], &other] {
        assert!(said(files)[0].starts_with("We cannot say which rank is slow: "), "{:?}", said(files));
    }
}

#[test]
fn ranks_are_those_of_the_file_or_of_its_name() {
    let file = |rank: Option<u64>, world_size: Option<u64>| {
        let mut times = RankTimes::default();
        times.job = Job { rank, world_size, smallest_group: None };
        times
    };
    let rank = |name: &str| rank_of(name, Some(&file(None, None)));
    assert_eq!(rank("rank10.json.gz"), Some(10));
    assert_eq!(rank("/tmp/rank3/trace_Rank-7.json"), Some(7));
    assert_eq!(rank("rank_0002.1234.pt.trace.json"), Some(2));
    assert_eq!((rank("rank3/trace.json"), rank("franks.json"), rank("trace-4.json"), rank("")), (None, None, None, None));
    assert_eq!(rank_of("rank3.json", Some(&file(Some(5), Some(8)))), Some(5));
    // A process alone says that it is rank 0 of 1.
    assert_eq!(rank_of("rank3.json", Some(&file(Some(0), Some(1)))), Some(3));
    assert_eq!(rank_of("rank3.json", None), Some(3));
    let names = ["b.json", "rank10.json", "a.json", "rank2.json"].map(|name| (name.to_owned(), Ok(file(None, None))));
    assert_eq!(ordered(&names), [3, 1, 2, 0]);
    // What is no rank of such a job is none, and what is no object says nothing.
    let job = |said: &str| {
        read(&Made::default().kernel("A", 20, 0, (8, 500)).text().replacen('{', &format!("{{\"distributedInfo\":{said},"), 1)).0.job
    };
    assert_eq!(job(r#"{"rank":1,"world_size":2}"#), Job { rank: Some(1), world_size: Some(2), smallest_group: None });
    assert_eq!(job(r#"{"rank":"3","pg":[{"a":[1]}]}"#), Job { rank: Some(3), ..Job::default() });
    for nothing in
        [r#"{"rank":2,"world_size":2}"#, r#"{"rank":-1,"world_size":2}"#, r#"{"rank":[1]}"#, "[1,2]", "7", "\"rank\"", "null", "true", "{}"]
    {
        assert_eq!(job(nothing), Job::default(), "{nothing}");
    }
    // The smallest group whose collectives ran.
    let mut made = Made::default();
    for (name, size) in [(ALL_REDUCE, 8), ("ncclDevKernel_AllGather_RING_LL", 4), ("ncclDevKernel_SendRecv", 2), ("gemm", 1)] {
        made.launch("kernel", name, 20, (0, 4), (8, 500), json!({ "Group size": size }));
    }
    assert_eq!(made.read().0.job.smallest_group, Some(4));
}

#[test]
fn profile_the_worker_puts_ranks_beside_each_other() {
    let dice = &mut Dice::new(0, &[66]);
    let slow = |rank: u64, _: u64| (if rank == 1 { 300 } else { 0 }, false);
    let mut tracer = Tracer::default();
    let mut files: Vec<RankFile> = vec![("a.json".to_owned(), Err("it is damaged".to_owned()))];
    let mut kept: Vec<KeptRank> = vec![("a.json".to_owned(), Err("it is damaged".to_owned()))];
    for (rank, text) in job(3, 4, ALL_REDUCE, dice, &slow).iter().enumerate().rev() {
        tracer.begin(false);
        let TraceAnswer::Opened(overview) = tracer.open(text.as_bytes(), &mut |_| ()) else { panic!("it can be read") };
        kept.push((format!("{rank}.json"), Ok(overview.rank)));
        files.push((format!("{rank}.json"), Ok(times(text))));
    }
    let TraceAnswer::Ranks(ranks) = tracer.answer(&TraceAsk::Ranks(kept)) else { panic!("they are put beside each other") };
    assert!(ranks.are_of_one_job);
    assert_eq!(ranks.said, said(&files));
    let rows: Vec<_> = ranks.rows.iter().map(|row| (row.place, row.label.as_str(), row.is_slowest, row.times.is_ok())).collect();
    assert_eq!(rows, [(3, "Rank 0", false, true), (2, "Rank 1", true, true), (1, "Rank 2", false, true), (0, "a.json", false, false)]);
    assert_eq!(ranks.rows[3].times, Err("it is damaged".to_owned()));
    for row in &ranks.rows[..3] {
        assert_eq!(row.times.as_ref().unwrap().len(), ranks.headings.len());
    }
}

/// A rank of which the end is missing waited in collectives that its file does not have.
#[test]
fn ranks_of_a_file_that_was_cut_off_are_not_compared() {
    let texts = job(3, 4, ALL_REDUCE, &mut Dice::new(1, &[]), &|_, _| (0, false));
    let cut = &texts[2][..texts[2].len() - 200];
    let said = said(&files(&[texts[0].clone(), texts[1].clone(), cut.to_owned()]));
    assert_eq!(said[0], "We cannot say which rank is slow: worker-2.json was cut off.");
}
