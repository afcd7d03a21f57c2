//! The page of a class's results.
//!
//! Invariant: a mark is a word, not a color alone.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel};
use crate::state::{AppState, reading};
use blockstep_learn::class::{ClassColumn, ClassMark, ClassTable, ResultRow, Summary};
use blockstep_tools::class::{Class, Msg, View};
use blockstep_ui::{FilePicker, LongRows, Shape, Window, WindowBox, safe, spoken_time};

impl Panel for Class {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let state = expect_context::<AppState>();
        let is_empty = Memo::new(move |_| view.with(|view| view.table.rows.is_empty()));
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        let count = Memo::new(move |_| view.with(|view| view.count.clone()));
        let table = move || view.with(|view| (!view.table.rows.is_empty()).then(|| whole(host, view)));
        view! {
            <p>"Drop the files that students saved from Predict anywhere on this page, many at once. Nothing leaves \
                               the browser, and nothing is stored: the table is gone when you leave the page."</p>
            <div class="tool-row">
                <FilePicker
                    class="primary"
                    label="Open results…"
                    field="class-files"
                    name="Results of students"
                    accept=".json,application/json"
                    on_files=move |picked| reading::read_all(state, picked, move |files| host.send(Msg::Add(files)))
                />
                <button type="button" disabled=move || is_empty.get() on:click=move |_| host.send(Msg::SaveCsv)>"Save as CSV"</button>
                <button type="button" disabled=move || is_empty.get() on:click=move |_| host.send(Msg::Clear)>"Clear"</button>
                <span class="tool-note" role="status">{move || count.get()}</span>
            </div>
            {move || problem.get().map(|problem| view! { <p class="field-error" role="alert">{problem}</p> })}
            {table}
            <p class="tool-note">
                "Each file has a checksum of its content. The checksum shows that a file was changed by mistake. It does not stop \
                    anyone who wants to change a result, because anyone who can read this page's source can compute a new checksum."
            </p>
        }
        .into_any()
    }
}

/// Results of a class; of a long table the rows in sight exist.
const RESULTS: Shape = Shape { whole: 100, items: "tbody tr[data-result]" };

fn whole(host: Host<Class>, view: &View) -> impl IntoView + use<> {
    let ClassTable { questions, rows, summary, .. } = view.table.clone();
    let (count, has_numbers) = (rows.len(), view.table.has_numbers());
    let window = Window::new(Memo::new(move |_| count), RESULTS);
    let rows = Memo::new(move |_| rows.clone());
    let in_sight = move || {
        let first = window.items.get().start;
        window.in_sight(rows).into_iter().zip(first..).map(|(row, number)| line(row, questions, has_numbers, number)).collect_view()
    };
    let (by, is_descending) = (view.by, view.is_descending);
    let head = move |column: ClassColumn, title: String| {
        let sorted = match (by == column, is_descending) {
            (false, _) => "none",
            (true, false) => "ascending",
            (true, true) => "descending",
        };
        let arrow = match sorted {
            "ascending" => " ▲",
            "descending" => " ▼",
            _ => "",
        };
        view! {
            <th scope="col" aria-sort=sorted>
                <button type="button" class="link" on:click=move |_| host.send(Msg::Sort(column))>
                    {title}
                    <span aria-hidden="true">{arrow}</span>
                </button>
            </th>
        }
    };
    let first = [
        (ClassColumn::Student, "Student"),
        (ClassColumn::Exercise, "Exercise"),
        (ClassColumn::Seed, "Seed"),
        (ClassColumn::Date, "Date"),
        (ClassColumn::Minutes, "Minutes"),
        (ClassColumn::Numbers, "Numbers"),
    ];
    let heads = first
        .into_iter()
        .filter(|(column, _)| has_numbers || *column != ClassColumn::Numbers)
        .map(|(column, title)| head(column, title.to_owned()))
        .collect_view();
    let numbers = (0..questions).map(|i| head(ClassColumn::Question(i), question_name(i + 1))).collect_view();
    let below = (!summary.is_empty()).then(|| of_questions(summary));
    view! {
        <div role="region" aria-label="Results">
            <WindowBox window=window classes=("tool-scroll class-table", "tool-scroll class-table long")>
                <table class="tool-table" id="class-table" aria-rowcount=count + 1>
                    <thead>
                        <tr>{heads} {numbers} {head(ClassColumn::Score, "Score".to_owned())} <th scope="col">"File"</th></tr>
                    </thead>
                    <LongRows window=window>{in_sight}</LongRows>
                </table>
            </WindowBox>
        </div>
        {below}
    }
}

