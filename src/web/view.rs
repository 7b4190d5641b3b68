//! The view that a request asks for.

use super::app::App;
use super::error::WebError;
use crate::query::{LOCAL, QueryError, View, ViewKind, check_limits, field};

/// Where files are on this machine is not for visitors to say.
pub(super) fn refuse_local(pairs: &[(String, String)]) -> Result<(), WebError> {
    match pairs.iter().filter_map(|(name, _)| field(name)).find(|f| LOCAL.contains(&f.name)) {
        Some(field) => Err(QueryError::Local { field: field.name }.into()),
        None => Ok(()),
    }
}

/// The view that a visitor asks for; expressions may be no larger than visitors' may.
pub(super) fn visitors_view(app: &App, kind: ViewKind, pairs: &[(String, String)]) -> Result<View, WebError> {
    if app.session.is_empty() {
        return Err(WebError::NoProfile);
    }
    refuse_local(pairs)?;
    let pairs = || pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    check_limits(pairs(), app.setup.limits.pattern_bytes).map_err(WebError::Query)?;
    View::parse(kind, pairs()).map_err(WebError::Query)
}
