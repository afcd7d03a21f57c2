//! Parts of the readers and writers by themselves. Those that are not public are compiled into the tests from their own files.
#![allow(dead_code, unreachable_pub, reason = "the readers and writers use the rest of those files")]

#[path = "../../src/cell.rs"]
mod cell;
#[path = "../../src/decimal.rs"]
mod decimal;
#[path = "../../src/chrome/names.rs"]
mod names;
#[path = "../../src/percent.rs"]
mod percent;
#[path = "../../src/stem.rs"]
mod stem;

mod texts_of_times {
    use super::stem::{microseconds, milliseconds, seconds};

    #[test]
    fn decimals_are_exact() {
        assert_eq!(seconds(1), "0.000000001");
        assert_eq!(seconds(u64::MAX), "18446744073.709551615");
        assert_eq!(microseconds(0), "0");
        assert_eq!(microseconds(1), "0.001");
        assert_eq!(microseconds(12_500), "12.5");
        assert_eq!(microseconds(u64::MAX), "18446744073709551.615");
        assert_eq!(milliseconds(10_000_000), "10");
        assert_eq!(milliseconds(1_000_050), "1.00005");
    }
}

mod decimals {
    use super::decimal::{scaled, scaled_signed};

    #[test]
    fn signs_are_kept_up_to_the_last_nanosecond() {
        for (text, ns) in [
            ("-0.0", (0, true)),
            ("-0.118530857", (-118_530_857, true)),
            ("-0.0000000005", (-1, false)),
            ("9223372036.854775807", (i64::MAX, true)),
            ("-9223372036.854775808", (i64::MIN, true)),
        ] {
            assert_eq!(scaled_signed(text, 9), Some(ns), "{text}");
        }
        for text in ["9223372036.854775808", "-9223372036.854775809", "1e308", "-1e308", "18446744073.709551615"] {
            assert_eq!(scaled_signed(text, 9), None, "{text}");
        }
    }

    #[test]
    fn seconds_become_nanoseconds_exactly() {
        for (text, ns) in [
            ("0", (0, true)),
            ("-0.0", (0, true)),
            ("0.2", (200_000_000, true)),
            ("1", (1_000_000_000, true)),
            ("2.5e-1", (250_000_000, true)),
            ("1E+3", (1_000_000_000_000, true)),
            ("0.000000001", (1, true)),
            ("0.0000000014", (1, false)),
            ("0.0000000005", (1, false)),
            ("0.00000000049", (0, false)),
            ("0.00000000005", (0, false)),
            ("9e-400", (0, false)),
            ("1e-99999999999999999999", (0, false)),
            ("0e99999999999999999999", (0, true)),
            ("0.30000000000000004", (300_000_000, false)),
            ("18446744073.709551615", (u64::MAX, true)),
        ] {
            assert_eq!(scaled(text, 9), Some(ns), "{text}");
        }
        for text in ["-1", "-0.1", "18446744073.709551616", "18446744073.7095516155", "1e11", "1e99999999999999999999"] {
            assert_eq!(scaled(text, 9), None, "{text}");
        }
    }
}

mod cells {
    use super::cell::{csv_cell, json_comment};

    fn cell(text: &str) -> String {
        csv_cell(text).to_string()
    }

    #[test]
    fn cells_are_quoted_and_rows_stay_lines() {
        let quoted = ["a,b", "a;b", "a\tb", "a\rb", "a\nb", "a\"b"];
        for text in quoted {
            let cell = cell(text);
            assert!(cell.starts_with('"') && cell.ends_with('"') && !cell.contains(char::is_control), "{text:?}: {cell:?}");
        }
        assert_eq!(cell("a;\"b\""), "\"a;\"\"b\"\"\"");
        assert_eq!(cell("\u{1b}[31mred\u{9b}\u{7f}"), "\u{fffd}[31mred\u{fffd}\u{fffd}");
        assert_eq!(cell("K1"), "K1");
    }

    #[test]
    fn cells_are_no_formulas() {
        for sign in ['=', '+', '-', '@', '＝', '＋', '－', '＠'] {
            for before in ["", " ", "\u{a0}", "\n", "\t", "\r\n", "\u{200b}", "\"", "  \" "] {
                let text = format!("{before}{sign}cmd()");
                let cell = cell(&text);
                assert!(cell.trim_start_matches(['"', '\'']) != cell && cell.contains('\''), "{text:?}: {cell:?}");
                assert!(cell.starts_with('\'') || cell.starts_with("\"'") || cell.contains(&format!("'{sign}")), "{text:?}: {cell:?}");
            }
            for separator in [";", ",", "\t", "|", "; ", ";\"", "\n"] {
                assert!(cell(&format!("a{separator}{sign}cmd()")).contains(&format!("'{sign}cmd()")), "{separator:?} {sign}");
            }
        }
        assert_eq!(cell("=a"), "'=a");
        assert_eq!(cell("a=b-c"), "a=b-c");
    }

    #[test]
    fn cells_of_numbers_stay_numbers() {
        for number in ["5", "-5", "-0.25", "12.5"] {
            assert_eq!(cell(number), number);
        }
        for text in ["-", "+5", "-5a", "-5-5", "+1.2.3", "-.5", "－5"] {
            assert_eq!(cell(text), format!("'{text}"));
        }
    }

    #[test]
    fn a_comment_is_the_same_json() {
        let json = r#"{ "name": "a,=b; ＝c, d-e", "list": [1, 2] }"#;
        let comment = json_comment(json);
        assert_eq!(comment, r#"{ "name": "a,\u003db; \uff1dc, d-e", "list": [1, 2] }"#);
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        assert!(value(json).is_some() && value(json) == value(&comment));
    }
}

mod queries {
    use super::percent::{decode, encode_file, encode_query, pairs};

    #[test]
    fn what_is_written_is_read() {
        let text = "0.5..2/0.25, a+b = 100 % µ";
        assert_eq!(encode_query(text), "0.5..2/0.25,+a%2Bb+%3D+100+%25+%C2%B5");
        let read: Vec<_> = pairs(&format!("a={}&&b", encode_query(text))).collect();
        assert_eq!(read, [("a".to_owned(), text.to_owned()), ("b".to_owned(), String::new())]);
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(decode(b"100%, %zz+%3d"), "100%, %zz+=");
        assert_eq!(pairs("x=100%,+%zz%").next(), Some(("x".to_owned(), "100%, %zz%".to_owned())));
        assert_eq!(decode(b"%ff"), "\u{fffd}");
    }

    #[test]
    fn a_file_of_an_address_lies_in_one_folder() {
        let names = ["a b.json", "..json", "%2e%2e", "a\\b?c#d", "µ"];
        let parts = ["a%20b.json", "..json", "%252e%252e", "a%5Cb%3Fc%23d", "%C2%B5"];
        assert_eq!(names.map(encode_file), parts.map(|part| Some(part.to_owned())));
        assert_eq!(parts.map(|part| decode(part.as_bytes())), names);
        assert_eq!(["", ".", "..", "../a", "a/b", "/a", "a/"].map(encode_file), [const { None }; 7]);
    }
}

mod names_in_chrome {
    use super::names::{letters, without_digits};

    #[test]
    fn names_keep_what_viewers_see() {
        assert_eq!(without_digits("Kernel 12 of 3"), "Kernel of");
        assert_eq!(without_digits("K1"), without_digits("K 22"));
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
