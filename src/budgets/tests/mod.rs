//! The whole of the module on whole files: what is read, which faults are told, which bytes an edit leaves alone.

mod edits;
mod faults;
mod layouts;
mod reading;

use std::path::Path;

use super::*;
use crate::price::ESTIMATOR;

fn parse(text: &str) -> Result<Budgets, BudgetsError> {
    Budgets::parse(Path::new("budgets.toml"), text)
}

fn with_estimator(text: &str) -> String {
    format!("estimator = \"{ESTIMATOR}\"\n{text}")
}
