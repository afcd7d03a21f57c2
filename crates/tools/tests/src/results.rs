//! What a run came to, in numbers, as a panel and as a table.

use blockstep_format::read_scenario;
use blockstep_protocol as protocol;
use blockstep_report::{Options, results_csv, results_panel};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, Preemption, Release, Scenario};
use blockstep_sim::units::{OpId, Span, Time};
use blockstep_view::palette::Rgb;
use blockstep_view::panels::results::{Misses, ResultsPanel};
use blockstep_view::panels::sheet::Jump;
use blockstep_view::reason::ReasonKind;
use blockstep_view::results::spread::{Histogram, Levels, distribution};
use blockstep_view::results::unit::{TimeUnit, percent};
use blockstep_view::results::{OpActivity, Results, percentile};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases, turns};
use blockstep_testing::stage::{executions, run, stage, work};

const OPTIONS: Options = Options { is_dark: false, width_px: 900 };

fn results(run: &Run) -> Results {
    Results::new(run.replay(), &Records::new(&run.trace))
}

/// The panel as it comes to the page.
fn panel(run: &Run) -> ResultsPanel {
    let panel = results_panel(run, &Records::new(&run.trace), &results(run), &[], OPTIONS);
    assert_eq!(protocol::decode::<ResultsPanel>(&protocol::encode(&panel).unwrap()).as_ref(), Ok(&panel));
    panel
}

/// Every picture is a whole SVG that says what it shows.
fn assert_drawn(panel: &ResultsPanel) {
    for chart in crate::charts(panel) {
        assert_balanced(&chart.svg);
        assert!(chart.svg.starts_with("<svg role=\"img\" aria-label=\""), "{}", &chart.svg[..60]);
        assert!(!chart.label.is_empty());
    }
}

fn csv(run: &Run) -> Vec<Vec<(String, String)>> {
    let text = results_csv(run, &Records::new(&run.trace)).to_string();
    // Every other piece between quotes is inside a cell; its commas do not count.
    let cells = |line: &str| {
        let pieces = line.split('"').enumerate();
        let kept: String = pieces.map(|(i, piece)| if i % 2 == 1 { piece.replace(',', ";") } else { piece.to_owned() }).collect();
        kept.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let mut lines = text.lines().map(cells);
    let head = lines.next().unwrap();
    let rows: Vec<Vec<String>> = lines.collect();
    assert!(rows.iter().all(|row| row.len() == head.len()), "{text}");
    rows.into_iter().map(|row| head.iter().cloned().zip(row).collect()).collect()
}

fn cell<'r>(row: &'r [(String, String)], column: &str) -> &'r str {
    &row.iter().find(|(name, _)| name == column).unwrap().1
}

/// A has 6 ns of work every 16 ns, B 5 ns once; timeslices of 4 ns, switches of 1 ns.
fn two_processes() -> Draft {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 6), work("K2", "b", 0, 5)], ..stage(PolicyKind::Runlist, &["A", "B"]) };
    (draft.policy.switch_cost_ns, draft.horizon_ns) = (1, Some(40));
    let task = &mut draft.tasks[0];
    (task.release, task.period_ns, task.deadline_ns) = (Release::Periodic, Some(16), Some(10));
    draft
}

