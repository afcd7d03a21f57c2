//! How far the rules are known on a device is said wherever a run of it is told of, and of no device on which they are known.

use blockstep_draw::figure::{Palette, Style};
use blockstep_draw::tikz::{self, TikzSheet};
use blockstep_format as format;
use blockstep_protocol::Cursor;
use blockstep_report::figure::{self, FigureSubject};
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{Device, DeviceDraft, Draft, Evidence};
use blockstep_sim::units::{RowId, Time};
use blockstep_testing::rows::{row, run};
use blockstep_tools::ask::{Ask, View};
use blockstep_tools::tool::Event;
use serde_json::{Value, json};

use crate::figures::drawn;
use crate::tool::OnPage;

/// What *Why not now?* says below its answer.
fn why(draft: &Draft) -> Option<String> {
    let mut page: OnPage<Ask> = OnPage::new("ask", &format::write_scenario(draft));
    page.cursor = Cursor { position: 1, at: Time(0), row: Some(RowId(0)), op: None, block: None };
    match page.tell(Event::Opened(String::new())).unwrap().view.unwrap() {
        View::Card(card) => card.evidence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn evidence_is_told_of_a_run_exactly_where_the_rules_are_not_known() {
    let own = Device { sms: 3, ..Device::default() };
    let built_in = BUILT_IN.iter().map(|device| (DeviceDraft::BuiltIn(device.id.to_owned()), device.evidence));
    let mut silent = Vec::new();
    for (device, evidence) in built_in.chain([(DeviceDraft::Custom(own), Evidence::Own)]) {
        let sentence = evidence.sentence();
        if sentence.is_none() {
            silent.push(device.clone());
        }
        let draft = Draft { device, kernels: vec![row("K1", "S1", "0", 1, 32)], ..Draft::default() };
        let (run, records) = run(&draft);
        let trace: Value = serde_json::from_str(&format::write_trace(&run.trace, &records).unwrap().to_string()).unwrap();
        let word = sentence.as_ref().map_or(Value::Null, |_| json!(evidence));
        let chrome: Value = serde_json::from_str(&format::write_chrome(&run.trace, &records).to_string()).unwrap();
        let first = format::write_steps(&run.trace).to_string().lines().next().unwrap().to_owned();
        assert_eq!(why(&draft), sentence);
        assert_eq!(trace.get("evidence").cloned().unwrap_or_default(), word);
        assert_eq!(chrome["otherData"].get("rules_known").cloned().unwrap_or_default(), json!(sentence));
        assert_eq!(first.starts_with("# Limits "), sentence.is_some(), "{first}");
        let stop = blockstep_view::position::Stop::at_step(&run.trace, 1);
        let timeline = FigureSubject::Timeline { shown: None, cursor: None, selected: None };
        for subject in [timeline, FigureSubject::Queues(stop)] {
            let description = drawn(&run, &subject, Style::default()).description;
            assert_eq!(description.contains("rules as found on the TX2"), sentence.is_some(), "{description}");
            assert!(sentence.as_ref().is_none_or(|sentence| description.ends_with(sentence)), "{description}");
            let sheet = TikzSheet::from_picture(&drawn(&run, &subject, tikz::style(345.0, 8.0, Palette::Light).unwrap()).picture);
            let tex = figure::tex(&run.trace, &sheet, true);
            assert_eq!(tex.lines().next().and_then(|line| line.strip_prefix("% ")), sentence.as_deref());
        }
    }
    let known = ["tx2", "k5000", "h200"].map(|id| DeviceDraft::BuiltIn(id.to_owned()));
    assert_eq!(silent, known);
}
