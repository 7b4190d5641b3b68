//! The page as a folder for any web server: it opens dumps that are dropped on it, by the core as WebAssembly, and sends nothing.
//!
//! All files but the page and its service worker are in a folder named for their content. A browser that still runs the version
//! before, or has some of its files in a cache, can therefore not mix two versions.

use std::borrow::Cow;
use std::io;

use askama::Template;
use sha2::{Digest, Sha256};

use super::assets::{Files, decompressed, engine, layout};
use super::report_file::shell;

/// Answers the page's requests where there is no network.
const SERVICE_WORKER: &str = include_str!("../../web/templates/service-worker.js");

/// What the page may load and do: only what comes from its own folder, no inline script, and WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data: blob:; \
    connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// Characters of the version: enough of a hash to tell versions apart.
const VERSION_LENGTH: usize = 16;

/// A file of the site.
pub struct SiteFile {
    /// Path in the site's folder, with `/`.
    pub path: String,
    /// Content.
    pub bytes: Cow<'static, [u8]>,
}

#[derive(Template)]
#[template(path = "site.html")]
struct Page<'a> {
    version: &'a str,
    policy: &'a str,
    folder: &'a str,
}

/// All files of the site; `index.html` is the last, as it names the others.
///
/// # Errors
/// The page or the engine was not built.
pub fn site_files() -> io::Result<Vec<SiteFile>> {
    let asset = |name: &str| {
        let missing = || io::Error::other(format!("the program was built without {name}"));
        Files::get(name).map(|file| file.data).ok_or_else(missing)
    };
    let layout = layout().ok_or_else(|| io::Error::other("the program was built without the layout engine"))?;
    let mut parts = vec![
        ("app.css".to_owned(), asset("assets/app.css")?),
        ("heapview.wasm.zst".to_owned(), engine()?),
        ("layout.js".to_owned(), decompressed(&layout)?.into()),
        // What reports are made of that visitors download.
        ("layout.js.zst".to_owned(), layout),
        ("report.html".to_owned(), Cow::Owned(shell()?.into_bytes())),
    ];
    asset("site/site.js")?;
    for name in Files::iter().filter(|name| name.starts_with("site/")) {
        parts.push((name.trim_start_matches("site/").to_owned(), asset(&name)?));
    }
    parts.sort();
    let version = version(&parts);
    let page = Page { version: env!("CARGO_PKG_VERSION"), policy: POLICY, folder: &version };
    let page = page.render().map_err(io::Error::other)?;
    let mut files: Vec<SiteFile> = parts.into_iter().map(|(name, bytes)| SiteFile { path: format!("{version}/{name}"), bytes }).collect();
    let cached: Vec<&str> = ["./", "index.html"].into_iter().chain(files.iter().map(|file| &*file.path)).collect();
    let list = serde_json::to_string_pretty(&cached).map_err(io::Error::other)?;
    let worker = format!("\"use strict\";\nconst VERSION = \"{version}\";\nconst FILES = {list};\n{SERVICE_WORKER}");
    files.push(SiteFile { path: "service-worker.js".into(), bytes: Cow::Owned(worker.into_bytes()) });
    files.push(SiteFile { path: "index.html".into(), bytes: Cow::Owned(page.into_bytes()) });
    Ok(files)
}

/// Hash of everything that the site is made of.
fn version(parts: &[(String, Cow<'static, [u8]>)]) -> String {
    let mut hash = Sha256::new();
    let templates = [("", SERVICE_WORKER), ("", POLICY), ("", include_str!("../../web/templates/site.html"))];
    let templates = templates.into_iter().map(|(name, text)| (name, text.as_bytes()));
    for (name, bytes) in parts.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).chain(templates) {
        for part in [name.as_bytes(), bytes] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    let digest = hash.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..VERSION_LENGTH].to_owned()
}
