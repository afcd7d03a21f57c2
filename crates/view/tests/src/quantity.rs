//! Quantities: what is written reads back, and what is wrong is said.

use blockstep_sim::scenario::BlockTimes;
use blockstep_view::quantity::{
    Unit, format, format_block_times, format_bytes, format_count, format_time, format_time_short, parse, parse_block_times,
};
use proptest::prelude::*;

#[test]
fn times_are_written_in_the_largest_unit_that_holds_one() {
    let table = [
        (0, "0 s"),
        (1, "1 ns"),
        (17, "17 ns"),
        (999, "999 ns"),
        (1_000, "1 µs"),
        (3_050, "3.05 µs"),
        (200_000_000, "200 ms"),
        (999_999_999, "999.999999 ms"),
        (1_000_000_000, "1 s"),
        (1_500_000_000, "1.5 s"),
        (2_800_000_000, "2.8 s"),
        (3_020_000_001, "3.020000001 s"),
        (7_200_000_000_000, "7,200 s"),
        (u64::MAX, "18,446,744,073.709551615 s"),
    ];
    for (ns, text) in table {
        assert_eq!(format_time(ns), text);
    }
}

#[test]
fn short_times_have_five_digits_and_round_half_up() {
    let table = [
        (0, "0 s"),
        (17, "17 ns"),
        (999_999, "1 ms"),
        (12_345_678, "12.346 ms"),
        (12_345_500, "12.346 ms"),
        (12_345_499, "12.345 ms"),
        (999_994_999, "999.99 ms"),
        (999_995_000, "1 s"),
        (1_234_567_890, "1.2346 s"),
        (123_456_789_000_000, "123,457 s"),
        (u64::MAX, "18,446,744,073 s"),
    ];
    for (ns, text) in table {
        assert_eq!(format_time_short(ns), text, "{ns}");
    }
}

#[test]
fn sizes_are_binary_and_exact() {
    let table = [
        (0, "0 B"),
        (1_023, "1,023 B"),
        (1_024, "1 KiB"),
        (1_500, "1,500 B"),
        (1_536, "1.5 KiB"),
        (32_768, "32 KiB"),
        (1_310_720, "1.25 MiB"),
        (268_435_456, "256 MiB"),
        (1 << 40, "1,024 GiB"),
        (u64::MAX, "18,446,744,073,709,551,615 B"),
    ];
    for (bytes, text) in table {
        assert_eq!(format_bytes(bytes), text);
    }
    assert_eq!(format_count(1_024), "1,024");
    assert_eq!(format_count(999), "999");
}

#[test]
fn quantities_as_people_write_them() {
    use Unit::{Bytes, Count, Time};
    let table = [
        (Time, "0.2", 200_000_000),
        (Time, " 0.2 s ", 200_000_000),
        (Time, "200 ms", 200_000_000),
        (Time, "200ms", 200_000_000),
        (Time, ".5", 500_000_000),
        (Time, "1.", 1_000_000_000),
        (Time, "1e-3", 1_000_000),
        (Time, "2.5E2 ms", 250_000_000),
        (Time, "3 us", 3_000),
        (Time, "3 \u{b5}s", 3_000),
        (Time, "3 \u{3bc}s", 3_000),
        (Time, "+7 ns", 7),
        (Time, "1.5 min", 90_000_000_000),
        (Time, "1,024", 1_024_000_000_000),
        (Time, "0.000000001", 1),
        (Time, "0.20000000000000000000", 200_000_000),
        (Time, "18446744073.709551615", u64::MAX),
        (Time, "0", 0),
        (Time, "0e999999", 0),
        (Bytes, "32KB", 32_768),
        (Bytes, "32 KiB", 32_768),
        (Bytes, "48k", 49_152),
        (Bytes, "256MB", 268_435_456),
        (Bytes, "256 MB", 268_435_456),
        (Bytes, "1.5 GB", 1_610_612_736),
        (Bytes, "0.0009765625 KB", 1),
        (Bytes, "1,024", 1_024),
        (Bytes, "100 B", 100),
        (Bytes, "-", 0),
        (Bytes, "–", 0),
        (Count, "6", 6),
        (Count, "1,024", 1_024),
        (Count, "1_048_576", 1_048_576),
        (Count, "1 048 576", 1_048_576),
        (Count, "1\u{2009}024", 1_024),
        (Count, "1\u{202f}024", 1_024),
        (Count, "2.0", 2),
        (Count, "16x16", 256),
        (Count, "1,024 × 2 X 3", 6_144),
        (Count, "8*8", 64),
        (Count, "0x10", 0),
        (Count, "18,446,744,073,709,551,615", u64::MAX),
    ];
    for (unit, text, value) in table {
        assert_eq!(parse(unit, text), Ok(value), "{unit:?} {text:?}");
    }
}

