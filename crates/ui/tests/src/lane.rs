//! The lanes of a timeline on a canvas: what is drawn, and what can be pointed at.

use std::sync::Arc;

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::units::RowId;
use blockstep_ui::{CanvasPlace, fit, paint};
use blockstep_view::frame::{Emphasis, Frame};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::Timeline;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlCanvasElement;

use crate::dom::{Mounted, mount, until};

/// Height of the picture, px.
const HEIGHT: f64 = 300.0;

/// The timeline of [TX2] Table 1, at a scale that shows all of it.
fn timeline() -> (Timeline, TimeScale) {
    let example = blockstep_sim::examples::find("tx2-table-1").unwrap();
    let scenario = Scenario::new(&blockstep_format::read_scenario(example.json).unwrap()).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    let records = Arc::new(Records::new(&run.trace));
    let timeline = Timeline::new(&run.trace, &records);
    let scale = timeline.fit(900.0);
    (timeline, scale)
}

async fn canvas() -> (Mounted, HtmlCanvasElement) {
    let page = mount(|| view! { <canvas></canvas> }).await;
    let canvas = page.find("canvas").unchecked_into();
    (page, canvas)
}

/// What is drawn while something paints: each call of the context as its name, colon, its colors and its arguments.
fn drawn(canvas: &HtmlCanvasElement, paint: impl FnOnce()) -> Vec<String> {
    let record = js_sys::Function::new_with_args(
        "canvas",
        "const context = canvas.getContext('2d'), list = [];
         for (const name of ['fillRect', 'strokeRect', 'fillText', 'lineTo', 'moveTo', 'fill', 'stroke']) {
             const real = CanvasRenderingContext2D.prototype[name];
             context[name] = function (...args) {
                 const colour = name.startsWith('fill') ? this.fillStyle : this.strokeStyle;
                 list.push(`${name}: ${colour} ${args.map(x => typeof x === 'number' ? Math.round(x) : x).join(' ')}`.trim());
                 return real.apply(this, args);
             };
         }
         return list",
    );
    let list = record.call1(&JsValue::NULL, canvas).unwrap();
    paint();
    list.unchecked_into::<js_sys::Array>().iter().filter_map(|call| call.as_string()).collect()
}

fn frame(selected: Option<RowId>) -> Frame {
    let (timeline, scale) = timeline();
    timeline.frame(&scale, HEIGHT, None, selected)
}

#[wasm_bindgen_test]
async fn lane_draws_each_block_where_its_frame_says() {
    let (_page, canvas) = canvas().await;
    let frame = frame(None);
    let list = drawn(&canvas, || paint(&canvas, &frame, false, 1.0));
    assert!(!frame.boxes.is_empty());
    for of in &frame.boxes {
        let (x, y) = (of.x0.round(), of.y0.round());
        // A rectangle that begins at the box's corner, to a pixel.
        let is_drawn = list.iter().any(|call| {
            let numbers: Vec<f64> = call.split(' ').filter_map(|word| word.parse().ok()).collect();
            call.starts_with("fillRect") && numbers.len() == 4 && (numbers[0] - x).abs() <= 1.0 && (numbers[1] - y).abs() <= 1.0
        });
        assert!(is_drawn, "{of:?} is not in {list:#?}");
    }
}

#[wasm_bindgen_test]
async fn lane_names_its_blocks_and_itself() {
    let (_page, canvas) = canvas().await;
    let frame = frame(None);
    let list = drawn(&canvas, || paint(&canvas, &frame, false, 1.0)).join("\n");
    let named = frame.boxes.iter().filter_map(|of| of.label.clone());
    for text in named.chain(frame.lanes.iter().map(|lane| lane.label.clone())).filter(|text| !text.is_empty()) {
        assert!(list.lines().any(|call| call.starts_with("fillText") && call.contains(&text)), "{text} is not in {list}");
    }
}

#[wasm_bindgen_test]
async fn lane_dims_the_rows_beside_the_selection() {
    let (_page, canvas) = canvas().await;
    let (plain, selected) = (frame(None), frame(Some(RowId::at(0))));
    assert!(selected.boxes.iter().any(|of| of.emphasis == Emphasis::Dimmed));
    let of = |frame: &Frame, is_dark| drawn(&canvas, || paint(&canvas, frame, is_dark, 1.0));
    let usual = of(&plain, false);
    assert_ne!(usual, of(&selected, false));
    assert_ne!(usual, of(&plain, true), "the dark theme has other colors");
    assert_eq!(usual, of(&plain, false), "the same frame is drawn the same again");
}

#[wasm_bindgen_test]
async fn canvas_has_the_pixels_of_the_screen() {
    let (_page, canvas) = canvas().await;
    let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
    assert!((fit(&canvas, (200.0, 100.0), 1.5) - ratio * 1.5).abs() < 1e-9);
    assert_eq!((canvas.width(), canvas.height()), ((300.0 * ratio).round() as u32, (150.0 * ratio).round() as u32));
}

#[wasm_bindgen_test]
fn lane_has_each_block_where_it_is_drawn() {
    let (timeline, scale) = timeline();
    let frame = timeline.frame(&scale, HEIGHT, None, None);
    let mut pointed = 0;
    for of in frame.boxes.iter().filter(|of| of.x1 - of.x0 > 4.0 && of.y1 - of.y0 > 4.0) {
        let hit = timeline.hit(&scale, HEIGHT, f64::midpoint(of.x0, of.x1), f64::midpoint(of.y0, of.y1));
        let (hit, drawn) = (hit.unwrap(), of.hit.unwrap());
        assert_eq!(hit.label(&timeline), drawn.label(&timeline));
        pointed += 1;
    }
    assert!(pointed > 20, "{pointed}");
}

#[wasm_bindgen_test]
async fn canvas_place_knows_where_a_pointer_is_and_what_is_a_click() {
    let made = RwSignal::new(None);
    let page = mount(move || {
        let place = CanvasPlace::new(Signal::from(2.0_f64));
        made.set(Some(place));
        let says = RwSignal::new(String::new());
        view! {
            <div
                id="place"
                node_ref=place.node
                style="width:400px;height:100px"
                on:pointerdown=move |event| says.set(format!("{:?}", place.down(&event)))
                on:pointermove=move |event| {
                    place.moved(&event);
                }
                on:pointerup=move |event| says.set(format!("{:?}", place.up(&event)))
            ></div>
            <p>{says}</p>
        }
    })
    .await;
    let place: CanvasPlace = made.get_untracked().unwrap();
    until(|| place.room.get_untracked() == 400.0).await;
    let rect = page.find("#place").get_bounding_client_rect();
    let at = |x: f64, y: f64| (rect.left() + x, rect.top() + y);
    page.pointer("#place", "pointerdown", at(100.0, 40.0)).await;
    assert_eq!(page.text("p"), "Some(((50.0, 20.0), true))", "on a page twice as large");
    page.pointer("#place", "pointerup", at(100.0, 40.0)).await;
    assert_eq!(page.text("p"), "Some((50.0, 20.0))");
    page.pointer("#place", "pointerdown", at(100.0, 40.0)).await;
    page.pointer("#place", "pointermove", at(180.0, 40.0)).await;
    page.pointer("#place", "pointerup", at(180.0, 40.0)).await;
    assert_eq!(page.text("p"), "None", "a drag is no click");
}