#[test]
fn results_of_a_schedule_worked_out_by_hand() {
    let run = run(&two_processes());
    assert_eq!(executions(&run), "K1#0:0 0-4 10-12, K2:0 5-9 13-14, K1#1:0 17-23, K1#2:0 32-38");
    let results = results(&run);
    let a = &results.tasks[0];
    assert_eq!((a.released, a.completed, a.judged, a.preemptions), (3, 3, 3, 1));
    // 12, 7 and 6 ns: 25 / 3 is 8.33.
    assert_eq!(a.responses, [Span(6), Span(7), Span(12)]);
    assert_eq!((a.mean(), a.slowest, &a.missed[..]), (Some(Span(8)), Some(0), &[0][..]));
    assert_eq!(a.block_times, [Span(6), Span(6), Span(12)]);
    let b = &results.tasks[1];
    assert_eq!((b.released, b.completed, b.judged, b.preemptions), (1, 1, 0, 1));
    assert_eq!(results.operations[0].parts, [(OpActivity::Executing, 6), (OpActivity::Suspended, 6)]);
    assert_eq!(
        results.operations[1].parts,
        [(OpActivity::Executing, 5), (OpActivity::Suspended, 4), (OpActivity::Waiting(ReasonKind::NotResident), 5)]
    );
    assert_eq!(
        results.kernels[0].parts,
        [(OpActivity::Executing, 18), (OpActivity::Suspended, 6), (OpActivity::Waiting(ReasonKind::NotResident), 1)]
    );
    assert_eq!((results.kernels[0].count, results.kernels[0].response), (3, 25));
    let usage = &results.usage;
    // Switches from 4, 9, 12 and 16 on; the third job finds A resident last.
    assert_eq!((usage.executing, usage.switching, usage.idle), (Span(23), Span(4), Span(13)));
    assert_eq!(usage.processes.iter().map(|p| p.resident).collect::<Vec<_>>(), [Span(18), Span(5)]);
    assert_eq!((usage.thread_time(), usage.available()), (23 * 64, 2 * 2048 * 40));
    // Each process sees an empty device.
    assert_eq!((usage.sms[0].busy, usage.sms[1].busy), (Span(23), Span(0)));
}

#[test]
fn results_threads_over_time_count_what_is_suspended() {
    let results = results(&run(&two_processes()));
    let points = |points: &[(u64, u64)]| points.iter().map(|&(at, level)| (Time(at), level)).collect::<Vec<_>>();
    assert_eq!(
        results.tasks[0].threads,
        Levels { points: points(&[(0, 64), (12, 0), (17, 64), (23, 0), (32, 64), (38, 0)]), greatest: 64 }
    );
    assert_eq!(results.tasks[1].threads.points, points(&[(5, 64), (14, 0)]));
}

#[test]
fn results_a_process_that_returns_at_once_has_not_been_preempted() {
    // H M1 H M2: at 4 H leaves, and as M1 has nothing to do and H's next entry follows, it is back.
    let run =
        run(&Draft { kernels: vec![work("K1", "h", 0, 7), work("K2", "m2", 0, 1)], ..stage(PolicyKind::Runlist, &["H", "M1", "M2"]) });
    assert_eq!(results(&run).tasks[0].preemptions, 0);
}

#[test]
fn results_an_interrupted_kernel_is_preempted_although_nothing_of_it_runs() {
    // Its first blocks end as the timeslice does.
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 4), work("K2", "b", 0, 3)], ..stage(PolicyKind::Runlist, &["A", "B"]) };
    (draft.kernels[0].blocks, draft.kernels[0].threads_per_block) = (6, 1024);
    for preemption in [Preemption::Thread, Preemption::Block] {
        draft.processes[0].preemption = Some(preemption);
        let results = results(&run(&draft));
        assert_eq!((results.tasks[0].preemptions, results.tasks[1].preemptions), (1, 0));
        assert_eq!(results.operations[0].parts, [(OpActivity::Executing, 8), (OpActivity::Waiting(ReasonKind::NotResident), 3)]);
    }
}

#[test]
fn results_jobs_not_complete_miss_a_deadline_that_has_passed() {
    let mut draft = two_processes();
    draft.horizon_ns = Some(11);
    let results = results(&run(&draft));
    assert_eq!((results.tasks[0].completed, results.tasks[0].judged, &results.tasks[0].missed[..]), (0, 1, &[0][..]));
    assert_eq!((results.tasks[0].mean(), results.tasks[0].slowest), (None, None));
    draft.horizon_ns = Some(10);
    assert_eq!(self::results(&run(&draft)).tasks[0].judged, 1, "it is due at the end");
    draft.horizon_ns = Some(9);
    let run = run(&draft);
    assert_eq!(self::results(&run).tasks[0].judged, 0);
    assert_eq!(panel(&run).tasks.rows[0].misses, Misses::None("none due yet".to_owned()));
}

