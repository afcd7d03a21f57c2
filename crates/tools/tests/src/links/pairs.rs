//! Links that open a tool with pairs: of what it does not take, it says what, and what there is.

use blockstep_protocol::{Cursor, Effect};
use blockstep_sim::examples;
use blockstep_tools::ToolId;

use crate::tool::open_any;

/// A value that nothing has.
const NOPE: &str = "nope?";

/// Words in which each pair that takes any text holds something impossible, and how the panel, or a message, says so.
const TEXTS: &[(ToolId, &str, &str)] = &[
    (ToolId::Quiz, "seed=nope?&n=5&kinds=all", "Seed: \"nope?\" is not a whole number"),
    (ToolId::Quiz, "seed=1&n=nope?&kinds=all", "Questions: \"nope?\" is not a number"),
    (ToolId::Quiz, "exercise=nope?", "This exercise cannot be opened"),
    (ToolId::Until, "row=nope?", "kernel \"nope?\""),
    (ToolId::Until, "until=free-threads&sm=nope?", "\"nope?\""),
    (ToolId::Until, "until=free-threads&below=nope?", "\"nope?\""),
    (ToolId::Until, "until=job-released&task=nope?", "task \"nope?\""),
    (ToolId::Until, "until=resident&process=nope?", "processes do not take turns"),
    (ToolId::Until, "until=part-starts&part=nope?", "\"nope?\""),
    (ToolId::Compare, "pin=nope?", "JSON"),
    (ToolId::Compare, "before=nope?", "JSON"),
    (ToolId::Figure, "width=nope?", "Width \"nope?\""),
    (ToolId::Figure, "font=nope?", "Text size \"nope?\""),
    (ToolId::Figure, "scale=nope?", "Scale of PNG, GIF and video \"nope?\""),
    (ToolId::Figure, "tex-steps=nope?", "nope?"),
    (ToolId::Figure, "gif-steps=nope?", "nope?"),
    (ToolId::Batch, "from=own&until=nope?&task=name%3DA", "This link's workload has a mistake."),
    (ToolId::Batch, "issue_ns=nope?", "This link's workload has a mistake."),
    (ToolId::Batch, "poll_ns=nope?", "This link's workload has a mistake."),
    (ToolId::Batch, "message_ns=nope?", "This link's workload has a mistake."),
    (ToolId::Batch, "decision_ns=nope?", "This link's workload has a mistake."),
    (ToolId::Batch, "launch_ns=nope?", "This link's workload has a mistake."),
    (ToolId::Batch, "scheduler_threads=nope?", "This link's workload has a mistake."),
    (ToolId::OwnPolicy, "policy=own-0&own=nope?", "nope"),
    (ToolId::OwnPolicy, "requests=nope?", "nope?"),
];

/// Any text is the name of a workload.
const FREE: &[(ToolId, &str)] = &[(ToolId::Batch, "name")];

/// What a tool says when a link opens it: what the panel shows, and messages.
fn says(tool: ToolId, word: &str) -> (String, Vec<String>) {
    let scenario = examples::find("tx2-table-1").unwrap().json;
    let answer = open_any(tool.info().name, word, scenario, Cursor::default()).unwrap();
    let messages = answer.effects.iter().filter_map(|effect| match effect {
        Effect::Complain(text) => Some(text.clone()),
        _ => None,
    });
    (String::from_utf8_lossy(&answer.view).into_owned(), messages.collect())
}

