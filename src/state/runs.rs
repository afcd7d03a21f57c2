//! From the document to its run: simulated here if that is quick, else in the worker.
//!
//! Depends on the engine, on `client` and on view models. Invariant: a document's run is the same
//! wherever it was made; one that has problems has none.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use js_sys::Uint32Array;
use leptos::prelude::*;

use super::{begun, pace};
use blockstep_format as format;
use blockstep_protocol::{Progress, RunId, Simulate, Simulated};
use blockstep_sim::engine::{self, Limits, Rebuild, Run, Simulation};
use blockstep_sim::record::{Recording, Records};
use blockstep_sim::scenario::{Draft, Problem, Scenario};
use blockstep_sim::trace::{STEP_WORDS, Trace, Variants};
use blockstep_sim::units::{RowId, Time};
use blockstep_sim::work::{self, Budget};
use blockstep_ui::client::{self, WorkerFor};
use blockstep_view::document::Document;
use blockstep_view::edit_effect::RunWithRows;
use blockstep_view::problems;
use blockstep_view::table::Table;
use blockstep_view::timeline::{Building, Timeline};

/// Of a larger scenario (see [`Draft::size`]) no run is even begun on the page.
const MAX_SIZE_HERE: u64 = 50_000;
/// Nor of one whose kernels, launched once each, have more blocks: two steps of each are more than is tried here, and what is
/// tried takes memory that the page keeps.
const MAX_BLOCKS_HERE: u64 = pace::LEAST / 2;
/// Work that is tried on the page after an edit of a scenario whose run was long: as much as small scenarios take.
const AFTER_A_LONG_ONE: u64 = 60_000;

/// A run of more steps is large. WebAssembly's memory never shrinks, so the page has one such run at a time, and a worker that has
/// made one ends.
const LARGE: usize = 1_000_000;
/// Steps of a run that are added as they come. With more, it waits until all have come and it is known how much room they take;
/// beside a large one it waits at once, as that goes for one as large.
const AS_THEY_COME: usize = LARGE / 4;

/// A run with what is derived from it once.
#[derive(Clone)]
pub(crate) struct RunData {
    pub(crate) id: RunId,
    pub(crate) run: Run,
    pub(crate) records: Arc<Records>,
    pub(crate) timeline: Arc<Timeline>,
    /// What was simulated.
    document: Arc<Document>,
    /// Ids of the document's kernel rows, by row.
    row_ids: Arc<[u32]>,
    /// Whether it only stands in for one to come.
    pub(crate) is_coming: bool,
}

impl PartialEq for RunData {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl RunData {
    fn new(run: Run, document: &Arc<Document>) -> Self {
        let records = Arc::new(Records::new(&run.trace));
        let timeline = Timeline::new(&run.trace, &records);
        Self::with_timeline(run, timeline, document)
    }

    fn with_timeline(run: Run, timeline: Timeline, document: &Arc<Document>) -> Self {
        let records = Arc::clone(timeline.records());
        let timeline = Arc::new(timeline);
        let row_ids = document.ids(Table::Kernels).into();
        let id = RunId(NEXT.fetch_add(1, Ordering::Relaxed));
        register(id, document);
        Self { id, run, records, timeline, document: Arc::clone(document), row_ids, is_coming: false }
    }

    /// A run before its first step, which stands in for what it will be.
    fn to_come(scenario: &Arc<Scenario>, document: &Arc<Document>) -> Self {
        let run = Rebuild::new(scenario, Vec::new()).finish(Time::ZERO, None);
        Self { is_coming: true, ..Self::new(run, document) }
    }

    /// Its rows, and what tells them through edits.
    pub(crate) fn with_rows(&self) -> RunWithRows<'_> {
        RunWithRows { trace: &self.run.trace, records: &self.records, row_ids: &self.row_ids }
    }

    /// Whether the same was simulated, by whatever name.
    pub(crate) fn is_of_the_same(&self, other: &Self) -> bool {
        let unnamed = |run: &Self| Draft { name: String::new(), ..run.document.draft() };
        Arc::ptr_eq(&self.document, &other.document) || unnamed(self) == unnamed(other)
    }

    /// Whether it takes much memory.
    pub(crate) fn is_large(&self) -> bool {
        self.trace().steps().len() > LARGE
    }

    /// What was simulated.
    pub(crate) fn draft(&self) -> Draft {
        self.document.draft()
    }

    /// The scenario file of what was simulated.
    pub(crate) fn scenario_text(&self) -> String {
        format::write_scenario(&self.document.draft())
    }

    pub(crate) fn trace(&self) -> &Arc<Trace> {
        &self.run.trace
    }

