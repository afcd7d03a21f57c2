//! What is edited outside the tables: name, horizon, seed, the policy's settings, the device's limits.
//!
//! Depends on the rest of `document`. Invariant: a built-in device never changes; one of whose
//! limits is edited becomes a device of one's own.

use super::Document;
use super::switches::{self, SwitchShape};
use crate::quantity::{self, Unit};
use crate::table::CellError;
use blockstep_sim::scenario::device::{LIMITS, Limit};
use blockstep_sim::scenario::{BuiltIn, Chain, Choice, Device, DeviceDraft, Preemption, SwitchCharge, TAIL_PER_MILLION};
use blockstep_sim::units::written::Measure;

impl Document {
    /// The device as limits, whether built in or not; the TX2's if it is unknown.
    #[must_use]
    pub fn device(&self) -> Device {
        match &self.rest.device {
            DeviceDraft::BuiltIn(id) => BuiltIn::find(id).map(BuiltIn::device).unwrap_or_default(),
            DeviceDraft::Custom(device) => device.clone(),
        }
    }

    /// What a cell outside the tables shows, by path: `name`, `horizon_ns`, `seed`, `connections`, `device.sms`,
    /// `policy.switch_cost_ns` and the other fields of switches, `policy.switches` ([`SwitchShape`]), `policy.switch_charge`,
    /// `policy.signal_ns`, `policy.runlist_ns`, `policy.chain`, `policy.watchdog_ns`, `policy.cbs` (`on` or `off`), `policy.preemption`.
    #[must_use]
    pub fn top_text(&self, path: &str) -> String {
        if let Some(text) = self.raw.get(path) {
            return text.clone();
        }
        match path {
            "name" => self.rest.name.clone(),
            "horizon_ns" => self.rest.horizon_ns.map(quantity::format_time).unwrap_or_default(),
            "seed" => quantity::format_count(self.rest.seed),
            "connections" => self.rest.connections.map(quantity::format_count).unwrap_or_default(),
            "device.name" => self.device().name,
            "policy.switch_cost_ns" if self.rest.policy.switch_cost_ns == 0 => String::new(),
            "policy.switch_cost_ns" => quantity::format_time(self.rest.policy.switch_cost_ns),
            "policy.signal_ns" if self.rest.policy.signal_ns == 0 => String::new(),
            "policy.signal_ns" => quantity::format_time(self.rest.policy.signal_ns),
            "policy.runlist_ns" if self.rest.policy.runlist_ns == 0 => String::new(),
            "policy.runlist_ns" => quantity::format_time(self.rest.policy.runlist_ns),
            "policy.chain" => self.rest.policy.chain.word().to_owned(),
            "policy.watchdog_ns" => self.rest.policy.watchdog_ns.map(quantity::format_time).unwrap_or_default(),
            "policy.switches" => SwitchShape::from_policy(&self.rest.policy).word().to_owned(),
            "policy.switch_cost_max_ns" => self.rest.policy.switch_cost_max_ns.map(quantity::format_time).unwrap_or_default(),
            "policy.switch_tail_per_million" => quantity::format_count(self.rest.policy.switch_tail_per_million),
            "policy.switch_samples_ns" => switches::samples_text(&self.rest.policy.switch_samples_ns),
            "policy.switch_charge" => self.rest.policy.switch_charge.word().to_owned(),
            "policy.cbs" => if self.rest.policy.cbs { "on" } else { "off" }.to_owned(),
            "policy.preemption" => self.rest.policy.preemption.word().to_owned(),
            _ => {
                let limit = path.strip_prefix("device.").and_then(|field| LIMITS.iter().find(|l| l.field == field));
                limit.map(|l| quantity::format(unit_of(l), (l.get)(&self.device()))).unwrap_or_default()
            }
        }
    }

    /// Types a text into a cell outside the tables.
    pub fn set_top(&mut self, path: &str, text: &str) {
        match self.set_field(path, text) {
            Ok(()) => self.raw.remove(path),
            Err(_) => self.raw.set(path, text),
        }
    }

