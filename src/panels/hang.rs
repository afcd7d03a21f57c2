//! The panel of *Can it hang?*.
//!
//! Invariant: what it says stands in the view; the parts change by themselves, so that a button keeps the focus while a search goes on.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel};
use blockstep_tools::hang::{Answer, Hang, Msg, Numbers, RESIDENTS, RepairLine, SearchLine, Verdict, View};
use blockstep_ui::safe;

impl Panel for Hang {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let numbers = Memo::new(move |_| view.with(|view| (view.numbers.clone(), view.more.clone())));
        let search = Memo::new(move |_| view.with(|view| view.search.clone()));
        // What comes after the verdict comes later, and leaves the buttons above it as they are.
        let answer = Memo::new(move |_| {
            let answer = view.with(|view| view.answer.clone())?;
            Some(Answer { smallest: None, repairs_title: String::new(), repairs: Vec::new(), ..answer })
        });
        let smallest = Memo::new(move |_| view.with(|view| view.answer.as_ref()?.smallest.clone()));
        let repairs = Memo::new(move |_| {
            view.with(|view| view.answer.as_ref().map(|answer| (answer.repairs_title.clone(), answer.repairs.clone())).unwrap_or_default())
        });
        view! {
            {move || numbers.with(|(rows, more)| (!rows.is_empty()).then(|| table(rows, more)))}
            {search_row(host, search)}
            {move || answer.get().map(|answer| shown(host, answer, smallest, repairs))}
        }
        .into_any()
    }
}

fn table(rows: &[Numbers], more: &str) -> impl IntoView + use<> {
    let has_beside = rows.iter().any(|row| !row.beside.is_empty());
    let row = |row: &Numbers| {
        let beside = row.beside.iter().map(|beside| view! { <div>{safe(beside)}</div> }).collect_view();
        view! {
            <tr>
                <th scope="row">{safe(&row.kernel)}</th>
                <td class="hang-alone" class:is-short=row.is_short>{row.alone.clone()}</td>
                <td>
                    {row.device.clone()} {row.counted.clone().map(|counted| view! { <div class="quiet">{counted}</div> })}
                    <div class="quiet">{row.limit.clone()}</div>
                </td>
                {has_beside.then_some(view! { <td>{beside}</td> })}
            </tr>
        }
    };
    let more = (!more.is_empty()).then(|| view! { <p class="tool-note">{more.to_owned()}</p> });
    view! {
        <section>
            <h3 id="hang-numbers-title">{RESIDENTS}</h3>
            <table class="tool-table hang-numbers" id="hang-numbers" aria-labelledby="hang-numbers-title">
                <thead>
                    <tr>
                        <th scope="col">"Kernel"</th>
                        <th scope="col" title="Its blocks that fit on the idle device, of all that it has">"Alone"</th>
                        <th scope="col" title="Blocks of it that the idle device holds, and what an SM runs out of first">"Device holds"</th>
                        {has_beside
                            .then_some(
                                view! { <th scope="col" title="Its blocks that find room after all blocks of the other kernel">"Beside others"</th> },
                            )}
                    </tr>
                </thead>
                <tbody>{rows.iter().map(row).collect_view()}</tbody>
            </table>
            {more}
        </section>
    }
}

