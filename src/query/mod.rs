//! Questions: options by name to a [`View`], and back to the canonical address.
//!
//! A view has four parts, the later the cheaper: *shape* changes the tree of stacks,
//! *weight* the numbers on it, *cut* what of it is answered, *show* how that is printed.
//! [`FIELDS`] is the one table of options; nothing else names them.

mod error;
mod fields;
mod jeprof;
mod kinds;
mod parse;
mod paths;
mod pattern;
mod table;
mod tags;
mod view;

pub use error::{QueryError, in_one_line};
pub use fields::{FIELDS, Field, Kind, LOCAL, Part, applies, field, nearest, truth};
pub use jeprof::{JeprofGranularity, JeprofGraphSpec, JeprofValue, JeprofView};
pub use kinds::{KindRule, KindRules, KindSet, RuleOn};
pub use parse::check_limits;
pub use paths::{SourcePaths, clean_path, split_list};
pub use pattern::{MATCHED_BYTES, Pattern};
pub use table::{Opened, Opening, Order, OrderBy, Window};
pub use tags::TagFilter;
pub use view::{CutSpec, Dumps, Granularity, GrowthBy, ShapeSpec, ShowSpec, View, ViewKind, WeightSpec};
