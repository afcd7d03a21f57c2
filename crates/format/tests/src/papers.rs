//! The table of the papers, `docs/papers.md`: how its rows are marked.

use std::fs;
use std::path::Path;

/// A row: section, what it has, its mark, and where to see it.
fn rows() -> Vec<[String; 4]> {
    let text = fs::read_to_string(Path::new(blockstep_testing::ROOT).join("docs/papers.md")).unwrap();
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines = text.lines().filter(|line| line.starts_with("| ")).map(cells).filter(|cells| cells.len() == 6);
    lines.map(|c| [c[1].clone(), c[2].clone(), c[3].clone(), c[4].clone()]).filter(|row| row[0] != "where").collect()
}

/// What *part* lacks and why *no* is so stands in a sentence, and what these rows lack has not come.
#[test]
fn papers_rows_say_what_they_lack() {
    let rows = rows();
    assert!(rows.len() > 65, "{} rows", rows.len());
    for [section, what, mark, place] in &rows {
        assert!(["whole", "part", "no"].contains(&mark.as_str()), "{section}: {mark}");
        assert!(!place.is_empty(), "{section}, {what}");
        if mark != "whole" && place != "below" {
            let prose: String = place.split('`').step_by(2).collect();
            assert!(prose.split_whitespace().count() >= 3, "{section}, {what}: {place}");
        }
    }
    let lacks = [
        ("2.1, Fig. 1", "CPU cores, caches and DRAM"),
        ("3.2, 5", "no bound for Table 2"),
        ("5", "#compare=variant=no-null-barrier"),
        ("III-C", "allocations are not modelled"),
        ("V, Listing 1", "listing is not shown"),
        ("V, Listing 2", "listing is not shown"),
        ("VI-A, Fig. 4", "Two histograms"),
        ("VI-B, Fig. 3 (d)", "length is our choice"),
        ("II-B", "in a tooltip"),
        ("III-A, III-B, Table I", "not shown"),
        ("8, Fig. 3", "the tree is ours"),
        ("6, Table III", "Not every size"),
    ];
    for (section, words) in lacks {
        let found = rows.iter().find(|[of, _, _, place]| of == section && place.contains(words));
        assert_eq!(found.map(|row| row[2].as_str()), Some("part"), "{section}: {words}");
    }
    // [EDF] eq. (1) is a task, not a test.
    let equation = rows.iter().find(|row| row[0] == "III-B, eq. (1)").unwrap();
    assert!(equation[1].contains("(C, D, P)"), "{equation:?}");
}
