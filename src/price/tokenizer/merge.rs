//! Byte pair merging: a piece that is no token as a whole starts as its single bytes, and the two neighbours whose
//! joined bytes have the lowest rank are joined, the leftmost first, until no two neighbours make a token.
//!
//! A short piece is searched for its lowest pair every time; a long one keeps its pairs in a heap, so that the time
//! grows with n log n. Both join the same pairs in the same order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::rank;

/// Up to this many bytes, a search of all pairs beats a heap. A power of two, at most 2^8.
const SHORT: usize = 128;

/// Calls `token` with the byte offset in `piece` of each token, ascending.
pub(super) fn merge(piece: &[u8], token: impl FnMut(usize)) {
    if piece.len() <= SHORT {
        let (mut lens, mut before) = ([1; SHORT], [1; SHORT]);
        let mut parts = Parts { piece, lens: &mut lens[..piece.len()], before: &mut before[..piece.len()] };
        merge_short(&mut parts);
        parts.starts().for_each(token);
    } else {
        let (mut lens, mut before) = (vec![1; piece.len()], vec![1; piece.len()]);
        let mut parts = Parts { piece, lens: &mut lens, before: &mut before };
        merge_long(&mut parts);
        parts.starts().for_each(token);
    }
}

/// What the piece is divided into so far.
struct Parts<'a> {
    piece: &'a [u8],
    /// The length of the part that starts at each byte; 0 where none does.
    lens: &'a mut [u8],
    /// The length of the part before the one that starts at each byte. Says nothing where none does, and at 0.
    before: &'a mut [u8],
}

impl Parts<'_> {
    fn starts(&self) -> impl Iterator<Item = usize> {
        self.lens.iter().enumerate().filter(|(_, len)| **len > 0).map(|(start, _)| start)
    }

    /// The length of the part that starts at `start`; 0 behind the last one.
    fn len(&self, start: usize) -> usize {
        self.lens.get(start).copied().map_or(0, usize::from)
    }

    /// The length of the part at `start` and the next one together; nothing where there are no two.
    fn pair(&self, start: usize) -> Option<usize> {
        let left = self.len(start);
        let right = self.len(start + left);
        (left > 0 && right > 0).then_some(left + right)
    }

    /// Joins the part at `start` with the next one; where the one before it starts, if there is one.
    fn join(&mut self, start: usize) -> Option<usize> {
        let right = start + self.len(start);
        let len = self.len(start) + self.len(right);
        self.lens[start] = len as u8;
        self.lens[right] = 0;
        if let Some(before) = self.before.get_mut(start + len) {
            *before = len as u8;
        }
        (start > 0).then(|| start - usize::from(self.before[start]))
    }
}

/// For each byte, the rank of the pair that starts there, and the byte itself: the least is the leftmost lowest pair.
/// Signed, because that is what all vector units can compare.
fn merge_short(parts: &mut Parts<'_>) {
    const NONE: i32 = i32::MAX;
    let key = |parts: &Parts<'_>, start: usize| {
        let rank = parts.pair(start).and_then(|len| rank(&parts.piece[start..start + len]));
        rank.map_or(NONE, |rank| rank as i32 * SHORT as i32 + start as i32)
    };
    let mut keys = [NONE; SHORT];
    let keys = &mut keys[..parts.piece.len()];
    for (start, place) in keys.iter_mut().enumerate() {
        *place = key(parts, start);
    }
    loop {
        let lowest = keys.iter().fold(NONE, |lowest, key| lowest.min(*key));
        if lowest == NONE {
            return;
        }
        let start = lowest as usize % SHORT;
        keys[start + parts.len(start)] = NONE;
        let previous = parts.join(start);
        keys[start] = key(parts, start);
        if let Some(previous) = previous {
            keys[previous] = key(parts, previous);
        }
    }
}

fn merge_long(parts: &mut Parts<'_>) {
    let all: Vec<_> = (0..parts.piece.len()).filter_map(|start| Pair::at(parts, start)).map(Reverse).collect();
    let mut pairs = BinaryHeap::from(all);
    while let Some(Reverse(pair)) = pairs.pop() {
        // Parts only grow, so a pair that has another length by now has lost one of its parts to another pair.
        if parts.pair(pair.start()) != Some(pair.len()) {
            continue;
        }
        let previous = parts.join(pair.start());
        pairs.extend(Pair::at(parts, pair.start()).map(Reverse));
        pairs.extend(previous.and_then(|previous| Pair::at(parts, previous)).map(Reverse));
    }
}

/// Two neighbours that make a token, in the order of joining: the rank (18 bits), where the first one starts (38 bits,
/// more than any memory holds), the length of both (8 bits).
///
/// One number, because a server may send many megabytes of one letter: a long piece needs ten bytes for each of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair(u64);

impl Pair {
    fn at(parts: &Parts<'_>, start: usize) -> Option<Self> {
        let len = parts.pair(start)?;
        rank(&parts.piece[start..start + len])
            .map(|rank| Pair(u64::from(rank) << 46 | (start as u64) << 8 | len as u64))
    }

    fn start(self) -> usize {
        (self.0 >> 8 & ((1 << 38) - 1)) as usize
    }

    fn len(self) -> usize {
        (self.0 & 0xff) as usize
    }
}
