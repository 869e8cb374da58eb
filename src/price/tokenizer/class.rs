//! Which class of the split pattern a character is in.
//!
//! The classes are those of regex-syntax, with whose tables the reference matches the pattern, written by `build.rs`.

use super::layout::BLOCK;

static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/class_blocks"));
static INDEX: &[u8; (char::MAX as usize + 1) / BLOCK] = include_bytes!(concat!(env!("OUT_DIR"), "/class_index"));

/// The class of the character that starts at byte `at`, one bit of `layout.rs`, and its length in bytes.
/// At the end of the text the class is 0, which is in no set, and the length 0.
pub(super) fn class(text: &str, at: usize) -> (u8, usize) {
    match text.as_bytes().get(at) {
        Some(&byte) if byte.is_ascii() => (BLOCKS[usize::from(byte)], 1),
        None => (0, 0),
        Some(_) => text[at..].chars().next().map_or((0, 0), |character| (of(character), character.len_utf8())),
    }
}

fn of(character: char) -> u8 {
    let point = character as usize;
    BLOCKS[usize::from(INDEX[point / BLOCK]) * BLOCK + point % BLOCK]
}
