//! Kinds of code: the categories of packages, filters and reports.

use serde::Serialize;

/// Kind of code of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PackageKind {
    /// Memory allocator.
    Allocator,
    /// Language runtime, standard library, C library.
    Runtime,
    /// Async runtimes, executors and functions that only pass calls on.
    Plumbing,
    /// Third-party package.
    ThirdParty,
    /// The program's own code.
    Own,
    /// Unknown.
    #[default]
    Unknown,
}

impl PackageKind {
    /// Every kind, from the allocator up to your own code.
    pub const ALL: [PackageKind; 6] = [
        PackageKind::Allocator,
        PackageKind::Runtime,
        PackageKind::Plumbing,
        PackageKind::ThirdParty,
        PackageKind::Own,
        PackageKind::Unknown,
    ];

    /// The kind with this name or alias.
    pub fn from_name(word: &str) -> Option<Self> {
        match word {
            "alloc" => Some(PackageKind::Allocator),
            "std" => Some(PackageKind::Runtime),
            "async" => Some(PackageKind::Plumbing),
            _ => PackageKind::ALL.into_iter().find(|kind| kind.name() == word),
        }
    }

    /// Name of the kind, as in addresses and tables.
    pub fn name(self) -> &'static str {
        match self {
            PackageKind::Allocator => "allocator",
            PackageKind::Runtime => "runtime",
            PackageKind::Plumbing => "plumbing",
            PackageKind::ThirdParty => "third_party",
            PackageKind::Own => "own",
            PackageKind::Unknown => "unknown",
        }
    }
}
