//! Names from attached files.

use std::sync::Arc;

use heapview::api::{ApiError, NamedFile, Opened, RefusedFile, Reply, Unopened};
use heapview::attached::{NamedSession, program_waits};
use heapview::symbolize::{AttachedFile, ByteSource, is_binary};

use super::page::{PageFile, PageProgress, report};

pub(crate) type OpenSession = NamedSession;

/// The files that the page attached.
#[derive(Default)]
pub(crate) struct AttachedFiles {
    /// Those that were refused are counted too.
    n_files: u32,
    list: Vec<Arc<AttachedFile>>,
}

/// Opens files in place of those before.
pub(crate) fn open(first: Vec<NamedFile>, added: Vec<NamedFile>) -> Result<(OpenSession, Vec<RefusedFile>), Unopened> {
    if let Some(file) = first.first() {
        let others = first.len() + added.len() - 1;
        let others = if others > 0 { format!(" and {others} more") } else { String::new() };
        report(&format!("Parsing {}{others}", file.name), 0, 0);
    }
    NamedSession::open(first, added, &PageProgress)
}

/// Attaches a file of `size` bytes.
pub(crate) fn attach(attached: &mut AttachedFiles, session: Option<&OpenSession>, name: &str, size: u64) -> Reply {
    let source = PageFile { number: attached.n_files, size };
    attached.n_files += 1;
    let refused = |status: u16, reason: &dyn std::fmt::Display| {
        Reply::json(status, &ApiError::plain(format!("cannot read the binary {name}: {reason}"), ""))
    };
    let mut head = vec![0; 16.min(size as usize)];
    match source.read_at(0, &mut head) {
        Err(error) => return refused(422, &error),
        Ok(()) if !is_binary(&head) => return refused(415, &"not an ELF, Mach-O or PE file"),
        Ok(()) => {}
    }
    match AttachedFile::new(name.into(), Arc::new(source)) {
        Err(error) => refused(422, &error),
        Ok(file) => {
            let opened = match session {
                Some(session) => session.describe(&file),
                None => Opened { notes: vec![program_waits(name)], ..Opened::default() },
            };
            attached.list.push(Arc::new(file));
            Reply::json(200, &opened)
        }
    }
}

/// Names the addresses of the open profile.
pub(crate) fn symbolize(attached: &AttachedFiles, session: &mut OpenSession) -> Reply {
    Reply::json(200, &session.symbolize(&attached.list, &PageProgress))
}
