//! Which SM takes a block, and whether it fits at all.
//!
//! Depends on the rest of `quiz`. Invariant: a wrong choice does not hold in the state asked about.

use super::{QuestionDraft, QuizAnswer, QuizChoice, Site};
use blockstep_sim::engine::next_block;
use blockstep_sim::language::counted;
use blockstep_sim::scenario::{Needs, Placement};
use blockstep_sim::snapshot::{Shortage, SmState, SpaceState};
use blockstep_sim::trace::{Change, Rule, Trace, Variant, Variants};
use blockstep_sim::units::{OpId, SmId, SpaceId};
use blockstep_view::quantity::{format_bytes, format_count};
use blockstep_view::{reason, sentence};

/// SMs whose amounts are told one by one.
const SMS_BY_NAME: usize = 4;

const ADDS_UP: &str = "Free resources on several SMs add up for one block.";
const THREADS_ONLY: &str = "Threads are all that a block needs of an SM.";

/// Something that a block takes of its SM.
struct Resource {
    shortage: Shortage,
    need: fn(&Needs) -> u64,
    free: fn(&SmState) -> u64,
    write: fn(u64) -> String,
    noun: &'static str,
}

/// In the order in which the rules ask for them.
const RESOURCES: [Resource; 4] = [
    Resource {
        shortage: Shortage::Threads,
        need: |n| n.threads.into(),
        free: |sm| sm.threads.into(),
        write: format_count,
        noun: "threads",
    },
    Resource {
        shortage: Shortage::SharedMemory,
        need: |n| n.shared_memory,
        free: |sm| sm.shared_memory,
        write: format_bytes,
        noun: "shared memory",
    },
    Resource { shortage: Shortage::Registers, need: |n| n.registers, free: |sm| sm.registers, write: format_count, noun: "registers" },
    Resource { shortage: Shortage::Slots, need: |_| 1, free: |sm| sm.slots.into(), write: format_count, noun: "block slots" },
];

impl Resource {
    fn from_shortage(shortage: Shortage) -> &'static Self {
        RESOURCES.iter().find(|r| r.shortage == shortage).unwrap_or(&RESOURCES[0])
    }

    /// `1,024 threads`, `16 KiB of shared memory`, with `free` before the noun or nothing.
    fn amount(&self, n: u64, free: &str) -> String {
        let of = if self.shortage == Shortage::SharedMemory { " of" } else { "" };
        format!("{}{of} {free}{}", (self.write)(n), self.noun)
    }

    fn is_enough(&self, sm: &SmState, needs: &Needs) -> bool {
        (self.free)(sm) >= (self.need)(needs)
    }
}

/// The block that is to be assigned, or is not, and where.
struct Block<'a> {
    site: Site<'a>,
    op: OpId,
    number: u32,
    space: SpaceId,
}

impl<'a> Block<'a> {
    fn new(site: Site<'a>, op: OpId) -> Self {
        let stream = site.trace.op(op).stream;
        let (number, space) = (site.state.stream(stream).assigned, site.trace.layout().stream(stream).space);
        Self { site, op, number, space }
    }

