//! Parts of the drawing by themselves: dashes, stairs, and texts and overlays of LaTeX.

mod dashes {
    use blockstep_draw::chart::study::dashed_along;
    use blockstep_draw::chart::{cut, stairs};

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0, 0), (5, 0), (5, 5)];
        assert_eq!(cut(line.into_iter(), &[4, 2]), [vec![(0, 0), (4, 0)], vec![(5, 1), (5, 5)]]);
        assert_eq!(cut(line.into_iter(), &[]), [line]);
        assert_eq!(cut(line.into_iter(), &[7, 9]), [vec![(0, 0), (5, 0), (5, 2)]]);
    }

    #[test]
    fn stairs_have_both_ends_of_every_step() {
        assert_eq!(stairs([(2, 1), (5, 3)].into_iter(), 9), [(0, 0), (2, 0), (2, 1), (5, 1), (5, 3), (9, 3)]);
    }

    #[test]
    fn dashes_go_along_slopes() {
        let line = [(0, 0), (30, 40)];
        assert_eq!(dashed_along(&line, &[25, 10]), [vec![(0, 0), (15, 20)], vec![(21, 28), (30, 40)]]);
        assert_eq!(dashed_along(&line, &[]), [line.to_vec()]);
        assert_eq!(dashed_along(&[(1, 1)], &[3, 3]), [vec![(1, 1)]]);
    }
}

mod texts {
    use blockstep_draw::tikz::text::latex;

    fn code(text: &str) -> String {
        latex(text).code
    }

    #[test]
    fn specials_are_letters() {
        assert_eq!(
            code(r"\input{a} 5% #1 ^^M ~_$&"),
            r"$\backslash$input$\lbrace$a$\rbrace$ 5\% \#1 \textasciicircum{}\textasciicircum{}M \textasciitilde{}\_$\mathdollar$\&"
        );
        assert_eq!(code("a--b,,c''d\"`"), "a-{}-b,{},c'{}'d{''}\\`{}");
        assert_eq!(code("  a\r\nb"), "\\ \\ a\\ b");
    }

    #[test]
    fn latin_letters_keep_their_accents_and_others_are_numbers() {
        assert_eq!(code("Müller, Łódź, naïve"), "M\\\"{u}ller, \\L{}\\'{o}d\\'{z}, na\\\"{\\i}ve");
        assert_eq!(code("λ₁ ≤ 5 µs"), "$\\lambda$$_1$ $\\leq$ 5 $\\mu$s");
        assert_eq!(code("a\u{5d0}b"), "a[U+05D0]b");
        assert_eq!(code("\u{5d0}\u{5d1}\u{5d2}\u{5d3}"), "[U+05D0 +3]");
        assert_eq!(latex("x\u{1f600}").foreign, ["\u{1f600}"]);
        assert_eq!(code("\u{7}"), "[U+0007]");
    }
}

mod overlays_of_slides {
    use blockstep_draw::tikz::beamer::{joined, overlays};

    fn own(all: &[(u32, Vec<usize>)], slide: usize) -> Vec<u32> {
        all.iter().filter(|part| part.1.contains(&slide)).map(|part| part.0).collect()
    }

    #[test]
    fn every_slide_finds_its_own_in_the_whole() {
        let slides: [&[u32]; 5] = [&[1, 2, 3, 4], &[1, 5, 3, 4, 6], &[], &[3, 1, 3], &[1, 2, 3, 4]];
        let mut all = Vec::new();
        for (i, slide) in slides.iter().enumerate() {
            all = joined(all, slide, i);
        }
        for (i, slide) in slides.iter().enumerate() {
            assert_eq!(own(&all, i), *slide, "{all:?}");
        }
        assert!(all.len() <= 8, "{all:?}");
    }

    #[test]
    fn overlays_are_ranges_from_one() {
        assert_eq!(overlays(&[0, 2, 3, 4, 7]), "1,3-5,8");
    }
}

mod sizes_of_texts {
    use blockstep_draw::tikz::{TikzSheet, fragment, text};
    use plotters::element::Text;
    use plotters::style::IntoFont;

    #[test]
    fn what_stands_for_letters_takes_no_more_room_than_they_do() {
        for (name, code) in [
            ("\u{6838} 3/4", "? 3/4"),
            ("\u{5e9}\u{5dc}\u{5d5}\u{5dd}:1", "?:1"),
            ("matrix \u{6838} of A and B 3/4", "matrix [U+6838] of A and B 3/4"),
            ("K1 3/4", "K1 3/4"),
        ] {
            // 80 units of the backend are 8 pt.
            let sheet =
                TikzSheet::record((4_000, 400), |area| area.draw(&Text::new(name, (100, 100), ("sans-serif", 80).into_font()))).unwrap();
            let tex = fragment(&sheet);
            let node = tex.split("\\node[bst").nth(1).unwrap();
            let size: f64 = node.split(',').next().unwrap().parse().unwrap();
            assert!(node.contains(&format!("{{{code}}};")), "{tex}");
            let width = if code.contains('?') { text::brief(name).width } else { text::latex(name).width };
            assert!(width as f64 * size <= name.chars().count() as f64 * 8.0, "{name} at {size} pt");
        }
    }
}
