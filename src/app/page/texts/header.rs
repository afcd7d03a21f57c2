//! The texts of the bar on top. Depends on nothing. Commands, tools, policies and devices bring their own titles.

pub(crate) const NAME: &str = "Blockstep";
pub(crate) const MOTTO: &str = "GPU scheduling, step by step";

// What is shown.

pub(crate) const EXAMPLE: &str = "Example";
pub(crate) const OWN_SCENARIO: &str = "Own scenario";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const COMPARE: &str = "Compare";
pub(crate) const COMPARE_HELP: &str = "Compare with another policy, device or rule (C)";
pub(crate) const DEVICE: &str = "Device";
pub(crate) const OF_THE_PAPERS: &str = "GPUs of the papers";
pub(crate) const BY_CAPABILITY: &str = "Others, by compute capability";

// Buttons at the right.

pub(crate) const ACTIONS: &str = "File and history";
pub(crate) const TOOLS: &str = "Tools";
pub(crate) const FILES_TO_OPEN: &str = "Scenario, table, examiner config or logs";
pub(crate) const SHARE_HELP: &str = "Link, embed, image, LaTeX, data";
pub(crate) const THEME_SYSTEM: &str = "Colors: as the system";
pub(crate) const THEME_LIGHT: &str = "Colors: light";
pub(crate) const THEME_DARK: &str = "Colors: dark";
