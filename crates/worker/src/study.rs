//! Studies in parts, so that many workers can count and any can stop.
//!
//! Depends on `report` and `analysis`. Invariant: what a part counts depends on study, point and range alone, and the
//! counts of parts add up to those of the whole.

use web_time::Instant;

use crate::error::WorkerError;
use blockstep_analysis::presets;
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::{Counter, Counts, Sweep};
use blockstep_format as format;
use blockstep_protocol::{
    CheckedStudy, CountStudy, CountedPart, FailingSets, FieldProblem, OpenSet, OpenedSet, StudyCsv, StudyFigure, StudyForm, StudyPlan,
    StudySvg,
};
use blockstep_report::Options;
use blockstep_report::study::form::StudyTexts;
use blockstep_report::study::{self, sets};
use blockstep_view::panels::study::{FailingPanel, FigurePanel};

/// Most sets of one part.
pub(super) const MAX_PART: u64 = 10_000_000;

/// The form that a link describes.
pub(super) fn form(link: &str) -> StudyForm {
    let studies = presets::ALL.iter().map(|preset| (preset.id.to_owned(), preset.title.to_owned())).collect();
    let read = StudyTexts::read(link);
    StudyForm { texts: read.texts().to_vec(), studies, unknown: read.unknown().to_vec() }
}

/// What a form comes to.
pub(super) fn check(texts: Vec<String>) -> CheckedStudy {
    let form = StudyTexts::with(texts);
    let plan = form.sweep().map(|sweep| StudyPlan {
        study: format::write_sweep(&sweep),
        points: sweep.utilisation.count() as u32,
        tests: sweep.tests.len() as u32,
        sets: sweep.sets,
    });
    let problem = |(field, problem): (&str, String)| FieldProblem { field: field.to_owned(), problem };
    CheckedStudy { link: form.link(), plan: plan.map_err(|problems| problems.into_iter().map(problem).collect()) }
}

/// What is kept from one request to the next.
#[derive(Default)]
pub(super) struct Studies {
    /// The last study, by its file.
    last: Option<(String, Sweep)>,
}

impl Studies {
    pub(super) fn count(&mut self, request: &CountStudy) -> Result<CountedPart, WorkerError> {
        let began = Instant::now();
        let sweep = self.sweep(&request.study)?;
        let utilisation = sets::utilisation(sweep, request.point)?;
        let sets = request.from..request.to.min(sweep.sets);
        if sets.end.saturating_sub(sets.start) > MAX_PART {
            return Err(WorkerError::LargePart);
        }
        let counts = Counter::new(sweep).count(utilisation, sets);
        Ok(CountedPart { counts, took_ms: began.elapsed().as_millis() as u64 })
    }

    pub(super) fn figure(&mut self, request: &StudyFigure) -> Result<FigurePanel, WorkerError> {
        let sweep = self.sweep(&request.study)?;
        let counts = fitting(sweep, &request.counts)?;
        let options = Options { is_dark: request.is_dark, width_px: request.width_px };
        Ok(study::figure(sweep, counts, request.progress, request.has_table, options))
    }

    pub(super) fn svg(&mut self, request: &StudySvg) -> Result<String, WorkerError> {
        let sweep = self.sweep(&request.study)?;
        Ok(study::figure_svg(sweep, fitting(sweep, &request.counts)?))
    }

    pub(super) fn csv(&mut self, request: StudyCsv) -> Result<String, WorkerError> {
        let sweep = self.sweep(&request.study)?;
        let is_whole = fitting(sweep, &request.counts)?.iter().all(|c| c.sets + c.undrawn == sweep.sets);
        let mut results = Results::new(sweep.clone(), 0..sweep.sets, request.counts);
        results.sets = results.sets.filter(|_| is_whole);
        Ok(format::write_results(&results))
    }

    pub(super) fn failing(&mut self, request: &FailingSets) -> Result<FailingPanel, WorkerError> {
        Ok(sets::failing(self.sweep(&request.study)?, request.at)?)
    }

    pub(super) fn open(&mut self, request: &OpenSet) -> Result<OpenedSet, WorkerError> {
        let opened = sets::open(self.sweep(&request.study)?, request.at, request.set)?;
        Ok(OpenedSet { scenario: format::write_scenario(&opened.draft), at: opened.at, why: opened.why })
    }

    /// The study of this file.
    fn sweep(&mut self, file: &str) -> Result<&Sweep, WorkerError> {
        let study = match self.last.take().filter(|(known, _)| known == file) {
            Some(study) => study,
            None => (file.to_owned(), format::read_sweep(file)?),
        };
        Ok(&self.last.insert(study).1)
    }
}

/// The counts, if they can be those of the study.
fn fitting<'c>(sweep: &Sweep, counts: &'c [Counts]) -> Result<&'c [Counts], WorkerError> {
    let fits = |c: &Counts| {
        let is_enough = c.sets.checked_add(c.undrawn).is_some_and(|n| n <= sweep.sets);
        is_enough && c.passed.len() == sweep.tests.len() && c.passed.iter().all(|k| *k <= c.sets)
    };
    let is_fitting = counts.len() as u64 == sweep.utilisation.count() && counts.iter().all(fits);
    if is_fitting { Ok(counts) } else { Err(WorkerError::OtherCounts) }
}
