//! o200k_base.
