//! The kernel that spins, once for each number of registers.
//!
//! Depends on spin.ptx. Invariant: a kernel takes the registers that its row asks for where a GPU has such kernels: hardly fewer than
//! twelve, and as many as the compiler keeps for it.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::fmt::Write;

use crate::gpu::{Buffer, Called, Device, Function, Module};
use blockstep_format::program::PlanError;

const SOURCE: &str = include_str!("spin.ptx");
/// Registers of `spin` beside those that it holds, about: it depends on the compiler.
const OWN_REGISTERS: u32 = 16;
/// Most registers that are asked for: a thread has 255.
const MOST_HELD: u32 = 244;
/// How often another number is tried.
const TRIES: u32 = 6;
/// Registers are handed out in units of this size to each thread of a warp (`cuda_occupancy.h`: 256 a warp).
const UNIT: u32 = 8;
/// The oldest target that PTX of this version has; the driver compiles it for any later GPU.
const NEWEST_TARGET: u64 = 75;

/// The kernels of a process.
pub(crate) struct Kernels {
    device: Device,
    target: u64,
    /// By registers asked for.
    spins: BTreeMap<u32, Function>,
    /// What registers are loaded from.
    pub(crate) zeros: Buffer,
    pub(crate) tell_time: Function,
}

impl Kernels {
    /// `capability`: the GPU's compute capability, as 90.
    pub(crate) fn new(device: Device, capability: u64) -> Called<Self> {
        let target = capability.min(NEWEST_TARGET);
        let zeros = device.allocate((MOST_HELD as usize + 1) * size_of::<u32>())?;
        zeros.write(&vec![0; MOST_HELD as usize / 2])?;
        let tell_time = load(device, target, 0)?.function(c"tell_time")?;
        Ok(Self { device, target, spins: BTreeMap::new(), zeros, tell_time })
    }

    /// The kernel that takes so many registers, or as near as it gets.
    pub(crate) fn spin(&mut self, registers: u32) -> Called<Function> {
        if let Some(&function) = self.spins.get(&registers) {
            return Ok(function);
        }
        let mut held = registers.saturating_sub(OWN_REGISTERS).min(MOST_HELD);
        let mut function = load(self.device, self.target, held)?.function(c"spin")?;
        for _ in 0..TRIES {
            let taken = function.registers()?;
            let next = (held + registers).saturating_sub(taken).min(MOST_HELD);
            if taken.div_ceil(UNIT) == registers.max(1).div_ceil(UNIT) || next == held {
                break;
            }
            held = next;
            function = load(self.device, self.target, held)?.function(c"spin")?;
        }
        self.spins.insert(registers, function);
        Ok(function)
    }
}

fn load(device: Device, target: u64, held: u32) -> Called<Module> {
    let text = CString::new(ptx(target, held)).map_err(|_| PlanError::NotOnAGpu("the kernel has a 0 in its text".to_owned()))?;
    let text: &CStr = &text;
    device.load(text)
}

/// The source for a compute capability, as 75, holding so many registers beside its own.
fn ptx(target: u64, held: u32) -> String {
    let (mut registers, mut load, mut keep) = (String::new(), String::new(), String::new());
    // Writing to a string cannot fail.
    if held > 0 {
        let _ = write!(registers, "    .reg .b32 %k<{held}>;");
    }
    for k in 0..held {
        let _ = writeln!(load, "    ld.volatile.global.u32 %k{k}, [%rd4+{}];", 4 * k);
        let _ = writeln!(keep, "    add.s32 %r5, %r5, %k{k};");
    }
    // A GPU before Volta cannot sleep.
    let sleep = if target < 70 { "" } else { "    nanosleep.u32 100;" };
    let filled = SOURCE.replace("{target}", &format!("sm_{target}")).replace("{registers}", &registers).replace("{sleep}", sleep);
    filled.replace("{load}", load.trim_end()).replace("{keep}", keep.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_source_is_filled_in() {
        for held in [0, 1, MOST_HELD] {
            let text = ptx(75, held);
            let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            // Braces are those of the two kernels' bodies.
            assert_eq!((code.matches('{').count(), code.matches('}').count()), (2, 2), "{text}");
            assert_eq!(text.matches("ld.volatile.global.u32").count() as u32, held);
            assert!(text.contains(".target sm_75") && text.contains("nanosleep"));
            assert!(!ptx(61, held).contains("nanosleep"));
        }
    }
}
