//! Makes Graphviz's SVG fill the window, pan and zoom.

const SCRIPT: &str = include_str!("zoom.js");

/// `svg` as large as its window, with a script for wheel and pointer; as it is when it does not
/// begin as Graphviz's pictures do.
pub fn zoomable(svg: &str) -> String {
    let parts = || {
        let start = svg.find("<svg ")?;
        let end = start + svg[start..].find('>')?;
        Some((&svg[..start], &svg[start..end], &svg[end + 1..]))
    };
    match parts() {
        Some((before, tag, after)) if tag.contains(" viewBox=\"") => {
            let tag = with_value(&with_value(tag, "width", "100%"), "height", "100%");
            format!("{before}{tag}>\n<script type=\"text/ecmascript\"><![CDATA[\n{SCRIPT}]]></script>{after}")
        }
        _ => svg.to_owned(),
    }
}

/// The tag with another value for an attribute that it has.
fn with_value(tag: &str, name: &str, value: &str) -> String {
    let key = format!(" {name}=\"");
    let Some(start) = tag.find(&key).map(|at| at + key.len()) else { return tag.to_owned() };
    let Some(length) = tag[start..].find('"') else { return tag.to_owned() };
    format!("{}{value}{}", &tag[..start], &tag[start + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fills_its_window() {
        let svg = "<?xml?>\n<svg width=\"8pt\" height=\"4pt\"\n viewBox=\"0 0 8 4\" xmlns=\"x\">\n<g/></svg>";
        let made = zoomable(svg);
        assert!(made.starts_with("<?xml?>\n<svg width=\"100%\" height=\"100%\"\n viewBox=\"0 0 8 4\" xmlns=\"x\">\n<script"), "{made}");
        assert!(made.ends_with("]]></script>\n<g/></svg>"));
        assert_eq!(zoomable("<svg>"), "<svg>");
    }
}
