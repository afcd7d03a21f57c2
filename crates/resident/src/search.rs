//! The search over orders of arrival: depth first over states of the engine, those that were seen before left out.
//!
//! Depends on the simulator's engine without times. Invariants: each state is looked at once; a hang is a state in which something can
//! never go on (docs/semantics.md, section 9), whatever comes.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use blockstep_sim::engine::{Limits, Next, Untimed};
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::RowId;
use blockstep_sim::work::Budget;

use super::calm::Calm;
use super::table::{others, without_row, without_times};
use super::witness::{Witness, witness};
use super::{MAX_STATES, Refused, order};

/// Tables with some of the other rows left out are searched, too, if there are no more of these.
const MOST_OTHERS: usize = 6;

/// A unit of work for each state, about, of 20 µs.
const WORK_OF_A_STATE: u64 = 400;

/// What a search has come to.
#[derive(Clone, Debug)]
pub enum Found {
    /// An order hangs.
    Hang(Box<Hang>),
    /// Every state was seen, and none hangs.
    None,
    /// The bound on states was reached first.
    Open,
}

/// A hang.
#[derive(Clone, Debug)]
pub struct Hang {
    /// The table in which it happens: the one that was asked about, or that without some of its other rows.
    pub draft: Draft,
    /// What arrives in which order, and a table with times that runs into it.
    pub witness: Witness,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was found.
    pub found: Found,
    /// States that were looked at.
    pub states: u64,
    /// Orders of arrival that the program allows, at most.
    pub orders: Option<u128>,
    /// Tables that were searched to the end, with some of the other rows left out.
    pub tables: u64,
}

/// A search that goes on in portions, and gives the same whatever they are.
pub struct Search {
    /// Tables that are still to be searched, the next one last.
    tables: Vec<Draft>,
    first: Option<String>,
    now: Option<Table>,
    states: u64,
    limit: u64,
    orders: Option<u128>,
    searched: u64,
}

/// The search of one table.
struct Table {
    draft: Draft,
    scenario: Arc<Scenario>,
    before: Vec<Vec<RowId>>,
    stack: Vec<Frame>,
    seen: BTreeSet<[u64; 2]>,
    words: Vec<u32>,
    calm: Calm,
    /// Whether a calm state was followed to its end, and did not hang: then none of them does.
    is_calm_clean: bool,
    /// Whether some order came to a state from which nothing comes, with calls left: then not every order was seen to its end.
    is_cut_short: bool,
}

/// A state on the way to the one that is looked at.
struct Frame {
    /// Gone once the last way on from it is taken.
    state: Option<Untimed>,
    called: Vec<bool>,
    left: Vec<Next>,
    /// What has led to it.
    by: Option<Next>,
}

impl Search {
    /// Nothing is looked at yet. With `subsets` tables without some of the other rows are searched as well; `first`: a row whose call is to
    /// come before all others.
    ///
    /// # Errors
    /// If there is nothing to ask.
    pub fn new(draft: &Draft, subsets: bool, first: Option<&str>, limit: u64) -> Result<Self, Refused> {
        super::can_ask(draft)?;
        let scenario = Scenario::new(draft)?;
        let others = if subsets { others(draft, &scenario) } else { Vec::new() };
        let mut tables = Vec::new();
        if others.len() <= MOST_OTHERS {
            // The whole table comes first, so it is last.
            for left_out in (0..1_u32 << others.len()).rev() {
                let gone = others.iter().enumerate().filter(|(bit, _)| left_out >> bit & 1 == 1).map(|(_, &place)| place);
                tables.push(gone.rev().fold(draft.clone(), |draft, place| without_row(&draft, place)));
            }
        } else {
            tables.extend(others.iter().rev().map(|&place| without_row(draft, place)));
            tables.push(draft.clone());
        }
        let orders = order::count(draft, &scenario);
        Ok(Self { tables, first: first.map(str::to_owned), now: None, states: 0, limit: limit.min(MAX_STATES), orders, searched: 0 })
    }

    /// States that were looked at so far.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Goes on until the budget is spent or there is an answer.
    ///
    /// # Errors
    /// If the engine comes to a limit.
    pub fn advance(&mut self, budget: &mut Budget) -> Result<Option<Answer>, Refused> {
        loop {
            let Some(table) = &mut self.now else {
                let Some(draft) = self.tables.pop() else { return Ok(Some(self.answer(Found::None))) };
                self.now = Table::new(draft, self.first.as_deref())?;
                continue;
            };
            loop {
                if self.states >= self.limit {
                    return Ok(Some(self.answer(Found::Open)));
                }
                if budget.is_spent() {
                    return Ok(None);
                }
                budget.spend(WORK_OF_A_STATE);
                match table.step()? {
                    Step::Known => {}
                    Step::New => self.states += 1,
                    Step::Hangs => {
                        self.states += 1;
                        let path: Vec<Next> = table.stack.iter().filter_map(|frame| frame.by).collect();
                        let witness = witness(&table.draft, &table.scenario, &path)?;
                        let hang = Hang { draft: table.draft.clone(), witness };
                        return Ok(Some(self.answer(Found::Hang(Box::new(hang)))));
                    }
                    Step::Over if table.is_cut_short => return Ok(Some(self.answer(Found::Open))),
                    Step::Over => {
                        self.searched += 1;
                        self.now = None;
                        break;
                    }
                }
            }
        }
    }

