//! Reading the store for requests.

use std::sync::Arc;

use super::error::TeamError;
use super::state::Team;
use crate::store::{Envelope, ShortId};

/// The dump of an identifier.
pub(super) fn find(team: &Team, id: &str) -> Result<Arc<Envelope>, TeamError> {
    let short: ShortId =
        id.parse().map_err(|()| TeamError::not_found(format!("{id:?} is no identifier of a dump: these have 16 letters and digits")))?;
    team.store()
        .linked(&short)?
        .ok_or_else(|| TeamError::not_found(format!("there is no dump {short}; it may have been deleted for its age")))
}

/// Runs `work`, which may wait for the store, on a thread that may block.
pub(super) async fn in_store<T: Send + 'static>(
    team: &Team,
    work: impl FnOnce(&Team) -> Result<T, TeamError> + Send + 'static,
) -> Result<T, TeamError> {
    let team = team.clone();
    let done = tokio::task::spawn_blocking(move || work(&team));
    done.await.map_err(|error| TeamError::internal(format!("the store cannot be read: {error}")))?
}
