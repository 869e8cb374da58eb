//! The program through its binary, as people and scripts meet it: every message stands in a snapshot beside the command
//! that gave it, with its exit code. Servers are the examples `notes` and `scripted`, which `cargo test` builds.

mod broken_servers;
mod budgets_files;
mod documents;
mod files;
mod flags;
mod fleet;
mod gate;
mod help;
mod init;
mod notes;
mod pin;
mod place;
