//! What the tool says of differences between what was measured and what was simulated.
//!
//! Invariant: a time is exact.

use serde::{Deserialize, Serialize};

use super::later;
use super::loaded::{Laid, Loaded};
use blockstep_sim::measured::fit::{Difference, How};
use blockstep_sim::units::Time;
use blockstep_view::quantity::{format_count, format_time};

/// Most of what is listed of a kind.
const MAX_LISTED: usize = 5;

/// A sentence, and where to go for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    pub text: String,
    /// When that is in the run on screen, if it has a time.
    pub at: Option<Time>,
}

impl Laid<'_> {
    /// The kernels that differ first, and those that differ most; only the first ones if that is all.
    pub(super) fn differences(&self, loaded: &Loaded<'_>) -> [Vec<Remark>; 2] {
        let mut all = self.fit.differences(&self.simulation.records, loaded.tolerance_ns);
        let remarks = |some: &[Difference]| some.iter().take(MAX_LISTED).map(|of| self.difference(loaded, of)).collect();
        let first = remarks(&all);
        if all.len() <= MAX_LISTED {
            return [first, Vec::new()];
        }
        all.sort_by_key(|of| std::cmp::Reverse(of.later_ns.unsigned_abs()));
        [first, remarks(&all)]
    }

    fn difference(&self, loaded: &Loaded<'_>, of: &Difference) -> Remark {
        let kernel = &self.fit.kernels[of.kernel];
        let block = self.fit.blocks[of.block];
        let said = if of.is_end { ended } else { started };
        let name = &loaded.names[kernel.log][kernel.kernel];
        Remark { text: said(name, block.measured, of.later_ns, of.at), at: Some(of.at) }
    }

    /// Kernels that ran elsewhere, have other blocks or no counterpart.
    pub(super) fn others(&self, loaded: &Loaded<'_>) -> Vec<Remark> {
        let name = |log: usize, kernel: usize| &loaded.names[log][kernel];
        let (mut remarks, mut more) = (Vec::new(), 0);
        // Of many only the first are put into words.
        let mut add = |at: Option<Time>, text: &dyn Fn() -> String| {
            if remarks.len() < 2 * MAX_LISTED {
                remarks.push(Remark { text: text(), at });
            } else {
                more += 1;
            }
        };
        let records = &self.simulation.records;
        for of in self.fit.kernels.iter().filter(|k| k.moved > 0) {
            let first = self.fit.blocks[of.blocks.clone()].iter().find(|block| block.is_moved);
            add(first.map(|block| records.blocks[block.record].start), &|| {
                format!(
                    "{}: {} of its {} blocks ran on other SMs than simulated.",
                    name(of.log, of.kernel),
                    format_count(of.moved as u64),
                    format_count(of.blocks.len() as u64)
                )
            });
        }
        for of in self.fit.kernels.iter().filter(|k| k.only_measured + k.only_simulated > 0) {
            let name = name(of.log, of.kernel);
            add(records.ops[of.op.index()].start, &|| match of.only_measured {
                0 => format!("{name}: {} of its blocks were simulated, but not measured.", format_count(of.only_simulated as u64)),
                more => format!("{name}: {} of its blocks were measured, but not simulated.", format_count(more as u64)),
            });
        }
        for &(log, kernel) in &self.fit.only_measured {
            let at = loaded.measured.logs[log].kernels[kernel].first_start().map(|ns| self.fit.simulated(ns));
            add(at, &|| format!("{} was measured and has no counterpart in the run on screen.", name(log, kernel)));
        }
        for &op in &self.fit.only_simulated {
            add(records.ops[op.index()].start, &|| {
                format!("{} was simulated and is in none of the logs.", self.simulation.run.trace.op_label(op))
            });
        }
        if more > 0 {
            remarks.push(Remark { text: format!("… and {} more of this kind.", format_count(more)), at: None });
        }
        remarks
    }

    /// How the two runs were laid over each other, and how far apart they are.
    pub(super) fn summary(&self, loaded: &Loaded<'_>) -> Vec<(&'static str, String)> {
        let fit = &self.fit;
        let total = loaded.measured.blocks().count();
        let kernels: usize = loaded.measured.logs.iter().map(|log| log.kernels.len()).sum();
        let how = fit.kernels.iter().map(|kernel| kernel.how).max();
        let worst = |end: bool| {
            let of = |i: usize| if end { fit.blocks[i].end_ns } else { Some(fit.blocks[i].start_ns) };
            let all = || fit.kernels.iter().flat_map(|k| k.blocks.clone().map(move |i| (k, i)));
            let worst =
                all().filter_map(|(k, i)| Some((of(i)?, k, i))).reduce(|a, b| if b.0.unsigned_abs() > a.0.unsigned_abs() { b } else { a });
            worst.map_or("none is known".to_owned(), |(ns, k, i)| {
                format!("{} ({}:{})", later(ns), loaded.names[k.log][k.kernel], fit.blocks[i].measured)
            })
        };
        vec![
            ("Matched", matched((fit.kernels.len(), kernels), (fit.blocks.len(), total), how)),
            ("Offset", format!("{} of the logs is 0 s of the run", blockstep_sim::measured::seconds(fit.offset_ns))),
            ("Typical difference", format!("{} off, earlier or later (the median of all starts and ends)", format_time(fit.typical_ns()))),
            ("Worst start", worst(false)),
            ("Worst end", worst(true)),
        ]
    }
}

/// Kernels and blocks that are matched, of how many, and by what.
pub(super) fn matched(kernels: (usize, usize), blocks: (usize, usize), how: Option<How>) -> String {
    let how = match how {
        Some(How::Order) => "those without a known name by their order, because blocks and threads agree",
        Some(How::Label) => "by the logs' labels, in their order",
        _ => "by their names",
    };
    let of = |(some, all): (usize, usize)| format!("{} of {}", format_count(some as u64), format_count(all as u64));
    format!("{} kernels, {} blocks; {how}", of(kernels), of(blocks))
}

pub(super) fn started(kernel: &str, block: usize, later_ns: i64, at: Time) -> String {
    format!("{kernel}, block {block}: started {} than simulated ({}).", later(later_ns), format_time(at.ns()))
}

pub(super) fn ended(kernel: &str, block: usize, later_ns: i64, at: Time) -> String {
    format!("{kernel}, block {block}: ended {} than simulated ({}).", later(later_ns), format_time(at.ns()))
}
