//! Painting.
