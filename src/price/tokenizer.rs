//! o200k_base: text -> tokens.

/// The number of o200k_base tokens of `text`; special-token text is ordinary text.
pub fn count(text: &str) -> u64 {
    tiktoken_rs::o200k_base_singleton().count(text, &Default::default()).map_or(0, |count| count as u64)
}
