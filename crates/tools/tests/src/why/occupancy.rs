//! How many blocks of a kernel an SM holds: exactly, and with units of allocation.

use blockstep_sim::scenario::{Device, DeviceDraft, Draft, KernelDraft};
use blockstep_tools::ask::RoomOnSm;
use blockstep_tools::tool::Event;

use super::tool::{card, page, stand};

/// How many blocks of the only kernel an SM holds, as the card says it.
fn occupancy(draft: &Draft, units: bool) -> RoomOnSm {
    let mut page = page(draft);
    stand(&mut page, draft, "0", "K");
    page.tell(Event::Opened(String::new())).unwrap();
    card(page.edit(|state| state.units = units).view.unwrap()).occupancy
}

#[test]
fn ask_says_how_many_blocks_an_sm_holds_and_why_not_more() {
    let kernel = |threads, registers| KernelDraft {
        shared_memory_bytes: 1_000,
        registers_per_thread: registers,
        ..KernelDraft::named("K", 10_000, threads, 1_000)
    };
    let on = |device: &str, kernel| Draft { device: DeviceDraft::BuiltIn(device.to_owned()), kernels: vec![kernel], ..Draft::default() };
    let blocks = |room: &RoomOnSm| room.resources.iter().map(|r| (r.blocks.clone(), r.is_limit)).collect::<Vec<_>>();
    let of = |blocks: [&str; 4], limit| (0..4).map(|i| (blocks[i].to_owned(), i == limit)).collect::<Vec<_>>();
    // Counted exactly: 65,536 / 1,920 registers, 164 KiB / 1,000 bytes; 32 block slots.
    let draft = on("a100", kernel(48, 40));
    let exact = occupancy(&draft, false);
    assert_eq!(exact.summary, "Occupancy: at most 32 blocks on an SM, limited by block slots");
    assert_eq!(blocks(&exact), of(["42", "167", "34", "32"], 3));
    assert_eq!(
        exact.waves,
        "When idle, 108 SMs hold 3,456 of the kernel's 10,000: at least 3 waves. The blocks on an SM have 75 % of its threads."
    );
    // Two warps of 1,280 registers, 12 of which fit in a quarter of the registers; 2,048 bytes, 1,024 of them the system's.
    let units = occupancy(&draft, true);
    assert_eq!(units.summary, "Occupancy: at most 24 blocks on an SM, limited by registers");
    assert_eq!(blocks(&units), of(["32", "82", "24", "32"], 2));
    assert_eq!(units.units.as_deref(), Some("Count whole warps and units of allocation, as compute capability 8.0 hands them out"));
    // No registers are counted where none are given; a device of one's own has no units.
    let custom = DeviceDraft::Custom(Device { sms: 1, ..Device::default() });
    let own = occupancy(&Draft { device: custom, ..on("tx2", kernel(1_024, 0)) }, true);
    assert_eq!((own.units.clone(), blocks(&own)), (None, of(["2", "65", "any number", "32"], 0)));
    assert_eq!(
        own.waves,
        "When idle, the SM holds 2 of the kernel's 10,000: at least 5,000 waves. The blocks on an SM have 100 % of its threads."
    );
}
