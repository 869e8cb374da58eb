//! Holds the tokenizer to tiktoken-rs, the reference, token boundary by token boundary.
//!
//! Where the reference itself fails, on a run of about a million blanks, a second, slow implementation of byte pair
//! merging is the judge.

use std::collections::{HashMap, HashSet};

use mcp_footprint::price::tokenizer::{count, starts};
use serde::Deserialize;

/// Where the tokens of `text` start, after the reference.
fn reference(text: &str) -> Vec<usize> {
    let encoder = tiktoken_rs::o200k_base_singleton();
    let (ranks, _) = encoder.encode(text, &HashSet::new()).expect("the reference encodes");
    let lengths = ranks.iter().map(|&rank| encoder.decode_bytes(&[rank]).expect("a rank of its own").len());
    lengths.scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect()
}

/// Compares the boundaries and the count of one text.
#[track_caller]
fn compare(text: &str) {
    let (ours, expected) = (starts(text), reference(text));
    let shown = || text.chars().take(200).collect::<String>();
    assert_eq!(ours, expected, "token starts of {:?}, {} bytes", shown(), text.len());
    assert_eq!(count(text), expected.len() as u64, "tokens of {:?}, {} bytes", shown(), text.len());
}

#[derive(Deserialize)]
struct Golden {
    compact: String,
    tokens: u64,
}

#[test]
fn the_definitional_cases_count_as_they_are_recorded() {
    let cases: Vec<Golden> = serde_json::from_str(include_str!("../fixtures/golden.json")).unwrap();
    for case in cases {
        assert_eq!(count(&case.compact), case.tokens, "{}", case.compact);
        compare(&case.compact);
    }
}

#[derive(Deserialize)]
struct LongRun {
    text: String,
    times: usize,
    tokens: u64,
}

#[test]
fn the_recorded_long_runs_count_as_they_are_recorded() {
    let runs: Vec<LongRun> = serde_json::from_str(include_str!("../fixtures/long_runs.json")).unwrap();
    for run in runs {
        assert_eq!(count(&run.text.repeat(run.times)), run.tokens, "{:?} x {}", run.text, run.times);
    }
}

#[test]
fn every_character_alone_is_split_as_the_reference_splits_it() {
    let mut compared = 0;
    for character in '\0'..=char::MAX {
        compare(character.encode_utf8(&mut [0; 4]));
        compared += 1;
    }
    assert_eq!(compared, 0x11_0000 - 0x800);
}

#[test]
fn every_character_between_letters_spaces_and_digits_is_split_as_the_reference_splits_it() {
    for c in '\0'..=char::MAX {
        compare(&format!("a{c}B {c} 1{c}2"));
    }
}

