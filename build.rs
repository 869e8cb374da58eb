//! Writes the tokenizer's two tables as static data: the vocabulary, taken out of tiktoken-rs, and the classes of all
//! characters, taken out of regex-syntax, whose tables the reference pattern is matched with.
//!
//! Nothing is downloaded and nothing of it depends on the target: the files hold little-endian numbers and bytes.
//! `src/price/tokenizer/layout.rs` says how they are read, and is compiled into this script too.

use std::{env, error::Error, fs, path::Path};

use regex_syntax::hir::{Class, HirKind};

#[path = "src/price/tokenizer/layout.rs"]
mod layout;

use layout::{
    BLOCK, BUCKETS, CASELESS, CHECK_BITS, LOWER, MARK, NEWLINE, NUMBER, SLOTS, SPACE, SYMBOL, UPPER, bucket, check,
    hash, slot,
};

/// How many ordinary tokens o200k_base has; the special ones are not among them.
const TOKENS: usize = 199_998;

/// A slot without a token: no token has its rank.
const EMPTY: u32 = u32::MAX;

/// The patterns of the classes. No character is in two of them.
const CLASSES: [(&str, u8); 7] = [
    (r"[\p{Lu}\p{Lt}]", UPPER),
    (r"\p{Ll}", LOWER),
    (r"[\p{Lm}\p{Lo}]", CASELESS),
    (r"\p{M}", MARK),
    (r"\p{N}", NUMBER),
    (r"[\r\n]", NEWLINE),
    (r"[\s--\r\n]", SPACE),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/price/tokenizer/layout.rs");
    let out = env::var("OUT_DIR")?;
    write_vocabulary(Path::new(&out))?;
    write_classes(Path::new(&out))
}

/// Writes `tokens` (the bytes of all tokens by rank), `offsets` (where each starts, and where the last ends), `slots` and
/// `pilots`.
fn write_vocabulary(out: &Path) -> Result<(), Box<dyn Error>> {
    let tokens = tokens()?;
    let (pilots, slots) = place(&tokens)?;
    let mut offsets = vec![0];
    for token in &tokens {
        offsets.push(offsets[offsets.len() - 1] + u32::try_from(token.len())?);
    }
    let longest = tokens.iter().map(Vec::len).max().unwrap_or_default();
    fs::write(out.join("tokens"), tokens.concat())?;
    fs::write(out.join("offsets"), little_endian(&offsets))?;
    fs::write(out.join("slots"), little_endian(&slots))?;
    fs::write(out.join("pilots"), pilots)?;
    fs::write(out.join("sizes.rs"), format!("Sizes {{ tokens: {}, longest: {longest} }}", tokens.len()))?;
    Ok(())
}

fn little_endian(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The bytes of every ordinary token, by rank.
fn tokens() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let encoder = tiktoken_rs::o200k_base()?;
    // The ranks of the special tokens come after a gap.
    let tokens: Vec<_> = (0..).map_while(|rank| encoder.decode_bytes(&[rank]).ok()).collect();
    if tokens.len() != TOKENS {
        return Err(format!("o200k_base has {TOKENS} ordinary tokens, but {} were found", tokens.len()).into());
    }
    Ok(tokens)
}

/// Gives every token a slot of its own: the pilot of each bucket, and the slots.
///
/// The fullest buckets choose first, while there is room.
fn place(tokens: &[Vec<u8>]) -> Result<(Vec<u8>, Vec<u32>), Box<dyn Error>> {
    let hashes: Vec<u64> = tokens.iter().map(|token| hash(token)).collect();
    let mut buckets = vec![Vec::new(); BUCKETS];
    for (rank, &hash) in hashes.iter().enumerate() {
        buckets[bucket(hash)].push(rank);
    }
    let mut order: Vec<usize> = (0..BUCKETS).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));

    let mut pilots = vec![0; BUCKETS];
    let mut slots = vec![EMPTY; SLOTS];
    for number in order {
        let ranks = &buckets[number];
        let pilot = (0..=u8::MAX).find(|&pilot| {
            let mut wanted: Vec<usize> = ranks.iter().map(|&rank| slot(hashes[rank], pilot)).collect();
            wanted.sort_unstable();
            wanted.windows(2).all(|pair| pair[0] != pair[1]) && wanted.iter().all(|&slot| slots[slot] == EMPTY)
        });
        let pilot = pilot.ok_or("no pilot byte places every token of a bucket: SLOTS is too small")?;
        pilots[number] = pilot;
        for &rank in ranks {
            slots[slot(hashes[rank], pilot)] = u32::try_from(rank << CHECK_BITS)? | check(hashes[rank]);
        }
    }
    Ok((pilots, slots))
}

/// Writes `class_blocks` (the different blocks of classes) and `class_index` (which block a code point is in).
fn write_classes(out: &Path) -> Result<(), Box<dyn Error>> {
    let mut classes = vec![SYMBOL; char::MAX as usize + 1];
    for (pattern, class) in CLASSES {
        let hir = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(ranges)) = hir.kind() else {
            return Err(format!("{pattern} is no class of characters").into());
        };
        for range in ranges.iter() {
            for place in &mut classes[range.start() as usize..=range.end() as usize] {
                if *place != SYMBOL {
                    return Err(format!("{pattern} shares a character with another class").into());
                }
                *place = class;
            }
        }
    }
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK) {
        let known = blocks.iter().position(|known| *known == block).unwrap_or(blocks.len());
        if known == blocks.len() {
            blocks.push(block);
        }
        index.push(u8::try_from(known)?);
    }
    fs::write(out.join("class_blocks"), blocks.concat())?;
    fs::write(out.join("class_index"), index)?;
    Ok(())
}