#[test]
fn results_spread_of_values() {
    let spans = |values: &[u64]| values.iter().map(|&v| Span(v)).collect::<Vec<_>>();
    assert_eq!(Histogram::new(&[]), None);
    let bins = Histogram::new(&spans(&[7, 7, 12, 46])).unwrap();
    assert_eq!((bins.first, bins.width, bins.end()), (6, 2, 48));
    assert_eq!((bins.counts[0], bins.counts[3], bins.counts[20], bins.counts.iter().sum::<u64>()), (2, 1, 1, 4));
    assert_eq!(distribution(&spans(&[7, 7, 12, 46])), [(7, 2), (12, 3), (46, 4)]);
    assert_eq!(percentile(&spans(&[1, 2, 3, 4]), 50), Some(Span(2)));
    assert_eq!(percentile(&spans(&[1, 2, 3, 4]), 51), Some(Span(3)));
    assert_eq!((percentile(&spans(&[1, 2]), 0), percentile(&[], 50)), (Some(Span(1)), None));
    let extremes = Histogram::new(&spans(&[0, u64::MAX])).unwrap();
    assert_eq!((extremes.end(), extremes.counts.iter().sum::<u64>()), (u64::MAX, 2));
}

#[test]
fn results_numbers_are_rounded_by_integers() {
    assert_eq!(
        (percent(1, 8), percent(2, 3), percent(0, 0), percent(5, 5)),
        ("12.5 %".into(), "66.7 %".into(), "0.0 %".into(), "100.0 %".into())
    );
    assert_eq!(percent(u128::MAX / 2, u128::MAX), "50.0 %");
    let ms = TimeUnit::for_greatest(1_234_567_890 / 2);
    assert_eq!((ms.name, ms.exact(1_234_567_890), ms.short(1_234_567_890)), ("ms", "1,234.56789".to_owned(), "1,234.6".to_owned()));
    assert_eq!((ms.short(999_999_999_999), ms.short(12), ms.short(0)), ("1,000,000".to_owned(), "0.000012".to_owned(), "0".to_owned()));
    assert_eq!(TimeUnit::for_greatest(0).name, "ns");
}

#[test]
fn results_say_which_job_and_lead_to_it() {
    let panel = panel(&run(&two_processes()));
    let Misses::Some { summary, jobs, more } = &panel.tasks.rows[0].misses else { panic!("{:?}", panel.tasks) };
    assert_eq!((summary.as_str(), jobs.len(), more), ("1 of 3 missed", 1, &None));
    // The deadline of the job that missed it; the release of the slowest one.
    let jump = |at: u64, title: &str| Jump {
        text: "job 0".to_owned(),
        title: title.to_owned(),
        name: format!("job 0 of a: {title}"),
        at: Time(at),
    };
    assert_eq!((&jobs[0].job, jobs[0].late.as_str()), (&jump(10, "Go to its deadline at 10 ns"), "2 ns late, after 12 ns"));
    assert_eq!(panel.tasks.rows[0].slowest, Some(jump(0, "Go to its release at 0 s")));
    assert_eq!(
        panel.tasks.rows.iter().map(|row| (row.name.as_str(), row.greatest.shown())).collect::<Vec<_>>(),
        [("a", "12"), ("b", "14")]
    );
    assert!(panel.responses.is_some() && panel.breakdown.is_some() && panel.device.is_some() && panel.blocks.is_some());
    let bounds = panel.bounds.unwrap();
    let without = bounds.without.unwrap();
    assert_eq!((bounds.tasks.len(), without.summary.as_str()), (0, "2 tasks without a bound: reasons"));
    assert_eq!(without.tasks, [("a (A), b (B)".to_owned(), "The theorem requires a process at the high interleaving level.".to_owned())]);
}

