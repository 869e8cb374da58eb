//! o200k_base: text -> tokens, exactly as tiktoken counts them.
//!
//! Starting costs nothing: the vocabulary and the classes of characters are static data that `build.rs` wrote. No input
//! can make it fail, and none takes more than n log n steps. Special-token text such as `<|endoftext|>` is ordinary
//! text here, as in the reference when no special token is allowed. `tests/tokenizer.rs` holds it to tiktoken-rs.

mod class;
mod layout;
mod merge;
mod pattern;
mod vocabulary;

/// The encoder that every count is made with.
pub const ENCODER: &str = "o200k_base";

/// The number of o200k_base tokens of `text`.
pub fn count(text: &str) -> u64 {
    let mut tokens = 0;
    each_token(text, |_| tokens += 1);
    tokens
}

/// The byte offset at which each token of `text` starts, ascending, [`count`] of them; the first is 0.
///
/// A token may start inside a character.
pub fn starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    each_token(text, |start| starts.push(start));
    starts
}

fn each_token(text: &str, mut token: impl FnMut(usize)) {
    let mut start = 0;
    for piece in pattern::pieces(text) {
        if vocabulary::rank(piece).is_some() {
            token(start);
        } else {
            merge::merge(piece, |offset| token(start + offset));
        }
        start += piece.len();
    }
}
