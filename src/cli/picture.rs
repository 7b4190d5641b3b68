//! The call graph as a picture, drawn by Graphviz.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::programs;
use crate::render::zoomable;

/// Longest time that Graphviz may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Whether pictures can be drawn here.
pub(super) fn check() -> Result<()> {
    if programs::find("dot").is_none() {
        bail!(
            "cannot draw the graph: Graphviz (dot) is not installed (apt install graphviz, brew install graphviz); \
             without it, use -dot for text, -flamegraph for a flame graph, or -http=: for the graph in the browser"
        );
    }
    Ok(())
}

/// What Graphviz draws of `dot` in one of its formats.
pub(super) fn draw(dot: Vec<u8>, format: &str) -> Result<Vec<u8>> {
    // Names may hold anything, but not all of it may stand in XML.
    let bad = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}');
    let dot = String::from_utf8_lossy(&dot).replace(bad, "\u{fffd}").into_bytes();
    let drawn = programs::filter("dot", &[&format!("-T{format}")], dot, LIMIT);
    drawn.context("cannot draw the graph; try fewer nodes (-nodecount=40), or -dot for text")
}

/// The same as SVG, filling the window, with dragging and zooming by the wheel.
pub(super) fn draw_for_browser(dot: Vec<u8>) -> Result<Vec<u8>> {
    let svg = draw(dot, "svg")?;
    Ok(match String::from_utf8(svg) {
        Ok(text) => zoomable(&text).into_bytes(),
        Err(bytes) => bytes.into_bytes(),
    })
}
