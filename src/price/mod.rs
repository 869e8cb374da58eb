//! Definition -> price: exact token counts of the compact text and of the description.
//!
//! Nothing here estimates, and nothing here knows where a definition came from.

mod partition;
pub mod tokenizer;

use sha2::{Digest, Sha256};

use crate::definition::Definition;
use crate::tree::Tree;

pub use partition::{Field, Partition};

/// Names the encoder and the projection that every count in a document was made with.
pub const ESTIMATOR: &str = "o200k_base:mcp-tool-json-v1";

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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
