//! The documents of a run: opened before anything is launched, written from one report, put in place at the end.

use std::io::Write;

use crate::pending_file::PendingFile;
use crate::plan;
use crate::render::{Format, Look, render};
use crate::report::Report;
use crate::screen;

/// Documents that can be written.
#[derive(Debug)]
pub(crate) struct Documents {
    screen: Format,
    files: Vec<(Format, PendingFile)>,
}

impl Documents {
    /// Opens every file.
    pub(crate) fn open(plan: &plan::Documents) -> anyhow::Result<Self> {
        let files = plan.files.iter().map(|(format, path)| Ok((*format, PendingFile::open(path)?)));
        Ok(Documents { screen: plan.format, files: files.collect::<anyhow::Result<_>>()? })
    }

    /// Writes the report in every format; what could not be written comes back and leaves the others alone.
    pub(crate) fn write(self, report: &Report, look: &Look, out: &mut dyn Write) -> Vec<anyhow::Error> {
        let on_screen = render(self.screen, report, look, out).map_err(anyhow::Error::from);
        let in_files = self
            .files
            .into_iter()
            .map(|(format, file)| file.complete(|out| render(format, report, &screen::look_of_files(), out)));
        std::iter::once(on_screen).chain(in_files).filter_map(Result::err).collect()
    }
}
