//! differential
