//! Which rules the run used and when, and what happens without one.
//!
//! Invariant: the run on screen is always that of the rules; of the run with rules changed only words are shown, and a banner that says
//! so.

mod changed;
mod families;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use changed::{Changed, Divergence, RuleChange, Side, SideStep};
pub use families::{Family, RuleAtStep, RuleEntry, Switch, Usage, WaitView};

use crate::tool::pairs::words;
use crate::tool::{Context, Effects, Event, Pair, Tool, ToolError, memory};
use blockstep_format as format;
use blockstep_learn::divergence::first_difference;
use blockstep_learn::showcases::showcase;
use blockstep_protocol::Effect;
use blockstep_sim::trace::{Rule, Variant, Variants};
use blockstep_sim::units::Time;

/// The tool.
pub struct Rules;

/// What is looked at, and what is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The rule through whose uses the reader walks.
    pub rule: Option<Rule>,
    /// The rules that are changed.
    #[serde(rename = "variant", deserialize_with = "read_variants", serialize_with = "write_variants")]
    pub variants: Variants,
    /// Families that are not as they are at first, which is open if the run uses one of their rules.
    #[serde(rename = "fold")]
    pub folds: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Next(Rule),
    Previous(Rule),
    Change(Variant, bool),
    Reset,
    Compare,
    Fold(usize),
    /// Open a small table in which a change makes a difference.
    Showcase(Variant),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub used: usize,
    pub all: usize,
    /// What the run with rules changed does, if some are.
    pub changed: Option<Changed>,
    pub families: Vec<Family>,
}

impl Tool for Rules {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] =
        &[Pair::one_of("rule", || words(Rule::ALL, Rule::id)), Pair::one_of("variant", || words(Variant::ALL, Variant::id)).repeated()];

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Vec::new();
        match event {
            Event::Opened(word) => {
                let word: State = memory::read(&word);
                state.rule = word.rule.or(state.rule);
                state.variants = word.variants.iter().fold(state.variants, Variants::with);
            }
            Event::Message(Msg::Next(rule)) => effects.push(state.walk(rule, true, context)),
            Event::Message(Msg::Previous(rule)) => effects.push(state.walk(rule, false, context)),
            Event::Message(Msg::Change(variant, is_on)) => {
                state.variants = if is_on { state.variants.with(variant) } else { state.variants.without(variant) };
                if !state.variants.is_none() {
                    effects.push(Effect::Announce(format!("Rules changed: {}. This is not what a GPU does.", state.variants.ids())));
                }
            }
            Event::Message(Msg::Reset) => state.variants = Variants::NONE,
            Event::Message(Msg::Compare) => {
                // One run with all of them.
                let ids: Vec<&str> = state.variants.iter().map(Variant::id).collect();
                let word = format!("variant={}", ids.join(","));
                effects.push(Effect::OpenTool { name: "compare".to_owned(), word });
            }
            Event::Message(Msg::Fold(family)) => state.fold(family),
            Event::Message(Msg::Showcase(variant)) => effects.extend(open_showcase(variant)),
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let ledger = context.runs.ledger(&context.place.simulation);
        let changed = if state.variants.is_none() {
            None
        } else {
            let other = context.runs.beside(&context.place.scenario, state.variants)?;
            Some(Changed::new(&context.place.simulation, &other))
        };
        let list = families::RuleList {
            ledger: &ledger,
            trace: &context.place.simulation.run.trace,
            position: context.place.position,
            walked: state.rule,
            variants: state.variants,
            folds: &state.folds,
        };
        Ok(View { used: ledger.used(), all: Rule::ALL.len(), changed, families: list.families() })
    }
}

impl State {
    /// To the next or the previous use of a rule, or a word that there is none.
    fn walk(&mut self, rule: Rule, forward: bool, context: &mut Context<'_>) -> Effect {
        self.rule = Some(rule);
        let ledger = context.runs.ledger(&context.place.simulation);
        let (entry, trace, position) = (ledger.entry(rule), &*context.place.simulation.run.trace, context.place.position);
        let to = if forward { entry.next(trace, position) } else { entry.previous(trace, position) };
        match to {
            Some(to) => {
                // What is shown is already of there.
                context.place.position = to;
                Effect::GoToStep(to)
            }
            None => Effect::Announce(if forward {
                format!("There is no later use of {}.", rule.id())
            } else {
                format!("There is no earlier use of {}.", rule.id())
            }),
        }
    }

    /// Opens a family that is closed, and the other way round.
    fn fold(&mut self, family: usize) {
        match self.folds.iter().position(|&fold| fold == family) {
            Some(place) => drop(self.folds.remove(place)),
            None => self.folds.push(family),
        }
    }
}

/// A small table, where the two runs part.
fn open_showcase(variant: Variant) -> Option<Effect> {
    let draft = showcase(variant);
    let scenario = blockstep_sim::scenario::Scenario::new(&draft).ok()?;
    let [one, other] = [Variants::NONE, Variants::NONE.with(variant)]
        .map(|variants| blockstep_sim::engine::simulate_varied(&scenario, variants, blockstep_sim::engine::Limits::default()));
    let divergence = first_difference(&one.trace, &other.trace)?;
    let at = one.trace.steps().get(divergence).map_or(Time::ZERO, |step| step.at);
    Some(Effect::OpenScenario { at, scenario: format::write_scenario(&draft), began_as: None })
}

fn read_variants<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variants, D::Error> {
    Ok(Vec::<String>::deserialize(deserializer)?.iter().filter_map(|id| Variant::from_id(id)).collect())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn write_variants<S: Serializer>(variants: &Variants, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(variants.iter().map(Variant::id))
}
