//! A sluice that is recorded by the crate dhat: 40 boats of 96 bytes, 10 of which stay; 200 tickets of 4 bytes that are gone at once.
//! Prints, for each function, blocks and bytes that it allocated, at the peak and at the end.

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[inline(never)]
fn boats() -> Vec<Box<[u8; 96]>> {
    let mut boats = Vec::with_capacity(40);
    for n in 0..40 {
        boats.push(Box::new([n; 96]));
    }
    boats
}

#[inline(never)]
fn tickets() {
    for n in 0..200u32 {
        drop(std::hint::black_box(Box::new(n)));
    }
}

fn main() {
    let is_of_events = std::env::args().nth(1).is_some();
    let profiler = dhat::Profiler::builder().trim_backtraces(None);
    if is_of_events {
        let _profiler = profiler.ad_hoc().build();
        for weight in 1..=4 {
            dhat::ad_hoc_event(weight);
        }
        return;
    }
    let _profiler = profiler.build();
    let mut boats = boats();
    tickets();
    boats.truncate(10);
    std::mem::forget(boats);
    // The vector of the boats is theirs, too.
    eprint!("boats\t41\t4160\t41\t4160\t11\t1280\ntickets\t200\t800\t1\t4\t0\t0\n");
}