    fn trace(&self) -> &'a Trace {
        self.site.trace
    }

    fn space(&self) -> &'a SpaceState {
        self.site.state.space(self.space)
    }

    fn needs(&self) -> &'a Needs {
        &self.trace().row_of(self.op).needs
    }

    fn sm(&self, sm: SmId) -> &'a SmState {
        &self.space().sms[sm.index()]
    }

    /// The first thing that an SM has too little of for the block.
    fn lacking(&self, sm: SmId) -> Option<&'static Resource> {
        RESOURCES.iter().find(|r| !r.is_enough(self.sm(sm), self.needs()))
    }

    /// `SM 1 has 512 free threads`.
    fn free(&self, sm: SmId, resource: &Resource) -> String {
        let amount = match (resource.free)(self.sm(sm)) {
            0 => format!("no free {}", resource.noun),
            n => resource.amount(n, "free "),
        };
        format!("SM {} has {amount}", sm.0)
    }

    /// Why the block does not fit on an SM: the rule, and the amounts.
    fn refusal(&self, sm: SmId) -> Option<(Rule, String)> {
        let lacking = self.lacking(sm)?;
        let need = (lacking.write)((lacking.need)(self.needs()));
        Some((lacking.shortage.rule(), format!("{}, and a block of {} needs {need}.", self.free(sm, lacking), self.kernel())))
    }

    fn kernel(&self) -> String {
        self.trace().op_label(self.op)
    }

    /// What a block takes: `1,024 threads, 16 KiB of shared memory`.
    fn hint(&self) -> String {
        let takes = |r: &Resource| match (r.need)(self.needs()) {
            0 => None,
            n => Some(r.amount(n, "")),
        };
        let amounts: Vec<_> = RESOURCES[..3].iter().filter_map(takes).collect();
        let row = self.trace().row_of(self.op);
        format!(
            "{} has {} of its {} blocks assigned. A block needs {}.",
            self.kernel(),
            self.number,
            format_count(row.blocks),
            amounts.join(", ")
        )
    }

    fn sms(&self) -> impl Iterator<Item = SmId> + use<> {
        self.space().sm_ids()
    }

    /// What is free on all SMs together.
    fn total(&self, resource: &Resource) -> u64 {
        self.space().sms.iter().map(resource.free).fold(0, u64::saturating_add)
    }

    /// The SM that the scenario's placement would choose if a block needed nothing but threads.
    fn taker_by_threads(&self) -> Option<SmId> {
        let has = |sm: &SmId| self.sm(*sm).threads >= self.needs().threads;
        match self.trace().scenario().placement() {
            Placement::FirstFit => self.sms().find(has),
            Placement::MostFree => self.sms().filter(has).min_by_key(|&sm| std::cmp::Reverse(self.sm(sm).threads)),
            Placement::MostRoom => {
                let room = |sm: &SmId| self.sm(*sm).threads.checked_div(self.needs().threads);
                self.sms().filter(has).min_by_key(|sm| std::cmp::Reverse(room(sm)))
            }
            Placement::RoundRobin => self.next_in_turn(has),
        }
    }

    /// The first of these SMs after the one that was assigned last, going round.
    fn next_in_turn(&self, is_one: impl Fn(&SmId) -> bool) -> Option<SmId> {
        let after = self.space().last_sm.map_or(0, |last| last.index() + 1);
        self.sms().skip(after).find(&is_one).or_else(|| self.sms().find(is_one))
    }

    /// Why `taker` and not another SM on which the block fits too.
    fn preference(&self, taker: SmId, other: SmId) -> String {
        let threads = |sm: SmId| self.sm(sm).threads;
        let room = |sm: SmId| self.sm(sm).room(self.needs());
        match self.trace().scenario().placement() {
            Placement::MostFree if threads(taker) > threads(other) => format!(
                "It fits there, but SM {} has {} free threads and SM {} has {}. A block goes to the SM with the most free threads.",
                taker.0,
                format_count(threads(taker).into()),
                other.0,
                format_count(threads(other).into())
            ),
            Placement::MostFree => format!(
                "It fits there, but SM {} has as many free threads, {}: the SM with the lowest number takes the block.",
                taker.0,
                format_count(threads(taker).into())
            ),
            Placement::MostRoom if room(taker) > room(other) => format!(
                "It fits there, but SM {} has room for {} such blocks and SM {} for {}. This scenario's placement takes the SM with the most room.",
                taker.0,
                format_count(room(taker).into()),
                other.0,
                format_count(room(other).into())
            ),
            Placement::MostRoom => format!(
                "It fits there, but SM {} has as much room, {}: the SM with the lowest number takes the block.",
                taker.0,
                counted(room(taker), "such block")
            ),
            Placement::FirstFit => {
                format!("It fits there, but it fits on SM {} too: this scenario's placement takes the SM with the lowest number.", taker.0)
            }
            Placement::RoundRobin => format!(
                "It fits there, but SM {} comes first: {}.",
                taker.0,
                match self.space().last_sm {
                    Some(last) =>
                        format!("this scenario's placement goes around from the SM after SM {}, which took the last block", last.0),
                    None => "this scenario's placement begins with SM 0".to_owned(),
                }
            ),
        }
    }

    /// Why the taker takes it.
    fn reason_for(&self, taker: SmId) -> String {
        let fitting = self.sms().filter(|&sm| self.lacking(sm).is_none()).count();
        if fitting == 1 {
            return if self.space().sms.len() == 1 { "It fits there.".to_owned() } else { "It fits on no other SM.".to_owned() };
        }
        let threads: Vec<String> = self.sms().map(|sm| format!("SM {} {}", sm.0, format_count(self.sm(sm).threads.into()))).collect();
        let amounts = if threads.len() <= SMS_BY_NAME { format!(" Free threads: {}.", threads.join(", ")) } else { String::new() };
        let rule = match (self.trace().scenario().placement(), self.space().last_sm) {
            (Placement::MostFree, _) => "The SM with the most free threads takes it; in a tie, the SM with the lowest number".to_owned(),
            (Placement::MostRoom, _) => {
                "The SM with room for the most of these blocks takes it; in a tie, the SM with the lowest number".to_owned()
            }
            (Placement::FirstFit, _) => "Of these, the SM with the lowest number takes it".to_owned(),
            (Placement::RoundRobin, Some(last)) => format!("Of these, the first one after SM {} takes it", last.0),
            (Placement::RoundRobin, None) => "Of these, the SM with the lowest number takes the first block".to_owned(),
        };
        format!("It fits on {} SMs.{amounts} {rule}: SM {}.", format_count(fitting as u64), taker.0)
    }

    /// The SM that a placement other than the scenario's would take, with what one believes then.
    fn beliefs(&self) -> Vec<(SmId, &'static str)> {
        let fits = |sm: &SmId| self.lacking(*sm).is_none();
        let first = self.sms().find(fits);
        let fullest = self.sms().filter(fits).min_by_key(|&sm| self.sm(sm).threads);
        let next = self.next_in_turn(fits);
        let freest = self.sms().filter(fits).min_by_key(|&sm| std::cmp::Reverse(self.sm(sm).threads));
        let same = self.space().last_sm.filter(fits);
        let all = [
            (first, "A block goes to the lowest-numbered SM on which it fits."),
            (freest, "A block goes to the SM with the most free threads."),
            (next, "The SMs take turns, one block each."),
            (fullest, "Blocks are packed: one SM is filled before the next one gets a block."),
            (same, "A block goes where the one before it went."),
        ];
        all.into_iter().filter_map(|(sm, belief)| Some((sm?, belief))).collect()
    }

    /// Every SM but the taker as a wrong choice, the likelier ones first.
    fn other_sms(&mut self, taker: Option<SmId>, answer: fn(SmId) -> QuizAnswer, words: fn(SmId) -> String) -> Vec<QuizChoice> {
        let last_fit = next_block(self.trace(), self.site.state, Variants::NONE.with(Variant::LastFit));
        let last_fit = last_fit.filter(|&(op, _)| op == self.op).map(|(_, sm)| sm);
        let beliefs = self.beliefs();
        let mut others: Vec<SmId> = self.sms().filter(|&sm| Some(sm) != taker).collect();
        self.site.dice.shuffle(&mut others);
        // Those that come of a belief, then those with something free.
        others.sort_by_key(|&sm| (!beliefs.iter().any(|b| b.0 == sm), std::cmp::Reverse(self.sm(sm).threads.min(1))));
        let choice = |sm: SmId| {
            let (rule, why) = match (self.refusal(sm), taker) {
                (Some(refusal), _) => refusal,
                (None, Some(taker)) => (Rule::R1, self.preference(taker, sm)),
                (None, None) => return None,
            };
            let belief = beliefs.iter().find(|b| b.0 == sm).map(|b| b.1);
            let variant = (Some(sm) == last_fit).then_some(Variant::LastFit);
            Some(QuizChoice::new(answer(sm), words(sm), rule, why).under_variant(variant).believing(belief))
        };
        others.into_iter().take(64).filter_map(choice).collect()
    }
}

