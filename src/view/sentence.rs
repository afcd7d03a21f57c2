//! sentence
