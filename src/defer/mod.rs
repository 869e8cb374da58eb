//! What a server costs when its definitions are sent late: the texts that clients send instead, priced like the
//! definitions themselves.
//!
//! Pure. Four ways of clients: every definition on every turn; one line a tool and a lookup tool; names and the
//! server's instructions; lines for the tools that budgets.toml names and definitions for the others. Figures are per
//! conversation: what is resident counts on every turn, and what a lookup brings stays from that turn on.

mod block;
mod cold;
mod forms;
mod fragile;
mod suggestion;
#[cfg(test)]
mod tests;

pub use block::{line_tokens, pretty};
pub use cold::{Globs, split};
pub use forms::{Conversation, Cost, Deferral, Form, defer};
pub use suggestion::{Candidate, Suggestion, suggest};
