//! Prices the tool definitions of MCP servers and holds them to committed budgets.

pub mod budgets;
pub mod capture;
pub mod codes;
pub mod definition;
pub mod gate;
pub mod json;
pub mod price;
pub mod render;
pub mod report;
pub mod secrets;
pub mod visible;
