//! Prices the tool definitions of MCP servers and holds them to committed budgets.

pub mod price;
