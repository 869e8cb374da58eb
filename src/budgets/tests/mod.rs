//! The whole of the module on whole files: what is read, which faults are told, which bytes an edit leaves alone.

mod clients;
mod edits;
mod entries;
mod faults;
mod layouts;
mod reading;
mod schema_document;
mod scribe;

use std::path::Path;

use super::*;
use crate::price::ESTIMATOR;

fn parse(text: &str) -> Result<Budgets, BudgetsError> {
    Budgets::parse(Path::new("budgets.toml"), text)
}

fn with_estimator(text: &str) -> String {
    format!("estimator = \"{ESTIMATOR}\"\n{text}")
}

fn pin_of(tools: &[(&str, u64, u64)]) -> Pin {
    let sum = |of: fn(&(&str, u64, u64)) -> u64| tools.iter().map(of).sum();
    Pin {
        totals: crate::gate::Totals {
            floor: sum(|tool| tool.1),
            descriptions: sum(|tool| tool.2),
            instructions: None,
            tools: tools.len() as u64,
            largest: tools.iter().map(|tool| tool.1).max().unwrap_or(0),
        },
        tools: tools
            .iter()
            .map(|&(name, tokens, description)| (name.to_owned(), Cost { tokens, description }))
            .collect(),
        pinned: Pinned::default(),
    }
}

const DECORATED: &str = "\u{feff}! a note\n\
estimator   =   \"o200k_base:mcp-tool-json-v1\"   ! one\n\
\n\
\n\
  [ servers . 'a' ]\t! odd spacing\n\
  command='x' ! c\n\
  'args' = [ 'b' , ! in an array\n\
    \"\"\"c\"\"\" , ]\n\
! between\n\
  [servers.a.floor] ! floor\n\
\tbudget=10 ! ten\n\
\n\
  slack   =   \"5%\" ! percent\n\
  reason = '''old'''\n\
[servers.a.descriptions]\n\
budget = +5\n\
[servers.a.pins] ! pins\n\
! z first\n\
'z' = {tokens=6,description=2} ! z\n\
\n\
\"b\" = {\n\
  description = 3 , ! below\n\
  tokens = 4\n\
} ! b\n\
! the end";

fn decorated() -> String {
    DECORATED.replace('!', "#")
}