/// A fixed sequence of numbers (xorshift64*), the same on every machine.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// What the generated texts are made of, by kind, separated by `·`.
const KINDS: [&str; 9] = [
    // Latin, Greek, Cyrillic, Armenian, Georgian with capitals, title case, modifier letters.
    "a·Z·word·Word·WORD·camelCase·naïve·ΣΊΣΥΦΟΣ·λόγος·Привет·мир·ՀԱՅ·ქართ·ᲥᲐ·ǅ·ʰ·ª·ß·ẞ·İ·\u{212a}",
    // Scripts without case, syllables, right-to-left, and their marks.
    "日本語·中·ひらがな·カタカナ·한국어·ไทย·हिन्दी·தமிழ்·العربية·עברית·\u{64f}·\u{9cd}·አማርኛ·ភាសា·\u{f0b}·𠀀·𝒜𝓫·𐐀𐐨",
    // Contractions in both cases, with the long s, and what looks like them.
    "it·IT·'s·'S·'ſ·'t·'T·'re·'RE·'rE·'ve·'VE·'m·'M·'ll·'LL·'lL·'d·'D·'·’s·'x·'l·'r·'v· ·日·\u{301}",
    // Combining marks with what they may follow.
    "\u{300}·\u{301}·\u{20dd}·\u{903}·\u{fe0f}·\u{1f3fb}·\u{200d}·e·E· ·!·1·\n·ʰ·\t·_",
    // Every kind of white space, and what only looks like it.
    " ·  ·\t·\n·\r·\r\n·\u{b}·\u{c}·\u{85}·\u{a0}·\u{1680}·\u{2000}·\u{2001}·\u{2002}·\u{2003}·\u{2004}·\u{2005}·\u{2006}·\
     \u{2007}·\u{2008}·\u{2009}·\u{200a}·\u{2028}·\u{2029}·\u{202f}·\u{205f}·\u{3000}·\u{feff}·\u{200b}·\u{180e}·\u{1c}·x·.·/·9",
    // Emoji sequences.
    "🎉·👩‍💻·👨‍👩‍👧‍👦·🏳️‍🌈·👍🏽·🇩🇪·1️⃣·☎️·🫠·❤·\u{fe0f}·\u{200d}· ·ok·!",
    // Numbers of all kinds.
    "0·42·1234567·٣·৪·Ⅷ·½·²·१२३·𝟗·3.14·1e-9·0x1F·,· ·-·x",
    // Code and JSON.
    "{\"·\":\"·\",\"·\"}·\":{\"·},·[·]·type·string·description·inputSchema·true·null·\\n·\\u00e9·fn main() {\n·    ·\t\t·\
     return x;\n·//·/*·*/·</p>·=>·!=·#·$·https://·a/b·\n/·\r\n·snake_case·SCREAMING·<|endoftext|>·<|endofprompt|>",
    // What has little of a language in it: pieces that are no token as a whole.
    "qzxj·xkcdvbn·ZXQJ·kjhgfdsapoiu·日本鑫龘·ŧħłđŋ·----·====·~~~·_-_·%^&·\u{1}·\u{7f}·\u{fffd}·\u{10ffff}·\u{e000}",
];

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A text of one kind, of all kinds, of base64, of any characters at all, or of small letters at random.
fn generated(sequence: &mut Sequence, kinds: &[Vec<&str>]) -> String {
    let parts = 1 + sequence.below(24);
    match sequence.below(16) {
        kind @ 0..9 => (0..parts).map(|_| sequence.of(&kinds[kind])).collect(),
        9 => (0..parts * 6).map(|_| char::from(BASE64[sequence.below(64)])).collect(),
        10 => (0..parts).filter_map(|_| char::from_u32(sequence.below(0x11_0000) as u32)).collect(),
        11 => (0..parts).filter_map(|_| char::from_u32(sequence.below(0x3000) as u32)).collect(),
        12 => (0..parts * 12).map(|_| char::from(b'a' + sequence.below(26) as u8)).collect(),
        _ => {
            let mixed = |_| {
                let kind = sequence.below(kinds.len());
                sequence.of(&kinds[kind])
            };
            (0..parts).map(mixed).collect()
        }
    }
}

#[test]
fn a_hundred_and_twenty_thousand_generated_texts_are_split_as_the_reference_splits_them() {
    let kinds = KINDS.map(|kind| kind.split('·').collect::<Vec<_>>());
    let mut sequence = Sequence(0x6d63_702d_666f_6f74);
    for _ in 0..120_000 {
        compare(&generated(&mut sequence, &kinds));
    }
}

#[test]
fn runs_of_every_length_up_to_two_hundred_are_split_as_the_reference_splits_them() {
    let units =
        [" ", "\n", "\t", "a", "A", "_", "-", "=", "é", "日", "\u{301}", "🎉", "ab", "\t ", "\r\n", "abc", "เก"];
    for unit in units {
        for times in 1..=200 {
            compare(&unit.repeat(times));
            compare(&format!("{}x", unit.repeat(times)));
        }
    }
}

#[test]
fn long_pieces_of_any_letters_are_split_as_the_reference_splits_them() {
    let mut sequence = Sequence(7);
    let letters = ["abcdefghijklmnopqrstuvwxyz", "etaoin", "abc", "日本語中文字的一是", "กขคงจาิี", "абвгдежз", "=-_~*#"];
    for letters in letters.map(|letters| letters.chars().collect::<Vec<_>>()) {
        for length in (90..400).chain((1_000..10_000).step_by(1_000)) {
            compare(&(0..length).map(|_| letters[sequence.below(letters.len())]).collect::<String>());
        }
    }
}