fn search_row(host: Host<Hang>, search: Memo<SearchLine>) -> impl IntoView {
    let is_going = Memo::new(move |_| search.with(|search| matches!(search, SearchLine::Going(_))));
    let is_stale = Memo::new(move |_| search.with(|search| matches!(search, SearchLine::Stale(_))));
    let label = Memo::new(move |_| {
        search.with(|search| match search {
            SearchLine::Idle => Some("Search all orders"),
            SearchLine::Stale(_) => Some("Search this table"),
            SearchLine::Stopped(_) => Some("Go on"),
            SearchLine::Refused(_) | SearchLine::Going(_) | SearchLine::Over => None,
        })
    });
    let refused = Memo::new(move |_| search.with(|search| if let SearchLine::Refused(why) = search { Some(why.clone()) } else { None }));
    let status = move || {
        search.with(|search| match search {
            SearchLine::Idle => "Searches all orders in which the kernels may arrive for one that hangs.".to_owned(),
            SearchLine::Stale(text) | SearchLine::Going(text) | SearchLine::Stopped(text) => text.clone(),
            SearchLine::Refused(_) | SearchLine::Over => String::new(),
        })
    };
    let button = move || {
        label.get().map(|label| {
            view! {
                <button type="button" class:primary=move || !is_stale.get() id="hang-search" on:click=move |_| host.send(Msg::Search)>
                    {label}
                </button>
            }
        })
    };
    let cancel = move || {
        is_going.get().then(|| {
            view! {
                <button type="button" id="hang-cancel" on:click=move |_| host.send(Msg::Cancel)>
                    "Cancel"
                </button>
            }
        })
    };
    let back = move || {
        is_stale.get().then(|| {
            view! {
                <button type="button" id="hang-asked" on:click=move |_| host.send(Msg::OpenAsked)>
                    "Open the table asked about"
                </button>
            }
        })
    };
    view! {
        <div class="tool-row hang-search">
            <span class="tool-note" id="hang-status">{move || safe(&status())}</span> {button} {cancel} {back}
        </div>
        {move || refused.get().map(|why| view! { <p id="hang-refused">{safe(&why)}</p> })}
    }
}

fn shown(host: Host<Hang>, answer: Answer, smallest: Memo<Option<String>>, repairs: Memo<(String, Vec<RepairLine>)>) -> impl IntoView {
    let class = match answer.verdict {
        Verdict::Hangs => "verdict-bad",
        Verdict::None => "verdict-good",
        Verdict::Open => "hang-open",
    };
    let left_out = answer.left_out.as_ref().map(|text| view! { <p class="tool-note">{safe(&format!("({text})"))}</p> });
    let arrivals = (!answer.arrivals.is_empty()).then(|| {
        let line = |line: &String| view! { <li>{safe(line)}</li> };
        view! { <ol class="hang-arrivals" id="hang-arrivals">{answer.arrivals.iter().map(line).collect_view()}</ol> }
    });
    let end = answer.end.as_ref().map(|end| view! { <p id="hang-end">{safe(end)}</p> });
    let run = answer.has_run.then(|| {
        view! {
            <button type="button" class="primary" id="hang-run" on:click=move |_| host.send(Msg::OpenHang)>
                "Open the run that hangs"
            </button>
        }
    });
    let smallest = move || {
        smallest.get().map(|size| {
            view! {
                <button type="button" id="hang-smallest" title=size on:click=move |_| host.send(Msg::OpenSmallest)>
                    "Open the smallest table that hangs"
                </button>
            }
        })
    };
    let repairs = move || {
        let (title, lines) = repairs.get();
        (!title.is_empty()).then(|| {
            let lines = lines.iter().enumerate().map(|(place, line)| repair(host, place, line)).collect_view();
            view! {
                <section id="hang-repairs">
                    <h3>"What keeps it from hanging"</h3>
                    <p>{title}</p>
                    <ul class="tool-list">{lines}</ul>
                </section>
            }
        })
    };
    view! {
        <section id="hang-answer" class="hang-answer">
            <p class=class id="hang-verdict">
                <b>{answer.sentence.clone()}</b>
            </p>
            {left_out}
            {arrivals}
            {end}
            <div class="tool-row">{run} {smallest}</div>
        </section>
        {repairs}
        <p class="tool-note" id="hang-assumed">{answer.assumed.clone()}</p>
    }
}

fn repair(host: Host<Hang>, place: usize, line: &RepairLine) -> impl IntoView + use<> {
    let open = line.can_open.then(|| {
        let label = format!("Open: {}", line.change);
        view! {
            <button type="button" class="small" aria-label=safe(&label) on:click=move |_| host.send(Msg::OpenRepair(place as u32))>
                "Open"
            </button>
        }
    });
    view! { <li class="hang-repair"><span>{safe(&line.change)}</span> {open}</li> }
}
