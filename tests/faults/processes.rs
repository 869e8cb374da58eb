//! The search for processes that a scenario has left behind: children, grandchildren, and whoever left the group, all
//! of them known by a variable of the environment that they inherited.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A value that only the processes of one scenario have in their environment.
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) const VARIABLE: &str = "MCP_FOOTPRINT_SCENARIO";

    pub(crate) fn new(name: &str) -> Mark {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        Mark(format!("{name}-{}-{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }
}

/// A process that is alive.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) command: String,
}

/// The processes that have the mark in their environment. Only Linux lets one look.
pub(crate) fn alive(mark: &Mark) -> Vec<Process> {
    let wanted = format!("{}={}", Mark::VARIABLE, mark.value());
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        environment.split(|byte| *byte == 0).find(|variable| *variable == wanted.as_bytes())?;
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        Some(Process { pid, command: String::from_utf8_lossy(&command).replace('\0', " ") })
    })
    .collect()
}
