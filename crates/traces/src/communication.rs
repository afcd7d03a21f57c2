//! Which kernels communicate with other devices, and what the file says of that.
//!
//! A kernel communicates for certain if its own arguments name a collective, or if it was launched by nothing but an operator of
//! communication: by PyTorch's `record_param_comms` and `nccl:…`, or NCCL's own NVTX ranges. A name of a known library is consistent with
//! that. Invariants: what an operator within such a span launches, as a copy of its result, does not communicate; every reader of a
//! recording asks here, so that all of them mean the same kernels. Source: PyTorch `ParamCommsUtils.hpp` and `profiler/util.h`, NCCL
//! `nvtx.h`, measured files; names of kernels as their libraries have them (NCCL, RCCL and its MSCCL, NVSHMEM, DeepEP, vLLM, SGLang,
//! TensorRT-LLM, FlashInfer, PyTorch's symmetric memory).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::causes::Certainty;
use crate::{Call, HostSort, HostSpan, OperationKind, Recording};
use blockstep_sim::units::Time;

blockstep_sim::listed! {
    /// What a kernel that communicates does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum CollectiveKind(word, from_word) {
        /// Every rank gets the sum of all.
        AllReduce = "all-reduce",
        /// Every rank gets what all have.
        AllGather = "all-gather",
        /// Every rank gets its part of the sum.
        ReduceScatter = "reduce-scatter",
        /// Every rank gets a part of what each has.
        AllToAll = "all-to-all",
        /// Every rank waits for all.
        Barrier = "barrier",
        /// One rank sends to all.
        Broadcast = "broadcast",
        /// One rank gets the sum.
        Reduce = "reduce",
        /// One rank gets what all have.
        Gather = "gather",
        /// Every rank gets a part of what one has.
        Scatter = "scatter",
        /// Between two ranks.
        SendReceive = "send-receive",
        /// The file does not say, or none of these.
        Other = "other",
    }
}

impl CollectiveKind {
    /// Whether a kernel of it ends on no rank of its group before all of them have begun it.
    #[must_use]
    pub const fn is_left_together(self) -> bool {
        matches!(self, Self::AllReduce | Self::AllGather | Self::ReduceScatter | Self::AllToAll | Self::Barrier)
    }

    /// By a name in whatever spelling: `allreduce`, `_all_gather_base`, `ncclDevKernel_ReduceScatter_Sum`.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        let has = |text: &&str| plain.contains(text);
        let all: [(&[&str], Self); 10] = [
            (&["allreduce", "crossdevicereduce"], Self::AllReduce),
            (&["allgather"], Self::AllGather),
            (&["reducescatter"], Self::ReduceScatter),
            (&["alltoall", "all2all"], Self::AllToAll),
            (&["barrier"], Self::Barrier),
            (&["broadcast"], Self::Broadcast),
            (&["send", "recv"], Self::SendReceive),
            (&["reduce"], Self::Reduce),
            (&["gather"], Self::Gather),
            (&["scatter"], Self::Scatter),
        ];
        all.into_iter().find(|(texts, _)| texts.iter().any(has)).map_or(Self::Other, |(_, kind)| kind)
    }
}

/// Collectives of a kind, within a sentence.
#[must_use]
pub const fn plural(kind: CollectiveKind) -> &'static str {
    match kind {
        CollectiveKind::AllReduce => "all-reduces",
        CollectiveKind::AllGather => "all-gathers",
        CollectiveKind::ReduceScatter => "reduce-scatters",
        CollectiveKind::AllToAll => "all-to-alls",
        CollectiveKind::Barrier => "barriers",
        CollectiveKind::Broadcast => "broadcasts",
        CollectiveKind::Reduce => "reductions to one rank",
        CollectiveKind::Gather => "gathers",
        CollectiveKind::Scatter => "scatters",
        CollectiveKind::SendReceive => "sends and receives",
        CollectiveKind::Other => "others",
    }
}

