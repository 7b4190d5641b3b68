//! A service that keeps memory and sends heap profiles of itself with Pyroscope's Rust SDK.
//!
//! usage: pyroscope_client URL TOKEN memory|cpu

use std::ffi::CStr;
use std::time::Duration;

use pyroscope::backend::jemalloc::jemalloc_backend;
use pyroscope::backend::{BackendConfig, PprofConfig, pprof_backend};
use pyroscope::pyroscope::PyroscopeAgentBuilder;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[unsafe(export_name = "malloc_conf")]
static MALLOC_CONF: &CStr = c"prof:true,prof_active:true,lg_prof_sample:14";

#[inline(never)]
fn fill_cache(megabytes: usize) -> Vec<Vec<u8>> {
    (0..megabytes * 16).map(|n| vec![n as u8; 1 << 16]).collect()
}

#[inline(never)]
fn burn(time: Duration) -> u64 {
    let start = std::time::Instant::now();
    let mut sum = 0u64;
    while start.elapsed() < time {
        sum = (0..10_000u64).fold(sum, |sum, n| std::hint::black_box(sum.wrapping_mul(31).wrapping_add(n)));
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    env_logger::init();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, token, kind] = &arguments[..] else { return Err("usage: pyroscope_client URL TOKEN memory|cpu".into()) };
    let backend = match kind.as_str() {
        "memory" => jemalloc_backend(),
        _ => pprof_backend(PprofConfig::default(), BackendConfig::default()),
    };
    let cache = fill_cache(32);
    let agent = PyroscopeAgentBuilder::new(url, "forest", 100, "pyroscope-rs", "2.1.5", backend)
        .tags(vec![("env", "test"), ("version", "0.39"), ("hostname", "web-1")])
        .basic_auth("any", token)
        .tenant_id("team-a".to_owned())
        .upload_interval(Duration::from_secs(10))
        .build()?
        .start()?;
    println!("{}", burn(Duration::from_secs(12)));
    agent.stop()?.shutdown();
    println!("kept {} blocks", cache.len());
    Ok(())
}
