//! The logs of a measured run that were opened last, with what is derived from them.
//!
//! Invariant: they are too large for a tool's memory, so they are only here, found by a mark that no other logs have; whoever asks must
//! do without them.

use std::sync::Arc;

use super::Simulation;
use blockstep_sim::check::measured::Conformance;
use blockstep_sim::measured::fit::{self, Fit};
use blockstep_sim::measured::rebuild::short_names;
use blockstep_sim::measured::{InferredDevice, Measured, infer_device};
use blockstep_sim::trace::Trace;
use blockstep_view::measured::Picture;

pub type Names = Arc<Vec<Vec<String>>>;

/// At most the logs of one run.
#[derive(Default)]
pub struct Logs {
    cached: Option<CachedLogs>,
}

struct CachedLogs {
    mark: String,
    measured: Arc<Measured>,
    device: Arc<InferredDevice>,
    names: Names,
    picture: Option<(String, Option<Arc<Trace>>, Arc<Picture>)>,
    fit: Option<(Arc<Trace>, Option<Arc<Fit>>)>,
    conformance: Option<(String, Option<Arc<Trace>>, Arc<Conformance>)>,
}

impl Logs {
    /// Keeps logs in the place of those before.
    pub fn keep(&mut self, mark: String, measured: Arc<Measured>) {
        let device = Arc::new(infer_device(&measured));
        let names = Arc::new(short_names(&measured));
        self.cached = Some(CachedLogs { mark, measured, device, names, picture: None, fit: None, conformance: None });
    }

    /// The logs of a mark, if they are still here, with a name for each kernel and the device they seem to be from.
    #[must_use]
    pub fn get(&self, mark: &str) -> Option<(Arc<Measured>, Names, Arc<InferredDevice>)> {
        let kept = self.cached.as_ref().filter(|kept| kept.mark == mark)?;
        Some((Arc::clone(&kept.measured), Arc::clone(&kept.names), Arc::clone(&kept.device)))
    }

    /// The picture of the logs kept, as it was made for this layout in words and this run, or made now.
    pub fn picture(&mut self, layout: &str, over: Option<&Arc<Trace>>, make: impl FnOnce() -> Picture) -> Arc<Picture> {
        let Some(kept) = self.cached.as_mut() else { return Arc::new(make()) };
        match &kept.picture {
            Some((of, run, picture)) if of == layout && is_same(run.as_ref(), over) => Arc::clone(picture),
            _ => {
                let picture = Arc::new(make());
                kept.picture = Some((layout.to_owned(), over.cloned(), Arc::clone(&picture)));
                picture
            }
        }
    }

    /// What the rules say of the logs kept, as it was found with these settings in words and this run, or found now.
    pub fn conformance(
        &mut self,
        settings: &str,
        over: Option<&Arc<Trace>>,
        judge: impl FnOnce(&Measured) -> Conformance,
    ) -> Arc<Conformance> {
        let Some(kept) = self.cached.as_mut() else { return Arc::new(judge(&Measured::default())) };
        match &kept.conformance {
            Some((of, run, found)) if of == settings && is_same(run.as_ref(), over) => Arc::clone(found),
            _ => {
                let found = Arc::new(judge(&kept.measured));
                kept.conformance = Some((settings.to_owned(), over.cloned(), Arc::clone(&found)));
                found
            }
        }
    }

    /// The logs kept laid over a run.
    pub fn fit(&mut self, made: &Simulation) -> Option<Arc<Fit>> {
        let kept = self.cached.as_mut()?;
        let trace = &made.run.trace;
        match &kept.fit {
            Some((of, fit)) if Arc::ptr_eq(of, trace) => fit.clone(),
            _ => {
                let fit = fit::fit(&kept.measured, trace, &made.records).map(Arc::new);
                kept.fit = Some((Arc::clone(trace), fit.clone()));
                fit
            }
        }
    }
}

fn is_same(a: Option<&Arc<Trace>>, b: Option<&Arc<Trace>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}