/// What a file says of a collective, on its kernel or on the operator that launched it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectiveFacts {
    /// What it is, if it is named.
    pub kind: Option<CollectiveKind>,
    /// Bytes that a rank puts in.
    pub bytes: Option<u64>,
    /// How many ranks take part.
    pub group_size: Option<u64>,
    /// Which ranks take part; empty if the file does not say all of them.
    pub ranks: Vec<u64>,
    /// Ranks send parts of other sizes to each other.
    pub is_uneven: bool,
}

impl CollectiveFacts {
    /// Whether the file says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A kernel that communicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Communication {
    /// Its index in [`Recording::operations`].
    pub operation: u32,
    /// What it does.
    pub kind: CollectiveKind,
    /// Certain if the file says outright that it communicates, consistent if its name does.
    pub certainty: Certainty,
    /// Bytes that the rank puts in, if recorded.
    pub bytes: Option<u64>,
    /// How many ranks take part, if recorded.
    pub group_size: Option<u64>,
    /// Which ranks take part, an index of [`Recording::groups`], if recorded.
    pub group: Option<u32>,
    /// Ranks send parts of other sizes to each other.
    pub is_uneven: bool,
}

/// What a reader found beside the kernels, in the times of the recording.
#[derive(Debug, Default)]
pub(crate) struct SaidCollectives {
    /// By operation, an index.
    pub(crate) of_kernels: BTreeMap<u32, CollectiveFacts>,
    /// By process, thread and beginning of the span.
    pub(crate) of_spans: BTreeMap<(u64, u64, Time), CollectiveFacts>,
}

/// More groups of ranks than this are not kept, nor larger ones: a file of a few bytes must not take the machine's memory.
const MOST_GROUPS: usize = 1_000;
/// The same for the ranks of one group.
pub(crate) const MOST_IN_GROUP: usize = 4_096;

/// At most so many spans within each other are looked at.
const MOST_NESTED: usize = 16;

/// Kernels of libraries for communication, by how the last part of their name begins.
const LIBRARIES: [&str; 12] = [
    "nvshmem",
    "mscclKernel_",
    "cross_device_reduce_",
    "oneShotAllReduceKernel",
    "twoShotAllReduceKernel",
    "allreduce_fusion_kernel_",
    "one_shot_all_reduce_kernel",
    "two_shot_all_reduce_kernel",
    "multimem_all_reduce_kernel",
    "multimem_one_shot_all_reduce_kernel",
    "multimem_all_gather_kernel",
    "multimem_reduce_scatter_kernel",
];

/// Whether a kernel is of a library for communication, by its name.
#[must_use]
pub fn is_of_library(name: &str) -> bool {
    let name = name.strip_prefix("void ").unwrap_or(name);
    if ["nccl", "rccl"].iter().any(|prefix| name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(prefix))) {
        return true;
    }
    let name = name.replace("(anonymous namespace)::", "");
    let outer = &name[..name.find(['<', '(']).unwrap_or(name.len())];
    let last = outer.rsplit("::").next().unwrap_or(outer);
    // Of DeepEP, what finds out who gets what stays on the device.
    let is_deep_ep =
        || ["intranode::", "internode::", "internode_ll::"].iter().any(|part| outer.contains(part)) && !last.contains("layout");
    LIBRARIES.iter().any(|prefix| last.starts_with(prefix)) || outer.starts_with("deep_ep::") && is_deep_ep()
}

/// What a span of the host says of the kernels that it launches itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SpanSays {
    kind: CollectiveKind,
    /// Nothing else than communication launches in it.
    is_outright: bool,
}

/// What the name of a span says; `None` if it is none of communication.
fn span_says(name: &str) -> Option<SpanSays> {
    let outright = |kind| Some(SpanSays { kind, is_outright: true });
    if let Some(rest) = name.strip_prefix("nccl:") {
        return outright(CollectiveKind::from_name(rest));
    }
    if let Some(rest) = name.strip_prefix("nccl").filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
        // NCCL's own ranges; a group may hold several of them.
        return outright(if rest.starts_with("Group") { CollectiveKind::Other } else { CollectiveKind::from_name(rest) });
    }
    if name == "record_param_comms" {
        return outright(CollectiveKind::Other);
    }
    let rest = name.strip_prefix("c10d::")?;
    Some(SpanSays { kind: CollectiveKind::from_name(rest), is_outright: false })
}

