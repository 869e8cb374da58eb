//! What is under way, on standard error: a spinner for each server on a terminal, lines with --verbose, else nothing.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::capture::Stage;
use crate::plan::Talk;
use crate::platform;
use crate::visible::{inert_line, visible};

/// The progress of all servers of one run.
pub(crate) struct Progress<'a> {
    names: Vec<String>,
    talk: Talk,
    spinners: Option<(MultiProgress, Vec<ProgressBar>)>,
    err: Mutex<&'a mut (dyn Write + Send)>,
    begun: Instant,
}

impl<'a> Progress<'a> {
    /// Nothing has begun yet. `names` are hostile text.
    pub(crate) fn new(names: &[String], talk: Talk, err: &'a mut (dyn Write + Send)) -> Self {
        let names: Vec<String> = names.iter().map(|name| visible(name).into_owned()).collect();
        let spins = talk == Talk::Normal && std::io::stderr().is_terminal();
        let is_ascii = !platform::locale_is_utf8(&|name| std::env::var(name).ok());
        let spinners = spins.then(|| {
            let all = MultiProgress::new();
            let style = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})").ok();
            let style = style.map(|style| if is_ascii { style.tick_chars(r"|/-\ ") } else { style });
            let spinner = |name: &String| {
                let spinner = all.add(ProgressBar::new_spinner()).with_prefix(name.clone()).with_message("waiting");
                style.iter().for_each(|style| spinner.set_style(style.clone()));
                spinner.enable_steady_tick(Duration::from_millis(100));
                spinner
            };
            let spinners = names.iter().map(spinner).collect();
            (all, spinners)
        });
        Progress { names, talk, spinners, err: Mutex::new(err), begun: Instant::now() }
    }

    /// Tells how far the server at `place` has come.
    pub(crate) fn tell(&self, place: usize, stage: Stage) {
        let over = matches!(stage, Stage::Listed(_) | Stage::Failed);
        let said = match stage {
            Stage::Prepared(line) => return self.say(place, &line),
            Stage::Preparing => "preparing".to_owned(),
            Stage::Starting => "starting".to_owned(),
            Stage::Listing => "listing its tools".to_owned(),
            Stage::Listed(1) => "1 tool".to_owned(),
            Stage::Listed(tools) => format!("{tools} tools"),
            Stage::Failed => "not measured".to_owned(),
        };
        if let Some(spinner) = self.spinners.as_ref().and_then(|(_, spinners)| spinners.get(place)) {
            spinner.set_message(said.clone());
            if over {
                spinner.finish();
            }
        }
        if self.talk == Talk::Verbose {
            self.say(place, &format!("{said} ({:.2} s)", self.begun.elapsed().as_secs_f64()));
        }
    }

    /// Takes the spinners off the screen.
    pub(crate) fn clear(self) {
        if let Some((all, _)) = &self.spinners {
            // A terminal that is gone needs no clearing.
            let _ = all.clear();
        }
    }

    fn say(&self, place: usize, line: &str) {
        if self.talk == Talk::Quiet {
            return;
        }
        let name = self.names.get(place).map_or("", String::as_str);
        let line = inert_line(&format!("{name}: {}", visible(line))).into_owned();
        let mut err = self.err.lock().unwrap_or_else(PoisonError::into_inner);
        // Progress that nobody reads is no reason to stop.
        let mut write = || drop(writeln!(err, "{line}"));
        match &self.spinners {
            Some((all, _)) => all.suspend(write),
            None => write(),
        }
    }
}
