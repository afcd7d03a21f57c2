//! queues
