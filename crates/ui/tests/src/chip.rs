//! Chips of rules, pictures, and texts made harmless.

use blockstep_sim::trace::Rule;
use blockstep_ui::{Chip, Picture, PointedPicture, safe, with_unseen};
use blockstep_view::batch::{PictureSpot, SpotShape};
use leptos::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::mount;

#[wasm_bindgen_test]
async fn chip_says_its_rule_to_those_who_do_not_see_it() {
    let page = mount(|| {
        view! {
            <Chip rule=Rule::X1 />
            <Chip rule=Rule::G2 is_focusable=false />
        }
    })
    .await;
    let label = page.attribute("[data-rule=X1]", "aria-label").unwrap();
    assert!(label.starts_with("Rule X1: ") && label.contains(Rule::X1.sentence()), "{label}");
    assert!(page.has_class("[data-rule=X1]", "chip-x") && page.has_class("[data-rule=G2]", "chip-g"));
    assert_eq!(page.attribute("[data-rule=X1]", "tabindex").unwrap(), "0");
    assert_eq!(page.attribute("[data-rule=G2]", "tabindex"), None);
}

#[wasm_bindgen_test]
async fn picture_has_a_text_and_spots_over_it() {
    let spots = vec![
        PictureSpot { text: "K1\u{202e}".to_owned(), shape: SpotShape::Area([1.0, 2.0, 5.0, 8.0]) },
        PictureSpot { text: "a line".to_owned(), shape: SpotShape::Line(vec![(0.0, 0.0), (4.0, 4.0)]) },
    ];
    let page = mount(move || {
        let svg = "<svg id='drawn'></svg>".to_owned();
        view! {
            <Picture svg=svg.clone() label="Alone".to_owned() />
            <PointedPicture svg=svg label="With spots".to_owned() size_px=(9.5, 8.2) spots=spots />
        }
    })
    .await;
    assert_eq!(page.count("#drawn"), 2);
    assert_eq!(page.attribute("[role=img]", "aria-label").unwrap(), "Alone");
    assert_eq!(page.attribute(".spots", "viewBox").unwrap(), "0 0 10 9");
    let of = |name: &str| page.attribute(".spots rect", name).unwrap();
    assert_eq!([of("x"), of("y"), of("width"), of("height")], ["1.0", "2.0", "4.0", "6.0"]);
    assert_eq!(page.attribute(".spots path", "d").unwrap(), "M0.0 0.0L4.0 4.0");
    assert!(!page.text(".spots rect title").contains('\u{202e}'));
}

#[wasm_bindgen_test]
fn text_of_a_user_never_turns_what_stands_around_it() {
    assert!(!safe("a\u{202e}b").contains('\u{202e}'));
    assert_eq!(with_unseen("K1"), None);
    assert_eq!(with_unseen("é"), None);
    assert_eq!(with_unseen("a\u{202e}b"), Some(safe("a\u{202e}b")));
}
