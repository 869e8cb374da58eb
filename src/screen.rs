//! The terminal: how wide, which characters, which colours. Asked once, so that renderers need not ask.

use std::io::IsTerminal;

use crate::cli::Color;
use crate::platform;
use crate::render::Look;

/// Columns where there is no terminal.
const WIDTH: usize = 80;

/// How documents on standard output look.
pub(crate) fn look(color: Color) -> Look {
    let terminal = std::io::stdout().is_terminal();
    let width = console::Term::stdout().size_checked().filter(|_| terminal).map(|(_, columns)| usize::from(columns));
    let ascii = terminal && !platform::locale_is_utf8(&|name| std::env::var(name).ok());
    let color = match color {
        Color::Auto => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    };
    Look { width: width.unwrap_or(WIDTH), ascii, color }
}

/// How documents in files look.
pub(crate) fn look_of_files() -> Look {
    Look { width: WIDTH, ascii: false, color: false }
}
