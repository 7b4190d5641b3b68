//! Reports of a recording at a time (`-at`, `-from`, `-to`).

use anyhow::Result;

use super::request::Request;
use super::view::parse_view;
use crate::analyze::AtMoment;
use crate::profile::Profile;
use crate::terminal::message::say;
use crate::terminal::progress;

/// The profile with the states that the request's times name, and the request with dumps in their place; `None` if it names none.
pub(super) fn at_moment(profile: &Profile, request: &Request) -> Result<Option<(Option<Profile>, Request)>> {
    let view = parse_view(request.view_kind(), &request.pairs)?;
    let Some(moment) = progress::during("Going to the time", |_| AtMoment::of(profile, &view))? else { return Ok(None) };
    let weight = moment.view(&view).weight;
    let mut request = request.clone();
    request.pairs.retain(|(name, _)| !["at", "from", "to", "dump"].contains(&name.as_str()));
    let named = [("dump", weight.dump), ("base", weight.base)].into_iter().filter_map(|(name, dumps)| Some((name, dumps?)));
    for (name, dumps) in named {
        request.pairs.retain(|(other, _)| other != name);
        request.pairs.push((name.to_owned(), dumps.to_text()));
    }
    moment.warnings.iter().for_each(|warning| say(warning));
    Ok(Some((moment.profile, request)))
}
