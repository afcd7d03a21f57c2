//! Application-level schedulers and hardware queues: [MT], Muyan-Özçelik and Owens 2016.

mod advice;
mod cases;
mod command_line;
mod files;
mod methods;
mod properties;
mod sequences;
mod stage;
mod tables;
mod waits;
mod workloads;