/// Before a block is assigned: which SM takes it?
pub(super) fn which_sm(site: Site<'_>) -> Option<QuestionDraft> {
    let step = site.next?;
    let Change::BlockAssigned { op, sm, .. } = step.change else { return None };
    // A kernel that is only finished while its process drains says nothing of heads and queues.
    if site.state.finishes(site.trace, op) {
        return None;
    }
    let mut block = Block::new(site, op);
    let text = |sm: SmId| format!("SM {}", sm.0);
    let why = format!("{} {}", sentence::sentence(block.trace(), step), block.reason_for(sm));
    let wrong = block.other_sms(Some(sm), QuizAnswer::Sm, text);
    Some(QuestionDraft {
        text: format!("Block {} of {} is about to be assigned. Which SM takes it?", block.number, block.kernel()),
        hint: block.hint(),
        right: QuizChoice::new(QuizAnswer::Sm(sm), text(sm), Rule::R1, why),
        wrong,
    })
}

/// Where a block of the head is assigned, or is not: does it fit?
pub(super) fn does_it_fit(site: Site<'_>) -> Option<QuestionDraft> {
    match site.next.map(|step| step.change) {
        Some(Change::BlockAssigned { op, .. }) if site.state.finishes(site.trace, op) => None,
        Some(Change::BlockAssigned { op, sm, .. }) => Some(it_fits(Block::new(site, op), sm)),
        _ if site.instant_is_over => {
            let space = (0..site.state.spaces().len()).map(SpaceId::at).find(|&space| site.state.assigns(space))?;
            let (_, op) = site.state.space(space).ee_head()?;
            let block = Block::new(site, op);
            let shortage = block.space().shortage(block.needs())?;
            it_does_not(block, shortage)
        }
        _ => None,
    }
}

