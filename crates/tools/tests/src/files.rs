//! Files before they are saved: their first lines, and texts held as a whole.

mod first_lines {
    use blockstep_tools::runs::glance::{CHARACTERS, Head, LINES};
    use blockstep_tools::runs::whole::MAX_SAVED;
    use std::fmt;

    #[test]
    fn no_more_is_made_than_can_be_saved() {
        let piece = "x".repeat(1 << 20) + "\n";
        let endless = fmt::from_fn(|out| {
            loop {
                out.write_str(&piece)?;
            }
        });
        let head = Head::new("f", &endless);
        assert!((MAX_SAVED + 1..=MAX_SAVED + piece.len()).contains(&head.bytes), "{}", head.bytes);
        assert_eq!((head.lines.len(), head.count), (LINES, head.bytes / piece.len()));
    }

    #[test]
    fn pieces_make_the_lines_of_the_whole() {
        let long = "é".repeat(CHARACTERS + 1);
        for text in ["", "a", "a\n", "a\n\nb", &"line\n".repeat(20), &long, &format!("{}\n{long}\nx", &long[2..])] {
            for size in [1, 2, 3, 1000] {
                let chars: Vec<char> = text.chars().collect();
                let pieces: Vec<String> = chars.chunks(size).map(|chunk| chunk.iter().collect()).collect();
                let head = Head::new("f", &fmt::from_fn(|out| pieces.iter().try_for_each(|piece| out.write_str(piece))));
                let shorten = |line: &str| match line.char_indices().nth(CHARACTERS) {
                    Some((end, _)) => format!("{}…", &line[..end]),
                    None => line.to_owned(),
                };
                assert_eq!(head.lines, text.lines().take(LINES).map(shorten).collect::<Vec<_>>(), "{text:?} by {size}");
                assert_eq!((head.count, head.bytes), (text.lines().count(), text.len()), "{text:?} by {size}");
            }
        }
    }
}

mod held {
    use blockstep_tools::runs::whole::{MAX_SAVED, whole, wholes};
    use std::fmt;

    /// As many mebibytes of text.
    fn text(mebibytes: usize) -> impl fmt::Display {
        let piece = "x".repeat(1 << 20);
        fmt::from_fn(move |out| (0..mebibytes).try_for_each(|_| out.write_str(&piece)))
    }

    #[test]
    fn texts_are_held_up_to_the_limit() {
        assert_eq!(whole(text(3)).map(|text| text.len()), Ok(3 << 20));
        let most = MAX_SAVED >> 20;
        assert_eq!(whole(text(most)).map(|text| text.len()), Ok(MAX_SAVED));
        let halves = wholes([text(most / 2), text(most / 2)]).map(|texts| texts.iter().map(String::len).collect());
        assert_eq!(halves, Ok(vec![MAX_SAVED / 2; 2]));
        // One of them would be 17 TB.
        for texts in [vec![text(1 << 24)], vec![text(most), text(1)]] {
            let why = wholes(texts).unwrap_err().to_string();
            assert!(why.contains("128 MiB") && why.contains("command line"), "{why}");
        }
    }
}
