//! Application-level schedulers and hardware queues: [MT], Muyan-Özçelik and Owens 2016.

mod advice;
mod cases;
mod files;
mod methods;
mod properties;
mod sequences;
mod stage;
mod tables;
mod waits;
mod workloads;
