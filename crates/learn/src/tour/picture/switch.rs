//! A context switch in its four phases: who tells whom, and where the state goes.
//!
//! Depends on the parent. Source: [LP] section II-B.

use super::{Look, Picture, Sheet};

/// What a switch does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The engines finish.
    Pause,
    /// The state of the old context goes to memory.
    Save,
    /// That of the new one comes from there.
    Restore,
    /// The engines go on.
    Resume,
}

impl Phase {
    const ALL: [(&'static str, Self); 4] =
        [("pause", Self::Pause), ("save", Self::Save), ("restore", Self::Restore), ("resume", Self::Resume)];

    pub(super) fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find_map(|(name, phase)| (name == word).then_some(phase))
    }

    const fn says(self) -> &'static str {
        match self {
            Self::Pause => "The scheduling unit notifies FECS, and FECS pauses all engines.",
            Self::Save => "FECS tells each GPCCS to swap the state. Both write what to save to their FIFO buffers, which drain to memory.",
            Self::Restore => "The same buffers bring the state of the next context from memory to FECS and to each GPCCS.",
            Self::Resume => "Each GPCCS reports to FECS that it is done, and FECS resumes all engines.",
        }
    }
}

pub(super) fn draw(phase: Phase) -> Picture {
    let in_phase = |phases: &[Phase]| Look::strong_if(phases.contains(&phase));
    let moves = in_phase(&[Phase::Save, Phase::Restore]);
    let mut sheet = Sheet::new(232);
    for (i, (name, of)) in (0..).zip(Phase::ALL) {
        sheet.boxed((4 + 84 * i, 4, 80, 24), &[&format!("{} {name}", i + 1)], in_phase(&[of]));
    }
    sheet.group((204, 40, 132, 134), "in each GPC");
    sheet.boxed((4, 62, 84, 36), &["scheduling", "unit"], in_phase(&[Phase::Pause]));
    sheet.boxed((124, 62, 56, 36), &["FECS"], Look::Strong);
    let gpccs = in_phase(&[Phase::Save, Phase::Restore, Phase::Resume]);
    sheet.boxed((222, 62, 64, 36), &["GPCCS"], gpccs);
    sheet.boxed((124, 132, 56, 32), &["FIFOs"], moves);
    sheet.boxed((222, 132, 64, 32), &["FIFOs"], moves);
    sheet.boxed((298, 62, 32, 102), &["SMs"], in_phase(&[Phase::Pause, Phase::Resume]));
    sheet.boxed((4, 196, 332, 30), &["memory: the state of each context"], moves);
    match phase {
        Phase::Pause => {
            sheet.line((88, 80), (124, 80), Look::Strong, true);
            // Above the group, and down to the SMs.
            sheet.line((152, 62), (152, 34), Look::Strong, false);
            sheet.line((152, 34), (314, 34), Look::Strong, false);
            sheet.line((314, 34), (314, 62), Look::Strong, true);
        }
        Phase::Save => {
            sheet.line((180, 80), (222, 80), Look::Strong, true);
            for x in [152, 254] {
                sheet.line((x, 98), (x, 132), Look::Strong, true);
                sheet.line((x, 164), (x, 196), Look::Strong, true);
            }
        }
        Phase::Restore => {
            for x in [152, 254] {
                sheet.line((x, 196), (x, 164), Look::Strong, true);
                sheet.line((x, 132), (x, 98), Look::Strong, true);
            }
        }
        Phase::Resume => {
            sheet.line((222, 80), (180, 80), Look::Strong, true);
            sheet.line((152, 62), (152, 34), Look::Strong, false);
            sheet.line((152, 34), (314, 34), Look::Strong, false);
            sheet.line((314, 34), (314, 62), Look::Strong, true);
        }
    }
    sheet.finish(format!("A context switch, phase {}. {}", phase.number(), phase.says()))
}

impl Phase {
    fn number(self) -> usize {
        Self::ALL.iter().position(|(_, of)| *of == self).unwrap_or(0) + 1
    }
}
