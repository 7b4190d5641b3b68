//! Names of frames that stand for memory of which recorders do not know the stacks. Nobody's code.

/// Rows that gperftools dropped for lack of room: the only frame of their stack.
pub const LOST_ROWS: &str = "[rows lost by gperftools' buffer limit]";

/// Callers that massif folded into one, each with little memory: the last frame of a stack, on the side of the callers.
pub const BELOW_THRESHOLD: &str = "[below threshold]";

/// Callers that the file does not tell, because it is damaged or has no stacks of that moment.
pub const UNKNOWN_STACK: &str = "[stack unknown]";

/// What the allocator needs beside requested bytes, for headers and alignment.
pub const HEAP_OVERHEAD: &str = "[heap overhead]";

/// Stacks of threads.
pub const STACKS: &str = "[stacks]";

/// Returns whether a frame of this name stands for stacks that were not recorded: any function may be in them.
pub fn is_lost(name: &str) -> bool {
    name.starts_with('[') && [LOST_ROWS, BELOW_THRESHOLD, UNKNOWN_STACK].contains(&name)
}

/// Returns whether a frame of this name is no code.
pub fn is_made_up(name: &str) -> bool {
    is_lost(name) || [HEAP_OVERHEAD, STACKS].contains(&name)
}