#[test]
fn what_is_wrong_is_said_with_the_value_and_an_example() {
    use Unit::{Bytes, Count, Time};
    let time = "write a time such as 0.2 (seconds), 200 ms or 50 µs";
    let size = "write a size such as 32 KB, 256 MB or 1,024 (bytes)";
    let count = "write a whole number such as 6 or 1,024";
    let comma = "a comma only stands between groups of three digits";
    let table = [
        (Time, "", format!("is empty; {time}")),
        (Time, "soon", format!("\"soon\" is not a number; {time}")),
        (Time, "1/2", format!("\"1/2\" is not a number; {time}")),
        (Time, "1.2.3", format!("\"1.2.3\" is not a number; {time}")),
        (Time, "-", format!("\"-\" is not a number; {time}")),
        (Time, "-1 s", format!("\"-1 s\" is negative; {time}")),
        (Time, "1,5", format!("\"1,5\": decimals follow a point, write 1.5; {comma}")),
        (Time, "0,200", format!("\"0,200\": decimals follow a point, write 0.200; {comma}")),
        (Time, "1,5 s", format!("\"1,5 s\": decimals follow a point, write 1.5; {comma}")),
        (Time, "1 2", format!("\"1 2\": separators stand between groups of three digits, as in 1,024; {time}")),
        (Time, "200 KB", format!("\"200 KB\" is a size; a time is expected here: {time}")),
        (Time, "5 parsecs", format!("\"5 parsecs\": there is no unit \"parsecs\"; write s, ms, µs, ns or min, for example {}", &time[6..])),
        (Time, "1 e", format!("\"1 e\": there is no unit \"e\"; write s, ms, µs, ns or min, for example {}", &time[6..])),
        (Time, "0.5 ns", format!("\"0.5 ns\" is finer than 1 ns, the smallest step of time; {time}")),
        (Time, "1e-99", format!("\"1e-99\" is finer than 1 ns, the smallest step of time; {time}")),
        (Time, "18446744073.709551616", "\"18446744073.709551616\" is too large; at most 18,446,744,073.709551615 s".to_owned()),
        (Time, "1e99999999999", "\"1e99999999999\" is too large; at most 18,446,744,073.709551615 s".to_owned()),
        (Bytes, "200 ms", format!("\"200 ms\" is a time; a size is expected here: {size}")),
        (Bytes, "0.3 KB", format!("\"0.3 KB\" is not a whole number of bytes; {size}, such as 1.5 KiB")),
        (Bytes, "17179869184 GB", "\"17179869184 GB\" is too large; at most 18,446,744,073,709,551,615 B".to_owned()),
        (Count, "6.5", format!("\"6.5\" is not whole; {count}")),
        (Count, "6.5 blocks", "\"6.5 blocks\": write the number alone, a whole number such as 6 or 1,024".to_owned()),
        (Count, "32 KB", format!("\"32 KB\" is a size; a whole number is expected here: {count}")),
        (Count, "2 ms", format!("\"2 ms\" is a time; a whole number is expected here: {count}")),
        (Count, "16x", "\"16x\" is not a size of a grid or block: write 16x16 or 16x16x4".to_owned()),
        (Count, "1x1x1x1", "\"1x1x1x1\" has 4 dimensions; a grid or block has at most 3: write 16x16x4".to_owned()),
        (Count, "18446744073709551615x2", "\"18446744073709551615x2\" is too large; at most 18,446,744,073,709,551,615".to_owned()),
        (Count, "six", format!("\"six\" is not a number; {count}")),
        (Count, "18446744073709551616", "\"18446744073709551616\" is too large; at most 18,446,744,073,709,551,615".to_owned()),
    ];
    for (unit, text, message) in table {
        assert_eq!(parse(unit, text).map_err(|e| e.to_string()), Err(message), "{unit:?} {text:?}");
    }
    let long = parse(Time, &"9".repeat(10_000)).unwrap_err().to_string();
    assert!(long.starts_with("\"99999999999999999999…\" is too long") && long.len() < 200, "{long}");
}

