//! Removes folders of this machine from answers.

use regex::{Captures, Regex};

use crate::api::Meta;
use crate::report_data::{PathsInText, source_path};

/// Finds paths in answers.
pub(super) struct PathFilter {
    in_text: PathsInText,
    /// A text of JSON that is a path as a whole, blanks and all.
    whole: Option<Regex>,
}

impl PathFilter {
    pub(super) fn new() -> Self {
        PathFilter { in_text: PathsInText::new(), whole: Regex::new(r#""(/[^"\\/]+/[^"\\]*)""#).ok() }
    }

    /// A text without folders of this machine.
    pub(super) fn cut(&self, text: &str) -> String {
        let whole = |found: &Captures| format!("\"{}\"", source_path(&found[1]));
        let text = self.whole.as_ref().map_or(text.into(), |paths| paths.replace_all(text, whole));
        self.in_text.cut(&text)
    }

    /// A name, label or comment without folders of this machine.
    pub(super) fn cut_name(&self, text: &str) -> String {
        self.in_text.cut(text)
    }

    /// Metadata without folders of this machine.
    pub(super) fn cut_meta(&self, meta: &mut Meta) {
        for dump in &mut meta.dumps {
            for name in [&mut dump.name, &mut dump.series] {
                if !name.contains("://") {
                    *name = source_path(name);
                }
            }
        }
        meta.mappings.iter_mut().for_each(|mapping| mapping.file = source_path(&mapping.file));
        meta.builds.iter_mut().flat_map(|builds| &mut builds.build).for_each(|build| build.file = source_path(&build.file));
        for module in &mut meta.symbols.modules {
            module.looked.clear();
            [&mut module.file, &mut module.debug_file].into_iter().for_each(|file| *file = source_path(file));
            let sentences = module.remedy.iter_mut().chain([&mut module.name, &mut module.problem, &mut module.debug]);
            sentences.for_each(|text| *text = self.in_text.cut(text));
        }
        let sentences = meta.warnings.iter_mut().chain([&mut meta.symbols.verdict, &mut meta.symbols.fetching, &mut meta.waiting]);
        sentences.for_each(|text| *text = self.in_text.cut(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_at_any_position() {
        let filter = PathFilter::new();
        for (text, cut) in [
            (r#"{"file":"/home/ann/my work/x.rs","n":3}"#, r#"{"file":"x.rs","n":3}"#),
            (r#"["/tmp/a/b","in /tmp/a/b.so, at 3"]"#, r#"["b","in b.so, at 3"]"#),
            (
                r#""operator/(X const&)" "github.com/a/b.Run" "http://host/a/b""#,
                r#""operator/(X const&)" "github.com/a/b.Run" "http://host/a/b""#,
            ),
            ("main /srv/x/main.c:3\n", "main main.c:3\n"),
            ("<title>main (/srv/x/main.c:3)</title>", "<title>main (main.c:3)</title>"),
            (r#"{"path":"/api"}"#, r#"{"path":"/api"}"#),
        ] {
            assert_eq!(filter.cut(text), cut);
        }
    }
}
