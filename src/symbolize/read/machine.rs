//! Processor architectures.

/// Processor architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// 32-bit x86.
    X86,
    /// 64-bit x86.
    X86_64,
    /// 32-bit ARM, with Thumb.
    Arm,
    /// 64-bit ARM.
    Aarch64,
    /// Any other, by name.
    Other(String),
}