#[test]
fn block_times_are_one_time_or_a_list() {
    let list = |times: &[u64]| Ok(BlockTimes::List(times.into()));
    let s = 1_000_000_000;
    assert_eq!(parse_block_times("1"), Ok(BlockTimes::Each(s)));
    assert_eq!(parse_block_times(" 500 ms "), Ok(BlockTimes::Each(s / 2)));
    assert_eq!(parse_block_times("1 s;"), Ok(BlockTimes::Each(s)));
    for text in ["1 s; 2 s; 0.5 s", "1;2;.5", "1, 2, 0.5", "1 2 0.5", "1 s 2 s 500 ms", "1s 2s 500ms", "1\n2\n0.5\n"] {
        assert_eq!(parse_block_times(text), list(&[s, 2 * s, s / 2]), "{text:?}");
    }
    assert_eq!(parse_block_times("1,024 s; 1 s"), list(&[1024 * s, s]));
    assert_eq!(
        parse_block_times("1 200 ms").map_err(|e| e.to_string()),
        Err("\"1 200\" could be one time or two; write 1,200 or 1; 200".to_owned()),
        "neither reading is right for sure"
    );
    assert!(parse_block_times("1; 2 KB").unwrap_err().to_string().starts_with("block 1: \"2 KB\" is a size"));
    assert!(parse_block_times("1;;2").unwrap_err().to_string().starts_with("block 1 is empty"));
    assert!(parse_block_times("").unwrap_err().to_string().starts_with("is empty"));
    assert!(parse_block_times(";").is_err());
}

proptest! {
    #[test]
    fn what_is_written_reads_back(value in prop_oneof![any::<u64>(), 0..10_000_u64, (0..64_u32).prop_map(|n| 1 << n)]) {
        for unit in [Unit::Time, Unit::Bytes, Unit::Count] {
            prop_assert_eq!(parse(unit, &format(unit, value)), Ok(value));
        }
    }

    #[test]
    fn short_times_read_back_within_half_of_their_last_digit(ns in any::<u64>()) {
        let short = parse(Unit::Time, &format_time_short(ns)).unwrap();
        let grain = 10_u64.pow(ns.max(1).ilog10().saturating_sub(4)).max(1);
        prop_assert!(short.abs_diff(ns) <= (grain / 2).max(1_000_000_000) && (ns > 99_999_000_000_000 || short.abs_diff(ns) <= grain / 2));
    }

    #[test]
    fn block_times_read_back(list in proptest::collection::vec(any::<u64>(), 1..6)) {
        let times = if let [one] = list[..] { BlockTimes::Each(one) } else { BlockTimes::List(list.into()) };
        prop_assert_eq!(parse_block_times(&format_block_times(&times)), Ok(times));
    }

    #[test]
    fn no_text_panics(text in "[0-9.,_ '+eEsmnkKMGB;µ–-]{0,12}|\\PC{0,90}") {
        for unit in [Unit::Time, Unit::Bytes, Unit::Count] {
            if let Err(why) = parse(unit, &text) {
                prop_assert!(!why.to_string().is_empty());
            }
        }
        let _ = parse_block_times(&text);
    }
}
