//! YAML as JSON values, for lists of targets. Aliases are refused, and depth is bounded: a short file cannot mean a large one.

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

/// Deepest nesting.
const DEEPEST: usize = 8;

/// What is being read.
enum Open {
    List(Vec<Value>),
    /// Entries, and the key whose value comes next.
    Table(Map<String, Value>, Option<String>),
}

/// Reads the first document of a text; all scalars are texts.
///
/// # Errors
/// A sentence with the line.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        let wrong = |problem: &str| Err(format!("line {}: {problem}", span.start.line()));
        let done = match event {
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                open.push(Open::Table(Map::new(), None));
                None
            }
            Event::Scalar(text, ..) => Some(Value::String(text.into_owned())),
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|done| match done {
                Open::List(items) => Value::Array(items),
                Open::Table(table, _) => Value::Object(table),
            }),
            Event::Alias(_) => return wrong("aliases are not supported; write the list again"),
            _ => None,
        };
        if open.len() > DEEPEST {
            return wrong("nested too deeply");
        }
        let Some(done) = done else { continue };
        match (open.last_mut(), done) {
            (None, done) => return Ok(done),
            (Some(Open::List(items)), done) => items.push(done),
            (Some(Open::Table(_, key @ None)), Value::String(text)) => *key = Some(text),
            (Some(Open::Table(_, None)), _) => return wrong("expected a key"),
            (Some(Open::Table(table, key)), done) => {
                if let Some(key) = key.take()
                    && table.insert(key, done).is_some()
                {
                    return wrong("this key is given twice");
                }
            }
        }
    }
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_tables_are_read() {
        let value = read("# all\n- targets: ['a:1', b:2]\n  labels:\n    env: live\n    version: 1.10\n- targets:\n  - c:3\n").unwrap();
        let expected = r#"[{"labels":{"env":"live","version":"1.10"},"targets":["a:1","b:2"]},{"targets":["c:3"]}]"#;
        assert_eq!(value.to_string(), expected);
        assert_eq!(read("").unwrap(), Value::Null);
    }

    #[test]
    fn short_texts_cannot_mean_large_ones() {
        for (text, problem) in [
            ("a: &x [1]\nb: *x", "line 2: aliases"),
            ("- [[[[[[[[[1]]]]]]]]]", "line 1: nested too deeply"),
            ("a: 1\na: 2", "line 2: this key is given twice"),
            ("? [1]\n: 2", "expected a key"),
            ("a: [1", "line"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.contains(problem), "{text}: {found}");
        }
        assert!(read(&"[".repeat(100_000)).is_err());
    }
}
