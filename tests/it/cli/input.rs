//! What is no text is named, with what to do about it.

use super::{SMALL, TempFile, run, run_reading};

#[test]
fn packed_files_and_other_encodings_are_named() {
    let units = |text: &str, to_bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>();
    let (little, big) = (units(SMALL, u16::to_le_bytes), units(SMALL, u16::to_be_bytes));
    let cases = [
        (b"SQLite format 3\0\x10".to_vec(), "this is an SQLite database; blockstep trace opens one that nsys export made"),
        (b"\x7fELF\x02\x01\x01\0\0".to_vec(), "this is a binary file; what is read here is JSON, which is text"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03{}".to_vec(), "this is a gzip file; unpack it first, for example with gunzip"),
        (b"PK\x03\x04\x14\0".to_vec(), "this is a zip archive; unpack it first, for example with unzip"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "this is an xz file; unpack it first, for example with unxz"),
        (b"BZh91AY&SY".to_vec(), "this is a bzip2 file; unpack it first, for example with bunzip2"),
        (b"\x28\xb5\x2f\xfd\x04\0".to_vec(), "this is a Zstandard file; unpack it first, for example with unzstd"),
        ([&b"\xff\xfe"[..], &little].concat(), "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"),
        ([&b"\xfe\xff"[..], &big].concat(), "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8"),
        (little, "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16LE -t UTF-8"),
        (big, "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16BE -t UTF-8"),
        (b"\xff\xfe\0\0{\0\0\0".to_vec(), "this is UTF-32 text; save it as UTF-8, for example with iconv -f UTF-32 -t UTF-8"),
    ];
    for (bytes, expected) in cases {
        let file = TempFile::new("packed.json", &bytes);
        for command in ["check", "simulate", "analyse", "sweep", "sweep-merge", "validate", "batch"] {
            let (status, out, err) = run(&[command, file.path()]);
            assert_eq!((status, out.as_str(), err), (2, "", format!("error: {}: {expected}\n", file.path())), "{command}");
        }
        assert_eq!(run_reading(&bytes, &["check", "-"]).2, format!("error: standard input: {expected}\n"));
    }
    // A mark before UTF-8 is no other encoding, and bytes that are none are still said to be.
    assert_eq!(run_reading(&[b"\xef\xbb\xbf", SMALL.as_bytes()].concat(), &["check", "-"]).0, 0);
    assert!(run_reading(b"{ \"name\": \"\xff\" }", &["check", "-"]).2.contains("line 1: not UTF-8 text (byte 11)"));
}
