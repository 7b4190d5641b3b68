//! Options by name to a [`View`], and back to the canonical URL.
//!
//! A view has four parts, from expensive to cheap: *shape* changes the tree of stacks, *weight* the numbers on it, *cut* the part
//! of it that is returned, *show* how that is printed. [`FIELDS`] is the only table of options.

mod code_kinds;
mod conditions;
mod edit_rules;
mod error;
mod fields;
mod jeprof;
mod open_boxes;
mod order;
mod parse;
mod pattern;
mod source_paths;
mod tag_filter;
mod view;
mod when;
mod window;

pub use code_kinds::{KindRule, KindRules, KindSet, RuleOn};
pub use conditions::{Comparison, Condition, Conditions, Quantity};
pub use error::{QueryError, in_one_line};
pub use fields::{FIELDS, Field, Kind, LOCAL, Part, applies, field, nearest, truth};
pub use jeprof::{JeprofGranularity, JeprofGraphSpec, JeprofValue, JeprofView};
pub use open_boxes::{Opened, Opening};
pub use order::{Order, OrderBy};
pub use parse::check_limits;
pub use pattern::{MATCHED_BYTES, Pattern};
pub use source_paths::{SourcePaths, clean_path, split_list};
pub use tag_filter::TagFilter;
pub use view::{CutSpec, Dumps, Granularity, GrowthBy, ShapeSpec, ShowSpec, View, ViewKind, WeightSpec};
pub use when::When;
pub use window::Window;
