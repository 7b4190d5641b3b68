//! A trait object with two implementations that allocate in different places.

use crate::book::Order;

pub trait Discount {
    fn apply(&self, order: &mut Order);
}

pub struct Loyalty;

pub struct Clearance {
    pub percent: u64,
}

impl Discount for Loyalty {
    #[inline(never)]
    fn apply(&self, order: &mut Order) {
        if order.id % 4 == 0 {
            order.notes.push(format!("thank you, customer {}", order.id % 97).into_boxed_str());
        }
    }
}

impl Discount for Clearance {
    #[inline(never)]
    fn apply(&self, order: &mut Order) {
        let percent = self.percent;
        order.lines.iter_mut().filter(|price| **price > 900).for_each(|price| *price = *price * (100 - percent) / 100);
        if order.total() > 7000 {
            order.notes.push("everything must go. ".repeat(6).into_boxed_str());
        }
    }
}
