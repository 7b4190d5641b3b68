//! The team server: the dumps of a store behind one address.
//!
//! Each dump, pair and series is a page of its own below `/d/…` and `/s/…`: the same addresses as those of a server for one profile
//! (`src/web/router.rs`), with a prefix. Profiles are opened when somebody asks for them and closed when memory is needed.

mod binaries;
mod body;
mod dumps;
mod error;
mod extract;
mod feeds;
mod gate;
mod grant;
mod growth;
mod health;
mod histogram;
mod links;
mod lists;
mod log;
mod login;
mod metrics;
mod notes;
#[cfg(test)]
mod openapi;
mod page;
mod pages;
mod paths;
mod place;
mod profiles;
mod proxy;
mod record;
mod router;
mod services_page;
mod sessions;
mod state;
mod stored;
mod targets;

use std::time::Duration;

use tokio::net::TcpListener;

pub use log::{Log, LogFormat};
pub use proxy::Proxies;
pub use router::team_app;
pub use state::TeamSetup;

use log::Level;
use state::Team;

/// Interval at which the store is looked at and profiles are tidied up.
const TICK: Duration = Duration::from_secs(2);

/// Time for requests that are under way when the server is stopped.
const FAREWELL: Duration = Duration::from_secs(20);

/// Serves the store until `stop`; requests that are under way are answered first.
pub async fn serve_team(listener: TcpListener, setup: TeamSetup, stop: impl Future<Output = ()>) {
    let (limits, team) = (setup.limits.clone(), Team::new(setup));
    let log = team.setup.log.clone();
    log.write(Level::Info, "start", [("version", env!("CARGO_PKG_VERSION").into()), ("store", team.store().place().into())]);
    let ticking = tokio::spawn(tick(team.clone()));
    let accepting = tokio::spawn(super::server::accept(listener, router::of(team.clone()), limits));
    stop.await;
    // No new connections; what is being stored is stored.
    team.stop();
    if let Some(scraper) = team.setup.scraper.clone() {
        let _ = tokio::task::spawn_blocking(move || scraper.stop()).await;
    }
    let idle = async {
        while team.metrics().under_way() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // The last answers are on their way.
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let _ = tokio::time::timeout(FAREWELL, idle).await;
    accepting.abort();
    ticking.abort();
    log.write(Level::Info, "stop", [("requests", team.metrics().under_way().into())]);
    let _ = tokio::task::spawn_blocking(move || log.flush()).await;
}

async fn tick(team: Team) {
    loop {
        tokio::time::sleep(TICK).await;
        let team = team.clone();
        // An error is counted; the next tick tries again.
        let _ = tokio::task::spawn_blocking(move || team.refresh()).await;
    }
}
