//! Labels of the first screens that are terms, so that each leads to what the glossary says of it.
//!
//! Invariant, kept by a test: each is the name of a term, and of one alone.

blockstep_sim::listed! {
    /// A term that stands as a label.
    #[expect(missing_docs, reason = "the glossary says what each means")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LabelTerm(name, from_name) {
        Task = "task",
        Stream = "stream",
        EeQueue = "EE queue",
        CeQueue = "CE queue",
        Sm = "SM",
        CopyEngine = "copy engine",
        Runlist = "runlist",
        Edf = "EDF",
        FullyDispatched = "fully dispatched",
        Kernel = "kernel",
        ThreadBlock = "thread block",
        SharedMemory = "shared memory",
        Registers = "registers",
    }
}

impl LabelTerm {
    /// That of a column of the kernel table, by its title.
    #[must_use]
    pub fn of_column(title: &str) -> Option<Self> {
        Some(match title {
            "Blocks" => Self::ThreadBlock,
            "Kernel" => Self::Kernel,
            "Stream" => Self::Stream,
            "Shared memory" => Self::SharedMemory,
            "Registers" => Self::Registers,
            "Task" => Self::Task,
            _ => return None,
        })
    }
}