#[test]
fn results_parts_of_a_bar_add_up_to_its_length() {
    let breakdown = panel(&run(&two_processes())).breakdown.unwrap();
    assert_eq!(breakdown.bars.iter().map(|bar| bar.name.as_str()).collect::<Vec<_>>(), ["K1", "K2"]);
    for bar in &breakdown.bars {
        assert_eq!(bar.parts.iter().map(|part| part.length).sum::<u32>(), 10_000, "{bar:?}");
    }
    assert_eq!(breakdown.bars.iter().map(|bar| bar.length).max(), Some(10_000));
    // K1 runs 18 of the 25 ns of three jobs, K2 5 of 14.
    assert_eq!(breakdown.bars[0].told, "K1: executing 72.0 %, suspended 24.0 %, process not resident 4.0 %");
    assert_eq!((breakdown.bars[0].sum.as_str(), breakdown.bars[1].sum.as_str()), ("8 ns × 3", "14 ns"));
    let cells = |row: usize| breakdown.table.rows[row].cells.iter().map(|cell| cell.shown()).collect::<Vec<_>>();
    assert_eq!((cells(0), cells(1)), (vec!["3", "25", "18", "6", "1"], vec!["1", "14", "5", "4", "5"]));
}

#[test]
fn results_names_stay_as_they_are_and_none_becomes_markup_of_a_picture() {
    let mut draft = two_processes();
    let name = "<b>\"&'=1+1";
    draft.tasks[0].name = name.to_owned();
    draft.kernels[0].task = Some(name.to_owned());
    draft.kernels[0].name = format!("{name}k");
    draft.processes[1].name = format!("{name}p");
    draft.tasks[1].process = Some(format!("{name}p"));
    let panel = panel(&run(&draft));
    assert_eq!((panel.tasks.rows[0].name.as_str(), panel.tasks.rows[1].process.as_str()), (name, &*format!("{name}p")));
    assert_eq!(panel.breakdown.as_ref().unwrap().bars[0].name, format!("{name}k"));
    let charts = crate::charts(&panel);
    assert!(charts.iter().any(|chart| chart.svg.contains("&lt;b>") || chart.svg.contains("&lt;b&gt;")));
    assert!(charts.iter().all(|chart| !chart.svg.contains("<b>")));
    assert_drawn(&panel);
}