fn on_sm(sm: SmId) -> String {
    format!("Yes, on SM {}", sm.0)
}

fn asked(mut block: Block<'_>, right: QuizChoice, taker: Option<SmId>, mut wrong: Vec<QuizChoice>) -> QuestionDraft {
    // Other SMs on which it fits would only distract: the question is whether.
    let others = block.other_sms(taker, QuizAnswer::Fits, on_sm).into_iter();
    let (fits, does_not): (Vec<QuizChoice>, Vec<QuizChoice>) =
        others.partition(|c| matches!(c.answer, QuizAnswer::Fits(sm) if block.lacking(sm).is_none()));
    wrong.extend(does_not.into_iter().take(2));
    if wrong.is_empty() {
        wrong.extend(fits.into_iter().take(1));
    }
    let text = format!(
        "{} is at the head of its EE queue, and only its blocks may start now. Does its block {} fit?",
        block.kernel(),
        block.number
    );
    QuestionDraft { text, hint: block.hint(), right, wrong }
}

fn it_fits(block: Block<'_>, sm: SmId) -> QuestionDraft {
    let why =
        format!("{} {}", block.site.next.map_or_else(String::new, |step| sentence::sentence(block.trace(), step)), block.reason_for(sm));
    let right = QuizChoice::new(QuizAnswer::Fits(sm), on_sm(sm), Rule::R1, why);
    let mut wrong = Vec::new();
    let row = block.trace().row_of(block.op);
    let left = row.blocks - u64::from(block.number);
    if left > 1 && room_for(&block, left) < left {
        let text = format!("No: its {} blocks that are left do not all fit at once", format_count(left));
        let why = format!(
            "Blocks are assigned one by one. Room for one is enough, and there is room for {}.",
            format_count(room_for(&block, left))
        );
        let belief = "A kernel is served only when there is room for all of its blocks.";
        wrong.push(QuizChoice::new(QuizAnswer::NotAllFit, text, Rule::R1, why).believing(Some(belief)));
    }
    if let Some(other) = block.space().sms.iter().flat_map(|sm| &sm.blocks).map(|b| b.op).find(|&op| op != block.op) {
        let text = "No: blocks of another kernel still execute".to_owned();
        let why = format!(
            "{} executes, but blocks of several kernels may share the SMs as long as there is room.",
            block.trace().op_label(other)
        );
        let belief = "The GPU executes one kernel at a time.";
        wrong.push(QuizChoice::new(QuizAnswer::NotAlone, text, Rule::R1, why).believing(Some(belief)));
    }
    wrong.extend(other_shortages(&block, None, sm));
    asked(block, right, Some(sm), wrong)
}