    /// The row with this id of the document, if the run has it.
    pub(crate) fn row(&self, id: u32) -> Option<RowId> {
        self.row_ids.iter().position(|&row| row == id).map(RowId::at)
    }

    /// The document's id of the row of this name.
    pub(crate) fn row_named(&self, name: &str) -> Option<u32> {
        self.row_id(RowId::at(self.trace().scenario().rows().iter().position(|row| row.name == name)?))
    }

    /// The document's id of a row.
    pub(crate) fn row_id(&self, row: RowId) -> Option<u32> {
        self.row_ids.get(row.index()).copied()
    }
}

/// What a document amounts to.
#[derive(Clone, PartialEq)]
pub(crate) struct RunOutcome {
    pub(crate) problems: Arc<Vec<Problem>>,
    pub(crate) simulated: RunSource,
}

/// Where the run of a document is.
#[derive(Clone)]
pub(crate) enum RunSource {
    /// There is none: the document has problems.
    None,
    /// It is made on the page.
    Page(RunData),
    /// Too long to wait for: the worker makes it.
    Worker(Arc<Document>, Arc<Scenario>),
}

impl PartialEq for RunSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Page(a), Self::Page(b)) => a == b,
            (Self::Worker(_, a), Self::Worker(_, b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// What the worker is doing for the run on screen.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Simulating {
    /// Nothing is under way.
    Idle,
    /// It simulates: how far it is.
    Running { at: Time, steps: u32 },
    /// It waits for the reader's word: the last run of this did not finish.
    Held,
    /// It was stopped, for this reason.
    Stopped(String),
}

/// A run that takes longer here than a part of a frame is the worker's; so is at once what comes after one, if `was_long`.
pub(crate) fn outcome(document: &Arc<Document>, was_long: bool) -> RunOutcome {
    let mut problems = document.unreadable();
    let of = |problems, simulated| RunOutcome { problems: Arc::new(problems::on_page(document, problems)), simulated };
    let draft = document.draft();
    let size = draft.size();
    let scenario = match Scenario::new(&draft) {
        Ok(scenario) => scenario,
        Err(error) => {
            // Where a text cannot be read, what is wrong with the value before it is beside the point.
            let others: Vec<_> = error.problems.into_iter().filter(|p| problems.iter().all(|unread| unread.path != p.path)).collect();
            problems.extend(others);
            return of(problems, RunSource::None);
        }
    };
    if !problems.is_empty() {
        return of(problems, RunSource::None);
    }
    let warnings = scenario.warnings().to_vec();
    let has_worker = client::is_there();
    let blocks = || scenario.rows().iter().map(|row| row.blocks).sum::<u64>();
    if begun::is_elsewhere() || has_worker && (size > MAX_SIZE_HERE || blocks() > MAX_BLOCKS_HERE) {
        return of(warnings, RunSource::Worker(Arc::clone(document), scenario));
    }
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
    let progress = measured("simulate", || match (has_worker, was_long) {
        (false, _) => simulation.run_for(&mut Budget::new(u64::MAX)),
        (true, false) => pace::within_a_frame(|budget| simulation.run_for(budget)),
        (true, true) => simulation.run_for(&mut Budget::new(AFTER_A_LONG_ONE)),
    });
    of(
        warnings,
        match progress {
            work::Progress::Done => RunSource::Page(measured("index", || RunData::new(simulation.finish(), document))),
            work::Progress::Paused => RunSource::Worker(Arc::clone(document), scenario),
        },
    )
}

/// Has the worker simulate what takes too long here, and only the last of it; `again` has it begin anew.
pub(crate) fn simulate_long_runs(outcome: Memo<RunOutcome>, far: Far, simulating: RwSignal<Simulating>, again: RwSignal<()>) {
    Effect::new(move |_| {
        again.track();
        stop_arrival();
        simulating.set(Simulating::Idle);
        // What is on screen is kept elsewhere.
        far.run.set(None);
        if let RunSource::Worker(document, scenario) = outcome.with(|o| o.simulated.clone()) {
            if begun::is_held() {
                return simulating.set(Simulating::Held);
            }
            simulate_in_worker(&document, scenario, far, simulating);
        }
    });
}

/// Where runs from the worker go.
#[derive(Clone, Copy)]
pub(crate) struct Far {
    /// The last of them.
    pub(crate) run: RwSignal<Option<RunData>>,
    /// What is on screen.
    pub(crate) current: Memo<RunData>,
}

/// A run that comes from the worker: its steps are added, then its records and its timeline made, between frames. A long one
/// waits until all its steps have come.
struct Arrival {
    document: Arc<Document>,
    scenario: Arc<Scenario>,
    /// Steps that are added as they come.
    as_they_come: usize,
    rebuild: Option<Rebuild>,
    /// Steps that have come, and the time of the last.
    steps: usize,
    at: Time,
    /// Words of those that are not being added yet.
    words: VecDeque<Uint32Array>,
    /// Words that are being added, and how many of them are.
    adding: Vec<u32>,
    added: usize,
    end: Option<Simulated>,
    /// Once all steps are there.
    records: Option<(Run, Recording)>,
    /// Once all records are.
    timeline: Option<(Run, Building)>,
    is_pumping: bool,
    /// Whether it is marked as begun on the page.
    is_begun: bool,
}

/// What the worker sends of it.
enum News {
    More(Progress, Uint32Array),
    End(Simulated),
}

/// What came of a part of an arrival.
enum Arrived {
    /// There is more to do.
    Goes,
    /// More has to come.
    Waits,
    /// All is there.
    Whole(RunData),
    /// It is no run of this scenario.
    Wrong,
}

impl Arrival {
    /// Keeps what the worker sends; whether something is being done with what it sent before.
    fn take(&mut self, news: News) -> bool {
        match news {
            News::More(Progress::Begin { budgets }, _) => self.rebuild = Some(Rebuild::new(&self.scenario, budgets)),
            News::More(Progress::Steps { at }, words) => {
                self.steps += words.length() as usize / STEP_WORDS;
                self.at = at;
                self.words.push_back(words);
            }
            News::End(end) => {
                self.end = Some(end);
                // What comes now is done on the page, as for a run that is made here.
                begun::begin();
                self.is_begun = true;
            }
        }
        std::mem::replace(&mut self.is_pumping, true)
    }

    /// Does as much as fits between two frames.
    fn go_on(&mut self) -> Arrived {
        if let Some(rebuild) = self.rebuild.as_mut().filter(|_| self.steps > self.as_they_come) {
            if self.end.is_none() {
                return Arrived::Waits;
            }
            rebuild.reserve(self.steps);
        }
        match pace::within_a_frame(|budget| self.add(budget)) {
            work::Progress::Paused => Arrived::Goes,
            work::Progress::Done => match (self.timeline.take(), self.rebuild.is_some()) {
                (Some((run, building)), _) => Arrived::Whole(RunData::with_timeline(run, building.finish(), &self.document)),
                (None, true) => Arrived::Waits,
                (None, false) => Arrived::Wrong,
            },
        }
    }

    fn add(&mut self, budget: &mut Budget) -> work::Progress {
        while let Some(rebuild) = &mut self.rebuild {
            let Some(added) = rebuild.add(&self.adding[self.added..], budget) else {
                self.rebuild = None;
                return work::Progress::Done;
            };
            self.added += added;
            // Those at the end that make up no whole step are left out.
            if self.adding.len() - self.added >= STEP_WORDS {
                return work::Progress::Paused;
            }
            let Some(words) = self.words.pop_front() else { break };
            (self.adding, self.added) = (words.to_vec(), 0);
        }
        if let Some(end) = self.end.take()
            && let Some(rebuild) = self.rebuild.take()
        {
            let run = rebuild.finish(end.end, end.cut);
            let recording = Recording::new(&run.trace);
            self.records = Some((run, recording));
        }
        if let Some((run, recording)) = &mut self.records
            && recording.run_for(&run.trace, budget) == work::Progress::Paused
        {
            return work::Progress::Paused;
        }
        if let Some((run, recording)) = self.records.take() {
            let building = Building::new(&run.trace, &Arc::new(recording.finish(&run.trace)));
            self.timeline = Some((run, building));
            return work::Progress::Paused;
        }
        match &mut self.timeline {
            Some((_, building)) => building.run_for(budget),
            None => work::Progress::Done,
        }
    }
}

/// Goes on with an arrival, between frames, as long as there is something to do.
fn pump(arrival: Rc<RefCell<Arrival>>, far: Far, simulating: RwSignal<Simulating>) {
    // Something else has taken its place, or the page is gone in tests.
    if !is_arriving(&arrival) || far.run.is_disposed() {
        return;
    }
    let arrived = arrival.borrow_mut().go_on();
    let (at, steps) = (arrival.borrow().at, arrival.borrow().steps as u32);
    simulating.set(Simulating::Running { at, steps });
    match arrived {
        Arrived::Goes => set_timeout(move || pump(arrival, far, simulating), Duration::ZERO),
        Arrived::Waits => arrival.borrow_mut().is_pumping = false,
        Arrived::Whole(run) => {
            ARRIVING.take();
            simulating.set(Simulating::Idle);
            begun::begin();
            far.run.set(Some(run));
            begun::end_soon();
        }
        Arrived::Wrong => {
            give_up();
            simulating.set(Simulating::Stopped(client::OTHER_VERSION.to_owned()));
            client::stop(WorkerFor::Simulation);
        }
    }
}

/// Has the worker simulate a document; its steps come while it goes on.
fn simulate_in_worker(document: &Arc<Document>, scenario: Arc<Scenario>, far: Far, simulating: RwSignal<Simulating>) {
    simulating.set(Simulating::Running { at: Time::ZERO, steps: 0 });
    let run = RunId(NEXT.fetch_add(1, Ordering::Relaxed));
    register(run, document);
    let arrival = Rc::new(RefCell::new(Arrival {
        document: Arc::clone(document),
        scenario,
        as_they_come: if far.current.with_untracked(RunData::is_large) { 0 } else { AS_THEY_COME },
        rebuild: None,
        steps: 0,
        at: Time::ZERO,
        words: VecDeque::new(),
        adding: Vec::new(),
        added: 0,
        end: None,
        records: None,
        timeline: None,
        is_pumping: false,
        is_begun: false,
    }));
    ARRIVING.replace(Some(Rc::clone(&arrival)));
    let coming = Rc::clone(&arrival);
    let take = move |news: News| {
        // Something else may have taken its place.
        if !is_arriving(&arrival) {
            return;
        }
        let was_pumping = arrival.borrow_mut().take(news);
        if !was_pumping {
            let arrival = Rc::clone(&arrival);
            set_timeout(move || pump(arrival, far, simulating), Duration::ZERO);
        }
    };
    let end = take.clone();
    let on_progress = move |progress, words| take(News::More(progress, words));
    let on_answer = move |answer: Result<Simulated, String>| match answer {
        Ok(simulated) => {
            if is_arriving(&coming) && coming.borrow().steps > LARGE {
                make_room(&coming.borrow(), far);
            }
            end(News::End(simulated));
        }
        Err(why) => {
            ARRIVING.take();
            simulating.set(Simulating::Stopped(why));
        }
    };
    client::ask_worker(WorkerFor::Simulation, Simulate { run, max_steps: None }, on_progress, on_answer);
}

/// All of a large run has come: the worker that has made it ends, and one as large that is on screen goes.
fn make_room(arrival: &Arrival, far: Far) {
    client::stop(WorkerFor::Simulation);
    if far.current.with_untracked(RunData::is_large) {
        far.run.set(Some(RunData::to_come(&arrival.scenario, &arrival.document)));
    }
}

/// Gives up what is on its way from the worker.
pub(super) fn stop_arrival() {
    client::stop(WorkerFor::Simulation);
    give_up();
}

/// Forgets what is on its way; if all of it had come, it had begun here.
fn give_up() {
    if ARRIVING.take().is_some_and(|arrival| arrival.borrow().is_begun) {
        begun::end();
    }
}

/// Whether a run is on its way still.
fn is_arriving(arrival: &Rc<RefCell<Arrival>>) -> bool {
    ARRIVING.with_borrow(|now| now.as_ref().is_some_and(|now| Rc::ptr_eq(now, arrival)))
}

thread_local! {
    /// The run that is on its way.
    static ARRIVING: RefCell<Option<Rc<RefCell<Arrival>>>> = const { RefCell::new(None) };
}

/// Counts the runs of the page.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// Lets requests name the run of a document.
fn register(run: RunId, document: &Arc<Document>) {
    let document = Arc::clone(document);
    client::register(run, move || format::write_scenario(&document.draft()));
}

/// Does something, and leaves how long it took in the browser's list of measures.
fn measured<R>(name: &str, work: impl FnOnce() -> R) -> R {
    let performance = window().performance();
    if let Some(performance) = &performance {
        // Only its own bookkeeping could fail.
        let _ = performance.mark(name);
    }
    let result = work();
    if let Some(performance) = &performance {
        let _ = performance.measure_with_start_mark(name, name);
    }
    result
}

impl RunOutcome {
    /// Whether the run on screen is not the document's, because that has problems.
    pub(crate) fn is_stale(&self) -> bool {
        self.simulated == RunSource::None
    }
}

/// A run of nothing, for a first document that cannot be simulated.
pub(crate) fn nothing() -> RunData {
    let scenario = Scenario::new(&Draft::default()).expect("the empty scenario is valid");
    RunData::new(engine::simulate(&scenario, Limits::default()), &Arc::new(Document::new(Draft::default())))
}
