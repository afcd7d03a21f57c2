//! The page of an example: its text, its moments, what it is made of, and the rules that its run uses.
//!
//! Depends on examples and the ledger. Invariant: what is said of a moment is said of the run at that moment.

use maud::html;

use blockstep_learn::ledger::Ledger;
use blockstep_sim::examples::{self, Example};
use blockstep_sim::policy;
use blockstep_sim::trace::Rule;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_time;

use crate::part::{Part, PartKind, chips, cut, example_at, link, stepper};
use crate::pictures::ShownRun;
use crate::{SiteError, Source};

/// An example with its run.
pub(crate) struct ShownExample {
    pub(crate) example: &'static Example,
    pub(crate) shown: ShownRun,
    pub(crate) ledger: Ledger,
}

/// Every example, in the order of the list.
pub(crate) fn shown() -> Result<Vec<ShownExample>, SiteError> {
    let one = |example: &'static Example| {
        let shown = ShownRun::simulate(example.json)?;
        let ledger = Ledger::new(&shown.run, &shown.records);
        Ok(ShownExample { example, shown, ledger })
    };
    examples::all().map(one).collect()
}

impl ShownExample {
    /// The rules that its run uses.
    fn rules(&self) -> impl Iterator<Item = Rule> + '_ {
        self.ledger.entries().iter().filter(|entry| entry.is_used()).map(|entry| entry.rule)
    }

    /// Where its run uses a rule for the first time, and what is to be seen there.
    pub(crate) fn first_use(&self, rule: Rule) -> Option<(Stop, String)> {
        let (entry, trace) = (self.ledger.entry(rule), &self.shown.run.trace);
        let position = entry.first()?;
        let stop = Stop::at_step(trace, position);
        let words = self.shown.words(stop);
        // The step itself may be of another rule.
        let waits = entry.waits_from(position).first().filter(|_| entry.ordinal(trace, position).is_none());
        let words = match waits {
            Some(wait) if wait.is_rest => format!("{words} The rest of {} begins to wait.", trace.op_label(wait.op)),
            Some(wait) => format!("{words} {} begins to wait.", trace.op_label(wait.op)),
            None => words,
        };
        Some((stop, words))
    }

    fn moment(&self, at_ns: u64) -> Stop {
        Stop::at_time(&self.shown.run.trace, Time(at_ns))
    }
}

/// Its page.
pub(crate) fn part(shown: &ShownExample, source: &Source) -> Part {
    let (example, trace) = (shown.example, &shown.shown.run.trace);
    let scenario = trace.scenario();
    let policy = policy::about(scenario.policy().kind);
    let first = Stop::at_step(trace, example.bookmarks.first().map_or(0, |first| shown.moment(first.at_ns).position));
    let tours = source.tours.iter().filter(|tour| tour.stops.iter().any(|stop| tour.began(&stop.setting) == Some(example.id)));
    let tours: Vec<_> = tours.collect();
    let body = html! {
        h2 { "Moments" }
        ol.moments {
            @for bookmark in example.bookmarks {
                @let stop = shown.moment(bookmark.at_ns);
                li {
                    h3 {
                        a href=(stepper(&example_at(example.id, stop.position))) { (format_time(bookmark.at_ns)) ": " (bookmark.label) }
                    }
                    p { (bookmark.text) }
                    p.step { (shown.shown.words(stop)) }
                }
            }
        }
        h2 { "What runs" }
        dl {
            dt { "GPU" } dd { (scenario.device().name) }
            dt { "Policy" } dd { (policy.title) ": " (policy.help) }
            dt { "Tasks" } dd { (scenario.tasks().iter().map(|task| &*task.name).collect::<Vec<_>>().join(", ")) }
            dt { "Length" } dd { (format_time(trace.end().ns())) ", " (trace.steps().len()) " steps" }
        }
        h2 { "Rules that this run uses" }
        (chips(shown.rules()))
        @if !tours.is_empty() {
            h2 { "Tours through it" }
            ul { @for tour in tours { li { (link(PartKind::Tour, &tour.id, tour.full_title())) } } }
        }
    };
    Part {
        kind: PartKind::Example,
        id: example.id.to_owned(),
        title: example.title.to_owned(),
        description: cut(example.text),
        picture: shown.shown.picture(first, shown.shown.words(first), format!("../posters/{}.svg", example.id), false),
        like: None,
        group: example.group.to_owned(),
        open: ("Step through this example", format!("example={}", example.id)),
        lead: html! { p { (example.text) } p.source { "Source: " (example.source) } },
        body,
    }
}