    pub(super) fn set_field(&mut self, path: &str, text: &str) -> Result<(), CellError> {
        let text = text.trim();
        let no_field = || CellError::NoField(path.to_owned());
        match path {
            "name" => text.clone_into(&mut self.rest.name),
            "horizon_ns" => self.rest.horizon_ns = if text.is_empty() { None } else { Some(quantity::parse(Unit::Time, text)?) },
            "policy.switch_cost_ns" => {
                self.rest.policy.switch_cost_ns = if text.is_empty() { 0 } else { quantity::parse(Unit::Time, text)? }
            }
            "policy.signal_ns" => self.rest.policy.signal_ns = if text.is_empty() { 0 } else { quantity::parse(Unit::Time, text)? },
            "policy.runlist_ns" => self.rest.policy.runlist_ns = if text.is_empty() { 0 } else { quantity::parse(Unit::Time, text)? },
            "policy.switches" => SwitchShape::from_word(text).ok_or_else(no_field)?.shape(&mut self.rest.policy),
            "policy.chain" => self.rest.policy.chain = Chain::from_word(text).ok_or_else(no_field)?,
            "policy.watchdog_ns" if text.is_empty() => self.rest.policy.watchdog_ns = None,
            "policy.watchdog_ns" => self.rest.policy.watchdog_ns = Some(quantity::parse(Unit::Time, text)?),
            "policy.switch_cost_max_ns" => self.rest.policy.switch_cost_max_ns = Some(quantity::parse(Unit::Time, text)?),
            "policy.switch_tail_per_million" => {
                let share = if text.is_empty() { TAIL_PER_MILLION } else { quantity::parse(Unit::Count, text)? };
                self.rest.policy.switch_tail_per_million = share;
            }
            "policy.switch_samples_ns" => self.rest.policy.switch_samples_ns = switches::samples(text)?,
            "policy.switch_charge" => self.rest.policy.switch_charge = SwitchCharge::from_word(text).ok_or_else(no_field)?,
            "policy.cbs" => self.rest.policy.cbs = text == "on",
            "policy.preemption" => self.rest.policy.preemption = Preemption::from_word(text).ok_or_else(no_field)?,
            "connections" => self.rest.connections = if text.is_empty() { None } else { Some(quantity::parse(Unit::Count, text)?) },
            "seed" => self.rest.seed = if text.is_empty() { 0 } else { quantity::parse(Unit::Count, text)? },
            "device.name" => {
                let mut device = self.device();
                text.clone_into(&mut device.name);
                self.rest.device = DeviceDraft::Custom(device);
            }
            _ => {
                let limit = path.strip_prefix("device.").and_then(|field| LIMITS.iter().find(|l| l.field == field));
                let limit = limit.ok_or_else(no_field)?;
                let value = quantity::parse(unit_of(limit), text)?;
                let mut device = self.device();
                if (limit.get)(&device) != value {
                    (limit.set)(&mut device, value);
                    if matches!(self.rest.device, DeviceDraft::BuiltIn(_)) {
                        device.name.push_str(", edited");
                    }
                    self.rest.device = DeviceDraft::Custom(device);
                }
            }
        }
        Ok(())
    }

    /// Picks a built-in device; texts typed into the limits of another are dropped with it.
    pub fn set_device(&mut self, id: &str) {
        self.rest.device = DeviceDraft::BuiltIn(id.to_owned());
        self.raw.remove_all("device.");
    }
}

/// How a limit of a device is typed.
const fn unit_of(limit: &Limit) -> Unit {
    match limit.measure {
        Measure::Time => Unit::Time,
        Measure::Bytes | Measure::BytesPerSecond => Unit::Bytes,
        Measure::Count => Unit::Count,
    }
}

/// What the page calls a limit of a device; empty if there is none of that field.
#[must_use]
pub fn limit_title(field: &str) -> &'static str {
    match field {
        "sms" => "SMs",
        "threads_per_sm" => "Threads per SM",
        "blocks_per_sm" => "Blocks per SM",
        "shared_memory_per_sm" => "Shared memory per SM",
        "registers_per_sm" => "Registers per SM",
        "max_threads_per_block" => "Threads per block, at most",
        "max_shared_memory_per_block" => "Shared memory per block, at most",
        "max_registers_per_block" => "Registers per block, at most",
        "max_registers_per_thread" => "Registers per thread, at most",
        "copy_engines" => "Copy engines",
        "copy_bandwidth_bytes_per_s" => "Copy bandwidth, per second",
        _ => "",
    }
}

/// What the page calls a field outside the tables, by path.
#[must_use]
pub fn top_title(path: &str) -> Option<&'static str> {
    Some(match path {
        "name" => "Name of the scenario",
        "device" => "Device",
        "placement" => "Placement",
        "block_ends" => "Blocks that end together",
        "policy.kind" => "Policy",
        "policy.text" => "Text of the policy",
        "policy.switch_cost_ns" => "Switch cost",
        "policy.signal_ns" => "Signal to the RunList Manager",
        "policy.runlist_ns" => "Runlist submission",
        "policy.chain" => "Chain of a consumer",
        "policy.watchdog_ns" => "Watchdog",
        "policy.switch_cost_max_ns" => "Longest switch",
        "policy.switch_tail_per_million" => "In the tail, per million",
        "policy.switch_charge" => "Charged switches",
        "policy.preemption" => "Preemption",
        "policy.cbs" => "Budgets (CBS)",
        "horizon_ns" => "Horizon",
        "seed" => "Seed",
        "connections" => "Hardware connections",
        "kernels" => "Kernel table",
        "tasks" => "Tasks",
        "streams" => "Streams",
        "processes" => "Processes",
        "policy.switch_samples_ns" => "Measured switches",
        _ if path.starts_with("policy.switch_samples_ns[") => "A measured switch",
        _ => path.strip_prefix("device.").map(limit_title).filter(|title| !title.is_empty())?,
    })
}
