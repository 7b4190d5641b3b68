//! Line editor of the shell: editing, completion, history.
//!
//! The history is a file in the XDG state directory, readable by its owner only and bounded in length. HEAPVIEW_HISTORY names
//! another file; if empty, no history is kept. Errors of reading or writing it are ignored.

use std::env;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config};

use super::complete::Words;

/// pprof's, for those who type and for scripts that wait for it.
const PROMPT: &str = "(pprof) ";

/// Lines remembered.
const LONGEST: usize = 1000;

/// Input from the user.
pub(super) enum Read {
    Line(String),
    /// Ctrl-C: the line is thrown away.
    Cleared,
    /// Ctrl-D.
    End,
}

pub(super) struct Editor {
    editor: rustyline::Editor<Words, FileHistory>,
    history: Option<PathBuf>,
}

impl Editor {
    pub(super) fn new(words: Words) -> Result<Self> {
        let config = Config::builder()
            .max_history_size(LONGEST)
            .and_then(|config| config.history_ignore_dups(true))
            .context("cannot use the terminal for a prompt")?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .build();
        let mut editor = rustyline::Editor::with_config(config).context("cannot use the terminal for a prompt")?;
        editor.set_helper(Some(words));
        let history = history_file();
        if let Some(file) = &history {
            let _ = editor.load_history(file);
        }
        Ok(Editor { editor, history })
    }

    /// The next line.
    pub(super) fn read(&mut self) -> Result<Read> {
        match self.editor.readline(PROMPT) {
            Ok(line) => {
                self.remember(&line);
                Ok(Read::Line(line))
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Read::Cleared),
            Err(ReadlineError::Eof) => Ok(Read::End),
            Err(error) => Err(error).context("cannot read the line"),
        }
    }

    fn remember(&mut self, line: &str) {
        let is_new = self.editor.add_history_entry(line).unwrap_or(false);
        let Some(file) = self.history.as_ref().filter(|_| is_new) else { return };
        if file.parent().is_some_and(|folder| make(folder).is_ok()) {
            let _ = self.editor.append_history(file);
        }
    }
}

/// Makes a folder that is its owner's alone, unless it is there.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn history_file() -> Option<PathBuf> {
    if let Some(file) = env::var_os("HEAPVIEW_HISTORY") {
        return (!file.is_empty()).then(|| file.into());
    }
    Some(crate::open::state_folder::folder()?.join("heapview/history"))
}
