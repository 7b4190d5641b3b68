//! The core built for this machine, asked like the engine: `native FILE PATH...` prints the milliseconds that opening the file
//! took, then those of each answer with the number of its bytes. `benches/engine.mjs` runs it beside the engine.

use std::time::Instant;

use heapview::api::{NamedFile, answer};
use heapview::attached::NamedSession;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("usage: native FILE PATH...")?;
    let bytes = std::fs::read(&name)?;
    let started = Instant::now();
    let (opened, _) = NamedSession::open(vec![NamedFile { name, bytes }], Vec::new(), &()).map_err(|unopened| unopened.refusal.error)?;
    println!("{} 0", started.elapsed().as_secs_f64() * 1e3);
    for path in arguments {
        let started = Instant::now();
        let reply = answer(&opened.session, &opened.carried, &path);
        println!("{} {}", started.elapsed().as_secs_f64() * 1e3, reply.body.len());
    }
    Ok(())
}
