//! Files of all kinds and damages.
