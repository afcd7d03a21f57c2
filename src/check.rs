//! Invariants over any trace.
