//! reason
