//! Hardware connections: which of them each stream uses.
//!
//! Depends on the rest of `scenario`. Invariant: the streams of an address space, or of a channel of it, take the connections by turns, in the order of
//! [`Scenario::streams`](super::Scenario::streams). Source: docs/semantics.md, section 3.

use super::Stream;

/// Most connections of an address space: what `CUDA_DEVICE_MAX_CONNECTIONS` takes.
pub const MAX_CONNECTIONS: u64 = 32;

/// Gives every stream its connection where streams share them. `space`: the number of the stream's address space or channel.
pub(super) fn connect(streams: &mut [Stream], connections: Option<u64>, space: impl Fn(&Stream) -> usize) {
    let Some(connections) = connections.filter(|&count| count > 0) else { return };
    // By address space: how many streams have one, and which one the NULL stream has.
    let mut taken: Vec<(u64, Option<u32>)> = Vec::new();
    for stream in streams {
        let space = space(stream);
        if space >= taken.len() {
            taken.resize(space + 1, (0, None));
        }
        let (count, null) = &mut taken[space];
        // Processes that share an address space have one NULL stream.
        if let (true, Some(known)) = (stream.is_null(), *null) {
            stream.connection = Some(known);
            continue;
        }
        let number = (*count % connections) as u32;
        *count += 1;
        if stream.is_null() {
            *null = Some(number);
        }
        stream.connection = Some(number);
    }
}
