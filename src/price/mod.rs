//! Definition -> price.

pub mod tokenizer;
