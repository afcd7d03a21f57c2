//! What leaves the page: the differences as a table for spreadsheets, and the pictures as one figure.
//!
//! Invariant: both name every changed rule, and files with one say so in their names.

use std::fmt::{self, Formatter, Write};

use super::beside::{RunBeside, RunKey, device_name, policy};
use super::mapped;
use crate::tool::{Context, save_table};
use blockstep_draw as draw;
use blockstep_format::csv_cell;
use blockstep_learn::compare::tables::Tables;
use blockstep_protocol::Effect;
use blockstep_sim::scenario::Class;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Time;
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{LEFT_PX, RIGHT_PX};

const FIGURE_PX: f64 = 960.0;

/// No value, and no difference.
const NONE: [Option<i128>; 2] = [None; 2];

const HEADER: &str = "section,name,run,changed_rules,count,completed,issued_ns,start_ns,end_ns,end_difference_ns,response_ns,\
response_difference_ns,waiting_ns,waiting_difference_ns,worst_ns,worst_difference_ns,missed,missed_difference,best_effort_late,best_effort_late_difference\n";

/// The tables with every line, and differences from the run on screen.
pub(super) fn csv(beside: &[RunBeside], context: &mut Context<'_>) -> Effect {
    let own = &context.place.simulation;
    let made: Vec<_> = beside.iter().filter_map(|b| b.simulation.as_ref().ok().map(|made| (b.other, made))).collect();
    let tables = context.runs.tables(&std::iter::once(own).chain(made.iter().map(|(_, made)| *made)).collect::<Vec<_>>());
    let heads: Vec<[String; 2]> = std::iter::once(["on screen".to_owned(), String::new()])
        .chain(made.iter().map(|(other, made)| [other.heading(), made.run.trace.variants().ids()]))
        .collect();
    let name = changes(beside).file_name("comparison", "csv");
    save_table(name, fmt::from_fn(|out| table(out, &tables, &heads)))
}

fn table(out: &mut Formatter<'_>, tables: &Tables, heads: &[[String; 2]]) -> fmt::Result {
    out.write_str(HEADER)?;
    let mut line = |section: &str, name: &str, run: usize, numbers: [Option<i128>; 16]| {
        write!(out, "{section},{},{},{}", csv_cell(name), csv_cell(&heads[run][0]), csv_cell(&heads[run][1]))?;
        for number in numbers {
            match number {
                Some(number) => write!(out, ",{number}")?,
                None => out.write_char(',')?,
            }
        }
        out.write_char('\n')
    };
    for operation in &tables.operations {
        for (run, life) in operation.runs.iter().enumerate() {
            let Some(life) = life else { continue };
            let base = operation.runs[0].as_ref().filter(|_| run > 0);
            let ns = |time: Option<Time>| time.map(Time::ns);
            let response = pair(life.response, base.map(|b| b.response));
            let waiting = pair(life.waiting, base.map(|b| b.waiting));
            let end = pair(ns(life.end), base.map(|b| ns(b.end)));
            let times = [Some(life.count), Some(life.completed), Some(life.issued.ns()), ns(life.start)].map(|n| n.map(i128::from));
            let [count, completed, issued, start] = times;
            line(
                "operation",
                &operation.name,
                run,
                [
                    count,
                    completed,
                    issued,
                    start,
                    end[0],
                    end[1],
                    response[0],
                    response[1],
                    waiting[0],
                    waiting[1],
                    None,
                    None,
                    None,
                    None,
                    None,
                    None,
                ],
            )?;
        }
    }
    for task in &tables.tasks {
        for (run, fate) in task.runs.iter().enumerate() {
            let Some(fate) = fate else { continue };
            let base = task.runs[0].as_ref().filter(|_| run > 0);
            let mean = pair(fate.mean, base.map(|b| b.mean));
            let worst = pair(fate.worst, base.map(|b| b.worst));
            let missed = pair(Some(fate.missed).filter(|_| fate.judged > 0), base.map(|b| Some(b.missed)));
            let (missed, late) = if fate.class == Class::RealTime { (missed, NONE) } else { (NONE, missed) };
            let counts = [fate.released, fate.completed].map(|n| Some(i128::from(n)));
            line(
                "task",
                &task.name,
                run,
                [
                    counts[0], counts[1], None, None, None, None, mean[0], mean[1], None, None, worst[0], worst[1], missed[0], missed[1],
                    late[0], late[1],
                ],
            )?;
        }
    }
    for (run, of_run) in tables.wholes.iter().enumerate() {
        let base = (run > 0).then_some(&tables.wholes[0]);
        let end = pair(Some(of_run.last.ns()), base.map(|b| Some(b.last.ns())));
        let missed = pair(Some(of_run.missed), base.map(|b| Some(b.missed)));
        let late =
            pair(Some(of_run.best_effort).filter(|late| late.judged > 0).map(|late| late.missed), base.map(|b| Some(b.best_effort.missed)));
        let none = None;
        line(
            "run",
            "",
            run,
            [none, none, none, none, end[0], end[1], none, none, none, none, none, none, missed[0], missed[1], late[0], late[1]],
        )?;
    }
    Ok(())
}

/// A value and how much it is more than that of the run on screen.
fn pair(value: Option<u64>, base: Option<Option<u64>>) -> [Option<i128>; 2] {
    let value = value.map(i128::from);
    [value, value.zip(base.flatten().map(i128::from)).map(|(value, base)| value - base)]
}

/// The timelines below each other, all of each, on one scale.
pub(super) fn figure(beside: &[RunBeside], context: &mut Context<'_>) -> Effect {
    let (simulation, runs) = (&context.place.simulation, &mut *context.runs);
    let made: Vec<_> = beside.iter().filter_map(|b| b.simulation.as_ref().ok().map(|made| (b.other, made))).collect();
    let own = runs.timeline(simulation);
    let others: Vec<_> = made.iter().map(|(_, made)| runs.timeline(made)).collect();
    let end = others.iter().map(|timeline| timeline.end()).fold(own.end(), Time::max);
    let scale = TimeScale::fit(end, LEFT_PX, FIGURE_PX - LEFT_PX - RIGHT_PX);
    let scenario = simulation.run.trace.scenario();
    let rows = scenario.rows().len();
    let own_name = super::run(policy(scenario.policy().kind), device_name(&scenario.device().name));
    let name = if scenario.name().is_empty() { "Comparison" } else { scenario.name() };
    let mut pictures = vec![(format!("{name}: {own_name}"), own.frame(&scale, own.natural_height_px(true), None, None))];
    for ((other, made), timeline) in made.iter().zip(&others) {
        let mut frame = timeline.frame(&scale, timeline.natural_height_px(true), None, None);
        mapped::frame(&mut frame, runs.differences(simulation, made).matching(), rows);
        pictures.push((other.heading(), frame));
    }
    let titled: Vec<_> = pictures.iter().map(|(title, frame)| (title.as_str(), frame)).collect();
    let description =
        format!("Timelines on one scale: {}.", pictures.iter().map(|(title, _)| title.as_str()).collect::<Vec<_>>().join("; "));
    Effect::SaveFile {
        name: changes(beside).file_name("comparison", "svg"),
        kind: "image/svg+xml".to_owned(),
        text: draw::stacked(&titled, name, &description, false),
    }
}

/// Every rule that is changed in some run.
fn changes(beside: &[RunBeside]) -> Variants {
    let of = |b: &RunBeside| if let RunKey::Rules(rules) = b.other { rules } else { Variants::NONE };
    beside.iter().flat_map(|b| of(b).iter()).collect()
}
