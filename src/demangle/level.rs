//! Level of detail of demangled names.

/// Level of detail of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demangle {
    /// No parameters, no template or generic arguments, no return types.
    #[default]
    Default,
    /// Names stay mangled.
    None,
    /// Template and generic arguments, but no parameters and no return types.
    Templates,
    /// Everything.
    Full,
}
