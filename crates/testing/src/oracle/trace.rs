//! What a run exports.

use std::collections::BTreeMap;

use blockstep_sim::scenario::{BuiltIn, Call, Choice, DeviceDraft, Draft, Evidence};
use blockstep_sim::trace::OpKind;
use serde::Serialize;
use serde_json::Value;

use super::waits::{OpKey, Reason};
use super::{Job, Run};

/// The trace of docs/file-format.md, field by field, and the waiting reasons of section 10.
#[derive(Debug, Serialize)]
pub struct OracleTrace {
    pub version: u64,
    pub scenario: String,
    pub policy: &'static str,
    /// Of a device on which the rules were not found, checked or measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    pub end_ns: u64,
    pub blocks: Vec<OracleBlock>,
    pub copies: Vec<OracleCopy>,
    pub kernels: Vec<OracleKernel>,
    pub jobs: Vec<OracleJob>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residency: Option<Vec<OracleStay>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runlist: Option<Vec<String>>,
    /// Of every issued operation: time by what it was doing or waiting for. Sums to its response.
    #[serde(skip)]
    pub reasons: BTreeMap<OpKey, BTreeMap<Reason, u64>>,
    /// What a policy of one's own was told, and when: `request T0#0`, `end T0#0` or `tick`.
    #[serde(skip)]
    pub told: Vec<(u64, String)>,
    /// When it could not decide, which ended the run.
    #[serde(skip)]
    pub failed: Option<u64>,
    /// Whether something is left that can never complete (section 9).
    #[serde(skip)]
    pub hangs: bool,
}

#[derive(Debug, Serialize)]
pub struct OracleBlock {
    pub kernel: String,
    pub job: u64,
    pub block: usize,
    pub sm: usize,
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub runs: Vec<(u64, u64)>,
}

#[derive(Debug, Serialize)]
pub struct OracleCopy {
    pub op: String,
    pub kernel: String,
    pub job: u64,
    pub direction: &'static str,
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub runs: Vec<(u64, u64)>,
}

#[derive(Debug, Serialize)]
pub struct OracleKernel {
    pub kernel: String,
    pub job: u64,
    pub issued_ns: u64,
    pub queued_ns: Option<u64>,
    pub start_ns: Option<u64>,
    pub end_ns: Option<u64>,
}

#[derive(Debug, Serialize)]
pub struct OracleJob {
    pub task: String,
    pub job: u64,
    pub release_ns: u64,
    pub deadline_ns: Option<u64>,
    pub end_ns: Option<u64>,
    pub met: Option<bool>,
}

#[derive(Debug, Serialize)]
pub struct OracleStay {
    pub process: String,
    pub start_ns: u64,
    pub end_ns: u64,
}

impl OracleTrace {
    /// The trace as docs/file-format.md writes it.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap()
    }
}

impl Run<'_> {
    pub(super) fn trace(self, draft: &Draft) -> OracleTrace {
        let end_of_run = self.now;
        let mut trace = OracleTrace {
            version: 1,
            scenario: draft.name.clone(),
            policy: draft.policy.kind.word(),
            evidence: evidence(&draft.device),
            end_ns: end_of_run,
            blocks: vec![],
            copies: vec![],
            kernels: vec![],
            jobs: vec![],
            residency: self.residency(),
            runlist: self.runlist(),
            reasons: BTreeMap::new(),
            told: self.told(),
            failed: self.turns.own.failed,
            hangs: self.hangs(),
        };
        for a in &self.assigned {
            let op = &self.ops[a.op];
            let (kernel, job, end_ns) = (self.m.rows[op.row].draft.name.clone(), self.jobs[op.job].no, a.end);
            let runs = a.runs.clone();
            let (side, direction) = match op.kind {
                OpKind::Kernel => {
                    trace.blocks.push(OracleBlock { kernel, job, block: a.block, sm: a.place, start_ns: a.start, end_ns, runs });
                    continue;
                }
                OpKind::CopyIn => ("i", "in"),
                OpKind::CopyOut => ("o", "out"),
            };
            let is_own_row = self.m.rows[op.row].draft.call != Call::Kernel;
            let name = if is_own_row { kernel.clone() } else { format!("C{}{side}", kernel.strip_prefix('K').unwrap_or(&kernel)) };
            trace.copies.push(OracleCopy { op: name, kernel, job, direction, start_ns: a.start, end_ns, runs });
        }
        for (i, op) in self.ops.iter().enumerate() {
            let (row, job) = (&self.m.rows[op.row], &self.jobs[op.job]);
            let sum: u64 = self.reasons[&(op.row, job.no, op.kind)].values().sum();
            assert_eq!(sum, op.end.unwrap_or(end_of_run) - op.issued, "reasons add up to the response time");
            if op.kind == OpKind::Kernel {
                trace.kernels.push(OracleKernel {
                    kernel: row.draft.name.clone(),
                    job: job.no,
                    issued_ns: op.issued,
                    queued_ns: op.joined.map(|(at, _)| at),
                    start_ns: self.assigned.iter().find(|a| a.op == i).map(|a| a.start),
                    end_ns: op.end,
                });
            }
        }
        let mut jobs: Vec<&Job> = self.jobs.iter().collect();
        jobs.sort_by_key(|j| (j.release, j.task));
        for j in jobs {
            let t = &self.m.tasks[j.task].draft;
            let deadline_ns = t.deadline_ns.or(t.period_ns).map(|relative| j.release + relative);
            let met = deadline_ns.and_then(|deadline| match j.end {
                Some(end) => Some(end <= deadline),
                None => (deadline <= end_of_run).then_some(false),
            });
            trace.jobs.push(OracleJob { task: t.name.clone(), job: j.no, release_ns: j.release, deadline_ns, end_ns: j.end, met });
        }
        trace.reasons = self.reasons;
        trace
    }
}

/// How far the rules are known on a device, unless they are.
fn evidence(device: &DeviceDraft) -> Option<Evidence> {
    let evidence = match device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).unwrap().evidence,
        DeviceDraft::Custom(device) => device.evidence(),
    };
    evidence.rules().map(|_| evidence)
}
