//! Every fault that a server may have, each a scenario in `fixtures/faults/` that says what must come of it: the whole
//! table is played through the binary, and after each scenario nothing that it started may be alive.

mod play;
mod processes;
mod scenario;
#[cfg(unix)]
mod signals;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use scenario::Scenario;

/// Scenarios at a time. Most of them wait, so this is more than the cores of a small machine.
const AT_ONCE: usize = 8;

#[test]
fn every_fault_ends_as_its_scenario_says_and_leaves_nothing_running() {
    let scenarios: Vec<_> = Scenario::all().into_iter().filter(Scenario::is_for_this_system).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = play::play(scenario);
                    wrong.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_fault_has_scenarios() {
    let scenarios = Scenario::all();
    for kind in scenario::KINDS {
        assert!(scenarios.iter().any(|scenario| scenario.kind() == kind), "no scenario is of the kind `{kind}`");
    }
}

#[test]
fn the_table_in_contributing_is_the_one_that_is_tested() {
    table::compare_or_update(&table::of(&Scenario::all()));
}

#[test]
#[cfg(target_os = "linux")]
fn the_search_for_what_is_left_finds_a_grandchild_in_a_session_of_its_own() {
    let mark = processes::Mark::new("search");
    let mut command = std::process::Command::new(play::scripted());
    command.args(["--linger-as-daemon"]).env(processes::Mark::VARIABLE, mark.value());
    assert!(command.status().unwrap().success());
    let found = processes::alive(&mark);
    assert_eq!(found.len(), 1, "{found:?}");
    let pid = rustix::process::Pid::from_raw(found[0].pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
