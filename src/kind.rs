//! What sort of code a function is: the words that packages, filters and reports share.

use serde::Serialize;
use utoipa::ToSchema;

/// What sort of code a function is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackageKind {
    /// Hands memory out.
    Allocator,
    /// Language runtime, standard library, C library.
    Runtime,
    /// Async runtimes, executors, and what only passes calls on.
    Plumbing,
    /// A package of others.
    ThirdParty,
    /// The program's own.
    Own,
    /// Nobody knows.
    #[default]
    Unknown,
}

impl PackageKind {
    /// Every kind, from the memory up to the person.
    pub const ALL: [PackageKind; 6] = [
        PackageKind::Allocator,
        PackageKind::Runtime,
        PackageKind::Plumbing,
        PackageKind::ThirdParty,
        PackageKind::Own,
        PackageKind::Unknown,
    ];

    /// The kind that a word means: its name, or what people call it.
    pub fn from_name(word: &str) -> Option<Self> {
        match word {
            "alloc" => Some(PackageKind::Allocator),
            "std" => Some(PackageKind::Runtime),
            "async" => Some(PackageKind::Plumbing),
            _ => PackageKind::ALL.into_iter().find(|kind| kind.name() == word),
        }
    }

    /// The kind in words, as addresses and tables spell it.
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