#[test]
fn link_pairs_say_which_value_does_not_exist_and_what_there_is() {
    for &tool in ToolId::ALL {
        for pair in tool.pairs() {
            let (name, title) = (pair.name, tool.info().title);
            if pair.is_text() {
                let is_tried = TEXTS.iter().any(|(of, word, _)| *of == tool && word.contains(&format!("{name}={NOPE}")));
                assert!(is_tried || FREE.contains(&(tool, name)), "{title} {name}");
                continue;
            }
            let (_, messages) = says(tool, &format!("{name}={NOPE}"));
            let [message] = &messages[..] else { panic!("{title} {name}: {messages:?}") };
            assert!(message.starts_with("This link asks ") && message.contains(NOPE) && message.contains(name), "{message}");
            assert!(message.contains(title) && message.to_lowercase().contains(" there "), "{message}");
        }
    }
    let silent = TEXTS.iter().filter_map(|(tool, word, said)| {
        let (view, messages) = says(*tool, word);
        let is_said = view.contains(said) || messages.iter().any(|message| message.contains(said));
        (!is_said).then(|| format!("{word}: {messages:?} {view}"))
    });
    assert_eq!(silent.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn link_pairs_of_no_name_are_said_and_one_value_too_many() {
    for &tool in ToolId::ALL.iter().filter(|tool| !tool.pairs().is_empty()) {
        let (_, messages) = says(tool, "nope?=3");
        assert!(messages.len() == 1 && messages[0].contains("“nope?=3”, which does not exist. There are “"), "{messages:?}");
    }
    let said = |tool, word| says(tool, word).1.join(" ");
    assert_eq!(
        said(ToolId::Rules, "rule=ZZ&variant=last-fit"),
        "This link asks Rules for “rule=ZZ”, which does not exist. For “rule” there are G1, G2, G3, G4, X1, R1, R2, R3 and 52 more."
    );
    assert_eq!(
        said(ToolId::Compare, "policy=nope&policy=fifo"),
        "This link asks Compare runs for “policy=nope”, which does not exist. For “policy” there are fifo, priority, runlist, edf and own."
    );
    assert_eq!(said(ToolId::Rules, "rule=X1&rule=G1"), "This link asks Rules for “rule” more than once, but it takes only one.");
    assert_eq!(
        said(ToolId::Compare, "policy=fifo&policy=priority&policy=runlist&device=tx1&device=tx2&pin="),
        "This link asks for 6 runs. The first 4 are shown."
    );
    assert_eq!(
        said(ToolId::Figure, "columns=99"),
        "This link asks Figures for “columns=99”, which does not exist. For “columns” there are whole numbers from 1 to 6."
    );
    assert_eq!(
        ToolId::Batch.refused("from=own&task=name%3DA&task=nope%3D3").unwrap(),
        "This link asks “task” in Batch schedulers for “nope=3”, which does not exist. There are “name=”, “kind=”, “in=”, “kernel=”, \
         “blocks=”, “threads=”, “out=”, “first=”, “every=”, “within=” and “after=”."
    );
    assert_eq!(said(ToolId::OwnPolicy, "policy=own-3"), "This link asks for the text “own-3”, which it does not have.");
    let many: Vec<String> = (0..30).map(|i| format!("x{i}=")).collect();
    assert!(said(ToolId::Rules, &many.join("&")).ends_with("It asks for 26 more that Rules does not have."));
}

#[test]
fn link_pairs_of_every_tool_are_taken() {
    for (tool, word) in [
        (ToolId::Rules, "rule=X1&variant=last-fit&variant=fair-share"),
        (ToolId::Compare, "policy=fifo&device=tx1&variant=last-fit,fair-share"),
        (ToolId::Quiz, "seed=7&n=5&kinds=sm,kernel,fit"),
        (ToolId::Until, "until=waits&reason=x1&row=K4"),
        (ToolId::Figure, "figure=chart&chart=histogram-0&shown=line&shown=legend&title=off&columns=&width=400"),
        (ToolId::Batch, "from=Case-1&tab=all&gpu=fermi&by=CPUOrder&off=none&open=costs+tx1&span=all&at=3&issue_ns=1,000"),
        (ToolId::OwnPolicy, "policy=edf&requests=%2BA+%2BB1&step=1&tasks=3&ranks=0120&properties=fails&properties=at-most%3D2&hunt=asked"),
    ] {
        assert_eq!(tool.refused(word), None, "{word}");
        assert_eq!(says(tool, word).1, [""; 0], "{word}");
    }
}
