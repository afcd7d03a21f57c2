//! The table as a program: the lines shown, the lit one, what is selected, and the file.

use blockstep_protocol::Effect;
use blockstep_sim::trace::Change;
use blockstep_sim::units::RowId;
use blockstep_tools::program::{Lines, Msg, Program, View};

use crate::tool::OnPage;
use blockstep_format as format;
use blockstep_testing::fixed::run;
use blockstep_testing::large::large;

fn lines(view: View) -> Lines {
    let View::Lines(lines) = view else { panic!("{view:?}") };
    lines
}

fn lit(lines: &Lines) -> Vec<&str> {
    lines.lines.iter().filter(|line| line.is_lit).map(|line| line.text.trim()).collect()
}

#[test]
fn the_lit_line_is_the_call_of_the_step() {
    let example = blockstep_sim::examples::find("tx2-table-1").unwrap().json;
    let run = run(&format::read_scenario(example).unwrap());
    let mut page = OnPage::<Program>::on("program", "tx2-table-1");
    assert!(lit(&lines(page.open(""))).is_empty(), "no step is applied");
    let mut kinds = 0;
    for (position, step) in (1..).zip(run.trace.steps()) {
        let shown = lines(page.go(position).moved());
        let lit = lit(&shown);
        match step.change {
            Change::JobReleased { .. } => assert_eq!(lit, ["const Ns release = start;"]),
            Change::BlockAssigned { op, .. } => {
                let name = &run.trace.row_of(op).name;
                let [line] = lit[..] else { panic!("{lit:?}") };
                assert!(line.contains("<<<") && line.contains(&format!("kernel_{name}.of_job(0)")), "{line}");
                kinds += 1;
            }
            Change::CopyAssigned { .. } => assert!(lit[0].starts_with("CHECK(cudaMemcpyAsync("), "{lit:?}"),
            _ => {}
        }
    }
    assert!(kinds > 10);
    // While a call waits its line is lit.
    let example = blockstep_sim::examples::find("cuda-synchronize").unwrap().json;
    let run = crate::program::run(&format::read_scenario(example).unwrap());
    let waits = run.trace.steps().iter().position(|step| matches!(step.change, Change::HostWaits { .. })).unwrap();
    let shown = lines(OnPage::<Program>::on("program", "cuda-synchronize").at(waits as u32 + 1).open(""));
    assert!(lit(&shown)[0].contains("Synchronize("), "{:?}", lit(&shown));
}

#[test]
fn a_line_selects_its_row_and_once_more_none() {
    let mut page = OnPage::<Program>::on("program", "tx2-table-1");
    let shown = lines(page.open(""));
    let line = shown.lines.iter().find(|line| line.is_call && line.text.contains("kernel_K4")).unwrap();
    assert_eq!((line.row, line.is_selected), (Some(3), false));
    assert_eq!(page.send(Msg::Select(3)).effects, [Effect::SelectRow("K4".to_owned())]);
    page.cursor.row = Some(RowId::at(3));
    let told = page.send(Msg::Select(3));
    assert_eq!(told.effects, [Effect::SelectRow(String::new())]);
    let selected = lines(told.view.unwrap());
    assert!(selected.lines.iter().all(|line| line.is_selected == (line.row == Some(3))));
    assert_eq!(page.send(Msg::Select(usize::MAX)).effects, [Effect::SelectRow(String::new())]);
}

#[test]
fn the_file_is_that_of_the_command_line() {
    let mut page = OnPage::<Program>::on("program", "tx2-table-1");
    let shown = lines(page.open(""));
    let told = page.send(Msg::Save);
    let [Effect::SaveFile { name, text, .. }] = &told.effects[..] else { panic!("{:?}", told.effects) };
    assert_eq!(name, "TX2-Table-1-basic-scheduling-rules-program.cu");
    let all: Vec<&str> = text.lines().collect();
    assert_eq!(shown.lines[0].number, shown.above + 1);
    assert!(shown.lines.iter().all(|line| line.text == all[line.number - 1]));
}

#[test]
fn many_lines_come_in_parts_and_the_lit_one_is_among_them() {
    let mut page = OnPage::<Program>::new("program", &format::write_scenario(&large("tx2", 1_000, false)));
    let first = lines(page.open(""));
    let parts = first.pages.unwrap();
    assert_eq!((first.lines.len(), parts.earlier, parts.later, parts.place.starts_with("part 1 of ")), (200, None, Some(1), true));
    let second = lines(page.send(Msg::Turn(1)).view.unwrap());
    assert_eq!(second.lines[0].number, first.lines[199].number + 1);
    let last = lines(page.send(Msg::Turn(usize::MAX)).view.unwrap());
    assert!(last.pages.unwrap().later.is_none() && !last.lines.is_empty());
    // Another step, another line.
    assert_eq!(lit(&lines(page.go(5).moved())).len(), 1);
}

#[test]
fn what_has_no_program_says_why() {
    let mut page = OnPage::<Program>::on("program", "edf-channels");
    let why = "There is no such program: channels of a process are made by the driver; measure a scenario whose processes have one.";
    assert_eq!(page.open(""), View::Refused(why.to_owned()));
    assert_eq!(page.send(Msg::Save).effects, [Effect::Complain(why.to_owned())]);
}
