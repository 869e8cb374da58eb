//! What documents a run writes, and how the screen looks.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::render::Format;

pub(super) const DOCUMENTS: &str = "Documents";

/// What documents are written, and how the screen looks.
#[derive(Debug, Args)]
pub(crate) struct DocumentArgs {
    /// The format of standard output
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = DOCUMENTS)]
    pub(crate) format: Format,
    /// Write one more document from the same launch (repeatable)
    #[arg(long, value_name = "FORMAT=PATH", value_parser = parse_output, help_heading = DOCUMENTS)]
    pub(crate) output: Vec<(Format, PathBuf)>,
    /// Show the N heaviest definitions only
    #[arg(long, value_name = "N", help_heading = DOCUMENTS)]
    pub(crate) top: Option<usize>,
    /// The context window, in tokens, that shares are told of
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = DOCUMENTS)]
    pub(crate) context_window: u64,
    /// Speak to a CI system as well: annotations on standard error, Markdown in the step summary
    #[arg(long, value_enum, default_value_t, value_name = "SYSTEM", help_heading = DOCUMENTS)]
    pub(crate) ci: Ci,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

/// How the screen looks.
#[derive(Debug, Args)]
pub(crate) struct ScreenArgs {
    /// When to use colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", help_heading = DOCUMENTS)]
    pub(crate) color: Color,
    /// Nothing on standard error but errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = DOCUMENTS)]
    pub(crate) quiet: bool,
    /// Tell every step on standard error
    #[arg(short, long, help_heading = DOCUMENTS)]
    pub(crate) verbose: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Which CI system a run speaks to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// The one that the environment tells of
    #[default]
    Auto,
    /// GitHub Actions
    Github,
    /// None
    None,
}

fn parse_output(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, path) = text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or("write FORMAT=PATH")?;
    let known = Format::value_variants().iter().filter_map(|known| known.to_possible_value());
    let known: Vec<String> = known.map(|known| known.get_name().to_owned()).collect();
    let format = Format::from_str(format, false)
        .map_err(|_| format!("there is no format `{format}`; the formats are {}", known.join(", ")))?;
    if path == "-" {
        return Err("standard output takes the document of --format; name a file, such as ./-".to_owned());
    }
    Ok((format, PathBuf::from(path)))
}