/// The span in which a call launches, with what the file says of it and of those around it.
#[derive(Clone, Debug)]
struct Launched {
    span: u32,
    /// The outermost one around it that is of communication, too.
    outer: u32,
    says: SpanSays,
    facts: CollectiveFacts,
}

/// Finds the kernels that communicate, by operation; and the groups of ranks.
pub(crate) fn communications(recording: &Recording, said: &SaidCollectives) -> (Vec<Communication>, Vec<Vec<u64>>) {
    let of_library: Vec<bool> = recording.names.iter().map(|name| is_of_library(name)).collect();
    let launched = launched(recording, said);
    let outright = outright(recording, &launched, &of_library);
    let (mut found, mut groups) = (Vec::new(), Groups::default());
    for (place, operation) in recording.operations.iter().enumerate().filter(|(_, of)| of.kind == OperationKind::Kernel) {
        let own = said.of_kernels.get(&(place as u32));
        let is_named = own.is_some_and(|facts| facts.kind.is_some());
        let span = operation.call.and_then(|call| launched.get(&call));
        let by_span = span.and_then(|span| outright.get(&span.span)).filter(|of| of.binary_search(&(place as u32)).is_ok());
        let is_of_library = of_library[operation.name as usize];
        let is_certain = is_named || by_span.is_some() && span.is_some_and(|span| span.says.is_outright);
        if !is_certain && by_span.is_none() && !is_of_library {
            continue;
        }
        let span = span.filter(|_| by_span.is_some());
        let facts = own.cloned().unwrap_or_default().or(span.map(|span| &span.facts));
        let by_name = || CollectiveKind::from_name(&crate::words::short_name(recording.name(operation)));
        let by_span = span.map(|span| span.says.kind).filter(|&kind| kind != CollectiveKind::Other);
        found.push(Communication {
            operation: place as u32,
            kind: facts.kind.or(by_span).unwrap_or_else(by_name),
            certainty: if is_certain { Certainty::Certain } else { Certainty::Consistent },
            bytes: facts.bytes,
            group_size: facts.group_size,
            group: groups.place(facts.ranks),
            is_uneven: facts.is_uneven,
        });
    }
    (found, groups.all)
}

impl CollectiveFacts {
    /// These, and where they say nothing what others say.
    fn or(self, other: Option<&Self>) -> Self {
        let Some(other) = other else { return self };
        Self {
            kind: self.kind.or(other.kind),
            bytes: self.bytes.or(other.bytes),
            group_size: self.group_size.or(other.group_size),
            ranks: if self.ranks.is_empty() { other.ranks.clone() } else { self.ranks },
            is_uneven: self.is_uneven || other.is_uneven,
        }
    }
}

/// Groups of ranks, each once.
#[derive(Default)]
struct Groups {
    all: Vec<Vec<u64>>,
    known: BTreeMap<Vec<u64>, u32>,
}

impl Groups {
    fn place(&mut self, mut ranks: Vec<u64>) -> Option<u32> {
        ranks.sort_unstable();
        if ranks.is_empty() || ranks.len() > MOST_IN_GROUP {
            return None;
        }
        if let Some(&place) = self.known.get(&ranks) {
            return Some(place);
        }
        if self.all.len() == MOST_GROUPS {
            return None;
        }
        let place = self.all.len() as u32;
        self.all.push(ranks.clone());
        self.known.insert(ranks, place);
        Some(place)
    }
}

/// By span of communication: the kernels that it launched itself, of which those of a library count alone if there are some. Of several
/// that no library has, nothing tells which communicates.
fn outright(recording: &Recording, launched: &BTreeMap<u32, Launched>, of_library: &[bool]) -> BTreeMap<u32, Vec<u32>> {
    let mut of_span: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    if launched.is_empty() {
        return of_span;
    }
    for (place, operation) in recording.operations.iter().enumerate().filter(|(_, of)| of.kind == OperationKind::Kernel) {
        if let Some(launched) = operation.call.and_then(|call| launched.get(&call)) {
            of_span.entry(launched.span).or_default().push(place as u32);
        }
    }
    for kernels in of_span.values_mut() {
        let is_of_library = |place: &u32| of_library[recording.operations[*place as usize].name as usize];
        if kernels.iter().any(is_of_library) {
            kernels.retain(is_of_library);
        } else if kernels.len() > 1 {
            kernels.clear();
        }
    }
    of_span
}

