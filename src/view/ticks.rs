//! ticks
