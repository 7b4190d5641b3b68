//! Call graphs as pictures, drawn by Graphviz.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::programs;
use crate::render::zoomable;
use crate::report::GraphReport;

/// Longest time that Graphviz may take; some small graphs without any order take it for hours.
const LIMIT: Duration = Duration::from_secs(60);

/// Returns whether pictures can be drawn here.
pub(super) fn check() -> Result<()> {
    if programs::find("dot").is_none() {
        bail!(
            "cannot draw the graph: Graphviz (dot) is not installed (apt install graphviz, brew install graphviz); \
             without it, use -dot for text, -flamegraph for a flame graph, or -http=: for the graph in the browser"
        );
    }
    Ok(())
}

/// Most boxes and arrows that are laid out, as in the page: beyond this Graphviz takes minutes or hours.
const MOST_NODES: usize = 800;
const MOST_CALLS: usize = 3000;

/// Rejects a graph that is too large to lay out. Label values are boxes with an arrow, too.
pub(super) fn check_size(graph: &GraphReport) -> Result<()> {
    let (nodes, calls) = (graph.row.len() + graph.tags.len(), graph.edges.from.len() + graph.tags.len());
    if nodes > MOST_NODES || calls > MOST_CALLS {
        bail!(
            "the graph is too large to draw: {nodes} nodes and {calls} calls, at most {MOST_NODES} and {MOST_CALLS}; \
             show fewer nodes (-nodecount=80, without -trim=false), filter with -focus=, or use -dot for text"
        );
    }
    Ok(())
}

/// Renders `dot` with Graphviz in one of its formats.
pub(super) fn draw(dot: Vec<u8>, format: &str) -> Result<Vec<u8>> {
    // Removes characters that are not allowed in XML.
    let is_invalid = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}');
    let dot = String::from_utf8_lossy(&dot).replace(is_invalid, "\u{fffd}").into_bytes();
    let drawn = programs::filter("dot", &[&format!("-T{format}")], dot, LIMIT);
    drawn.context("cannot draw the graph; try fewer nodes (-nodecount=40), or -dot for text")
}

/// Renders SVG that fills the window, with pan and zoom.
pub(super) fn draw_for_browser(dot: Vec<u8>) -> Result<Vec<u8>> {
    let svg = draw(dot, "svg")?;
    Ok(match String::from_utf8(svg) {
        Ok(text) => zoomable(&text).into_bytes(),
        Err(bytes) => bytes.into_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{GraphEdges, Row};

    #[test]
    fn graphs_that_take_minutes_to_lay_out_are_refused() {
        let graph = |n_nodes: usize, n_calls: usize| GraphReport {
            row: vec![Row::default(); n_nodes],
            edges: GraphEdges { from: vec![0; n_calls], ..GraphEdges::default() },
            ..GraphReport::default()
        };
        assert!(check_size(&graph(MOST_NODES, MOST_CALLS)).is_ok());
        for too_large in [graph(MOST_NODES + 1, 0), graph(2, MOST_CALLS + 1)] {
            assert!(check_size(&too_large).unwrap_err().to_string().contains("-nodecount"), "{}", too_large.row.len());
        }
    }
}
