//! reject
