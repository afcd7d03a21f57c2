//! residency
