//! What the build script writes and the program reads: how a token is found, and the bits of a character's class.
//!
//! `build.rs` includes this very file, so that the writer and the reader cannot disagree. It names nothing else of the
//! crate, and nothing in it depends on the byte order or the word size of either machine.
//!
//! The table is a perfect hash. A token's bytes hash to a bucket; the bucket's pilot byte, chosen by the build script,
//! sends every token of the bucket to a slot of its own. A slot holds a token's rank and 14 bits of its hash, which
//! refuse nearly every other key; only then are the token's bytes compared. So no input makes a look-up slower, and the
//! bytes that look-ups touch lie close together: those of all tokens are in the order of their ranks, which is roughly
//! that of their frequency.

/// Groups of tokens that share a pilot.
pub(super) const BUCKETS: usize = 1 << 17;

/// Places for tokens: 6 % more than there are tokens, so that every bucket finds a pilot.
pub(super) const SLOTS: usize = 212_000;

/// The low bits of a slot's 32, which hold the [`check`] of the token whose rank is in the others.
pub(super) const CHECK_BITS: u32 = 14;

/// A token's bytes as one number, all of whose bits depend on all of the bytes.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let seed = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(bytes.len() as u64 + 1);
    if bytes.len() < 8 {
        return mix(seed, short(bytes) ^ 0xa076_1d64_78bd_642f);
    }
    let (chunks, _) = bytes.as_chunks::<8>();
    let whole = chunks.iter().fold(seed, |hash, chunk| mix(hash ^ u64::from_le_bytes(*chunk), 0xe703_7ed1_a0b4_28db));
    // Of the bytes behind the last chunk, and some before them.
    let last = bytes.last_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk));
    mix(whole, last ^ 0xa076_1d64_78bd_642f)
}

/// Up to seven bytes as one number; different ones of one length make different numbers.
pub(super) fn short(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    let [first, .., last] = bytes else { return bytes.first().copied().map_or(0, u64::from) };
    u64::from(*first) | u64::from(*last) << 8 | u64::from(bytes[bytes.len() / 2]) << 16
}

/// Multiplies, and folds the upper half of the product into the lower.
fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// The bucket of a hash.
pub(super) fn bucket(hash: u64) -> usize {
    hash as usize % BUCKETS
}

/// The slot of a hash in a bucket with this pilot.
pub(super) fn slot(hash: u64, pilot: u8) -> usize {
    let spread = mix(hash ^ u64::from(pilot) << 24, 0x8ebc_6af0_9c88_c6e3);
    ((u128::from(spread) * SLOTS as u128) >> 64) as usize
}

/// The bits of a hash that a slot repeats, not those that chose the bucket.
pub(super) fn check(hash: u64) -> u32 {
    (hash >> (u64::BITS - CHECK_BITS)) as u32
}

/// Code points whose classes are stored as one block.
pub(super) const BLOCK: usize = 128;

/// `\p{Lu}` and `\p{Lt}`: letters that only the first part of a word takes.
pub(super) const UPPER: u8 = 1 << 0;
/// `\p{Ll}`: letters that only the second part of a word takes.
pub(super) const LOWER: u8 = 1 << 1;
/// `\p{Lm}` and `\p{Lo}`: letters that both parts take.
pub(super) const CASELESS: u8 = 1 << 2;
/// `\p{M}`: no letters, but both parts of a word take them.
pub(super) const MARK: u8 = 1 << 3;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 1 << 4;
/// `[\r\n]`.
pub(super) const NEWLINE: u8 = 1 << 5;
/// `\s` without `[\r\n]`.
pub(super) const SPACE: u8 = 1 << 6;
/// What is left.
pub(super) const SYMBOL: u8 = 1 << 7;
