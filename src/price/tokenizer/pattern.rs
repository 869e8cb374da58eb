//! Splits text into the pieces that are turned into tokens one by one, as the split pattern of o200k_base does.
//!
//! The pattern, from `o200k_base` in tiktoken's `tiktoken_ext/openai_public.py`, its branches numbered:
//!
//! ```text
//! 1  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! 2  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! 3  \p{N}{1,3}
//! 4   ?[^\s\p{L}\p{N}]+[\r\n/]*
//! 5  \s*[\r\n]+
//! 6  \s+(?!\S)
//! 7  \s+
//! ```
//!
//! The first branch that matches wins; within a branch each repetition takes as much as it can and gives back as
//! little as it must. The functions below say where that ends, without trying: each character is looked at a fixed
//! number of times, whatever the text. One of the branches matches at every character, so the pieces leave no gap.

use super::class::class;
use super::layout::{CASELESS, LOWER, MARK, NEWLINE, NUMBER, SPACE, SYMBOL, UPPER};

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const HEAD: u8 = UPPER | CASELESS | MARK;
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const TAIL: u8 = LOWER | CASELESS | MARK;
/// `[^\s\p{L}\p{N}]`
const OTHER: u8 = MARK | SYMBOL;
/// `\s`
const WHITE: u8 = NEWLINE | SPACE;

/// The pieces of a text in order; joined, they are the text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = (start < text.len()).then(|| end_of_piece(text, start))?;
        let piece = &text.as_bytes()[start..end];
        start = end;
        Some(piece)
    })
}

/// Where the piece ends that starts at byte `start`, which is the start of a character.
///
/// Letters, numbers and line ends are no prefix. A mark, a blank or a sign is one where a word follows, because branches
/// 1 and 2 are asked first.
fn end_of_piece(text: &str, start: usize) -> usize {
    let (class, len) = class(text, start);
    let next = start + len;
    match class {
        UPPER | LOWER | CASELESS => word(text, start, None).unwrap_or(next),
        MARK => word(text, next, Some(next)).unwrap_or(next),
        NUMBER => numbers(text, next),
        NEWLINE => blanks(text, start),
        _ => word(text, next, None).or_else(|| others(text, start)).unwrap_or_else(|| blanks(text, start)),
    }
}

/// Branches 1 and 2 behind their prefix: where the word at `start` ends, if there is one.
///
/// A mark is a word even without a letter. So where the prefix is a mark, `alone` is its end: branch 1 without a prefix
/// takes that mark alone before branch 2 is asked for it with what follows.
fn word(text: &str, start: usize, alone: Option<usize>) -> Option<usize> {
    let mut end = start;
    // The end of the last character that the second part could take as well.
    let mut shared = alone;
    loop {
        let (class, len) = class(text, end);
        if class & LOWER != 0 {
            // Branch 1: the first part keeps all that it took.
            return Some(contraction(text, run(TAIL, text, end + len)));
        }
        if class & HEAD == 0 {
            break;
        }
        end += len;
        if class & TAIL != 0 {
            shared = Some(end);
        }
    }
    // Branch 1: the second part needs a character, so the first one gives back all from the last that both can take.
    // Branch 2, where there is none: the first part keeps all, the second is empty.
    let end = shared.unwrap_or(end);
    (end > start || alone.is_some()).then(|| contraction(text, end))
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` at `start`. Without regard to case, `s` is also U+017F, the long s.
fn contraction(text: &str, start: usize) -> usize {
    let len = match &text.as_bytes()[start..] {
        [b'\'', b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 2,
        [b'\'', b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] => 3,
        [b'\'', b'l' | b'L', b'l' | b'L', ..] => 3,
        [b'\'', 0xc5, 0xbf, ..] => 3,
        _ => 0,
    };
    start + len
}

/// Branch 3, behind its first number.
fn numbers(text: &str, start: usize) -> usize {
    let (class_of_second, second) = class(text, start);
    if class_of_second != NUMBER {
        return start;
    }
    let (class_of_third, third) = class(text, start + second);
    start + second + if class_of_third == NUMBER { third } else { 0 }
}

/// Branch 4.
fn others(text: &str, start: usize) -> Option<usize> {
    let first = start + usize::from(text.as_bytes()[start] == b' ');
    let end = run(OTHER, text, first);
    let trailing = |byte: &&u8| matches!(**byte, b'\r' | b'\n' | b'/');
    (end > first).then(|| end + text.as_bytes()[end..].iter().take_while(trailing).count())
}

/// Branches 5, 6 and 7: where the piece ends that starts with the white space at `start`.
fn blanks(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut last = start;
    let mut behind_newline = None;
    loop {
        let (class, len) = class(text, end);
        if class & WHITE == 0 {
            break;
        }
        last = end;
        end += len;
        if class == NEWLINE {
            behind_newline = Some(end);
        }
    }
    match behind_newline {
        Some(behind) => behind,
        // Branch 6 leaves the last blank to what follows it; branch 7 takes the only one there is.
        None if end < text.len() && last > start => last,
        None => end,
    }
}

/// Where the characters of these classes end that start at `start`.
fn run(classes: u8, text: &str, start: usize) -> usize {
    let mut end = start;
    loop {
        let (class, len) = class(text, end);
        if class & classes == 0 {
            return end;
        }
        end += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each class, and what the pattern names: letters that can be contracted, line ends, the apostrophe, the
    /// space, the slash.
    const ONE_OF_EACH: [char; 15] =
        ['A', 'b', 's', '\u{17f}', 'L', 'ª', '\u{301}', '7', '\r', '\n', ' ', '\u{a0}', '\'', '/', '%'];

    #[test]
    fn every_short_text_over_one_character_of_each_class_is_split_as_the_pattern_splits_it() {
        let pattern = fancy_regex::Regex::new(tiktoken_rs::O200K_BASE_PAT_STR).unwrap();
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            texts = texts.iter().flat_map(|text| ONE_OF_EACH.map(|character| format!("{text}{character}"))).collect();
            for text in &texts {
                let expected = pattern.find_iter(text).map(|piece| piece.unwrap().as_str().as_bytes());
                assert!(pieces(text).eq(expected), "{text:?}");
            }
        }
    }
}
