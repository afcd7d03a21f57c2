//! The table of what each SM has free of what a block lacks, and of who holds the rest.
//!
//! Invariant: SMs that follow each other and are equal stand in one line.

use super::view::{Free, OpNote, RoomTable, SmLine, op_name};
use blockstep_learn::why::{Hold, Room, resource_name, write_amount};
use blockstep_sim::language::s;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{OpId, SmId};
use blockstep_view::quantity::{format_count, format_time};

const FREE_CAPTION: &str = "Free resources of each SM, and what holds the rest";

/// Rows of the table.
const MAX_SMS: usize = 12;
/// Holders named on an SM.
const MAX_HOLDERS: usize = 3;

/// SMs that are equal: from the first to the last, both included.
struct EqualSms {
    first: usize,
    last: usize,
    free: Vec<Free>,
    holders: Vec<(OpId, String)>,
}

/// The table, beside what is told of an operation.
pub(super) fn table(trace: &Trace, subject: OpId, room: &Room) -> RoomTable {
    let scarce: Vec<usize> = (0..4).filter(|&which| room.scarce()[which]).collect();
    let mut groups: Vec<EqualSms> = Vec::new();
    for sm in 0..room.sms.len() {
        let next = group(room, &scarce, sm);
        match groups.last_mut() {
            Some(group) if group.free == next.free && group.holders == next.holders => group.last = sm,
            _ => groups.push(next),
        }
    }
    let rest: usize = groups.iter().skip(MAX_SMS).map(|group| group.last - group.first + 1).sum();
    let head = |&which: &usize| format!("Free {} (needs {})", resource_name(which), write_amount(which, room.need[which]));
    RoomTable {
        caption: caption(trace, room),
        heads: scarce.iter().map(head).collect(),
        lines: groups.into_iter().take(MAX_SMS).map(|group| line(trace, subject, group)).collect(),
        more: (rest > 0).then(|| format!("and {} more SM{}", format_count(rest as u64), s(rest as u64))),
    }
}

fn line(trace: &Trace, subject: OpId, group: EqualSms) -> SmLine {
    let EqualSms { first, last, free, holders } = group;
    let rest =
        if holders.is_empty() { "nobody".to_owned() } else { after_holders(first < last, holders.len().saturating_sub(MAX_HOLDERS)) };
    let holders = holders.into_iter().take(MAX_HOLDERS).map(|(op, text)| OpNote { name: op_name(trace, subject, op), text });
    SmLine { sms: if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") }, free, holders: holders.collect(), rest }
}

fn group(room: &Room, scarce: &[usize], sm: usize) -> EqualSms {
    let lacks = room.lacks(SmId::at(sm));
    let missing: Vec<usize> = scarce.iter().copied().filter(|&which| lacks[which]).collect();
    let holders = room.holds.iter().filter(|h| h.sm.index() == sm && missing.iter().any(|&which| h.held[which] > 0));
    let free = |&which: &usize| Free { amount: write_amount(which, room.sms[sm].free[which]), is_too_little: lacks[which] };
    EqualSms {
        first: sm,
        last: sm,
        free: scarce.iter().map(free).collect(),
        holders: holders.map(|hold| (hold.op, holder(hold, &missing))).collect(),
    }
}

/// What blocks of a kernel hold of what is missing, and until when.
fn holder(hold: &Hold, missing: &[usize]) -> String {
    let held: Vec<String> = missing.iter().filter(|&&which| hold.held[which] > 0).map(|&which| held_of(which, hold.held[which])).collect();
    let until = if hold.last_end == blockstep_sim::units::Time::MAX {
        "they go on".to_owned()
    } else if hold.first_end == hold.last_end {
        format_time(hold.last_end.ns())
    } else {
        format!("{}\u{2013}{}", format_time(hold.first_end.ns()), format_time(hold.last_end.ns()))
    };
    let until = if hold.is_later { format!("{until} at the earliest") } else { until };
    super::hold(hold.blocks, &held, &until, hold.suspended)
}

fn held_of(which: usize, amount: u64) -> String {
    match which {
        1 => write_amount(which, amount),
        3 => slots(amount, &format_count(amount)),
        _ => format!("{} {}", write_amount(which, amount), resource_name(which)),
    }
}

/// What the table shows, and which block's end makes room.
fn caption(trace: &Trace, room: &Room) -> String {
    room.opens.map_or_else(
        || FREE_CAPTION.to_owned(),
        |(op, block, sm, at)| {
            format!("{FREE_CAPTION}; room on SM {} once block {block} of {} ends at {}", sm.0, trace.op_label(op), format_time(at.ns()))
        },
    )
}

/// After the holders, where a line is of several SMs, or there are more holders than it names.
fn after_holders(is_of_several: bool, more: usize) -> String {
    match (is_of_several, more) {
        (false, 0) => String::new(),
        (true, 0) => ", on each".to_owned(),
        (false, more) => format!("; and {more} more"),
        (true, more) => format!(", on each; and {more} more"),
    }
}

pub(super) fn slots(amount: u64, written: &str) -> String {
    if amount == 1 { "1 slot".to_owned() } else { format!("{written} slots") }
}
