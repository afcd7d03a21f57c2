//! breakdown
