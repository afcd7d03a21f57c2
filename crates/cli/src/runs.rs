//! `blockstep sweep FILE --vary FIELD=VALUES`: a scenario run with many values of its fields, on all cores, in parts if wanted.
//!
//! Depends on `sweep`. Invariants: what is printed of a whole sweep does not depend on the number of cores or on how it is divided; a
//! sweep that was stopped prints the runs before the first that is missing.

use std::ops::Range;

use rayon::prelude::*;

use super::meter::{Meter, PORTION};
use super::stop::Stop;
use super::sweep::SweepArgs;
use super::{Failed, Input, Streams, name};
use blockstep_analysis::parts;
use blockstep_format as format;
use blockstep_sim::engine::Limits;
use blockstep_sim::language::counted;
use blockstep_sim::scenario::plain;
use blockstep_sweep::{ChartLook, Measure, Part, Plan, chart};

impl Streams<'_> {
    /// Runs a sweep, or one part of it.
    pub(super) fn sweep_runs(&mut self, file: &str, args: &SweepArgs) -> Result<(), Failed> {
        let input = Input { file: file.into(), duration: None, device: None };
        let loaded = self.load(&input, None)?;
        let measures = match &args.chart {
            Some(measure) => vec![measure.clone()],
            None if args.measure.is_empty() => Measure::USUAL.to_vec(),
            None => args.measure.clone(),
        };
        let limits = Limits { max_steps: args.max_steps };
        let plan = match Plan::new(&loaded.opened.draft, &args.vary, &measures, args.links.as_deref(), limits) {
            Ok(plan) => plan,
            Err(why) => return self.fail(&plain(&why.to_string())),
        };
        if let Some(run) = args.run {
            return match plan.draft(run) {
                _ if run >= plan.count() => {
                    self.fail(&format!("--run {run}: the sweep has {}, counted from 0", counted_runs(plan.count())))
                }
                Ok(draft) => self.print(format::write_scenario(&draft)),
                Err(why) => self.fail(&why),
            };
        }
        let (part, parts) = args.shard.unwrap_or((1, 1));
        let runs = parts::part(plan.count(), part, parts);
        let stop = self.stop_by_signal()?;
        self.begin(&args.time, &name(&input.file));
        let meter = self.meter.clone();
        let rows = self.on_cores(args.cores, || rows(&plan, runs.clone(), &meter, &stop))?;
        let done = rows.len() as u64;
        let result = Part::new(plan.mark(), plan.count(), plan.header(), rows);
        let problems = result.problems().count() as u64;
        // Of a part, others may have runs that can be made: it is a part all the same.
        if let Some(why) = result.problems().next().filter(|_| parts == 1 && problems == done) {
            return self.fail(&format!("no run can be made; the first: {why}"));
        }
        if problems > 0 {
            self.say("note", format!("{} cannot be made; the column problem says why", counted_runs(problems)));
        }
        if done < runs.end - runs.start {
            self.say("warning", format!("{}: {done} of {} were made", stop.why(&self.meter), counted_runs(runs.end - runs.start)));
            self.print_part(&result, args.chart.as_ref())?;
            self.status = stop.status();
            return Err(Failed);
        }
        self.print_part(&result, args.chart.as_ref())
    }

    /// As a table, or as a picture of a measure.
    fn print_part(&mut self, part: &Part, measure: Option<&Measure>) -> Result<(), Failed> {
        match measure {
            None => self.print(part.write()),
            Some(measure) => self.print_chart(part, measure),
        }
    }

    /// As a picture of a measure.
    pub(super) fn print_chart(&mut self, part: &Part, measure: &Measure) -> Result<(), Failed> {
        match chart(part, measure, ChartLook::FILE) {
            Ok(chart) => self.print(chart.svg),
            Err(why) => self.fail(&plain(&format!("--chart: {why}"))),
        }
    }
}

fn counted_runs(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "run")
}

/// The rows of runs, on all cores; if it is to stop, those before the first that was not made.
fn rows(plan: &Plan, runs: Range<u64>, meter: &Meter, stop: &Stop) -> Vec<(u64, Vec<String>)> {
    meter.count_to(runs.end - runs.start, "runs");
    let may_go_on = || !stop.is_asked() && meter.has_time();
    let made: Vec<Option<Vec<String>>> = runs
        .clone()
        .into_par_iter()
        .map(|run| {
            let row = may_go_on().then(|| plan.row_within(run, PORTION, &may_go_on)).flatten();
            meter.advance(1);
            row
        })
        .collect();
    runs.zip(made).map_while(|(run, row)| Some((run, row?))).collect()
}
