//! The tokens of o200k_base and their ranks, read in place from the program's own image.
//!
//! `build.rs` writes the tables; `layout.rs` says how. Nothing is parsed and nothing is allocated.

use super::layout::{BUCKETS, CHECK_BITS, SLOTS, bucket, check, hash, short, slot};

static TOKENS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens"));
static OFFSETS: &[u8; (SIZES.tokens + 1) * 4] = include_bytes!(concat!(env!("OUT_DIR"), "/offsets"));
static TABLE: &[u8; SLOTS * 4] = include_bytes!(concat!(env!("OUT_DIR"), "/slots"));
static PILOTS: &[u8; BUCKETS] = include_bytes!(concat!(env!("OUT_DIR"), "/pilots"));

struct Sizes {
    tokens: usize,
    longest: usize,
}

const SIZES: Sizes = include!(concat!(env!("OUT_DIR"), "/sizes.rs"));

/// The rank of the token that is made of exactly these bytes, if there is one: lower merges first.
pub(super) fn rank(bytes: &[u8]) -> Option<u32> {
    if bytes.len() > SIZES.longest {
        return None;
    }
    let hash = hash(bytes);
    let found = number(TABLE, slot(hash, PILOTS[bucket(hash)]))?;
    if found & ((1 << CHECK_BITS) - 1) != check(hash) {
        return None;
    }
    let rank = found >> CHECK_BITS;
    let (start, end) = (number(OFFSETS, rank as usize)?, number(OFFSETS, rank as usize + 1)?);
    same(TOKENS.get(start as usize..end as usize)?, bytes).then_some(rank)
}

/// Whether these bytes are the same; most are too few for a call to be worth it.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && if left.len() < 8 { short(left) == short(right) } else { left == right }
}

fn number(table: &[u8], place: usize) -> Option<u32> {
    table.get(place * 4..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
