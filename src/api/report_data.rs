//! The data of a report file, for a page that puts the file together itself.

use super::address::parameters;
use super::answer::Reply;
use super::carried::CarriedFiles;
use super::file_name::file_name;
use super::meta::program;
use crate::report_data::pack;
use crate::session::{ReportDataOptions, Session};

/// Where the page asks for it.
const PATH: &str = "/api/v1/report-data";

/// Answers `/api/v1/report-data?address=…&made=…` with the content of the report's data element; `None` for other paths. `address`:
/// path and query of the first view; `made`: when, in seconds since 1970. Readers of a server must not get it: it has the paths that
/// the profile has. O(size).
pub fn report_data(session: &Session, carried: &CarriedFiles, path_and_query: &str) -> Option<Reply> {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    if path != PATH {
        return None;
    }
    let parameters = parameters(query);
    let value = |name: &str| parameters.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
    let (path, query) = value("address").split_once('?').unwrap_or((value("address"), ""));
    let data = session.to_report_data(ReportDataOptions {
        path,
        query: super::address::parameters(query),
        source_paths: carried.shown_paths(),
        attachments: carried.to_attachment().into_iter().collect(),
        made: value("made").parse().unwrap_or(0),
        ..ReportDataOptions::default()
    });
    Some(Reply {
        status: 200,
        content_type: "text/plain; charset=utf-8",
        file_name: Some(file_name(&[&program(&session.snapshot()), "report"], "html")),
        body: pack(&data).into_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{NamedFile, open};
    use crate::report_data::data_element;

    #[test]
    fn the_data_is_that_of_a_report_file() {
        let bytes = b"# inuse_space bytes\nmain;load;read_file 4096\n".to_vec();
        let session = open(vec![NamedFile { name: "a.folded".into(), bytes }]).unwrap();
        let carried = CarriedFiles::default();
        assert_eq!(report_data(&session, &carried, "/api/v1/top"), None);
        let reply = report_data(&session, &carried, "/api/v1/report-data?address=%2Ftop%3Ff%3Dload&made=7").unwrap();
        let file = format!(
            "<!doctype html><meta name=\"generator\" content=\"heapview 1\"><script type=\"application/gzip\" id=\"data\">{}</script>",
            String::from_utf8(reply.body).unwrap()
        );
        assert!(data_element(file.as_bytes()).unwrap().is_ok());
        let again = open(vec![NamedFile { name: "report.html".into(), bytes: file.into_bytes() }]).unwrap();
        assert_eq!(again.snapshot().facts.totals, session.snapshot().facts.totals);
        assert_eq!(again.snapshot().profile.dumps()[0].name, "a.folded");
    }
}