fn it_does_not(block: Block<'_>, shortage: Shortage) -> Option<QuestionDraft> {
    let words = reason::words(block.trace(), block.site.state, block.op, shortage.into());
    let subject = if words.starts_with("needs") { "a block " } else { "" };
    let why = format!("At this instant no more blocks of {} are assigned: {subject}{words}.", block.kernel());
    let right = QuizChoice::new(QuizAnswer::Short(shortage), no(shortage, shortage_in_general(&block, shortage)), shortage.rule(), why)
        .about(Some(block.op));
    let resource = Resource::from_shortage(shortage);
    let (need, total) = ((resource.need)(block.needs()), block.total(resource));
    let freest = block.sms().max_by_key(|&sm| ((resource.free)(block.sm(sm)), std::cmp::Reverse(sm)))?;
    let adds_up = total >= need && block.sms().all(|sm| !resource.is_enough(block.sm(sm), block.needs()));
    // All that a block needs, or with all but the threads left out, it would go there.
    let (sm, belief) = match block.taker_by_threads() {
        _ if adds_up && RESOURCES.iter().all(|r| block.total(r) >= (r.need)(block.needs())) => (freest, Some(ADDS_UP)),
        Some(taker) => (taker, Some(THREADS_ONLY)),
        None => (freest, None),
    };
    let mut wrong = Vec::new();
    if let Some((rule, refusal)) = block.refusal(sm) {
        let total = match belief {
            Some(ADDS_UP) => {
                format!(" The SMs have {} together, but a block runs on one SM.", resource.amount(total, "free "))
            }
            _ => String::new(),
        };
        wrong.push(QuizChoice::new(QuizAnswer::Fits(sm), on_sm(sm), rule, refusal + &total).believing(belief));
    }
    wrong.extend(other_shortages(&block, Some(shortage), freest));
    Some(asked(block, right, None, wrong))
}

/// `No: no SM has enough free threads`; with another want, of those with enough of what is asked for before.
fn no(shortage: Shortage, in_general: bool) -> String {
    let noun = Resource::from_shortage(shortage).noun;
    match in_general {
        true => format!("No: no SM has enough free {noun}"),
        false => format!("No: no SM with enough free threads also has enough free {noun}"),
    }
}

/// Whether no SM at all has enough, rather than none of those with enough of the rest.
fn shortage_in_general(block: &Block<'_>, shortage: Shortage) -> bool {
    let resource = Resource::from_shortage(shortage);
    block.sms().all(|sm| !resource.is_enough(block.sm(sm), block.needs()))
}

/// Wants that are not the reason: some SM has enough of each.
fn other_shortages(block: &Block<'_>, but: Option<Shortage>, taker: SmId) -> Vec<QuizChoice> {
    let choice = |resource: &'static Resource| {
        let enough = |sm: &SmId| resource.is_enough(block.sm(*sm), block.needs());
        let sm = Some(taker).filter(enough).or_else(|| block.sms().find(enough))?;
        let need = (resource.need)(block.needs());
        let why = format!("{}, and a block needs {}.", block.free(sm, resource), (resource.write)(need));
        // Where all have more than twice enough, nobody would think of it.
        let is_scarce =
            need > 0 && (resource.shortage == Shortage::Threads || block.sms().any(|sm| (resource.free)(block.sm(sm)) < 2 * need));
        is_scarce.then(|| QuizChoice::new(QuizAnswer::Short(resource.shortage), no(resource.shortage, true), resource.shortage.rule(), why))
    };
    RESOURCES.iter().filter(|r| Some(r.shortage) != but).filter_map(choice).collect()
}

/// For how many blocks there is room now, at most `most`.
fn room_for(block: &Block<'_>, most: u64) -> u64 {
    let mut room = 0_u64;
    for sm in &block.space().sms {
        let times = |r: &Resource| (r.free)(sm).checked_div((r.need)(block.needs())).unwrap_or(u64::MAX);
        room = room.saturating_add(RESOURCES.iter().map(times).min().unwrap_or(0));
    }
    room.min(most)
}
