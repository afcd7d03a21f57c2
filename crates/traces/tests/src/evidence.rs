//! How far the rules of a trace's GPU are known.

use blockstep_traces::answers::Tracer;
use blockstep_traces_messages::TraceAnswer;

use super::texts;

#[test]
fn evidence_is_told_of_a_trace_by_the_name_of_its_gpu() {
    const A100: &str = "\"name\":\"NVIDIA A100\",";
    let text = texts().swap_remove(0);
    assert!(text.contains(A100), "{text}");
    let rules = |name: Option<&str>| {
        let text = text.replace(A100, &name.map_or_else(String::new, |name| format!("\"name\":\"{name}\",")));
        let mut tracer = Tracer::default();
        let TraceAnswer::Opened(overview) = tracer.open(text.as_bytes(), &mut |_| ()) else { panic!("it can be read") };
        overview.facts.into_iter().find(|(label, _)| label == "Rules").map(|(_, value)| value)
    };
    assert_eq!(rules(Some("NVIDIA H100 80GB HBM3")).as_deref(), Some("as found on the TX2, not measured on this GPU"));
    assert_eq!(rules(None).as_deref(), Some("as found on the TX2, which this GPU may not follow"));
    assert_eq!(rules(Some("NVIDIA H200")), None);
}
