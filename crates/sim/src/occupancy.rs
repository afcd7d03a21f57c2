//! How many blocks of a kernel an SM holds, by compute capability.
//!
//! Depends on nothing. Sources: the tables of compute capabilities in the CUDA guides (10.2 for 3.0 and 3.2, 11.x table 15 for 3.5 to 7.2,
//! 13.1 section 5.1 from 7.5 on) and the arithmetic of `cuda_occupancy.h` 12.6; for 10.x and later that of 9.0 is taken, which is our choice.

/// What an SM holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Compute capability, which decides how registers and shared memory are handed out.
    pub capability: (u32, u32),
    /// Thread blocks.
    pub blocks: u32,
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Registers that one block can have.
    pub registers_of_block: u32,
    /// Registers that one thread can have.
    pub registers_of_thread: u32,
    /// Bytes of shared memory that one block can ask for, where it opts in to more than 48 KiB.
    pub shared_of_block: u32,
}

/// What of an SM a block takes, or what is free of it; in the order blocks, threads, registers, bytes of shared memory.
pub type Resources = [u64; 4];

/// Names of the resources, in their order.
pub const NAMES: [&str; 4] = ["block slots", "threads", "registers", "bytes of shared memory"];

const KB: u32 = 1024;
const WARP: u64 = 32;

impl Limits {
    /// What an SM of a compute capability holds; `None` for one that is not in the guides' tables.
    #[must_use]
    pub const fn at_capability(capability: (u32, u32)) -> Option<Self> {
        // Blocks, warps, thousands of registers, KB of shared memory.
        let (blocks, warps, registers, shared) = match capability {
            (3, 0 | 2 | 5) => (16, 64, 64, 48),
            (3, 7) => (16, 64, 128, 112),
            (5, 0 | 3) | (6, 2) => (32, 64, 64, 64),
            (5, 2) | (6, 1) | (7, 0 | 2) => (32, 64, 64, 96),
            (6, 0) => (32, 64, 64, 64),
            (7, 5) => (16, 32, 64, 64),
            (8, 0) => (32, 64, 64, 164),
            (8, 6) => (16, 48, 64, 100),
            (8, 7) => (16, 48, 64, 164),
            (8, 9) | (12, _) => (24, 48, 64, 100),
            (9, 0) | (10, _) => (32, 64, 64, 228),
            (11, 0) => (24, 48, 64, 228),
            _ => return None,
        };
        let registers_of_block = match capability {
            (3, 2) | (5, 3) | (6, 2) => 32,
            _ => 64,
        };
        let shared_of_block = match capability {
            (3..=6, _) => 48,
            (7, 0 | 2) => 96,
            (7, _) => 64,
            // One KB of each block is the system's.
            (8, 0 | 7) => 163,
            (8, _) | (12, _) => 99,
            _ => 227,
        };
        Some(Self {
            capability,
            blocks,
            threads: warps * WARP as u32,
            registers: registers * KB,
            shared: shared * KB,
            registers_of_block: registers_of_block * KB,
            registers_of_thread: if matches!(capability, (3, 0)) { 63 } else { 255 },
            shared_of_block: shared_of_block * KB,
        })
    }

    /// Warps that an SM holds, of 32 threads each.
    #[must_use]
    pub fn warps(&self) -> u64 {
        u64::from(self.threads) / WARP
    }

    /// What an SM holds.
    #[must_use]
    pub fn capacity(&self) -> Resources {
        [u64::from(self.blocks), u64::from(self.threads), u64::from(self.registers), u64::from(self.shared)]
    }

    /// What a block takes: whole warps, and registers and shared memory in the steps in which they are handed out.
    ///
    /// `threads` of a block, `registers` of a thread (zero if unknown, then none are counted), `shared` bytes of a block.
    #[must_use]
    pub fn block(&self, threads: u64, registers: u32, shared: u32) -> Resources {
        let warps = threads.div_ceil(WARP);
        let registers_of_warp = (WARP * u64::from(registers)).next_multiple_of(256);
        let is_recent = self.capability.0 >= 8;
        let (unit, reserved) = if is_recent { (128, u64::from(KB)) } else { (256, 0) };
        let shared = match u64::from(shared) + reserved {
            0 => 0,
            bytes => bytes.next_multiple_of(unit),
        };
        [1, warps * WARP, warps * registers_of_warp, shared]
    }

    /// How many such blocks an SM holds at once, and the place in [`NAMES`] of what limits them.
    ///
    /// Registers are handed out by parts of the SM: four, or two of compute capability 6.0.
    #[must_use]
    pub fn resident(&self, threads: u64, registers: u32, shared: u32) -> (u64, usize) {
        let block = self.block(threads, registers, shared);
        let by_registers = self.by_registers(threads, registers);
        let by = |place: usize| self.capacity()[place].checked_div(block[place]).unwrap_or(u64::MAX);
        let counts = [by(0), by(1), by_registers, by(3)];
        let least = counts.into_iter().min().unwrap_or(0);
        (least, counts.iter().position(|&count| count == least).unwrap_or(0))
    }

    /// How many such blocks the registers of an SM suffice for; `u64::MAX` if a thread needs none.
    #[must_use]
    pub fn by_registers(&self, threads: u64, registers: u32) -> u64 {
        let warps = threads.div_ceil(WARP).max(1);
        let parts: u64 = if self.capability == (6, 0) { 2 } else { 4 };
        match self.block(threads, registers, 0)[2] / warps {
            0 => u64::MAX,
            of_warp => (u64::from(self.registers) / parts / of_warp) * parts / warps,
        }
    }
}
