//! The core of heapview as WebAssembly: opens files in memory and answers API paths like the server, byte for byte.
//!
//! The module reaches only what is pushed and attached. It has one session at a time and these exports; `web/src/engine/engine.ts`
//! calls them.
//!
//! | export | |
//! |---|---|
//! | `start(secret: u64) → address` | Called first, once. `secret` is random and keys the hash tables. Returns the address of the *result*: eleven 32-bit words. |
//! | `push(length) → address` | Reserves a buffer, which the caller then fills: the next argument. 0 if memory is exhausted. |
//! | `open()` | Opens a session in place of the one before. Arguments: name and content of each file, names in UTF-8. Dumps after an empty name with an empty content were added to those before it. Without the feature `symbolize` the only file is a report. |
//! | `answer()` | Answers the path that is the only argument, such as `/api/v1/top.csv?f=cache`; with the feature `symbolize` also `/api/v1/report-data`, see `api::report_data`. |
//! | `attach(size: u64)` | Attaches a binary or debug file of `size` bytes whose name is the only argument. Its bytes are read when needed. |
//! | `symbolize()` | Names the addresses of the session's profile by all attached files. |
//!
//! Those that take arguments take all buffers that were pushed, and write the result: words 0 to 6 are an HTTP status, then address
//! and length of the media type, of the file name (length 0 if the answer is not a file to keep) and of the body. They stay valid
//! until the next call of an export. The reply to `open` has the files that could not be read, as `refused`;
//! a successful `attach` or `symbolize` replies an `Opened` of the API. Errors are the JSON of the server's errors. `attach` has status 415 for what is not a binary at all, 422 for a damaged
//! one. Attached files stay for the next session.
//!
//! With the feature `symbolize`, which `attach` and `symbolize` need, the module imports two functions:
//!
//! | import | |
//! |---|---|
//! | `page.read(file: u32, offset: u64, length: u32, address: u32) → bytes` | Writes a part of an attached file to memory; `file` counts the calls of `attach` from 0. Returns how many bytes it wrote. |
//! | `page.progress(address: u32, length: u32)` | Receives progress as JSON: `{"text": "Looking up names in shop", "done": 3, "total": 70}`, totals of 0 if unknown. |
//!
//! A panic or exhausted memory ends the instance with a trap. Words 7 to 10 then say why, and no export needs to be called to read
//! them: address and length of the panic's message (length 0 without one), how many bytes could not be allocated (0 if memory was
//! not the reason), and 1 while an export runs. The caller drops the instance and starts another.

mod memory;
#[cfg(feature = "symbolize")]
mod page;
mod result;
#[cfg(feature = "symbolize")]
mod symbols;

use std::cell::RefCell;

use heapview::api::{self, ApiError, NamedFile, Reply};
use heapview::base::hash;

#[cfg(feature = "symbolize")]
use symbols::{AttachedFiles, OpenSession};

/// A session that keeps the names it was opened with.
#[cfg(not(feature = "symbolize"))]
type OpenSession = (heapview::session::Session, api::CarriedFiles);

#[derive(Default)]
struct Engine {
    arguments: Vec<Vec<u8>>,
    session: Option<OpenSession>,
    #[cfg(feature = "symbolize")]
    attached: AttachedFiles,
    /// What the result's addresses point to.
    reply: Option<Reply>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn start(secret: u64) -> usize {
    hash::set_key(secret);
    std::panic::set_hook(Box::new(|panic| result::set_message(&panic.to_string())));
    result::address()
}

#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn push(length: usize) -> usize {
    let mut buffer: Vec<u8> = Vec::new();
    if buffer.try_reserve_exact(length.max(1)).is_err() {
        return 0;
    }
    buffer.resize(length, 0);
    let address = buffer.as_mut_ptr().expose_provenance();
    ENGINE.with_borrow_mut(|engine| engine.arguments.push(buffer));
    address
}

#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn open() {
    run(|engine, arguments| {
        // The profile before takes as much memory as the next one may need.
        engine.session = None;
        let mut arguments = arguments.into_iter();
        let (mut first, mut added, mut is_added) = (Vec::new(), Vec::new(), false);
        while let (Some(name), Some(bytes)) = (arguments.next(), arguments.next()) {
            if name.is_empty() && bytes.is_empty() {
                is_added = true;
                continue;
            }
            let file = NamedFile { name: String::from_utf8_lossy(&name).into_owned(), bytes };
            if is_added { added.push(file) } else { first.push(file) }
        }
        #[cfg(feature = "symbolize")]
        let opened = symbols::open(first, added);
        #[cfg(not(feature = "symbolize"))]
        let opened = api::open_report(&[first, added].concat()).map(|opened| ((opened.session, opened.carried), opened.refused));
        match opened {
            Ok((session, refused)) => {
                engine.session = Some(session);
                api::opened_reply(&refused)
            }
            Err(unopened) => unopened.into(),
        }
    });
}

#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn answer() {
    run(|engine, arguments| {
        let path = arguments.first().map_or(String::new(), |path| String::from_utf8_lossy(path).into_owned());
        match &engine.session {
            #[cfg(feature = "symbolize")]
            Some(OpenSession { session, carried, .. }) => {
                api::report_data(session, carried, &path).unwrap_or_else(|| api::answer(session, carried, &path))
            }
            #[cfg(not(feature = "symbolize"))]
            Some((session, carried)) => api::answer(session, carried, &path),
            None => nothing_open(),
        }
    });
}

#[cfg(feature = "symbolize")]
#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn attach(size: u64) {
    run(|engine, arguments| {
        let name = arguments.first().map_or(String::new(), |name| String::from_utf8_lossy(name).into_owned());
        symbols::attach(&mut engine.attached, engine.session.as_ref(), &name, size)
    });
}

#[cfg(feature = "symbolize")]
#[allow(unsafe_code, reason = "exported under its name, which no other symbol has")]
#[unsafe(no_mangle)]
extern "C" fn symbolize() {
    run(|engine, _| match &mut engine.session {
        Some(session) => symbols::symbolize(&engine.attached, session),
        None => nothing_open(),
    });
}

/// Calls `act` with the arguments that were pushed, and publishes its reply.
fn run(act: impl FnOnce(&mut Engine, Vec<Vec<u8>>) -> Reply) {
    ENGINE.with_borrow_mut(|engine| {
        result::set_running(true);
        // Large answers must not be there twice.
        engine.reply = None;
        let arguments = std::mem::take(&mut engine.arguments);
        let reply = act(engine, arguments);
        result::publish(engine.reply.insert(reply));
        result::set_running(false);
    });
}

fn nothing_open() -> Reply {
    Reply::json(409, &ApiError::plain("no profile is open yet", "open one first"))
}
