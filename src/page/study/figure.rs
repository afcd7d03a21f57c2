//! What comes of a study: its figure with a table, files of it, and task sets that fail.
//!
//! Invariants: one picture is asked for at a time, and the last one shows all that was counted; a point that is clicked opens sets that
//! fail there, in the picture and in the table.

use leptos::prelude::*;

use super::state::StudyRun;
use crate::components::{Legend, Scrolled, SheetTable};
use crate::page::files;
use crate::page::verdicts::width;
use crate::state::pool::{Stage, now};
use blockstep_analysis::sweep::Counts;
use blockstep_protocol::{FailingSets, OpenSet, OpenedSet, StudyCsv, StudyFigure, StudySvg};
use blockstep_ui::client;
use blockstep_ui::{Picture, safe};
use blockstep_view::panels::study::{BandPicture, BandTable, CurveMark, CurvePoint, FailingPanel, FailingSet, FigurePanel, Progress};

/// The least time between two pictures of a study that goes on, in ms.
const REDRAW_MS: f64 = 500.0;

impl StudyRun {
    /// Has the picture of what was counted so far drawn; `must` if it cannot wait.
    pub(super) fn draw(self, must: bool) {
        let number = self.pool.number();
        let asked = self.counting.try_update_value(|c| {
            let progress = match self.pool.stage() {
                Stage::None => return None,
                Stage::Running => Progress::Running,
                Stage::Paused => Progress::Paused,
                Stage::Cancelled => Progress::Cancelled,
                Stage::Whole => Progress::Whole,
            };
            if c.is_drawing || (!must && now() - c.drawn < REDRAW_MS) {
                c.is_due |= must;
                return None;
            }
            (c.is_drawing, c.is_due, c.drawn) = (true, false, now());
            Some((c.study.clone(), c.counts.clone(), progress))
        });
        let Some((study, counts, progress)) = asked.flatten() else { return };
        let request = StudyFigure {
            study,
            counts,
            progress,
            has_table: self.shown.has_table.get_untracked(),
            width_px: width(self.shown.place),
            is_dark: untrack(|| self.state.settings.is_dark()),
        };
        client::ask(request, move |answer| {
            let is_due = self.counting.try_update_value(|c| {
                if self.pool.number() != number {
                    return None;
                }
                c.is_drawing = false;
                Some(c.is_due)
            });
            // That of an earlier study is of no use.
            let Some(is_due) = is_due.flatten() else { return };
            self.shown.figure.set(Some(answer));
            if is_due {
                self.draw(true);
            }
        });
    }

    fn counted(self) -> (String, Vec<Counts>) {
        self.counting.with_value(|c| (c.study.clone(), c.counts.clone()))
    }

    fn save_svg(self) {
        self.with_svg(move |svg| files::download_as(self.state, "study.svg", "image/svg+xml", &svg));
    }

    fn save_png(self) {
        self.with_svg(move |svg| files::save_picture(self.state, "study.png", 2, &svg));
    }

    fn with_svg(self, then: impl FnOnce(String) + 'static) {
        let (study, counts) = self.counted();
        client::ask(StudySvg { study, counts }, move |answer| match answer {
            Ok(svg) => then(svg),
            Err(why) => self.state.messages.complain(why),
        });
    }

    fn save_csv(self) {
        let (study, counts) = self.counted();
        client::ask(StudyCsv { study, counts }, move |answer| match answer {
            Ok(csv) => files::download_as(self.state, "study.csv", "text/csv", &csv),
            Err(why) => self.state.messages.complain(why),
        });
    }

    fn show_failing(self, at: CurvePoint) {
        let (study, _) = self.counted();
        client::ask(FailingSets { study, at }, move |answer| {
            self.shown.failing.set(Some(answer));
            // Once it stands.
            request_animation_frame(move || {
                if let Some(title) = self.shown.title.try_get_untracked().flatten() {
                    // It can take the focus.
                    let _ = title.focus();
                }
            });
        });
    }

    fn open_set(self, at: CurvePoint, set: u64) {
        let (study, _) = self.counted();
        let state = self.state;
        client::ask(OpenSet { study, at, set }, move |answer| {
            let OpenedSet { scenario, at, why } = match answer {
                Ok(opened) => opened,
                Err(why) => return state.messages.complain(why),
            };
            files::open_made(state, &scenario, at, None);
            state.show_cursor();
            state.messages.say(why);
            window().scroll_to_with_x_and_y(0.0, 0.0);
        });
    }
}

