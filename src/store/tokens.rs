//! Tokens: who may push, view or administer. The store has their SHA-256 only.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::StoreError;
use super::objects::Objects;
use super::{documents, id};

/// Folder of the document.
pub(super) const FOLDER: &str = "auth";

/// Beginning of every token: secret scanners find it.
const PREFIX: &str = "hv_";

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenRole {
    /// Uploads dumps of its services, and binaries. Reads nothing.
    Push,
    /// Sees all dumps.
    View,
    /// Sees all dumps, and writes notes and expected growth.
    Note,
    /// All of this, for all services.
    Admin,
}

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// Name, unique in the store; in envelopes and in the audit log.
    pub name: String,
    /// What it is for.
    pub role: TokenRole,
    /// Services that it may push: names, or beginnings that end with `*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<String>,
    /// When it was made, milliseconds since 1970 UTC.
    pub created: i64,
    /// SHA-256 of the token.
    sha256: String,
    /// SHA-256 of the cookie that stands for it.
    cookie_sha256: String,
}

/// The document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The cookie of a token: made of it, and no way back.
pub fn cookie_of(token: &str) -> String {
    sha256(&format!("cookie of {token}"))
}

impl Token {
    /// Whether it may push dumps of `service`.
    pub fn may_push(&self, service: &str) -> bool {
        let is_meant = |of: &String| of.strip_suffix('*').map_or(of == service, |start| service.starts_with(start));
        match self.role {
            TokenRole::Admin => true,
            TokenRole::Push => self.services.iter().any(is_meant),
            TokenRole::View | TokenRole::Note => false,
        }
    }

    /// Whether it may push anything.
    pub fn may_push_any(&self) -> bool {
        matches!(self.role, TokenRole::Push | TokenRole::Admin)
    }

    /// Whether it may write notes.
    pub fn may_note(&self) -> bool {
        self.role >= TokenRole::Note
    }

    /// Whether it may see dumps.
    pub fn may_view(&self) -> bool {
        self.role >= TokenRole::View
    }
}

impl Tokens {
    pub(super) fn list(&self) -> &[Token] {
        &self.tokens
    }

    /// The token with this secret. What is compared are hashes, so that the time it takes tells nothing.
    pub(super) fn of_secret(&self, secret: &str) -> Option<&Token> {
        let hash = sha256(secret);
        self.tokens.iter().find(|token| token.sha256 == hash)
    }

    /// The token with this cookie.
    pub(super) fn of_cookie(&self, cookie: &str) -> Option<&Token> {
        let hash = sha256(cookie);
        self.tokens.iter().find(|token| token.cookie_sha256 == hash)
    }
}

/// Makes a token; returns its secret, which is told once.
pub(super) fn add(objects: &dyn Objects, name: &str, role: TokenRole, services: &[String]) -> Result<String, StoreError> {
    let refuse = StoreError::Refused;
    if !is_name(name) {
        return Err(refuse(format!("{name:?} is no name of a token; use letters, digits, `.`, `_` and `-`, at most 60")));
    }
    if role == TokenRole::Push && services.is_empty() {
        return Err(refuse("a push token is for certain services; name them, or `*` for all".into()));
    }
    if role != TokenRole::Push && !services.is_empty() {
        return Err(refuse("only push tokens are for certain services".into()));
    }
    let mut random = [0; 20];
    id::fill(&mut random)?;
    let secret = random.iter().fold(String::from(PREFIX), |text, byte| text + &format!("{byte:02x}"));
    documents::change(objects, FOLDER, |document: &mut Tokens| {
        if document.tokens.iter().any(|token| token.name == name) {
            return Err(refuse(format!("there is a token {name} already; remove it, or choose another name")));
        }
        document.tokens.push(Token {
            name: name.to_owned(),
            role,
            services: services.to_vec(),
            created: id::millis(SystemTime::now()),
            sha256: sha256(&secret),
            cookie_sha256: sha256(&cookie_of(&secret)),
        });
        Ok(())
    })?;
    Ok(secret)
}

/// Removes a token.
pub(super) fn remove(objects: &dyn Objects, name: &str) -> Result<(), StoreError> {
    documents::change(objects, FOLDER, |document: &mut Tokens| {
        let n = document.tokens.len();
        document.tokens.retain(|token| token.name != name);
        match document.tokens.len() < n {
            true => Ok(()),
            false => Err(StoreError::Refused(format!("there is no token {name}"))),
        }
    })
}

/// Whether a text can name a token or a service.
pub fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    (1..=60).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::directory::Directory;

    #[test]
    fn tokens_are_known_by_their_hashes() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Directory::open(folder.path()).unwrap();
        let push = add(&objects, "ci", TokenRole::Push, &["forest".into(), "shop-*".into()]).unwrap();
        let view = add(&objects, "team", TokenRole::View, &[]).unwrap();
        let (tokens, number) = documents::read::<Tokens>(&objects, FOLDER).unwrap();
        assert_eq!(number, 2);
        let ci = tokens.of_secret(&push).unwrap();
        assert_eq!((ci.name.as_str(), ci.may_view()), ("ci", false));
        for (service, may) in [("forest", true), ("forests", false), ("shop-eu", true), ("shop", false)] {
            assert_eq!(ci.may_push(service), may, "{service}");
        }
        let team = tokens.of_secret(&view).unwrap();
        assert!(team.may_view() && !team.may_push("forest"));
        assert_eq!(tokens.of_cookie(&cookie_of(&view)), Some(team));
        assert_eq!((tokens.of_secret("hv_"), tokens.of_cookie(&view), tokens.of_secret(&cookie_of(&view))), (None, None, None));
        let text = std::fs::read_to_string(folder.path().join("auth/000000000002.json")).unwrap();
        assert!(!text.contains(&push) && !text.contains(&cookie_of(&push)), "{text}");
    }

    #[test]
    fn names_are_unique_and_roles_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Directory::open(folder.path()).unwrap();
        let error = |result: Result<String, StoreError>| result.unwrap_err().to_string();
        add(&objects, "ci", TokenRole::View, &[]).unwrap();
        assert!(error(add(&objects, "ci", TokenRole::Admin, &[])).contains("there is a token ci already"));
        assert!(error(add(&objects, "a b", TokenRole::View, &[])).contains("is no name"));
        assert!(error(add(&objects, "p", TokenRole::Push, &[])).contains("name them"));
        assert!(error(add(&objects, "v", TokenRole::View, &["x".into()])).contains("only push tokens"));
        remove(&objects, "ci").unwrap();
        assert!(remove(&objects, "ci").unwrap_err().to_string().contains("there is no token ci"));
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Directory::open(folder.path()).unwrap();
        std::thread::scope(|scope| {
            for n in 0..8 {
                let objects = &objects;
                scope.spawn(move || add(objects, &format!("t{n}"), TokenRole::View, &[]).unwrap());
            }
        });
        assert_eq!(documents::read::<Tokens>(&objects, FOLDER).unwrap().0.list().len(), 8);
    }
}