/// By call: the span of communication that is the innermost operator or range around it, if one is.
fn launched(recording: &Recording, said: &SaidCollectives) -> BTreeMap<u32, Launched> {
    let says: Vec<Option<SpanSays>> = recording.names.iter().map(|name| span_says(name)).collect();
    let is_span = |span: &HostSpan| matches!(span.sort, HostSort::Operator | HostSort::Range);
    let mut found = BTreeMap::new();
    if !recording.spans.iter().any(|span| is_span(span) && says[span.name as usize].is_some()) {
        return found;
    }
    let launches = recording.launching();
    // By thread: the spans that are open, the innermost last.
    let mut open: BTreeMap<(u64, u64), Vec<u32>> = BTreeMap::new();
    let mut next = 0;
    let is_launch = |(place, _): &(usize, &Call)| launches[*place];
    for (place, call) in recording.calls.iter().enumerate().filter(is_launch) {
        while let Some(span) = recording.spans.get(next).filter(|span| span.start <= call.start) {
            if is_span(span) {
                let open = open.entry((span.process, span.thread)).or_default();
                close(recording, open, span.start);
                // Of those that begin together the longer one is around the other.
                let is_within = |inner: &&u32| {
                    let inner = &recording.spans[**inner as usize];
                    inner.start == span.start && inner.end < span.end
                };
                let within = open.iter().rev().take(MOST_NESTED).take_while(is_within).count();
                open.insert(open.len() - within, next as u32);
            }
            next += 1;
        }
        let Some(open) = open.get_mut(&(call.process, call.thread)) else { continue };
        close(recording, open, call.start);
        found.extend(innermost(recording, open, call.start, &says, said).map(|launched| (place as u32, launched)));
    }
    found
}

/// By call that launches in an operator of communication: that operator, an index of [`Recording::spans`].
pub(crate) fn operators(recording: &Recording) -> BTreeMap<u32, u32> {
    launched(recording, &SaidCollectives::default()).into_iter().map(|(call, launched)| (call, launched.outer)).collect()
}

/// Leaves out spans that ended before an instant.
fn close(recording: &Recording, open: &mut Vec<u32>, at: Time) {
    while open.last().is_some_and(|&span| recording.spans[span as usize].end < at) {
        open.pop();
    }
}

/// What the innermost of these spans says that has not ended before an instant, with those around it that are of communication, too.
fn innermost(recording: &Recording, open: &[u32], at: Time, says: &[Option<SpanSays>], said: &SaidCollectives) -> Option<Launched> {
    let mut found: Option<Launched> = None;
    // Spans of one thread may overlap: one that ended may be below another that goes on.
    let is_open = |place: &&u32| recording.spans[**place as usize].end >= at;
    for &place in open.iter().rev().take(MOST_NESTED).filter(is_open) {
        let span = &recording.spans[place as usize];
        let Some(says) = says[span.name as usize] else { break };
        let facts = said.of_spans.get(&(span.process, span.thread, span.start));
        let found = found.get_or_insert_with(|| Launched { span: place, outer: place, says, facts: CollectiveFacts::default() });
        found.outer = place;
        if found.says.kind == CollectiveKind::Other {
            found.says.kind = says.kind;
        }
        found.says.is_outright |= says.is_outright;
        found.facts = std::mem::take(&mut found.facts).or(facts);
    }
    found
}

impl Recording {
    /// What is known of an operation, by its place, as communication; `None` if it does not communicate.
    #[must_use]
    pub fn communication(&self, operation: u32) -> Option<&Communication> {
        let place = self.communications.binary_search_by_key(&operation, |of| of.operation).ok()?;
        self.communications.get(place)
    }

    /// By operation: whether it communicates.
    #[must_use]
    pub fn communicating(&self) -> Vec<bool> {
        let mut all = vec![false; self.operations.len()];
        for of in &self.communications {
            all[of.operation as usize] = true;
        }
        all
    }
}
