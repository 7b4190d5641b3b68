//! Compiles `proto/profile.proto`.
fn main() {}
