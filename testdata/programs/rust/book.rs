//! The order book: a generic slab, an index by customer, and orders that come and go.

use std::collections::BTreeMap;

/// Values under small keys that are used again after removal.
pub struct Slab<T> {
    cells: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { cells: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    #[inline(never)]
    pub fn insert(&mut self, value: T) -> usize {
        match self.free.pop() {
            Some(key) => {
                self.cells[key] = Some(value);
                key
            }
            None => {
                self.cells.push(Some(value));
                self.cells.len() - 1
            }
        }
    }

    #[inline(never)]
    pub fn remove(&mut self, key: usize) -> Option<T> {
        let value = self.cells.get_mut(key)?.take();
        self.free.push(key);
        value
    }
}

pub struct Order {
    pub id: u64,
    pub lines: Vec<u64>,
    pub notes: Vec<Box<str>>,
}

impl Order {
    #[inline(never)]
    pub fn new(id: u64, lines: u64) -> Order {
        Order { id, lines: (0..lines * 4).map(|line| price(id, line)).collect(), notes: Vec::new() }
    }

    pub fn total(&self) -> u64 {
        self.lines.iter().sum()
    }
}

fn price(id: u64, line: u64) -> u64 {
    99 + (id * 31 + line * 17) % 900
}

#[derive(Default)]
pub struct OrderBook {
    open: Slab<Order>,
    tickets: Slab<u32>,
    by_customer: BTreeMap<u64, Vec<usize>>,
}

impl OrderBook {
    #[inline(never)]
    pub fn open(&mut self, order: Order) -> usize {
        let customer = order.id % 97;
        self.tickets.insert(order.id as u32);
        let key = self.open.insert(order);
        self.by_customer.entry(customer).or_default().push(key);
        key
    }

    #[inline(never)]
    pub fn close(&mut self, key: usize) {
        if let Some(order) = self.open.remove(key) {
            if let Some(keys) = self.by_customer.get_mut(&(order.id % 97)) {
                keys.retain(|&other| other != key);
            }
        }
    }
}