/// A row of the table; `number` is its place, from 0.
fn line(row: ResultRow, questions: usize, has_numbers: bool, number: usize) -> impl IntoView {
    let marks = (0..questions).map(|i| {
        let mark = row.marks.get(i).copied().unwrap_or(ClassMark::None);
        let (class, sign) = match mark {
            ClassMark::Right => ("class-right", "✓ "),
            ClassMark::Wrong => ("class-wrong", "✗ "),
            ClassMark::GivenUp => ("class-given-up", "– "),
            ClassMark::None => ("", ""),
        };
        view! { <td class=class><span aria-hidden="true">{sign}</span> {mark.word()}</td> }
    });
    let score = if row.of > 0 { right_of(row.right, row.of) } else { String::new() };
    let notes = row.notes.iter().map(|note| view! { <span class="class-note">{safe(note)}</span> }).collect_view();
    let date = if row.date.is_empty() { String::new() } else { spoken_time(&row.date) };
    let minutes = row.minutes();
    let student = if row.student.is_empty() && row.of > 0 { "no name".to_owned() } else { safe(&row.student) };
    view! {
        <tr class=(!row.notes.is_empty()).then_some("class-marked") data-result aria-rowindex=number + 2>
            <th scope="row" dir="auto">{student}</th>
            <td dir="auto">{safe(&row.exercise)}</td>
            <td>{row.seed}</td>
            <td>{date}</td>
            <td>{minutes}</td>
            {has_numbers.then(|| view! { <td>{safe(&row.numbers)}</td> })}
            {marks.collect_view()}
            <td>{score}</td>
            <td><span class="quiet">{safe(&row.file)}</span> {notes}</td>
        </tr>
    }
}

fn of_questions(summary: Vec<Summary>) -> impl IntoView {
    let line = |(i, of): (usize, Summary)| {
        let common = of.common.as_ref().map(|(text, count)| format!("{} ({})", safe(text), *count)).unwrap_or_default();
        view! {
            <tr>
                <th scope="row">{question_name(i + 1)}</th>
                <td>{safe(&of.question)}</td>
                <td>{safe(&of.answer)}</td>
                <td>{right_of(of.right, of.all())}</td>
                <td>{of.wrong}</td>
                <td>{of.given_up}</td>
                <td>{common}</td>
            </tr>
        }
    };
    view! {
        <h3>"By question"</h3>
        <div class="tool-scroll" role="region" aria-label="By question" tabindex="0">
            <table class="tool-table" id="class-summary">
                <thead>
                    <tr>
                        <th scope="col">"Question"</th>
                        <th scope="col">"What was asked"</th>
                        <th scope="col">"Right answer"</th>
                        <th scope="col">"Right"</th>
                        <th scope="col">"Wrong"</th>
                        <th scope="col">"Given up"</th>
                        <th scope="col">"Most frequent wrong answer"</th>
                    </tr>
                </thead>
                <tbody>{summary.into_iter().enumerate().map(line).collect_view()}</tbody>
            </table>
        </div>
    }
}

/// A question, from 1 on.
fn question_name(number: usize) -> String {
    format!("Q{number}")
}

fn right_of(right: usize, of: usize) -> String {
    format!("{right} of {of}")
}