    /// The answer, however long it takes.
    ///
    /// # Errors
    /// If the engine comes to a limit.
    pub fn finish(mut self) -> Result<Answer, Refused> {
        let mut endless = Budget::UNLIMITED;
        loop {
            if let Some(answer) = self.advance(&mut endless)? {
                return Ok(answer);
            }
        }
    }

    fn answer(&self, found: Found) -> Answer {
        Answer { found, states: self.states, orders: self.orders, tables: self.searched }
    }
}

enum Step {
    /// The state was seen before.
    Known,
    New,
    Hangs,
    /// There are no more states.
    Over,
}

impl Table {
    /// `None` of a table in which nothing spins.
    fn new(draft: Draft, first: Option<&str>) -> Result<Option<Self>, Refused> {
        let scenario = Scenario::new(&without_times(&draft))?;
        if !scenario.has_spins() {
            return Ok(None);
        }
        let first = first.and_then(|name| scenario.rows().iter().position(|row| row.name == name)).map(RowId::at);
        let before = order::before(&draft, &scenario, first);
        let state = Untimed::new(&scenario, limits()).map_err(|cut| Refused::Limit(cut.to_string()))?;
        let called = vec![false; scenario.rows().len()];
        let calm = Calm::new(&scenario);
        let left = choices(&state, &called, &before, calm.holds(&state));
        // Where nothing may come at all, nothing was seen.
        let is_cut_short = left.is_empty();
        let stack = vec![Frame { state: Some(state), called, left, by: None }];
        Ok(Some(Self {
            draft,
            scenario,
            before,
            stack,
            seen: BTreeSet::new(),
            words: Vec::new(),
            calm,
            is_calm_clean: false,
            is_cut_short,
        }))
    }

    /// Goes one step on or back.
    fn step(&mut self) -> Result<Step, Refused> {
        let Some(frame) = self.stack.last_mut() else { return Ok(Step::Over) };
        let Some(next) = frame.left.pop() else {
            self.stack.pop();
            return Ok(Step::Known);
        };
        // The last way on needs no copy of the state.
        let (state, mut called) = if frame.left.is_empty() && frame.state.is_some() {
            (frame.state.take(), std::mem::take(&mut frame.called))
        } else {
            (frame.state.clone(), frame.called.clone())
        };
        let Some(mut state) = state else { return Ok(Step::Known) };
        state.take(next).map_err(|cut| Refused::Limit(cut.to_string()))?;
        if let Next::Call(row, _) = next {
            called[row.index()] = true;
        }
        self.words.clear();
        state.write_key(&mut self.words);
        if !self.seen.insert(hash(&self.words)) {
            return Ok(Step::Known);
        }
        let hangs = state.spins() && state.state().dead_end(state.trace()).is_some();
        let is_calm = !hangs && self.calm.holds(&state);
        if is_calm && self.is_calm_clean {
            return Ok(Step::New);
        }
        let left = choices(&state, &called, &self.before, is_calm);
        let scenario = &self.scenario;
        let is_left = |place: usize| !called[place] && scenario.call_of(RowId::at(place)).index() == place;
        let is_cut_short = left.is_empty() && !hangs && (0..called.len()).any(is_left);
        self.is_cut_short |= is_cut_short;
        self.is_calm_clean |= is_calm && left.is_empty() && !is_cut_short;
        self.stack.push(Frame { state: Some(state), called, left, by: Some(next) });
        Ok(if hangs { Step::Hangs } else { Step::New })
    }
}

/// What may come next, as the program allows; calls are tried first, so they stand last.
///
/// Kernels that spin come before others: what hangs is found sooner so, and with less around it.
fn choices(state: &Untimed, called: &[bool], before: &[Vec<RowId>], is_calm: bool) -> Vec<Next> {
    let may_come = |next: &Next| match next {
        Next::Call(row, _) => before[row.index()].iter().all(|earlier| called[earlier.index()]),
        _ => true,
    };
    let mut found: Vec<Next> = state.choices().into_iter().filter(may_come).collect();
    found.sort_by_key(|next| match next {
        Next::Call(row, _) => u8::from(!state.trace().scenario().row(*row).spins.any()),
        _ => 2,
    });
    if is_calm {
        found.truncate(1);
    }
    found.reverse();
    found
}

pub(crate) fn limits() -> Limits {
    Limits { max_steps: Limits::MOST_STEPS }
}

/// 128 bits of the words of a state.
fn hash(words: &[u32]) -> [u64; 2] {
    [0_u32, 1].map(|seed| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        words.hash(&mut hasher);
        hasher.finish()
    })
}