/// What comes of a study, once one has begun.
#[component]
pub(super) fn Done(run: StudyRun) -> impl IntoView {
    let shown = run.shown;
    let is_none = Memo::new(move |_| run.pool.standing.with(|standing| standing.stage == Stage::None));
    Effect::new(move |_| {
        run.state.settings.is_dark();
        untrack(|| run.draw(true));
    });
    let on_toggle = move |is_open: bool| {
        shown.has_table.set(is_open);
        run.draw(true);
    };
    let figure = move || {
        shown.figure.get().map(|figure| match figure {
            Ok(panel) => view! { <FigureOf run=run panel=panel /> }.into_any(),
            Err(why) => safe(&why).into_any(),
        })
    };
    let table = move || {
        let table = shown.figure.with(|figure| figure.as_ref()?.as_ref().ok()?.table.clone());
        table.map(|table| view! { <TableOf run=run table=table /> })
    };
    let failing = move || {
        shown.failing.get().map(|failing| match failing {
            Ok(panel) => view! { <FailingOf run=run panel=panel /> }.into_any(),
            Err(why) => safe(&why).into_any(),
        })
    };
    view! {
        <div id="study-done" hidden=move || is_none.get()>
            <div id="study-figure" class="res" node_ref=shown.place>{figure}</div>
            <div class="study-run">
                <button class="small" on:click=move |_| run.save_svg()>"Save SVG"</button>
                <button class="small" on:click=move |_| run.save_png()>"Save PNG"</button>
                <button class="small" on:click=move |_| run.save_csv()>"Save CSV"</button>
                <a id="study-link" href=move || run.link.get()>"Copy link to this study"</a>
            </div>
            <details class="res-details" id="study-table" on:toggle:target=move |event| on_toggle(event.target().open())>
                <summary>"Data as a table"</summary>
                <div id="study-rows" class="res">{table}</div>
            </details>
            <div id="study-sets" class="res">{failing}</div>
        </div>
    }
}

#[component]
fn FigureOf(run: StudyRun, panel: FigurePanel) -> impl IntoView {
    view! {
        <figure class="res-figure">
            <figcaption>{caption(safe(&panel.title), panel.partial, panel.caption)}</figcaption>
            <Points run=run picture=panel.picture />
        </figure>
        {panel.undrawn.map(|undrawn| view! { <p class="res-note">{undrawn}</p> })}
        <Legend strokes=panel.legend />
    }
}

/// The picture, and over it the points that can be clicked; the table has the same for those who use a keyboard.
#[component]
fn Points(run: StudyRun, picture: BandPicture) -> impl IntoView {
    let point = move |mark: CurveMark| {
        view! {
            <circle cx=mark.at.0 cy=mark.at.1 r="4" fill=mark.colour.css() on:click=move |_| run.show_failing(mark.point)>
                <title>{mark.title}</title>
            </circle>
        }
    };
    let (width, height) = picture.size;
    view! {
        <div class="study-picture">
            <Picture svg=picture.chart.svg label=picture.chart.label />
            <svg class="study-points" viewBox=format!("0 0 {width} {height}") aria-hidden="true">
                {picture.marks.into_iter().map(point).collect_view()}
            </svg>
        </div>
    }
}

/// The figure as a table; a number opens sets that fail there.
#[component]
fn TableOf(
    run: StudyRun,
    /// A row for each value of x, a column for each curve.
    table: BandTable,
) -> impl IntoView {
    let cell = move |cell: Option<(String, CurvePoint)>| {
        let content = match cell {
            Some((text, at)) => view! { <button class="link" on:click=move |_| run.show_failing(at)>{text}</button> }.into_any(),
            None => "\u{2013}".into_any(),
        };
        view! { <td class="num">{content}</td> }
    };
    let row = |(x, cells): (String, Vec<_>)| view! { <tr><th scope="row">{x}</th> {cells.into_iter().map(cell).collect_view()}</tr> };
    let rows = table.rows.into_iter().map(row).collect_view();
    view! { <Scrolled caption=table.caption head=table.head>{rows}</Scrolled> }
}

/// Task sets that fail a test.
#[component]
fn FailingOf(
    run: StudyRun,
    /// Task sets that fail at the point chosen.
    panel: FailingPanel,
) -> impl IntoView {
    let at = panel.point;
    let set = move |set: FailingSet| {
        let FailingSet { index, name, tasks } = set;
        view! {
            <li>
                <p>
                    <strong>{name}</strong>
                    " "
                    <button class="small" on:click=move |_| run.open_set(at, index)>"Open in the stepper"</button>
                </p>
                <SheetTable sheet=tasks />
            </li>
        }
    };
    let sets = (!panel.sets.is_empty()).then(|| view! { <ol class="study-sets">{panel.sets.into_iter().map(set).collect_view()}</ol> });
    view! {
        <h4 tabindex="-1" id="study-sets-title" node_ref=run.shown.title>{safe(&panel.title)}</h4>
        {sets}
        <p class="res-note">{panel.note}</p>
    }
}

/// `partial` stands out: the study did not count all sets.
pub(super) fn caption(title: String, partial: Option<String>, caption: String) -> impl IntoView {
    let partial = partial.map(|partial| view! { ": " <strong class="study-partial">{partial}</strong> });
    view! { {title} {partial} ". " {caption} }
}
