//! Application-level schedulers for GPU tasks with real-time requirements, and the hardware queues
//! of older GPUs that their commands go through.
//!
//! Depends on `units` and `order`. Invariants: whole nanoseconds and exact fractions, no floats; the same input
//! gives the same output to the nanosecond. Source: [MT], P. Muyan-Özçelik and J. D. Owens,
//! "Methods for Multitasking among Real-time Embedded Compute Tasks Running on the GPU", 2016.
//!
//! Data flows one way: a [`task::Workload`] is cut into batches of at most two tasks by
//! [`priority`]; one of the six [`schedulers`] writes the [`command::Program`] of a batch;
//! [`simulate()`] sends it through the [`queues`] of an [`arch::Arch`] and yields a
//! [`simulate::BatchRun`]: steps, spans, what stood in which queue, and what waited for what it does
//! not depend on. [`run`] does so until the input ends and compares the schedulers.

pub mod advice;
pub mod arch;
pub mod cases;
pub mod command;
pub mod example;
pub mod holds;
pub mod late;
pub mod methods;
pub mod priority;
pub mod queues;
mod room;
pub mod run;
pub mod schedulers;
pub mod simulate;
pub mod state;
pub mod task;
pub mod timings;
pub mod waits;

pub use simulate::simulate;
