//! A picture with words that come up where the pointer is.
//!
//! Invariant: the words lie exactly over what they are about, at any size of the picture; those who do not see it have its label and a
//! table instead.

use leptos::prelude::*;

use super::picture::Picture;
use super::text::safe;
use blockstep_view::batch::{PictureSpot, SpotShape};

#[component]
pub fn PointedPicture(
    /// What `draw` made.
    #[prop(into)]
    svg: Signal<String>,
    #[prop(into)] label: Signal<String>,
    /// Its width and height, px.
    #[prop(into)]
    size_px: Signal<(f64, f64)>,
    #[prop(into)] spots: Signal<Vec<PictureSpot>>,
) -> impl IntoView {
    let view_box = move || {
        let (width, height) = size_px.get();
        format!("0 0 {} {}", width.ceil(), height.ceil())
    };
    view! {
        <div class="pointed">
            <Picture svg=svg label=label />
            <svg class="spots" viewBox=view_box aria-hidden="true">
                {move || spots.get().iter().map(spot).collect_view()}
            </svg>
        </div>
    }
}

fn spot(spot: &PictureSpot) -> impl IntoView + use<> {
    let text = safe(&spot.text);
    match &spot.shape {
        &SpotShape::Area([x0, y0, x1, y1]) => {
            view! { <rect x=px(x0) y=px(y0) width=px(x1 - x0) height=px(y1 - y0)><title>{text}</title></rect> }.into_any()
        }
        SpotShape::Line(points) => {
            let d: Vec<String> = points.iter().map(|&(x, y)| format!("{} {}", px(x), px(y))).collect();
            view! { <path d=format!("M{}", d.join("L"))><title>{text}</title></path> }.into_any()
        }
    }
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}
