//! Application-level schedulers and hardware queues: [MT], Muyan-Özçelik and Owens 2016.

mod sequences;
mod stage;
mod tables;
