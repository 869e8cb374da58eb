//! Definition -> price: exact token counts of the compact text and of the description.
//!
//! Nothing here estimates, and nothing here knows where a definition came from.

mod partition;
pub mod tokenizer;

use std::fmt::Write;
use std::thread;

use sha2::{Digest, Sha256};

use crate::definition::Definition;
use crate::tree::Tree;

pub use partition::{Field, Partition};

/// Names the encoder and the projection that every count in a document was made with.
pub const ESTIMATOR: &str = "o200k_base:mcp-tool-json-v1";

/// The same for a server whose floor holds the lines of deferred tools in the place of their definitions.
pub const ESTIMATOR_DEFERRED: &str = "o200k_base:mcp-tool-json-v1+deferred";

/// The same for several servers of which some have deferred tools.
pub const ESTIMATOR_MIXED: &str = "o200k_base:mcp-tool-json-v1[+deferred]";

/// What one definition costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// Tokens of the compact text.
    pub tokens: u64,
    /// Tokens of the decoded description alone.
    pub description_tokens: u64,
    /// UTF-8 length of the compact text.
    pub bytes: u64,
    /// SHA-256 of the compact text, in lower-case hexadecimal.
    pub sha256: String,
    /// The tokens by top-level key, adding up to `tokens`.
    pub fields: Vec<Field>,
}

/// Bytes of text that take longer to price than a thread takes to start, by far: some milliseconds.
const WORTH_A_THREAD: usize = 128 * 1024;

/// Prices definitions, one price each in their order, on as many cores as their text is worth.
pub fn prices(definitions: &[Definition]) -> Vec<Price> {
    let bytes: usize = definitions.iter().map(|definition| definition.compact().len()).sum();
    let worth = bytes / WORTH_A_THREAD;
    let threads = if worth > 1 { thread::available_parallelism().map_or(1, usize::from).min(worth) } else { 1 };
    let price_all = |part: &[Definition]| part.iter().map(price).collect::<Vec<Price>>();
    let (own, others) = first_part(definitions, bytes.div_ceil(threads));
    thread::scope(|scope| {
        let mut rest = others;
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let (part, further) = first_part(rest, bytes.div_ceil(threads));
            parts.push((part, thread::Builder::new().spawn_scoped(scope, move || price_all(part))));
            rest = further;
        }
        let mut prices = price_all(own);
        for (part, thread) in parts {
            // Where there is no thread to be had, this one does the work.
            prices.extend(thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| price_all(part)));
        }
        prices
    })
}

/// The first definitions, as many as hold at least so many bytes, and the others.
fn first_part(definitions: &[Definition], bytes: usize) -> (&[Definition], &[Definition]) {
    let mut held = 0;
    let last = definitions.iter().position(|definition| {
        held += definition.compact().len();
        held >= bytes
    });
    definitions.split_at(last.map_or(definitions.len(), |last| last + 1))
}

/// Prices one definition.
pub fn price(definition: &Definition) -> Price {
    let compact = definition.compact();
    let tree = Tree::of_top(compact);
    let partition = Partition::of(compact);
    Price {
        tokens: partition.total(),
        description_tokens: tokenizer::count(definition.description()),
        bytes: compact.len() as u64,
        sha256: hex(&Sha256::digest(compact.as_bytes())),
        fields: partition.fields(&tree),
    }
}

/// Prices a text that is no definition, and whose tokens belong to no key.
pub fn of_text(text: &str) -> Price {
    let tokens = tokenizer::count(text);
    Price {
        tokens,
        description_tokens: 0,
        bytes: text.len() as u64,
        sha256: hex(&Sha256::digest(text.as_bytes())),
        fields: vec![Field { key: Field::NO_KEY.to_owned(), tokens }],
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        // A string takes everything that is written to it.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Text;

    fn definitions(lengths: &[usize]) -> Vec<Definition> {
        let text = |length: &usize| format!(r#"{{"description":"{}"}}"#, "word ".repeat(*length));
        lengths.iter().map(|length| Definition::new(Text::parse(&text(length)).unwrap(), 1)).collect()
    }

    #[test]
    fn many_definitions_have_the_prices_of_each_alone_and_in_their_order() {
        for lengths in [vec![], vec![3], vec![500; 1000], vec![200_000, 1, 2, 3], vec![1, 2, 3, 200_000]] {
            let definitions = definitions(&lengths);
            assert_eq!(prices(&definitions), definitions.iter().map(price).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_part_is_at_least_as_long_as_wished_and_no_part_is_empty() {
        let definitions = definitions(&[1, 1, 9, 1]);
        let one = definitions[0].compact().len();
        assert_eq!(first_part(&definitions, one).0.len(), 1);
        assert_eq!(first_part(&definitions, one + 1).0.len(), 2);
        assert_eq!(first_part(&definitions, usize::MAX).0.len(), 4);
        assert_eq!(first_part(&definitions, 0).0.len(), 1);
    }
}
