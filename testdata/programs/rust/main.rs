//! A shop whose books hold memory in known ways: a fixture for heapview, built and run by `testdata/regenerate.sh`.
//!
//! Two tills take orders and a stock taker counts shelves, each in its own named thread. The day has three parts; at
//! the end of each all threads stand still and the allocator is asked for a dump. The program has no allocator of its
//! own: `LD_PRELOAD` chooses it. Sizes do not depend on timing, so two runs hold the same bytes in the same places.

mod audit;
mod book;
mod cache;
mod catalogue;
mod discount;
mod dump;

use std::hint::black_box; // keeps loops as loops: one call site, one stack
use std::sync::{Arc, Barrier};
use std::thread;

use book::{Order, OrderBook};
use cache::ReceiptCache;
use catalogue::Category;
use discount::Discount;

const DAY: [&str; 3] = ["morning", "noon", "evening"];
const ORDERS_PER_PART: u64 = 6000;

/// One till: its open orders, the receipts it may print again, and the discounts in force.
struct Till {
    book: OrderBook,
    receipts: ReceiptCache,
    discounts: Vec<Box<dyn Discount>>,
    next_id: u64,
}

impl Till {
    fn new(number: u64) -> Till {
        Till {
            book: OrderBook::default(),
            receipts: ReceiptCache::with_limit(64),
            discounts: vec![Box::new(discount::Loyalty), Box::new(discount::Clearance { percent: 30 })],
            next_id: number * 1_000_000,
        }
    }

    #[inline(never)]
    fn serve(&mut self, orders: u64) {
        for _ in 0..orders {
            let id = self.next_id;
            self.next_id += 1;
            let mut order = Order::new(id, 1 + id % 5);
            for discount in &self.discounts {
                discount.apply(&mut order);
            }
            self.receipts.print(&order);
            if id % 10 == 0 {
                audit::remember(&order); // the leak: nobody ever reads this again
            }
            let key = self.book.open(order);
            if id % 3 != 0 {
                self.book.close(key);
            }
        }
    }
}

#[inline(never)]
fn count_shelves(part: usize) -> Vec<Category> {
    (0..2).map(|shelf| Category::grow(2 + part as u32, shelf)).collect()
}

fn main() {
    dump::name_thread("main");
    let gate = Arc::new(Barrier::new(4));
    let mut threads = Vec::new();
    for number in 1..=2 {
        let gate = Arc::clone(&gate);
        let name = format!("till-{number}");
        let work = move || {
            dump::name_thread(thread::current().name().unwrap_or("till"));
            let mut till = Till::new(number);
            for _ in 0..black_box(DAY.len()) {
                till.serve(ORDERS_PER_PART * number);
                gate.wait(); // done with this part
                gate.wait(); // the dump is written
            }
            std::mem::forget(till); // the final dump shall still see it
        };
        threads.push(thread::Builder::new().name(name).spawn(work).expect("a thread"));
    }
    let counting = Arc::clone(&gate);
    let count = move || {
        dump::name_thread("stock taker");
        let mut seen = Vec::new();
        for part in 0..black_box(DAY.len()) {
            seen = count_shelves(part); // replaces what was counted before
            counting.wait();
            counting.wait();
        }
        std::mem::forget(seen);
    };
    threads.push(thread::Builder::new().name("stock taker".into()).spawn(count).expect("a thread"));

    let supply = catalogue::chain(40); // deeper than gperftools records
    for part in DAY {
        gate.wait();
        dump::now(part);
        println!("{part}\t{}", audit::remembered());
        gate.wait();
    }
    for thread in threads {
        thread.join().expect("an orderly end");
    }
    std::mem::forget(supply);
}
