//! A bounded cache: the oldest receipt goes when a new one does not fit, so it stops growing early in the day.

use crate::book::Order;
use std::collections::VecDeque;
use std::fmt::Write;

pub struct ReceiptCache {
    limit: usize,
    receipts: VecDeque<String>,
}

impl ReceiptCache {
    pub fn with_limit(limit: usize) -> ReceiptCache {
        ReceiptCache { limit, receipts: VecDeque::new() }
    }

    #[inline(never)]
    pub fn print(&mut self, order: &Order) {
        if self.receipts.len() == self.limit {
            self.receipts.pop_front();
        }
        self.receipts.push_back(render(order));
    }
}

#[inline(never)]
fn render(order: &Order) -> String {
    let mut text = String::new();
    for line in &order.lines {
        let _ = writeln!(text, "{:>12}.{:02}", line / 100, line % 100);
    }
    let _ = writeln!(text, "{:=>15}", order.total());
    text
}