/// Every element is closed in order; what closes itself apart.
fn assert_balanced(html: &str) {
    let mut open = Vec::new();
    for tag in html.split('<').skip(1) {
        let name: String = tag.chars().take_while(|c| c.is_alphanumeric() || *c == '/').collect();
        let tag = tag.split('>').next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop().as_deref(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(name.trim_end_matches('/').to_owned()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn results_panel_is_bounded_and_says_what_it_leaves_out() {
    let mut draft = Draft { horizon_ns: Some(400_000), ..stage(PolicyKind::Priority, &["A"]) };
    draft.tasks.clear();
    for i in 0..300 {
        let mut task = blockstep_sim::scenario::TaskDraft::named(format!("t{i}"));
        (task.release, task.period_ns, task.deadline_ns) = (Release::Periodic, Some(1000), Some(1));
        draft.tasks.push(task);
        draft.kernels.push(work(&format!("K{i}"), &format!("t{i}"), i % 7, 2 + i % 13));
    }
    let run = run(&draft);
    let panel = panel(&run);
    assert!(run.trace.ops().len() > 100_000);
    let bytes = protocol::encode(&panel).unwrap().len();
    assert!(bytes < 3_000_000, "{bytes}");
    let more = |count: u32| Some(format!("and {count} more; the CSV has all"));
    assert_eq!((panel.tasks.rows.len(), &panel.tasks.more), (200, &more(100)));
    let Misses::Some { jobs, more: further, .. } = &panel.tasks.rows[0].misses else { panic!("it misses no deadline") };
    assert_eq!((jobs.len(), further), (20, &more(380)), "misses of a task");
    let responses = panel.responses.as_ref().unwrap();
    assert_eq!((responses.histograms.len(), &responses.more_histograms), (12, &more(288)), "charts");
    assert_eq!((responses.times.as_ref().unwrap().legend.len(), &responses.more), (12, &more(288)));
    assert_drawn(&panel);
}

#[test]
fn results_table_has_every_section_and_adds_up() {
    let run = run(&two_processes());
    let rows = csv(&run);
    let of = |section: &'static str| rows.iter().filter(move |row| cell(row, "section") == section);
    assert_eq!(["task", "job", "operation", "kernel"].map(|section| of(section).count()), [2, 4, 4, 2]);
    let slowest = of("job").next().unwrap();
    assert_eq!(
        ["task", "process", "job", "release_ns", "deadline_ns", "end_ns", "met", "response_ns"].map(|c| cell(slowest, c)),
        ["a", "A", "0", "0", "10", "12", "false", "12"]
    );
    assert_eq!(
        ["count", "missed", "preemptions", "least_ns", "mean_ns", "greatest_ns"].map(|c| cell(of("task").next().unwrap(), c)),
        ["3", "1", "1", "6", "8", "12"]
    );
    for row in of("operation").chain(of("kernel")) {
        let parts: u64 = row.iter().skip_while(|(name, _)| name != "executing_ns").map(|(_, time)| time.parse::<u64>().unwrap()).sum();
        assert_eq!(parts.to_string(), cell(row, "response_ns"));
    }
    let switching = of("utilisation").find(|row| cell(row, "measure") == "switching_ns").unwrap();
    assert_eq!((cell(switching, "value"), cell(switching, "of")), ("4", "40"));
    assert_eq!(of("bound").map(|row| cell(row, "measure")).collect::<Vec<_>>(), ["no_bound", "no_bound"]);
}

/// A single job has a response time, and no distribution of it.
#[test]
fn results_of_a_single_job_are_a_number() {
    let draft = read_scenario(blockstep_sim::examples::find("tx2-table-1").unwrap().json).unwrap();
    let responses = |draft: &Draft| panel(&run(draft)).responses.unwrap();
    let single = responses(&draft);
    let sheet = single.single.unwrap();
    assert!(single.times.is_none() && single.histograms.is_empty() && single.bins.is_empty() && single.percentiles.is_none());
    assert_eq!(sheet.rows.len(), draft.tasks.len().max(1));
    assert!(sheet.rows.iter().all(|row| row.cells.len() == 1), "{sheet:?}");
    // Of two tasks, one with three jobs and one with a single job, the first has a distribution.
    let both = responses(&two_processes());
    assert_eq!((both.histograms.len(), both.bins.len(), both.percentiles.unwrap().rows.len()), (1, 1, 1));
    assert_eq!(both.single.unwrap().rows.len(), 1);
}

#[test]
fn results_table_holds_no_formulas() {
    let mut draft = two_processes();
    for (i, name) in ["=1+1", "+cmd", "-cmd", "@x"].iter().enumerate() {
        draft.kernels.push(blockstep_sim::scenario::KernelDraft { name: (*name).to_owned(), ..work("K", "b", i as u64, 1) });
    }
    let text = results_csv(&run(&draft), &Records::new(&run(&draft).trace)).to_string();
    assert!(text.contains(",'=1+1,"));
    assert!(text.lines().flat_map(|line| line.split(',')).all(|cell| !cell.starts_with(['=', '+', '-', '@'])));
}

#[test]
fn results_of_the_built_in_scenarios_can_be_shown() {
    for example in blockstep_sim::examples::all() {
        for kind in engine::kinds() {
            let mut draft = read_scenario(example.json).unwrap();
            draft.policy.kind = kind;
            if draft.kernels.iter().any(blockstep_sim::scenario::KernelDraft::spins) {
                draft.horizon_ns.get_or_insert(1_000_000_000);
            }
            let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
            let panel = panel(&run);
            assert_drawn(&panel);
            let results = Results::new(run.replay(), &Records::new(&run.trace));
            let Some(responses) = panel.responses else {
                // All jobs hang.
                assert!(results.tasks.iter().all(|task| task.responses.is_empty()), "{}", example.id);
                continue;
            };
            let several = results.tasks.iter().filter(|task| task.responses.len() > 1).count();
            assert_eq!(responses.times.is_some(), several > 0);
            assert_eq!((responses.histograms.len(), responses.bins.len()), (several.min(12), several.min(12)));
            assert!(responses.times.is_none_or(|times| times.figure.chart.label == "Distribution of the response times"));
        }
    }
}

fn holds(draft: &Draft) -> Result<(), TestCaseError> {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    let results = Results::new(run.replay(), &records);
    let end = run.trace.end();
    for (i, account) in results.operations.iter().enumerate() {
        let sum: u128 = account.parts.iter().map(|p| p.1).sum();
        prop_assert_eq!(sum, u128::from(account.response.ns()), "{}\n{}", run.trace.op_label(OpId::at(i)), run.trace.text());
        prop_assert!(account.parts.is_sorted());
    }
    for kernel in &results.kernels {
        prop_assert_eq!(kernel.parts.iter().map(|p| p.1).sum::<u128>(), kernel.response);
    }
    prop_assert_eq!(results.kernels.iter().map(|k| k.count).sum::<u64>(), run.trace.ops().len() as u64);
    // What ran, by the records.
    let mut thread_time = 0;
    for (i, block) in records.blocks.iter().enumerate() {
        let ran: u64 = records.block_runs(i).iter().map(|r| r.span().ns()).sum();
        thread_time += u128::from(ran) * u128::from(run.trace.row_of(block.op).needs.threads);
    }
    let usage = &results.usage;
    prop_assert_eq!(usage.thread_time(), thread_time);
    prop_assert_eq!(usage.processes.iter().map(|p| p.thread_time).sum::<u128>(), thread_time);
    prop_assert!(thread_time <= usage.available());
    prop_assert_eq!(usage.executing.ns() + usage.switching.ns() + usage.idle.ns(), end.ns());
    for (space, stay) in &records.residency {
        prop_assert!(usage.has_turns && stay.span() <= usage.processes[run.trace.layout().space(*space).processes[0].index()].resident);
    }
    let resident: u64 = records.residency.iter().map(|(_, stay)| stay.span().ns()).sum();
    let counted: u64 = usage.processes.iter().map(|p| p.resident.ns()).sum();
    prop_assert_eq!(resident, counted);
    prop_assert!(results.tasks.iter().map(|t| t.responses.len() as u64).eq(results.tasks.iter().map(|t| t.completed)));
    for task in &results.tasks {
        prop_assert!(task.responses.is_sorted() && task.block_times.is_sorted());
        if let (Some(bins), Some(last)) = (Histogram::new(&task.responses), distribution(&task.responses).last()) {
            prop_assert_eq!(bins.counts.iter().sum::<u64>(), task.completed);
            prop_assert_eq!(*last, (task.responses.last().unwrap().ns(), task.completed));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn results_add_up(draft in any_drafts()) {
        holds(&draft)?;
    }

    /// Suspension as the blocks' and copies' own intervals tell it.
    #[test]
    fn results_suspension_is_between_the_runs(draft in prop_oneof![turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]) {
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let records = Records::new(&run.trace);
        let results = Results::new(run.replay(), &records);
        let end = run.trace.end().ns();
        for (i, account) in results.operations.iter().enumerate() {
            let op = OpId::at(i);
            let mut stays: Vec<(u64, u64, Vec<_>)> = records.blocks_of(op).iter().map(|&b| {
                let block = &records.blocks[b as usize];
                (block.start.ns(), block.end.map_or(end, |e| e.ns()), records.block_runs(b as usize))
            }).collect();
            stays.extend(records.copies.iter().enumerate().filter(|(_, copy)| copy.op == op).map(|(c, copy)| {
                (copy.start.ns(), copy.end.map_or(end, |e| e.ns()), records.copy_runs(c))
            }));
            let is_suspended = |t: u64| {
                let on_device = |s: &&(u64, u64, Vec<blockstep_sim::units::TimeRange>)| s.0 <= t && t < s.1;
                stays.iter().any(|s| on_device(&s)) && !stays.iter().any(|s| s.2.iter().any(|r| r.contains(Time(t))))
            };
            let expected = (0..end).filter(|&t| is_suspended(t)).count() as u128;
            let counted = account.parts.iter().find(|p| p.0 == OpActivity::Suspended).map_or(0, |p| p.1);
            prop_assert_eq!(counted, expected, "{}\n{}", run.trace.op_label(op), run.trace.text());
        }
    }
}

#[test]
fn results_of_next_to_nothing_and_of_almost_for_ever_can_be_shown() {
    let nothing = run(&Draft::default());
    assert_eq!(panel(&nothing).tasks.head.len(), 10);
    assert_eq!(csv(&nothing).len(), 2 + 4 + 2 * 2 + 1 + 1);
    // Close to the last instant there is, and far apart.
    let kernels = vec![work("K1", "a", 0, 1), work("K2", "b", u64::MAX - 7, 3), work("K3", "c", 1, u64::MAX - 9)];
    for kind in engine::kinds() {
        let run = run(&Draft { kernels: kernels.clone(), ..stage(kind, &["A", "B", "C"]) });
        assert_drawn(&panel(&run));
        assert!(csv(&run).len() > 10);
    }
}

#[test]
fn results_charts_stay_in_their_frame_and_are_small() {
    use blockstep_draw::Theme;
    use blockstep_draw::chart::{Curve, Style, distributions, histogram, levels};

    let sorted: Vec<Span> = (0..200_000_u64).map(|i| Span(i * i / 7 + 1_000_000)).collect();
    let points: Vec<(Time, u64)> = (0..900).map(|i| (Time(i * 10), i % 3 * 2000)).collect();
    let (theme, colour) = (Theme::light(), Rgb(0, 0x72, 0xb2));
    let style = Style { theme: &theme, size: (400, 200) };
    let curve = |dashes| Curve { colour, dashes, points: distribution(&sorted), deadline: Some(1_000_000_000) };
    let charts = [
        distributions(&[curve(&[]), curve(&[6, 2])], style, "<two> & \"more\""),
        histogram(&Histogram::new(&sorted).unwrap(), Some(3_000_000_000), colour, style, "bins"),
        levels(&Levels { points, greatest: 4000 }, Time(9000), 4096, colour, style, "threads"),
    ];
    assert!(charts[0].starts_with("<svg role=\"img\" aria-label=\"&lt;two> &amp; &quot;more&quot;\" "), "{}", &charts[0][..200]);
    for chart in &charts {
        assert!(chart.len() < 40_000, "{}", chart.len());
        assert!(chart.contains("<text") && chart.contains("<polyline") || chart.contains("<polygon"));
        for list in chart.split(" points=\"").skip(1) {
            for point in list.split('"').next().unwrap().split_whitespace() {
                let (x, y) = point.split_once(',').unwrap();
                let (x, y): (i32, i32) = (x.parse().unwrap(), y.parse().unwrap());
                assert!((0..=400).contains(&x) && (0..=200).contains(&y), "{x},{y}");
            }
        }
    }
}

/// A color where differences look alike, as Björn Ottosson's OKLab has it.
fn oklab(Rgb(r, g, b): Rgb) -> [f64; 3] {
    let [r, g, b] = [r, g, b].map(|c| {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    let l = (0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_78 * m - 0.004_072_05 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_04 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Two colors of a legend are told apart at a glance, patterns or not.
#[test]
fn results_have_no_two_equal_colors_in_a_legend() {
    let far = |a: Rgb, b: Rgb| oklab(a).iter().zip(oklab(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    for is_dark in [false, true] {
        for example in blockstep_sim::examples::all() {
            let run = run(&read_scenario(example.json).unwrap());
            let options = Options { is_dark, ..OPTIONS };
            let panel = results_panel(&run, &Records::new(&run.trace), &results(&run), &[], options);
            let legend = panel.breakdown.map(|of| of.legend).unwrap_or_default();
            for (i, one) in legend.iter().enumerate() {
                for other in &legend[..i] {
                    let apart = far(one.look.colour, other.look.colour);
                    assert!(apart > 0.065, "{}, dark {is_dark}: {} and {} are {apart} apart", example.id, one.label, other.label);
                }
            }
        }
        let rows: Vec<Rgb> = (0..24).map(|row| blockstep_view::palette::colour_of(blockstep_sim::units::RowId(row), is_dark)).collect();
        for (i, one) in rows.iter().enumerate() {
            assert!(rows[..i].iter().all(|other| far(*one, *other) > 0.035), "color {i}, dark {is_dark}");
        }
    }
}
