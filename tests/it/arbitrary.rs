//! arbitrary