/// The second judge: byte pair merging in the plainest way that ends in time, for one long piece.
struct Merging {
    tokens: Vec<Vec<u8>>,
    ranks: HashMap<Vec<u8>, usize>,
}

impl Merging {
    /// With the vocabulary as the reference has it.
    fn new() -> Self {
        let encoder = tiktoken_rs::o200k_base_singleton();
        let tokens: Vec<_> = (0..).map_while(|rank| encoder.decode_bytes(&[rank]).ok()).collect();
        assert_eq!(tokens.len(), 199_998);
        let ranks = tokens.iter().cloned().zip(0..).collect();
        Merging { tokens, ranks }
    }

    /// The token that two neighbours make.
    fn joined(&self, left: usize, right: usize) -> Option<usize> {
        self.ranks.get(&[self.tokens[left].as_slice(), &self.tokens[right]].concat()).copied()
    }

    /// How many tokens a piece has.
    ///
    /// All occurrences of the lowest pair are joined in one pass, from left to right. That is the same as one at a time
    /// as long as no pass makes a pair that is as low as the one it joins; this is asserted.
    fn count(&self, piece: &str) -> u64 {
        let mut parts: Vec<usize> = piece.bytes().map(|byte| self.ranks[&vec![byte]]).collect();
        let mut joined_before = None;
        loop {
            let mut neighbours = HashSet::new();
            for (at, pair) in parts.windows(2).enumerate() {
                // In a run, nearly every pair is the same as the one before it.
                if at == 0 || parts[at - 1..=at] != *pair {
                    neighbours.insert((pair[0], pair[1]));
                }
            }
            let tokens = neighbours.into_iter().filter_map(|pair| Some((self.joined(pair.0, pair.1)?, pair)));
            let Some((rank, (left, right))) = tokens.min() else { return parts.len() as u64 };
            assert!(joined_before.is_none_or(|before| before < rank), "a pass made a pair that comes before its own");
            joined_before = Some(rank);
            let mut rest = std::mem::take(&mut parts).into_iter().peekable();
            while let Some(part) = rest.next() {
                let join = part == left && rest.next_if_eq(&right).is_some();
                parts.push(if join { rank } else { part });
            }
        }
    }
}

#[test]
fn the_second_judge_agrees_with_the_reference_where_both_work() {
    let judge = Merging::new();
    for (unit, times) in [(" ", 3_000), (" ", 300_000), ("a", 3_001), ("\u{301}", 2_999), ("\n", 1_234)] {
        let run = unit.repeat(times);
        assert_eq!(judge.count(&run), reference(&run).len() as u64, "{unit:?} x {times}");
    }
}

#[test]
fn a_million_spaces_count_as_byte_pair_merging_defines_where_the_reference_fails() {
    let judge = Merging::new();
    let spaces = " ".repeat(1_000_000);
    let judged = tiktoken_rs::o200k_base_singleton().count(&spaces, &HashSet::new());
    assert!(judged.is_err(), "the reference can judge this by now");
    let counted = count(&spaces);
    // The longest token of spaces has 128 of them.
    assert_eq!(counted, 1_000_000 / 128 + 1);
    assert_eq!(counted, judge.count(&spaces));
    // The last space belongs to the word behind it: 999,999 are left, and " x".
    assert_eq!(count(&format!("{spaces}x")), judge.count(&spaces[1..]) + 1);
}

#[test]
fn a_million_bytes_of_one_letter_mark_or_line_end_count_as_byte_pair_merging_defines() {
    let judge = Merging::new();
    for unit in ["a", "\u{301}", "\n"] {
        let run = unit.repeat(1_000_000 / unit.len());
        assert_eq!(starts(&run).len() as u64, judge.count(&run), "a run of {unit:?}");
    }
}
