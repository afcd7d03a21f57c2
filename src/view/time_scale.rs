//! time_scale
