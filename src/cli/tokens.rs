//! Server tokens given by a flag, a file or the environment.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Environment variable with the owner's token.
const VARIABLE: &str = "HEAPVIEW_TOKEN";

/// Fewest characters of a token.
const SHORTEST: usize = 12;

/// Longest file that is read, bytes.
const LONGEST_FILE: u64 = 4096;

/// Tokens that were given; the server makes up those that are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) owner: Option<String>,
    pub(super) reader: Option<String>,
    /// Warning about an unsafe way to pass tokens, a sentence.
    pub(super) warning: Option<String>,
}

impl Tokens {
    /// Tokens from the flag, else from the file, else from the environment.
    ///
    /// # Errors
    /// Both flags, a file that cannot be read, and tokens that are too short or not made for addresses.
    pub(super) fn find(by_flag: Option<String>, file: Option<&Path>) -> Result<Self> {
        match (by_flag, file) {
            (Some(_), Some(_)) => bail!("-token and -token-file cannot be combined"),
            (Some(token), None) => {
                let warning =
                    "-token is visible to every account on this machine (ps); use -token-file or HEAPVIEW_TOKEN instead".to_owned();
                Ok(Tokens { owner: Some(valid("-token", &token)?), reader: None, warning: Some(warning) })
            }
            (None, Some(file)) => Tokens::read(file).with_context(|| format!("-token-file={}", file.display())),
            (None, None) => {
                let given = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
                let owner = given.map(|value| valid(VARIABLE, &value.to_string_lossy())).transpose()?;
                Ok(Tokens { owner, ..Tokens::default() })
            }
        }
    }

    fn read(path: &Path) -> Result<Self> {
        let file = File::open(path)?;
        let warning = is_open_to_others(&file)
            .then(|| format!("{} is readable by other accounts on this machine; run chmod 600 {0}", path.display()));
        let mut text = String::new();
        file.take(LONGEST_FILE).read_to_string(&mut text)?;
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(owner) = lines.next() else { bail!("the file is empty; expected a token in its first line") };
        let owner = valid("line 1", owner)?;
        let reader = lines.next().map(|line| valid("line 2", line)).transpose()?;
        if reader.as_ref() == Some(&owner) {
            bail!("both tokens are the same; the readers' token must differ from the owner's");
        }
        Ok(Tokens { owner: Some(owner), reader, warning })
    }
}

/// The token, if it can be one. Errors do not repeat it: they may end in a log.
fn valid(name: &str, token: &str) -> Result<String> {
    if token.len() < SHORTEST {
        bail!("{name}: the token has {} characters; use at least {SHORTEST}", token.len());
    }
    if let Some(other) = token.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_.~".contains(*c)) {
        bail!("{name}: invalid character {other:?} in the token; use letters, digits and -_.~");
    }
    Ok(token.to_owned())
}

#[cfg(unix)]
fn is_open_to_others(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_file(text: &str) -> Result<Tokens> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Tokens::find(None, Some(file.path()))
    }

    #[test]
    fn token_files_have_an_owner_and_an_optional_reader_token() {
        let tokens = of_file("owner-token-1\r\n\n reader-token-1 \nanything else\n").unwrap();
        assert_eq!((tokens.owner.as_deref(), tokens.reader.as_deref()), (Some("owner-token-1"), Some("reader-token-1")));
        assert_eq!(of_file("owner-token-1").unwrap().reader, None);
        for (text, error) in [
            ("", "is empty"),
            ("short", "line 1: the token has 5 characters"),
            ("owner-token-1\nshort", "line 2: the token has 5"),
            ("owner-token-1\nowner-token-1", "both tokens are the same"),
            ("owner/token?1", "invalid character '/'"),
        ] {
            let message = format!("{:#}", of_file(text).unwrap_err());
            assert!(message.contains(error) && !message.contains("owner-token"), "{message}");
        }
        assert!(Tokens::find(None, Some(Path::new("/no/such/file"))).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn world_readable_token_files_are_reported() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "owner-token-1").unwrap();
        assert_eq!(Tokens::find(None, Some(file.path())).unwrap().warning, None);
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Tokens::find(None, Some(file.path())).unwrap().warning.unwrap().contains("chmod 600"));
        assert!(Tokens::find(Some("owner-token-1".into()), None).unwrap().warning.unwrap().contains("(ps)"));
    }
}
