//! What an entry of budgets.toml stands for, and what its rows are called: the tools of a server, the servers of a client.

use crate::codes::vocabulary;

vocabulary! {
    /// What is held to one set of bands.
    Kind {
        /// One server, by its tools.
        Server = "server",
        /// All enabled servers of a client's config together, by server.
        Client = "client",
    }
}

impl Kind {
    /// What one row is.
    pub fn row(self) -> &'static str {
        match self {
            Kind::Server => "tool",
            Kind::Client => "server",
        }
    }

    /// The table of budgets.toml that holds such entries.
    pub fn table(self) -> &'static str {
        match self {
            Kind::Server => "servers",
            Kind::Client => "clients",
        }
    }
}
