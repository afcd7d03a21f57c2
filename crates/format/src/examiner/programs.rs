//! The programs that come with the examiner, as far as a simulation must tell them apart.
//!
//! Depends on nothing. Source: the examiner's `src/`, a file for each program.

/// What a benchmark's file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// `timer_spin.so`: blocks that run for a time.
    Spin,
    /// `timer_spin_default_stream.so`: the same on the NULL stream.
    SpinOnNull,
    /// `sharedmem_timer_spin.so`: the same with shared memory.
    SpinWithMemory,
    /// `multikernel.so`: several of these, one after the other.
    Multikernel,
    /// `stream_action.so`: a list of calls of CUDA.
    Actions,
    /// `task_host.so`: runs a config of its own.
    Host,
    /// `counter_spin.so`: blocks that count.
    Counter,
    /// Programs that work on the GPU as long as it takes.
    Work,
    /// Programs that only use the CPU.
    Cpu,
    /// Anything else.
    Unknown,
}

impl Program {
    /// By the name of its file, without the folder.
    pub(super) fn from_file_name(name: &str) -> Self {
        match name {
            "timer_spin.so" => Self::Spin,
            "timer_spin_default_stream.so" => Self::SpinOnNull,
            "sharedmem_timer_spin.so" => Self::SpinWithMemory,
            "multikernel.so" => Self::Multikernel,
            "stream_action.so" => Self::Actions,
            "task_host.so" => Self::Host,
            "counter_spin.so" => Self::Counter,
            "mandelbrot.so" | "random_walk.so" | "inorder_walk.so" | "matrix_multiply.so" => Self::Work,
            "cpu_random_walk.so" | "cpu_inorder_walk.so" => Self::Cpu,
            _ if name.starts_with("nvx_demo_") => Self::Work,
            _ => Self::Unknown,
        }
    }

    /// Whether its config says how long its blocks run.
    pub(super) fn spins(self) -> bool {
        matches!(self, Self::Spin | Self::SpinOnNull | Self::SpinWithMemory)
    }

    /// Its file, if it is one whose fields are used in part only.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Multikernel => "multikernel.so",
            Self::Actions => "stream_action.so",
            Self::Host => "task_host.so",
            _ => "",
        }
    }

    /// Why it is not known how long its blocks run; `name` is its file.
    pub(super) fn without_duration(self, name: &str) -> String {
        match self {
            Self::Counter => format!("{name} counts to a number, and the time that takes depends on the GPU"),
            Self::Actions => "counter_spin counts to a number, and the time that takes depends on the GPU".to_owned(),
            Self::Unknown => format!("{name} is not a program of the examiner, and its config has no duration"),
            _ => format!("the config of {name} has no duration"),
        }
    }
}
